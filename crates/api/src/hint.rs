//! Hint: the next deduction from the player's own digits and marks, in three stages.

use crate::error::ApiError;
use crate::explain::solutions;
use crate::game::GameRequest;
use crate::limits::Budget;
use ninefold::explain::Mistake;
use ninefold::explain::view::{StepView, digits};
use ninefold::proof::SubsetSize;
use ninefold::{
    Detail, ExplainOptions, ExplainOutcome, Hint, Language, Position, Technique, logic,
};
use serde::Serialize;
use std::time::Duration;

/// A hint as JSON.
#[derive(Debug, Serialize)]
pub struct HintView {
    /// `step`, or the name of the outcome if there is no step.
    answer: &'static str,
    /// Where to look, what to look for, and the full explanation.
    stages: [String; 3],
    step: Option<StepView>,
    /// The cells of a mistake or a conflict.
    cells: Vec<usize>,
    /// The candidates that the step refers to.
    candidates: Vec<Vec<u8>>,
}

/// Time limit for the search for the solution. If the solution is not found in time, the hint
/// cannot report mistakes.
const MAX_SOLVE_TIME: Duration = Duration::from_millis(50);

/// The position and the language of a request.
pub fn position(request: &GameRequest) -> Result<(Position, Language), ApiError> {
    Ok((request.game()?.position, request.language()?))
}

/// Returns the player's mistake if there is one, otherwise the next step. Easy techniques are tried
/// first.
pub fn hint(position: &Position, budget: &Budget<'_>) -> Hint {
    let solutions = solutions(position, &budget.limits_within(MAX_SOLVE_TIME));
    let easy = ExplainOptions::default().with_techniques(easy_techniques());
    let hint = Hint::new(position, solutions.clone(), &easy, &budget.limits());
    if *hint.outcome() != ExplainOutcome::Stuck {
        return hint;
    }
    Hint::new(position, solutions, &ExplainOptions::default(), &budget.limits())
}

/// The techniques that are fast even on 25×25. They are the first ones of the default order, so
/// trying them first does not change which hint is given.
fn easy_techniques() -> Vec<Technique> {
    let is_easy =
        |technique: &Technique| *technique != Technique::NakedSubset(SubsetSize::Quadruple);
    logic::default_order().into_iter().take_while(is_easy).collect()
}

/// The hint as JSON.
pub fn view(hint: &Hint, language: Language) -> HintView {
    let candidates = hint.position().candidates();
    let step = hint.step().map(|step| step.view(1, candidates, language));
    let cells = match (&step, hint.outcome()) {
        (Some(_), _) => Vec::new(),
        (
            None,
            ExplainOutcome::Mistake(
                Mistake::WrongDigit { cell, .. } | Mistake::MissingMark { cell, .. },
            ),
        ) => {
            vec![cell.index()]
        }
        (None, ExplainOutcome::Conflict(conflict)) => {
            vec![conflict.first.index(), conflict.second.index()]
        }
        (None, _) => Vec::new(),
    };
    HintView {
        answer: if step.is_some() { "step" } else { hint.outcome().name() },
        stages: [Detail::Hint, Detail::Technique, Detail::Full]
            .map(|detail| hint.text(detail, language)),
        step,
        cells,
        candidates: digits(candidates),
    }
}
