//! Read: finds the puzzles in pasted text of any supported format.

use crate::error::ApiError;
use crate::game::parse_order;
use crate::limits::MAX_PUZZLES_READ;
use ninefold::grid::{Digit, Order};
use ninefold_formats::Entry;
use serde::Deserialize;
use serde_json::{Value, json};

/// A request to read text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    text: String,
    boxes: Option<String>,
    /// Whether the caller accepts puzzles with rules of their own. They are errors otherwise.
    #[serde(default)]
    accept_rules: bool,
}

impl ReadRequest {
    /// The puzzles in the text. An error if there is none.
    pub fn read(&self) -> Result<Value, ApiError> {
        let order = self.boxes.as_deref().map(parse_order).transpose()?;
        read(&self.text, order, self.accept_rules)
    }
}

fn read(text: &str, order: Option<Order>, accept_rules: bool) -> Result<Value, ApiError> {
    let unreadable = |error: String| {
        ApiError::invalid(
            error,
            "paste a line of digits, a drawn grid, pencil marks, a link, HoDoKu's or SadMan's format, a table or JSON",
        )
    };
    let (format, records) =
        ninefold_formats::read_any(text.trim_start_matches(['\n', '\r']).as_bytes(), order)
            .map_err(|error| unreadable(error.to_string()))?;
    let (mut puzzles, mut errors) = (Vec::new(), Vec::new());
    for entry in records.entries().take(MAX_PUZZLES_READ) {
        match entry {
            Ok(entry) if accept_rules => puzzles.push(view(&entry)),
            Ok(entry) => match other_rules(&entry) {
                None => puzzles.push(view(&entry)),
                Some(rules) => errors.push(format!("this puzzle has other rules: {rules}")),
            },
            Err(error) => errors.push(error.to_string()),
        }
    }
    match (puzzles.is_empty(), errors.first()) {
        (true, Some(error)) => Err(unreadable(error.clone())),
        (true, None) => Err(unreadable("there is no puzzle in this text".to_string())),
        _ => Ok(json!({ "format": format.name(), "puzzles": puzzles, "errors": errors })),
    }
}

/// The names of rules that are not classic, known or not. `None` for a classic puzzle.
fn other_rules(entry: &Entry) -> Option<String> {
    let known = entry.puzzle.rules().map(|rules| rules.names()).unwrap_or_default();
    let names: Vec<&str> =
        known.into_iter().chain(entry.unknown_rules.iter().map(String::as_str)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn view(entry: &Entry) -> Value {
    let order = entry.puzzle.order();
    let position = entry.position.as_ref();
    let marks = |cell| {
        position
            .map(|marks| marks.at(cell).map(Digit::number).collect::<Vec<u8>>())
            .unwrap_or_default()
    };
    json!({
        "puzzle": entry.puzzle.to_string(),
        "rules": entry.puzzle.rules().map(|rules| rules.names()),
        "unknown_rules": entry.unknown_rules,
        "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
        "grid": position.map_or(&entry.puzzle, |position| position.grid()).to_string(),
        "marks": position.map(|_| order.cells().map(marks).collect::<Vec<_>>()),
    })
}
