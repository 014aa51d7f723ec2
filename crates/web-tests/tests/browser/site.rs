//! The page as static files on a plain web host, with the engine in the browser.

use crate::PUZZLE;
use crate::photo;
use crate::player::{BROWSERS, Player};
use ninefold_test_support::Resource;
use ninefold_vision::synth::photo::{Scene, take};
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const HARD: &str =
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";

/// Writes the files of the page and of the engine into a directory.
fn write_site(directory: &Path) {
    for (name, bytes) in ninefold_web::site_files() {
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory is made");
        std::fs::write(path, bytes).expect("a file is written");
    }
    let engine = Resource::Engine.path().expect("this test runs only if there is an engine");
    for name in ["index.js", "engine-worker.js", "engine.wasm", "digits.bin"] {
        std::fs::copy(engine.join(name), directory.join(name)).expect("the engine is complete");
    }
}

/// A host of static files in the directory `sub`, as many hosts provide.
async fn serve_files(listener: TcpListener, directory: PathBuf) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let directory = directory.clone();
        tokio::spawn(async move { answer(stream, &directory).await });
    }
}

async fn answer(mut stream: TcpStream, directory: &Path) -> io::Result<()> {
    let mut head = [0; 8192];
    let length = stream.read(&mut head).await?;
    let head = String::from_utf8_lossy(&head[..length]);
    let path = head.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
    let name = path.strip_prefix("/sub/").unwrap_or("nothing here");
    let name = if name.is_empty() { "index.html" } else { name };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let (status, body) = match std::fs::read(directory.join(name)) {
        Ok(body) if head.starts_with("GET ") => ("200 OK", body),
        _ => ("404 Not Found", b"nothing here".to_vec()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await
}

pub async fn everything_works_from_static_files() {
    let directory = tempfile::tempdir().expect("a directory for the site");
    write_site(directory.path());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("http://{}/sub", listener.local_addr().expect("an address"));
    let server = tokio::spawn(serve_files(listener, directory.path().to_path_buf()));
    let player = Player::open_at(address, server, "/", BROWSERS).await;
    player.on_a_desk().await;

    // Today's puzzle.
    player
        .until("Boolean(JSON.parse(localStorage.getItem('ninefold.daily') ?? '{}').puzzles?.easy)")
        .await;
    player.click(".paper.easy").await;
    player.until("!document.getElementById('view-play').hidden").await;
    // A hint in three stages, and the time it takes.
    player.press("hint").await;
    player.until("document.getElementById('reasontitle').textContent === 'Where to look'").await;
    player.press("hint").await;
    player.press("hint").await;
    player.until("document.querySelectorAll('#board .ink').length > 0").await;
    player.press("follow").await;
    player
        .see(
            "window.took = null; const began = performance.now(); document.getElementById('hint').click(); \
              (function look() { document.getElementById('reason').checkVisibility() \
              ? (window.took = performance.now() - began) : setTimeout(look, 1); })(); true",
        )
        .await;
    player.until("window.took !== null").await;
    println!("a hint in the browser takes {} ms", player.see("Math.round(window.took)").await);

    // Explain of a hard puzzle, Solve, Rate, New of every difficulty.
    player.follow_link(&format!("#p={HARD}")).await;
    player.press("explain").await;
    player
        .until("document.getElementById('reasontitle').textContent.startsWith('Step 1 of')")
        .await;
    player.press("close").await;
    player.press("solve").await;
    player.until_message("Here is the solution").await;
    player.follow_link(&format!("#rate&p={PUZZLE}")).await;
    player.until("document.querySelectorAll('#rate-techniques tr').length > 1").await;
    for level in ["easy", "medium", "hard", "expert", "extreme"] {
        player.see("document.querySelector('[data-do=\"view-today\"]').click()").await;
        let before = player.see("location.hash").await;
        player.see("document.querySelector('#view-today [data-do=\"panel-new\"]').click()").await;
        player.choose("new-level", level).await;
        player.press("generate").await;
        player.until("!document.getElementById('view-play').hidden").await;
        assert_ne!(player.see("location.hash").await, before);
        assert_eq!(player.text("#level").await.to_lowercase(), level);
    }

    // A photo is read without a server.
    let scene = Scene { roughness: 0.3, ..Scene::printed(&digits_of(PUZZLE)) };
    let photo = ninefold_vision::draw::png(&take(&scene, 7).image, None);
    photo::drop_file(&player, "photo.png", "image/png", &photo).await;
    photo::until_read(&player).await;
    player.click("#photo-play").await;
    player.until("!document.getElementById('panel-photo').open").await;
    assert_eq!(player.board().await, PUZZLE);

    // A killer, made and explained in the browser.
    player.follow_link("#variants").await;
    player.until("document.querySelectorAll('#view-variants .kind').length === 39").await;
    player.see("document.querySelector('#view-variants [value=\"killer\"]').click()").await;
    player.choose("variants-size", "2x3").await;
    player.click("#variants-make").await;
    player.until("document.querySelectorAll('#board.ruled .r-cage').length > 3").await;
    player.press("explain").await;
    player.until("document.getElementById('reason').checkVisibility() && document.getElementById('reasontitle').textContent.startsWith('Step 1 of')").await;
    player.press("close").await;

    // The trainer judges, and the desk counts.
    player.follow_link("#train").await;
    player.until("document.getElementById('train-show')?.checkVisibility() === true").await;
    player.click("#train-show").await;
    player.until("document.getElementById('train-said').textContent.includes('The step:')").await;
    player.follow_link("#desk").await;
    player.until("document.getElementById('desk-count') !== null").await;
    player.choose("desk-size", "2x2").await;
    player.click("#desk-new").await;
    player.until("document.getElementById('desk-count').textContent === '288 solutions.'").await;

    // A lesson with an exercise.
    player.follow_link("#lesson=naked-pair").await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    player.press("exercise-start").await;
    player.until("document.getElementById('exercise-check').checkVisibility()").await;
    player.picture("site").await;

    // Solvers can be watched, two at a time; networks need the server, and the page says so.
    player.follow_link(&format!("#watch=logic,backtrack&p={PUZZLE}")).await;
    player.until("document.querySelectorAll('#watch-system-0 option').length > 2").await;
    assert!(
        player
            .text("#watch-empty")
            .await
            .contains("To watch networks, open the page of ninefold serve")
    );
    player.press("watch-start").await;
    player.until("document.getElementById('stage-count-0').textContent.startsWith('9 of')").await;
    player.press("watch-last").await;
    player.until("!document.getElementById('watch-end').hidden").await;
    player.picture("site-watch").await;
    // Urgent requests do not wait for background requests. This loads the module without the
    // bundle.
    std::fs::write(directory.path().join("engine.js"), include_str!("../../../web/ui/engine.js"))
        .expect("a file is written");
    player
        .see(
            "window.answered = []; import(location.pathname + 'engine.js').then(async ({ askWorker }) => { \
              const tell = (name) => () => window.answered.push(name); \
              await askWorker('techniques', {}).then(tell('first')); \
              askWorker('generate', { boxes: '3x3', er: [11.8, 11.9] }, undefined, true).then(tell('patient')); \
              askWorker('techniques', {}).then(tell('second')); \
              askWorker('techniques', {}).then(tell('third')); }); true",
        )
        .await;
    player.until("window.answered.length > 2").await;
    assert_eq!(player.see("window.answered.join(' ')").await, json!("first second third"));
    let bytes = std::fs::metadata(directory.path().join("engine.wasm")).expect("the engine").len();
    println!("the engine has {bytes} bytes before it is compressed");
    assert_eq!(
        player.see("document.querySelectorAll('.error:not(:empty)').length").await,
        json!(0)
    );
    player.leave().await;
}

fn digits_of(line: &str) -> Vec<u8> {
    line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
}

/// The service worker fetches the engine by itself, so that hints work without the server even if
/// no hint was asked for before.
pub async fn hints_work_offline_before_the_first_hint() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    player.until("caches.match('engine.wasm').then(Boolean)").await;
    player.stop_server();
    player.go(&format!("/#p={PUZZLE}")).await;
    player.press("hint").await;
    player.until("document.getElementById('reason').checkVisibility()").await;
    assert_eq!(player.text("#reasontitle").await, "Where to look");
    player.leave().await;
}
