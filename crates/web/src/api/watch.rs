//! Watch: streams how a system (logic, a search or a network) solves a puzzle, with one line of
//! JSON for each moment.
//!
//! The lines are [`Frame`](ninefold_api::watch::Frame)s, each with the complete board, so that a
//! viewer can move forwards and backwards. The system stops when the viewer disconnects.

mod hopfield;
mod network;
mod viewer;

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::networks::Network;
use crate::queues::CancelOnDrop;
use crate::server::AppState;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use hyper::body::Frame as BodyFrame;
use ninefold::grid::{Grid, Order};
use ninefold_api::watch::{self, Stage, WatchRequest};
use ninefold_neural::models::hopfield::Hopfield;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use viewer::Viewer;

/// Lines that are buffered for a viewer.
const BUFFERED_LINES: usize = 64;

/// Answers `POST /api/watch`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<WatchRequest>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let puzzle = request.puzzle()?;
    let system =
        System::by_name(&request.system, &state).ok_or_else(|| request.unknown_system())?;
    if !system.supports(puzzle.order()) {
        return Err(request.unsupported_size(puzzle.order()).into());
    }
    let (sender, lines) = mpsc::channel(BUFFERED_LINES);
    let runtime = Handle::current();
    let queues = state.queues.clone();
    let perform =
        move |cancel: &_| system.perform(&puzzle, &Viewer::new(sender, runtime, queues, cancel));
    let cancel = state.queues.start_watching(client, perform).await?;
    let head =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((head, Body::new(FrameStream { lines, _cancel: cancel })))
}

/// A system that can be watched.
enum System {
    /// Logic or a search.
    Plain(watch::System),
    Hopfield(Hopfield),
    Network(Arc<Network>),
}

impl System {
    fn by_name(name: &str, state: &AppState) -> Option<System> {
        let hopfield = || Hopfield::by_name(name).map(System::Hopfield);
        let network = || state.networks.by_name(name).map(System::Network);
        watch::System::by_name(name).map(System::Plain).or_else(hopfield).or_else(network)
    }

    fn supports(&self, order: Order) -> bool {
        match self {
            System::Plain(system) => system.supports(order),
            System::Hopfield(_) => true,
            System::Network(network) => network.supports(order),
        }
    }

    fn perform(&self, puzzle: &Grid, stage: &dyn Stage) {
        // It breaks when the viewer has disconnected; then there is nothing left to do.
        let _ = match self {
            System::Plain(system) => system.perform(puzzle, stage),
            System::Hopfield(system) => hopfield::perform(*system, puzzle, stage),
            System::Network(network) => network::perform(network, puzzle, stage),
        };
    }
}

/// The body of the answer. It is dropped when the connection closes, which cancels the work.
struct FrameStream {
    lines: mpsc::Receiver<Bytes>,
    _cancel: CancelOnDrop,
}

impl hyper::body::Body for FrameStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<BodyFrame<Bytes>, Infallible>>> {
        self.lines.poll_recv(context).map(|line| line.map(|line| Ok(BodyFrame::data(line))))
    }
}
