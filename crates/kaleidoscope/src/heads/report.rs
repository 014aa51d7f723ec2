//! Accuracy of the doubt head. Every second board of the evaluation has a wrong digit without a
//! direct contradiction, and therefore no solution.
//!
//! The baseline is Kaleidoscope without heads: it predicts that a board has a solution if the grid
//! that it fills in is one.

use super::gradient::spoiled;
use super::{BoardPrediction, Heads};
use ninefold::random::Random;
use ninefold_training::data::Examples;
use ninefold_training::parallel;
use serde::Serialize;

/// The results of an evaluation of the doubt head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DoubtReport {
    /// Boards evaluated.
    pub boards: u64,
    /// Boards without a solution.
    pub spoiled: u64,
    /// Boards without a solution that are doubted.
    pub rightly_doubted: u64,
    /// Boards with a solution that are doubted.
    pub wrongly_doubted: u64,
    /// Boards without a solution that the network does not solve.
    pub rightly_unsettled: u64,
    /// Boards with a solution that the network does not solve.
    pub wrongly_unsettled: u64,
}

impl Heads {
    /// Evaluates the doubt head. All `boards` have a solution; every second one first gets a wrong
    /// digit, after which it has none.
    pub fn doubt_report(&self, boards: &Examples, seed: u64) -> DoubtReport {
        let all: Vec<usize> = (0..boards.len()).collect();
        let predictions = parallel::map(&all, |&index| {
            let (board, mut random) = (boards.puzzle(index), Random::for_part(seed, index as u64));
            let other = (index % 2 == 1)
                .then(|| spoiled(&self.extractor, board, boards.solution(index), &mut random));
            let other = other.flatten();
            (other.is_some(), self.predict(other.as_deref().unwrap_or(board)))
        });
        let mut report = DoubtReport::default();
        predictions.iter().for_each(|(is_spoiled, prediction)| report.add(*is_spoiled, prediction));
        report
    }
}

impl DoubtReport {
    fn add(&mut self, is_spoiled: bool, prediction: &BoardPrediction) {
        let (is_doubted, is_unsettled) = (prediction.doubt >= 0.5, !prediction.is_solved);
        self.boards += 1;
        self.spoiled += u64::from(is_spoiled);
        self.rightly_doubted += u64::from(is_spoiled && is_doubted);
        self.wrongly_doubted += u64::from(!is_spoiled && is_doubted);
        self.rightly_unsettled += u64::from(is_spoiled && is_unsettled);
        self.wrongly_unsettled += u64::from(!is_spoiled && is_unsettled);
    }

    /// The report as text.
    pub fn table(&self) -> String {
        let line = |who: &str, rightly: u64, wrongly: u64| {
            let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
            let right = rightly + (self.boards - self.spoiled) - wrongly;
            let f1 = 2.0 * rightly as f64 / (rightly + wrongly + self.spoiled).max(1) as f64;
            format!(
                "{who:<34} {:>8.2}% {:>9.2}% {:>7.2}% {f1:>7.4}\n",
                percent(right, self.boards),
                percent(rightly, rightly + wrongly),
                percent(rightly, self.spoiled)
            )
        };
        format!(
            "can this board be completed? {} boards, {} of them with a wrong digit that does not show at first sight\n\
             {:<34} {:>9} {:>10} {:>8} {:>7}\n",
            self.boards, self.spoiled, "", "right", "precision", "recall", "F1"
        ) + &line("the head doubts it", self.rightly_doubted, self.wrongly_doubted)
            + &line(
                "the grid in mind breaks a rule",
                self.rightly_unsettled,
                self.wrongly_unsettled,
            )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_equals_a_hand_calculation() {
        let prediction = |doubt, is_solved| BoardPrediction {
            rules: Vec::new(),
            doubt,
            doubted: None,
            has_contradiction: false,
            is_solved,
        };
        let mut report = DoubtReport::default();
        report.add(true, &prediction(0.9, false));
        report.add(true, &prediction(0.1, false));
        report.add(false, &prediction(0.6, true));
        report.add(false, &prediction(0.2, true));
        let expected = DoubtReport {
            boards: 4,
            spoiled: 2,
            rightly_doubted: 1,
            wrongly_doubted: 1,
            rightly_unsettled: 2,
            wrongly_unsettled: 0,
        };
        assert_eq!(report, expected);
        let lines: Vec<String> = report
            .table()
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines[2], "the head doubts it 50.00% 50.00% 50.00% 0.5000");
        assert_eq!(lines[3], "the grid in mind breaks a rule 100.00% 100.00% 100.00% 1.0000");
    }
}
