//! The truth of all solvers holds for the Hopfield network too: it runs every case of `testdata/solve`.

use neural::models::hopfield::{
    Asking, Choice, Config, Hopfield, Kind, Outcome, Trace, Why, solve,
};
use ninefold::grid::{Grid, Order, ParseGridError, text};
use ninefold::search::{Limits, Solutions, Solver, Stop, Walk};
use serde::Deserialize;
use std::path::Path;

#[test]
fn every_case_ends_as_it_should() {
    for case in cases() {
        for config in configs() {
            case.check(&solve(&case.grid(&case.puzzle), &config, &Limits::none()), &config);
        }
    }
}

#[test]
fn as_a_solver_it_gives_the_same_answers() {
    for hopfield in Hopfield::ALL {
        for case in cases() {
            let who = format!("{} on {}", hopfield.name(), case.name);
            let solutions = hopfield
                .prove(&case.grid(&case.puzzle), &Limits::none())
                .unwrap()
                .solutions
                .expect(&who);
            match case.expected() {
                0 => assert_eq!(solutions, Solutions::Zero, "{who}"),
                1 => assert_eq!(solutions, Solutions::One(case.solution().unwrap()), "{who}"),
                _ => assert!(matches!(solutions, Solutions::Many(..)), "{who}"),
            }
        }
        let (count, effort) =
            hopfield.count(&Grid::empty(Order::FOUR), 1_000, &Limits::none()).unwrap();
        assert_eq!((count, effort.stop), (288, None));
        assert_eq!(Hopfield::by_name(hopfield.name()), Some(*hopfield));
    }
}

#[test]
fn no_solution_comes_with_the_reason() {
    let why = |puzzle: &str| {
        let puzzle = text::read_position(puzzle, None).unwrap();
        match solve(&puzzle, &Config::paper(), &Limits::none()).outcome {
            Outcome::NoSolution(why) => why,
            other => panic!("{puzzle}: {other:?}"),
        }
    };
    assert!(matches!(why("11.............."), Why::Conflict(_)), "two clues clash");
    assert_eq!(why("123........4...."), Why::NoValueFor(Order::FOUR.cell(0, 3)));
    assert!(
        matches!(why("12....4........."), Why::Conflict(_)),
        "two cells of row 1 are forced to take a 3"
    );
    let no_one_in_row_1 =
        "23..........1...........1.............1..........................................";
    assert_eq!(
        why(no_one_in_row_1),
        Why::Searched,
        "each cell of row 1 has a digit left, but none of them is a 1"
    );
    let altered =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286171";
    assert!(matches!(why(altered), Why::Conflict(_)), "a full board is checked too");
}

#[test]
fn a_text_of_the_wrong_length_never_reaches_the_network() {
    assert!(matches!("53..7".parse::<Grid>(), Err(ParseGridError::WrongLength { .. })));
}

#[test]
fn a_limit_ends_in_an_unfinished_trace() {
    let empty = Grid::empty(Order::NINE);
    for nodes in [0, 1, 2, 10] {
        let trace = solve(&empty, &Config::paper(), &Limits::nodes(nodes));
        assert_eq!(
            trace.outcome,
            Outcome::Unfinished { found: None, stop: Stop::Nodes },
            "{nodes}"
        );
        assert_eq!(trace.effort.stop, Some(Stop::Nodes));
    }
    let trace = solve(&empty, &Config::paper(), &Limits::time(std::time::Duration::ZERO));
    assert_eq!(trace.outcome, Outcome::Unfinished { found: None, stop: Stop::Time });
    let cancelled = true.into();
    let trace = solve(&empty, &Config::paper(), &Limits::cancelled_by(&cancelled));
    assert_eq!(trace.outcome, Outcome::Unfinished { found: None, stop: Stop::Cancelled });
}

/// The paper's way, and each option once.
fn configs() -> Vec<Config> {
    let mut configs: Vec<Config> =
        Choice::ALL.iter().map(|&choice| Config { choice, ..Config::paper() }).collect();
    configs.push(Config { asking: Asking::WhenStuck, ..Config::paper() });
    configs.push(Config { kind: Kind::Dynamics, seed: 5, ..Config::paper() });
    // Few boards for A*, so that the fast solver has to step in.
    configs.iter_mut().for_each(|config| config.astar_nodes = 1_000);
    configs
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/solve");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).expect("testdata/solve is there") {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let file: File = toml::from_str(&text).unwrap();
        cases.extend(file.cases);
    }
    assert!(cases.len() > 50, "only {} cases were found", cases.len());
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
    /// How many solutions there are; 2 stands for several.
    fn expected(&self) -> i64 {
        self.solutions.as_integer().unwrap_or(2).min(2)
    }

    fn solution(&self) -> Option<Grid> {
        self.solution.as_ref().map(|solution| self.grid(solution))
    }

    fn grid(&self, grid: &str) -> Grid {
        let boxes =
            self.boxes.as_ref().map(|boxes| boxes.parse().expect("boxes are a shape such as 3x2"));
        text::read_position(grid, boxes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn check(&self, trace: &Trace, config: &Config) {
        let puzzle = self.grid(&self.puzzle);
        let who = format!("{} with {config:?}", self.name);
        match (&trace.outcome, self.expected()) {
            (Outcome::Solved(grid), 1) => assert_eq!(Some(grid), self.solution().as_ref(), "{who}"),
            (Outcome::NoSolution(_), 0) => {}
            (Outcome::Several(one, other), 2) => {
                assert!(one != other && one.solves(&puzzle) && other.solves(&puzzle), "{who}");
            }
            (outcome, expected) => panic!("{who}: {outcome:?} instead of {expected}"),
        }
        assert!(trace.hints() <= puzzle.empty_cells().count(), "{who}");
        assert!(trace.runs() <= trace.hints() + puzzle.empty_cells().count() + 1, "{who}");
    }
}
