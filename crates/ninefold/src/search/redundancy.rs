//! Givens and rules that a puzzle does not need, and those that contradict each other.
//!
//! [`redundant`] lists the parts of a puzzle with one solution without which it still has only one.
//! [`contradiction`] finds a small set of parts of a puzzle without solution that have no solution
//! together, so that a setter sees which rules to correct.

use super::rules;
use crate::grid::rules::Rules;
use crate::grid::{Cell, Digit, text};
use crate::limits::{Deadline, Limits, StopReason};
use crate::random::Random;

/// A part of a puzzle that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The constraint with this index in [`Rules::constraints`].
    Constraint(usize),
    /// The given in this cell.
    Given(Cell),
}

/// The parts of a puzzle that it does not need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redundancy {
    /// Constraints and givens of which any one can be left out. Leaving out several at once may
    /// allow other solutions.
    pub parts: Vec<Part>,
    /// Parts for which a limit was reached, so that they may be redundant, too.
    pub unknown: Vec<Part>,
    /// The limit that was reached last.
    pub stop: Option<StopReason>,
}

/// Parts of a puzzle that have no solution together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contradiction {
    /// The parts, in ascending order. Without any, the regions alone allow no grid.
    pub parts: Vec<Part>,
    /// Whether any smaller selection of these parts is proven to have a solution.
    pub is_minimal: bool,
}

/// Tests every constraint and every given of a puzzle with one solution: those that can be left
/// out, one at a time, without allowing a second solution.
///
/// The node limit applies to each proof, the time limit to all of them together.
///
/// # Panics
/// If the number of givens is not the number of cells.
#[must_use]
pub fn redundant(rules: &Rules, givens: &[Option<Digit>], limits: &Limits<'_>) -> Redundancy {
    let deadline = Deadline::new(limits);
    let mut redundancy = Redundancy::default();
    for part in parts_of(rules, givens) {
        let mut others = parts_of(rules, givens);
        others.retain(|other| *other != part);
        let (fewer_rules, fewer_givens) = select(rules, givens, &others);
        let limits = deadline.limits(limits.nodes);
        let found = rules::solve(&fewer_rules, &fewer_givens, 2, &limits);
        match (found.solutions.len(), found.effort.stop) {
            (2.., _) => {}
            (_, None) => redundancy.parts.push(part),
            (_, Some(stop)) => {
                redundancy.unknown.push(part);
                redundancy.stop = Some(stop);
            }
        }
    }
    redundancy
}

/// A set of constraints and givens that contradict each other; `None` if the puzzle has a solution.
///
/// The set is usually the smallest one, but not always: several searches with different random
/// orders compete, and the first set of two parts wins. The node limit applies to each proof, the
/// time limit to all of them together. If a limit is reached before the puzzle is proven to have no
/// solution, the reason is returned as an error.
///
/// ```
/// use ninefold::grid::Order;
/// use ninefold::grid::rules::{Constraint, LineRule, Rules};
/// use ninefold::search::redundancy;
/// use ninefold::Limits;
///
/// let at = |row, column| Order::NINE.cell(row, column);
/// let cage = Constraint::Cage { cells: vec![at(0, 0), at(0, 1)], sum: Some(3) };
/// let line = vec![at(1, 0), at(0, 0), at(0, 1)];
/// let thermometer = Constraint::Line { kind: LineRule::Thermometer, cells: line };
/// let rules = Rules::classic(Order::NINE)
///     .with(Constraint::AntiKnight)?
///     .with(cage)?
///     .with(thermometer)?;
/// let givens = vec![None; 81];
/// let found = redundancy::contradiction(&rules, &givens, &Limits::none()).unwrap().unwrap();
/// assert_eq!(
///     found.describe(&rules, &givens),
///     "the killer cage of 3 at r1c1, r1c2 and the thermometer at r2c1, r1c1, r1c2 contradict \
///      each other"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the number of givens is not the number of cells.
pub fn contradiction(
    rules: &Rules,
    givens: &[Option<Digit>],
    limits: &Limits<'_>,
) -> Result<Option<Contradiction>, StopReason> {
    let mut search =
        Search { rules, givens, nodes: limits.nodes, deadline: Deadline::new(limits), stop: None };
    let parts = parts_of(rules, givens);
    if !search.is_contradictory(&parts) {
        return search.stop.map_or(Ok(None), Err);
    }
    if search.is_contradictory(&[]) {
        return Ok(Some(Contradiction { parts: Vec::new(), is_minimal: true }));
    }
    let mut random = Random::new(0);
    let mut best: Option<Contradiction> = None;
    for round in 0..ROUNDS {
        let mut order = parts.clone();
        if round > 0 {
            random.shuffle(&mut order);
        }
        search.stop = None;
        let mut found = search.minimal(&[], false, &order);
        found.sort_unstable();
        let is_better = best.as_ref().is_none_or(|best| found.len() < best.parts.len());
        let is_minimal = search.stop.is_none();
        if is_better {
            best = Some(Contradiction { parts: found, is_minimal });
        }
        let is_small = best.as_ref().is_some_and(|best| best.parts.len() <= 2);
        if is_small || search.deadline.reached().is_some() {
            break;
        }
    }
    Ok(best)
}

/// Searches with different orders for a small contradiction.
const ROUNDS: usize = 8;

impl Contradiction {
    /// A sentence such as `the killer cage of 3 at r1c1, r1c2 and the thermometer at r2c1, r1c1,
    /// r1c2 contradict each other`.
    #[must_use]
    pub fn describe(&self, rules: &Rules, givens: &[Option<Digit>]) -> String {
        let names: Vec<String> =
            self.parts.iter().map(|part| format!("the {}", part.describe(rules, givens))).collect();
        match names.as_slice() {
            [] => "no grid has different digits in all rows, columns and regions".to_string(),
            [only] => format!("{only} cannot be satisfied"),
            [first @ .., last] => format!("{} and {last} contradict each other", first.join(", ")),
        }
    }
}

impl Part {
    /// A name such as `killer cage of 3 at r1c1, r1c2` or `given 5 at r1c1`.
    ///
    /// # Panics
    /// If the puzzle has no such part.
    #[must_use]
    pub fn describe(&self, rules: &Rules, givens: &[Option<Digit>]) -> String {
        let order = rules.order();
        match self {
            Part::Constraint(index) => rules.constraints()[*index].describe(order),
            Part::Given(cell) => {
                let digit = givens[cell.index()].expect("the cell has a given");
                format!("given {} at {}", text::symbol(order, digit), order.name_of(*cell))
            }
        }
    }
}

fn parts_of(rules: &Rules, givens: &[Option<Digit>]) -> Vec<Part> {
    let constraints = (0..rules.constraints().len()).map(Part::Constraint);
    let filled = givens.iter().enumerate().filter(|(_, given)| given.is_some());
    constraints.chain(filled.map(|(cell, _)| Part::Given(Cell::new(cell)))).collect()
}

/// The puzzle with only these parts.
fn select(rules: &Rules, givens: &[Option<Digit>], parts: &[Part]) -> (Rules, Vec<Option<Digit>>) {
    let mut has_constraint = vec![false; rules.constraints().len()];
    let mut kept = vec![None; givens.len()];
    for part in parts {
        match part {
            Part::Constraint(index) => has_constraint[*index] = true,
            Part::Given(cell) => kept[cell.index()] = givens[cell.index()],
        }
    }
    (rules.restricted_to(|index| has_constraint[index]), kept)
}

struct Search<'a> {
    rules: &'a Rules,
    givens: &'a [Option<Digit>],
    nodes: Option<u64>,
    deadline: Deadline<'a>,
    /// The limit that ended a proof.
    stop: Option<StopReason>,
}

impl Search<'_> {
    /// Whether these parts are proven to have no solution together.
    fn is_contradictory(&mut self, parts: &[Part]) -> bool {
        let (rules, givens) = select(self.rules, self.givens, parts);
        let found = rules::solve(&rules, &givens, 1, &self.deadline.limits(self.nodes));
        self.stop = found.effort.stop.or(self.stop);
        found.solutions.is_empty() && found.effort.stop.is_none()
    }

    /// The parts of `open` that contradict `given` together, none of which can be left out.
    ///
    /// This is Junker's QuickXplain. It needs about k · log n proofs to find k of n parts. The
    /// parts of `given` and `open` together are known to be contradictory. `is_new` says that
    /// `given` has grown since its last test.
    fn minimal(&mut self, given: &[Part], is_new: bool, open: &[Part]) -> Vec<Part> {
        if is_new && self.is_contradictory(given) {
            return Vec::new();
        }
        if open.len() <= 1 {
            return open.to_vec();
        }
        let (first, second) = open.split_at(open.len() / 2);
        let in_second = self.minimal(&[given, first].concat(), true, second);
        let grown = [given, &in_second].concat();
        let in_first = self.minimal(&grown, !in_second.is_empty(), first);
        [in_first, in_second].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Order;
    use crate::grid::rules::{Constraint, Diagonal};

    fn givens(text: &str) -> Vec<Option<Digit>> {
        text.bytes()
            .map(|sign| Digit::new(sign.wrapping_sub(b'0')).filter(|_| sign != b'.'))
            .collect()
    }

    fn count(rules: &Rules, givens: &[Option<Digit>]) -> usize {
        rules::solve(rules, givens, 2, &Limits::none()).solutions.len()
    }

    #[test]
    fn parts_are_redundant_exactly_if_the_solution_stays_unique_without_them() {
        let rules = Rules::classic(Order::FOUR)
            .with(Constraint::Diagonal(Diagonal::Falling))
            .unwrap()
            .with(Constraint::Cage { cells: vec![Cell::new(0), Cell::new(1)], sum: Some(3) })
            .unwrap();
        let mut random = Random::new(4);
        let grids = rules::solve(&rules, &[None; 16], 1_000, &Limits::none()).solutions;
        let (mut redundant_parts, mut needed_parts) = (0, 0);
        for _ in 0..60 {
            let solution = &grids[random.below(grids.len())];
            let givens: Vec<Option<Digit>> =
                solution.iter().map(|digit| Some(*digit).filter(|_| random.chance(0.35))).collect();
            if count(&rules, &givens) != 1 {
                continue;
            }
            let redundancy = redundant(&rules, &givens, &Limits::none());
            assert_eq!(redundancy.unknown, []);
            for part in parts_of(&rules, &givens) {
                // The remaining constraints are added to new rules here.
                let mut fewer = Rules::classic(Order::FOUR);
                let mut kept = givens.clone();
                for (index, constraint) in rules.constraints().iter().enumerate() {
                    if part != Part::Constraint(index) {
                        fewer.push(constraint.clone()).unwrap();
                    }
                }
                if let Part::Given(cell) = part {
                    kept[cell.index()] = None;
                }
                let is_redundant = count(&fewer, &kept) == 1;
                assert_eq!(redundancy.parts.contains(&part), is_redundant, "{givens:?} {part:?}");
                *(if is_redundant { &mut redundant_parts } else { &mut needed_parts }) += 1;
            }
        }
        assert!(redundant_parts > 20 && needed_parts > 20, "{redundant_parts} {needed_parts}");
    }

    #[test]
    fn contradictions_are_minimal() {
        let mut random = Random::new(9);
        let mut sizes = [0; 8];
        for _ in 0..60 {
            let mut rules = Rules::classic(Order::FOUR);
            for _ in 0..6 {
                let start = random.below(12);
                let cells = vec![Cell::new(start), Cell::new(start + 4)];
                let constraint = if random.chance(0.5) {
                    Constraint::Cage { cells, sum: Some(3 + random.below(5) as u32) }
                } else {
                    Constraint::GreaterThan(cells)
                };
                rules.push(constraint).unwrap();
            }
            let givens: Vec<Option<Digit>> = (0..16)
                .map(|_| random.chance(0.1).then(|| Digit::from_index(random.below(4))))
                .collect();
            let found = contradiction(&rules, &givens, &Limits::none()).unwrap();
            assert_eq!(found.is_none(), count(&rules, &givens) > 0);
            let Some(found) = found else { continue };
            assert!(found.is_minimal);
            sizes[found.parts.len()] += 1;
            let solutions = |parts: &[Part]| {
                let (rules, givens) = select(&rules, &givens, parts);
                count(&rules, &givens)
            };
            assert_eq!(solutions(&found.parts), 0);
            for part in &found.parts {
                let mut fewer = found.parts.clone();
                fewer.retain(|other| other != part);
                assert!(solutions(&fewer) > 0, "{:?} is not minimal", found.parts);
            }
        }
        assert!(sizes[2] > 10 && sizes[3..].iter().sum::<usize>() > 0, "{sizes:?}");
    }

    #[test]
    fn names_equal_givens_in_a_row() {
        let puzzle = givens("1..1............");
        let rules = Rules::classic(Order::FOUR);
        let found = contradiction(&rules, &puzzle, &Limits::none()).unwrap().unwrap();
        assert_eq!(
            found.describe(&rules, &puzzle),
            "the given 1 at r1c1 and the given 1 at r1c4 contradict each other"
        );
    }

    #[test]
    fn names_regions_that_allow_no_grid() {
        // Region a is three cells of row 1 and the cell below the fourth, which would be equal.
        let regions = "aaabccbaccbbdddd".bytes().map(|sign| Some(sign - b'a')).collect();
        let rules = Rules::jigsaw(4, regions).unwrap().with(Constraint::AntiKing).unwrap();
        let found = contradiction(&rules, &[None; 16], &Limits::none()).unwrap().unwrap();
        assert_eq!(found.parts, []);
        assert_eq!(
            found.describe(&rules, &[None; 16]),
            "no grid has different digits in all rows, columns and regions"
        );
    }

    #[test]
    fn a_limit_is_not_a_contradiction() {
        let rules = Rules::classic(Order::NINE);
        let stop = std::sync::atomic::AtomicBool::new(true);
        let limits = Limits::none().with_cancel(&stop);
        assert_eq!(contradiction(&rules, &[None; 81], &limits), Err(StopReason::Cancelled));
    }
}
