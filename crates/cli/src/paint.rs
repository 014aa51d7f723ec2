//! Drawn grids, in colour where the reader has one.

use ninefold::grid::{Grid, text};
use std::io::IsTerminal;

/// The drawn grid; with `colour`, digits that are not among the clues of `puzzle` are bold.
///
/// Without colour nothing is lost: the clues are what the reader typed.
pub fn drawn(grid: &Grid, puzzle: &Grid, colour: bool) -> String {
    if !colour {
        return text::drawn(grid);
    }
    let mut cells = grid.order().cells();
    let mut painted = |word: &str| match word {
        "" | "|" => word.to_string(),
        symbol => match cells.next() {
            Some(cell) if puzzle[cell].is_none() => format!("\x1b[1;32m{symbol}\x1b[0m"),
            _ => symbol.to_string(),
        },
    };
    let lines = text::drawn(grid);
    let lines = lines.lines().map(|line| match line.starts_with('-') {
        true => line.to_string(),
        false => line.split(' ').map(&mut painted).collect::<Vec<_>>().join(" "),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// May stdout show colour? Only on a terminal, and not if `NO_COLOR` is set to anything.
pub fn stdout_has_colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    std::io::stdout().is_terminal() && !refused && !dumb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_digits_that_were_found_are_bold() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let painted = drawn(&puzzle, &puzzle, true);
        assert_eq!(painted.replace("\x1b[1;32m.\x1b[0m", "."), text::drawn(&puzzle));
        assert_eq!(painted.matches("\x1b[0m").count(), 10, "ten cells are no clues");
        assert_eq!(drawn(&puzzle, &puzzle, false), text::drawn(&puzzle));
    }
}
