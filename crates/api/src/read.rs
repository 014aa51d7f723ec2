//! Read: finds the puzzles in pasted text of any supported format.

use crate::error::ApiError;
use crate::game::{check_size, parse_order, text_of};
use crate::limits::{Budget, MAX_PUZZLES_READ};
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
    pub fn read(&self, budget: &Budget<'_>) -> Result<Value, ApiError> {
        let order = self.boxes.as_deref().map(parse_order).transpose()?;
        read(&self.text, order, self.accept_rules, budget)
    }
}

fn read(
    text: &str,
    order: Option<Order>,
    accept_rules: bool,
    budget: &Budget<'_>,
) -> Result<Value, ApiError> {
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
        budget.check()?;
        match entry {
            Ok(entry) => match (check_size(entry.puzzle.order()), other_rules(&entry)) {
                (Err(error), _) => errors.push(error.error),
                (_, Some(rules)) if !accept_rules => {
                    errors.push(format!("this puzzle has other rules: {rules}"));
                }
                _ => puzzles.push(view(&entry)),
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
        "puzzle": text_of(&entry.puzzle),
        "rules": entry.puzzle.rules().map(|rules| rules.names()),
        "unknown_rules": entry.unknown_rules,
        "title": entry.source,
        "author": entry.author,
        "ruleset": entry.ruleset,
        "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
        "grid": position.map_or(&entry.puzzle, |position| position.grid()).to_string(),
        "marks": position.map(|_| order.cells().map(marks).collect::<Vec<_>>()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::grid::Grid;
    use ninefold::{Limits, limits::Pause};
    use ninefold_formats::{Format, Writer};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn request(text: String) -> ReadRequest {
        ReadRequest { text, boxes: None, accept_rules: false }
    }

    fn link(order: Order) -> String {
        let mut writer = Writer::new(Format::Fpuzzles, Vec::new()).unwrap();
        writer.write(&Entry::new(Grid::empty(order))).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn rejects_puzzles_larger_than_the_documented_limit() {
        let budget = Budget::new(Duration::from_secs(3600), Limits::none());
        let read = |order| request(link(order)).read(&budget);
        assert_eq!(read(Order::new(5, 5).unwrap()).unwrap()["puzzles"][0]["boxes"], "5x5");
        let error = read(Order::new(8, 8).unwrap()).unwrap_err();
        assert_eq!((error.status, &*error.error), (422, "64×64 is larger than 25×25"));
    }

    #[test]
    fn reading_stops_when_it_is_cancelled_or_the_time_is_up() {
        let lines = request("1..4..1..3..4..3\n".repeat(1000));
        let (flag, pause) = (AtomicBool::new(true), Pause::new());
        let limits = Limits::none().with_cancel(&flag).with_pause(&pause);
        let cancelled = Budget::new(Duration::from_secs(3600), limits);
        assert_eq!(lines.read(&cancelled).unwrap_err().status, 503);
        let late = Budget::new(Duration::ZERO, Limits::none());
        assert_eq!(lines.read(&late).unwrap_err().status, 503);
        let budget = Budget::new(Duration::from_secs(3600), Limits::none());
        assert_eq!(lines.read(&budget).unwrap()["puzzles"].as_array().unwrap().len(), 1000);
    }
}
