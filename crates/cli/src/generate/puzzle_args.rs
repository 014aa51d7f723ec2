//! Options for the properties of generated puzzles.

use crate::error::CliError;
use crate::humanize;
use crate::search_args::parse_seconds;
use crate::technique;
use crate::values;
use crate::verdict::Verdict;
use clap::builder::TypedValueParser;
use ninefold::generate::{
    GenerateError, GenerateOptions, NotFoundError, PatternSymmetry, RatingRange, Requirement,
    SinglesOnly, TechniqueOptions, range,
};
use ninefold::grid::{Grid, Order, text};
use ninefold::search::{Limits, unique};
use std::ops::RangeInclusive;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub struct PuzzleArgs {
    /// Side length of the grid [default: 9, or the side length for --boxes]
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    size: Option<usize>,

    /// Shape of a box as rows x columns, if it differs from the default
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub boxes: Option<Order>,

    /// Number of clues, or a range
    /// [default: remove as many clues as possible; above 25×25, keep three fifths of the cells]
    #[arg(long, value_name = "FROM-TO", value_parser = range::parse::<usize>)]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// No redundant clue: removing any clue would allow a second solution
    #[arg(long)]
    pub(super) minimal: bool,

    /// Symmetry of the pattern of clues
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = symmetry_parser())]
    symmetry: PatternSymmetry,

    /// Positions of the clues: a grid in which every digit, x or # marks a clue
    #[arg(long, value_name = "GRID")]
    pattern: Option<String>,

    /// Solution of the puzzles
    #[arg(long, value_name = "GRID")]
    solution: Option<String>,

    /// DuPree's score as a range, or DuPree's level: trivial, easy, medium, hard, very-hard,
    /// diabolical
    #[arg(long, value_name = "FROM-TO|LEVEL", value_parser = RatingRange::parse_dupree)]
    dupree: Option<RatingRange>,

    /// Difficulty by the steps that are needed: easy, medium, hard, expert, extreme, or a range
    /// such as easy-medium
    ///
    /// The hardest technique decides: easy puzzles need only singles, medium puzzles need locked
    /// candidates or pairs, hard puzzles need triples, quads, fish or wings, expert puzzles need
    /// chains, and extreme puzzles need chains with groups, forcing chains or assumptions.
    /// `ninefold rate --scale effort` prints the difficulty.
    #[arg(long, value_name = "DIFFICULTY", value_parser = RatingRange::parse_effort)]
    difficulty: Option<RatingRange>,

    /// Sudoku Explainer's ER, such as 7.2, or a range such as 7.1-8.4
    #[arg(long, value_name = "FROM-TO", value_parser = RatingRange::parse_explainer)]
    er: Option<RatingRange>,

    /// HoDoKu's level: easy, medium, hard, unfair, extreme, or a range such as medium-hard
    #[arg(long, value_name = "LEVEL", value_parser = RatingRange::parse_hodoku)]
    hodoku: Option<RatingRange>,

    /// Weakest consistency that solves the puzzle without search, such as SAC, or a range such as
    /// GAC-SGAC
    #[arg(long, value_name = "FROM-TO", value_parser = RatingRange::parse_consistency)]
    consistency: Option<RatingRange>,

    /// Singles are sufficient to solve the puzzle
    #[arg(long)]
    singles_only: bool,

    /// The solution path uses this technique; may be repeated
    ///
    /// The solution path is that of `ninefold explain`, and `ninefold explain --techniques` lists
    /// the names. A technique that is off by default is tried before the forcing chains.
    #[arg(long, value_name = "TECHNIQUE", value_delimiter = ',')]
    uses: Vec<String>,

    /// The solution path does not use this technique; may be repeated
    #[arg(long, value_name = "TECHNIQUE", value_delimiter = ',')]
    without: Vec<String>,

    /// The solution path uses this technique and no harder one
    #[arg(long, value_name = "TECHNIQUE")]
    hardest: Option<String>,

    /// Singles and these techniques are sufficient to solve the puzzle
    #[arg(long, value_name = "TECHNIQUE,…", value_delimiter = ',')]
    only: Vec<String>,

    /// The solution path does not use techniques that assume a unique solution
    #[arg(long)]
    no_uniqueness: bool,

    /// Puzzles like the million puzzles on Kaggle: 29 to 37 clues, 33.8 on average, hidden singles
    /// only
    #[arg(long, conflicts_with_all = ["size", "boxes", "clues", "minimal", "symmetry", "pattern", "singles_only"])]
    kaggle: bool,

    /// Stop searching for a puzzle after this many seconds and continue with the next one
    /// [default: 60]
    ///
    /// The limit does not change the puzzles that are found.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(super) time_limit: Option<Duration>,

    /// Stop searching for a puzzle after this many complete grids [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) attempts: Option<u64>,
}

/// The default time limit for each puzzle.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

const SIZE_HINT: &str =
    "write one character for each cell, and set the size with --size or --boxes";

/// Larger results are rejected: no disk holds them.
const MAX_BYTES: u128 = 100_000_000_000_000;

/// An error if the puzzles with their solutions need more space than any disk has.
pub fn check_count(count: u64, order: Order) -> Result<(), CliError> {
    let bytes = 2 * u128::from(count) * order.cell_count() as u128;
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let count = humanize::thousands(count);
    let (needed, most) = (bytes / 1_000_000_000_000, MAX_BYTES / 1_000_000_000_000);
    let needed = humanize::thousands(u64::try_from(needed).unwrap_or(u64::MAX));
    Err(CliError::new(format!(
        "{count} {order} puzzles and their solutions need about {needed} TB, and the limit is {most} TB"
    ))
    .hint("use a smaller --count"))
}

impl PuzzleArgs {
    /// The option that sets the size, if there is one.
    pub fn size_option(&self) -> Option<&'static str> {
        let given = [("--size", self.size.is_some()), ("--boxes", self.boxes.is_some())];
        given.into_iter().find(|&(_, is_given)| is_given).map(|(option, _)| option)
    }

    /// The side, if it has no rectangular boxes.
    pub(super) fn side_without_boxes(&self) -> Option<usize> {
        self.size.filter(|&side| self.boxes.is_none() && Order::from_side(side).is_none())
    }

    /// The first option that the generator of variants does not know.
    pub(super) fn first_classic_option(&self) -> Option<&'static str> {
        let known = ["--clues", "--minimal", "--time-limit", "--attempts"];
        self.given_options().into_iter().find(|option| !known.contains(option))
    }

    /// The first option other than the size.
    pub fn first_option(&self) -> Option<&'static str> {
        self.given_options().into_iter().next()
    }

    /// The options that are given, without the size.
    fn given_options(&self) -> Vec<&'static str> {
        let given = [
            ("--clues", self.clues.is_some()),
            ("--minimal", self.minimal),
            ("--symmetry", self.symmetry != PatternSymmetry::None),
            ("--pattern", self.pattern.is_some()),
            ("--solution", self.solution.is_some()),
            ("--dupree", self.dupree.is_some()),
            ("--difficulty", self.difficulty.is_some()),
            ("--er", self.er.is_some()),
            ("--hodoku", self.hodoku.is_some()),
            ("--consistency", self.consistency.is_some()),
            ("--singles-only", self.singles_only),
            ("--uses", !self.uses.is_empty()),
            ("--without", !self.without.is_empty()),
            ("--hardest", self.hardest.is_some()),
            ("--only", !self.only.is_empty()),
            ("--no-uniqueness", self.no_uniqueness),
            ("--kaggle", self.kaggle),
            ("--time-limit", self.time_limit.is_some()),
            ("--attempts", self.attempts.is_some()),
        ];
        given.into_iter().filter(|&(_, is_given)| is_given).map(|(option, _)| option).collect()
    }

    /// The requirements on the difficulty and the solution path.
    pub fn requirements(&self) -> Result<Vec<Box<dyn Requirement>>, CliError> {
        let mut requirements: Vec<Box<dyn Requirement>> = Vec::new();
        for range in [&self.dupree, &self.consistency, &self.difficulty, &self.hodoku, &self.er]
            .into_iter()
            .flatten()
        {
            requirements.push(Box::new(range.clone()));
        }
        if self.singles_only {
            requirements.push(Box::new(SinglesOnly));
        }
        let mut techniques = TechniqueOptions::new()
            .with_required(technique::parse_all(&self.uses)?)
            .with_forbidden(technique::parse_all(&self.without)?)
            .with_allowed(technique::parse_all(&self.only)?)
            .with_uniqueness(!self.no_uniqueness);
        techniques.hardest = self.hardest.as_deref().map(technique::parse).transpose()?;
        if techniques != TechniqueOptions::new() {
            requirements.push(Box::new(
                techniques.into_requirement().map_err(|error| self.to_cli_error(error.into()).0)?,
            ));
        }
        Ok(requirements)
    }

    /// The size that --size and --boxes set together.
    pub(super) fn order(&self) -> Result<Order, CliError> {
        match (self.size, self.boxes) {
            (None, None) => Ok(Order::NINE),
            (None, Some(order)) => Ok(order),
            (Some(side), Some(order)) if order.side() == side => Ok(order),
            (Some(side), Some(order)) => Err(CliError::new(format!(
                "--boxes {}x{} needs side length {}, but --size is {side}",
                order.box_rows(),
                order.box_columns(),
                order.side()
            ))
            .hint("leave out --size, or choose boxes with as many cells as the side length")),
            (Some(side), None) => Order::from_side(side).ok_or_else(|| {
                CliError::new(format!("a {side}×{side} grid has no rectangular boxes"))
                    .hint("use --size 4, 6, 8, 9, 12, 16 or 25, or add --rules jigsaw")
            }),
        }
    }

    /// The options for the library.
    pub fn options<'a>(
        &self,
        requirements: &'a [Box<dyn Requirement>],
    ) -> Result<GenerateOptions<'a>, CliError> {
        let order = self.order()?;
        let read =
            |name: &str,
             written: &Option<String>,
             read: fn(&str, Order) -> Result<Grid, CliError>| match written {
                None => Ok(None),
                Some(written) => read(written, order).map(Some).map_err(|error| {
                    CliError::new(format!("--{name}: {}", error.message)).hint(SIZE_HINT)
                }),
            };
        let mut options = match self.kaggle {
            true => GenerateOptions::kaggle(),
            false => GenerateOptions::new(order),
        };
        options.clues = self.clues.clone().or(options.clues);
        options.minimal = self.minimal;
        options.symmetry = self.symmetry;
        options.pattern = read("pattern", &self.pattern, parse_pattern)?;
        options.solution = read("solution", &self.solution, parse_solution)?;
        options.requirements = requirements.iter().map(Box::as_ref).collect();
        options.attempts = self.attempts.map_or(usize::MAX, |attempts| attempts as usize);
        if self.minimal {
            options.nodes_per_proof = unique::NODES_PER_PROOF;
        }
        options.limits = Limits::none().with_time(self.time_limit.unwrap_or(DEFAULT_TIME));
        Ok(options)
    }

    /// Converts an error of the library. A puzzle that was not found is a negative answer.
    pub fn to_cli_error(&self, error: GenerateError) -> (CliError, Verdict) {
        match error {
            GenerateError::InvalidOptions(error) => (
                CliError::new(error.to_string())
                    .hint("no puzzle can have all these properties; change one of the options"),
                Verdict::Error,
            ),
            GenerateError::NotFound(not_found) => (self.not_found_error(&not_found), Verdict::No),
            GenerateError::Interrupted(interrupted) => {
                (self.not_found_error(&interrupted.so_far), Verdict::No)
            }
            _ => (CliError::new(error.to_string()), Verdict::Error),
        }
    }

    fn not_found_error(&self, not_found: &NotFoundError) -> CliError {
        let mut message = format!(
            "no such puzzle was found: tried {} with {}",
            humanize::count(not_found.attempts as u64, "complete grid", "complete grids"),
            humanize::count(not_found.proofs, "proof", "proofs"),
        );
        if not_found.unfinished > 0 {
            message +=
                &format!(", {} of them unfinished", humanize::thousands(not_found.unfinished));
        }
        if not_found.measured > 0 {
            message += &format!(
                ", {}",
                humanize::count(not_found.measured, "puzzle rated", "puzzles rated")
            );
        }
        if let Some(nearest) = &not_found.nearest {
            message += &format!(
                "\nnearest: {}\n         {}",
                nearest.puzzle,
                nearest.mismatches.join(", ")
            );
        }
        CliError::new(message).hint(match self.wants_few_clues() {
            true => "to find puzzles with so few clues, replace --clues by --climb fewer-clues --minutes 5",
            false if self.attempts.is_some() => "relax a requirement, or increase --attempts",
            false => "relax a requirement, or increase --time-limit",
        })
    }

    /// True if removing clues rarely reaches the requested number. On 9×9 it ends at 22 to 27
    /// clues.
    fn wants_few_clues(&self) -> bool {
        let is_nine = self.order().is_ok_and(|order| order == Order::NINE);
        is_nine && self.clues.as_ref().is_some_and(|clues| *clues.end() < 20)
    }
}

/// Parses a pattern, in which digits, x and # are clues.
fn parse_pattern(written: &str, order: Order) -> Result<Grid, CliError> {
    let marked: String = written
        .chars()
        .map(|sign| match sign {
            'x' | 'X' | '#' | '1'..='9' | 'A'..='W' | 'a'..='w' => '1',
            other => other,
        })
        .collect();
    text::parse_position(&marked, Some(order))
        .map_err(|error| CliError::invalid_grid(&error, Some(order)))
}

fn parse_solution(written: &str, order: Order) -> Result<Grid, CliError> {
    text::parse(written, Some(order)).map_err(|error| CliError::invalid_grid(&error, Some(order)))
}

fn symmetry_parser() -> impl TypedValueParser<Value = PatternSymmetry> {
    values::parser(PatternSymmetry::ALL, PatternSymmetry::name)
}

fn parse_side(text: &str) -> Result<usize, String> {
    let side = text.parse().ok().filter(|side| (4..=Order::MAX_SIDE).contains(side));
    side.ok_or_else(|| {
        "expected a side length such as 4, 6, 9, 12, 16 or 25; for other shapes use --boxes"
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_results_that_fit_on_no_disk() {
        assert!(check_count(100_000_000_000, Order::NINE).is_ok());
        let error = check_count(1_000_000_000_000_000, Order::NINE).unwrap_err();
        assert!(error.message.contains("need about 162,000 TB"), "{error}");
        assert!(check_count(u64::MAX, Order::new(8, 8).unwrap()).is_err());
    }
}
