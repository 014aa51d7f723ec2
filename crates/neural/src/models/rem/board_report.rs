//! What a head knows about boards: how well it answers, what it can be held to, and whether it looks at the board at all.
//!
//! ```text
//! each rule            prior and "always the majority answer" first; then accuracy, precision, recall, F1, correlation,
//!                      the area under precision over recall, and how far probabilities lie from what comes true
//! hard boards          no single is left: does it name exactly the rules that apply, and is its surest place right?
//! explanations         what it says when it is sure, held to the label set: what the finders of the six rules find on
//!                      this board and the checker accepts
//! another's board      the same answers beside the wrong boards: whatever is left was not seen
//! one digit taken out  where a rule holds no more, does it take its word back? where it still holds, does it keep it?
//! ```

use super::board::{self, Sees};
use super::labels::{self, RULES};
use super::report::{Confusion, RuleLine, numbers, rule_table, share};
use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::inference::evaluate;
use crate::inference::predictor::NetworkPredictor;
use crate::models::ModelConfig;
use crate::parallel;
use crate::training::data::Examples;
use burn::tensor::activation::sigmoid;
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::Serialize;

/// The precision that explanations should have on the boards that thresholds are chosen by.
const SURE: f64 = 0.995;
/// Rules 1 and 2 place digits; only the others are hard to see.
const SINGLES: usize = 2;
/// Bins in which probabilities are compared with what comes true.
const RANGES: usize = 10;

/// What the head for boards knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardReport {
    /// What the head looks at.
    pub sees: &'static str,
    /// Boards that were asked about, and boards by which the thresholds were chosen.
    pub boards: [usize; 2],
    /// The probability above which each rule counts as said, chosen for the highest F1.
    pub thresholds: [f32; RULES],
    /// The rules.
    pub rules: Vec<RuleLine>,
    /// The same rules by measures that need no threshold, or forgive none.
    pub closer: Vec<Closer>,
    /// The mean F1 of rules 3 to 6.
    pub macro_f1: f64,
    /// The same if each board is answered with what the head said about another one.
    pub macro_f1_of_others: f64,
    /// The boards without a single.
    pub hard: Hard,
    /// The probability above which an explanation is given, chosen for a precision of 99.5 %.
    pub sure: [f32; RULES],
    /// Explanations given: a rule, a cell and a digit each.
    pub explanations: u64,
    /// The share of them that the checker accepts: they are in the label set, which holds what the finders of the six
    /// rules find on this board and the checker accepts. A true statement that the finders do not make counts as wrong.
    pub soundness: f64,
    /// The share of the label set that is given.
    pub coverage: f64,
    /// What becomes of explanations when one digit is taken out of their board.
    pub changed: Changed,
    /// The share of the puzzles that the network below solves, if it has learned to.
    pub solved: Option<f64>,
}

/// One rule, looked at more closely.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Closer {
    /// Matthews' correlation of what was said with what was so.
    pub correlation: f64,
    /// The area under precision over recall; a head that knows nothing has the prior.
    pub area: f64,
    /// The mean distance between a probability and the share that came true among answers of about this probability.
    pub miscalibration: f64,
}

/// Boards on which no single is left, but another rule applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hard {
    /// How many there are.
    pub boards: u64,
    /// Those on which the head names exactly the rules that apply.
    pub exact: u64,
    /// Rules that apply on them, counted once for each board.
    pub applying: u64,
    /// Those of them whose surest place is one where the rule applies.
    pub right_place: u64,
}

/// What becomes of true explanations when one digit is taken out of their board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Those that no longer hold.
    pub undone: u64,
    /// Those of them that are no longer given.
    pub taken_back: u64,
    /// Those that still hold.
    pub still: u64,
    /// Those of them that are still given.
    pub kept: u64,
}

/// What can be asked about boards.
pub(crate) trait NamesRules {
    /// The size of the boards.
    fn order(&self) -> Order;

    /// Boards that it looks at together.
    fn batch(&self) -> usize;

    /// What it looks at.
    fn sees(&self) -> &'static str;

    /// The probability of each rule for each digit of each cell of some boards.
    fn probabilities(&self, boards: &[&[u8]]) -> Vec<f32>;

    /// The share of the puzzles that the network below solves, if it still does.
    fn share_solved(&self, puzzles: &Examples) -> Option<f64>;
}

impl<B: Engine> NamesRules for NetworkPredictor<board::Config, B> {
    fn order(&self) -> Order {
        self.order
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn sees(&self) -> &'static str {
        match self.config.sees {
            Sees::States => "states",
            Sees::FrozenStates => "frozen-states",
            Sees::Candidates => "candidates",
            Sees::Counts => "counts",
            Sees::Relations => "relations",
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

/// Asks about boards; thresholds are chosen on other boards. The puzzles are those that the boards come from.
pub(crate) fn board(
    head: &dyn NamesRules,
    puzzles: &Examples,
    test: &Examples,
    validation: &Examples,
) -> BoardReport {
    let (chosen, asked) = (Predictions::of(head, validation), Predictions::of(head, test));
    let (known, answers) = (chosen.answers(0), asked.answers(0));
    let thresholds = best_thresholds(&known);
    let sure = std::array::from_fn(|rule| sure_threshold(&known[rule], SURE));
    let counted = count(&answers, &thresholds);
    let mut given = Confusion::default();
    for rule in count(&answers, &sure) {
        given.hits += rule.hits;
        given.false_alarms += rule.false_alarms;
        given.misses += rule.misses;
    }
    let closer = |rule: usize| Closer {
        correlation: counted[rule].correlation(),
        area: area(&answers[rule]),
        miscalibration: miscalibration(&answers[rule]),
    };
    BoardReport {
        sees: head.sees(),
        boards: [test.len(), validation.len()],
        thresholds,
        rules: counted
            .iter()
            .enumerate()
            .map(|(rule, counted)| RuleLine::of(rule, counted))
            .collect(),
        closer: (0..RULES).map(closer).collect(),
        macro_f1: macro_f1(&counted),
        macro_f1_of_others: macro_f1(&count(
            &asked.answers(1),
            &best_thresholds(&chosen.answers(1)),
        )),
        hard: asked.hard(&thresholds),
        sure,
        explanations: given.hits + given.false_alarms,
        soundness: given.precision(),
        coverage: given.recall(),
        changed: changed(&asked, &Predictions::of(head, &with_one_digit_less(test)), &sure),
        solved: head.share_solved(puzzles),
    }
}

impl BoardReport {
    /// The report as text.
    pub fn table(&self) -> String {
        let percent = |part: u64, all: u64| 100.0 * share(part, all);
        let mut text = format!(
            "{} boards, thresholds chosen on {} others; every candidate of an empty cell is asked about\n{}{:<26} {:>12} \
             {:>22} {:>15}\n",
            self.boards[0],
            self.boards[1],
            rule_table(&self.rules),
            "rule",
            "correlation",
            "precision over recall",
            "miscalibration"
        );
        for (line, closer) in self.rules.iter().zip(&self.closer) {
            text += &format!(
                "{:<26} {:>12.4} {:>22.4} {:>14.3}%\n",
                format!("{} {}", line.rule, line.name),
                closer.correlation,
                closer.area,
                100.0 * closer.miscalibration
            );
        }
        let (hard, changed) = (&self.hard, &self.changed);
        text += &format!(
            "mean F1 of rules 3 to 6: {:.4}; with what it said about another board: {:.4}\n\
             {} hard boards: on {:.2}% exactly the rules that apply; {:.2}% of {} surest places are right\n\
             {} explanations given, {:.3}% of them accepted by the checker, that is, in the label set; {:.2}% of that set given\n\
             with one digit taken out {} hold no more, {:.2}% of them taken back; {} still hold, {:.2}% of them kept\n",
            self.macro_f1,
            self.macro_f1_of_others,
            hard.boards,
            percent(hard.exact, hard.boards),
            percent(hard.right_place, hard.applying),
            hard.applying,
            self.explanations,
            100.0 * self.soundness,
            100.0 * self.coverage,
            changed.undone,
            percent(changed.taken_back, changed.undone),
            changed.still,
            percent(changed.kept, changed.still)
        );
        text += "label set: all that the finders of the six rules find on a board and the checker accepts\n";
        match self.solved {
            Some(solved) => {
                text + &format!("the same network solves {:.2}% of the puzzles\n", 100.0 * solved)
            }
            None => text,
        }
    }
}

/// What was said about some boards, and what is so; a row for each board.
struct Predictions {
    /// The probability of each rule for each candidate, as in [`labels::place`].
    told: Vec<Vec<f32>>,
    /// 1 where the rule holds.
    holds: Vec<Vec<f32>>,
    /// 1 for each candidate that may be asked about.
    open: Vec<Vec<f32>>,
}

/// For each rule, each candidate that the digits leave: the probability, and whether it is so.
type Answers = [Vec<(f32, bool)>; RULES];

impl Predictions {
    fn of(head: &dyn NamesRules, boards: &Examples) -> Predictions {
        let order = head.order();
        let all: Vec<&[u8]> = (0..boards.len()).map(|index| boards.puzzle(index)).collect();
        let size = order.cell_count() * order.side() * RULES;
        let told = |batch: &[&[u8]]| {
            head.probabilities(batch).chunks(size).map(<[f32]>::to_vec).collect::<Vec<_>>()
        };
        Predictions {
            told: all.chunks(head.batch().max(1)).flat_map(told).collect(),
            holds: parallel::map(&all, |board| labels::of_board(order, board, true)),
            open: parallel::map(&all, |board| labels::open(order, board)),
        }
    }

    /// All answers; each board is answered with what was said about the board this many places further on.
    fn answers(&self, further: usize) -> Answers {
        let mut answers: Answers = Default::default();
        for (board, (holds, open)) in self.holds.iter().zip(&self.open).enumerate() {
            let told = &self.told[(board + further) % self.told.len()];
            for mark in marks(open) {
                answers[mark % RULES].push((told[mark], holds[mark] > 0.5));
            }
        }
        answers
    }

    fn hard(&self, thresholds: &[f32; RULES]) -> Hard {
        let mut hard = Hard::default();
        for ((told, holds), open) in self.told.iter().zip(&self.holds).zip(&self.open) {
            let of_rule = |rule: usize| marks(open).filter(move |mark| mark % RULES == rule);
            let applies: [bool; RULES] =
                std::array::from_fn(|rule| of_rule(rule).any(|mark| holds[mark] > 0.5));
            if applies[..SINGLES].contains(&true) || !applies.contains(&true) {
                continue;
            }
            let named: [bool; RULES] = std::array::from_fn(|rule| {
                of_rule(rule).any(|mark| told[mark] >= thresholds[rule])
            });
            hard.boards += 1;
            hard.exact += u64::from(named == applies);
            for rule in (0..RULES).filter(|&rule| applies[rule]) {
                let surest = of_rule(rule).max_by(|&a, &b| told[a].total_cmp(&told[b]));
                hard.applying += 1;
                hard.right_place += u64::from(surest.is_some_and(|mark| holds[mark] > 0.5));
            }
        }
        hard
    }
}

/// All rules for all candidates that may be asked about.
fn marks(open: &[f32]) -> impl Iterator<Item = usize> {
    let open = open.iter().enumerate().filter(|(_, open)| **open > 0.0);
    open.flat_map(|(candidate, _)| candidate * RULES..(candidate + 1) * RULES)
}

/// Each board without one of its digits, drawn at random; an empty one stays empty.
fn with_one_digit_less(boards: &Examples) -> Examples {
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

fn changed(before: &Predictions, after: &Predictions, sure: &[f32; RULES]) -> Changed {
    let mut changed = Changed::default();
    for (board, open) in before.open.iter().enumerate() {
        let is_explained = |&mark: &usize| {
            before.holds[board][mark] > 0.5 && before.told[board][mark] >= sure[mark % RULES]
        };
        for mark in marks(open).filter(is_explained) {
            let is_given = after.told[board][mark] >= sure[mark % RULES];
            if after.holds[board][mark] > 0.5 {
                changed.still += 1;
                changed.kept += u64::from(is_given);
            } else {
                changed.undone += 1;
                changed.taken_back += u64::from(!is_given);
            }
        }
    }
    changed
}

fn macro_f1(counted: &[Confusion; RULES]) -> f64 {
    counted[SINGLES..].iter().map(Confusion::f1).sum::<f64>() / (RULES - SINGLES) as f64
}

fn count(answers: &Answers, thresholds: &[f32; RULES]) -> [Confusion; RULES] {
    std::array::from_fn(|rule| {
        let mut counted = Confusion::default();
        answers[rule].iter().for_each(|&(told, is)| counted.add(told >= thresholds[rule], is));
        counted
    })
}

/// Walks down from the surest answer and hands over each threshold with the hits and the answers it would give.
fn each_threshold(answers: &[(f32, bool)], mut look: impl FnMut(f32, u64, u64)) {
    let mut sorted = answers.to_vec();
    sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    let (mut hits, mut said) = (0, 0);
    for (place, &(told, is)) in sorted.iter().enumerate() {
        hits += u64::from(is);
        said += 1;
        // Equal probabilities cannot be told apart.
        if sorted.get(place + 1).is_none_or(|next| next.0 < told) {
            look(told, hits, said);
        }
    }
}

fn true_ones(answers: &[(f32, bool)]) -> u64 {
    answers.iter().filter(|answer| answer.1).count() as u64
}

fn best_thresholds(answers: &Answers) -> [f32; RULES] {
    std::array::from_fn(|rule| best_threshold(&answers[rule]))
}

fn best_threshold(answers: &[(f32, bool)]) -> f32 {
    let all = true_ones(answers);
    let mut best = (0.0, 0.5);
    each_threshold(answers, |told, hits, said| {
        let f1 = share(2 * hits, said + all);
        if f1 > best.0 {
            best = (f1, told);
        }
    });
    best.1
}

/// The lowest threshold with this precision; above 1, so that nothing is said, if there is none.
fn sure_threshold(answers: &[(f32, bool)], precision: f64) -> f32 {
    let mut lowest = 1.1;
    each_threshold(answers, |told, hits, said| {
        if share(hits, said) >= precision {
            lowest = told;
        }
    });
    lowest
}

/// The area under precision over recall, in steps: each further share of recall counts with the precision it costs.
fn area(answers: &[(f32, bool)]) -> f64 {
    let all = true_ones(answers);
    let (mut area, mut before) = (0.0, 0);
    each_threshold(answers, |_, hits, said| {
        area += share(hits - before, all) * share(hits, said);
        before = hits;
    });
    area
}

fn miscalibration(answers: &[(f32, bool)]) -> f64 {
    let mut apart = [0.0; RANGES]; // in each range, the probabilities added up, less the answers that came true
    for &(told, is) in answers {
        apart[((told * RANGES as f32) as usize).min(RANGES - 1)] +=
            f64::from(told) - f64::from(u8::from(is));
    }
    apart.iter().map(|apart| apart.abs()).sum::<f64>() / (answers.len() as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn thresholds_by_hand() {
        let answers =
            [(0.9, true), (0.8, true), (0.7, false), (0.6, true), (0.5, false), (0.4, false)];
        // At 0.6: three hits of four said, three are so: F1 6/7. At 0.8: two of two, F1 4/5.
        assert_eq!(best_threshold(&answers), 0.6);
        assert_eq!(sure_threshold(&answers, 0.995), 0.8);
        assert!(sure_threshold(&[(0.9, false)], 0.995) > 1.0);
        // Two thirds of the recall at full precision, the last third at three of four.
        assert!((area(&answers) - (2.0 / 3.0 + 0.75 / 3.0)).abs() < 1e-12);
        assert!(
            (area(&[(0.5, true), (0.5, false), (0.5, false)]) - 1.0 / 3.0).abs() < 1e-12,
            "nothing known: the prior"
        );
        // Ranges 0.2 and 0.9: of two answers each with 0.25 one came true, of one with 0.95 it did.
        assert!(
            (miscalibration(&[(0.25, true), (0.25, false), (0.95, true)]) - (0.5 + 0.05) / 3.0)
                .abs()
                < 1e-6
        );
        assert_eq!((area(&[]), miscalibration(&[])), (0.0, 0.0));
    }

    /// One board with two candidates, of which rules 3 and 5 strike out the first, and what a head says.
    fn predictions(told: [[f32; RULES]; 2]) -> Predictions {
        let holds = vec![0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        Predictions { told: vec![told.concat()], holds: vec![holds], open: vec![vec![1.0, 1.0]] }
    }

    #[test]
    fn a_hard_board_wants_exactly_its_rules_and_the_right_place() {
        let thresholds = [0.5; RULES];
        let right = predictions([[0.0, 0.0, 0.9, 0.0, 0.8, 0.0], [0.0; RULES]]);
        assert_eq!(
            right.hard(&thresholds),
            Hard { boards: 1, exact: 1, applying: 2, right_place: 2 }
        );
        // The right rules, but rule 5 in the wrong place; and then one rule too many.
        let displaced =
            predictions([[0.0, 0.0, 0.9, 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 0.0, 0.9, 0.0]]);
        assert_eq!(
            displaced.hard(&thresholds),
            Hard { boards: 1, exact: 1, applying: 2, right_place: 1 }
        );
        let chatty = predictions([[0.0, 0.0, 0.9, 0.0, 0.8, 0.7], [0.0; RULES]]);
        assert_eq!(
            chatty.hard(&thresholds),
            Hard { boards: 1, exact: 0, applying: 2, right_place: 2 }
        );
        let mut easy = predictions([[1.0; RULES]; 2]);
        easy.holds[0][0] = 1.0;
        assert_eq!(easy.hard(&thresholds), Hard::default(), "a board with a single is not hard");
    }

    #[test]
    fn a_word_is_taken_back_where_its_reason_is_gone() {
        let sure = [0.5; RULES];
        let before = predictions([[0.0, 0.0, 0.9, 0.0, 0.8, 0.0], [0.0, 0.0, 0.9, 0.0, 0.0, 0.0]]);
        let mut after = predictions([[0.0, 0.0, 0.9, 0.0, 0.1, 0.0], [0.0; RULES]]);
        after.holds[0][4] = 0.0;
        assert_eq!(
            changed(&before, &after, &sure),
            Changed { undone: 1, taken_back: 1, still: 1, kept: 1 }
        );
        after.told[0][2] = 0.2;
        after.told[0][4] = 0.9;
        assert_eq!(
            changed(&before, &after, &sure),
            Changed { undone: 1, taken_back: 0, still: 1, kept: 0 }
        );
    }

    #[test]
    fn one_digit_is_taken_out_of_every_board() {
        let boards =
            Examples::read("1..4..1..3..4..3\n1..4..1.......23\n".as_bytes(), Order::FOUR).unwrap();
        let less = with_one_digit_less(&boards);
        for index in 0..2 {
            let pairs = || boards.puzzle(index).iter().zip(less.puzzle(index));
            assert_eq!(pairs().filter(|(before, after)| before != after).count(), 1);
            assert!(pairs().all(|(before, after)| before == after || *after == 0));
        }
    }

    #[test]
    fn boards_are_asked_about_candidate_by_candidate() {
        let text = "1..4..1..3..4..3\n1..4..1.......23\n....3412234141.3\n";
        let examples = Examples::read(text.as_bytes(), Order::FOUR).unwrap();
        for (sees, digits) in [(Sees::Relations, 0.0), (Sees::States, 1.0)] {
            let config = board::Config { sees, digits, ..board::Config::tiny() };
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
            assert!(report.table().contains("accepted by the checker, that is, in the label set"));
            assert!((0.0..=1.0).contains(&report.soundness));
            assert_eq!(report.solved.is_some(), digits > 0.0);
            assert_eq!(report.table().contains("the same network solves"), digits > 0.0);
        }
    }
}
