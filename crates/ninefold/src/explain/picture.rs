//! Pictures of steps: colours, arrows, and drawings as SVG.
//!
//! A [`Picture`] is derived from the proof of a step. Programs can draw it themselves. [`svg()`]
//! returns an SVG drawing, [`page()`] a complete explanation as HTML, and [`print()`] one as PDF.

mod arrow;
mod board;
mod drawing;
mod page;
mod pdf;
mod print;
mod rules;
mod svg;
mod tree;
mod typeface;

pub use board::{puzzle, svg, svgs};
pub use page::page;
pub use print::print;

use crate::grid::rules::Rule;
use crate::grid::{Candidates, Cell, House};
use crate::proof::{
    Candidate, Chain, Combined, Count, Inference, Node, OneOf, Reason, Step, Strong, Truth,
};

/// Role of a candidate in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// Part of the pattern. In chains and colourings, one of the two sides.
    Green,
    /// The other side.
    Blue,
    /// Fin: a place of a fish outside its cover houses, or in two of its base houses.
    Fin,
    /// The candidate is removed.
    Removed,
    /// The candidate is placed.
    Placed,
}

/// Arrow from one group of candidates to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Start of the arrow.
    pub from: Node,
    /// End of the arrow.
    pub to: Node,
    /// True for a strong link, drawn as a solid line. Weak links are dashed.
    pub strong: bool,
    /// Branch that the arrow belongs to, counted from 1; 0 if there is only one.
    pub branch: usize,
}

/// What to draw over a grid with candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Houses that the proof uses.
    pub houses: Vec<House>,
    /// Cells that the proof uses with all their candidates.
    pub cells: Vec<Cell>,
    /// Rules of the puzzle that the proof uses, by their index.
    pub rules: Vec<usize>,
    /// Coloured candidates. Later entries are drawn over earlier ones.
    pub candidates: Vec<(Candidate, Ink)>,
    /// Links between candidates.
    pub arrows: Vec<Arrow>,
}

/// Picture of one branch of a proof with several branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Candidate that the branch assumes.
    pub assumes: Candidate,
    /// Picture of the branch.
    pub picture: Picture,
}

impl Picture {
    /// Creates the picture of a step in a position.
    pub fn new(step: &Step, position: &Candidates) -> Picture {
        let mut picture = Picture::default();
        picture.add(&step.reason, position);
        picture.finish(step);
        picture
    }

    /// Returns one picture for each branch of a proof by cases, or one for each path through a
    /// proof tree. The list is empty for other proofs.
    pub fn branches(step: &Step) -> Vec<Branch> {
        let mut all = Vec::new();
        let parts = match &step.reason {
            Reason::Together(parts) => &parts[..],
            only => std::slice::from_ref(only),
        };
        for part in parts {
            if let Reason::Tree(tree) = part {
                tree::ways(tree, step, &mut all);
            }
            let Reason::Cases(of, branches) = part else { continue };
            for branch in branches {
                let Some(assumes) = branch.first().and_then(|first| first.node.candidates().next())
                else {
                    continue;
                };
                let mut picture = Picture::default();
                picture.add_room(*of);
                picture.add_branch(branch, all.len() + 1);
                picture.finish(step);
                all.push(Branch { assumes, picture });
            }
        }
        all
    }

    /// Removed and placed candidates replace earlier colours of the same candidates.
    fn finish(&mut self, step: &Step) {
        self.houses.sort_unstable();
        self.houses.dedup();
        self.cells.sort_unstable();
        self.cells.dedup();
        self.rules.sort_unstable();
        self.rules.dedup();
        let ink = |ink: Ink| move |&candidate: &Candidate| (candidate, ink);
        self.candidates.extend(step.removes.iter().map(ink(Ink::Removed)));
        self.candidates.extend(step.places.iter().map(ink(Ink::Placed)));
    }

    fn add(&mut self, reason: &Reason, position: &Candidates) {
        match reason {
            Reason::LastDigit => {}
            Reason::LastPlaceIn(house) => self.houses.push(*house),
            Reason::Count(count) => self.add_count(count, position),
            Reason::Chain(chain) => self.add_chain(chain),
            Reason::Colours(clusters) => {
                for cluster in clusters {
                    self.candidates
                        .extend(cluster.green.iter().map(|&candidate| (candidate, Ink::Green)));
                    self.candidates
                        .extend(cluster.blue.iter().map(|&candidate| (candidate, Ink::Blue)));
                    let arrow = |&(from, to, _): &(Candidate, Candidate, OneOf)| Arrow {
                        from: Node::single(from),
                        to: Node::single(to),
                        strong: true,
                        branch: 0,
                    };
                    self.arrows.extend(cluster.links.iter().map(arrow));
                }
            }
            Reason::Cases(of, branches) => {
                self.add_room(*of);
                for (index, branch) in branches.iter().enumerate() {
                    self.add_branch(branch, index + 1);
                }
            }
            Reason::Contradiction(branch) => self.add_branch(branch, 0),
            Reason::NoRoomAfter(branch, count) => {
                self.add_count(count, position);
                self.add_branch(branch, 0);
            }
            Reason::Tree(tree) => self.add_tree(tree),
            Reason::Rule(combined) => self.add_rules(combined),
            Reason::Templates(digit, _) => {
                let has = |cell: &Cell| position.at(*cell).contains(*digit);
                let places =
                    position.order().cells().filter(has).map(|cell| Candidate::new(cell, *digit));
                self.candidates.extend(places.map(|candidate| (candidate, Ink::Blue)));
            }
            Reason::Together(parts) => parts.iter().for_each(|part| self.add(part, position)),
        }
    }

    fn add_room(&mut self, of: OneOf) {
        match of {
            OneOf::Cell(cell) => self.cells.push(cell),
            OneOf::House(house, _) => self.houses.push(house),
        }
    }

    /// Marks the rules and houses of an argument.
    fn add_rules(&mut self, combined: &Combined) {
        self.houses.extend(combined.houses());
        self.rules.extend(combined.rules());
    }

    fn add_count(&mut self, count: &Count, position: &Candidates) {
        for truth in &count.truths {
            match truth {
                Truth::OneOf(of) => {
                    self.add_room(*of);
                    self.candidates
                        .extend(members(*of, position).map(|candidate| (candidate, Ink::Green)));
                }
                Truth::Needs(combined, digit) => {
                    self.add_rules(combined);
                    let rules = position.grid().rules();
                    let cells = combined.rules().filter_map(|index| rules?.rules().get(index));
                    for cell in cells.flat_map(Rule::cells) {
                        if position.at(cell).contains(*digit) {
                            self.candidates.push((Candidate::new(cell, *digit), Ink::Green));
                        }
                    }
                }
                Truth::Escape(impossible) => {
                    for &cell in &impossible.cells {
                        self.cells.push(cell);
                        for digit in position.at(cell) {
                            let ink = if impossible.digits.contains(digit) {
                                Ink::Blue
                            } else {
                                Ink::Green
                            };
                            self.candidates.push((Candidate::new(cell, digit), ink));
                        }
                    }
                }
                Truth::Guardians(deadly) => {
                    for &(cell, pair) in &deadly.cells {
                        self.cells.push(cell);
                        for digit in position.at(cell) {
                            let ink = if pair.contains(digit) { Ink::Blue } else { Ink::Green };
                            self.candidates.push((Candidate::new(cell, digit), ink));
                        }
                    }
                }
            }
        }
        self.add_fins(count, position);
    }

    /// Fins are marked after all places have their colour.
    fn add_fins(&mut self, count: &Count, position: &Candidates) {
        let is_house = |of: &OneOf| matches!(of, OneOf::House(..));
        let bases: Vec<OneOf> = count
            .truths
            .iter()
            .filter_map(|truth| match truth {
                Truth::OneOf(of) if is_house(of) => Some(*of),
                _ => None,
            })
            .collect();
        if bases.len() < 2 || bases.len() < count.truths.len() || !count.covers.iter().all(is_house)
        {
            return;
        }
        let covered = |place: &Candidate| {
            count.covers.iter().any(|&of| members(of, position).any(|c| c == *place))
        };
        let twice = |place: &Candidate| {
            bases.iter().filter(|&&of| members(of, position).any(|c| c == *place)).count()
        };
        let places: Vec<Candidate> = bases.iter().flat_map(|&of| members(of, position)).collect();
        let fins = places.into_iter().filter(|place| !covered(place) || twice(place) > 1);
        self.candidates.extend(fins.map(|fin| (fin, Ink::Fin)));
    }

    fn add_chain(&mut self, chain: &Chain) {
        for reason in &chain.strong {
            if let Strong::AlmostLockedSet(set) = reason {
                self.cells.extend(set);
            }
        }
        for (index, node) in chain.nodes.iter().enumerate() {
            let ink = if index % 2 == 0 { Ink::Blue } else { Ink::Green };
            self.candidates.extend(node.candidates().map(|candidate| (candidate, ink)));
        }
        for (index, pair) in chain.nodes.windows(2).enumerate() {
            self.arrows.push(Arrow {
                from: pair[0].clone(),
                to: pair[1].clone(),
                strong: index % 2 == 0,
                branch: 0,
            });
        }
        if let (true, Some(first), Some(last)) =
            (chain.closed, chain.nodes.first(), chain.nodes.last())
        {
            self.arrows.push(Arrow {
                from: last.clone(),
                to: first.clone(),
                strong: false,
                branch: 0,
            });
        }
    }

    /// Draws an arrow to each inference from the latest earlier one of the opposite kind.
    fn add_branch(&mut self, branch: &[Inference], number: usize) {
        for (index, inference) in branch.iter().enumerate() {
            let ink = if inference.holds { Ink::Green } else { Ink::Blue };
            self.candidates.extend(inference.node.candidates().map(|candidate| (candidate, ink)));
            let before = branch[..index].iter().rev().find(|other| other.holds != inference.holds);
            if let Some(other) = before {
                let (from, to) = (other.node.clone(), inference.node.clone());
                self.arrows.push(Arrow { from, to, strong: inference.holds, branch: number });
            }
        }
    }

    fn ink_of(&self, candidate: Candidate) -> Option<Ink> {
        self.candidates.iter().rev().find(|(other, _)| *other == candidate).map(|(_, ink)| *ink)
    }
}

fn members(of: OneOf, position: &Candidates) -> Box<dyn Iterator<Item = Candidate> + '_> {
    match of {
        OneOf::Cell(cell) => {
            Box::new(position.at(cell).map(move |digit| Candidate::new(cell, digit)))
        }
        OneOf::House(house, digit) => Box::new(
            position.places_for(digit, house).iter().map(move |cell| Candidate::new(cell, digit)),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Position};
    use crate::logic::find;
    use crate::proof::{SubsetSize, Technique};

    #[test]
    fn naked_pair_shows_its_cells_and_eliminations() {
        let puzzle: Grid =
            "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1."
                .parse()
                .unwrap();
        let position = Candidates::new(&puzzle).unwrap();
        let step = find(
            Technique::NakedSubset(SubsetSize::Pair),
            &Position::from_puzzle(&puzzle).unwrap(),
        )
        .unwrap();
        let picture = Picture::new(&step, &position);
        assert_eq!(picture.cells.len(), 2);
        assert!(
            step.removes.iter().all(|&candidate| picture.ink_of(candidate) == Some(Ink::Removed))
        );
        let drawn = svg(&puzzle, &position, Some(&step));
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert_eq!(drawn.matches("stroke=\"#b91c1c\"").count(), step.removes.len());
        assert!(drawn.contains("<title>Naked Pair: "));
        assert_eq!(drawn.matches("class=\"label\"").count(), 18, "rows and columns are labelled");
        assert!(drawn.contains("class=\"caption\""));
    }

    #[test]
    fn fins_have_their_own_ink() {
        let puzzle: Grid =
            ".52..68.......7.2.......6....48..9..2..41......1.....8..61..38.....9...63..6..1.9"
                .parse()
                .unwrap();
        let path = crate::explain(&puzzle).unwrap();
        let is_finned = |(_, step): &(Candidates, &Step)| step.technique.slug() == "finned-x-wing";
        let (position, step) =
            path.positions().find(is_finned).expect("the path has a finned X-Wing");
        let picture = Picture::new(step, &position);
        let fins = picture.candidates.iter().filter(|(_, ink)| *ink == Ink::Fin);
        assert_eq!(
            fins.map(|(fin, _)| puzzle.order().name_of(fin.cell)).collect::<Vec<_>>(),
            ["r5c7"]
        );
    }

    #[test]
    fn proof_by_cases_has_a_picture_for_each_branch() {
        let puzzle: Grid =
            ".5.9.86....4......3...6.8........7....683.......7.2..12..5..9...9...1..6.......35"
                .parse()
                .unwrap();
        let path = crate::explain(&puzzle).unwrap();
        let is_cases =
            |(_, step): &(Candidates, &Step)| step.technique == Technique::CellForcingChain;
        let (position, step) =
            path.positions().find(is_cases).expect("the path has a forcing chain");
        let branches = Picture::branches(step);
        let Reason::Cases(_, cases) = &step.reason else { panic!("a forcing chain has cases") };
        assert_eq!(branches.len(), cases.len());
        assert!(
            branches.iter().zip(1..).all(|(one, number)| one
                .picture
                .arrows
                .iter()
                .all(|a| a.branch == number))
        );
        let drawn = svgs(&puzzle, &position, step, crate::Language::English);
        assert_eq!(drawn.len(), 1 + cases.len());
    }

    #[test]
    fn puzzle_picture_shows_clues_without_marks() {
        let line =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let drawn = puzzle(&line.parse().unwrap(), crate::Notation::default());
        assert_eq!(drawn.matches("class=\"clue\"").count(), 30);
        assert_eq!(drawn.matches("class=\"mark\"").count(), 0);
    }

    #[test]
    fn page_contains_every_step_and_a_board_for_each_non_single() {
        let puzzle: Grid =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let explanation = crate::explain(&puzzle).unwrap();
        let html = page(&explanation, crate::Language::English);
        assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
        assert_eq!(html.matches("<li value=").count(), explanation.steps.len());
        let is_single =
            |step: &&Step| !matches!(step.reason, Reason::LastDigit | Reason::LastPlaceIn(_));
        assert!(html.matches("<svg ").count() > explanation.steps.iter().filter(is_single).count());
        assert!(html.contains("@media print") && html.contains("Solved by logic alone"));
    }

    #[test]
    fn chain_has_an_arrow_for_each_link() {
        let puzzle: Grid =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let path = crate::explain(&puzzle).unwrap();
        let is_kite = |(_, step): &(Candidates, &Step)| step.technique == Technique::TwoStringKite;
        let (position, step) = path.positions().find(is_kite).expect("the path has a kite");
        let picture = Picture::new(step, &position);
        assert_eq!(
            picture.arrows.iter().map(|arrow| arrow.strong).collect::<Vec<_>>(),
            [true, false, true]
        );
    }
}
