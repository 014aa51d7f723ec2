//! Generate: a new puzzle with requested properties.

use crate::error::ApiError;
use crate::game::{self, parse_order};
use crate::limits::{Budget, MAX_GENERATED_SIDE};
use ninefold::Technique;
use ninefold::clock;
use ninefold::generate::variants::{
    self, GeneratedVariant, VariantError, VariantKind, VariantOptions,
};
use ninefold::generate::{
    self, GenerateError, GenerateOptions, GeneratedPuzzle, InvalidOptionsError, PatternSymmetry,
    RatingRange, Requirement, SinglesOnly, TechniqueOptions,
};
use ninefold::grid::Order;
use ninefold::rate::dupree::Difficulty;
use ninefold::rate::effort::{self, Level};
use ninefold::rate::explainer::Tenths;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// A request for a puzzle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerateRequest {
    /// The shape of the boxes; 3x3 by default.
    boxes: Option<String>,
    /// The difficulty of the steps: `easy`, `medium`, `hard`, `expert` or `extreme`, as on the
    /// command line.
    difficulty: Option<String>,
    /// The lowest and the highest rating (ER) of Sudoku Explainer.
    er: Option<(f64, f64)>,
    /// One of DuPree's six levels on 9×9. On other sizes, `easy` means that singles are enough.
    dupree: Option<String>,
    /// The hardest technique of the explanation.
    technique: Option<String>,
    /// Techniques that the explanation uses.
    #[serde(default)]
    needs: Vec<String>,
    /// Techniques that the explanation does not use.
    #[serde(default)]
    avoids: Vec<String>,
    /// The lowest and the highest number of clues.
    clues: Option<(usize, usize)>,
    /// Whether every clue is necessary.
    #[serde(default)]
    minimal: bool,
    /// The symmetry of the clue pattern.
    symmetry: Option<String>,
    /// Rules beside the classic ones, separated by commas: `killer`, `jigsaw,x`. Such puzzles
    /// support the fields `boxes`, `clues`, `minimal` and `seed` only.
    rules: Option<String>,
    /// The same seed always gives the same puzzle; random by default.
    seed: Option<u64>,
}

/// A validated request.
pub struct Generator {
    order: Order,
    symmetry: PatternSymmetry,
    clues: Option<RangeInclusive<usize>>,
    minimal: bool,
    requirements: Requirements,
    /// The kinds of rules; empty for a classic puzzle.
    rules: Vec<VariantKind>,
    seed: u64,
}

impl GenerateRequest {
    /// Validates the request.
    pub fn generator(&self) -> Result<Generator, ApiError> {
        let order = self.boxes.as_deref().map_or(Ok(Order::NINE), parse_order)?;
        if order.side() > MAX_GENERATED_SIDE {
            return Err(ApiError::invalid(
                format!("{order} puzzles cannot be generated here"),
                format!("the largest size is {MAX_GENERATED_SIDE}×{MAX_GENERATED_SIDE}"),
            ));
        }
        let requirements = requirements(self, order)?;
        let rules = self.rules.as_deref().map_or(Ok(Vec::new()), VariantKind::parse_list).map_err(
            |error| ApiError::invalid(error.to_string(), "use for example killer, jigsaw or x"),
        )?;
        if !rules.is_empty() && (!requirements.is_empty() || self.symmetry.is_some()) {
            return Err(ApiError::invalid(
                "puzzles with rules have no difficulty, technique or symmetry",
                "use only boxes, clues, minimal and seed beside rules",
            ));
        }
        let symmetry = match self.symmetry.as_deref() {
            None => PatternSymmetry::None,
            Some(name) => name.parse().map_err(|_| {
                let names = PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ");
                ApiError::invalid(
                    format!("unknown symmetry {name:?}"),
                    format!("use one of {names}"),
                )
            })?,
        };
        let clues = self.clues.map(|(fewest, most)| fewest..=most);
        let seed = self.seed.unwrap_or_else(random_seed);
        Ok(Generator { order, symmetry, clues, minimal: self.minimal, requirements, rules, seed })
    }
}

impl Generator {
    /// The puzzle as JSON. An error if none is found in time.
    pub fn generate(&self, budget: &Budget<'_>) -> Result<Value, ApiError> {
        let generated = match self.rules.is_empty() {
            true => self.first_match(budget)?,
            false => self.variant(0, budget)?,
        };
        Ok(json!({
            "puzzle": game::text_of(&generated.puzzle),
            "rules": generated.puzzle.rules().map(|rules| rules.names()),
            "boxes": format!("{}x{}", self.order.box_rows(), self.order.box_columns()),
            "solution": generated.solution.to_string(),
            "clues": generated.puzzle.clue_count(),
            "seed": self.seed,
        }))
    }

    /// The puzzle with this index of the seed, as the command line and Python generate it.
    pub fn puzzle(&self, index: u64, budget: &Budget<'_>) -> Result<GeneratedPuzzle, ApiError> {
        if !self.rules.is_empty() {
            return self.variant(index, budget);
        }
        self.classic(index, usize::MAX, budget)?.ok_or_else(|| not_found(budget))
    }

    /// The seed of the request, or the random one.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A puzzle with rules.
    fn variant(&self, index: u64, budget: &Budget<'_>) -> Result<GeneratedPuzzle, ApiError> {
        let mut options = VariantOptions::new(self.order, self.rules.clone())
            .with_minimal(self.minimal)
            .with_limits(budget.limits());
        options.clues.clone_from(&self.clues);
        let generated = variants::generate_one(&options, self.seed, index);
        generated.map(GeneratedVariant::into_puzzle).map_err(|error| match error {
            VariantError::InvalidOptions(error) => ApiError::invalid(
                error.to_string(),
                "no puzzle has all of these properties; change one of them",
            ),
            VariantError::Interrupted { .. } => not_found(budget),
            other => ApiError::unavailable(other.to_string(), "try again with another seed"),
        })
    }

    /// Removes clues from one random complete grid after another until a puzzle meets the
    /// requirements. The order of the grids depends only on the seed.
    fn first_match(&self, budget: &Budget<'_>) -> Result<GeneratedPuzzle, ApiError> {
        for index in 0.. {
            if let Some(generated) = self.classic(index, 1, budget)? {
                return Ok(generated);
            }
        }
        Err(not_found(budget))
    }

    /// A classic puzzle from at most this many complete grids; `None` if there is none among them.
    /// An error if the time is up.
    fn classic(
        &self,
        index: u64,
        attempts: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<GeneratedPuzzle>, ApiError> {
        let mut options = GenerateOptions::new(self.order);
        options.clues.clone_from(&self.clues);
        options.symmetry = self.symmetry;
        options.minimal = self.minimal;
        let requirements = self.requirements.iter();
        options.requirements =
            requirements.map(|requirement| &**requirement as &dyn Requirement).collect();
        options.attempts = attempts;
        options.limits = budget.limits();
        match generate::generate_one(&options, self.seed, index) {
            Ok(generated) => Ok(Some(generated)),
            Err(GenerateError::InvalidOptions(error)) => Err(invalid_options(error)),
            Err(GenerateError::NotFound(_)) => Ok(None),
            Err(_) => Err(not_found(budget)),
        }
    }
}

fn not_found(budget: &Budget<'_>) -> ApiError {
    let seconds = budget.time().as_secs();
    ApiError::unavailable(
        format!("no such puzzle was found in {seconds} seconds"),
        "try again, or with fewer requirements",
    )
}

/// The highest rating (ER) of generated experts.
const LONGEST_EXPERT_CHAIN: f64 = 7.1;

type Requirements = Vec<Box<dyn Requirement + Send + Sync>>;

fn requirements(request: &GenerateRequest, order: Order) -> Result<Requirements, ApiError> {
    let mut requirements: Requirements = Vec::new();
    if let Some(name) = &request.difficulty {
        let range = effort_range(name, order)?;
        // The levels are evenly spaced on Sudoku Explainer's scale (benchmarks/records). Puzzles with
        // longer chains lie between expert and extreme, and are left out.
        let is_expert = range == RatingRange::Effort(Level::Expert..=Level::Expert);
        requirements.push(Box::new(range));
        if is_expert && order == Order::NINE {
            requirements.push(Box::new(RatingRange::explainer(1.0, LONGEST_EXPERT_CHAIN)));
        }
    }
    if let Some((lowest, highest)) = request.er {
        let tenths = |rating: f64| Tenths((rating * 10.0).round() as u16);
        requirements.push(Box::new(RatingRange::Explainer(tenths(lowest)..=tenths(highest))));
    }
    if let Some(name) = &request.dupree {
        let Some(level) = Difficulty::ALL.into_iter().find(|level| level.label() == name) else {
            let names = Difficulty::ALL.map(Difficulty::label).join(", ");
            return Err(ApiError::invalid(
                format!("unknown level {name:?}"),
                format!("use one of {names}"),
            ));
        };
        if order == Order::NINE {
            requirements.push(Box::new(RatingRange::Dupree(level.scores())));
        } else if level <= Difficulty::Easy {
            requirements.push(Box::new(SinglesOnly));
        }
    }
    let parse = |name: &String| {
        let technique = name.parse().ok().filter(|technique: &Technique| technique.is_default());
        technique.ok_or_else(|| {
            ApiError::invalid(
                format!("unknown or disabled technique {name:?}"),
                "see /api/techniques for the names",
            )
        })
    };
    let list =
        |names: &[String]| names.iter().map(parse).collect::<Result<Vec<Technique>, ApiError>>();
    let hardest = request.technique.as_ref().map(parse).transpose()?;
    let mut techniques = TechniqueOptions::default();
    techniques.required = list(&request.needs)?;
    techniques.forbidden = list(&request.avoids)?;
    techniques.hardest = hardest;
    if techniques != TechniqueOptions::default() {
        requirements.push(Box::new(techniques.into_requirement().map_err(invalid_options)?));
    }
    Ok(requirements)
}

fn effort_range(name: &str, order: Order) -> Result<RatingRange, ApiError> {
    let Ok(level) = name.parse::<effort::Level>() else {
        let names = effort::Level::ALL.map(effort::Level::name).join(", ");
        return Err(ApiError::invalid(
            format!("unknown difficulty {name:?}"),
            format!("use one of {names}"),
        ));
    };
    // Searching for chains and forcing nets takes too long on large grids.
    if order.side() > 9 && level > effort::Level::Hard {
        return Err(ApiError::invalid(
            format!("{name} {order} puzzles cannot be generated here"),
            "the maximum is \"hard\"",
        ));
    }
    Ok(RatingRange::Effort(level..=level))
}

fn invalid_options(error: InvalidOptionsError) -> ApiError {
    ApiError::invalid(
        error.to_string(),
        "no puzzle has all of these properties; change one of them",
    )
}

fn random_seed() -> u64 {
    // A JavaScript number holds integers of 53 bits.
    clock::since_epoch().as_nanos() as u64 % (1 << 53)
}
