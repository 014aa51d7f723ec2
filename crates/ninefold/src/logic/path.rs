//! The path from a puzzle to its solution, one explained step after the other.
//!
//! At each position the techniques are tried in order and the first step found is taken; then all techniques are tried
//! again from the start. The path ends when the grid is full, when no technique finds a step, or when a contradiction
//! shows that there is no solution.

use super::chains;
use super::check::{self, Flaw};
use super::position::Position;
use super::{Step, Technique, Trace, default_order, first_step, with_width};
use crate::grid::{Candidates, Conflict, Grid};

/// What a path may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// The techniques in the order in which they are tried.
    pub techniques: Vec<Technique>,
    /// May a step rest on the promise that there is only one solution?
    pub uniqueness: bool,
    /// Stop after so many steps.
    pub most_steps: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { techniques: default_order(), uniqueness: true, most_steps: usize::MAX }
    }
}

impl Options {
    /// The techniques in order, without those that are switched off.
    pub fn in_use(&self) -> Vec<Technique> {
        let allowed = |technique: &Technique| self.uniqueness || !technique.needs_uniqueness();
        self.techniques.iter().copied().filter(allowed).collect()
    }
}

/// How a path ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every cell is filled.
    Solved,
    /// No technique finds a step.
    Stuck,
    /// A cell or a digit has no possibility left: there is no solution.
    Contradiction,
    /// The number of steps allowed was reached.
    Enough,
}

/// A path.
#[derive(Clone, Debug)]
pub struct Path {
    /// The puzzle.
    pub givens: Grid,
    /// The position it starts from.
    pub start: Candidates,
    /// The steps.
    pub trace: Trace,
    /// The position it ends with.
    pub last: Candidates,
    /// How it ended.
    pub end: End,
}

/// Which techniques a path needs: what a generator or a rating asks, without any word about the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uses {
    /// How the path ended.
    pub end: End,
    /// Each technique of the path with the number of its steps; the one that stands last in the order comes first.
    pub techniques: Vec<(Technique, usize)>,
}

impl Uses {
    /// The technique of the path that stands last in the order.
    pub fn hardest(&self) -> Option<Technique> {
        self.techniques.first().map(|(technique, _)| *technique)
    }

    /// How many steps of the path are of this technique.
    pub fn of(&self, technique: Technique) -> usize {
        self.techniques.iter().find(|(used, _)| *used == technique).map_or(0, |(_, count)| *count)
    }
}

/// The techniques that the path of a puzzle uses, the hardest first; a conflict if its digits break the rules.
///
/// ```
/// use ninefold::grid::Grid;
/// use ninefold::logic::{self, Options, Technique};
///
/// let puzzle: Grid =
///     ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...".parse()?;
/// let uses = logic::uses(&puzzle, &Options::default())?;
/// assert_eq!(uses.hardest(), Some(Technique::DiscontinuousNiceLoop { grouped: false }));
/// assert!(uses.of(Technique::Pointing) > 0 && uses.of(Technique::ForcingNet) == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn uses(puzzle: &Grid, options: &Options) -> Result<Uses, Conflict> {
    Ok(solve(puzzle, &Candidates::of(puzzle)?, options).uses(options))
}

/// Solves from any position. `givens` is the puzzle as it was set; `start` may have digits filled in and candidates
/// crossed out by a player.
pub fn solve(givens: &Grid, start: &Candidates, options: &Options) -> Path {
    with_width!(givens.order(), solve_wide(givens, start, options))
}

fn solve_wide<const W: usize>(givens: &Grid, start: &Candidates, options: &Options) -> Path {
    let techniques = options.in_use();
    let mut position = Position::<W>::new(givens, start);
    let mut steps = Vec::new();
    let end = loop {
        if position.is_contradictory() {
            break End::Contradiction;
        }
        if position.empty().is_empty() {
            break End::Solved;
        }
        if steps.len() >= options.most_steps {
            break End::Enough;
        }
        let Some(step) = next_step(&position, &techniques) else { break End::Stuck };
        step.apply(&mut position);
        steps.push(step);
    };
    Path { givens: givens.clone(), start: start.clone(), trace: Trace { steps }, last: position.candidates(), end }
}

/// The first step of the first technique that has one.
fn next_step<const W: usize>(position: &Position<W>, techniques: &[Technique]) -> Option<Step> {
    techniques.iter().find_map(|&technique| match technique {
        Technique::ContinuousNiceLoop { grouped } if has_all_chains(techniques, grouped) => {
            chains::shortest(position, grouped)
        }
        Technique::DiscontinuousNiceLoop { grouped } | Technique::Aic { grouped }
            if has_all_chains(techniques, grouped) =>
        {
            None
        }
        technique => first_step(technique, position),
    })
}

/// Loops and open chains are looked for together, if all are wanted: the shortest of all is the easiest to follow.
fn has_all_chains(techniques: &[Technique], grouped: bool) -> bool {
    let kinds = [
        Technique::ContinuousNiceLoop { grouped },
        Technique::DiscontinuousNiceLoop { grouped },
        Technique::Aic { grouped },
    ];
    kinds.iter().all(|kind| techniques.contains(kind))
}

impl Path {
    /// The techniques of the path, by their place in the order of these options.
    pub fn uses(&self, options: &Options) -> Uses {
        let count = |technique: Technique| self.trace.steps.iter().filter(|step| step.technique == technique).count();
        let used = options.techniques.iter().rev().map(|&technique| (technique, count(technique)));
        Uses { end: self.end, techniques: used.filter(|(_, count)| *count > 0).collect() }
    }

    /// Replays every proof; the number of the first step that does not hold, counted from 0, and what is wrong.
    pub fn check(&self) -> Result<(), (usize, Flaw)> {
        for (index, (position, step)) in self.positions().enumerate() {
            check::check(step, &self.givens, &position).map_err(|flaw| (index, flaw))?;
        }
        Ok(())
    }

    /// The position before each step, with the step.
    pub fn positions(&self) -> impl Iterator<Item = (Candidates, &Step)> {
        self.trace.steps.iter().scan(self.start.clone(), |position, step| {
            let before = position.clone();
            step.apply_to(position);
            Some((before, step))
        })
    }
}
