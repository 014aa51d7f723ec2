//! A list of labelled photos: a CSV file with a row for each photo.
//!
//! Required columns are `file` and `puzzle`. Optional ones are `content` or `source` (the set that
//! a photo is counted in), `candidate_cells`, `group`, `role` and `corners_tl_tr_br_bl`.

use crate::geometry::{Point, Quad};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A photo and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub file: String,
    /// The digits in reading order; 0 for an empty cell.
    pub puzzle: Vec<u8>,
    pub content: String,
    pub source: String,
    /// Cells with pencil marks.
    pub candidate_cells: Vec<usize>,
    /// Photos of the same puzzle have the same group.
    pub group: String,
    pub role: String,
    /// The corners of the grid in reading order.
    pub corners: Option<Quad>,
    /// The directory of the file: that of the CSV file, or `img` in it.
    directory: PathBuf,
}

/// A list that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelsError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("line {line}: {message}")]
    Invalid { line: usize, message: String },
}

impl Label {
    /// The path of the photo.
    pub fn path(&self) -> PathBuf {
        let beside = self.directory.join(&self.file);
        if beside.is_file() { beside } else { self.directory.join("img").join(&self.file) }
    }
}

/// Reads a list. Files are relative to the directory of the list.
pub fn read(path: &Path) -> Result<Vec<Label>, LabelsError> {
    let text = fs::read_to_string(path)?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let mut lines = text.lines().enumerate();
    let header = split(lines.next().map_or("", |(_, line)| line.trim_start_matches('\u{feff}')));
    let column = |name: &str| header.iter().position(|title| title == name);
    let (Some(file), Some(puzzle)) = (column("file"), column("puzzle")) else {
        let message = "expected a header with the columns file and puzzle".to_string();
        return Err(LabelsError::Invalid { line: 1, message });
    };
    let names = ["content", "source", "candidate_cells", "group", "role", "corners_tl_tr_br_bl"];
    let optional = names.map(column);
    let mut labels = Vec::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let fields = split(line);
        let invalid = |message: String| LabelsError::Invalid { line: index + 1, message };
        let field = |at: usize| fields.get(at).map_or("", String::as_str);
        let [content, source, candidates, group, role, corners] =
            optional.map(|at| at.map_or("", field));
        let puzzle = digits(field(puzzle))
            .ok_or_else(|| invalid(format!("{:?} is not a puzzle", field(puzzle))))?;
        labels.push(Label {
            file: field(file).to_string(),
            puzzle,
            content: content.to_string(),
            source: source.to_string(),
            candidate_cells: numbers(candidates),
            group: group.to_string(),
            role: role.to_string(),
            corners: quad(&numbers::<f32>(corners)),
            directory: directory.to_path_buf(),
        });
    }
    Ok(labels)
}

/// The part of a group when all groups are divided into `parts`, the same on every machine.
pub fn part_of(group: &str, parts: u64) -> u64 {
    // FNV-1a, with its high bits mixed in.
    let hash = group.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash ^ (hash >> 32)) % parts.max(1)
}

fn digits(text: &str) -> Option<Vec<u8>> {
    let digit = |c: char| match c {
        '.' => Some(0),
        _ => c.to_digit(17).map(|digit| digit as u8),
    };
    let digits: Option<Vec<u8>> = text.chars().map(digit).collect();
    digits.filter(|digits| [16, 36, 81, 256].contains(&digits.len()))
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn quad(numbers: &[f32]) -> Option<Quad> {
    let corners: &[f32; 8] = numbers.try_into().ok()?;
    Some(Quad(std::array::from_fn(|i| Point::new(corners[2 * i], corners[2 * i + 1]))))
}

/// Splits a line at commas outside quotes.
fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for character in line.trim_end_matches('\r').chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is a field").push(character),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_list() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("labels.csv");
        let row = "a.jpg,1..4..1..3..4..3,printed,\"x, y\",1 2,0 0 9 0 9 9 0 9";
        let header = "file,puzzle,content,note,candidate_cells,corners_tl_tr_br_bl";
        fs::write(&path, format!("{header}\n{row}\n")).unwrap();
        let labels = read(&path).unwrap();
        assert_eq!(labels.len(), 1);
        assert_eq!(labels[0].puzzle[..4], [1, 0, 0, 4]);
        assert_eq!(labels[0].candidate_cells, [1, 2]);
        assert_eq!(labels[0].corners.unwrap().area(), 81.0);
        fs::write(&path, "file,puzzle\na.jpg,12x\n").unwrap();
        assert_eq!(read(&path).unwrap_err().to_string(), "line 2: \"12x\" is not a puzzle");
        fs::write(&path, "name\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().starts_with("line 1: expected a header"));
    }
}
