//! All rating scales behind one interface.
//!
//! The command line, the web page and Python use the names, titles and ratings from this module. A
//! new scale needs a variant of [`Scale`] and a match arm in each function of this file. A rating
//! contains all representations: number, text, table fields and JSON details. If a limit was
//! reached, the error contains the lower bounds known so far in the same representations.

use super::consistency::{self, Consistency, Verdict};
use super::{dupree, effort, explainer, hodoku, trial, whips};
use crate::grid::Grid;
use crate::limits::{Limits, StopReason};
use crate::proof::HodokuLevel;
use std::fmt;
use std::str::FromStr;

/// A rating scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scale {
    /// Ninefold's own scale, [`effort`].
    Effort,
    /// Sudoku Explainer's rating, [`explainer`].
    Explainer,
    /// HoDoKu's score and level, [`hodoku`].
    Hodoku,
    /// DuPree's score, [`dupree`].
    Dupree,
    /// The weakest [`consistency`] that solves the puzzle.
    Consistency,
    /// Berthier's depth of trial and error, [`trial`].
    Trial,
    /// Berthier's whip rating, [`whips`].
    Whips,
}

/// How much work a scale may do in parts that cannot be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// No restriction.
    Full,
    /// Skips parts that may take minutes, for interactive use.
    Quick,
}

/// A rating in several representations.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rating {
    /// A number for comparing puzzles; higher is harder.
    pub number: f64,
    /// The rating as one short value, such as `hard` or `7.1`.
    pub value: String,
    /// A description for people.
    pub words: String,
    /// The values of the table columns [`Scale::columns`]. A lower bound ends with `+`.
    pub fields: Vec<String>,
    /// Named values for programs.
    pub details: Details,
}

/// Why a puzzle has no rating, and the lower bounds known so far.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnratedError {
    /// A reason such as "the puzzle has no solution, so it has no rating".
    pub reason: String,
    /// Whether a limit was reached. If so, more time may help.
    pub is_stopped: bool,
    /// Lower bounds, if any are known.
    pub so_far: Option<Box<Rating>>,
}

/// Named values. With the feature `serde` they are serialized as an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Details(pub Vec<(&'static str, Detail)>);

/// A value of [`Details`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Detail {
    /// An integer.
    Whole(u64),
    /// A floating-point number.
    Number(f64),
    /// The name of a level or a technique.
    Name(String),
}

/// The result of rating a puzzle.
pub type Answer = Result<Rating, UnratedError>;

impl Scale {
    /// All scales, in display order.
    pub const ALL: [Scale; 7] = [
        Scale::Effort,
        Scale::Explainer,
        Scale::Hodoku,
        Scale::Dupree,
        Scale::Consistency,
        Scale::Trial,
        Scale::Whips,
    ];

    /// The name on the command line and in the API, such as `se`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scale::Effort => "effort",
            Scale::Explainer => "se",
            Scale::Hodoku => "hodoku",
            Scale::Dupree => "dupree",
            Scale::Consistency => "consistency",
            Scale::Trial => "te",
            Scale::Whips => "w",
        }
    }

    /// The title for display, such as `Sudoku Explainer`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Scale::Effort => "Difficulty",
            Scale::Explainer => "Sudoku Explainer",
            Scale::Hodoku => "HoDoKu",
            Scale::Dupree => "DuPree's score",
            Scale::Consistency => "Consistency",
            Scale::Trial => "Depth of trial and error",
            Scale::Whips => "Whip rating",
        }
    }

    /// The names of the table columns.
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Scale::Effort => &["effort", "effort_level", "effort_hardest"],
            Scale::Explainer => &["se_er", "se_ep", "se_ed"],
            Scale::Hodoku => &["hodoku_score", "hodoku_level"],
            Scale::Dupree => &["dupree_score", "dupree_level"],
            Scale::Consistency => &["consistency_level"],
            Scale::Trial => &["te_depth"],
            Scale::Whips => &["w_rating"],
        }
    }

    /// Whether the scale is shown by default. Berthier's scales are not, because they take long on
    /// hard puzzles.
    #[must_use]
    pub fn is_default(self) -> bool {
        !matches!(self, Scale::Trial | Scale::Whips)
    }

    /// Rates a puzzle.
    ///
    /// ```
    /// use ninefold::Limits;
    /// use ninefold::rate::scale::{Reach, Scale};
    ///
    /// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let rating = Scale::Hodoku.rate(&puzzle, &Limits::none(), Reach::Full).unwrap();
    /// assert_eq!(rating.fields, ["204", "easy"]);
    /// # Ok::<(), ninefold::grid::ParseGridError>(())
    /// ```
    pub fn rate(self, puzzle: &Grid, limits: &Limits<'_>, reach: Reach) -> Answer {
        let classic = puzzle.require_classic("this rating is");
        if let Err(error) = classic
            && self != Scale::Effort
        {
            return Err(UnratedError {
                reason: error.to_string(),
                is_stopped: false,
                so_far: None,
            });
        }
        match self {
            Scale::Effort => rate_effort(puzzle, limits, reach),
            Scale::Explainer => rate_explainer(puzzle, limits),
            Scale::Hodoku => rate_hodoku(puzzle, limits),
            Scale::Dupree => rate_dupree(puzzle, limits),
            Scale::Consistency => rate_consistency(puzzle, limits, reach),
            Scale::Trial => rate_trial(puzzle, limits),
            Scale::Whips => rate_whips(puzzle, limits),
        }
    }
}

/// The name of a scale that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scale {:?}, expected one of {}", .0, Scale::ALL.map(Scale::name).join(", "))]
pub struct UnknownScaleError(pub String);

impl FromStr for Scale {
    type Err = UnknownScaleError;

    fn from_str(name: &str) -> Result<Scale, UnknownScaleError> {
        let found = Scale::ALL.into_iter().find(|scale| scale.name() == name);
        found.ok_or_else(|| UnknownScaleError(name.to_string()))
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn rate_effort(puzzle: &Grid, limits: &Limits<'_>, reach: Reach) -> Answer {
    let rating = |effort: &effort::Effort, more: &str| {
        let (points, level, hardest) = (effort.points, effort.level(), effort.hardest);
        Rating {
            number: points,
            value: format!("{level}{more}"),
            words: if more.is_empty() { effort.to_string() } else { format!("at least {effort}") },
            fields: vec![
                format!("{points:.0}{more}"),
                format!("{level}{more}"),
                format!("{hardest}{more}"),
            ],
            details: Details(vec![
                ("points", Detail::Number(points.round())),
                ("level", level.into()),
                ("hardest", hardest.into()),
            ]),
        }
    };
    // Nested assumptions cannot be interrupted, and three levels may take minutes on large grids.
    let is_small = puzzle.order().side() <= 9;
    let hardest = match (reach, is_small) {
        (Reach::Full, true) => effort::Kind::ThreeAssumptions,
        (Reach::Full, false) => effort::Kind::ForcingChains,
        (Reach::Quick, true) => effort::Kind::TwoAssumptions,
        (Reach::Quick, false) => effort::Kind::Wings,
    };
    effort::rate_within(puzzle, limits, hardest).map(|effort| rating(&effort, "")).map_err(
        |error| {
            let (is_stopped, so_far) = match &error {
                effort::EffortError::Stopped { so_far, .. } => (true, so_far.as_ref()),
                effort::EffortError::Beyond { so_far } => (false, so_far.as_ref()),
                _ => (false, None),
            };
            UnratedError {
                reason: error.to_string(),
                is_stopped,
                so_far: so_far.map(|effort| Box::new(rating(effort, "+"))),
            }
        },
    )
}

fn rate_explainer(puzzle: &Grid, limits: &Limits<'_>) -> Answer {
    let number = |tenths: explainer::Tenths| f64::from(tenths.0) / 10.0;
    let detail = |tenths: explainer::Tenths| Detail::Number(number(tenths));
    match explainer::rate_within(puzzle, limits) {
        Ok(explainer::Rating { er, ep, ed, hardest, .. }) => Ok(Rating {
            number: number(er),
            value: er.to_string(),
            words: format!("ER {er}, EP {ep}, ED {ed}; hardest: {hardest}"),
            fields: [er, ep, ed].iter().map(ToString::to_string).collect(),
            details: Details(vec![
                ("er", detail(er)),
                ("ep", detail(ep)),
                ("ed", detail(ed)),
                ("hardest", hardest.into()),
            ]),
        }),
        Err(error) => {
            let (is_stopped, at_least) = match error {
                explainer::RatingError::Stopped { at_least, .. } => (true, at_least),
                explainer::RatingError::Beyond { at_least } => (false, at_least),
                _ => (false, None),
            };
            let so_far = at_least.map(|at_least| Rating {
                number: number(at_least),
                value: format!("{at_least}+"),
                words: format!("ER at least {at_least}"),
                fields: vec![format!("{at_least}+"), String::new(), String::new()],
                details: Details(vec![("er_at_least", detail(at_least))]),
            });
            Err(UnratedError {
                reason: error.to_string(),
                is_stopped,
                so_far: so_far.map(Box::new),
            })
        }
    }
}

fn rate_hodoku(puzzle: &Grid, limits: &Limits<'_>) -> Answer {
    match hodoku::rate_within(puzzle, limits) {
        Ok(rating) => Ok(Rating {
            number: f64::from(rating.score),
            value: rating.score.to_string(),
            words: match rating.hardest {
                Some(hardest) => format!("{rating}; hardest: {hardest}"),
                None => format!("{rating}; needs brute force"),
            },
            fields: vec![rating.score.to_string(), rating.level.to_string()],
            details: Details(vec![
                ("score", rating.score.into()),
                ("level", rating.level.into()),
                ("brute_force", rating.brute_forced.into()),
            ]),
        }),
        Err(error) => {
            let so_far = |at_least: u32, level: HodokuLevel| Rating {
                number: f64::from(at_least),
                value: format!("{at_least}+"),
                words: format!("at least {at_least} points, {level}"),
                fields: vec![format!("{at_least}+"), format!("{level}+")],
                details: Details(vec![
                    ("score_at_least", at_least.into()),
                    ("level_at_least", level.into()),
                ]),
            };
            let (is_stopped, so_far) = match error {
                hodoku::RatingError::Stopped { at_least: 0, .. } => (true, None),
                hodoku::RatingError::Stopped { at_least, level, .. } => {
                    (true, Some(so_far(at_least, level)))
                }
                _ => (false, None),
            };
            Err(UnratedError {
                reason: error.to_string(),
                is_stopped,
                so_far: so_far.map(Box::new),
            })
        }
    }
}

fn rate_dupree(puzzle: &Grid, limits: &Limits<'_>) -> Answer {
    match dupree::score_within(puzzle, limits) {
        Ok(score) => {
            let (points, level) = (score.points, score.difficulty());
            Ok(Rating {
                number: points as f64,
                value: points.to_string(),
                words: format!("{points} points, {level}"),
                fields: vec![points.to_string(), level.to_string()],
                details: Details(vec![
                    ("score", Detail::Whole(points)),
                    ("level", level.into()),
                    ("depth", score.depth.into()),
                ]),
            })
        }
        Err(error) => {
            let so_far = |at_least: u64| {
                let level = dupree::Difficulty::from_score(at_least);
                Rating {
                    number: at_least as f64,
                    value: format!("{at_least}+"),
                    words: format!("at least {at_least} points, {level}"),
                    fields: vec![format!("{at_least}+"), format!("{level}+")],
                    details: Details(vec![
                        ("score_at_least", Detail::Whole(at_least)),
                        ("level_at_least", level.into()),
                    ]),
                }
            };
            let at_least = match error {
                dupree::ScoreError::Stopped { at_least, .. }
                | dupree::ScoreError::TooManyTrials { at_least, .. } => Some(at_least),
                _ => None,
            };
            let so_far = at_least.filter(|&points| points > 0).map(so_far);
            Err(UnratedError {
                reason: error.to_string(),
                is_stopped: at_least.is_some(),
                so_far: so_far.map(Box::new),
            })
        }
    }
}

fn rate_consistency(puzzle: &Grid, limits: &Limits<'_>, reach: Reach) -> Answer {
    // The strong levels take minutes on large grids.
    let is_small = puzzle.order().side() <= 9;
    let strongest =
        if reach == Reach::Quick && !is_small { Consistency::Gac } else { Consistency::Ssgac };
    let reason = match consistency::weakest_within(puzzle, strongest, limits) {
        Ok(Verdict::Solved(level)) => {
            let place = Consistency::ALL
                .iter()
                .position(|&other| other == level)
                .expect("all levels are listed");
            return Ok(Rating {
                number: place as f64,
                value: level.to_string(),
                words: format!("{level} solves it without search"),
                fields: vec![level.to_string()],
                details: Details(vec![("level", level.into())]),
            });
        }
        Ok(Verdict::Refuted(level)) => format!("{level} shows that the puzzle has no solution"),
        Ok(Verdict::Open) => format!("no level up to {strongest} solves it without search"),
        Err(stop) => return Err(UnratedError::stopped_by(stop)),
    };
    Err(UnratedError { reason, is_stopped: false, so_far: None })
}

fn rate_trial(puzzle: &Grid, limits: &Limits<'_>) -> Answer {
    trial::depth_within(puzzle, limits)
        .map(|depth| Rating {
            number: f64::from(depth),
            value: depth.to_string(),
            words: format!("T&E({depth}) solves it"),
            fields: vec![depth.to_string()],
            details: Details(vec![("depth", depth.into())]),
        })
        .map_err(|error| {
            let at_least = match error {
                trial::DepthError::Stopped { at_least, .. } => Some(at_least),
                _ => None,
            };
            let so_far = at_least.map(|at_least| Rating {
                number: f64::from(at_least),
                value: format!("{at_least}+"),
                words: format!("T&E({at_least}) or deeper"),
                fields: vec![format!("{at_least}+")],
                details: Details(vec![("depth_at_least", at_least.into())]),
            });
            UnratedError {
                reason: error.to_string(),
                is_stopped: at_least.is_some(),
                so_far: so_far.map(Box::new),
            }
        })
}

fn rate_whips(puzzle: &Grid, limits: &Limits<'_>) -> Answer {
    whips::rating_within(puzzle, limits)
        .map(|length| Rating {
            number: length as f64,
            value: length.to_string(),
            words: match length {
                0 => "W0: singles solve it".to_string(),
                _ => format!("W{length}: whips of length {length} solve it"),
            },
            fields: vec![length.to_string()],
            details: Details(vec![("length", Detail::Whole(length as u64))]),
        })
        .map_err(|error| {
            let (is_stopped, at_least) = match error {
                whips::RatingError::Stopped { at_least, .. } => (true, Some(at_least)),
                whips::RatingError::TooMany { at_least } => (false, Some(at_least)),
                _ => (false, None),
            };
            let so_far = at_least.map(|at_least| Rating {
                number: at_least as f64,
                value: format!("{at_least}+"),
                words: format!("W{at_least} or more"),
                fields: vec![format!("{at_least}+")],
                details: Details(vec![("length_at_least", Detail::Whole(at_least as u64))]),
            });
            UnratedError { reason: error.to_string(), is_stopped, so_far: so_far.map(Box::new) }
        })
}

impl UnratedError {
    fn stopped_by(stop: StopReason) -> UnratedError {
        UnratedError { reason: format!("stopped by {stop}"), is_stopped: true, so_far: None }
    }
}

/// Displays the lower bounds, then the reason: `ER at least 7.2, stopped by the time limit`.
impl fmt::Display for UnratedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.so_far {
            Some(so_far) => write!(f, "{}, {}", so_far.words, self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl Details {
    /// The value with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Detail> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, detail)| detail)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Details {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, detail)| (name, detail)))
    }
}

impl From<u32> for Detail {
    fn from(number: u32) -> Detail {
        Detail::Whole(u64::from(number))
    }
}

impl From<u8> for Detail {
    fn from(number: u8) -> Detail {
        Detail::Whole(u64::from(number))
    }
}

/// Converts levels and techniques to their names.
macro_rules! names {
    ($($name:ty),*) => {
        $(impl From<$name> for Detail {
            fn from(name: $name) -> Detail {
                Detail::Name(name.to_string())
            }
        })*
    };
}

names!(
    effort::Level,
    effort::Kind,
    explainer::Technique,
    HodokuLevel,
    dupree::Difficulty,
    Consistency
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Generated by Ninefold; rated 7.1 by Sudoku Explainer.
    const HARD: &str =
        ".56....1..2...183..9...35...8.4............7...1.69.4.....87..1..2.........3.5..6";

    #[test]
    fn every_scale_fills_its_columns_and_parses_its_name() {
        for scale in Scale::ALL {
            let rating = scale.rate(&HARD.parse().unwrap(), &Limits::none(), Reach::Full).unwrap();
            assert_eq!(rating.fields.len(), scale.columns().len(), "{scale:?}");
            assert!(rating.fields.contains(&rating.value), "{scale:?}");
            assert_eq!(scale.to_string().parse(), Ok(scale));
        }
        let unknown = "SE".parse::<Scale>().unwrap_err().to_string();
        assert_eq!(
            unknown,
            "unknown scale \"SE\", expected one of effort, se, hodoku, dupree, consistency, te, w"
        );
    }

    #[test]
    fn a_time_limit_returns_lower_bounds() {
        let hardest =
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2";
        for scale in Scale::ALL {
            // Whips of any length do not solve the hardest puzzles.
            let puzzle = if scale == Scale::Whips { HARD } else { hardest };
            let unrated = scale
                .rate(
                    &puzzle.parse().unwrap(),
                    &Limits::none().with_time(Duration::ZERO),
                    Reach::Full,
                )
                .unwrap_err();
            assert!(unrated.is_stopped, "{scale:?}: {unrated}");
            assert!(
                unrated.to_string().ends_with("stopped by the time limit"),
                "{scale:?}: {unrated}"
            );
            if let Some(so_far) = unrated.so_far {
                assert_eq!(so_far.fields.len(), scale.columns().len(), "{scale:?}");
                assert!(
                    so_far.value.ends_with('+') && so_far.fields[0].ends_with('+'),
                    "{scale:?}: {so_far:?}"
                );
            }
        }
        let unrated = Scale::Trial
            .rate(&hardest.parse().unwrap(), &Limits::none().with_time(Duration::ZERO), Reach::Full)
            .unwrap_err();
        assert_eq!(unrated.to_string(), "T&E(1) or deeper, stopped by the time limit");
    }
}
