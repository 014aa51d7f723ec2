//! From a photo to a game: pictures are dropped, pasted and chosen, and compared before playing.

use crate::player::Player;
use crate::{PUZZLE, SOLUTION};
use base64::Engine;
use ninefold_vision::GreyImage;
use ninefold_vision::draw::png;
use ninefold_vision::synth::photo::{Scene, take};
use serde_json::json;

fn scene(line: &str) -> Scene {
    let digits: Vec<u8> =
        line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    Scene { roughness: 0.3, ..Scene::printed(&digits) }
}

fn photo_of(scene: &Scene) -> Vec<u8> {
    png(&take(scene, 7).image, None)
}

/// The puzzle in a font of the system, with these cells of the solution written by hand.
async fn partly_handwritten(player: &Player, by_hand: &[usize]) -> Vec<u8> {
    let mut scene = Scene { roughness: 0.0, ..scene(&".".repeat(81)) };
    for &cell in by_hand {
        scene.digits[cell] = SOLUTION.as_bytes()[cell] - b'0';
        scene.handwritten[cell] = true;
    }
    let picture = base64::prelude::BASE64_STANDARD.encode(photo_of(&scene));
    // The grid of a smooth scene is a square in the middle of 640 by 800 pixels.
    let draw = format!(
        "(async () => {{ const bytes = Uint8Array.from(atob('{picture}'), (one) => one.charCodeAt(0)); \
           const picture = await createImageBitmap(new Blob([bytes])); const canvas = document.createElement('canvas'); \
           [canvas.width, canvas.height] = [picture.width, picture.height]; const context = canvas.getContext('2d'); \
           context.drawImage(picture, 0, 0); context.font = '40px \"DejaVu Sans\", sans-serif'; context.textAlign = 'center'; context.textBaseline = 'middle'; \
           [...{PUZZLE:?}].forEach((digit, at) => digit === '.' || context.fillText(digit, 38.4 + 62.58 * (at % 9 + 0.5), 120 + 62.58 * (Math.floor(at / 9) + 0.5))); \
           return canvas.toDataURL().split(',')[1]; }})()"
    );
    let drawn = player.see(&draw).await;
    base64::prelude::BASE64_STANDARD.decode(drawn.as_str().expect("a picture")).expect("base64")
}

/// Drops a file onto the page.
pub async fn drop_file(player: &Player, name: &str, media_type: &str, bytes: &[u8]) {
    with_file(player, name, media_type, bytes, DROP).await;
}

const DROP: &str = "document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))";

/// Runs a statement that uses a `DataTransfer` with a file as `data`.
async fn with_file(player: &Player, name: &str, media_type: &str, bytes: &[u8], statement: &str) {
    player.see(&file_script(name, media_type, bytes, statement)).await;
}

fn file_script(name: &str, media_type: &str, bytes: &[u8], statement: &str) -> String {
    let text = base64::prelude::BASE64_STANDARD.encode(bytes);
    let bytes = format!("Uint8Array.from(atob({text:?}), (one) => one.charCodeAt(0))");
    let file = format!("new File([{bytes}], {name:?}, {{ type: {media_type:?} }})");
    format!(
        "(() => {{ const data = new DataTransfer(); data.items.add({file}); {statement}; return true; }})()"
    )
}

/// Drops a photo with doubtful cells onto the page.
pub fn drop_script() -> String {
    let line = PUZZLE.replacen("53..7", "53.77", 1);
    file_script("photo.png", "image/png", &photo_of(&scene(&line)), DROP)
}

/// Waits until the picture is read, and returns the message.
pub async fn until_read(player: &Player) -> String {
    player
        .until(
            "Boolean(document.getElementById('panel-photo')?.open) \
             && !document.getElementById('photo-said').textContent.startsWith('Reading')",
        )
        .await;
    player.text("#photo-said").await
}

const READING: &str = "[...document.querySelectorAll('#photo-board .cell')]\
    .map((cell) => cell.querySelector('.digit')?.textContent ?? '.').join('')";

const DOUBTFUL: &str = "[...document.querySelectorAll('#photo-board .ringed')]\
    .map((cell) => Number(cell.dataset.cell))";

pub async fn a_dropped_photo_becomes_a_game() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    // Some empty cells are filled by hand.
    let by_hand = [2, 20, 60];
    let photo = partly_handwritten(&player, &by_hand).await;
    drop_file(&player, "photo.png", "image/png", &photo).await;
    until_read(&player).await;
    let mut expected = PUZZLE.to_string();
    for cell in by_hand {
        expected.replace_range(cell..=cell, &SOLUTION[cell..=cell]);
    }
    assert_eq!(player.see(READING).await, json!(expected));
    // The photo is beside the reading.
    let beside = "(() => { const [photo, board] = ['photo-picture', 'photo-board'].map((id) => document.getElementById(id).getBoundingClientRect()); \
        return photo.width > 200 && photo.right <= board.left && Math.abs(photo.top - board.top) < 40; })()";
    assert_eq!(player.see(beside).await, json!(true));
    player.pictures("photo").await;
    player.click("#photo-play").await;
    player.until("!document.getElementById('view-play').hidden").await;
    assert_eq!(player.board().await, expected);
    // Handwriting becomes entries of the player, and printed digits become clues.
    let entries = "[...document.querySelectorAll('#board .entry')].filter((cell) => cell.querySelector('.digit')).map((cell) => Number(cell.dataset.cell))";
    let entries = player.see(entries).await;
    let entries = entries.as_array().expect("a list");
    assert!(entries.contains(&json!(2)), "{entries:?}");
    assert!(entries.iter().all(|cell| by_hand.iter().any(|one| *cell == *one)), "{entries:?}");
    player.leave().await;
}

pub async fn a_photo_becomes_the_clues_of_the_desk() {
    let player = Player::open("/#desk").await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#desk-board .cell').length === 81").await;
    drop_file(&player, "photo.png", "image/png", &photo_of(&scene(PUZZLE))).await;
    until_read(&player).await;
    player.click("#photo-play").await;
    player
        .until("document.getElementById('desk-count').textContent === 'Exactly one solution.'")
        .await;
    let clues = "[...document.querySelectorAll('#desk-board .cell')]\
        .map((cell) => cell.querySelector('.digit')?.textContent ?? '.').join('')";
    assert_eq!(player.see(clues).await, json!(PUZZLE));
    assert_eq!(player.see("location.hash").await, json!("#desk"), "no game is opened");
}

pub async fn pictures_can_be_pasted_and_chosen() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    let bytes = photo_of(&scene(PUZZLE));
    let pasted = "document.getElementById('board').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))";
    with_file(&player, "image.png", "image/png", &bytes, pasted).await;
    until_read(&player).await;
    assert_eq!(player.see(READING).await, json!(PUZZLE));
    player.click("#photo-close").await;
    player.until("!document.getElementById('panel-photo').open").await;
    for input in ["photo-camera", "photo-file"] {
        player.press("import").await;
        let label =
            format!("document.querySelector('#panel-import [for={input}]').checkVisibility()");
        assert_eq!(player.see(&label).await, json!(true), "{input}");
        let chosen = format!(
            "const input = document.getElementById({input:?}); input.files = data.files; input.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        with_file(&player, "photo.png", "image/png", &bytes, &chosen).await;
        until_read(&player).await;
        assert_eq!(player.see(READING).await, json!(PUZZLE), "{input}");
        player.click("#photo-close").await;
        player.until("!document.getElementById('panel-photo').open").await;
    }
    let camera = "document.getElementById('photo-camera').getAttribute('capture')";
    assert_eq!(player.see(camera).await, json!("environment"));
    player.leave().await;
}

pub async fn a_doubtful_cell_is_corrected_with_one_tap() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    // A second 7 in the first row: the rules leave no place for it.
    let line = PUZZLE.replacen("53..7", "53.77", 1);
    drop_file(&player, "photo.png", "image/png", &photo_of(&scene(&line))).await;
    let said = until_read(&player).await;
    assert!(said.contains("Compare the"), "{said}");
    let doubtful = player.see(DOUBTFUL).await;
    let doubtful = doubtful.as_array().expect("a list");
    assert!(doubtful.iter().any(|cell| *cell == 3 || *cell == 4), "{doubtful:?}");
    // Each doubtful cell takes one tap.
    for left in (0..doubtful.len()).rev() {
        let cell = "Number(document.querySelector('#photo-board .selected').dataset.cell)";
        let cell = player.see(cell).await.as_u64().expect("a cell") as usize;
        assert!(doubtful.contains(&json!(cell)), "a doubtful cell is selected");
        let digit = if &PUZZLE[cell..=cell] == "." { "0" } else { &PUZZLE[cell..=cell] };
        player.click(&format!("#photo-keys [data-value=\"{digit}\"]")).await;
        assert_eq!(player.see(&format!("{DOUBTFUL}.length")).await, json!(left));
    }
    assert_eq!(player.see(READING).await, json!(PUZZLE));
    // Any other cell can be changed, too, also with the keyboard.
    player.click("#photo-board .cell[data-cell=\"2\"]").await;
    player.keys(&["5"]).await;
    player
        .until("document.getElementById('photo-said').textContent.startsWith('Two equal digits')")
        .await;
    player.keys(&["Backspace"]).await;
    player.click("#photo-play").await;
    player.until("!document.getElementById('view-play').hidden").await;
    assert_eq!(player.board().await, PUZZLE);
    player.leave().await;
}

pub async fn bad_pictures_get_one_clear_message() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    let photo = photo_of(&scene(PUZZLE));
    let blank = png(&GreyImage::new(300, 300, vec![230; 90_000]).expect("an image"), None);
    // Only the head of the file counts: nothing is decoded.
    let mut huge = photo.clone();
    huge[16..24].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]);
    for (name, bytes, message) in [
        ("puzzle.pdf", &b"%PDF-1.4 no picture"[..], "This file is not a picture."),
        ("photo.png", &photo[..photo.len() / 3], "This picture is damaged"),
        ("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0", "This browser cannot open HEIC photos."),
        ("huge.png", &huge, "This picture is too large."),
        ("blank.png", &blank, "There is no Sudoku grid in this picture."),
    ] {
        drop_file(&player, name, "", bytes).await;
        let said = until_read(&player).await;
        assert!(said.starts_with(message), "{name}: {said}");
        let shown = "document.getElementById('photo-play').checkVisibility()";
        assert_eq!(player.see(shown).await, json!(false), "{name}");
        player.click("#photo-close").await;
        player.until("!document.getElementById('panel-photo').open").await;
    }
    player.leave().await;
}

pub async fn other_rules_are_recognised() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    let diagonals = Scene { has_diagonals: true, ..scene(PUZZLE) };
    drop_file(&player, "x.png", "image/png", &photo_of(&diagonals)).await;
    let said = until_read(&player).await;
    assert!(said.contains("as in an X-Sudoku"), "{said}");
    player.leave().await;
}
