//! `ninefold lab runs`: training runs side by side, as a table and as a picture.

use crate::console;
use crate::error::CliError;
use crate::output::write_file;
use crate::verdict::Verdict;
use clap::Args;
use neural::training::compare::{self, Group};
use neural::training::metrics::Metrics;
use std::path::Path;

/// Compare training runs by the puzzles they solve after each epoch
///
/// Runs of one kind, such as the folds of a cross validation, stand behind one name; the table shows their mean and
/// standard deviation in percent. What is compared is the share of validation puzzles that came out right.
#[derive(Args, Debug)]
pub struct Runs {
    /// A name and the folders of its runs, as in M12=runs/m12-0,runs/m12-1
    #[arg(value_name = "NAME=FOLDER,FOLDER", required = true, value_parser = named)]
    runs: Vec<Named>,

    /// The epochs to show
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "5,10,15,22")]
    epochs: Vec<usize>,

    /// Draw the curves over all epochs into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,

    /// The title of the picture
    #[arg(long, value_name = "TEXT", default_value = "Puzzles solved by epoch")]
    title: String,
}

#[derive(Clone, Debug)]
struct Named {
    name: String,
    folders: Vec<String>,
}

fn named(text: &str) -> Result<Named, String> {
    let (name, folders) =
        text.split_once('=').ok_or("a name, =, and the folders of its runs are needed")?;
    Ok(Named { name: name.to_string(), folders: folders.split(',').map(str::to_string).collect() })
}

/// Prints the table and draws the picture.
pub fn run(options: &Runs) -> Result<Verdict, CliError> {
    let mut groups = Vec::new();
    for Named { name, folders } in &options.runs {
        let runs: Result<Vec<_>, CliError> =
            folders.iter().map(|folder| measurements(folder)).collect();
        groups.push(Group { name: name.clone(), runs: runs? });
    }
    console::print(format_args!("{}", compare::table(&groups, &options.epochs)));
    if let Some(path) = &options.svg {
        let svg = compare::picture(&options.title, &groups);
        write_file(Path::new(path), svg)?;
    }
    Ok(Verdict::Yes)
}

fn measurements(folder: &str) -> Result<Vec<neural::training::metrics::Line>, CliError> {
    let lines = Metrics::read(Path::new(folder))
        .map_err(|error| CliError::new(format!("{folder} cannot be read: {error}")))?;
    if lines.is_empty() {
        return Err(CliError::new(format!("{folder} holds no measurements"))
            .hint("name a folder of `ninefold train`"));
    }
    Ok(lines)
}
