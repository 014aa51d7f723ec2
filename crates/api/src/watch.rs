//! Watch: a system solves a puzzle and shows its work as a sequence of [`Frame`]s.
//!
//! A system is a way to solve puzzles: logic, a search, or a neural network. The first two are in
//! this crate; the server in `crates/web` adds the networks. Each frame contains the complete
//! board, so that a viewer can move forwards and backwards.

mod logic;
mod search;

use crate::error::ApiError;
use crate::game::GameRequest;
use crate::limits::{Budget, MAX_SEARCH_TIME};
use ninefold::explain::view::PictureView;
use ninefold::grid::{Cell, Digit, Grid, Order, text};
use ninefold::search::{Limits, Solver};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// A request to watch a system.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchRequest {
    /// The name of a system, from `/api/models`.
    pub system: String,
    /// The clues.
    puzzle: String,
    /// The shape of the boxes, if it differs from the default.
    boxes: Option<String>,
}

impl WatchRequest {
    /// The puzzle. Clues that break the rules are an error.
    pub fn puzzle(&self) -> Result<Grid, ApiError> {
        let (puzzle, boxes) = (self.puzzle.clone(), self.boxes.clone());
        let request = GameRequest { puzzle, boxes, ..GameRequest::default() };
        let puzzle = request.game()?.position.puzzle().clone();
        puzzle.require_classic("animations are").map_err(|error| ApiError::classic_only(&error))?;
        match puzzle.conflict() {
            Some(conflict) => Err(ApiError::conflict(&conflict)),
            None => Ok(puzzle),
        }
    }

    /// The error for an unknown system.
    #[must_use]
    pub fn unknown_system(&self) -> ApiError {
        ApiError::invalid(
            format!("{:?} cannot be watched", self.system),
            "see /api/models for the systems that can",
        )
    }

    /// The error for a puzzle of a size that the system does not support.
    #[must_use]
    pub fn unsupported_size(&self, order: Order) -> ApiError {
        let error = format!("{} does not support {order} puzzles", self.system);
        ApiError::invalid(error, "see /api/models for the size it supports")
    }
}

/// One moment of the work. Cells count from 0 in reading order, digits from 1.
#[derive(Debug, Default, Serialize)]
pub struct Frame {
    /// What happens, for a program.
    pub event: &'static str,
    /// What happens, for a person.
    pub text: String,
    /// The complete board.
    pub grid: String,
    /// The cell that the frame is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    /// The digit that the frame is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digit: Option<u8>,
    /// The number of the move. Earlier moves may have been left out.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// For each cell the probability of each digit in percent; empty lists for cells without
    /// probabilities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Vec<u8>>,
    /// The candidates of each cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Vec<u8>>>,
    /// Cells with a wrong digit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<usize>,
    /// Which cells to colour and which arrows to draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureView>,
    /// The number of guesses, only in the last frame of logic and of searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guesses: Option<u64>,
    /// The outcome, only in the last frame: `solved`, `searched` (solved, but by the search that
    /// took over from a network), `helped` (solved by a network with hints of a search), `none` (no
    /// solution) or `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
}

impl Frame {
    /// A frame with a board and a text.
    #[must_use]
    pub fn new(event: &'static str, board: &Grid, text: String) -> Frame {
        Frame { event, grid: board.to_string(), text, ..Frame::default() }
    }

    /// Adds the cell and digit that the frame is about.
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

/// Receives the frames of a system.
pub trait Stage {
    /// Shows a frame. Returns `Break` when the viewer has left, and the system should stop.
    fn show(&self, frame: &Frame) -> ControlFlow<()>;

    /// Limits for searches: the remaining time, and cancellation when the viewer leaves.
    fn limits(&self) -> Limits<'_>;
}

/// A system that needs no tensor library.
pub enum System {
    /// Logical steps with reasons.
    Logic,
    /// A search.
    Search(&'static dyn Solver),
}

impl System {
    /// The system with this name, if it can be watched.
    #[must_use]
    pub fn by_name(name: &str) -> Option<System> {
        if name == "logic" {
            return Some(System::Logic);
        }
        ninefold::search::by_name(name).filter(|solver| solver.can_be_watched()).map(System::Search)
    }

    /// Whether the system supports puzzles of this size.
    #[must_use]
    pub fn supports(&self, order: Order) -> bool {
        match self {
            System::Logic => true,
            System::Search(solver) => solver.supports(order),
        }
    }

    /// Solves the puzzle and shows the frames on a stage. Returns `Break` when the viewer has left.
    pub fn perform(&self, puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
        match self {
            System::Logic => logic::perform(puzzle, stage),
            System::Search(solver) => search::perform(*solver, puzzle, stage),
        }
    }
}

/// The systems that need no tensor library, as listed by `/api/models`: logic, and the searches.
#[must_use]
pub fn systems() -> (Value, Vec<Value>) {
    let logic = json!({
        "name": "logic", "kind": "logic", "boxes": null, "ready": true,
        "idea": "one reasoned step after the other, as a person would",
    });
    let searches = ninefold::search::all()
        .iter()
        .map(|solver| solver_entry(*solver, "search", solver.can_be_watched()));
    (logic, searches.collect())
}

/// The entry of one solver in the list.
#[must_use]
pub fn solver_entry(solver: &dyn Solver, kind: &str, ready: bool) -> Value {
    let boxes = (!solver.supports(Order::FOUR)).then_some("3x3");
    json!({ "name": solver.name(), "kind": kind, "idea": solver.idea(), "boxes": boxes, "ready": ready })
}

/// The list of systems for hosts without networks.
pub(crate) fn models() -> Value {
    let (logic, searches) = systems();
    let models: Vec<Value> = [logic].into_iter().chain(searches).collect();
    json!({ "models": models })
}

/// All frames at once.
pub(crate) fn record(request: &WatchRequest) -> Result<Value, ApiError> {
    let puzzle = request.puzzle()?;
    let system = System::by_name(&request.system).ok_or_else(|| request.unknown_system())?;
    if !system.supports(puzzle.order()) {
        return Err(request.unsupported_size(puzzle.order()));
    }
    let budget = Budget::new(MAX_SEARCH_TIME, Limits::none());
    let recorder = Recorder { frames: RefCell::default(), budget };
    // A recorder never breaks.
    let _ = system.perform(&puzzle, &recorder);
    Ok(json!({ "frames": recorder.frames.into_inner() }))
}

struct Recorder<'a> {
    frames: RefCell<Vec<Value>>,
    budget: Budget<'a>,
}

impl Stage for Recorder<'_> {
    fn show(&self, frame: &Frame) -> ControlFlow<()> {
        self.frames
            .borrow_mut()
            .push(serde_json::to_value(frame).expect("a frame can be written as JSON"));
        ControlFlow::Continue(())
    }

    fn limits(&self) -> Limits<'_> {
        self.budget.limits()
    }
}

/// Whether this move is shown: each of the first thousand moves, every tenth one up to ten
/// thousand, every hundredth one up to a hundred thousand, and so on. A million moves become 3,700
/// frames.
fn is_shown(number: u64) -> bool {
    number < 1000 || number.is_multiple_of(10_u64.pow(number.ilog10() - 2))
}

#[cfg(test)]
mod tests {
    use super::{boards, is_shown};

    #[test]
    fn the_plural_depends_on_the_count() {
        assert_eq!([boards(0), boards(1), boards(2)], ["0 boards", "1 board", "2 boards"]);
    }

    #[test]
    fn a_million_moves_become_a_few_thousand_frames() {
        assert!((1..1000).all(is_shown));
        assert!(is_shown(1010) && !is_shown(1011) && is_shown(20_100) && !is_shown(20_110));
        assert_eq!((1..=1_000_000).filter(|&number| is_shown(number)).count(), 3700);
    }
}
