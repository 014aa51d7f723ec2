//! Functions that search: the solution, the number of solutions, and minimality.

use super::Rows;
use super::outcome::{self, LINE, NODES, Outcome, Outcomes};
use arrow::array::{Array, ArrayRef, BooleanArray, Int64Array, StringArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use ninefold::search::batch::Batch;
use ninefold::search::nine::Line;
use ninefold::search::{self, Limits};
use ninefold::{Grid, generate};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The unique solution.
pub fn solve(rows: &Rows<'_>) -> ArrayRef {
    let Outcomes { rows: outcomes, lines } = outcome::solve_column(rows.text(0));
    if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Grid(_))) {
        return Arc::new(solutions_of_any_size(&outcomes, &lines));
    }
    // The solver has written all solutions into one buffer, which becomes the column.
    let offsets = OffsetBuffer::from_repeated_length(LINE, outcomes.len());
    let is_proper = NullBuffer::from_iter(outcomes.iter().map(Outcome::is_proper));
    Arc::new(StringArray::new(offsets, lines.into(), Some(is_proper)))
}

fn solutions_of_any_size(outcomes: &[Outcome], lines: &[u8]) -> StringArray {
    let solution = |(outcome, line): (&Outcome, &[u8])| match outcome {
        Outcome::Line => Some(String::from_utf8(line.to_vec()).expect("digits are text")),
        Outcome::Grid(grid) => Some(grid.to_string()),
        _ => None,
    };
    outcomes.iter().zip(lines.chunks(LINE)).map(solution).collect()
}

/// The reason why a puzzle has no unique solution.
pub fn why(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(
        outcome::solve_column(rows.text(0))
            .rows
            .iter()
            .map(Outcome::reason)
            .collect::<StringArray>(),
    )
}

/// The number of solutions, up to a limit.
pub fn solutions(rows: &Rows<'_>) -> ArrayRef {
    let (puzzles, limits) = (rows.text(0), rows.integer(1));
    let mut counts: Vec<Option<i64>> = vec![None; puzzles.len()];
    let limit_of =
        |row: usize| limits.is_valid(row).then(|| u64::try_from(limits.value(row)).ok()).flatten();
    // The limit is usually a constant, so that all lines form one batch.
    let mut by_limit: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let (plain_rows, lines) = outcome::lines(puzzles);
    for (place, &row) in plain_rows.iter().enumerate() {
        if let Some(limit) = limit_of(row) {
            by_limit.entry(limit).or_default().push(place);
        }
    }
    for (limit, places) in by_limit {
        let batch: Vec<Line> = places.iter().map(|&place| lines[place]).collect();
        for (&place, tally) in places.iter().zip(Batch::BEST.count_all(&batch, limit)) {
            let row = plain_rows[place];
            // Puzzles whose clues break the rules have no solution, so only those need this check.
            let is_invalid = tally.solutions == 0 && outcome::grid(puzzles.value(row)).is_err();
            counts[row] = (!is_invalid).then_some(tally.solutions as i64);
        }
    }
    for (row, puzzle) in puzzles.iter().enumerate() {
        let other = puzzle.filter(|puzzle| outcome::plain(puzzle).is_none());
        if let (Some(puzzle), Some(limit)) = (other, limit_of(row)) {
            counts[row] = outcome::grid(puzzle).ok().and_then(|grid| count(&grid, limit));
        }
    }
    Arc::new(Int64Array::from(counts))
}

/// The number of solutions of a grid of another size; `None` if the search reached the node limit.
fn count(puzzle: &Grid, limit: u64) -> Option<i64> {
    let solver = search::default_for(puzzle);
    let (count, effort) = solver
        .count(puzzle, limit, &Limits::none().with_nodes(NODES))
        .expect("the default solver supports every size");
    (effort.stop.is_none() || count >= limit).then_some(count as i64)
}

/// Whether every clue is needed; NULL unless there is exactly one solution.
pub fn is_minimal(rows: &Rows<'_>) -> ArrayRef {
    let puzzles = rows.text(0);
    let outcomes = outcome::solve_column(puzzles).rows;
    let mut minimal: Vec<Option<bool>> = vec![None; puzzles.len()];
    let mut plain = Vec::new();
    for (row, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Outcome::Line => plain.push((
                row,
                *outcome::plain(puzzles.value(row)).expect("the row was solved as a line"),
            )),
            Outcome::Grid(_) => {
                let grid = outcome::grid(puzzles.value(row)).expect("the row was parsed before");
                minimal[row] = generate::is_minimal(&grid).ok();
            }
            _ => {}
        }
    }
    // About 25 lines per puzzle, so 64 puzzles fill the lanes and fit in the cache.
    for chunk in plain.chunks(64) {
        for ((row, _), is_minimal) in chunk.iter().zip(lines_are_minimal(chunk)) {
            minimal[*row] = Some(is_minimal);
        }
    }
    Arc::new(BooleanArray::from(minimal))
}

/// For each puzzle with one solution, whether removing any clue allows a second solution.
fn lines_are_minimal(puzzles: &[(usize, Line)]) -> Vec<bool> {
    let mut owners = Vec::new();
    let mut lines = Vec::new();
    for (owner, (_, line)) in puzzles.iter().enumerate() {
        for cell in (0..81).filter(|&cell| matches!(line[cell], b'1'..=b'9')) {
            let mut without = *line;
            without[cell] = b'.';
            owners.push(owner);
            lines.push(without);
        }
    }
    let mut minimal = vec![true; puzzles.len()];
    for (owner, tally) in owners.into_iter().zip(Batch::BEST.count_all(&lines, 2)) {
        minimal[owner] &= tally.solutions > 1;
    }
    minimal
}

#[cfg(test)]
mod tests {
    use super::super::rows::testing::{PROPER, SOLUTION, call, function};
    use super::*;
    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;

    fn column() -> Vec<Option<&'static str>> {
        let clash =
            "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let dead =
            "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..";
        let empty =
            ".................................................................................";
        vec![
            Some(PROPER),
            None,
            Some("rubbish"),
            Some(clash),
            Some(dead),
            Some(empty),
            Some("1..4..1..3..4..3"),
        ]
    }

    #[test]
    fn rows_without_a_unique_solution_are_null_with_a_reason() {
        let solved = call(function("solve"), &[&column()]);
        let why = call(function("why"), &[&column()]);
        let (solved, why) = (solved.as_string::<i32>(), why.as_string::<i32>());
        let rows: Vec<(Option<&str>, Option<&str>)> = solved.iter().zip(why.iter()).collect();
        assert_eq!(rows[0], (Some(SOLUTION), None));
        assert_eq!(rows[1], (None, None), "NULL has no reason");
        assert!(
            rows[2].0.is_none() && rows[2].1.unwrap().contains("cells, found"),
            "{:?}",
            rows[2]
        );
        assert!(rows[3].0.is_none() && rows[3].1.unwrap().contains("a second 5"), "{:?}", rows[3]);
        assert_eq!(rows[4], (None, Some("there is no solution")));
        assert_eq!(rows[5], (None, Some("there is more than one solution")));
        assert_eq!(rows[6], (Some("1234341223414123"), None), "4×4");
    }

    #[test]
    fn plain_lines_give_the_same_results_among_other_sizes() {
        let every_size = column();
        let lines: Vec<Option<&str>> = every_size[..6].to_vec();
        let [alone, mixed] = [&lines, &every_size].map(|column| call(function("solve"), &[column]));
        assert_eq!(alone.as_string::<i32>(), &mixed.as_string::<i32>().slice(0, 6));
        assert_eq!(alone.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), [SOLUTION]);
        assert_eq!(call(function("solve"), &[&[]]).len(), 0);
    }

    #[test]
    fn counts_solutions_up_to_the_limit_of_each_row() {
        let limits = ["2", "2", "2", "2", "2", "5", "7"].map(Some);
        let counts = call(function("solutions"), &[&column(), &limits]);
        let counts: Vec<Option<i64>> = counts.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(counts, [Some(1), None, None, None, Some(0), Some(5), Some(1)]);
        let negative = call(function("solutions"), &[&[Some(PROPER)], &[Some("-1")]]);
        assert_eq!(negative.null_count(), 1);
    }

    #[test]
    fn minimality_matches_the_library() {
        let puzzles: Vec<Grid> = (0..40)
            .map(|index| {
                let options = generate::GenerateOptions::default().with_minimal(index % 2 == 0);
                generate::generate_one(&options, 3, index).unwrap().puzzle
            })
            .collect();
        let texts: Vec<String> = puzzles.iter().map(Grid::to_string).collect();
        let column: Vec<Option<&str>> = texts
            .iter()
            .map(|text| Some(text.as_str()))
            .chain([Some("1..4..1..3..4..3")])
            .collect();
        let answers = call(function("is_minimal"), &[&column]);
        for (row, puzzle) in puzzles.iter().enumerate() {
            assert_eq!(
                answers.as_boolean().value(row),
                generate::is_minimal(puzzle).unwrap(),
                "{puzzle}"
            );
        }
        assert!(answers.as_boolean().is_valid(40));
    }
}
