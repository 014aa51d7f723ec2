//! One-line notation of a step: `Naked Pair: 3,9 in r8c34 => r8c2<>3`, with chains in Eureka
//! notation.

use super::super::notation::Notation;
use super::StepWriter;
use super::facts::{covers_of, deadly_of, is_direct, truths_of};
use super::patterns::impossible_of;
use crate::grid::{Candidates, Cell, DigitSet};
use crate::proof::{Candidate, Cluster, Count, Deadly, OneOf, Reason, Step, Technique};

impl Step {
    /// Returns the step in one line, as in `Naked Pair: 3,9 in r8c34 => r8c2<>3`.
    pub fn one_line(&self, candidates: &Candidates) -> String {
        self.one_line_in(candidates, Notation::default())
    }

    /// Returns the step in one line with the cell names of a notation.
    pub fn one_line_in(&self, candidates: &Candidates, notation: Notation) -> String {
        let writer = StepWriter::new(candidates, notation.into());
        let conclusion = writer.names.conclusion(self);
        match writer.brief(self) {
            brief if brief.is_empty() => format!("{}: {conclusion}", self.technique),
            brief => format!("{}: {brief} => {conclusion}", self.technique),
        }
    }
}

impl StepWriter<'_> {
    /// Returns the reason part of the line.
    fn brief(&self, step: &Step) -> String {
        if let Some(exocet) = self.exocet_in_short(step) {
            return exocet;
        }
        match &step.reason {
            Reason::LastDigit => String::new(),
            Reason::LastPlaceIn(of) => self.names.house(*of),
            Reason::Count(count) if is_pattern(step.technique, count) => {
                self.pattern_in_short(count)
            }
            Reason::Count(count) if is_direct(step.technique) => self.brief_direct(step, count),
            Reason::Count(count) => self.brief_count(count),
            Reason::Chain(chain) => self.names.eureka(chain),
            Reason::Colours(clusters) => {
                let side = |side: &[Candidate]| {
                    let of = side.iter().map(|c| {
                        format!("({}){}", self.names.digit(c.digit), self.names.cell(c.cell))
                    });
                    of.collect::<Vec<_>>().join(",")
                };
                let each = |cluster: &Cluster| {
                    format!("{} / {}", side(&cluster.green), side(&cluster.blue))
                };
                clusters.iter().map(each).collect::<Vec<_>>().join("; ")
            }
            Reason::Cases(of, _) => self.short_one_of(*of),
            Reason::Contradiction(branch) => self.names.node(&branch[0].node),
            Reason::NoRoomAfter(branch, count) => {
                format!("{} against {}", self.names.node(&branch[0].node), self.brief_fish(count))
            }
            Reason::Tree(tree) => self.tree_in_short(tree),
            Reason::Rule(combined) => self.combined_in_short(combined),
            Reason::Templates(of, _) => self.names.digit(*of),
            Reason::Together(parts) => match step.technique {
                Technique::LockedPair
                | Technique::LockedTriple
                | Technique::SueDeCoq
                | Technique::RemotePair => {
                    self.brief(&Step { reason: parts[0].clone(), ..step.clone() })
                }
                _ => {
                    let part =
                        |part: &Reason| self.brief(&Step { reason: part.clone(), ..step.clone() });
                    parts.iter().map(part).collect::<Vec<_>>().join("; ")
                }
            },
        }
    }

    fn brief_count(&self, count: &Count) -> String {
        if let Some(deadly) = deadly_of(count) {
            let (pattern, pairs) = self.short_pattern(deadly);
            return format!("{pairs} in {pattern}");
        }
        let ((truth_cells, _, of), (cover_cells, _)) = (sorted_truths(count), covers_of(count));
        if !truth_cells.is_empty() {
            let held = truth_cells
                .iter()
                .fold(DigitSet::EMPTY, |held, &cell| held | self.candidates.at(cell));
            return format!("{} in {}", self.names.digits(held), self.names.cells(&truth_cells));
        }
        if !cover_cells.is_empty() {
            return format!("{} in {}", self.names.digits(of), self.names.cells(&cover_cells));
        }
        let fins = self.fins(count);
        let fins =
            if fins.is_empty() { String::new() } else { format!(" f{}", self.names.cells(&fins)) };
        format!("{}{fins}", self.brief_fish(count))
    }

    /// Returns the digit, the base houses and the cover houses.
    fn brief_fish(&self, count: &Count) -> String {
        let ((_, houses, of), (_, cover_houses)) = (sorted_truths(count), covers_of(count));
        let (bases, covers) = (self.names.houses(&houses), self.names.houses(&cover_houses));
        format!("{} {bases} {covers}", self.names.digits(of))
    }

    /// Returns what the direct form removes, and where that leaves one place.
    fn brief_direct(&self, step: &Step, count: &Count) -> String {
        let ((_, houses, of), (cover_cells, cover_houses)) =
            (sorted_truths(count), covers_of(count));
        let placed = step.places[0].digit;
        if cover_cells.is_empty() {
            let [base, last] = [houses[0], houses[1]].map(|one| self.names.house(one));
            let cover = self.names.houses(&cover_houses);
            return format!(
                "{} in {base} and {cover}, last place in {last}",
                self.names.digit(placed)
            );
        }
        let subset = self.names.digits(of.without(placed));
        format!(
            "{subset} in {}, last place in {}",
            self.names.cells(&cover_cells),
            self.names.house(houses[0])
        )
    }

    fn short_one_of(&self, of: OneOf) -> String {
        match of {
            OneOf::Cell(cell) => self.names.cell(cell),
            OneOf::House(house, of) => {
                format!(
                    "the places of {} in {}",
                    self.names.digit(of),
                    self.names.house_in_words(house)
                )
            }
        }
    }

    fn short_pattern(&self, deadly: &Deadly) -> (String, String) {
        let all: Vec<Cell> = deadly.cells.iter().map(|(cell, _)| *cell).collect();
        let held = deadly.cells.iter().fold(DigitSet::EMPTY, |held, (_, pair)| held | *pair);
        let pairs = held.map(|d| self.names.digit(d)).collect::<Vec<_>>().join("/");
        (self.names.cells(&all), pairs)
    }
}

/// Returns the cells in reading order, the houses and the digits of the truths.
fn sorted_truths(count: &Count) -> (Vec<Cell>, Vec<crate::grid::House>, DigitSet) {
    let (mut cells, houses, of) = truths_of(count);
    cells.sort_unstable();
    (cells, houses, of)
}

fn is_pattern(technique: Technique, count: &Count) -> bool {
    matches!(technique, Technique::MultiSectorLockedSets | Technique::SkLoop)
        || impossible_of(count).is_some()
}
