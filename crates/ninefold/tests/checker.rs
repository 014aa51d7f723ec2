//! The checker is no rubber stamp: a step that says too much, or whose proof is damaged, is refused.

use ninefold::explain::Explanation;
use ninefold::grid::{Candidates, Grid, House, Position};
use ninefold::logic::{all_steps, default_order};
use ninefold::proof::{Because, Candidate, OneOf, Step, Strong, Technique, Truth, check};

/// A random minimal puzzle of our own with fish, chains, wings and a unique rectangle on its path.
const PUZZLE: &str =
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";

fn path() -> Explanation {
    ninefold::explain(&PUZZLE.parse().unwrap()).unwrap()
}

/// Changes each step of the path that `change` can be applied to; the checker must refuse all of them.
fn check_refused(change: impl Fn(&Step, &Candidates, &Grid) -> Option<Step>) {
    let path = path();
    let solution = path.last.grid();
    let mut refused = 0;
    for (position, step) in path.positions() {
        assert_eq!(check(step, path.puzzle(), &position), Ok(()));
        if let Some(changed) = change(step, &position, solution) {
            let answer = check(&changed, path.puzzle(), &position);
            assert!(answer.is_err(), "{} was accepted: {changed:?}", changed.one_line(&position));
            refused += 1;
        }
    }
    assert!(refused > 0, "no step could be changed in this way");
}

#[test]
fn a_digit_of_the_solution_cannot_be_removed() {
    check_refused(|step, position, solution| {
        let cell = step.removes.first()?.cell;
        let true_one = Candidate::new(cell, solution[cell]?);
        position
            .at(cell)
            .contains(true_one.digit)
            .then(|| Step { removes: vec![true_one], ..step.clone() })
    });
}

#[test]
fn a_wrong_digit_cannot_be_placed() {
    check_refused(|step, position, solution| {
        let wrong = position.grid().empty_cells().find_map(|cell| {
            let digit =
                position.at(cell).into_iter().find(|&digit| solution[cell] != Some(digit))?;
            Some(Candidate::new(cell, digit))
        })?;
        Some(Step { places: vec![wrong], removes: Vec::new(), ..step.clone() })
    });
}

#[test]
fn a_step_must_conclude_something_that_is_still_open() {
    check_refused(|step, _, _| {
        Some(Step { places: Vec::new(), removes: Vec::new(), ..step.clone() })
    });
    check_refused(|step, position, _| {
        let (filled, digit) = position.grid().clues().next()?;
        Some(Step { removes: vec![Candidate::new(filled, digit)], ..step.clone() })
    });
}

#[test]
fn a_count_with_one_truth_less_proves_nothing() {
    check_refused(|step, _, _| {
        let Because::Count(mut count) = step.because.clone() else { return None };
        // The guardians of a deadly pattern are the heart of its proof, too.
        count.truths.pop();
        Some(Step { because: Because::Count(count), ..step.clone() })
    });
}

#[test]
fn a_chain_without_a_link_or_with_a_false_one_is_refused() {
    check_refused(|step, _, _| {
        let Because::Chain(mut chain) = step.because.clone() else { return None };
        chain.nodes.drain(..2);
        chain.strong.remove(0);
        Some(Step { because: Because::Chain(chain), ..step.clone() })
    });
    check_refused(|step, position, _| {
        let Because::Chain(mut chain) = step.because.clone() else { return None };
        let cell = position.grid().empty_cells().find(|&cell| position.at(cell).count() > 2)?;
        chain.strong[0] = Strong::OneOf(OneOf::Cell(cell));
        Some(Step { because: Because::Chain(chain), ..step.clone() })
    });
}

#[test]
fn a_deadly_pattern_with_a_given_or_an_unbalanced_house_is_refused() {
    check_refused(|step, position, _| {
        let Because::Count(mut count) = step.because.clone() else { return None };
        let Some(Truth::Guardians(deadly)) = count.truths.first_mut() else { return None };
        let elsewhere = position
            .grid()
            .empty_cells()
            .find(|c| deadly.cells.iter().all(|(cell, _)| cell != c))?;
        deadly.cells[0].0 = elsewhere;
        Some(Step { because: Because::Count(count), ..step.clone() })
    });
}

#[test]
fn a_proof_by_cases_needs_all_cases_and_a_contradiction_its_premises() {
    // AI Escargot needs forcing chains and nets from early on.
    let puzzle: Grid =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
            .parse()
            .unwrap();
    let start = Position::start(&puzzle).unwrap();
    let mut refused = 0;
    for technique in
        [Technique::CellForcingChain, Technique::HouseForcingChain, Technique::ForcingNet]
    {
        for step in all_steps(technique, &start).into_iter().take(50) {
            assert_eq!(check(&step, &puzzle, start.candidates()), Ok(()));
            let damaged = match step.because.clone() {
                Because::Cases(of, mut branches) => {
                    branches.pop();
                    Because::Cases(of, branches)
                }
                Because::Contradiction(mut branch) => {
                    branch.remove(1);
                    Because::Contradiction(branch)
                }
                other => panic!("{other:?} is no proof by cases"),
            };
            let damaged = Step { because: damaged, ..step };
            assert!(check(&damaged, &puzzle, start.candidates()).is_err(), "{damaged:?}");
            refused += 1;
        }
    }
    assert!(refused > 0);
}

#[test]
fn a_full_house_is_no_proof_in_another_house() {
    check_refused(|step, _, _| {
        let Because::LastPlaceIn(house) = step.because else { return None };
        let other = match house {
            House::Row(number) => House::Row((number + 1) % 9),
            House::Column(number) => House::Column((number + 1) % 9),
            House::Box(number) => House::Box((number + 1) % 9),
        };
        Some(Step { because: Because::LastPlaceIn(other), ..step.clone() })
    });
}

#[test]
fn no_finder_leaves_the_position_it_was_given() {
    let puzzle: Grid = PUZZLE.parse().unwrap();
    let position = Position::start(&puzzle).unwrap();
    for technique in default_order() {
        let twice = [all_steps(technique, &position), all_steps(technique, &position)];
        assert_eq!(twice[0], twice[1], "{technique}");
        assert!(twice[0].iter().all(|step| step.technique == technique), "{technique}");
    }
}
