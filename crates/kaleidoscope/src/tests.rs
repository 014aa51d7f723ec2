//! Tests of the complete network: symmetric puzzles, unsolvable puzzles, the included weights, and
//! invalid files.

use super::parameters::Spans;
use super::*;
use ninefold::generate::variants::{self, VariantKind, VariantOptions};
use ninefold::grid::rules::{Constraint, LineRule, Rules};
use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::random::Random;
use ninefold_checkpoint::quantise::Precision;
use std::sync::Arc;

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn numbers(grid: &Grid) -> Vec<u8> {
    grid.numbers().collect()
}

fn solver(order: Order) -> Solver {
    let config =
        Config { width: 64, heads: 4, blocks: 2, expansion: 2, nodes: Nodes::Open, rules: false };
    let parameters = Spans::new(&config).draw(&mut Random::new(3));
    Solver::from_parts(config, &parameters, order)
}

#[test]
fn predictions_are_equivariant_under_symmetries() {
    for (order, text) in [
        (Order::FOUR, "1..4..1..3..4..3"),
        (Order::new(2, 3).unwrap(), "1.....2.....3....4.........5........"),
        (
            Order::NINE,
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        ),
    ] {
        let puzzle = Grid::from_numbers(
            order,
            &text.bytes().map(|b| b.saturating_sub(b'0') % 47).collect::<Vec<u8>>(),
        );
        let puzzle = puzzle.expect("a puzzle of this size");
        let solver = solver(order).with_budget(Budget { iterations: 5, starts: 1 });
        let answer = |grid: &Grid| solver.solve(&[&numbers(grid)])[0].log_probabilities.clone();
        let before = answer(&puzzle);
        let mut random = Random::new(7);
        for _ in 0..3 {
            let symmetry = Symmetry::random(order, &mut random);
            let after = answer(&symmetry.image(&puzzle));
            // A grid with a single digit shows where its candidate goes.
            for cell in 0..order.cell_count() {
                for digit in 1..=order.side() {
                    let mut numbers = vec![0u8; order.cell_count()];
                    numbers[cell] = digit as u8;
                    let image = symmetry.image(&Grid::from_numbers(order, &numbers).unwrap());
                    let (to, moved) =
                        image.numbers().enumerate().find(|&(_, number)| number > 0).unwrap();
                    let (a, b) = (
                        before[cell * order.side() + digit - 1],
                        after[to * order.side() + usize::from(moved) - 1],
                    );
                    assert!((a - b).abs() < 1e-3, "{a} {b}");
                }
            }
        }
    }
}

#[test]
fn full_grids_are_solved_and_unsolvable_puzzles_are_not() {
    let solver = solver(Order::FOUR).with_budget(Budget { iterations: 2, starts: 2 });
    let [full, none] =
        ["1234341223414123", "123.......4....."].map(|text| numbers(&text.parse().unwrap()));
    let predictions = solver.solve(&[&full, &none]);
    assert!(predictions[0].solved && predictions[0].digits == full);
    assert!(!predictions[1].solved && predictions[1].iterations == 4 && predictions[1].starts == 2);
    assert!(predictions[1].log_probabilities.iter().all(|value| value.is_finite()));
}

#[test]
fn the_included_weights_solve_puzzles_of_two_sizes() {
    // The second has 17 clues.
    let nine =
        [EASY, "000000010400000000020000000000050407008000300001090000300400200050100000000806000"];
    for (order, puzzles) in [(Order::FOUR, &["1..4..1..3..4..3"][..]), (Order::NINE, &nine)] {
        let puzzles: Vec<Grid> = puzzles.iter().map(|text| text.parse().unwrap()).collect();
        let lines: Vec<Vec<u8>> = puzzles.iter().map(numbers).collect();
        let lines: Vec<&[u8]> = lines.iter().map(|line| &line[..]).collect();
        for (puzzle, prediction) in
            puzzles.iter().zip(Solver::shipped().for_size(order).solve(&lines))
        {
            let solution = Grid::from_numbers(order, &prediction.digits).unwrap();
            assert!(prediction.solved && solution.solves(puzzle), "{puzzle}: {prediction:?}");
        }
    }
}

#[test]
fn a_run_returns_the_digits_of_every_iteration() {
    let solver = Solver::shipped();
    let puzzle = numbers(&EASY.parse().unwrap());
    let prediction = &solver.solve(&[&puzzle])[0];
    let mut run = solver.run(&puzzle);
    run.begin(0);
    (0..prediction.iterations).for_each(|_| run.step());
    assert_eq!(
        (run.digits(), run.log_probabilities()),
        (&prediction.digits[..], prediction.log_probabilities.clone())
    );
}

#[test]
fn i8_weights_solve_and_invalid_files_are_rejected() {
    let (metadata, mut tensors) =
        ninefold_checkpoint::read_bytes("weights", SHIPPED_WEIGHTS).unwrap();
    let coarse = ninefold_checkpoint::to_bytes(&metadata, &tensors, Precision::I8);
    assert!(coarse.len() < SHIPPED_WEIGHTS.len() / 3);
    let puzzle = numbers(&EASY.parse().unwrap());
    assert!(
        Solver::from_bytes("coarse", &coarse).unwrap().for_size(Order::NINE).solve(&[&puzzle])[0]
            .solved
    );

    let error_of = |bytes: &[u8]| Solver::from_bytes("file", bytes).unwrap_err().to_string();
    assert!(error_of(&coarse[..1000]).contains("file is damaged or not a safetensors file"));
    let other = ninefold_checkpoint::Metadata { model: "rrn".to_string(), ..metadata.clone() };
    let other = ninefold_checkpoint::to_bytes(&other, &tensors, Precision::F32);
    assert_eq!(error_of(&other), "these are weights of the model rrn, not of kaleidoscope");
    let mut wide = metadata.clone();
    wide.experiment["model"]["width"] = 33.into();
    let reason = error_of(&ninefold_checkpoint::to_bytes(&wide, &tensors, Precision::F32));
    assert!(reason.contains("the width must be a multiple of 16"), "{reason}");
    tensors.remove("answer");
    let reason = error_of(&ninefold_checkpoint::to_bytes(&metadata, &tensors, Precision::F32));
    assert!(reason.contains("answer is missing"), "{reason}");
}

#[test]
#[should_panic(expected = "a number up to 9 for each of 81 cells")]
fn puzzles_of_another_size_panic() {
    Solver::shipped().solve(&[&[0; 16]]);
}

/// Generated puzzles with many clues.
fn variants(rules: &str) -> Vec<Grid> {
    let kinds = VariantKind::parse_list(rules).unwrap();
    let options = VariantOptions::new(Order::NINE, kinds).with_clues(30..=40);
    (0..2)
        .map(|index| variants::generate_one(&options, 3, index).unwrap().into_puzzle().puzzle)
        .collect()
}

#[test]
fn the_included_weights_solve_variants() {
    let solver = Solver::shipped_for_variants();
    for rules in ["killer", "jigsaw", "x", "thermo", "whispers", "kropki", "arrow", "palindrome"] {
        let puzzles = variants(rules);
        for (puzzle, prediction) in puzzles.iter().zip(solver.solve_grids(&puzzles)) {
            let solution = Grid::from_numbers(puzzle.order(), &prediction.digits).unwrap();
            let solution = solution.with_rules(Arc::clone(puzzle.rules().unwrap()));
            assert!(prediction.solved && solution.solves(puzzle), "{rules}: {prediction:?}");
        }
    }
    // Classic puzzles have the groups of their houses.
    assert!(solver.solve_grids(&[EASY.parse().unwrap()])[0].solved);
}

/// A 6×6 grid or its transposed image, which has boxes of another shape. Sums without different
/// digits are left out, because the order of their partial sums depends on the order of the cells.
fn with_lines(transposed: bool) -> Grid {
    let order = if transposed { Order::new(3, 2) } else { Order::new(2, 3) }.unwrap();
    let cell = |row: usize, column: usize| match transposed {
        true => order.cell(column, row),
        false => order.cell(row, column),
    };
    let mut rules = Rules::classic(order);
    let line = vec![cell(0, 0), cell(1, 1), cell(1, 2), cell(2, 3)];
    let cage = vec![cell(3, 3), cell(3, 4), cell(4, 4)];
    let constraints = [
        Constraint::Line { kind: LineRule::Thermometer, cells: line },
        Constraint::Cage { cells: cage, sum: Some(10) },
        Constraint::Cage { cells: vec![cell(5, 0), cell(4, 2)], sum: None },
    ];
    rules.extend(constraints).unwrap();
    Grid::empty_with(Arc::new(rules))
}

#[test]
fn predictions_for_variants_are_equivariant() {
    let solver = Solver::shipped_for_variants();
    let [plain, transposed] = [false, true].map(|transposed| {
        let grid = with_lines(transposed);
        let mut run = solver.run_grid(&grid);
        run.begin(0);
        (0..4).for_each(|_| run.step());
        run.log_probabilities()
    });
    for cell in 0..36 {
        let image = cell % 6 * 6 + cell / 6;
        for digit in 0..6 {
            let (a, b) = (plain[cell * 6 + digit], transposed[image * 6 + digit]);
            assert!((a.exp() - b.exp()).abs() < 1e-3, "cell {cell}, digit {digit}: {a} {b}");
        }
    }
}

#[test]
fn clues_that_break_a_rule_are_reported_as_unsolved() {
    let cells = vec![Order::FOUR.cell(0, 0), Order::FOUR.cell(0, 1)];
    let rules = Rules::classic(Order::FOUR).with(Constraint::Cage { cells, sum: Some(7) }).unwrap();
    let puzzle: Grid = "12..............".parse::<Grid>().unwrap().with_rules(Arc::new(rules));
    let prediction = Solver::shipped_for_variants().solve_grids(&[puzzle]).remove(0);
    assert!(!prediction.solved);
    assert_eq!(prediction.log_probabilities.len(), 64);
}

#[test]
#[should_panic(expected = "for classic puzzles only")]
fn the_classic_network_rejects_other_rules() {
    Solver::shipped().solve_grids(&[EASY.parse().unwrap()]);
}
