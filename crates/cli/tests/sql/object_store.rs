//! Files on web servers and in object stores, from a small server in this process: files by name
//! with ranges, and for S3 lists of names. It checks no signatures.

use super::{ninefold, run};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A server, which ends with the process.
struct Server {
    address: String,
    files: Files,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let files = Files::default();
        let shared = Arc::clone(&files);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let files = Arc::clone(&shared);
                std::thread::spawn(move || while answer(&mut stream.as_ref().unwrap(), &files) {});
            }
        });
        Server { address, files }
    }

    fn add(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.lock().unwrap().insert(path.to_string(), bytes.into());
    }
}

/// Answers one request; false at the end of the connection.
fn answer(stream: &mut &TcpStream, files: &Files) -> bool {
    let mut reader = BufReader::new(*stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return false,
            Ok(_) if line.trim().is_empty() => break,
            Ok(_) => lines.push(line.trim().to_string()),
        }
    }
    let header = |name: &str| {
        lines[1..].iter().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_string())
        })
    };
    let length = header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let request: Vec<&str> = lines[0].split(' ').collect();
    let (path, parameters) = request[1].split_once('?').unwrap_or((request[1], ""));
    let mut files = files.lock().unwrap();
    let (status, bytes, range) = match request[0] {
        "PUT" => {
            files.insert(path.to_string(), body);
            (200, Vec::new(), None)
        }
        "GET" if parameters.contains("list-type=2") => {
            (200, listing(&files, path, parameters), None)
        }
        "GET" | "HEAD" => match (files.get(path), header("range")) {
            (None, _) => (404, Vec::new(), None),
            (Some(file), None) => (200, file.clone(), None),
            (Some(file), Some(range)) => {
                let (first, last) = range.trim_start_matches("bytes=").split_once('-').unwrap();
                let end = file.len() - 1;
                let (first, last) = match first.parse::<usize>() {
                    Ok(first) => (first, last.parse().unwrap_or(end).min(end)),
                    // The last bytes.
                    Err(_) => (file.len() - last.parse::<usize>().unwrap(), end),
                };
                let place = format!("Content-Range: bytes {first}-{last}/{}\r\n", file.len());
                (206, file[first..=last].to_vec(), Some(place))
            }
        },
        _ => (405, Vec::new(), None),
    };
    let head = format!(
        "HTTP/1.1 {status} -\r\nContent-Length: {}\r\nETag: \"1\"\r\n\
         Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n{}\r\n",
        bytes.len(),
        range.unwrap_or_default()
    );
    let body = if request[0] == "HEAD" { &[][..] } else { &bytes };
    stream.write_all(&[head.as_bytes(), body].concat()).is_ok()
}

/// The names in a bucket that begin with the prefix in the parameters.
fn listing(files: &BTreeMap<String, Vec<u8>>, bucket: &str, parameters: &str) -> Vec<u8> {
    let prefix = parameters.split('&').find_map(|part| part.strip_prefix("prefix="));
    let prefix = prefix.unwrap_or_default().replace("%2F", "/");
    let start = format!("{}/", bucket.trim_end_matches('/'));
    let names = files.iter().filter_map(|(path, file)| {
        let name = path.strip_prefix(&start)?;
        name.starts_with(&prefix).then(|| {
            format!(
                "<Contents><Key>{name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
                 <ETag>\"1\"</ETag><Size>{}</Size></Contents>",
                file.len()
            )
        })
    });
    let names: String = names.collect();
    format!("<ListBucketResult><IsTruncated>false</IsTruncated>{names}</ListBucketResult>").into()
}

fn puzzles(count: u64, format: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("puzzles.{format}")).to_string_lossy().into_owned();
    let query = format!("select number, puzzle, solution from generate(5, {count}, 'clues 30')");
    assert_eq!(run(&["sql", &query, "-o", &path]).2, Some(0));
    std::fs::read(path).unwrap()
}

#[test]
fn reads_files_of_web_servers() {
    let server = Server::start();
    for format in ["csv", "json", "parquet"] {
        server.add(&format!("/lists/a.{format}"), puzzles(3000, format));
        let query = format!(
            "select count(*) n, max(number) m from 'http://{}/lists/a.{format}' \
             where solve(puzzle) = solution",
            server.address
        );
        let (rows, said, code) = run(&["sql", "--format", "csv", &query]);
        assert_eq!((rows.as_str(), said.as_str(), code), ("n,m\n3000,2999\n", "", Some(0)));
    }
    // Text columns only, for which local files have a reader of their own.
    let query =
        format!("select count(solve(puzzle)) n from 'http://{}/lists/a.csv'", server.address);
    assert_eq!(run(&["sql", "--format", "csv", &query]).0, "n\n3000\n");
    let list = |path: &str| format!("select * from 'http://{}/{path}'", server.address);
    for (path, words) in [
        ("lists/absent.csv", "lists/absent.csv"),
        ("lists/*.csv", "web servers do not list their files"),
        ("lists/a.docx", "unknown file extension"),
    ] {
        let (_, said, code) = run(&["sql", &list(path)]);
        assert!(said.contains(words) && code == Some(2), "{path}: {said}");
    }
}

#[test]
fn reads_and_writes_objects_in_s3() {
    let server = Server::start();
    for number in 0..3 {
        server.add(&format!("/puzzles/lists/{number}.csv"), puzzles(1000, "csv"));
    }
    let sql = |query: &str| {
        let output = ninefold(&["sql", "--format", "csv", query])
            .env("AWS_ENDPOINT", format!("http://{}", server.address))
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_REGION", "here")
            .env("AWS_ACCESS_KEY_ID", "someone")
            .env("AWS_SECRET_ACCESS_KEY", "something")
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    let count = "select count(*) n from 's3://puzzles/lists/*.csv' where solve(puzzle) = solution";
    assert_eq!(sql(count), ("n\n3000\n".to_string(), String::new(), Some(0)));
    let copy = "copy (select puzzle, solve(puzzle) solution from 's3://puzzles/lists/1.csv') \
                to 's3://puzzles/out/solved.parquet' stored as parquet";
    let (_, said, code) = sql(copy);
    assert_eq!((said.as_str(), code), ("", Some(0)));
    let written = server.files.lock().unwrap()["/puzzles/out/solved.parquet"].clone();
    assert!(written.starts_with(b"PAR1") && written.ends_with(b"PAR1"));
    let again = "select count(*) n from 's3://puzzles/out/solved.parquet'";
    assert_eq!(sql(again).0, "n\n1000\n");
    let (_, said, code) = sql("select * from 's3://puzzles/absent.parquet'");
    assert!(said.contains("absent.parquet") && code == Some(2), "{said}");
}
