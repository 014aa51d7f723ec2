//! The scales. A new one is an entry in [`all`]; names, columns and help follow from it.

use ninefold::grid::Grid;
use ninefold::rate::consistency;
use ninefold::rate::dupree;
use serde_json::json;

/// A way to say how difficult a puzzle is.
pub trait Scale: Sync {
    /// The name to ask for it by.
    fn name(&self) -> &'static str;

    /// The names of its columns in a table.
    fn columns(&self) -> &'static [&'static str];

    /// The rating of a puzzle, or why there is none.
    fn rate(&self, puzzle: &Grid) -> Result<Rating, String>;
}

/// A rating in the three ways it may be asked for.
pub struct Rating {
    /// For a person.
    pub words: String,
    /// For a table, one for each column.
    pub fields: Vec<String>,
    /// For a program.
    pub json: serde_json::Value,
}

/// All scales.
fn all() -> &'static [&'static dyn Scale] {
    &[&Dupree, &Consistency]
}

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().iter().map(|scale| scale.name())
}

/// The scales with these names in the order of [`all`], or all of them if no name is given.
pub fn chosen(names: &[String]) -> Vec<&'static dyn Scale> {
    all().iter().copied().filter(|scale| names.is_empty() || names.iter().any(|name| name == scale.name())).collect()
}

struct Dupree;

impl Scale for Dupree {
    fn name(&self) -> &'static str {
        "dupree"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["dupree_score", "dupree_level"]
    }

    fn rate(&self, puzzle: &Grid) -> Result<Rating, String> {
        let score = dupree::score(puzzle).map_err(|error| error.to_string())?;
        let level = score.difficulty();
        Ok(Rating {
            words: format!("{} points, {level}", score.points),
            fields: vec![score.points.to_string(), level.to_string()],
            json: json!({ "score": score.points, "level": level.label(), "depth": score.depth }),
        })
    }
}

struct Consistency;

impl Scale for Consistency {
    fn name(&self) -> &'static str {
        "consistency"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["consistency_level"]
    }

    fn rate(&self, puzzle: &Grid) -> Result<Rating, String> {
        match consistency::weakest(puzzle, consistency::Consistency::Ssgac) {
            consistency::Verdict::Solved(level) => Ok(Rating {
                words: format!("{level} solves it without search"),
                fields: vec![level.to_string()],
                json: json!({ "level": level.name() }),
            }),
            consistency::Verdict::Refuted(level) => Err(format!("{level} shows that the puzzle has no solution")),
            consistency::Verdict::Open => Err("no level up to SSGAC solves it without search".to_string()),
        }
    }
}
