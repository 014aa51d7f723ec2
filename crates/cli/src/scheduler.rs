//! `ninefold scheduler`: the process of a cluster that plans and divides the work.

use crate::error::CliError;
use crate::stream;
use crate::verdict::Verdict;
use clap::Args;
use ninefold_batch::{Node, Scheduler};
use std::net::SocketAddr;

/// Run the scheduler of a cluster, which divides queries among executors
///
/// Clients and executors must reach its address. There is neither encryption nor a password: keep it inside a network whose
/// machines you trust. Apache Ballista does the work; all processes of a cluster must be the same version of ninefold.
#[derive(Args, Debug)]
#[command(after_help = "\
A cluster on one machine, and on several:
  ninefold scheduler
  ninefold executor --threads 2
  ninefold sql --cluster localhost:50050 \"select count(solve(puzzle)) from '/data/puzzles.parquet'\"

  host-a$ ninefold scheduler --bind 10.0.0.1:50050
  host-b$ ninefold executor --scheduler 10.0.0.1:50050 --bind 10.0.0.2")]
pub struct Options {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50050")]
    bind: SocketAddr,

    /// Give an executor up after so many seconds of silence, and its work to others
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..))]
    executor_timeout: u64,

    /// Print what happens to stderr
    #[arg(long, short)]
    verbose: bool,
}

/// Schedules until it is stopped.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    ninefold_batch::logging::to_stderr(options.verbose);
    eprintln!("starting the scheduler on {}", options.bind);
    let scheduler = Scheduler { bind: options.bind, silence_seconds: options.executor_timeout };
    ninefold_batch::block_on(stream::all_cores(), Node::default().scheduler(scheduler))?;
    Ok(Verdict::Yes)
}
