//! Trees end every puzzle, and a tree that is damaged anywhere is refused.

use ninefold::explain::picture::{Ink, Picture};
use ninefold::explain::{End, Explanation};
use ninefold::grid::{Candidates, Cell, Grid, House, Order, Position, Solutions};
use ninefold::logic::{Options, Preference};
use ninefold::proof::{Because, Candidate, Ending, OneOf, Step, Technique, Tree, Why, check};
use ninefold::search::{self, Limits};

/// AI Escargot: trees of one split, of two and of three choices.
const ESCARGOT: &str =
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// Arto Inkala's puzzle of 2012, where logic found nothing at all before there were trees.
const INKALA: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// Golden Nugget, one of the hardest known: some of its trees have splits inside splits.
const GOLDEN_NUGGET: &str =
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

fn explain(puzzle: &str, options: &Options) -> Explanation {
    let puzzle: Grid = puzzle.parse().unwrap();
    let solutions = search::prove(&puzzle, &Limits::none()).solutions.ok();
    Explanation::of(&Position::start(&puzzle).unwrap(), solutions, options, &Limits::none())
}

fn trees(explanation: &Explanation) -> Vec<(Candidates, Step, Tree)> {
    let with_tree = |(position, step): (Candidates, &Step)| match &step.because {
        Because::Tree(tree) => Some((position, step.clone(), tree.clone())),
        _ => None,
    };
    explanation.positions().filter_map(with_tree).collect()
}

#[test]
fn puzzles_that_nothing_else_finishes_are_explained_to_the_end() {
    for puzzle in [ESCARGOT, INKALA, GOLDEN_NUGGET] {
        let explanation = explain(puzzle, &Options::default());
        assert!(explanation.is_complete(), "{puzzle}: {:?}", explanation.end);
        assert!(!trees(&explanation).is_empty());
    }
    let deepest = trees(&explain(GOLDEN_NUGGET, &Options::default()))
        .iter()
        .map(|(_, _, tree)| tree.depth())
        .max();
    assert!(deepest > Some(2), "{deepest:?}");
}

#[test]
fn few_steps_are_fewer_and_short_steps_are_shorter() {
    let short = trees(&explain(INKALA, &Options::default()));
    let few = trees(&explain(
        INKALA,
        &Options { preference: Preference::FewSteps, ..Options::default() },
    ));
    let mean = |trees: &[(Candidates, Step, Tree)]| {
        trees.iter().map(|(_, _, tree)| tree.statements()).sum::<usize>() / trees.len().max(1)
    };
    assert!(few.len() < short.len(), "{} against {}", few.len(), short.len());
    assert!(mean(&short) < mean(&few), "{} against {}", mean(&short), mean(&few));
}

/// Singles and trees alone are enough, on small grids and large ones; the empty techniques before them change nothing.
#[test]
fn every_size_is_explained_by_singles_and_trees_alone() {
    let techniques =
        vec![Technique::NakedSingle, Technique::HiddenSingle, Technique::NestedForcingNet];
    let options = Options { techniques, ..Options::default() };
    for puzzle in ["1..4..1..3..4..3", "..64.2.4..........13...5.521......2.", ESCARGOT] {
        assert!(explain(puzzle, &options).is_complete(), "{puzzle}");
    }
    let trees_alone =
        Options { techniques: vec![Technique::NestedForcingNet], ..Options::default() };
    let explanation = explain(ESCARGOT, &trees_alone);
    assert!(explanation.last.order().cells().all(|cell| explanation.last.at(cell).count() <= 1));
}

#[test]
fn a_puzzle_with_several_solutions_or_none_is_left_where_the_other_techniques_end() {
    for puzzle in [
        "1...............",
        "1.......2.......3.......4........................................................",
    ] {
        let explanation = explain(puzzle, &Options::default());
        assert_eq!(explanation.end, End::Stuck, "{puzzle}");
        assert!(trees(&explanation).is_empty());
    }
    let puzzle: Grid = ESCARGOT.parse().unwrap();
    let unknown = Explanation::of(
        &Position::start(&puzzle).unwrap(),
        None,
        &Options::default(),
        &Limits::none(),
    );
    assert_eq!(unknown.end, End::Stuck);
    let known = Some(Solutions::Zero);
    let none = Explanation::of(
        &Position::start(&puzzle).unwrap(),
        known,
        &Options::default(),
        &Limits::none(),
    );
    assert_eq!(none.end, End::Stuck);
}

#[test]
fn every_way_through_a_tree_has_a_board_that_ends_where_it_fails() {
    for (_, step, tree) in trees(&explain(ESCARGOT, &Options::default())) {
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

/// Alters every inference, every split and every end in turn, in every way that is known to be wrong.
#[test]
fn a_tree_that_is_damaged_anywhere_is_refused() {
    let mut refused = 0;
    for puzzle in [ESCARGOT, GOLDEN_NUGGET] {
        let explanation = explain(puzzle, &Options::default());
        for (position, step, tree) in trees(&explanation) {
            let givens = explanation.puzzle();
            assert_eq!(check(&step, givens, &position), Ok(()));
            for damaged in damaged(&tree) {
                let changed = Step { because: Because::Tree(damaged.clone()), ..step.clone() };
                assert!(
                    check(&changed, givens, &position).is_err(),
                    "accepted: {damaged:#?}\ninstead of {tree:#?}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > 1000, "only {refused} trees were damaged");
}

/// All trees with one thing altered.
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
        all.push(change(&|tree| tree.inferences[index].why = Why::Assumed));
        all.push(change(&|tree| tree.inferences[index].why = Why::Seen));
        all.push(change(&|tree| {
            let cell = tree.inferences[index].node.cells[0];
            tree.inferences[index].node.cells[0] = next(cell);
        }));
        all.push(change(&|tree| match &mut tree.inferences[index].why {
            Why::LastIn(of) => *of = elsewhere(*of),
            Why::LockedIn(cells) => cells.truncate(1),
            Why::Assumed | Why::Seen => panic!("a tree states nothing without a reason"),
        }));
    }
    match &tree.end {
        Ending::Nothing(of) => {
            all.push(Tree { end: Ending::Nothing(elsewhere(*of)), ..tree.clone() })
        }
        Ending::NoRoom(_) => {}
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

/// Another cell, or another house of the same sort.
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
    }
}
