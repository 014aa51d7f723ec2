//! `ninefold executor`: a process of a cluster that works.

use crate::error::CliError;
use crate::stream;
use crate::verdict::Verdict;
use clap::Args;
use ninefold_batch::{Executor, Node};

/// Run an executor of a cluster, which works on what its scheduler sends
///
/// It waits up to 20 seconds for its scheduler. Other executors and clients fetch results from it, so they must reach its
/// address. If it dies, the scheduler gives its work to others.
#[derive(Args, Debug)]
pub struct Options {
    /// Where the scheduler listens
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    scheduler: String,

    /// The address to listen on, on any free ports
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,

    /// The name under which others reach it [default: the address]
    #[arg(long, value_name = "HOST")]
    external_host: Option<String>,

    /// Work on this many tasks at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Keep at most this much in memory for sorting, grouping and joining, and use the disk beyond it
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = ninefold_batch::memory_size)]
    memory: u64,

    /// Keep results that others will fetch in this folder [default: a new one, removed at the end]
    #[arg(long, value_name = "DIR")]
    work_dir: Option<String>,

    /// Say to the scheduler every so many seconds that it is alive; well below the scheduler's --executor-timeout
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    heartbeat: u64,

    /// Print what happens to stderr
    #[arg(long, short)]
    verbose: bool,
}

/// Works until it is stopped.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    ninefold_batch::logging::to_stderr(options.verbose);
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    let executor = Executor {
        scheduler: options.scheduler.clone(),
        bind_host: options.bind.clone(),
        external_host: options.external_host.clone(),
        threads,
        work_dir: options.work_dir.clone(),
        memory: options.memory,
        heartbeat_seconds: options.heartbeat,
    };
    ninefold_batch::block_on(threads + 1, Node::default().executor(executor))?;
    Ok(Verdict::Yes)
}
