//! Evaluation of the heads that predict rules on boards.
//!
//! The labels are the label set of a board: all steps that the finders of the six rules find on it
//! and the proof checker accepts. The report has these parts:
//!
//! - For each rule: the share of positive labels, the accuracy of always predicting the majority,
//!   accuracy, precision, recall, F1, correlation, the area under the precision-recall curve, and
//!   calibration.
//! - Hard boards, where no single is left: are exactly the applicable rules predicted, and is the
//!   most certain place of each rule correct?
//! - Explanations: the confident predictions, compared with the label set.
//! - Wrong board: the predictions compared with the labels of another board. This is the score of
//!   predictions that contain no information about the board.
//! - Removed digit: are predictions withdrawn where a rule no longer applies, and kept where it
//!   still does?

use super::board::{self, HeadInput};
use super::labels::{self, RULES};
use super::report::{Confusion, RuleLine, numbers, rule_table, share};
use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::inference::evaluate;
use crate::inference::predictor::NetworkPredictor;
use crate::models::ModelConfig;
use crate::training::data::Examples;
use burn::tensor::activation::sigmoid;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::parallel;
use serde::Serialize;

/// Target precision of explanations on the validation boards.
const TARGET_PRECISION: f64 = 0.995;
/// Rules 1 and 2 place digits. Boards where they apply are easy.
const SINGLES: usize = 2;
/// Number of bins for the calibration.
const BINS: usize = 10;

/// Evaluation of a head on boards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardReport {
    /// Input of the head.
    #[serde(rename = "sees")]
    pub input: &'static str,
    /// Number of test boards and of validation boards.
    pub boards: [usize; 2],
    /// Probability threshold of each rule, chosen for the highest F1.
    pub thresholds: [f32; RULES],
    /// Metrics of each rule at its threshold.
    pub rules: Vec<RuleLine>,
    /// Metrics of each rule that do not depend on a threshold, or that are stricter.
    #[serde(rename = "closer")]
    pub metrics: Vec<RuleMetrics>,
    /// The mean F1 of rules 3 to 6.
    pub macro_f1: f64,
    /// The mean F1 of rules 3 to 6 if each board is compared with the predictions for another
    /// board.
    pub macro_f1_of_others: f64,
    /// Results on boards without a single.
    pub hard: HardBoards,
    /// Probability threshold of explanations, chosen for a precision of 99.5 %.
    pub sure: [f32; RULES],
    /// Number of explanations: combinations of rule, cell and digit.
    pub explanations: u64,
    /// The share of explanations in the label set: what the finders of the six rules find on this
    /// board and the checker accepts. Correct explanations that no finder produces count as
    /// wrong.
    pub soundness: f64,
    /// The share of the label set that is explained.
    pub coverage: f64,
    /// Explanations after one digit is removed from their board.
    #[serde(rename = "changed")]
    pub removal: RemovalResponse,
    /// The share of puzzles that the network below solves, if it is trained to solve.
    pub solved: Option<f64>,
}

/// Further metrics of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RuleMetrics {
    /// Matthews correlation coefficient of predictions and labels.
    pub correlation: f64,
    /// Area under the precision-recall curve; the prior for a head without information.
    pub area: f64,
    /// Expected calibration error: the mean distance between a probability and the share of
    /// positive labels in its bin.
    pub miscalibration: f64,
}

/// Results on boards where no single is left, but another rule applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HardBoards {
    /// Number of such boards.
    pub boards: u64,
    /// Boards for which exactly the applicable rules are predicted.
    pub exact: u64,
    /// Applicable rules, summed over boards.
    pub applying: u64,
    /// Applicable rules whose most certain place is correct.
    pub right_place: u64,
}

/// Correct explanations after one digit is removed from their board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RemovalResponse {
    /// Explanations that no longer hold.
    pub undone: u64,
    /// Of these, explanations that are withdrawn.
    pub taken_back: u64,
    /// Explanations that still hold.
    pub still: u64,
    /// Of these, explanations that are kept.
    pub kept: u64,
}

/// A head that predicts rules on boards.
pub(crate) trait RuleModel {
    /// Supported grid size.
    fn order(&self) -> Order;

    /// Number of boards per batch.
    fn batch(&self) -> usize;

    /// Name of its input.
    fn input(&self) -> &'static str;

    /// The probability of each rule for each digit of each cell of each board.
    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32>;

    /// The share of puzzles that the network below solves, if it is trained to solve.
    fn share_solved(&self, puzzles: &Examples) -> Option<f64>;
}

impl<B: Engine> RuleModel for NetworkPredictor<board::Config, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn input(&self) -> &'static str {
        match self.config.input {
            HeadInput::States => "states",
            HeadInput::FrozenStates => "frozen-states",
            HeadInput::Candidates => "candidates",
            HeadInput::Counts => "counts",
            HeadInput::Relations => "relations",
        }
    }

    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32> {
        let board =
            self.config.encoding().batch::<B>(self.order, boards.iter().copied(), &self.device);
        numbers(sigmoid(self.network.rules(board)))
    }

    fn share_solved(&self, puzzles: &Examples) -> Option<f64> {
        self.config
            .solves()
            .then(|| evaluate::score(self, puzzles, Decoding::AtOnce).share_solved())
    }
}

/// Evaluates a head on `test`. The thresholds are chosen on `validation`. Both were derived from
/// `puzzles`.
pub(crate) fn board(
    head: &dyn RuleModel,
    puzzles: &Examples,
    test: &Examples,
    validation: &Examples,
) -> BoardReport {
    let (on_validation, on_test) =
        (Predictions::new(head, validation), Predictions::new(head, test));
    let (validation_answers, answers) = (on_validation.answers(0), on_test.answers(0));
    let thresholds = best_thresholds(&validation_answers);
    let sure =
        std::array::from_fn(|rule| sure_threshold(&validation_answers[rule], TARGET_PRECISION));
    let confusions = count(&answers, &thresholds);
    let mut explanations = Confusion::default();
    for rule in count(&answers, &sure) {
        explanations.hits += rule.hits;
        explanations.false_alarms += rule.false_alarms;
        explanations.misses += rule.misses;
    }
    let metrics = |rule: usize| RuleMetrics {
        correlation: confusions[rule].correlation(),
        area: area(&answers[rule]),
        miscalibration: miscalibration(&answers[rule]),
    };
    BoardReport {
        input: head.input(),
        boards: [test.len(), validation.len()],
        thresholds,
        rules: confusions
            .iter()
            .enumerate()
            .map(|(rule, confusions)| RuleLine::new(rule, confusions))
            .collect(),
        metrics: (0..RULES).map(metrics).collect(),
        macro_f1: macro_f1(&confusions),
        macro_f1_of_others: macro_f1(&count(
            &on_test.answers(1),
            &best_thresholds(&on_validation.answers(1)),
        )),
        hard: on_test.hard(&thresholds),
        sure,
        explanations: explanations.hits + explanations.false_alarms,
        soundness: explanations.precision(),
        coverage: explanations.recall(),
        removal: removal_response(
            &on_test,
            &Predictions::new(head, &without_one_digit(test)),
            &sure,
        ),
        solved: head.share_solved(puzzles),
    }
}

impl BoardReport {
    /// The report as text.
    pub fn table(&self) -> String {
        let percent = |part: u64, all: u64| 100.0 * share(part, all);
        let mut text = format!(
            "{} boards, thresholds on_validation on {} others; all candidates of empty cells\n{}{:<26} {:>12} \
             {:>22} {:>15}\n",
            self.boards[0],
            self.boards[1],
            rule_table(&self.rules),
            "rule",
            "correlation",
            "precision-recall area",
            "miscalibration"
        );
        for (line, metrics) in self.rules.iter().zip(&self.metrics) {
            text += &format!(
                "{:<26} {:>12.4} {:>22.4} {:>14.3}%\n",
                format!("{} {}", line.rule, line.name),
                metrics.correlation,
                metrics.area,
                100.0 * metrics.miscalibration
            );
        }
        let (hard, removal) = (&self.hard, &self.removal);
        text += &format!(
            "mean F1 of rules 3 to 6: {:.4}; with the predictions for another board: {:.4}\n\
             {} hard boards: exactly the applicable rules on {:.2}%; {:.2}% of {} most certain places are right\n\
             {} explanations, {:.3}% of them in the label set; they cover {:.2}% of it\n\
             after removing one digit: {} no longer hold, {:.2}% of them withdrawn; {} still hold, {:.2}% of them kept\n",
            self.macro_f1,
            self.macro_f1_of_others,
            hard.boards,
            percent(hard.exact, hard.boards),
            percent(hard.right_place, hard.applying),
            hard.applying,
            self.explanations,
            100.0 * self.soundness,
            100.0 * self.coverage,
            removal.undone,
            percent(removal.taken_back, removal.undone),
            removal.still,
            percent(removal.kept, removal.still)
        );
        text += "label set: all steps that the finders of the six rules find on a board and the checker accepts\n";
        match self.solved {
            Some(solved) => {
                text + &format!("the same network solves {:.2}% of the puzzles\n", 100.0 * solved)
            }
            None => text,
        }
    }
}

/// Predictions and labels of some boards; one row per board.
struct Predictions {
    /// Probability of each rule for each candidate, as in [`labels::place`].
    predicted: Vec<Vec<f32>>,
    /// 1 where the rule applies.
    holds: Vec<Vec<f32>>,
    /// 1 for each open candidate.
    open: Vec<Vec<f32>>,
}

/// Probability and label of each open candidate, for each rule.
type Answers = [Vec<(f32, bool)>; RULES];

impl Predictions {
    fn new(head: &dyn RuleModel, boards: &Examples) -> Predictions {
        let order = head.order();
        let all: Vec<&[u8]> = (0..boards.len()).map(|index| boards.puzzle(index)).collect();
        let size = order.cell_count() * order.side() * RULES;
        let predicted = |batch: &[&[u8]]| {
            head.probabilities(batch).chunks(size).map(<[f32]>::to_vec).collect::<Vec<_>>()
        };
        Predictions {
            predicted: all.chunks(head.batch().max(1)).flat_map(predicted).collect(),
            holds: parallel::map(&all, |board| labels::of_board(order, board, true)),
            open: parallel::map(&all, |board| labels::open(order, board)),
        }
    }

    /// Pairs predictions with labels; the predictions are those for the board `offset` places
    /// further on.
    fn answers(&self, offset: usize) -> Answers {
        let mut answers: Answers = Default::default();
        for (board, (holds, open)) in self.holds.iter().zip(&self.open).enumerate() {
            let predicted = &self.predicted[(board + offset) % self.predicted.len()];
            for label in open_labels(open) {
                answers[label % RULES].push((predicted[label], holds[label] > 0.5));
            }
        }
        answers
    }

    fn hard(&self, thresholds: &[f32; RULES]) -> HardBoards {
        let mut hard = HardBoards::default();
        for ((predicted, holds), open) in self.predicted.iter().zip(&self.holds).zip(&self.open) {
            let of_rule =
                |rule: usize| open_labels(open).filter(move |label| label % RULES == rule);
            let applies: [bool; RULES] =
                std::array::from_fn(|rule| of_rule(rule).any(|label| holds[label] > 0.5));
            if applies[..SINGLES].contains(&true) || !applies.contains(&true) {
                continue;
            }
            let named: [bool; RULES] = std::array::from_fn(|rule| {
                of_rule(rule).any(|label| predicted[label] >= thresholds[rule])
            });
            hard.boards += 1;
            hard.exact += u64::from(named == applies);
            for rule in (0..RULES).filter(|&rule| applies[rule]) {
                let surest = of_rule(rule).max_by(|&a, &b| predicted[a].total_cmp(&predicted[b]));
                hard.applying += 1;
                hard.right_place += u64::from(surest.is_some_and(|label| holds[label] > 0.5));
            }
        }
        hard
    }
}

/// Indices of all rules for all open candidates.
fn open_labels(open: &[f32]) -> impl Iterator<Item = usize> {
    let open = open.iter().enumerate().filter(|(_, open)| **open > 0.0);
    open.flat_map(|(candidate, _)| candidate * RULES..(candidate + 1) * RULES)
}

/// Each board with one random digit removed; an empty board stays empty.
fn without_one_digit(boards: &Examples) -> Examples {
    let mut less = boards.clone();
    for index in 0..boards.len() {
        let mut board = boards.puzzle(index).to_vec();
        let filled: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] > 0).collect();
        if let Some(&cell) = Random::for_part(1, index as u64).pick(&filled) {
            board[cell] = 0;
        }
        less.replace(index, &board, boards.solution(index));
    }
    less
}

fn removal_response(
    before: &Predictions,
    after: &Predictions,
    sure: &[f32; RULES],
) -> RemovalResponse {
    let mut response = RemovalResponse::default();
    for (board, open) in before.open.iter().enumerate() {
        let is_explained = |&label: &usize| {
            before.holds[board][label] > 0.5
                && before.predicted[board][label] >= sure[label % RULES]
        };
        for label in open_labels(open).filter(is_explained) {
            let is_given = after.predicted[board][label] >= sure[label % RULES];
            if after.holds[board][label] > 0.5 {
                response.still += 1;
                response.kept += u64::from(is_given);
            } else {
                response.undone += 1;
                response.taken_back += u64::from(!is_given);
            }
        }
    }
    response
}

fn macro_f1(confusions: &[Confusion; RULES]) -> f64 {
    confusions[SINGLES..].iter().map(Confusion::f1).sum::<f64>() / (RULES - SINGLES) as f64
}

fn count(answers: &Answers, thresholds: &[f32; RULES]) -> [Confusion; RULES] {
    std::array::from_fn(|rule| {
        let mut confusions = Confusion::default();
        answers[rule]
            .iter()
            .for_each(|&(predicted, is)| confusions.add(predicted >= thresholds[rule], is));
        confusions
    })
}

/// Calls `report` for each threshold, from the highest, with the true positives and the positive
/// predictions.
fn for_each_threshold(answers: &[(f32, bool)], mut report: impl FnMut(f32, u64, u64)) {
    let mut sorted = answers.to_vec();
    sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let (mut hits, mut positives) = (0, 0);
    for (place, &(predicted, is)) in sorted.iter().enumerate() {
        hits += u64::from(is);
        positives += 1;
        // Equal probabilities share one threshold.
        if sorted.get(place + 1).is_none_or(|next| next.0 < predicted) {
            report(predicted, hits, positives);
        }
    }
}

fn positive_labels(answers: &[(f32, bool)]) -> u64 {
    answers.iter().filter(|answer| answer.1).count() as u64
}

fn best_thresholds(answers: &Answers) -> [f32; RULES] {
    std::array::from_fn(|rule| best_threshold(&answers[rule]))
}

fn best_threshold(answers: &[(f32, bool)]) -> f32 {
    let all = positive_labels(answers);
    let mut best = (0.0, 0.5);
    for_each_threshold(answers, |predicted, hits, positives| {
        let f1 = share(2 * hits, positives + all);
        if f1 > best.0 {
            best = (f1, predicted);
        }
    });
    best.1
}

/// The lowest threshold with this precision, or a value above 1 if there is none.
fn sure_threshold(answers: &[(f32, bool)], precision: f64) -> f32 {
    let mut lowest = 1.1;
    for_each_threshold(answers, |predicted, hits, positives| {
        if share(hits, positives) >= precision {
            lowest = predicted;
        }
    });
    lowest
}

/// Area under the precision-recall curve as a sum of steps: each increase of recall is weighted
/// with the precision at that point.
fn area(answers: &[(f32, bool)]) -> f64 {
    let all = positive_labels(answers);
    let (mut area, mut before) = (0.0, 0);
    for_each_threshold(answers, |_, hits, positives| {
        area += share(hits - before, all) * share(hits, positives);
        before = hits;
    });
    area
}

fn miscalibration(answers: &[(f32, bool)]) -> f64 {
    let mut bins = [0.0; BINS]; // per bin: the sum of the probabilities minus the number of positive labels
    for &(predicted, is) in answers {
        bins[((predicted * BINS as f32) as usize).min(BINS - 1)] +=
            f64::from(predicted) - f64::from(u8::from(is));
    }
    bins.iter().map(|bins| bins.abs()).sum::<f64>() / (answers.len() as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn thresholds_match_hand_computation() {
        let answers =
            [(0.9, true), (0.8, true), (0.7, false), (0.6, true), (0.5, false), (0.4, false)];
        // At 0.6: three hits of four predictions and three positives: F1 6/7. At 0.8: two of two,
        // F1 4/5.
        assert_eq!(best_threshold(&answers), 0.6);
        assert_eq!(sure_threshold(&answers, 0.995), 0.8);
        assert!(sure_threshold(&[(0.9, false)], 0.995) > 1.0);
        // Two thirds of the recall at full precision, the last third at three of four.
        assert!((area(&answers) - (2.0 / 3.0 + 0.75 / 3.0)).abs() < 1e-12);
        assert!(
            (area(&[(0.5, true), (0.5, false), (0.5, false)]) - 1.0 / 3.0).abs() < 1e-12,
            "without information: the prior"
        );
        // Bins 0.2 and 0.9: of two predictions with 0.25, one is positive; the one with 0.95 is
        // positive.
        assert!(
            (miscalibration(&[(0.25, true), (0.25, false), (0.95, true)]) - (0.5 + 0.05) / 3.0)
                .abs()
                < 1e-6
        );
        assert_eq!((area(&[]), miscalibration(&[])), (0.0, 0.0));
    }

    /// One board with two candidates, where rules 3 and 5 eliminate the first, and the given
    /// predictions.
    fn predictions(predicted: [[f32; RULES]; 2]) -> Predictions {
        let holds = vec![0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        Predictions {
            predicted: vec![predicted.concat()],
            holds: vec![holds],
            open: vec![vec![1.0, 1.0]],
        }
    }

    #[test]
    fn hard_boards_count_exact_rules_and_right_places() {
        let thresholds = [0.5; RULES];
        let right = predictions([[0.0, 0.0, 0.9, 0.0, 0.8, 0.0], [0.0; RULES]]);
        assert_eq!(
            right.hard(&thresholds),
            HardBoards { boards: 1, exact: 1, applying: 2, right_place: 2 }
        );
        // The right rules, but rule 5 in the wrong place; then one rule too many.
        let displaced =
            predictions([[0.0, 0.0, 0.9, 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 0.0, 0.9, 0.0]]);
        assert_eq!(
            displaced.hard(&thresholds),
            HardBoards { boards: 1, exact: 1, applying: 2, right_place: 1 }
        );
        let too_many = predictions([[0.0, 0.0, 0.9, 0.0, 0.8, 0.7], [0.0; RULES]]);
        assert_eq!(
            too_many.hard(&thresholds),
            HardBoards { boards: 1, exact: 0, applying: 2, right_place: 2 }
        );
        let mut easy = predictions([[1.0; RULES]; 2]);
        easy.holds[0][0] = 1.0;
        assert_eq!(
            easy.hard(&thresholds),
            HardBoards::default(),
            "a board with a single is not hard"
        );
    }

    #[test]
    fn withdrawn_and_kept_explanations_are_counted() {
        let sure = [0.5; RULES];
        let before = predictions([[0.0, 0.0, 0.9, 0.0, 0.8, 0.0], [0.0, 0.0, 0.9, 0.0, 0.0, 0.0]]);
        let mut after = predictions([[0.0, 0.0, 0.9, 0.0, 0.1, 0.0], [0.0; RULES]]);
        after.holds[0][4] = 0.0;
        assert_eq!(
            removal_response(&before, &after, &sure),
            RemovalResponse { undone: 1, taken_back: 1, still: 1, kept: 1 }
        );
        after.predicted[0][2] = 0.2;
        after.predicted[0][4] = 0.9;
        assert_eq!(
            removal_response(&before, &after, &sure),
            RemovalResponse { undone: 1, taken_back: 0, still: 1, kept: 0 }
        );
    }

    #[test]
    fn one_digit_is_removed_from_every_board() {
        let boards =
            Examples::read("1..4..1..3..4..3\n1..4..1.......23\n".as_bytes(), Order::FOUR).unwrap();
        let less = without_one_digit(&boards);
        for index in 0..2 {
            let pairs = || boards.puzzle(index).iter().zip(less.puzzle(index));
            assert_eq!(pairs().filter(|(before, after)| before != after).count(), 1);
            assert!(pairs().all(|(before, after)| before == after || *after == 0));
        }
    }

    #[test]
    fn report_covers_every_head() {
        let text = "1..4..1..3..4..3\n1..4..1.......23\n....3412234141.3\n";
        let examples = Examples::read(text.as_bytes(), Order::FOUR).unwrap();
        for (input, digits) in [(HeadInput::Relations, 0.0), (HeadInput::States, 1.0)] {
            let config = board::Config { input, digits, ..board::Config::tiny() };
            let network = config.build(Order::FOUR, &mut Random::new(1), &Default::default());
            let head: NetworkPredictor<board::Config, Cpu> = NetworkPredictor {
                config,
                order: Order::FOUR,
                network,
                device: Default::default(),
                batch: 2,
            };
            let report = board(&head, &examples, &examples, &examples);
            assert_eq!(report.boards, [3, 3]);
            assert!(report.rules[0].prior > 0.0);
            assert!(report.table().contains("of them in the label set"));
            assert!((0.0..=1.0).contains(&report.soundness));
            assert_eq!(report.solved.is_some(), digits > 0.0);
            assert_eq!(report.table().contains("the same network solves"), digits > 0.0);
        }
    }
}
