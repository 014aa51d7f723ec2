//! Defines the command line and turns parser errors into errors with hints.

use crate::error::CliError;
#[cfg(feature = "photos")]
use crate::read;
#[cfg(feature = "sql")]
use crate::sql;
use crate::verdict::Verdict;
use crate::{
    batch, bench, check, completions, convert, dataset, explain, generate, hint, man, rate, solve,
    stats,
};
#[cfg(feature = "cluster")]
use crate::{cluster, executor, scheduler};
#[cfg(feature = "networks")]
use crate::{evaluate, lab, models, reproduce, train};
#[cfg(feature = "serve")]
use crate::{serve, site};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// Solve, explain, check, rate, generate and analyse Sudoku puzzles of any size.
#[derive(Parser, Debug)]
#[command(name = "ninefold", version, disable_help_subcommand = true, term_width = 100)]
#[command(
    after_help = "`ninefold help COMMAND` and `ninefold COMMAND --help` print full help; `-h` prints a summary."
)]
pub struct Ninefold {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Subcommand, Debug)]
pub enum Verb {
    Solve(solve::Args),
    Explain(explain::Args),
    Hint(hint::Args),
    Check(check::Args),
    Rate(rate::Args),
    #[cfg(feature = "photos")]
    Read(read::Args),
    Generate(Box<generate::Args>),
    Convert(convert::Args),
    Stats(stats::Args),
    Dataset(dataset::Args),
    Batch(batch::Args),
    #[cfg(feature = "sql")]
    Sql(sql::Args),
    #[cfg(feature = "cluster")]
    Scheduler(scheduler::Args),
    #[cfg(feature = "cluster")]
    Executor(executor::Args),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Args),
    Bench(bench::Args),
    #[cfg(feature = "networks")]
    Models(models::Args),
    #[cfg(feature = "networks")]
    Train(train::Args),
    #[cfg(feature = "networks")]
    Evaluate(evaluate::Args),
    #[cfg(feature = "networks")]
    Lab(lab::Args),
    #[cfg(feature = "networks")]
    Reproduce(reproduce::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    #[cfg(feature = "serve")]
    Site(site::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Subcommands that this build does not contain, and the feature that enables them.
const DISABLED: &[(&[&str], &str)] = &[
    #[cfg(not(feature = "networks"))]
    (&["models", "train", "evaluate", "lab", "reproduce"], "networks"),
    #[cfg(not(feature = "photos"))]
    (&["read"], "photos"),
    #[cfg(not(feature = "serve"))]
    (&["serve", "site"], "serve"),
    #[cfg(not(feature = "sql"))]
    (&["sql"], "sql"),
    #[cfg(not(feature = "cluster"))]
    (&["scheduler", "executor", "cluster"], "cluster"),
];

/// Parses the command line. Prints help, version and errors here.
pub fn parse() -> Result<Verb, Verdict> {
    let typed = normalize_help(std::env::args_os().collect());
    Ninefold::try_parse_from(typed).map(|ninefold| ninefold.verb).map_err(|error| {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
                let _ = error.print();
                Verdict::Yes
            }
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = error.print();
                Verdict::Error
            }
            _ => {
                eprintln!("{}", to_cli_error(&error));
                Verdict::Error
            }
        }
    })
}

/// Turns `ninefold help dataset split` into `ninefold dataset split --help`.
///
/// clap's own `help` subcommand would appear in every list of subcommands and in the manual.
fn normalize_help(mut typed: Vec<OsString>) -> Vec<OsString> {
    if typed.get(1).is_some_and(|verb| verb == "help") {
        typed.remove(1);
        typed.push("--help".into());
    }
    typed
}

/// Converts a parser error to our format.
fn to_cli_error(error: &clap::Error) -> CliError {
    if let Some(ContextValue::String(verb)) = error.get(ContextKind::InvalidSubcommand)
        && let Some((_, feature)) =
            DISABLED.iter().find(|(verbs, _)| verbs.contains(&verb.as_str()))
    {
        return CliError::new(format!("this build of ninefold does not contain `{verb}`"))
            .hint(format!("cargo install --path crates/cli --features {feature}"));
    }
    let rendered = error.render().to_string();
    let first = rendered.split("\n\n").next().unwrap_or_default();
    // The list of possible values becomes the hint.
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
            format!("did you mean {suggestion}? Possible values: {valid}")
        }
        (Some(suggestion), None) => format!("did you mean {suggestion}?"),
        (None, Some(valid)) => format!("possible values: {valid}"),
        (None, None) => "see --help".to_string(),
    };
    CliError::new(message.strip_prefix("error: ").unwrap_or(&message)).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_help_as_subcommand_and_option() {
        let typed = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(
            normalize_help(typed("ninefold help dataset split")),
            typed("ninefold dataset split --help")
        );
        assert_eq!(normalize_help(typed("ninefold help")), typed("ninefold --help"));
        assert_eq!(normalize_help(typed("ninefold solve help")), typed("ninefold solve help"));
    }
}

/// The documents use subcommands of the full build.
#[cfg(all(test, feature = "networks", feature = "serve"))]
mod documents {
    use super::*;
    use std::path::Path;

    fn document(name: &str) -> String {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name))
            .unwrap_or_else(|error| panic!("cannot read {name}: {error}"))
    }

    /// Commands in backquotes, which may be wrapped, or on their own line.
    fn commands_in(text: &str) -> Vec<String> {
        let text = text.replace("\\\n", "");
        let inline = text.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " "));
        let alone = text.lines().map(|line| line.trim_start_matches("$ ").to_string());
        inline.chain(alone).filter(|command| command.starts_with("ninefold ")).collect()
    }

    const DOCUMENTS: [&str; 9] = [
        "README.md",
        "PAPERS.md",
        "docs/players.md",
        "docs/setters.md",
        "docs/researchers.md",
        "docs/operators.md",
        "experiments/README.md",
        "experiments/kaleidoscope/README.md",
        "benchmarks/README.md",
    ];

    #[test]
    fn parses_every_command_in_the_documents() {
        let mut count = 0;
        for name in DOCUMENTS {
            for command in commands_in(&document(name)) {
                // Ignore pipes and redirections.
                let words: Vec<&str> = command
                    .split_whitespace()
                    .take_while(|word| !["|", "\\|", ">", "#"].contains(word))
                    .collect();
                // Skip commands with the placeholder `NAME`.
                if words.iter().any(|word| word.contains("NAME")) {
                    continue;
                }
                let typed = normalize_help(words.iter().map(OsString::from).collect());
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
