//! Tests nested forcing nets: they solve even the hardest puzzles, and the checker rejects their
//! proofs after any change. The proof is a tree: an assumption and its consequences, with a *split*
//! into the digits of a cell or the places of a digit where nothing else follows.

use ninefold::explain::picture::{Ink, Picture};
use ninefold::explain::{ExplainOutcome, Explanation};
use ninefold::grid::{Candidates, Cell, Grid, House, Order, Position, Solutions};
use ninefold::logic::{ExplainOptions, Preference};
use ninefold::proof::{
    Candidate, Ending, InferenceReason, OneOf, Reason, Step, Technique, Tree, check,
};
use ninefold::search::{self, Limits};

/// AI Escargot. Each of its trees has one split, into two or three branches.
const ESCARGOT: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// Arto Inkala's puzzle of 2012, which needs nested nets from the first step on.
const INKALA: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// Golden Nugget, one of the hardest known puzzles. Some of its trees have nested splits.
const GOLDEN_NUGGET: &str =
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

fn explain(puzzle: &str, options: &ExplainOptions) -> Explanation {
    let puzzle: Grid = puzzle.parse().unwrap();
    let solutions = search::prove(&puzzle, &Limits::none()).solutions.ok();
    Explanation::new(&Position::from_puzzle(&puzzle).unwrap(), solutions, options, &Limits::none())
}

fn trees(explanation: &Explanation) -> Vec<(Candidates, Step, Tree)> {
    let with_tree = |(position, step): (Candidates, &Step)| match &step.reason {
        Reason::Tree(tree) => Some((position, step.clone(), tree.clone())),
        _ => None,
    };
    explanation.positions().filter_map(with_tree).collect()
}

#[test]
fn explains_the_hardest_puzzles_completely() {
    for puzzle in [ESCARGOT, INKALA, GOLDEN_NUGGET] {
        let explanation = explain(puzzle, &ExplainOptions::default());
        assert!(explanation.is_complete(), "{puzzle}: {:?}", explanation.outcome);
        assert!(!trees(&explanation).is_empty());
    }
    let deepest = trees(&explain(GOLDEN_NUGGET, &ExplainOptions::default()))
        .iter()
        .map(|(_, _, tree)| tree.depth())
        .max();
    assert!(deepest > Some(2), "{deepest:?}");
}

#[test]
fn preferences_reduce_the_number_or_the_length_of_steps() {
    let short = trees(&explain(INKALA, &ExplainOptions::default()));
    let few =
        trees(&explain(INKALA, &ExplainOptions::default().with_preference(Preference::FewSteps)));
    let mean = |trees: &[(Candidates, Step, Tree)]| {
        trees.iter().map(|(_, _, tree)| tree.statements()).sum::<usize>() / trees.len().max(1)
    };
    assert!(few.len() < short.len(), "{} and {}", few.len(), short.len());
    assert!(mean(&short) < mean(&few), "{} and {}", mean(&short), mean(&few));
}

/// Singles and trees are sufficient, on grids of several sizes.
#[test]
fn singles_and_trees_explain_every_size() {
    let techniques =
        vec![Technique::NakedSingle, Technique::HiddenSingle, Technique::NestedForcingNet];
    let options = ExplainOptions::default().with_techniques(techniques);
    for puzzle in ["1..4..1..3..4..3", "..64.2.4..........13...5.521......2.", ESCARGOT] {
        assert!(explain(puzzle, &options).is_complete(), "{puzzle}");
    }
    let trees_alone = ExplainOptions::default().with_techniques(vec![Technique::NestedForcingNet]);
    let explanation = explain(ESCARGOT, &trees_alone);
    assert!(explanation.last.order().cells().all(|cell| explanation.last.at(cell).count() <= 1));
}

#[test]
fn trees_are_not_used_without_a_unique_solution() {
    for puzzle in [
        "1...............",
        "1.......2.......3.......4........................................................",
    ] {
        let explanation = explain(puzzle, &ExplainOptions::default());
        assert_eq!(explanation.outcome, ExplainOutcome::Stuck, "{puzzle}");
        assert!(trees(&explanation).is_empty());
    }
    let puzzle: Grid = ESCARGOT.parse().unwrap();
    let unknown = Explanation::new(
        &Position::from_puzzle(&puzzle).unwrap(),
        None,
        &ExplainOptions::default(),
        &Limits::none(),
    );
    assert_eq!(unknown.outcome, ExplainOutcome::Stuck);
    let known = Some(Solutions::Zero);
    let none = Explanation::new(
        &Position::from_puzzle(&puzzle).unwrap(),
        known,
        &ExplainOptions::default(),
        &Limits::none(),
    );
    assert_eq!(none.outcome, ExplainOutcome::Stuck);
}

#[test]
fn every_path_through_a_tree_has_a_picture_of_its_contradiction() {
    for (_, step, tree) in trees(&explain(ESCARGOT, &ExplainOptions::default())) {
        let boards = Picture::branches(&step);
        assert_eq!(boards.len(), leaves(&tree));
        assert!(
            boards.iter().all(|board| board.picture.candidates[0] == (tree.assumed, Ink::Green))
        );
        assert!(
            boards
                .iter()
                .all(|board| board.picture.candidates.contains(&(board.assumes, Ink::Green)))
        );
        assert!(
            boards.iter().all(|board| board.picture.cells.len() + board.picture.houses.len() == 1)
        );
    }
}

fn leaves(tree: &Tree) -> usize {
    if tree.branches().is_empty() { 1 } else { tree.branches().iter().map(leaves).sum() }
}

/// Changes every inference, split and contradiction in ways that make the proof invalid.
#[test]
fn rejects_damaged_trees() {
    let mut rejected = 0;
    for puzzle in [ESCARGOT, GOLDEN_NUGGET] {
        let explanation = explain(puzzle, &ExplainOptions::default());
        for (position, step, tree) in trees(&explanation) {
            let givens = explanation.puzzle();
            assert_eq!(check(&step, givens, &position), Ok(()));
            for damaged in damaged(&tree) {
                let changed = Step { reason: Reason::Tree(damaged.clone()), ..step.clone() };
                assert!(
                    check(&changed, givens, &position).is_err(),
                    "accepted: {damaged:#?}\ninstead of {tree:#?}"
                );
                rejected += 1;
            }
        }
    }
    assert!(rejected > 1000, "only {rejected} trees were damaged");
}

/// Returns all variants of a tree with one change.
fn damaged(tree: &Tree) -> Vec<Tree> {
    let mut all = Vec::new();
    let assumed = Candidate { cell: next(tree.assumed.cell), ..tree.assumed };
    all.push(Tree { assumed, ..tree.clone() });
    for index in 0..tree.inferences.len() {
        let change = |change: &dyn Fn(&mut Tree)| {
            let mut tree = tree.clone();
            change(&mut tree);
            tree
        };
        all.push(change(&|tree| {
            tree.inferences.remove(index);
        }));
        all.push(change(&|tree| tree.inferences[index].holds = false));
        all.push(change(&|tree| tree.inferences[index].reason = InferenceReason::Assumed));
        all.push(change(&|tree| tree.inferences[index].reason = InferenceReason::Seen));
        all.push(change(&|tree| {
            let cell = tree.inferences[index].node.cells[0];
            tree.inferences[index].node.cells[0] = next(cell);
        }));
        all.push(change(&|tree| match &mut tree.inferences[index].reason {
            InferenceReason::LastIn(of) => *of = elsewhere(*of),
            InferenceReason::LockedIn(cells) => cells.truncate(1),
            _ => panic!("every statement of a tree has a reason"),
        }));
    }
    match &tree.end {
        Ending::Nothing(of) => {
            all.push(Tree { end: Ending::Nothing(elsewhere(*of)), ..tree.clone() })
        }
        Ending::NoRoom(_) | Ending::NoFilling(_) => {}
        Ending::Split(of, branches) => {
            all.push(Tree { end: Ending::Nothing(*of), ..tree.clone() });
            all.push(Tree { end: Ending::Split(elsewhere(*of), branches.clone()), ..tree.clone() });
            for index in 0..branches.len() {
                let mut fewer = branches.clone();
                fewer.remove(index);
                all.push(Tree { end: Ending::Split(*of, fewer), ..tree.clone() });
                let mut twice = branches.clone();
                twice.push(branches[index].clone());
                all.push(Tree { end: Ending::Split(*of, twice), ..tree.clone() });
                for inner in damaged(&branches[index]) {
                    let mut branches = branches.clone();
                    branches[index] = inner;
                    all.push(Tree { end: Ending::Split(*of, branches), ..tree.clone() });
                }
            }
        }
    }
    all
}

fn next(cell: Cell) -> Cell {
    Cell::new((cell.index() + 1) % Order::NINE.cell_count())
}

/// Returns another cell, or another house of the same kind.
fn elsewhere(of: OneOf) -> OneOf {
    match of {
        OneOf::Cell(cell) => OneOf::Cell(next(cell)),
        OneOf::House(House::Row(number), digit) => {
            OneOf::House(House::Row((number + 1) % 9), digit)
        }
        OneOf::House(House::Column(number), digit) => {
            OneOf::House(House::Column((number + 1) % 9), digit)
        }
        OneOf::House(House::Box(number), digit) => {
            OneOf::House(House::Box((number + 1) % 9), digit)
        }
        OneOf::House(added, _) => unreachable!("{added} in a classic puzzle"),
    }
}
