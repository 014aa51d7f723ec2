//! What doubt is worth: boards, every second one spoiled by a wrong digit that does not show at first sight.
//!
//! Beside it stands what the network says anyway: a board can be completed if the grid it has in mind keeps the rules.

use super::learning::spoiled;
use super::{Heads, Insight};
use crate::parallel;
use crate::training::data::Examples;
use ninefold::random::Random;
use serde::Serialize;

/// What came of asking about boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DoubtReport {
    /// Boards that were asked about.
    pub boards: u64,
    /// Those of them that cannot be completed.
    pub spoiled: u64,
    /// Those of the spoiled boards that are doubted.
    pub rightly_doubted: u64,
    /// Boards that are doubted though they can be completed.
    pub wrongly_doubted: u64,
    /// The same two numbers for boards whose grid in mind breaks a rule.
    pub rightly_unsettled: u64,
    /// See above.
    pub wrongly_unsettled: u64,
}

impl Heads {
    /// Asks about boards that can be completed, of which every second one is spoiled first.
    pub fn doubt_report(&self, boards: &Examples, seed: u64) -> DoubtReport {
        let all: Vec<usize> = (0..boards.len()).collect();
        let asked = parallel::map(&all, |&index| {
            let (board, mut random) = (boards.puzzle(index), Random::for_part(seed, index as u64));
            let other = (index % 2 == 1)
                .then(|| spoiled(&self.eyes, board, boards.solution(index), &mut random));
            let other = other.flatten();
            (other.is_some(), self.look_at(other.as_deref().unwrap_or(board)))
        });
        let mut report = DoubtReport::default();
        asked.iter().for_each(|(is_spoiled, insight)| report.add(*is_spoiled, insight));
        report
    }
}

impl DoubtReport {
    fn add(&mut self, is_spoiled: bool, insight: &Insight) {
        let (is_doubted, is_unsettled) = (insight.doubt >= 0.5, !insight.is_settled);
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
    fn boards_are_counted_by_hand() {
        let insight = |doubt, is_settled| Insight {
            rules: Vec::new(),
            doubt,
            doubted: None,
            is_broken: false,
            is_settled,
        };
        let mut report = DoubtReport::default();
        report.add(true, &insight(0.9, false));
        report.add(true, &insight(0.1, false));
        report.add(false, &insight(0.6, true));
        report.add(false, &insight(0.2, true));
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
