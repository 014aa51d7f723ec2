//! A drawing: the few shapes of which all pictures are made, before anybody decides how to write them down.
//!
//! Distances are in the units of the drawing, x to the right and y downwards. `svg.rs` writes it for a screen, `pdf.rs` for
//! paper.

use super::arrow::{Blob, Point};

/// A colour as the web writes it: `#b91c1c` or `#fff`.
pub(super) type Colour = &'static str;

/// Shapes, the later ones over the earlier ones.
pub(super) struct Drawing {
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub shapes: Vec<Shape>,
}

pub(super) enum Shape {
    /// A rectangle; its corners have this radius.
    Rect {
        area: Blob,
        round: f64,
        paint: Paint,
        class: &'static str,
    },
    Circle {
        centre: Point,
        radius: f64,
        paint: Paint,
    },
    /// A line from point to point, which may come back to its start.
    Line {
        points: Vec<Point>,
        closed: bool,
        paint: Paint,
    },
    Text(Text),
    /// A line, its head, and what it says.
    Link {
        title: String,
        parts: Vec<Shape>,
    },
}

/// What a shape is filled and drawn with.
#[derive(Clone, Copy, Default)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    /// The colour and width of the line.
    pub stroke: Option<(Colour, f64)>,
    pub dashed: bool,
}

impl Paint {
    pub fn fill(colour: Colour) -> Paint {
        Paint { fill: Some(colour), ..Paint::default() }
    }

    pub fn stroke(colour: Colour, width: f64) -> Paint {
        Paint { stroke: Some((colour, width)), ..Paint::default() }
    }
}

/// A line of text on its baseline.
pub(super) struct Text {
    pub at: Point,
    pub size: f64,
    pub colour: Colour,
    pub bold: bool,
    /// Does it begin at its point, or is that its middle?
    pub begins: bool,
    /// What it is, for those who look into the file.
    pub class: &'static str,
    pub text: String,
}
