//! Generate: a new puzzle by wish.

use crate::error::ApiError;
use crate::game::order_of;
use crate::limits::{MOST_SIDE_MADE, Time, within};
use ninefold::Technique;
use ninefold::clock::{self, Instant};
use ninefold::generate::{
    self, BadWish, Between, Demand, Made, PatternSymmetry, Refusal, SinglesOnly, Techniques, Wish,
};
use ninefold::grid::Order;
use ninefold::rate::dupree::Difficulty;
use ninefold::rate::effort;
use ninefold::rate::explainer::Tenths;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

/// What is wished for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The shape of the boxes; 3x3 if nothing is said.
    boxes: Option<String>,
    /// How difficult it is, by the steps it needs: `easy`, `medium`, `hard`, `expert` or `extreme`, as on the command line.
    difficulty: Option<String>,
    /// The lowest and the highest ER of Sudoku Explainer.
    er: Option<(f64, f64)>,
    /// One of DuPree's six levels on 9×9; `easy` elsewhere means that singles are enough.
    level: Option<String>,
    /// The hardest technique on the way to the solution.
    technique: Option<String>,
    /// Techniques that the way to the solution uses.
    #[serde(default)]
    needs: Vec<String>,
    /// Techniques that the way to the solution does without.
    #[serde(default)]
    avoids: Vec<String>,
    /// The fewest and the most clues.
    clues: Option<(usize, usize)>,
    /// Is every clue needed?
    #[serde(default)]
    minimal: bool,
    /// The symmetry of the clues' pattern.
    symmetry: Option<String>,
    /// Equal seeds give equal puzzles.
    seed: Option<u64>,
}

/// A wish that has been understood.
pub struct Understood {
    looks: Looks,
    demands: Demands,
    seed: u64,
}

impl Wanted {
    /// Understands the wish, or says what is wrong with it.
    pub fn understood(&self) -> Result<Understood, ApiError> {
        let order = self.boxes.as_deref().map_or(Ok(Order::NINE), order_of)?;
        if order.side() > MOST_SIDE_MADE {
            let hint = format!("{MOST_SIDE_MADE}×{MOST_SIDE_MADE} is the largest");
            return Err(ApiError::unusable(format!("{order} puzzles cannot be made here"), hint));
        }
        let demands = demands(self, order)?;
        let symmetry = match self.symmetry.as_deref() {
            None => PatternSymmetry::None,
            Some(name) => PatternSymmetry::by_name(name).ok_or_else(|| {
                let names = PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ");
                ApiError::unusable(
                    format!("{name:?} is no symmetry"),
                    format!("use one of {names}"),
                )
            })?,
        };
        let clues = self.clues.map(|(fewest, most)| fewest..=most);
        let looks = Looks { order, symmetry, clues, minimal: self.minimal };
        Ok(Understood { looks, demands, seed: self.seed.unwrap_or_else(seed_of_now) })
    }
}

impl Understood {
    /// The puzzle, or why there is none; nothing if the first moment was not enough.
    pub fn make(&self, time: Time, gone: &AtomicBool) -> Option<Result<Value, ApiError>> {
        let order = self.looks.order;
        let made = make(&self.looks, &self.demands, self.seed, time, gone)?;
        Some(made.map(|made| {
            json!({
                "puzzle": made.puzzle.to_string(),
                "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
                "solution": made.solution.to_string(),
                "clues": made.puzzle.clue_count(),
                "seed": self.seed,
            })
        }))
    }
}

type Demands = Vec<Box<dyn Demand + Send + Sync>>;

fn demands(wanted: &Wanted, order: Order) -> Result<Demands, ApiError> {
    let mut demands: Demands = Vec::new();
    if let Some(name) = &wanted.difficulty {
        demands.push(Box::new(of_difficulty(name, order)?));
    }
    if let Some((lowest, highest)) = wanted.er {
        let tenths = |rating: f64| Tenths((rating * 10.0).round() as u16);
        demands.push(Box::new(Between::Explainer(tenths(lowest)..=tenths(highest))));
    }
    if let Some(name) = &wanted.level {
        let Some(level) = Difficulty::ALL.into_iter().find(|level| level.label() == name) else {
            let names = Difficulty::ALL.map(Difficulty::label).join(", ");
            return Err(ApiError::unusable(
                format!("{name:?} is no level"),
                format!("use one of {names}"),
            ));
        };
        if order == Order::NINE {
            demands.push(Box::new(Between::Dupree(level.scores())));
        } else if level <= Difficulty::Easy {
            demands.push(Box::new(SinglesOnly));
        }
    }
    let named = |name: &String| {
        let technique = name.parse().ok().filter(|technique: &Technique| technique.is_default());
        technique.ok_or_else(|| {
            ApiError::unusable(
                format!("{name:?} is no technique in use"),
                "see /api/techniques for the names",
            )
        })
    };
    let list =
        |names: &[String]| names.iter().map(named).collect::<Result<Vec<Technique>, ApiError>>();
    let hardest = wanted.technique.as_ref().map(named).transpose()?;
    let techniques = Techniques {
        with: list(&wanted.needs)?,
        without: list(&wanted.avoids)?,
        hardest,
        ..Techniques::default()
    };
    if techniques != Techniques::default() {
        demands.push(Box::new(techniques.demand().map_err(bad_wish)?));
    }
    Ok(demands)
}

fn of_difficulty(name: &str, order: Order) -> Result<Between, ApiError> {
    let Some(level) = effort::Level::by_name(name) else {
        let names = effort::Level::ALL.map(effort::Level::name).join(", ");
        return Err(ApiError::unusable(
            format!("{name:?} is no difficulty"),
            format!("use one of {names}"),
        ));
    };
    // Chains and assumptions take too long to be looked for on large grids.
    if order.side() > 9 && level > effort::Level::Hard {
        return Err(ApiError::unusable(
            format!("{order} puzzles cannot be made {name} here"),
            "hard is the most",
        ));
    }
    Ok(Between::Effort(level..=level))
}

/// How the puzzle shall look.
#[derive(Clone)]
struct Looks {
    order: Order,
    symmetry: PatternSymmetry,
    clues: Option<RangeInclusive<usize>>,
    minimal: bool,
}

/// Makes a puzzle; nothing if the first moment was not enough. One complete grid after the other is tried, so it depends
/// on nothing but the wish and the seed.
fn make(
    looks: &Looks,
    demands: &Demands,
    seed: u64,
    time: Time,
    gone: &AtomicBool,
) -> Option<Result<Made, ApiError>> {
    let started = Instant::now();
    let Looks { order, symmetry, minimal, .. } = *looks;
    for index in 0.. {
        let demands = demands.iter().map(|demand| &**demand as &dyn Demand).collect();
        let limits = within(time.limit().saturating_sub(started.elapsed()), gone);
        let wish = Wish {
            clues: looks.clues.clone(),
            symmetry,
            minimal,
            demands,
            attempts: 1,
            limits,
            ..Wish::any(order)
        };
        match generate::make(&wish, seed, index) {
            Ok(made) => return Some(Ok(made)),
            Err(Refusal::BadWish(bad)) => return Some(Err(bad_wish(bad))),
            Err(Refusal::NotFound(_)) => {}
            Err(Refusal::Stopped(_)) => break,
        }
    }
    if time.is_first() {
        return None;
    }
    let error = format!("no such puzzle was found in {} seconds", time.limit().as_secs());
    Some(Err(ApiError::not_in_time(error, "try again, or wish for less")))
}

fn bad_wish(bad: BadWish) -> ApiError {
    ApiError::unusable(bad.to_string(), "no puzzle can satisfy this; change one of the wishes")
}

/// A different puzzle each time nobody asks for a certain one.
fn seed_of_now() -> u64 {
    // A JavaScript number holds 53 bits.
    clock::since_epoch().as_nanos() as u64 % (1 << 53)
}
