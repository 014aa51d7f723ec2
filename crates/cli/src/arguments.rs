//! What may be typed after `ninefold`, and helpful words when something else was.

use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{
    batch, bench, check, completions, convert, dataset, explain, generate, hint, man, rate, solve,
    stats,
};
#[cfg(feature = "networks")]
use crate::{evaluate, lab, models, train};
#[cfg(feature = "sql")]
use crate::{executor, scheduler, sql};
#[cfg(feature = "serve")]
use crate::{serve, site};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// Solves, explains, checks, rates, makes and describes Sudokus of every size.
#[derive(Parser, Debug)]
#[command(name = "ninefold", version, disable_help_subcommand = true, term_width = 100)]
#[command(
    after_help = "`ninefold help VERB` and `ninefold VERB --help` say all about a verb, `-h` in short."
)]
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
    Batch(batch::Options),
    #[cfg(feature = "sql")]
    Sql(sql::Options),
    #[cfg(feature = "sql")]
    Scheduler(scheduler::Options),
    #[cfg(feature = "sql")]
    Executor(executor::Options),
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
    #[cfg(feature = "serve")]
    Site(site::Options),
    Completions(completions::Options),
    Man(man::Options),
}

/// What this build leaves out: the verbs, and the feature that brings them.
const LEFT_OUT: &[(&[&str], &str)] = &[
    #[cfg(not(feature = "networks"))]
    (&["models", "train", "evaluate", "lab"], "networks"),
    #[cfg(not(feature = "serve"))]
    (&["serve", "site"], "serve"),
    #[cfg(not(feature = "sql"))]
    (&["sql", "scheduler", "executor"], "sql"),
];

/// Reads the command line. Help and version are printed here; a mistake is explained.
pub fn parse() -> Result<Verb, Verdict> {
    let typed = asking_for_help(std::env::args_os().collect());
    Ninefold::try_parse_from(typed).map(|ninefold| ninefold.verb).map_err(|error| {
        match error.kind() {
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
        }
    })
}

/// `ninefold help dataset split` is another way to say `ninefold dataset split --help`.
///
/// The parser has a verb of that name itself, but it would stand in every list of verbs and have a page of the manual.
fn asking_for_help(mut typed: Vec<OsString>) -> Vec<OsString> {
    if typed.get(1).is_some_and(|verb| verb == "help") {
        typed.remove(1);
        typed.push("--help".into());
    }
    typed
}

/// The parser's words in the form of ours: `error: …`, a blank line, `hint: …`.
fn explained(error: &clap::Error) -> CliError {
    if let Some(ContextValue::String(verb)) = error.get(ContextKind::InvalidSubcommand)
        && let Some((_, feature)) =
            LEFT_OUT.iter().find(|(verbs, _)| verbs.contains(&verb.as_str()))
    {
        return CliError::new(format!("this ninefold was built without `{verb}`"))
            .hint(format!("cargo install --path crates/cli --features {feature}"));
    }
    let rendered = error.render().to_string();
    let first = rendered.split("\n\n").next().unwrap_or_default();
    // The list of possible values goes into the hint.
    let message: Vec<&str> =
        first.lines().map(str::trim).filter(|line| !line.starts_with('[')).collect();
    let message = message.join(" ");
    let names = |kind| match error.get(kind) {
        Some(ContextValue::Strings(names)) if !names.is_empty() => Some(names.join(", ")),
        Some(ContextValue::String(name)) => Some(name.clone()),
        _ => None,
    };
    let suggestion =
        [ContextKind::SuggestedValue, ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand]
            .into_iter()
            .find_map(names);
    let hint = match (suggestion, names(ContextKind::ValidValue)) {
        (Some(suggestion), Some(valid)) => {
            format!("did you mean {suggestion}? The choice is {valid}")
        }
        (Some(suggestion), None) => format!("did you mean {suggestion}?"),
        (None, Some(valid)) => format!("the choice is {valid}"),
        (None, None) => "--help shows what can be asked".to_string(),
    };
    CliError::new(message.strip_prefix("error: ").unwrap_or(&message)).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_asked_for_in_both_ways() {
        let typed = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(
            asking_for_help(typed("ninefold help dataset split")),
            typed("ninefold dataset split --help")
        );
        assert_eq!(asking_for_help(typed("ninefold help")), typed("ninefold --help"));
        assert_eq!(asking_for_help(typed("ninefold solve help")), typed("ninefold solve help"));
    }
}

/// The documents show verbs of the whole command.
#[cfg(all(test, feature = "networks", feature = "serve"))]
mod documents {
    use super::*;
    use std::path::Path;

    fn document(name: &str) -> String {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name))
            .expect("a document")
    }

    /// What stands in backquotes or alone on a line, and begins with our name.
    fn commands_in(text: &str) -> Vec<String> {
        let inline = text.split('`').skip(1).step_by(2).flat_map(str::lines);
        let alone = text.lines().map(|line| line.trim_start_matches("$ "));
        inline
            .chain(alone)
            .filter(|words| words.starts_with("ninefold "))
            .map(str::to_string)
            .collect()
    }

    /// Whoever copies a command from a document types something that we understand, about files that are there.
    #[test]
    fn every_command_of_the_documents_is_understood() {
        let mut count = 0;
        for name in ["README.md", "PAPERS.md", "experiments/README.md", "benchmarks/README.md"] {
            for command in commands_in(&document(name)) {
                // What follows a pipe or goes into a file is the shell's business.
                let words: Vec<&str> = command
                    .split_whitespace()
                    .take_while(|word| !["|", "\\|", ">"].contains(word))
                    .collect();
                let typed = asking_for_help(words.iter().map(OsString::from).collect());
                match Ninefold::try_parse_from(typed) {
                    Err(error) if error.kind() == ErrorKind::DisplayHelp => {}
                    Err(error) => panic!("{name}: {command}\n{error}"),
                    Ok(_) => {}
                }
                for file in words
                    .iter()
                    .filter(|word| word.starts_with("experiments/") && word.ends_with(".toml"))
                {
                    document(file);
                }
                count += 1;
            }
        }
        assert!(count > 60, "{count} commands");
    }
}
