//! Kills commands that write files at random times, and runs them with a full disk.
//!
//! Every file must have its old content or its complete new content, and resumed runs must have the
//! same result as uninterrupted runs. `NINEFOLD_KILLS=N` sets the number of kills for each command
//! [default: 5].
#![cfg(unix)]

use ninefold::random::Random;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A command that writes files.
struct Writer {
    name: &'static str,
    /// The command. A complete run always writes the same files.
    typed: &'static str,
    /// The command that writes the old files, if any.
    before: &'static str,
}

/// Every command that writes files.
const WRITERS: &[Writer] = &[
    Writer {
        name: "generate",
        typed: "ninefold generate --count 30000 --seed 1 -q -o out.txt --write-solutions solutions.txt",
        before: "ninefold generate --count 9 --seed 2 -q -o out.txt --write-solutions solutions.txt",
    },
    Writer {
        name: "convert to csv",
        typed: "ninefold convert list.txt --solve --to csv -o out.csv",
        before: "ninefold convert short.txt --to csv -o out.csv",
    },
    Writer {
        name: "convert to parquet",
        typed: "ninefold convert list.txt --solve --to parquet -o out.parquet",
        before: "ninefold convert short.txt --to parquet -o out.parquet",
    },
    Writer {
        name: "dataset canonical",
        typed: "ninefold dataset canonical list.txt --distinct -o out.txt",
        before: "ninefold dataset canonical short.txt -o out.txt",
    },
    Writer {
        name: "dataset multiverse",
        typed: "ninefold dataset multiverse -o out.csv",
        before: "",
    },
    Writer {
        name: "explain",
        typed: "ninefold explain --svg pictures $(head -n 3 short.txt)",
        before: "",
    },
    Writer {
        name: "hint",
        typed: "ninefold hint --detail full --svg hint.svg $(head -n 1 short.txt)",
        before: "",
    },
    Writer {
        name: "stats",
        typed: "ninefold stats list.txt --plots plots",
        before: "ninefold stats short.txt --plots plots",
    },
    Writer { name: "man", typed: "ninefold man pages", before: "" },
    Writer {
        name: "evaluate",
        typed: "ninefold evaluate multiverse four.txt --write-solved solved.txt",
        before: "ninefold evaluate multiverse four.txt --limit 1 --write-solved solved.txt",
    },
];

/// The split writes several files that belong together, so it has a separate test.
const SPLIT: &str = "ninefold dataset split list.txt --seed 1 --force --out parts";
const SPLIT_BEFORE: &str = "ninefold dataset split short.txt --seed 2 --force --out parts";

fn kills() -> usize {
    std::env::var("NINEFOLD_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(5)
}

/// A directory with the lists that the commands read. The lists are generated once.
fn folder() -> tempfile::TempDir {
    static LISTS: OnceLock<tempfile::TempDir> = OnceLock::new();
    let lists = LISTS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), "ninefold generate --count 4000 --seed 7 -q -o list.txt");
        run(folder.path(), "ninefold generate --count 20 --seed 8 -q -o short.txt");
        run(folder.path(), "ninefold generate --size 4 --count 300 --seed 9 -q -o four.txt");
        folder
    });
    let folder = tempfile::tempdir().unwrap();
    for name in ["list.txt", "short.txt", "four.txt"] {
        fs::copy(lists.path().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn shell(folder: &Path, typed: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_ninefold"));
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", typed])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    shell.env("PATH", format!("{}:{path}", binary.parent().unwrap().display()));
    shell
}

/// Runs a command that must succeed.
fn run(folder: &Path, typed: &str) {
    let status = shell(folder, typed).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{typed}: {status}");
}

/// Runs a command and kills it after this time. Returns true if it was killed.
fn run_and_kill(folder: &Path, typed: &str, signal: &str, after: Duration) -> bool {
    // `exec` replaces the shell, so that the signal reaches the command.
    let mut child = shell(folder, &format!("exec {typed}")).spawn().unwrap();
    std::thread::sleep(after);
    let _ =
        Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    child.wait().unwrap().code().is_none()
}

/// Files by name.
type Files = BTreeMap<String, Vec<u8>>;

/// All files in a directory and its subdirectories, without temporary files.
fn files(folder: &Path) -> Files {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(
                files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)),
            );
        } else if !name.ends_with(".new") {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// The files before and after a complete run, and its duration.
fn reference(typed: &str, before: &str) -> (Files, Files, Duration) {
    let place = folder();
    if !before.is_empty() {
        run(place.path(), before);
    }
    let old = files(place.path());
    let started = Instant::now();
    run(place.path(), typed);
    (old, files(place.path()), started.elapsed())
}

#[test]
fn killed_commands_leave_only_complete_files() {
    for writer in WRITERS {
        let (old, new, time) = reference(writer.typed, writer.before);
        assert!(new.len() >= old.len() && new != old, "{} writes nothing", writer.name);
        let mut random = Random::new(23);
        let (mut killed, mut unfinished) = (0, 0);
        for _ in 0..kills() {
            let place = folder();
            if !writer.before.is_empty() {
                run(place.path(), writer.before);
            }
            let after = time.mul_f64(random.below(1000) as f64 / 900.0);
            killed += usize::from(run_and_kill(place.path(), writer.typed, "-KILL", after));
            let left = files(place.path());
            unfinished += usize::from(left != new);
            for (name, bytes) in &left {
                let is_old = old.get(name) == Some(bytes);
                let is_new = new.get(name) == Some(bytes);
                assert!(
                    is_old || is_new,
                    "{}: {name} is neither old nor new after a kill",
                    writer.name
                );
            }
            // Old solutions are removed before the puzzles are replaced.
            let is_new = |name: &str| left.get(name).is_some_and(|bytes| new[name] == *bytes);
            assert!(
                old.keys().all(|name| left.contains_key(name) || name == "solutions.txt"),
                "{}: an old file is gone",
                writer.name
            );
            if left.contains_key("solutions.txt") {
                assert_eq!(is_new("out.txt"), is_new("solutions.txt"), "solutions of others");
            }
        }
        println!(
            "{}: killed {killed} of {} times, {unfinished} times before its end",
            writer.name,
            kills()
        );
    }
}

#[test]
fn manifest_matches_its_parts_after_a_kill() {
    let (old, new, time) = reference(SPLIT, SPLIT_BEFORE);
    let mut random = Random::new(24);
    let mut killed = 0;
    for _ in 0..kills() {
        let place = folder();
        run(place.path(), SPLIT_BEFORE);
        let after = time.mul_f64(random.below(1000) as f64 / 900.0);
        killed += usize::from(run_and_kill(place.path(), SPLIT, "-KILL", after));
        let left = files(place.path());
        match left.get("parts/manifest.toml") {
            Some(manifest) => {
                let whole = if *manifest == new["parts/manifest.toml"] { &new } else { &old };
                assert_eq!(&left, whole, "the manifest describes other parts");
            }
            None => {
                assert!(left.iter().all(|(name, bytes)| {
                    [&old, &new].iter().any(|all| all.get(name) == Some(bytes))
                }))
            }
        }
    }
    println!("dataset split: killed {killed} of {} times", kills());
}

#[test]
fn killed_climbs_resume_to_the_same_state() {
    const MOVES: u64 = 640;
    let climb = |moves: u64| {
        format!("ninefold generate --climb dupree --seed 3 -q --moves {moves} --state climb.txt")
    };
    let whole = tempfile::tempdir().unwrap();
    let started = Instant::now();
    run(whole.path(), &climb(MOVES));
    let time = started.elapsed();
    let state = fs::read_to_string(whole.path().join("climb.txt")).unwrap();
    let place = tempfile::tempdir().unwrap();
    let mut random = Random::new(25);
    let made = |place: &Path| -> u64 {
        let state = fs::read_to_string(place.join("climb.txt")).unwrap_or_default();
        state
            .lines()
            .find_map(|line| line.strip_prefix("moves "))
            .map_or(0, |moves| moves.parse().unwrap())
    };
    for _ in 0..kills() {
        let after = time.mul_f64(random.below(1000) as f64 / 1000.0);
        run_and_kill(place.path(), &climb(MOVES - made(place.path())), "-KILL", after);
        // Some runs complete normally.
        if made(place.path()) < MOVES / 2 {
            run(place.path(), &climb(32));
        }
        assert!(files(place.path()).keys().all(|name| name == "climb.txt"));
    }
    run(place.path(), &climb(MOVES - made(place.path())));
    assert_eq!(fs::read_to_string(place.path().join("climb.txt")).unwrap(), state);
}

#[test]
fn interrupted_training_resumes_to_the_same_weights() {
    const TINY: &str = "boxes = [2, 2]\nbatch_size = 4\nweights = \"f32\"\nmodel = { hidden = 32, dropout = 0.2 }\n\
        data = { source = \"minimal\", train = 400, validation = 8, test = 4 }\n\
        stages = [{ epochs = 30, learning_rate = 0.01, blanks = 5 }]\n";
    let train = |more: &str| format!("ninefold train dense -q --config tiny.toml --out run {more}");
    let place = || {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tiny.toml"), TINY).unwrap();
        folder
    };
    let whole = place();
    let started = Instant::now();
    run(whole.path(), &train(""));
    let time = started.elapsed();
    let pieces = place();
    let mut random = Random::new(26);
    let (mut begun, mut finished) = (false, false);
    for number in 0..kills() {
        let after = time.mul_f64(random.below(1000) as f64 / 4000.0);
        // SIGTERM allows a checkpoint, SIGKILL does not.
        let signal = if number % 2 == 0 { "-TERM" } else { "-KILL" };
        if !finished {
            run_and_kill(pieces.path(), &train(if begun { "--resume" } else { "" }), signal, after);
        }
        begun = pieces.path().join("run/checkpoint.safetensors").exists();
        finished = pieces.path().join("run/weights.safetensors").exists()
            && fs::read_to_string(pieces.path().join("run/metrics.jsonl"))
                .is_ok_and(|text| text.contains("\"stage\",\"step\":3000"));
    }
    if !finished {
        run(pieces.path(), &train(if begun { "--resume" } else { "" }));
    }
    for name in ["checkpoint.safetensors", "weights.safetensors"] {
        let read =
            |folder: &tempfile::TempDir| fs::read(folder.path().join("run").join(name)).unwrap();
        assert!(read(&pieces) == read(&whole), "{name} differs from that of an uninterrupted run");
    }
}

#[test]
fn full_disk_is_an_error_and_keeps_old_files() {
    for writer in WRITERS {
        let place = folder();
        if !writer.before.is_empty() {
            run(place.path(), writer.before);
        }
        check_full_disk(place.path(), writer.typed);
    }
    let place = folder();
    run(place.path(), SPLIT_BEFORE);
    check_full_disk(place.path(), SPLIT);
}

/// Limits the file size to 512 bytes. The command must fail and leave all files unchanged.
fn check_full_disk(folder: &Path, typed: &str) {
    let before = files(folder);
    let limited = format!("trap '' XFSZ; ulimit -f 1; exec {typed}");
    let output = shell(folder, &limited).stderr(Stdio::piped()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{typed}: {words}");
    assert!(words.contains("cannot write"), "{typed}: {words}");
    assert!(files(folder) == before, "{typed} changed a file");
    let left: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".new"))
        .collect();
    assert!(left.is_empty(), "{typed} leaves {left:?}");
}
