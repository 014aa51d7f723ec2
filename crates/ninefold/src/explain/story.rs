//! A tree as a story: what is supposed, what follows, which choices are left, and where each of them fails.

use super::notation::{Names, in_words};
use super::patterns;
use crate::grid::{Candidates, Cell, DigitSet};
use crate::proof::{Candidate, Count, Ending, Inference, Node, OneOf, Tree, Truth, Why};

/// Tells the tree, without the conclusion.
pub(super) fn tell(tree: &Tree, names: &Names, position: &Candidates) -> String {
    let story = Story { names, position };
    let mut said = format!("Suppose {} were {}.", names.cell(tree.assumed.cell), names.digit(tree.assumed.digit));
    story.follow(tree, "Then", &mut said);
    said
}

/// The tree in a few signs: what is supposed and what is tried first.
pub(super) fn in_short(tree: &Tree, names: &Names, position: &Candidates) -> String {
    let supposed = names.node(&Node::single(tree.assumed));
    let (of, branches) = match &tree.end {
        Ending::Split(of, branches) => (of, branches),
        Ending::NoRoom(count) => return format!("{supposed} against {}", patterns::in_short(count, names, position)),
        Ending::Nothing(_) => return supposed,
    };
    let choices = branches.iter().map(|branch| branch.assumed);
    let tried = match of {
        OneOf::Cell(cell) => {
            let digits: Vec<String> = choices.map(|choice| names.digit(choice.digit)).collect();
            format!("{}={}", names.cell(*cell), digits.join("|"))
        }
        OneOf::House(house, digit) => {
            let cells: Vec<String> = choices.map(|choice| names.cell(choice.cell)).collect();
            format!("{} in {}={}", names.digit(*digit), names.house(*house), cells.join("|"))
        }
    };
    format!("{supposed}, then {tried}")
}

struct Story<'a> {
    names: &'a Names,
    position: &'a Candidates,
}

impl Story<'_> {
    /// What follows from a supposition that has just been told; `then` begins a sentence or goes on with one.
    fn follow(&self, tree: &Tree, then: &str, said: &mut String) {
        let facts: Vec<String> = tree.inferences.iter().map(|inference| self.fact(inference)).collect();
        match (&tree.end, facts.is_empty()) {
            (Ending::Split(of, branches), _) => {
                if !facts.is_empty() {
                    *said += &format!(" {then} {}.", in_words(&facts, "and"));
                }
                *said += &format!(" {}", self.choice(*of, branches));
                for branch in branches {
                    *said += &format!(" If {}:", self.is(branch.assumed));
                    self.follow(branch, "then", said);
                }
            }
            (end, true) => *said += &format!(" {then} {}.", self.failure(end)),
            (end, false) => *said += &format!(" {then} {}; but now {}.", in_words(&facts, "and"), self.failure(end)),
        }
    }

    fn is(&self, candidate: Candidate) -> String {
        format!("{} is {}", self.names.cell(candidate.cell), self.names.digit(candidate.digit))
    }

    /// A statement with its reason in brackets.
    fn fact(&self, inference: &Inference) -> String {
        let Node { digit, cells } = &inference.node;
        let what = match cells[..] {
            [cell] => self.is(Candidate::new(cell, *digit)),
            _ => format!("one of {} is {}", self.names.cells(cells), self.names.digit(*digit)),
        };
        match &inference.why {
            Why::LastIn(OneOf::Cell(_)) => format!("{what} (its last digit)"),
            Why::LastIn(OneOf::House(house, _)) if cells.len() == 1 => {
                format!("{what} (the last place in {})", self.names.house_in_words(*house))
            }
            Why::LastIn(OneOf::House(house, _)) => {
                format!("{what} (the only places in {})", self.names.house_in_words(*house))
            }
            Why::LockedIn(set) => {
                format!("{what} ({} have only {} digits left)", self.names.cells(set), set.len())
            }
            Why::Assumed | Why::Seen => what,
        }
    }

    fn choice(&self, of: OneOf, branches: &[Tree]) -> String {
        let choices = branches.iter().map(|branch| branch.assumed);
        match of {
            OneOf::Cell(cell) => {
                let digits: Vec<String> = choices.map(|choice| self.names.digit(choice.digit)).collect();
                format!("Now {} is {}.", self.names.cell(cell), in_words(&digits, "or"))
            }
            OneOf::House(house, digit) => {
                let cells: Vec<String> = choices.map(|choice| self.names.cell(choice.cell)).collect();
                let (house, digit) = (self.names.house_in_words(house), self.names.digit(digit));
                format!("Now {house} has its {digit} in {}.", in_words(&cells, "or"))
            }
        }
    }

    fn failure(&self, end: &Ending) -> String {
        match end {
            Ending::Nothing(OneOf::Cell(cell)) => format!("{} has no digit left", self.names.cell(*cell)),
            Ending::Nothing(OneOf::House(house, digit)) => {
                format!("{} has no place left for {}", self.names.house_in_words(*house), self.names.digit(*digit))
            }
            Ending::NoRoom(count) => self.no_room(count),
            Ending::Split(..) => String::new(),
        }
    }

    fn no_room(&self, count: &Count) -> String {
        if let Some(impossible) = patterns::impossible_of(count) {
            let guardians = patterns::guardians(impossible, self.names, self.position);
            let cells = self.names.cells(&impossible.cells);
            let digits = self.names.digits_in_words(impossible.digits);
            let left = if guardians.len() == 1 { "is false" } else { "are all false" };
            return format!(
                "{} {left}, and {cells} would have to do with {digits}, which would put two equal digits into one house",
                in_words(&guardians, "and")
            );
        }
        let truths: Vec<String> = count.truths.iter().filter_map(|truth| self.truth(truth)).collect();
        let covers: Vec<String> = count.covers.iter().map(|&cover| self.room(cover)).collect();
        format!("{} would have to fit into {}", in_words(&truths, "and"), in_words(&covers, "and"))
    }

    fn truth(&self, truth: &Truth) -> Option<String> {
        match truth {
            Truth::OneOf(of) => Some(self.room(*of)),
            Truth::Escape(_) => None,
            Truth::Guardians(deadly) => {
                let cells: Vec<Cell> = deadly.cells.iter().map(|(cell, _)| *cell).collect();
                let digits = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | self.position.at(cell));
                Some(format!("{} with {}", self.names.cells(&cells), self.names.digits_in_words(digits)))
            }
        }
    }

    fn room(&self, of: OneOf) -> String {
        match of {
            OneOf::Cell(cell) => self.names.cell(cell),
            OneOf::House(house, digit) => {
                format!("the {} of {}", self.names.digit(digit), self.names.house_in_words(house))
            }
        }
    }
}
