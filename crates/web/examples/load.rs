//! Load from another process: so many solve requests per second for some seconds, with every answer checked.
//!
//! `ninefold serve --port 8199 &` and then `cargo run --release -p ninefold-web --example load -- 127.0.0.1:8199 1000 10`.
//! A last argument with the server's process id shows its memory before and after.

use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PUZZLE: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const CONNECTIONS: u32 = 20;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, per_second, seconds, rest @ ..] = &arguments[..] else {
        eprintln!("usage: load ADDRESS REQUESTS_PER_SECOND SECONDS [SERVER_PROCESS_ID]");
        std::process::exit(2);
    };
    let per_second: u32 = per_second.parse().expect("a number of requests");
    let seconds: u32 = seconds.parse().expect("a number of seconds");
    let memory = || rest.first().and_then(|id| resident_kilobytes(id));
    let (before, started) = (memory(), Instant::now());
    let workers: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let requests = per_second * seconds / CONNECTIONS;
            tokio::spawn(worker(address.clone(), requests, Duration::from_secs(1) * CONNECTIONS / per_second))
        })
        .collect();
    let mut milliseconds = Vec::new();
    for worker in workers {
        milliseconds.extend(worker.await.expect("no worker fails"));
    }
    milliseconds.sort_by(f64::total_cmp);
    let elapsed = started.elapsed().as_secs_f64();
    let at = |share: f64| milliseconds[((milliseconds.len() - 1) as f64 * share) as usize];
    println!(
        "{} answers in {elapsed:.1} s, {:.0} per second, no error",
        milliseconds.len(),
        milliseconds.len() as f64 / elapsed
    );
    println!("milliseconds: median {:.2}, 99 of 100 {:.2}, longest {:.2}", at(0.5), at(0.99), at(1.0));
    if let (Some(before), Some(after)) = (before, memory()) {
        println!("the server's memory: {before} kB before, {after} kB after");
    }
}

/// Asks at an even pace over one connection; how long each answer took.
async fn worker(address: String, requests: u32, pace: Duration) -> Vec<f64> {
    let body = format!(r#"{{"puzzle":"{PUZZLE}"}}"#);
    let request = format!(
        "POST /api/solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(&address).await.expect("the server listens");
    stream.set_nodelay(true).expect("a socket option");
    let mut ticks = tokio::time::interval(pace);
    let mut spent = Vec::new();
    let mut buffer = vec![0; 16 * 1024];
    for _ in 0..requests {
        ticks.tick().await;
        let asked = Instant::now();
        stream.write_all(request.as_bytes()).await.expect("the server reads");
        let mut answer = String::new();
        while !answer.ends_with('}') {
            let count = stream.read(&mut buffer).await.expect("the server answers");
            assert!(count > 0, "the server hung up after {answer:?}");
            answer += std::str::from_utf8(&buffer[..count]).expect("answers are text");
        }
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains(r#""answer":"one""#), "{answer}");
        spent.push(asked.elapsed().as_secs_f64() * 1000.0);
    }
    spent
}

/// What the system says about the memory of a process.
fn resident_kilobytes(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok())
}
