//! The technique cases of HoDoKu's regression library, where they are at hand.

use ninefold::logic::reglib;

#[test]
fn the_library_is_found_with_the_same_eliminations() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/hodoku_reglib.txt");
    let Ok(text) = std::fs::read_to_string(file) else {
        println!("skipped: ../shared/data is absent");
        return;
    };
    let report = reglib::run(&text).unwrap();
    let sum = |count: fn(&reglib::Tally) -> usize| report.tallies.values().map(count).sum::<usize>();
    let (passed, missed, wrong) = (sum(|t| t.passed), sum(|t| t.missed), sum(|t| t.wrong));
    assert_eq!(wrong, 0, "{report}");
    assert!(passed * 1000 >= (passed + missed) * 995, "{report}");
}
