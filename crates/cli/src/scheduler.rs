//! `ninefold scheduler`: the process of a cluster that plans queries and distributes tasks.

use crate::error::CliError;
use crate::stream;
use crate::verdict::Verdict;
use ninefold_batch::{Node, Scheduler};
use std::net::SocketAddr;

/// Run the scheduler of a cluster
///
/// Clients and executors connect to its address. There is no encryption and no authentication, so
/// use it only in a trusted network. The cluster is based on Apache Ballista. All processes must
/// have the same version of ninefold.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
On one machine:
  ninefold scheduler
  ninefold executor --threads 2
  ninefold cluster
  ninefold sql --cluster localhost:50050 \"select count(solve(puzzle)) from '/data/puzzles.parquet'\"

On several machines:
  host-a$ ninefold scheduler --bind 10.0.0.1:50050
  host-b$ ninefold executor --scheduler 10.0.0.1:50050 --bind 10.0.0.2")]
pub struct Args {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50050")]
    bind: SocketAddr,

    /// Host name under which executors reach this scheduler [default: the address of --bind]
    #[arg(long, value_name = "HOST")]
    external_host: Option<String>,

    /// Reassign the tasks of an executor after this many seconds without a heartbeat
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..))]
    executor_timeout: u64,

    /// Print a log to stderr
    #[arg(long, short)]
    verbose: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    ninefold_batch::logging::to_stderr(args.verbose);
    eprintln!("starting the scheduler on {}", args.bind);
    let scheduler = Scheduler {
        bind: args.bind,
        external_host: args.external_host.clone(),
        executor_timeout_seconds: args.executor_timeout,
    };
    ninefold_batch::block_on(stream::all_cores(), Node::default().scheduler(scheduler))?;
    Ok(Verdict::Yes)
}
