//! The ninefold command: this table of contents, and one file for each verb.
#![forbid(unsafe_code)]

mod arguments;
mod batch;
mod bench;
mod check;
mod completions;
mod console;
mod convert;
mod dataset;
mod engine;
mod error;
#[cfg(feature = "networks")]
mod evaluate;
#[cfg(feature = "sql")]
mod executor;
mod explain;
mod generate;
mod hint;
mod input;
#[cfg(feature = "networks")]
mod lab;
mod list_args;
mod man;
#[cfg(feature = "networks")]
mod models;
mod output;
mod paint;
mod position;
mod provenance;
mod rate;
#[cfg(feature = "sql")]
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
mod verdict;
mod words;

use arguments::Verb;
use std::process::ExitCode;
use verdict::Verdict;

fn main() -> ExitCode {
    if let Err(error) = engine::check_environment() {
        eprintln!("{error}");
        return Verdict::Trouble.into();
    }
    let verb = match arguments::parse() {
        Ok(verb) => verb,
        Err(verdict) => return verdict.into(),
    };
    let answer = match verb {
        Verb::Solve(options) => solve::run(&options),
        Verb::Check(options) => check::run(&options),
        Verb::Explain(options) => explain::run(&options),
        Verb::Hint(options) => hint::run(&options),
        Verb::Bench(options) => bench::run(&options),
        #[cfg(feature = "networks")]
        Verb::Models(options) => models::run(&options),
        #[cfg(feature = "networks")]
        Verb::Train(options) => train::run(&options),
        #[cfg(feature = "networks")]
        Verb::Evaluate(options) => evaluate::run(&options),
        Verb::Convert(options) => convert::run(&options),
        Verb::Rate(options) => rate::run(&options),
        Verb::Generate(options) => generate::run(&options),
        Verb::Stats(options) => stats::run(&options),
        Verb::Dataset(options) => dataset::run(&options),
        Verb::Batch(options) => batch::run(&options),
        #[cfg(feature = "sql")]
        Verb::Sql(options) => sql::run(&options),
        #[cfg(feature = "sql")]
        Verb::Scheduler(options) => scheduler::run(&options),
        #[cfg(feature = "sql")]
        Verb::Executor(options) => executor::run(&options),
        #[cfg(feature = "networks")]
        Verb::Lab(options) => lab::run(&options),
        #[cfg(feature = "serve")]
        Verb::Serve(options) => serve::run(&options),
        #[cfg(feature = "serve")]
        Verb::Site(options) => site::run(&options),
        Verb::Completions(options) => completions::run(&options),
        Verb::Man(options) => man::run(&options),
    };
    answer
        .unwrap_or_else(|error| {
            eprintln!("{error}");
            Verdict::Trouble
        })
        .into()
}
