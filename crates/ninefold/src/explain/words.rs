//! Words for a step: where to look, what to look for, and the whole reason.
//!
//! Everything said here is read off the proof of the step, so the words cannot say more than was shown.

use super::notation::{Names, Notation, in_words};
use super::{patterns, story};
use crate::grid::{Candidates, Cell, Digit, DigitSet, House, Order};
use crate::proof::Technique;
use crate::proof::{Because, Candidate, Chain, Cluster, Count, Deadly, Inference, OneOf, Step, Strong, Truth, Why};

/// How much to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Where to look.
    Hint,
    /// What to look for.
    Technique,
    /// The whole reason.
    Full,
}

impl Step {
    /// Says the step in a position at one of the levels.
    pub fn explain(&self, candidates: &Candidates, detail: Detail) -> String {
        self.explain_in(candidates, detail, Notation::default())
    }

    /// Says the step with the names of a notation.
    pub fn explain_in(&self, candidates: &Candidates, detail: Detail, notation: Notation) -> String {
        let teller = Teller::new(candidates, notation);
        match detail {
            Detail::Hint => format!("Look at {}.", teller.place(self)),
            Detail::Technique => {
                let name = self.technique.to_string();
                let article = if name.starts_with(['A', 'E', 'X']) { "an" } else { "a" };
                format!("There is {article} {name} at {}.", teller.place(self))
            }
            Detail::Full => format!("{}: {}", self.technique, teller.reason(self)),
        }
    }

    /// The step in one line, as in `Naked Pair: 3,9 in r8c34 => r8c2<>3`.
    pub fn one_line(&self, candidates: &Candidates) -> String {
        self.one_line_in(candidates, Notation::default())
    }

    /// The step in one line with the names of a notation.
    pub fn one_line_in(&self, candidates: &Candidates, notation: Notation) -> String {
        let teller = Teller::new(candidates, notation);
        let conclusion = teller.names.conclusion(self);
        match teller.brief(self) {
            brief if brief.is_empty() => format!("{}: {conclusion}", self.technique),
            brief => format!("{}: {brief} => {conclusion}", self.technique),
        }
    }
}

/// Knows the position that a step is told about.
struct Teller<'a> {
    names: Names,
    order: Order,
    candidates: &'a Candidates,
}

impl<'a> Teller<'a> {
    fn new(candidates: &'a Candidates, notation: Notation) -> Teller<'a> {
        let order = candidates.order();
        Teller { names: Names { order, notation }, order, candidates }
    }

    fn candidate(&self, candidate: Candidate) -> String {
        format!("{} in {}", self.names.digit(candidate.digit), self.names.cell(candidate.cell))
    }

    fn houses(&self, houses: &[House]) -> String {
        let is_kind = |kind: usize, house: &&House| match house {
            House::Row(_) => kind == 0,
            House::Column(_) => kind == 1,
            House::Box(_) => kind == 2,
        };
        let parts = ["row", "column", "box"].iter().enumerate().filter_map(|(kind, name)| {
            let mut of_kind: Vec<House> = houses.iter().filter(|house| is_kind(kind, house)).copied().collect();
            of_kind.sort_unstable();
            let labels: Vec<String> = of_kind.into_iter().map(|house| self.names.label(house)).collect();
            let plural = match labels.len() {
                0 => return None,
                1 => "",
                _ if *name == "box" => "es",
                _ => "s",
            };
            Some(format!("{name}{plural} {}", in_words(&labels, "and")))
        });
        in_words(&parts.collect::<Vec<_>>(), "and")
    }

    fn house(&self, house: House) -> String {
        self.names.house_in_words(house)
    }

    /// Where the step happens: a house, a digit or some cells.
    fn place(&self, step: &Step) -> String {
        if let Some(exocet) = patterns::exocet_of(step) {
            return exocet.place(&self.names);
        }
        match &step.because {
            Because::LastDigit => self.names.cell(step.places[0].cell),
            Because::LastPlaceIn(house) => {
                format!("digit {} in {}", self.names.digit(step.places[0].digit), self.house(*house))
            }
            Because::Count(count) => self.place_of_count(step, count),
            Because::Chain(chain) => {
                let ends = [&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]];
                in_words(&ends.map(|end| self.names.cells(&end.cells)), "and")
            }
            Because::Colours(clusters) => {
                let all = clusters.iter().flat_map(|cluster| cluster.green.iter().chain(&cluster.blue));
                let set: DigitSet = all.map(|candidate| candidate.digit).collect();
                format!("the pairs of {}", self.names.digits_in_words(set))
            }
            Because::Cases(of, _) => self.one_of(*of),
            Because::Contradiction(branch) | Because::NoRoomAfter(branch, _) => self.names.cells(&branch[0].node.cells),
            Because::Tree(tree) => self.names.cell(tree.assumed.cell),
            Because::Templates(of, _) => format!("all places of {}", self.names.digit(*of)),
            Because::Together(parts) => self.place(&Step { because: parts[0].clone(), ..step.clone() }),
        }
    }

    fn place_of_count(&self, step: &Step, count: &Count) -> String {
        if let Some(deadly) = deadly_of(count) {
            return self.names.cells(&deadly.cells.iter().map(|(cell, _)| *cell).collect::<Vec<_>>());
        }
        if let Some(impossible) = patterns::impossible_of(count) {
            return self.names.cells(&impossible.cells);
        }
        let (truth_cells, houses, of) = parts_of(count);
        if matches!(step.technique, Technique::NakedSubset(_) | Technique::LockedPair | Technique::LockedTriple) {
            let (_, houses) = covers_of(count);
            return self.houses(&houses[..1]);
        }
        if truth_cells.is_empty() {
            let of_digits = self.names.digits_in_words(of);
            return format!("{of_digits} in {}", self.houses(&houses));
        }
        self.names.cells(&truth_cells)
    }

    fn one_of(&self, of: OneOf) -> String {
        match of {
            OneOf::Cell(cell) => self.names.cell(cell),
            OneOf::House(house, of) => format!("the places of {} in {}", self.names.digit(of), self.house(house)),
        }
    }

    /// The short reason of a one-liner.
    fn brief(&self, step: &Step) -> String {
        if let Some(exocet) = patterns::exocet_of(step) {
            return exocet.in_short(&self.names, self.candidates);
        }
        match &step.because {
            Because::LastDigit => String::new(),
            Because::LastPlaceIn(of) => self.names.house(*of),
            Because::Count(count) if patterns::tells(step, count) => {
                patterns::in_short(count, &self.names, self.candidates)
            }
            Because::Count(count) if is_direct(step.technique) => self.brief_direct(step, count),
            Because::Count(count) => self.brief_count(count),
            Because::Chain(chain) => self.names.eureka(chain),
            Because::Colours(clusters) => {
                let side = |side: &[Candidate]| {
                    let of = side.iter().map(|c| format!("({}){}", self.names.digit(c.digit), self.names.cell(c.cell)));
                    of.collect::<Vec<_>>().join(",")
                };
                let each = |cluster: &Cluster| format!("{} / {}", side(&cluster.green), side(&cluster.blue));
                clusters.iter().map(each).collect::<Vec<_>>().join("; ")
            }
            Because::Cases(of, _) => self.one_of(*of),
            Because::Contradiction(branch) => self.names.node(&branch[0].node),
            Because::NoRoomAfter(branch, count) => {
                format!("{} against {}", self.names.node(&branch[0].node), self.brief_fish(count))
            }
            Because::Tree(tree) => story::in_short(tree, &self.names, self.candidates),
            Because::Templates(of, _) => self.names.digit(*of),
            Because::Together(parts) => match step.technique {
                Technique::LockedPair | Technique::LockedTriple | Technique::SueDeCoq | Technique::RemotePair => {
                    self.brief(&Step { because: parts[0].clone(), ..step.clone() })
                }
                _ => {
                    let part = |part: &Because| self.brief(&Step { because: part.clone(), ..step.clone() });
                    parts.iter().map(part).collect::<Vec<_>>().join("; ")
                }
            },
        }
    }

    fn brief_count(&self, count: &Count) -> String {
        if let Some(deadly) = deadly_of(count) {
            let (pattern, pairs) = self.pattern(deadly);
            return format!("{pairs} in {pattern}");
        }
        let ((truth_cells, _, of), (cover_cells, _)) = (parts_of(count), covers_of(count));
        if !truth_cells.is_empty() {
            let held = truth_cells.iter().fold(DigitSet::EMPTY, |held, &cell| held | self.candidates.at(cell));
            return format!("{} in {}", self.names.digits(held), self.names.cells(&truth_cells));
        }
        if !cover_cells.is_empty() {
            return format!("{} in {}", self.names.digits(of), self.names.cells(&cover_cells));
        }
        let fins = self.fins(count);
        let fins = if fins.is_empty() { String::new() } else { format!(" f{}", self.names.cells(&fins)) };
        format!("{}{fins}", self.brief_fish(count))
    }

    /// The digit, the base houses and the cover houses.
    fn brief_fish(&self, count: &Count) -> String {
        let ((_, houses, of), (_, cover_houses)) = (parts_of(count), covers_of(count));
        let (bases, covers) = (self.names.houses(&houses), self.names.houses(&cover_houses));
        format!("{} {bases} {covers}", self.names.digits(of))
    }

    /// What the direct form takes away, and where that leaves one place.
    fn brief_direct(&self, step: &Step, count: &Count) -> String {
        let ((_, houses, of), (cover_cells, cover_houses)) = (parts_of(count), covers_of(count));
        let placed = step.places[0].digit;
        if cover_cells.is_empty() {
            let [base, last] = [houses[0], houses[1]].map(|one| self.names.house(one));
            let cover = self.names.houses(&cover_houses);
            return format!("{} in {base} and {cover}, last place in {last}", self.names.digit(placed));
        }
        let subset = self.names.digits(of.without(placed));
        format!("{subset} in {}, last place in {}", self.names.cells(&cover_cells), self.names.house(houses[0]))
    }

    /// The whole reason in sentences.
    fn reason(&self, step: &Step) -> String {
        let so = self.so(step);
        if let Some(exocet) = patterns::exocet_of(step) {
            return format!("{} {so}", exocet.tell(&self.names, self.candidates));
        }
        match &step.because {
            Because::LastDigit => {
                let place = step.places[0];
                let (cell, of) = (self.names.cell(place.cell), self.names.digit(place.digit));
                format!("{cell} can hold nothing but {of}, because it sees every other digit or has lost it. {so}")
            }
            Because::LastPlaceIn(house) => self.last_place(step, *house),
            Because::Count(count) if patterns::tells(step, count) => {
                format!("{} {so}", patterns::tell(count, &self.names, self.candidates))
            }
            Because::Count(count) => format!("{} {so}", self.count(step, count)),
            Because::Chain(chain) => format!("{} {so}", self.chain(chain)),
            Because::Colours(clusters) => format!("{} {so}", self.colours(clusters)),
            Because::Cases(of, branches) => {
                let cases: Vec<String> = branches.iter().map(|branch| self.branch(branch)).collect();
                format!("One of the candidates of {} is true. {} {so}", self.one_of(*of), cases.join(" "))
            }
            Because::Contradiction(branch) => {
                format!("{} That leaves a cell without a digit or a digit without a place. {so}", self.branch(branch))
            }
            Because::NoRoomAfter(branch, count) => format!("{} {} {so}", self.branch(branch), self.no_room(count)),
            Because::Tree(tree) => format!("{} {so}", story::tell(tree, &self.names, self.candidates)),
            Because::Templates(of, first) => self.templates(*of, first, &so),
            Because::Together(parts) => {
                let part = |part: &Because| self.reason_only(step, part);
                let mut said: Vec<String> = parts.iter().map(part).collect();
                said.dedup();
                format!("{} {so}", said.join(" "))
            }
        }
    }

    fn reason_only(&self, step: &Step, because: &Because) -> String {
        match because {
            Because::Count(count) => self.count(step, count),
            Because::Chain(chain) => self.chain(chain),
            Because::Tree(tree) => story::tell(tree, &self.names, self.candidates),
            Because::Cases(of, branches) => {
                let cases: Vec<String> = branches.iter().map(|branch| self.branch(branch)).collect();
                format!("One of the candidates of {} is true. {}", self.one_of(*of), cases.join(" "))
            }
            _ => String::new(),
        }
    }

    fn so(&self, step: &Step) -> String {
        let is = |place: &Candidate| format!("{} is {}", self.names.cell(place.cell), self.names.digit(place.digit));
        let mut said: Vec<String> = step.places.iter().map(is).collect();
        let all: DigitSet = step.removes.iter().map(|candidate| candidate.digit).collect();
        for of in all {
            let hit: Vec<Cell> = step.removes.iter().filter(|c| c.digit == of).map(|c| c.cell).collect();
            said.push(format!(
                "{} {} not {}",
                self.names.cells(&hit),
                if hit.len() == 1 { "is" } else { "are" },
                self.names.digit(of)
            ));
        }
        format!("So {}.", in_words(&said, "and"))
    }

    fn last_place(&self, step: &Step, house: House) -> String {
        let place = step.places[0];
        let (cell, of) = (self.names.cell(place.cell), self.names.digit(place.digit));
        let name = self.house(house);
        if step.technique == Technique::FullHouse {
            return format!(
                "{cell} is the last empty cell of {name}, and {of} is the digit it lacks. So {cell} is {of}."
            );
        }
        let empty = |c: &&Cell| **c != place.cell && self.candidates.grid()[**c].is_none();
        let others: Vec<Cell> = self.order.cells_in(house).iter().filter(empty).copied().collect();
        let blocks = |&(at, d): &(Cell, Digit)| {
            d == place.digit && others.iter().any(|&other| self.order.see_each_other(at, other))
        };
        let seen_from: Vec<String> =
            self.candidates.grid().clues().filter(blocks).map(|(at, _)| self.names.cell(at)).collect();
        let seen = if seen_from.is_empty() {
            String::new()
        } else {
            format!(" ({of} is seen from {})", in_words(&seen_from, "and"))
        };
        format!("In {name} only {cell} can still hold {of}{seen}. So {cell} is {of}.")
    }

    fn count(&self, step: &Step, count: &Count) -> String {
        if let Some(deadly) = deadly_of(count) {
            return self.uniqueness(count, deadly);
        }
        if is_direct(step.technique) {
            return self.direct(step, count);
        }
        let (truth_cells, houses, of) = parts_of(count);
        let (cover_cells, cover_houses) = covers_of(count);
        if houses.is_empty() {
            let held = truth_cells.iter().fold(DigitSet::EMPTY, |held, &cell| held | self.candidates.at(cell));
            let room = self.names.cells(&truth_cells);
            let (n, all) = (truth_cells.len(), self.names.digits_in_words(held));
            return match step.technique {
                Technique::NakedSubset(_) | Technique::LockedPair | Technique::LockedTriple => {
                    format!(
                        "{room} hold only {all} between them, so these digits are used up in {}.",
                        self.houses(&cover_houses[..1])
                    )
                }
                Technique::SueDeCoq => format!(
                    "The {n} cells {room} hold the {n} digits {all}, and each digit can be used only once among them, so each is used exactly once."
                ),
                _ => {
                    let free: DigitSet = step.removes.iter().map(|candidate| candidate.digit).collect();
                    format!(
                        "The {n} cells {room} hold {all}, and each digit but {} fits only once into them. Without {} there would be too few digits, so one of these cells holds it.",
                        self.names.digits_in_words(free),
                        self.names.digits_in_words(free),
                    )
                }
            };
        }
        if !cover_cells.is_empty() {
            return format!(
                "In {} the digits {} have only the places {}, so nothing else goes there.",
                self.houses(&houses[..1]),
                self.names.digits_in_words(of),
                self.names.cells(&cover_cells)
            );
        }
        let (bases, covers, d) = (self.houses(&houses), self.houses(&cover_houses), self.names.digits(of));
        if houses.len() == 1 {
            return format!("In {bases} every place for {d} lies in {covers}, so {covers} has its {d} there.");
        }
        let fins = self.fins(count);
        if fins.is_empty() {
            return format!(
                "In {bases} every place for {d} lies in {covers}, so these have their {d} there and nowhere else."
            );
        }
        format!(
            "In {bases} every place for {d} lies in {covers}, but for the fins {}. If no fin holds {d}, {covers} have their {d} there and nowhere else. The candidates in question see all fins.",
            self.names.cells(&fins)
        )
    }

    fn direct(&self, step: &Step, count: &Count) -> String {
        let ((_, houses, of), (cover_cells, cover_houses)) = (parts_of(count), covers_of(count));
        let placed = step.places[0].digit;
        let d = self.names.digit(placed);
        if cover_cells.is_empty() {
            let (base, last, cover) = (self.house(houses[0]), self.house(houses[1]), self.houses(&cover_houses));
            return format!(
                "In {base} every place for {d} lies in {cover}, so {cover} has its {d} there. That leaves {d} one place in {last}."
            );
        }
        format!(
            "In {} the digits {} have only the places {}, so nothing else goes there. That leaves {d} one place.",
            self.house(houses[0]),
            self.names.digits_in_words(of.without(placed)),
            self.names.cells(&cover_cells)
        )
    }

    /// The end of a kraken fish.
    fn no_room(&self, count: &Count) -> String {
        let ((_, houses, of), (_, cover_houses)) = (parts_of(count), covers_of(count));
        let (bases, covers, d) = (self.houses(&houses), self.houses(&cover_houses), self.names.digits(of));
        let both = if houses.len() == 2 { "both" } else { "all" };
        let takes = match cover_houses.len() {
            1 => "takes only one".to_string(),
            room => format!("take only {room}"),
        };
        format!("Then {bases} must {both} have their {d} in {covers}, which {takes}.")
    }

    /// Base places outside the covers, or in two base houses.
    fn fins(&self, count: &Count) -> Vec<Cell> {
        let places = |of: &OneOf| match of {
            OneOf::House(house, of) => {
                let has = |cell: &&Cell| self.candidates.at(**cell).contains(*of);
                self.order.cells_in(*house).iter().filter(has).copied().collect()
            }
            OneOf::Cell(cell) => vec![*cell],
        };
        let covered: Vec<Cell> = count.covers.iter().flat_map(places).collect();
        let mut base: Vec<Cell> = Vec::new();
        let mut fins: Vec<Cell> = Vec::new();
        for truth in &count.truths {
            let Truth::OneOf(of) = truth else { continue };
            for cell in places(of) {
                if base.contains(&cell) || !covered.contains(&cell) {
                    fins.push(cell);
                }
                base.push(cell);
            }
        }
        fins.sort_unstable();
        fins.dedup();
        fins
    }

    fn pattern(&self, deadly: &Deadly) -> (String, String) {
        let all: Vec<Cell> = deadly.cells.iter().map(|(cell, _)| *cell).collect();
        let held = deadly.cells.iter().fold(DigitSet::EMPTY, |held, (_, pair)| held | *pair);
        let pairs = held.map(|d| self.names.digit(d)).collect::<Vec<_>>().join("/");
        (self.names.cells(&all), pairs)
    }

    fn uniqueness(&self, count: &Count, deadly: &Deadly) -> String {
        let (pattern, pairs) = self.pattern(deadly);
        let guardians = deadly
            .cells
            .iter()
            .flat_map(|&(cell, pair)| (self.candidates.at(cell) - pair).map(move |d| Candidate::new(cell, d)))
            .map(|candidate| self.candidate(candidate));
        let guardians = in_words(&guardians.collect::<Vec<_>>(), "or");
        let mut said = format!(
            "If {pattern} held nothing but {pairs}, these digits could be exchanged and the puzzle would have two solutions. As it has only one, {guardians} is true."
        );
        let (truth_cells, houses, of) = parts_of(count);
        if !truth_cells.is_empty() {
            said += &format!(" Together with {} that makes a locked set.", self.names.cells(&truth_cells));
        }
        if !houses.is_empty() {
            let d = self.names.digits(of);
            said += &format!(" In {} the {d} must lie in the pattern.", self.houses(&houses));
        }
        said
    }

    fn chain(&self, chain: &Chain) -> String {
        let mut said = format!("{}. ", self.names.eureka(chain));
        for (index, (pair, reason)) in chain.nodes.chunks(2).zip(&chain.strong).enumerate() {
            let (a, b) = (self.names.node(&pair[0]), self.names.node(&pair[1]));
            let why = match reason {
                Strong::OneOf(OneOf::Cell(cell)) => format!("{} has no third digit", self.names.cell(*cell)),
                Strong::OneOf(OneOf::House(house, _)) => format!("{} has no other place", self.house(*house)),
                Strong::AlmostLockedSet(set) => {
                    format!("{} would have too few digits without both", self.names.cells(set))
                }
            };
            said += &match index {
                0 => format!("If {a} is false, {b} is true, as {why}"),
                _ => format!("; so {a} is false and {b} is true, as {why}"),
            };
        }
        let ends = [&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]].map(|end| self.names.node(end));
        said += ". ";
        said += &if chain.closed {
            "The ends see each other, so the chain is a loop, and exactly one end of each weak link is true."
                .to_string()
        } else if ends[0] == ends[1] {
            format!("So {} cannot be false.", ends[0])
        } else {
            format!("So {} or {} is true, and whatever sees both is false.", ends[0], ends[1])
        };
        said
    }

    fn colours(&self, clusters: &[Cluster]) -> String {
        let list = |side: &[Candidate]| in_words(&side.iter().map(|&c| self.candidate(c)).collect::<Vec<_>>(), "and");
        let each =
            |cluster: &Cluster| format!("Either {} are true or {} are.", list(&cluster.green), list(&cluster.blue));
        let said = clusters.iter().map(each).collect::<Vec<_>>().join(" ");
        format!("{said} Whichever it is, the conclusion holds, or a house or a cell would break.")
    }

    /// One branch of a proof by cases, as one sentence.
    fn branch(&self, branch: &[Inference]) -> String {
        let mut said = String::new();
        for inference in branch {
            let name = self.names.node(&inference.node);
            let verb = if inference.holds { "is true" } else { "is false" };
            said += &match &inference.why {
                Why::Assumed => format!("Suppose {name} {verb}"),
                Why::Seen => format!("; then {name} {verb}"),
                Why::LastIn(OneOf::Cell(_)) => format!("; then {name} {verb}, the last digit of its cell"),
                Why::LastIn(OneOf::House(house, _)) => {
                    format!("; then {name} {verb}, the last place in {}", self.house(*house))
                }
                Why::LockedIn(set) => format!("; then {name} {verb}, as {} is locked", self.names.cells(set)),
            };
        }
        said + "."
    }

    fn templates(&self, of: Digit, first: &[Candidate], so: &str) -> String {
        let of = self.names.digit(of);
        let known = if first.is_empty() {
            String::new()
        } else {
            format!(" off {}, which other digits take in the same way", self.names.removals(first).replace("<>", "="))
        };
        format!("There are only so many ways to place every {of}{known}, and all of them agree here. {so}")
    }
}

fn is_direct(technique: Technique) -> bool {
    matches!(
        technique,
        Technique::DirectPointing
            | Technique::DirectClaiming
            | Technique::DirectHiddenPair
            | Technique::DirectHiddenTriple
    )
}

fn deadly_of(count: &Count) -> Option<&Deadly> {
    count.truths.iter().find_map(|truth| match truth {
        Truth::Guardians(deadly) => Some(deadly),
        Truth::OneOf(_) | Truth::Escape(_) => None,
    })
}

/// The cells, the houses and the digits of the truths.
fn parts_of(count: &Count) -> (Vec<Cell>, Vec<House>, DigitSet) {
    let (mut truth_cells, mut houses, mut of) = (Vec::new(), Vec::new(), DigitSet::EMPTY);
    for truth in &count.truths {
        match truth {
            Truth::OneOf(OneOf::Cell(cell)) => truth_cells.push(*cell),
            Truth::OneOf(OneOf::House(house, digit)) => {
                houses.push(*house);
                of.insert(*digit);
            }
            Truth::Guardians(_) | Truth::Escape(_) => {}
        }
    }
    truth_cells.sort_unstable();
    (truth_cells, houses, of)
}

/// The cells and the houses of the covers.
fn covers_of(count: &Count) -> (Vec<Cell>, Vec<House>) {
    let (mut cover_cells, mut houses) = (Vec::new(), Vec::new());
    for cover in &count.covers {
        match cover {
            OneOf::Cell(cell) => cover_cells.push(*cell),
            OneOf::House(house, _) => houses.push(*house),
        }
    }
    (cover_cells, houses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Position};
    use crate::logic::find;

    fn check(technique: Technique, puzzle: &str, expected: [&str; 3]) {
        let puzzle: Grid = puzzle.parse().unwrap();
        let position = Position::start(&puzzle).unwrap();
        let step = find(technique, &position).unwrap();
        let said =
            [Detail::Hint, Detail::Technique, Detail::Full].map(|detail| step.explain(position.candidates(), detail));
        assert_eq!(said, expected);
    }

    #[test]
    fn each_level_says_more_than_the_one_before() {
        check(
            Technique::NakedSingle,
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            [
                "Look at r5c5.",
                "There is a Naked Single at r5c5.",
                "Naked Single: r5c5 can hold nothing but 5, because it sees every other digit or has lost it. \
                 So r5c5 is 5.",
            ],
        );
        check(
            Technique::Pointing,
            "984........25...4...19.4..2..6.9723...36.2...2.9.3561.195768423427351896638..9751",
            [
                "Look at 5 in box 1.",
                "There is a Locked Candidates Type 1 at 5 in box 1.",
                "Locked Candidates Type 1: In box 1 every place for 5 lies in row 3, so row 3 has its 5 there. \
                 So r3c7 is not 5.",
            ],
        );
    }
}
