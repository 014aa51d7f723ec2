//! Which techniques an explanation uses: what a generator or a rating asks, without a word about the steps.

use super::{End, Explanation};
use crate::grid::{Conflict, Grid, Position};
use crate::limits::Limits;
use crate::logic::{Options, Steps};
use crate::proof::{Step, Technique};

/// The techniques of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uses {
    /// How the explanation ended.
    pub end: End,
    /// Each technique used with the number of its steps; the one that stands last in the order comes first.
    pub techniques: Vec<(Technique, usize)>,
}

impl Uses {
    /// The techniques that lead from a puzzle to its solution, the hardest first; a conflict if its digits break the
    /// rules. Whoever asks vouches for `options.uniqueness`.
    ///
    /// ```
    /// use ninefold::explain::Uses;
    /// use ninefold::grid::Grid;
    /// use ninefold::limits::Limits;
    /// use ninefold::logic::Options;
    /// use ninefold::proof::Technique;
    ///
    /// let puzzle: Grid =
    ///     ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...".parse()?;
    /// let uses = Uses::of(&puzzle, &Options::default(), &Limits::none())?;
    /// assert_eq!(uses.hardest(), Some(Technique::DiscontinuousNiceLoop { grouped: false }));
    /// assert!(uses.count(Technique::Pointing) > 0 && uses.count(Technique::ForcingNet) == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(puzzle: &Grid, options: &Options, limits: &Limits<'_>) -> Result<Uses, Conflict> {
        let mut steps = Steps::new(&Position::start(puzzle)?, options, limits);
        let found: Vec<Step> = steps.by_ref().collect();
        Ok(Uses::new(&found, steps.end().expect("steps have come to an end").into(), options))
    }

    fn new(steps: &[Step], end: End, options: &Options) -> Uses {
        let count =
            |technique: Technique| steps.iter().filter(|step| step.technique == technique).count();
        let used = options.techniques.iter().rev().map(|&technique| (technique, count(technique)));
        Uses { end, techniques: used.filter(|(_, count)| *count > 0).collect() }
    }

    /// The technique that stands last in the order.
    pub fn hardest(&self) -> Option<Technique> {
        self.techniques.first().map(|(technique, _)| *technique)
    }

    /// How many steps are of this technique.
    pub fn count(&self, technique: Technique) -> usize {
        self.techniques.iter().find(|(used, _)| *used == technique).map_or(0, |(_, count)| *count)
    }
}

impl Explanation {
    /// Its techniques, by their place in the order of these options.
    pub fn uses(&self, options: &Options) -> Uses {
        Uses::new(&self.steps, self.end.clone(), options)
    }
}
