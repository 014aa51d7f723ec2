//! Training puzzles. They are drawn from several sources, whose shares change during the run. Some
//! puzzles get additional digits from their solution.

use super::experiment::{Experiment, PuzzleSource};
use crate::Config;
use crate::layout::{Frame, PuzzleNodes};
use ninefold::grid::{Digit, Grid, Order};
use ninefold::random::Random;
use ninefold_training::data::{
    DataError, DatasetConfig, Examples, Source, Split, VariantExample, VariantExamples,
};
use ninefold_training::parallel;
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
    examples: PoolExamples,
    share: [f64; 2],
    reveal: f64,
}

enum PoolExamples {
    /// Classic puzzles of one size.
    Classic(Examples),
    /// Puzzles with any rules and of any size.
    Variants(VariantExamples),
}

impl PoolExamples {
    fn len(&self) -> usize {
        match self {
            PoolExamples::Classic(examples) => examples.len(),
            PoolExamples::Variants(examples) => examples.len(),
        }
    }
}

/// A training puzzle.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    /// The numbers of its source and of the example, to find its rules again.
    pub origin: [usize; 2],
    /// The clues, 0 for an empty cell.
    pub puzzle: Vec<u8>,
    pub solution: Vec<u8>,
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
            let order = source.order().expect("the experiment was checked");
            let seed = Random::for_part(experiment.seed, 1_000 + index).bits();
            let examples = match experiment.model.rules {
                false => PoolExamples::Classic(classic(source, order, seed, threads, stop)?),
                true => PoolExamples::Variants(variants(source, order, seed, threads, stop)?),
            };
            // With rules, puzzles of all sizes are in one batch.
            if orders.is_empty() || (!experiment.model.rules && !orders.contains(&order)) {
                orders.push(order);
            }
            sources.push(Pool { order, examples, share: source.share, reveal: source.reveal });
        }
        Ok(Puzzles { sources, orders })
    }

    /// The largest number of cells of a puzzle.
    pub fn most_cells(&self) -> usize {
        let cells = self.sources.iter().map(|pool| match &pool.examples {
            PoolExamples::Classic(_) => pool.order.cell_count(),
            PoolExamples::Variants(examples) => {
                let cells = examples.list.iter().map(|example| example.solution.len());
                cells.max().unwrap_or(0)
            }
        });
        cells.max().unwrap_or(0)
    }

    /// The number of cells of an example; `None` if there is no such example.
    pub fn cells_of(&self, [source, example]: [usize; 2]) -> Option<usize> {
        let pool = self.sources.get(source)?;
        (example < pool.examples.len()).then(|| match &pool.examples {
            PoolExamples::Classic(_) => pool.order.cell_count(),
            PoolExamples::Variants(examples) => examples.list[example].solution.len(),
        })
    }

    /// The nodes of a puzzle.
    pub fn nodes(&self, frame: &Frame, config: &Config, drawn: &Drawn) -> PuzzleNodes {
        let [source, example] = drawn.origin;
        match &self.sources[source].examples {
            PoolExamples::Classic(_) => PuzzleNodes::new(frame, config.nodes, &drawn.puzzle),
            PoolExamples::Variants(examples) => {
                nodes_of_variant(&examples.list[example].puzzle, &drawn.puzzle)
            }
        }
    }

    /// The index of a random grid size, when this share of the run is done.
    pub fn order(&self, done: f64, random: &mut Random) -> usize {
        let pool = &self.sources[self.pick(done, |_| true, random)];
        // With rules there is one batch for all sizes.
        self.orders.iter().position(|&order| order == pool.order).unwrap_or(0)
    }

    /// A random puzzle and its solution. Classic puzzles are of this size.
    pub fn draw(&self, order: Order, done: f64, random: &mut Random) -> Drawn {
        let fits = |pool: &Pool| match pool.examples {
            PoolExamples::Classic(_) => pool.order == order,
            PoolExamples::Variants(_) => true,
        };
        let source = self.pick(done, fits, random);
        let pool = &self.sources[source];
        let index = random.below(pool.examples.len());
        let (mut puzzle, solution) = match &pool.examples {
            PoolExamples::Classic(examples) => {
                (examples.puzzle(index).to_vec(), examples.solution(index).to_vec())
            }
            PoolExamples::Variants(examples) => {
                let VariantExample { puzzle, solution } = &examples.list[index];
                (puzzle.numbers().collect(), solution.clone())
            }
        };
        if random.chance(pool.reveal) {
            let share = MOST_REVEALED * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
            for (cell, &digit) in puzzle.iter_mut().zip(&solution) {
                if random.chance(share) {
                    *cell = digit;
                }
            }
        }
        Drawn { origin: [source, index], puzzle, solution }
    }

    /// The number of a random source.
    fn pick(&self, done: f64, fits: impl Fn(&Pool) -> bool, random: &mut Random) -> usize {
        let share = |pool: &Pool| match fits(pool) && pool.examples.len() > 0 {
            true => pool.share[0] + done * (pool.share[1] - pool.share[0]),
            false => 0.0,
        };
        let all: f64 = self.sources.iter().map(share).sum();
        let mut left = all * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let mut last = None;
        for (source, pool) in self.sources.iter().enumerate().filter(|(_, p)| share(p) > 0.0) {
            last = Some(source);
            left -= share(pool);
            if left < 0.0 {
                break;
            }
        }
        last.or_else(|| self.sources.iter().position(fits)).expect("every size has a source")
    }
}

fn classic(
    source: &PuzzleSource,
    order: Order,
    seed: u64,
    threads: usize,
    stop: Stop<'_>,
) -> Result<Examples, DataError> {
    let mut examples = Examples::new(order);
    for path in &source.lists {
        examples.extend(&Examples::read_file_until(path, order, stop)?);
    }
    if source.generated > 0 {
        let train = source.generated as u64;
        let dataset = DatasetConfig { train, ..DatasetConfig::new(Source::Minimal) };
        examples.extend(&dataset.load_until(order, Split::Train, seed, threads, stop)?);
    }
    Ok(examples)
}

fn variants(
    source: &PuzzleSource,
    order: Order,
    seed: u64,
    threads: usize,
    stop: Stop<'_>,
) -> Result<VariantExamples, DataError> {
    let mut examples = VariantExamples::default();
    for path in &source.lists {
        examples.list.extend(VariantExamples::read_file_until(path, stop)?.list);
    }
    if let Some(variants) = &source.variants {
        let generated = VariantExamples::generate(variants, order, seed, threads, stop)?;
        examples.list.extend(generated.list);
    }
    if source.generated > 0 {
        let classic = PuzzleSource { lists: Vec::new(), ..source.clone() };
        let generated = self::classic(&classic, order, seed, threads, stop)?;
        examples.list.extend((0..generated.len()).map(|index| VariantExample {
            puzzle: Grid::from_numbers(order, generated.puzzle(index)).expect("a valid puzzle"),
            solution: generated.solution(index).to_vec(),
        }));
    }
    // Puzzles with very long sums are left out.
    let is_small = parallel::map(&examples.list, |example| {
        let nodes = PuzzleNodes::with_rules(&example.puzzle);
        nodes.and_then(|(nodes, _)| nodes.groups).is_some_and(|groups| groups.can_be_packed())
    });
    let mut is_small = is_small.into_iter();
    examples.list.retain(|_| is_small.next() == Some(true));
    Ok(examples)
}

/// The nodes of a puzzle with these clues.
pub(super) fn nodes_of_variant(puzzle: &Grid, clues: &[u8]) -> PuzzleNodes {
    let mut grid = puzzle.clone();
    for (cell, &number) in grid.order().cells().zip(clues) {
        grid.set(cell, Digit::new(number));
    }
    PuzzleNodes::with_rules(&grid).expect("clues of the solution break no rule").0
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
            let Drawn { puzzle, solution, .. } = puzzles.draw(Order::FOUR, 0.0, &mut random);
            assert!(
                puzzle.iter().zip(&solution).all(|(&given, &right)| given == 0 || given == right)
            );
            most = most.max(puzzle.iter().filter(|&&given| given > 0).count());
        }
        assert!(most > 6, "{most}: minimal puzzles have at most 6 clues");
    }
}
