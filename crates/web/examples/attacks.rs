//! Attacks on the server: measures how long an easy hint of another client takes meanwhile.
//!
//! `cargo run --release -p ninefold-web --example attacks -- [SECONDS]` starts a server behind a
//! trusted proxy for each attack, and attacks it for this many seconds (default 10), once as one
//! client and once with an address for each connection. The hint comes through the same proxy. It
//! fails if a hint is not answered, or takes longer than a second.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{EASY, Server, long_requests, request};
use ninefold_web::{Config, Networks};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const LONGEST_SECONDS: f64 = 1.0;

/// How the connections of an attack behave.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// The clients leave at once. New ones come every second.
    Leave,
    /// The clients wait for their answers.
    Stay,
}

struct Attack {
    name: &'static str,
    connections: usize,
    /// The bytes to send, given the line of the header with the address of the client.
    bytes: fn(&str) -> String,
    end: End,
}

const ATTACKS: [Attack; 8] = [
    Attack {
        name: "links of 64×64 boards to read, clients leave",
        connections: 16,
        bytes: |client| read(BOARD_64, client),
        end: End::Leave,
    },
    Attack {
        name: "links of 25×25 boards to read, clients leave",
        connections: 16,
        bytes: |client| read(BOARD_25, client),
        end: End::Leave,
    },
    Attack {
        name: "an explanation and one byte, clients leave",
        connections: 300,
        bytes: |client| explain(client) + "x",
        end: End::Leave,
    },
    Attack {
        name: "three explanations at once, clients leave",
        connections: 515,
        bytes: |client| explain(client).repeat(3),
        end: End::Leave,
    },
    Attack {
        name: "three explanations at once, clients stay",
        connections: 515,
        bytes: |client| explain(client).repeat(3),
        end: End::Stay,
    },
    Attack {
        name: "an explanation, clients stay",
        connections: 300,
        bytes: explain,
        end: End::Stay,
    },
    Attack {
        name: "watching a search without end, clients stay",
        connections: 600,
        bytes: |client| watch("backtrack", ENDLESS, client),
        end: End::Stay,
    },
    Attack {
        name: "watching a network on an empty grid, clients stay",
        connections: 600,
        bytes: |client| watch("kaleidoscope", &".".repeat(625), client),
        end: End::Stay,
    },
];

/// The last cell has no candidates, but backtracking fills all other cells in every way before it
/// sees that.
const ENDLESS: &str =
    "........5........6........7........8........9...........................1234.....";

#[tokio::main(flavor = "multi_thread")]
async fn main() {
    let seconds =
        std::env::args().nth(1).map_or(10.0, |text| text.parse().expect("a number of seconds"));
    println!("| attack | addresses | hints | median in ms | slowest in ms | failed |");
    println!("|---|---|---:|---:|---:|---:|");
    let mut passed = true;
    for attack in &ATTACKS {
        for has_own_addresses in [false, true] {
            passed &= measure(attack, has_own_addresses, Duration::from_secs_f64(seconds)).await;
        }
    }
    if !passed {
        eprintln!("error: a hint took longer than {LONGEST_SECONDS} s or was not answered");
        std::process::exit(1);
    }
}

/// Attacks a server and asks for hints until the time is up.
async fn measure(attack: &'static Attack, has_own_addresses: bool, time: Duration) -> bool {
    let config = Config {
        networks: Networks::shipped(),
        trusted_proxies: vec!["127.0.0.1".parse().expect("an address")],
        ..Config::default()
    };
    let server = Arc::new(Server::with(config).await);
    let end = Instant::now() + time;
    let clients: Vec<_> = (0..attack.connections)
        .map(|number| {
            let address = if has_own_addresses { number } else { 0 };
            let line = format!("x-forwarded-for: 198.51.{}.{}\r\n", address / 250, address % 250);
            tokio::spawn(run_client(server.clone(), attack, line, end))
        })
        .collect();
    let mut milliseconds = Vec::new();
    let mut failed = 0;
    let body = json!({ "puzzle": EASY }).to_string();
    let hint =
        with_line(&request("POST", "/api/hint", &body, "close"), "x-forwarded-for: 192.0.2.1\r\n");
    while Instant::now() < end {
        let started = Instant::now();
        match exchange(&server, &hint).await {
            Some(answer) if answer.starts_with("HTTP/1.1 200 ") => {}
            answer => {
                failed += 1;
                eprintln!("{}", answer.as_deref().unwrap_or("no answer"));
            }
        }
        milliseconds.push(1000.0 * started.elapsed().as_secs_f64());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    clients.iter().for_each(tokio::task::JoinHandle::abort);
    milliseconds.sort_by(f64::total_cmp);
    let slowest = milliseconds.last().copied().unwrap_or(0.0);
    println!(
        "| {} | {} | {} | {:.1} | {slowest:.1} | {failed} |",
        attack.name,
        if has_own_addresses { "one each" } else { "one" },
        milliseconds.len(),
        milliseconds[milliseconds.len() / 2],
    );
    failed == 0 && slowest <= 1000.0 * LONGEST_SECONDS
}

/// Connects again and again until the end.
async fn run_client(server: Arc<Server>, attack: &'static Attack, line: String, end: Instant) {
    let bytes = (attack.bytes)(&line);
    while Instant::now() < end {
        let Ok(mut stream) = TcpStream::connect(&server.0).await else { continue };
        let _ = stream.write_all(bytes.as_bytes()).await;
        if attack.end == End::Stay {
            let mut buffer = vec![0; 16 * 1024];
            while stream.read(&mut buffer).await.is_ok_and(|count| count > 0) {}
        }
        drop(stream);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Sends a request; `None` if there is no answer.
async fn exchange(server: &Server, bytes: &str) -> Option<String> {
    let mut stream = TcpStream::connect(&server.0).await.ok()?;
    stream.write_all(bytes.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// Adds a line to the head of a request.
fn with_line(request: &str, line: &str) -> String {
    request.replacen("\r\n", &format!("\r\n{line}"), 1)
}

fn explain(line: &str) -> String {
    let (path, body) = &long_requests()[0];
    with_line(&request("POST", path, body, "keep-alive"), line)
}

fn watch(system: &str, puzzle: &str, line: &str) -> String {
    let body = json!({ "system": system, "puzzle": puzzle }).to_string();
    with_line(&request("POST", "/api/watch", &body, "close"), line)
}

/// As many links with this board as fit into a request.
fn read(board: &str, line: &str) -> String {
    let link = format!("https://www.f-puzzles.com/?load={board}\n");
    let text = link.repeat(130_000 / (link.len() + 1));
    with_line(&request("POST", "/api/read", &json!({ "text": text }).to_string(), "close"), line)
}

/// An empty board of 64×64 cells, as f-puzzles compresses it.
const BOARD_64: &str = "\
    N4Ig5gTglgJiBcBtRwC+AaNmNdz/2heRBxZpFJV51lN9djtzDL+Auuik67z/20F8hA4WNETO3ETPGyJ8xXOULxUlUt\
    VbNOjXu3l1B47pP7TF83iOWzd2w6v3DXJ4+cf3XlTbd/P/t4B/L7BQeGBkR6hEWFRsQl8MfEpcWmJIa7pqRm5OdZZe\
    dnFRUHJJfkVVe7lpZV11WqF9S2Nbaa1rQ3dXS7Sve0DPYydg2PDRaMTQzNVU7PT46nzS6uLNc1rC9tzm+s7+8Erhyc\
    HTf1bl6fRe2dXd7bHD8/3mRfXHy8iT6+fvwXvL5A/5vYF/cEMH4QkGHKFg+GXOEwhGLJHQ9EDNEo7FtLHI/HDPEYgm\
    tIk44mxMkk6kZKkU8lROkMmmM24s9motn0jmzJk8/kdLnM7kNPki4X6MUSgU+IUy+WUuXihXLJXS5WKwEq7VlNU69X\
    +KX643YI0ag2gk0WzXW227LXmq03B12x0bF1Ot2SvVez3nV0BtJmwO+9icEAAZygAC8AKYIABsABZUEA==";

/// An empty board of 25×25 cells.
const BOARD_25: &str = "\
    N4Ig5gTglgJiBcBtRwC+AaNmNdz/2heRBxZpF2AuuipeSYw8/ayTXU2y17zyx37dhfEQNpDRUyTPyCxC6YvGdZS9Wr\
    zyNy3Tu2a9h0QaNmdXUxeM2KV29fNp7T1/oluHtl49/ePfp5mPl5BJgGhgY4hYZHkMVFxrAlJiXYRsZmWGWm5QilZS\
    QV5mVQ0IADOUABeAKYIAEwArKhAA";
