//! The patterns that experts love, in words: multi-sector locked sets, SK-loops, exocets and patterns that cannot be.

use super::notation::{Names, in_words};
use crate::grid::{Candidates, Cell, Digit, DigitSet, House};
use crate::proof::{Because, Candidate, Count, Ending, Impossible, OneOf, Step, Technique, Tree, Truth};

/// Does this file tell the step?
pub(super) fn tells(step: &Step, count: &Count) -> bool {
    matches!(step.technique, Technique::MultiSectorLockedSets | Technique::SkLoop) || impossible_of(count).is_some()
}

/// The pattern that cannot be, if the count rests on one.
pub(super) fn impossible_of(count: &Count) -> Option<&Impossible> {
    count.truths.iter().find_map(|truth| match truth {
        Truth::Escape(impossible) => Some(impossible),
        Truth::OneOf(_) | Truth::Guardians(_) => None,
    })
}

/// The reason in sentences, without the conclusion.
pub(super) fn tell(count: &Count, names: &Names, position: &Candidates) -> String {
    match impossible_of(count) {
        Some(impossible) => {
            let guardians = guardians(impossible, names, position);
            let others = match guardians.len() {
                1 => format!("So {} is true.", guardians[0]),
                _ => format!("So {} is true, and what sees all of them is false.", in_words(&guardians, "or")),
            };
            format!("{} {others}", cannot_be(impossible, names))
        }
        None => sectors(count, names, position),
    }
}

/// The reason in a few signs.
pub(super) fn in_short(count: &Count, names: &Names, position: &Candidates) -> String {
    match impossible_of(count) {
        Some(impossible) => {
            format!("{} in {}", names.digits(impossible.digits), names.cells(&impossible.cells))
        }
        None => {
            let cells = cells_of(count);
            format!("{} cells {}, {}", cells.len(), names.cells(&cells), covers_in_short(count, names, position))
        }
    }
}

/// "r1c1 … cannot hold only 1, 2 and 3."
pub(super) fn cannot_be(impossible: &Impossible, names: &Names) -> String {
    let (cells, digits) = (names.cells(&impossible.cells), names.digits_in_words(impossible.digits));
    format!(
        "However {cells} are filled with {digits} alone, two equal digits see each other; one of these cells holds another digit."
    )
}

/// The other candidates of the pattern, by name.
pub(super) fn guardians(impossible: &Impossible, names: &Names, position: &Candidates) -> Vec<String> {
    let others = |&cell: &Cell| (position.at(cell) - impossible.digits).map(move |digit| Candidate::new(cell, digit));
    let name = |candidate: Candidate| format!("{} in {}", names.digit(candidate.digit), names.cell(candidate.cell));
    impossible.cells.iter().flat_map(others).map(name).collect()
}

fn cells_of(count: &Count) -> Vec<Cell> {
    let cell = |truth: &Truth| match truth {
        Truth::OneOf(OneOf::Cell(cell)) => Some(*cell),
        _ => None,
    };
    count.truths.iter().filter_map(cell).collect()
}

fn sectors(count: &Count, names: &Names, position: &Candidates) -> String {
    let cells = cells_of(count);
    let n = cells.len();
    let rooms: Vec<String> = digits_of(count, &cells, position)
        .map(|digit| {
            let houses = houses_of(count, digit);
            let times = if houses.len() == 1 { "once".to_string() } else { format!("{} times", houses.len()) };
            let list: Vec<String> = houses.iter().map(|&house| names.house_in_words(house)).collect();
            format!("{} at most {times} ({})", names.digit(digit), in_words(&list, "and"))
        })
        .collect();
    format!(
        "The {n} cells {} must hold {n} digits. Among them fits {}: that is room for {n} and no more. So every one of these houses has its digit inside the cells.",
        names.cells(&cells),
        in_words(&rooms, "and")
    )
}

fn digits_of(count: &Count, cells: &[Cell], position: &Candidates) -> impl Iterator<Item = Digit> {
    let all = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | position.at(cell));
    let covered: DigitSet = count
        .covers
        .iter()
        .filter_map(|cover| match cover {
            OneOf::House(_, digit) => Some(*digit),
            OneOf::Cell(_) => None,
        })
        .collect();
    all & covered
}

fn houses_of(count: &Count, digit: Digit) -> Vec<House> {
    let house = |cover: &OneOf| match cover {
        OneOf::House(house, of) if *of == digit => Some(*house),
        _ => None,
    };
    count.covers.iter().filter_map(house).collect()
}

fn covers_in_short(count: &Count, names: &Names, position: &Candidates) -> String {
    let cells = cells_of(count);
    let digits = digits_of(count, &cells, position);
    let one = |digit: Digit| format!("{}{}", names.digit(digit), names.houses(&houses_of(count, digit)));
    digits.map(one).collect::<Vec<_>>().join(" ")
}

/// What an exocet is made of, read off the trees of its proof.
pub(super) struct Exocet {
    base: Vec<Cell>,
    targets: Vec<Cell>,
    lines: Vec<House>,
}

/// The exocet of a step, if one of its trees shows all of it.
pub(super) fn exocet_of(step: &Step) -> Option<Exocet> {
    if step.technique != Technique::JuniorExocet {
        return None;
    }
    let parts = match &step.because {
        Because::Together(parts) => &parts[..],
        only => std::slice::from_ref(only),
    };
    let trees = parts.iter().filter_map(|part| match part {
        Because::Tree(tree) => Some(tree),
        _ => None,
    });
    trees.into_iter().find_map(|tree| {
        let (mut cells, mut lines) = (Vec::new(), Vec::new());
        walk(tree, &mut cells, &mut lines);
        // The tree tries a wrong target first, then the other target, then the base.
        let [one, other, first, second] = cells[..] else { return None };
        let (mut base, mut targets) = (vec![first, second], vec![one, other]);
        base.sort_unstable();
        targets.sort_unstable();
        lines.sort_unstable();
        lines.dedup();
        Some(Exocet { base, targets, lines })
    })
}

fn walk(tree: &Tree, cells: &mut Vec<Cell>, lines: &mut Vec<House>) {
    let inferred = tree.inferences.iter().map(|inference| inference.node.cells[0]);
    for cell in std::iter::once(tree.assumed.cell).chain(inferred) {
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    if let Ending::NoRoom(count) = &tree.end {
        lines.extend(count.truths.iter().filter_map(|truth| match truth {
            Truth::OneOf(OneOf::House(house, _)) => Some(*house),
            _ => None,
        }));
    }
    tree.branches().iter().for_each(|branch| walk(branch, cells, lines));
}

impl Exocet {
    /// The reason in sentences, without the conclusion.
    pub fn tell(&self, names: &Names, position: &Candidates) -> String {
        let digits = self.base.iter().fold(DigitSet::EMPTY, |all, &cell| all | position.at(cell));
        let (base, targets) = (names.cells(&self.base), names.cells(&self.targets));
        let lines: Vec<String> = self.lines.iter().map(|&line| names.house_in_words(line)).collect();
        format!(
            "The base {base} holds two of {}. Suppose a digit stands there but in neither of the targets {targets}: then {} all have it outside the three boxes, where its places lie in fewer houses than that. So both digits of the base come back in the targets, which hold nothing else.",
            names.digits_in_words(digits),
            in_words(&lines, "and")
        )
    }

    /// The reason in a few signs.
    pub fn in_short(&self, names: &Names, position: &Candidates) -> String {
        let digits = self.base.iter().fold(DigitSet::EMPTY, |all, &cell| all | position.at(cell));
        format!("{} in {}, targets {}", names.digits(digits), names.cells(&self.base), names.cells(&self.targets))
    }

    /// Where to look.
    pub fn place(&self, names: &Names) -> String {
        names.cells(&self.base)
    }
}
