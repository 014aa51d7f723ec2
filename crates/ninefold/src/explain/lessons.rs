//! Lessons: this is where we teach a technique by example.
//!
//! A lesson is a page of the folder `lessons`, about the technique of its title. A ```` ```puzzle ```` block holds the
//! givens, a ```` ```marks ```` block the position if it is not the start, and a ```` ```step ```` block what the technique
//! finds there. The test `techniques` holds every page to that.
//!
//! ```
//! use ninefold::{Technique, explain::lessons};
//!
//! let lesson = lessons::about(Technique::XyWing).expect("every technique of the default order has its lesson");
//! let example = &lesson.examples[0];
//! assert!(example.lines[0].starts_with("XY-Wing: "));
//! assert_eq!(example.steps(lesson.technique).len(), example.lines.len());
//! ```

mod pages;

use crate::grid::{Grid, Position, marks};
use crate::logic;
use crate::proof::{Step, Technique, all_techniques};
use std::sync::LazyLock;

/// A lesson.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lesson {
    /// What it is about.
    pub technique: Technique,
    /// What it says.
    pub paragraphs: Vec<String>,
    /// What it shows.
    pub examples: Vec<Example>,
}

/// A position and what the technique finds in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Example {
    /// The position.
    pub position: Position,
    /// The steps in the words of one line each.
    pub lines: Vec<String>,
}

/// All lessons, in the order in which the techniques are tried.
#[must_use]
pub fn all() -> &'static [Lesson] {
    static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
        let order = all_techniques();
        let mut lessons: Vec<Lesson> =
            pages::PAGES.iter().map(|(name, page)| read(name, page)).collect();
        lessons.sort_by_key(|lesson| {
            order.iter().position(|technique| *technique == lesson.technique)
        });
        lessons
    });
    &LESSONS
}

/// The lesson about a technique; some that are rarely used have none.
#[must_use]
pub fn about(technique: Technique) -> Option<&'static Lesson> {
    all().iter().find(|lesson| lesson.technique == technique)
}

impl Example {
    /// The steps, found anew.
    #[must_use]
    pub fn steps(&self, technique: Technique) -> Vec<Step> {
        let found = logic::all_steps(technique, &self.position);
        let candidates = self.position.candidates();
        let of_line =
            |line: &String| found.iter().find(|step| step.one_line(candidates) == *line).cloned();
        self.lines.iter().filter_map(of_line).collect()
    }
}

/// A page that cannot be read is a fault of ours, which the tests find.
fn read(name: &str, page: &str) -> Lesson {
    let (title, body) = page.split_once('\n').unwrap_or((page, ""));
    let title =
        title.strip_prefix("# ").unwrap_or_else(|| panic!("{name} does not begin with a title"));
    let technique = title.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut lesson = Lesson { technique, paragraphs: Vec::new(), examples: Vec::new() };
    // Between fences stand blocks, outside of them text: every other piece is a block.
    for (index, piece) in body.split("```").enumerate() {
        if index % 2 == 0 {
            let paragraphs = piece
                .split("\n\n")
                .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            lesson.paragraphs.extend(paragraphs.filter(|text| !text.is_empty()));
        } else if let Err(fault) = lesson.add_block(piece) {
            panic!("{name}: {fault}");
        }
    }
    lesson
}

impl Lesson {
    fn add_block(&mut self, block: &str) -> Result<(), String> {
        let (kind, content) = block.split_once('\n').ok_or("a block without a name")?;
        match (kind, self.examples.last_mut()) {
            ("puzzle", _) => {
                let puzzle: Grid = content.parse().map_err(|error| format!("{error}"))?;
                let position = Position::start(&puzzle).map_err(|conflict| conflict.to_string())?;
                self.examples.push(Example { position, lines: Vec::new() });
            }
            ("marks", Some(example)) => {
                let marks = marks::read(content).map_err(|error| error.to_string())?;
                let puzzle = example.position.puzzle().clone();
                example.position =
                    Position::new(puzzle, marks).map_err(|error| error.to_string())?;
            }
            ("step", Some(example)) => example.lines.extend(content.lines().map(str::to_string)),
            ("marks" | "step", None) => return Err(format!("a block of {kind} before any puzzle")),
            _ => return Err(format!("a block named {kind:?}")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::Chapter;
    use std::collections::BTreeSet;

    #[test]
    fn every_page_of_the_folder_is_in_the_library_under_the_name_of_its_technique() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/lessons");
        let files = std::fs::read_dir(folder).expect("the lessons are part of the package");
        let files: BTreeSet<String> =
            files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
        let file_of = |lesson: &Lesson| format!("{}.md", lesson.technique.slug().replace('-', "_"));
        assert_eq!(all().iter().map(file_of).collect::<BTreeSet<_>>(), files);
        assert_eq!(all().len(), files.len(), "a technique has two lessons");
    }

    #[test]
    fn no_chapter_is_without_a_lesson() {
        for chapter in Chapter::ALL {
            assert!(all().iter().any(|lesson| lesson.technique.chapter() == chapter), "{chapter}");
        }
    }

    #[test]
    fn a_page_that_cannot_be_read_says_what_is_wrong() {
        let check = |page: &'static str, expected: &str| {
            let fault = std::panic::catch_unwind(|| read("page", page)).unwrap_err();
            assert_eq!(fault.downcast_ref::<String>().map(String::as_str), Some(expected));
        };
        check("X-Wing", "page does not begin with a title");
        check("# X-Wong\n", "page: there is no technique \"X-Wong\"; did you mean x-wing?");
        check("# X-Wing\n```step\nX-Wing\n```\n", "page: a block of step before any puzzle");
        check("# X-Wing\n```sudoku\n1\n```\n", "page: a block named \"sudoku\"");
    }
}
