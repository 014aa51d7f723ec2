//! `generate --rules`: puzzles with killer cages, irregular regions, thermometers and other rules.

use super::Args;
use crate::error::CliError;
use crate::verdict::Verdict;
use ninefold::generate::variants::{
    self, Density, GeneratedVariant, UnknownVariantError, VariantError, VariantKind, VariantOptions,
};
use ninefold::generate::{GeneratedPuzzle, range};
use ninefold::grid::Order;
use ninefold::search::Limits;
use ninefold_formats::Format;
use std::ops::RangeInclusive;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub struct VariantArgs {
    /// Rules of the puzzles: killer, jigsaw, x, windoku, thermo, arrow, kropki and others;
    /// several are combined. An unknown name lists all. The default of --to is then json
    #[arg(long, value_name = "RULE,…", value_parser = parse_kinds)]
    rules: Option<Kinds>,

    /// With --rules: no cage, line, mark or clue beside the grid is redundant
    #[arg(long, requires = "rules")]
    minimal_rules: bool,

    /// With --rules: how many cages, lines, marks and clues beside the grid: sparse, normal or
    /// dense
    #[arg(long, value_name = "DENSITY", requires = "rules")]
    density: Option<Density>,

    /// With --rules killer: number of cells of a cage [default: 2-5]
    #[arg(long, value_name = "FROM-TO", requires = "rules", value_parser = range::parse::<usize>)]
    cage_sizes: Option<RangeInclusive<usize>>,
}

#[derive(Clone, Debug)]
struct Kinds(Vec<VariantKind>);

fn parse_kinds(text: &str) -> Result<Kinds, UnknownVariantError> {
    VariantKind::parse_list(text).map(Kinds)
}

/// The default time limit for each puzzle.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

impl VariantArgs {
    pub fn is_requested(&self) -> bool {
        self.rules.is_some()
    }

    /// The options for the library.
    pub fn options(&self, args: &Args) -> Result<VariantOptions<'static>, CliError> {
        let kinds = self.rules.clone().map_or(Vec::new(), |kinds| kinds.0);
        let puzzle = &args.puzzle;
        let order = match puzzle.order() {
            Ok(order) => order,
            // These exist for sides without rectangular boxes, such as 5 and 7.
            Err(error) => match puzzle.side_without_boxes() {
                Some(side)
                    if kinds.contains(&VariantKind::Jigsaw)
                        || kinds.contains(&VariantKind::NoBoxes) =>
                {
                    Order::without_boxes(side).map_err(|_| error)?
                }
                _ => return Err(error),
            },
        };
        let mut options = VariantOptions::new(order, kinds)
            .with_minimal(puzzle.minimal)
            .with_minimal_rules(self.minimal_rules)
            .with_limits(Limits::none().with_time(puzzle.time_limit.unwrap_or(DEFAULT_TIME)));
        options.clues = puzzle.clues.clone();
        if let Some(density) = self.density {
            options = options.with_density(density);
        }
        if let Some(sizes) = &self.cage_sizes {
            options = options.with_cage_sizes(sizes.clone());
        }
        if let Some(attempts) = puzzle.attempts {
            options = options.with_attempts(attempts as usize);
        }
        options.check().map_err(|error| to_cli_error(error.into()).0)?;
        Ok(options)
    }
}

/// The format if `--to` is not given: lines cannot contain rules.
pub const DEFAULT_FORMAT: Format = Format::Json;

/// Generates the puzzles and passes them to `deliver`.
pub fn generate_many(
    options: &VariantOptions<'_>,
    seed: u64,
    count: u64,
    threads: usize,
    mut deliver: impl FnMut(Result<GeneratedPuzzle, (CliError, Verdict)>) -> bool,
) {
    variants::generate_many(options, seed, 0..count, threads, |_, result| {
        deliver(result.map(GeneratedVariant::into_puzzle).map_err(to_cli_error))
    });
}

/// A puzzle that was not found is a negative answer.
fn to_cli_error(error: VariantError) -> (CliError, Verdict) {
    match error {
        VariantError::InvalidOptions(error) => (
            CliError::new(error.to_string())
                .hint("no puzzle can have all these properties; change one of the options"),
            Verdict::Error,
        ),
        VariantError::Rules(error) => (CliError::new(error.to_string()), Verdict::Error),
        other => (
            CliError::new(other.to_string())
                .hint("relax a requirement, or increase --attempts or --time-limit"),
            Verdict::No,
        ),
    }
}
