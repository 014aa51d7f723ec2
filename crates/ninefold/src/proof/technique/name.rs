//! Techniques by name: this is where we find what a person typed, or what was meant.

use super::Technique;
use super::table::ROWS;
use std::fmt;
use std::str::FromStr;

/// A name that no technique has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownTechnique {
    /// What was written.
    pub name: String,
    /// What was probably meant.
    pub nearest: Option<Technique>,
}

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no technique {:?}", self.name)?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean {}?", nearest.slug()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownTechnique {}

/// Reads a name or a slug, in capitals or not, with blanks, hyphens or underscores.
///
/// ```
/// use ninefold::Technique;
///
/// assert_eq!("X-Wing".parse(), "x_wing".parse::<Technique>());
/// let error = "x-wnig".parse::<Technique>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no technique \"x-wnig\"; did you mean x-wing?");
/// ```
impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(name: &str) -> Result<Technique, UnknownTechnique> {
        let slug = slug_of(name.trim());
        match ROWS.iter().find(|row| slug_of(row.name) == slug) {
            Some(row) => Ok(row.technique),
            None => Err(UnknownTechnique { name: name.to_string(), nearest: nearest(&slug) }),
        }
    }
}

impl TryFrom<&str> for Technique {
    type Error = UnknownTechnique;

    fn try_from(name: &str) -> Result<Technique, UnknownTechnique> {
        name.parse()
    }
}

/// A name in lower case with hyphens.
pub(super) fn slug_of(name: &str) -> String {
    name.to_lowercase().replace([' ', '+', '_'], "-")
}

/// The easiest technique that is called so in part, or the one whose name differs by the fewest letters.
fn nearest(typed: &str) -> Option<Technique> {
    if typed.len() > 2
        && let Some(longer) = ROWS.iter().find(|row| slug_of(row.name).contains(typed))
    {
        return Some(longer.technique);
    }
    let slips = ROWS.iter().map(|row| (slug_of(row.name), row.technique));
    let (slips, _, technique) =
        slips.map(|(slug, of)| (slips_between(typed, &slug), slug, of)).min()?;
    (slips <= 1 + typed.len() / 4).then_some(technique)
}

/// How many letters must be changed, added or left out to make one word of the other.
fn slips_between(one: &str, other: &str) -> usize {
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
    fn every_technique_has_a_name_of_its_own_and_is_found_by_it() {
        let names: HashSet<String> = ROWS.iter().map(|row| row.technique.slug()).collect();
        assert_eq!(names.len(), ROWS.len());
        for row in ROWS {
            assert_eq!(row.name.parse(), Ok(row.technique));
            assert_eq!(Technique::try_from(row.technique.slug().as_str()), Ok(row.technique));
        }
        assert_eq!(" LOCKED_candidates Type-1 ".parse(), Ok(Technique::Pointing));
    }

    #[test]
    fn slips_are_counted() {
        assert_eq!(slips_between("x-wing", "x-wing"), 0);
        assert_eq!(slips_between("xwing", "x-wing"), 1);
        assert_eq!(slips_between("swordfisch", "swordfish"), 1);
        assert_eq!(slips_between("", "abc"), 3);
    }

    #[test]
    fn what_was_meant_is_found() {
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
    fn an_unknown_name_is_an_error_that_names_the_nearest() {
        let said = |typed: &str| typed.parse::<Technique>().unwrap_err().to_string();
        assert_eq!(
            said("swordfisch"),
            "there is no technique \"swordfisch\"; did you mean swordfish?"
        );
        assert_eq!(said("something else"), "there is no technique \"something else\"");
    }
}
