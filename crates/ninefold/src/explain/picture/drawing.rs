//! Drawing: the basic shapes of all pictures, independent of the output format.
//!
//! Coordinates are in drawing units, with x to the right and y downwards. `svg.rs` writes a drawing
//! for the screen, `pdf.rs` for printing.

use super::arrow::{Area, Point};

/// CSS colour such as `#b91c1c` or `#fff`.
pub(super) type Colour = &'static str;

/// Shapes from back to front.
pub(super) struct Drawing {
    pub title: String,
    pub width: f64,
    pub height: f64,
    pub shapes: Vec<Shape>,
}

pub(super) enum Shape {
    /// Rectangle with corners of radius `round`.
    Rect {
        area: Area,
        round: f64,
        paint: Paint,
        class: &'static str,
    },
    Circle {
        centre: Point,
        radius: f64,
        paint: Paint,
    },
    /// Polyline or polygon.
    Line {
        points: Vec<Point>,
        closed: bool,
        paint: Paint,
    },
    Text(Text),
    /// Line, arrow head and title.
    Link {
        title: String,
        parts: Vec<Shape>,
    },
}

/// Fill and stroke of a shape.
#[derive(Clone, Copy, Default)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    /// Colour and width of the stroke.
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

/// Line of text on its baseline.
pub(super) struct Text {
    pub at: Point,
    pub size: f64,
    pub colour: Colour,
    pub bold: bool,
    /// Whether the text starts at its point; otherwise it is centred there.
    pub starts_at_point: bool,
    /// CSS class for readers of the file.
    pub class: &'static str,
    pub text: String,
}
