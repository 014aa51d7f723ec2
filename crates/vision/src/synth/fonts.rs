//! Digits of font files, as masks.

use crate::grey::Plane;
use ab_glyph::{Font, FontVec, PxScale};
use std::io;
use std::path::{Path, PathBuf};

/// Characters whose masks are kept: the digits, then letters for numbers above 9.
pub const CHARACTERS: &str = "0123456789ABCDEFG";
/// The height of the digit 8, in pixels.
pub const HEIGHT: f32 = 56.0;

/// A face with all digits.
pub struct Face {
    /// The name of the file without the style, such as `DejaVuSans`.
    pub family: String,
    /// True for fonts that imitate handwriting.
    pub is_script: bool,
    /// A mask for each of [`CHARACTERS`], centred on the character.
    pub masks: Vec<Plane>,
}

const SCRIPTS: [&str; 10] = [
    "dkg",
    "rufscript",
    "breip",
    "femke",
    "kristi",
    "seto",
    "humor",
    "ecolier",
    "dancing",
    "tomson",
];

/// Loads all faces in the directories, grouped by family. Files that are not fonts or lack a digit
/// are skipped.
pub fn load(directories: &[PathBuf]) -> io::Result<Vec<Vec<Face>>> {
    let mut files = Vec::new();
    for directory in directories {
        list_files(directory, &mut files)?;
    }
    files.sort();
    let mut families: Vec<Vec<Face>> = Vec::new();
    for file in files {
        let Some(face) = std::fs::read(&file).ok().and_then(|bytes| face(&file, bytes)) else {
            continue;
        };
        match families.iter_mut().find(|family| family[0].family == face.family) {
            Some(family) => family.push(face),
            None => families.push(vec![face]),
        }
    }
    Ok(families)
}

fn list_files(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            list_files(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "ttf" || end == "otf") {
            files.push(path);
        }
    }
    Ok(())
}

fn face(file: &Path, bytes: Vec<u8>) -> Option<Face> {
    let name = file.file_stem()?.to_str()?.to_string();
    let lower = name.to_lowercase();
    let skipped = ["symbol", "emoji", "music", "dseg", "barcode", "dingbat", "math"];
    if skipped.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let font = FontVec::try_from_vec(bytes).ok()?;
    let height = outline_height(&font, '8', 100.0)?;
    let scale = 100.0 * HEIGHT / height;
    let masks: Option<Vec<Plane>> =
        CHARACTERS.chars().map(|character| mask(&font, character, scale)).collect();
    let masks = masks?;
    // Fonts without digits draw the same box for every character.
    if masks[1] == masks[8] || masks[3] == masks[4] {
        return None;
    }
    let family = name.split(['-', '_']).next()?.to_string();
    let path = file.to_string_lossy().to_lowercase();
    let is_script = SCRIPTS.iter().any(|word| path.contains(word));
    Some(Face { family, is_script, masks })
}

fn outline_height(font: &FontVec, character: char, scale: f32) -> Option<f32> {
    let glyph = font.glyph_id(character).with_scale(PxScale::from(scale));
    let bounds = font.outline_glyph(glyph)?.px_bounds();
    (bounds.height() > 5.0).then(|| bounds.height())
}

fn mask(font: &FontVec, character: char, scale: f32) -> Option<Plane> {
    let glyph = font.glyph_id(character).with_scale(PxScale::from(scale));
    let outline = font.outline_glyph(glyph)?;
    let bounds = outline.px_bounds();
    let (width, height) = (bounds.width().ceil() as usize, bounds.height().ceil() as usize);
    if width == 0 || height == 0 || width > 160 || height > 160 {
        return None;
    }
    let mut mask = Plane::filled(width + 4, height + 4, 0.0);
    outline.draw(|x, y, coverage| {
        let at = (y as usize + 2) * (width + 4) + x as usize + 2;
        if let Some(pixel) = mask.data.get_mut(at) {
            *pixel = coverage.clamp(0.0, 1.0);
        }
    });
    Some(mask)
}
