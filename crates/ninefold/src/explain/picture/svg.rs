//! Writes a drawing as SVG.

use super::arrow::Point;
use super::drawing::{Drawing, Paint, Shape, Text};
use std::fmt::Write;

/// Returns the drawing as SVG, as a standalone file or for embedding in HTML.
pub(super) fn write(drawing: &Drawing) -> String {
    let (width, height) = (number(drawing.width), number(drawing.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         text-anchor=\"middle\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escape(&drawing.title)
    );
    for shape in &drawing.shapes {
        write_shape(&mut out, shape);
        out.push('\n');
    }
    out + "</svg>\n"
}

/// Escapes text for use between tags.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn write_shape(out: &mut String, shape: &Shape) {
    let _ = match shape {
        Shape::Rect { area, round, paint, class } => write!(
            out,
            "<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>",
            attribute("class", class),
            number(area.left),
            number(area.top),
            number(area.right - area.left),
            number(area.bottom - area.top),
            if *round > 0.0 { attribute("rx", &number(*round)) } else { String::new() },
            painted(paint)
        ),
        Shape::Circle { centre: (x, y), radius, paint } => write!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
            number(*x),
            number(*y),
            number(*radius),
            painted(paint)
        ),
        Shape::Line { points, closed, paint } => {
            write!(
                out,
                "<path d=\"{}{}\"{}/>",
                path(points),
                if *closed { "Z" } else { "" },
                painted(paint)
            )
        }
        Shape::Text(Text { at: (x, y), size, colour, bold, starts_at_point, class, text }) => {
            write!(
                out,
                "<text{} x=\"{}\" y=\"{}\" font-size=\"{}\"{}{} fill=\"{colour}\">{}</text>",
                attribute("class", class),
                number(*x),
                number(*y),
                number(*size),
                if *starts_at_point { " text-anchor=\"start\"" } else { "" },
                if *bold { " font-weight=\"bold\"" } else { "" },
                escape(text)
            )
        }
        Shape::Link { title, parts } => {
            let _ = write!(out, "<g class=\"link\"><title>{}</title>", escape(title));
            parts.iter().for_each(|part| write_shape(out, part));
            write!(out, "</g>")
        }
    };
}

fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if index == 0 { 'M' } else { 'L' }, number(*x), number(*y));
    }
    path
}

fn painted(paint: &Paint) -> String {
    let fill = attribute("fill", paint.fill.unwrap_or("none"));
    let stroke = paint.stroke.map_or(String::new(), |(colour, width)| {
        attribute("stroke", colour) + &attribute("stroke-width", &number(width))
    });
    fill + &stroke + if paint.dashed { " stroke-dasharray=\"5 4\"" } else { "" }
}

/// Returns an attribute, or nothing if the value is empty.
fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}=\"{value}\"") }
}

/// Rounds to a tenth of a unit.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}
