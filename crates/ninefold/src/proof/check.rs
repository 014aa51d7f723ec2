//! The checker: replays the proof of a step from its premises.
//!
//! It is slow and plain on purpose and shares nothing with the finders but the words of [`Step`]. It asks the grid for
//! houses and peers, and the candidates for what is left; whatever a step claims beyond that, it must show.
//!
//! To prove that a candidate is false, assume it is true; to prove that it is true, assume it is false. The proof is
//! good if the assumption breaks what the step rests on. `World` is the position under one such assumption.

mod tree;

use super::step::{
    Because, Candidate, Chain, Cluster, Count, Deadly, Impossible, Inference, Node, OneOf, Step,
    Strong, Truth, Why,
};
use crate::grid::{Candidates, Cell, Digit, DigitSet, Grid, House};
use std::collections::HashSet;

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The step concludes nothing.
    #[error("the step concludes nothing")]
    NoConclusion,
    /// The conclusion is about a candidate that is not there.
    #[error("r{row}c{column} has no candidate {digit}")]
    NoSuchCandidate {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The digit.
        digit: u8,
    },
    /// A premise does not hold in this position.
    #[error("{0}")]
    FalsePremise(&'static str),
    /// The premises hold, but the conclusion does not follow.
    #[error("it does not follow that r{row}c{column} {relation} {digit}")]
    DoesNotFollow {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The digit.
        digit: u8,
        /// `is` or `is not`.
        relation: &'static str,
    },
}

/// Replays the proof. `givens` is the puzzle as it was set; only proofs that rest on uniqueness look at it.
pub fn check(step: &Step, givens: &Grid, candidates: &Candidates) -> Result<(), Flaw> {
    if step.places.is_empty() && step.removes.is_empty() {
        return Err(Flaw::NoConclusion);
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
            return Err(Flaw::NoSuchCandidate { row, column, digit: digit.number() });
        }
        if !follows(&step.because, literal, givens, candidates)? {
            let relation = if literal.holds { "is" } else { "is not" };
            return Err(Flaw::DoesNotFollow { row, column, digit: digit.number(), relation });
        }
    }
    Ok(())
}

/// "This candidate is true" or "this candidate is false".
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
    because: &Because,
    goal: Literal,
    givens: &Grid,
    candidates: &Candidates,
) -> Result<bool, Flaw> {
    let world = World { candidates, givens };
    Ok(match because {
        Because::LastDigit => {
            goal.holds && candidates.at(goal.candidate.cell).only() == Some(goal.candidate.digit)
        }
        Because::LastPlaceIn(house) => {
            goal.holds && world.places(goal.candidate.digit, *house) == [goal.candidate.cell]
        }
        Because::Count(count) => world.counts(count, goal)?,
        Because::Chain(chain) => world.chains(chain, goal)?,
        Because::Colours(clusters) => world.colours(clusters, goal)?,
        Because::Cases(of, branches) => world.cases(*of, branches, goal)?,
        Because::Contradiction(branch) => world.contradicts(branch, goal)?,
        Because::NoRoomAfter(branch, count) => world.no_room_after(branch, count, goal)?,
        Because::Tree(tree) => world.tree(tree, goal)?,
        Because::Templates(digit, first) => world.templates(*digit, first, goal)?,
        Because::Together(parts) => {
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
    fn places(&self, digit: Digit, house: House) -> Vec<Cell> {
        let order = self.candidates.order();
        order
            .cells_in(house)
            .iter()
            .copied()
            .filter(|&cell| self.candidates.at(cell).contains(digit))
            .collect()
    }

    /// Can the two not both be true?
    fn conflict(&self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return a.digit != b.digit;
        }
        a.digit == b.digit && self.candidates.order().see_each_other(a.cell, b.cell)
    }

    /// Can the two nodes not both be true? Each candidate of one must rule out each candidate of the other.
    fn nodes_conflict(&self, a: &Node, b: &Node) -> bool {
        a.candidates().all(|a| b.candidates().all(|b| self.conflict(a, b)))
    }

    fn members(&self, of: OneOf) -> Result<Vec<Candidate>, Flaw> {
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
        // A filled cell and a house that holds the digit already have no candidates, but that is not a contradiction.
        if members.is_empty() {
            return Err(Flaw::FalsePremise(
                "a cell or a house that the proof uses is already filled",
            ));
        }
        Ok(members)
    }

    fn truth(&self, truth: &Truth) -> Result<Vec<Candidate>, Flaw> {
        match truth {
            Truth::OneOf(of) => self.members(*of),
            Truth::Guardians(deadly) => self.guardians(deadly),
            Truth::Escape(impossible) => self.escape(impossible),
        }
    }

    /// The candidates that keep the deadly pattern away, after checking that it is deadly: no cell is given, each has
    /// two digits, and in each house a digit of the pattern belongs to exactly two of its cells. Then exchanging the
    /// two digits in all cells turns one solution into another.
    fn guardians(&self, deadly: &Deadly) -> Result<Vec<Candidate>, Flaw> {
        let order = self.candidates.order();
        let mut guardians = Vec::new();
        let mut cells = HashSet::new();
        for &(cell, pair) in &deadly.cells {
            if !cells.insert(cell) || pair.count() != 2 || self.givens[cell].is_some() {
                return Err(Flaw::FalsePremise(
                    "a cell of the deadly pattern is given or has not two digits",
                ));
            }
            match self.candidates.grid()[cell] {
                Some(digit) if pair.contains(digit) => {}
                Some(_) => {
                    return Err(Flaw::FalsePremise(
                        "a cell of the deadly pattern holds another digit",
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
                return Err(Flaw::FalsePremise(
                    "the digits of the deadly pattern cannot be exchanged",
                ));
            }
        }
        Ok(guardians)
    }

    /// The other candidates of the cells, after trying all ways to fill them with the digits alone.
    fn escape(&self, impossible: &Impossible) -> Result<Vec<Candidate>, Flaw> {
        let Impossible { cells, digits } = impossible;
        let empty = cells.iter().all(|&cell| self.candidates.grid()[cell].is_none());
        if !empty || !cells.is_sorted_by(|a, b| a < b) || cells.len() > 16 {
            return Err(Flaw::FalsePremise(
                "the cells of an impossible pattern are filled, not in order or too many",
            ));
        }
        if self.can_be_filled(cells, *digits, &mut Vec::new()) {
            return Err(Flaw::FalsePremise("the pattern is not impossible"));
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

    /// Assume the opposite of the goal: are there more truths left than covers to hold them?
    fn counts(&self, count: &Count, goal: Literal) -> Result<bool, Flaw> {
        let Literal { candidate: goal, holds } = goal;
        let dead =
            |other: Candidate| if holds { other == goal } else { self.conflict(other, goal) };
        self.no_room(count, if holds { &[] } else { std::slice::from_ref(&goal) }, &dead)
    }

    /// The branch must assume the opposite of the goal; with what it makes false, is there too little room?
    fn no_room_after(
        &self,
        branch: &[Inference],
        count: &Count,
        goal: Literal,
    ) -> Result<bool, Flaw> {
        let assumed =
            Inference { node: Node::single(goal.candidate), holds: true, why: Why::Assumed };
        if goal.holds || branch.first() != Some(&assumed) {
            return Ok(false);
        }
        let known = self.replay(branch)?;
        let dead =
            |other: Candidate| known.off.contains(&other) || self.conflict(other, goal.candidate);
        self.no_room(count, &[goal.candidate], &dead)
    }

    /// Are there more truths left than covers to hold them, once the dead candidates are gone and those that are true
    /// have taken their place?
    fn no_room(
        &self,
        count: &Count,
        taken: &[Candidate],
        dead: &dyn Fn(Candidate) -> bool,
    ) -> Result<bool, Flaw> {
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
                    return Ok(false); // It could serve two truths at once, so the count proves nothing.
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

    fn strong(&self, a: &Node, b: &Node, reason: &Strong) -> Result<bool, Flaw> {
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

    /// The n + 1 digits of n empty cells of one house.
    fn almost_locked(&self, cells: &[Cell]) -> Result<DigitSet, Flaw> {
        let order = self.candidates.order();
        let in_one_house =
            order.houses().any(|house| cells.iter().all(|&c| order.houses_of(c).contains(&house)));
        let distinct: HashSet<Cell> = cells.iter().copied().collect();
        let digits =
            cells.iter().fold(DigitSet::EMPTY, |digits, &cell| digits | self.candidates.at(cell));
        let empty = cells.iter().all(|&cell| self.candidates.grid()[cell].is_none());
        if !in_one_house
            || distinct.len() != cells.len()
            || !empty
            || digits.count() != cells.len() + 1
        {
            return Err(Flaw::FalsePremise("a set of cells is not almost locked"));
        }
        Ok(digits)
    }

    fn chains(&self, chain: &Chain, goal: Literal) -> Result<bool, Flaw> {
        let nodes = &chain.nodes;
        if nodes.len() < 2
            || nodes.len() != 2 * chain.strong.len()
            || nodes.iter().any(|n| n.cells.is_empty())
        {
            return Err(Flaw::FalsePremise("the chain has not two nodes for each strong link"));
        }
        for (pair, reason) in nodes.chunks(2).zip(&chain.strong) {
            if !self.strong(&pair[0], &pair[1], reason)? {
                return Err(Flaw::FalsePremise("a strong link of the chain does not hold"));
            }
        }
        for pair in nodes[1..nodes.len() - 1].chunks(2) {
            if !self.nodes_conflict(&pair[0], &pair[1]) {
                return Err(Flaw::FalsePremise("a weak link of the chain does not hold"));
            }
        }
        let (first, last) = (&nodes[0], &nodes[nodes.len() - 1]);
        if goal.holds {
            return Ok(*first == Node::single(goal.candidate) && first == last);
        }
        let rules_out =
            |node: &Node| node.candidates().all(|member| self.conflict(member, goal.candidate));
        if rules_out(first) && rules_out(last) {
            return Ok(true);
        }
        if !chain.closed {
            return Ok(false);
        }
        if !self.nodes_conflict(first, last) {
            return Err(Flaw::FalsePremise("the chain does not close"));
        }
        // In a closed chain every weak link joins two nodes of which exactly one is true.
        if nodes[1..nodes.len() - 1]
            .chunks(2)
            .any(|pair| rules_out(&pair[0]) && rules_out(&pair[1]))
        {
            return Ok(true);
        }
        // And every almost locked set loses one of the two digits it is linked by, so all its other digits stay in it.
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

    /// Tries all ways to choose the true colour of each cluster; in those without a conflict the goal must hold.
    fn colours(&self, clusters: &[Cluster], goal: Literal) -> Result<bool, Flaw> {
        for cluster in clusters {
            self.check_cluster(cluster)?;
        }
        if clusters.len() > 16 {
            return Err(Flaw::FalsePremise("too many clusters to try all colours"));
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
                || order.houses().any(|house| {
                    order.digits().any(|digit| {
                        let places = self.places(digit, house);
                        !places.is_empty()
                            && places.iter().all(|&cell| known_false(Candidate::new(cell, digit)))
                    })
                })
        }))
    }

    fn check_cluster(&self, cluster: &Cluster) -> Result<(), Flaw> {
        let flaw = Err(Flaw::FalsePremise("the colours of a cluster do not hold together"));
        let Some(&(start, _, _)) = cluster.links.first() else { return flaw };
        let mut reached = vec![start];
        for &(a, b, of) in &cluster.links {
            let members = self.members(of)?;
            let is_pair =
                members.len() == 2 && members.contains(&a) && members.contains(&b) && a != b;
            let colours_differ = cluster.green.contains(&a) == cluster.blue.contains(&b);
            if !is_pair || !colours_differ || !reached.contains(&a) {
                return flaw;
            }
            reached.push(b);
        }
        let coloured = || cluster.green.iter().chain(&cluster.blue);
        let once = coloured()
            .all(|c| cluster.green.contains(c) != cluster.blue.contains(c) && reached.contains(c));
        let all = reached.iter().all(|c| coloured().any(|other| other == c));
        if once && all { Ok(()) } else { flaw }
    }

    /// Each case must give the goal.
    fn cases(&self, of: OneOf, branches: &[Vec<Inference>], goal: Literal) -> Result<bool, Flaw> {
        for member in self.members(of)? {
            let starts_here = |branch: &&Vec<Inference>| {
                branch
                    .first()
                    .is_some_and(|first| first.holds && first.node == Node::single(member))
            };
            let Some(branch) = branches.iter().find(starts_here) else {
                return Err(Flaw::FalsePremise("one of the cases is missing"));
            };
            let known = self.replay(branch)?;
            if !(known.gives(self, goal) || known.is_contradictory(self)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The branch must assume the opposite of the goal and end in a contradiction.
    fn contradicts(&self, branch: &[Inference], goal: Literal) -> Result<bool, Flaw> {
        let Some(first) = branch.first() else { return Ok(false) };
        let known = self.replay(branch)?;
        let opposite = first.node == Node::single(goal.candidate) && first.holds != goal.holds;
        Ok(opposite && (known.is_contradictory(self) || known.gives(self, goal)))
    }

    fn replay(&self, branch: &[Inference]) -> Result<Known, Flaw> {
        let mut known = Known::default();
        for (index, inference) in branch.iter().enumerate() {
            let node = &inference.node;
            let good = match &inference.why {
                Why::Assumed => index == 0 && node.cells.len() == 1,
                Why::Seen => {
                    !inference.holds
                        && known.on.iter().any(|other| self.nodes_conflict(other, node))
                }
                Why::LastIn(of) => {
                    let members = self.members(*of)?;
                    let left = |c: &Candidate| !known.off.contains(c);
                    inference.holds
                        && members
                            .into_iter()
                            .filter(left)
                            .all(|c| node.candidates().any(|n| n == c))
                }
                Why::LockedIn(cells) => inference.holds && self.locked(cells, node, &known)?,
            };
            if !good {
                return Err(Flaw::FalsePremise(
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

    /// Do the n cells have only n digits left, so that the node's digit must be in one of its cells?
    fn locked(&self, cells: &[Cell], node: &Node, known: &Known) -> Result<bool, Flaw> {
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

    /// Shows the candidates listed, one after the other, and then the goal.
    fn templates(&self, digit: Digit, first: &[Candidate], goal: Literal) -> Result<bool, Flaw> {
        for (index, &candidate) in first.iter().enumerate() {
            if !self.in_all_templates(candidate.digit, &first[..index], Literal::is(candidate)) {
                return Err(Flaw::FalsePremise(
                    "a cell that the templates rest on is not in all of them",
                ));
            }
        }
        let shown = goal.holds && first.contains(&goal.candidate);
        Ok(shown || goal.candidate.digit == digit && self.in_all_templates(digit, first, goal))
    }

    /// Does the goal hold in all ways to place the digit in every row that lacks it, off the cells of other digits?
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

    /// Is there a template in which the literal holds?
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

/// What a branch has shown.
#[derive(Default)]
struct Known {
    on: Vec<Node>,
    off: HashSet<Candidate>,
}

impl Known {
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
        }) || order.houses().any(|house| {
            order.digits().any(|digit| {
                let places = world.places(digit, house);
                !places.is_empty() && places.iter().all(|&cell| is_off(Candidate::new(cell, digit)))
            })
        })
    }
}
