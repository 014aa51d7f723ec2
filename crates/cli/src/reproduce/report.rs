//! The results of a recipe: the paper, our record and this run side by side.

use crate::console::outln;
use crate::error::CliError;
use crate::reproduce::recipe::{Claim, Mode, Recipe};
use crate::verdict::Verdict;
use regex::Regex;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// The file with the table as JSON.
const RESULT: &str = "result.json";

/// A claim with the number of this run.
#[derive(Debug, Serialize)]
pub struct Measured {
    what: String,
    paper: String,
    record: String,
    this_run: String,
    /// Whether a number that must be exact differs from our record.
    differs: bool,
}

/// Prints the names and titles of all recipes.
pub fn print_recipes(json: bool) {
    for recipe in Recipe::all() {
        let Recipe { name, title, paper, cost, record, .. } = &recipe;
        if json {
            let shipped = recipe.supports_shipped();
            outln!(
                "{}",
                serde_json::json!({ "name": name, "title": title, "paper": paper, "cost": cost,
                    "record": record, "shipped": shipped })
            );
        } else {
            outln!("{name:<24}{paper}: {title}\n{:24}{cost}", "");
        }
    }
}

/// Reads the number of each claim from the outputs.
pub fn results(recipe: &Recipe, mode: Mode, directory: &Path) -> Result<Vec<Measured>, CliError> {
    let mut results = Vec::new();
    for claim in &recipe.claims {
        let path = directory.join("outputs").join(&claim.from);
        // A tiny run does not repeat every step, and one with shipped weights omits some.
        if mode != Mode::Full && !path.exists() {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| CliError::cannot_read(path.display(), error))?;
        let this_run = claim.value(&text).ok_or_else(|| {
            CliError::new(format!("{} does not contain: {}", path.display(), claim.what))
        })?;
        results.push(Measured {
            what: claim.what.clone(),
            paper: claim.paper.clone(),
            record: claim.ours.clone(),
            differs: claim.exact && mode != Mode::Tiny && this_run != claim.ours,
            this_run,
        });
    }
    Ok(results)
}

/// Writes the table to the directory and prints it.
pub fn write(
    recipe: &Recipe,
    mode: Mode,
    results: &[Measured],
    directory: &Path,
    json: bool,
) -> Result<Verdict, CliError> {
    let value = serde_json::json!({
        "name": recipe.name, "title": recipe.title, "paper": recipe.paper, "record": recipe.record,
        "is_tiny": mode == Mode::Tiny, "results": results,
    });
    let text = serde_json::to_string_pretty(&value).expect("the result is valid JSON");
    let path = directory.join(RESULT);
    ninefold_files::write(&path, &text)
        .map_err(|error| CliError::cannot_write(path.display(), error))?;
    if json {
        outln!("{text}");
    } else {
        outln!("{}: {}\nrecord: {}\n", recipe.paper, recipe.title, recipe.record);
        let rows = results.iter().map(|result| {
            let mark = if result.differs { " differs" } else { "" };
            let this_run = format!("{}{mark}", result.this_run);
            [result.what.clone(), result.paper.clone(), result.record.clone(), this_run]
        });
        let head = ["", "paper", "record", "this run"].map(str::to_string);
        print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>());
        if let Some(note) = &recipe.note {
            outln!("\n{note}");
        }
        if mode == Mode::Tiny {
            outln!("\nThe steps of this run were tiny, so its numbers have no meaning.");
        }
    }
    let differs = results.iter().any(|result| result.differs);
    Ok(if differs { Verdict::No } else { Verdict::Yes })
}

/// Prints columns; the first is aligned to the left.
fn print_table(rows: &[[String; 4]]) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths = [0, 1, 2, 3].map(|column| width(column).unwrap_or(0));
    for [what, paper, record, this_run] in rows {
        let [a, b, c, d] = widths;
        outln!("{what:<a$}  {paper:>b$}  {record:>c$}  {this_run:>d$}");
    }
}

impl Claim {
    /// The value in an output. Numbers have the form of ours.
    fn value(&self, output: &str) -> Option<String> {
        let found = match (&self.json, &self.find) {
            (Some(pointer), _) => {
                let values = serde_json::Deserializer::from_str(output).into_iter::<Value>();
                let values = Value::Array(values.map_while(Result::ok).collect());
                match values.pointer(pointer)? {
                    Value::String(text) => return Some(text.clone()),
                    other => other.to_string(),
                }
            }
            (_, Some(pattern)) => {
                let pattern = Regex::new(pattern).expect("the expressions of recipes are valid");
                pattern.captures(output)?.get(1)?.as_str().to_string()
            }
            _ => return None,
        };
        let plain = found.replace([',', '_', '%'], "");
        Some(match plain.trim().parse::<f64>() {
            Ok(number) => with_commas(&format!("{:.*}", self.decimals, self.factor * number)),
            Err(_) => found,
        })
    }
}

/// A number with commas between thousands.
fn with_commas(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    let mut text = sign.to_string();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(toml: &str) -> Claim {
        let text = format!("what = \"a number\"\nours = \"1\"\nfrom = \"file\"\n{toml}");
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn numbers_are_read_from_json_and_from_text() {
        let json = "{\"share\": 0.96423, \"word\": \"yes\"}\n{\"share\": 1234567}\n";
        let value = |toml: &str, output: &str| claim(toml).value(output);
        assert_eq!(value("json = '/0/share'\nfactor = 100", json).as_deref(), Some("96.42"));
        assert_eq!(value("json = '/0/word'", json).as_deref(), Some("yes"));
        assert_eq!(value("json = '/1/share'\ndecimals = 0", json).as_deref(), Some("1,234,567"));
        assert_eq!(value("json = '/2/share'", json), None);
        let text = "39 of 40 puzzles solved (97.50 %)";
        assert_eq!(value(r"find = '\(([\d.]+) %'", text).as_deref(), Some("97.50"));
        assert_eq!(value(r"find = 'lost (\d+)'", text), None);
    }
}
