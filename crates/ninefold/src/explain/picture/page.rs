//! Complete explanation as one HTML page for reading or printing.
//!
//! Each step that is not a single has its own board, and so has each branch of a proof by cases.
//! Consecutive singles share a board, on which a ring marks each placed digit.

use super::super::notation::Names;
use super::super::{Explanation, Wording};
use super::board::{Board, drawings, puzzle};
use super::drawing::Drawing;
use super::svg::{self, escape};
use super::{Ink, Picture};
use crate::grid::Candidates;
use crate::proof::{Reason, Step};
use std::fmt::Write;

/// Styles for screen and print.
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

/// Steps that share their boards: one step, or consecutive singles.
pub(super) struct Section<'a> {
    /// Number of the first step.
    pub first: usize,
    pub steps: Vec<StepText<'a>>,
    pub boards: Vec<Drawing>,
}

/// A step as text.
pub(super) struct StepText<'a> {
    pub step: &'a Step,
    pub name: &'static str,
    /// Reason with one paragraph per line.
    pub text: String,
    /// One-line notation.
    pub short: String,
}

/// Returns all steps in order with their drawings.
pub(super) fn sections(explanation: &Explanation, wording: Wording) -> Vec<Section<'_>> {
    let steps: Vec<(Candidates, &Step)> = explanation.positions().collect();
    let promise = explanation.steps.iter().position(|step| step.technique.needs_uniqueness());
    let texts_of = |number: usize, before: &Candidates, step: &'_ Step| {
        let promise = if promise == Some(number) {
            format!(" {}", wording.uniqueness_note())
        } else {
            String::new()
        };
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
        let texts = (index..).zip(run).map(|(number, &(ref before, step))| {
            let (text, short) = texts_of(number, before, step);
            StepText { step, name: step.technique.name_in(wording.language), text, short }
        });
        sections.push(Section { first: index + 1, steps: texts.collect(), boards });
        index += run.len();
    }
    sections
}

/// Returns the explanation as an HTML page with embedded pictures.
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
    if let Some(opening) = explanation.introduction(wording) {
        let _ = writeln!(out, "<p>{}</p>", escape(&opening));
    }
    for section in sections(explanation, wording) {
        out += "<section class=\"step\">\n<div class=\"words\"><ol>\n";
        (section.first..)
            .zip(&section.steps)
            .for_each(|(number, step)| write_step(&mut out, number, step));
        let many = if section.boards.len() > 1 { " many" } else { "" };
        let boards: String = section.boards.iter().map(svg::write).collect();
        let _ =
            write!(out, "</ol></div>\n<div class=\"boards{many}\">\n{boards}</div>\n</section>\n");
    }
    let _ = writeln!(out, "<p>{}</p>", escape(&explanation.outcome_text(wording)));
    if let Some(searched) = explanation.solution_note(wording) {
        let _ = writeln!(out, "<p>{}</p>", escape(&searched));
    }
    out + "</body>\n</html>\n"
}

pub(super) fn is_single(step: &Step) -> bool {
    matches!(step.reason, Reason::LastDigit | Reason::LastPlaceIn(_))
}

fn write_step(out: &mut String, number: usize, step: &StepText<'_>) {
    let name = escape(step.name);
    let text = escape(&step.text).replace('\n', "</p>\n<p>");
    let short = match is_single(step.step) {
        true => String::new(),
        false => format!("<p class=\"short\">{}</p>", escape(&step.short)),
    };
    let _ =
        writeln!(out, "<li value=\"{number}\"><p><strong>{name}.</strong> {text}</p>{short}</li>");
}

/// Draws the position before the singles with all digits that they place.
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
