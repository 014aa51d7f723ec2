//! `ninefold dataset multiverse`: every 4×4 puzzle that has one solution and needs all its clues (paper 3).

use crate::console::{Console, Part};
use crate::error::CliError;
use crate::input::format_names;
use crate::output::{Output, Writing};
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
use formats::{Entry, Format};
use ninefold::generate::census;

/// List every 4×4 puzzle with one solution that needs all its clues
///
/// There are 85,632 of them: the data set of paper 3, one puzzle per line with its solution. They stand in the paper's
/// order: grid by grid, those with the fewest clues first.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: all puzzles were written, or counted
  2  trouble: the file cannot be written")]
pub struct Multiverse {
    /// Write into this file instead of to stdout; it gets its name when it is whole
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<String>,

    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = format_names())]
    to: Format,

    /// Count the puzzles by their clues instead (Table 1 of the paper)
    #[arg(long, conflicts_with_all = ["out", "to"])]
    counts: bool,
}

/// Lists or counts.
pub fn run(options: &Multiverse) -> Result<Verdict, CliError> {
    let census = census::all();
    let mut console = Console::open(false, false);
    if options.counts {
        console.print(Part { data: table_1(&census), ..Part::default() });
        console.finish();
        return Ok(Verdict::Yes);
    }
    let entries = census::minimal_puzzles(&census)
        .map(|made| Entry::new(made.puzzle).with_solution(made.solution));
    let writing = Writing { to: options.to, out: options.out.clone(), write_solutions: None };
    let mut output = Output::start(&writing, &mut console)?;
    for entry in entries {
        output.write(&entry, &mut console)?;
    }
    output.end(&mut console)?;
    console.finish();
    Ok(Verdict::Yes)
}

/// The counts for 4 to 14 clues and their sums, as in the paper.
fn table_1(census: &[census::Solved]) -> String {
    let counts = census::counts(census);
    let mut table = "clues  well posed  locally minimal\n".to_string();
    let mut line = |name: &str, count: census::Count| {
        let (well_posed, minimal) =
            (words::thousands(count.well_posed), words::thousands(count.minimal));
        table += &format!("{name:>5}  {well_posed:>10}  {minimal:>15}\n");
    };
    let mut sum = census::Count::default();
    for (clues, &count) in counts.iter().enumerate().skip(4).take(11) {
        line(&clues.to_string(), count);
        sum.well_posed += count.well_posed;
        sum.minimal += count.minimal;
    }
    line("all", sum);
    table
}
