//! Where one split is not enough: this is where we split again, as often as it takes.
//!
//! First one choice after the other is settled by singles alone: where all but one of a cell's digits fail, the last one
//! is true and we go on from there. If that does not help, both of two choices are followed further, in trees of a growing
//! number of nodes, so that a small tree is found before a large one. It ends for every candidate that is false.

use super::Space;
use super::pairs::choices;
use super::plan::Plan;
use super::state::{Mask, Quiet, State};
use crate::grid::CellSet;
use crate::limits::{Deadline, Stop};
use crate::proof::{Candidate, OneOf};
use std::collections::HashMap;

/// The largest choice that is tried.
const MOST_CHOICES: usize = 4;

/// A search for the plan of one candidate.
pub struct Deeper<'a, D, const W: usize, const S: usize, const C: usize> {
    pub space: &'a Space<D, W, S, C>,
    pub deadline: &'a Deadline<'a>,
    pub quiet: Quiet,
    /// How many suppositions were followed.
    pub probes: usize,
}

/// What became of a choice.
enum Tried<T> {
    Dead,
    Alive(T),
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> Deeper<'_, D, W, S, C> {
    /// A plan in which at most one choice of each split is followed further.
    pub fn in_a_row(&mut self, state: &State<D, W, S, C>) -> Result<Option<Plan>, Stop> {
        let mut alive_ones: HashMap<Candidate, bool> = HashMap::new();
        let mut forced = None;
        for of in self.open(state) {
            let choices = choices(self.space.geometry, state, of);
            let mut alive = None;
            let mut more_alive = false;
            for &choice in &choices {
                let is_alive = match alive_ones.get(&choice) {
                    Some(&known) => known,
                    None => matches!(self.try_one(state, choice)?, Tried::Alive(_)),
                };
                alive_ones.insert(choice, is_alive);
                if is_alive && alive.replace(choice).is_some() {
                    more_alive = true;
                    break;
                }
            }
            match (alive, more_alive) {
                (None, _) => return Ok(Some(dead_split(of, &choices))),
                (Some(last), false) if forced.is_none() => forced = Some((of, choices, last)),
                _ => {}
            }
        }
        let Some((of, choices, last)) = forced else { return Ok(None) };
        let Tried::Alive(next) = self.try_one(state, last)? else {
            return Ok(Some(dead_split(of, &choices)));
        };
        let Some(plan) = self.in_a_row(&next)? else { return Ok(None) };
        Ok(Some(followed_on(of, &choices, last, plan)))
    }

    /// A plan of at most so many nodes, which are counted down; `None` if there is none or the candidate is true.
    pub fn in_a_tree(
        &mut self,
        state: &State<D, W, S, C>,
        nodes: &mut usize,
    ) -> Result<Option<Plan>, Stop> {
        if *nodes == 0 {
            return Ok(None);
        }
        *nodes -= 1;
        let mut best: Option<(usize, OneOf, Vec<Candidate>)> = None;
        let mut weights: HashMap<Candidate, usize> = HashMap::new();
        for of in self.open(state) {
            let choices = choices(self.space.geometry, state, of);
            // Larger choices only if there are no smaller ones.
            if best.as_ref().is_some_and(|(_, _, other)| other.len() < choices.len()) {
                break;
            }
            let mut weight = 0;
            for &choice in &choices {
                weight += match weights.get(&choice) {
                    Some(&known) => known,
                    None => match self.try_one(state, choice)? {
                        Tried::Alive(next) => {
                            *weights.entry(choice).or_insert(next.followed_count())
                        }
                        Tried::Dead => return self.without(state, of, &choices, nodes),
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

    /// At least one choice fails at once: the others are followed.
    fn without(
        &mut self,
        state: &State<D, W, S, C>,
        of: OneOf,
        choices: &[Candidate],
        nodes: &mut usize,
    ) -> Result<Option<Plan>, Stop> {
        // The node was counted for nothing: it splits in name only.
        *nodes += usize::from(choices.len() == 2);
        self.all(state, of, choices, nodes)
    }

    fn all(
        &mut self,
        state: &State<D, W, S, C>,
        of: OneOf,
        choices: &[Candidate],
        nodes: &mut usize,
    ) -> Result<Option<Plan>, Stop> {
        let mut plans = Vec::new();
        for &choice in choices {
            let plan = match self.try_one(state, choice)? {
                Tried::Dead => Plan::dead(),
                Tried::Alive(next) => match self.in_a_tree(&next, nodes)? {
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
    ) -> Result<Tried<State<D, W, S, C>>, Stop> {
        self.probes += 1;
        if self.probes.is_multiple_of(256)
            && let Some(stop) = self.deadline.reached()
        {
            return Err(stop);
        }
        let mut next = state.clone();
        self.quiet.start(choice);
        Ok(match next.follow(self.space.geometry, &mut self.quiet) {
            Ok(()) => Tried::Alive(next),
            Err(_) => Tried::Dead,
        })
    }

    /// The cells and houses with the fewest choices first.
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
        open.retain(|(count, _)| (2..=smallest.max(MOST_CHOICES)).contains(count));
        open.sort_by_key(|(count, _)| *count);
        open.into_iter().map(|(_, of)| of).collect()
    }
}

fn dead_split(of: OneOf, choices: &[Candidate]) -> Plan {
    Plan::split(of, choices.iter().map(|&choice| (choice, Plan::dead())).collect())
}

fn followed_on(of: OneOf, choices: &[Candidate], last: Candidate, plan: Plan) -> Plan {
    let mut plan = Some(plan);
    let one = |&choice: &Candidate| match choice == last {
        true => (choice, plan.take().expect("there is one such choice")),
        false => (choice, Plan::dead()),
    };
    Plan::split(of, choices.iter().map(one).collect())
}
