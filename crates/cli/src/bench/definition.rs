//! Definitions of benchmarks: a list of puzzles, or a `.toml` file with one `[[bench]]` table per
//! list.

use super::contestant::{self, Task};
use crate::error::CliError;
use crate::input::Puzzles;
use ninefold::grid::{Grid, Order};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// For example `prove-unique/17-clue`.
    pub name: String,
    /// The path of the list. In a `.toml` file it is relative to that file.
    #[serde(rename = "puzzles")]
    pub list: String,
    #[serde(default)]
    pub task: Task,
    /// The expected number of solutions of each puzzle.
    pub solutions: Option<Expected>,
    /// The names of the solvers; empty for all.
    #[serde(default)]
    pub solvers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bench: Vec<Definition>,
}

impl Definition {
    /// The benchmarks in a `.toml` file, or one benchmark for a list.
    pub fn from_file(file: &str) -> Result<Vec<Definition>, CliError> {
        if !Path::new(file).is_file() {
            return Err(CliError::new(format!("file not found: {file}"))
                .hint("pass a list of puzzles or a .toml file"));
        }
        if !file.ends_with(".toml") {
            let name = Path::new(file)
                .file_name()
                .map_or(file.into(), |name| name.to_string_lossy().into_owned());
            let list = file.to_string();
            return Ok(vec![Definition {
                name,
                list,
                task: Task::default(),
                solutions: None,
                solvers: Vec::new(),
            }]);
        }
        let text =
            std::fs::read_to_string(file).map_err(|error| CliError::cannot_read(file, error))?;
        let File { bench } = toml::from_str(&text).map_err(|error| {
            CliError::new(format!("{file}: {}", error.to_string().trim_end()))
                .hint("a benchmark has the keys name, puzzles, task, solutions and solvers")
        })?;
        let directory = Path::new(file).parent().unwrap_or(Path::new(""));
        let names = contestant::names();
        bench
            .into_iter()
            .map(|definition| {
                if let Some(unknown) =
                    definition.solvers.iter().find(|name| !names.contains(&name.as_str()))
                {
                    return Err(CliError::new(format!(
                        "{file}, {}: unknown solver {unknown:?}",
                        definition.name
                    ))
                    .hint(format!("the solvers are {}", names.join(", "))));
                }
                Ok(Definition {
                    list: directory.join(&definition.list).to_string_lossy().into_owned(),
                    ..definition
                })
            })
            .collect()
    }

    pub fn puzzles(&self, boxes: Option<Order>) -> Result<Vec<Grid>, CliError> {
        if !Path::new(&self.list).is_file() {
            return Err(CliError::new(format!("{}: file not found: {}", self.name, self.list))
                .hint("use --filter to run some of the benchmarks; the repository does not contain large lists"));
        }
        let mut puzzles = Vec::new();
        for record in Puzzles::from_file(&self.list, boxes) {
            // A puzzle that breaks the rules is valid input: it has no solution.
            puzzles.push(record?.entry_allowing_conflicts()?.puzzle);
        }
        if puzzles.is_empty() {
            return Err(CliError::new(format!("{} contains no puzzle", self.list))
                .hint("write one puzzle per line"));
        }
        Ok(puzzles)
    }
}

/// The expected number of solutions of each puzzle in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Zero,
    One,
    /// Two or more.
    Several,
}

impl Expected {
    /// True if this count is a correct answer for the task.
    pub fn allows(self, count: u64, task: Task) -> bool {
        match (self, task) {
            (Expected::Zero, _) => count == 0,
            (_, Task::First) => count == 1,
            // Logic may not solve the puzzle.
            (Expected::One, Task::Explain) => count <= 1,
            (Expected::One, _) => count == 1,
            (Expected::Several, _) => count >= 2,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Zero => "0",
            Expected::One => "1",
            Expected::Several => "2+",
        })
    }
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Expected, String> {
        match text {
            "0" => Ok(Expected::Zero),
            "1" => Ok(Expected::One),
            "2+" => Ok(Expected::Several),
            _ => Err("expected 0, 1 or 2+".to_string()),
        }
    }
}

/// `solutions = 0`, `solutions = 1` or `solutions = "2+"`.
impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expected, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(u64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Expected {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed(file: &str) -> Vec<Definition> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks").join(file);
        Definition::from_file(&file.to_string_lossy()).unwrap()
    }

    #[test]
    fn parses_the_committed_benchmarks() {
        assert_eq!(committed("public.toml").len(), 9);
        assert_eq!(committed("logic.toml").len(), 6);
        for definition in committed("smoke.toml") {
            let puzzles = definition.puzzles(None).unwrap();
            assert!(puzzles.len() >= 200, "{} has {} puzzles", definition.name, puzzles.len());
            assert!(
                puzzles.iter().all(|puzzle| puzzle.conflict().is_none()),
                "{}",
                definition.name
            );
        }
    }

    #[test]
    fn checks_counts_for_each_task() {
        assert!(Expected::Several.allows(2, Task::ProveUnique));
        assert!(Expected::Several.allows(1, Task::First), "the task stops at the first solution");
        assert!(!Expected::Several.allows(1, Task::Count));
        assert!(!Expected::One.allows(2, Task::ProveUnique));
        assert!(!Expected::Zero.allows(1, Task::First));
        assert_eq!("2".parse::<Expected>(), Err("expected 0, 1 or 2+".to_string()));
    }
}
