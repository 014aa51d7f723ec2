//! `ninefold completions`: what the shell offers when Tab is pressed.

use crate::arguments::Ninefold;
use crate::console::print_bytes;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

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
    // The writer of completions panics where its reader leaves; memory does not.
    let mut completions = Vec::new();
    clap_complete::generate(options.shell, &mut Ninefold::command(), "ninefold", &mut completions);
    print_bytes(&completions);
    Ok(Verdict::Yes)
}
