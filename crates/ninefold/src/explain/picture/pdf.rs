//! Writes pages as PDF: text in Helvetica and drawings, uncompressed.
//!
//! A file is a list of numbered objects, a table of their offsets, and the number of the first
//! object. The catalogue (1) refers to the list of pages (2); each page refers to its fonts (3 and
//! 4) and its content stream of operators. PDF measures from the lower left corner. Each page
//! starts with a mirror transformation, so that y grows downwards as in a drawing.
//!
//! The crate `pdf-writer` is not used. It would replace about 70 of these lines (the object table,
//! strings and numbers), at the cost of five dependencies in a library that otherwise needs only
//! `thiserror`.

use super::arrow::{Area, Point};
use super::drawing::{Colour, Drawing, Paint, Shape, Text};
use super::typeface;
use std::fmt::Write;

/// A4, in points.
pub(super) const PAGE_WIDTH: f64 = 595.0;
pub(super) const PAGE_HEIGHT: f64 = 842.0;

/// Content of a page.
pub(super) struct Page(String);

impl Page {
    pub fn new() -> Page {
        Page(format!("1 0 0 -1 0 {} cm\n", number(PAGE_HEIGHT)))
    }

    /// Draws a drawing with its upper left corner at this point and this width.
    pub fn draw(&mut self, drawing: &Drawing, (x, y): Point, width: f64) {
        let scale = number(width / drawing.width);
        let _ = writeln!(self.0, "q {scale} 0 0 {scale} {} {} cm", number(x), number(y));
        drawing.shapes.iter().for_each(|shape| self.shape(shape));
        self.0 += "Q\n";
    }

    pub fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { area, round, paint, .. } => self.rect(area, *round, paint),
            Shape::Circle { centre, radius, paint } => {
                self.rect(&Area::around(&[*centre], *radius), *radius, paint);
            }
            Shape::Line { points, closed, paint } => {
                for (index, &point) in points.iter().enumerate() {
                    self.point(point, if index == 0 { "m" } else { "l" });
                }
                self.paint(paint, *closed);
            }
            Shape::Text(text) => self.text(text),
            Shape::Link { parts, .. } => parts.iter().for_each(|part| self.shape(part)),
        }
    }

    pub fn text(&mut self, text: &Text) {
        let (font, width) = (
            if text.bold { "F2" } else { "F1" },
            typeface::width(&text.text, text.size, text.bold),
        );
        let x = if text.starts_at_point { text.at.0 } else { text.at.0 - width / 2.0 };
        let (x, y, size, colour) =
            (number(x), number(text.at.1), number(text.size), rgb(text.colour));
        let _ = writeln!(
            self.0,
            "BT {colour} rg /{font} {size} Tf 1 0 0 -1 {x} {y} Tm {} Tj ET",
            string(text.text.chars().map(typeface::code))
        );
    }

    /// Draws a rectangle with rounded corners.
    fn rect(&mut self, area: &Area, round: f64, paint: &Paint) {
        let Area { left, top, right, bottom } = *area;
        // Distance of the control points at which a Bézier curve approximates a quarter of a
        // circle.
        let near = 0.448 * round;
        self.point((left + round, top), "m");
        let corners = [
            [(right - round, top), (right - near, top), (right, top + near), (right, top + round)],
            [
                (right, bottom - round),
                (right, bottom - near),
                (right - near, bottom),
                (right - round, bottom),
            ],
            [
                (left + round, bottom),
                (left + near, bottom),
                (left, bottom - near),
                (left, bottom - round),
            ],
            [(left, top + round), (left, top + near), (left + near, top), (left + round, top)],
        ];
        for [start, leave, enter, end] in corners {
            self.point(start, "l");
            if round > 0.0 {
                self.point(leave, "");
                self.point(enter, "");
                self.point(end, "c");
            }
        }
        self.paint(paint, true);
    }

    fn point(&mut self, (x, y): Point, operator: &str) {
        let _ = write!(self.0, "{} {} {operator} ", number(x), number(y));
    }

    /// Fills and strokes the current path.
    fn paint(&mut self, paint: &Paint, closed: bool) {
        if closed {
            self.0 += "h ";
        }
        if let Some(colour) = paint.fill {
            let _ = write!(self.0, "{} rg ", rgb(colour));
        }
        if let Some((colour, width)) = paint.stroke {
            let dashes = if paint.dashed { "[5 4]" } else { "[]" };
            let _ = write!(self.0, "{} RG {} w {dashes} 0 d ", rgb(colour), number(width));
        }
        self.0 += match (paint.fill, paint.stroke) {
            (Some(_), Some(_)) => "B\n",
            (Some(_), None) => "f\n",
            (None, Some(_)) => "S\n",
            (None, None) => "n\n",
        };
    }
}

/// Returns the file. `language` is a two-letter code.
pub(super) fn write(title: &str, language: &str, pages: &[Page]) -> Vec<u8> {
    let page_number = |index: usize| 6 + 2 * index;
    let kids: Vec<String> =
        (0..pages.len()).map(|index| format!("{} 0 R", page_number(index))).collect();
    let font = |name: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
    };
    let title = string(title.chars().map(typeface::code));
    let mut objects = vec![
        format!(
            "<< /Type /Catalog /Pages 2 0 R /Lang ({language}) /ViewerPreferences << /DisplayDocTitle true >> >>"
        ),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        font("Helvetica"),
        font("Helvetica-Bold"),
        format!("<< /Title {title} /Producer (Ninefold) >>"),
    ];
    for (index, Page(content)) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {PAGE_WIDTH} {PAGE_HEIGHT}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> \
             /Contents {} 0 R >>",
            page_number(index) + 1
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
    }
    // The second line declares that there may be bytes above 127, which accented letters need.
    let mut file = "%PDF-1.4\n%äöü\n".to_string();
    let mut starts = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        starts.push(file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let (table, count) = (file.len(), objects.len() + 1);
    let _ = write!(file, "xref\n0 {count}\n0000000000 65535 f \n");
    for start in starts {
        let _ = writeln!(file, "{start:010} 00000 n ");
    }
    let _ = write!(
        file,
        "trailer\n<< /Size {count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{table}\n%%EOF\n"
    );
    file.into_bytes()
}

/// Writes a PDF string with non-ASCII codes as escapes.
fn string(codes: impl Iterator<Item = u8>) -> String {
    let mut out = "(".to_string();
    for code in codes {
        match code {
            b'(' | b')' | b'\\' => out.extend(['\\', char::from(code)]),
            b' '..=b'~' => out.push(char::from(code)),
            _ => {
                let _ = write!(out, "\\{code:03o}");
            }
        }
    }
    out + ")"
}

/// Converts a CSS colour to three numbers from 0 to 1.
fn rgb(colour: Colour) -> String {
    let digits: Vec<u32> = colour.chars().filter_map(|letter| letter.to_digit(16)).collect();
    let parts: Vec<String> = match digits[..] {
        [r, g, b] => [r, g, b].map(|part| f64::from(part) / 15.0).map(number).into(),
        _ => {
            digits.chunks(2).map(|pair| number(f64::from(16 * pair[0] + pair[1]) / 255.0)).collect()
        }
    };
    parts.join(" ")
}

/// Writes a number with the digits that make a visible difference.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_offsets_match_the_table() {
        let mut page = Page::new();
        page.text(&Text {
            at: (10.0, 20.0),
            size: 10.0,
            colour: "#111",
            bold: false,
            starts_at_point: true,
            class: "",
            text: "(größer)".to_string(),
        });
        let file = write("A (title)", "de", &[page]);
        let text = String::from_utf8(file).unwrap();
        assert!(text.contains(r"(\(gr\366\337er\)) Tj"), "{text}");
        let table =
            text.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
        assert!(text[table..].starts_with("xref\n0 8\n"));
        let starts = text[table..].lines().filter(|line| line.ends_with(" n ")).enumerate();
        for (index, line) in starts {
            let start: usize = line[..10].parse().unwrap();
            assert!(text[start..].starts_with(&format!("{} 0 obj\n", index + 1)), "{line}");
        }
        let content = text.split(">>\nstream\n").nth(1).unwrap().split("endstream").next().unwrap();
        assert!(text.contains(&format!("/Length {} ", content.len())));
    }

    #[test]
    fn formats_colours_and_numbers() {
        assert_eq!(rgb("#fff"), "1 1 1");
        assert_eq!(rgb("#ff0033"), "1 0 0.2");
        assert_eq!(
            (number(12.0), number(-0.5), number(1.0 / 3.0)),
            ("12".into(), "-0.5".into(), "0.333".into())
        );
    }
}
