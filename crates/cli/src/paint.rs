//! Draws grids, in colour if the terminal supports it.

use ninefold::grid::{Grid, text};
use std::io::IsTerminal;

/// Draws a grid. With `colour`, digits that are not clues of `puzzle` are bold green.
pub fn draw(grid: &Grid, puzzle: &Grid, colour: bool) -> String {
    if !colour {
        return text::diagram(grid);
    }
    text::diagram_with(grid, |cell, symbol| match puzzle[cell] {
        None => format!("\x1b[1;32m{symbol}\x1b[0m"),
        Some(_) => symbol.to_string(),
    })
}

/// Returns true if stdout is a terminal that supports colour and `NO_COLOR` is not set.
pub fn stdout_has_colour() -> bool {
    let disabled = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    std::io::stdout().is_terminal() && !disabled && !dumb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_solved_digits_are_bold() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let painted = draw(&puzzle, &puzzle, true);
        assert_eq!(painted.replace("\x1b[1;32m.\x1b[0m", "."), text::diagram(&puzzle));
        assert_eq!(painted.matches("\x1b[0m").count(), 10, "ten cells are not clues");
        assert_eq!(draw(&puzzle, &puzzle, false), text::diagram(&puzzle));
    }
}
