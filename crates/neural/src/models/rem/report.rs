//! Evaluation of the paper's module. Each metric is printed with the majority baseline: the
//! accuracy of always predicting the more frequent answer.

use super::Config;
use super::labels::{self, NAMES, RULES};
use crate::device::Engine;
use crate::inference::predictor::NetworkPredictor;
use crate::models::ModelConfig;
use crate::training::data::Examples;
use burn::tensor::Tensor;
use burn::tensor::backend::Backend;
use ninefold::chart::{self, Series};
use ninefold::grid::Order;
use ninefold_training::parallel;
use serde::Serialize;

/// Confusion matrix of a binary classifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Confusion {
    /// True positives.
    pub hits: u64,
    /// False positives.
    pub false_alarms: u64,
    /// False negatives.
    pub misses: u64,
    /// True negatives.
    pub rejections: u64,
}

impl Confusion {
    /// Counts one prediction.
    pub fn add(&mut self, predicted: bool, actual: bool) {
        match (predicted, actual) {
            (true, true) => self.hits += 1,
            (true, false) => self.false_alarms += 1,
            (false, true) => self.misses += 1,
            (false, false) => self.rejections += 1,
        }
    }

    /// Share of correct predictions.
    pub fn accuracy(&self) -> f64 {
        share(self.hits + self.rejections, self.all())
    }

    /// Share of positive cases.
    pub fn prior(&self) -> f64 {
        share(self.hits + self.misses, self.all())
    }

    /// Accuracy of always predicting the majority class.
    pub fn majority(&self) -> f64 {
        self.prior().max(1.0 - self.prior())
    }

    /// Share of positive predictions that are correct.
    pub fn precision(&self) -> f64 {
        share(self.hits, self.hits + self.false_alarms)
    }

    /// Share of positive cases that are found.
    pub fn recall(&self) -> f64 {
        share(self.hits, self.hits + self.misses)
    }

    /// Harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        share(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)
    }

    /// Matthews correlation coefficient: 1 if always right, 0 for a constant prediction.
    pub fn correlation(&self) -> f64 {
        let [hits, alarms, misses, rejections] =
            [self.hits, self.false_alarms, self.misses, self.rejections].map(|count| count as f64);
        let size =
            (hits + alarms) * (hits + misses) * (rejections + alarms) * (rejections + misses);
        if size > 0.0 { (hits * rejections - alarms * misses) / size.sqrt() } else { 0.0 }
    }

    fn all(&self) -> u64 {
        self.hits + self.false_alarms + self.misses + self.rejections
    }
}

pub(super) fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// Metrics of one rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleLine {
    /// Number of the rule in the paper.
    pub rule: usize,
    /// Name of the rule.
    pub name: &'static str,
    /// Share of positive cases.
    pub prior: f64,
    /// Accuracy of always predicting the majority class.
    pub majority: f64,
    /// Share of correct predictions.
    pub accuracy: f64,
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
}

impl RuleLine {
    pub(super) fn new(index: usize, counted: &Confusion) -> RuleLine {
        RuleLine {
            rule: index + 1,
            name: NAMES[index],
            prior: counted.prior(),
            majority: counted.majority(),
            accuracy: counted.accuracy(),
            precision: counted.precision(),
            recall: counted.recall(),
            f1: counted.f1(),
        }
    }
}

/// Metrics of the network after one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepLine {
    /// Number of the step, from 1.
    pub step: usize,
    /// Share of puzzles with all cells correct.
    pub puzzles_solved: f64,
    /// Share of empty cells that are filled correctly.
    pub cells_right: f64,
    /// Accuracy of each rule, rule 1 first.
    pub rule_accuracy: [f64; RULES],
}

/// Tables 1 to 4 of the paper, for one list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperReport {
    /// Name of the list.
    pub list: String,
    /// Number of puzzles.
    pub puzzles: usize,
    /// Metrics of each step.
    pub steps: Vec<StepLine>,
    /// Metrics of each rule, over all steps.
    pub rules: Vec<RuleLine>,
}

/// Runs the network for this many steps. Every step is compared with the solution and with the
/// rules of the solver's digit of the same number. After the solver's last digit, no rule applies.
pub(super) fn paper<B: Engine>(
    rem: &NetworkPredictor<Config, B>,
    list: &str,
    examples: &Examples,
    steps: usize,
) -> PaperReport {
    let order = rem.order;
    let steps = steps.min(order.cell_count());
    let indices: Vec<usize> = (0..examples.len()).collect();
    let mut solved = vec![[0u64; 2]; steps]; // puzzles, cells
    let mut counted = vec![[Confusion::default(); RULES]; steps];
    let mut empty = 0;
    for batch in indices.chunks(rem.batch.max(1)) {
        let puzzles = batch.iter().map(|&index| examples.puzzle(index));
        let board = rem.config.encoding().batch::<B>(order, puzzles, &rem.device);
        let labels =
            parallel::map(batch, |&index| labels::path_labels(order, examples.puzzle(index)));
        empty += batch
            .iter()
            .flat_map(|&index| examples.puzzle(index))
            .filter(|&&number| number == 0)
            .count() as u64;
        for (step, hidden) in rem.network.rrn.hidden_states(board, steps).enumerate() {
            let rules = numbers(rem.network.rules(hidden.clone()));
            let digits = numbers(rem.network.rrn.digits_of(hidden));
            for (place, &index) in batch.iter().enumerate() {
                let size = order.cell_count() * order.side();
                let right = right_cells(order, &digits[place * size..][..size], examples, index);
                let blanks = examples.puzzle(index).iter().filter(|&&number| number == 0).count();
                solved[step][0] += u64::from(right == blanks);
                solved[step][1] += right as u64;
                for (rule, counted) in counted[step].iter_mut().enumerate() {
                    counted.add(
                        rules[place * RULES + rule] > 0.0,
                        labels[place][step * RULES + rule] > 0.5,
                    );
                }
            }
        }
    }
    let line = |step: usize| StepLine {
        step: step + 1,
        puzzles_solved: share(solved[step][0], examples.len() as u64),
        cells_right: share(solved[step][1], empty),
        rule_accuracy: counted[step].map(|counted| counted.accuracy()),
    };
    let rule_line = |rule: usize| {
        let mut sum = Confusion::default();
        for step in &counted {
            sum.hits += step[rule].hits;
            sum.false_alarms += step[rule].false_alarms;
            sum.misses += step[rule].misses;
            sum.rejections += step[rule].rejections;
        }
        RuleLine::new(rule, &sum)
    };
    PaperReport {
        list: list.to_string(),
        puzzles: examples.len(),
        steps: (0..steps).map(line).collect(),
        rules: (0..RULES).map(rule_line).collect(),
    }
}

fn right_cells(order: Order, digits: &[f32], examples: &Examples, index: usize) -> usize {
    let (puzzle, solution) = (examples.puzzle(index), examples.solution(index));
    let is_right = |&cell: &usize| {
        let logits = &digits[cell * order.side()..][..order.side()];
        let best = (0..order.side()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap_or(0);
        best + 1 == usize::from(solution[cell])
    };
    (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).filter(is_right).count()
}

impl PaperReport {
    /// The steps shown in Tables 3 and 4 of the paper.
    const SHOWN: [usize; 5] = [1, 16, 32, 48, 64];

    /// Tables 3 or 4 (the best steps are Tables 1 or 2), and a table that the paper does not have.
    pub fn table(&self) -> String {
        let mut text = format!("{}, {} puzzles\n{:<26}", self.list, self.puzzles, "after step");
        let shown: Vec<&StepLine> =
            self.steps.iter().filter(|line| Self::SHOWN.contains(&line.step)).collect();
        shown.iter().for_each(|line| text += &format!(" {:>7}", line.step));
        text += "   best step: share\n";
        let mut row = |name: &str, value: &dyn Fn(&StepLine) -> f64| {
            text += &format!("{name:<26}");
            shown.iter().for_each(|line| text += &format!(" {:>6.2}%", 100.0 * value(line)));
            // The first of equally good steps, as in the paper.
            let best = self.steps.iter().rev().max_by(|a, b| value(a).total_cmp(&value(b)));
            if let Some(best) = best {
                text += &format!("   {}: {:.2}%", best.step, 100.0 * value(best));
            }
            text.push('\n');
        };
        row("puzzles solved", &|line| line.puzzles_solved);
        row("cells right", &|line| line.cells_right);
        for (rule, name) in NAMES.iter().enumerate() {
            row(&format!("rule {} {name}", rule + 1), &|line| line.rule_accuracy[rule]);
        }
        text + &rule_table(&self.rules)
    }

    /// Plot of solving accuracy over the steps (Figures 11 and 13).
    pub fn solving_figure(&self) -> String {
        let curve = |name: &str, value: &dyn Fn(&StepLine) -> f64| Series {
            name: name.to_string(),
            points: self.steps.iter().map(|line| (line.step as f64, 100.0 * value(line))).collect(),
        };
        let curves = [
            curve("puzzles solved", &|line| line.puzzles_solved),
            curve("cells right", &|line| line.cells_right),
        ];
        chart::lines(&format!("Solving, {}", self.list), "step", "%", &curves)
    }

    /// Plot of the accuracy of each rule over the steps (Figures 12 and 14).
    pub fn rules_figure(&self) -> String {
        let curve = |(rule, name): (usize, &&str)| Series {
            name: format!("rule {} {name}", rule + 1),
            points: self
                .steps
                .iter()
                .map(|line| (line.step as f64, 100.0 * line.rule_accuracy[rule]))
                .collect(),
        };
        let curves: Vec<Series> = NAMES.iter().enumerate().map(curve).collect();
        chart::lines(&format!("Accuracy of rules, {}", self.list), "step", "%", &curves)
    }
}

/// Table of all rules, with the majority baseline first.
pub(super) fn rule_table(rules: &[RuleLine]) -> String {
    let mut text = format!(
        "{:<26} {:>8} {:>9} {:>9} {:>9} {:>8} {:>7}\n",
        "rule", "prior", "majority", "accuracy", "precision", "recall", "F1"
    );
    for line in rules {
        text += &format!(
            "{:<26} {:>7.3}% {:>8.3}% {:>8.3}% {:>8.2}% {:>7.2}% {:>7.4}\n",
            format!("{} {}", line.rule, line.name),
            100.0 * line.prior,
            100.0 * line.majority,
            100.0 * line.accuracy,
            100.0 * line.precision,
            100.0 * line.recall,
            line.f1
        );
    }
    text
}

pub(super) fn numbers<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("the data was just converted to f32")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use ninefold::random::Random;

    fn untrained<C: ModelConfig>(config: C) -> NetworkPredictor<C, Cpu> {
        let network = config.build(Order::FOUR, &mut Random::new(1), &Default::default());
        NetworkPredictor {
            config,
            order: Order::FOUR,
            network,
            device: Default::default(),
            batch: 2,
        }
    }

    fn examples() -> Examples {
        Examples::read(
            "1..4..1..3..4..3\n1..4..1.......23\n....3412234141.3\n".as_bytes(),
            Order::FOUR,
        )
        .unwrap()
    }

    #[test]
    fn metrics_match_hand_computation() {
        let counted = Confusion { hits: 3, false_alarms: 1, misses: 2, rejections: 14 };
        assert_eq!((counted.accuracy(), counted.prior(), counted.majority()), (0.85, 0.25, 0.75));
        assert_eq!((counted.precision(), counted.recall()), (0.75, 0.6));
        assert!((counted.f1() - 2.0 * 0.75 * 0.6 / 1.35).abs() < 1e-12);
        assert_eq!(Confusion::default().f1(), 0.0);
        // (3 · 14 − 1 · 2) / √(4 · 5 · 15 · 16) = 40 / √4800
        assert!((counted.correlation() - 40.0 / 4800f64.sqrt()).abs() < 1e-12);
        let always_negative = Confusion { misses: 2, rejections: 14, ..Confusion::default() };
        assert_eq!((always_negative.majority(), always_negative.correlation()), (0.875, 0.0));
    }

    #[test]
    fn tables_have_every_step_and_every_rule() {
        let report = paper(&untrained(Config::tiny()), "three", &examples(), 64);
        assert_eq!((report.puzzles, report.steps.len(), report.rules.len()), (3, 16, 6));
        let text = report.table();
        assert!(text.contains("puzzles solved") && text.contains("6 hidden pair"), "{text}");
        // 26 digits of 48 rows: each needs rule 1 or 2, and no puzzle needs another rule.
        let prior: f64 = report.rules[..2].iter().map(|line| line.prior).sum();
        assert!((prior - 26.0 / 48.0).abs() < 1e-9, "{prior}");
        assert_eq!(report.rules[5].majority, 1.0);
        assert!(
            report.solving_figure().contains("cells right")
                && report.rules_figure().contains("naked pair")
        );
    }
}
