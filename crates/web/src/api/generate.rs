//! Generate: a new puzzle by wish.

use super::position::order_of;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::server::House;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ninefold::generate::{self, Between, Demand, Fit, Made, PatternSymmetry, SinglesOnly, Wish};
use ninefold::grid::{Candidates, Grid, Order};
use ninefold::logic::{self, End, Options, Technique};
use ninefold::rate::dupree::Level;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A search for a puzzle that takes longer is given up.
const LONGEST: Duration = Duration::from_secs(30);

/// What is wished for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The shape of the boxes; 3x3 if nothing is said.
    boxes: Option<String>,
    /// One of DuPree's six levels on 9×9; `easy` elsewhere means that singles are enough.
    level: Option<String>,
    /// A technique that the way to the solution must need.
    technique: Option<String>,
    /// How the picture of the clues looks the same.
    symmetry: Option<String>,
    /// Equal seeds give equal puzzles.
    seed: Option<u64>,
}

/// Answers `POST /api/generate`.
pub async fn answer(State(house): State<House>, Question(wanted): Question<Wanted>) -> Result<Json<Value>, Refusal> {
    let order = wanted.boxes.as_deref().map_or(Ok(Order::NINE), order_of)?;
    if order.side() > 16 {
        return Err(Refusal::unusable(format!("no {order} puzzles are made here"), "16×16 is the largest"));
    }
    let demands = demands(&wanted, order)?;
    let symmetry = match wanted.symmetry.as_deref() {
        None => PatternSymmetry::None,
        Some(name) => PatternSymmetry::by_name(name).ok_or_else(|| {
            let names = PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ");
            Refusal::unusable(format!("{name:?} is no symmetry"), format!("use one of {names}"))
        })?,
    };
    let seed = wanted.seed.unwrap_or_else(seed_of_now);
    let work = move |gone: &AtomicBool| make(order, symmetry, &demands, seed, gone);
    let made = house.desk.slowly(work).await?.ok_or_else(|| {
        let error = format!("no such puzzle was found in {} seconds", LONGEST.as_secs());
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error, "ask again, or wish for less")
    })?;
    Ok(Json(json!({
        "puzzle": made.puzzle.to_string(),
        "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
        "solution": made.solution.to_string(),
        "clues": made.puzzle.clue_count(),
        "seed": seed,
    })))
}

type Demands = Vec<Box<dyn Demand + Send>>;

fn demands(wanted: &Wanted, order: Order) -> Result<Demands, Refusal> {
    let mut demands: Demands = Vec::new();
    if let Some(name) = &wanted.level {
        let Some(level) = Level::ALL.into_iter().find(|level| level.label() == name) else {
            let names = Level::ALL.map(Level::label).join(", ");
            return Err(Refusal::unusable(format!("{name:?} is no level"), format!("use one of {names}")));
        };
        if order == Order::NINE {
            demands.push(Box::new(Between::Dupree(points(level))));
        } else if level <= Level::Easy {
            demands.push(Box::new(SinglesOnly));
        }
    }
    if let Some(name) = &wanted.technique {
        let technique = Technique::named(name).filter(|technique| logic::default_order().contains(technique));
        let technique = technique.ok_or_else(|| {
            Refusal::unusable(format!("{name:?} is no technique in use"), "see /api/techniques for the names")
        })?;
        demands.push(Box::new(Needs(technique)));
    }
    Ok(demands)
}

fn points(level: Level) -> RangeInclusive<u64> {
    match level {
        Level::Trivial => 0..=80,
        Level::Easy => 81..=150,
        Level::Medium => 151..=250,
        Level::Hard => 251..=400,
        Level::VeryHard => 401..=900,
        Level::Diabolical => 901..=u64::MAX,
    }
}

/// One complete grid is tried at a time, so that the clock and the client are looked at in between.
fn make(order: Order, symmetry: PatternSymmetry, demands: &Demands, seed: u64, gone: &AtomicBool) -> Option<Made> {
    let started = Instant::now();
    let demands = demands.iter().map(|demand| &**demand as &dyn Demand).collect();
    let wish = Wish { symmetry, demands, attempts: 1, ..Wish::any(order) };
    (0..)
        .take_while(|_| !gone.load(Ordering::Relaxed) && started.elapsed() < LONGEST)
        .find_map(|index| generate::make(&wish, seed, index).ok())
}

/// The way to the solution uses this technique, and the ones before it in our order do not make it needless.
struct Needs(Technique);

impl Demand for Needs {
    fn words(&self) -> String {
        format!("a puzzle that needs {}", self.0)
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        let techniques: Vec<Technique> =
            logic::default_order().into_iter().take_while(|technique| *technique != self.0).chain([self.0]).collect();
        let Ok(start) = Candidates::of(puzzle) else { return Fit::Above };
        let path = logic::solve(puzzle, &start, &Options { techniques, ..Options::default() });
        let uses = path.trace.steps.iter().any(|step| step.technique == self.0);
        match (path.end, uses) {
            (End::Solved, true) => Fit::Within,
            (End::Solved, false) => Fit::Below,
            _ => Fit::Above,
        }
    }
}

/// A different puzzle each time nobody asks for a certain one.
fn seed_of_now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // A JavaScript number holds 53 bits.
    now.as_nanos() as u64 % (1 << 53)
}
