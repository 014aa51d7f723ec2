//! `ninefold sql`, `scheduler` and `executor`: a cluster returns the same rows, even if an executor
//! is killed.

#[cfg(feature = "cluster")]
mod compose;
#[cfg(feature = "remote")]
mod object_store;

use std::fs;
#[cfg(feature = "cluster")]
use std::net::TcpListener;
use std::path::Path;
#[cfg(feature = "cluster")]
use std::process::Child;
use std::process::{Command, Stdio};
#[cfg(feature = "cluster")]
use std::time::Duration;

fn ninefold(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = ninefold(arguments).output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// A process that is stopped at the end of the test.
#[cfg(feature = "cluster")]
struct Running(Child);

#[cfg(feature = "cluster")]
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a scheduler with a short timeout, and executors.
#[cfg(feature = "cluster")]
fn cluster(executors: usize) -> (String, Vec<Running>) {
    let start =
        |arguments: &[&str]| Running(ninefold(arguments).stderr(Stdio::null()).spawn().unwrap());
    let (address, scheduler) = loop {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        let mut scheduler = start(&["scheduler", "--bind", &address, "--executor-timeout", "10"]);
        let mut ended = || scheduler.0.try_wait().unwrap();
        while std::net::TcpStream::connect(&address).is_err() && ended().is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        match ended() {
            None => break (address, scheduler),
            // Another program may have used the port.
            Some(status) => assert_eq!(status.code(), Some(2)),
        }
    };
    let mut running = vec![scheduler];
    for _ in 0..executors {
        running.push(start(&[
            "executor",
            "--scheduler",
            &address,
            "--threads",
            "1",
            "--heartbeat",
            "1",
        ]));
    }
    (address, running)
}

/// Writes this many puzzles to several files.
#[cfg(feature = "cluster")]
fn list(folder: &Path, count: u64) -> String {
    for file in 0..4 {
        let query = format!("select number, puzzle from generate({file}, {}, '')", count / 4);
        let path = folder.join(format!("{file}.csv")).to_string_lossy().into_owned();
        assert_eq!(run(&["sql", &query, "-o", &path]).2, Some(0));
    }
    format!("{}/*.csv", folder.display())
}

#[cfg(feature = "cluster")]
#[test]
fn a_cluster_without_executors_is_an_error() {
    let (address, _running) = cluster(0);
    let query = "select count(puzzle) from generate(1, 100, '')";
    let (out, said, code) = run(&["sql", "--cluster", &address, query]);
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert_eq!(said.matches("error").count(), 1, "{said}");
    assert!(said.contains("executor"), "{said}");
}

#[cfg(feature = "cluster")]
#[test]
fn the_status_of_a_cluster_lists_executors_and_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let files = list(folder.path(), 40);
    let (address, _running) = cluster(2);
    let query = format!("select count(solve(puzzle)) from '{files}'");
    assert_eq!(run(&["sql", "--cluster", &address, &query]).2, Some(0));
    // The second executor may need longer to start.
    let status = loop {
        let (status, said, code) = run(&["cluster", &address, "--json"]);
        assert_eq!((said.as_str(), code), ("", Some(0)));
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        if status["executors"].as_array().unwrap().len() == 2 {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status["executors"].as_array().unwrap().iter().all(|one| one["threads"] == 1));
    let [job] = &status["jobs"].as_array().unwrap()[..] else { panic!("{status}") };
    assert_eq!(job["status"], "Completed");
    let stages = job["stages"].as_array().unwrap();
    assert!(!stages.is_empty(), "{status}");
    assert!(stages.iter().all(|stage| stage["tasks"] == stage["tasks_done"]), "{status}");
    let (printed, _, _) = run(&["cluster", &address]);
    assert!(printed.starts_with("2 executors\n") && printed.contains("\n1 job\n"), "{printed}");
    assert!(printed.contains(" stage 1  successful, "), "{printed}");
    let (_, said, code) = run(&["cluster", "127.0.0.1:1"]);
    assert!(said.starts_with("error: cannot connect to a scheduler at 127.0.0.1:1: "), "{said}");
    assert_eq!(code, Some(2));
}

#[test]
fn output_files_have_a_known_extension_and_all_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let query = "select number from generate(1, 300, '')";
    for name in ["y.txt", "y", "y.CSVX"] {
        let (_, said, code) = run(&["sql", query, "-o", &path(name)]);
        assert!(said.contains("the extension names no format of tables"), "{said}");
        assert!(said.contains(".csv, .json, .jsonl, .parquet or .arrows"), "{said}");
        assert_eq!((code, Path::new(&path(name)).exists()), (Some(2), false));
    }
    let lines = |file: &str| fs::read_to_string(path(file)).unwrap().lines().count();
    for (arguments, file, count) in [
        (&["sql", query, "-o"][..], "y.csv", 301),
        (&["sql", query, "-o"][..], "y.jsonl", 300),
        (&["sql", query, "--format", "table", "-o"][..], "y.txt", 304),
    ] {
        let out = path(file);
        let arguments: Vec<&str> = arguments.iter().copied().chain([out.as_str()]).collect();
        assert_eq!(run(&arguments).2, Some(0));
        assert_eq!(lines(file), count, "{file}");
    }
    let (printed, _, code) = run(&["sql", query]);
    assert_eq!((printed.lines().count(), code), (304, Some(0)), "a pipe gets all rows");
}

#[test]
fn the_first_query_after_convert_works() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["puzzles.csv", "puzzles.tsv", "puzzles.parquet"] {
        let path = folder.path().join(name).to_string_lossy().into_owned();
        let format = name.rsplit_once('.').unwrap().1;
        let puzzle = "1..4..1..3..4..3";
        let made = run(&["convert", puzzle, "--solve", "--to", format, "-o", &path]);
        assert_eq!(made.2, Some(0), "{}", made.1);
        let query = format!("select puzzle, solve(puzzle) = solution as same from '{path}'");
        let (rows, said, code) = run(&["sql", "--format", "csv", &query]);
        assert_eq!((said.as_str(), code), ("", Some(0)));
        assert!(rows.ends_with(",true\n"), "{rows}");
    }
}

#[cfg(feature = "cluster")]
#[test]
fn killed_executors_do_not_change_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let files = list(folder.path(), 800);
    let query = format!(
        "select number, puzzle, rate('se', puzzle), solve(puzzle) from '{files}' order by puzzle"
    );
    let (here, _, code) = run(&["sql", "--format", "csv", &query]);
    assert_eq!((code, here.lines().count()), (Some(0), 801));
    let (address, mut running) = cluster(3);
    let asked = ["sql", "--cluster", &address, "--partitions", "12", "--format", "csv", &query];
    let (there, said, code) = run(&asked);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(there == here, "the rows differ");
    let again = ninefold(&asked).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    running[1].0.kill().unwrap();
    let output = again.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout == here.as_bytes(), "the rows differ after a kill");
}

#[test]
fn help_matches_the_committed_files() {
    let verbs: &[&str] = if cfg!(feature = "cluster") {
        &["sql", "scheduler", "executor", "cluster"]
    } else {
        &["sql"]
    };
    for verb in verbs {
        let (help, _, code) = run(&[*verb, "--help"]);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/help/{verb}.txt"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, &help).unwrap();
        }
        assert_eq!(
            (help, code),
            (fs::read_to_string(&file).unwrap_or_default(), Some(0)),
            "{verb}"
        );
    }
}

#[test]
fn help_lists_functions_and_errors_have_hints() {
    // The help text is wrapped to the width of a terminal.
    let on_one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = on_one_line(run(&["sql", "--help"]).0);
    let (functions, _, code) = run(&["sql", "--functions"]);
    assert_eq!(code, Some(0));
    for function in ninefold_batch::functions::ALL {
        assert!(
            help.contains(function.help) && functions.contains(function.help),
            "{}",
            function.name
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rows.csv").to_string_lossy().into_owned();
    for (arguments, words) in [
        (&["sql", "select 1 from 'absent.csv'"][..], "error: file not found: absent.csv\n\nhint: "),
        (&["sql", "select rate('see', 'x')"], "error: unknown scale 'see', expected one of effort"),
        #[cfg(feature = "cluster")]
        (
            &["sql", "--cluster", "127.0.0.1:1", "select 1"],
            "error: cannot connect to a scheduler at 127.0.0.1:1: ",
        ),
        #[cfg(feature = "cluster")]
        (
            &["sql", "--cluster", "nowhere", "select 1"],
            "error: invalid scheduler address \"nowhere\"\n\nhint: expected host:port",
        ),
        #[cfg(not(feature = "cluster"))]
        (&["sql", "--cluster", "a:1", "select 1"], "build with --features cluster"),
        (
            &["sql", "select * from puzzles.csv"],
            "error: unknown table puzzles.csv\n\nhint: names of files are in single quotes",
        ),
        (
            &[
                "sql",
                "select repeat(solution, 100) from generate(1, 5000, '')",
                "-o",
                "/dev/full",
                "--format",
                "csv",
            ],
            "No space left",
        ),
        (&["sql", "selec 1", "-o", &out], "selec"),
    ] {
        let (_, said, code) = run(arguments);
        assert!(said.contains(words) && code == Some(2), "{arguments:?}: {said}");
    }
    assert!(
        !Path::new(&out).exists() && fs::read_dir(folder.path()).unwrap().count() == 0,
        "no temporary file remains"
    );
}

#[test]
fn closed_pipe_is_not_an_error() {
    let mut child =
        ninefold(&["sql", "--format", "csv", "select * from generate(1, 20000, 'kaggle')"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.len()),
        (Some(0), 0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
