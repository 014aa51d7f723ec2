//! Study: what a setter wants to know about an unfinished puzzle.
//!
//! `solutions` counts solutions and finds the cells in which two of them differ. `candidates` lists
//! the digits that occur in some solution. `redundant` lists clues without which the puzzle keeps
//! its single solution. `harder` and `easier` find the removal or the addition of one clue that
//! changes the effort least in that direction.

use crate::error::ApiError;
use crate::game::GameRequest;
use crate::limits::Budget;
use ninefold::grid::{Candidates, Cell, Digit, Grid};
use ninefold::rate::scale::{Reach, Scale};
use ninefold::search::default_for;
use ninefold::{Limits, Solutions};
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::Duration;

/// At most this many solutions are counted.
const MAX_SOLUTIONS: u64 = 10_000;

/// Time limit for counting; the answer then is a lower bound.
const MAX_COUNT_TIME: Duration = Duration::from_secs(3);

/// Time limit for rating one of many puzzles.
const MAX_RATING_TIME: Duration = Duration::from_millis(500);

/// A request about the clues and rules of a puzzle.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    /// The clues, in any form that fits one grid.
    puzzle: String,
    /// The shape of the boxes, if it differs from the default.
    boxes: Option<String>,
    /// The question.
    what: Question,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    Solutions,
    Candidates,
    Redundant,
    Harder,
    Easier,
}

/// A validated request.
pub struct Study {
    puzzle: Grid,
    what: Question,
}

impl StudyRequest {
    /// Validates the request. Clues that break the rules are an error.
    pub fn study(self) -> Result<Study, ApiError> {
        let StudyRequest { puzzle, boxes, what } = self;
        let game = GameRequest { puzzle, boxes, ..GameRequest::default() }.game()?;
        let puzzle = game.position.puzzle().clone();
        match puzzle.violation() {
            Some(violation) => {
                Err(ApiError::invalid(violation.to_string(), "change one of these digits"))
            }
            None => Ok(Study { puzzle, what }),
        }
    }
}

impl Study {
    /// The answer as JSON. An error if the time is up.
    pub fn answer(&self, budget: &Budget<'_>) -> Result<Value, ApiError> {
        match self.what {
            Question::Solutions => Ok(self.solutions(budget)),
            Question::Candidates => self.candidates(budget),
            Question::Redundant => self.redundant(budget),
            Question::Harder => self.neighbours(budget, true),
            Question::Easier => self.neighbours(budget, false),
        }
    }

    /// The number of solutions, and the cells in which the first two differ.
    fn solutions(&self, budget: &Budget<'_>) -> Value {
        let solver = default_for(&self.puzzle);
        let (mut count, mut first, mut differ) = (0u64, None::<Grid>, Vec::new());
        let limits = budget.limits_within(MAX_COUNT_TIME);
        let effort = solver.search(&self.puzzle, &limits, &mut |solution| {
            count += 1;
            match &first {
                None => first = Some(solution),
                Some(first) if differ.is_empty() => {
                    let cells = solution.order().cells();
                    differ = cells.filter(|&cell| first[cell] != solution[cell]).collect();
                }
                Some(_) => {}
            }
            if count == MAX_SOLUTIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let effort = effort.expect("the default solver takes every puzzle");
        let is_exact = effort.stop.is_none() && count < MAX_SOLUTIONS;
        json!({
            "count": count,
            "is_exact": is_exact,
            "solution": first.map(|first| first.to_string()),
            "differ": differ.into_iter().map(Cell::index).collect::<Vec<_>>(),
        })
    }

    /// For each empty cell the digits that it has in some solution.
    fn candidates(&self, budget: &Budget<'_>) -> Result<Value, ApiError> {
        let order = self.puzzle.order();
        let possible =
            Candidates::new(&self.puzzle).map_err(|conflict| ApiError::conflict(&conflict))?;
        let mut seen = Candidates::empty(&self.puzzle);
        for cell in self.puzzle.empty_cells().collect::<Vec<_>>() {
            for digit in possible.at(cell) {
                if seen.at(cell).contains(digit) {
                    continue;
                }
                budget.check()?;
                let mut grid = self.puzzle.clone();
                grid.set(cell, Some(digit));
                let Some(solution) = first_solution(&grid, &budget.limits()) else { continue };
                for other in self.puzzle.empty_cells().collect::<Vec<_>>() {
                    let mut digits = seen.at(other);
                    if let Some(digit) = solution[other] {
                        digits.insert(digit);
                    }
                    seen.set(other, digits);
                }
            }
        }
        // A search that was stopped by the limit is not a "no".
        budget.check()?;
        let lists = order.cells().map(|cell| seen.at(cell).map(Digit::number).collect::<Vec<_>>());
        Ok(json!({ "candidates": lists.collect::<Vec<_>>() }))
    }

    /// The clues without which the puzzle still has one solution.
    fn redundant(&self, budget: &Budget<'_>) -> Result<Value, ApiError> {
        let mut cells = Vec::new();
        for (cell, _) in self.puzzle.clues() {
            budget.check()?;
            let mut grid = self.puzzle.clone();
            grid.set(cell, None);
            if is_unique(&grid, &budget.limits()) {
                cells.push(cell.index());
            }
        }
        budget.check()?;
        Ok(json!({ "cells": cells }))
    }

    /// The puzzles with one clue less (harder) or more (easier), nearest in effort first.
    fn neighbours(&self, budget: &Budget<'_>, harder: bool) -> Result<Value, ApiError> {
        let Some(Solutions::One(solution)) =
            ninefold::solutions_within(&self.puzzle, &budget.limits())
        else {
            let error = "the puzzle does not have exactly one known solution";
            return Err(ApiError::invalid(error, "repair the puzzle first"));
        };
        let now = effort_of(&self.puzzle, budget);
        let Some((now, level)) = now else {
            return Err(ApiError::unavailable(
                "the effort of the puzzle is not known in time",
                "try again",
            ));
        };
        let mut found: Vec<(f64, Cell, Digit, String)> = Vec::new();
        for cell in self.puzzle.order().cells() {
            if self.puzzle[cell].is_some() != harder {
                continue;
            }
            budget.check()?;
            let mut grid = self.puzzle.clone();
            grid.set(cell, if harder { None } else { solution[cell] });
            if harder && !is_unique(&grid, &budget.limits()) {
                continue;
            }
            let digit = solution[cell].expect("a solution is full");
            if let Some((effort, level)) = effort_of(&grid, budget)
                && (effort > now) == harder
                && effort != now
            {
                found.push((effort, cell, digit, level));
            }
        }
        found.sort_by(|a, b| (a.0 - now).abs().total_cmp(&(b.0 - now).abs()));
        let view = |(effort, cell, digit, level): &(f64, Cell, Digit, String)| json!({ "cell": cell.index(), "digit": digit.number(), "effort": effort, "level": level });
        Ok(
            json!({ "effort": now, "level": level, "changes": found.iter().map(view).collect::<Vec<_>>() }),
        )
    }
}

fn effort_of(puzzle: &Grid, budget: &Budget<'_>) -> Option<(f64, String)> {
    let rating = Scale::Effort.rate(puzzle, &budget.limits_within(MAX_RATING_TIME), Reach::Quick);
    rating.ok().map(|rating| (rating.number, rating.value))
}

fn is_unique(puzzle: &Grid, limits: &Limits<'_>) -> bool {
    matches!(ninefold::solutions_within(puzzle, limits), Some(Solutions::One(_)))
}

fn first_solution(puzzle: &Grid, limits: &Limits<'_>) -> Option<Grid> {
    let mut first = None;
    let search = default_for(puzzle).search(puzzle, limits, &mut |solution| {
        first = Some(solution);
        ControlFlow::Break(())
    });
    search.expect("the default solver takes every puzzle");
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "1..4..1..3..4..3";

    fn ask(puzzle: &str, what: &str) -> Value {
        let request = json!({ "puzzle": puzzle, "what": what });
        let request: StudyRequest = serde_json::from_value(request).unwrap();
        let budget = Budget::new(Duration::from_secs(600), Limits::none());
        request.study().unwrap().answer(&budget).unwrap()
    }

    #[test]
    fn counts_solutions_and_names_the_cells_that_differ() {
        let one = ask(PUZZLE, "solutions");
        assert_eq!(
            (&one["count"], &one["is_exact"], &one["differ"]),
            (&json!(1), &json!(true), &json!([]))
        );
        // All 4×4 grids.
        let all = ask(&".".repeat(16), "solutions");
        assert_eq!((&all["count"], &all["is_exact"]), (&json!(288), &json!(true)));
        assert!(!all["differ"].as_array().unwrap().is_empty());
        let many = ask(&".".repeat(81), "solutions");
        assert_eq!((&many["count"], &many["is_exact"]), (&json!(MAX_SOLUTIONS), &json!(false)));
    }

    #[test]
    fn true_candidates_are_those_of_all_solutions() {
        let puzzle = "1......2........";
        let mut seen = vec![std::collections::BTreeSet::new(); 16];
        let grid: Grid = puzzle.parse().unwrap();
        let effort = default_for(&grid).search(&grid, &Limits::none(), &mut |solution| {
            for (cell, digit) in solution.clues() {
                seen[cell.index()].insert(digit.number());
            }
            ControlFlow::Continue(())
        });
        effort.unwrap();
        for (cell, _) in grid.clues() {
            seen[cell.index()].clear();
        }
        assert_eq!(ask(puzzle, "candidates")["candidates"], json!(seen));
    }

    #[test]
    fn finds_redundant_clues_and_neighbours() {
        let full = "1234341221434321";
        let puzzle = format!(".{}", &full[1..]);
        assert_eq!(ask(&puzzle, "redundant")["cells"].as_array().unwrap().len(), 15);
        let easy =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let easier = ask(easy, "easier");
        let change = &easier["changes"][0];
        assert!(change["effort"].as_f64().unwrap() < easier["effort"].as_f64().unwrap());
        let harder = ask(&puzzle, "harder");
        assert!(harder["changes"][0]["effort"].as_f64() > harder["effort"].as_f64());
    }

    #[test]
    fn clues_that_break_the_rules_are_an_error() {
        let request = json!({ "puzzle": "11..............", "what": "solutions" });
        let request: StudyRequest = serde_json::from_value(request).unwrap();
        assert_eq!(request.study().err().unwrap().status, 422);
    }
}
