//! Shows a trained network: the probabilities it predicts, the digits it writes, and which of them
//! are wrong. If the filled grid is wrong, a search solves the puzzle instead.

use crate::networks::Network;
use ninefold::grid::{Cell, Digit, Grid};
use ninefold::search::{self, Solutions};
use ninefold_api::explain::MAX_PROOF_TIME;
use ninefold_api::watch::{Frame, Stage, boards, name};
use ninefold_neural::inference::decoding::Decoding;
use ninefold_neural::inference::watch::{self, Event};
use ninefold_neural::models::kaleidoscope::Heads;
use ninefold_neural::models::rem::explain;
use std::ops::ControlFlow;

/// Lets the network fill the puzzle and checks the result; if it is wrong, the search solves the
/// puzzle.
pub fn perform(network: &Network, puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
    let numbers: Vec<u8> = puzzle.numbers().collect();
    let heads = network.heads(puzzle.order());
    let mut text = format!(
        "{} cells are empty. {}",
        puzzle.empty_cells().count(),
        plan(network.entry.decoding())
    );
    if let Some(heads) = &heads {
        text += &format!(
            " It guesses with {:.0} % that the puzzle cannot be completed.",
            100.0 * heads.predict(&numbers).doubt
        );
    }
    stage.show(&Frame::new("start", puzzle, text))?;
    let solution = only_solution(puzzle, stage);
    let loaded = match network.loaded() {
        Ok(loaded) => loaded,
        Err(error) => {
            return stage.show(&Frame::last(
                "open",
                puzzle,
                format!("The network cannot be used: {error}."),
            ));
        }
    };
    let mut number = 0;
    let own = loaded.predictor.as_ref();
    let other = (own.order() != puzzle.order()).then(|| own.for_order(puzzle.order())).flatten();
    let filled = watch::fill(
        other.as_deref().unwrap_or(own),
        &numbers,
        network.entry.decoding(),
        &mut |moment| {
            number += 1;
            let mut frame = frame(&moment, puzzle, solution.as_ref());
            if let (Some(heads), Event::Placement { board, cell, number, .. }) = (&heads, &moment) {
                frame.text += &reason(heads, board, *cell, *number);
            }
            stage.show(&Frame { number: Some(number), ..frame })
        },
    );
    match filled {
        Some(numbers) => finish(&grid(puzzle, &numbers), puzzle, solution.as_ref(), stage),
        None => ControlFlow::Break(()),
    }
}

fn plan(decoding: Decoding) -> &'static str {
    match decoding {
        Decoding::AtOnce => "The network fills all of them at once, after its last round.",
        Decoding::CellByCell => {
            "The network looks, fills the cell it is surest of, and looks again."
        }
    }
}

/// The rule that justifies a digit according to the rule head, a small network beside Kaleidoscope,
/// and whether this rule really applies on the board before the digit is written.
fn reason(heads: &Heads, board: &[u8], cell: usize, number: u8) -> String {
    let mut before = board.to_vec();
    before[cell] = 0;
    let named =
        explain::rule_for(heads.order(), &before, &heads.predict(&before).rules, cell, number);
    let (name, percent) = (named.name, 100.0 * named.probability);
    match named.holds {
        true if named.probability >= 0.5 => format!(" Its reason, {name} ({percent:.0} %), holds."),
        false if named.probability >= 0.5 => {
            format!(" Its reason, {name} ({percent:.0} %), does not hold: a guess.")
        }
        true => format!(" It names no rule, but {name} shows it."),
        false => " No simple rule shows this digit yet; the network looks further.".to_string(),
    }
}

fn only_solution(puzzle: &Grid, stage: &dyn Stage) -> Option<Grid> {
    let limits = stage.limits();
    let time = limits.time.map_or(MAX_PROOF_TIME, |left| left.min(MAX_PROOF_TIME));
    let proof = search::default_for(puzzle).prove(puzzle, &limits.with_time(time));
    match proof.expect("the default solver supports every size").solutions {
        Ok(Solutions::One(solution)) => Some(solution),
        _ => None,
    }
}

fn frame(moment: &Event<'_>, puzzle: &Grid, solution: Option<&Grid>) -> Frame {
    match *moment {
        Event::Prediction { board, probabilities, step, steps } => {
            let text = match steps {
                1 => "It looks: the larger a digit, the more likely.".to_string(),
                _ => format!("It thinks, round {step} of {steps}."),
            };
            let board = grid(puzzle, board);
            let wrong = wrong_cells(&board, puzzle, solution);
            Frame {
                odds: percent(&board, probabilities),
                wrong,
                ..Frame::new("look", &board, text)
            }
        }
        Event::Placement { board, cell, number, probability } => {
            let board = grid(puzzle, board);
            let (cell, digit) =
                (Cell::new(cell), Digit::new(number).expect("the network writes digits"));
            let wrong = wrong_cells(&board, puzzle, solution);
            let slip = if wrong.contains(&cell.index()) { ", which is wrong" } else { "" };
            let text = format!(
                "It writes {}, {:.0} % sure{slip}.",
                name(&board, cell, digit),
                100.0 * probability
            );
            Frame { wrong, ..Frame::new("write", &board, text).at(cell, Some(digit)) }
        }
    }
}

/// Checks the filled board. If it is wrong, the search solves the puzzle.
fn finish(
    filled: &Grid,
    puzzle: &Grid,
    solution: Option<&Grid>,
    stage: &dyn Stage,
) -> ControlFlow<()> {
    if filled.solves(puzzle) {
        return stage.show(&Frame::last(
            "solved",
            filled,
            "Every rule is kept: the network solved it alone.".to_string(),
        ));
    }
    let wrong = wrong_cells(filled, puzzle, solution);
    let text = match wrong.len() {
        0 => "Some rule is broken.".to_string(),
        1 => "1 cell is wrong. The search takes over.".to_string(),
        count => format!("{count} cells are wrong. The search takes over."),
    };
    stage.show(&Frame { wrong, ..Frame::new("wrong", filled, text) })?;
    let solver = search::default_for(puzzle);
    let (found, effort) =
        solver.first(puzzle, &stage.limits()).expect("the default solver supports every size");
    stage.show(&match found {
        Some(found) => {
            let text = format!(
                "The network failed. The search, {}, solved it in {}.",
                solver.name(),
                boards(effort.nodes)
            );
            Frame::last("searched", &found, text)
        }
        None if effort.stop.is_none() => {
            Frame::last("none", filled, "There is no solution.".to_string())
        }
        None => Frame::last("open", filled, "The time is up.".to_string()),
    })
}

fn grid(puzzle: &Grid, numbers: &[u8]) -> Grid {
    Grid::from_numbers(puzzle.order(), numbers).expect("the network writes numbers of this size")
}

/// The written cells that differ from the solution; none if the puzzle has no unique solution.
fn wrong_cells(board: &Grid, puzzle: &Grid, solution: Option<&Grid>) -> Vec<usize> {
    let Some(solution) = solution else { return Vec::new() };
    let is_wrong =
        |&(cell, digit): &(Cell, Digit)| puzzle[cell].is_none() && solution[cell] != Some(digit);
    board.clues().filter(is_wrong).map(|(cell, _)| cell.index()).collect()
}

/// The probabilities of the empty cells in percent.
fn percent(board: &Grid, probabilities: &[f32]) -> Vec<Vec<u8>> {
    let cells = board.order().cells().zip(probabilities.chunks(board.order().side()));
    let round = |probability: &f32| (100.0 * probability).round() as u8;
    cells
        .map(
            |(cell, odds)| {
                if board[cell].is_some() { Vec::new() } else { odds.iter().map(round).collect() }
            },
        )
        .collect()
}
