//! Generators as a setter meets them: a wish goes in, a puzzle or a reason comes out.

use ninefold::explain::{End, Explanation};
use ninefold::generate::{
    self, Between, Demand, Fit, Made, PatternSymmetry, Refusal, SinglesOnly, Techniques, Wish,
};
use ninefold::grid::{Grid, Order, Position, text};
use ninefold::logic;
use ninefold::proof::{HodokuLevel, Technique};
use ninefold::rate::consistency::Consistency;
use ninefold::rate::effort;
use ninefold::search::{Limits, Solutions, Solver, backtrack::Backtrack};

/// Makes one puzzle and holds it to what every puzzle must be.
fn check(wish: &Wish<'_>, seed: u64) -> Made {
    let made = generate::make(wish, seed, 0).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(made.puzzle.order(), wish.order);
    assert_eq!(generate::is_unique(&made.puzzle), Ok(true), "{}", made.puzzle);
    assert!(made.solution.solves(&made.puzzle));
    assert!(wish.symmetry.holds_for(&made.puzzle), "{:#}", made.puzzle);
    if let Some(clues) = &wish.clues {
        assert!(clues.contains(&made.puzzle.clue_count()), "{}", made.puzzle);
    }
    assert!(wish.demands.iter().all(|demand| demand.fit(&made.puzzle) == Fit::Within));
    if wish.minimal {
        assert_eq!(generate::is_minimal(&made.puzzle), Ok(true));
    }
    made
}

#[test]
fn every_size_has_puzzles() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4)] {
        let order = Order::boxes(rows, columns).unwrap();
        check(&Wish { minimal: true, ..Wish::any(order) }, 1);
        check(&Wish { symmetry: PatternSymmetry::HalfTurn, ..Wish::any(order) }, 2);
    }
    check(&Wish { clues: Some(150..=200), ..Wish::any(Order::SIXTEEN) }, 1);
}

#[test]
fn the_slow_oracle_agrees_that_there_is_one_solution() {
    for seed in 0..5 {
        let made = check(&Wish { clues: Some(30..=34), ..Wish::any(Order::NINE) }, seed);
        let proof = Backtrack.prove(&made.puzzle, &Limits::none()).unwrap();
        assert_eq!(proof.solutions, Ok(Solutions::One(made.solution)), "{}", made.puzzle);
    }
}

#[test]
fn the_picture_of_the_clues_is_symmetric_as_asked() {
    for symmetry in PatternSymmetry::ALL {
        check(&Wish { symmetry, ..Wish::any(Order::NINE) }, 3);
    }
}

#[test]
fn clue_counts_are_met() {
    for count in [22, 24, 27, 35, 60, 80] {
        check(&Wish { clues: Some(count..=count), ..Wish::any(Order::NINE) }, 4);
    }
    check(&Wish { clues: Some(23..=24), minimal: true, ..Wish::any(Order::NINE) }, 4);
}

#[test]
fn few_clues_are_climbed_to() {
    check(&Wish { clues: Some(20..=20), ..Wish::any(Order::NINE) }, 5);
}

#[test]
fn difficulty_lies_in_the_range_asked_for() {
    let medium = Between::Dupree(151..=250);
    let very_hard = Between::Dupree(401..=900);
    let shaving = Between::Consistency(Consistency::Sac..=Consistency::Sgac);
    let demands: [&dyn Demand; 4] = [&SinglesOnly, &medium, &very_hard, &shaving];
    for demand in demands {
        check(&Wish { demands: vec![demand], ..Wish::any(Order::NINE) }, 6);
    }
}

/// Nothing is too hard for these wishes, so nothing is measured before the clues are as few as they shall be.
#[test]
fn what_has_no_top_is_cut_first_and_measured_then() {
    let extreme = Between::Effort(effort::Level::Extreme..=effort::Level::Extreme);
    let wish = Wish {
        demands: vec![&extreme],
        symmetry: PatternSymmetry::HalfTurn,
        ..Wish::any(Order::NINE)
    };
    check(&wish, 1);
    let unfair = Between::Hodoku(HodokuLevel::Unfair..=HodokuLevel::Extreme);
    check(&Wish { clues: Some(26..=28), demands: vec![&unfair], ..Wish::any(Order::NINE) }, 2);
}

/// How many kinds of steps are missing says which of two puzzles is nearer to a wish.
#[test]
fn a_puzzle_that_needs_harder_steps_is_nearer_to_extreme() {
    let extreme = Between::Effort(effort::Level::Extreme..=effort::Level::Extreme);
    let weight =
        |puzzle: &str| extreme.miss(&puzzle.parse().unwrap()).map_or(0, |miss| miss.weight);
    let easy =
        weight("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
    let hard =
        weight("63.....5.....8..3....42....71......6......8...6.......5.8...2.....6.1............");
    assert_eq!((easy, hard), (10, 4));
    assert_eq!(
        weight("98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2"),
        0
    );
}

#[test]
fn a_given_solution_is_the_solution() {
    let solution = generate::full::regular(Order::NINE);
    let made = check(&Wish { solution: Some(solution.clone()), ..Wish::any(Order::NINE) }, 7);
    assert_eq!(made.solution, solution);
}

#[test]
fn a_given_pattern_is_the_pattern() {
    let signs = "1.1...1.1.1.111.1.1.......1...1.1....1.....1....1.1...1.......1.1.111.1.1.1...1.1";
    let pattern = text::read_position(signs, None).unwrap();
    let made = check(&Wish { pattern: Some(pattern.clone()), ..Wish::any(Order::NINE) }, 8);
    for cell in Order::NINE.cells() {
        assert_eq!(made.puzzle[cell].is_some(), pattern[cell].is_some());
    }
}

#[test]
fn equal_seeds_make_equal_puzzles_on_any_number_of_threads() {
    let wish = Wish { minimal: true, ..Wish::any(Order::NINE) };
    let made = |threads: usize| {
        let mut lines = Vec::new();
        generate::make_many(&wish, 9, 0..40, threads, |index, made| {
            assert_eq!(index as usize, lines.len());
            lines.push(made.unwrap().puzzle.to_string());
            true
        });
        lines
    };
    let alone = made(1);
    assert_eq!(alone, made(3));
    assert_eq!(alone[17], generate::make(&wish, 9, 17).unwrap().puzzle.to_string());
}

#[test]
fn the_kaggle_likeness_has_its_clue_counts_and_falls_to_singles() {
    for wish in [Wish::kaggle(), Wish::kaggle_clues()] {
        let mut clues = Vec::new();
        generate::make_many(&wish, 10, 0..400, 1, |_, made| {
            let made = made.unwrap();
            assert_eq!(SinglesOnly.fit(&made.puzzle), Fit::Within);
            clues.push(made.puzzle.clue_count());
            true
        });
        let mean = clues.iter().sum::<usize>() as f64 / clues.len() as f64;
        // The mean of the weights is 33.82 and the standard error of 400 draws is 0.05.
        assert!((33.5..34.1).contains(&mean), "{mean}");
        assert!(clues.iter().all(|count| (29..=37).contains(count)));
    }
}

#[test]
fn a_technique_beyond_singles_is_refused_at_once_where_singles_are_to_solve() {
    let x_wing = "X-Wing".parse().unwrap();
    let demand = Techniques { with: vec![x_wing], ..Techniques::default() }.demand().unwrap();
    let easy = Between::Effort(effort::Level::Easy..=effort::Level::Easy);
    for singles in [&SinglesOnly as &dyn Demand, &easy] {
        let wish = Wish { demands: vec![singles, &demand], ..Wish::any(Order::NINE) };
        let refused = generate::make(&wish, 1, 0).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "X-Wing is asked for, but singles alone are to solve the puzzle"
        );
    }
}

#[test]
fn an_impossible_wish_ends_with_what_was_tried_and_the_nearest_thing() {
    let refused = |wish: Wish<'_>| match generate::make(&wish, 1, 0) {
        Err(Refusal::NotFound(not_found)) => not_found,
        other => panic!("{other:?}"),
    };
    let seventeen = refused(Wish { clues: Some(17..=17), attempts: 3, ..Wish::any(Order::NINE) });
    assert_eq!(seventeen.attempts, 3);
    let nearest = seventeen.nearest.as_ref().unwrap();
    assert_eq!(generate::is_unique(&nearest.puzzle), Ok(true));
    assert!(seventeen.to_string().contains("clues, too many"), "{seventeen}");

    // Two empty rows in one band can always change places, so this pattern never has one solution.
    let mut pattern = generate::full::regular(Order::NINE);
    for cell in Order::NINE.cells().take(18) {
        pattern.set(cell, None);
    }
    let two_rows = refused(Wish { pattern: Some(pattern), attempts: 2, ..Wish::any(Order::NINE) });
    assert!(two_rows.to_string().contains("solutions"), "{two_rows}");
}

#[test]
fn a_wish_that_contradicts_itself_is_refused_at_once() {
    let check = |wish: Wish<'_>, expected: &str| {
        assert_eq!(generate::make(&wish, 1, 0).unwrap_err().to_string(), expected);
    };
    #[allow(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
    check(
        Wish { clues: Some(30..=20), ..Wish::any(Order::NINE) },
        "a grid of 81 cells cannot have 30 to 20 clues",
    );
    check(
        Wish { clues: Some(80..=90), ..Wish::any(Order::NINE) },
        "a grid of 81 cells cannot have 80 to 90 clues",
    );
    let four = Grid::empty(Order::FOUR);
    check(
        Wish { solution: Some(four), ..Wish::any(Order::NINE) },
        "the pattern or solution is 4×4, but the puzzle is to be 9×9",
    );
    check(
        Wish { solution: Some(Grid::empty(Order::NINE)), ..Wish::any(Order::NINE) },
        "the solution is not a complete grid that keeps the rules",
    );
    let corner = Grid::empty(Order::NINE)
        .with(Order::NINE.cell(0, 0), ninefold::grid::Digit::new(1).unwrap());
    check(
        Wish {
            pattern: Some(corner.clone()),
            symmetry: PatternSymmetry::HalfTurn,
            ..Wish::any(Order::NINE)
        },
        "the pattern does not have the symmetry half-turn",
    );
    check(
        Wish { pattern: Some(corner), clues: Some(20..=30), ..Wish::any(Order::NINE) },
        "the pattern has 1 clues, which the wish does not allow",
    );
}

fn technique(name: &str) -> Technique {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The techniques of the default path, which ends with the solution.
fn path_of(puzzle: &Grid, options: &logic::Options) -> Vec<Technique> {
    let (position, solutions) = (Position::start(puzzle).unwrap(), ninefold::solve(puzzle));
    let path = Explanation::of(&position, Some(solutions), options, &Limits::none());
    assert_eq!(path.end, End::Solved, "{puzzle}");
    path.steps.iter().map(|step| step.technique).collect()
}

#[test]
fn the_path_uses_what_is_asked_for_and_nothing_that_is_forbidden() {
    let [swordfish, pair, kite] = ["Swordfish", "Naked Pair", "2-String Kite"].map(technique);
    let wish =
        Techniques { with: vec![swordfish, pair], without: vec![kite], ..Techniques::default() };
    let demand = wish.demand().unwrap();
    let made = check(&Wish { demands: vec![&demand], ..Wish::any(Order::NINE) }, 11);
    let used = path_of(&made.puzzle, &logic::Options::default());
    assert!(
        used.contains(&swordfish) && used.contains(&pair) && !used.contains(&kite),
        "{}",
        made.puzzle
    );
}

#[test]
fn the_hardest_step_is_the_one_asked_for() {
    let order = logic::default_order();
    let rank = |technique: &Technique| order.iter().position(|other| other == technique);
    for name in [
        "Hidden Single",
        "Locked Candidates Type 2",
        "Hidden Triple",
        "XYZ-Wing",
        "Discontinuous Nice Loop",
    ] {
        let hardest = technique(name);
        let demand =
            Techniques { hardest: Some(hardest), ..Techniques::default() }.demand().unwrap();
        let made = check(&Wish { demands: vec![&demand], ..Wish::any(Order::NINE) }, 12);
        let used = path_of(&made.puzzle, &logic::Options::default());
        assert_eq!(used.iter().max_by_key(|used| rank(used)), Some(&hardest), "{}", made.puzzle);
    }
}

#[test]
fn singles_and_the_only_techniques_solve_it() {
    let only = vec![technique("Naked Pair"), technique("X-Wing")];
    let wish = Techniques { with: only.clone(), only: only.clone(), ..Techniques::default() };
    let demand = wish.demand().unwrap();
    let made = check(&Wish { demands: vec![&demand], ..Wish::any(Order::NINE) }, 13);
    let singles = ["Full House", "Naked Single", "Hidden Single"].map(technique);
    let techniques = singles.into_iter().chain(only.clone()).collect();
    let used = path_of(&made.puzzle, &logic::Options { techniques, ..logic::Options::default() });
    assert!(only.iter().all(|technique| used.contains(technique)), "{}", made.puzzle);
}

#[test]
fn technique_wishes_go_together_with_other_wishes() {
    let demand =
        Techniques { with: vec![technique("X-Wing")], ..Techniques::default() }.demand().unwrap();
    let symmetric = Wish {
        symmetry: PatternSymmetry::HalfTurn,
        clues: Some(24..=30),
        demands: vec![&demand],
        ..Wish::any(Order::NINE)
    };
    check(&symmetric, 14);
    check(&Wish { minimal: true, demands: vec![&demand], ..Wish::any(Order::NINE) }, 15);
    let six = Order::boxes(2, 3).unwrap();
    let pair = Techniques { hardest: Some(technique("Naked Pair")), ..Techniques::default() }
        .demand()
        .unwrap();
    check(&Wish { demands: vec![&pair], ..Wish::any(six) }, 16);
}

#[test]
fn equal_seeds_make_equal_puzzles_by_techniques_on_any_number_of_threads() {
    let demand = Techniques { with: vec![technique("Skyscraper")], ..Techniques::default() }
        .demand()
        .unwrap();
    let wish = Wish { demands: vec![&demand], ..Wish::any(Order::NINE) };
    let made = |threads: usize| {
        let mut puzzles = Vec::new();
        generate::make_many(&wish, 17, 0..6, threads, |_, made| {
            puzzles.push(made.unwrap().puzzle);
            true
        });
        puzzles
    };
    assert_eq!(made(1), made(3));
}

#[test]
fn a_technique_that_never_appears_ends_with_the_nearest_puzzle() {
    // A fish of five lines leaves four others, which are a smaller fish and are found first.
    let demand = Techniques { with: vec![technique("Squirmbag")], ..Techniques::default() }
        .demand()
        .unwrap();
    let wish = Wish { demands: vec![&demand], attempts: 2, ..Wish::any(Order::NINE) };
    let Err(Refusal::NotFound(not_found)) = generate::make(&wish, 1, 0) else {
        panic!("there is one")
    };
    assert!(not_found.attempts == 2 && not_found.measured > 60, "{not_found}");
    let nearest = not_found.nearest.unwrap();
    assert!(
        nearest.misses[0].starts_with("its path has no Squirmbag; its hardest step is "),
        "{:?}",
        nearest.misses
    );
    assert_eq!(generate::is_unique(&nearest.puzzle), Ok(true));
}

#[test]
fn technique_wishes_that_contradict_each_other_are_refused_at_once() {
    let check = |wish: Techniques, expected: &str| {
        assert_eq!(wish.demand().unwrap_err().to_string(), expected)
    };
    let any = Techniques::default;
    let [x_wing, pair, rectangle] =
        ["X-Wing", "Naked Pair", "Unique Rectangle Type 1"].map(technique);
    check(
        Techniques { with: vec![x_wing], without: vec![x_wing], ..any() },
        "X-Wing is asked for and forbidden",
    );
    check(
        Techniques { with: vec![x_wing], hardest: Some(pair), ..any() },
        "X-Wing is harder than Naked Pair, which is to be the hardest step",
    );
    check(
        Techniques { with: vec![x_wing], only: vec![pair], ..any() },
        "X-Wing is asked for, but only other techniques are allowed",
    );
    check(
        Techniques { with: vec![rectangle], uniqueness: false, ..any() },
        "Unique Rectangle Type 1 rests on the promise of one solution, which may not be used",
    );
}

#[test]
fn a_clue_stays_when_the_proof_without_it_is_not_finished() {
    let order = Order::boxes(3, 4).unwrap();
    let clues = |nodes_per_proof| {
        let made = check(&Wish { nodes_per_proof, ..Wish::any(order) }, 3);
        made.puzzle.clue_count()
    };
    // With one node only what falls to singles is proven.
    assert!(clues(1) > clues(Wish::any(order).nodes_per_proof));
}

#[test]
fn large_grids_keep_the_clues_that_would_make_proofs_long() {
    let any = |side| Wish::any(Order::of_side(side).unwrap());
    assert!(any(16).nodes_per_proof > any(25).nodes_per_proof);
    // Down to four fifths of the cells hardly a proof needs a guess.
    check(&Wish { clues: Some(500..=520), ..any(25) }, 2);
    let made = check(&any(36), 2);
    assert!((777..800).contains(&made.puzzle.clue_count()), "{} clues", made.puzzle.clue_count());
}

#[test]
fn a_puzzle_is_called_minimal_only_when_that_was_proven() {
    let wish = Wish {
        minimal: true,
        nodes_per_proof: 1,
        attempts: 1,
        ..Wish::any(Order::boxes(3, 4).unwrap())
    };
    let Err(Refusal::NotFound(not_found)) = generate::make(&wish, 1, 0) else {
        panic!("one node does not prove that a clue is needed")
    };
    assert!(not_found.unfinished > 0);
    let nearest = not_found.nearest.unwrap();
    assert_eq!(nearest.misses, ["whether every clue is needed was not proven within the limit"]);
    assert_eq!(generate::is_unique(&nearest.puzzle), Ok(true));
}
