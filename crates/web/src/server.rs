//! The server: connections in, answers out, and nothing that a client does can hold it up.

use crate::error::ApiError;
use crate::networks::Networks;
use crate::queues::WorkQueues;
use crate::{api, assets, guard};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

/// What clients may take from the server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Open connections; one more is told that the server is busy.
    pub connections: usize,
    /// Time for the head of a request to arrive, and for an idle connection to ask again.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connections: 512, patience: Duration::from_secs(15) }
    }
}

/// What all requests share.
#[derive(Clone)]
pub(crate) struct AppState {
    pub queues: WorkQueues,
    pub networks: Networks,
    pub quit: Arc<Notify>,
    /// On this machine alone the page may stop the server; strangers may not.
    pub may_quit: bool,
}

impl AppState {
    fn new(networks: Networks, may_quit: bool) -> AppState {
        AppState { queues: WorkQueues::new(), networks, quit: Arc::new(Notify::new()), may_quit }
    }
}

/// Serves on this address until the process is interrupted or the page says Quit. `ready` is told the address.
pub fn run(address: SocketAddr, networks: Networks, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        tokio::select! {
            served = serve(listener, Limits::default(), networks) => served,
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    });
    // Work that does not look at its flag must not keep the process alive.
    runtime.shutdown_background();
    served
}

/// Serves on a listener until the page says Quit.
pub async fn serve(listener: TcpListener, limits: Limits, networks: Networks) -> io::Result<()> {
    let address = listener.local_addr()?;
    let state = AppState::new(networks, address.ip().is_loopback());
    let quit = state.quit.clone();
    let router = router_of(state, own_hosts(address));
    let places = Arc::new(Semaphore::new(limits.connections));
    // Connections belong to this set, so they end when the server does.
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = quit.notified() => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Most likely there are no file handles left; some will be free in a moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match places.clone().try_acquire_owned() {
            Ok(place) => {
                let router = router.clone();
                connections.spawn(async move {
                    speak(stream, router, limits).await;
                    drop(place);
                });
                while connections.try_join_next().is_some() {}
            }
            Err(_) => send_away(stream).await,
        }
    }
    // The page that said Quit hears that it was understood.
    tokio::time::sleep(Duration::from_millis(100)).await;
    Ok(())
}

/// Everything the server answers, without a socket; tests ask it directly.
pub fn router(networks: Networks) -> Router {
    router_of(AppState::new(networks, true), Vec::new())
}

fn router_of(state: AppState, own_hosts: Vec<String>) -> Router {
    let own_hosts = Arc::new(own_hosts);
    Router::new()
        .merge(api::routes())
        .merge(assets::routes())
        .fallback(async || ApiError::new(StatusCode::NOT_FOUND, "there is nothing here", "the page is at /"))
        .method_not_allowed_fallback(async || {
            let hint = "pages are read with GET, the API is called with POST; see /openapi.json";
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not allowed here", hint)
        })
        .with_state(state)
        .layer(middleware::from_fn(move |request, next| {
            let own_hosts = own_hosts.clone();
            async move { guard::check_host(&own_hosts, request, next).await }
        }))
}

/// On loopback we know our names; elsewhere any name may lead to us.
fn own_hosts(address: SocketAddr) -> Vec<String> {
    if !address.ip().is_loopback() {
        return Vec::new();
    }
    ["localhost", "127.0.0.1", "[::1]"].map(str::to_string).to_vec()
}

async fn speak(stream: TcpStream, router: Router, limits: Limits) {
    // Answers are small and written at once; waiting for more to send would only delay them.
    let _ = stream.set_nodelay(true);
    // A client that breaks off or talks nonsense is answered by hyper; there is nothing to add.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .await;
}

/// Tells a client in one breath that all places are taken.
async fn send_away(mut stream: TcpStream) {
    let body = r#"{"error":"all connections are in use","hint":"try again in a moment"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 5\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = tokio::time::timeout(Duration::from_millis(20), stream.write_all(answer.as_bytes())).await;
}
