//! Tests of `/api/watch` through HTTP: the frames of each system, errors, and cancellation.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use ninefold_neural::device::Device;
use ninefold_neural::registry;
use ninefold_neural::training::TrainOptions;
use ninefold_web::{Config, Networks};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const FOUR: &str = "1..4..1..3..4..3";
/// The last cell has no candidates, but backtracking fills all other cells in every way before it
/// sees that.
const ENDLESS: &str =
    "........5........6........7........8........9...........................1234.....";
const HARDEST: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

async fn ask(networks: Networks, request: Request<Body>) -> (StatusCode, String) {
    let response =
        ninefold_web::router(networks).oneshot(request).await.expect("the router is infallible");
    let status = response.status();
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (status, String::from_utf8(bytes.to_vec()).expect("answers are text"))
}

/// All frames of one answer.
async fn watch(networks: Networks, system: &str, puzzle: &str) -> Vec<Value> {
    let question = json!({ "system": system, "puzzle": puzzle }).to_string();
    let request = Request::post("/api/watch")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(question));
    let (status, text) = ask(networks, request.unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

async fn watch_error(system: &str, puzzle: &str) -> String {
    let question = json!({ "system": system, "puzzle": puzzle }).to_string();
    let request = Request::post("/api/watch")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(question));
    let (status, text) = ask(Networks::shipped(), request.unwrap()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
    text
}

async fn models(networks: Networks) -> Vec<Value> {
    let (status, text) =
        ask(networks, Request::get("/api/models").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    serde_json::from_str::<Value>(&text).unwrap()["models"].as_array().unwrap().clone()
}

/// A network that is trained on a few 4×4 puzzles; it is bad, but real.
fn small_network(directory: &Path) -> PathBuf {
    let changes = "
        boxes = [2, 2]
        batch = 4
        model = { hidden = 8 }
        data = { recipe = \"minimal\", train = 16, validation = 8, test = 4 }
        stages = [{ epochs = 2, rate = 0.01, blanks = 4 }]
    ";
    trained("dense", changes, directory)
}

/// A recurrent network with this many rounds; 10¹² would take years.
fn network_of_rounds(rounds: u64, directory: &Path) -> PathBuf {
    let changes = format!(
        "
        boxes = [2, 2]
        batch = 4
        solved_per_stage = 0
        model = {{ embedding = 2, hidden = 4, steps = 2, answer_steps = {rounds} }}
        data = {{ recipe = \"minimal\", train = 8, validation = 4, test = 4, fresh = {{ givens = [4, 8] }} }}
        stages = [{{ epochs = 1, rate = 0.01 }}]
        "
    );
    trained("rrn", &changes, directory)
}

fn trained(model: &str, changes: &str, directory: &Path) -> PathBuf {
    let mut options = TrainOptions::new(directory);
    options.changes = Some(changes);
    registry::by_name(model)
        .unwrap()
        .train(&options, Device::Cpu, &mut |_| {})
        .expect("a small network is trained");
    directory.join(ninefold_neural::training::run::WEIGHTS)
}

#[tokio::test]
async fn every_ready_system_solves_a_small_puzzle() {
    for model in models(Networks::shipped()).await {
        let is_supported = model["boxes"].is_null() || model["boxes"] == "2x2";
        if model["ready"] == true && is_supported {
            let name = model["name"].as_str().unwrap();
            let frames = watch(Networks::shipped(), name, FOUR).await;
            let last = frames.last().unwrap();
            // The Hopfield network asks a search for hints, and says so.
            let end = if name.starts_with("hopfield") { "helped" } else { "solved" };
            assert_eq!(
                (&last["end"], &last["grid"]),
                (&json!(end), &json!("1234341223414123")),
                "{name}"
            );
            assert!(frames.iter().all(|frame| {
                frame["text"].as_str().is_some_and(|text| text.ends_with('.') || !text.is_empty())
            }));
        }
    }
}

#[tokio::test]
async fn a_recurrent_network_shows_every_round() {
    let frames = watch(Networks::shipped(), "rem", EASY).await;
    let rounds: Vec<&Value> = frames.iter().filter(|frame| frame["event"] == "look").collect();
    assert_eq!(rounds.len(), 64);
    assert_eq!(rounds[2]["text"], "It thinks, round 3 of 64.");
    assert_ne!(rounds[0]["odds"], rounds[63]["odds"]);
    assert_eq!(frames.last().unwrap()["grid"], SOLUTION);
}

#[tokio::test]
async fn kaleidoscope_shows_the_reason_for_each_digit_and_whether_it_holds() {
    let frames = watch(Networks::shipped(), "kaleidoscope", EASY).await;
    assert!(
        frames[0]["text"]
            .as_str()
            .unwrap()
            .ends_with("It guesses with 0 % that the puzzle cannot be completed.")
    );
    let texts: Vec<&str> = frames.iter().filter_map(|frame| frame["text"].as_str()).collect();
    let writes: Vec<&&str> = texts.iter().filter(|text| text.starts_with("It writes")).collect();
    assert_eq!(writes.len(), 51);
    let count = |words: &str| writes.iter().filter(|text| text.contains(words)).count();
    let with_reason = count("Its reason, ");
    assert_eq!(with_reason + count("No simple rule shows this digit yet"), 51, "{writes:?}");
    assert!(with_reason > 30, "{writes:?}");
    assert!(
        writes.iter().any(|text| text.contains("single") && text.ends_with("holds.")),
        "{writes:?}"
    );
    assert_eq!(frames.last().unwrap()["grid"], SOLUTION);
}

#[tokio::test]
async fn backtracking_shows_writes_and_retreats() {
    let frames = watch(Networks::shipped(), "backtrack", EASY).await;
    let (mut writes, mut retreats) = (0, 0);
    for frame in frames.iter().take_while(|frame| frame["move"].as_u64() < Some(1000)) {
        match frame["event"].as_str().unwrap() {
            "write" => writes += 1,
            "retreat" => retreats += 1,
            _ => {}
        }
    }
    assert!(retreats > 0 && frames.last().unwrap()["grid"] == SOLUTION);
    // All moves below one thousand are shown, numbered without gaps.
    let moves: Vec<u64> = frames
        .iter()
        .filter_map(|frame| frame["move"].as_u64())
        .take_while(|n| *n < 1000)
        .collect();
    assert_eq!(moves, (1..=moves.len() as u64).collect::<Vec<_>>());
    assert!(writes > retreats, "a digit is written before it is removed");
}

#[tokio::test]
async fn logic_shows_each_step_with_its_picture() {
    let frames = watch(Networks::shipped(), "logic", EASY).await;
    let steps: Vec<&Value> = frames.iter().filter(|frame| frame["event"] == "step").collect();
    assert!(steps.iter().all(|step| !step["picture"]["candidates"].as_array().unwrap().is_empty()));
    assert_eq!(frames.last().unwrap()["end"], "solved");
}

#[tokio::test]
async fn the_hopfield_network_shows_activations_and_asks_for_hints() {
    let frames = watch(Networks::shipped(), "hopfield", HARDEST).await;
    let look = frames.iter().find(|frame| frame["event"] == "look").unwrap();
    let odds = look["odds"].as_array().unwrap();
    assert_eq!(odds.len(), 81);
    assert!(
        odds.iter().any(|cell| cell
            .as_array()
            .unwrap()
            .iter()
            .any(|share| share.as_u64() > Some(0)))
    );
    for event in ["choice", "search", "hint"] {
        assert!(frames.iter().any(|frame| frame["event"] == event), "{event}");
    }
    assert_eq!(frames.last().unwrap()["end"], "helped");
}

#[tokio::test]
async fn a_network_with_weights_from_a_file_can_be_watched() {
    let directory = tempfile::tempdir().unwrap();
    let networks =
        Networks::default().with_weights("dense", small_network(directory.path())).unwrap();
    let listed = models(networks.clone()).await;
    let dense = listed.iter().find(|model| model["name"] == "dense").unwrap();
    assert_eq!(
        (&dense["ready"], &dense["boxes"], &dense["weights"]),
        (&json!(true), &json!("2x2"), &json!("file"))
    );
    let frames = watch(networks, "dense", FOUR).await;
    let looks: Vec<&Value> = frames.iter().filter(|frame| frame["event"] == "look").collect();
    assert_eq!(looks.len(), 10, "it looks once for each empty cell");
    for cell in looks[0]["odds"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|cell| !cell.as_array().unwrap().is_empty())
    {
        let sum: u64 = cell.as_array().unwrap().iter().map(|share| share.as_u64().unwrap()).sum();
        assert!((98..=102).contains(&sum), "{cell}");
    }
    assert_eq!(frames.iter().filter(|frame| frame["event"] == "write").count(), 10);
    let last = frames.last().unwrap();
    assert_eq!(
        (&last["end"], &last["grid"]),
        (&json!("searched"), &json!("1234341223414123")),
        "the search solves what the small network cannot"
    );
}

#[tokio::test]
async fn rejects_unsuitable_weights() {
    let directory = tempfile::tempdir().unwrap();
    let error = |name: &str, file: PathBuf| {
        Networks::default().with_weights(name, file).err().expect("an error").to_string()
    };
    assert!(error("oracle", directory.path().join("x")).contains("unknown network \"oracle\""));
    assert!(error("cnn", directory.path().join("x")).contains("cannot be read"));
    assert!(error("rem-board", directory.path().join("x")).contains("does not solve puzzles"));
    assert!(models(Networks::default()).await.iter().all(|model| model["name"] != "rem-board"));
    std::fs::write(directory.path().join("x"), "no weights").unwrap();
    assert!(!error("cnn", directory.path().join("x")).is_empty());
    assert!(error("cnn", small_network(directory.path())).contains("dense"));
}

#[tokio::test]
async fn rejects_unknown_systems_and_unsuitable_puzzles() {
    assert!(watch_error("magic", FOUR).await.contains("magic"));
    assert!(watch_error("triads", EASY).await.contains("cannot be watched"));
    assert!(watch_error("dlx", "11......").await.contains("cells"));
    assert!(watch_error("dlx", "11..............").await.contains("row 1"));
    let directory = tempfile::tempdir().unwrap();
    let networks =
        Networks::default().with_weights("dense", small_network(directory.path())).unwrap();
    let question = json!({ "system": "dense", "puzzle": EASY }).to_string();
    let request = Request::post("/api/watch")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(question));
    let (status, text) = ask(networks, request.unwrap()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text.contains("9×9"), "{text}");
}

/// A server on a local port.
struct Server(String);

impl Server {
    async fn start() -> Server {
        Server::with(Networks::shipped()).await
    }

    async fn with(networks: Networks) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(ninefold_web::serve(listener, Config { networks, ..Config::default() }));
        Server(address)
    }

    /// Sends a request without reading the answer.
    async fn send(&self, method: &str, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.0).await.unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n"
        );
        stream
            .write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .await
            .unwrap();
        stream
    }

    async fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut answer = String::new();
        self.send(method, path, body).await.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_string()
    }

    async fn working(&self, queue: &str) -> u64 {
        let status: Value =
            serde_json::from_str(&self.ask("GET", "/api/status", "").await).unwrap();
        status[queue]["working"].as_u64().unwrap()
    }

    async fn until_working(&self, queue: &str, count: u64) {
        while self.working(queue).await != count {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_stops_watching_and_others_do_not_wait() {
    let server = Server::start().await;
    let endless = json!({ "system": "backtrack", "puzzle": ENDLESS }).to_string();
    let mut viewers = Vec::new();
    for _ in 0..2 {
        let mut viewer = server.send("POST", "/api/watch", &endless).await;
        viewer.read_exact(&mut [0; 200]).await.unwrap();
        // Aborting the task drops the stream.
        viewers.push(tokio::spawn(async move {
            while viewer.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {}
        }));
    }
    assert_eq!(server.working("shows").await, 2);
    let solved = server.ask("POST", "/api/solve", &json!({ "puzzle": EASY }).to_string()).await;
    assert!(solved.contains(SOLUTION));
    let hint = server.ask("POST", "/api/hint", &json!({ "puzzle": EASY }).to_string()).await;
    assert!(hint.contains("Hidden Single"));
    assert_eq!(server.working("shows").await, 2, "both are still running");
    viewers.iter().for_each(|viewer| viewer.abort());
    server.until_working("shows", 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_stops_an_explanation() {
    let server = Server::start().await;
    // All techniques are tried without success on all cells, until the time limit.
    let waiting = server
        .send("POST", "/api/explain", &json!({ "puzzle": ".".repeat(625) }).to_string())
        .await;
    server.until_working("slow", 1).await;
    let solved = server.ask("POST", "/api/solve", &json!({ "puzzle": EASY }).to_string()).await;
    assert!(solved.contains(SOLUTION));
    drop(waiting);
    server.until_working("slow", 0).await;
}

/// Reads the frames of one answer.
struct Viewer {
    stream: BufReader<TcpStream>,
}

impl Viewer {
    async fn new(server: &Server, system: &str, puzzle: &str) -> Viewer {
        let question = json!({ "system": system, "puzzle": puzzle }).to_string();
        Viewer { stream: BufReader::new(server.send("POST", "/api/watch", &question).await) }
    }

    /// The next frame of this kind; `None` at the end of the stream.
    async fn next(&mut self, event: &str) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            // Lines that are not frames are chunk sizes of the HTTP transfer encoding.
            let frame: Option<Value> = serde_json::from_str(&line).ok();
            if let Some(frame) = frame.filter(|frame| frame["event"] == event) {
                return Some(frame);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_stops_a_network_between_two_rounds() {
    const ROUNDS: u64 = 1_000_000_000_000;
    let directory = tempfile::tempdir().unwrap();
    let networks = Networks::default()
        .with_weights("rrn", network_of_rounds(ROUNDS, directory.path()))
        .unwrap();
    let server = Server::with(networks).await;
    // Two at once: neither waits for the other.
    let mut viewers =
        [Viewer::new(&server, "rrn", FOUR).await, Viewer::new(&server, "rrn", FOUR).await];
    for viewer in &mut viewers {
        for round in 1..=100 {
            let frame = viewer.next("look").await.expect("the network is still running");
            assert_eq!(
                (&frame["move"], &frame["text"]),
                (&json!(round), &json!(format!("It thinks, round {round} of {ROUNDS}.")))
            );
        }
    }
    assert_eq!(server.working("shows").await, 2);
    let solved = server.ask("POST", "/api/solve", &json!({ "puzzle": EASY }).to_string()).await;
    assert!(solved.contains(SOLUTION));
    let hint = server.ask("POST", "/api/hint", &json!({ "puzzle": EASY }).to_string()).await;
    assert!(hint.contains("Hidden Single"));
    assert_eq!(server.working("shows").await, 2, "both are still running");
    // One viewer disconnects; the other only closes its sending side and reads the rest.
    let [leaving, mut listening] = viewers;
    drop(leaving);
    server.until_working("shows", 1).await;
    listening.stream.get_mut().shutdown().await.unwrap();
    let mut last = 100;
    while let Some(frame) = listening.next("look").await {
        last = frame["move"].as_u64().unwrap();
    }
    server.until_working("shows", 0).await;
    println!("the network had run {last} of {ROUNDS} rounds when its last viewer disconnected");
    assert!(last < ROUNDS / 1000, "{last}");
}
