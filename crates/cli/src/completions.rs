//! `ninefold completions`: what the shell offers when Tab is pressed.

use crate::arguments::Ninefold;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io;

/// Print completions for a shell
///
/// For bash: ninefold completions bash > ~/.local/share/bash-completion/completions/ninefold
#[derive(Args, Debug)]
pub struct Options {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    clap_complete::generate(options.shell, &mut Ninefold::command(), "ninefold", &mut io::stdout());
    Ok(Verdict::Yes)
}
