//! The exit code: yes, no or trouble.

use std::process::ExitCode;

/// What the command answers to whoever started it; the worst of several answers is the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Everything asked for was found: exit code 0.
    #[default]
    Yes,
    /// The question was answered with no: exit code 1.
    No,
    /// The question was not answered: exit code 2.
    Trouble,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        ExitCode::from(verdict as u8)
    }
}

/// The paragraph about exit codes at the end of the help of `solve`.
pub const HELP_SOLVE: &str = "\
Exit codes:
  0  yes: every puzzle is solved, and (unless --first, --count or --all was given) has no second solution
  1  no: some puzzle has no solution, or more than one
  2  trouble: something could not be read, or a limit was reached before the answer was certain";

/// The paragraph about exit codes at the end of the help of `check`.
pub const HELP_CHECK: &str = "\
Exit codes:
  0  yes: every puzzle keeps the rules and has exactly one solution (and with --minimal no clue too many)
  1  no: some puzzle does not
  2  trouble: something could not be read, or a limit was reached before the answer was certain";
