//! The technique cases of HoDoKu's regression library.

use ninefold::logic::reglib;
use ninefold_test_support::shared;

pub fn the_library_is_found_with_the_same_eliminations() {
    let report = reglib::run(&shared::text("hodoku_reglib.txt")).unwrap();
    let sum = |count: fn(&reglib::Tally) -> usize| report.tallies.values().map(count).sum::<usize>();
    let (passed, missed, wrong) = (sum(|t| t.passed), sum(|t| t.missed), sum(|t| t.wrong));
    assert_eq!(wrong, 0, "{report}");
    assert!(passed * 1000 >= (passed + missed) * 995, "{report}");
}
