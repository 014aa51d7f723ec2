//! Text for proof trees: the assumption, its consequences, the remaining choices, and how each of
//! them fails.
//!
//! Each branch is on a separate line, and nested branches are indented. If a branch fails at the
//! same place as an earlier one, the text refers to that.

use super::language::Value::{C, Cs, D, Ds, H, N, T};
use super::language::capitalized;
use super::patterns::impossible_of;
use super::story::Clause;
use super::{Detail, StepWriter};
use crate::proof::{Count, Ending, Inference, OneOf, Step, Tree, Truth};

/// Maximum number of clauses per sentence.
const MAX_CLAUSES: usize = 3;

impl StepWriter<'_> {
    pub(super) fn trees(&self, step: &Step, trees: &[&Tree], detail: Detail) -> String {
        if let Some(text) = self.exocet(step, detail) {
            return text;
        }
        let first = trees[0];
        let cell = first.assumed.cell;
        match detail {
            Detail::Hint => self.render(
                "try.hint",
                &[("cell", C(cell)), ("n", N(self.candidates.at(cell).count()))],
            ),
            Detail::Technique => {
                let slots = [
                    ("name", T(self.short_name(step))),
                    ("cell", C(cell)),
                    ("n", N(first.branches().len())),
                ];
                self.render(
                    if first.branches().is_empty() { "net.pattern" } else { "tree.pattern" },
                    &slots,
                )
            }
            Detail::Full => {
                let mut sentences = vec![self.result(step)];
                let is_result = step.removes == [first.assumed] && step.places.is_empty();
                for tree in trees {
                    let slots = [("cell", C(tree.assumed.cell)), ("d", D(tree.assumed.digit))];
                    let suppose =
                        self.render(if is_result { "suppose" } else { "tree.suppose" }, &slots);
                    sentences.push(self.tree_text(tree, &suppose));
                }
                sentences.join(if trees.len() > 1 { "\n" } else { " " })
            }
        }
    }

    /// Returns the short notation of a tree: the assumption and the first choice.
    pub(super) fn tree_in_short(&self, tree: &Tree) -> String {
        let supposed = self.names.node(&crate::proof::Node::single(tree.assumed));
        let (of, branches) = match &tree.end {
            Ending::Split(of, branches) => (of, branches),
            Ending::NoRoom(count) => {
                return format!("{supposed} against {}", self.pattern_in_short(count));
            }
            Ending::Nothing(_) => return supposed,
            Ending::NoFilling(combined) => {
                return format!("{supposed} against {}", self.combined_in_short(combined));
            }
        };
        let choices = branches.iter().map(|branch| branch.assumed);
        let tried = match of {
            OneOf::Cell(cell) => {
                let digits: Vec<String> =
                    choices.map(|choice| self.names.digit(choice.digit)).collect();
                format!("{}={}", self.names.cell(*cell), digits.join("|"))
            }
            OneOf::House(house, digit) => {
                let cells: Vec<String> =
                    choices.map(|choice| self.names.cell(choice.cell)).collect();
                format!(
                    "{}{}={}",
                    self.names.digit(*digit),
                    self.names.house(*house),
                    cells.join("|")
                )
            }
        };
        format!("{supposed}, {tried}")
    }

    fn tree_text(&self, tree: &Tree, suppose: &str) -> String {
        let mut sentences = vec![suppose.to_string()];
        sentences.extend(self.level_sentences(&self.facts(tree)));
        let Ending::Split(of, branches) = &tree.end else {
            sentences.push(self.render("net.now", &[("end", T(self.failure(&tree.end).inverted))]));
            return sentences.join(" ");
        };
        sentences.push(self.choice(*of, branches));
        let mut lines = vec![sentences.join(" ")];
        let mut ends = Vec::new();
        self.branches_text(branches, "", &mut ends, &mut lines);
        let slots = [
            ("n", N(branches.len())),
            ("cell", C(tree.assumed.cell)),
            ("d", D(tree.assumed.digit)),
        ];
        lines.push(self.render("tree.closed", &slots));
        lines.join("\n")
    }

    pub(super) fn branches_text(
        &self,
        branches: &[Tree],
        path: &str,
        ends: &mut Vec<String>,
        lines: &mut Vec<String>,
    ) {
        for (number, branch) in (1..).zip(branches) {
            let path = format!("{path}{number}");
            let indent = "  ".repeat(path.matches('.').count());
            let slots = [
                ("path", T(path.clone())),
                ("cell", C(branch.assumed.cell)),
                ("d", D(branch.assumed.digit)),
            ];
            let mut sentences = vec![format!("{indent}{}", self.render("tree.branch", &slots))];
            let facts = self.facts(branch);
            let mut consequences = self.level_sentences(&facts);
            if let (Some(first), Some(level)) = (consequences.first_mut(), facts.first()) {
                *first =
                    format!("{}.", self.render("tree.then", &[("clause", T(self.joined(level)))]));
            }
            sentences.extend(consequences);
            let Ending::Split(of, choices) = &branch.end else {
                sentences.push(self.failure_text(&branch.end, facts.is_empty(), ends));
                lines.push(sentences.join(" "));
                continue;
            };
            sentences.push(self.choice(*of, choices));
            lines.push(sentences.join(" "));
            self.branches_text(choices, &format!("{path}."), ends, lines);
            lines.push(format!(
                "{indent}{}",
                self.render("tree.closed.branch", &[("path", T(path))])
            ));
        }
    }

    /// Returns how a branch fails. `is_first` is true if no consequences were stated in it.
    fn failure_text(&self, end: &Ending, is_first: bool, ends: &mut Vec<String>) -> String {
        let Clause { plain, inverted } = self.failure(end);
        let again = ends.contains(&plain);
        ends.push(plain.clone());
        match (is_first, again) {
            (true, _) => format!("{}.", self.render("tree.then", &[("clause", T(inverted))])),
            (false, true) => self.render("tree.again", &[("end", T(inverted))]),
            (false, false) => capitalized(&format!("{plain}.")),
        }
    }

    fn facts(&self, tree: &Tree) -> Vec<Vec<Clause>> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut rest = &tree.inferences[..];
        while let Some((first, others)) = rest.split_first() {
            if first.holds {
                clauses.push(self.true_clause(first));
                rest = others;
                continue;
            }
            // What one rule rules out in one cell is one clause.
            let cells = &first.node.cells;
            let alike = |one: &&Inference| {
                !one.holds && one.reason == first.reason && one.node.cells == *cells
            };
            let count = rest.iter().take_while(alike).count();
            clauses.push(self.false_clause(&rest[..count]));
            rest = &rest[count..];
        }
        clauses.chunks(MAX_CLAUSES).map(<[Clause]>::to_vec).collect()
    }

    fn choice(&self, of: OneOf, branches: &[Tree]) -> String {
        let choices = branches.iter().map(|branch| branch.assumed);
        match of {
            OneOf::Cell(cell) => {
                let digits = choices.map(|choice| choice.digit).collect();
                self.render("tree.choice.cell", &[("cell", C(cell)), ("digits", Ds(digits))])
            }
            OneOf::House(house, digit) => {
                let cells = choices.map(|choice| choice.cell).collect();
                self.render(
                    "tree.choice.house",
                    &[("house", H(house)), ("d", D(digit)), ("cells", Cs(cells))],
                )
            }
        }
    }

    fn failure(&self, end: &Ending) -> Clause {
        match end {
            Ending::Nothing(OneOf::Cell(cell)) => self.clause("end.cell", &[("cell", C(*cell))]),
            Ending::Nothing(OneOf::House(house, digit)) => {
                self.clause("end.house", &[("house", H(*house)), ("d", D(*digit))])
            }
            Ending::NoRoom(count) => self.without_room(count),
            Ending::NoFilling(combined) => {
                self.clause("end.rule", &[("rule", T(self.combined(combined)))])
            }
            Ending::Split(..) => unreachable!("the caller handles splits"),
        }
    }

    fn without_room(&self, count: &Count) -> Clause {
        if let Some(impossible) = impossible_of(count) {
            let slots =
                [("cells", self.cells(&impossible.cells)), ("digits", Ds(impossible.digits))];
            return self.clause("tree.impossible", &slots);
        }
        let room = |of: OneOf| match of {
            OneOf::Cell(cell) => self.render("cell", &[("cell", C(cell))]),
            OneOf::House(house, digit) => {
                self.render("tree.room", &[("d", D(digit)), ("house", H(house))])
            }
        };
        let truths: Vec<String> = count
            .truths
            .iter()
            .filter_map(|truth| match truth {
                Truth::OneOf(of) => Some(room(*of)),
                Truth::Guardians(_) | Truth::Escape(_) | Truth::Needs(..) => None,
            })
            .collect();
        let covers: Vec<String> = count.covers.iter().map(|&cover| room(cover)).collect();
        let list = |items: &[String]| T(self.words.list(items, ""));
        self.clause("tree.no_room", &[("truths", list(&truths)), ("covers", list(&covers))])
    }
}
