//! The ninefold command: this table of contents, and one file for each verb.
#![forbid(unsafe_code)]

mod arguments;
mod bench;
mod check;
mod completions;
mod input;
mod man;
mod manner;
mod paint;
mod serve;
mod solve;
mod stream;
mod talk;
mod trouble;
mod verdict;
mod words;

use arguments::Verb;
use std::process::ExitCode;
use verdict::Verdict;

fn main() -> ExitCode {
    let verb = match arguments::parse() {
        Ok(verb) => verb,
        Err(verdict) => return verdict.into(),
    };
    let answer = match verb {
        Verb::Solve(options) => solve::run(&options),
        Verb::Check(options) => check::run(&options),
        Verb::Bench(options) => bench::run(&options),
        Verb::Serve(options) => serve::run(&options),
        Verb::Completions(options) => completions::run(&options),
        Verb::Man(options) => man::run(&options),
    };
    answer
        .unwrap_or_else(|trouble| {
            eprintln!("{trouble}");
            Verdict::Trouble
        })
        .into()
}
