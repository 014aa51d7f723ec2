//! A server on a local port, and clients for it.
#![allow(dead_code, reason = "each test binary uses a part")]

use ninefold_web::{Config, Networks};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// A server, by its address.
pub struct Server(pub String);

impl Server {
    pub async fn start() -> Server {
        Server::with(Config { networks: Networks::shipped(), ..Config::default() }).await
    }

    pub async fn with(config: Config) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(ninefold_web::serve(listener, config));
        Server(address)
    }

    /// Sends a request without reading the answer.
    pub async fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.0).await.unwrap();
        stream.write_all(request(method, path, body, "close").as_bytes()).await.unwrap();
        stream
    }

    /// Sends bytes and returns head and body of the answer.
    pub async fn exchange(&self, bytes: &str) -> String {
        let mut stream = TcpStream::connect(&self.0).await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The body of a successful answer.
    pub async fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let answer = self.exchange(&request(method, path, body, "close")).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_string()
    }

    /// The number of slots in use in a queue.
    pub async fn working(&self, queue: &str) -> u64 {
        let status: Value =
            serde_json::from_str(&self.ask("GET", "/api/status", "").await).unwrap();
        status[queue]["working"].as_u64().unwrap()
    }

    pub async fn until_working(&self, queue: &str, count: u64) {
        while self.working(queue).await != count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// The bytes of an HTTP request.
pub fn request(method: &str, path: &str, body: &str, connection: &str) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         connection: {connection}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// Requests that run until the time limit.
pub fn long_requests() -> [(&'static str, String); 4] {
    // All techniques are tried without success on all cells.
    let empty = json!({ "puzzle": ".".repeat(625) }).to_string();
    [
        ("/api/explain", empty.clone()),
        ("/api/hint", empty),
        (
            "/api/generate",
            json!({ "boxes": "4x4", "clues": [60, 70], "minimal": true, "seed": 1 }).to_string(),
        ),
        (
            "/api/generate",
            json!({ "technique": "sue-de-coq", "dupree": "trivial", "seed": 1 }).to_string(),
        ),
    ]
}
