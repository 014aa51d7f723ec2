//! Evaluation: this is where a network fills puzzles and we count what came out right.

use crate::device::Engine;
use crate::models::{Answers, Design, Network};
use crate::training::data::Examples;
use crate::training::losses;
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::Proposer;
use serde::Serialize;

/// Something that has an opinion about every cell. It may be asked from any thread, and from several at once.
pub trait Judge: Send + Sync {
    /// The size of the puzzles it takes.
    fn order(&self) -> Order;

    /// How many puzzles it likes to see at once.
    fn batch(&self) -> usize;

    /// For each digit of each cell of each puzzle the logarithm of its probability.
    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32>;

    /// The same for one puzzle after each round of thinking; a network without rounds has one answer.
    fn on_the_way(&self, puzzle: &[u8]) -> Answers<'_, Vec<f32>> {
        let puzzle = puzzle.to_vec();
        Box::new(std::iter::once_with(move || self.log_probabilities(&[&puzzle])))
    }
}

/// A network that answers.
pub struct Answering<D: Design, B: Engine> {
    /// Its settings.
    pub design: D,
    /// The size it was built for.
    pub order: Order,
    /// Its layers.
    pub network: D::Network<B>,
    /// Where it runs.
    pub device: B::Device,
    /// How many puzzles it sees at once.
    pub batch: usize,
}

impl<D: Design, B: Engine> Judge for Answering<D, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
        // Where shapes are compiled for, a short batch is filled up, so that the network sees one shape only.
        let filler = vec![0; self.order.cell_count()];
        let missing = if B::COMPILES_FOR_SHAPES { self.batch.saturating_sub(puzzles.len()) } else { 0 };
        let full: Vec<&[u8]> = puzzles.iter().copied().chain(std::iter::repeat_n(&filler[..], missing)).collect();
        let board = self.design.encoding().batch(self.order, full.into_iter(), &self.device);
        let mut answers = losses::log_probabilities(self.network.forward(board));
        answers.truncate(puzzles.len() * self.order.cell_count() * self.order.side());
        answers
    }

    fn on_the_way(&self, puzzle: &[u8]) -> Answers<'_, Vec<f32>> {
        let board = self.design.encoding().batch(self.order, std::iter::once(puzzle), &self.device);
        Box::new(self.network.answers_on_the_way(board).map(losses::log_probabilities))
    }
}

/// How a network fills a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// All cells after one look.
    AtOnce,
    /// The cell it is surest of, then it looks again.
    CellByCell,
}

/// A network as the guesser of a hybrid.
pub struct Guesser<'a> {
    /// The network.
    pub judge: &'a dyn Judge,
    /// How it fills.
    pub way: Way,
}

impl Proposer for Guesser<'_> {
    fn takes(&self, order: Order) -> bool {
        order == self.judge.order()
    }

    fn propose(&self, puzzles: &[Grid]) -> Vec<Grid> {
        let numbers: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| puzzle.numbers().collect()).collect();
        let numbers: Vec<&[u8]> = numbers.iter().map(|numbers| &numbers[..]).collect();
        let filled = numbers.chunks(self.judge.batch().max(1)).flat_map(|batch| fill(self.judge, batch, self.way));
        filled
            .map(|numbers| {
                Grid::from_numbers(self.judge.order(), &numbers).expect("digits of this order were filled in")
            })
            .collect()
    }
}

/// Fills puzzles in this way.
pub fn fill(judge: &dyn Judge, puzzles: &[&[u8]], way: Way) -> Vec<Vec<u8>> {
    match way {
        Way::AtOnce => at_once(judge, puzzles),
        Way::CellByCell => cell_by_cell(judge, puzzles),
    }
}

/// What came out right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Puzzles seen.
    pub puzzles: usize,
    /// Puzzles filled completely and without breaking a rule.
    pub solved: usize,
    /// Empty cells seen.
    pub cells: usize,
    /// Empty cells filled with the digit of the solution.
    pub right_cells: usize,
    /// The first puzzles that came out wrong.
    pub first_wrong: Vec<String>,
    /// Which puzzles came out right.
    #[serde(skip)]
    pub solved_indices: Vec<usize>,
}

impl Score {
    /// The share of solved puzzles; 0 if there are none.
    pub fn share_solved(&self) -> f64 {
        self.solved as f64 / self.puzzles.max(1) as f64
    }

    /// The share of cells filled rightly; 0 if there are none.
    pub fn share_of_cells(&self) -> f64 {
        self.right_cells as f64 / self.cells.max(1) as f64
    }
}

/// How many wrong puzzles are remembered.
const WRONG_REMEMBERED: usize = 3;

/// Fills all puzzles and counts.
pub fn score(judge: &dyn Judge, examples: &Examples, way: Way) -> Score {
    let order = judge.order();
    let mut score = Score::default();
    let indices: Vec<usize> = (0..examples.len()).collect();
    for batch in indices.chunks(judge.batch().max(1)) {
        let puzzles: Vec<&[u8]> = batch.iter().map(|&index| examples.puzzle(index)).collect();
        let filled = fill(judge, &puzzles, way);
        for (&index, filled) in batch.iter().zip(&filled) {
            let (puzzle, solution) = (examples.puzzle(index), examples.solution(index));
            let blanks = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0);
            score.puzzles += 1;
            score.cells += blanks.clone().count();
            score.right_cells += blanks.filter(|&cell| filled[cell] == solution[cell]).count();
            if keeps_the_rules(order, filled) {
                score.solved += 1;
                score.solved_indices.push(index);
            } else if score.first_wrong.len() < WRONG_REMEMBERED {
                let puzzle = Grid::from_numbers(order, puzzle).expect("examples hold grids of their order");
                score.first_wrong.push(puzzle.to_string());
            }
        }
    }
    score
}

/// Fills every empty cell with its likeliest digit after one look.
pub fn at_once(judge: &dyn Judge, puzzles: &[&[u8]]) -> Vec<Vec<u8>> {
    let order = judge.order();
    let answers = judge.log_probabilities(puzzles);
    let answers = answers.chunks(order.cell_count() * order.side());
    puzzles.iter().zip(answers).map(|(puzzle, answers)| filled_with(order, puzzle, answers)).collect()
}

/// What a network says about a puzzle as soon as its likeliest digits solve it, or else at the end of its thinking.
pub fn settled(judge: &dyn Judge, puzzle: &[u8]) -> Vec<f32> {
    let order = judge.order();
    let mut last = Vec::new();
    for answers in judge.on_the_way(puzzle) {
        last = answers;
        if keeps_the_rules(order, &filled_with(order, puzzle, &last)) {
            break;
        }
    }
    last
}

fn filled_with(order: Order, puzzle: &[u8], answers: &[f32]) -> Vec<u8> {
    let fill = |(&number, answers): (&u8, &[f32])| if number == 0 { likeliest(answers).0 } else { number };
    puzzle.iter().zip(answers.chunks(order.side())).map(fill).collect()
}

/// Fills the cell with the likeliest digit of all, looks at the new position, and goes on until all cells are full.
///
/// This is paper 2's `predict_number` in a loop, and the way of paper 4. A digit that is placed stays, even if it
/// breaks a rule: it is the network that is tested here.
pub fn cell_by_cell(judge: &dyn Judge, puzzles: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut filled: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| puzzle.to_vec()).collect();
    loop {
        let open: Vec<usize> = (0..filled.len()).filter(|&index| filled[index].contains(&0)).collect();
        if open.is_empty() {
            return filled;
        }
        let positions: Vec<&[u8]> = open.iter().map(|&index| &filled[index][..]).collect();
        let choices = surest_cells(judge, &positions);
        for (index, (cell, number)) in open.into_iter().zip(choices) {
            filled[index][cell] = number;
        }
    }
}

/// For each position with an empty cell: the cell the network is surest of, and the number it would write there.
pub fn surest_cells(judge: &dyn Judge, positions: &[&[u8]]) -> Vec<(usize, u8)> {
    let side = judge.order().side();
    let answers = judge.log_probabilities(positions);
    let choose = |(position, answers): (&&[u8], &[f32])| {
        let mut best = (0, 0, f32::NEG_INFINITY);
        for (cell, answers) in answers.chunks(side).enumerate().filter(|&(cell, _)| position[cell] == 0) {
            let (number, likelihood) = likeliest(answers);
            if likelihood > best.2 {
                best = (cell, number, likelihood);
            }
        }
        (best.0, best.1)
    };
    positions.iter().zip(answers.chunks(judge.order().cell_count() * side)).map(choose).collect()
}

/// The number of the likeliest digit, the first among equals, and its likelihood.
pub(crate) fn likeliest(answers: &[f32]) -> (u8, f32) {
    let mut best = (1, f32::NEG_INFINITY);
    for (number, &answer) in (1..).zip(answers) {
        if answer > best.1 {
            best = (number, answer);
        }
    }
    best
}

fn keeps_the_rules(order: Order, numbers: &[u8]) -> bool {
    Grid::from_numbers(order, numbers).is_some_and(|grid| grid.is_solved())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows one solution, and is surer of later cells; `slip` is a cell it gets wrong until its neighbour is filled.
    struct Knows {
        solution: Vec<u8>,
        slip: Option<usize>,
    }

    impl Judge for Knows {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            2
        }

        fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
            let mut answers = Vec::new();
            for puzzle in puzzles {
                for cell in 0..16 {
                    let is_slip = self.slip == Some(cell) && puzzle[cell + 1] == 0;
                    let right = if is_slip { self.solution[cell] % 4 + 1 } else { self.solution[cell] };
                    let sure = 0.4 + cell as f32 / 40.0;
                    answers.extend((1..=4).map(|number| if number == right { sure } else { (1.0 - sure) / 3.0 }.ln()));
                }
            }
            answers
        }
    }

    fn examples() -> Examples {
        Examples::read("1..4..1..3..4..3\n1..4..1.......23\n....3412234141.3\n".as_bytes(), Order::FOUR).unwrap()
    }

    fn judge(slip: Option<usize>) -> Knows {
        Knows { solution: examples().solution(0).to_vec(), slip }
    }

    #[test]
    fn who_knows_the_solution_fills_all_puzzles_in_both_ways() {
        for way in [Way::AtOnce, Way::CellByCell] {
            let score = score(&judge(None), &examples(), way);
            assert_eq!((score.puzzles, score.solved), (3, 3));
            assert_eq!((score.cells, score.right_cells), (10 + 11 + 5, 26));
            assert_eq!(score.share_solved(), 1.0);
        }
    }

    #[test]
    fn cell_by_cell_looks_again_and_at_once_does_not() {
        // r1c2 comes out right only after r1c3 is filled, and r1c3, being later, is filled first.
        let judge = judge(Some(1));
        let at_once = score(&judge, &examples(), Way::AtOnce);
        assert_eq!((at_once.solved, at_once.right_cells), (0, 23));
        assert_eq!(at_once.first_wrong[0], "1..4..1..3..4..3");
        let again = score(&judge, &examples(), Way::CellByCell);
        assert_eq!((again.solved, again.solved_indices), (3, vec![0, 1, 2]));
    }

    #[test]
    fn a_network_guesses_for_the_hybrid_and_keeps_what_stands_in_the_puzzle() {
        let judge = judge(None);
        let guesser = Guesser { judge: &judge, way: Way::CellByCell };
        assert!(guesser.takes(Order::FOUR) && !guesser.takes(Order::NINE));
        let puzzles: Vec<Grid> = ["1..4..1..3..4..3", "....3412234141.3", "4..............."]
            .map(|text| text.parse().expect("a 4×4 puzzle"))
            .to_vec();
        let guesses = guesser.propose(&puzzles);
        assert!(guesses[0].solves(&puzzles[0]) && guesses[1].solves(&puzzles[1]));
        assert!(guesses[2].is_full() && !guesses[2].solves(&puzzles[2]), "the player's 4 stays and spoils it");
        assert_eq!(guesses[2][Order::FOUR.cell(0, 0)], ninefold::grid::Digit::new(4));
    }

    #[test]
    fn thinking_ends_where_the_digits_solve_the_puzzle_or_where_it_ends() {
        /// Thinks wrongly for so many steps of five, and says in each which step it is.
        struct Slow(usize);

        impl Judge for Slow {
            fn order(&self) -> Order {
                Order::FOUR
            }

            fn batch(&self) -> usize {
                1
            }

            fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
                settled(self, puzzles[0])
            }

            fn on_the_way(&self, puzzle: &[u8]) -> Answers<'_, Vec<f32>> {
                let puzzle = puzzle.to_vec();
                Box::new((0..5).map(move |step| {
                    let slip = (step < self.0).then_some(1);
                    let said = judge(slip).log_probabilities(&[&puzzle]);
                    said.into_iter().map(|number| number - step as f32).collect()
                }))
            }
        }
        let puzzle = examples().puzzle(0).to_vec();
        let steps_of = |slow: Slow| {
            let [said, first] = [settled(&slow, &puzzle)[0], judge(None).log_probabilities(&[&puzzle])[0]];
            (first - said).round() as usize
        };
        assert_eq!([0, 2, 4, 9].map(|wrong| steps_of(Slow(wrong))), [0, 2, 4, 4]);
    }

    #[test]
    fn the_surest_cell_is_an_empty_one() {
        let (cell, number) = surest_cells(&judge(None), &[examples().puzzle(0)])[0];
        assert_eq!((cell, number), (14, 2));
        assert_eq!(score(&judge(None), &Examples::none(Order::FOUR), Way::AtOnce), Score::default());
    }
}
