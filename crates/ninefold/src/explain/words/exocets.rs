//! Text for exocets: junior and double exocets, mirrors and links.
//!
//! The parts of an exocet are derived from its proof. A path through a tree that ends with
//! [`Ending::NoRoom`] contains base and targets, and the houses without room are the cross-lines.

use super::facts::truths_of;
use super::language::Value;
use super::language::Value::{C, Cs, D, Ds, H, Hs, N, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, DigitSet, House, Order};
use crate::proof::{
    Candidate, Count, Ending, Inference, InferenceReason, Node, OneOf, Reason, Step, Technique,
    Tree,
};

/// Parts of an exocet.
struct Exocet {
    base: Vec<Cell>,
    /// The target of the mirror, or the one that a link tries, comes first.
    targets: Vec<Cell>,
    lines: Vec<House>,
}

impl StepWriter<'_> {
    /// Returns the text for an exocet, or `None` for other steps.
    pub(super) fn exocet(&self, step: &Step, detail: Detail) -> Option<String> {
        if step.technique == Technique::DoubleExocet {
            return self.double_exocet(step, detail);
        }
        let exocet = self.exocet_of(step)?;
        let key = |part: &str| match (step.technique, part) {
            (_, "hint") => "exocet.hint",
            (Technique::ExocetMirror, _) => "exocet.mirror.pattern",
            (Technique::ExocetLink, _) => "exocet.link.pattern",
            _ => "exocet.pattern",
        };
        let slots = self.slots(step, &exocet);
        Some(match (detail, step.technique) {
            (Detail::Hint, _) => self.render(key("hint"), &slots),
            (Detail::Technique, _) => self.render(key("pattern"), &slots),
            (Detail::Full, Technique::ExocetMirror) => self.exocet_mirror(step, &exocet, &slots),
            (Detail::Full, Technique::ExocetLink) => self.exocet_link(step, &slots),
            (Detail::Full, _) => {
                format!("{} {}", self.result(step), self.render("exocet.reason", &slots))
            }
        })
    }

    /// Returns the short notation of an exocet.
    pub(super) fn exocet_in_short(&self, step: &Step) -> Option<String> {
        if let Some((first, second, lines)) = self.double_of(step) {
            let both = [first, second].concat();
            let digits = self.names.digits(self.digits_in(&both));
            return Some(format!(
                "{digits} in {}, {}",
                self.names.cells(&both),
                self.names.houses(&lines)
            ));
        }
        let exocet = self.exocet_of(step)?;
        let cells = |cells: &[Cell]| {
            let mut cells = cells.to_vec();
            cells.sort_unstable();
            self.names.cells(&cells)
        };
        let digits = self.names.digits(self.digits_in(&exocet.base));
        let short = format!("{digits} in {}, {}", cells(&exocet.base), cells(&exocet.targets));
        Some(match step.technique {
            Technique::ExocetMirror => {
                let target = self.names.cell(exocet.targets[0]);
                format!("{short}, {target} mirrored in {}", cells(&exocet.mirror(self.order)))
            }
            _ => short,
        })
    }

    fn slots(&self, step: &Step, exocet: &Exocet) -> Vec<(&'static str, Value)> {
        let sorted = |cells: &[Cell]| {
            let mut cells = cells.to_vec();
            cells.sort_unstable();
            Cs(cells)
        };
        vec![
            ("name", T(self.short_name(step))),
            ("base", sorted(&exocet.base)),
            ("targets", sorted(&exocet.targets)),
            ("target", C(exocet.targets[0])),
            ("mirror", Cs(exocet.mirror(self.order))),
            ("digits", Ds(self.digits_in(&exocet.base))),
            ("lines", Hs(exocet.lines.clone())),
        ]
    }

    /// Explains why the mirror repeats the digit of its target, and what that rules out.
    fn exocet_mirror(&self, step: &Step, exocet: &Exocet, slots: &[(&str, Value)]) -> String {
        let mirror = exocet.mirror(self.order);
        let house = House::Box(self.order.box_of(mirror[0]) as u8);
        let mut slots = slots.to_vec();
        slots.push(("house", H(house)));
        let mut sentences = vec![self.result(step), self.render("exocet.reason", &slots)];
        sentences.push(self.render("exocet.mirror.reason", &slots));
        let in_target = |candidate: &&Candidate| candidate.cell == exocet.targets[0];
        let gone: DigitSet =
            step.removes.iter().filter(in_target).map(|candidate| candidate.digit).collect();
        if !gone.is_empty() {
            slots.push(("gone", Ds(gone)));
            sentences.push(self.render("exocet.mirror.cannot", &slots));
        }
        let mut failures: Vec<String> = Vec::new();
        for tree in trees_of(step).filter(|tree| mirror.contains(&tree.assumed.cell)) {
            let (cell, beside) = match tree.assumed.cell == mirror[0] {
                true => (mirror[0], mirror[1]),
                false => (mirror[1], mirror[0]),
            };
            let sentence = match tree.inferences.first().map(|first| (&first.node, &first.reason)) {
                Some((node, InferenceReason::LastIn(OneOf::House(house, _))))
                    if node.cells == [beside] =>
                {
                    let locked = [
                        ("mirror", Cs(mirror.clone())),
                        ("d", D(node.digit)),
                        ("house", H(*house)),
                    ];
                    self.render("exocet.mirror.locked", &locked)
                }
                _ => {
                    self.render("exocet.mirror.beside", &[("beside", C(beside)), ("cell", C(cell))])
                }
            };
            if !failures.contains(&sentence) {
                failures.push(sentence);
            }
        }
        sentences.extend(failures);
        sentences.join(" ")
    }

    /// Explains why one target must contain the digit, and how each of them fails.
    fn exocet_link(&self, step: &Step, slots: &[(&str, Value)]) -> String {
        let Some(tree) = trees_of(step).next() else { return self.result(step) };
        let Candidate { cell, digit } = tree.assumed;
        let mut slots = slots.to_vec();
        slots.push(("d", D(digit)));
        let first = [
            self.result(step),
            self.render("suppose", &[]),
            self.render("exocet.link.reason", &slots),
        ];
        let branches: Vec<Tree> =
            tree.branches().iter().map(|branch| with_target(branch, digit)).collect();
        let mut lines = vec![first.join(" ")];
        self.branches_text(&branches, "", &mut Vec::new(), &mut lines);
        lines.push(self.render(
            "tree.closed",
            &[("n", N(branches.len())), ("cell", C(cell)), ("d", D(digit))],
        ));
        lines.join("\n")
    }

    /// Text for two exocets that share their cross-lines.
    fn double_exocet(&self, step: &Step, detail: Detail) -> Option<String> {
        let (first, second, lines) = self.double_of(step)?;
        let both = [first.clone(), second.clone()].concat();
        let slots = [
            ("name", T(self.short_name(step))),
            ("first", T(self.names.cells(&first))),
            ("second", T(self.names.cells(&second))),
            ("digits", Ds(self.digits_in(&both))),
            ("lines", Hs(lines)),
        ];
        Some(match detail {
            Detail::Hint => self.render("exocet.double.hint", &slots),
            Detail::Technique => self.render("exocet.double.pattern", &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render("exocet.double.reason", &slots))
            }
        })
    }

    /// Returns the two bases and the cross-lines of a double exocet. Its trees try the digits of
    /// the four base cells.
    fn double_of(&self, step: &Step) -> Option<(Vec<Cell>, Vec<Cell>, Vec<House>)> {
        if step.technique != Technique::DoubleExocet {
            return None;
        }
        let (mut cells, mut lines) = (Vec::new(), Vec::new());
        for tree in trees_of(step) {
            cells.extend(tree.tried_cells());
            walk(tree, &mut Vec::new(), &mut lines);
        }
        cells.sort_unstable();
        cells.dedup();
        lines.sort_unstable();
        lines.dedup();
        let in_first = |cell: &Cell| self.order.box_of(*cell) == self.order.box_of(cells[0]);
        let (first, second): (Vec<Cell>, Vec<Cell>) = cells.iter().copied().partition(in_first);
        (first.len() == 2 && second.len() == 2).then_some((first, second, lines))
    }

    /// Returns the exocet of a step if one of its trees shows all parts.
    fn exocet_of(&self, step: &Step) -> Option<Exocet> {
        let is_mirror = match step.technique {
            Technique::JuniorExocet | Technique::ExocetLink => false,
            Technique::ExocetMirror => true,
            _ => return None,
        };
        trees_of(step).find_map(|tree| {
            let (cells, count) = way_without_room(tree)?;
            let (_, mut lines, _) = truths_of(count);
            let (base, targets) = match (step.technique, &cells[..]) {
                // A mirror proof tries the target, the base and the other target. A digit of the
                // mirror may come before them.
                (_, [.., target, one, other, partner]) if is_mirror => {
                    (vec![*one, *other], vec![*target, *partner])
                }
                (Technique::ExocetLink, &[cell, target, partner]) => {
                    (vec![cell, self.beside(cell, &lines)?], vec![target, partner])
                }
                // A junior exocet tries a wrong target first, then the other target, then the base.
                (Technique::JuniorExocet, _) => {
                    let (mut cells, mut of) = (Vec::new(), Vec::new());
                    walk(tree, &mut cells, &mut of);
                    lines = of;
                    let [one, other, first, second] = cells[..] else { return None };
                    (vec![first, second], vec![one, other])
                }
                _ => return None,
            };
            lines.sort_unstable();
            lines.dedup();
            Some(Exocet { base, targets, lines })
        })
    }

    /// Returns the other cell of the base: in the same box and line, and not on a cross-line.
    fn beside(&self, cell: Cell, lines: &[House]) -> Option<Cell> {
        let order = self.order;
        let in_line = |&other: &Cell| match lines[0] {
            House::Row(_) => order.column_of(other) == order.column_of(cell),
            _ => order.row_of(other) == order.row_of(cell),
        };
        let is_free =
            |other: &Cell| !lines.iter().any(|line| order.houses_of(*other).contains(line));
        let in_box = order.cells_in(House::Box(order.box_of(cell) as u8)).iter().copied();
        in_box.filter(in_line).filter(is_free).find(|&other| other != cell)
    }
}

impl Exocet {
    /// Returns the cells in the box of the second target that repeat the digit of the first.
    fn mirror(&self, order: Order) -> Vec<Cell> {
        let along_rows = order.row_of(self.base[0]) == order.row_of(self.base[1]);
        let places = |cell: Cell| match along_rows {
            true => (order.row_of(cell), order.column_of(cell)),
            false => (order.column_of(cell), order.row_of(cell)),
        };
        let (line, target, partner) =
            (places(self.base[0]), places(self.targets[0]), places(self.targets[1]));
        let cells = order.cells_in(House::Box(order.box_of(self.targets[1]) as u8)).iter().copied();
        let in_mirror = |&cell: &Cell| {
            let (row, column) = places(cell);
            row != line.0 && row != target.0 && column != partner.1
        };
        cells.filter(in_mirror).collect()
    }
}

fn trees_of(step: &Step) -> impl Iterator<Item = &Tree> {
    let parts = match &step.reason {
        Reason::Together(parts) => &parts[..],
        only => std::slice::from_ref(only),
    };
    parts.iter().filter_map(|part| match part {
        Reason::Tree(tree) => Some(tree),
        _ => None,
    })
}

/// Returns the first path through a tree that ends with [`Ending::NoRoom`]: the cells that it
/// fills, and the count.
fn way_without_room(tree: &Tree) -> Option<(Vec<Cell>, &Count)> {
    let stated = tree.inferences.iter().map(|inference| inference.node.cells[0]);
    let mut cells: Vec<Cell> = std::iter::once(tree.assumed.cell).chain(stated).collect();
    if let Ending::NoRoom(count) = &tree.end {
        return Some((cells, count));
    }
    let (inside, count) = tree.branches().iter().find_map(way_without_room)?;
    cells.extend(inside);
    Some((cells, count))
}

fn walk(tree: &Tree, cells: &mut Vec<Cell>, lines: &mut Vec<House>) {
    let inferred = tree.inferences.iter().map(|inference| inference.node.cells[0]);
    for cell in std::iter::once(tree.assumed.cell).chain(inferred) {
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    if let Ending::NoRoom(count) = &tree.end {
        lines.extend(truths_of(count).1);
    }
    tree.branches().iter().for_each(|branch| walk(branch, cells, lines));
}

/// Rewrites a branch in which the first target has another digit so that the digit of the second
/// target follows from it. All its other choices leave no room in the cross-lines.
fn with_target(branch: &Tree, digit: Digit) -> Tree {
    let (target, choices) = match &branch.end {
        Ending::Split(OneOf::Cell(target), choices) if branch.assumed.digit != digit => {
            (target, choices)
        }
        _ => return branch.clone(),
    };
    let Some(choice) = choices.iter().find(|choice| choice.assumed.digit == digit) else {
        return Tree { end: choices[0].end.clone(), ..branch.clone() };
    };
    let node = Node::single(choice.assumed);
    let follows =
        Inference { node, holds: true, reason: InferenceReason::LastIn(OneOf::Cell(*target)) };
    let inferences =
        branch.inferences.iter().cloned().chain([follows]).chain(choice.inferences.iter().cloned());
    Tree { assumed: branch.assumed, inferences: inferences.collect(), end: choice.end.clone() }
}
