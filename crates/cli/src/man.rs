//! `ninefold man`: the manual pages.

use crate::arguments::Ninefold;
use crate::console::print_bytes;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::CommandFactory;
use clap_mangen::Man;
use std::io;
use std::path::PathBuf;

/// Print the manual, or write its pages to a directory
///
/// To read it: ninefold man | man -l -
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write ninefold.1 and a page for each subcommand to this directory
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let outcome = match &args.directory {
        None => page(Ninefold::command()).map(|page| print_bytes(&page)),
        Some(directory) => pages().and_then(|pages| {
            std::fs::create_dir_all(directory)?;
            for (name, page) in pages {
                ninefold_files::write(directory.join(name), page)?;
            }
            Ok(())
        }),
    };
    outcome.map_err(|error| CliError::cannot_write("the manual", error))?;
    Ok(Verdict::Yes)
}

fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = Ninefold::command();
    // `build` sets the full names: `ninefold solve` in the text, `ninefold-solve` in the title.
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, "ninefold", &mut pages)?;
    Ok(pages)
}

/// Adds the page of a command and of its subcommands: `ninefold.1`, `ninefold-dataset.1`, …
fn add_pages(
    command: &clap::Command,
    name: &str,
    pages: &mut Vec<(String, Vec<u8>)>,
) -> io::Result<()> {
    pages.push((format!("{name}.1"), page(command.clone())?));
    for verb in command.get_subcommands() {
        add_pages(verb, &format!("{name}-{}", verb.get_name()), pages)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
