//! Formats as files: what is read, what is written, and what is said about a bad line.

use ninefold::grid::{Candidates, Digit, Grid, Order};
use ninefold::puzzles::format::{self, Entry, Format, Pairs, Writer};

const LINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn entries(format: Format, text: &str) -> Vec<Entry> {
    format::read(format, text.as_bytes(), None).map(|item| item.unwrap_or_else(|bad| panic!("{bad}"))).collect()
}

fn written(format: Format, entries: &[Entry]) -> String {
    let mut writer = Writer::new(format);
    let body: String = entries.iter().map(|entry| writer.entry(entry).unwrap()).collect();
    writer.start() + &body + &writer.end()
}

/// The text is recognised as this format and holds these puzzles.
fn check(format: Format, text: &str, expected: &[&str]) -> Vec<Entry> {
    assert_eq!(Format::of(text.as_bytes()), format, "{text}");
    let entries = entries(format, text);
    let found: Vec<String> = entries.iter().map(|entry| entry.puzzle.to_string()).collect();
    assert_eq!(found, expected, "{text}");
    entries
}

/// The messages for the bad entries of a text.
fn complaints(format: Format, text: &str) -> Vec<String> {
    format::read(format, text.as_bytes(), None).filter_map(|item| item.err()).map(|bad| bad.to_string()).collect()
}

fn full_entry() -> Entry {
    let puzzle: Grid = LINE.parse().unwrap();
    let mut position = Candidates::of(&puzzle).unwrap();
    position.place(Order::NINE.cell(4, 4), Digit::new(5).unwrap());
    position.remove(Order::NINE.cell(0, 2), Digit::new(4).unwrap());
    Entry {
        position: Some(position),
        solution: Some(SOLUTION.parse().unwrap()),
        rating: Some("1.2".to_string()),
        source: Some("own-1".to_string()),
        ..Entry::new(puzzle)
    }
}

#[test]
fn every_format_reads_back_what_it_wrote() {
    let full = full_entry();
    for format in Format::ALL {
        let text = written(format, std::slice::from_ref(&full));
        let back = entries(format, &text).pop().unwrap();
        if format == Format::Marks {
            // A grid of candidates does not tell clues, placed digits and last candidates apart, but keeps all of them.
            assert_eq!(written(format, &[back]), text);
            continue;
        }
        assert_eq!(back.puzzle, full.puzzle, "{text}");
        let keeps_solution = matches!(format, Format::Csv | Format::Extreme | Format::Json);
        assert_eq!(back.solution.is_some(), keeps_solution, "{text}");
        let keeps_rating = matches!(format, Format::Extreme | Format::Json);
        assert_eq!(back.rating.is_some(), keeps_rating, "{text}");
        if format == Format::Hodoku {
            assert_eq!(back, Entry { solution: None, rating: None, ..full.clone() }, "{text}");
        }
        if format == Format::Sdk {
            assert_eq!(back.position.unwrap().grid(), full.position.as_ref().unwrap().grid());
        }
    }
}

#[test]
fn what_was_written_is_recognised() {
    for format in Format::ALL.into_iter().filter(|&format| format != Format::Sdm) {
        let text = written(format, &[full_entry()]);
        assert_eq!(Format::of(text.as_bytes()), format, "{text}");
    }
}

#[test]
fn several_puzzles_in_one_file_keep_their_order() {
    let puzzles = [LINE, &LINE.replacen("53", "..", 1), &LINE.replacen("79", "..", 1)];
    let many: Vec<Entry> = puzzles.iter().map(|line| Entry::new(line.parse().unwrap())).collect();
    for format in Format::ALL.into_iter().filter(|&format| !matches!(format, Format::Sdk | Format::Marks)) {
        let text = written(format, &many);
        let back: Vec<String> = entries(format, &text).iter().map(|entry| entry.puzzle.to_string()).collect();
        assert_eq!(back, puzzles, "{text}");
    }
    let mut sdk = Writer::new(Format::Sdk);
    assert!(sdk.entry(&many[0]).is_some());
    assert_eq!(sdk.entry(&many[1]), None, "a .sdk file holds one puzzle");
}

#[test]
fn every_sign_for_an_empty_cell_is_read() {
    for sign in [".", "0", "_", "*", "x", "X"] {
        check(Format::Line, &LINE.replace('.', sign), &[LINE]);
    }
    let entries = check(Format::Line, &format!("# my list\n{LINE}  by me, 2026\n\n"), &[LINE]);
    assert_eq!(entries[0].source.as_deref(), Some("by me, 2026"));
}

#[test]
fn lines_of_other_sizes_are_read() {
    check(Format::Line, "1..4..1..3..4..3\n", &["1..4..1..3..4..3"]);
    let sixteen = format!("G{}", ".".repeat(255));
    check(Format::Line, &sixteen.to_lowercase(), &[&sixteen]);
    let rows: Vec<String> =
        (0..16).map(|row| if row == 0 { "G...............".into() } else { ".".repeat(16) }).collect();
    check(Format::Drawn, &rows.join("\n"), &[&sixteen]);
    let order = Order::boxes(3, 2).unwrap();
    let tall =
        format::read(Format::Line, format!("1{}", ".".repeat(35)).as_bytes(), Some(order)).next().unwrap().unwrap();
    assert_eq!(tall.puzzle.order(), order);
}

#[test]
fn drawn_grids_are_told_apart_by_gaps_and_titles() {
    let rows: Vec<&str> = (0..9).map(|row| &LINE[row * 9..row * 9 + 9]).collect();
    let plain = rows.join("\n").replace('.', "0");
    check(Format::Drawn, &format!("Grid 01\n{plain}\nGrid 02\n{plain}\n"), &[LINE, LINE]);
    let drawn = format!("{:#}", LINE.parse::<Grid>().unwrap());
    check(Format::Drawn, &format!("{drawn}\n\n\n{drawn}"), &[LINE, LINE]);
}

#[test]
fn tables_are_read_by_the_names_of_their_columns() {
    let zeros = LINE.replace('.', "0");
    let kaggle = check(Format::Csv, &format!("quizzes,solutions\n{zeros},{SOLUTION}\n"), &[LINE]);
    assert_eq!(kaggle[0].solution.as_ref().unwrap().to_string(), SOLUTION);
    let extreme = format!("source,question,answer,rating\n\"a, b \"\"c\"\"\",{LINE},{SOLUTION},42\n");
    let extreme = check(Format::Extreme, &extreme, &[LINE]);
    assert_eq!(extreme[0].source.as_deref(), Some("a, b \"c\""));
    assert_eq!(extreme[0].rating.as_deref(), Some("42"));
    let other = check(Format::Csv, &format!("id,Puzzle,clues,difficulty\r\n1,{zeros},30,2.2\r\n"), &[LINE]);
    assert_eq!(other[0].rating.as_deref(), Some("2.2"));
}

#[test]
fn the_two_files_of_paper_two_are_joined() {
    let numbers =
        |line: &str| line.chars().map(|sign| sign.to_string().replace('.', "0")).collect::<Vec<_>>().join(" ");
    let (puzzle, solution) = (numbers(LINE), numbers(SOLUTION));
    check(Format::Numbers, &puzzle, &[LINE]);
    let puzzles = format!("{puzzle}\n{puzzle}\n{puzzle}\n");
    let solutions =
        format!("{solution}\n{}\n", solution.replacen('5', "6", 1).replacen("6 3", "5 3", 1).replacen("4 6", "6 4", 1));
    let items: Vec<Result<Entry, String>> = Pairs::new(puzzles.as_bytes(), solutions.as_bytes(), None)
        .map(|item| item.map_err(|bad| bad.to_string()))
        .collect();
    assert_eq!(items[0].as_ref().unwrap().solution.as_ref().unwrap().to_string(), SOLUTION);
    assert!(items[1].as_ref().unwrap_err().starts_with("line 2: the solution: row"), "{:?}", items[1]);
    assert_eq!(items[2].as_ref().unwrap_err(), "line 3: puzzle 3: there is no solution for it");
    assert_eq!(format::solution_numbers(items[0].as_ref().unwrap()), Some(solution + "\n"));
}

#[test]
fn json_is_read_in_a_list_in_lines_and_in_a_wrapper() {
    let zeros = LINE.replace('.', "0");
    let object =
        format!("{{\"Puzzle\": \"{zeros}\", \"Source\": \"UNL \\\"1\\\"\", \"clues\": 30, \"consistency\": \"AC\"}}");
    let listed = check(Format::Json, &format!("[{object},\n {object}]"), &[LINE, LINE]);
    assert_eq!(listed[0].source.as_deref(), Some("UNL \"1\""));
    assert_eq!(listed[0].rating.as_deref(), Some("AC"));
    check(Format::Json, &format!("{object}\n{object}\n"), &[LINE, LINE]);
    check(Format::Json, &format!("{{\"version\": 5, \"puzzles\": [{object}, {object}]}}"), &[LINE, LINE]);
    let rows: Vec<String> = zeros
        .as_bytes()
        .chunks(9)
        .map(|row| format!("[{}]", row.iter().map(|&sign| char::from(sign).to_string()).collect::<Vec<_>>().join(",")))
        .collect();
    check(Format::Json, &format!("{{\"board\": [{}], \"solved\": false}}", rows.join(", ")), &[LINE]);
}

#[test]
fn a_hodoku_line_gives_clues_placed_digits_and_deleted_candidates() {
    let givens = LINE.replacen("..8.3..", "..8+53..", 1);
    let entries = check(Format::Hodoku, &format!(":0000:5:{givens}:413 122:::\n"), &[LINE]);
    let position = entries[0].position.as_ref().unwrap();
    assert_eq!(position.grid()[Order::NINE.cell(4, 4)], Digit::new(5));
    assert!(!position.at(Order::NINE.cell(0, 2)).contains(Digit::new(4).unwrap()));
    assert_eq!(entries[0].source.as_deref(), Some("0000"));
}

#[test]
fn a_grid_of_candidates_gives_filled_cells_and_candidates() {
    let text = ".---------.---------.\n| 1   234 | 23  4   |\n| 34  2   | 1   23  |\n:---------+---------:\n\
                | 2   13  | 4   13  |\n| 34  14  | 23  123 |\n'---------'---------'\n";
    let entries = check(Format::Marks, text, &["1..4.21.2.4....."]);
    let position = entries[0].position.as_ref().unwrap();
    let marks: Vec<u8> = position.at(Order::FOUR.cell(0, 1)).map(Digit::number).collect();
    assert_eq!(marks, [2, 3, 4], "marks are kept as written, also those that the rules exclude");
}

#[test]
fn a_sadman_file_gives_author_clues_and_state() {
    let rows = |line: &str| (0..9).map(|row| line[row * 9..row * 9 + 9].to_string() + "\n").collect::<String>();
    let state = LINE.replacen("53..7", "534.7", 1);
    let text = format!("#ANinefold\n#D A test\n#LEasy\n[Puzzle]\n{}[State]\n{}", rows(LINE), rows(&state));
    let entries = check(Format::Sdk, &text, &[LINE]);
    assert_eq!(entries[0].source.as_deref(), Some("Ninefold"));
    assert_eq!(entries[0].position.as_ref().unwrap().grid().to_string(), state);
    let changed = text.replace("[State]\n534.7", "[State]\n.34.7");
    assert_eq!(complaints(Format::Sdk, &changed), ["line 5: row 1, column 1: the state has changed a clue"]);
}

#[test]
fn a_bad_line_is_reported_with_its_place_and_the_next_one_is_read() {
    let text = format!("{LINE}\n{}\n{LINE}\n{}\n{LINE}\n", LINE.replacen('6', "q", 1), &LINE[1..]);
    assert_eq!(
        complaints(Format::Line, &text),
        [
            "line 2: row 2, column 1: \"q\" is neither a digit nor an empty cell",
            "line 4: 80 cells make no grid; 64, 81 or 100 would"
        ]
    );
    assert_eq!(format::read(Format::Line, text.as_bytes(), None).filter(Result::is_ok).count(), 3);
    assert_eq!(
        complaints(Format::Csv, &format!("quizzes,solutions\n{LINE},{LINE}\n{LINE},{}\n", &SOLUTION[1..])),
        [
            "line 2: the solution breaks the rules or does not keep the clues",
            "line 3: the solution: 80 cells make no 9×9 grid; 81 would"
        ]
    );
    assert_eq!(complaints(Format::Csv, "a,b\n1,2\n").len(), 2, "no column is called after a puzzle");
    assert_eq!(complaints(Format::Json, "[{\"clues\": 3}]"), ["line 1: the object holds no puzzle"]);
    assert_eq!(complaints(Format::Json, "[\n{\"puzzle\": "), ["line 2: the object is not closed"]);
    assert_eq!(complaints(Format::Hodoku, ":0000:5:12.:::"), ["line 1: 3 cells make no 9×9 grid; 81 would"]);
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_reported_and_passed() {
    let mut bytes = format!("{LINE}\n").into_bytes();
    bytes.extend([0xFF, 0xFE, b'\n']);
    bytes.extend(vec![b'.'; 1_000_000]);
    bytes.extend(format!("\n{LINE}\n").into_bytes());
    let items: Vec<Result<Entry, String>> =
        format::read(Format::Line, &bytes[..], None).map(|item| item.map_err(|bad| bad.to_string())).collect();
    assert!(items[0].is_ok() && items[3].is_ok());
    assert_eq!(items[1].as_ref().unwrap_err(), "line 2: the line is not UTF-8 text");
    assert_eq!(items[2].as_ref().unwrap_err(), "line 3: more than 262144 bytes without an end");
    assert_eq!(items.len(), 4);
}
