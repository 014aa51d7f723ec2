//! The scales by name: this is where we ask for a rating without knowing which scale it is on.
//!
//! The command line, the page and Python take names, headings and answers from here, so a new scale is a variant of [`Scale`]
//! and an arm in each function of this file. An answer is said in every form that may be asked for; a rating that a limit ended
//! early says what is known so far in the same forms.

use super::consistency::{self, Consistency, Verdict};
use super::{dupree, effort, explainer, hodoku, trial, whips};
use crate::grid::Grid;
use crate::limits::{Limits, Stop};
use crate::proof::HodokuLevel;
use std::fmt;

/// A way to say how hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scale {
    /// Our own, [`effort`].
    Effort,
    /// Sudoku Explainer's, [`explainer`].
    Explainer,
    /// HoDoKu's, [`hodoku`].
    Hodoku,
    /// DuPree's, [`dupree`].
    Dupree,
    /// The weakest sufficient [`consistency`].
    Consistency,
    /// Berthier's depth of trial and error, [`trial`].
    Trial,
    /// Berthier's whip rating, [`whips`].
    Whips,
}

/// How far a scale goes where its work cannot be interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// As far as it can.
    Full,
    /// Without what may take minutes, for somebody who waits.
    Quick,
}

/// A rating in every form that may be asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rating {
    /// Puzzles are compared by it: the higher, the harder.
    pub number: f64,
    /// The one value that stands for the rating, such as `hard` or `7.1`.
    pub value: String,
    /// For a person.
    pub words: String,
    /// For a table, one for each of [`Scale::columns`]; a lower bound ends with `+`.
    pub fields: Vec<String>,
    /// For a program.
    pub details: Details,
}

/// Why there is no rating, and what is known all the same.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Unrated {
    /// As in "the puzzle has no solution, so it has no rating".
    pub reason: String,
    /// Was it a limit? Then more time may help.
    pub is_stopped: bool,
    /// Lower bounds, if the work came so far.
    pub so_far: Option<Box<Rating>>,
}

/// Facts by name; with the feature `serde` they are written as an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Details(pub Vec<(&'static str, Detail)>);

/// One fact about a rating.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Detail {
    /// A whole number.
    Whole(u64),
    /// A number with a fraction.
    Number(f64),
    /// A name.
    Name(String),
}

/// What a scale answers.
pub type Answer = Result<Rating, Unrated>;

impl Scale {
    /// All scales, in the order in which they are shown.
    pub const ALL: [Scale; 7] = [
        Scale::Effort,
        Scale::Explainer,
        Scale::Hodoku,
        Scale::Dupree,
        Scale::Consistency,
        Scale::Trial,
        Scale::Whips,
    ];

    /// The name to ask for it by.
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

    /// The scale with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Scale> {
        Scale::ALL.into_iter().find(|scale| scale.name() == name)
    }

    /// A heading for people.
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

    /// The names of its columns in a table.
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

    /// Is it shown unless others are asked for? Berthier's scales take long on hard puzzles.
    #[must_use]
    pub fn is_default(self) -> bool {
        !matches!(self, Scale::Trial | Scale::Whips)
    }

    /// The rating of a puzzle, or why there is none.
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
    // Assumptions are not interrupted, and three deep they may take minutes on large grids.
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
                effort::NoEffort::Stopped { so_far, .. } => (true, so_far.as_ref()),
                effort::NoEffort::Beyond { so_far } => (false, so_far.as_ref()),
                _ => (false, None),
            };
            Unrated {
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
                explainer::NoRating::Stopped { at_least, .. } => (true, at_least),
                explainer::NoRating::Beyond { at_least } => (false, at_least),
                _ => (false, None),
            };
            let so_far = at_least.map(|at_least| Rating {
                number: number(at_least),
                value: format!("{at_least}+"),
                words: format!("ER at least {at_least}"),
                fields: vec![format!("{at_least}+"), String::new(), String::new()],
                details: Details(vec![("er_at_least", detail(at_least))]),
            });
            Err(Unrated { reason: error.to_string(), is_stopped, so_far: so_far.map(Box::new) })
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
                ("brute_force", rating.given_away.into()),
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
                hodoku::NoRating::Stopped { at_least: 0, .. } => (true, None),
                hodoku::NoRating::Stopped { at_least, level, .. } => {
                    (true, Some(so_far(at_least, level)))
                }
                _ => (false, None),
            };
            Err(Unrated { reason: error.to_string(), is_stopped, so_far: so_far.map(Box::new) })
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
                let level = dupree::Difficulty::of(at_least);
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
                dupree::NoScore::Stopped { at_least, .. }
                | dupree::NoScore::TooManyTrials { at_least, .. } => Some(at_least),
                _ => None,
            };
            let so_far = at_least.filter(|&points| points > 0).map(so_far);
            Err(Unrated {
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
        Err(stop) => return Err(Unrated::stopped_by(stop)),
    };
    Err(Unrated { reason, is_stopped: false, so_far: None })
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
                trial::NoDepth::Stopped { at_least, .. } => Some(at_least),
                _ => None,
            };
            let so_far = at_least.map(|at_least| Rating {
                number: f64::from(at_least),
                value: format!("{at_least}+"),
                words: format!("T&E({at_least}) or deeper"),
                fields: vec![format!("{at_least}+")],
                details: Details(vec![("depth_at_least", at_least.into())]),
            });
            Unrated {
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
                whips::NoRating::Stopped { at_least, .. } => (true, Some(at_least)),
                whips::NoRating::TooMany { at_least } => (false, Some(at_least)),
                _ => (false, None),
            };
            let so_far = at_least.map(|at_least| Rating {
                number: at_least as f64,
                value: format!("{at_least}+"),
                words: format!("W{at_least} or more"),
                fields: vec![format!("{at_least}+")],
                details: Details(vec![("length_at_least", Detail::Whole(at_least as u64))]),
            });
            Unrated { reason: error.to_string(), is_stopped, so_far: so_far.map(Box::new) }
        })
}

impl Unrated {
    fn stopped_by(stop: Stop) -> Unrated {
        Unrated { reason: format!("stopped by {stop}"), is_stopped: true, so_far: None }
    }
}

/// What is known, then the reason: `ER at least 7.2, stopped by the time limit`.
impl fmt::Display for Unrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.so_far {
            Some(so_far) => write!(f, "{}, {}", so_far.words, self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl Details {
    /// The fact with this name.
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

/// Levels and techniques go by their names.
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

    /// Of our own making; rated 7.1 by Sudoku Explainer.
    const HARD: &str =
        ".56....1..2...183..9...35...8.4............7...1.69.4.....87..1..2.........3.5..6";

    #[test]
    fn every_scale_fills_its_columns_and_is_found_by_its_name() {
        for scale in Scale::ALL {
            let rating = scale.rate(&HARD.parse().unwrap(), &Limits::none(), Reach::Full).unwrap();
            assert_eq!(rating.fields.len(), scale.columns().len(), "{scale:?}");
            assert!(rating.fields.contains(&rating.value), "{scale:?}");
            assert_eq!(Scale::by_name(scale.name()), Some(scale));
        }
        assert_eq!(Scale::by_name("SE"), None);
    }

    #[test]
    fn no_time_means_no_rating_and_a_lower_bound_where_there_is_one() {
        let hardest =
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2";
        for scale in Scale::ALL {
            // Whips do not solve the hardest puzzles, however long they look.
            let puzzle = if scale == Scale::Whips { HARD } else { hardest };
            let unrated = scale
                .rate(&puzzle.parse().unwrap(), &Limits::time(Duration::ZERO), Reach::Full)
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
            .rate(&hardest.parse().unwrap(), &Limits::time(Duration::ZERO), Reach::Full)
            .unwrap_err();
        assert_eq!(unrated.to_string(), "T&E(1) or deeper, stopped by the time limit");
    }
}
