//! Lessons: this is where we read the pages of `testdata/techniques`, which are inside the binary.
//!
//! A page is about the technique of its title. A ```` ```puzzle ```` block holds the givens, a ```` ```marks ```` block
//! the position if it is not the start, and a ```` ```step ```` block what the technique finds there.

use ninefold::grid::{Grid, Position, marks};
use ninefold::logic;
use ninefold::proof::{Step, Technique, all_techniques};
use std::sync::OnceLock;

/// The pages as they are written.
static PAGES: &[&str] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// A lesson.
pub struct Lesson {
    /// What it is about.
    pub technique: Technique,
    /// What it says.
    pub paragraphs: Vec<String>,
    /// What it shows.
    pub examples: Vec<Example>,
}

/// A position and what the technique finds in it.
pub struct Example {
    /// The position.
    pub position: Position,
    /// The steps in the words of one line each.
    pub lines: Vec<String>,
}

/// All lessons, in the order in which the techniques are tried.
pub fn all() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| {
        let order = all_techniques();
        let place = |lesson: &Lesson| order.iter().position(|technique| *technique == lesson.technique);
        let mut lessons: Vec<Lesson> = PAGES.iter().map(|page| read(page)).collect();
        lessons.sort_by_key(place);
        lessons
    })
}

/// The lesson about a technique.
pub fn about(technique: Technique) -> Option<&'static Lesson> {
    all().iter().find(|lesson| lesson.technique == technique)
}

impl Example {
    /// The steps, found anew.
    pub fn steps(&self, technique: Technique) -> Vec<Step> {
        let found = logic::all_steps(technique, &self.position);
        let candidates = self.position.candidates();
        let of_line = |line: &String| found.iter().find(|step| step.one_line(candidates) == *line).cloned();
        self.lines.iter().filter_map(of_line).collect()
    }
}

fn read(page: &str) -> Lesson {
    let title = page.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a lesson begins with a title");
    let technique = title.parse().expect("a lesson is about a technique");
    let mut lesson = Lesson { technique, paragraphs: Vec::new(), examples: Vec::new() };
    let body = page.split_once('\n').map_or("", |(_, body)| body);
    // Between fences stand blocks, outside of them text: every other piece is a block.
    for (index, piece) in body.split("```").enumerate() {
        if index % 2 == 0 {
            let paragraphs = piece.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            lesson.paragraphs.extend(paragraphs.filter(|text| !text.is_empty()));
        } else {
            let (name, content) = piece.split_once('\n').expect("a block has a name");
            lesson.add_block(name, content);
        }
    }
    lesson
}

impl Lesson {
    fn add_block(&mut self, name: &str, content: &str) {
        match name {
            "puzzle" => {
                let puzzle: Grid = content.parse().expect("a lesson shows a puzzle that can be read");
                let position = Position::start(&puzzle).expect("a lesson shows a puzzle that keeps the rules");
                self.examples.push(Example { position, lines: Vec::new() });
            }
            "marks" => {
                let marks = marks::read(content).expect("marks in a lesson can be read");
                let puzzle = self.last().position.puzzle().clone();
                self.last().position = Position::new(puzzle, marks).expect("marks keep the clues");
            }
            _ => {
                let lines = content.lines().map(str::to_string);
                self.last().lines.extend(lines);
            }
        }
    }

    fn last(&mut self) -> &mut Example {
        self.examples.last_mut().expect("a puzzle comes first in a lesson")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::proof::Chapter;

    #[test]
    fn every_page_is_in_the_program_and_shows_its_steps() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/techniques");
        let pages = std::fs::read_dir(folder).expect("the lessons are there").count();
        assert_eq!(all().len(), pages);
        for lesson in all() {
            assert!(!lesson.paragraphs.is_empty(), "{} says nothing", lesson.technique);
            for example in &lesson.examples {
                let steps = example.steps(lesson.technique);
                assert_eq!(steps.len(), example.lines.len(), "{}", lesson.technique);
            }
        }
    }

    #[test]
    fn no_chapter_is_empty() {
        for chapter in Chapter::ALL {
            assert!(all().iter().any(|lesson| lesson.technique.chapter() == chapter), "{chapter}");
        }
    }
}
