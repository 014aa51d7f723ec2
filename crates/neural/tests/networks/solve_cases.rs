//! Runs all cases of `testdata/solve` with the Hopfield solver.

use ninefold::grid::{Grid, Order, ParseGridError, text};
use ninefold::search::{Limits, Solutions, Solver, StopReason, Walk};
use ninefold_neural::models::hopfield::{
    Choice, Config, HintPolicy, Hopfield, Kind, NoSolutionReason, Outcome, Trace, solve,
};
use serde::Deserialize;
use std::path::Path;

#[test]
fn every_case_has_the_expected_outcome() {
    for case in cases() {
        for config in configs() {
            case.check(&solve(&case.grid(&case.puzzle), &config, &Limits::none()), &config);
        }
    }
}

#[test]
fn solver_trait_gives_the_same_answers() {
    for hopfield in Hopfield::ALL {
        for case in cases() {
            let context = format!("{} on {}", hopfield.name(), case.name);
            let solutions = hopfield
                .prove(&case.grid(&case.puzzle), &Limits::none())
                .unwrap()
                .solutions
                .expect(&context);
            match case.expected() {
                0 => assert_eq!(solutions, Solutions::Zero, "{context}"),
                1 => assert_eq!(solutions, Solutions::One(case.solution().unwrap()), "{context}"),
                _ => assert!(matches!(solutions, Solutions::Many(..)), "{context}"),
            }
        }
        let (count, effort) =
            hopfield.count(&Grid::empty(Order::FOUR), 1_000, &Limits::none()).unwrap();
        assert_eq!((count, effort.stop), (288, None));
        assert_eq!(Hopfield::by_name(hopfield.name()), Some(*hopfield));
    }
}

#[test]
fn unsolvable_puzzles_have_a_reason() {
    let reason = |puzzle: &str| {
        let puzzle = text::parse_position(puzzle, None).unwrap();
        match solve(&puzzle, &Config::paper(), &Limits::none()).outcome {
            Outcome::NoSolution(reason) => reason,
            other => panic!("{puzzle}: {other:?}"),
        }
    };
    assert!(
        matches!(reason("11.............."), NoSolutionReason::Conflict(_)),
        "two equal clues in row 1"
    );
    assert_eq!(reason("123........4...."), NoSolutionReason::NoValueFor(Order::FOUR.cell(0, 3)));
    assert!(
        matches!(reason("12....4........."), NoSolutionReason::Conflict(_)),
        "two cells of row 1 are forced to 3"
    );
    let no_one_in_row_1 =
        "23..........1...........1.............1..........................................";
    assert_eq!(
        reason(no_one_in_row_1),
        NoSolutionReason::Searched,
        "each cell of row 1 has a candidate, but none has 1"
    );
    let altered =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286171";
    assert!(matches!(reason(altered), NoSolutionReason::Conflict(_)), "full boards are checked");
}

#[test]
fn wrong_length_is_a_parse_error() {
    assert!(matches!("53..7".parse::<Grid>(), Err(ParseGridError::WrongLength { .. })));
}

#[test]
fn limits_give_unfinished_traces() {
    let empty = Grid::empty(Order::NINE);
    for nodes in [0, 1, 2, 10] {
        let trace = solve(&empty, &Config::paper(), &Limits::none().with_nodes(nodes));
        assert_eq!(
            trace.outcome,
            Outcome::Unfinished { found: None, stop: StopReason::Nodes },
            "{nodes}"
        );
        assert_eq!(trace.effort.stop, Some(StopReason::Nodes));
    }
    let trace =
        solve(&empty, &Config::paper(), &Limits::none().with_time(std::time::Duration::ZERO));
    assert_eq!(trace.outcome, Outcome::Unfinished { found: None, stop: StopReason::Time });
    let cancelled = std::sync::atomic::AtomicBool::new(true);
    let trace = solve(&empty, &Config::paper(), &Limits::none().with_cancel(&cancelled));
    assert_eq!(trace.outcome, Outcome::Unfinished { found: None, stop: StopReason::Cancelled });
}

/// The settings of the paper, and each option once.
fn configs() -> Vec<Config> {
    let mut configs: Vec<Config> =
        Choice::ALL.iter().map(|&choice| Config { choice, ..Config::paper() }).collect();
    configs.push(Config { hint_policy: HintPolicy::WhenStuck, ..Config::paper() });
    configs.push(Config { kind: Kind::Dynamics, seed: 5, ..Config::paper() });
    // Few boards for A*, so that the fast solver is needed.
    configs.iter_mut().for_each(|config| config.astar_nodes = 1_000);
    configs
}

fn cases() -> Vec<Case> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/solve");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(directory).expect("cannot read testdata/solve") {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let file: File = toml::from_str(&text).unwrap();
        cases.extend(file.cases);
    }
    assert!(cases.len() > 50, "found only {} cases", cases.len());
    cases
}

#[derive(Deserialize)]
struct File {
    #[serde(default, rename = "case")]
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    boxes: Option<String>,
    puzzle: String,
    solutions: toml::Value,
    solution: Option<String>,
}

impl Case {
    /// Number of solutions; 2 means several.
    fn expected(&self) -> i64 {
        self.solutions.as_integer().unwrap_or(2).min(2)
    }

    fn solution(&self) -> Option<Grid> {
        self.solution.as_ref().map(|solution| self.grid(solution))
    }

    fn grid(&self, grid: &str) -> Grid {
        let boxes =
            self.boxes.as_ref().map(|boxes| boxes.parse().expect("boxes are a shape such as 3x2"));
        text::parse_position(grid, boxes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn check(&self, trace: &Trace, config: &Config) {
        let puzzle = self.grid(&self.puzzle);
        let context = format!("{} with {config:?}", self.name);
        match (&trace.outcome, self.expected()) {
            (Outcome::Solved(grid), 1) => {
                assert_eq!(Some(grid), self.solution().as_ref(), "{context}")
            }
            (Outcome::NoSolution(_), 0) => {}
            (Outcome::Several(one, other), 2) => {
                assert!(one != other && one.solves(&puzzle) && other.solves(&puzzle), "{context}");
            }
            (outcome, expected) => {
                panic!("{context}: expected {expected} solutions, found {outcome:?}")
            }
        }
        assert!(trace.hints() <= puzzle.empty_cells().count(), "{context}");
        assert!(trace.runs() <= trace.hints() + puzzle.empty_cells().count() + 1, "{context}");
    }
}
