//! The server stays responsive while clients do not read, disconnect, send slowly or come from
//! other sites.

mod common;

use common::{EASY, Server, long_requests, request};
use ninefold_web::{Config, Limits, Networks};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Waits until the page is served and returns how long that took.
async fn until_served(server: &Server) -> Duration {
    let started = Instant::now();
    while !server.exchange(&request("GET", "/", "", "close")).await.starts_with("HTTP/1.1 200 ") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    started.elapsed()
}

/// Connects with a small receive buffer, which answers soon fill.
async fn connect_with_small_buffer(server: &Server) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(server.0.parse().unwrap()).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_never_read_are_disconnected() {
    let server = Server::start().await;
    let many = request("GET", "/openapi.json", "", "keep-alive").repeat(200);
    let mut open = Vec::new();
    for _ in 0..515 {
        let Some(mut stream) = connect_with_small_buffer(&server).await else { break };
        // A rejected connection may already be closed.
        let _ = tokio::time::timeout(Duration::from_millis(50), stream.write_all(many.as_bytes()))
            .await;
        open.push(stream);
    }
    let took = until_served(&server).await;
    println!(
        "{} clients that do not read: the page was served after {:.2} s",
        open.len(),
        took.as_secs_f64()
    );
    let solved = server.ask("POST", "/api/solve", &json!({ "puzzle": EASY }).to_string()).await;
    assert!(solved.contains(r#""answer":"one""#));
    assert!(open.len() > Limits::default().connections_per_address);
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_send_nothing_or_slowly_are_disconnected() {
    let limits = Limits { connections: 4, connections_per_address: 4, ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::default() }).await;
    let mut open = Vec::new();
    for begin in [
        "",
        "GET / HTTP/1.1\r\nhost: lo",
        "POST /api/solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{",
    ] {
        for _ in 0..4 {
            let mut stream = TcpStream::connect(&server.0).await.unwrap();
            let _ = stream.write_all(begin.as_bytes()).await;
            open.push(stream);
        }
        let took = until_served(&server).await;
        println!("{begin:?}: the page was served after {:.2} s", took.as_secs_f64());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reads_nothing_times_out_even_if_connections_are_free() {
    let limits = Limits { write_timeout: Duration::from_millis(200), ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::default() }).await;
    let mut stream = connect_with_small_buffer(&server).await.unwrap();
    let many = request("GET", "/openapi.json", "", "keep-alive").repeat(400);
    // The server closes the connection either during the write or before everything is read.
    if stream.write_all(many.as_bytes()).await.is_ok() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(String::from_utf8_lossy(&rest).matches("HTTP/1.1 200").count() < 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_cancels_long_work() {
    let server = Server::start().await;
    for (path, question) in long_requests() {
        let waiting = server.send("POST", path, &question).await;
        server.until_working("slow", 1).await;
        // Give the work time to start a long computation.
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(server.working("slow").await, 1, "{path} is not long work");
        drop(waiting);
        let disconnected = Instant::now();
        server.until_working("slow", 0).await;
        println!(
            "{path}: its slot was free {:.3} s after its client disconnected",
            disconnected.elapsed().as_secs_f64()
        );
    }
}

/// A client that leaves unread bytes behind is noticed, too: the slot of its work is free while
/// equal work that began earlier has not ended yet.
#[tokio::test(flavor = "multi_thread")]
async fn clients_that_leave_unread_bytes_behind_are_noticed() {
    let (path, question) = &long_requests()[0];
    let long = request("POST", path, question, "keep-alive");
    for (unread, leaves) in [
        ("x".to_string(), true),
        (long.repeat(2), true),
        // The end of this connection could never be seen behind so many bytes.
        ("x".repeat(1 << 20), false),
    ] {
        let server = Server::start().await;
        let earlier = server.send("POST", path, question).await;
        server.until_working("slow", 1).await;
        let mut stream = TcpStream::connect(&server.0).await.unwrap();
        stream.write_all(long.as_bytes()).await.unwrap();
        server.until_working("slow", 2).await;
        // The server may close the connection before it has taken all bytes.
        let (_reader, mut writer) = stream.into_split();
        let sending = tokio::spawn(async move {
            let _ = writer.write_all(unread.as_bytes()).await;
            writer
        });
        if leaves {
            let writer = sending.await.unwrap();
            drop((writer, _reader));
        }
        server.until_working("slow", 1).await;
        let mut byte = [0];
        let answered = earlier.try_read(&mut byte);
        assert!(answered.is_err(), "the earlier request has ended first");
    }
}

/// With a trusted proxy, the limits count for each client, not for the proxy.
#[tokio::test(flavor = "multi_thread")]
async fn clients_behind_a_proxy_do_not_wait_for_long_work_of_others() {
    let trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let server = Server::with(Config { trusted_proxies, ..Config::default() }).await;
    let as_client = |path: &str, body: &str, client: &str| {
        request("POST", path, body, &format!("close\r\nx-forwarded-for: {client}"))
    };
    let (path, question) = &long_requests()[0];
    let mut waiting = Vec::new();
    for number in 0..300 {
        let client = format!("198.51.100.{}", number % 250);
        let mut stream = TcpStream::connect(&server.0).await.unwrap();
        stream.write_all(as_client(path, question, &client).as_bytes()).await.unwrap();
        waiting.push(stream);
    }
    let started = Instant::now();
    let easy = json!({ "puzzle": EASY }).to_string();
    let hint = server.exchange(&as_client("/api/hint", &easy, "192.0.2.1")).await;
    assert!(hint.starts_with("HTTP/1.1 200 "), "{hint}");
    println!("a hint took {:.3} s beside 300 long requests", started.elapsed().as_secs_f64());
    let server = Server::start().await;
    let hint = server.exchange(&as_client("/api/hint", &easy, "192.0.2.1")).await;
    assert!(hint.starts_with("HTTP/1.1 200 "), "without a proxy the header is ignored: {hint}");
    let trusted_proxies = vec!["192.0.2.9".parse().unwrap()];
    let server = Server::with(Config { trusted_proxies, ..Config::default() }).await;
    let hint = server.exchange(&as_client("/api/hint", &easy, "192.0.2.1")).await;
    assert!(hint.starts_with("HTTP/1.1 400 "), "{hint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn easy_requests_do_not_wait_for_long_ones() {
    let server = Server::start().await;
    let mut waiting = Vec::new();
    for (path, question) in long_requests() {
        waiting.push(server.send("POST", path, &question).await);
    }
    let places = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 4) as u64;
    server.until_working("slow", places).await;
    let easy = json!({ "puzzle": EASY }).to_string();
    for path in ["/api/solve", "/api/hint", "/api/explain", "/api/rate"] {
        server.ask("POST", path, &easy).await;
    }
    server.ask("POST", "/api/generate", "{}").await;
    assert_eq!(server.working("slow").await, places, "all long work is still running");
}

#[tokio::test(flavor = "multi_thread")]
async fn viewers_that_do_not_read_are_disconnected() {
    let server = Server::start().await;
    let endless =
        "........5........6........7........8........9...........................1234.....";
    let question = json!({ "system": "backtrack", "puzzle": endless }).to_string();
    let mut open = Vec::new();
    for _ in 0..8 {
        let mut stream = connect_with_small_buffer(&server).await.unwrap();
        stream
            .write_all(request("POST", "/api/watch", &question, "close").as_bytes())
            .await
            .unwrap();
        open.push(stream);
    }
    let started = Instant::now();
    let show = json!({ "system": "logic", "puzzle": EASY }).to_string();
    assert!(server.ask("POST", "/api/watch", &show).await.contains("solved"));
    println!(
        "watching took {:.2} s after 8 viewers that do not read",
        started.elapsed().as_secs_f64()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_requests_of_other_sites_and_for_other_hosts() {
    let server = Server::start().await;
    let status = async |head: &str| {
        let answer = server
            .exchange(&format!("{head}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{{}}"))
            .await;
        answer.split(' ').nth(1).unwrap_or("no answer").to_string()
    };
    let quit = "POST /api/quit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    assert_eq!(status(&format!("{quit}origin: http://evil.example")).await, "403");
    assert_eq!(status(&format!("{quit}sec-fetch-site: cross-site")).await, "403");
    assert_eq!(status("GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example").await, "400");
    assert_eq!(status("GET http://localhost/ HTTP/1.1\r\nhost: localhost").await, "400");
    assert_eq!(status("GET / HTTP/1.1\r\nx: y").await, "400");
    assert_eq!(status("GET / HTTP/1.1\r\nhost: evil.example").await, "421");
    assert_eq!(
        status("GET / HTTP/1.1\r\nhost: localhost").await,
        "200",
        "the server still answers"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_gives_access() {
    let token = ninefold_web::random_token().unwrap();
    let config =
        Config { token: Some(token.clone()), networks: Networks::default(), ..Config::default() };
    let server = Server::with(config).await;
    assert_eq!(token.len(), 32);
    let page = |more: &str, path: &str| {
        format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{more}\r\n")
    };
    assert!(server.exchange(&page("", "/")).await.starts_with("HTTP/1.1 401 "));
    let opened = server.exchange(&page("", &format!("/?token={token}"))).await;
    assert!(opened.starts_with("HTTP/1.1 303 "), "{opened}");
    let cookie =
        opened.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie is set");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert!(
        server
            .exchange(&page(&format!("cookie: {cookie}\r\n"), "/"))
            .await
            .starts_with("HTTP/1.1 200 ")
    );
    assert!(
        server
            .exchange(&page("cookie: ninefold-token=0\r\n", "/api/status"))
            .await
            .starts_with("HTTP/1.1 401 ")
    );
}

#[tokio::test]
async fn rejects_impossible_clue_counts_at_once() {
    let server = Server::start().await;
    for (options, error) in [
        (json!({ "clues": [0, 0] }), "have at least 17 clues"),
        (json!({ "clues": [10, 16] }), "have at least 17 clues"),
        (json!({ "boxes": "2x2", "clues": [0, 3] }), "have at least 4 clues"),
        (json!({ "boxes": "4x4", "clues": [0, 14] }), "have at least 15 clues"),
    ] {
        let answer =
            server.exchange(&request("POST", "/api/generate", &options.to_string(), "close")).await;
        assert!(answer.starts_with("HTTP/1.1 422 ") && answer.contains(error), "{answer}");
    }
}
