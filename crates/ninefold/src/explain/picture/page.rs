//! A whole explanation as one HTML page, to read or to print.
//!
//! Steps that are not singles have a board each, and proofs by cases one for each branch; singles that follow one another
//! share one board, which rings the digits they place.

use super::super::notation::Names;
use super::super::{Explanation, Wording};
use super::board::{Board, drawings, puzzle};
use super::drawing::Drawing;
use super::svg::{self, escape};
use super::{Ink, Picture};
use crate::grid::Candidates;
use crate::proof::{Because, Step};
use std::fmt::Write;

/// The look on the screen and on paper.
const STYLE: &str = "\
body { font: 16px/1.5 sans-serif; color: #111; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
.puzzle svg { width: 18rem; }
.step { display: flex; gap: 1.5rem; align-items: flex-start; margin: 1.5rem 0; padding-top: 1rem; border-top: 1px solid #ccc; }
.words { flex: 1 1 0; min-width: 0; }
.words ol { margin: 0; padding-left: 2.2rem; }
.words li { margin-bottom: 0.4rem; }
.words p { margin: 0 0 0.3rem; }
.short { color: #555; font-size: 0.85rem; }
.boards { flex: 0 0 24rem; display: flex; flex-wrap: wrap; gap: 0.5rem; }
.boards svg { width: 24rem; height: auto; }
.boards.many svg:not(:first-child) { width: 11.75rem; }
@media (max-width: 50rem) { .step { flex-direction: column; } .boards, .boards svg { width: 100%; flex-basis: auto; } }
@media print {
  body { margin: 0; max-width: none; font-size: 11pt; }
  .step { break-inside: avoid; }
  .boards { flex-basis: 9cm; }
  .boards svg { width: 9cm; }
  .boards.many svg:not(:first-child) { width: 4.4cm; }
}
";

/// Steps that share their boards: one step, or singles that follow one another.
pub(super) struct Section<'a> {
    /// The number of the first step.
    pub first: usize,
    pub told: Vec<Told<'a>>,
    pub boards: Vec<Drawing>,
}

/// A step in words.
pub(super) struct Told<'a> {
    pub step: &'a Step,
    pub name: &'static str,
    /// The reason, a line for each paragraph.
    pub text: String,
    /// The same in short.
    pub short: String,
}

/// All steps in order, with what is drawn beside them.
pub(super) fn sections(explanation: &Explanation, wording: Wording) -> Vec<Section<'_>> {
    let steps: Vec<(Candidates, &Step)> = explanation.positions().collect();
    let promise = explanation.steps.iter().position(|step| step.technique.needs_uniqueness());
    let tell = |number: usize, before: &Candidates, step: &'_ Step| {
        let promise =
            if promise == Some(number) { format!(" {}", wording.promise()) } else { String::new() };
        (step.reason_in(before, wording) + &promise, step.one_line_in(before, wording.notation))
    };
    let mut sections = Vec::new();
    let mut index = 0;
    while index < steps.len() {
        let singles = steps[index..].iter().take_while(|(_, step)| is_single(step)).count();
        let run = &steps[index..index + singles.max(1)];
        let boards = match singles {
            0 => drawings(explanation.puzzle(), &run[0].0, run[0].1, wording),
            _ => vec![board_of_singles(explanation, run, wording)],
        };
        let told = (index..).zip(run).map(|(number, &(ref before, step))| {
            let (text, short) = tell(number, before, step);
            Told { step, name: step.technique.name_in(wording.language), text, short }
        });
        sections.push(Section { first: index + 1, told: told.collect(), boards });
        index += run.len();
    }
    sections
}

/// The explanation as a page of HTML with its pictures inside.
pub fn page(explanation: &Explanation, wording: impl Into<Wording>) -> String {
    let wording = wording.into();
    let line = explanation.puzzle().to_string();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Sudoku {line}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>Sudoku</h1>\n<div class=\"puzzle\">{}</div>\n<p><code>{line}</code></p>\n",
        wording.language,
        puzzle(explanation.puzzle(), wording.notation)
    );
    if let Some(opening) = explanation.opening(wording) {
        let _ = writeln!(out, "<p>{}</p>", escape(&opening));
    }
    for section in sections(explanation, wording) {
        out += "<section class=\"step\">\n<div class=\"words\"><ol>\n";
        (section.first..)
            .zip(&section.told)
            .for_each(|(number, told)| tell(&mut out, number, told));
        let many = if section.boards.len() > 1 { " many" } else { "" };
        let boards: String = section.boards.iter().map(svg::write).collect();
        let _ =
            write!(out, "</ol></div>\n<div class=\"boards{many}\">\n{boards}</div>\n</section>\n");
    }
    let _ = writeln!(out, "<p>{}</p>", escape(&explanation.ending(wording)));
    if let Some(searched) = explanation.searched(wording) {
        let _ = writeln!(out, "<p>{}</p>", escape(&searched));
    }
    out + "</body>\n</html>\n"
}

pub(super) fn is_single(step: &Step) -> bool {
    matches!(step.because, Because::LastDigit | Because::LastPlaceIn(_))
}

fn tell(out: &mut String, number: usize, told: &Told<'_>) {
    let name = escape(told.name);
    let text = escape(&told.text).replace('\n', "</p>\n<p>");
    let short = match is_single(told.step) {
        true => String::new(),
        false => format!("<p class=\"short\">{}</p>", escape(&told.short)),
    };
    let _ =
        writeln!(out, "<li value=\"{number}\"><p><strong>{name}.</strong> {text}</p>{short}</li>");
}

/// The position before the singles, with all digits they place.
fn board_of_singles(
    explanation: &Explanation,
    run: &[(Candidates, &Step)],
    wording: Wording,
) -> Drawing {
    let before = &run[0].0;
    let names = Names { order: before.order(), notation: wording.notation };
    let placed = run.iter().flat_map(|(_, step)| &step.places).map(|&place| (place, Ink::Placed));
    let picture = Picture { candidates: placed.collect(), ..Picture::default() };
    Board::new(explanation.puzzle(), before, &names).draw(&picture, "Sudoku", "")
}
