//! Watch: a system solves a puzzle, and every moment of it is a [`Frame`] with the whole board, so that a viewer can go
//! forwards and backwards.

mod logic;
mod search;

use crate::error::ApiError;
use crate::game::Asked;
use crate::limits::{LONGEST_SEARCH, within};
use ninefold::explain::view::PictureView;
use ninefold::grid::{Cell, Digit, Grid, Order, text};
use ninefold::search::{Limits, Solver};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// What to watch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The name of a system, from `/api/models`.
    pub system: String,
    /// The clues.
    puzzle: String,
    /// The shape of the boxes, where it is not the usual one.
    boxes: Option<String>,
}

impl Wanted {
    /// The puzzle, if its clues keep the rules.
    pub fn puzzle(&self) -> Result<Grid, ApiError> {
        let (puzzle, boxes) = (self.puzzle.clone(), self.boxes.clone());
        let asked = Asked { puzzle, boxes, entries: Vec::new(), marks: Vec::new(), language: None };
        let puzzle = asked.game()?.position.puzzle().clone();
        match puzzle.conflict() {
            Some(conflict) => Err(ApiError::conflict(&conflict)),
            None => Ok(puzzle),
        }
    }

    /// Says that there is no such system.
    #[must_use]
    pub fn unknown(&self) -> ApiError {
        ApiError::unusable(
            format!("{:?} cannot be watched", self.system),
            "see /api/models for what can",
        )
    }

    /// Says that the system does not take puzzles of this size.
    #[must_use]
    pub fn wrong_size(&self, order: Order) -> ApiError {
        let error = format!("{} does not take {order} puzzles", self.system);
        ApiError::unusable(error, "see /api/models for the size it takes")
    }
}

/// One moment, as it is told. Cells count from 0 in reading order, digits from 1.
#[derive(Debug, Default, Serialize)]
pub struct Frame {
    /// What happens, for a program.
    pub event: &'static str,
    /// What happens, for a person.
    pub text: String,
    /// The whole board.
    pub grid: String,
    /// The cell it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    /// The digit it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digit: Option<u8>,
    /// The number of the move; some may have been left out before it.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// For each cell how likely each digit is, in percent; an empty list where nothing is said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Vec<u8>>,
    /// The candidates of each cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Vec<u8>>>,
    /// Cells that hold a wrong digit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<usize>,
    /// What to colour and which arrows to draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureView>,
    /// How it ended, with the last frame: `solved`, `none`, `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
}

impl Frame {
    /// A frame with its board and its words.
    #[must_use]
    pub fn new(event: &'static str, board: &Grid, text: String) -> Frame {
        Frame { event, grid: board.to_string(), text, ..Frame::default() }
    }

    /// The same about this cell and digit.
    #[must_use]
    pub fn at(self, cell: Cell, digit: Option<Digit>) -> Frame {
        Frame { cell: Some(cell.index()), digit: digit.map(Digit::number), ..self }
    }

    /// The last frame.
    #[must_use]
    pub fn last(end: &'static str, board: &Grid, text: String) -> Frame {
        Frame { end: Some(end), ..Frame::new("end", board, text) }
    }
}

/// `1 board`, `12 boards`.
pub fn boards(count: u64) -> String {
    format!("{count} {}", if count == 1 { "board" } else { "boards" })
}

/// `4 in r1c3`.
#[must_use]
pub fn name(board: &Grid, cell: Cell, digit: Digit) -> String {
    format!("{} in {}", text::symbol(board.order(), digit), board.order().name_of(cell))
}

/// Where a system shows itself.
pub trait Stage {
    /// Shows a frame; breaks when nobody looks any more.
    fn show(&self, frame: &Frame) -> ControlFlow<()>;

    /// How long a search may go on: until nobody looks, and not for ever.
    fn limits(&self) -> Limits<'_>;

    /// The flag of a viewer who has gone.
    fn gone(&self) -> &AtomicBool;
}

/// A system that needs no tensors.
pub enum System {
    /// One reasoned step after the other.
    Logic,
    /// A search.
    Search(&'static dyn Solver),
}

impl System {
    /// The system with this name, if it can be watched.
    #[must_use]
    pub fn named(name: &str) -> Option<System> {
        if name == "logic" {
            return Some(System::Logic);
        }
        ninefold::search::by_name(name).filter(|solver| solver.can_be_watched()).map(System::Search)
    }

    /// Does it take puzzles of this size?
    #[must_use]
    pub fn takes(&self, order: Order) -> bool {
        match self {
            System::Logic => true,
            System::Search(solver) => solver.takes(order),
        }
    }

    /// Solves the puzzle on a stage; breaks when nobody looks any more.
    pub fn perform(&self, puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
        match self {
            System::Logic => logic::perform(puzzle, stage),
            System::Search(solver) => search::perform(*solver, puzzle, stage),
        }
    }
}

/// The systems that need no tensors, as `/api/models` lists them.
#[must_use]
pub fn systems() -> (Value, Vec<Value>) {
    let logic = json!({
        "name": "logic", "kind": "logic", "boxes": null, "ready": true,
        "idea": "one reasoned step after the other, as a person would",
    });
    let searches = ninefold::search::all()
        .iter()
        .map(|solver| described(*solver, "search", solver.can_be_watched()));
    (logic, searches.collect())
}

/// One solver in such a list.
#[must_use]
pub fn described(solver: &dyn Solver, kind: &str, ready: bool) -> Value {
    let boxes = (!solver.takes(Order::FOUR)).then_some("3x3");
    json!({ "name": solver.name(), "kind": kind, "idea": solver.idea(), "boxes": boxes, "ready": ready })
}

/// The whole list where there are no networks.
pub(crate) fn models() -> Value {
    let (logic, searches) = systems();
    let models: Vec<Value> = [logic].into_iter().chain(searches).collect();
    json!({ "models": models })
}

/// All frames of a show at once.
pub(crate) fn recorded(wanted: &Wanted, gone: &AtomicBool) -> Result<Value, ApiError> {
    let puzzle = wanted.puzzle()?;
    let system = System::named(&wanted.system).ok_or_else(|| wanted.unknown())?;
    if !system.takes(puzzle.order()) {
        return Err(wanted.wrong_size(puzzle.order()));
    }
    let recorder = Recorder { frames: RefCell::default(), gone };
    // A recorder looks to the end.
    let _ = system.perform(&puzzle, &recorder);
    Ok(json!({ "frames": recorder.frames.into_inner() }))
}

/// Keeps every frame.
struct Recorder<'a> {
    frames: RefCell<Vec<Value>>,
    gone: &'a AtomicBool,
}

impl Stage for Recorder<'_> {
    fn show(&self, frame: &Frame) -> ControlFlow<()> {
        self.frames
            .borrow_mut()
            .push(serde_json::to_value(frame).expect("a frame can be written as JSON"));
        ControlFlow::Continue(())
    }

    fn limits(&self) -> Limits<'_> {
        within(LONGEST_SEARCH, self.gone)
    }

    fn gone(&self) -> &AtomicBool {
        self.gone
    }
}

/// Is this move shown? All of the first thousand are, then every tenth, from ten thousand on every hundredth: a search
/// of millions of moves is seen in thousands of frames, slowly at first and then faster and faster.
fn is_shown(number: u64) -> bool {
    number < 1000 || number.is_multiple_of(10_u64.pow(number.ilog10() - 2))
}

#[cfg(test)]
mod tests {
    use super::{boards, is_shown};

    #[test]
    fn one_board_is_no_boards() {
        assert_eq!([boards(0), boards(1), boards(2)], ["0 boards", "1 board", "2 boards"]);
    }

    #[test]
    fn a_million_moves_make_a_few_thousand_frames() {
        assert!((1..1000).all(is_shown));
        assert!(is_shown(1010) && !is_shown(1011) && is_shown(20_100) && !is_shown(20_110));
        assert_eq!((1..=1_000_000).filter(|&number| is_shown(number)).count(), 3700);
    }
}
