//! Exit codes: 0 for yes, 1 for no, 2 for an error.

use std::process::ExitCode;

/// The result of a command. The result for several puzzles is the worst single result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Exit code 0: everything requested was found.
    #[default]
    Yes,
    /// Exit code 1: the answer is no, for example because a puzzle has no solution.
    No,
    /// Exit code 2: there is no answer, because of an error or a limit.
    Error,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        ExitCode::from(verdict as u8)
    }
}

/// The exit codes in the help of `solve`.
pub const HELP_SOLVE: &str = "\
Exit codes:
  0  every puzzle was solved; without --first, --count-solutions and --all: has one solution
  1  a puzzle has no solution, or more than one
  2  an input could not be read, or a limit was reached before the answer was certain";

/// The exit codes in the help of `check`.
pub const HELP_CHECK: &str = "\
Exit codes:
  0  every puzzle is valid and has exactly one solution (and, with --minimal, no redundant clue)
  1  a puzzle is invalid, has no solution or several, or (with --minimal) has a redundant clue
  2  an input could not be read, or a limit was reached before the answer was certain";
