//! The command built without default features: it does its own verbs, and says of the others where they are.
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
fn puzzles_are_solved_and_explained() {
    let (solved, _, code) = ninefold(&["solve", PUZZLE]);
    assert_eq!((solved.trim(), code), (SOLUTION, Some(0)));
    let (explained, _, code) = ninefold(&["explain", PUZZLE]);
    assert!(explained.contains(SOLUTION), "{explained}");
    assert_eq!(code, Some(0));
}

#[test]
fn verbs_and_options_that_are_left_out_are_not_listed() {
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
fn a_verb_that_is_left_out_says_how_to_have_it() {
    let left_out = [
        ("train", "networks"),
        ("lab", "networks"),
        ("serve", "serve"),
        ("sql", "sql"),
        ("executor", "sql"),
    ];
    for (verb, feature) in left_out {
        let (_, error, code) = ninefold(&[verb, "rrn"]);
        let expected = format!(
            "error: this ninefold was built without `{verb}`\n\n\
             hint: cargo install --path crates/cli --features {feature}\n"
        );
        assert_eq!((error, code), (expected, Some(2)));
    }
}
