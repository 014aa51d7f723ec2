//! Hint: the next deduction from the player's own digits and marks, told in three stages.

use crate::explain::solutions;
use crate::limits::{LONGEST, Time, within};
use ninefold::explain::Mistake;
use ninefold::explain::view::{StepView, digits};
use ninefold::limits::Stop;
use ninefold::proof::SubsetSize;
use ninefold::{Detail, End, Hint, Language, Options, Position, Solutions, Technique, logic};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A hint as the page reads it.
#[derive(Debug, Serialize)]
pub struct HintView {
    /// `step`, or the name of the end that was met instead.
    answer: &'static str,
    /// Where to look, what to look for, the whole reason.
    stages: [String; 3],
    step: Option<StepView>,
    /// The cells of a mistake or a conflict.
    cells: Vec<usize>,
    /// The candidates that the step is about.
    candidates: Vec<Vec<u8>>,
}

/// A search that takes longer leaves it open whether the player has made a mistake.
const LONGEST_LOOK: Duration = Duration::from_millis(50);

/// A mistake or an easy step, and what it takes to look further.
pub fn easy_hint(position: Position, gone: &AtomicBool) -> (Hint, Option<Solutions>, Position) {
    let solutions = solutions(&position, LONGEST_LOOK, gone);
    let options = Options { techniques: easy_techniques(), ..Options::default() };
    (Hint::of(&position, solutions.clone(), &options, &within(LONGEST, gone)), solutions, position)
}

/// A step of any technique; nothing if the first time was not enough.
pub fn any_hint(
    position: &Position,
    solutions: Option<Solutions>,
    time: Time,
    gone: &AtomicBool,
) -> Option<Hint> {
    let hint = Hint::of(position, solutions, &Options::default(), &within(time.limit(), gone));
    (!time.is_first() || *hint.end() != End::Stopped(Stop::Time)).then_some(hint)
}

/// What is found at a glance, even on 25×25; the beginning of the order, so that no hint depends on the split.
fn easy_techniques() -> Vec<Technique> {
    let is_easy =
        |technique: &Technique| *technique != Technique::NakedSubset(SubsetSize::Quadruple);
    logic::default_order().into_iter().take_while(is_easy).collect()
}

/// The hint as the page reads it.
pub fn view(hint: &Hint, language: Language) -> HintView {
    let candidates = hint.position().candidates();
    let step = hint.step().map(|step| step.view(1, candidates, language));
    let cells = match (&step, hint.end()) {
        (Some(_), _) => Vec::new(),
        (
            None,
            End::Mistake(Mistake::WrongDigit { cell, .. } | Mistake::MissingMark { cell, .. }),
        ) => {
            vec![cell.index()]
        }
        (None, End::Conflict(conflict)) => vec![conflict.first.index(), conflict.second.index()],
        (None, _) => Vec::new(),
    };
    HintView {
        answer: if step.is_some() { "step" } else { hint.end().name() },
        stages: [Detail::Hint, Detail::Technique, Detail::Full]
            .map(|detail| hint.text(detail, language)),
        step,
        cells,
        candidates: digits(candidates),
    }
}
