//! The public generator API: options in, puzzles or errors out.

use ninefold::explain::{ExplainOutcome, Explanation};
use ninefold::generate::{
    self, Fit, GenerateError, GenerateOptions, GeneratedPuzzle, PatternSymmetry, RatingRange,
    Requirement, SinglesOnly, TechniqueOptions,
};
use ninefold::grid::{Grid, Order, Position, text};
use ninefold::logic;
use ninefold::proof::{HodokuLevel, Technique};
use ninefold::rate::consistency::Consistency;
use ninefold::rate::effort;
use ninefold::search::{Limits, Solutions, Solver, backtrack::Backtrack};

/// Generates a puzzle and checks it against the options.
fn check(options: &GenerateOptions<'_>, seed: u64) -> GeneratedPuzzle {
    let generated =
        generate::generate_one(options, seed, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(generated.puzzle.order(), options.order);
    assert_eq!(generate::is_unique(&generated.puzzle), Ok(true), "{}", generated.puzzle);
    assert!(generated.solution.solves(&generated.puzzle));
    assert!(options.symmetry.holds_for(&generated.puzzle), "{:#}", generated.puzzle);
    if let Some(clues) = &options.clues {
        assert!(clues.contains(&generated.puzzle.clue_count()), "{}", generated.puzzle);
    }
    assert!(
        options
            .requirements
            .iter()
            .all(|requirement| requirement.fit(&generated.puzzle) == Fit::Within)
    );
    if options.minimal {
        assert_eq!(generate::is_minimal(&generated.puzzle), Ok(true));
    }
    generated
}

#[test]
fn generates_puzzles_of_every_size() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4)] {
        let order = Order::new(rows, columns).unwrap();
        check(&GenerateOptions::new(order).with_minimal(true), 1);
        check(&GenerateOptions::new(order).with_symmetry(PatternSymmetry::HalfTurn), 2);
    }
    check(&GenerateOptions::new(Order::SIXTEEN).with_clues(150..=200), 1);
}

#[test]
fn the_plain_solver_finds_one_solution() {
    for seed in 0..5 {
        let generated = check(&GenerateOptions::new(Order::NINE).with_clues(30..=34), seed);
        let proof = Backtrack.prove(&generated.puzzle, &Limits::none()).unwrap();
        assert_eq!(proof.solutions, Ok(Solutions::One(generated.solution)), "{}", generated.puzzle);
    }
}

#[test]
fn patterns_have_the_requested_symmetry() {
    for symmetry in PatternSymmetry::ALL {
        check(&GenerateOptions::new(Order::NINE).with_symmetry(symmetry), 3);
    }
}

#[test]
fn puzzles_have_the_requested_number_of_clues() {
    for count in [22, 24, 27, 35, 60, 80] {
        check(&GenerateOptions::new(Order::NINE).with_clues(count..=count), 4);
    }
    check(&GenerateOptions::new(Order::NINE).with_clues(23..=24).with_minimal(true), 4);
}

#[test]
fn reaches_twenty_clues_by_climbing() {
    check(&GenerateOptions::new(Order::NINE).with_clues(20..=20), 5);
}

#[test]
fn puzzles_have_the_requested_difficulty() {
    let medium = RatingRange::Dupree(151..=250);
    let very_hard = RatingRange::Dupree(401..=900);
    let shaving = RatingRange::Consistency(Consistency::Sac..=Consistency::Sgac);
    let requirements: [&dyn Requirement; 4] = [&SinglesOnly, &medium, &very_hard, &shaving];
    for requirement in requirements {
        check(&GenerateOptions::new(Order::NINE).with_requirement(requirement), 6);
    }
}

#[test]
fn open_ended_ratings_are_checked_after_clue_removal() {
    let extreme = RatingRange::Effort(effort::Level::Extreme..=effort::Level::Extreme);
    let options = GenerateOptions::new(Order::NINE)
        .with_requirement(&extreme)
        .with_symmetry(PatternSymmetry::HalfTurn);
    check(&options, 1);
    let unfair = RatingRange::Hodoku(HodokuLevel::Unfair..=HodokuLevel::Extreme);
    check(&GenerateOptions::new(Order::NINE).with_clues(26..=28).with_requirement(&unfair), 2);
}

/// The distance is the number of step kinds between the hardest step and the requested level.
#[test]
fn puzzles_with_harder_steps_are_nearer_to_extreme() {
    let extreme = RatingRange::Effort(effort::Level::Extreme..=effort::Level::Extreme);
    let distance = |puzzle: &str| {
        extreme.mismatch(&puzzle.parse().unwrap()).map_or(0, |mismatch| mismatch.distance)
    };
    let easy = distance(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    );
    let hard = distance(
        "63.....5.....8..3....42....71......6......8...6.......5.8...2.....6.1............",
    );
    assert_eq!((easy, hard), (11, 2));
    assert_eq!(
        distance(
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2"
        ),
        0
    );
}

#[test]
fn puzzles_have_the_given_solution() {
    let solution = generate::full::regular(Order::NINE);
    let generated = check(&GenerateOptions::new(Order::NINE).with_solution(solution.clone()), 7);
    assert_eq!(generated.solution, solution);
}

#[test]
fn puzzles_have_the_given_pattern() {
    let signs = "1.1...1.1.1.111.1.1.......1...1.1....1.....1....1.1...1.......1.1.111.1.1.1...1.1";
    let pattern = text::parse_position(signs, None).unwrap();
    let generated = check(&GenerateOptions::new(Order::NINE).with_pattern(pattern.clone()), 8);
    for cell in Order::NINE.cells() {
        assert_eq!(generated.puzzle[cell].is_some(), pattern[cell].is_some());
    }
}

#[test]
fn puzzles_do_not_depend_on_the_number_of_threads() {
    let options = GenerateOptions::new(Order::NINE).with_minimal(true);
    let puzzles = |threads: usize| {
        let mut lines = Vec::new();
        generate::generate_many(&options, 9, 0..40, threads, |index, generated| {
            assert_eq!(index as usize, lines.len());
            lines.push(generated.unwrap().puzzle.to_string());
            true
        });
        lines
    };
    let one_thread = puzzles(1);
    assert_eq!(one_thread, puzzles(3));
    assert_eq!(one_thread[17], generate::generate_one(&options, 9, 17).unwrap().puzzle.to_string());
}

#[test]
fn singles_solve_kaggle_puzzles_and_clue_counts_match() {
    for options in [GenerateOptions::kaggle(), GenerateOptions::kaggle_clues()] {
        let mut clues = Vec::new();
        generate::generate_many(&options, 10, 0..400, 1, |_, generated| {
            let generated = generated.unwrap();
            assert_eq!(SinglesOnly.fit(&generated.puzzle), Fit::Within);
            clues.push(generated.puzzle.clue_count());
            true
        });
        let mean = clues.iter().sum::<usize>() as f64 / clues.len() as f64;
        // The mean of the weights is 33.82 and the standard error of 400 draws is 0.05.
        assert!((33.5..34.1).contains(&mean), "{mean}");
        assert!(clues.iter().all(|count| (29..=37).contains(count)));
    }
}

#[test]
fn rejects_singles_only_with_a_harder_technique() {
    let x_wing = "X-Wing".parse().unwrap();
    let requirement =
        TechniqueOptions::new().with_required(vec![x_wing]).into_requirement().unwrap();
    let easy = RatingRange::Effort(effort::Level::Easy..=effort::Level::Easy);
    for singles in [&SinglesOnly as &dyn Requirement, &easy] {
        let options = GenerateOptions::new(Order::NINE)
            .with_requirement(singles)
            .with_requirement(&requirement);
        let error = generate::generate_one(&options, 1, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "X-Wing is required, but the puzzle must be solvable with singles only"
        );
    }
}

#[test]
fn errors_contain_the_number_of_attempts_and_the_nearest_puzzle() {
    let not_found = |options: GenerateOptions<'_>| match generate::generate_one(&options, 1, 0) {
        Err(GenerateError::NotFound(not_found)) => not_found,
        other => panic!("{other:?}"),
    };
    let seventeen =
        not_found(GenerateOptions::new(Order::NINE).with_clues(17..=17).with_attempts(3));
    assert_eq!(seventeen.attempts, 3);
    let nearest = seventeen.nearest.as_ref().unwrap();
    assert_eq!(generate::is_unique(&nearest.puzzle), Ok(true));
    assert!(seventeen.to_string().contains("clues, too many"), "{seventeen}");

    // Two empty rows in a band can be swapped, so no puzzle with this pattern has one solution.
    let mut pattern = generate::full::regular(Order::NINE);
    for cell in Order::NINE.cells().take(18) {
        pattern.set(cell, None);
    }
    let two_rows =
        not_found(GenerateOptions::new(Order::NINE).with_pattern(pattern).with_attempts(2));
    assert!(two_rows.to_string().contains("solutions"), "{two_rows}");
}

#[test]
fn rejects_contradictory_options() {
    let check = |options: GenerateOptions<'_>, expected: &str| {
        assert_eq!(generate::generate_one(&options, 1, 0).unwrap_err().to_string(), expected);
    };
    #[allow(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
    check(
        GenerateOptions::new(Order::NINE).with_clues(30..=20),
        "invalid number of clues 30-20 for a grid of 81 cells",
    );
    check(
        GenerateOptions::new(Order::NINE).with_clues(80..=90),
        "invalid number of clues 80-90 for a grid of 81 cells",
    );
    let four = Grid::empty(Order::FOUR);
    check(
        GenerateOptions::new(Order::NINE).with_solution(four),
        "the pattern or solution is a 4×4 grid, but 9×9 was requested",
    );
    check(
        GenerateOptions::new(Order::NINE).with_solution(Grid::empty(Order::NINE)),
        "the given solution is incomplete or breaks the rules",
    );
    let corner = Grid::empty(Order::NINE)
        .with(Order::NINE.cell(0, 0), ninefold::grid::Digit::new(1).unwrap());
    check(
        GenerateOptions::new(Order::NINE)
            .with_pattern(corner.clone())
            .with_symmetry(PatternSymmetry::HalfTurn),
        "the pattern does not have the symmetry half-turn",
    );
    check(
        GenerateOptions::new(Order::NINE).with_pattern(corner).with_clues(20..=30),
        "the pattern has 1 clues, which is outside the requested range",
    );
}

fn technique(name: &str) -> Technique {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The techniques of the solution path.
fn path_of(puzzle: &Grid, options: &logic::ExplainOptions) -> Vec<Technique> {
    let (position, solutions) = (Position::from_puzzle(puzzle).unwrap(), ninefold::solve(puzzle));
    let path = Explanation::new(&position, Some(solutions), options, &Limits::none());
    assert_eq!(path.outcome, ExplainOutcome::Solved, "{puzzle}");
    path.steps.iter().map(|step| step.technique).collect()
}

#[test]
fn the_path_uses_required_and_no_forbidden_techniques() {
    let [swordfish, pair, kite] = ["Swordfish", "Naked Pair", "2-String Kite"].map(technique);
    let options =
        TechniqueOptions::new().with_required(vec![swordfish, pair]).with_forbidden(vec![kite]);
    let requirement = options.into_requirement().unwrap();
    let generated = check(&GenerateOptions::new(Order::NINE).with_requirement(&requirement), 11);
    let used = path_of(&generated.puzzle, &logic::ExplainOptions::default());
    assert!(
        used.contains(&swordfish) && used.contains(&pair) && !used.contains(&kite),
        "{}",
        generated.puzzle
    );
}

#[test]
fn the_hardest_step_is_the_requested_one() {
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
        let requirement = TechniqueOptions::new().with_hardest(hardest).into_requirement().unwrap();
        let generated =
            check(&GenerateOptions::new(Order::NINE).with_requirement(&requirement), 12);
        let used = path_of(&generated.puzzle, &logic::ExplainOptions::default());
        assert_eq!(
            used.iter().max_by_key(|used| rank(used)),
            Some(&hardest),
            "{}",
            generated.puzzle
        );
    }
}

#[test]
fn the_path_uses_only_allowed_techniques() {
    let allowed = vec![technique("Naked Pair"), technique("X-Wing")];
    let options =
        TechniqueOptions::new().with_required(allowed.clone()).with_allowed(allowed.clone());
    let requirement = options.into_requirement().unwrap();
    let generated = check(&GenerateOptions::new(Order::NINE).with_requirement(&requirement), 13);
    let singles = ["Full House", "Naked Single", "Hidden Single"].map(technique);
    let techniques = singles.into_iter().chain(allowed.clone()).collect();
    let used =
        path_of(&generated.puzzle, &logic::ExplainOptions::default().with_techniques(techniques));
    assert!(allowed.iter().all(|technique| used.contains(technique)), "{}", generated.puzzle);
}

#[test]
fn technique_requirements_can_be_combined_with_other_options() {
    let requirement = TechniqueOptions::new()
        .with_required(vec![technique("X-Wing")])
        .into_requirement()
        .unwrap();
    let symmetric = GenerateOptions::new(Order::NINE)
        .with_symmetry(PatternSymmetry::HalfTurn)
        .with_clues(24..=30)
        .with_requirement(&requirement);
    check(&symmetric, 14);
    check(&GenerateOptions::new(Order::NINE).with_minimal(true).with_requirement(&requirement), 15);
    let six = Order::new(2, 3).unwrap();
    let pair =
        TechniqueOptions::new().with_hardest(technique("Naked Pair")).into_requirement().unwrap();
    check(&GenerateOptions::new(six).with_requirement(&pair), 16);
}

#[test]
fn puzzles_with_techniques_do_not_depend_on_the_number_of_threads() {
    let requirement = TechniqueOptions::new()
        .with_required(vec![technique("Skyscraper")])
        .into_requirement()
        .unwrap();
    let options = GenerateOptions::new(Order::NINE).with_requirement(&requirement);
    let puzzles = |threads: usize| {
        let mut puzzles = Vec::new();
        generate::generate_many(&options, 17, 0..6, threads, |_, generated| {
            puzzles.push(generated.unwrap().puzzle);
            true
        });
        puzzles
    };
    assert_eq!(puzzles(1), puzzles(3));
}

#[test]
fn an_unused_technique_is_an_error_with_the_nearest_puzzle() {
    // The other four lines of a Squirmbag are a smaller fish, which is found first.
    let requirement = TechniqueOptions::new()
        .with_required(vec![technique("Squirmbag")])
        .into_requirement()
        .unwrap();
    let options = GenerateOptions::new(Order::NINE).with_requirement(&requirement).with_attempts(2);
    let Err(GenerateError::NotFound(not_found)) = generate::generate_one(&options, 1, 0) else {
        panic!("no path uses a Squirmbag")
    };
    assert!(not_found.attempts == 2 && not_found.measured > 60, "{not_found}");
    let nearest = not_found.nearest.unwrap();
    assert!(
        nearest.mismatches[0].starts_with("its path has no Squirmbag; its hardest step is "),
        "{:?}",
        nearest.mismatches
    );
    assert_eq!(generate::is_unique(&nearest.puzzle), Ok(true));
}

#[test]
fn rejects_contradictory_technique_options() {
    let check = |options: TechniqueOptions, expected: &str| {
        assert_eq!(options.into_requirement().unwrap_err().to_string(), expected)
    };
    let any = TechniqueOptions::default;
    let [x_wing, pair, rectangle] =
        ["X-Wing", "Naked Pair", "Unique Rectangle Type 1"].map(technique);
    check(
        any().with_required(vec![x_wing]).with_forbidden(vec![x_wing]),
        "X-Wing is both required and forbidden",
    );
    check(
        any().with_required(vec![x_wing]).with_hardest(pair),
        "X-Wing is required, but it is harder than the hardest allowed step, Naked Pair",
    );
    check(
        any().with_required(vec![x_wing]).with_allowed(vec![pair]),
        "X-Wing is required, but not among the allowed techniques",
    );
    check(
        any().with_required(vec![rectangle]).with_uniqueness(false),
        "Unique Rectangle Type 1 is required, but it assumes a unique solution, which is disabled",
    );
}

#[test]
fn a_clue_stays_if_its_proof_is_unfinished() {
    let order = Order::new(3, 4).unwrap();
    let clues = |nodes_per_proof| {
        let generated =
            check(&GenerateOptions::new(order).with_nodes_per_proof(nodes_per_proof), 3);
        generated.puzzle.clue_count()
    };
    // With one node, singles are the only proofs.
    assert!(clues(1) > clues(GenerateOptions::new(order).nodes_per_proof));
}

#[test]
fn large_grids_keep_more_clues() {
    let any = |side| GenerateOptions::new(Order::from_side(side).unwrap());
    assert!(any(16).nodes_per_proof > any(25).nodes_per_proof);
    // With four fifths of the cells filled, hardly any proof needs a guess.
    check(&any(25).with_clues(500..=520), 2);
    let generated = check(&any(36), 2);
    assert!(
        (777..800).contains(&generated.puzzle.clue_count()),
        "{} clues",
        generated.puzzle.clue_count()
    );
}

#[test]
fn minimal_puzzles_need_a_finished_proof() {
    let options = GenerateOptions::new(Order::new(3, 4).unwrap())
        .with_minimal(true)
        .with_nodes_per_proof(1)
        .with_attempts(1);
    let Err(GenerateError::NotFound(not_found)) = generate::generate_one(&options, 1, 0) else {
        panic!("one node cannot prove that a clue is necessary")
    };
    assert!(not_found.unfinished > 0);
    let nearest = not_found.nearest.unwrap();
    assert_eq!(nearest.mismatches, ["it was not proven minimal within the limit"]);
    assert_eq!(generate::is_unique(&nearest.puzzle), Ok(true));
}
