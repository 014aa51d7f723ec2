//! The network as a whole: its answers to rearranged puzzles, to those without a solution, and what the shipped weights can do.

use super::parameters::Spans;
use super::*;
use checkpoint::quantise::Precision;
use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::random::Random;

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn numbers(grid: &Grid) -> Vec<u8> {
    grid.numbers().collect()
}

fn thinker(order: Order) -> Thinker {
    let config = Config { width: 64, heads: 4, blocks: 2, expansion: 2, nodes: Nodes::Open };
    let parameters = Spans::new(&config).draw(&mut Random::new(3));
    Thinker::of_parts(config, &parameters, order)
}

#[test]
fn whatever_rearranges_a_puzzle_rearranges_the_answer() {
    for (order, text) in [
        (Order::FOUR, "1..4..1..3..4..3"),
        (Order::boxes(2, 3).unwrap(), "1.....2.....3....4.........5........"),
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
        let thinker = thinker(order).with_patience(Patience { iterations: 5, starts: 1 });
        let answer = |grid: &Grid| thinker.think(&[&numbers(grid)])[0].log_probabilities.clone();
        let before = answer(&puzzle);
        let mut random = Random::new(7);
        for _ in 0..3 {
            let twin = Symmetry::random(order, &mut random);
            let after = answer(&twin.image(&puzzle));
            // Where each candidate goes: a grid with this digit in this cell alone tells.
            for cell in 0..order.cell_count() {
                for digit in 1..=order.side() {
                    let mut numbers = vec![0u8; order.cell_count()];
                    numbers[cell] = digit as u8;
                    let image = twin.image(&Grid::from_numbers(order, &numbers).unwrap());
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
fn a_full_grid_needs_no_network_and_a_puzzle_without_solution_is_not_solved() {
    let thinker = thinker(Order::FOUR).with_patience(Patience { iterations: 2, starts: 2 });
    let [full, none] =
        ["1234341223414123", "123.......4....."].map(|text| numbers(&text.parse().unwrap()));
    let thoughts = thinker.think(&[&full, &none]);
    assert!(thoughts[0].solved && thoughts[0].digits == full);
    assert!(!thoughts[1].solved && thoughts[1].iterations == 4 && thoughts[1].starts == 2);
    assert!(thoughts[1].log_probabilities.iter().all(|value| value.is_finite()));
}

#[test]
fn the_shipped_weights_solve_puzzles_of_two_sizes_alone() {
    // The second has 17 clues.
    let nine =
        [EASY, "000000010400000000020000000000050407008000300001090000300400200050100000000806000"];
    for (order, puzzles) in [(Order::FOUR, &["1..4..1..3..4..3"][..]), (Order::NINE, &nine)] {
        let puzzles: Vec<Grid> = puzzles.iter().map(|text| text.parse().unwrap()).collect();
        let lines: Vec<Vec<u8>> = puzzles.iter().map(numbers).collect();
        let lines: Vec<&[u8]> = lines.iter().map(|line| &line[..]).collect();
        for (puzzle, thought) in
            puzzles.iter().zip(Thinker::shipped().for_size(order).think(&lines))
        {
            let solution = Grid::from_numbers(order, &thought.digits).unwrap();
            assert!(thought.solved && solution.solves(puzzle), "{puzzle}: {thought:?}");
        }
    }
}

#[test]
fn a_course_shows_the_digits_of_every_iteration() {
    let thinker = Thinker::shipped();
    let puzzle = numbers(&EASY.parse().unwrap());
    let thought = &thinker.think(&[&puzzle])[0];
    let mut course = thinker.course(&puzzle);
    course.begin(0);
    (0..thought.iterations).for_each(|_| course.step());
    assert_eq!(
        (course.digits(), course.log_probabilities()),
        (&thought.digits[..], thought.log_probabilities.clone())
    );
}

#[test]
fn weights_of_a_byte_each_still_solve_and_files_that_do_not_fit_are_refused() {
    let (metadata, mut tensors) = checkpoint::read_bytes("weights", SHIPPED_WEIGHTS).unwrap();
    let coarse = checkpoint::to_bytes(&metadata, &tensors, Precision::I8);
    assert!(coarse.len() < SHIPPED_WEIGHTS.len() / 3);
    let puzzle = numbers(&EASY.parse().unwrap());
    assert!(
        Thinker::read("coarse", &coarse).unwrap().for_size(Order::NINE).think(&[&puzzle])[0].solved
    );

    let refused = |bytes: &[u8]| Thinker::read("file", bytes).unwrap_err().to_string();
    assert!(refused(&coarse[..1000]).contains("file is damaged or not a safetensors file"));
    let other = checkpoint::Metadata { model: "rrn".to_string(), ..metadata.clone() };
    let other = checkpoint::to_bytes(&other, &tensors, Precision::F32);
    assert_eq!(refused(&other), "these are weights of the model rrn, not of kaleidoscope");
    let mut wide = metadata.clone();
    wide.experiment["model"]["width"] = 33.into();
    let reason = refused(&checkpoint::to_bytes(&wide, &tensors, Precision::F32));
    assert!(reason.contains("the width is a multiple of 16"), "{reason}");
    tensors.remove("answer");
    let reason = refused(&checkpoint::to_bytes(&metadata, &tensors, Precision::F32));
    assert!(reason.contains("answer is missing"), "{reason}");
}

#[test]
#[should_panic(expected = "a number up to 9 for each of 81 cells")]
fn a_puzzle_of_another_size_is_a_mistake_of_the_caller() {
    Thinker::shipped().think(&[&[0; 16]]);
}
