//! The server: connections in, answers out, and nothing that a client does can hold it up.

use crate::access::Access;
use crate::connections::{Activity, Connections, Place};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::networks::Networks;
use crate::patient_stream::PatientStream;
use crate::queues::WorkQueues;
use crate::{api, assets, guard};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use axum::middleware;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinSet;

/// How a server is set up.
#[derive(Clone, Default)]
pub struct Config {
    /// What clients may take.
    pub limits: Limits,
    /// The networks that can be asked.
    pub networks: Networks,
    /// Names by which the server may be called, beside `localhost` and its address.
    pub allowed_hosts: Vec<String>,
    /// What clients must know; see [`random_token`](crate::random_token).
    pub token: Option<String>,
}

/// What all requests share.
#[derive(Clone)]
pub(crate) struct AppState {
    pub queues: WorkQueues,
    pub networks: Networks,
    pub connections: Connections,
    pub quit: Arc<Notify>,
    /// On this machine alone the page may stop the server; strangers may not.
    pub may_quit: bool,
}

impl AppState {
    fn new(config: &Config, may_quit: bool) -> AppState {
        AppState {
            queues: WorkQueues::new(),
            networks: config.networks.clone(),
            connections: Connections::new(config.limits),
            quit: Arc::new(Notify::new()),
            may_quit,
        }
    }
}

/// Serves on this address until the process is interrupted or the page says Quit. `ready` is told the address.
pub fn run(address: SocketAddr, config: Config, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        tokio::select! {
            served = serve(listener, config) => served,
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    });
    // Work that does not look at its flag must not keep the process alive.
    runtime.shutdown_background();
    served
}

/// Serves on a listener until the page says Quit.
pub async fn serve(listener: TcpListener, config: Config) -> io::Result<()> {
    let address = listener.local_addr()?;
    // Connections inherit this. What the system keeps for a client that does not read is bounded, and we soon see it.
    SockRef::from(&listener).set_send_buffer_size(config.limits.send_buffer)?;
    let state = AppState::new(&config, address.ip().is_loopback());
    let (quit, places) = (state.quit.clone(), state.connections.clone());
    let router = router_of(state, Access::new(address, &config.allowed_hosts, config.token));
    // Connections belong to this set, so they end when the server does.
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = quit.notified() => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, client)) = accepted else {
            // Most likely there are no file handles left; some will be free in a moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match places.admit(client.ip()) {
            Some(place) => {
                let router = router.clone();
                connections.spawn(speak(stream, router, config.limits, place));
                while connections.try_join_next().is_some() {}
            }
            None => send_away(stream).await,
        }
    }
    // The page that said Quit hears that it was understood.
    tokio::time::sleep(Duration::from_millis(100)).await;
    Ok(())
}

/// Everything the server answers, without a socket; tests ask it directly.
pub fn router(networks: Networks) -> Router {
    let config = Config { networks, ..Config::default() };
    router_of(AppState::new(&config, true), Access::default())
}

fn router_of(state: AppState, access: Access) -> Router {
    let access = Arc::new(access);
    Router::new()
        .merge(api::routes())
        .merge(assets::routes())
        .fallback(async || {
            ApiError::new(StatusCode::NOT_FOUND, "there is nothing here", "the page is at /")
        })
        .method_not_allowed_fallback(async || {
            let hint = "pages are read with GET, the API is called with POST; see /openapi.json";
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not allowed here", hint)
        })
        .with_state(state)
        .layer(middleware::from_fn(move |request, next| {
            let access = access.clone();
            async move { guard::check_access(&access, request, next).await }
        }))
}

/// Answers one client until it leaves, takes too long or has to make room for another.
async fn speak(stream: TcpStream, router: Router, limits: Limits, place: Place) {
    // Answers are small and written at once; waiting for more to send would only delay them.
    let _ = stream.set_nodelay(true);
    let activity = &place.activity;
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request| answer(&router, request, activity.clone()));
    let stream = PatientStream::new(stream, limits.write_patience, activity.clone());
    let speaking = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    // A client that breaks off or talks nonsense is answered by hyper; there is nothing to add.
    tokio::select! {
        _ = speaking => {}
        () = activity.make_room.notified() => {}
    }
}

/// Hands a request to the router and keeps account of who waits for whom.
fn answer(
    router: &TowerToHyperService<Router>,
    mut request: Request<Incoming>,
    activity: Arc<Activity>,
) -> impl Future<Output = Result<Response<Answer>, std::convert::Infallible>> + use<> {
    if request.body().is_end_stream() {
        activity.request_is_here();
    }
    // Whoever reads the body tells when all of it is here.
    request.extensions_mut().insert(activity.clone());
    let answering = router.call(request);
    async move { Ok(answering.await?.map(|body| Answer { body, activity })) }
}

/// The body of an answer, which tells when it has been handed over.
struct Answer {
    body: Body,
    activity: Arc<Activity>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.activity.answer_is_written();
    }
}

impl hyper::body::Body for Answer {
    type Data = axum::body::Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Tells a client in one breath that all places are taken.
async fn send_away(mut stream: TcpStream) {
    let body = r#"{"error":"all connections are in use","hint":"try again in a moment"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ =
        tokio::time::timeout(Duration::from_millis(20), stream.write_all(answer.as_bytes())).await;
}
