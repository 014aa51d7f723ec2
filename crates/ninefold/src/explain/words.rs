//! Text for a step: where to look, what to look for, and the full reason.
//!
//! All texts are derived from the proof of the step, so they never claim more than was proven. The
//! code selects the facts (digits, places and houses that matter for the argument) and is the same
//! for all languages. The sentences are templates in one file per language (`english.words`,
//! `german.words`, `spanish.words`).

mod branches;
mod chains;
mod colours;
mod deadly;
mod exocets;
mod facts;
mod fish;
mod language;
mod links;
mod patterns;
mod result;
mod rules;
mod sets;
mod short;
mod singles;
mod story;
mod subsets;
mod templates;
mod trees;
mod wings;

pub use language::{Language, UnknownLanguageError, Wording};
pub(super) use language::{Value, without_markers};

use super::notation::Names;
use crate::grid::{Candidates, Cell, Order};
use crate::proof::{Chain, Chapter, Count, Inference, OneOf, Reason, Step, Technique, Tree, Truth};
use facts::is_direct;
use language::{RULE_MARKER, Words, capitalized};
use patterns::impossible_of;

/// How much of a step to reveal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Where to look.
    Hint,
    /// What to look for.
    Technique,
    /// The full reason.
    Full,
}

impl Detail {
    /// All values.
    pub const ALL: [Detail; 3] = [Detail::Hint, Detail::Technique, Detail::Full];

    /// The name in options, for example `hint`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Detail::Hint => "hint",
            Detail::Technique => "technique",
            Detail::Full => "full",
        }
    }
}

impl Step {
    /// Describes the step in a position in English.
    pub fn explain(&self, candidates: &Candidates, detail: Detail) -> String {
        self.explain_in(candidates, detail, Wording::default())
    }

    /// Describes the step in a language and notation. The full reason begins with the name of the
    /// technique and has one line per case.
    pub fn explain_in(
        &self,
        candidates: &Candidates,
        detail: Detail,
        wording: impl Into<Wording>,
    ) -> String {
        let wording = wording.into();
        match detail {
            Detail::Full => {
                format!(
                    "{}: {}",
                    self.technique.name_in(wording.language),
                    self.reason_in(candidates, wording)
                )
            }
            _ => without_markers(&StepWriter::new(candidates, wording).step_text(self, detail)),
        }
    }

    /// Returns the full reason without the name of the technique: the result and why it follows.
    pub fn reason_in(&self, candidates: &Candidates, wording: impl Into<Wording>) -> String {
        without_markers(&StepWriter::new(candidates, wording.into()).step_text(self, Detail::Full))
    }
}

impl Technique {
    /// Returns the name in a language. Many names are the same in all languages.
    pub fn name_in(self, language: Language) -> &'static str {
        language.words().get(&format!("name.{}", self.slug())).unwrap_or_else(|| self.name())
    }
}

impl Chapter {
    /// Returns the title in a language.
    pub fn title_in(self, language: Language) -> &'static str {
        language.words().get(&format!("chapter.{}", self.name())).unwrap_or_else(|| self.title())
    }
}

impl Wording {
    /// Returns the note that a step assumes a unique solution. An explanation shows it once.
    pub fn uniqueness_note(self) -> &'static str {
        self.language.words().get("promise").unwrap_or_default()
    }
}

/// Writes the text of a step in a position.
pub(super) struct StepWriter<'a> {
    names: Names,
    order: Order,
    candidates: &'a Candidates,
    words: &'static Words,
}

impl<'a> StepWriter<'a> {
    pub(super) fn new(candidates: &'a Candidates, wording: Wording) -> StepWriter<'a> {
        let order = candidates.order();
        let names = Names { order, notation: wording.notation };
        StepWriter { names, order, candidates, words: wording.language.words() }
    }

    pub(super) fn render(&self, key: &str, slots: &[(&str, Value)]) -> String {
        let text = self.words.render(&self.names, key, slots);
        if !text.contains(RULE_MARKER) {
            return text;
        }
        // Every second piece is the index of a rule that is a house.
        let pieces = text.split(RULE_MARKER).enumerate().map(|(at, piece)| match at % 2 {
            0 => piece.to_string(),
            _ => piece.parse().map(|index| self.extra_house(index)).unwrap_or_default(),
        });
        let text: String = pieces.collect();
        if text.ends_with('.') { capitalized(&text) } else { text }
    }

    fn cells(&self, cells: &[Cell]) -> Value {
        Value::Cs(cells.to_vec())
    }

    /// Returns the name without the type, for sentences that name the type separately.
    fn short_name(&self, step: &Step) -> String {
        let slug = step.technique.slug();
        let name = self
            .words
            .get(&format!("short.{slug}"))
            .or_else(|| self.words.get(&format!("name.{slug}")));
        let name = name.unwrap_or_else(|| step.technique.name());
        let of_type =
            self.words.get("type").and_then(|of_type| name.find(&of_type.replace('_', " ")));
        of_type.map_or(name, |end| &name[..end]).to_string()
    }

    /// Returns the text of a step. The full reason does not include the name of the technique.
    fn step_text(&self, step: &Step, detail: Detail) -> String {
        match &step.reason {
            Reason::LastDigit => self.naked_single(step, detail),
            Reason::LastPlaceIn(house) => self.last_place(step, *house, detail),
            Reason::Count(count) => self.counts(step, &[count], detail),
            Reason::Chain(chain) => self.linked(step, &[chain], detail),
            Reason::Colours(clusters) => self.colours(step, clusters, detail),
            Reason::Cases(of, branches) => self.cases(step, &[(*of, branches)], detail),
            Reason::Contradiction(branch) => self.contradiction(step, branch, detail),
            Reason::NoRoomAfter(branch, count) => self.kraken(step, branch, count, detail),
            Reason::Tree(tree) => self.trees(step, &[tree], detail),
            Reason::Rule(combined) => self.rule(step, combined, detail),
            Reason::Templates(digit, first) => self.templates(step, *digit, first, detail),
            Reason::Together(parts) => self.together(step, parts, detail),
        }
    }

    fn counts(&self, step: &Step, counts: &[&Count], detail: Detail) -> String {
        if let Some(impossible) = impossible_of(counts[0]) {
            return self.impossible(step, impossible, detail);
        }
        match step.technique {
            Technique::MultiSectorLockedSets | Technique::SkLoop => {
                self.sectors(step, counts[0], detail)
            }
            Technique::Pointing | Technique::Claiming => {
                self.locked_candidates(step, counts[0], detail)
            }
            Technique::NakedSubset(_) | Technique::LockedPair | Technique::LockedTriple => {
                self.naked_subset(step, counts, detail)
            }
            Technique::CageOverlap => match counts[0].truths.first() {
                Some(Truth::Needs(combined, digit)) => self.overlap(step, combined, *digit, detail),
                _ => self.only_result(step, detail),
            },
            Technique::CommonPeer => self.common_peer(step, counts[0], detail),
            Technique::LawOfLeftovers => self.leftovers(step, counts[0], detail),
            Technique::HiddenSubset(_) => self.hidden_subset(step, counts[0], detail),
            technique if is_direct(technique) => self.direct(step, counts[0], detail),
            Technique::Fish(_) => self.fish(step, counts, detail),
            Technique::XyWing | Technique::XyzWing | Technique::LargeWing(_) => {
                self.wing(step, counts[0], detail)
            }
            Technique::SueDeCoq => self.sue_de_coq(step, counts, detail),
            technique if technique.needs_uniqueness() => self.deadly(step, counts, detail),
            _ => self.only_result(step, detail),
        }
    }

    fn linked(&self, step: &Step, chains: &[&Chain], detail: Detail) -> String {
        match step.technique {
            Technique::Skyscraper
            | Technique::TwoStringKite
            | Technique::TurbotFish
            | Technique::DualTwoStringKite => self.turbot(step, chains, detail),
            Technique::EmptyRectangle | Technique::DualEmptyRectangle => {
                self.empty_rectangle(step, chains, detail)
            }
            Technique::WWing => self.w_wing(step, chains[0], detail),
            Technique::RemotePair => self.remote_pair(step, chains[0], detail),
            _ if chains.len() > 1 => self.chains(step, chains, detail),
            _ => self.chain(step, chains[0], detail),
        }
    }

    /// Combines several proofs of the same kind.
    fn together(&self, step: &Step, parts: &[Reason], detail: Detail) -> String {
        let counts: Vec<&Count> = parts.iter().filter_map(count_of).collect();
        let chains: Vec<&Chain> = parts.iter().filter_map(chain_of).collect();
        let cases: Vec<(OneOf, &[Vec<Inference>])> = parts.iter().filter_map(cases_of).collect();
        let trees: Vec<&Tree> = parts.iter().filter_map(tree_of).collect();
        match parts.len() {
            0 => self.only_result(step, detail),
            all if counts.len() == all => self.counts(step, &counts, detail),
            all if chains.len() == all => self.linked(step, &chains, detail),
            all if cases.len() == all => self.cases(step, &cases, detail),
            all if trees.len() == all => self.trees(step, &trees, detail),
            _ => self.only_result(step, detail),
        }
    }

    /// Fallback for a proof that no technique produces: only the result.
    fn only_result(&self, step: &Step, detail: Detail) -> String {
        match detail {
            Detail::Hint => self.targets_hint(step),
            Detail::Technique => format!("{}.", self.short_name(step)),
            Detail::Full => self.result(step),
        }
    }
}

fn count_of(reason: &Reason) -> Option<&Count> {
    match reason {
        Reason::Count(count) => Some(count),
        _ => None,
    }
}

fn chain_of(reason: &Reason) -> Option<&Chain> {
    match reason {
        Reason::Chain(chain) => Some(chain),
        _ => None,
    }
}

fn tree_of(reason: &Reason) -> Option<&Tree> {
    match reason {
        Reason::Tree(tree) => Some(tree),
        _ => None,
    }
}

fn cases_of(reason: &Reason) -> Option<(OneOf, &[Vec<Inference>])> {
    match reason {
        Reason::Cases(of, branches) => Some((*of, branches)),
        _ => None,
    }
}
