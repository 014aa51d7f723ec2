//! Techniques by name: this is where we find what a person typed, or what was meant.

use crate::error::CliError;
use ninefold::proof::{Technique, all_techniques};

/// The technique with this name, or trouble with the name that comes nearest.
pub fn named(name: &str) -> Result<Technique, CliError> {
    Technique::named(name).ok_or_else(|| {
        let hint = match nearest(name) {
            Some(meant) => format!("did you mean {meant}? ninefold explain --techniques lists the names"),
            None => "ninefold explain --techniques lists the names".to_string(),
        };
        CliError::new(format!("there is no technique {name:?}")).hint(hint)
    })
}

/// All techniques with these names.
pub fn all_named(names: &[String]) -> Result<Vec<Technique>, CliError> {
    names.iter().map(|name| named(name)).collect()
}

/// The easiest technique that is called so in part, or the one whose name differs by the fewest letters.
fn nearest(name: &str) -> Option<String> {
    let typed = name.trim().to_lowercase().replace([' ', '_'], "-");
    let slugs: Vec<String> = all_techniques().into_iter().map(Technique::slug).collect();
    if typed.len() > 2
        && let Some(longer) = slugs.iter().find(|slug| slug.contains(&typed))
    {
        return Some(longer.clone());
    }
    let (slips, slug) = slugs.into_iter().map(|slug| (slips_between(&typed, &slug), slug)).min()?;
    (slips <= 1 + typed.len() / 4).then_some(slug)
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

    #[test]
    fn slips_are_counted() {
        assert_eq!(slips_between("x-wing", "x-wing"), 0);
        assert_eq!(slips_between("xwing", "x-wing"), 1);
        assert_eq!(slips_between("swordfisch", "swordfish"), 1);
        assert_eq!(slips_between("", "abc"), 3);
    }

    #[test]
    fn what_was_meant_is_found() {
        let check = |typed: &str, meant: Option<&str>| assert_eq!(nearest(typed).as_deref(), meant, "{typed}");
        check("x-wingg", Some("x-wing"));
        check("XWing", Some("x-wing"));
        check("unique rectangle", Some("unique-rectangle-type-1"));
        check("hiden pair", Some("hidden-pair"));
        check("something else", None);
    }
}
