//! The command without default features: it names the feature of each missing subcommand.
#![cfg(not(feature = "networks"))]

use std::process::{Command, Output};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn ninefold(arguments: &[&str]) -> (String, String, Option<i32>) {
    let Output { stdout, stderr, status } = Command::new(env!("CARGO_BIN_EXE_ninefold"))
        .args(arguments)
        .output()
        .expect("the command starts");
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), status.code())
}

#[test]
fn solves_and_explains_puzzles() {
    let (solved, _, code) = ninefold(&["solve", PUZZLE]);
    assert_eq!((solved.trim(), code), (SOLUTION, Some(0)));
    let (explained, _, code) = ninefold(&["explain", PUZZLE]);
    assert!(explained.contains(SOLUTION), "{explained}");
    assert_eq!(code, Some(0));
}

#[test]
fn help_omits_disabled_commands_and_options() {
    let (help, _, _) = ninefold(&["--help"]);
    let verbs: Vec<&str> =
        help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(
        verbs.contains(&"solve") && !verbs.contains(&"train") && !verbs.contains(&"serve"),
        "{help}"
    );
    for verb in ["solve", "explain"] {
        let (help, _, _) = ninefold(&[verb, "--help"]);
        assert!(!help.contains("network"), "{help}");
    }
}

#[test]
fn names_the_feature_of_a_disabled_command() {
    let disabled = [
        ("train", "networks"),
        ("lab", "networks"),
        ("serve", "serve"),
        ("sql", "sql"),
        ("executor", "cluster"),
    ];
    for (verb, feature) in disabled {
        let (_, error, code) = ninefold(&[verb, "rrn"]);
        let expected = format!(
            "error: this build of ninefold does not contain `{verb}`\n\n\
             hint: cargo install --path crates/cli --features {feature}\n"
        );
        assert_eq!((error, code), (expected, Some(2)));
    }
}
