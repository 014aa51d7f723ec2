//! Watch: a system solves a puzzle, and every moment of it is told as one line of JSON.
//!
//! The answer is a stream. Its lines are [`Frame`](stage::Frame)s, each with the whole board, so that a viewer can go
//! forwards and backwards. The system stops when the viewer goes away.

mod hopfield;
mod logic;
mod network;
mod search;
mod stage;

use super::game::Asked;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::networks::Network;
use crate::queues::CancelOnDrop;
use crate::server::AppState;
use ::neural::models::hopfield::Hopfield;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use hyper::body::Frame as Piece;
use ninefold::grid::{Grid, Order};
use ninefold::search::Solver;
use serde::Deserialize;
use stage::Stage;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// What to watch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The name of a system, from `/api/models`.
    system: String,
    /// The clues.
    puzzle: String,
    /// The shape of the boxes, where it is not the usual one.
    boxes: Option<String>,
}

/// Lines that may wait for a viewer.
const LINES_AHEAD: usize = 64;

/// Answers `POST /api/watch`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(wanted): JsonBody<Wanted>,
) -> Result<impl IntoResponse, ApiError> {
    let asked =
        Asked { puzzle: wanted.puzzle, boxes: wanted.boxes, entries: Vec::new(), marks: Vec::new(), language: None };
    let puzzle = asked.game()?.position.puzzle().clone();
    if let Some(conflict) = puzzle.conflict() {
        return Err(ApiError::unusable(conflict.to_string(), "one of the two is a slip; no grid can hold both"));
    }
    let system = System::named(&wanted.system, &state)?;
    if !system.takes(puzzle.order()) {
        let error = format!("{} does not take {} puzzles", wanted.system, puzzle.order());
        return Err(ApiError::unusable(error, "see /api/models for the size it takes"));
    }
    let (sender, lines) = mpsc::channel(LINES_AHEAD);
    let runtime = Handle::current();
    let queues = state.queues.clone();
    let perform = move |gone: &_| system.perform(&puzzle, &Stage::new(sender, runtime, queues, gone));
    let cancel = state.queues.begin(perform).await?;
    let head = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((head, Body::new(Story { lines, _cancel: cancel })))
}

/// Something that can be watched.
enum System {
    Logic,
    Search(&'static dyn Solver),
    Hopfield(Hopfield),
    Network(Arc<Network>),
}

impl System {
    fn named(name: &str, state: &AppState) -> Result<System, ApiError> {
        if name == "logic" {
            return Ok(System::Logic);
        }
        let search = || ninefold::search::by_name(name).filter(|solver| solver.can_be_watched()).map(System::Search);
        let hopfield = || Hopfield::by_name(name).map(System::Hopfield);
        let network = || state.networks.by_name(name).map(System::Network);
        search()
            .or_else(hopfield)
            .or_else(network)
            .ok_or_else(|| ApiError::unusable(format!("{name:?} cannot be watched"), "see /api/models for what can"))
    }

    fn takes(&self, order: Order) -> bool {
        match self {
            System::Logic | System::Hopfield(_) => true,
            System::Search(solver) => solver.takes(order),
            System::Network(network) => network.takes(order),
        }
    }

    fn perform(&self, puzzle: &Grid, stage: &Stage<'_>) {
        // Whoever has gone away does not miss the rest.
        let _ = match self {
            System::Logic => logic::perform(puzzle, stage),
            System::Search(solver) => search::perform(*solver, puzzle, stage),
            System::Hopfield(system) => hopfield::perform(*system, puzzle, stage),
            System::Network(network) => network::perform(network, puzzle, stage),
        };
    }
}

/// The body of the answer. When the connection closes it is dropped, and with it the guard that cancels the work.
struct Story {
    lines: mpsc::Receiver<Bytes>,
    _cancel: CancelOnDrop,
}

impl hyper::body::Body for Story {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Piece<Bytes>, Infallible>>> {
        self.lines.poll_recv(context).map(|line| line.map(|line| Ok(Piece::data(line))))
    }
}
