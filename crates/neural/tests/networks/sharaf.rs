//! Reproduces the trace of the paper for its sample board.

use ninefold::grid::{Cell, Digit, DigitSet, Grid, Order};
use ninefold::search::Limits;
use ninefold_neural::models::hopfield::{
    Config, HintPolicy, Kind, Outcome, Readout, Step, Trace, solve,
};

/// The sample board of the paper.
const SAMPLE: [[u8; 9]; 9] = [
    [8, 9, 1, 2, 7, 4, 5, 6, 0],
    [6, 0, 3, 1, 8, 5, 9, 0, 0],
    [4, 5, 7, 6, 3, 9, 0, 0, 0],
    [5, 0, 6, 4, 1, 7, 2, 3, 0],
    [7, 4, 2, 9, 0, 3, 8, 1, 0],
    [3, 1, 0, 0, 2, 6, 0, 5, 0],
    [9, 3, 8, 5, 4, 0, 6, 7, 0],
    [1, 6, 4, 7, 9, 0, 3, 2, 0],
    [0, 7, 5, 3, 6, 1, 4, 9, 0],
];

/// The board of the paper after the first iteration.
const AFTER_ONE_RUN: [[u8; 9]; 9] = [
    [8, 9, 1, 2, 7, 4, 5, 6, 3],
    [6, 2, 3, 1, 8, 5, 9, 4, 0],
    [4, 5, 7, 6, 3, 9, 1, 8, 0],
    [5, 8, 6, 4, 1, 7, 2, 3, 9],
    [7, 4, 2, 9, 5, 3, 8, 1, 6],
    [3, 1, 9, 8, 2, 6, 7, 5, 0],
    [9, 3, 8, 5, 4, 2, 6, 7, 1],
    [1, 6, 4, 7, 9, 8, 3, 2, 0],
    [2, 7, 5, 3, 6, 1, 4, 9, 8],
];

/// The final board of the paper.
const SOLVED: [[u8; 9]; 9] = [
    [8, 9, 1, 2, 7, 4, 5, 6, 3],
    [6, 2, 3, 1, 8, 5, 9, 4, 7],
    [4, 5, 7, 6, 3, 9, 1, 8, 2],
    [5, 8, 6, 4, 1, 7, 2, 3, 9],
    [7, 4, 2, 9, 5, 3, 8, 1, 6],
    [3, 1, 9, 8, 2, 6, 7, 5, 4],
    [9, 3, 8, 5, 4, 2, 6, 7, 1],
    [1, 6, 4, 7, 9, 8, 3, 2, 5],
    [2, 7, 5, 3, 6, 1, 4, 9, 8],
];

fn board(rows: [[u8; 9]; 9]) -> Grid {
    Grid::from_numbers(Order::NINE, rows.as_flattened()).expect("9×9 digits")
}

/// A cell in the numbering of the paper, from 0.
fn cell(row: usize, column: usize) -> Cell {
    Order::NINE.cell(row, column)
}

fn digits(numbers: &[u8]) -> DigitSet {
    numbers.iter().filter_map(|&number| Digit::new(number)).collect()
}

fn trace(config: &Config) -> Trace {
    solve(&board(SAMPLE), config, &Limits::none())
}

#[test]
fn sample_board_gives_the_trace_of_the_paper() {
    let Trace { puzzle, steps, outcome, .. } = trace(&Config::paper());
    assert_eq!(puzzle.empty_cells().count(), 21);
    let [first, choice, Step::CoProcessor(search), hint, second] = &steps[..] else {
        panic!("unexpected steps: {steps:?}")
    };

    let Step::Run { number: 1, readout, board: after, convergence: None } = first else {
        panic!("{first:?}")
    };
    assert_eq!(readout.certain.len(), 17);
    assert_eq!(*after, board(AFTER_ONE_RUN));
    let confused = [
        (cell(1, 8), digits(&[2, 4, 7])),
        (cell(2, 8), digits(&[1, 2, 8])),
        (cell(5, 8), digits(&[4, 7, 9])),
        (cell(7, 8), digits(&[5, 8])),
    ];
    assert_eq!(readout.uncertain, confused);

    assert_eq!(*choice, Step::Choice { cell: cell(1, 8), index: Some(3) });
    assert_eq!(search.solver, "astar");
    assert_eq!(*hint, Step::Hint { cell: cell(1, 8), digit: Digit::new(7).unwrap() });

    let Step::Run { number: 2, readout, board: after, .. } = second else { panic!("{second:?}") };
    assert_eq!((readout.certain.len(), readout.uncertain.len()), (3, 0));
    assert_eq!(*after, board(SOLVED));
    assert_eq!(outcome, Outcome::Solved(board(SOLVED)));
}

#[test]
fn a_second_run_needs_no_hint() {
    // The paper requests a hint after the first run. A second run would make the four cells
    // certain.
    let trace = trace(&Config { hint_policy: HintPolicy::WhenStuck, ..Config::paper() });
    assert_eq!((trace.runs(), trace.hints()), (2, 0));
    assert_eq!(trace.outcome, Outcome::Solved(board(SOLVED)));
}

#[test]
fn co_processor_searches_once_per_puzzle() {
    let puzzle: Grid =
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
            .parse()
            .unwrap();
    let trace =
        solve(&puzzle, &Config { astar_nodes: u64::MAX, ..Config::paper() }, &Limits::none());
    let searches = trace.steps.iter().filter(|step| matches!(step, Step::CoProcessor(_))).count();
    assert!(trace.hints() > 5, "{}", trace.hints());
    assert_eq!(searches, 1);
    assert!(matches!(trace.outcome, Outcome::Solved(_)));
}

#[test]
fn trace_as_text() {
    let expected = "\
Puzzle: 9×9 with 21 empty cells
Network run 1: 17 certain cells
  8 9 1 | 2 7 4 | 5 6 3
  6 2 3 | 1 8 5 | 9 4 .
  4 5 7 | 6 3 9 | 1 8 .
  ------+-------+------
  5 8 6 | 4 1 7 | 2 3 9
  7 4 2 | 9 5 3 | 8 1 6
  3 1 9 | 8 2 6 | 7 5 .
  ------+-------+------
  9 3 8 | 5 4 2 | 6 7 1
  1 6 4 | 7 9 8 | 3 2 .
  2 7 5 | 3 6 1 | 4 9 8
  r2c9 could be 2 4 7
  r3c9 could be 1 2 8
  r6c9 could be 4 7 9
  r8c9 could be 5 8
Chosen: r2c9, it has the highest commonality index, 3
Co-processor astar: 22 boards, one solution, which is kept
Hint: 7 goes into r2c9
Network run 2: 3 certain cells
  8 9 1 | 2 7 4 | 5 6 3
  6 2 3 | 1 8 5 | 9 4 7
  4 5 7 | 6 3 9 | 1 8 2
  ------+-------+------
  5 8 6 | 4 1 7 | 2 3 9
  7 4 2 | 9 5 3 | 8 1 6
  3 1 9 | 8 2 6 | 7 5 4
  ------+-------+------
  9 3 8 | 5 4 2 | 6 7 1
  1 6 4 | 7 9 8 | 3 2 5
  2 7 5 | 3 6 1 | 4 9 8
Solved in 2 network runs with 1 hint; this is the only solution
";
    assert_eq!(trace(&Config::paper()).to_string(), expected);
}

#[test]
fn trace_as_json() {
    let json = serde_json::to_value(trace(&Config::paper())).unwrap();
    assert_eq!(json["size"], "9×9");
    assert_eq!((&json["runs"], &json["hints"]), (&2.into(), &1.into()));
    assert_eq!(
        (&json["answer"], &json["solution"]),
        (&"unique".into(), &board(SOLVED).to_string().into())
    );
    let steps = json["steps"].as_array().unwrap();
    let kinds: Vec<&str> = steps.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run", "choice", "co-processor", "hint", "run"]);
    assert_eq!(steps[0]["certain"].as_array().unwrap().len(), 17);
    assert_eq!(steps[0]["uncertain"][2], serde_json::json!({"cell": "r6c9", "digits": [4, 7, 9]}));
    assert_eq!(steps[0]["board"], board(AFTER_ONE_RUN).to_string());
    assert_eq!(steps[1], serde_json::json!({"step": "choice", "cell": "r2c9", "index": 3}));
    assert_eq!(
        steps[2],
        serde_json::json!({"step": "co-processor", "solver": "astar", "nodes": 22, "answer": "unique"})
    );
    assert_eq!(steps[3], serde_json::json!({"step": "hint", "cell": "r2c9", "digit": 7}));
}

#[test]
fn real_hopfield_network_solves_the_board_with_hints() {
    let trace = trace(&Config { kind: Kind::Dynamics, ..Config::paper() });
    assert_eq!(trace.outcome, Outcome::Solved(board(SOLVED)));
    let Some(Step::Run { readout, convergence: Some(convergence), .. }) =
        trace.steps.iter().rev().find(|step| matches!(step, Step::Run { .. }))
    else {
        panic!("there is no run of the network")
    };
    assert_eq!(convergence.energy_after, 0);
    assert_eq!(*readout, Readout { certain: readout.certain.clone(), ..Readout::default() });
}
