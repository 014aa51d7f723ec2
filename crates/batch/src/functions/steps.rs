//! Functions that return the logical steps which solve a puzzle.

use super::Rows;
use super::outcome;
use arrow::array::{ArrayRef, StringArray};
use ninefold::explain::{ExplainOutcome, Explanation, Language};
use ninefold::grid::{Position, Solutions};
use ninefold::{Limits, solutions_within};
use std::sync::Arc;

/// The techniques of the solution path, hardest first; NULL unless there is exactly one solution.
pub fn techniques(rows: &Rows<'_>) -> ArrayRef {
    let used = |puzzle: &str| {
        let summary = ninefold::rate(&outcome::classic_grid(puzzle, "ratings are").ok()?).ok()?;
        let names = summary.techniques.iter().map(|(technique, _)| technique.to_string());
        (summary.outcome == ExplainOutcome::Solved).then(|| names.collect::<Vec<_>>().join(", "))
    };
    let solved = outcome::solve_column(rows.text(0)).rows;
    let rows = rows.text(0).iter().zip(&solved);
    Arc::new(
        rows.map(|(puzzle, outcome)| used(puzzle.filter(|_| outcome.is_proper())?))
            .collect::<StringArray>(),
    )
}

/// The complete explanation as JSON.
pub fn explain_json(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(rows.text(0).iter().map(|puzzle| explain(puzzle?)).collect::<StringArray>())
}

fn explain(puzzle: &str) -> Option<String> {
    let puzzle = outcome::classic_grid(puzzle, "explanations are").ok()?;
    let solutions: Option<Solutions> =
        solutions_within(&puzzle, &Limits::none().with_nodes(outcome::NODES));
    let position = Position::from_puzzle(&puzzle).ok()?;
    let explanation = Explanation::new(
        &position,
        solutions,
        &ninefold::ExplainOptions::default(),
        &Limits::none(),
    );
    Some(
        serde_json::to_string(&explanation.view(Language::English))
            .expect("explanations serialize to JSON"),
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
        let explanations = call(function("explain_json"), &[&column]);
        let explanations = explanations.as_string::<i32>();
        let json: serde_json::Value = serde_json::from_str(explanations.value(0)).unwrap();
        assert_eq!((&json["end"], &json["solutions"]), (&"solved".into(), &"one".into()));
        let open: serde_json::Value = serde_json::from_str(explanations.value(1)).unwrap();
        assert_eq!(open["solutions"], "several");
        assert!(explanations.is_null(2) && explanations.is_null(3));
    }
}
