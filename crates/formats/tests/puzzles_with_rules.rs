//! Puzzles with rules are written with all their rules, or not at all.

use ninefold::grid::rules::{Constraint, Rule, Rules};
use ninefold::grid::{Candidates, Cell, Grid, text};
use ninefold::search::{self, Limits};
use ninefold_formats::{Entry, Format, WriteError, Writer};
use std::sync::Arc;

/// A 4×4 killer with one solution.
const KILLER: &str = r#"{
    "puzzle": "................",
    "rules": {
        "boxes": "2x2",
        "cage": [
            {"cells": "r1c1 r1c2", "sum": 3}, {"cells": "r1c3 r2c3", "sum": 4},
            {"cells": "r1c4 r2c4", "sum": 6}, {"cells": "r2c1 r3c1", "sum": 7},
            {"cells": "r2c2 r3c2", "sum": 5}, {"cells": "r3c3 r3c4", "sum": 5}
        ]
    }
}"#;
/// All cells are empty, and there is no solution beside it.
const DIAGONAL: &str = r#"{
    "puzzle": ".................................................................................",
    "rules": {"boxes": "3x3", "diagonals": ["rising"], "anti_knight": true}
}"#;
const JIGSAW: &str = r#"{
    "givens": "1..../...../...../...../.....",
    "author": "N. N.",
    "ruleset": "Normal jigsaw rules apply.",
    "rules": {"size": 5, "regions": "11122 11222 33333 44455 44555", "odd": "r1c1"}
}"#;

fn entry(text: &str) -> Entry {
    let text = text.replace('/', "");
    assert_eq!(Format::detect(text.as_bytes()), Format::Json);
    let mut entries = ninefold_formats::read(Format::Json, text.as_bytes(), None).entries();
    entries.next().expect("the text has a puzzle").unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    let mut entries = ninefold_formats::read(Format::Json, text.as_bytes(), None).entries();
    entries.next().expect("the text has a puzzle").expect_err("the puzzle is invalid").to_string()
}

fn write(entry: &Entry, format: Format) -> Result<String, WriteError> {
    let mut writer = Writer::new(format, Vec::new())?;
    writer.write(entry)?;
    Ok(String::from_utf8(writer.finish()?).expect("the format is a text"))
}

fn with_solution(entry: Entry) -> Entry {
    let found = search::default_for(&entry.puzzle).first(&entry.puzzle, &Limits::none());
    let solution = found.unwrap().0.expect("the puzzle has a solution");
    entry.with_solution(solution)
}

#[test]
fn json_and_board_links_keep_rules_solutions_and_positions() {
    let killer = with_solution(entry(KILLER));
    let mut position = Candidates::new(&killer.puzzle).unwrap();
    position.place(Cell::new(0), killer.solution.as_ref().unwrap()[Cell::new(0)].unwrap());
    let started = killer.clone().with_position(position);
    for entry in [killer, started, with_solution(entry(JIGSAW)), entry(DIAGONAL)] {
        for format in [Format::Json, Format::Fpuzzles, Format::Sudokupad] {
            let text = write(&entry, format).unwrap();
            let (found, records) = ninefold_formats::read_any(text.as_bytes(), None).unwrap();
            let read: Vec<Entry> = records.entries().map(Result::unwrap).collect();
            assert_eq!(found, format);
            assert_eq!(read, std::slice::from_ref(&entry), "{text}");
            assert_eq!(write(&read[0], format).unwrap(), text, "written again");
        }
    }
}

#[test]
fn only_json_keeps_rules_without_a_name() {
    let cells = (0..3).map(Cell::new).collect();
    let rules = Rules::without_regions(7).unwrap().with(Rule::Differ(cells)).unwrap();
    let puzzle = text::parse_position(&".".repeat(49), Some(rules.order())).unwrap();
    let entry = Entry::new(puzzle.with_rules(Arc::new(rules)));
    let text = write(&entry, Format::Json).unwrap();
    let read = ninefold_formats::read(Format::Json, text.as_bytes(), None).entries().next();
    assert_eq!(read.unwrap().unwrap(), entry);
    // No other format drops the rule.
    for format in Format::ALL.into_iter().filter(|format| *format != Format::Json) {
        let written = write(&entry, format);
        let Err(WriteError::Rule { rule, .. }) = written else { panic!("{format}: {written:?}") };
        assert!(!rule.is_empty(), "{format}");
    }
}

#[test]
fn boards_may_name_rules_before_their_cells() {
    for rules in [
        r#""arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2", "R1C3"]]}]"#,
        r#""givenPencilMarks": [{"cell": "R1C1", "values": [1, 2]}]"#,
    ] {
        let cells = "[{}, {}, {}, {}]";
        let board =
            format!("{{{rules}, \"grid\": [{cells}, {cells}, {cells}, {cells}], \"size\": 4}}");
        let file = format!("{board}\n{board}\n");
        let items = ninefold_formats::read(Format::Json, file.as_bytes(), None).entries();
        let read: Vec<Entry> = items.map(Result::unwrap).collect();
        assert_eq!(read.len(), 2, "{file}");
        assert_eq!(read[0].puzzle.rules().unwrap().constraints().len(), 1);
    }
}

#[test]
fn formats_without_rules_refuse_them() {
    let text_of = |entry: &Entry, format| match write(entry, format) {
        Ok(text) => panic!("{format} dropped the rules: {text}"),
        Err(error) => error.to_string(),
    };
    let killer = entry(KILLER);
    let diagonal = Rules::classic(ninefold::Order::NINE)
        .with(Constraint::Diagonal(ninefold::grid::rules::Diagonal::Rising))
        .unwrap();
    let grid = Grid::empty(ninefold::Order::NINE).with_rules(Arc::new(diagonal));
    let others = Format::ALL.into_iter().filter(|format| {
        !matches!(
            format,
            Format::Json
                | Format::Fpuzzles
                | Format::Sudokupad
                | Format::Sumocue
                | Format::Iss
                | Format::Parquet
        )
    });
    for format in others {
        let message = text_of(&Entry::new(grid.clone()), format);
        assert!(message.contains("rising diagonal"), "{message}");
        let message = text_of(&killer, format);
        assert!(message.contains("killer cage of 3 at r1c1, r1c2"), "{message}");
    }
    let mut jigsaw = entry(JIGSAW);
    let rules = jigsaw.puzzle.rules().unwrap();
    let regions = rules.order().cells().map(|cell| rules.region_of(cell).map(|r| r as u8));
    let plain = Rules::jigsaw(5, regions.collect()).unwrap();
    jigsaw.puzzle = jigsaw.puzzle.with_rules(Arc::new(plain));
    assert_eq!(
        text_of(&jigsaw, Format::Line),
        "the format line cannot contain this rule: irregular regions"
    );
}

#[test]
fn invalid_rules_in_json_have_one_message() {
    let with_rules =
        |rules: &str| format!(r#"{{"puzzle": "{}", "rules": {rules}}}"#, ".".repeat(16));
    let cases = [
        (with_rules(r#"{"boxes": "2x2", "cages": []}"#), "rules: unknown field `cages`"),
        (
            with_rules(r#"{"boxes": "2x2", "cage": [{"cells": "r1c1 r1c2", "sum": 30}]}"#),
            "rules: killer cage of 30",
        ),
        (with_rules(r#"{"boxes": "2x2", "cage": [{"cells": "r1c5", "sum": 3}]}"#), "r1c5"),
        (with_rules(r#"{"boxes": "3x3"}"#), "expected 81 cells"),
        (r#"{"rules": {"boxes": "3x3"}}"#.to_string(), "the object contains no puzzle"),
    ];
    for (text, expected) in cases {
        let message = error(&text);
        assert!(message.contains(expected), "{message}");
    }
}
