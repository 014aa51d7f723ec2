//! Shows the system of Sharaf, Marathe and Nguyen (2016), a Hopfield network with an A* search: the
//! activations of the network, the uncertain cell that it asks about, and the digit that A*
//! supplies.

use ninefold::grid::Grid;
use ninefold::search::Solutions;
use ninefold_api::watch::{Frame, Stage, boards, name};
use ninefold_neural::models::hopfield::{
    Hopfield, Outcome, Readout, SearchRun, Step, Trace, solve,
};
use std::ops::ControlFlow;

/// Solves the puzzle, then shows the trace: the network is too fast to watch it live.
pub fn perform(system: Hopfield, puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
    let neurons = puzzle.order().cell_count() * puzzle.order().side();
    let text = format!(
        "{neurons} neurons, one for each digit of each cell; {} cells are empty.",
        puzzle.empty_cells().count()
    );
    stage.show(&Frame::new("start", puzzle, text))?;
    let trace = solve(puzzle, &system.config(), &stage.limits());
    let mut board = puzzle.clone();
    for (number, step) in (1..).zip(&trace.steps) {
        stage.show(&Frame { number: Some(number), ..frame(step, &mut board) })?;
    }
    stage.show(&last(&trace, &board))
}

fn frame(step: &Step, board: &mut Grid) -> Frame {
    match step {
        Step::Run { number, readout, board: fuller, convergence } => {
            let energy = convergence.map_or(String::new(), |convergence| {
                format!(
                    " The energy fell from {} to {}.",
                    convergence.energy_before, convergence.energy_after
                )
            });
            let text = format!(
                "Run {number} of the network: {} cells are certain, {} are not.{energy}",
                readout.certain.len(),
                readout.uncertain.len()
            );
            // This frame shows the activations; the digits are on the board from the next one on.
            let frame =
                Frame { odds: activations(readout, board), ..Frame::new("look", board, text) };
            board.clone_from(fuller);
            frame
        }
        Step::Choice { cell, index } => {
            let why =
                index.map_or(String::new(), |index| format!(", with a commonality of {index}"));
            let text = format!(
                "The network is confused. The rule base picks {}{why}.",
                board.order().name_of(*cell)
            );
            Frame::new("choice", board, text).at(*cell, None)
        }
        Step::CoProcessor(search) => Frame::new("search", board, search_text(search)),
        Step::Hint { cell, digit } => {
            board.set(*cell, Some(*digit));
            let text = format!("The search says: {}.", name(board, *cell, *digit));
            Frame::new("hint", board, text).at(*cell, Some(*digit))
        }
    }
}

/// 100 for a certain digit; the possible values of an uncertain cell share 100 equally.
fn activations(readout: &Readout, board: &Grid) -> Vec<Vec<u8>> {
    let order = board.order();
    let mut odds = vec![Vec::new(); order.cell_count()];
    for &(cell, digit) in &readout.certain {
        odds[cell.index()] =
            order.digits().map(|other| if other == digit { 100 } else { 0 }).collect();
    }
    for &(cell, values) in &readout.uncertain {
        let share = (100 / values.count().max(1)) as u8;
        odds[cell.index()] =
            order.digits().map(|digit| if values.contains(digit) { share } else { 0 }).collect();
    }
    odds
}

fn search_text(search: &SearchRun) -> String {
    let boards = boards(search.effort.nodes);
    match &search.answer {
        Ok(Solutions::One(_)) => {
            format!("{} finds the only solution after {boards} and keeps it.", search.solver)
        }
        Ok(Solutions::Many(..)) => format!("{} finds two solutions after {boards}.", search.solver),
        Ok(Solutions::Zero) => {
            format!("{} rules out every board after looking at {boards}.", search.solver)
        }
        Err(unfinished) => {
            format!("{} is stopped by {} after {boards}.", search.solver, unfinished.stop)
        }
    }
}

fn last(trace: &Trace, board: &Grid) -> Frame {
    let (runs, hints) = (trace.runs(), trace.hints());
    match &trace.outcome {
        Outcome::Solved(grid) => {
            let help = match hints {
                0 => "no help from the search".to_string(),
                1 => "1 hint from the search".to_string(),
                _ => format!("{hints} hints from the search"),
            };
            let runs = if runs == 1 { "1 run".to_string() } else { format!("{runs} runs") };
            let end = if hints == 0 { "solved" } else { "helped" };
            Frame::last(end, grid, format!("Solved in {runs} of the network with {help}."))
        }
        Outcome::NoSolution(_) => Frame::last("none", board, "There is no solution.".to_string()),
        Outcome::Several(first, _) => Frame::last(
            "open",
            first,
            "There are several solutions, so no hint can be given.".to_string(),
        ),
        Outcome::Unfinished { stop, .. } => {
            Frame::last("open", board, format!("Stopped by {stop}."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::grid::{Cell, Digit};

    #[test]
    fn boards_fill_up_as_in_the_trace() {
        let puzzle: Grid =
            "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
                .parse()
                .unwrap();
        let trace = solve(&puzzle, &Hopfield::ALL[0].config(), &ninefold::search::Limits::none());
        let mut board = puzzle.clone();
        let frames: Vec<Frame> = trace.steps.iter().map(|step| frame(step, &mut board)).collect();
        let filled = |frame: &Frame| frame.grid.chars().filter(|symbol| *symbol != '.').count();
        assert!(frames.is_sorted_by_key(filled), "no digit is removed");
        assert!(frames.iter().any(|frame| frame.event == "hint"));
        assert_eq!(last(&trace, &board).end, Some("helped"));
    }

    #[test]
    fn possible_values_share_the_activation() {
        let board: Grid = "1234341223414.2.".parse().unwrap();
        let digit = |number| Digit::new(number).unwrap();
        let readout = Readout {
            certain: vec![(Cell::new(13), digit(1))],
            uncertain: vec![(Cell::new(15), [digit(1), digit(3)].into_iter().collect())],
            impossible: Vec::new(),
        };
        let odds = activations(&readout, &board);
        assert_eq!((&odds[13], &odds[15]), (&vec![100, 0, 0, 0], &vec![50, 0, 50, 0]));
        assert!(odds[0].is_empty());
    }
}
