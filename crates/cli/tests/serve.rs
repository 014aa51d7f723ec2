//! `ninefold serve`: prints its address, handles requests and stops with Quit. Its explanations are
//! equal to those of the command line.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

#[test]
fn serves_the_page_until_quit() {
    let mut server = Server::start();
    assert!(server.address.starts_with("127.0.0.1:"), "{} is not a local address", server.address);
    let page = server.ask("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<sudoku-board"), "{page}");
    let stranger =
        server.ask("GET / HTTP/1.1\r\nhost: elsewhere.example\r\nconnection: close\r\n\r\n");
    assert!(stranger.starts_with("HTTP/1.1 421 "), "{stranger}");
    let quit = server.post("/api/quit", &json!({}));
    assert!(quit.starts_with("HTTP/1.1 202 "), "{quit}");
    assert!(server.child.wait().expect("the command ends").success());
}

#[test]
fn remote_server_warns_and_requires_its_token() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args([
            "serve",
            "--port",
            "0",
            "--host",
            "0.0.0.0",
            "--token",
            "--allow-host",
            "sudoku.example",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("an address");
    let (address, token) = line
        .trim()
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once("/?token="))
        .expect("a token");
    let mut warning = String::new();
    BufReader::new(child.stderr.take().expect("stderr"))
        .read_line(&mut warning)
        .expect("a warning");
    assert!(
        warning.starts_with("warning: everyone who can reach this machine and knows the token"),
        "{warning}"
    );
    let server = Server { address: address.replace("0.0.0.0", "127.0.0.1"), child };
    let get = |host: &str, more: &str| {
        server.ask(&format!("GET / HTTP/1.1\r\nhost: {host}\r\n{more}connection: close\r\n\r\n"))
    };
    let bearer = format!("authorization: Bearer {token}\r\n");
    assert!(get("localhost", "").starts_with("HTTP/1.1 401 "));
    assert!(get("localhost", &bearer).starts_with("HTTP/1.1 200 "));
    assert!(get("sudoku.example", &bearer).starts_with("HTTP/1.1 200 "));
    assert!(get("evil.example", &bearer).starts_with("HTTP/1.1 421 "));
    let quit = "POST /api/quit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let quit =
        server.ask(&format!("{quit}{bearer}content-length: 2\r\nconnection: close\r\n\r\n{{}}"));
    assert!(quit.starts_with("HTTP/1.1 403 "), "a shared server cannot be stopped: {quit}");
}

/// Uses a few generated puzzles of each size; `NINEFOLD_CASES=200` sets the number.
#[test]
fn page_and_command_line_give_equal_explanations() {
    let cases = std::env::var("NINEFOLD_CASES").ok().and_then(|text| text.parse().ok());
    let server = Server::start();
    for (boxes, few) in [("2x2", 6), ("2x3", 6), ("2x4", 4), ("3x3", 6), ("3x4", 2), ("4x4", 1)] {
        let count = cases.unwrap_or(few).to_string();
        let puzzles =
            ninefold(&["generate", "--boxes", boxes, "--count", &count, "--seed", "16"], "");
        let explained = ninefold(&["explain", "--json", "--boxes", boxes, "-"], &puzzles);
        assert_eq!(explained.lines().count(), puzzles.lines().count());
        let (mut steps, mut solved) = (0, 0);
        for (puzzle, line) in puzzles.lines().zip(explained.lines()) {
            let mut ours: Value = serde_json::from_str(line).expect("explain --json prints JSON");
            // Only the command line prints the place in a list.
            let fields = ours.as_object_mut().expect("an object");
            fields.remove("source");
            fields.remove("line");
            let theirs = server.post("/api/explain", &json!({ "puzzle": puzzle, "boxes": boxes }));
            let theirs: Value = serde_json::from_str(body(&theirs)).expect("the page gets JSON");
            assert_eq!(ours, theirs, "{puzzle}");
            steps += ours["steps"].as_array().map_or(0, Vec::len);
            solved += usize::from(ours["end"] == "solved");
        }
        println!(
            "boxes {boxes}: {count} puzzles, {solved} explained to the end, {steps} steps, all equal"
        );
        assert!(steps > 0);
    }
}

/// A server that is stopped at the end of the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("stdout"))
            .read_line(&mut address)
            .expect("an address");
        let address =
            address.trim().strip_prefix("http://").expect("an address to click on").to_string();
        Server { child, address }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.write_all(request.as_bytes()).expect("a request is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer comes");
        answer
    }

    fn post(&self, path: &str, question: &Value) -> String {
        let question = question.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        );
        self.ask(&format!(
            "{head}content-length: {}\r\nconnection: close\r\n\r\n{question}",
            question.len()
        ))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have stopped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of a successful response.
fn body(answer: &str) -> &str {
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head and a body");
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    body
}

fn ninefold(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("stdin").write_all(input.as_bytes()).expect("the command reads");
    let output = child.wait_with_output().expect("the command ends");
    String::from_utf8(output.stdout).expect("the command prints text")
}
