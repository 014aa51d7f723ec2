//! Puzzles with any rules and of any size, with their solutions: read from lists, or generated.

use super::{DataError, solution_of};
use crate::parallel;
use crate::stop::Stop;
use ninefold::generate::variants::{
    self, UnknownDensityError, VariantError, VariantKind, VariantOptions,
};
use ninefold::grid::{Grid, Order};
use ninefold::search::Limits;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Which variants to generate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSource {
    /// The rules of each puzzle, as on the command line: `killer` or `jigsaw,x`.
    pub rules: String,
    /// The number of puzzles to generate.
    pub count: u64,
    /// The smallest and the largest number of givens. Without it all redundant givens are removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clues: Option<[usize; 2]>,
    /// The smallest and the largest number of cells of a killer cage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cage_sizes: Option<[usize; 2]>,
    /// How many cages, lines, marks and clues beside the grid: `sparse`, `normal` or `dense`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<String>,
}

impl VariantSource {
    /// The options of the generator. The error is a message for users.
    pub fn options(&self, order: Order) -> Result<VariantOptions<'static>, String> {
        let kinds = VariantKind::parse_list(&self.rules).map_err(|error| error.to_string())?;
        let mut options = VariantOptions::new(order, kinds);
        if let Some([first, last]) = self.clues {
            options = options.with_clues(first..=last);
        }
        if let Some([first, last]) = self.cage_sizes {
            options = options.with_cage_sizes(first..=last);
        }
        if let Some(density) = &self.density {
            let density =
                density.parse().map_err(|error: UnknownDensityError| error.to_string())?;
            options = options.with_density(density);
        }
        options.check().map_err(|error| error.to_string())?;
        Ok(options)
    }
}

/// A puzzle, whose grid carries its rules, and its solution.
#[derive(Clone, Debug)]
pub struct VariantExample {
    /// The puzzle.
    pub puzzle: Grid,
    /// The solution: a number per cell.
    pub solution: Vec<u8>,
}

/// Puzzles with any rules.
#[derive(Clone, Debug, Default)]
pub struct VariantExamples {
    /// The puzzles with their solutions.
    pub list: Vec<VariantExample>,
}

impl VariantExamples {
    /// Reads a file in any format. Puzzles that are listed without a solution are solved.
    pub fn read_file_until(path: &Path, stop: Stop<'_>) -> Result<VariantExamples, DataError> {
        VariantExamples::read(path, stop).map_err(|error| match error {
            DataError::Stopped => error,
            error => DataError::List { path: path.display().to_string(), error: Box::new(error) },
        })
    }

    fn read(path: &Path, stop: Stop<'_>) -> Result<VariantExamples, DataError> {
        let file = BufReader::new(File::open(path)?);
        let (_, records) = ninefold_formats::read_any(file, None)?;
        let entries: Vec<_> = records.entries().collect::<Result<_, _>>()?;
        let entries: Vec<_> = (1..).zip(entries).collect();
        let solved = parallel::map(&entries, |(number, entry)| {
            if stop.is_due() {
                return Err(DataError::Stopped);
            }
            let solution = match &entry.solution {
                Some(solution) => Ok(solution.clone()),
                None => solution_of(&entry.puzzle, stop),
            };
            let not_one = |count| match stop.is_due() {
                true => DataError::Stopped,
                false => DataError::NotOneSolution { number: *number, count },
            };
            let solution = solution.map_err(not_one)?.numbers().collect();
            Ok(VariantExample { puzzle: entry.puzzle.clone(), solution })
        });
        Ok(VariantExamples { list: solved.into_iter().collect::<Result<_, _>>()? })
    }

    /// Generates puzzles. Equal seeds generate equal puzzles, on any number of threads.
    pub fn generate(
        source: &VariantSource,
        order: Order,
        seed: u64,
        threads: usize,
        stop: Stop<'_>,
    ) -> Result<VariantExamples, DataError> {
        let limits = Limits::none().with_time(stop.time_left()).with_cancel(stop.flag());
        let options = source.options(order).map_err(DataError::Variants)?.with_limits(limits);
        let mut examples = VariantExamples::default();
        let mut failure = None;
        let indices = 0..source.count;
        variants::generate_many(&options, seed, indices, threads, |index, generated| {
            match generated {
                Ok(variant) => {
                    let solution = variant.solution.iter().map(|digit| digit.number()).collect();
                    let puzzle = variant.into_puzzle().puzzle;
                    examples.list.push(VariantExample { puzzle, solution });
                    true
                }
                // A grid for which the generator finds no puzzle is left out.
                Err(VariantError::NotFound { .. } | VariantError::NoGrid { .. }) => true,
                Err(_) if stop.is_due() => {
                    failure = Some(DataError::Stopped);
                    false
                }
                Err(error) => {
                    failure = Some(DataError::Variants(format!("puzzle {index}: {error}")));
                    false
                }
            }
        });
        failure.map_or(Ok(examples), Err)
    }

    /// The first examples.
    #[must_use]
    pub fn first(mut self, count: usize) -> VariantExamples {
        self.list.truncate(count);
        self
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(rules: &str, count: u64) -> VariantSource {
        VariantSource {
            rules: rules.to_string(),
            count,
            clues: None,
            cage_sizes: None,
            density: None,
        }
    }

    #[test]
    fn generated_variants_have_the_solutions_they_were_made_from() {
        let generate = |threads| {
            let source = source("killer,x", 3);
            VariantExamples::generate(&source, Order::FOUR, 5, threads, Stop::default()).unwrap()
        };
        let examples = generate(2);
        assert_eq!(examples.len(), 3);
        for VariantExample { puzzle, solution } in &examples.list {
            let full = Grid::from_numbers(Order::FOUR, solution).unwrap();
            let full = full.with_rules(puzzle.rules().unwrap().clone());
            assert!(full.solves(puzzle));
        }
        let solutions = |examples: &VariantExamples| -> Vec<Vec<u8>> {
            examples.list.iter().map(|example| example.solution.clone()).collect()
        };
        assert_eq!(solutions(&examples), solutions(&generate(1)));
    }

    #[test]
    fn the_density_sets_how_many_lines_a_puzzle_has() {
        let lines = |density: Option<&str>| -> usize {
            let density = density.map(str::to_string);
            let source = VariantSource { density, ..source("thermo", 4) };
            let six = Order::new(2, 3).unwrap();
            let examples = VariantExamples::generate(&source, six, 5, 2, Stop::default()).unwrap();
            let rules = examples.list.iter().map(|example| example.puzzle.rules().unwrap());
            rules.map(|rules| rules.constraints().len()).sum()
        };
        let [sparse, normal, dense] = [Some("sparse"), None, Some("dense")].map(lines);
        assert!(sparse < normal && normal < dense, "{sparse}, {normal}, {dense}");
        let source = VariantSource { density: Some("crowded".to_string()), ..source("thermo", 1) };
        assert!(source.options(Order::NINE).unwrap_err().contains("crowded"));
    }

    #[test]
    fn unknown_rules_are_errors() {
        let error =
            VariantExamples::generate(&source("circus", 1), Order::FOUR, 1, 1, Stop::default());
        assert!(error.unwrap_err().to_string().contains("circus"));
    }

    #[test]
    fn lists_with_rules_are_read_and_solved() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("puzzles.json");
        let rules = r#"{ "boxes": "2x2", "cage": [{ "cells": "r1c2 r1c3", "sum": 5 }] }"#;
        let list = format!(r#"[{{ "puzzle": "1..4..1..3..4..3", "rules": {rules} }}]"#);
        std::fs::write(&path, list).unwrap();
        let examples = VariantExamples::read_file_until(&path, Stop::default()).unwrap();
        assert_eq!(examples.len(), 1);
        assert_eq!(examples.list[0].solution[..4], [1, 2, 3, 4]);
        assert!(examples.list[0].puzzle.rules().is_some());
    }
}
