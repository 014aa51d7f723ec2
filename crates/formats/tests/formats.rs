//! Reading and writing complete files in every format, and the messages for invalid lines.

use ninefold::grid::{Candidates, Digit, Grid, Order};
use ninefold_formats::{Entry, Format, Pairs, WriteError, Writer, solution_numbers};

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn entries(format: Format, text: &str) -> Vec<Entry> {
    let entries = ninefold_formats::read(format, text.as_bytes(), None).entries();
    entries.map(|item| item.unwrap_or_else(|error| panic!("{error} in\n{text}"))).collect()
}

fn bytes_of(format: Format, entries: &[Entry]) -> Vec<u8> {
    let mut writer = Writer::new(format, Vec::new()).unwrap();
    entries.iter().for_each(|entry| writer.write(entry).unwrap());
    writer.finish().unwrap()
}

fn written(format: Format, entries: &[Entry]) -> String {
    String::from_utf8(bytes_of(format, entries)).unwrap()
}

/// The text formats for puzzles with givens.
fn text_formats() -> impl Iterator<Item = Format> {
    let others = [Format::Parquet, Format::Sumocue];
    Format::ALL.into_iter().filter(move |format| !others.contains(format))
}

/// Checks that the text is detected as `format` and contains the expected puzzles.
fn check(format: Format, text: &str, expected: &[&str]) -> Vec<Entry> {
    assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
    let entries = entries(format, text);
    let found: Vec<String> = entries.iter().map(|entry| entry.puzzle.to_string()).collect();
    assert_eq!(found, expected, "{text}");
    entries
}

/// The error messages for the invalid entries of a text.
fn errors(format: Format, text: &str) -> Vec<String> {
    let entries = ninefold_formats::read(format, text.as_bytes(), None).entries();
    entries.filter_map(|item| item.err()).map(|error| error.to_string()).collect()
}

fn full_entry() -> Entry {
    let puzzle: Grid = LINE.parse().unwrap();
    let mut position = Candidates::new(&puzzle).unwrap();
    position.place(Order::NINE.cell(4, 4), Digit::new(5).unwrap());
    position.remove(Order::NINE.cell(0, 2), Digit::new(4).unwrap());
    Entry::new(puzzle)
        .with_position(position)
        .with_solution(SOLUTION.parse::<Grid>().unwrap())
        .with_rating("1.2".to_string())
        .with_source("own-1".to_string())
}

#[test]
fn formats_parse_from_their_names() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
        assert_eq!(Format::try_from(format.name()), Ok(format));
    }
    let error = "xml".parse::<Format>().unwrap_err().to_string();
    assert!(
        error.starts_with("unknown format \"xml\", expected one of line, sdm, drawn"),
        "{error}"
    );
}

#[test]
fn every_format_reads_back_what_it_wrote() {
    let full = full_entry();
    for format in text_formats() {
        let text = written(format, std::slice::from_ref(&full));
        let back = entries(format, &text).pop().unwrap();
        assert_eq!(back.puzzle, full.puzzle, "{text}");
        let has_all_columns = matches!(format, Format::Tsv | Format::Semicolon | Format::Json);
        let is_board = matches!(format, Format::Fpuzzles | Format::Sudokupad);
        let keeps_solution =
            has_all_columns || is_board || matches!(format, Format::Csv | Format::Extreme);
        assert_eq!(back.solution.is_some(), keeps_solution, "{text}");
        assert_eq!(back.rating.is_some(), has_all_columns || format == Format::Extreme, "{text}");
    }
}

#[test]
fn formats_with_positions_keep_them() {
    let full = full_entry();
    let without = [
        Format::Line,
        Format::Sdm,
        Format::Drawn,
        Format::Numbers,
        Format::Csv,
        Format::Extreme,
        Format::Jigsaw,
        Format::Iss,
    ];
    for format in text_formats().filter(|format| !without.contains(format)) {
        let text = written(format, std::slice::from_ref(&full));
        let back = entries(format, &text).pop().unwrap();
        assert_eq!(back.position, full.position, "{format}:\n{text}");
    }
}

#[test]
fn keeps_positions_of_all_sizes_and_with_dead_ends() {
    let shapes = [(2, 2), (3, 2), (3, 3), (3, 4), (4, 4), (6, 6)];
    for (rows, columns) in shapes {
        let order = Order::new(rows, columns).unwrap();
        let puzzle = Grid::empty(order).with(order.cell(0, 0), Digit::from_index(order.side() - 1));
        let mut position = Candidates::new(&puzzle).unwrap();
        position.place(order.cell(0, 1), Digit::from_index(0));
        // An empty cell with one candidate, one with none, and one with a candidate that a placed
        // digit rules out.
        position.set(order.cell(1, 1), [Digit::from_index(1)].into_iter().collect());
        position.set(order.cell(2, 2), Default::default());
        position.set(
            order.cell(0, 2),
            [Digit::from_index(0), Digit::from_index(2)].into_iter().collect(),
        );
        let entry = Entry::new(puzzle).with_position(position);
        let formats = [
            Format::Marks,
            Format::Sdk,
            Format::Json,
            Format::Tsv,
            Format::Semicolon,
            Format::Fpuzzles,
        ];
        for format in formats {
            let text = written(format, std::slice::from_ref(&entry));
            let back = ninefold_formats::read(format, text.as_bytes(), Some(order))
                .entries()
                .next()
                .unwrap()
                .unwrap();
            assert_eq!(back.position, entry.position, "{format} of {order}:\n{text}");
            assert_eq!(back.puzzle, entry.puzzle, "{format} of {order}:\n{text}");
        }
    }
}

#[test]
fn detects_the_format_of_written_files() {
    let others = [Format::Sdm, Format::Sumocue];
    for format in Format::ALL.into_iter().filter(|format| !others.contains(format)) {
        let file = bytes_of(format, &[full_entry()]);
        assert_eq!(Format::detect(&file), format, "{}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn keeps_the_order_of_several_puzzles() {
    let puzzles = [LINE, &LINE.replacen("53", "..", 1), &LINE.replacen("79", "..", 1)];
    let many: Vec<Entry> = puzzles.iter().map(|line| Entry::new(line.parse().unwrap())).collect();
    for format in text_formats().filter(|&format| !matches!(format, Format::Sdk | Format::Ss)) {
        let text = written(format, &many);
        let back: Vec<String> =
            entries(format, &text).iter().map(|entry| entry.puzzle.to_string()).collect();
        assert_eq!(back, puzzles, "{text}");
    }
    for format in [Format::Sdk, Format::Ss] {
        let mut writer = Writer::new(format, Vec::new()).unwrap();
        writer.write(&many[0]).unwrap();
        assert!(
            matches!(writer.write(&many[1]), Err(WriteError::OnlyOne { .. })),
            "the file contains one puzzle"
        );
    }
}

#[test]
fn reads_every_symbol_for_an_empty_cell() {
    for sign in [".", "0", "_", "*", "x", "X"] {
        check(Format::Line, &LINE.replace('.', sign), &[LINE]);
    }
    assert_eq!(entries(Format::Line, &LINE.replace('.', " "))[0].puzzle.to_string(), LINE);
    let entries = check(Format::Line, &format!("# my list\n{LINE}  by me, 2026\n\n"), &[LINE]);
    assert_eq!(entries[0].source.as_deref(), Some("by me, 2026"));
}

#[test]
fn reads_lines_of_other_sizes() {
    check(Format::Line, "1..4..1..3..4..3\n", &["1..4..1..3..4..3"]);
    let sixteen = format!("G{}", ".".repeat(255));
    check(Format::Line, &sixteen.to_lowercase(), &[&sixteen]);
    let rows: Vec<String> = (0..16)
        .map(|row| if row == 0 { "G...............".into() } else { ".".repeat(16) })
        .collect();
    check(Format::Drawn, &rows.join("\n"), &[&sixteen]);
    let order = Order::new(3, 2).unwrap();
    let line = format!("1{}", ".".repeat(35));
    let tall = ninefold_formats::read(Format::Line, line.as_bytes(), Some(order))
        .entries()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(tall.puzzle.order(), order);
}

#[test]
fn gaps_and_titles_separate_drawn_grids() {
    let rows: Vec<&str> = (0..9).map(|row| &LINE[row * 9..row * 9 + 9]).collect();
    let plain = rows.join("\n").replace('.', "0");
    check(Format::Drawn, &format!("Grid 01\n{plain}\nGrid 02\n{plain}\n"), &[LINE, LINE]);
    let drawn = format!("{:#}", LINE.parse::<Grid>().unwrap());
    check(Format::Drawn, &format!("{drawn}\n\n\n{drawn}"), &[LINE, LINE]);
}

#[test]
fn only_plain_rows_of_tables_take_the_fast_path() {
    let wrong = SOLUTION.replacen("534", "354", 1);
    let other = format!("9{}", &SOLUTION[1..]);
    let position = LINE.replacen('.', "4", 1);
    let cases = [
        (format!("{LINE},"), true),
        (format!("{LINE},{SOLUTION}"), true),
        (format!(" {LINE} , {SOLUTION} ,hard,forum,"), true),
        (format!("{LINE},{SOLUTION},,,{position}"), false),
        (format!("{LINE},{wrong}"), false),
        (format!("{LINE},{other}"), false),
        (format!("{LINE},{LINE}"), false),
        (format!("{LINE},12"), false),
        (format!("\"{LINE}\",{SOLUTION}"), false),
        (format!("{},{SOLUTION}", &LINE[1..]), false),
        (format!("{},", LINE.replacen('.', "!", 1)), false),
    ];
    for (row, is_plain) in cases {
        let text = format!("puzzle,solution,rating,source,position\n{row}\n");
        let mut records = ninefold_formats::read(Format::Csv, text.as_bytes(), None);
        let record = records.next().unwrap().unwrap();
        let found = record.plain_nine().map(|line| str::from_utf8(line).unwrap());
        assert_eq!(found, is_plain.then_some(LINE), "{row}");
    }
}

#[test]
fn finds_table_columns_by_name_with_every_separator() {
    let zeros = LINE.replace('.', "0");
    let kaggle = check(Format::Csv, &format!("quizzes,solutions\n{zeros},{SOLUTION}\n"), &[LINE]);
    assert_eq!(kaggle[0].solution.as_ref().unwrap().to_string(), SOLUTION);
    let extreme =
        format!("source,question,answer,rating\n\"a, b \"\"c\"\"\",{LINE},{SOLUTION},42\n");
    let extreme = check(Format::Extreme, &extreme, &[LINE]);
    assert_eq!(extreme[0].source.as_deref(), Some("a, b \"c\""));
    assert_eq!(extreme[0].rating.as_deref(), Some("42"));
    let other =
        check(Format::Csv, &format!("id,Puzzle,clues,difficulty\r\n1,{zeros},30,2.2\r\n"), &[LINE]);
    assert_eq!(other[0].rating.as_deref(), Some("2.2"));
    let tabs = check(Format::Tsv, &format!("name\tpuzzle\nmine, too\t{LINE}\n"), &[LINE]);
    assert_eq!(tabs[0].source.as_deref(), Some("mine, too"));
    check(Format::Semicolon, &format!("id;puzzle;solution\n1;{LINE};{SOLUTION}\n"), &[LINE]);
    let state = LINE.replacen("53..7", "534.7", 1);
    let with_position = check(Format::Csv, &format!("puzzle,state\n{LINE},{state}\n"), &[LINE]);
    assert_eq!(with_position[0].position.as_ref().unwrap().grid().to_string(), state);
}

#[test]
fn joins_files_of_puzzles_and_solutions() {
    let numbers = |line: &str| {
        line.chars().map(|sign| sign.to_string().replace('.', "0")).collect::<Vec<_>>().join(" ")
    };
    let (puzzle, solution) = (numbers(LINE), numbers(SOLUTION));
    check(Format::Numbers, &puzzle, &[LINE]);
    let puzzles = format!("{puzzle}\n{puzzle}\n{puzzle}\n");
    let solutions = format!(
        "{solution}\n{}\n",
        solution.replacen('5', "6", 1).replacen("6 3", "5 3", 1).replacen("4 6", "6 4", 1)
    );
    let items: Vec<Result<Entry, String>> =
        Pairs::new(puzzles.as_bytes(), solutions.as_bytes(), None)
            .map(|item| item.and_then(|record| record.entry()).map_err(|error| error.to_string()))
            .collect();
    assert_eq!(items[0].as_ref().unwrap().solution.as_ref().unwrap().to_string(), SOLUTION);
    assert!(items[1].as_ref().unwrap_err().starts_with("line 2: solution: row"), "{:?}", items[1]);
    assert_eq!(items[2].as_ref().unwrap_err(), "line 3: puzzle 3: the solution is missing");
    assert_eq!(solution_numbers(items[0].as_ref().unwrap()), Some(solution + "\n"));
}

#[test]
fn reads_json_lists_lines_and_wrapped_lists() {
    let zeros = LINE.replace('.', "0");
    let object = format!(
        "{{\"Puzzle\": \"{zeros}\", \"Source\": \"UNL \\\"1\\\"\", \"clues\": 30, \"consistency\": \"AC\"}}"
    );
    let listed = check(Format::Json, &format!("[{object},\n {object}]"), &[LINE, LINE]);
    assert_eq!(listed[0].source.as_deref(), Some("UNL \"1\""));
    assert_eq!(listed[0].rating.as_deref(), Some("AC"));
    check(Format::Json, &format!("{object}\n{object}\n"), &[LINE, LINE]);
    check(
        Format::Json,
        &format!("{{\"version\": 5, \"puzzles\": [{object}, {object}]}}"),
        &[LINE, LINE],
    );
    let rows: Vec<String> = zeros
        .as_bytes()
        .chunks(9)
        .map(|row| {
            format!(
                "[{}]",
                row.iter().map(|&sign| char::from(sign).to_string()).collect::<Vec<_>>().join(",")
            )
        })
        .collect();
    check(
        Format::Json,
        &format!("{{\"board\": [{}], \"solved\": false}}", rows.join(", ")),
        &[LINE],
    );
    let texts: Vec<String> =
        (0..9).map(|row| format!("\"{}\"", &LINE[row * 9..row * 9 + 9])).collect();
    check(Format::Json, &format!("{{\"rows\": [{}]}}", texts.join(", ")), &[LINE]);
    // Both titles have 16 characters, as many as a 4×4 grid has cells.
    for title in ["A Sunday classic", "SaturdaysSpecial"] {
        let object = format!("{{\"title\": \"{title}\", \"rows\": [{}]}}", texts.join(", "));
        check(Format::Json, &object, &[LINE]);
    }
}

#[test]
fn reads_json_positions_as_digits_or_candidates() {
    let state = LINE.replacen("53..7", "534.7", 1);
    let entries = check(
        Format::Json,
        &format!("{{\"puzzle\": \"{LINE}\", \"state\": \"{state}\"}}"),
        &[LINE],
    );
    assert_eq!(entries[0].position.as_ref().unwrap().grid().to_string(), state);
    let mut lists = vec!["null"; 16];
    (lists[1], lists[2]) = ("[2]", "\"23\"");
    let text =
        format!("{{\"puzzle\": \"1..4..1..3..4..3\", \"candidates\": [{}]}}", lists.join(","));
    let entries = check(Format::Json, &text, &["1..4..1..3..4..3"]);
    let position = entries[0].position.as_ref().unwrap();
    assert_eq!(position.at(Order::FOUR.cell(0, 1)).map(Digit::number).collect::<Vec<_>>(), [2]);
    assert_eq!(position.at(Order::FOUR.cell(3, 1)).map(Digit::number).collect::<Vec<_>>(), [1, 2]);
    let bad = text.replace("[2]", "[7]");
    assert_eq!(
        errors(Format::Json, &bad),
        ["line 1: row 1, column 2: expected a list of digits, found [7]"]
    );
}

#[test]
fn reads_clues_placed_digits_and_deleted_candidates_from_hodoku() {
    let givens = LINE.replacen("..8.3..", "..8+53..", 1);
    let entries = check(Format::Hodoku, &format!(":0000:5:{givens}:413 122:::\n"), &[LINE]);
    let position = entries[0].position.as_ref().unwrap();
    assert_eq!(position.grid()[Order::NINE.cell(4, 4)], Digit::new(5));
    assert!(!position.at(Order::NINE.cell(0, 2)).contains(Digit::new(4).unwrap()));
    assert_eq!(entries[0].source.as_deref(), Some("0000"));
    let case: ninefold_formats::hodoku::LibraryLine =
        format!(":0901-x:5:{givens}:413:122 133:555:\n").parse().unwrap();
    assert_eq!((case.code.as_str(), case.digits.as_str()), ("0901-x", "5"));
    let nine = |row: usize, column: usize, digit| {
        (Order::NINE.cell(row - 1, column - 1), Digit::new(digit).unwrap())
    };
    assert_eq!(case.eliminations, [nine(2, 2, 1), nine(3, 3, 1)]);
    assert_eq!(case.placements, [nine(5, 5, 5)]);
}

#[test]
fn distinguishes_clues_placed_digits_and_single_candidates() {
    let text = "+-------+-------+\n| 1 +2  | {3} 4 |\n| 34 34 | 1 2   |\n+-------+-------+\n\
                | 2 13  | 4 13  |\n| 34 14 | 2 13  |\n+-------+-------+\n";
    let entries = check(Format::Marks, text, &["1..4..122.4...2."]);
    let position = entries[0].position.as_ref().unwrap();
    assert_eq!(position.grid().to_string(), "12.4..122.4...2.");
    assert_eq!(position.at(Order::FOUR.cell(0, 2)).map(Digit::number).collect::<Vec<_>>(), [3]);
}

#[test]
fn single_candidates_in_other_notations_do_not_become_clues() {
    // All candidates of a puzzle with 30 clues, as other programs draw them. Four cells have a
    // single candidate.
    let entry = Entry::new(LINE.parse().unwrap());
    let drawn = written(Format::Marks, &[entry]);
    assert_eq!(drawn.matches('{').count(), 4, "{drawn}");
    let foreign = drawn.replace(['{', '}'], "");
    let entries = check(Format::Marks, &foreign, &[LINE]);
    assert_eq!(entries[0].puzzle.clue_count(), 30);
    assert_eq!(
        entries[0].position,
        Candidates::new(&entries[0].puzzle).ok(),
        "they remain candidates"
    );
}

#[test]
fn digits_that_are_no_candidates_of_peers_are_filled() {
    // A digit that was removed from all peers is indistinguishable from a clue.
    let mut entry = Entry::new(LINE.parse().unwrap());
    let (_, mut position) = entry.start();
    position.place(Order::NINE.cell(4, 4), Digit::new(5).unwrap());
    entry.position = Some(position.clone());
    let foreign = written(Format::Marks, &[entry]).replace(['{', '}', '+'], " ");
    let back = entries(Format::Marks, &foreign).pop().unwrap();
    assert_eq!(back.position, Some(position));
    assert_eq!(back.puzzle[Order::NINE.cell(4, 4)], Digit::new(5));
}

#[test]
fn forgotten_pencil_marks_do_not_change_the_digits() {
    let text = "+-------+-------+\n| 1 23  | 23 4  |\n| 3 24  | 1  2  |\n+-------+-------+\n\
                | 2 3   | 24 1  |\n| 4 12  | 2  3  |\n+-------+-------+\n";
    let entries = check(Format::Marks, text, &["1..4..1....14..3"]);
    assert_eq!(entries[0].position.as_ref().unwrap().grid().to_string(), "1..43.1223.14.23");
}

#[test]
fn reads_author_clues_state_and_pencil_marks_from_sdk() {
    let rows = |line: &str| {
        (0..9).map(|row| line[row * 9..row * 9 + 9].to_string() + "\n").collect::<String>()
    };
    let state = LINE.replacen("53..7", "534.7", 1);
    let text =
        format!("#ANinefold\n#D A test\n#LEasy\n[Puzzle]\n{}[State]\n{}", rows(LINE), rows(&state));
    let entries = check(Format::Sdk, &text, &[LINE]);
    assert_eq!(entries[0].source.as_deref(), Some("Ninefold"));
    assert_eq!(entries[0].position.as_ref().unwrap().grid().to_string(), state);
    let changed = text.replace("[State]\n534.7", "[State]\n.34.7");
    assert_eq!(
        errors(Format::Sdk, &changed),
        ["line 5: row 1, column 1: the position changes a clue"]
    );
    let marks = format!("{text}[PencilMarks]\n,,,26,,,,,\n{}", ",,,,,,,,\n".repeat(8));
    let position = check(Format::Sdk, &marks, &[LINE]).pop().unwrap().position.unwrap();
    assert_eq!(position.at(Order::NINE.cell(0, 3)).map(Digit::number).collect::<Vec<_>>(), [2, 6]);
    let short = marks.replace(",,,26", "26");
    assert!(errors(Format::Sdk, &short)[0].ends_with("[PencilMarks]: expected 81 cells, found 78"));
    let wrong_state = text.replace("[State]\n534.7", "[State]\n53437");
    let entry = check(Format::Sdk, &wrong_state, &[LINE]).pop().unwrap();
    assert!(
        entry.position.unwrap().grid().conflict().is_some(),
        "digits of the player may be wrong"
    );
}

#[test]
fn reads_clues_digits_and_candidates_from_ss() {
    let entry = full_entry();
    let file = written(Format::Ss, std::slice::from_ref(&entry));
    assert!(file.starts_with("*-----------*\n|53.|.7.|...|\n"), "{file}");
    check(Format::Ss, &file, &[LINE]);
    // Without the digits so far, a digit that is not a candidate of any peer counts as placed.
    let grids: Vec<&str> = file.split("\n\n").collect();
    let two = format!("{}\n\n{}", grids[0], grids[2]);
    let back = check(Format::Ss, &two, &[LINE]).pop().unwrap();
    assert_eq!(back.position, entry.position);
    // The clues alone are an ordinary drawn grid.
    check(Format::Drawn, grids[0], &[LINE]);
}

#[test]
fn links_contain_puzzle_and_position() {
    let entry = full_entry();
    for format in [Format::Sudokuwiki, Format::Fpuzzles, Format::Sudokupad] {
        for entry in [&entry, &Entry::new(entry.puzzle.clone())] {
            let link = written(format, std::slice::from_ref(entry));
            assert!(link.starts_with("https://") && link.lines().count() == 1, "{link}");
            let back = check(format, &link, &[LINE]).pop().unwrap();
            assert_eq!(back.position, entry.position, "{link}");
            // Lists may contain links.
            let list = format!("{LINE}\n{link}{LINE}\n");
            assert_eq!(entries(Format::Line, &list).len(), 3);
        }
    }
    let other = "https://app.crackingthecryptic.com/sudoku/?puzzleid=scfoooooooooooooK";
    assert_eq!(entries(Format::Sudokupad, other)[0].puzzle.clue_count(), 0);
}

#[test]
fn reads_sudokupad_boards_as_json() {
    let cell = |sign: char| {
        if sign == '.' { "{}".to_string() } else { format!("{{\"value\": \"{sign}\"}}") }
    };
    let row = |row: usize| {
        let cells: Vec<String> = LINE[row * 9..row * 9 + 9].chars().map(cell).collect();
        format!("[{}]", cells.join(","))
    };
    let rows: Vec<String> = (0..9).map(row).collect();
    let board = format!(
        "{{\"cellSize\": 50, \"cells\": [{}], \"cages\": [{{\"value\": \"title: Mine\"}}]}}",
        rows.join(",")
    );
    check(Format::Json, &board, &[LINE]);
    let empty = format!("{{\"grid\": [{}], \"thermometer\": [{{}}]}}", rows.join(","));
    let error = &errors(Format::Json, &empty)[0];
    assert!(error.contains("thermometer"), "{error}");
}

#[test]
fn reports_invalid_lines_with_location_and_continues() {
    let text = format!("{LINE}\n{}\n{LINE}\n{}\n{LINE}\n", LINE.replacen('6', "q", 1), &LINE[1..]);
    assert_eq!(
        errors(Format::Line, &text),
        [
            "line 2: row 2, column 1: expected a digit or '.', found \"q\"",
            "line 4: expected 64, 81 or 100 cells, found 80"
        ]
    );
    assert_eq!(
        ninefold_formats::read(Format::Line, text.as_bytes(), None)
            .entries()
            .filter(Result::is_ok)
            .count(),
        3
    );
    assert_eq!(
        errors(
            Format::Csv,
            &format!("quizzes,solutions\n{LINE},{LINE}\n{LINE},{}\n", &SOLUTION[1..])
        ),
        [
            "line 2: the solution breaks the rules or contradicts the clues",
            "line 3: solution: expected 81 cells for a 9×9 grid, found 80"
        ]
    );
    assert_eq!(errors(Format::Csv, "a,b\n1,2\n").len(), 2, "no column for puzzles");
    assert_eq!(errors(Format::Json, "[{\"clues\": 3}]"), ["line 1: the object contains no puzzle"]);
    assert_eq!(errors(Format::Json, "[\n{\"puzzle\": "), ["line 2: the JSON object is incomplete"]);
    assert_eq!(
        errors(Format::Hodoku, ":0000:5:12.:::"),
        ["line 1: expected 81 cells for a 9×9 grid, found 3"]
    );
    assert_eq!(
        errors(Format::Hodoku, &format!(":0000:5:{LINE}:99:::")),
        ["line 1: expected a digit, a row and a column, found \"99\""]
    );
}

#[test]
fn reports_invalid_utf8_and_endless_lines_and_continues() {
    let mut bytes = format!("{LINE}\n").into_bytes();
    bytes.extend([0xFF, 0xFE, b'\n']);
    bytes.extend(vec![b'.'; 3_000_000]);
    bytes.extend(format!("\n{LINE} caf").into_bytes());
    bytes.extend([0xE9, b'\n']);
    let items: Vec<Result<Entry, String>> = ninefold_formats::read(Format::Line, &bytes[..], None)
        .entries()
        .map(|item| item.map_err(|error| error.to_string()))
        .collect();
    assert!(items[0].is_ok() && items[3].is_ok(), "a note in another encoding is harmless");
    assert_eq!(items[1].as_ref().unwrap_err(), "line 2: invalid UTF-8");
    assert_eq!(
        items[2].as_ref().unwrap_err(),
        "line 3: input line or JSON object is longer than 1048576 bytes"
    );
    assert_eq!(items.len(), 4);
}
