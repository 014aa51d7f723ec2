//! Functions that need no search.

use super::Rows;
use super::outcome;
use arrow::array::{ArrayRef, Int64Array, StringArray};
use ninefold::puzzles;
use std::sync::Arc;

/// The number of clues.
pub fn clues(rows: &Rows<'_>) -> ArrayRef {
    let count = |puzzle: &str| Some(outcome::grid(puzzle).ok()?.clue_count() as i64);
    Arc::new(rows.text(0).iter().map(|puzzle| count(puzzle?)).collect::<Int64Array>())
}

/// The canonical form.
pub fn canonical(rows: &Rows<'_>) -> ArrayRef {
    let form = |puzzle: &str| {
        let grid = outcome::classic_grid(puzzle, "canonical forms are").ok()?;
        Some(puzzles::canonical(&grid).form.to_string())
    };
    Arc::new(rows.text(0).iter().map(|puzzle| form(puzzle?)).collect::<StringArray>())
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::super::rows::testing::call;
    use arrow::array::{Array, AsArray};
    use arrow::datatypes::Int64Type;
    use ninefold::grid::{Grid, Symmetry};
    use ninefold::random::Random;

    #[test]
    fn images_have_equal_forms_and_invalid_text_has_none() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let image = Symmetry::random(puzzle.order(), &mut Random::new(5)).image(&puzzle);
        let texts = [puzzle.to_string(), image.to_string()];
        let column = [Some(texts[0].as_str()), Some(texts[1].as_str()), Some("rubbish"), None];
        let function = |name: &str| ALL.iter().find(|function| function.name == name).unwrap();
        let forms = call(function("canonical"), &[&column]);
        let forms = forms.as_string::<i32>();
        assert_eq!(forms.value(0), forms.value(1));
        assert!(forms.is_null(2) && forms.is_null(3));
        let counts = call(function("clues"), &[&column]);
        assert_eq!(
            counts.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(),
            [Some(30), Some(30), None, None]
        );
    }
}
