//! `docs/techniques.md` says what the code says. `BLESS=1 cargo test -p ninefold --test technique_table` writes it anew.
//!
//! The numbers in its last column are counted by `hodoku_cases` in `crates/formats/tests`; here they stand as they are.

#[path = "common/technique_page.rs"]
mod technique_page;

#[test]
fn the_page_of_techniques_agrees_with_the_code() {
    technique_page::check(|_, on_the_page| on_the_page.to_string());
}
