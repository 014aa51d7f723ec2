//! Shows a search: the digits it tries, and those it removes again when they lead to a
//! contradiction.

use super::{Frame, Stage, boards, is_shown, name};
use ninefold::grid::Grid;
use ninefold::search::watch::{Action, Event};
use ninefold::search::{Effort, Solver, StopReason};
use std::ops::ControlFlow;

/// Searches for the first solution.
pub fn perform(solver: &dyn Solver, puzzle: &Grid, stage: &dyn Stage) -> ControlFlow<()> {
    let empty = puzzle.empty_cells().count();
    stage.show(&Frame::new(
        "start",
        puzzle,
        format!("{empty} cells are empty. The idea: {}.", solver.idea()),
    ))?;
    let mut number = 0;
    let mut last = puzzle.clone();
    let watched = solver.watch(puzzle, &stage.limits(), &mut |event| {
        number += 1;
        last.clone_from(event.board);
        if !is_shown(number) {
            return ControlFlow::Continue(());
        }
        match stage.show(&Frame { number: Some(number), ..frame(&event) }) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(StopReason::Cancelled),
        }
    });
    let (solution, effort) = watched.expect("the size was checked before");
    let last = match solution {
        Some(solution) => Frame::last("solved", &solution, format!("Solved: {}.", cost(&effort))),
        None if effort.stop.is_none() => {
            Frame::last("none", &last, format!("There is no solution: {}.", cost(&effort)))
        }
        None => Frame::last(
            "open",
            &last,
            format!("The time is up: {}, and no solution yet.", cost(&effort)),
        ),
    };
    stage.show(&Frame { guesses: Some(effort.guesses), ..last })
}

fn frame(event: &Event<'_>) -> Frame {
    let board = event.board;
    match event.action {
        Action::Place { cell, digit, choices: 1 } => Frame::new(
            "write",
            board,
            format!("{}: nothing else is left.", name(board, cell, digit)),
        )
        .at(cell, Some(digit)),
        Action::Place { cell, digit, choices } => {
            let text = format!("Try {}, one of {choices}.", name(board, cell, digit));
            Frame::new("write", board, text).at(cell, Some(digit))
        }
        Action::Undo { cell, digit } => {
            let text = format!("{} leads nowhere. Back.", name(board, cell, digit));
            Frame::new("retreat", board, text).at(cell, Some(digit))
        }
        Action::Expand { last, possible_values, waiting } => {
            let text = format!(
                "The board with the fewest possible values, {possible_values}; {waiting} others wait."
            );
            let frame = Frame::new("expand", board, text);
            match last {
                Some((cell, digit)) => frame.at(cell, Some(digit)),
                None => frame,
            }
        }
        Action::Learn { literals, undone } => {
            let text = format!(
                "A conflict. Remember a rule about {literals} candidates, and take back {undone}."
            );
            Frame::new("retreat", board, text)
        }
    }
}

fn cost(effort: &Effort) -> String {
    let boards = boards(effort.nodes);
    match effort.guesses {
        0 => format!("{boards}, not one guess"),
        1 => format!("{boards}, 1 guess"),
        guesses => format!("{boards}, {guesses} guesses"),
    }
}
