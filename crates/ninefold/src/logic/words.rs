//! Words for a step: where to look, what to look for, and the whole reason.
//!
//! Everything said here is read off the proof of the step, so the words cannot say more than was shown.

use super::notation::{self, cells, digit, digits, digits_in_words, eureka, house, in_words, node, removals};
use super::step::{Because, Candidate, Chain, Cluster, Count, Deadly, Inference, OneOf, Step, Strong, Truth, Why};
use super::technique::Technique;
use crate::grid::{Candidates, Cell, Digit, DigitSet, House, Order};

/// How much to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Where to look.
    Hint,
    /// What to look for.
    Technique,
    /// The whole reason.
    Full,
}

impl Step {
    /// Says the step in a position at one of the levels.
    pub fn explain(&self, candidates: &Candidates, level: Level) -> String {
        let teller = Teller { order: candidates.order(), candidates };
        match level {
            Level::Hint => format!("Look at {}.", teller.place(self)),
            Level::Technique => {
                let name = self.technique.to_string();
                let article = if name.starts_with(['A', 'E', 'X']) { "an" } else { "a" };
                format!("There is {article} {name} at {}.", teller.place(self))
            }
            Level::Full => format!("{}: {}", self.technique, teller.reason(self)),
        }
    }

    /// The step in one line, as in `Naked Pair: 3,9 in r8c34 => r8c2<>3`.
    pub fn one_line(&self, candidates: &Candidates) -> String {
        let teller = Teller { order: candidates.order(), candidates };
        let conclusion = self.conclusion(candidates.order());
        match teller.brief(self) {
            brief if brief.is_empty() => format!("{}: {conclusion}", self.technique),
            brief => format!("{}: {brief} => {conclusion}", self.technique),
        }
    }
}

/// Knows the position that a step is told about.
struct Teller<'a> {
    order: Order,
    candidates: &'a Candidates,
}

impl Teller<'_> {
    fn candidate(&self, candidate: Candidate) -> String {
        format!("{} in {}", digit(self.order, candidate.digit), self.order.name_of(candidate.cell))
    }

    fn houses(&self, houses: &[House]) -> String {
        let number_in = |kind: usize, house: &House| match (kind, *house) {
            (0, House::Row(number)) | (1, House::Column(number)) | (2, House::Box(number)) => Some(number + 1),
            _ => None,
        };
        let parts = ["row", "column", "box"].iter().enumerate().filter_map(|(kind, name)| {
            let numbers: Vec<String> =
                houses.iter().filter_map(|house| number_in(kind, house)).map(|number| number.to_string()).collect();
            let plural = match numbers.len() {
                0 => return None,
                1 => "",
                _ if *name == "box" => "es",
                _ => "s",
            };
            Some(format!("{name}{plural} {}", in_words(&numbers, "and")))
        });
        in_words(&parts.collect::<Vec<_>>(), "and")
    }

    /// Where the step happens: a house, a digit or some cells.
    fn place(&self, step: &Step) -> String {
        match &step.because {
            Because::LastDigit => self.order.name_of(step.places[0].cell),
            Because::LastPlaceIn(house) => format!("digit {} in {house}", digit(self.order, step.places[0].digit)),
            Because::Count(count) => self.place_of_count(step, count),
            Because::Chain(chain) => {
                let ends = [&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]];
                in_words(&ends.map(|end| cells(self.order, &end.cells)), "and")
            }
            Because::Colours(clusters) => {
                let all = clusters.iter().flat_map(|cluster| cluster.green.iter().chain(&cluster.blue));
                let set: DigitSet = all.map(|candidate| candidate.digit).collect();
                format!("the pairs of {}", digits_in_words(self.order, set))
            }
            Because::Cases(of, _) => self.one_of(*of),
            Because::Contradiction(branch) => cells(self.order, &branch[0].node.cells),
            Because::Templates(of, _) => format!("all places of {}", digit(self.order, *of)),
            Because::Together(parts) => self.place(&Step { because: parts[0].clone(), ..step.clone() }),
        }
    }

    fn place_of_count(&self, step: &Step, count: &Count) -> String {
        if let Some(deadly) = deadly_of(count) {
            return cells(self.order, &deadly.cells.iter().map(|(cell, _)| *cell).collect::<Vec<_>>());
        }
        let (truth_cells, houses, of) = parts_of(count);
        if matches!(step.technique, Technique::NakedSubset(_) | Technique::LockedSubset(_)) {
            let (_, houses) = covers_of(count);
            return self.houses(&houses[..1]);
        }
        if truth_cells.is_empty() {
            let of_digits = digits_in_words(self.order, of);
            return format!("{of_digits} in {}", self.houses(&houses));
        }
        cells(self.order, &truth_cells)
    }

    fn one_of(&self, of: OneOf) -> String {
        match of {
            OneOf::Cell(cell) => self.order.name_of(cell),
            OneOf::House(house, of) => format!("the places of {} in {house}", digit(self.order, of)),
        }
    }

    /// The short reason of a one-liner.
    fn brief(&self, step: &Step) -> String {
        match &step.because {
            Because::LastDigit => String::new(),
            Because::LastPlaceIn(of) => house(*of),
            Because::Count(count) => self.brief_count(count),
            Because::Chain(chain) => eureka(self.order, chain),
            Because::Colours(clusters) => {
                let side = |side: &[Candidate]| {
                    let of =
                        side.iter().map(|c| format!("({}){}", digit(self.order, c.digit), self.order.name_of(c.cell)));
                    of.collect::<Vec<_>>().join(",")
                };
                let each = |cluster: &Cluster| format!("{} / {}", side(&cluster.green), side(&cluster.blue));
                clusters.iter().map(each).collect::<Vec<_>>().join("; ")
            }
            Because::Cases(of, _) => self.one_of(*of),
            Because::Contradiction(branch) => node(self.order, &branch[0].node),
            Because::Templates(of, _) => digit(self.order, *of),
            Because::Together(parts) => match step.technique {
                Technique::LockedSubset(_) | Technique::SueDeCoq | Technique::RemotePair => {
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
        let (truth_cells, houses, of) = parts_of(count);
        let (cover_cells, cover_houses) = covers_of(count);
        if !truth_cells.is_empty() {
            let held = truth_cells.iter().fold(DigitSet::EMPTY, |held, &cell| held | self.candidates.at(cell));
            return format!("{} in {}", digits(self.order, held), cells(self.order, &truth_cells));
        }
        if !cover_cells.is_empty() {
            return format!("{} in {}", digits(self.order, of), cells(self.order, &cover_cells));
        }
        let fins = self.fins(count);
        let fins = if fins.is_empty() { String::new() } else { format!(" f{}", cells(self.order, &fins)) };
        let (bases, covers) = (notation::houses(self.order, &houses), notation::houses(self.order, &cover_houses));
        format!("{} {bases} {covers}{fins}", digits(self.order, of))
    }

    /// The whole reason in sentences.
    fn reason(&self, step: &Step) -> String {
        let so = self.so(step);
        match &step.because {
            Because::LastDigit => {
                let place = step.places[0];
                let (cell, of) = (self.order.name_of(place.cell), digit(self.order, place.digit));
                format!("{cell} can hold nothing but {of}, because it sees every other digit or has lost it. {so}")
            }
            Because::LastPlaceIn(house) => self.last_place(step, *house),
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
            Because::Cases(of, branches) => {
                let cases: Vec<String> = branches.iter().map(|branch| self.branch(branch)).collect();
                format!("One of the candidates of {} is true. {}", self.one_of(*of), cases.join(" "))
            }
            _ => String::new(),
        }
    }

    fn so(&self, step: &Step) -> String {
        let is =
            |place: &Candidate| format!("{} is {}", self.order.name_of(place.cell), digit(self.order, place.digit));
        let mut said: Vec<String> = step.places.iter().map(is).collect();
        let all: DigitSet = step.removes.iter().map(|candidate| candidate.digit).collect();
        for of in all {
            let hit: Vec<Cell> = step.removes.iter().filter(|c| c.digit == of).map(|c| c.cell).collect();
            said.push(format!(
                "{} {} not {}",
                cells(self.order, &hit),
                if hit.len() == 1 { "is" } else { "are" },
                digit(self.order, of)
            ));
        }
        format!("So {}.", in_words(&said, "and"))
    }

    fn last_place(&self, step: &Step, house: House) -> String {
        let place = step.places[0];
        let (cell, of) = (self.order.name_of(place.cell), digit(self.order, place.digit));
        if step.technique == Technique::FullHouse {
            return format!(
                "{cell} is the last empty cell of {house}, and {of} is the digit it lacks. So {cell} is {of}."
            );
        }
        let empty = |c: &&Cell| **c != place.cell && self.candidates.grid()[**c].is_none();
        let others: Vec<Cell> = self.order.cells_in(house).iter().filter(empty).copied().collect();
        let blocks = |&(at, d): &(Cell, Digit)| {
            d == place.digit && others.iter().any(|&other| self.order.see_each_other(at, other))
        };
        let seen_from: Vec<String> =
            self.candidates.grid().clues().filter(blocks).map(|(at, _)| self.order.name_of(at)).collect();
        let seen = if seen_from.is_empty() {
            String::new()
        } else {
            format!(" ({of} is seen from {})", in_words(&seen_from, "and"))
        };
        format!("In {house} only {cell} can still hold {of}{seen}. So {cell} is {of}.")
    }

    fn count(&self, step: &Step, count: &Count) -> String {
        if let Some(deadly) = deadly_of(count) {
            return self.uniqueness(count, deadly);
        }
        let (truth_cells, houses, of) = parts_of(count);
        let (cover_cells, cover_houses) = covers_of(count);
        let order = self.order;
        if houses.is_empty() {
            let held = truth_cells.iter().fold(DigitSet::EMPTY, |held, &cell| held | self.candidates.at(cell));
            let room = cells(order, &truth_cells);
            let (n, all) = (truth_cells.len(), digits_in_words(order, held));
            return match step.technique {
                Technique::NakedSubset(_) | Technique::LockedSubset(_) => {
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
                        digits_in_words(order, free),
                        digits_in_words(order, free),
                    )
                }
            };
        }
        if !cover_cells.is_empty() {
            return format!(
                "In {} the digits {} have only the places {}, so nothing else goes there.",
                self.houses(&houses[..1]),
                digits_in_words(order, of),
                cells(order, &cover_cells)
            );
        }
        let (bases, covers, d) = (self.houses(&houses), self.houses(&cover_houses), digits(order, of));
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
            cells(order, &fins)
        )
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
        let pairs = held.map(|d| digit(self.order, d)).collect::<Vec<_>>().join("/");
        (cells(self.order, &all), pairs)
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
            said += &format!(" Together with {} that makes a locked set.", cells(self.order, &truth_cells));
        }
        if !houses.is_empty() {
            let d = digits(self.order, of);
            said += &format!(" In {} the {d} must lie in the pattern.", self.houses(&houses));
        }
        said
    }

    fn chain(&self, chain: &Chain) -> String {
        let mut said = format!("{}. ", eureka(self.order, chain));
        for (index, (pair, reason)) in chain.nodes.chunks(2).zip(&chain.strong).enumerate() {
            let (a, b) = (node(self.order, &pair[0]), node(self.order, &pair[1]));
            let why = match reason {
                Strong::OneOf(OneOf::Cell(cell)) => format!("{} has no third digit", self.order.name_of(*cell)),
                Strong::OneOf(OneOf::House(house, _)) => format!("{house} has no other place"),
                Strong::AlmostLockedSet(set) => {
                    format!("{} would have too few digits without both", cells(self.order, set))
                }
            };
            said += &match index {
                0 => format!("If {a} is false, {b} is true, as {why}"),
                _ => format!("; so {a} is false and {b} is true, as {why}"),
            };
        }
        let ends = [&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]].map(|end| node(self.order, end));
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
            let name = node(self.order, &inference.node);
            let verb = if inference.holds { "is true" } else { "is false" };
            said += &match &inference.why {
                Why::Assumed => format!("Suppose {name} {verb}"),
                Why::Seen => format!("; then {name} {verb}"),
                Why::LastIn(OneOf::Cell(_)) => format!("; then {name} {verb}, the last digit of its cell"),
                Why::LastIn(OneOf::House(house, _)) => format!("; then {name} {verb}, the last place in {house}"),
                Why::LockedIn(set) => format!("; then {name} {verb}, as {} is locked", cells(self.order, set)),
            };
        }
        said + "."
    }

    fn templates(&self, of: Digit, first: &[Candidate], so: &str) -> String {
        let of = digit(self.order, of);
        let known = if first.is_empty() {
            String::new()
        } else {
            format!(" off {}, which other digits take in the same way", removals(self.order, first).replace("<>", "="))
        };
        format!("There are only so many ways to place every {of}{known}, and all of them agree here. {so}")
    }
}

fn deadly_of(count: &Count) -> Option<&Deadly> {
    count.truths.iter().find_map(|truth| match truth {
        Truth::Guardians(deadly) => Some(deadly),
        Truth::OneOf(_) => None,
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
            Truth::Guardians(_) => {}
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
    use crate::grid::Grid;
    use crate::logic::find;

    fn check(technique: Technique, puzzle: &str, expected: [&str; 3]) {
        let puzzle: Grid = puzzle.parse().unwrap();
        let position = Candidates::of(&puzzle).unwrap();
        let step = find(technique, &puzzle, &position).unwrap();
        let said = [Level::Hint, Level::Technique, Level::Full].map(|level| step.explain(&position, level));
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
