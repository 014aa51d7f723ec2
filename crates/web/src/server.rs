//! The server: accepts connections and answers requests, with limits on each of them.

use crate::access::Access;
use crate::client::{Client, Proxies};
use crate::client_stream::ClientStream;
use crate::connections::{Activity, Connections, Place};
use crate::error::ErrorResponse;
use crate::limits::{BACKLOG, Limits, PHOTOS_AT_ONCE};
use crate::networks::Networks;
use crate::queues::WorkQueues;
use crate::timeout_stream::TimeoutStream;
use crate::{api, assets, guard};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use axum::middleware;
use axum::response::IntoResponse;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use ninefold_api::ApiError;
use socket2::SockRef;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

/// The configuration of a server.
#[derive(Clone, Default)]
pub struct Config {
    /// Limits on connections.
    pub limits: Limits,
    /// The networks that can be watched.
    pub networks: Networks,
    /// Host names of the server, in addition to `localhost` and its address.
    pub allowed_hosts: Vec<String>,
    /// Addresses of reverse proxies that send the client's address in `X-Forwarded-For` or
    /// `Forwarded`.
    pub trusted_proxies: Vec<IpAddr>,
    /// A token that clients must send; see [`random_token`](crate::random_token).
    pub token: Option<String>,
}

/// State shared by all requests.
#[derive(Clone)]
pub(crate) struct AppState {
    pub queues: WorkQueues,
    pub networks: Networks,
    pub connections: Connections,
    /// A permit for each image that may be received and read at the same time.
    pub photos: Arc<Semaphore>,
    pub quit: Arc<Notify>,
    /// Whether the page may stop the server: only if other machines cannot reach it.
    pub may_quit: bool,
}

impl AppState {
    fn new(config: &Config, may_quit: bool) -> AppState {
        AppState {
            queues: WorkQueues::new(),
            networks: config.networks.clone(),
            connections: Connections::new(config.limits),
            photos: Arc::new(Semaphore::new(PHOTOS_AT_ONCE)),
            quit: Arc::new(Notify::new()),
            may_quit,
        }
    }
}

/// Serves on this address until Ctrl+C or until the page stops the server. Calls `ready` with the
/// address once the server accepts connections.
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
    // Do not wait for work that ignores its cancel flag.
    runtime.shutdown_background();
    served
}

/// Serves on a listener until the page stops the server.
pub async fn serve(listener: TcpListener, config: Config) -> io::Result<()> {
    let address = listener.local_addr()?;
    // Connections inherit the size. It limits the memory for clients that do not read, and makes
    // writes to them block soon.
    SockRef::from(&listener).set_send_buffer_size(config.limits.send_buffer)?;
    // The default of the standard library is 128.
    SockRef::from(&listener).listen(BACKLOG)?;
    let state = AppState::new(&config, address.ip().is_loopback());
    let (quit, places) = (state.quit.clone(), state.connections.clone());
    let router = build_router(state, Access::new(address, &config.allowed_hosts, config.token));
    let proxies = Arc::new(Proxies::new(&config.trusted_proxies));
    // Dropping the set closes all connections when the server stops.
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = quit.notified() => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, client)) = accepted else {
            // Probably out of file descriptors; try again in a moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let is_proxy = proxies.contains(client.ip());
        match places.wait_for_place(client.ip(), is_proxy).await {
            Ok(place) => {
                let peer = Peer { address: client.ip(), proxies: proxies.clone(), place };
                connections.spawn(handle_connection(stream, router.clone(), config.limits, peer));
                while connections.try_join_next().is_some() {}
            }
            Err(_) => reject_connection(stream).await,
        }
    }
    // Time to answer the request that stopped the server.
    tokio::time::sleep(Duration::from_millis(100)).await;
    Ok(())
}

/// The router of the server, for tests that need no socket.
pub fn router(networks: Networks) -> Router {
    let config = Config { networks, ..Config::default() };
    build_router(AppState::new(&config, true), Access::default())
}

fn build_router(state: AppState, access: Access) -> Router {
    let access = Arc::new(access);
    Router::new()
        .merge(api::routes())
        .merge(assets::routes())
        .fallback(async || {
            ErrorResponse::new(StatusCode::NOT_FOUND, "not found", "the page is at /")
        })
        .method_not_allowed_fallback(async || {
            let hint = "files are read with GET, most of the API uses POST; see /openapi.json";
            ErrorResponse::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed", hint)
        })
        .with_state(state)
        .layer(middleware::from_fn(move |request, next| {
            let access = access.clone();
            async move { guard::check_access(&access, request, next).await }
        }))
}

/// The other side of a connection: a client or a reverse proxy.
struct Peer {
    address: IpAddr,
    proxies: Arc<Proxies>,
    place: Place,
}

/// Answers one client until it disconnects, times out or has to make room for another.
async fn handle_connection(stream: TcpStream, router: Router, limits: Limits, peer: Peer) {
    // Answers are small and written at once, so Nagle's algorithm would only delay them.
    let _ = stream.set_nodelay(true);
    let activity = peer.place.activity.clone();
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request| answer(&router, request, &peer));
    let client = ClientStream::new(stream);
    let stream = TimeoutStream::new(client.clone(), limits.write_timeout, activity.clone());
    let serving = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    // hyper answers malformed requests; nothing is left to do about errors.
    tokio::select! {
        biased;
        _ = serving => {}
        () = activity.close.notified() => {}
        () = client.until_gone(|| activity.is_busy()) => {}
    }
}

/// Passes a request to the router and records when the connection is idle.
fn answer(
    router: &TowerToHyperService<Router>,
    mut request: Request<Incoming>,
    peer: &Peer,
) -> impl Future<Output = Result<Response<Answer>, std::convert::Infallible>> + use<> {
    let activity = peer.place.activity.clone();
    if request.body().is_end_stream() {
        activity.request_received();
    }
    let client = peer.proxies.client(peer.address, request.headers());
    let client = client.and_then(|client| match peer.place.admit_request(client) {
        true => Ok(client),
        false => Err(ApiError::unavailable(
            "too many requests of this client are in progress",
            "try again in a moment",
        )
        .into()),
    });
    let answering = client.map(|client: Client| {
        request.extensions_mut().insert(client);
        // `JsonBody` records when the complete body has arrived.
        request.extensions_mut().insert(activity.clone());
        router.call(request)
    });
    async move {
        let response = match answering {
            Ok(answering) => answering.await?,
            Err(error) => error.into_response(),
        };
        Ok(response.map(|body| Answer { body, activity }))
    }
}

/// The body of an answer; dropped when it has been written.
struct Answer {
    body: Body,
    activity: Arc<Activity>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.activity.answer_written();
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

/// Answers that all connections are in use.
async fn reject_connection(mut stream: TcpStream) {
    let body = r#"{"error":"all connections are in use","hint":"try again in a moment"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ =
        tokio::time::timeout(Duration::from_millis(20), stream.write_all(answer.as_bytes())).await;
}
