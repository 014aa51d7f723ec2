//! Runs every recipe of `ninefold reproduce` with as little work as possible, each from an empty
//! directory, and checks how a recipe continues and fails.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

fn ninefold(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(arguments).current_dir(directory).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The names of all recipes.
fn names() -> Vec<String> {
    let output = ninefold(Path::new("."), &["reproduce", "--json"]);
    let lines = text(&output.stdout);
    let name = |line: &str| -> String {
        let value: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        value["name"].as_str().expect("a recipe has a name").to_string()
    };
    lines.lines().map(name).collect()
}

#[test]
fn every_recipe_runs_from_an_empty_directory() {
    let names = names();
    assert!(names.len() > 20, "{names:?}");
    let (next, failures) = (AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let directory = tempfile::tempdir().expect("a temporary directory");
            let output = ninefold(directory.path(), &["reproduce", name, "--tiny", "--json"]);
            let result =
                std::fs::read(directory.path().join(format!("reproduce/{name}-tiny/result.json")));
            let is_complete = output.status.success()
                && result.is_ok_and(|result| {
                    let value: serde_json::Value =
                        serde_json::from_slice(&result).expect("the result is JSON");
                    let results = value["results"].as_array().expect("a list of results");
                    !results.is_empty() && text(&output.stdout) == format!("{}\n", text(&result))
                });
            if !is_complete {
                let output = format!("{name}: {}\n{}", output.status, text(&output.stderr));
                failures.lock().expect("no thread panicked").push(output);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().expect("no thread panicked");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn exact_numbers_are_those_of_the_record() {
    let directory = tempfile::tempdir().unwrap();
    for (name, numbers) in
        [("multiverse-data", &["25,728", "85,632"]), ("hopfield-trace", &["2 4 7", "r2c9"])]
    {
        let output = ninefold(directory.path(), &["reproduce", name]);
        let table = text(&output.stdout);
        assert!(output.status.success(), "{table}{}", text(&output.stderr));
        for number in numbers {
            // The paper, the record and this run.
            assert!(table.matches(number).count() >= 3, "{number}:\n{table}");
        }
        assert!(!table.contains("differs"), "{table}");
    }
}

#[test]
fn an_interrupted_recipe_continues_with_the_next_step() {
    let directory = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let arguments = [&["reproduce", "kocherzhenko-generator", "--out", "k"], more].concat();
        ninefold(directory.path(), &arguments)
    };
    let first = run(&["--tiny"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let path = directory.path().join("k/progress.json");
    // As if the last step had not been finished.
    let progress = std::fs::read_to_string(&path).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&progress).unwrap();
    let done = value["done"].as_array_mut().unwrap();
    assert_eq!(done.len(), 3);
    done.pop();
    std::fs::write(&path, value.to_string()).unwrap();
    std::fs::remove_file(directory.path().join("k/outputs/stats.json")).unwrap();
    let second = run(&["--tiny"]);
    let log = text(&second.stderr);
    assert!(second.status.success(), "{log}");
    assert_eq!((log.matches("is done").count(), log.matches(" took ").count()), (2, 1), "{log}");
    assert_eq!(text(&first.stdout), text(&second.stdout));
    // Other settings start again from the first step that differs.
    let full = text(&run(&["--dry-run"]).stdout);
    assert!(full.contains("--count 1000"), "{full}");
    let other = ninefold(directory.path(), &["reproduce", "rrn-speed", "--tiny", "--out", "k"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("belongs to kocherzhenko-generator"));
}

#[test]
fn a_killed_training_continues_from_its_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let tiny = ["reproduce", "cnn-batch-256", "--tiny", "--out", "c"];
    assert!(ninefold(directory.path(), &tiny).status.success());
    let metrics = || std::fs::read_to_string(directory.path().join("c/runs/cnn/metrics.jsonl"));
    let before = metrics().unwrap();
    assert!(before.contains("\"what\":\"epoch\""), "{before}");
    // As if the recipe had been killed after the training and before the note of it.
    std::fs::remove_file(directory.path().join("c/progress.json")).unwrap();
    let again = ninefold(directory.path(), &tiny);
    assert!(again.status.success(), "{}", text(&again.stderr));
    // The lines contain times, so a second training would change them.
    assert_eq!(metrics().unwrap(), before, "the finished run was trained again");
}

#[test]
fn missing_lists_and_wrong_names_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    let fails = |arguments: &[&str], words: &[&str]| {
        let output = ninefold(directory.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
    };
    fails(&["reproduce", "rnn"], &["unknown result \"rnn\"", "six-rules, "]);
    fails(&["reproduce", "six-rules"], &["17_clue", "--lists", "tdoku", "--generate-lists"]);
    fails(&["reproduce", "six-rules", "--lists", "nowhere"], &["cannot read nowhere"]);
    fails(&["reproduce", "six-rules", "--lists", "."], &["does not contain the list 17_clue"]);
    fails(&["reproduce", "dupree", "--shipped"], &["--shipped cannot be used with dupree"]);
    assert!(!directory.path().join("reproduce/dupree-shipped").exists());
}

#[test]
fn lists_of_the_user_are_found_under_their_public_names() {
    let directory = tempfile::tempdir().unwrap();
    let list = directory.path().join("puzzles2_17_clue.txt");
    let puzzle =
        "000000010400000000020000000000050407008000300001090000300400200050100000000806000\n";
    std::fs::write(list, puzzle).unwrap();
    let output = ninefold(directory.path(), &["reproduce", "six-rules", "--lists", "."]);
    // The numbers of one puzzle are not those of the record.
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("100.00 differs"), "{}", text(&output.stdout));
}
