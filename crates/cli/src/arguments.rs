//! What may be typed after `ninefold`, and helpful words when something else was.

use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{
    bench, check, completions, convert, dataset, explain, generate, hint, lab, man, rate, serve, solve, stats,
};
use crate::{evaluate, models, train};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

/// Solves, explains, checks, rates, makes and describes Sudokus of every size.
#[derive(Parser, Debug)]
#[command(name = "ninefold", version, disable_help_subcommand = true, term_width = 100)]
pub struct Ninefold {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs; what each does stands with its options, in its own file.
#[derive(Subcommand, Debug)]
pub enum Verb {
    Solve(solve::Options),
    Explain(explain::Options),
    Hint(hint::Options),
    Check(check::Options),
    Rate(rate::Options),
    Generate(Box<generate::Options>),
    Convert(convert::Options),
    Stats(stats::Options),
    Dataset(dataset::Options),
    Bench(bench::Options),
    Models(models::Options),
    Train(train::Options),
    Evaluate(evaluate::Options),
    Lab(lab::Options),
    Serve(serve::Options),
    Completions(completions::Options),
    Man(man::Options),
}

/// Reads the command line. Help and version are printed here; a mistake is explained.
pub fn parse() -> Result<Verb, Verdict> {
    Ninefold::try_parse().map(|ninefold| ninefold.verb).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            Verdict::Yes
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Verdict::Trouble
        }
        _ => {
            eprintln!("{}", explained(&error));
            Verdict::Trouble
        }
    })
}

/// The parser's words in the form of ours: `error: …`, a blank line, `hint: …`.
fn explained(error: &clap::Error) -> CliError {
    let rendered = error.render().to_string();
    let first = rendered.split("\n\n").next().unwrap_or_default();
    // The list of possible values goes into the hint.
    let message: Vec<&str> = first.lines().map(str::trim).filter(|line| !line.starts_with('[')).collect();
    let message = message.join(" ");
    let names = |kind| match error.get(kind) {
        Some(ContextValue::Strings(names)) if !names.is_empty() => Some(names.join(", ")),
        Some(ContextValue::String(name)) => Some(name.clone()),
        _ => None,
    };
    let suggestion = [ContextKind::SuggestedValue, ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand]
        .into_iter()
        .find_map(names);
    let hint = match (suggestion, names(ContextKind::ValidValue)) {
        (Some(suggestion), Some(valid)) => format!("did you mean {suggestion}? The choice is {valid}"),
        (Some(suggestion), None) => format!("did you mean {suggestion}?"),
        (None, Some(valid)) => format!("the choice is {valid}"),
        (None, None) => "--help shows what can be asked".to_string(),
    };
    CliError::new(message.strip_prefix("error: ").unwrap_or(&message)).hint(hint)
}
