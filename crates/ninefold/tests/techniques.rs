//! The lessons in `testdata/techniques` are tests: every step shown there is found, said in the same words and proved.
//!
//! A page is about the technique of its title. A ```` ```puzzle ```` block holds the givens, a ```` ```marks ```` block
//! the position if it is not the start, and a ```` ```step ```` block the steps that the technique must find there.

use ninefold::grid::{Grid, Position, marks};
use ninefold::logic::{all_steps, default_order};
use ninefold::proof::{Technique, check};
use std::collections::HashSet;
use std::path::PathBuf;

fn pages() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/techniques");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the lessons are part of the repository")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), std::fs::read_to_string(file).unwrap())).collect()
}

/// The fenced blocks of a page: their names and contents.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(name), None) => open = Some((name.trim().to_string(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, content))) => *content += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    blocks
}

fn technique_of(page: &str) -> Technique {
    let title = page.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a page begins with a title");
    title.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_step_of_every_lesson_is_found_and_proved() {
    for (file, page) in pages() {
        let technique = technique_of(&page);
        let mut position: Option<Position> = None;
        let mut steps = 0;
        for (name, content) in blocks(&page) {
            match name.as_str() {
                "puzzle" => {
                    let puzzle: Grid = content.parse().unwrap_or_else(|error| panic!("{file:?}: {error}"));
                    position = Some(Position::start(&puzzle).unwrap());
                }
                "marks" => {
                    let before = position.take().unwrap_or_else(|| panic!("{file:?}: marks without a puzzle"));
                    let marked = marks::read(&content).unwrap_or_else(|error| panic!("{file:?}: {error}"));
                    position = Some(Position::new(before.puzzle().clone(), marked).unwrap());
                }
                "step" => {
                    let position = position.as_ref().expect("a step follows a puzzle");
                    let candidates = position.candidates();
                    let found = all_steps(technique, position);
                    let said: Vec<String> = found.iter().map(|step| step.one_line(candidates)).collect();
                    for expected in content.lines() {
                        let index = said.iter().position(|line| line == expected);
                        let index = index.unwrap_or_else(|| panic!("{file:?}: {expected:?} is not among {said:#?}"));
                        assert_eq!(check(&found[index], position.puzzle(), candidates), Ok(()), "{file:?}: {expected}");
                        steps += 1;
                    }
                }
                other => panic!("{file:?}: a block named {other:?}"),
            }
        }
        assert!(steps > 0, "{file:?} shows no step");
    }
}

#[test]
fn a_lesson_has_the_name_of_its_technique() {
    for (file, page) in pages() {
        let expected = technique_of(&page).slug().replace('-', "_");
        assert_eq!(file.file_stem().unwrap().to_string_lossy(), expected);
    }
}

#[test]
fn every_technique_of_the_default_order_has_its_lesson() {
    let taught: HashSet<Technique> = pages().iter().map(|(_, page)| technique_of(page)).collect();
    let missing: Vec<String> =
        default_order().iter().filter(|technique| !taught.contains(technique)).map(|t| t.to_string()).collect();
    assert!(missing.is_empty(), "no lesson for {missing:?}");
}
