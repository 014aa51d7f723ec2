//! The checker rejects steps with wrong conclusions and steps with damaged proofs.

use ninefold::explain::Explanation;
use ninefold::grid::{Candidates, Grid, House, Position};
use ninefold::logic::{all_steps, default_order};
use ninefold::proof::{Candidate, OneOf, Reason, Step, Strong, Technique, Truth, check};

/// A random minimal puzzle whose explanation contains fish, chains, wings and a unique rectangle.
const PUZZLE: &str =
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";

fn path() -> Explanation {
    ninefold::explain(&PUZZLE.parse().unwrap()).unwrap()
}

/// Applies `change` to each step where it returns one. The checker must reject all changed steps.
fn check_rejects(change: impl Fn(&Step, &Candidates, &Grid) -> Option<Step>) {
    let path = path();
    let solution = path.last.grid();
    let mut rejected = 0;
    for (position, step) in path.positions() {
        assert_eq!(check(step, path.puzzle(), &position), Ok(()));
        if let Some(changed) = change(step, &position, solution) {
            let answer = check(&changed, path.puzzle(), &position);
            assert!(answer.is_err(), "{} was accepted: {changed:?}", changed.one_line(&position));
            rejected += 1;
        }
    }
    assert!(rejected > 0, "no step could be changed in this way");
}

#[test]
fn rejects_removing_a_digit_of_the_solution() {
    check_rejects(|step, position, solution| {
        let cell = step.removes.first()?.cell;
        let true_one = Candidate::new(cell, solution[cell]?);
        position
            .at(cell)
            .contains(true_one.digit)
            .then(|| Step { removes: vec![true_one], ..step.clone() })
    });
}

#[test]
fn rejects_placing_a_wrong_digit() {
    check_rejects(|step, position, solution| {
        let wrong = position.grid().empty_cells().find_map(|cell| {
            let digit =
                position.at(cell).into_iter().find(|&digit| solution[cell] != Some(digit))?;
            Some(Candidate::new(cell, digit))
        })?;
        Some(Step { places: vec![wrong], removes: Vec::new(), ..step.clone() })
    });
}

#[test]
fn rejects_empty_and_outdated_conclusions() {
    check_rejects(|step, _, _| {
        Some(Step { places: Vec::new(), removes: Vec::new(), ..step.clone() })
    });
    check_rejects(|step, position, _| {
        let (filled, digit) = position.grid().clues().next()?;
        Some(Step { removes: vec![Candidate::new(filled, digit)], ..step.clone() })
    });
}

#[test]
fn rejects_a_count_without_a_truth() {
    check_rejects(|step, _, _| {
        let Reason::Count(mut count) = step.reason.clone() else { return None };
        // This also removes the guardians of a deadly pattern.
        count.truths.pop();
        Some(Step { reason: Reason::Count(count), ..step.clone() })
    });
}

#[test]
fn rejects_a_chain_with_a_missing_or_invalid_link() {
    check_rejects(|step, _, _| {
        let Reason::Chain(mut chain) = step.reason.clone() else { return None };
        chain.nodes.drain(..2);
        chain.strong.remove(0);
        Some(Step { reason: Reason::Chain(chain), ..step.clone() })
    });
    check_rejects(|step, position, _| {
        let Reason::Chain(mut chain) = step.reason.clone() else { return None };
        let cell = position.grid().empty_cells().find(|&cell| position.at(cell).count() > 2)?;
        chain.strong[0] = Strong::OneOf(OneOf::Cell(cell));
        Some(Step { reason: Reason::Chain(chain), ..step.clone() })
    });
}

#[test]
fn rejects_a_deadly_pattern_with_a_given_or_an_unbalanced_house() {
    check_rejects(|step, position, _| {
        let Reason::Count(mut count) = step.reason.clone() else { return None };
        let Some(Truth::Guardians(deadly)) = count.truths.first_mut() else { return None };
        let elsewhere = position
            .grid()
            .empty_cells()
            .find(|c| deadly.cells.iter().all(|(cell, _)| cell != c))?;
        deadly.cells[0].0 = elsewhere;
        Some(Step { reason: Reason::Count(count), ..step.clone() })
    });
}

#[test]
fn rejects_missing_cases_and_missing_premises() {
    // AI Escargot needs forcing chains and nets early.
    let puzzle: Grid =
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
            .parse()
            .unwrap();
    let start = Position::from_puzzle(&puzzle).unwrap();
    let mut rejected = 0;
    for technique in
        [Technique::CellForcingChain, Technique::HouseForcingChain, Technique::ForcingNet]
    {
        for step in all_steps(technique, &start).into_iter().take(50) {
            assert_eq!(check(&step, &puzzle, start.candidates()), Ok(()));
            let damaged = match step.reason.clone() {
                Reason::Cases(of, mut branches) => {
                    branches.pop();
                    Reason::Cases(of, branches)
                }
                Reason::Contradiction(mut branch) => {
                    branch.remove(1);
                    Reason::Contradiction(branch)
                }
                other => panic!("{other:?} is not a proof by cases"),
            };
            let damaged = Step { reason: damaged, ..step };
            assert!(check(&damaged, &puzzle, start.candidates()).is_err(), "{damaged:?}");
            rejected += 1;
        }
    }
    assert!(rejected > 0);
}

#[test]
fn rejects_the_last_place_in_another_house() {
    check_rejects(|step, _, _| {
        let Reason::LastPlaceIn(house) = step.reason else { return None };
        let other = match house {
            House::Row(number) => House::Row((number + 1) % 9),
            House::Column(number) => House::Column((number + 1) % 9),
            House::Box(number) => House::Box((number + 1) % 9),
            added => unreachable!("{added} in a classic puzzle"),
        };
        Some(Step { reason: Reason::LastPlaceIn(other), ..step.clone() })
    });
}

#[test]
fn finders_are_deterministic_and_return_their_technique() {
    let puzzle: Grid = PUZZLE.parse().unwrap();
    let position = Position::from_puzzle(&puzzle).unwrap();
    for technique in default_order() {
        let twice = [all_steps(technique, &position), all_steps(technique, &position)];
        assert_eq!(twice[0], twice[1], "{technique}");
        assert!(twice[0].iter().all(|step| step.technique == technique), "{technique}");
    }
}
