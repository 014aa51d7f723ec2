//! `ninefold read`, and photos as input of other commands, on rendered photos.

use ninefold_vision::synth::photo::{Scene, take};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PUZZLE: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn ninefold(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ninefold")).args(arguments).output().expect("it starts")
}

/// Writes a photo of the puzzle as a PNG file.
fn photo(directory: &Path, puzzle: &str) -> PathBuf {
    let digits: Vec<u8> = puzzle.bytes().map(|byte| byte - b'0').collect();
    let image = take(&Scene { roughness: 0.3, ..Scene::printed(&digits) }, 7).image;
    let path = directory.join("photo.png");
    std::fs::write(&path, ninefold_vision::draw::png(&image, None)).unwrap();
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn reads_a_photo() {
    let directory = tempfile::tempdir().unwrap();
    let path = photo(directory.path(), PUZZLE);
    let debug = directory.path().join("debug.png");
    let path = path.to_str().unwrap();
    let output = ninefold(&["read", path, "--debug", debug.to_str().unwrap()]);
    assert_eq!(text(&output.stdout).trim(), PUZZLE.replace('0', "."), "{output:?}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(std::fs::read(debug).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn prints_json() {
    let directory = tempfile::tempdir().unwrap();
    let path = photo(directory.path(), PUZZLE);
    let output = ninefold(&["read", "--json", path.to_str().unwrap()]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["outcome"], "read");
    assert_eq!(json["cells"].as_array().unwrap().len(), 81);
    assert_eq!(json["cells"][1]["digit"], 3);
    assert!(json["cells"][1]["confidence"].as_f64().unwrap() > 0.5);
}

#[test]
fn solves_a_photo_like_any_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = photo(directory.path(), PUZZLE);
    let output = ninefold(&["solve", path.to_str().unwrap()]);
    assert_eq!(text(&output.stdout).trim(), SOLUTION, "{output:?}");
}

#[test]
fn a_photo_that_breaks_the_rules_is_never_accepted_silently() {
    let directory = tempfile::tempdir().unwrap();
    let path = photo(directory.path(), &PUZZLE.replacen("53007", "53077", 1));
    let output = ninefold(&["read", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("please check"), "{output:?}");
}

#[test]
fn rejects_files_that_are_no_photos_with_one_message() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let png = std::fs::read(photo(directory.path(), PUZZLE)).unwrap();
    let cases = [
        (write("a.jpg", b"no image"), "not an image"),
        (write("b.heic", b"\0\0\0\x18ftypheic\0\0\0\0"), "HEIC"),
        (write("c.png", &png[..png.len() / 2]), "damaged"),
    ];
    for (path, message) in cases {
        let output = ninefold(&["read", &path]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = text(&output.stderr);
        assert!(error.contains(message), "{error}");
        assert_eq!(error.matches("error:").count(), 1, "{error}");
    }
    let blank = ninefold_vision::GreyImage::new(200, 200, vec![230; 40_000]).unwrap();
    let blank = write("d.png", &ninefold_vision::draw::png(&blank, None));
    let error = text(&ninefold(&["read", &blank]).stderr);
    assert!(error.contains("there is no Sudoku grid in the image"), "{error}");
}
