//! `ninefold lab runs`: compares groups of training runs in a table and a picture.

use crate::console;
use crate::error::CliError;
use crate::output::write_file;
use crate::verdict::Verdict;
use ninefold_neural::training::compare::{self, Group};
use ninefold_neural::training::metrics::Metrics;
use std::path::Path;

/// Compare training runs by the share of validation puzzles solved after each epoch
///
/// The runs of a group, such as the folds of a cross validation, have one name. The table contains
/// their mean and standard deviation in percent.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of a group and the directories of its runs, as in M12=runs/m12-0,runs/m12-1
    #[arg(value_name = "NAME=DIR,…", required = true, value_parser = parse_group)]
    groups: Vec<NamedGroup>,

    /// Epochs in the table
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "5,10,15,22")]
    epochs: Vec<usize>,

    /// Draw the curves over all epochs to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,

    /// With --svg: title of the picture
    #[arg(long, value_name = "TEXT", default_value = "Puzzles solved by epoch", requires = "svg")]
    title: String,
}

#[derive(Clone, Debug)]
struct NamedGroup {
    name: String,
    directories: Vec<String>,
}

fn parse_group(text: &str) -> Result<NamedGroup, String> {
    let (name, directories) = text
        .split_once('=')
        .ok_or("expected a name and directories, for example M12=runs/m12-0")?;
    let directories = directories.split(',').map(str::to_string).collect();
    Ok(NamedGroup { name: name.to_string(), directories })
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let mut groups = Vec::new();
    for NamedGroup { name, directories } in &args.groups {
        let runs: Result<Vec<_>, CliError> =
            directories.iter().map(|directory| read_metrics(directory)).collect();
        groups.push(Group { name: name.clone(), runs: runs? });
    }
    console::print(format_args!("{}", compare::table(&groups, &args.epochs)));
    if let Some(path) = &args.svg {
        let svg = compare::picture(&args.title, &groups);
        write_file(Path::new(path), svg)?;
    }
    Ok(Verdict::Yes)
}

fn read_metrics(
    directory: &str,
) -> Result<Vec<ninefold_neural::training::metrics::Line>, CliError> {
    let lines = Metrics::read(Path::new(directory))
        .map_err(|error| CliError::cannot_read(directory, error))?;
    if lines.is_empty() {
        return Err(CliError::new(format!("{directory} contains no metrics"))
            .hint("pass a directory written by `ninefold train`"));
    }
    Ok(lines)
}
