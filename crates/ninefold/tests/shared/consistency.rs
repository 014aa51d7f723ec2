//! Compares consistency levels with those of another program.
//!
//! For levels up to SGAC, all lines are compared. Stronger levels are slow, so about 30 evenly
//! spread lines are compared, or `NINEFOLD_CASES` if set.

use crate::amount;
use ninefold::rate::consistency::{Consistency, Verdict, weakest};
use ninefold_test_support::shared;

pub fn levels_match_the_other_program() {
    let text = shared::text("oracle_consistency.csv");
    let is_strong = |line: &str| {
        line.rsplit(',').next().and_then(|name| name.parse().ok()) > Some(Consistency::Sgac)
    };
    let step =
        text.lines().filter(|line| is_strong(line)).count().div_ceil(amount::cases(30).max(1));
    let mut compared = 0;
    let mut wrong = Vec::new();
    let mut strong_seen = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [puzzle, _, name] = fields[..] else {
            panic!("a line of three fields, not {line:?}");
        };
        let theirs = name.parse::<Consistency>().unwrap();
        if theirs > Consistency::Sgac {
            strong_seen += 1;
            if strong_seen % step != 0 {
                continue;
            }
        }
        let ours = weakest(&puzzle.parse().unwrap(), Consistency::Sssgac);
        compared += 1;
        if ours != Verdict::Solved(theirs) {
            wrong.push(format!("{puzzle}: ours {ours:?}, theirs {theirs}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 2_000);
}
