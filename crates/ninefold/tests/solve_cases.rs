//! One truth for all solvers: every solver in `search::all()` runs every case of `testdata/solve`.
//!
//! A case is a puzzle, its number of solutions (`"2+"` where there are too many to count) and, where it is the only
//! one, the solution. What a solver leaves out stands in `testdata/solve/exceptions.toml` with the reason; sizes a
//! solver does not take it says itself. `cargo test --test solve_cases -- --nocapture` prints both as one list.

use ninefold::grid::{Grid, text};
use ninefold::search::{self, Limits, Solutions, Solver};
use serde::Deserialize;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

#[test]
fn every_solver_gives_the_right_answer_to_every_case() {
    let truth = Truth::load();
    for solver in search::all() {
        for case in &truth.cases {
            match truth.why_not(*solver, case) {
                Some(why) => println!("{} leaves out {}: {why}", solver.name(), case.name),
                None => check(*solver, case),
            }
        }
    }
}

#[test]
fn the_cases_themselves_are_in_order() {
    let truth = Truth::load();
    let mut names = HashSet::new();
    for case in &truth.cases {
        assert!(names.insert(&case.name), "two cases are called {}", case.name);
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
    assert!(truth.cases.len() > 50, "only {} cases were found", truth.cases.len());
}

#[test]
fn every_exception_names_a_solver_and_cases_that_exist() {
    let truth = Truth::load();
    for exception in &truth.exceptions {
        let Exception { solver, cases, why } = exception;
        assert!(search::by_name(solver).is_some(), "there is no solver {solver}");
        assert!(!why.is_empty(), "an exception for {solver} gives no reason");
        for name in cases {
            assert!(truth.cases.iter().any(|case| case.name == *name), "there is no case {name}");
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
            assert!(seen.insert(solution.to_string()), "{who} shows {solution} twice");
            ControlFlow::Continue(())
        });
        assert_eq!(effort.expect(&who).stop, None, "{who}");
        assert_eq!(seen.len() as u64, expected, "{who}");
    }
}

/// All cases and all exceptions.
struct Truth {
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
    /// Where it comes from or what is special, for the reader.
    #[serde(rename = "about")]
    _about: Option<String>,
    /// The shape of the boxes where it is not the usual one, for example `3x2`.
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

impl Truth {
    fn load() -> Truth {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/solve");
        let mut truth = Truth { cases: Vec::new(), exceptions: Vec::new() };
        let entries = std::fs::read_dir(folder).expect("testdata/solve is there");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a case file is text");
            let File { cases, exceptions } =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            truth.cases.extend(cases);
            truth.exceptions.extend(exceptions);
        }
        truth
    }

    /// Why the solver leaves this case out, if it does.
    fn why_not(&self, solver: &dyn Solver, case: &Case) -> Option<String> {
        let order = case.puzzle().order();
        if !solver.takes(order) {
            return Some(format!("it does not take {order} grids"));
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
            self.boxes.as_ref().map(|boxes| boxes.parse().expect("boxes are a shape such as 3x2"));
        text::read_position(grid, boxes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

impl Expected {
    fn is_many(self) -> bool {
        !matches!(self, Expected::Exactly(0 | 1))
    }
}
