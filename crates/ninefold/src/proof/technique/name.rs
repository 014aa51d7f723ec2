//! Parses technique names and suggests the nearest one for typos.

use super::Technique;
use super::table::ROWS;
use std::fmt;
use std::str::FromStr;

/// No technique has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownTechniqueError {
    /// The unknown name.
    pub name: String,
    /// The technique that was probably meant.
    pub nearest: Option<Technique>,
}

impl fmt::Display for UnknownTechniqueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown technique {:?}", self.name)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean {}?", nearest.slug()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownTechniqueError {}

/// Parses a name or a slug, in upper or lower case, with blanks, hyphens or underscores.
///
/// ```
/// use ninefold::Technique;
///
/// assert_eq!("X-Wing".parse(), "x_wing".parse::<Technique>());
/// let error = "x-wnig".parse::<Technique>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown technique \"x-wnig\"; did you mean x-wing?");
/// ```
impl FromStr for Technique {
    type Err = UnknownTechniqueError;

    fn from_str(name: &str) -> Result<Technique, UnknownTechniqueError> {
        let slug = slug_of(name.trim());
        match ROWS.iter().find(|row| slug_of(row.name) == slug) {
            Some(row) => Ok(row.technique),
            None => Err(UnknownTechniqueError { name: name.to_string(), nearest: nearest(&slug) }),
        }
    }
}

impl TryFrom<&str> for Technique {
    type Error = UnknownTechniqueError;

    fn try_from(name: &str) -> Result<Technique, UnknownTechniqueError> {
        name.parse()
    }
}

/// A name in lower case with hyphens.
pub(super) fn slug_of(name: &str) -> String {
    name.to_lowercase().replace([' ', '+', '_'], "-")
}

/// The easiest technique whose name contains the text, or the one with the smallest edit distance.
fn nearest(typed: &str) -> Option<Technique> {
    if typed.len() > 2
        && let Some(longer) = ROWS.iter().find(|row| slug_of(row.name).contains(typed))
    {
        return Some(longer.technique);
    }
    let distances = ROWS.iter().map(|row| (slug_of(row.name), row.technique));
    let (distance, _, technique) =
        distances.map(|(slug, of)| (edit_distance(typed, &slug), slug, of)).min()?;
    (distance <= 1 + typed.len() / 4).then_some(technique)
}

/// The edit distance (Levenshtein) between two words.
fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, &another) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != another);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_round_trip() {
        let names: HashSet<String> = ROWS.iter().map(|row| row.technique.slug()).collect();
        assert_eq!(names.len(), ROWS.len());
        for row in ROWS {
            assert_eq!(row.name.parse(), Ok(row.technique));
            assert_eq!(Technique::try_from(row.technique.slug().as_str()), Ok(row.technique));
        }
        assert_eq!(" LOCKED_candidates Type-1 ".parse(), Ok(Technique::Pointing));
    }

    #[test]
    fn computes_edit_distances() {
        assert_eq!(edit_distance("x-wing", "x-wing"), 0);
        assert_eq!(edit_distance("xwing", "x-wing"), 1);
        assert_eq!(edit_distance("swordfisch", "swordfish"), 1);
        assert_eq!(edit_distance("", "abc"), 3);
    }

    #[test]
    fn suggests_the_nearest_technique() {
        let check = |typed: &str, meant: Option<&str>| {
            let error = typed.parse::<Technique>().unwrap_err();
            assert_eq!(error.nearest.map(Technique::slug).as_deref(), meant, "{typed}");
        };
        check("x-wingg", Some("x-wing"));
        check("XWing", Some("x-wing"));
        check("unique rectangle", Some("unique-rectangle-type-1"));
        check("hiden pair", Some("hidden-pair"));
        check("something else", None);
    }

    #[test]
    fn error_message_suggests_the_nearest_technique() {
        let message = |typed: &str| typed.parse::<Technique>().unwrap_err().to_string();
        assert_eq!(
            message("swordfisch"),
            "unknown technique \"swordfisch\"; did you mean swordfish?"
        );
        assert_eq!(message("something else"), "unknown technique \"something else\"");
    }
}
