//! A cluster: this is where scheduler, executors and clients learn our functions.
//!
//! Apache Ballista plans, ships, retries and gathers; nothing of that is ours. A plan names functions and does not carry them,
//! so each of the three roles is told about them in its own way.

use crate::codec::{LogicalCodec, PhysicalCodec};
use crate::error::BatchError;
use crate::node::{Node, tuned};
use crate::version::{self, SessionOptions};
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

/// How long an executor waits for its scheduler, so that both can be started together.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a query waits for an executor where there is none: long enough for those that were started together with the
/// scheduler, on a machine that is busy with other things.
const FIRST_EXECUTOR: Duration = Duration::from_secs(60);

/// The process that plans.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// Where it listens.
    pub bind: SocketAddr,
    /// An executor that has been silent for so long is given up, and its work goes to others. Ballista's three minutes
    /// would make a job wait for a process that is gone.
    pub silence_seconds: u64,
}

/// A process that works.
#[derive(Clone, Debug)]
pub struct Executor {
    /// Where its scheduler listens, as `host:port`.
    pub scheduler: String,
    /// The address it listens on.
    pub bind_host: String,
    /// The name under which other processes reach it; the address if it has no other.
    pub external_host: Option<String>,
    /// How many tasks it works on at once.
    pub threads: usize,
    /// Where it keeps results that others will fetch; a folder of its own that is removed at the end, if none is named.
    pub work_dir: Option<String>,
    /// Bytes that all its tasks together may keep in memory.
    pub memory: u64,
    /// How often it says that it lives; well below the scheduler's patience.
    pub heartbeat_seconds: u64,
}

impl Node {
    /// Runs a scheduler until it is told to stop.
    pub async fn scheduler(&self, options: Scheduler) -> Result<(), BatchError> {
        let node = *self;
        let bind = options.bind;
        can_listen(bind)?;
        let config = SchedulerConfig {
            bind_host: bind.ip().to_string(),
            bind_port: bind.port(),
            external_host: bind.ip().to_string(),
            executor_timeout_seconds: options.silence_seconds,
            expire_dead_executor_interval_seconds: (options.silence_seconds / 4).max(1),
            no_executors_grace_period_seconds: options
                .silence_seconds
                .max(FIRST_EXECUTOR.as_secs()),
            override_config_producer: Some(Arc::new(session_config)),
            override_session_builder: Some(Arc::new(move |config| {
                if let Some(difference) =
                    version::difference(config.options(), node.version, "the scheduler")
                {
                    return plan_err!("{difference}");
                }
                node.register_in(default_session_builder(config)?)
            })),
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            ..SchedulerConfig::default()
        };
        let ended = async {
            let cluster = BallistaCluster::new_from_config(&config).await?;
            start_server(cluster, bind, Arc::new(config)).await
        };
        ended.await.map_err(|error| BatchError::new(format!("the scheduler has stopped: {error}")))
    }

    /// Runs an executor until it is told to stop.
    pub async fn executor(&self, options: Executor) -> Result<(), BatchError> {
        let (host, port) = host_and_port(&options.scheduler)?;
        wait_for_scheduler(&options.scheduler, PATIENCE)?;
        let state = self.register_in(default_session_builder(session_config())?)?;
        let own_folder = match &options.work_dir {
            Some(_) => None,
            None => Some(
                tempfile::tempdir()
                    .map_err(|error| BatchError::new(format!("no folder for results: {error}")))?,
            ),
        };
        let work_dir = options
            .work_dir
            .or(own_folder.as_ref().map(|folder| folder.path().to_string_lossy().into_owned()));
        let config = ExecutorProcessConfig {
            port: free_port(&options.bind_host)?,
            grpc_port: free_port(&options.bind_host)?,
            external_host: options.external_host.or(Some(options.bind_host.clone())),
            bind_host: options.bind_host,
            scheduler_host: host,
            scheduler_port: port,
            scheduler_connect_timeout_seconds: PATIENCE.as_secs() as u16,
            vcores: options.threads.max(1),
            work_dir,
            executor_heartbeat_interval_seconds: options.heartbeat_seconds,
            memory_pool_size: Some(options.memory),
            override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
            override_config_producer: Some(Arc::new(session_config)),
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            ..ExecutorProcessConfig::default()
        };
        let ended = start_executor_process(Arc::new(config)).await;
        ended.map_err(|error| BatchError::new(format!("the executor has stopped: {error}")))
    }

    /// A session whose queries run on a cluster. `parts` is how many tasks a query is divided into.
    pub async fn client(
        &self,
        scheduler: &str,
        parts: usize,
    ) -> Result<SessionContext, BatchError> {
        let (host, port) = host_and_port(scheduler)?;
        wait_for_scheduler(scheduler, Duration::ZERO)?;
        let options = SessionOptions { version: self.version.to_string() };
        let config = session_config()
            .with_option_extension(options)
            .with_target_partitions(parts.max(1))
            .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()));
        let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
        let context =
            SessionContext::remote_with_state(&format!("df://{host}:{port}"), state).await?;
        // Only now: what the state knew before was replaced by Ballista's own functions.
        self.register(&context);
        Ok(context)
    }
}

/// The settings with which every role begins.
fn session_config() -> SessionConfig {
    tuned(SessionConfig::new_with_ballista()).with_option_extension(SessionOptions::default())
}

fn host_and_port(address: &str) -> Result<(String, u16), BatchError> {
    let parsed = address
        .rsplit_once(':')
        .and_then(|(host, port)| Some((host.to_string(), port.parse().ok()?)));
    parsed.filter(|(host, _)| !host.is_empty()).ok_or_else(|| {
        BatchError::new(format!("{address} is not the address of a scheduler"))
            .hint("write host:port, as in localhost:50050")
    })
}

/// Is anybody there? The engine would only say so in the middle of a query.
fn wait_for_scheduler(address: &str, patience: Duration) -> Result<(), BatchError> {
    let nobody = |reason: String| {
        BatchError::new(format!("no scheduler answers at {address}: {reason}"))
            .hint("start one with `ninefold scheduler`, and name its host and port")
    };
    let begun = Instant::now();
    loop {
        let addresses: Vec<SocketAddr> =
            address.to_socket_addrs().map_err(|error| nobody(error.to_string()))?.collect();
        let mut reason = "the name has no address".to_string();
        for address in addresses {
            match TcpStream::connect_timeout(&address, Duration::from_secs(5)) {
                Ok(_) => return Ok(()),
                Err(error) => reason = error.to_string(),
            }
        }
        if begun.elapsed() >= patience {
            return Err(nobody(reason));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn can_listen(address: SocketAddr) -> Result<(), BatchError> {
    let cannot = |error| BatchError::new(format!("{address} cannot be used: {error}"));
    TcpListener::bind(address)
        .map(drop)
        .map_err(|error| cannot(error).hint("choose another with --bind host:port"))
}

/// A port that nobody uses at this moment.
fn free_port(host: &str) -> Result<u16, BatchError> {
    let listening = TcpListener::bind((host, 0)).and_then(|listener| listener.local_addr());
    listening.map(|address| address.port()).map_err(|error| {
        BatchError::new(format!("{host} cannot be used: {error}"))
            .hint("choose an address of this machine")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_at_an_address_is_told_with_a_way_on() {
        let port = free_port("127.0.0.1").unwrap();
        let error = wait_for_scheduler(&format!("127.0.0.1:{port}"), Duration::ZERO).unwrap_err();
        assert!(
            error.message.starts_with(&format!("no scheduler answers at 127.0.0.1:{port}: ")),
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
    fn an_address_in_use_is_told() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(
            can_listen(taken.local_addr().unwrap()).unwrap_err().message.contains("cannot be used")
        );
    }
}
