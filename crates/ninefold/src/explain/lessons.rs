//! Lessons that explain a technique by examples.
//!
//! A lesson is a page in the directory `lessons`. Its title is the name of the technique. A code
//! block named `puzzle` contains the givens, a block named `marks` the position if it is not the
//! start, and a block named `step` the steps that the technique finds there. The test `techniques`
//! checks every page.
//!
//! ```
//! use ninefold::{Technique, explain::lessons};
//!
//! let lesson = lessons::for_technique(Technique::XyWing).expect("there is a lesson on XY-Wings");
//! let example = &lesson.examples[0];
//! assert!(example.lines[0].starts_with("XY-Wing: "));
//! assert_eq!(example.steps(lesson.technique).len(), example.lines.len());
//! ```

mod pages;
mod translations;

use super::Language;
use crate::grid::{Grid, Position, marks};
use crate::logic;
use crate::proof::{Step, SubsetSize, Technique, all_techniques};
use std::sync::LazyLock;

/// Lesson about one technique.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lesson {
    /// Technique that the lesson explains.
    pub technique: Technique,
    /// Text of the lesson.
    pub paragraphs: Vec<String>,
    /// Examples of the technique.
    pub examples: Vec<Example>,
}

/// Position with the steps that the technique finds in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Example {
    /// Position before the steps.
    pub position: Position,
    /// One line per step, as returned by [`Step::one_line`].
    pub lines: Vec<String>,
}

/// Returns all lessons in the order in which the techniques are tried, except that each lesson
/// comes after those that it builds on.
#[must_use]
pub fn all() -> &'static [Lesson] {
    static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
        let order = all_techniques();
        let mut lessons: Vec<Lesson> =
            pages::PAGES.iter().map(|(name, page)| read(name, page)).collect();
        lessons.sort_by_key(|lesson| {
            let explained_after = match lesson.technique {
                // Locked subsets are tried early, but combine subsets with locked candidates.
                Technique::LockedPair => Technique::NakedSubset(SubsetSize::Pair),
                Technique::LockedTriple => Technique::NakedSubset(SubsetSize::Triple),
                other => other,
            };
            let rank = order.iter().position(|technique| *technique == explained_after);
            (rank, lesson.technique != explained_after)
        });
        lessons
    });
    &LESSONS
}

/// Returns the lesson about a technique. Some rarely used techniques have none.
#[must_use]
pub fn for_technique(technique: Technique) -> Option<&'static Lesson> {
    all().iter().find(|lesson| lesson.technique == technique)
}

impl Lesson {
    /// Returns the text in a language, or in English if it is not translated.
    #[must_use]
    pub fn paragraphs_in(&self, language: Language) -> &[String] {
        translations::of(self.technique, language).unwrap_or(&self.paragraphs)
    }
}

impl Example {
    /// Searches the position for the steps of the example.
    #[must_use]
    pub fn steps(&self, technique: Technique) -> Vec<Step> {
        let steps = logic::all_steps(technique, &self.position);
        let candidates = self.position.candidates();
        let of_line =
            |line: &String| steps.iter().find(|step| step.one_line(candidates) == *line).cloned();
        self.lines.iter().filter_map(of_line).collect()
    }
}

/// Parses a page. Invalid pages are bugs in this crate, which the tests find.
fn read(name: &str, page: &str) -> Lesson {
    let (title, body) = page.split_once('\n').unwrap_or((page, ""));
    let title =
        title.strip_prefix("# ").unwrap_or_else(|| panic!("{name} does not start with a title"));
    let technique = title.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut lesson = Lesson { technique, paragraphs: Vec::new(), examples: Vec::new() };
    // Every second piece between fences is a block.
    for (index, piece) in body.split("```").enumerate() {
        if index % 2 == 0 {
            let paragraphs = piece
                .split("\n\n")
                .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            lesson.paragraphs.extend(paragraphs.filter(|text| !text.is_empty()));
        } else if let Err(error) = lesson.add_block(piece) {
            panic!("{name}: {error}");
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
                let position =
                    Position::from_puzzle(&puzzle).map_err(|conflict| conflict.to_string())?;
                self.examples.push(Example { position, lines: Vec::new() });
            }
            ("marks", Some(example)) => {
                let marks = marks::parse(content).map_err(|error| error.to_string())?;
                let puzzle = example.position.puzzle().clone();
                example.position =
                    Position::new(puzzle, marks).map_err(|error| error.to_string())?;
            }
            ("step", Some(example)) => example.lines.extend(content.lines().map(str::to_string)),
            ("marks" | "step", None) => {
                return Err(format!("a {kind} block before the first puzzle"));
            }
            _ => return Err(format!("unknown block {kind:?}")),
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
    fn every_page_in_the_directory_is_embedded_under_its_technique() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/lessons");
        let files = std::fs::read_dir(directory).expect("the package contains the lessons");
        let files: BTreeSet<String> =
            files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
        let file_of = |lesson: &Lesson| format!("{}.md", lesson.technique.slug().replace('-', "_"));
        assert_eq!(all().iter().map(file_of).collect::<BTreeSet<_>>(), files);
        assert_eq!(all().len(), files.len(), "a technique has more than one lesson");
    }

    #[test]
    fn every_chapter_has_a_lesson() {
        for chapter in Chapter::ALL {
            assert!(all().iter().any(|lesson| lesson.technique.chapter() == chapter), "{chapter}");
        }
    }

    #[test]
    fn invalid_pages_report_the_problem() {
        let check = |page: &'static str, expected: &str| {
            let message = std::panic::catch_unwind(|| read("page", page)).unwrap_err();
            assert_eq!(message.downcast_ref::<String>().map(String::as_str), Some(expected));
        };
        check("X-Wing", "page does not start with a title");
        check("# X-Wong\n", "page: unknown technique \"X-Wong\"; did you mean x-wing?");
        check("# X-Wing\n```step\nX-Wing\n```\n", "page: a step block before the first puzzle");
        check("# X-Wing\n```sudoku\n1\n```\n", "page: unknown block \"sudoku\"");
    }
}
