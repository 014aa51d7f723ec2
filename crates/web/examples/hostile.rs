//! A hostile client: sends malformed, oversized and slow requests and checks the answers.
//!
//! Start `ninefold serve --port 8199`, then run
//! `cargo run --release -p ninefold-web --example hostile -- 127.0.0.1:8199`. It fails if the
//! server crashes, hangs or answers with an unexpected status.

use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::main]
async fn main() {
    let Some(address) = std::env::args().nth(1) else {
        eprintln!("usage: hostile ADDRESS");
        std::process::exit(2);
    };
    let address = address.as_str();
    show(
        "a body of 10 MB",
        &ask(address, post("/api/solve", &vec![b' '; 10_000_000])).await,
        "413",
    );
    show(
        "invalid UTF-8",
        &ask(address, post("/api/solve", b"{\"puzzle\":\"\xff\xfe\"}")).await,
        "400",
    );
    show(
        "deeply nested brackets",
        &ask(address, post("/api/solve", "[".repeat(100_000).as_bytes())).await,
        "400",
    );
    let order_99 = br#"{"puzzle":".","boxes":"99x99"}"#;
    show("order 99", &ask(address, post("/api/solve", order_99)).await, "422");
    let empty = format!(r#"{{"puzzle":"{}"}}"#, ".".repeat(256));
    show(
        "a puzzle with a million solutions",
        &ask(address, post("/api/solve", empty.as_bytes())).await,
        "200",
    );
    show(
        "a rating of this puzzle",
        &ask(address, post("/api/rate", empty.as_bytes())).await,
        "422",
    );
    for (what, options, status) in [
        ("a million clues", r#"{"clues":[0,1000000]}"#, "422"),
        ("a negative number of clues", r#"{"clues":[-1,3]}"#, "400"),
        ("an infinite number of clues", r#"{"clues":[1e400,3]}"#, "400"),
        ("an unknown technique", r#"{"needs":["../x"]}"#, "422"),
    ] {
        show(what, &ask(address, post("/api/generate", options.as_bytes())).await, status);
    }
    let watch = |system: &str, puzzle: &str| {
        let question = format!(r#"{{"system":"{system}","puzzle":"{puzzle}"}}"#);
        post("/api/watch", question.as_bytes())
    };
    show(
        "watching an unknown system",
        &ask(address, watch("../../etc/passwd", "1...")).await,
        "422",
    );
    show("watching an invalid puzzle", &ask(address, watch("dlx", "1")).await, "422");
    show(
        "watching a puzzle that breaks the rules",
        &ask(address, watch("dlx", "11..............")).await,
        "422",
    );
    show("watching an empty grid", &ask(address, watch("dlx", &".".repeat(256))).await, "200");
    for path in [
        "/api/lessons/../../etc/passwd",
        "/api/lessons/%2e%2e%2fCargo.toml",
        "/api/lessons/%ff",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2fCargo.toml",
        "//etc/passwd",
        "/main.js%00.html",
    ] {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        // A name that is not UTF-8 is a bad request; all other paths do not exist.
        let expected = if path.contains("%ff") { "400" } else { "404" };
        show(path, &ask(address, request.into_bytes()).await, expected);
    }
    let rebound = "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    show("the name of another host", &ask(address, rebound.into()).await, "421");
    let long = format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "y".repeat(200_000));
    show("a head of 200 kB", &ask(address, long.into_bytes()).await, "431");
    many_connections(address, 10_000).await;
    slow_clients(address, 300).await;
    clients_that_disconnect(address).await;
    viewers_that_do_not_read(address, 20).await;
    println!("the server still answers");
}

fn post(path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// Sends a request and reads the answer, even if the server stops reading before the end.
async fn ask(address: &str, request: Vec<u8>) -> String {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let (mut reader, mut writer) = stream.into_split();
    let writing = tokio::spawn(async move {
        let _ = writer.write_all(&request).await;
        writer
    });
    let mut answer = Vec::new();
    let _ = reader.read_to_end(&mut answer).await;
    drop(writing);
    String::from_utf8_lossy(&answer).into_owned()
}

fn show(what: &str, answer: &str, expected: &str) {
    let status = answer.split(' ').nth(1).unwrap_or("no answer");
    println!("{what}: {status}");
    assert_eq!(status, expected, "{what}: {answer}");
}

/// Opens connections and sends nothing; as many as this process may open.
async fn many_connections(address: &str, count: usize) {
    let mut open = Vec::new();
    for _ in 0..count {
        match TcpStream::connect(address).await {
            Ok(stream) => open.push(stream),
            Err(_) => break,
        }
    }
    println!("{} connections are open", open.len());
    drop(open);
    let started = Instant::now();
    loop {
        let answer = ask(
            address,
            b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_vec(),
        )
        .await;
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("afterwards the page was served within {:.2} s", started.elapsed().as_secs_f64());
}

/// Clients that never finish the head of a request do not block others.
async fn slow_clients(address: &str, count: usize) {
    let mut open = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        stream.write_all(b"GET / HTTP/1.1\r\nhost: lo").await.expect("the server reads");
        open.push(stream);
    }
    let started = Instant::now();
    let page = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_vec();
    show("the page during slow clients", &ask(address, page).await, "200");
    println!("it took {:.1} ms", started.elapsed().as_secs_f64() * 1000.0);
}

/// Disconnecting cancels long work, so that the next client does not wait for it.
async fn clients_that_disconnect(address: &str) {
    let options = br#"{"technique":"sue-de-coq","level":"trivial"}"#;
    for _ in 0..50 {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        stream.write_all(&post("/api/generate", options)).await.expect("the server reads");
    }
    let started = Instant::now();
    let easy = br#"{"puzzle":"1..4..1..3..4..3"}"#;
    show(
        "an explanation after 50 clients disconnected",
        &ask(address, post("/api/explain", easy)).await,
        "200",
    );
    println!("it took {:.2} s", started.elapsed().as_secs_f64());
}

/// Viewers that never read keep no slot for long, and none that other requests need.
async fn viewers_that_do_not_read(address: &str, count: usize) {
    // The last cell has no candidates; backtracking tries everything else before it sees that.
    let endless =
        "........5........6........7........8........9...........................1234.....";
    let question = format!(r#"{{"system":"backtrack","puzzle":"{endless}"}}"#);
    let mut open = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        stream.write_all(&post("/api/watch", question.as_bytes())).await.expect("the server reads");
        open.push(stream);
    }
    let started = Instant::now();
    let easy = br#"{"puzzle":"1..4..1..3..4..3"}"#;
    show(
        "an explanation during viewers that do not read",
        &ask(address, post("/api/explain", easy)).await,
        "200",
    );
    println!("it took {:.1} ms", started.elapsed().as_secs_f64() * 1000.0);
}
