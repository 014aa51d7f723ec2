//! The scales. A new one is an entry in [`all`]; names, columns and help follow from it.

use ninefold::grid::Grid;
use ninefold::limits::Limits;
use ninefold::rate::{consistency, dupree, effort, explainer, hodoku, trial, whips};
use serde_json::json;

/// A way to say how difficult a puzzle is.
pub trait Scale: Sync {
    /// The name to ask for it by.
    fn name(&self) -> &'static str;

    /// The names of its columns in a table.
    fn columns(&self) -> &'static [&'static str];

    /// Is it used unless others are asked for?
    fn is_default(&self) -> bool {
        true
    }

    /// The rating of a puzzle, or why there is none.
    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated>;
}

/// A rating in the three ways it may be asked for.
pub struct Rating {
    /// For a person.
    pub words: String,
    /// For a table, one for each column.
    pub fields: Vec<String>,
    /// For a program.
    pub json: serde_json::Value,
}

/// Why there is no rating, and what is known all the same.
pub struct Unrated {
    /// As in "the puzzle has no solution, so it has no rating".
    pub reason: String,
    /// Lower bounds, if a limit ended the work.
    pub so_far: Option<Rating>,
}

impl Unrated {
    fn because(error: &impl ToString) -> Unrated {
        Unrated { reason: error.to_string(), so_far: None }
    }
}

/// All scales.
fn all() -> &'static [&'static dyn Scale] {
    &[&Effort, &Explainer, &Hodoku, &Dupree, &Consistency, &Trial, &Whips]
}

/// Their names.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().iter().map(|scale| scale.name())
}

/// The scales with these names in the order of [`all`], or the default ones if no name is given.
pub fn chosen(names: &[String]) -> Vec<&'static dyn Scale> {
    let is_chosen = |scale: &&'static dyn Scale| {
        if names.is_empty() { scale.is_default() } else { names.iter().any(|name| name == scale.name()) }
    };
    all().iter().copied().filter(is_chosen).collect()
}

struct Effort;

impl Scale for Effort {
    fn name(&self) -> &'static str {
        "effort"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["effort", "effort_level", "effort_hardest"]
    }

    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated> {
        let rating = |effort: &effort::Effort, more: &str| Rating {
            words: effort.to_string(),
            fields: vec![
                format!("{:.0}{more}", effort.points),
                format!("{}{more}", effort.level()),
                format!("{}{more}", effort.hardest),
            ],
            json: json!({ "points": effort.points.round(), "level": effort.level().name(), "hardest": effort.hardest.to_string() }),
        };
        // Assumptions are not interrupted, and three deep they may take minutes on large grids.
        let hardest =
            if puzzle.order().side() <= 9 { effort::Kind::ThreeAssumptions } else { effort::Kind::ForcingChains };
        effort::rate_within(puzzle, limits, hardest).map(|effort| rating(&effort, "")).map_err(|error| {
            let so_far = match &error {
                effort::NoEffort::Stopped { so_far, .. } | effort::NoEffort::Beyond { so_far } => so_far.as_ref(),
                _ => None,
            };
            Unrated { reason: error.to_string(), so_far: so_far.map(|effort| rating(effort, "+")) }
        })
    }
}

struct Explainer;

impl Scale for Explainer {
    fn name(&self) -> &'static str {
        "se"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["se_er", "se_ep", "se_ed"]
    }

    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated> {
        match explainer::rate_within(puzzle, limits) {
            Ok(rating) => {
                let explainer::Rating { er, ep, ed, hardest, .. } = rating;
                let number = |tenths: explainer::Tenths| f64::from(tenths.0) / 10.0;
                Ok(Rating {
                    words: format!("ER {er}, EP {ep}, ED {ed}; hardest: {hardest}"),
                    fields: [er, ep, ed].iter().map(ToString::to_string).collect(),
                    json: json!({ "er": number(er), "ep": number(ep), "ed": number(ed), "hardest": hardest.to_string() }),
                })
            }
            Err(error) => {
                let at_least = match error {
                    explainer::NoRating::Stopped { at_least, .. } | explainer::NoRating::Beyond { at_least } => {
                        at_least
                    }
                    _ => None,
                };
                let so_far = at_least.map(|at_least| Rating {
                    words: format!("ER at least {at_least}"),
                    fields: vec![format!("{at_least}+"), String::new(), String::new()],
                    json: json!({ "er_at_least": f64::from(at_least.0) / 10.0 }),
                });
                Err(Unrated { reason: error.to_string(), so_far })
            }
        }
    }
}

struct Hodoku;

impl Scale for Hodoku {
    fn name(&self) -> &'static str {
        "hodoku"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["hodoku_score", "hodoku_level"]
    }

    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated> {
        match hodoku::rate_within(puzzle, limits) {
            Ok(rating) => Ok(Rating {
                words: match rating.hardest {
                    Some(hardest) => format!("{rating}; hardest: {hardest}"),
                    None => format!("{rating}; needs brute force"),
                },
                fields: vec![rating.score.to_string(), rating.level.to_string()],
                json: json!({ "score": rating.score, "level": rating.level.name(), "brute_force": rating.given_away }),
            }),
            Err(error) => {
                let so_far = match error {
                    hodoku::NoRating::Stopped { at_least, level, .. } if at_least > 0 => Some(Rating {
                        words: format!("at least {at_least} points, {level}"),
                        fields: vec![format!("{at_least}+"), format!("{level}+")],
                        json: json!({ "score_at_least": at_least, "level_at_least": level.name() }),
                    }),
                    _ => None,
                };
                Err(Unrated { reason: error.to_string(), so_far })
            }
        }
    }
}

struct Dupree;

impl Scale for Dupree {
    fn name(&self) -> &'static str {
        "dupree"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["dupree_score", "dupree_level"]
    }

    fn rate(&self, puzzle: &Grid, _limits: &Limits<'_>) -> Result<Rating, Unrated> {
        let score = dupree::score(puzzle).map_err(|error| Unrated::because(&error))?;
        let level = score.difficulty();
        Ok(Rating {
            words: format!("{} points, {level}", score.points),
            fields: vec![score.points.to_string(), level.to_string()],
            json: json!({ "score": score.points, "level": level.label(), "depth": score.depth }),
        })
    }
}

struct Consistency;

impl Scale for Consistency {
    fn name(&self) -> &'static str {
        "consistency"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["consistency_level"]
    }

    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated> {
        let verdict = consistency::weakest_within(puzzle, consistency::Consistency::Ssgac, limits);
        let reason = match verdict.map_err(|stop| Unrated::because(&format!("stopped by {stop}")))? {
            consistency::Verdict::Solved(level) => {
                return Ok(Rating {
                    words: format!("{level} solves it without search"),
                    fields: vec![level.to_string()],
                    json: json!({ "level": level.name() }),
                });
            }
            consistency::Verdict::Refuted(level) => format!("{level} shows that the puzzle has no solution"),
            consistency::Verdict::Open => "no level up to SSGAC solves it without search".to_string(),
        };
        Err(Unrated { reason, so_far: None })
    }
}

struct Trial;

impl Scale for Trial {
    fn name(&self) -> &'static str {
        "te"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["te_depth"]
    }

    fn is_default(&self) -> bool {
        false
    }

    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated> {
        match trial::depth_within(puzzle, limits) {
            Ok(depth) => Ok(Rating {
                words: format!("T&E({depth}) solves it"),
                fields: vec![depth.to_string()],
                json: json!({ "depth": depth }),
            }),
            Err(error) => {
                let so_far = match error {
                    trial::NoDepth::Stopped { at_least, .. } => Some(Rating {
                        words: format!("T&E({at_least}) or deeper"),
                        fields: vec![format!("{at_least}+")],
                        json: json!({ "depth_at_least": at_least }),
                    }),
                    _ => None,
                };
                Err(Unrated { reason: error.to_string(), so_far })
            }
        }
    }
}

struct Whips;

impl Scale for Whips {
    fn name(&self) -> &'static str {
        "w"
    }

    fn columns(&self) -> &'static [&'static str] {
        &["w_rating"]
    }

    fn is_default(&self) -> bool {
        false
    }

    fn rate(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, Unrated> {
        match whips::rating_within(puzzle, limits) {
            Ok(length) => Ok(Rating {
                words: match length {
                    0 => "W0: singles solve it".to_string(),
                    _ => format!("W{length}: whips of length {length} solve it"),
                },
                fields: vec![length.to_string()],
                json: json!({ "length": length }),
            }),
            Err(error) => {
                let so_far = match error {
                    whips::NoRating::Stopped { at_least, .. } | whips::NoRating::TooMany { at_least } => Some(Rating {
                        words: format!("W{at_least} or more"),
                        fields: vec![format!("{at_least}+")],
                        json: json!({ "length_at_least": at_least }),
                    }),
                    _ => None,
                };
                Err(Unrated { reason: error.to_string(), so_far })
            }
        }
    }
}
