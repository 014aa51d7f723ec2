//! Generates variants: killers, jigsaws, thermometers and other rules, with one solution.
//!
//! A random full grid that satisfies the rules for the complete grid comes first. Cages, lines,
//! dots and clues beside the grid are then derived from it, so that they are true, and givens are
//! added and removed until the solution is unique. See [`VariantKind`] for the kinds, which can be
//! combined, and [`VariantOptions`] for the options.
//!
//! Results are reproducible: a seed gives the same puzzles on every machine, and puzzle number
//! `index` of a seed does not depend on the number of threads.
//!
//! ```
//! use ninefold::generate::variants::{self, VariantKind, VariantOptions};
//! use ninefold::grid::Order;
//! use ninefold::{Limits, search};
//!
//! let kinds = VariantKind::parse_list("thermo,x")?;
//! let variant = variants::generate_one(&VariantOptions::new(Order::new(2, 3)?, kinds), 7, 0)?;
//! let found = search::rules::solve(&variant.rules, &variant.givens, 2, &Limits::none());
//! assert_eq!(found.solutions, [variant.solution]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod cages;
mod fill;
mod kind;
mod layout;
mod lines;
mod options;
mod outside;
mod reduction;
mod regions;

pub use kind::{UnknownVariantError, VariantKind};
pub use options::{
    Density, InvalidVariantError, UnknownDensityError, VariantError, VariantOptions,
};

use super::{GeneratedPuzzle, parallel};
use crate::grid::rules::Rules;
use crate::grid::{Digit, Grid};
use crate::limits::Deadline;
use crate::random::Random;
use board::Board;
use layout::Layout;
use reduction::Reduction;
use std::ops::Range;
use std::sync::Arc;

/// A puzzle with rules and its only solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GeneratedVariant {
    /// The rules.
    pub rules: Rules,
    /// The given digits in reading order.
    pub givens: Vec<Option<Digit>>,
    /// The solution in reading order.
    pub solution: Vec<Digit>,
}

impl GeneratedVariant {
    /// The number of givens.
    #[must_use]
    pub fn given_count(&self) -> usize {
        self.givens.iter().flatten().count()
    }

    /// The puzzle and its solution as grids that carry the rules.
    #[must_use]
    pub fn into_puzzle(self) -> GeneratedPuzzle {
        let rules = Arc::new(self.rules);
        let grid = |digits: &mut dyn Iterator<Item = Option<Digit>>| {
            let mut grid = Grid::empty_with(Arc::clone(&rules));
            for (cell, digit) in rules.order().cells().zip(digits) {
                grid.set(cell, digit);
            }
            grid
        };
        GeneratedPuzzle {
            puzzle: grid(&mut self.givens.into_iter()),
            solution: grid(&mut self.solution.into_iter().map(Some)),
        }
    }
}

/// Exchanges per cell of a random jigsaw layout. Later attempts make fewer, because grids rarely
/// exist for very irregular large layouts.
const EXCHANGES: [usize; 6] = [30, 20, 12, 6, 3, 1];
/// Layouts to try with each number of exchanges.
const LAYOUTS: usize = 4;
/// Searches for a full grid in one layout.
const RESTARTS: usize = 12;

/// Generates puzzle number `index` of a seed.
pub fn generate_one(
    options: &VariantOptions<'_>,
    seed: u64,
    index: u64,
) -> Result<GeneratedVariant, VariantError> {
    options.check()?;
    let mut random = Random::for_part(seed, index);
    let deadline = Deadline::new(&options.limits);
    let mut nearest: Option<(usize, String)> = None;
    for _ in 0..options.attempts {
        let Some((base, solution)) = full_grid(options, &deadline, &mut random)? else { continue };
        let regions = region_of_each_cell(&base);
        let board = Board { side: base.side(), solution: &solution, regions: &regions };
        match reduce(options, &base, &board, &deadline, &mut random)? {
            Ok(variant) => return Ok(variant),
            Err(miss) => {
                if nearest.as_ref().is_none_or(|(distance, _)| miss.0 < *distance) {
                    nearest = Some(miss);
                }
            }
        }
    }
    let attempts = options.attempts;
    let kinds: Vec<&str> = options.kinds.iter().map(|kind| kind.name()).collect();
    match nearest {
        Some((_, nearest)) => Err(VariantError::NotFound { attempts, nearest }),
        None => Err(VariantError::NoGrid { kinds: kinds.join(", "), attempts }),
    }
}

/// Generates the puzzles with these indices on several threads and passes them to `deliver` in
/// order, until it returns `false`. Errors are passed to `deliver`, too.
pub fn generate_many(
    options: &VariantOptions<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, Result<GeneratedVariant, VariantError>) -> bool,
) {
    let generate_part =
        |part: Range<u64>| part.map(|index| generate_one(options, seed, index)).collect::<Vec<_>>();
    parallel::in_order(indices, 1, threads, generate_part, deliver);
}

/// A random full grid and the rules for the complete grid that it satisfies.
fn full_grid(
    options: &VariantOptions<'_>,
    deadline: &Deadline<'_>,
    random: &mut Random,
) -> Result<Option<(Rules, Vec<Digit>)>, VariantError> {
    let layouts: &[usize] = if options.is_jigsaw() { &EXCHANGES } else { &EXCHANGES[..1] };
    for &exchanges in layouts {
        for _ in 0..LAYOUTS {
            let mut rules = if options.is_jigsaw() {
                let side = options.order.side();
                let regions = regions::random(side, exchanges, random);
                Rules::jigsaw(side, regions.into_iter().map(Some).collect())?
            } else if options.kinds.contains(&VariantKind::NoBoxes) {
                Rules::without_regions(options.order.side())?
            } else {
                Rules::classic(options.order)
            };
            // Regular boxes are not a jigsaw.
            if options.is_jigsaw() && rules.order().has_boxes() {
                continue;
            }
            rules.extend(options.kinds.iter().flat_map(|&kind| layout::global(kind)))?;
            if let Some(solution) = fill::random(&rules, RESTARTS, deadline, random)? {
                return Ok(Some((rules, solution)));
            }
        }
    }
    Ok(None)
}

/// The distance from the options, and how a puzzle misses them.
type Miss = (usize, String);

/// Chooses rules and givens for a solution.
fn reduce(
    options: &VariantOptions<'_>,
    base: &Rules,
    board: &Board<'_>,
    deadline: &Deadline<'_>,
    random: &mut Random,
) -> Result<Result<GeneratedVariant, Miss>, VariantError> {
    let cells = board.solution.len();
    let layout = match Layout::new(board, options, random) {
        Ok(layout) => layout,
        Err(kind) => return Ok(Err((cells + 1, format!("the rule {kind} found no place")))),
    };
    let (least, most) =
        options.clues.as_ref().map_or((0, cells), |clues| (*clues.start(), *clues.end()));
    let wanted = match &options.clues {
        Some(_) => least + random.below(most - least + 1),
        None => 0,
    };
    let mut reduction = Reduction::new(base, layout, board, options, deadline)?;
    reduction.add_givens(most, random)?;
    if options.minimal {
        reduction.remove_givens(0, random)?;
    } else {
        reduction.remove_givens(wanted, random)?;
        reduction.fill_up(wanted, random);
    }
    let count = reduction.given_count();
    if !(least..=most).contains(&count) {
        let distance = least.saturating_sub(count) + count.saturating_sub(most);
        return Ok(Err((distance, format!("the nearest puzzle has {count} givens"))));
    }
    if options.minimal_rules {
        reduction.remove_constraints(random)?;
    }
    if options.minimal && reduction.has_unfinished_proof {
        return Ok(Err((0, "the nearest puzzle was not proven minimal".to_string())));
    }
    let mut rules = base.clone();
    rules.extend(reduction.constraints().skip(base.constraints().len()).cloned())?;
    assert!(
        rules.hold_for(board.solution),
        "this is a bug in Ninefold: a generated rule is not true in the solution"
    );
    let solution = board.solution.to_vec();
    Ok(Ok(GeneratedVariant { rules, givens: reduction.givens, solution }))
}

/// The number of the region of each cell. Cells outside all regions share a number.
/// The number of the region of each cell. Cells outside all regions have numbers of their own.
fn region_of_each_cell(rules: &Rules) -> Vec<usize> {
    let regions = rules.regions();
    let mut numbers: Vec<usize> = (regions.len()..).take(rules.side() * rules.side()).collect();
    for (number, region) in regions.iter().enumerate() {
        region.iter().for_each(|cell| numbers[cell.index()] = number);
    }
    numbers
}
