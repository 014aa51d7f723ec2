//! Training puzzles. They are drawn from several sources, whose shares change during the run. Some
//! puzzles get additional digits from their solution.

use super::experiment::Experiment;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::data::{DataError, DatasetConfig, Examples, Source, Split};
use ninefold_training::experiment::order_of;
use ninefold_training::stop::Stop;

/// The maximum share of cells that are filled in from the solution.
const MOST_REVEALED: f64 = 0.35;

/// All training puzzles of a run.
#[derive(Default)]
pub(super) struct Puzzles {
    sources: Vec<Pool>,
    /// The grid sizes without duplicates.
    pub orders: Vec<Order>,
}

struct Pool {
    order: Order,
    examples: Examples,
    share: [f64; 2],
    reveal: f64,
}

impl Puzzles {
    /// Reads and generates all puzzles.
    pub fn new(
        experiment: &Experiment,
        threads: usize,
        stop: Stop<'_>,
    ) -> Result<Puzzles, DataError> {
        let mut sources = Vec::new();
        let mut orders: Vec<Order> = Vec::new();
        for (index, source) in (0..).zip(&experiment.sources) {
            let order = order_of(source.boxes).expect("the experiment was checked");
            let mut examples = Examples::new(order);
            for path in &source.lists {
                examples.extend(&Examples::read_file_until(path, order, stop)?);
            }
            if source.generated > 0 {
                let dataset = DatasetConfig {
                    train: source.generated as u64,
                    ..DatasetConfig::new(Source::Minimal)
                };
                let seed = Random::for_part(experiment.seed, 1_000 + index).bits();
                examples.extend(&dataset.load_until(order, Split::Train, seed, threads, stop)?);
            }
            if !orders.contains(&order) {
                orders.push(order);
            }
            sources.push(Pool { order, examples, share: source.share, reveal: source.reveal });
        }
        Ok(Puzzles { sources, orders })
    }

    /// The index of a random grid size, when this share of the run is done.
    pub fn order(&self, done: f64, random: &mut Random) -> usize {
        let pool = self.pick(done, |_| true, random);
        self.orders
            .iter()
            .position(|&order| order == pool.order)
            .expect("the size of every pool is in the list")
    }

    /// A random puzzle of this size and its solution.
    pub fn draw(&self, order: Order, done: f64, random: &mut Random) -> (Vec<u8>, Vec<u8>) {
        let pool = self.pick(done, |pool| pool.order == order, random);
        let index = random.below(pool.examples.len());
        let (mut puzzle, solution) =
            (pool.examples.puzzle(index).to_vec(), pool.examples.solution(index).to_vec());
        if random.chance(pool.reveal) {
            let share = MOST_REVEALED * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
            for (cell, &digit) in puzzle.iter_mut().zip(&solution) {
                if random.chance(share) {
                    *cell = digit;
                }
            }
        }
        (puzzle, solution)
    }

    fn pick(&self, done: f64, fits: impl Fn(&Pool) -> bool, random: &mut Random) -> &Pool {
        let share = |pool: &Pool| match fits(pool) && !pool.examples.is_empty() {
            true => pool.share[0] + done * (pool.share[1] - pool.share[0]),
            false => 0.0,
        };
        let all: f64 = self.sources.iter().map(share).sum();
        let mut left = all * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let mut last = None;
        for pool in self.sources.iter().filter(|pool| share(pool) > 0.0) {
            last = Some(pool);
            left -= share(pool);
            if left < 0.0 {
                break;
            }
        }
        last.or_else(|| self.sources.iter().find(|pool| fits(pool)))
            .expect("every size has a source")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::recipe;

    #[test]
    fn shares_change_during_a_run_and_filled_in_digits_are_correct() {
        let changes = "sources = [{ boxes = [2, 2], generated = 20, share = [1.0, 0.0], reveal = 1.0 }, \
                       { boxes = [2, 3], generated = 5, share = [0.0, 1.0] }]";
        let puzzles = Puzzles::new(&recipe().with(changes).unwrap(), 1, Stop::default()).unwrap();
        let mut random = Random::new(1);
        assert_eq!((puzzles.order(0.0, &mut random), puzzles.order(1.0, &mut random)), (0, 1));
        let halfway: usize = (0..200).map(|_| puzzles.order(0.5, &mut random)).sum();
        assert!((60..140).contains(&halfway), "{halfway}");
        let mut most = 0;
        for _ in 0..50 {
            let (puzzle, solution) = puzzles.draw(Order::FOUR, 0.0, &mut random);
            assert!(
                puzzle.iter().zip(&solution).all(|(&given, &right)| given == 0 || given == right)
            );
            most = most.max(puzzle.iter().filter(|&&given| given > 0).count());
        }
        assert!(most > 6, "{most}: minimal puzzles have at most 6 clues");
    }
}
