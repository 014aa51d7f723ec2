//! `ninefold serve` as a person meets it: it prints an address, answers there, and ends with Quit.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn the_page_is_served_until_quit() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(["serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut address = String::new();
    BufReader::new(server.stdout.take().expect("stdout")).read_line(&mut address).expect("an address");
    let address = address.trim().strip_prefix("http://").expect("an address to click on");
    assert!(address.starts_with("127.0.0.1:"), "{address} is not for this machine alone");

    let page = ask(address, "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<sudoku-board"), "{page}");
    let stranger = ask(address, "GET / HTTP/1.1\r\nhost: elsewhere.example\r\nconnection: close\r\n\r\n");
    assert!(stranger.starts_with("HTTP/1.1 421 "), "{stranger}");
    let head = "POST /api/quit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let quit = ask(address, &format!("{head}content-length: 2\r\nconnection: close\r\n\r\n{{}}"));
    assert!(quit.starts_with("HTTP/1.1 202 "), "{quit}");
    assert!(server.wait().expect("the command ends").success());
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.write_all(request.as_bytes()).expect("a request is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer comes");
    answer
}
