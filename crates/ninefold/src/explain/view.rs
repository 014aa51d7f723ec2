//! Explanations for programs: one shape for the command line, the page and every other reader of JSON.
//!
//! Cells appear with their name (`r5c5`, counted from 1, in the notation asked for) and with their index in reading
//! order, counted from 0; digits are numbers. Fields may be added; none will change its meaning.

use super::notation::Names;
use super::picture::{Arrow, Ink, Picture};
use super::{Detail, Explanation, Language, Notation, Wording};
use crate::grid::{Candidates, Cell, Digit, Order, Solutions};
use crate::proof::{Candidate, Node, Step};
use serde::{Deserialize, Serialize};

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplanationView {
    /// The clues.
    pub puzzle: String,
    /// The digits it starts from.
    pub start: String,
    /// The candidates it starts from, for each cell.
    pub candidates: Vec<Vec<u8>>,
    /// How many solutions the puzzle has: `none`, `one`, `several` or `unknown`.
    pub solutions: String,
    /// The only solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// How it ended, in one word: the name of an [`End`](super::End).
    pub end: String,
    /// The end in words.
    pub text: String,
    /// What keeps the position from the solution, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistake: Option<String>,
    /// The language of its words.
    #[serde(default = "english")]
    pub language: String,
    /// The steps.
    pub steps: Vec<StepView>,
    /// The digits it ends with.
    pub reached: String,
}

/// A step in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    /// Its number, counted from 1.
    pub step: usize,
    /// The name of the technique.
    pub technique: String,
    /// The name to type in a command or an address.
    pub slug: String,
    /// Does it rest on the promise of one solution?
    pub needs_uniqueness: bool,
    /// Candidates that are true.
    pub places: Vec<CandidateView>,
    /// Candidates that are false.
    pub removes: Vec<CandidateView>,
    /// The step in one line.
    pub short: String,
    /// Where to look.
    pub hint: String,
    /// What to look for.
    pub pattern: String,
    /// The whole reason.
    pub text: String,
    /// What to draw.
    pub picture: PictureView,
}

/// A digit in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateView {
    /// The name of the cell.
    pub cell: String,
    /// Its index.
    pub index: usize,
    /// The digit.
    pub digit: u8,
    /// In a picture, what it means: `green`, `blue`, `fin`, `removed` or `placed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ink: Option<String>,
}

/// What to draw over a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureView {
    /// The cells of each house that the proof looks at, as indices.
    pub houses: Vec<Vec<usize>>,
    /// The cells that it looks at as a whole, as indices.
    pub cells: Vec<usize>,
    /// Coloured candidates; the strongest ink comes last.
    pub candidates: Vec<CandidateView>,
    /// Links.
    pub arrows: Vec<ArrowView>,
}

/// A link between candidates or groups of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrowView {
    /// Where it starts.
    pub from: Vec<CandidateView>,
    /// Where it ends.
    pub to: Vec<CandidateView>,
    /// Is the link strong?
    pub strong: bool,
    /// The branch it belongs to, counted from 1; 0 where there is only one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub branch: usize,
}

impl Explanation {
    /// The explanation for programs, in the words of a language or with the cell names of a notation. The first step that
    /// rests on uniqueness says so.
    pub fn view(&self, wording: impl Into<Wording>) -> ExplanationView {
        let wording = wording.into();
        let order = self.start.order();
        let promise = self.steps.iter().position(|step| step.technique.needs_uniqueness());
        let steps = (0..).zip(self.positions()).map(|(index, (before, step))| {
            let mut view = step.view(index + 1, &before, wording);
            if promise == Some(index) {
                view.text = format!("{} {}", view.text, wording.promise());
            }
            view
        });
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
            end: self.end.name().to_string(),
            text: self.ending(wording),
            mistake: self.mistake().map(|mistake| mistake.text(order, Detail::Full, wording)),
            language: wording.language.code().to_string(),
            steps: steps.collect(),
            reached: self.last.grid().to_string(),
        }
    }
}

impl Step {
    /// The step for programs: its number in an explanation, and the position before it.
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
            picture: Picture::of(self, before).view(before.order(), notation),
        }
    }
}

impl Picture {
    /// The picture for programs.
    pub fn view(&self, order: Order, notation: Notation) -> PictureView {
        let names = Names { order, notation };
        let indices = |cells: &[Cell]| cells.iter().map(|cell| cell.index()).collect();
        let node =
            |node: &Node| node.candidates().map(|one| candidate(&names, one, None)).collect();
        let arrow = |arrow: &Arrow| {
            let (from, to) = (node(&arrow.from), node(&arrow.to));
            ArrowView { from, to, strong: arrow.strong, branch: arrow.branch }
        };
        PictureView {
            houses: self.houses.iter().map(|&house| indices(order.cells_in(house))).collect(),
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

/// The candidates of every cell as numbers.
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
    fn an_explanation_is_written_and_read_again() {
        let puzzle =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let view = crate::explain(&puzzle).unwrap().view(Notation::default());
        let json = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<ExplanationView>(&json).unwrap(), view);
        assert_eq!((view.end.as_str(), view.solutions.as_str()), ("solved", "one"));
        assert_eq!(view.solution, Some(view.reached));
        assert!(view.steps.iter().zip(1..).all(|(step, number)| step.step == number));
    }

    #[test]
    fn a_step_names_its_cells_in_the_notation_and_by_index() {
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
