//! What may be typed after `ninefold`, and helpful words when something else was.

use crate::error::CliError;
#[cfg(feature = "serve")]
use crate::serve;
use crate::verdict::Verdict;
use crate::{bench, check, completions, convert, dataset, explain, generate, hint, man, rate, solve, stats};
#[cfg(feature = "networks")]
use crate::{evaluate, lab, models, train};
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
    #[cfg(feature = "networks")]
    Models(models::Options),
    #[cfg(feature = "networks")]
    Train(train::Options),
    #[cfg(feature = "networks")]
    Evaluate(evaluate::Options),
    #[cfg(feature = "networks")]
    Lab(lab::Options),
    #[cfg(feature = "serve")]
    Serve(serve::Options),
    Completions(completions::Options),
    Man(man::Options),
}

/// What this build leaves out: the verbs, and the feature that brings them.
const LEFT_OUT: &[(&[&str], &str)] = &[
    #[cfg(not(feature = "networks"))]
    (&["models", "train", "evaluate", "lab"], "networks"),
    #[cfg(not(feature = "serve"))]
    (&["serve"], "serve"),
];

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
    if let Some(ContextValue::String(verb)) = error.get(ContextKind::InvalidSubcommand)
        && let Some((_, feature)) = LEFT_OUT.iter().find(|(verbs, _)| verbs.contains(&verb.as_str()))
    {
        return CliError::new(format!("this ninefold was built without `{verb}`"))
            .hint(format!("cargo install --path crates/cli --features {feature}"));
    }
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
