//! Runs the functions that find techniques on the test cases of HoDoKu's regression library.
//!
//! `BLESS=1 cargo test -p ninefold-formats --test hodoku_cases` updates the numbers in
//! `docs/techniques.md`.

#[path = "../../ninefold/tests/common/technique_page.rs"]
mod technique_page;

use ninefold::grid::Position;
use ninefold::logic::reglib::{Case, Report, Tally};
use ninefold::proof::Candidate;
use ninefold_formats::hodoku::LibraryLine;
use ninefold_test_support::{self as support, shared};

fn main() {
    support::run(support::tests![
        [SharedData]
        finders_match_the_eliminations_of_the_library,
        technique_page_shows_the_number_of_matches,
    ]);
}

fn report() -> Report {
    let mut report = Report::default();
    let text = shared::text("hodoku_reglib.txt");
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| line.starts_with(':')) {
        let read: LibraryLine =
            line.parse().unwrap_or_else(|error| panic!("line {number}: {error}"));
        let position = Position::new(read.puzzle, read.position).unwrap();
        let candidates = |list: Vec<_>| {
            list.into_iter().map(|(cell, digit)| Candidate::new(cell, digit)).collect()
        };
        report.add(
            &Case::new(
                &read.code,
                position,
                candidates(read.eliminations),
                candidates(read.placements),
            ),
            number,
            line,
        );
    }
    report
}

fn finders_match_the_eliminations_of_the_library() {
    let report = report();
    let sum = |count: fn(&Tally) -> usize| report.tallies.values().map(count).sum::<usize>();
    let (passed, missed, wrong) = (sum(|t| t.passed), sum(|t| t.missed), sum(|t| t.wrong));
    assert_eq!(wrong, 0, "{report}");
    assert!(passed * 1000 >= (passed + missed) * 995, "{report}");
}

fn technique_page_shows_the_number_of_matches() {
    let tallies = report().tallies;
    technique_page::check(|technique, _| {
        let tally = technique.hodoku_code().and_then(|code| tallies.get(code).copied());
        tally.map_or("–".to_string(), |tally| {
            format!("{} / {} / {}", tally.passed, tally.missed, tally.wrong)
        })
    });
}
