//! Cases and contradictions in words: each branch is a story that ends in the very cell or house that decides it.

use super::facts::{cells_of, digits_of, targets_of};
use super::language::Kind;
use super::language::Value::{C, D, H, K, N, T};
use super::story::{Clause, Link};
use super::{Detail, Teller};
use crate::grid::{Cell, Digit, House};
use crate::proof::{Candidate, Count, Inference, Node, OneOf, Step, Strong, Technique, Why};

/// Where a branch ends: a cell without a digit, a digit without a place in a house, or two things that exclude each
/// other.
enum BranchEnd {
    Cell(Cell),
    House(House, Digit),
    Clash(Candidate, Candidate),
}

/// Up to so many places it is said why each is gone.
const MOST_REASONS: usize = 3;

impl Teller<'_> {
    /// All digits of a cell, or all places of a digit in a house, lead to the same.
    pub(super) fn cases(
        &self,
        step: &Step,
        parts: &[(OneOf, &[Vec<Inference>])],
        detail: Detail,
    ) -> String {
        let (of, branches) = parts[0];
        let stem = match of {
            OneOf::Cell(cell) => ("cell", C(cell)),
            OneOf::House(house, _) => ("house", H(house)),
        };
        let digit = match of {
            OneOf::Cell(_) => step.removes[0].digit,
            OneOf::House(_, digit) => digit,
        };
        let slots =
            [("name", T(self.short_name(step))), stem, ("d", D(digit)), ("n", N(branches.len()))];
        let key = match (step.technique, of) {
            (Technique::DeathBlossom, _) => "blossom",
            (Technique::AlignedPairExclusion, _) => "aligned",
            (_, OneOf::Cell(_)) => "cases.cell",
            (_, OneOf::House(..)) => "cases.house",
        };
        match detail {
            Detail::Hint => self.say(&format!("{key}.hint"), &slots),
            Detail::Technique => self.say(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                let told = parts.iter().map(|&(of, branches)| self.told_cases(step, of, branches));
                told.collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn told_cases(&self, step: &Step, of: OneOf, branches: &[Vec<Inference>]) -> String {
        let follows = |goal: &Candidate| branches.iter().all(|branch| self.gives(branch, *goal));
        let removes: Vec<Candidate> = step.removes.iter().copied().filter(follows).collect();
        let result = self.removed(&removes);
        let result = T(result.trim_end_matches('.').to_string());
        let first = match of {
            OneOf::Cell(cell) => {
                self.say("cases.whatever", &[("result", result), ("cell", C(cell))])
            }
            OneOf::House(house, digit) => self
                .say("cases.wherever", &[("result", result), ("d", D(digit)), ("house", H(house))]),
        };
        let mut lines = vec![first];
        let is_blossom = step.technique == Technique::DeathBlossom;
        lines.extend(branches.iter().map(|branch| self.case(branch, &removes, is_blossom)));
        if is_blossom {
            let slots = [("targets", self.cells(&cells_of(&removes))), ("d", D(removes[0].digit))];
            lines.push(self.say("blossom.end", &slots));
        }
        lines.join("\n")
    }

    /// Does the last thing that a branch shows rule the goal out?
    fn gives(&self, branch: &[Inference], goal: Candidate) -> bool {
        branch.iter().any(|one| one.holds && self.rules_out(&one.node, goal))
    }

    /// One case on a line of its own; a blossom says at its end what all cases have in common.
    fn case(&self, branch: &[Inference], removes: &[Candidate], is_blossom: bool) -> String {
        let start = &branch[0].node;
        let targets = cells_of(removes);
        let slots =
            [("cell", C(start.cells[0])), ("d", D(start.digit)), ("targets", self.cells(&targets))];
        let last = branch.iter().rev().find(|one| one.holds).map_or(start, |one| &one.node);
        let own = targets.len() == 1 && last.digit != removes[0].digit && last.cells == targets;
        let reasons = strong_reasons(branch);
        let Some(links) = linear(branch, &reasons) else { return self.net_case(branch, &slots) };
        if links.is_empty() {
            let key = if own { "case.own" } else { "case.sees" };
            let mut slots = slots.to_vec();
            slots.push(("x", D(removes[0].digit)));
            return self.say(key, &slots);
        }
        let told = self.compose(
            "case.if",
            &slots,
            &self.parts(Some(start), &links, own.then(|| targets[0])),
        );
        if own || is_blossom {
            return told.closed();
        }
        let sees = self.sees(&targets, last.cells.len());
        self.say("chain.sees", &[("story", T(told.open())), ("sees", T(sees))])
    }

    /// A case with several premises at once.
    fn net_case(&self, branch: &[Inference], slots: &[(&str, super::language::Value)]) -> String {
        let levels = self.levels(branch);
        let mut said = self.level_sentences(&levels);
        if let Some(first) = levels.first() {
            let mut slots = slots.to_vec();
            slots.push(("clause", T(self.joined(first))));
            said[0] = format!("{}.", self.say("case.if", &slots));
        }
        said.join(" ")
    }

    /// One candidate leads to a contradiction.
    pub(super) fn contradiction(
        &self,
        step: &Step,
        branch: &[Inference],
        detail: Detail,
    ) -> String {
        let assumed = &branch[0].node;
        let cell = assumed.cells[0];
        let count = self.candidates.at(cell).count();
        match detail {
            Detail::Hint => self.say("try.hint", &[("cell", C(cell)), ("n", N(count))]),
            Detail::Technique => {
                let (name, place) = (("name", T(self.short_name(step))), ("cell", C(cell)));
                match self.branch_end(branch) {
                    Some(BranchEnd::House(house, _)) => {
                        self.say("net.pattern.house", &[name, place, ("house", H(house))])
                    }
                    Some(BranchEnd::Cell(empty)) => {
                        self.say("net.pattern.cell", &[name, place, ("empty", C(empty))])
                    }
                    _ => self.say("net.pattern", &[name, place]),
                }
            }
            Detail::Full => {
                let end = self
                    .branch_end(branch)
                    .map(|end| self.told_end(branch, &end))
                    .unwrap_or_default();
                self.refuted(step, branch, &end)
            }
        }
    }

    pub(super) fn kraken(
        &self,
        step: &Step,
        branch: &[Inference],
        count: &Count,
        detail: Detail,
    ) -> String {
        let assumed = branch[0].node.candidates().next().expect("an assumption is about a cell");
        match detail {
            Detail::Hint => self.kraken_clue(step, count, "kraken.hint"),
            Detail::Technique => self.kraken_clue(step, count, "kraken.pattern"),
            Detail::Full => self.refuted(step, branch, &self.no_room(assumed, count)),
        }
    }

    /// `r6c9 cannot be 1. Suppose it were. Then … Now …`
    fn refuted(&self, step: &Step, branch: &[Inference], end: &str) -> String {
        let (result, plain) = (self.result_of_cell(step), self.result(step));
        let suppose = if result == plain { "suppose" } else { "suppose.digit" };
        let digit = branch[0].node.digit;
        let mut said = vec![result, self.say(suppose, &[("d", D(digit))])];
        said.extend(self.level_sentences(&self.levels(branch)));
        said.push(self.say("net.now", &[("end", T(end.to_string()))]));
        said.join(" ")
    }

    /// What is true in a branch, grouped by how far it is from the assumption.
    fn levels(&self, branch: &[Inference]) -> Vec<Vec<Clause>> {
        let mut depth = vec![0usize; branch.len()];
        let mut levels: Vec<Vec<(Option<OneOf>, Clause)>> = Vec::new();
        for (index, one) in branch.iter().enumerate().skip(1) {
            let earlier = &branch[..index];
            let of = |holds: bool, fits: &dyn Fn(&Inference) -> bool| -> Vec<usize> {
                let all = earlier
                    .iter()
                    .zip(&depth)
                    .filter(|(other, _)| other.holds == holds && fits(other));
                all.map(|(_, &depth)| depth).collect()
            };
            depth[index] = match &one.why {
                Why::Assumed => 0,
                Why::Seen => {
                    let rules_out = |other: &Inference| {
                        one.node.candidates().all(|c| self.rules_out(&other.node, c))
                    };
                    of(true, &rules_out).into_iter().min().unwrap_or(0)
                }
                Why::LastIn(of_these) => {
                    1 + of(false, &|other| self.touches(other, *of_these))
                        .into_iter()
                        .max()
                        .unwrap_or(0)
                }
                Why::LockedIn(set) => {
                    let in_set =
                        |other: &Inference| other.node.cells.iter().any(|cell| set.contains(cell));
                    1 + of(false, &in_set).into_iter().max().unwrap_or(0)
                }
            };
            if one.holds {
                let level = depth[index].max(1);
                levels.resize(levels.len().max(level), Vec::new());
                let of = if let Why::LastIn(of) = one.why { Some(of) } else { None };
                levels[level - 1].push((of, self.true_clause(one)));
            }
        }
        // Side by side, clauses come in the order of their houses: rows, columns, boxes.
        let told = |mut level: Vec<(Option<OneOf>, Clause)>| {
            level.sort_by_key(|(of, _)| *of);
            level.into_iter().map(|(_, clause)| clause).collect::<Vec<Clause>>()
        };
        levels.into_iter().filter(|level| !level.is_empty()).map(told).collect()
    }

    fn touches(&self, inference: &Inference, of: OneOf) -> bool {
        inference.node.candidates().any(|candidate| match of {
            OneOf::Cell(cell) => candidate.cell == cell,
            OneOf::House(house, digit) => {
                candidate.digit == digit && self.is_in(candidate.cell, house)
            }
        })
    }

    pub(super) fn true_clause(&self, one: &Inference) -> Clause {
        let digit = ("d", D(one.node.digit));
        match &one.why {
            Why::LastIn(OneOf::House(house, _)) => self.clause(
                "link.house",
                &[digit, ("house", H(*house)), ("cells", self.cells(&one.node.cells))],
            ),
            _ if one.node.cells.len() == 1 => {
                self.clause("link.cell", &[("cell", C(one.node.cells[0])), digit])
            }
            _ => self.clause("link.one_of", &[("cells", self.cells(&one.node.cells)), digit]),
        }
    }

    pub(super) fn level_sentences(&self, levels: &[Vec<Clause>]) -> Vec<String> {
        let starts = ["join.start.then", "join.start.so"];
        let sentence = |(index, level): (usize, &Vec<Clause>)| {
            let clause = ("clause", T(self.joined(level)));
            format!("{}.", self.say(starts[index % 2], &[clause]))
        };
        levels.iter().enumerate().map(sentence).collect()
    }

    /// Clauses side by side; only the first follows a word like "then".
    pub(super) fn joined(&self, level: &[Clause]) -> String {
        let items: Vec<String> = level
            .iter()
            .enumerate()
            .map(
                |(index, clause)| {
                    if index == 0 { clause.inverted.clone() } else { clause.plain.clone() }
                },
            )
            .collect();
        let is_long = level.iter().any(|clause| clause.plain.len() > 20);
        self.words.list(&items, if is_long { "clauses_and" } else { "" })
    }

    fn branch_end(&self, branch: &[Inference]) -> Option<BranchEnd> {
        let off: Vec<Candidate> =
            branch.iter().filter(|one| !one.holds).flat_map(|one| one.node.candidates()).collect();
        let is_off = |candidate: Candidate| off.contains(&candidate);
        let mut ends: Vec<(usize, BranchEnd)> = Vec::new();
        for cell in cells_of(&off) {
            let digits = self.candidates.at(cell);
            if digits.into_iter().all(|digit| is_off(Candidate::new(cell, digit))) {
                ends.push((digits.count(), BranchEnd::Cell(cell)));
            }
        }
        for house in self.order.houses() {
            for digit in digits_of(&off) {
                let places = self.places(house, digit);
                if !places.is_empty()
                    && places.iter().all(|&cell| is_off(Candidate::new(cell, digit)))
                {
                    ends.push((places.len(), BranchEnd::House(house, digit)));
                }
            }
        }
        ends.sort_by_key(|(size, _)| *size);
        let clash = || {
            let on: Vec<&Node> =
                branch.iter().filter(|one| one.holds).map(|one| &one.node).collect();
            let single = |node: &&Node| node.candidates().next().filter(|_| node.cells.len() == 1);
            let on: Vec<Candidate> = on.iter().filter_map(single).collect();
            let clashes =
                |&a: &Candidate| Some((a, on.iter().copied().find(|&b| self.conflict(a, b))?));
            on.iter().find_map(clashes).map(|(a, b)| BranchEnd::Clash(a, b))
        };
        ends.into_iter().next().map(|(_, end)| end).or_else(clash)
    }

    /// `row 3 has no place for 5: r3c6 sees r6c6, r3c8 is 1, and r3c9 sees r1c8`
    fn told_end(&self, branch: &[Inference], end: &BranchEnd) -> String {
        let on: Vec<Node> =
            branch.iter().filter(|one| one.holds).map(|one| one.node.clone()).collect();
        let because = |goal: Candidate| on.iter().find(|node| self.rules_out(node, goal));
        let (text, goals) = match *end {
            BranchEnd::Cell(cell) => {
                let goals = self
                    .candidates
                    .at(cell)
                    .map(|digit| Candidate::new(cell, digit))
                    .collect::<Vec<_>>();
                (self.clause("end.cell", &[("cell", C(cell))]).inverted, goals)
            }
            BranchEnd::House(house, digit) => {
                let goals = self
                    .places(house, digit)
                    .into_iter()
                    .map(|cell| Candidate::new(cell, digit))
                    .collect();
                (self.clause("end.house", &[("house", H(house)), ("d", D(digit))]).inverted, goals)
            }
            BranchEnd::Clash(a, b) if a.cell == b.cell => {
                return self.say(
                    "end.cell.twice",
                    &[("cell", C(a.cell)), ("d", D(a.digit)), ("x", D(b.digit))],
                );
            }
            BranchEnd::Clash(a, b) => {
                let house = self.houses_around(&[a.cell, b.cell])[0];
                return self.twice(&[a.cell, b.cell], a.digit, house);
            }
        };
        if goals.len() > MOST_REASONS {
            return text;
        }
        let in_cell = matches!(end, BranchEnd::Cell(_));
        let reason = |&goal: &Candidate| {
            let node = because(goal)?;
            let by = self.cells(&node.cells);
            Some(match node.digit == goal.digit {
                true if in_cell => {
                    self.say("end.sees.digit", &[("d", D(goal.digit)), ("cells", by)])
                }
                true => self.say("end.sees", &[("cell", C(goal.cell)), ("cells", by)]),
                false => self.say("link.cell", &[("cell", C(goal.cell)), ("d", D(node.digit))]),
            })
        };
        let mut reasons: Vec<String> = goals.iter().filter_map(reason).collect();
        reasons.dedup();
        if reasons.is_empty() {
            return text;
        }
        if in_cell {
            return self.say(
                "end.because.cell",
                &[("end", T(text)), ("reasons", T(self.words.list(&reasons, "")))],
            );
        }
        let list = self.words.list(&reasons, "clauses_and");
        self.say("end.because", &[("end", T(text)), ("reasons", T(list))])
    }

    /// Two cells of a house that would be the same digit.
    pub(super) fn twice(&self, cells: &[Cell], digit: Digit, house: House) -> String {
        self.say(
            "end.twice",
            &[("cells", self.cells(cells)), ("d", D(digit)), ("kind", K(Kind::of(house)))],
        )
    }

    /// What is wrong with a position that no digit fits: `r5c1 has no digit left`.
    pub(in crate::explain) fn dead_end(&self) -> Option<String> {
        let empty = |cell: &Cell| {
            self.candidates.grid()[*cell].is_none() && self.candidates.at(*cell).is_empty()
        };
        if let Some(cell) = self.order.cells().find(empty) {
            return Some(self.say("end.cell", &[("cell", C(cell))]));
        }
        self.order.houses().find_map(|house| {
            let without = |digit: &Digit| self.places(house, *digit).is_empty();
            let digit = self.candidates.digits_missing_in(house).into_iter().find(without)?;
            Some(self.say("end.house", &[("house", H(house)), ("d", D(digit))]))
        })
    }

    pub(super) fn nothing_told(&self, step: &Step) -> String {
        let cells = self.cells(&targets_of(step));
        self.say("look.hint", &[("cells", cells)])
    }
}

/// The reasons of the true inferences, as strong links.
fn strong_reasons(branch: &[Inference]) -> Vec<Strong> {
    let reason = |one: &Inference| match &one.why {
        Why::LastIn(of) => Some(Strong::OneOf(*of)),
        Why::LockedIn(set) => Some(Strong::AlmostLockedSet(set.clone())),
        Why::Assumed | Why::Seen => None,
    };
    branch.iter().filter_map(reason).collect()
}

/// The branch as links that follow one another, if each true thing rests on the one false thing before it.
fn linear<'a>(branch: &'a [Inference], reasons: &'a [Strong]) -> Option<Vec<Link<'a>>> {
    let rest = branch.get(1..)?;
    let alternates = rest.chunks(2).all(|pair| matches!(pair, [off, on] if !off.holds && on.holds));
    if !alternates || rest.len() != 2 * reasons.len() {
        return None;
    }
    let link = |(pair, why): (&'a [Inference], &'a Strong)| Link {
        off: &pair[0].node,
        on: &pair[1].node,
        why,
    };
    Some(rest.chunks(2).zip(reasons).map(link).collect())
}
