//! A step as JSON, for programs: `{"technique": …, "places": …, "removes": …, "text": …}`.

use super::notation::Names;
use super::step::{Because, Candidate, Chain, Step};
use super::words::Level;
use crate::grid::{Candidates, Order};
use std::fmt::Write;

impl Step {
    /// The step in a position as one JSON object. Rows and columns count from 1.
    pub fn json(&self, position: &Candidates) -> String {
        let order = position.order();
        let mut fields = vec![
            field("technique", &quoted(&self.technique.to_string())),
            field("needs_uniqueness", if self.technique.needs_uniqueness() { "true" } else { "false" }),
            field("places", &candidates(order, &self.places)),
            field("removes", &candidates(order, &self.removes)),
            field("conclusion", &quoted(&self.conclusion(order))),
            field("line", &quoted(&self.one_line(position))),
            field("text", &quoted(&self.explain(position, Level::Full))),
        ];
        if let Some(chain) = chain_of(&self.because) {
            fields.push(field("eureka", &quoted(&Names::usual(order).eureka(chain))));
        }
        format!("{{{}}}", fields.join(","))
    }
}

fn chain_of(because: &Because) -> Option<&Chain> {
    match because {
        Because::Chain(chain) => Some(chain),
        Because::Together(parts) => parts.iter().find_map(chain_of),
        _ => None,
    }
}

fn field(name: &str, value: &str) -> String {
    format!("{}:{value}", quoted(name))
}

fn candidates(order: Order, list: &[Candidate]) -> String {
    let one = |candidate: &Candidate| {
        let (row, column) = (order.row_of(candidate.cell) + 1, order.column_of(candidate.cell) + 1);
        format!("{{\"row\":{row},\"column\":{column},\"digit\":{}}}", candidate.digit)
    };
    format!("[{}]", list.iter().map(one).collect::<Vec<_>>().join(","))
}

/// A JSON string; quotes, backslashes and control characters are escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for symbol in text.chars() {
        match symbol {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::logic::{Technique, find};

    #[test]
    fn a_step_is_one_object() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse().unwrap();
        let position = Candidates::of(&puzzle).unwrap();
        let json = find(Technique::NakedSingle, &puzzle, &position).unwrap().json(&position);
        assert!(json.starts_with("{\"technique\":\"Naked Single\",\"needs_uniqueness\":false,"), "{json}");
        assert!(json.contains("\"places\":[{\"row\":5,\"column\":5,\"digit\":5}],\"removes\":[]"), "{json}");
        assert_eq!(quoted("a\"b\\\n"), "\"a\\\"b\\\\\\u000a\"");
    }
}
