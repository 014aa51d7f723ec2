//! Techniques used by an explanation, for generators and ratings that do not need the steps.

use super::{ExplainOutcome, Explanation};
use crate::grid::{Conflict, Grid, Position};
use crate::limits::Limits;
use crate::logic::{ExplainOptions, Steps};
use crate::proof::{Step, Technique};

/// Techniques used by an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TechniqueSummary {
    /// How the explanation ended.
    pub outcome: ExplainOutcome,
    /// The techniques used, each with its number of steps. They are in reverse order of
    /// [`ExplainOptions::techniques`], so the hardest comes first in the default order.
    pub techniques: Vec<(Technique, usize)>,
}

impl TechniqueSummary {
    /// Finds the techniques that lead from a puzzle to its solution, hardest first. Returns an
    /// error if the clues break the rules. This function does not search for solutions. So the
    /// caller may set `options.uniqueness` only for a puzzle that is known to have one solution.
    ///
    /// ```
    /// use ninefold::explain::TechniqueSummary;
    /// use ninefold::grid::Grid;
    /// use ninefold::limits::Limits;
    /// use ninefold::logic::ExplainOptions;
    /// use ninefold::proof::Technique;
    ///
    /// let puzzle: Grid =
    ///     ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
    ///         .parse()?;
    /// let summary = TechniqueSummary::new(&puzzle, &ExplainOptions::default(), &Limits::none())?;
    /// assert_eq!(summary.hardest(), Some(Technique::DiscontinuousNiceLoop { grouped: false }));
    /// assert!(summary.count(Technique::Pointing) > 0);
    /// assert_eq!(summary.count(Technique::ForcingNet), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        puzzle: &Grid,
        options: &ExplainOptions,
        limits: &Limits<'_>,
    ) -> Result<TechniqueSummary, Conflict> {
        let mut steps = Steps::new(&Position::from_puzzle(puzzle)?, options, limits);
        let found: Vec<Step> = steps.by_ref().collect();
        let outcome = steps.outcome().expect("the iterator is exhausted");
        Ok(TechniqueSummary::from_steps(&found, outcome.into(), options))
    }

    fn from_steps(
        steps: &[Step],
        outcome: ExplainOutcome,
        options: &ExplainOptions,
    ) -> TechniqueSummary {
        let count =
            |technique: Technique| steps.iter().filter(|step| step.technique == technique).count();
        let used = options.techniques.iter().rev().map(|&technique| (technique, count(technique)));
        TechniqueSummary { outcome, techniques: used.filter(|(_, count)| *count > 0).collect() }
    }

    /// Returns the technique that comes last in the order of the options, or `None` without steps.
    pub fn hardest(&self) -> Option<Technique> {
        self.techniques.first().map(|(technique, _)| *technique)
    }

    /// Returns the number of steps with this technique.
    pub fn count(&self, technique: Technique) -> usize {
        self.techniques.iter().find(|(used, _)| *used == technique).map_or(0, |(_, count)| *count)
    }
}

impl Explanation {
    /// Summarizes the techniques in the order of these options.
    pub fn technique_summary(&self, options: &ExplainOptions) -> TechniqueSummary {
        TechniqueSummary::from_steps(&self.steps, self.outcome.clone(), options)
    }
}
