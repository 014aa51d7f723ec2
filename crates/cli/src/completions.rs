//! `ninefold completions`: prints shell completions.

use crate::arguments::Ninefold;
use crate::console::print_bytes;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print completions for a shell
///
/// For bash: ninefold completions bash > ~/.local/share/bash-completion/completions/ninefold
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    // clap_complete panics if stdout is closed, so write to memory first.
    let mut completions = Vec::new();
    clap_complete::generate(args.shell, &mut Ninefold::command(), "ninefold", &mut completions);
    print_bytes(&completions);
    Ok(Verdict::Yes)
}
