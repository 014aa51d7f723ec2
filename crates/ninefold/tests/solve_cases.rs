//! Every solver in `search::all()` runs every case of `testdata/solve`.
//!
//! A case is a puzzle, its number of solutions (`"2+"` if there are too many to count) and the
//! solution if it is unique. Skipped cases are listed with a reason in
//! `testdata/solve/exceptions.toml`; cases of unsupported sizes are skipped automatically.
//! `cargo test --test solve_cases -- --nocapture` prints all skipped cases.

use ninefold::grid::{Grid, text};
use ninefold::search::{self, Limits, Solutions, Solver};
use serde::Deserialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

#[test]
fn every_solver_solves_every_case() {
    let data = TestData::load();
    for solver in search::all() {
        for case in &data.cases {
            match data.skip_reason(*solver, case) {
                Some(reason) => println!("{} skips {}: {reason}", solver.name(), case.name),
                None => check(*solver, case),
            }
        }
    }
}

#[test]
fn cases_are_consistent() {
    let data = TestData::load();
    let mut names = HashSet::new();
    for case in &data.cases {
        assert!(names.insert(&case.name), "two cases are named {}", case.name);
        assert_eq!(
            case.solution.is_some(),
            case.solutions == Expected::Exactly(1),
            "{}: the solution is given if and only if it is the only one",
            case.name
        );
        if let Some(solution) = case.solution() {
            assert!(
                solution.solves(&case.puzzle()),
                "{}: the solution does not solve the puzzle",
                case.name
            );
        }
    }
    assert!(data.cases.len() > 50, "only {} cases were found", data.cases.len());
}

#[test]
fn exceptions_refer_to_existing_solvers_and_cases() {
    let data = TestData::load();
    for exception in &data.exceptions {
        let Exception { solver, cases, why } = exception;
        assert!(search::by_name(solver).is_some(), "unknown solver {solver}");
        assert!(!why.is_empty(), "an exception for {solver} has no reason");
        for name in cases {
            assert!(data.cases.iter().any(|case| case.name == *name), "unknown case {name}");
        }
    }
}

fn check(solver: &dyn Solver, case: &Case) {
    let puzzle = case.puzzle();
    let who = format!("{} on {}", solver.name(), case.name);
    let proof = solver.prove(&puzzle, &Limits::none()).expect(&who);
    assert_eq!(proof.effort.stop.is_some(), case.solutions.is_many(), "{who}: {:?}", proof.effort);
    match proof.solutions.expect(&who) {
        Solutions::Zero => assert_eq!(case.solutions, Expected::Exactly(0), "{who}"),
        Solutions::One(only) => {
            assert_eq!(case.solutions, Expected::Exactly(1), "{who}");
            assert_eq!(Some(only), case.solution(), "{who}");
        }
        Solutions::Many(one, other) => {
            assert!(case.solutions.is_many(), "{who}");
            assert!(one != other && one.solves(&puzzle) && other.solves(&puzzle), "{who}");
        }
    }
    if let Expected::Exactly(expected @ 2..) = case.solutions {
        let mut seen = HashSet::new();
        let effort = solver.search(&puzzle, &Limits::none(), &mut |solution| {
            assert!(seen.insert(solution.to_string()), "{who} found {solution} twice");
            ControlFlow::Continue(())
        });
        assert_eq!(effort.expect(&who).stop, None, "{who}");
        assert_eq!(seen.len() as u64, expected, "{who}");
    }
}

/// All cases and all exceptions.
struct TestData {
    cases: Vec<Case>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "case")]
    cases: Vec<Case>,
    #[serde(default, rename = "exception")]
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The source or a remark, for the reader.
    #[serde(rename = "about")]
    _about: Option<String>,
    /// The shape of the boxes if it is not the default, for example `3x2`.
    boxes: Option<String>,
    puzzle: String,
    solutions: Expected,
    solution: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Expected {
    Exactly(u64),
    Many(TwoOrMore),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum TwoOrMore {
    #[serde(rename = "2+")]
    TwoOrMore,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    solver: String,
    cases: Vec<String>,
    why: String,
}

impl TestData {
    fn load() -> TestData {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/solve");
        let mut data = TestData { cases: Vec::new(), exceptions: Vec::new() };
        let entries = std::fs::read_dir(directory).expect("testdata/solve exists");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("the directory can be listed").path()).collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a case file is UTF-8 text");
            let File { cases, exceptions } =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            data.cases.extend(cases);
            data.exceptions.extend(exceptions);
        }
        data
    }

    /// Why the solver skips this case, if it does.
    fn skip_reason(&self, solver: &dyn Solver, case: &Case) -> Option<String> {
        let order = case.puzzle().order();
        if !solver.supports(order) {
            return Some(format!("it does not support {order} grids"));
        }
        let listed = |exception: &&Exception| {
            exception.solver == solver.name() && exception.cases.contains(&case.name)
        };
        self.exceptions.iter().find(listed).map(|exception| exception.why.clone())
    }
}

impl Case {
    fn puzzle(&self) -> Grid {
        self.read(&self.puzzle)
    }

    fn solution(&self) -> Option<Grid> {
        self.solution.as_ref().map(|solution| self.read(solution))
    }

    fn read(&self, grid: &str) -> Grid {
        let boxes =
            self.boxes.as_ref().map(|boxes| boxes.parse().expect("boxes are a valid shape"));
        text::parse_position(grid, boxes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

impl Expected {
    fn is_many(self) -> bool {
        !matches!(self, Expected::Exactly(0 | 1))
    }
}
