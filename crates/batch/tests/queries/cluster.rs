//! A scheduler, executors and a client on loopback: the same results as in one process.

use arrow::array::{ArrayRef, StringArray};
use ninefold_batch::functions::{self, Argument, Function, Kind, Rows};
use ninefold_batch::{BatchError, Executor, Format, Node, Resources, Scheduler};
use std::net::TcpListener;
use std::sync::Arc;
use tokio::task::JoinHandle;

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A scheduler and executors in this process, which end with the runtime.
struct Cluster {
    address: String,
    running: Vec<JoinHandle<Result<(), BatchError>>>,
}

impl Cluster {
    async fn start(scheduler: Node, executors: &[Node]) -> Cluster {
        let mut cluster = Cluster::with_scheduler(scheduler).await;
        for &executor in executors {
            let options = Executor {
                scheduler: cluster.address.clone(),
                bind_host: "127.0.0.1".to_string(),
                external_host: None,
                threads: 1,
                work_dir: None,
                memory: 64 << 20,
                heartbeat_seconds: 1,
            };
            cluster.running.push(tokio::spawn(async move { executor.executor(options).await }));
        }
        cluster
    }

    /// Starts a scheduler and waits until it listens. Clients do not wait, so that a wrong address
    /// is an immediate error.
    async fn with_scheduler(scheduler: Node) -> Cluster {
        loop {
            let address = format!("127.0.0.1:{}", free_port());
            let options = Scheduler {
                bind: address.parse().unwrap(),
                external_host: None,
                executor_timeout_seconds: 60,
            };
            let mut running = tokio::spawn(async move { scheduler.scheduler(options).await });
            while std::net::TcpStream::connect(&address).is_err() && !running.is_finished() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            if !running.is_finished() {
                return Cluster { address, running: vec![running] };
            }
            // Another program may have taken the port in the meantime. Every other error is a
            // failure.
            let result = (&mut running).await.unwrap();
            assert!(
                result.as_ref().is_err_and(|error| error.message.contains("cannot listen on")),
                "{result:?}"
            );
        }
    }

    async fn query(&self, client: Node, query: &str) -> Result<Vec<String>, BatchError> {
        let session = client.client(&self.address, 6).await?;
        sorted(&session, query).await
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.running.iter().for_each(JoinHandle::abort);
    }
}

async fn sorted(
    session: &datafusion::prelude::SessionContext,
    query: &str,
) -> Result<Vec<String>, BatchError> {
    let mut written = Vec::new();
    ninefold_batch::run(session, query, Format::Csv, &mut written, &mut |_| ()).await?;
    let mut lines: Vec<String> =
        String::from_utf8(written).unwrap().lines().skip(1).map(str::to_string).collect();
    lines.sort();
    Ok(lines)
}

async fn in_one_process(node: Node, query: &str) -> Vec<String> {
    let session = node.local(Resources { threads: 2, memory: 64 << 20 }).unwrap();
    sorted(&session, query).await.unwrap()
}

#[test]
fn cluster_results_match_one_process() {
    let directory = tempfile::tempdir().unwrap();
    let name = directory.path().to_string_lossy().into_owned();
    ninefold_batch::block_on(4, async {
        let node = Node::default();
        let puzzles = in_one_process(node, "select puzzle from generate(5, 2000, '')").await;
        let lines: Vec<String> =
            puzzles.iter().enumerate().map(|(id, puzzle)| format!("{id},{puzzle}\n")).collect();
        for (file, half) in lines.chunks(1000).enumerate() {
            std::fs::write(
                directory.path().join(format!("{file}.csv")),
                format!("id,puzzle\n{}", half.concat()),
            )
            .unwrap();
        }
        let cluster = Cluster::start(node, &[node, node, node]).await;
        for query in [
            format!("select id, solve(puzzle), is_minimal(puzzle), rate('dupree', puzzle) from '{name}/*.csv'"),
            format!("select clues(puzzle) n, count(*), max(solve(puzzle)) from '{name}/*.csv' group by n order by n"),
            "select number, puzzle, solve(puzzle) = solution from generate(9, 500, 'clues 26-30')".to_string(),
            "select why('rubbish') as reason, solutions(puzzle, 2) from generate(9, 3, '')".to_string(),
            "select number, predict('kaleidoscope', puzzle), why_unpredicted('kaleidoscope', 'x') from generate(9, 4, 'clues 36')"
                .to_string(),
        ] {
            let local = in_one_process(node, &query).await;
            let remote = cluster.query(node, &query).await.unwrap_or_else(|error| panic!("{query}: {error}"));
            assert_eq!(remote, local, "{query}");
        }
    });
}

/// Reverses the puzzle.
fn backwards(rows: &Rows<'_>) -> ArrayRef {
    let reversed = rows
        .text(0)
        .iter()
        .map(|puzzle| puzzle.map(|puzzle| puzzle.chars().rev().collect::<String>()));
    Arc::new(reversed.collect::<StringArray>())
}

/// A build with an additional function.
fn extended() -> Node {
    let added = Function {
        name: "backwards",
        arguments: &[Argument { name: "puzzle", kind: Kind::Text, choices: &[] }],
        result: Kind::Text,
        help: "the reversed puzzle",
        body: backwards,
    };
    let functions: Vec<Function> = functions::ALL.iter().copied().chain([added]).collect();
    Node { functions: functions.leak(), ..Node::default() }
}

#[test]
fn added_functions_are_available_in_all_processes() {
    let node = extended();
    assert!(
        node.help().contains("backwards(puzzle)")
            && node.help().contains(node.functions.last().unwrap().help)
    );
    ninefold_batch::block_on(4, async {
        let query = "select number, backwards(backwards(puzzle)) = puzzle, backwards(solution) from generate(3, 40, '')";
        let local = in_one_process(node, query).await;
        assert!(local.len() == 40 && local.iter().all(|line| line.contains(",true,")), "{local:?}");
        let cluster = Cluster::start(node, &[node]).await;
        assert_eq!(cluster.query(node, query).await.unwrap(), local);
    });
}

#[test]
fn different_versions_are_an_error() {
    let (ours, older) = (Node::default(), Node { version: "0.0.1", ..Node::default() });
    let query = "select solve(puzzle) from generate(3, 40, '')";
    let version = ours.version;
    ninefold_batch::block_on(4, async {
        let scheduler_differs = Cluster::start(older, &[ours]).await;
        let error = scheduler_differs.query(ours, query).await.unwrap_err();
        let message = format!(
            "versions differ: the client is ninefold {version} and the scheduler is ninefold 0.0.1"
        );
        assert_eq!((error.message, error.hint.is_some()), (message, true));
        let executor_differs = Cluster::start(ours, &[older]).await;
        let error = executor_differs.query(ours, query).await.unwrap_err();
        let message = format!(
            "versions differ: the client is ninefold {version} and an executor is ninefold 0.0.1"
        );
        assert_eq!((error.message, error.hint.is_some()), (message, true));
    });
}
