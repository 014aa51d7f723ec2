//! Functions that walk through the steps of an explanation.

use super::Rows;
use super::outcome;
use arrow::array::{ArrayRef, StringArray};
use ninefold::explain::{End, Explanation, Language};
use ninefold::grid::{Position, Solutions};
use ninefold::{Limits, solutions_within};
use std::sync::Arc;

/// The techniques that lead to the solution, the hardest first. NULL where there is not exactly one.
pub fn techniques(rows: &Rows<'_>) -> ArrayRef {
    let used = |puzzle: &str| {
        let uses = ninefold::rate(&outcome::grid(puzzle).ok()?).ok()?;
        let names = uses.techniques.iter().map(|(technique, _)| technique.to_string());
        (uses.end == End::Solved).then(|| names.collect::<Vec<_>>().join(", "))
    };
    let solved = outcome::of(rows.text(0)).rows;
    let rows = rows.text(0).iter().zip(&solved);
    Arc::new(
        rows.map(|(puzzle, outcome)| used(puzzle.filter(|_| outcome.is_proper())?))
            .collect::<StringArray>(),
    )
}

/// The whole explanation, as every program reads it.
pub fn explain_json(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(rows.text(0).iter().map(|puzzle| explained(puzzle?)).collect::<StringArray>())
}

fn explained(puzzle: &str) -> Option<String> {
    let puzzle = outcome::grid(puzzle).ok()?;
    let solutions: Option<Solutions> = solutions_within(&puzzle, &Limits::nodes(outcome::NODES));
    let position = Position::start(&puzzle).ok()?;
    let explanation =
        Explanation::of(&position, solutions, &ninefold::Options::default(), &Limits::none());
    Some(
        serde_json::to_string(&explanation.view(Language::English))
            .expect("words and numbers can be written as JSON"),
    )
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::super::rows::testing::call;
    use arrow::array::{Array, AsArray};

    #[test]
    fn techniques_and_explanations_come_from_the_library() {
        let hard =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";
        let several =
            ".................................................................................";
        let column = [Some(hard), Some(several), Some("rubbish"), None];
        let function = |name: &str| ALL.iter().find(|function| function.name == name).unwrap();
        let names = call(function("techniques"), &[&column]);
        let names = names.as_string::<i32>();
        assert!(
            names.value(0).contains("Hidden Single") && names.value(0).contains(", "),
            "{}",
            names.value(0)
        );
        assert!((1..4).all(|row| names.is_null(row)));
        let told = call(function("explain_json"), &[&column]);
        let told = told.as_string::<i32>();
        let json: serde_json::Value = serde_json::from_str(told.value(0)).unwrap();
        assert_eq!((&json["end"], &json["solutions"]), (&"solved".into(), &"one".into()));
        let open: serde_json::Value = serde_json::from_str(told.value(1)).unwrap();
        assert_eq!(open["solutions"], "several");
        assert!(told.is_null(2) && told.is_null(3));
    }
}
