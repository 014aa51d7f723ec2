//! `ninefold cluster`: prints the executors and the jobs of a cluster.

use crate::console::outln;
use crate::error::CliError;
use crate::humanize;
use crate::verdict::Verdict;
use ninefold_batch::{ClusterStatus, cluster_status};
use std::time::{Duration, SystemTime};

/// Print the executors and the jobs of a cluster
///
/// The output lists the executors that are alive, and the jobs that wait, run or have ended
/// recently, with the tasks of each stage.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Address of the scheduler
    #[arg(value_name = "HOST:PORT", default_value = "localhost:50050")]
    scheduler: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let status = cluster_status(&args.scheduler)?;
    if args.json {
        outln!("{}", serde_json::to_string(&status).expect("a status can be written as JSON"));
    } else {
        print(&status);
    }
    Ok(Verdict::Yes)
}

fn print(status: &ClusterStatus) {
    outln!("{}", humanize::count(status.executors.len() as u64, "executor", "executors"));
    for executor in &status.executors {
        let threads = humanize::count(executor.threads, "thread", "threads");
        let seen = executor.last_seen.map_or(String::new(), |time| {
            format!(", last heartbeat {} s ago", since(time).as_secs())
        });
        outln!("  {}  {threads}{seen}", executor.address);
    }
    outln!("{}", humanize::count(status.jobs.len() as u64, "job", "jobs"));
    for job in &status.jobs {
        let time = match job.end_time {
            0 => since(job.start_time),
            end => Duration::from_millis(end.saturating_sub(job.start_time)),
        };
        outln!("  {}  {}, {} s", job.id, job.status.to_lowercase(), time.as_secs());
        for stage in &job.stages {
            let (status, done, tasks) =
                (stage.status.to_lowercase(), stage.tasks_done, stage.tasks);
            let rows = humanize::count(stage.output_rows, "row", "rows");
            outln!("    stage {}  {status}, {done} of {tasks} tasks, {rows}", stage.id);
        }
    }
}

/// The time since a time in milliseconds since 1970.
fn since(milliseconds: u64) -> Duration {
    let then = SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
    SystemTime::now().duration_since(then).unwrap_or_default()
}
