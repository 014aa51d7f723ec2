//! Runs the processes of a cluster: one scheduler, which plans queries; executors, which run their
//! tasks; and clients, which submit queries.
//!
//! Apache Ballista plans queries, distributes their tasks, retries failed ones and collects the
//! results. A query plan contains functions only by name, so this module registers Ninefold's SQL
//! functions in all three kinds of processes.

use crate::codec::{LogicalCodec, PhysicalCodec};
use crate::error::BatchError;
use crate::node::{Node, configure};
use crate::remote;
use crate::status;
use crate::version::{self, SessionOptions};
use crate::work_directory::WorkDirectory;
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::common::plan_err;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an executor waits for its scheduler, so that both can start at the same time.
const SCHEDULER_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a query waits while no executor is connected: long enough for executors that start at the
/// same time as the scheduler.
const NO_EXECUTOR_TIMEOUT: Duration = Duration::from_secs(10);

/// The options of a scheduler, the process that plans queries and assigns tasks to executors.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// The address to listen on.
    pub bind: SocketAddr,
    /// The host name that executors use to connect; the address of `bind` if `None`.
    pub external_host: Option<String>,
    /// The time without a heartbeat after which an executor counts as lost and its tasks are
    /// reassigned. Ballista's default of three minutes would delay jobs for too long.
    pub executor_timeout_seconds: u64,
}

/// The options of an executor, a process that runs tasks of queries.
#[derive(Clone, Debug)]
pub struct Executor {
    /// The address of the scheduler, as `host:port`.
    pub scheduler: String,
    /// The address to listen on.
    pub bind_host: String,
    /// The host name that other processes use to connect; `bind_host` if `None`.
    pub external_host: Option<String>,
    /// The number of concurrent tasks.
    pub threads: usize,
    /// The directory for intermediate results; a temporary directory if `None`.
    pub work_dir: Option<String>,
    /// The memory limit of all tasks together, in bytes.
    pub memory: u64,
    /// The heartbeat interval; must be well below the executor timeout of the scheduler.
    pub heartbeat_seconds: u64,
}

impl Node {
    /// Runs a scheduler until it is stopped.
    pub async fn scheduler(&self, options: Scheduler) -> Result<(), BatchError> {
        let node = *self;
        let bind = options.bind;
        check_port(bind)?;
        let config = SchedulerConfig {
            bind_host: bind.ip().to_string(),
            bind_port: bind.port(),
            external_host: options.external_host.unwrap_or_else(|| bind.ip().to_string()),
            executor_timeout_seconds: options.executor_timeout_seconds,
            expire_dead_executor_interval_seconds: (options.executor_timeout_seconds / 4).max(1),
            no_executors_grace_period_seconds: options.executor_timeout_seconds,
            override_config_producer: Some(Arc::new(session_config)),
            override_session_builder: Some(Arc::new(move |config| {
                if let Some(difference) =
                    version::difference(config.options(), node.version, "the scheduler")
                {
                    return plan_err!("{difference}");
                }
                let state = default_session_builder(config)?;
                let state = SessionStateBuilder::new_from_existing(state)
                    .with_runtime_env(remote::runtime().build_arc()?)
                    .build();
                node.register_in(state)
            })),
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            ..SchedulerConfig::default()
        };
        let result = async {
            let cluster = BallistaCluster::new_from_config(&config).await?;
            start_server(cluster, bind, Arc::new(config)).await
        };
        result.await.map_err(|error| BatchError::new(format!("the scheduler stopped: {error}")))
    }

    /// Runs an executor until it is stopped.
    pub async fn executor(&self, options: Executor) -> Result<(), BatchError> {
        let (host, port) = host_and_port(&options.scheduler)?;
        wait_for_scheduler(&options.scheduler, SCHEDULER_TIMEOUT)?;
        let state = self.register_in(default_session_builder(session_config())?)?;
        let temporary = match &options.work_dir {
            Some(_) => None,
            None => Some(WorkDirectory::create(&std::env::temp_dir()).map_err(|error| {
                BatchError::new(format!("cannot create a directory for results: {error}"))
            })?),
        };
        let work_dir = options.work_dir.or(temporary
            .as_ref()
            .map(|directory| directory.path().to_string_lossy().into_owned()));
        let temporary_files = work_dir.clone().expect("there is a directory");
        let config = ExecutorProcessConfig {
            port: free_port(&options.bind_host)?,
            grpc_port: free_port(&options.bind_host)?,
            external_host: options.external_host.or(Some(options.bind_host.clone())),
            bind_host: options.bind_host,
            scheduler_host: host,
            scheduler_port: port,
            scheduler_connect_timeout_seconds: SCHEDULER_TIMEOUT.as_secs() as u16,
            vcores: options.threads.max(1),
            work_dir,
            executor_heartbeat_interval_seconds: options.heartbeat_seconds,
            memory_pool_size: Some(options.memory),
            override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
            override_config_producer: Some(Arc::new(session_config)),
            override_runtime_producer: Some(Arc::new(move |_| {
                remote::runtime().with_temp_file_path(&temporary_files).build_arc()
            })),
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            ..ExecutorProcessConfig::default()
        };
        let result = start_executor_process(Arc::new(config)).await;
        result.map_err(|error| BatchError::new(format!("the executor stopped: {error}")))
    }

    /// A session whose queries run on a cluster, in `parts` parallel tasks.
    pub async fn client(
        &self,
        scheduler: &str,
        parts: usize,
    ) -> Result<SessionContext, BatchError> {
        let (host, port) = host_and_port(scheduler)?;
        wait_for_scheduler(scheduler, Duration::ZERO)?;
        wait_for_executors(scheduler, NO_EXECUTOR_TIMEOUT)?;
        let options = SessionOptions { version: self.version.to_string() };
        let config = session_config()
            .with_option_extension(options)
            .with_target_partitions(parts.max(1))
            .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()));
        let state = SessionStateBuilder::new()
            .with_config(config)
            .with_runtime_env(remote::runtime().build_arc()?)
            .with_default_features()
            .build();
        let context =
            SessionContext::remote_with_state(&format!("df://{host}:{port}"), state).await?;
        // Register last, because Ballista replaces previously registered functions.
        self.register(&context);
        Ok(context)
    }
}

/// The common configuration of all roles.
fn session_config() -> SessionConfig {
    configure(SessionConfig::new_with_ballista()).with_option_extension(SessionOptions::default())
}

pub(crate) fn host_and_port(address: &str) -> Result<(String, u16), BatchError> {
    let parsed = address
        .rsplit_once(':')
        .and_then(|(host, port)| Some((host.to_string(), port.parse().ok()?)));
    parsed.filter(|(host, _)| !host.is_empty()).ok_or_else(|| {
        BatchError::new(format!("invalid scheduler address {address:?}"))
            .hint("expected host:port, for example localhost:50050")
    })
}

/// Waits until a scheduler accepts connections. Without this check, a wrong address would only be
/// reported in the middle of a query.
pub(crate) fn wait_for_scheduler(address: &str, timeout: Duration) -> Result<(), BatchError> {
    let no_answer = |reason: String| {
        BatchError::new(format!("cannot connect to a scheduler at {address}: {reason}"))
            .hint("start one with `ninefold scheduler` and pass its host and port")
    };
    let start = Instant::now();
    loop {
        let addresses: Vec<SocketAddr> =
            address.to_socket_addrs().map_err(|error| no_answer(error.to_string()))?.collect();
        let mut reason = "the host name has no address".to_string();
        for address in addresses {
            match TcpStream::connect_timeout(&address, Duration::from_secs(5)) {
                Ok(_) => return Ok(()),
                Err(error) => reason = error.to_string(),
            }
        }
        if start.elapsed() >= timeout {
            return Err(no_answer(reason));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Waits until the scheduler has an executor. Without this check, a query without executors would
/// wait for ever, because Ballista has a time limit for lost executors only.
fn wait_for_executors(address: &str, timeout: Duration) -> Result<(), BatchError> {
    let start = Instant::now();
    // A scheduler that does not answer this request is left to the query.
    while status::is_ready(address).is_ok_and(|is_ready| !is_ready) {
        if start.elapsed() >= timeout {
            let message = format!("no executor is connected to the scheduler at {address}");
            return Err(BatchError::new(message)
                .hint(format!("start one with `ninefold executor --scheduler {address}`")));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

fn check_port(address: SocketAddr) -> Result<(), BatchError> {
    let cannot = |error| BatchError::new(format!("cannot listen on {address}: {error}"));
    TcpListener::bind(address)
        .map(drop)
        .map_err(|error| cannot(error).hint("choose another address with --bind host:port"))
}

/// A currently unused port.
fn free_port(host: &str) -> Result<u16, BatchError> {
    let address = TcpListener::bind((host, 0)).and_then(|listener| listener.local_addr());
    address.map(|address| address.port()).map_err(|error| {
        BatchError::new(format!("cannot listen on {host}: {error}"))
            .hint("choose an address of this machine")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_scheduler_is_an_error_with_a_hint() {
        let port = free_port("127.0.0.1").unwrap();
        let error = wait_for_scheduler(&format!("127.0.0.1:{port}"), Duration::ZERO).unwrap_err();
        assert!(
            error
                .message
                .starts_with(&format!("cannot connect to a scheduler at 127.0.0.1:{port}: ")),
            "{error}"
        );
        assert!(error.hint.unwrap().contains("ninefold scheduler"));
        assert!(
            host_and_port("localhost").is_err()
                && host_and_port(":50050").is_err()
                && host_and_port("a:b").is_err()
        );
        assert_eq!(host_and_port("::1:50050").unwrap(), ("::1".to_string(), 50050));
    }

    #[test]
    fn an_address_in_use_is_an_error() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(
            check_port(taken.local_addr().unwrap())
                .unwrap_err()
                .message
                .contains("cannot listen on")
        );
    }
}
