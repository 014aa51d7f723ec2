//! Watch: a system solves a puzzle, and every moment of it is told as one line of JSON.
//!
//! The answer is a stream. Its lines are [`Frame`](ninefold_api::watch::Frame)s, each with the whole board, so that a
//! viewer can go forwards and backwards. The system stops when the viewer goes away.

mod hopfield;
mod network;
mod viewer;

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
use ninefold_api::watch::{self, Stage, Wanted};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use viewer::Viewer;

/// Lines that may wait for a viewer.
const LINES_AHEAD: usize = 64;

/// Answers `POST /api/watch`.
pub async fn answer(
    State(state): State<AppState>,
    JsonBody(wanted): JsonBody<Wanted>,
) -> Result<impl IntoResponse, ApiError> {
    let puzzle = wanted.puzzle()?;
    let system = System::named(&wanted.system, &state).ok_or_else(|| wanted.unknown())?;
    if !system.takes(puzzle.order()) {
        return Err(wanted.wrong_size(puzzle.order()).into());
    }
    let (sender, lines) = mpsc::channel(LINES_AHEAD);
    let runtime = Handle::current();
    let queues = state.queues.clone();
    let perform =
        move |gone: &_| system.perform(&puzzle, &Viewer::new(sender, runtime, queues, gone));
    let cancel = state.queues.begin(perform).await?;
    let head =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((head, Body::new(Story { lines, _cancel: cancel })))
}

/// Something that can be watched.
enum System {
    /// Logic or a search.
    Plain(watch::System),
    Hopfield(Hopfield),
    Network(Arc<Network>),
}

impl System {
    fn named(name: &str, state: &AppState) -> Option<System> {
        let hopfield = || Hopfield::by_name(name).map(System::Hopfield);
        let network = || state.networks.by_name(name).map(System::Network);
        watch::System::named(name).map(System::Plain).or_else(hopfield).or_else(network)
    }

    fn takes(&self, order: Order) -> bool {
        match self {
            System::Plain(system) => system.takes(order),
            System::Hopfield(_) => true,
            System::Network(network) => network.takes(order),
        }
    }

    fn perform(&self, puzzle: &Grid, stage: &dyn Stage) {
        // Whoever has gone away does not miss the rest.
        let _ = match self {
            System::Plain(system) => system.perform(puzzle, stage),
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
