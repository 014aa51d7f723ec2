//! Judge: whether a player's deduction is valid, whichever technique shows it.
//!
//! A deduction is a set of conclusions in a position: digits that are placed and candidates that are
//! removed. It is valid if steps that the checker accepts in this very position prove every
//! conclusion. The steps may use any technique up to a tier, because trees prove everything that is
//! true. A wrong conclusion is answered with what goes wrong after it.
//!
//! A valid answer is therefore always proven, but the judge sees conclusions, not reasons: a guess
//! counts if it is right and one of these techniques shows it in this position.

use crate::error::ApiError;
use crate::explain::solutions;
use crate::game::GameRequest;
use crate::limits::Budget;
use ninefold::explain::view::StepView;
use ninefold::grid::{Candidates, Cell, Digit};
use ninefold::logic;
use ninefold::proof::{self, Candidate, Step};
use ninefold::{
    Detail, ExplainOptions, ExplainOutcome, Explanation, Language, Position, Solutions, Technique,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Techniques up to this tier prove a deduction, even if an easier one was wanted.
const PROVING_TIER: u8 = 3;

/// Time limit for showing where a wrong conclusion leads.
const MAX_PATH_TIME: Duration = Duration::from_secs(2);

/// A deduction to judge.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeRequest {
    /// The clues, in any form that fits one grid.
    puzzle: String,
    /// The shape of the boxes, if it differs from the default.
    boxes: Option<String>,
    /// The digits that are filled in.
    entries: Vec<(usize, u8)>,
    /// The candidates of each cell. Cells without any have all that their peers leave.
    marks: Vec<Vec<u8>>,
    /// The language of the texts.
    language: Option<String>,
    /// The digits that the player places, as `[cell, digit]`.
    places: Vec<(usize, u8)>,
    /// The candidates that the player removes.
    removes: Vec<(usize, u8)>,
    /// The technique that was wanted; it may be of any tier.
    technique: Option<String>,
}

/// A validated deduction.
pub struct Deduction {
    position: Position,
    places: Vec<Candidate>,
    removes: Vec<Candidate>,
    technique: Option<Technique>,
    language: Language,
}

impl JudgeRequest {
    /// Validates the request.
    pub fn deduction(self) -> Result<Deduction, ApiError> {
        let JudgeRequest { puzzle, boxes, entries, marks, language, places, removes, technique } =
            self;
        let request =
            GameRequest { puzzle, boxes, entries, marks, language, ..GameRequest::default() };
        let (position, language) = crate::explain::position(&request)?;
        // Cells without marks get all candidates, as in an explanation.
        let start = Explanation::new(
            &position,
            None,
            &ExplainOptions::default().with_max_steps(0),
            &ninefold::Limits::none(),
        )
        .start;
        let read = |list: &[(usize, u8)]| {
            list.iter().map(|&(cell, digit)| candidate(start.candidates(), cell, digit)).collect()
        };
        let (places, removes): (Result<Vec<_>, _>, Result<Vec<_>, _>) =
            (read(&places), read(&removes));
        let (places, removes) = (places?, removes?);
        if places.is_empty() && removes.is_empty() {
            return Err(ApiError::invalid("there is no conclusion", "send places or removes"));
        }
        let technique = technique.map(|name| name.parse()).transpose().map_err(|_| {
            ApiError::invalid("unknown technique", "see /api/techniques for the names")
        })?;
        Ok(Deduction { position: start, places, removes, technique, language })
    }
}

fn candidate(candidates: &Candidates, cell: usize, digit: u8) -> Result<Candidate, ApiError> {
    let order = candidates.order();
    let found = (cell < order.cell_count()).then(|| Cell::new(cell)).zip(Digit::new(digit));
    let found = found.filter(|&(cell, digit)| candidates.at(cell).contains(digit));
    let (cell, digit) = found.ok_or_else(|| {
        ApiError::invalid(
            format!("cell {cell} has no candidate {digit}"),
            "conclusions are about candidates of the position",
        )
    })?;
    Ok(Candidate { cell, digit })
}

/// The verdict as JSON.
pub fn judge(deduction: &Deduction, budget: &Budget<'_>) -> Result<Value, ApiError> {
    let Deduction { position, places, removes, technique, language } = deduction;
    let limits = budget.limits_within(crate::explain::MAX_PROOF_TIME);
    let known = solutions(position, &limits);
    let Some(solution) = known.as_ref().and_then(Solutions::only) else {
        return Err(ApiError::invalid(
            "the puzzle does not have exactly one known solution",
            "only deductions in proper puzzles can be judged",
        ));
    };
    let is_wrong =
        |one: &Candidate, is_placed: bool| (solution[one.cell] == Some(one.digit)) != is_placed;
    let wrong =
        places.iter().map(|one| (*one, true)).chain(removes.iter().map(|one| (*one, false)));
    if let Some((wrong, is_placed)) = wrong.clone().find(|(one, placed)| is_wrong(one, *placed)) {
        return Ok(refute(position, wrong, is_placed, *language, budget));
    }
    let mut open: Vec<(Candidate, bool)> = wrong.collect();
    let mut steps: Vec<Step> = Vec::new();
    let tier = technique.map_or(0, Technique::tier).max(PROVING_TIER);
    let wanted = technique.iter();
    let others = logic::default_order().into_iter().filter(|other| other.tier() <= tier);
    for technique in wanted.copied().chain(others) {
        budget.check()?;
        for step in logic::all_steps(technique, position) {
            let before = open.len();
            let proves = |&(one, is_placed): &(Candidate, bool)| {
                if is_placed { step.places.contains(&one) } else { rules_out(&step, one, position) }
            };
            if !open.iter().any(proves)
                || proof::check(&step, position.puzzle(), position.candidates()).is_err()
            {
                continue;
            }
            open.retain(|one| !proves(one));
            if open.len() < before {
                steps.push(step);
            }
        }
        if open.is_empty() {
            break;
        }
    }
    let views: Vec<StepView> = (steps.iter().enumerate())
        .map(|(index, step)| step.view(index + 1, position.candidates(), *language))
        .collect();
    let left: Vec<Value> = open.iter().map(|(one, _)| pair(one)).collect();
    let answer = if open.is_empty() { "valid" } else { "unproven" };
    Ok(json!({ "answer": answer, "steps": views, "left": left }))
}

/// Whether a step removes a candidate, directly or by placing a digit in its cell.
fn rules_out(step: &Step, one: Candidate, position: &Position) -> bool {
    let order = position.order();
    step.removes.contains(&one)
        || step.places.iter().any(|placed| {
            (placed.cell == one.cell && placed.digit != one.digit)
                || (placed.digit == one.digit && order.peers_of(placed.cell).contains(&one.cell))
        })
}

fn pair(one: &Candidate) -> Value {
    json!([one.cell.index(), one.digit.number()])
}

/// Follows a wrong conclusion until nothing fits any more.
fn refute(
    position: &Position,
    wrong: Candidate,
    is_placed: bool,
    language: Language,
    budget: &Budget<'_>,
) -> Value {
    let mut candidates = position.candidates().clone();
    let left = candidates.at(wrong.cell).count();
    if is_placed {
        candidates.place(wrong.cell, wrong.digit);
    } else if left > 1 {
        candidates.remove(wrong.cell, wrong.digit);
    }
    // The checker's objection to this conclusion of the next step.
    let mut objection = None;
    let limits = budget.limits_within(MAX_PATH_TIME);
    let options = ExplainOptions::default();
    let next = Explanation::new(position, None, &options.clone().with_max_steps(1), &limits);
    if let Some(step) = next.steps.into_iter().next() {
        let (places, removes) =
            if is_placed { (vec![wrong], vec![]) } else { (vec![], vec![wrong]) };
        let claim = Step { places, removes, ..step };
        let checked = proof::check(&claim, position.puzzle(), position.candidates());
        objection = checked.err().map(|error| error.to_string());
    }
    let after = Position::new(position.puzzle().clone(), candidates);
    let path = after.ok().map(|after| Explanation::new(&after, None, &options, &limits));
    let path = path.filter(|path| path.outcome == ExplainOutcome::Contradiction);
    let end = path.as_ref().and_then(|path| {
        // Without entries of a player, so that the text does not mention them.
        let end = Position::new(path.last.grid().clone(), path.last.clone()).ok()?;
        Some(ExplainOutcome::Contradiction.text(&end, Detail::Full, language))
    });
    let steps = path.as_ref().map_or(0, |path| path.steps.len());
    let lines: Vec<String> = path
        .iter()
        .flat_map(Explanation::positions)
        .take(40)
        .map(|(before, step)| step.view(0, &before, language).short)
        .collect();
    json!({
        "answer": "wrong",
        "wrong": pair(&wrong),
        "is_placed": is_placed,
        "objection": objection,
        "steps_to_end": steps,
        "path": lines,
        "text": end,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::Limits;

    fn verdict(request: Value) -> Value {
        let request: JudgeRequest = serde_json::from_value(request).unwrap();
        let budget = Budget::new(Duration::from_secs(600), Limits::none());
        judge(&request.deduction().unwrap(), &budget).unwrap()
    }

    const PUZZLE: &str =
        "....1..594...5.8...5.7........59..8..1.2.3....34........38...........6.7.729...1.";

    /// The position before the X-Wing of the puzzle, and the X-Wing.
    fn before_x_wing() -> (Vec<(usize, u8)>, Vec<Vec<u8>>, Step) {
        let position = Position::from_puzzle(&PUZZLE.parse().unwrap()).unwrap();
        let options = ExplainOptions::default();
        let explanation = Explanation::new(&position, None, &options, &Limits::none());
        let found = explanation.positions().find(|(_, step)| step.technique.slug() == "x-wing");
        let (before, step) = found.expect("the puzzle has an X-Wing");
        let marks = ninefold::explain::view::digits(&before);
        let clues = explanation.puzzle();
        let entries = before.grid().clues().filter(|(cell, _)| clues[*cell].is_none());
        let entries = entries.map(|(cell, digit)| (cell.index(), digit.number())).collect();
        (entries, marks, step.clone())
    }

    #[test]
    fn accepts_any_valid_deduction_and_shows_where_a_wrong_one_leads() {
        let (entries, marks, step) = before_x_wing();
        let removed = step.removes[0];
        let ask = |removes: Value| {
            verdict(json!({
                "puzzle": PUZZLE, "entries": entries, "marks": marks, "removes": removes, "technique": "x-wing",
            }))
        };
        let right = ask(json!([pair(&removed)]));
        assert_eq!(
            (&right["answer"], &right["steps"][0]["slug"]),
            (&json!("valid"), &json!("x-wing"))
        );

        // A removal that another technique finds counts as well.
        let position = JudgeRequest {
            puzzle: PUZZLE.to_string(),
            entries: entries.clone(),
            marks: marks.clone(),
            removes: vec![(removed.cell.index(), removed.digit.number())],
            ..JudgeRequest::default()
        };
        let position = position.deduction().unwrap().position;
        let other = logic::default_order()
            .into_iter()
            .filter(|technique| technique.tier() <= PROVING_TIER)
            .flat_map(|technique| logic::all_steps(technique, &position))
            .find(|other| !other.removes.is_empty() && !step.removes.contains(&other.removes[0]))
            .expect("another technique removes something else");
        assert_eq!(ask(json!([pair(&other.removes[0])]))["answer"], "valid");

        // The digit of the solution cannot be removed.
        let Some(Solutions::One(solution)) = solutions(&position, &Limits::none()) else {
            panic!()
        };
        let cell = position.grid().empty_cells().next().unwrap();
        let digit = solution[cell].unwrap();
        let wrong = ask(json!([[cell.index(), digit.number()]]));
        assert_eq!(wrong["answer"], "wrong");
        assert!(
            wrong["text"].as_str().unwrap().starts_with("This grid cannot be completed"),
            "{wrong}"
        );
        assert!(wrong["objection"].as_str().unwrap().contains("does not follow"), "{wrong}");
    }

    #[test]
    fn conclusions_must_be_about_candidates() {
        let request = |removes| JudgeRequest {
            puzzle: PUZZLE.to_string(),
            removes,
            ..JudgeRequest::default()
        };
        assert_eq!(request(vec![(4, 1)]).deduction().err().unwrap().status, 422);
        assert_eq!(request(vec![]).deduction().err().unwrap().status, 422);
    }
}
