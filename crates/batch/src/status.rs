//! The state of a cluster: its executors, jobs and stages, from the HTTP interface of the scheduler.

use crate::cluster::{host_and_port, wait_for_scheduler};
use crate::error::BatchError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{Error, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The executors and the jobs of a cluster.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterStatus {
    /// The executors that are alive.
    pub executors: Vec<ExecutorStatus>,
    /// Jobs that wait, run or have ended recently, oldest first.
    pub jobs: Vec<JobStatus>,
}

/// An executor.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutorStatus {
    /// The name that the scheduler uses.
    pub id: String,
    /// The host and the port.
    pub address: String,
    /// The number of tasks that it runs at the same time.
    pub threads: u64,
    /// The time of its last heartbeat, in milliseconds since 1970.
    pub last_seen: Option<u64>,
}

/// A job: one query.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JobStatus {
    /// The name that the scheduler uses.
    #[serde(rename(deserialize = "job_id"))]
    pub id: String,
    /// `Queued`, `Running`, `Completed` or `Failed`.
    pub status: String,
    /// The time of its start, in milliseconds since 1970.
    pub start_time: u64,
    /// The time of its end; 0 if it has not ended.
    pub end_time: u64,
    /// The stages, if the scheduler has planned them.
    #[serde(skip_deserializing)]
    pub stages: Vec<StageStatus>,
}

/// A stage of a job: tasks that run in parallel.
#[derive(Clone, Debug, Serialize)]
pub struct StageStatus {
    /// The number of the stage.
    pub id: String,
    /// Such as `Running` or `Successful`.
    pub status: String,
    /// The number of tasks that have ended successfully.
    pub tasks_done: usize,
    /// The number of tasks.
    pub tasks: usize,
    /// Rows written by all tasks.
    pub output_rows: u64,
}

/// The state of the cluster of a scheduler at `host:port`.
pub fn cluster_status(address: &str) -> Result<ClusterStatus, BatchError> {
    host_and_port(address)?;
    wait_for_scheduler(address, Duration::ZERO)?;
    let executors: Vec<ExecutorResponse> = get_json(address, "/api/executors")?;
    let mut jobs: Vec<JobStatus> = get_json(address, "/api/jobs")?;
    jobs.sort_by(|a, b| (a.start_time, &a.id).cmp(&(b.start_time, &b.id)));
    for job in &mut jobs {
        // A job that waits has no stages yet, and one that has just ended may have been forgotten.
        let path = format!("/api/job/{}/stages", job.id);
        if let Ok(StagesResponse { stages }) = get_json(address, &path) {
            job.stages = stages.into_iter().map(StageStatus::from).collect();
        }
    }
    let executors = executors.into_iter().map(ExecutorStatus::from).collect();
    Ok(ClusterStatus { executors, jobs })
}

#[derive(Deserialize)]
struct ExecutorResponse {
    id: String,
    host: String,
    port: u16,
    last_seen: Option<u64>,
    specification: serde_json::Value,
}

impl From<ExecutorResponse> for ExecutorStatus {
    fn from(executor: ExecutorResponse) -> ExecutorStatus {
        let threads = ["vcores", "task_slots"]
            .iter()
            .find_map(|name| executor.specification.get(name)?.as_u64());
        ExecutorStatus {
            id: executor.id,
            address: format!("{}:{}", executor.host, executor.port),
            threads: threads.unwrap_or_default(),
            last_seen: executor.last_seen,
        }
    }
}

#[derive(Deserialize)]
struct StagesResponse {
    stages: Vec<StageResponse>,
}

#[derive(Deserialize)]
struct StageResponse {
    stage_id: String,
    stage_status: String,
    output_rows: u64,
    tasks: Vec<Option<TaskResponse>>,
}

#[derive(Deserialize)]
struct TaskResponse {
    status: serde_json::Value,
}

impl From<StageResponse> for StageStatus {
    fn from(stage: StageResponse) -> StageStatus {
        let done = stage.tasks.iter().flatten().filter(|task| task.status == "Successful");
        StageStatus {
            tasks_done: done.count(),
            tasks: stage.tasks.len(),
            id: stage.stage_id,
            status: stage.stage_status,
            output_rows: stage.output_rows,
        }
    }
}

/// Whether a scheduler has executors: its answer to the probe `/readyz`.
pub(crate) fn is_ready(address: &str) -> std::io::Result<bool> {
    Ok(get(address, "/readyz")?.0 != 503)
}

fn get_json<T: DeserializeOwned>(address: &str, path: &str) -> Result<T, BatchError> {
    let failed = |reason: String| {
        BatchError::new(format!("unexpected answer of the scheduler at {address}: {reason}"))
            .hint("the scheduler must be `ninefold scheduler` of the same version")
    };
    let (status, body) = get(address, path).map_err(|error| failed(error.to_string()))?;
    if status != 200 {
        return Err(failed(format!("{path} returned status {status}")));
    }
    serde_json::from_slice(&body).map_err(|error| failed(format!("{path}: {error}")))
}

/// The status and the body of an HTTP response.
fn get(address: &str, path: &str) -> std::io::Result<(u16, Vec<u8>)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    // Version 1.0 has no chunks, and the connection ends with the body.
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    parse(&response).ok_or_else(|| Error::other("no HTTP response"))
}

fn parse(response: &[u8]) -> Option<(u16, Vec<u8>)> {
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = str::from_utf8(&response[..end]).ok()?;
    let status = head.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    Some((status, response[end + 4..].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_http_responses() {
        let found = parse(b"HTTP/1.0 503 Service Unavailable\r\na: b\r\n\r\nnot ready");
        assert_eq!(found, Some((503, b"not ready".to_vec())));
        assert!(parse(b"HTTP/1.1 200 OK\r\n").is_none() && parse(b"SSH-2.0\r\n\r\n").is_none());
    }
}
