//! JSON representation of explanations for the command line, the web page and other programs.
//!
//! Cells have a name (`r5c5`, counted from 1, in the chosen notation) and an index in reading
//! order, counted from 0. Digits are numbers. Fields may be added, but the meaning of existing
//! fields does not change.

use super::notation::Names;
use super::picture::{Arrow, Ink, Picture};
use super::{Detail, Explanation, Language, Notation, Wording};
use crate::grid::{Candidates, Cell, Digit, Grid, Solutions};
use crate::proof::{Candidate, Node, Step};
use serde::{Deserialize, Serialize};

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExplanationView {
    /// Clues of the puzzle.
    pub puzzle: String,
    /// Digits of the start position.
    pub start: String,
    /// Candidates of each cell in the start position.
    pub candidates: Vec<Vec<u8>>,
    /// Number of solutions: `none`, `one`, `several` or `unknown`.
    pub solutions: String,
    /// The unique solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// Name of the [`ExplainOutcome`](super::ExplainOutcome); the JSON key is `end`.
    #[serde(rename = "end")]
    pub outcome: String,
    /// The outcome as text.
    pub text: String,
    /// The mistake in the start position as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistake: Option<String>,
    /// Language code of the texts.
    #[serde(default = "english")]
    pub language: String,
    /// Steps in order.
    pub steps: Vec<StepView>,
    /// Digits after the last step.
    pub reached: String,
}

/// Step in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepView {
    /// Number of the step, counted from 1.
    pub step: usize,
    /// Name of the technique.
    pub technique: String,
    /// Name of the technique in commands and URLs.
    pub slug: String,
    /// Whether the step assumes a unique solution.
    pub needs_uniqueness: bool,
    /// Candidates that are true.
    pub places: Vec<CandidateView>,
    /// Candidates that are removed.
    pub removes: Vec<CandidateView>,
    /// The step in one line.
    pub short: String,
    /// Where to look.
    pub hint: String,
    /// What to look for.
    pub pattern: String,
    /// The full reason.
    pub text: String,
    /// What to draw.
    pub picture: PictureView,
    /// Candidates of each cell before the step, in an explanation of a puzzle with rules: a digit
    /// that is placed may exclude more there than equal digits in its houses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Vec<u8>>,
}

/// Digit in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CandidateView {
    /// Name of the cell.
    pub cell: String,
    /// Index of the cell, counted from 0.
    pub index: usize,
    /// The digit as a number.
    pub digit: u8,
    /// Role in a picture: `green`, `blue`, `fin`, `removed` or `placed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ink: Option<String>,
}

/// What to draw over a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PictureView {
    /// Cell indices of each house that the proof uses.
    pub houses: Vec<Vec<usize>>,
    /// Indices of cells that the proof uses with all their candidates.
    pub cells: Vec<usize>,
    /// Coloured candidates. Later entries are drawn over earlier ones.
    pub candidates: Vec<CandidateView>,
    /// Links between candidates.
    pub arrows: Vec<ArrowView>,
}

/// Link between candidates or groups of candidates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ArrowView {
    /// Start of the link.
    pub from: Vec<CandidateView>,
    /// End of the link.
    pub to: Vec<CandidateView>,
    /// Whether the link is strong.
    pub strong: bool,
    /// Branch that the link belongs to, counted from 1; 0 if there is only one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub branch: usize,
}

impl Explanation {
    /// Returns the JSON representation of the explanation, with texts in a language and notation.
    /// The text of the first step that assumes a unique solution ends with a note about it.
    pub fn view(&self, wording: impl Into<Wording>) -> ExplanationView {
        let wording = wording.into();
        let promise = self.steps.iter().position(|step| step.technique.needs_uniqueness());
        let steps = (0..).zip(self.positions()).map(|(index, (before, step))| {
            let mut view = step.view(index + 1, &before, wording);
            if self.puzzle().rules().is_some() {
                view.candidates = digits(&before);
            }
            if promise == Some(index) {
                view.text = format!("{} {}", view.text, wording.uniqueness_note());
            }
            view
        });
        ExplanationView { steps: steps.collect(), ..self.view_without_steps(wording) }
    }

    /// Like [`view`](Explanation::view), but with an empty list of steps, whose texts and pictures
    /// take most of the time.
    pub fn view_without_steps(&self, wording: impl Into<Wording>) -> ExplanationView {
        let wording = wording.into();
        let order = self.start.order();
        let (solutions, solution) = match &self.solutions {
            Some(Solutions::Zero) => ("none", None),
            Some(Solutions::One(only)) => ("one", Some(only.to_string())),
            Some(Solutions::Many(..)) => ("several", None),
            None => ("unknown", None),
        };
        ExplanationView {
            puzzle: self.puzzle().to_string(),
            start: self.start.grid().to_string(),
            candidates: digits(self.start.candidates()),
            solutions: solutions.to_string(),
            solution,
            outcome: self.outcome.name().to_string(),
            text: self.outcome_text(wording),
            mistake: self.mistake().map(|mistake| mistake.text(order, Detail::Full, wording)),
            language: wording.language.code().to_string(),
            steps: Vec::new(),
            reached: self.last.grid().to_string(),
        }
    }
}

impl Step {
    /// Returns the JSON representation of the step. `number` is its number in an explanation,
    /// `before` the position before it.
    pub fn view(
        &self,
        number: usize,
        before: &Candidates,
        wording: impl Into<Wording>,
    ) -> StepView {
        let wording = wording.into();
        let notation = wording.notation;
        let names = Names { order: before.order(), notation };
        let all =
            |list: &[Candidate]| list.iter().map(|&one| candidate(&names, one, None)).collect();
        StepView {
            step: number,
            technique: self.technique.name_in(wording.language).to_string(),
            slug: self.technique.slug(),
            needs_uniqueness: self.technique.needs_uniqueness(),
            places: all(&self.places),
            removes: all(&self.removes),
            short: self.one_line_in(before, notation),
            hint: self.explain_in(before, Detail::Hint, wording),
            pattern: self.explain_in(before, Detail::Technique, wording),
            text: self.explain_in(before, Detail::Full, wording),
            picture: Picture::new(self, before).view(before.grid(), notation),
            candidates: Vec::new(),
        }
    }
}

impl Picture {
    /// Returns the JSON representation of the picture.
    pub fn view(&self, grid: &Grid, notation: Notation) -> PictureView {
        let order = grid.order();
        let names = Names { order, notation };
        let indices = |cells: &[Cell]| cells.iter().map(|cell| cell.index()).collect();
        let node =
            |node: &Node| node.candidates().map(|one| candidate(&names, one, None)).collect();
        let arrow = |arrow: &Arrow| {
            let (from, to) = (node(&arrow.from), node(&arrow.to));
            ArrowView { from, to, strong: arrow.strong, branch: arrow.branch }
        };
        PictureView {
            houses: self.houses.iter().map(|&house| indices(grid.cells_in(house))).collect(),
            cells: indices(&self.cells),
            candidates: self
                .candidates
                .iter()
                .map(|&(one, ink)| candidate(&names, one, Some(ink)))
                .collect(),
            arrows: self.arrows.iter().map(arrow).collect(),
        }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn english() -> String {
    Language::English.code().to_string()
}

/// Returns the candidates of every cell as numbers.
pub fn digits(candidates: &Candidates) -> Vec<Vec<u8>> {
    candidates
        .order()
        .cells()
        .map(|cell| candidates.at(cell).map(Digit::number).collect())
        .collect()
}

fn candidate(names: &Names, candidate: Candidate, ink: Option<Ink>) -> CandidateView {
    let ink = ink.map(|ink| match ink {
        Ink::Green => "green",
        Ink::Blue => "blue",
        Ink::Fin => "fin",
        Ink::Removed => "removed",
        Ink::Placed => "placed",
    });
    CandidateView {
        cell: names.cell(candidate.cell),
        index: candidate.cell.index(),
        digit: candidate.digit.number(),
        ink: ink.map(str::to_string),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanation_survives_a_json_round_trip() {
        let puzzle =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let view = crate::explain(&puzzle).unwrap().view(Notation::default());
        let json = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<ExplanationView>(&json).unwrap(), view);
        assert_eq!((view.outcome.as_str(), view.solutions.as_str()), ("solved", "one"));
        assert_eq!(view.solution, Some(view.reached));
        assert!(view.steps.iter().zip(1..).all(|(step, number)| step.step == number));
    }

    #[test]
    fn step_contains_cell_names_and_indices() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let view = crate::explain(&puzzle).unwrap().view(Notation::Letters);
        let first = &view.steps[0];
        let place = CandidateView { cell: "F1".to_string(), index: 5, digit: 8, ink: None };
        assert_eq!((first.technique.as_str(), &first.places[..]), ("Hidden Single", &[place][..]));
        let json = serde_json::to_value(first).unwrap();
        assert_eq!(json["places"][0], serde_json::json!({ "cell": "F1", "index": 5, "digit": 8 }));
        assert_eq!(json["picture"]["candidates"][0]["ink"], "placed");
    }
}
