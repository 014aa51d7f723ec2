//! Compares `docs/techniques.md` with the code. Run
//! `BLESS=1 cargo test -p ninefold --test technique_table` to rewrite it.
//!
//! The numbers in the last column come from `hodoku_cases` in `crates/formats/tests` and are not
//! checked here.

#[path = "common/technique_page.rs"]
mod technique_page;

#[test]
fn technique_page_matches_the_code() {
    technique_page::check(|_, on_the_page| on_the_page.to_string());
}
