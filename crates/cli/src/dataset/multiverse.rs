//! `ninefold dataset multiverse`: lists all minimal 4×4 puzzles (paper 3).

use crate::console::{Console, Part};
use crate::error::CliError;
use crate::humanize;
use crate::input::format_parser;
use crate::output::{Output, OutputArgs};
use crate::verdict::Verdict;
use ninefold::generate::census;
use ninefold_formats::{Entry, Format};

/// List all 4×4 puzzles with one solution and no redundant clue
///
/// These 85,632 puzzles are the data set of paper 3. Each puzzle is written with its solution, in
/// the order of the paper: grid by grid, puzzles with few clues first.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  all puzzles were written or counted
  2  the file could not be written")]
pub struct Args {
    /// Write to this file instead of stdout. The file appears when it is complete
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<String>,

    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = format_parser())]
    to: Format,

    /// Count the puzzles by their number of clues instead (Table 1 of the paper)
    #[arg(long, conflicts_with_all = ["out", "to"])]
    counts: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let census = census::all();
    let mut console = Console::open(false, false);
    if args.counts {
        console.print(Part { data: table_1(&census), ..Part::default() });
        console.finish();
        return Ok(Verdict::Yes);
    }
    let entries = census::minimal_puzzles(&census)
        .map(|generated| Entry::new(generated.puzzle).with_solution(generated.solution));
    let output_args =
        OutputArgs { to: Some(args.to), out: args.out.clone(), write_solutions: None };
    let mut output = Output::open(&output_args, &mut console)?;
    for entry in entries {
        output.write(&entry, &mut console)?;
    }
    output.finish(&mut console)?;
    console.finish();
    Ok(Verdict::Yes)
}

/// The counts for 4 to 14 clues and their totals, as in the paper.
fn table_1(census: &[census::SolutionGrid]) -> String {
    let counts = census::counts(census);
    let mut table = "clues  well posed  locally minimal\n".to_string();
    let mut line = |name: &str, count: census::Count| {
        let (well_posed, minimal) =
            (humanize::thousands(count.well_posed), humanize::thousands(count.minimal));
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
