//! Generates the table of `docs/techniques.md` from the code and keeps the text around it.

use ninefold::explain::lessons;
use ninefold::proof::{Technique, all_techniques};
use std::fs;
use std::path::{Path, PathBuf};

const HEAD: &str = "| technique | name to type | tier | Explainer | HoDoKu | uniqueness | default | found / missed / wrong |\n\
                    |---|---|---:|---:|---:|---|---|---:|\n";

/// Compares the page with the code, or rewrites it if `BLESS` is set. `cases` returns the last
/// column of a technique, which counts its cases in HoDoKu's library. It receives the text on the
/// page.
pub fn check(cases: impl Fn(Technique, &str) -> String) {
    let file = root().join("docs/techniques.md");
    let page = fs::read_to_string(&file).expect("the repository contains the page");
    let (before, table) = page.split_once(HEAD).expect("the page contains the header of the table");
    let (_, after) = table.split_once("\n\n").unwrap_or((table, ""));
    let rows: String = all_techniques()
        .into_iter()
        .map(|technique| row(technique, &cases(technique, cases_in(table, technique))))
        .collect();
    let expected = format!("{before}{HEAD}{rows}\n{after}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &expected).unwrap();
    } else {
        assert!(expected == page, "docs/techniques.md differs from the code; BLESS=1 rewrites it");
    }
}

/// Returns the last column of a technique's row.
fn cases_in(table: &str, technique: Technique) -> &str {
    let named = format!("| `{}` |", technique.slug());
    let line = table.lines().find(|line| line.contains(&named)).unwrap_or_default();
    line.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default()
}

fn row(technique: Technique, cases: &str) -> String {
    let name = match lessons::for_technique(technique) {
        Some(_) => format!(
            "[{technique}](../crates/ninefold/lessons/{}.md)",
            technique.slug().replace('-', "_")
        ),
        None => technique.to_string(),
    };
    let hodoku = technique
        .hodoku_score()
        .map(|(score, level)| format!("{score} {}", format!("{level:?}").to_lowercase()));
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
