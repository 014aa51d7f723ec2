//! `ninefold executor`: a process of a cluster that runs tasks.

use crate::error::CliError;
use crate::stream;
use crate::verdict::Verdict;
use ninefold_batch::{Executor, Node};

/// Run an executor of a cluster
///
/// An executor runs the tasks of its scheduler. It waits up to 20 seconds for the scheduler. Other
/// executors and clients fetch results from its address. If it stops, the scheduler reassigns its
/// tasks.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address of the scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    scheduler: String,

    /// Address to listen on; the ports are chosen automatically
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,

    /// Host name under which other processes reach this executor [default: the address of --bind]
    #[arg(long, value_name = "HOST")]
    external_host: Option<String>,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory limit for sorting, grouping and joining; larger data is written to disk
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = ninefold_batch::memory_size)]
    memory: u64,

    /// Directory for results until they are fetched [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    work_dir: Option<String>,

    /// Interval in seconds between heartbeats; must be well below --executor-timeout of the
    /// scheduler
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,

    /// Print a log to stderr
    #[arg(long, short)]
    verbose: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    ninefold_batch::logging::to_stderr(args.verbose);
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    let executor = Executor {
        scheduler: args.scheduler.clone(),
        bind_host: args.bind.clone(),
        external_host: args.external_host.clone(),
        threads,
        work_dir: args.work_dir.clone(),
        memory: args.memory,
        heartbeat_seconds: args.heartbeat,
    };
    ninefold_batch::block_on(threads + 1, Node::default().executor(executor))?;
    Ok(Verdict::Yes)
}
