//! Nested splits for candidates that a single split does not refute.
//!
//! A plan lists the splits (see `nested.rs`) that refute a candidate, without reasons. The search
//! first tries linear plans: if singles refute all but one choice of a cell or house, the last
//! choice is true, and the search continues from there. Otherwise it follows several choices of a
//! split, in trees with an increasing number of nodes, so that small trees are found first. The
//! search terminates for every false candidate.

use super::SearchSpace;
use super::pairs::choices;
use super::plan::Plan;
use super::state::{Mask, Queue, State};
use crate::grid::CellSet;
use crate::limits::{Deadline, StopReason};
use crate::proof::{Candidate, OneOf};
use std::collections::HashMap;

/// Maximum number of choices in a split.
const MAX_CHOICES: usize = 4;

/// Searches for a plan that refutes one candidate.
pub struct DeepSearch<'a, D, const W: usize, const S: usize, const C: usize> {
    pub space: &'a SearchSpace<D, W, S, C>,
    pub deadline: &'a Deadline<'a>,
    pub queue: Queue,
    /// Number of assumptions that were followed.
    pub probes: usize,
}

/// Result of following a choice.
enum Attempt<T> {
    Failed,
    Open(T),
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> DeepSearch<'_, D, W, S, C> {
    /// Returns a plan that continues with at most one choice of each split.
    pub fn linear_plan(&mut self, state: &State<D, W, S, C>) -> Result<Option<Plan>, StopReason> {
        let mut alive_ones: HashMap<Candidate, bool> = HashMap::new();
        let mut forced = None;
        for of in self.open(state) {
            let choices = choices(self.space.geometry, state, of);
            let mut alive = None;
            let mut more_alive = false;
            for &choice in &choices {
                let is_alive = match alive_ones.get(&choice) {
                    Some(&known) => known,
                    None => matches!(self.try_one(state, choice)?, Attempt::Open(_)),
                };
                alive_ones.insert(choice, is_alive);
                if is_alive && alive.replace(choice).is_some() {
                    more_alive = true;
                    break;
                }
            }
            match (alive, more_alive) {
                (None, _) => return Ok(Some(failing_split(of, &choices))),
                (Some(last), false) if forced.is_none() => forced = Some((of, choices, last)),
                _ => {}
            }
        }
        let Some((of, choices, last)) = forced else { return Ok(None) };
        let Attempt::Open(next) = self.try_one(state, last)? else {
            return Ok(Some(failing_split(of, &choices)));
        };
        let Some(plan) = self.linear_plan(&next)? else { return Ok(None) };
        Ok(Some(followed_on(of, &choices, last, plan)))
    }

    /// Returns a plan with at most `nodes` nodes and decreases `nodes` accordingly. Returns `None`
    /// if there is no such plan or if the candidate is true.
    pub fn branching_plan(
        &mut self,
        state: &State<D, W, S, C>,
        nodes: &mut usize,
    ) -> Result<Option<Plan>, StopReason> {
        if *nodes == 0 {
            return Ok(None);
        }
        *nodes -= 1;
        let mut best: Option<(usize, OneOf, Vec<Candidate>)> = None;
        let mut weights: HashMap<Candidate, usize> = HashMap::new();
        for of in self.open(state) {
            let choices = choices(self.space.geometry, state, of);
            // Use larger splits only if there are no smaller ones.
            if best.as_ref().is_some_and(|(_, _, other)| other.len() < choices.len()) {
                break;
            }
            let mut weight = 0;
            for &choice in &choices {
                weight += match weights.get(&choice) {
                    Some(&known) => known,
                    None => match self.try_one(state, choice)? {
                        Attempt::Open(next) => {
                            *weights.entry(choice).or_insert(next.followed_count())
                        }
                        Attempt::Failed => return self.without(state, of, &choices, nodes),
                    },
                };
            }
            if best
                .as_ref()
                .is_none_or(|(most, _, other)| choices.len() < other.len() || weight > *most)
            {
                best = Some((weight, of, choices));
            }
        }
        let Some((_, of, choices)) = best else { return Ok(None) };
        self.all(state, of, &choices, nodes)
    }

    /// At least one choice fails immediately. Follows the others.
    fn without(
        &mut self,
        state: &State<D, W, S, C>,
        of: OneOf,
        choices: &[Candidate],
        nodes: &mut usize,
    ) -> Result<Option<Plan>, StopReason> {
        // Return the node to the budget: with one remaining choice there is no real split.
        *nodes += usize::from(choices.len() == 2);
        self.all(state, of, choices, nodes)
    }

    fn all(
        &mut self,
        state: &State<D, W, S, C>,
        of: OneOf,
        choices: &[Candidate],
        nodes: &mut usize,
    ) -> Result<Option<Plan>, StopReason> {
        let mut plans = Vec::new();
        for &choice in choices {
            let plan = match self.try_one(state, choice)? {
                Attempt::Failed => Plan::contradiction(),
                Attempt::Open(next) => match self.branching_plan(&next, nodes)? {
                    Some(plan) => plan,
                    None => return Ok(None),
                },
            };
            plans.push((choice, plan));
        }
        Ok(Some(Plan::split(of, plans)))
    }

    fn try_one(
        &mut self,
        state: &State<D, W, S, C>,
        choice: Candidate,
    ) -> Result<Attempt<State<D, W, S, C>>, StopReason> {
        self.probes += 1;
        if self.probes.is_multiple_of(256)
            && let Some(stop) = self.deadline.reached()
        {
            return Err(stop);
        }
        let mut next = state.clone();
        self.queue.start(choice);
        Ok(match next.follow(self.space.geometry, &mut self.queue) {
            Ok(()) => Attempt::Open(next),
            Err(_) => Attempt::Failed,
        })
    }

    /// Returns the cells and houses with the fewest choices first.
    fn open(&self, state: &State<D, W, S, C>) -> Vec<OneOf> {
        let geometry = self.space.geometry;
        let mut open: Vec<(usize, OneOf)> = Vec::new();
        for cell in geometry.order().cells().filter(|&cell| !state.is_followed(cell)) {
            open.push((state.at(cell).count(), OneOf::Cell(cell)));
        }
        for house in 0..geometry.house_count() {
            for digit in geometry.order().digits() {
                let places: CellSet<W> = state.places(digit) & geometry.cells(house);
                open.push((places.count(), OneOf::House(geometry.house(house), digit)));
            }
        }
        let smallest =
            open.iter().map(|(count, _)| *count).filter(|&count| count > 1).min().unwrap_or(2);
        open.retain(|(count, _)| (2..=smallest.max(MAX_CHOICES)).contains(count));
        open.sort_by_key(|(count, _)| *count);
        open.into_iter().map(|(_, of)| of).collect()
    }
}

fn failing_split(of: OneOf, choices: &[Candidate]) -> Plan {
    Plan::split(of, choices.iter().map(|&choice| (choice, Plan::contradiction())).collect())
}

fn followed_on(of: OneOf, choices: &[Candidate], last: Candidate, plan: Plan) -> Plan {
    let mut plan = Some(plan);
    let one = |&choice: &Candidate| match choice == last {
        true => (choice, plan.take().expect("the last choice occurs once")),
        false => (choice, Plan::contradiction()),
    };
    Plan::split(of, choices.iter().map(one).collect())
}
