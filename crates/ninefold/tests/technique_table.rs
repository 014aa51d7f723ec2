//! `docs/techniques.md` says what the code says. `BLESS=1 cargo test -p ninefold --test technique_table` writes it anew.
//!
//! The cases of HoDoKu's library are counted where `../shared/data` is at hand; elsewhere the page's own numbers stand.

use ninefold::explain::lessons;
use ninefold::logic::reglib;
use ninefold::proof::{Technique, all_techniques};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Found, missed and wrong for each technique, as the page writes them; `None` without the library.
fn counted() -> Option<impl Fn(Technique) -> String> {
    let library = fs::read_to_string(root().join("../shared/data/hodoku_reglib.txt")).ok()?;
    let tallies = reglib::run(&library).unwrap().tallies;
    Some(move |technique: Technique| {
        let tally = technique.hodoku_code().and_then(|code| tallies.get(code).copied());
        tally.map_or("–".to_string(), |tally| format!("{} / {} / {}", tally.passed, tally.missed, tally.wrong))
    })
}

fn row(technique: Technique, cases: &str) -> String {
    let name = match lessons::about(technique) {
        Some(_) => format!("[{technique}](../crates/ninefold/lessons/{}.md)", technique.slug().replace('-', "_")),
        None => technique.to_string(),
    };
    let hodoku =
        technique.hodoku_score().map(|(score, level)| format!("{score} {}", format!("{level:?}").to_lowercase()));
    let yes = |is: bool| if is { "yes" } else { "" };
    format!(
        "| {name} | `{}` | {} | {} | {} | {} | {} | {cases} |\n",
        technique.slug(),
        technique.tier(),
        technique.explainer_rating().unwrap_or("–"),
        hodoku.as_deref().unwrap_or("–"),
        yes(technique.needs_uniqueness()),
        yes(technique.is_default()),
    )
}

/// The text before the table stands in the page itself; the table is made here.
#[test]
fn the_page_of_techniques_agrees_with_the_code() {
    let file = root().join("docs/techniques.md");
    let page = fs::read_to_string(&file).expect("the page is part of the repository");
    const HEAD: &str = "| technique | name to type | tier | Explainer | HoDoKu | uniqueness | default | found / missed / wrong |\n\
                        |---|---|---:|---:|---:|---|---|---:|\n";
    let (before, table) = page.split_once(HEAD).expect("the page has the table's head");
    let (_, after) = table.split_once("\n\n").unwrap_or((table, ""));
    let counted = counted();
    if counted.is_none() {
        println!("skipped: ../shared/data is absent (the cases of the library are not counted anew)");
    }
    let cases = |technique: Technique| match &counted {
        Some(counted) => counted(technique),
        None => {
            let named = format!("| `{}` |", technique.slug());
            let line = table.lines().find(|line| line.contains(&named)).unwrap_or_default();
            line.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default().to_string()
        }
    };
    let rows: String = all_techniques().into_iter().map(|technique| row(technique, &cases(technique))).collect();
    let expected = format!("{before}{HEAD}{rows}\n{after}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &expected).unwrap();
    } else {
        assert!(expected == page, "docs/techniques.md differs from the code; BLESS=1 writes it anew");
    }
}
