//! `docs/techniques.md` says how many cases of HoDoKu's library each technique finds, misses and gets wrong.
//!
//! `BLESS=1 cargo test -p ninefold --test shared technique_cases` writes the page anew.

use crate::technique_page;
use ninefold::logic::reglib;
use ninefold_test_support::shared;

pub fn the_page_of_techniques_counts_the_cases_that_are_found() {
    let tallies = reglib::run(&shared::text("hodoku_reglib.txt")).unwrap().tallies;
    technique_page::check(|technique, _| {
        let tally = technique.hodoku_code().and_then(|code| tallies.get(code).copied());
        tally.map_or("–".to_string(), |tally| format!("{} / {} / {}", tally.passed, tally.missed, tally.wrong))
    });
}
