//! SQL queries over puzzles, on one machine or on a cluster.
//!
//! ```no_run
//! use ninefold_batch::{Format, Node, Resources};
//!
//! # async fn query() -> Result<(), ninefold_batch::BatchError> {
//! let session = Node::default().local(Resources { threads: 2, memory: 1 << 30 })?;
//! let query = "select solve(puzzle) from 'puzzles.csv' where clues(puzzle) < 25";
//! ninefold_batch::run(&session, query, Format::Csv, &mut std::io::stdout(), &mut |_| ()).await?;
//! # Ok(())
//! # }
//! ```
//! The query engine is DataFusion, which runs queries in this process; with the feature `cluster`,
//! Ballista runs them on a cluster. This crate adds the SQL functions (`functions/`), the table function `generate`
//! (`generate.rs`), and their registration in each process (`node.rs`, `cluster.rs`).
#![forbid(unsafe_code)]

#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod codec;
mod error;
pub mod functions;
mod generate;
mod generate_args;
pub mod logging;
mod node;
mod plain_csv;
mod query;
mod remote;
#[cfg(feature = "cluster")]
mod status;
mod tables;
mod udf;
mod version;
#[cfg(feature = "cluster")]
mod work_directory;

#[cfg(feature = "cluster")]
pub use cluster::{Executor, Scheduler};
pub use datafusion::prelude::SessionContext;
pub use error::BatchError;
pub use node::{Node, Resources, memory_size};
pub use query::{Format, run};
#[cfg(feature = "cluster")]
pub use status::{ClusterStatus, ExecutorStatus, JobStatus, StageStatus, cluster_status};

/// Runs a future to completion on `threads` threads.
///
/// # Panics
/// If threads cannot be started.
pub fn block_on<F: Future>(threads: usize, future: F) -> F::Output {
    // Plans and explanations are traversed recursively.
    const STACK: usize = 16 << 20;
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime =
        builder.worker_threads(threads.max(1)).thread_stack_size(STACK).enable_all().build();
    runtime.expect("threads can be started").block_on(future)
}
