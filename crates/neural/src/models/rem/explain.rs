//! The complete method of the paper: one network proposes digits, another one predicts rules, and
//! the step solver checks both.
//!
//! ```text
//! until the grid is full:
//!   find all placements (rules 1 and 2) and all eliminations (rules 3 to 6)
//!   if there are placements:   apply the one whose digit the first network finds most probable
//!   else if eliminations:      apply the one whose rule the second network finds most probable
//!   else if the candidates are contradictory, or the models do not predict doubt:   stop
//!   else:                      guess
//! ```
//! Every applied step is proven by a rule, so wrong predictions cannot lead to wrong digits.
//!
//! Doubt is the predicted probability that a board cannot be completed. A guess is the most
//! probable digit whose resulting board has a doubt below 0.5; if the three most probable digits
//! are all doubted, the most probable one is used. Guesses are marked, and all later steps depend
//! on them. Whether they were right is known only at the end: a full grid satisfies the rules or
//! not.

use super::labels::{self, NAMES, RULES};
use ninefold::grid::{Candidates, Cell, Conflict, Digit, Grid, Order, Position};
use ninefold::logic;
use ninefold::logic::six_rules::RULES as TECHNIQUES;
use ninefold::proof::{Candidate, Step, check};
use serde::Serialize;

/// The networks that predict digits and rules of a board.
pub trait BoardModels {
    /// The probability of each digit of each cell.
    fn digits(&self, board: &[u8]) -> Vec<f32>;

    /// The probability of each of the six rules for each digit of each cell, in the order cell,
    /// digit, rule.
    fn rules(&self, board: &[u8]) -> Vec<f32>;

    /// The probability that a board cannot be completed. Models that return `None` never guess.
    fn doubt(&self, _board: &[u8]) -> Option<f32> {
        None
    }
}

/// A rule predicted for a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulePrediction {
    /// Number of the rule in the paper.
    pub rule: usize,
    /// Name of the rule.
    pub name: &'static str,
    /// The cell, such as `r1c4`.
    pub cell: String,
    /// The digit.
    pub digit: u8,
    /// Predicted probability.
    pub probability: f32,
    /// Whether it is in the label set of this board: a finder finds it, and the checker accepts it.
    pub holds: bool,
}

/// A rule that was applied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AppliedRule {
    /// Number of the rule in the paper.
    pub rule: usize,
    /// Name of the rule.
    pub name: &'static str,
    /// Description of the step, with cells and house.
    pub words: String,
    /// Predicted probability of this rule for this candidate.
    #[serde(rename = "named_with")]
    pub probability: f32,
}

/// A digit that no rule proves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guess {
    /// The cell, such as `r1c4`.
    pub cell: String,
    /// The digit.
    pub digit: u8,
    /// Predicted probability of the digit.
    pub probability: f32,
    /// Predicted probability that the board cannot be completed with it.
    pub doubt: f32,
}

/// One step: some eliminations and a placement; no placement if no rule applies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedStep {
    /// Number of the step, from 1.
    pub step: usize,
    /// The most probable rules, most probable first.
    #[serde(rename = "named")]
    pub predictions: Vec<RulePrediction>,
    /// The rules that were applied, the placement last.
    pub applied: Vec<AppliedRule>,
    /// The filled cell, its digit and the predicted probability.
    pub placed: Option<(String, u8, f32)>,
    /// The guess, if no rule applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<Guess>,
}

/// The explanation of a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The steps.
    pub steps: Vec<ExplainedStep>,
    /// The final grid.
    #[serde(serialize_with = "as_text")]
    pub grid: Grid,
}

fn as_text<S: serde::Serializer>(grid: &Grid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(grid)
}

impl Explanation {
    /// Number of guesses.
    pub fn guesses(&self) -> usize {
        self.steps.iter().filter(|step| step.guess.is_some()).count()
    }
}

/// Number of digits considered for a guess. The first one whose board is not doubted is used.
const MAX_GUESS_CANDIDATES: usize = 3;

/// Number of predictions per step.
const MAX_PREDICTIONS: usize = 3;

/// Solves as far as the six rules go, guided by the networks.
pub fn explain(puzzle: &Grid, models: &dyn BoardModels) -> Result<Explanation, Conflict> {
    let order = puzzle.order();
    let mut candidates = Candidates::new(puzzle)?;
    let mut steps = Vec::new();
    while !candidates.grid().is_full() {
        let board: Vec<u8> = candidates.grid().numbers().collect();
        let (digits, rules) = (models.digits(&board), models.rules(&board));
        let predictions = top_predictions(order, &board, &rules);
        let mut applied = Vec::new();
        let placed = loop {
            let Some((rule, step)) = best_step(puzzle, &candidates, &digits, &rules) else {
                break None;
            };
            let words = step.one_line(&candidates);
            let probability = max_probability(order, &step, rule, &rules);
            applied.push(AppliedRule { rule: rule + 1, name: NAMES[rule], words, probability });
            step.apply_to(&mut candidates);
            if let Some(&Candidate { cell, digit }) = step.places.first() {
                let sure = digits[cell.index() * order.side() + digit.index()];
                break Some((order.name_of(cell), digit.number(), sure));
            }
        };
        let is_stuck = placed.is_none();
        let guess = if is_stuck { guess(&mut candidates, &digits, models) } else { None };
        let is_over = is_stuck && guess.is_none();
        steps.push(ExplainedStep { step: steps.len() + 1, predictions, applied, placed, guess });
        if is_over {
            break;
        }
    }
    Ok(Explanation { steps, grid: candidates.grid().clone() })
}

/// Places the most probable digit whose board is not doubted, or else the most probable digit.
/// Returns `None` if a previous guess left a cell without candidates.
fn guess(candidates: &mut Candidates, digits: &[f32], models: &dyn BoardModels) -> Option<Guess> {
    let (order, grid) = (candidates.order(), candidates.grid().clone());
    if candidates.is_contradictory() {
        return None;
    }
    let probability_of =
        |cell: Cell, digit: Digit| digits[cell.index() * order.side() + digit.index()];
    let mut open: Vec<(Cell, Digit)> = grid
        .empty_cells()
        .flat_map(|cell| candidates.at(cell).map(move |digit| (cell, digit)))
        .collect();
    open.sort_by(|a, b| probability_of(b.0, b.1).total_cmp(&probability_of(a.0, a.1)));
    let mut best: Option<(Cell, Digit, f32)> = None;
    for (cell, digit) in open.into_iter().take(MAX_GUESS_CANDIDATES) {
        let mut board: Vec<u8> = grid.numbers().collect();
        board[cell.index()] = digit.number();
        let doubt = models.doubt(&board)?;
        best = best.or(Some((cell, digit, doubt)));
        if doubt < 0.5 {
            best = Some((cell, digit, doubt));
            break;
        }
    }
    let (cell, digit, doubt) = best?;
    candidates.place(cell, digit);
    Some(Guess {
        cell: order.name_of(cell),
        digit: digit.number(),
        probability: probability_of(cell, digit),
        doubt,
    })
}

/// The best step and the index of its rule; only steps that the checker accepts.
fn best_step(
    puzzle: &Grid,
    candidates: &Candidates,
    digits: &[f32],
    rules: &[f32],
) -> Option<(usize, Step)> {
    let order = puzzle.order();
    let position = Position::new(puzzle.clone(), candidates.clone())
        .expect("the candidates are of this puzzle");
    let found = |kinds: std::ops::Range<usize>, merit: &dyn Fn(usize, &Step) -> f32| {
        kinds
            .flat_map(|rule| {
                logic::all_steps(TECHNIQUES[rule], &position)
                    .into_iter()
                    .map(move |step| (rule, step))
            })
            .filter(|(_, step)| check(step, puzzle, candidates).is_ok())
            // The first among equals: earlier rules are easier.
            .reduce(
                |best, next| {
                    if merit(next.0, &next.1) > merit(best.0, &best.1) { next } else { best }
                },
            )
    };
    let sure = |_: usize, step: &Step| {
        step.places
            .first()
            .map_or(0.0, |place| digits[place.cell.index() * order.side() + place.digit.index()])
    };
    let named = |rule: usize, step: &Step| max_probability(order, step, rule, rules);
    found(0..2, &sure).or_else(|| found(2..RULES, &named))
}

/// The highest predicted probability of a rule for the conclusions of a step.
fn max_probability(order: Order, step: &Step, rule: usize, rules: &[f32]) -> f32 {
    let conclusions = step.places.iter().chain(&step.removes);
    conclusions
        .map(|candidate| {
            rules[labels::place(order, candidate.cell.index(), candidate.digit.index(), rule)]
        })
        .fold(0.0, f32::max)
}

/// The most probable of the rules that place digits (1 and 2) for a digit that is about to be
/// placed.
pub fn rule_for(
    order: Order,
    board: &[u8],
    rules: &[f32],
    cell: usize,
    digit: u8,
) -> RulePrediction {
    let holds = labels::of_board(order, board, true);
    let places = (0..2).map(|rule| labels::place(order, cell, usize::from(digit) - 1, rule));
    let place = places.reduce(|best, next| if rules[next] > rules[best] { next } else { best });
    prediction_at(order, rules, &holds, place.expect("two rules place digits"))
}

/// The most probable rules for open candidates, most probable first.
fn top_predictions(order: Order, board: &[u8], rules: &[f32]) -> Vec<RulePrediction> {
    let (holds, open) = (labels::of_board(order, board, true), labels::open(order, board));
    let is_open = |&place: &usize| open[place / RULES] > 0.0;
    let mut places: Vec<usize> = (0..rules.len()).filter(is_open).collect();
    places.sort_by(|&a, &b| rules[b].total_cmp(&rules[a]));
    places
        .iter()
        .take(MAX_PREDICTIONS)
        .map(|&place| prediction_at(order, rules, &holds, place))
        .collect()
}

fn prediction_at(order: Order, rules: &[f32], holds: &[f32], place: usize) -> RulePrediction {
    RulePrediction {
        rule: place % RULES + 1,
        name: NAMES[place % RULES],
        cell: order.name_of(Cell::new(place / RULES / order.side())),
        digit: (place / RULES % order.side()) as u8 + 1,
        probability: rules[place],
        holds: holds[place] > 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Predicts one probability for all digits and one for all rules.
    struct ConstantModels(f32, f32);

    impl BoardModels for ConstantModels {
        fn digits(&self, board: &[u8]) -> Vec<f32> {
            vec![self.0; board.len() * 9]
        }

        fn rules(&self, board: &[u8]) -> Vec<f32> {
            vec![self.1; board.len() * 9 * RULES]
        }
    }

    /// Predicts 1 for all cells, and hidden pairs everywhere.
    struct WrongModels;

    impl BoardModels for WrongModels {
        fn digits(&self, board: &[u8]) -> Vec<f32> {
            (0..board.len() * 9).map(|place| if place % 9 == 0 { 1.0 } else { 0.0 }).collect()
        }

        fn rules(&self, board: &[u8]) -> Vec<f32> {
            (0..board.len() * 9 * RULES)
                .map(|place| if place % RULES == 5 { 0.9 } else { 0.1 })
                .collect()
        }
    }

    #[test]
    fn wrong_predictions_never_place_wrong_digits() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        for models in [&ConstantModels(0.5, 0.5) as &dyn BoardModels, &WrongModels] {
            let explanation = explain(&puzzle, models).unwrap();
            assert!(explanation.grid.solves(&puzzle));
            assert_eq!(explanation.steps.len(), 51);
            assert!(
                explanation
                    .steps
                    .iter()
                    .all(|step| step.placed.is_some() && step.predictions.len() == MAX_PREDICTIONS)
            );
        }
        let first = &explain(&puzzle, &WrongModels).unwrap().steps[0];
        assert_eq!(
            (first.predictions[0].rule, first.predictions[0].holds),
            (6, false),
            "{first:?}"
        );
        assert_eq!(
            first.placed.as_ref().unwrap().1,
            1,
            "among proven digits, the 1 has the highest probability"
        );
    }

    #[test]
    fn predictions_are_compared_with_the_board() {
        let board = [1, 2, 3, 0, 3, 0, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let mut rules = vec![0.1; 64 * RULES];
        rules[labels::place(Order::FOUR, 3, 3, 1)] = 0.7;
        let named = rule_for(Order::FOUR, &board, &rules, 3, 4);
        assert_eq!(
            (named.rule, named.cell.as_str(), named.digit, named.holds),
            (2, "r1c4", 4, true)
        );
        let named = rule_for(Order::FOUR, &board, &rules, 5, 1);
        assert!(!named.holds, "{named:?}: row 2 has a 1");
    }

    /// Predicts the solution. Doubts every board that deviates from it, or all boards.
    struct SolutionModels(Vec<u8>, bool);

    impl BoardModels for SolutionModels {
        fn digits(&self, board: &[u8]) -> Vec<f32> {
            (0..board.len() * 9)
                .map(
                    |place| if usize::from(self.0[place / 9]) == place % 9 + 1 { 0.9 } else { 0.1 },
                )
                .collect()
        }

        fn rules(&self, board: &[u8]) -> Vec<f32> {
            vec![0.5; board.len() * 9 * RULES]
        }

        fn doubt(&self, board: &[u8]) -> Option<f32> {
            let is_right =
                board.iter().zip(&self.0).all(|(&number, &right)| number == 0 || number == right);
            Some(if is_right && !self.1 { 0.1 } else { 0.8 })
        }
    }

    #[test]
    fn models_with_doubt_guess_where_no_rule_applies() {
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let solution =
            ninefold::search::default_for(&hard).first(&hard, &ninefold::search::Limits::none());
        let solution = solution.unwrap().0.unwrap();
        for doubts_all in [false, true] {
            let explanation =
                explain(&hard, &SolutionModels(solution.numbers().collect(), doubts_all)).unwrap();
            assert!(explanation.grid.solves(&hard) && explanation.guesses() > 0);
            let step = explanation.steps.iter().find(|step| step.guess.is_some()).unwrap();
            let guess = step.guess.as_ref().unwrap();
            assert_eq!(
                (step.placed.as_ref(), guess.probability),
                (None, 0.9),
                "a guess is not a placement"
            );
            assert_eq!(guess.doubt, if doubts_all { 0.8 } else { 0.1 });
        }
    }

    #[test]
    fn wrong_guesses_stop_at_a_cell_without_candidates() {
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let wrong: Vec<u8> = (0..81).map(|cell| (cell % 9) as u8 + 1).collect();
        let explanation = explain(&hard, &SolutionModels(wrong, true)).unwrap();
        assert!(explanation.guesses() > 0 && !explanation.grid.solves(&hard));
        assert_eq!(
            (
                explanation.steps.last().unwrap().guess.as_ref(),
                explanation.steps.last().unwrap().placed.as_ref()
            ),
            (None, None)
        );
    }

    #[test]
    fn explanation_ends_where_no_rule_applies() {
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let explanation = explain(&hard, &ConstantModels(0.1, 0.1)).unwrap();
        assert!(!explanation.grid.is_full());
        assert_eq!(explanation.steps.last().unwrap().placed, None);
        let json = serde_json::to_value(&explanation).unwrap();
        assert_eq!(json["grid"].as_str().unwrap().len(), 81);
    }
}
