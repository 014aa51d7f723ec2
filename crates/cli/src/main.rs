//! The `ninefold` command. Each subcommand is implemented in the module of its name.
#![forbid(unsafe_code)]

mod arguments;
mod batch;
mod bench;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod console;
mod convert;
mod dataset;
mod engine;
mod error;
#[cfg(feature = "networks")]
mod evaluate;
#[cfg(feature = "cluster")]
mod executor;
mod explain;
mod generate;
mod gpu;
mod hint;
mod humanize;
mod input;
#[cfg(feature = "networks")]
mod lab;
mod list_args;
mod man;
#[cfg(feature = "networks")]
mod models;
mod output;
mod paint;
#[cfg(feature = "photos")]
mod photo;
mod position;
mod provenance;
mod rate;
#[cfg(feature = "photos")]
mod read;
#[cfg(feature = "networks")]
mod reproduce;
#[cfg(feature = "cluster")]
mod scheduler;
mod search_args;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod site;
mod solve;
mod source;
#[cfg(feature = "sql")]
mod sql;
mod stats;
mod stream;
mod technique;
#[cfg(feature = "networks")]
mod train;
mod values;
mod verdict;

use arguments::Verb;
use std::process::ExitCode;
use verdict::Verdict;

fn main() -> ExitCode {
    #[cfg(feature = "parquet")]
    hide_expected_panics();
    if let Err(error) = engine::apply_environment() {
        eprintln!("{error}");
        return Verdict::Error.into();
    }
    let verb = match arguments::parse() {
        Ok(verb) => verb,
        Err(verdict) => return verdict.into(),
    };
    let result = match verb {
        Verb::Solve(args) => solve::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Hint(args) => hint::run(&args),
        Verb::Bench(args) => bench::run(&args),
        #[cfg(feature = "networks")]
        Verb::Models(args) => models::run(&args),
        #[cfg(feature = "networks")]
        Verb::Train(args) => train::run(&args),
        #[cfg(feature = "networks")]
        Verb::Evaluate(args) => evaluate::run(&args),
        Verb::Convert(args) => convert::run(&args),
        #[cfg(feature = "photos")]
        Verb::Read(args) => read::run(&args),
        Verb::Rate(args) => rate::run(&args),
        Verb::Generate(args) => generate::run(&args),
        Verb::Stats(args) => stats::run(&args),
        Verb::Dataset(args) => dataset::run(&args),
        Verb::Batch(args) => batch::run(&args),
        #[cfg(feature = "sql")]
        Verb::Sql(args) => sql::run(&args),
        #[cfg(feature = "cluster")]
        Verb::Scheduler(args) => scheduler::run(&args),
        #[cfg(feature = "cluster")]
        Verb::Executor(args) => executor::run(&args),
        #[cfg(feature = "cluster")]
        Verb::Cluster(args) => cluster::run(&args),
        #[cfg(feature = "networks")]
        Verb::Lab(args) => lab::run(&args),
        #[cfg(feature = "networks")]
        Verb::Reproduce(args) => reproduce::run(&args),
        #[cfg(feature = "serve")]
        Verb::Serve(args) => serve::run(&args),
        #[cfg(feature = "serve")]
        Verb::Site(args) => site::run(&args),
        Verb::Completions(args) => completions::run(&args),
        Verb::Man(args) => man::run(&args),
    };
    result
        .unwrap_or_else(|error| {
            eprintln!("{error}");
            Verdict::Error
        })
        .into()
}

/// Prints nothing about panics that become an error message.
#[cfg(feature = "parquet")]
fn hide_expected_panics() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !ninefold_formats::parquet::panics_are_errors() {
            hook(panic);
        }
    }));
}
