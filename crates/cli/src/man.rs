//! `ninefold man`: the manual, one page for the command and one for each verb.

use crate::arguments::Ninefold;
use crate::console::print_bytes;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::{Args, CommandFactory};
use clap_mangen::Man;
use std::io;
use std::path::PathBuf;

/// Print the manual, or write its pages into a folder
///
/// To read it at once: ninefold man | man -l -
#[derive(Args, Debug)]
pub struct Options {
    /// Write ninefold.1 and a page for each verb into this folder
    folder: Option<PathBuf>,
}

/// Prints the first page, or writes all of them.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let outcome = match &options.folder {
        None => page(Ninefold::command()).map(|page| print_bytes(&page)),
        Some(folder) => pages().and_then(|pages| {
            std::fs::create_dir_all(folder)?;
            for (name, page) in pages {
                files::write(folder.join(name), page)?;
            }
            Ok(())
        }),
    };
    outcome.map_err(|error| CliError::new(format!("the manual cannot be written: {error}")))?;
    Ok(Verdict::Yes)
}

fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = Ninefold::command();
    // Building names the verbs in full: `ninefold solve` in the text, `ninefold-solve` in the title.
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, "ninefold", &mut pages)?;
    Ok(pages)
}

/// The page of a command and those of its verbs: `ninefold.1`, `ninefold-dataset.1`, `ninefold-dataset-split.1`.
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
