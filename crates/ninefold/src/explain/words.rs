//! Words for a step: where to look, what to look for, and the whole reason.
//!
//! Everything said here is read off the proof of the step, so the words cannot say more than was shown. The code chooses
//! the facts – digits, places and houses that carry the argument – and is the same for all languages; the sentences are
//! templates in one file of words per language (`english.words`, `german.words`, `spanish.words`).

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
mod sets;
mod short;
mod singles;
mod story;
mod subsets;
mod templates;
mod trees;
mod wings;

pub use language::{Language, UnknownLanguage, Wording};
pub(super) use language::{Value, finished};

use super::notation::Names;
use crate::grid::{Candidates, Cell, Order};
use crate::proof::{Because, Chain, Count, Inference, OneOf, Step, Technique, Tree};
use facts::is_direct;
use language::Words;
use patterns::impossible_of;

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
    /// Says the step in a position at one of the levels, in English.
    pub fn explain(&self, candidates: &Candidates, detail: Detail) -> String {
        self.explain_in(candidates, detail, Wording::default())
    }

    /// Says the step in a language, with its names for cells. The whole reason begins with the name of the technique; its
    /// cases stand on lines of their own.
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
            _ => finished(&Teller::new(candidates, wording).tell(self, detail)),
        }
    }

    /// The whole reason without the name of the technique: the result, and why.
    pub fn reason_in(&self, candidates: &Candidates, wording: impl Into<Wording>) -> String {
        finished(&Teller::new(candidates, wording.into()).tell(self, Detail::Full))
    }
}

impl Technique {
    /// Its name in a language; many are called the same everywhere.
    pub fn name_in(self, language: Language) -> &'static str {
        language.words().get(&format!("name.{}", self.slug())).unwrap_or_else(|| self.name())
    }
}

impl Wording {
    /// The promise on which a step about uniqueness rests; an explanation makes it once.
    pub fn promise(self) -> &'static str {
        self.language.words().get("promise").unwrap_or_default()
    }
}

/// Knows the position that a step is told about, and the words.
pub(super) struct Teller<'a> {
    names: Names,
    order: Order,
    candidates: &'a Candidates,
    words: &'static Words,
}

impl<'a> Teller<'a> {
    pub(super) fn new(candidates: &'a Candidates, wording: Wording) -> Teller<'a> {
        let order = candidates.order();
        let names = Names { order, notation: wording.notation };
        Teller { names, order, candidates, words: wording.language.words() }
    }

    pub(super) fn say(&self, key: &str, slots: &[(&str, Value)]) -> String {
        self.words.say(&self.names, key, slots)
    }

    fn cells(&self, cells: &[Cell]) -> Value {
        Value::Cs(cells.to_vec())
    }

    /// The name of the technique without its type, for sentences that show the type themselves.
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

    /// Says a step at one of the levels; the whole reason without the name of the technique.
    fn tell(&self, step: &Step, detail: Detail) -> String {
        match &step.because {
            Because::LastDigit => self.naked_single(step, detail),
            Because::LastPlaceIn(house) => self.last_place(step, *house, detail),
            Because::Count(count) => self.counts(step, &[count], detail),
            Because::Chain(chain) => self.linked(step, &[chain], detail),
            Because::Colours(clusters) => self.colours(step, clusters, detail),
            Because::Cases(of, branches) => self.cases(step, &[(*of, branches)], detail),
            Because::Contradiction(branch) => self.contradiction(step, branch, detail),
            Because::NoRoomAfter(branch, count) => self.kraken(step, branch, count, detail),
            Because::Tree(tree) => self.trees(step, &[tree], detail),
            Because::Templates(digit, first) => self.templates(step, *digit, first, detail),
            Because::Together(parts) => self.together(step, parts, detail),
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

    /// Several proofs of the same sort.
    fn together(&self, step: &Step, parts: &[Because], detail: Detail) -> String {
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

    /// For a proof of a form that no technique has: its result, and where.
    fn only_result(&self, step: &Step, detail: Detail) -> String {
        match detail {
            Detail::Hint => self.nothing_told(step),
            Detail::Technique => format!("{}.", self.short_name(step)),
            Detail::Full => self.result(step),
        }
    }
}

fn count_of(because: &Because) -> Option<&Count> {
    match because {
        Because::Count(count) => Some(count),
        _ => None,
    }
}

fn chain_of(because: &Because) -> Option<&Chain> {
    match because {
        Because::Chain(chain) => Some(chain),
        _ => None,
    }
}

fn tree_of(because: &Because) -> Option<&Tree> {
    match because {
        Because::Tree(tree) => Some(tree),
        _ => None,
    }
}

fn cases_of(because: &Because) -> Option<(OneOf, &[Vec<Inference>])> {
    match because {
        Because::Cases(of, branches) => Some((*of, branches)),
        _ => None,
    }
}
