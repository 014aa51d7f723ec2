//! The checker: verifies the proof of a step from the position alone.
//!
//! It is deliberately slow and simple, and shares only the data type [`Step`] with the finders. It
//! uses the houses and peers of the grid and the candidates of the position; everything else that a
//! step claims is verified.
//!
//! To verify that a candidate is false, the checker assumes that it is true, and vice versa. The
//! proof is valid if the assumption contradicts its premises.

mod rule;
mod tree;

use super::step::{
    Candidate, Chain, Cluster, Count, Deadly, Impossible, Inference, InferenceReason, Node, OneOf,
    Reason, Step, Strong, Truth,
};
use crate::grid::rules::Rules;
use crate::grid::{Candidates, Cell, Digit, DigitSet, Grid, House};
use std::collections::HashSet;

/// The proof of a step is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// The step has no conclusion.
    #[error("the step has no conclusion")]
    NoConclusion,
    /// The conclusion is about a candidate that the position does not have.
    #[error("r{row}c{column} has no candidate {digit}")]
    NoSuchCandidate {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The digit of the conclusion.
        digit: u8,
    },
    /// A premise is false in this position.
    #[error("{0}")]
    FalsePremise(&'static str),
    /// The premises are true, but the conclusion does not follow.
    #[error("it does not follow that r{row}c{column} {relation} {digit}")]
    DoesNotFollow {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The digit of the conclusion.
        digit: u8,
        /// `is` or `is not`.
        relation: &'static str,
    },
}

/// Verifies the proof of a step in the position `candidates`. `givens` is the puzzle; only proofs
/// that assume a unique solution use it.
pub fn check(step: &Step, givens: &Grid, candidates: &Candidates) -> Result<(), ProofError> {
    if step.places.is_empty() && step.removes.is_empty() {
        return Err(ProofError::NoConclusion);
    }
    let conclusions = step
        .places
        .iter()
        .map(|&c| Literal::is(c))
        .chain(step.removes.iter().map(|&c| Literal::is_not(c)));
    let order = candidates.order();
    for literal in conclusions {
        let Candidate { cell, digit } = literal.candidate;
        let (row, column) = (order.row_of(cell) + 1, order.column_of(cell) + 1);
        if !candidates.at(cell).contains(digit) {
            return Err(ProofError::NoSuchCandidate { row, column, digit: digit.number() });
        }
        if !follows(&step.reason, literal, givens, candidates)? {
            let relation = if literal.holds { "is" } else { "is not" };
            return Err(ProofError::DoesNotFollow { row, column, digit: digit.number(), relation });
        }
    }
    Ok(())
}

/// A statement that a candidate is true or false.
#[derive(Clone, Copy)]
struct Literal {
    candidate: Candidate,
    holds: bool,
}

impl Literal {
    fn is(candidate: Candidate) -> Literal {
        Literal { candidate, holds: true }
    }

    fn is_not(candidate: Candidate) -> Literal {
        Literal { candidate, holds: false }
    }
}

fn follows(
    reason: &Reason,
    goal: Literal,
    givens: &Grid,
    candidates: &Candidates,
) -> Result<bool, ProofError> {
    let world = World { candidates, givens };
    Ok(match reason {
        Reason::LastDigit => {
            goal.holds && candidates.at(goal.candidate.cell).only() == Some(goal.candidate.digit)
        }
        Reason::LastPlaceIn(house) => {
            goal.holds && world.places(goal.candidate.digit, *house) == [goal.candidate.cell]
        }
        Reason::Count(count) => world.counts(count, goal)?,
        Reason::Chain(chain) => world.chains(chain, goal)?,
        Reason::Colours(clusters) => world.colours(clusters, goal)?,
        Reason::Cases(of, branches) => world.cases(*of, branches, goal)?,
        Reason::Contradiction(branch) => world.contradicts(branch, goal)?,
        Reason::NoRoomAfter(branch, count) => world.no_room_after(branch, count, goal)?,
        Reason::Tree(tree) => world.tree(tree, goal)?,
        Reason::Rule(combined) => world.rule_refutes(combined, goal)?,
        Reason::Templates(digit, first) => world.templates(*digit, first, goal)?,
        Reason::Together(parts) => {
            for part in parts {
                if follows(part, goal, givens, candidates)? {
                    return Ok(true);
                }
            }
            false
        }
    })
}

struct World<'a> {
    candidates: &'a Candidates,
    givens: &'a Grid,
}

impl World<'_> {
    /// The rules that the puzzle has in addition to the classic ones.
    fn rules(&self) -> Option<&Rules> {
        self.candidates.grid().rules().map(|rules| &**rules)
    }

    /// The places of a digit; none if the puzzle has no such house.
    fn places(&self, digit: Digit, house: House) -> Vec<Cell> {
        if !self.has_house(house) {
            return Vec::new();
        }
        let cells = self.candidates.grid().cells_in(house);
        cells.iter().copied().filter(|&cell| self.candidates.at(cell).contains(digit)).collect()
    }

    fn has_house(&self, house: House) -> bool {
        let side = self.candidates.order().side();
        match house {
            House::Row(number) | House::Column(number) => usize::from(number) < side,
            House::Box(number) => self.candidates.order().has_boxes() && usize::from(number) < side,
            House::Region(_) | House::Extra(_) => {
                self.rules().is_some_and(|rules| rules.links().has_house(house))
            }
        }
    }

    /// Whether two cells contain different digits.
    fn differ(&self, a: Cell, b: Cell) -> bool {
        self.candidates.order().see_each_other(a, b)
            || self.rules().is_some_and(|rules| rules.links().differ(a, b))
    }

    /// Whether the two candidates cannot both be true.
    fn conflict(&self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return a.digit != b.digit;
        }
        let equal = a.digit == b.digit && self.candidates.order().see_each_other(a.cell, b.cell);
        let excludes = |rules: &Rules| rules.links().exclude((a.cell, a.digit), (b.cell, b.digit));
        equal || self.rules().is_some_and(excludes)
    }

    /// Whether the two nodes cannot both be true: each candidate of one excludes each candidate of
    /// the other.
    fn nodes_conflict(&self, a: &Node, b: &Node) -> bool {
        a.candidates().all(|a| b.candidates().all(|b| self.conflict(a, b)))
    }

    fn members(&self, of: OneOf) -> Result<Vec<Candidate>, ProofError> {
        let members: Vec<Candidate> = match of {
            OneOf::Cell(cell) => {
                self.candidates.at(cell).map(|digit| Candidate::new(cell, digit)).collect()
            }
            OneOf::House(house, digit) => self
                .places(digit, house)
                .into_iter()
                .map(|cell| Candidate::new(cell, digit))
                .collect(),
        };
        // A filled cell has no candidates, and a digit that is already placed has no places. That
        // is no contradiction.
        if members.is_empty() {
            return Err(ProofError::FalsePremise(
                "a cell or a house that the proof uses is already filled",
            ));
        }
        Ok(members)
    }

    fn truth(&self, truth: &Truth) -> Result<Vec<Candidate>, ProofError> {
        match truth {
            Truth::OneOf(of) => self.members(*of),
            Truth::Guardians(deadly) => self.guardians(deadly),
            Truth::Escape(impossible) => self.escape(impossible),
            Truth::Needs(combined, digit) => self.needs(combined, *digit),
        }
    }

    /// The candidates that prevent the deadly pattern. Verifies that it is deadly: no cell is
    /// given, each cell has two digits, and in each house a digit of the pattern belongs to exactly
    /// two cells. Then exchanging the two digits in all cells turns one solution into another.
    fn guardians(&self, deadly: &Deadly) -> Result<Vec<Candidate>, ProofError> {
        let order = self.candidates.order();
        if self.rules().is_some() {
            return Err(ProofError::FalsePremise(
                "exchanging digits may break a rule of the puzzle",
            ));
        }
        let mut guardians = Vec::new();
        let mut cells = HashSet::new();
        for &(cell, pair) in &deadly.cells {
            if !cells.insert(cell) || pair.count() != 2 || self.givens[cell].is_some() {
                return Err(ProofError::FalsePremise(
                    "a cell of the deadly pattern is given or does not have two digits",
                ));
            }
            match self.candidates.grid()[cell] {
                Some(digit) if pair.contains(digit) => {}
                Some(_) => {
                    return Err(ProofError::FalsePremise(
                        "a cell of the deadly pattern contains another digit",
                    ));
                }
                None => guardians.extend(
                    (self.candidates.at(cell) - pair).map(|digit| Candidate::new(cell, digit)),
                ),
            }
        }
        for house in order.houses() {
            let pairs =
                deadly.cells.iter().filter(|(cell, _)| order.houses_of(*cell).contains(&house));
            let digits: Vec<Digit> = pairs.flat_map(|(_, pair)| *pair).collect();
            if digits.iter().any(|digit| digits.iter().filter(|other| *other == digit).count() != 2)
            {
                return Err(ProofError::FalsePremise(
                    "the digits of the deadly pattern cannot be exchanged",
                ));
            }
        }
        Ok(guardians)
    }

    /// The other candidates of the cells. Verifies by exhaustive search that the digits alone
    /// cannot fill the cells.
    fn escape(&self, impossible: &Impossible) -> Result<Vec<Candidate>, ProofError> {
        let Impossible { cells, digits } = impossible;
        let empty = cells.iter().all(|&cell| self.candidates.grid()[cell].is_none());
        if !empty || !cells.is_sorted_by(|a, b| a < b) || cells.len() > 16 {
            return Err(ProofError::FalsePremise(
                "the cells of an impossible pattern are filled, not in order or too many",
            ));
        }
        if self.can_be_filled(cells, *digits, &mut Vec::new()) {
            return Err(ProofError::FalsePremise(
                "the cells of an impossible pattern can be filled",
            ));
        }
        let others = |&cell: &Cell| {
            (self.candidates.at(cell) - *digits).map(move |digit| Candidate::new(cell, digit))
        };
        Ok(cells.iter().flat_map(others).collect())
    }

    fn can_be_filled(&self, cells: &[Cell], digits: DigitSet, filled: &mut Vec<Candidate>) -> bool {
        let Some((&cell, rest)) = cells.split_first() else { return true };
        (self.candidates.at(cell) & digits).map(|digit| Candidate::new(cell, digit)).any(
            |candidate| {
                let fits = filled.iter().all(|&other| !self.conflict(other, candidate));
                fits && {
                    filled.push(candidate);
                    let can = self.can_be_filled(rest, digits, filled);
                    filled.pop();
                    can
                }
            },
        )
    }

    /// Assumes the opposite of the goal. Returns whether more truths than covers are left.
    fn counts(&self, count: &Count, goal: Literal) -> Result<bool, ProofError> {
        let Literal { candidate: goal, holds } = goal;
        let dead =
            |other: Candidate| if holds { other == goal } else { self.conflict(other, goal) };
        self.no_room(count, if holds { &[] } else { std::slice::from_ref(&goal) }, &dead)
    }

    /// Whether the branch assumes the opposite of the goal and leaves more truths than covers.
    fn no_room_after(
        &self,
        branch: &[Inference],
        count: &Count,
        goal: Literal,
    ) -> Result<bool, ProofError> {
        let assumed = Inference {
            node: Node::single(goal.candidate),
            holds: true,
            reason: InferenceReason::Assumed,
        };
        if goal.holds || branch.first() != Some(&assumed) {
            return Ok(false);
        }
        let known = self.replay(branch)?;
        let dead =
            |other: Candidate| known.off.contains(&other) || self.conflict(other, goal.candidate);
        self.no_room(count, &[goal.candidate], &dead)
    }

    /// Whether more truths than covers are left, without the `dead` candidates and without the
    /// truths and covers of the `taken` candidates, which are true.
    fn no_room(
        &self,
        count: &Count,
        taken: &[Candidate],
        dead: &dyn Fn(Candidate) -> bool,
    ) -> Result<bool, ProofError> {
        let mut open_truths = 0;
        let mut left: Vec<Candidate> = Vec::new();
        for truth in &count.truths {
            let members = self.truth(truth)?;
            if taken.iter().any(|one| members.contains(one)) {
                continue;
            }
            open_truths += 1;
            for member in members.into_iter().filter(|&member| !dead(member)) {
                if left.contains(&member) {
                    return Ok(false); // It could satisfy two truths at once, so the count proves nothing.
                }
                left.push(member);
            }
        }
        let mut used = 0;
        let mut covered: HashSet<Candidate> = HashSet::new();
        for &cover in &count.covers {
            let members = self.members(cover)?;
            if taken.iter().any(|one| members.contains(one)) {
                continue;
            }
            let before = covered.len();
            covered.extend(members.into_iter().filter(|member| left.contains(member)));
            used += usize::from(covered.len() > before);
        }
        Ok(left.iter().all(|candidate| covered.contains(candidate)) && used < open_truths)
    }

    fn strong(&self, a: &Node, b: &Node, reason: &Strong) -> Result<bool, ProofError> {
        let inside = |candidate: Candidate| {
            a.candidates().chain(b.candidates()).any(|other| other == candidate)
        };
        Ok(match reason {
            Strong::OneOf(of) => self.members(*of)?.into_iter().all(inside),
            Strong::AlmostLockedSet(cells) => {
                let digits = self.almost_locked(cells)?;
                let all_places = |node: &Node| {
                    cells.iter().all(|cell| {
                        !self.candidates.at(*cell).contains(node.digit) || node.cells.contains(cell)
                    })
                };
                a.digit != b.digit
                    && digits.contains(a.digit)
                    && digits.contains(b.digit)
                    && all_places(a)
                    && all_places(b)
            }
        })
    }

    /// The n + 1 digits of an almost locked set: n empty cells of one house.
    fn almost_locked(&self, cells: &[Cell]) -> Result<DigitSet, ProofError> {
        let order = self.candidates.order();
        let in_one_house =
            order.houses().any(|house| cells.iter().all(|&c| order.houses_of(c).contains(&house)))
                || self.rules().is_some() && self.all_differ(cells);
        let distinct: HashSet<Cell> = cells.iter().copied().collect();
        let digits =
            cells.iter().fold(DigitSet::EMPTY, |digits, &cell| digits | self.candidates.at(cell));
        let empty = cells.iter().all(|&cell| self.candidates.grid()[cell].is_none());
        if !in_one_house
            || distinct.len() != cells.len()
            || !empty
            || digits.count() != cells.len() + 1
        {
            return Err(ProofError::FalsePremise("a set of cells is not almost locked"));
        }
        Ok(digits)
    }

    fn chains(&self, chain: &Chain, goal: Literal) -> Result<bool, ProofError> {
        let nodes = &chain.nodes;
        if nodes.len() < 2
            || nodes.len() != 2 * chain.strong.len()
            || nodes.iter().any(|n| n.cells.is_empty())
        {
            return Err(ProofError::FalsePremise(
                "the chain does not have two nodes for each strong link",
            ));
        }
        for (pair, reason) in nodes.chunks(2).zip(&chain.strong) {
            if !self.strong(&pair[0], &pair[1], reason)? {
                return Err(ProofError::FalsePremise("a strong link of the chain is invalid"));
            }
        }
        for pair in nodes[1..nodes.len() - 1].chunks(2) {
            if !self.nodes_conflict(&pair[0], &pair[1]) {
                return Err(ProofError::FalsePremise("a weak link of the chain is invalid"));
            }
        }
        let (first, last) = (&nodes[0], &nodes[nodes.len() - 1]);
        if goal.holds {
            return Ok(*first == Node::single(goal.candidate) && first == last);
        }
        let excludes_goal =
            |node: &Node| node.candidates().all(|member| self.conflict(member, goal.candidate));
        if excludes_goal(first) && excludes_goal(last) {
            return Ok(true);
        }
        if !chain.closed {
            return Ok(false);
        }
        if !self.nodes_conflict(first, last) {
            return Err(ProofError::FalsePremise("the chain is not closed"));
        }
        // In a closed chain, exactly one node of each weak link is true.
        if nodes[1..nodes.len() - 1]
            .chunks(2)
            .any(|pair| excludes_goal(&pair[0]) && excludes_goal(&pair[1]))
        {
            return Ok(true);
        }
        // And every almost locked set loses one of the two digits that link it, so it contains all
        // its other digits.
        Ok(nodes.chunks(2).zip(&chain.strong).any(|(pair, reason)| {
            let Strong::AlmostLockedSet(cells) = reason else { return false };
            let digit = goal.candidate.digit;
            let in_set = |cell: &&Cell| self.candidates.at(**cell).contains(digit);
            digit != pair[0].digit
                && digit != pair[1].digit
                && !cells.contains(&goal.candidate.cell)
                && cells.iter().any(|cell| in_set(&cell))
                && cells
                    .iter()
                    .filter(in_set)
                    .all(|&c| self.conflict(Candidate::new(c, digit), goal.candidate))
        }))
    }

    /// Tries all choices of the true colour of each cluster. The goal must hold for each choice
    /// without a conflict.
    fn colours(&self, clusters: &[Cluster], goal: Literal) -> Result<bool, ProofError> {
        for cluster in clusters {
            self.check_cluster(cluster)?;
        }
        if clusters.len() > 16 {
            return Err(ProofError::FalsePremise("there are too many clusters to try all colours"));
        }
        Ok((0..1u32 << clusters.len()).all(|choice| {
            let mut on = Vec::new();
            let mut off = Vec::new();
            for (index, cluster) in clusters.iter().enumerate() {
                let green = choice >> index & 1 == 0;
                on.extend_from_slice(if green { &cluster.green } else { &cluster.blue });
                off.extend_from_slice(if green { &cluster.blue } else { &cluster.green });
            }
            let known_false =
                |c: Candidate| off.contains(&c) || on.iter().any(|&other| self.conflict(other, c));
            let shown =
                if goal.holds { on.contains(&goal.candidate) } else { known_false(goal.candidate) };
            let order = self.candidates.order();
            shown
                || on.iter().any(|&a| on.iter().any(|&b| self.conflict(a, b)))
                || order.cells().any(|cell| {
                    let digits = self.candidates.at(cell);
                    !digits.is_empty()
                        && digits.map(|digit| Candidate::new(cell, digit)).all(known_false)
                })
                || self.candidates.grid().houses().any(|house| {
                    order.digits().any(|digit| {
                        let places = self.places(digit, house);
                        !places.is_empty()
                            && places.iter().all(|&cell| known_false(Candidate::new(cell, digit)))
                    })
                })
        }))
    }

    fn check_cluster(&self, cluster: &Cluster) -> Result<(), ProofError> {
        let error = Err(ProofError::FalsePremise("the colours of a cluster are inconsistent"));
        let Some(&(start, _, _)) = cluster.links.first() else { return error };
        let mut reached = vec![start];
        for &(a, b, of) in &cluster.links {
            let members = self.members(of)?;
            let is_pair =
                members.len() == 2 && members.contains(&a) && members.contains(&b) && a != b;
            let colours_differ = cluster.green.contains(&a) == cluster.blue.contains(&b);
            if !is_pair || !colours_differ || !reached.contains(&a) {
                return error;
            }
            reached.push(b);
        }
        let coloured = || cluster.green.iter().chain(&cluster.blue);
        let once = coloured()
            .all(|c| cluster.green.contains(c) != cluster.blue.contains(c) && reached.contains(c));
        let all = reached.iter().all(|c| coloured().any(|other| other == c));
        if once && all { Ok(()) } else { error }
    }

    /// Whether each case implies the goal.
    fn cases(
        &self,
        of: OneOf,
        branches: &[Vec<Inference>],
        goal: Literal,
    ) -> Result<bool, ProofError> {
        for member in self.members(of)? {
            let starts_here = |branch: &&Vec<Inference>| {
                branch
                    .first()
                    .is_some_and(|first| first.holds && first.node == Node::single(member))
            };
            let Some(branch) = branches.iter().find(starts_here) else {
                return Err(ProofError::FalsePremise("one of the cases is missing"));
            };
            let known = self.replay(branch)?;
            if !(known.gives(self, goal) || known.is_contradictory(self)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the branch assumes the opposite of the goal and leads to a contradiction.
    fn contradicts(&self, branch: &[Inference], goal: Literal) -> Result<bool, ProofError> {
        let Some(first) = branch.first() else { return Ok(false) };
        let known = self.replay(branch)?;
        let opposite = first.node == Node::single(goal.candidate) && first.holds != goal.holds;
        Ok(opposite && (known.is_contradictory(self) || known.gives(self, goal)))
    }

    fn replay(&self, branch: &[Inference]) -> Result<Known, ProofError> {
        let mut known = Known::default();
        for (index, inference) in branch.iter().enumerate() {
            let node = &inference.node;
            let good = match &inference.reason {
                InferenceReason::Assumed => index == 0 && node.cells.len() == 1,
                InferenceReason::Seen => {
                    !inference.holds
                        && known.on.iter().any(|other| self.nodes_conflict(other, node))
                }
                InferenceReason::LastIn(of) => {
                    let members = self.members(*of)?;
                    let left = |c: &Candidate| !known.off.contains(c);
                    inference.holds
                        && members
                            .into_iter()
                            .filter(left)
                            .all(|c| node.candidates().any(|n| n == c))
                }
                InferenceReason::LockedIn(cells) => {
                    inference.holds && self.locked(cells, node, &known)?
                }
                InferenceReason::Rule(combined) => {
                    let open = |cell: Cell| {
                        let is_open =
                            |&digit: &Digit| known.is_open(self, Candidate::new(cell, digit));
                        self.digits_of(cell).filter(is_open).collect()
                    };
                    self.rule_implies(combined, node, inference.holds, &open)?
                }
            };
            if !good {
                return Err(ProofError::FalsePremise(
                    "an inference does not follow from the earlier ones",
                ));
            }
            if inference.holds {
                known.on.push(node.clone());
            } else {
                known.off.extend(node.candidates());
            }
        }
        Ok(known)
    }

    /// Whether the n cells have only n digits left, so that one cell of the node contains its
    /// digit.
    fn locked(&self, cells: &[Cell], node: &Node, known: &Known) -> Result<bool, ProofError> {
        self.almost_locked(cells)?;
        let left = |cell: Cell| {
            let open = |digit: &Digit| !known.off.contains(&Candidate::new(cell, *digit));
            self.candidates.at(cell).filter(open).collect::<DigitSet>()
        };
        let digits = cells.iter().fold(DigitSet::EMPTY, |digits, &cell| digits | left(cell));
        Ok(digits.count() <= cells.len()
            && digits.contains(node.digit)
            && cells
                .iter()
                .all(|&cell| !left(cell).contains(node.digit) || node.cells.contains(&cell)))
    }

    fn all_differ(&self, cells: &[Cell]) -> bool {
        let mut rest = cells;
        while let Some((&first, others)) = rest.split_first() {
            if !others.iter().all(|&other| self.differ(first, other)) {
                return false;
            }
            rest = others;
        }
        true
    }

    /// Verifies the listed candidates, one after the other, and then the goal.
    fn templates(
        &self,
        digit: Digit,
        first: &[Candidate],
        goal: Literal,
    ) -> Result<bool, ProofError> {
        for (index, &candidate) in first.iter().enumerate() {
            if !self.in_all_templates(candidate.digit, &first[..index], Literal::is(candidate)) {
                return Err(ProofError::FalsePremise(
                    "a candidate that the templates use is not in all earlier templates",
                ));
            }
        }
        let shown = goal.holds && first.contains(&goal.candidate);
        Ok(shown || goal.candidate.digit == digit && self.in_all_templates(digit, first, goal))
    }

    /// Whether the goal holds in all templates: ways to place the digit in every row that lacks it,
    /// without the cells of the known candidates of other digits.
    fn in_all_templates(&self, digit: Digit, known: &[Candidate], goal: Literal) -> bool {
        let order = self.candidates.order();
        let free =
            |cell: &Cell| known.iter().all(|other| other.cell != *cell || other.digit == digit);
        let rows: Vec<Vec<Cell>> = (0..order.side())
            .map(|row| House::Row(row as u8))
            .filter(|&house| self.candidates.digits_missing_in(house).contains(digit))
            .map(|house| self.places(digit, house).into_iter().filter(free).collect())
            .collect();
        !self.some_template(&rows, &mut Vec::new(), Literal { holds: !goal.holds, ..goal })
    }

    /// Whether there is a template in which the literal is true.
    fn some_template(&self, rows: &[Vec<Cell>], chosen: &mut Vec<Cell>, literal: Literal) -> bool {
        let Some((row, rest)) = rows.split_first() else {
            return chosen.contains(&literal.candidate.cell) == literal.holds;
        };
        let order = self.candidates.order();
        row.iter().any(|&cell| {
            let fits = chosen.iter().all(|&other| !order.see_each_other(cell, other));
            fits && {
                chosen.push(cell);
                let found = self.some_template(rest, chosen, literal);
                chosen.pop();
                found
            }
        })
    }
}

/// The statements of a branch.
#[derive(Default)]
struct Known {
    on: Vec<Node>,
    off: HashSet<Candidate>,
}

impl Known {
    /// Whether a candidate can still be true.
    fn is_open(&self, world: &World<'_>, candidate: Candidate) -> bool {
        let excludes =
            |node: &Node| node.candidates().all(|member| world.conflict(member, candidate));
        !self.off.contains(&candidate) && !self.on.iter().any(excludes)
    }

    fn gives(&self, world: &World<'_>, goal: Literal) -> bool {
        if goal.holds {
            return self.on.contains(&Node::single(goal.candidate));
        }
        let goal_node = Node::single(goal.candidate);
        self.off.contains(&goal.candidate)
            || self.on.iter().any(|node| world.nodes_conflict(node, &goal_node))
    }

    fn is_contradictory(&self, world: &World<'_>) -> bool {
        let order = world.candidates.order();
        let is_off = |c: Candidate| self.off.contains(&c);
        self.on.iter().any(|node| {
            node.candidates().all(is_off)
                || self.on.iter().any(|other| world.nodes_conflict(node, other))
        }) || order.cells().any(|cell| {
            let digits = world.candidates.at(cell);
            !digits.is_empty() && digits.map(|digit| Candidate::new(cell, digit)).all(is_off)
        }) || world.candidates.grid().houses().any(|house| {
            order.digits().any(|digit| {
                let places = world.places(digit, house);
                !places.is_empty() && places.iter().all(|&cell| is_off(Candidate::new(cell, digit)))
            })
        })
    }
}
