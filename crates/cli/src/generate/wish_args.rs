//! What a setter asks for on the command line, for verbs that make puzzles.

use crate::error::CliError;
use crate::search_args::seconds;
use crate::technique;
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ninefold::generate::{
    Between, Demand, NotFound, PatternSymmetry, Refusal, SinglesOnly, Techniques, Wish, range,
};
use ninefold::grid::{Grid, Order, text};
use ninefold::search::{Limits, unique};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The looks of a puzzle, and what it must demand of its solver.
#[derive(Args, Debug)]
pub struct WishArgs {
    /// The side of the grid [default: 9, or what --boxes says]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    size: Option<usize>,

    /// Shape of a box, rows x columns, where it is not the usual one
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub boxes: Option<Order>,

    /// How many clues: a number or a range [default: as few as removal reaches; above 25×25 three fifths of the cells]
    #[arg(long, value_name = "FROM-TO", value_parser = range::numbers::<usize>)]
    clues: Option<RangeInclusive<usize>>,

    /// Every clue is needed: without any one of them there would be a second solution
    #[arg(long)]
    minimal: bool,

    /// The symmetry of the clues' pattern
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = symmetry_names())]
    symmetry: PatternSymmetry,

    /// Where the clues stand: a grid in which every digit, x or # marks a clue
    #[arg(long, value_name = "GRID")]
    pattern: Option<String>,

    /// The solution that the puzzles must have
    #[arg(long, value_name = "GRID")]
    solution: Option<String>,

    /// DuPree's score: a range, or trivial, easy, medium, hard, very-hard, diabolical
    #[arg(long, value_name = "FROM-TO|LEVEL", value_parser = Between::dupree)]
    dupree: Option<Between>,

    /// How difficult it is, by the steps it needs: easy, medium, hard, expert, extreme, or a range such as easy-medium
    ///
    /// Easy puzzles fall to singles, medium ones to locked candidates, pairs and triples, hard ones to quads, fish and
    /// wings, expert ones to chains; extreme ones need assumptions. `ninefold rate --scale effort` shows it.
    #[arg(long, value_name = "LEVEL", value_parser = Between::effort)]
    difficulty: Option<Between>,

    /// Sudoku Explainer's ER: a number such as 7.2, or a range such as 7.1-8.4
    #[arg(long, value_name = "FROM-TO", value_parser = Between::explainer)]
    er: Option<Between>,

    /// HoDoKu's level: easy, medium, hard, unfair, extreme, or a range such as medium-hard
    #[arg(long, value_name = "LEVEL", value_parser = Between::hodoku)]
    level: Option<Between>,

    /// The weakest consistency that solves it without search: a level such as SAC, or a range such as GAC-SGAC
    #[arg(long, value_name = "FROM-TO", value_parser = Between::consistency)]
    consistency: Option<Between>,

    /// Singles alone solve it
    #[arg(long)]
    singles: bool,

    /// The path to the solution, as explain shows it, uses this technique; may be repeated
    ///
    /// Names are those of `ninefold explain --techniques`. One that explain does not try by itself is tried just before
    /// the forcing chains.
    #[arg(long, value_name = "TECHNIQUE", value_delimiter = ',')]
    with: Vec<String>,

    /// The path never uses this technique; may be repeated
    #[arg(long, value_name = "TECHNIQUE", value_delimiter = ',')]
    without: Vec<String>,

    /// The path uses this technique, and nothing harder
    #[arg(long, value_name = "TECHNIQUE")]
    hardest: Option<String>,

    /// Singles and these techniques alone solve it
    #[arg(long, value_name = "TECHNIQUE,…", value_delimiter = ',')]
    only: Vec<String>,

    /// The path uses no step that rests on the promise of one solution
    #[arg(long)]
    no_uniqueness: bool,

    /// Made as the million puzzles on Kaggle were: 29 to 37 clues, 33.8 on average, hidden singles only
    #[arg(long, conflicts_with_all = ["size", "boxes", "clues", "minimal", "symmetry", "pattern", "singles"])]
    kaggle: bool,

    /// Give one puzzle up after this many seconds and go on with the next; those that were made do not depend on it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time_limit: Duration,

    /// Give one puzzle up after this many complete grids [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    attempts: Option<u64>,
}

const SIZE_HINT: &str =
    "write one character for each cell; --size or --boxes says how many cells there are";

impl WishArgs {
    /// An option that asks for a size, if there is one.
    pub fn size_given(&self) -> Option<&'static str> {
        let given = [("--size", self.size.is_some()), ("--boxes", self.boxes.is_some())];
        given.into_iter().find(|&(_, is_given)| is_given).map(|(option, _)| option)
    }

    /// An option that asks for more than a size, if there is one.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--clues", self.clues.is_some()),
            ("--minimal", self.minimal),
            ("--symmetry", self.symmetry != PatternSymmetry::None),
            ("--pattern", self.pattern.is_some()),
            ("--solution", self.solution.is_some()),
            ("--dupree", self.dupree.is_some()),
            ("--difficulty", self.difficulty.is_some()),
            ("--er", self.er.is_some()),
            ("--level", self.level.is_some()),
            ("--consistency", self.consistency.is_some()),
            ("--singles", self.singles),
            ("--with", !self.with.is_empty()),
            ("--without", !self.without.is_empty()),
            ("--hardest", self.hardest.is_some()),
            ("--only", !self.only.is_empty()),
            ("--no-uniqueness", self.no_uniqueness),
            ("--kaggle", self.kaggle),
        ];
        given.into_iter().find(|&(_, is_given)| is_given).map(|(option, _)| option)
    }

    /// What must hold beside the looks of a puzzle.
    pub fn demands(&self) -> Result<Vec<Box<dyn Demand>>, CliError> {
        let mut demands: Vec<Box<dyn Demand>> = Vec::new();
        for range in [&self.dupree, &self.consistency, &self.difficulty, &self.level, &self.er]
            .into_iter()
            .flatten()
        {
            demands.push(Box::new(range.clone()));
        }
        if self.singles {
            demands.push(Box::new(SinglesOnly));
        }
        let techniques = Techniques {
            with: technique::all_named(&self.with)?,
            without: technique::all_named(&self.without)?,
            hardest: self.hardest.as_deref().map(technique::named).transpose()?,
            only: technique::all_named(&self.only)?,
            uniqueness: !self.no_uniqueness,
        };
        if techniques != Techniques::default() {
            demands.push(Box::new(techniques.demand().map_err(|bad| self.refused(bad.into()).0)?));
        }
        Ok(demands)
    }

    /// The size that --size and --boxes ask for together.
    fn order(&self) -> Result<Order, CliError> {
        match (self.size, self.boxes) {
            (None, None) => Ok(Order::NINE),
            (None, Some(order)) => Ok(order),
            (Some(side), Some(order)) if order.side() == side => Ok(order),
            (Some(side), Some(order)) => Err(CliError::new(format!(
                "boxes of {}x{} make a grid of {order}, not of side {side}",
                order.box_rows(),
                order.box_columns()
            ))
            .hint("leave --size out, or choose boxes with as many cells as the side")),
            (Some(side), None) => {
                Ok(Order::of_side(side).expect("the argument parser lets no other sides through"))
            }
        }
    }

    /// The wish for the library.
    pub fn wish<'a>(&self, demands: &'a [Box<dyn Demand>]) -> Result<Wish<'a>, CliError> {
        let order = self.order()?;
        let read =
            |name: &str,
             written: &Option<String>,
             read: fn(&str, Order) -> Result<Grid, CliError>| match written {
                None => Ok(None),
                Some(written) => read(written, order).map(Some).map_err(|error| {
                    CliError::new(format!("the {name}: {}", error.message)).hint(SIZE_HINT)
                }),
            };
        let start = if self.kaggle { Wish::kaggle() } else { Wish::any(order) };
        Ok(Wish {
            clues: self.clues.clone().or(start.clues),
            minimal: self.minimal,
            symmetry: self.symmetry,
            pattern: read("pattern", &self.pattern, pattern)?,
            solution: read("solution", &self.solution, solution)?,
            demands: demands.iter().map(Box::as_ref).collect(),
            attempts: self.attempts.map_or(usize::MAX, |attempts| attempts as usize),
            order: start.order,
            clue_weights: start.clue_weights,
            nodes_per_proof: if self.minimal {
                unique::NODES_PER_PROOF
            } else {
                start.nodes_per_proof
            },
            plucked: start.plucked,
            limits: Limits::time(self.time_limit),
        })
    }

    /// The words for a wish that could not be met, and the answer that this is.
    pub fn refused(&self, refusal: Refusal) -> (CliError, Verdict) {
        match refusal {
            Refusal::BadWish(bad) => (
                CliError::new(bad.to_string())
                    .hint("no puzzle can satisfy this; change one of the wishes"),
                Verdict::Trouble,
            ),
            Refusal::NotFound(not_found) => (self.in_words(&not_found), Verdict::No),
            Refusal::Stopped(interrupted) => (self.in_words(&interrupted.so_far), Verdict::No),
        }
    }

    fn in_words(&self, not_found: &NotFound) -> CliError {
        let mut message = format!(
            "no such puzzle was found in {}, {}",
            words::counted(not_found.attempts as u64, "complete grid", "complete grids"),
            words::counted(not_found.proofs, "proof", "proofs"),
        );
        if not_found.unfinished > 0 {
            message += &format!(", {} of them unfinished", words::thousands(not_found.unfinished));
        }
        if not_found.measured > 0 {
            message += &format!(
                ", {}",
                words::counted(not_found.measured, "puzzle measured", "puzzles measured")
            );
        }
        if let Some(nearest) = &not_found.nearest {
            message +=
                &format!("\nnearest: {}\n         {}", nearest.puzzle, nearest.misses.join(", "));
        }
        CliError::new(message).hint(match self.wants_few_clues() {
            true => "so few clues are found by climbing: --climb fewer-clues --minutes 5 takes the place of --clues",
            false if self.attempts.is_some() => "ask for less, or look longer with --attempts",
            false => "ask for less, or look longer with --time-limit",
        })
    }

    /// Are fewer clues asked for than removal reaches? On 9×9 it ends between 22 and 27.
    fn wants_few_clues(&self) -> bool {
        let is_nine = self.order().is_ok_and(|order| order == Order::NINE);
        is_nine && self.clues.as_ref().is_some_and(|clues| *clues.end() < 20)
    }
}

/// A pattern: digits, x and # are clues.
fn pattern(written: &str, order: Order) -> Result<Grid, CliError> {
    let marked: String = written
        .chars()
        .map(|sign| match sign {
            'x' | 'X' | '#' | '1'..='9' | 'A'..='W' | 'a'..='w' => '1',
            other => other,
        })
        .collect();
    text::read_position(&marked, Some(order))
        .map_err(|error| CliError::unreadable(&error, Some(order)))
}

fn solution(written: &str, order: Order) -> Result<Grid, CliError> {
    text::read(written, Some(order)).map_err(|error| CliError::unreadable(&error, Some(order)))
}

fn symmetry_names() -> impl TypedValueParser<Value = PatternSymmetry> {
    PossibleValuesParser::new(PatternSymmetry::ALL.map(PatternSymmetry::name)).map(|name| {
        PatternSymmetry::by_name(&name).expect("the parser lets only these names through")
    })
}

fn side(text: &str) -> Result<usize, String> {
    let side = text.parse().ok().filter(|&side| Order::of_side(side).is_some());
    side.ok_or_else(|| {
        "a grid has a side such as 4, 6, 9, 12, 16 or 25; --boxes takes every shape".to_string()
    })
}
