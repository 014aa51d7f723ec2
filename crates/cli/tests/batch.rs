//! `ninefold batch`: parts, interruption by SIGKILL, and unusable files and directories.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn ninefold(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(arguments.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &str) -> (String, Option<i32>) {
    let Output { stderr, status, .. } =
        ninefold(folder, arguments).output().expect("the command starts");
    (String::from_utf8(stderr).unwrap(), status.code())
}

/// The visible files in a directory.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let seen = paths.filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    seen.map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap())).collect()
}

fn parts_in(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, |entries| {
        entries
            .filter(|entry| {
                entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("part-")
            })
            .count()
    })
}

/// Kills the process after its next part. Returns false if it finished before.
fn kill_in_the_middle(mut child: Child, folder: &Path, moment: u64) -> bool {
    let before = parts_in(folder);
    while parts_in(folder) <= before {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    std::thread::sleep(Duration::from_micros(moment));
    child.kill().expect("a child can be killed");
    !child.wait().unwrap().success()
}

#[test]
fn killed_runs_resume_with_identical_output() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let made = ninefold(here, "generate --count 5000 --seed 3 --quiet").output().unwrap();
    let mut list = String::from_utf8(made.stdout).unwrap();
    list.insert_str(82 * 700, "not a puzzle\n");
    fs::write(here.join("list.txt"), list).unwrap();
    for task in ["rate --scale dupree,hodoku list.txt", "generate --count 5000 --seed 4"] {
        let whole = format!("batch {task} whole --rows-per-part 40 --quiet");
        // One row of the list has no result.
        let expected = Some(if task.starts_with("rate") { 1 } else { 0 });
        assert_eq!(run(here, &whole).1, expected, "{task}");
        let again = format!("batch {task} again --rows-per-part 40 --quiet");
        let mut random = ninefold::random::Random::new(11);
        let mut kills = 0;
        while kills < 10 {
            let child = ninefold(here, &again).stderr(Stdio::null()).spawn().unwrap();
            assert!(
                kill_in_the_middle(child, &here.join("again"), random.below(3_000) as u64),
                "finished after {kills} kills"
            );
            kills += 1;
        }
        assert_eq!(run(here, &again).1, expected, "rows of earlier runs are counted: {task}");
        assert_eq!(contents(&here.join("again")), contents(&here.join("whole")), "{task}");
        let (said, code) = run(here, &again.replace(" --quiet", ""));
        assert_eq!(
            (said.as_str(), code),
            ("again is already complete; use --restart to start again\n", expected)
        );
        fs::remove_dir_all(here.join("whole")).unwrap();
        fs::remove_dir_all(here.join("again")).unwrap();
    }
}

#[test]
fn every_puzzle_has_a_row_with_a_result_or_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let proper =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let open = ".".repeat(81);
    fs::write(here.join("list.txt"), format!("{proper}\nrubbish\n{open}\n1..4..1..3..4..3\n"))
        .unwrap();
    let (said, code) = run(here, "batch solve list.txt out --rows-per-part 3");
    assert_eq!((said.as_str(), code), ("out: 4 rows in 2 parts\n", Some(1)));
    let first = fs::read_to_string(here.join("out/part-000000.csv")).unwrap();
    let lines: Vec<&str> = first.lines().collect();
    let solution =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    assert_eq!(lines[..2], ["puzzle,solution,why", &format!("{proper},{solution},")]);
    assert!(lines[2].starts_with(",,") && lines[2].contains("list.txt, line 2"), "{}", lines[2]);
    assert_eq!(lines[3], format!("{open},,there is more than one solution"));
    let second = fs::read_to_string(here.join("out/part-000001.csv")).unwrap();
    assert_eq!(second, "puzzle,solution,why\n1..4..1..3..4..3,1234341223414123,\n");
    run(here, "batch explain list.txt told");
    let told = fs::read_to_string(here.join("told/part-000000.jsonl")).unwrap();
    let ends: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (ends.len(), &ends[0]["end"], ends[1]["error"].is_string()),
        (4, &"solved".into(), true)
    );
}

#[test]
fn errors_have_a_location_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("list.txt"), "1..4..1..3..4..3\n".repeat(9)).unwrap();
    fs::write(here.join("empty.txt"), "").unwrap();
    fs::write(here.join("short.gz"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 51]).unwrap();
    fs::write(here.join("file"), "").unwrap();
    let check = |arguments: &str, words: &str| {
        let (said, code) = run(here, arguments);
        assert!(
            said.contains(words) && said.contains("error: ") && code == Some(2),
            "{arguments}: {said}"
        );
    };
    check("batch solve absent.txt out", "cannot read absent.txt");
    check("batch solve - out", "standard input is not supported");
    check("batch solve /dev/null out", "/dev/null is not a file");
    check("batch solve . out", ". is a directory");
    check("batch solve empty.txt none", "there is no puzzle in the input");
    check("batch solve short.gz cut", "short.gz");
    check("batch solve list.txt file", "cannot write file");
    check("batch solve list.txt /dev/full/out", "cannot write /dev/full/out");
    assert_eq!(run(here, "batch solve list.txt out --rows-per-part 4").1, Some(0));
    check(
        "batch solve list.txt out --rows-per-part 5",
        "out belongs to another run: rows_per_part was 4 and is now 5",
    );
    check(
        "batch explain list.txt out --rows-per-part 4",
        "out belongs to another run: task was \"solve\" and is now \"explain\"",
    );
    assert_eq!(run(here, "batch solve list.txt out --rows-per-part 5 --restart").1, Some(0));
    assert_eq!(parts_in(&here.join("out")), 2);
}
