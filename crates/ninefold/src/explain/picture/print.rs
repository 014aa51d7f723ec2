//! Complete explanation as a PDF for printing: text on the left, boards on the right.
//!
//! A step starts on a new page if it does not fit on the rest of the current page but fits on a
//! complete one. Text and boards of longer steps continue on the next page, each in their column.

use super::super::{Explanation, Wording};
use super::arrow::Point;
use super::board::clues_only;
use super::drawing::{Colour, Drawing, Paint, Shape, Text};
use super::page::{Section, is_single, sections};
use super::pdf::{self, PAGE_HEIGHT, PAGE_WIDTH, Page};
use super::typeface;

const MARGIN: f64 = 42.0;
const BOTTOM: f64 = PAGE_HEIGHT - MARGIN;
/// Text starts to the right of the step numbers.
const TEXT: f64 = MARGIN + 26.0;
// Wide enough for the text, while three boards fit on a page.
const TEXT_WIDTH: f64 = 256.0;
const BOARDS: f64 = TEXT + TEXT_WIDTH + 16.0;
const BOARD_WIDTH: f64 = PAGE_WIDTH - MARGIN - BOARDS;
const GAP: f64 = 8.0;
/// Font size and line height.
const BODY: (f64, f64) = (9.5, 13.0);
const SMALL: (f64, f64) = (7.5, 10.0);
const INK: Colour = "#111";

/// Returns the explanation as a PDF file with its pictures.
pub fn print(explanation: &Explanation, wording: impl Into<Wording>) -> Vec<u8> {
    let wording = wording.into();
    let line = explanation.puzzle().to_string();
    let mut paper = Paper { pages: vec![Page::new()] };
    let mut at = paper.heading(explanation, wording, &line);
    for section in sections(explanation, wording) {
        at = paper.section(&section, at);
    }
    let ending = [Some(explanation.outcome_text(wording)), explanation.solution_note(wording)];
    let mut last = Vec::new();
    for text in ending.into_iter().flatten() {
        last.extend(wrap(&[(&text, false)], BODY, INK, PAGE_WIDTH - 2.0 * MARGIN));
    }
    paper.lines(&last, MARGIN, Place { y: at.y + GAP, ..at });
    paper.number_pages();
    pdf::write(&format!("Sudoku {line}"), &wording.language.to_string(), &paper.pages)
}

/// Height on a page.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Place {
    page: usize,
    y: f64,
}

/// Line of text. Each piece has its distance from the left.
struct Line {
    pieces: Vec<(f64, String, bool)>,
    size: f64,
    height: f64,
    colour: Colour,
}

struct Paper {
    pages: Vec<Page>,
}

impl Paper {
    fn page(&mut self, number: usize) -> &mut Page {
        while self.pages.len() <= number {
            self.pages.push(Page::new());
        }
        &mut self.pages[number]
    }

    /// Adds the heading, the puzzle and the text before the first step.
    fn heading(&mut self, explanation: &Explanation, wording: Wording, line: &str) -> Place {
        let mut words = wrap(&[("Sudoku", true)], (18.0, 26.0), INK, TEXT_WIDTH);
        words.extend(wrap(&[(line, false)], SMALL, "#555", TEXT_WIDTH));
        if let Some(opening) = explanation.introduction(wording) {
            words.extend(wrap(&[(&opening, false)], BODY, INK, TEXT_WIDTH));
        }
        let start = Place { page: 0, y: MARGIN };
        let left = self.lines(&words, MARGIN, start);
        let right = self.boards(&[clues_only(explanation.puzzle(), wording.notation)], start);
        later(left, right)
    }

    fn section(&mut self, section: &Section<'_>, from: Place) -> Place {
        let words = section_lines(section);
        let words_height: f64 = words.iter().map(|(_, line)| line.height).sum();
        let boards_height: f64 = section.boards.iter().map(|board| height(board) + GAP).sum();
        let needed = GAP + words_height.max(boards_height);
        let fits_a_page = needed < BOTTOM - MARGIN;
        let mut start = Place { y: from.y + GAP, ..from };
        if start.y + needed > BOTTOM && (fits_a_page || start.y > PAGE_HEIGHT / 2.0) {
            start = Place { page: from.page + 1, y: MARGIN };
        } else {
            let points = vec![(MARGIN, start.y), (PAGE_WIDTH - MARGIN, start.y)];
            let rule = Shape::Line { points, closed: false, paint: Paint::stroke("#ccc", 0.7) };
            self.page(start.page).shape(&rule);
        }
        start.y += GAP;
        let mut left = start;
        for (number, line) in words {
            let place = self.lines(std::slice::from_ref(&line), TEXT, left);
            if let Some(number) = number {
                let at = (MARGIN, place.y - line.height + BODY.0);
                self.page(place.page).text(&text(at, format!("{number}."), BODY.0, (INK, false)));
            }
            left = place;
        }
        let right = self.boards(&section.boards, start);
        later(left, right)
    }

    fn lines(&mut self, lines: &[Line], x: f64, mut at: Place) -> Place {
        for line in lines {
            if at.y + line.height > BOTTOM {
                at = Place { page: at.page + 1, y: MARGIN };
            }
            let page = self.page(at.page);
            for (indent, words, bold) in &line.pieces {
                let point = (x + indent, at.y + line.size);
                page.text(&text(point, words.clone(), line.size, (line.colour, *bold)));
            }
            at.y += line.height;
        }
        at
    }

    fn boards(&mut self, boards: &[Drawing], mut at: Place) -> Place {
        for board in boards {
            if at.y + height(board) > BOTTOM {
                at = Place { page: at.page + 1, y: MARGIN };
            }
            self.page(at.page).draw(board, (BOARDS, at.y), BOARD_WIDTH);
            at.y += height(board) + GAP;
        }
        at
    }

    fn number_pages(&mut self) {
        let count = self.pages.len();
        for (index, page) in self.pages.iter_mut().enumerate() {
            let words = format!("{} / {count}", index + 1);
            let x = PAGE_WIDTH - MARGIN - typeface::width(&words, SMALL.0, false);
            page.text(&text((x, PAGE_HEIGHT - MARGIN / 2.0), words, SMALL.0, ("#555", false)));
        }
    }
}

fn later(a: Place, b: Place) -> Place {
    if a > b { a } else { b }
}

fn text(at: Point, text: String, size: f64, (colour, bold): (Colour, bool)) -> Text {
    Text { at, size, colour, bold, starts_at_point: true, class: "", text }
}

/// Returns the height of a board on the page. Boards of branches are as wide as the first one,
/// because smaller ones would be unreadable on paper.
fn height(board: &Drawing) -> f64 {
    board.height * BOARD_WIDTH / board.width
}

/// Returns all lines of a section. The first line of each step has its number.
fn section_lines(section: &Section<'_>) -> Vec<(Option<usize>, Line)> {
    let mut words = Vec::new();
    for (number, step) in (section.first..).zip(&section.steps) {
        let mut number = Some(number);
        let name = format!("{}.", step.name);
        for (index, paragraph) in step.text.lines().enumerate() {
            let runs = [(name.as_str(), true), (paragraph, false)];
            let lines = wrap(&runs[usize::from(index > 0)..], BODY, INK, TEXT_WIDTH);
            words.extend(lines.into_iter().map(|line| (number.take(), line)));
        }
        if !is_single(step.step) {
            words.extend(
                wrap(&[(&step.short, false)], SMALL, "#555", TEXT_WIDTH)
                    .into_iter()
                    .map(|l| (None, l)),
            );
        }
    }
    words
}

/// Breaks text into lines of this width. A word that is too wide is split.
fn wrap(
    runs: &[(&str, bool)],
    (size, height): (f64, f64),
    colour: Colour,
    max_width: f64,
) -> Vec<Line> {
    let empty = || Line { pieces: Vec::new(), size, height, colour };
    let (mut lines, mut x) = (vec![empty()], 0.0);
    for &(text, bold) in runs {
        let space = typeface::width(" ", size, bold);
        for word in text.split_whitespace().flat_map(|word| split(word, size, bold, max_width)) {
            let width = typeface::width(word, size, bold);
            if x > 0.0 && x + space + width > max_width {
                lines.push(empty());
                x = 0.0;
            }
            let line = lines.last_mut().expect("the list of lines is not empty");
            match line.pieces.last_mut() {
                Some((_, words, as_bold)) if *as_bold == bold => {
                    words.push(' ');
                    words.push_str(word);
                    x += space + width;
                }
                last => {
                    let start = if last.is_some() { x + space } else { 0.0 };
                    line.pieces.push((start, word.to_string(), bold));
                    x = start + width;
                }
            }
        }
    }
    lines
}

/// Returns a word, or the parts of a word that is too wide for a line.
fn split(word: &str, size: f64, bold: bool, max_width: f64) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = word;
    while typeface::width(rest, size, bold) > max_width {
        let fits =
            |&(end, _): &(usize, char)| typeface::width(&rest[..end], size, bold) <= max_width;
        let Some((end, _)) = rest.char_indices().skip(1).take_while(fits).last() else { break };
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    #[test]
    fn lines_fit_their_column() {
        let long = "r1c1".repeat(60);
        let words = format!(
            "Suppose it were. Then {long} follows, and much else that takes a line of its own."
        );
        let lines = wrap(&[("Forcing Net.", true), (&words, false)], BODY, INK, TEXT_WIDTH);
        assert!(lines.len() > 5);
        for Line { pieces, size, .. } in &lines {
            let (start, text, bold) = pieces.last().expect("a line has text");
            assert!(start + typeface::width(text, *size, *bold) <= TEXT_WIDTH + 0.001, "{text}");
        }
        let texts: Vec<&str> =
            lines.iter().flat_map(|line| &line.pieces).map(|(_, text, _)| text.as_str()).collect();
        assert_eq!(texts.concat().replace(' ', ""), format!("ForcingNet.{words}").replace(' ', ""));
    }

    #[test]
    fn pdf_contains_every_step_and_the_page_count() {
        let puzzle: Grid =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let explanation = crate::explain(&puzzle).unwrap();
        let file = String::from_utf8(print(&explanation, crate::Language::English)).unwrap();
        assert!(file.starts_with("%PDF-1.4\n") && file.ends_with("%%EOF\n"));
        for number in 1..=explanation.steps.len() {
            assert!(file.contains(&format!("({number}.) Tj")), "step {number}");
        }
        let pages = file.matches("/Type /Page ").count();
        assert!(pages > 3);
        assert!(file.contains(&format!("({pages} / {pages}) Tj")));
    }
}
