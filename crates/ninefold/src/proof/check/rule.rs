//! Checks deductions from the rules of a puzzle: shows that no filling of a rule is left.
//!
//! Each kind of rule has a plain search for a filling, in which every cell has one of its open
//! digits. Sums and lines are searched with sets of partial results (dynamic programming), pairs by
//! removing digits without a partner. Where a search ignores that some digits differ, it finds more
//! fillings than there are, so a rule without any filling is certainly broken.

use super::{Literal, ProofError, World};
use crate::grid::rules::{Line, LineKind, Relation, Rule};
use crate::grid::{Cell, Digit, DigitSet};
use crate::proof::step::{Candidate, Combined, Node, Part};
use std::collections::{BTreeMap, HashSet};

/// The digits that a cell can take under the assumptions of a proof.
type Open<'a> = dyn Fn(Cell) -> DigitSet + 'a;

/// The search for a filling of pairs gives up after so many assumptions and finds that there may
/// be one.
const PAIR_ASSUMPTIONS: usize = 2_000;

/// Larger sets of different digits are split, so that the subsets of digits can be listed.
const MOST_DIFFERENT: usize = 9;

impl World<'_> {
    /// The digit of a filled cell, or the candidates of an empty one.
    pub(super) fn digits_of(&self, cell: Cell) -> DigitSet {
        self.candidates.grid()[cell].map_or_else(|| self.candidates.at(cell), DigitSet::from_digit)
    }

    /// Whether the rule cannot be satisfied if the goal is false.
    pub(super) fn rule_refutes(
        &self,
        combined: &Combined,
        goal: Literal,
    ) -> Result<bool, ProofError> {
        let node = Node::single(goal.candidate);
        self.rule_implies(combined, &node, goal.holds, &|cell| self.digits_of(cell))
    }

    /// Whether the rule cannot be satisfied if the statement is false.
    pub(super) fn rule_implies(
        &self,
        combined: &Combined,
        node: &Node,
        holds: bool,
        open: &Open<'_>,
    ) -> Result<bool, ProofError> {
        if holds {
            let without = |cell: Cell| match node.cells.contains(&cell) {
                true => open(cell).without(node.digit),
                false => open(cell),
            };
            return Ok(!self.can_hold(combined, &without)?);
        }
        for assumed in node.candidates() {
            let with = |cell: Cell| {
                if cell == assumed.cell {
                    return open(cell) & DigitSet::from_digit(assumed.digit);
                }
                let fits = |&digit: &Digit| !self.conflict(Candidate::new(cell, digit), assumed);
                open(cell).filter(fits).collect()
            };
            if self.can_hold(combined, &with)? {
                return Ok(false);
            }
        }
        Ok(!node.cells.is_empty())
    }

    /// The places of a digit that every filling of a rule contains.
    pub(super) fn needs(
        &self,
        combined: &Combined,
        digit: Digit,
    ) -> Result<Vec<Candidate>, ProofError> {
        let without = |cell: Cell| self.digits_of(cell).without(digit);
        if self.can_hold(combined, &without)? {
            return Err(ProofError::FalsePremise("a filling of a rule lacks the digit"));
        }
        let mut cells: Vec<Cell> = self.cells_of(combined)?;
        cells.sort_unstable();
        cells.dedup();
        if cells.iter().any(|&cell| self.candidates.grid()[cell] == Some(digit)) {
            return Err(ProofError::FalsePremise(
                "a cell or a house that the proof uses is already filled",
            ));
        }
        cells.retain(|&cell| self.candidates.at(cell).contains(digit));
        Ok(cells.into_iter().map(|cell| Candidate::new(cell, digit)).collect())
    }

    fn cells_of(&self, combined: &Combined) -> Result<Vec<Cell>, ProofError> {
        match combined.single() {
            Some(index) => Ok(self.rule(index)?.cells()),
            None => Ok(self.equation(combined)?.0.into_iter().map(|(_, cell)| cell).collect()),
        }
    }

    fn rule(&self, index: usize) -> Result<&Rule, ProofError> {
        let rule = self.rules().and_then(|rules| rules.rules().get(index));
        rule.ok_or(ProofError::FalsePremise("the puzzle does not have a rule of the proof"))
    }

    /// Whether the search finds a filling of the rule.
    pub(super) fn can_hold(
        &self,
        combined: &Combined,
        open: &Open<'_>,
    ) -> Result<bool, ProofError> {
        let Some(index) = combined.single() else {
            let (terms, total) = self.equation(combined)?;
            return Ok(self.sum_can_hold(&terms, total, open));
        };
        let rule = self.rule(index)?;
        let at_least_one = rule.cells().iter().all(|&cell| !open(cell).is_empty());
        Ok(at_least_one
            && match rule {
                Rule::Differ(cells) => self.sum_can_hold(&with_factor(0, cells), 0, open),
                Rule::Cage { cells, sum } => {
                    self.sum_can_hold(&with_factor(1, cells), i64::from(*sum), open)
                }
                Rule::Sum { .. } => {
                    let (terms, total) = self.equation(combined)?;
                    self.sum_can_hold(&terms, total, open)
                }
                Rule::Candidates { cell, digits } => !(open(*cell) & *digits).is_empty(),
                Rule::Pairs { pairs, relation } => {
                    let domains = pairs.iter().flat_map(|&(a, b)| [(a, open(a)), (b, open(b))]);
                    pairs_can_hold(
                        pairs,
                        *relation,
                        domains.collect(),
                        &mut PAIR_ASSUMPTIONS.clone(),
                    )
                }
                Rule::Line { cells, kind } => self.line_can_hold(cells, kind, open),
                Rule::Contains { cells, digits } => {
                    let domains: Vec<DigitSet> = cells.iter().map(|&cell| open(cell)).collect();
                    can_contain(&domains, digits)
                }
                Rule::CountingCircles(cells) => {
                    let domains: Vec<DigitSet> = cells.iter().map(|&cell| open(cell)).collect();
                    circles_can_hold(&domains, self.candidates.order().digits())
                }
                Rule::Index { cell, digit, other, value } => open(*cell)
                    .any(|one| open(*other).any(|another| (one == *digit) == (another == *value))),
            })
    }

    /// The sum of all parts: cells with their factors, and the total. A cell that cancels out is
    /// not listed.
    fn equation(&self, combined: &Combined) -> Result<(Vec<(i64, Cell)>, i64), ProofError> {
        let mut factors: BTreeMap<Cell, i64> = BTreeMap::new();
        let mut total = 0;
        for &(part, factor) in &combined.parts {
            let factor = i64::from(factor);
            let (terms, sum) = match part {
                Part::House(house) if self.has_house(house) => {
                    let side = self.candidates.order().side() as i64;
                    (with_factor(1, self.candidates.grid().cells_in(house)), side * (side + 1) / 2)
                }
                Part::House(_) => {
                    return Err(ProofError::FalsePremise("the puzzle does not have a house"));
                }
                Part::Rule(index) => match self.rule(index)? {
                    Rule::Cage { cells, sum } => (with_factor(1, cells), i64::from(*sum)),
                    Rule::Sum { terms, total } => (
                        terms.iter().map(|&(k, cell)| (i64::from(k), cell)).collect(),
                        i64::from(*total),
                    ),
                    _ => return Err(ProofError::FalsePremise("a rule of the proof has no sum")),
                },
            };
            for (own, cell) in terms {
                *factors.entry(cell).or_default() += factor * own;
            }
            total += factor * sum;
        }
        let terms = factors.into_iter().filter(|(_, factor)| *factor != 0);
        Ok((terms.map(|(cell, factor)| (factor, cell)).collect(), total))
    }

    /// Whether open digits have the total. Cells with the same factor that must differ get
    /// different digits.
    fn sum_can_hold(&self, terms: &[(i64, Cell)], total: i64, open: &Open<'_>) -> bool {
        let most = if self.candidates.order().side() > 16 { 1 } else { MOST_DIFFERENT };
        let mut groups: Vec<(i64, Vec<Cell>)> = Vec::new();
        for &(factor, cell) in terms {
            let fits = |(other, cells): &&mut (i64, Vec<Cell>)| {
                *other == factor
                    && cells.len() < most
                    && cells.iter().all(|&member| self.differ(member, cell))
            };
            match groups.iter_mut().find(fits) {
                Some((_, cells)) => cells.push(cell),
                None => groups.push((factor, vec![cell])),
            }
        }
        let mut sums = HashSet::from([0]);
        for (factor, cells) in &groups {
            let mut used: HashSet<DigitSet> = HashSet::from([DigitSet::EMPTY]);
            for &cell in cells {
                used = used
                    .iter()
                    .flat_map(|used| (open(cell) - *used).map(|digit| used.with(digit)))
                    .collect();
            }
            let group_sums: HashSet<i64> = used
                .into_iter()
                .map(|digits| factor * digits.map(|digit| i64::from(digit.number())).sum::<i64>())
                .collect();
            sums =
                sums.iter().flat_map(|sum| group_sums.iter().map(move |own| sum + own)).collect();
        }
        sums.contains(&total)
    }

    /// Whether open digits form an allowed line. If all cells must differ, digits do not repeat.
    fn line_can_hold(&self, cells: &[Cell], kind: &LineKind, open: &Open<'_>) -> bool {
        let side = self.candidates.order().side();
        let line = Line { side: side as u64, length: cells.len() as u64 };
        let different = side <= 16 && self.all_differ(cells);
        let mut states = HashSet::from([(0, DigitSet::EMPTY)]);
        for (position, &cell) in cells.iter().enumerate() {
            let mut next = HashSet::new();
            for (state, used) in states {
                for digit in open(cell) - used {
                    let used = if different { used.with(digit) } else { used };
                    let after = kind.next(line, position, state, u64::from(digit.number()));
                    next.extend(after.map(|after| (after, used)));
                }
            }
            states = next;
        }
        states.into_iter().any(|(state, _)| kind.accepts(state))
    }
}

fn with_factor(factor: i64, cells: &[Cell]) -> Vec<(i64, Cell)> {
    cells.iter().map(|&cell| (factor, cell)).collect()
}

/// Whether every pair can hold: removes digits without a partner, then tries the digits of a cell.
fn pairs_can_hold(
    pairs: &[(Cell, Cell)],
    relation: Relation,
    mut domains: BTreeMap<Cell, DigitSet>,
    assumptions_left: &mut usize,
) -> bool {
    let holds = |a: Digit, b: Digit| relation.holds(a.number(), b.number());
    loop {
        let before = domains.clone();
        for &(a, b) in pairs {
            let (own, other) = (domains[&a], domains[&b]);
            let first: DigitSet = own.filter(|&x| other.into_iter().any(|y| holds(x, y))).collect();
            let second: DigitSet =
                other.filter(|&y| own.into_iter().any(|x| holds(x, y))).collect();
            if first.is_empty() || second.is_empty() {
                return false;
            }
            domains.insert(a, first);
            domains.insert(b, second);
        }
        if domains == before {
            break;
        }
    }
    let open = domains.iter().filter(|(_, digits)| digits.count() > 1);
    let Some((&cell, &digits)) = open.min_by_key(|(_, digits)| digits.count()) else { return true };
    for digit in digits {
        if *assumptions_left == 0 {
            return true;
        }
        *assumptions_left -= 1;
        let mut assumed = domains.clone();
        assumed.insert(cell, DigitSet::from_digit(digit));
        if pairs_can_hold(pairs, relation, assumed, assumptions_left) {
            return true;
        }
    }
    false
}

/// Whether the required digits have different cells.
fn can_contain(domains: &[DigitSet], required: &[Digit]) -> bool {
    let Some((&digit, rest)) = required.split_first() else { return true };
    (0..domains.len()).any(|at| {
        domains[at].contains(digit) && {
            let mut others = domains.to_vec();
            others.remove(at);
            can_contain(&others, rest)
        }
    })
}

/// Whether some set of digits has as many circles as its sum, at least one digit of the set in each
/// circle, and enough circles for each digit, but not too many.
fn circles_can_hold(domains: &[DigitSet], digits: DigitSet) -> bool {
    fn search(domains: &[DigitSet], rest: DigitSet, chosen: DigitSet, left: usize) -> bool {
        let count = |fits: &dyn Fn(DigitSet) -> bool| domains.iter().filter(|d| fits(**d)).count();
        if left == 0 {
            return domains.iter().all(|domain| !(*domain & chosen).is_empty())
                && chosen.into_iter().all(|digit| {
                    let number = usize::from(digit.number());
                    count(&|domain| domain.contains(digit)) >= number
                        && count(&|domain| (domain & chosen).only() == Some(digit)) <= number
                });
        }
        let Some(digit) = rest.first() else { return false };
        let (number, rest) = (usize::from(digit.number()), rest.without(digit));
        number <= left
            && (search(domains, rest, chosen.with(digit), left - number)
                || search(domains, rest, chosen, left))
    }
    search(domains, digits, DigitSet::EMPTY, domains.len())
}
