//! Text for cases and contradictions. Each branch ends with the cell or house that decides it.

use super::facts::{cells_of, digits_of, targets_of};
use super::language::Kind;
use super::language::Value::{C, D, H, K, N, T};
use super::story::{Clause, Link};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, House};
use crate::proof::{
    Candidate, Count, Inference, InferenceReason, Node, OneOf, Step, Strong, Technique,
};

/// Contradiction at the end of a branch: a cell without a digit, a digit without a place in a
/// house, or two candidates that exclude each other.
enum BranchEnd {
    Cell(Cell),
    House(House, Digit),
    Clash(Candidate, Candidate),
}

/// Maximum number of places for which a reason is given.
const MAX_REASONS: usize = 3;

impl StepWriter<'_> {
    /// All digits of a cell, or all places of a digit in a house, lead to the same conclusion.
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
            Detail::Hint => self.render(&format!("{key}.hint"), &slots),
            Detail::Technique => self.render(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                let texts = parts.iter().map(|&(of, branches)| self.cases_text(step, of, branches));
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }

    fn cases_text(&self, step: &Step, of: OneOf, branches: &[Vec<Inference>]) -> String {
        let follows = |goal: &Candidate| branches.iter().all(|branch| self.gives(branch, *goal));
        let removes: Vec<Candidate> = step.removes.iter().copied().filter(follows).collect();
        let result = self.removed(&removes);
        let result = T(result.trim_end_matches('.').to_string());
        let first = match of {
            OneOf::Cell(cell) => {
                self.render("cases.whatever", &[("result", result), ("cell", C(cell))])
            }
            OneOf::House(house, digit) => self.render(
                "cases.wherever",
                &[("result", result), ("d", D(digit)), ("house", H(house))],
            ),
        };
        let mut lines = vec![first];
        let is_blossom = step.technique == Technique::DeathBlossom;
        lines.extend(branches.iter().map(|branch| self.case(branch, &removes, is_blossom)));
        if is_blossom {
            let slots = [("targets", self.cells(&cells_of(&removes))), ("d", D(removes[0].digit))];
            lines.push(self.render("blossom.end", &slots));
        }
        lines.join("\n")
    }

    /// Returns true if a true statement of the branch rules the goal out.
    fn gives(&self, branch: &[Inference], goal: Candidate) -> bool {
        branch.iter().any(|one| one.holds && self.rules_out(&one.node, goal))
    }

    /// Text of one case on its own line. A death blossom states at the end what all cases have in
    /// common.
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
            return self.render(key, &slots);
        }
        let sentences = self.compose(
            "case.if",
            &slots,
            &self.parts(Some(start), &links, own.then(|| targets[0])),
        );
        if own || is_blossom {
            return sentences.with_period();
        }
        let sees = self.sees(&targets, last.cells.len());
        self.render("chain.sees", &[("story", T(sentences.without_period())), ("sees", T(sees))])
    }

    /// Text of a case whose inferences have several premises.
    fn net_case(&self, branch: &[Inference], slots: &[(&str, super::language::Value)]) -> String {
        let levels = self.levels(branch);
        let mut sentences = self.level_sentences(&levels);
        if let Some(first) = levels.first() {
            let mut slots = slots.to_vec();
            slots.push(("clause", T(self.joined(first))));
            sentences[0] = format!("{}.", self.render("case.if", &slots));
        }
        sentences.join(" ")
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
            Detail::Hint => self.render("try.hint", &[("cell", C(cell)), ("n", N(count))]),
            Detail::Technique => {
                let (name, place) = (("name", T(self.short_name(step))), ("cell", C(cell)));
                match self.branch_end(branch) {
                    Some(BranchEnd::House(house, _)) => {
                        self.render("net.pattern.house", &[name, place, ("house", H(house))])
                    }
                    Some(BranchEnd::Cell(empty)) => {
                        self.render("net.pattern.cell", &[name, place, ("empty", C(empty))])
                    }
                    _ => self.render("net.pattern", &[name, place]),
                }
            }
            Detail::Full => {
                let end = self
                    .branch_end(branch)
                    .map(|end| self.end_text(branch, &end))
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
        let assumed = branch[0].node.candidates().next().expect("an assumption has a candidate");
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
        let mut sentences = vec![result, self.render(suppose, &[("d", D(digit))])];
        sentences.extend(self.level_sentences(&self.levels(branch)));
        sentences.push(self.render("net.now", &[("end", T(end.to_string()))]));
        sentences.join(" ")
    }

    /// Returns the true statements of a branch, grouped by their distance from the assumption.
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
            depth[index] = match &one.reason {
                InferenceReason::Assumed => 0,
                InferenceReason::Seen => {
                    let rules_out = |other: &Inference| {
                        one.node.candidates().all(|c| self.rules_out(&other.node, c))
                    };
                    of(true, &rules_out).into_iter().min().unwrap_or(0)
                }
                InferenceReason::LastIn(of_these) => {
                    1 + of(false, &|other| self.touches(other, *of_these))
                        .into_iter()
                        .max()
                        .unwrap_or(0)
                }
                InferenceReason::LockedIn(set) => {
                    let in_set =
                        |other: &Inference| other.node.cells.iter().any(|cell| set.contains(cell));
                    1 + of(false, &in_set).into_iter().max().unwrap_or(0)
                }
                InferenceReason::Rule(_) => 1 + of(true, &|_| true).into_iter().max().unwrap_or(0),
            };
            if one.holds {
                let level = depth[index].max(1);
                levels.resize(levels.len().max(level), Vec::new());
                let of = if let InferenceReason::LastIn(of) = one.reason { Some(of) } else { None };
                levels[level - 1].push((of, self.true_clause(one)));
            }
        }
        // Clauses of one level are ordered by house: rows, columns, boxes.
        let clauses = |mut level: Vec<(Option<OneOf>, Clause)>| {
            level.sort_by_key(|(of, _)| *of);
            level.into_iter().map(|(_, clause)| clause).collect::<Vec<Clause>>()
        };
        levels.into_iter().filter(|level| !level.is_empty()).map(clauses).collect()
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
        match &one.reason {
            InferenceReason::LastIn(OneOf::House(house, _)) => self.clause(
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
            format!("{}.", self.render(starts[index % 2], &[clause]))
        };
        levels.iter().enumerate().map(sentence).collect()
    }

    /// Joins the clauses of one level. Only the first one has the form that follows a word like
    /// "then".
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
    fn end_text(&self, branch: &[Inference], end: &BranchEnd) -> String {
        let on: Vec<Node> =
            branch.iter().filter(|one| one.holds).map(|one| one.node.clone()).collect();
        let reason = |goal: Candidate| on.iter().find(|node| self.rules_out(node, goal));
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
                return self.render(
                    "end.cell.twice",
                    &[("cell", C(a.cell)), ("d", D(a.digit)), ("x", D(b.digit))],
                );
            }
            BranchEnd::Clash(a, b) => {
                let house = self.houses_around(&[a.cell, b.cell])[0];
                return self.twice(&[a.cell, b.cell], a.digit, house);
            }
        };
        if goals.len() > MAX_REASONS {
            return text;
        }
        let in_cell = matches!(end, BranchEnd::Cell(_));
        let reason = |&goal: &Candidate| {
            let node = reason(goal)?;
            let by = self.cells(&node.cells);
            Some(match node.digit == goal.digit {
                true if in_cell => {
                    self.render("end.sees.digit", &[("d", D(goal.digit)), ("cells", by)])
                }
                true => self.render("end.sees", &[("cell", C(goal.cell)), ("cells", by)]),
                false => self.render("link.cell", &[("cell", C(goal.cell)), ("d", D(node.digit))]),
            })
        };
        let mut reasons: Vec<String> = goals.iter().filter_map(reason).collect();
        reasons.dedup();
        if reasons.is_empty() {
            return text;
        }
        if in_cell {
            return self.render(
                "end.because.cell",
                &[("end", T(text)), ("reasons", T(self.words.list(&reasons, "")))],
            );
        }
        let list = self.words.list(&reasons, "clauses_and");
        self.render("end.because", &[("end", T(text)), ("reasons", T(list))])
    }

    /// Text for two cells of a house that would contain the same digit.
    pub(super) fn twice(&self, cells: &[Cell], digit: Digit, house: House) -> String {
        self.render(
            "end.twice",
            &[("cells", self.cells(cells)), ("d", D(digit)), ("kind", K(Kind::from_house(house)))],
        )
    }

    /// Returns why a position is contradictory: `r5c1 has no digit left`.
    pub(in crate::explain) fn dead_end(&self) -> Option<String> {
        let empty = |cell: &Cell| {
            self.candidates.grid()[*cell].is_none() && self.candidates.at(*cell).is_empty()
        };
        if let Some(cell) = self.order.cells().find(empty) {
            return Some(self.render("end.cell", &[("cell", C(cell))]));
        }
        let grid = self.candidates.grid();
        grid.houses().find_map(|house| {
            let without = |digit: &Digit| self.places(house, *digit).is_empty();
            let digit = self.candidates.digits_missing_in(house).into_iter().find(without)?;
            Some(self.render("end.house", &[("house", H(house)), ("d", D(digit))]))
        })
    }

    pub(super) fn targets_hint(&self, step: &Step) -> String {
        let cells = self.cells(&targets_of(step));
        self.render("look.hint", &[("cells", cells)])
    }
}

/// Returns the reasons of the true inferences as strong links.
fn strong_reasons(branch: &[Inference]) -> Vec<Strong> {
    let reason = |one: &Inference| match &one.reason {
        InferenceReason::LastIn(of) => Some(Strong::OneOf(*of)),
        InferenceReason::LockedIn(set) => Some(Strong::AlmostLockedSet(set.clone())),
        InferenceReason::Assumed | InferenceReason::Seen | InferenceReason::Rule(_) => None,
    };
    branch.iter().filter_map(reason).collect()
}

/// Returns the branch as consecutive links if each true statement depends only on the false one
/// before it.
fn linear<'a>(branch: &'a [Inference], reasons: &'a [Strong]) -> Option<Vec<Link<'a>>> {
    let rest = branch.get(1..)?;
    let alternates = rest.chunks(2).all(|pair| matches!(pair, [off, on] if !off.holds && on.holds));
    if !alternates || rest.len() != 2 * reasons.len() {
        return None;
    }
    let link = |(pair, reason): (&'a [Inference], &'a Strong)| Link {
        off: &pair[0].node,
        on: &pair[1].node,
        reason,
    };
    Some(rest.chunks(2).zip(reasons).map(link).collect())
}
