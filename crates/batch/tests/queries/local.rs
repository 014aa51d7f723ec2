//! Queries in one process: all input and output formats, and error messages.

use ninefold::generate::{self, GenerateOptions};
use ninefold_batch::{BatchError, Format, Node, Resources};
use std::fs;
use std::io::Write;
use std::path::Path;

const PROPER: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Runs a query and returns its output.
fn rows(query: &str, format: Format) -> Result<Vec<u8>, BatchError> {
    ninefold_batch::block_on(2, async {
        let session = Node::default().local(Resources { threads: 2, memory: 64 << 20 })?;
        let mut written = Vec::new();
        ninefold_batch::run(&session, query, format, &mut written, &mut |_| ()).await?;
        Ok(written)
    })
}

/// The sorted CSV lines without the heading.
fn sorted(query: &str) -> Vec<String> {
    let text = String::from_utf8(
        rows(query, Format::Csv).unwrap_or_else(|error| panic!("{query}: {error}")),
    )
    .unwrap();
    let mut lines: Vec<String> = text.lines().skip(1).map(str::to_string).collect();
    lines.sort();
    lines
}

fn error(query: &str) -> BatchError {
    rows(query, Format::Csv).expect_err(query)
}

fn check(query: &str, expected: &[&str]) {
    assert_eq!(sorted(query), expected, "{query}");
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn in_directory(test: impl FnOnce(&Path, &str)) {
    let directory = tempfile::tempdir().unwrap();
    let name = directory.path().to_string_lossy().into_owned();
    test(directory.path(), &name);
}

#[test]
fn reads_files_of_all_kinds() {
    in_directory(|directory, name| {
        let zeros = PROPER.replace('.', "0");
        fs::write(directory.join("kaggle.csv"), format!("quizzes,solutions\n{zeros},{SOLUTION}\n"))
            .unwrap();
        fs::write(
            directory.join("packed.csv.gz"),
            gzipped(&format!("id,puzzle\n1,{PROPER}\n2,rubbish\n")),
        )
        .unwrap();
        fs::write(directory.join("table.tsv"), format!("id\tpuzzle\n1\t{PROPER}\n")).unwrap();
        fs::write(
            directory.join("lines.jsonl"),
            format!("{{\"puzzle\":\"{PROPER}\"}}\n{{\"puzzle\":null}}\n"),
        )
        .unwrap();
        fs::write(directory.join("list.json"), format!("[{{\"puzzle\":\"{PROPER}\"}}]\n")).unwrap();
        fs::write(directory.join("a.txt"), format!("# two puzzles\n{PROPER}\n1..4..1..3..4..3\n"))
            .unwrap();
        fs::write(directory.join("b.txt"), format!("{PROPER}\n")).unwrap();
        check(&format!("select solve(quizzes) = solutions from '{name}/kaggle.csv'"), &["true"]);
        check(&format!("select id, clues(puzzle) from '{name}/packed.csv.gz'"), &["1,30", "2,"]);
        check(&format!("select solve(puzzle) from '{name}/table.tsv'"), &[SOLUTION]);
        check(
            &format!("select count(*), count(solve(puzzle)) from '{name}/lines.jsonl'"),
            &["2,1"],
        );
        check(&format!("select solve(puzzle) from '{name}/list.json'"), &[SOLUTION]);
        check(&format!("select count(*), count(solve(puzzle)) from '{name}/*.txt'"), &["3,3"]);
        let parquet =
            rows(&format!("select puzzle, solve(puzzle) s from '{name}/a.txt'"), Format::Parquet)
                .unwrap();
        fs::write(directory.join("made.parquet"), parquet).unwrap();
        check(&format!("select s from '{name}/made.parquet' where puzzle like '53%'"), &[SOLUTION]);
    });
}

#[test]
fn writes_tables_csv_and_json() {
    let query = format!(
        "select clues('{PROPER}') as clues, techniques('{PROPER}') like '%Single%' as singles"
    );
    let text = |format| String::from_utf8(rows(&query, format).unwrap()).unwrap();
    assert_eq!(text(Format::Csv), "clues,singles\n30,true\n");
    assert_eq!(text(Format::Json), "{\"clues\":30,\"singles\":true}\n");
    assert!(text(Format::Table).contains("| 30    | true    |"), "{}", text(Format::Table));
    let empty = rows("select solve('x') as a, 1 as b where false", Format::Csv).unwrap();
    assert_eq!(String::from_utf8(empty).unwrap(), "a,b\n");
    let many = |format| {
        String::from_utf8(rows("select * from generate(1, 130, '')", format).unwrap()).unwrap()
    };
    let preview = many(Format::Preview);
    assert!(preview.contains("… and 30 more rows; --format table prints all rows"), "{preview}");
    assert_eq!((preview.lines().count(), many(Format::Table).lines().count()), (105, 134));
}

#[test]
fn rows_without_a_result_are_null() {
    let query = "select why(p), solve(p), solutions(p, 2), is_minimal(p), canonical(p), rate('hodoku', p), techniques(p), \
                 explain_json(p), predict('kaleidoscope', p) from (values ('rubbish'), (null), ('55..............')) as list(p)";
    let lines = sorted(query);
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.ends_with(",,,,,,,,")), "{lines:?}");
    let contains = |words: &str| lines.iter().any(|line| line.contains(words));
    assert!(
        contains("cells, found")
            && contains("too large")
            && lines.contains(&",,,,,,,,".to_string()),
        "{lines:?}"
    );
}

#[test]
fn generated_tables_match_the_library() {
    let options = GenerateOptions::default().with_clues(27..=28);
    let mut expected: Vec<String> = (0..300)
        .map(|number| {
            let generated = generate::generate_one(&options, 7, number).unwrap();
            format!(
                "{number},{},{},{}",
                generated.puzzle,
                generated.solution,
                generated.puzzle.clue_count()
            )
        })
        .collect();
    expected.sort();
    assert_eq!(sorted("select * from generate(7, 300, 'clues 27-28')"), expected);
    check(
        "select count(*), count(distinct puzzle), bool_and(solve(puzzle) = solution) from generate(7, 3000, '')",
        &["3000,3000,true"],
    );
    check("select count(puzzle) from generate(7, 10, '') where clues < 10", &["0"]);
    check("select count(*) from (select puzzle from generate(7, 100000000, '') limit 5)", &["5"]);
}

#[test]
fn predictions_are_the_solution_or_null() {
    let query = "select count(p) > 0, bool_and(p = solution), bool_and((p is null) = (why is not null)) from \
                 (select predict('kaleidoscope', puzzle) p, why_unpredicted('kaleidoscope', puzzle) why, solution \
                 from generate(7, 6, 'clues 32'))";
    check(query, &["true,true,true"]);
}

#[test]
fn reads_numeric_columns_and_quoted_lines() {
    in_directory(|directory, name| {
        let lines: String = (0..3000).map(|id| format!("{id},{PROPER},{SOLUTION}\n")).collect();
        let quoted = format!("3000,\"{PROPER}\",{SOLUTION}\n3001,{PROPER},\n");
        fs::write(directory.join("mixed.csv"), format!("id,puzzle,solution\n{lines}{quoted}"))
            .unwrap();
        let from = format!("from '{name}/mixed.csv'");
        check(&format!("select count(*), sum(id) {from}"), &["3002,4504501"]);
        check(
            &format!("select count(*), count(solution) {from} where solve(puzzle) = '{SOLUTION}'"),
            &["3002,3001"],
        );
        check(&format!("select count(*) {from} where solve(puzzle) = solution"), &["3001"]);
        check(&format!("select id {from} where solution is null"), &["3001"]);
    });
}

#[test]
fn columns_of_other_programs_have_the_usual_names_too() {
    in_directory(|directory, name| {
        let zeros = PROPER.replace('.', "0");
        let tables = [
            ("kaggle.csv", format!("quizzes,solutions\n{zeros},{SOLUTION}\n")),
            ("extreme.csv", format!("source,question,answer,rating\nme,{PROPER},{SOLUTION},3\n")),
            ("ours.csv", format!("puzzle,solution\n{PROPER},{SOLUTION}\n")),
            ("capital.csv", format!("id,Quizzes,Answer\n1,{PROPER},{SOLUTION}\n")),
        ];
        for (file, text) in tables {
            fs::write(directory.join(file), text).unwrap();
            let from = format!("from '{name}/{file}'");
            check(&format!("select solve(puzzle) = solution {from}"), &["true"]);
            check(&format!("select count(*) {from} where clues(puzzle) = 30"), &["1"]);
        }
        let kaggle = format!("from '{name}/kaggle.csv'");
        check(&format!("select * {kaggle}"), &[&format!("{zeros},{SOLUTION}")]);
        check(&format!("select puzzle = quizzes, solution = solutions {kaggle}"), &["true,true"]);
        let lines = String::from_utf8(
            rows(&format!("select *, clues(puzzle) {kaggle}"), Format::Csv).unwrap(),
        )
        .unwrap();
        assert!(lines.starts_with("puzzle,solutions,"), "{lines}");
        let unknown = error(&format!("select rating {kaggle}"));
        assert_eq!(unknown.message, "unknown column rating");
        assert_eq!(unknown.hint.unwrap(), "the columns are quizzes, solutions");
    });
}

#[test]
fn names_of_files_without_quotes_get_a_hint() {
    let missing = error("select * from puzzles.csv");
    assert_eq!(missing.message, "unknown table puzzles.csv");
    assert_eq!(missing.hint.unwrap(), "names of files are in single quotes: from 'puzzles.csv'");
    assert!(error("select * from lists.puzzles.parquet").hint.unwrap().contains("single quotes"));
}

#[test]
fn reports_invalid_files_by_name() {
    in_directory(|directory, name| {
        let file = rows("select puzzle from generate(1, 50, '')", Format::Parquet).unwrap();
        fs::write(directory.join("short.parquet"), &file[..file.len() / 2]).unwrap();
        fs::write(directory.join("rubbish.parquet"), [0xde, 0xad, 0xbe, 0xef].repeat(100)).unwrap();
        fs::write(directory.join("rubbish.csv"), [0xff, 0xfe, 0x00, 0x0a].repeat(100)).unwrap();
        fs::write(directory.join("empty.json"), "").unwrap();
        fs::write(directory.join("list.txt"), format!("{PROPER}\n")).unwrap();
        fs::create_dir(directory.join("nothing")).unwrap();
        for (name_in_query, message) in [
            ("short.parquet", "short.parquet as parquet: "),
            ("rubbish.parquet", "rubbish.parquet as parquet: "),
            ("rubbish.csv", "rubbish.csv as csv: "),
            ("nothing", "nothing is empty"),
            ("absent.csv", "file not found: "),
            ("*.tsv", "no file matches "),
            ("list.docx", "file not found: "),
        ] {
            let error = error(&format!("select * from '{name}/{name_in_query}'"));
            assert!(
                error.message.contains(message) && error.hint.is_some(),
                "{name_in_query}: {error:?}"
            );
        }
        let column = error(&format!("select solve(puzzel) from '{name}/list.txt'"));
        assert_eq!(column.message, "unknown column puzzel");
        assert_eq!(column.hint.unwrap(), "the columns are puzzle");
    });
}

#[test]
fn reports_query_errors_before_running() {
    let cases = [
        ("select rate('see', 'x')", "unknown scale 'see', expected one of effort, se"),
        ("select predict('oracle', 'x')", "unknown model 'oracle', expected one of kaleidoscope"),
        ("select solve('x', 'y')", "solve: expected the arguments (puzzle), found 2"),
        ("select solve(5)", "solve: expected text for puzzle, found Int64"),
        ("select clues(1.5)", "clues: expected text for puzzle, found Float64"),
        ("select solutions('x', 'y')", "solutions: expected bigint for limit, found Utf8"),
        (
            "select rate(puzzle, 'se') from generate(7, 10, '')",
            "rate: 'se' is a scale, not a puzzle; expected rate(scale, puzzle)",
        ),
        (
            "select predict(puzzle, 'kaleidoscope') from generate(7, 10, '')",
            "'kaleidoscope' is a model, not a puzzle; expected predict(model, puzzle)",
        ),
        ("select * from generate(7, 10, 'hardness 3')", "unknown option 'hardness'"),
        ("select * from generate(7, -1, '')", "generate: expected a count of at least 0"),
        ("select * from generate(7)", "generate: expected a seed, a count and options"),
        ("select solv('x')", "solv"),
        ("selec 1", "selec"),
        ("select * from puzzles", "puzzles"),
    ];
    for (query, words) in cases {
        let error = error(query);
        assert!(error.message.contains(words), "{query}: {error:?}");
        assert!(!error.message.contains("No function matches"), "{query}: {error:?}");
        assert!(!error.message.contains('\n'), "{query}: {error:?}");
    }
}

#[test]
fn arrow_streams_contain_all_batches() {
    let query = "select number, puzzle, clues(puzzle) n from generate(7, 3000, 'clues 30')";
    let stream = rows(query, Format::Arrow).unwrap();
    let reader = arrow::ipc::reader::StreamReader::try_new(stream.as_slice(), None).unwrap();
    let names: Vec<String> =
        reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["number", "puzzle", "n"]);
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 3000);
    let empty = rows("select puzzle from generate(7, 3, '') where false", Format::Arrow).unwrap();
    let empty = arrow::ipc::reader::StreamReader::try_new(empty.as_slice(), None).unwrap();
    assert_eq!(empty.schema().fields().len(), 1);
    assert_eq!(empty.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 0);
}

#[cfg(not(feature = "remote"))]
#[test]
fn addresses_are_an_error_without_support() {
    let error = error("select * from 'https://example.org/a.csv'");
    assert!(error.message.contains("local files only"), "{error}");
    assert!(error.hint.unwrap().contains("--features remote"));
}
