//! Arrows: curves from one group of candidates to another that keep off the digits between them.
//!
//! A link bends as little as it can: of some curves the one that stays on the board and comes near the fewest digits is taken.

use super::drawing::{Colour, Paint, Shape};

/// A point of the drawing.
pub(super) type Point = (f64, f64);

/// A rectangle with round corners around one candidate or several.
#[derive(Clone, Copy)]
pub(super) struct Blob {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Blob {
    /// Around these centres, so much larger on each side.
    pub fn around(centres: &[Point], radius: f64) -> Blob {
        let fold = |pick: fn(&Point) -> f64, join: fn(f64, f64) -> f64, start: f64| {
            centres.iter().map(pick).fold(start, join)
        };
        Blob {
            left: fold(|p| p.0, f64::min, f64::INFINITY) - radius,
            right: fold(|p| p.0, f64::max, f64::NEG_INFINITY) + radius,
            top: fold(|p| p.1, f64::min, f64::INFINITY) - radius,
            bottom: fold(|p| p.1, f64::max, f64::NEG_INFINITY) + radius,
        }
    }

    pub fn middle(&self) -> Point {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    fn contains(&self, (x, y): Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

/// A curve with one control point.
#[derive(Clone, Copy)]
struct Curve {
    from: Point,
    control: Point,
    to: Point,
}

impl Curve {
    fn at(&self, t: f64) -> Point {
        let mix =
            |a: f64, b: f64, c: f64| (1.0 - t).powi(2) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        (mix(self.from.0, self.control.0, self.to.0), mix(self.from.1, self.control.1, self.to.1))
    }

    /// The part of the curve outside both ends.
    fn between(&self, from: &Blob, to: &Blob) -> Vec<Point> {
        const PIECES: usize = 60;
        let points: Vec<Point> =
            (0..=PIECES).map(|index| self.at(index as f64 / PIECES as f64)).collect();
        let start =
            points.iter().rposition(|&point| from.contains(point)).map_or(0, |last| last + 1);
        let end = points[start.min(PIECES)..].iter().position(|&point| to.contains(point));
        let end = end.map_or(points.len(), |end| start + end);
        points[start.min(end)..end].to_vec()
    }
}

/// What it costs to leave the board at one point of a curve: more than any number of digits.
const OUTSIDE: f64 = 100.0;

/// How far a curve may bend, as a share of its length; the straight one first.
const BENDS: [f64; 9] = [0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5];

/// What a link keeps inside of, and what it keeps off: digits, each a centre with the distance it asks for.
pub(super) struct Ground {
    pub board: Blob,
    pub digits: Vec<(Point, f64)>,
}

/// The points of the link that stays on the board and keeps farthest from the digits.
fn route(from: &Blob, to: &Blob, ground: &Ground) -> Vec<Point> {
    let (start, end) = (from.middle(), to.middle());
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let cost = |points: &[Point], bend: f64| {
        let near = |&(x, y): &Point| {
            let hits =
                ground.digits.iter().filter(|((ox, oy), room)| (x - ox).hypot(y - oy) < *room);
            hits.count() as f64 + if ground.board.contains((x, y)) { 0.0 } else { OUTSIDE }
        };
        points.iter().map(near).sum::<f64>() + 6.0 * bend.abs()
    };
    let curves = BENDS.iter().map(|&bend| {
        let middle = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0);
        let control = (middle.0 - dy * bend, middle.1 + dx * bend);
        let points = Curve { from: start, control, to: end }.between(from, to);
        (cost(&points, bend), points)
    });
    curves.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, points)| points).unwrap_or_default()
}

/// A link and the head at its end; nothing if there is no room between its ends.
pub(super) fn draw(
    (from, to): (&Blob, &Blob),
    ground: &Ground,
    colour: Colour,
    strong: bool,
) -> Option<[Shape; 2]> {
    let points = route(from, to, ground);
    let (&first, &tip) = (points.first()?, points.last()?);
    let back = points[points.len().saturating_sub(6)];
    let (dx, dy) = (tip.0 - back.0, tip.1 - back.1);
    let length = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / length, dy / length);
    // The line ends where the head begins.
    let shaft =
        points.iter().skip(1).step_by(3).filter(|(x, y)| (x - tip.0).hypot(y - tip.1) > 6.0);
    let neck = (tip.0 - 7.0 * ux, tip.1 - 7.0 * uy);
    let line = [first].into_iter().chain(shaft.copied()).chain([neck]).collect();
    let head =
        vec![tip, (neck.0 - 4.0 * uy, neck.1 + 4.0 * ux), (neck.0 + 4.0 * uy, neck.1 - 4.0 * ux)];
    let paint = Paint { dashed: !strong, ..Paint::stroke(colour, 2.0) };
    Some([
        Shape::Line { points: line, closed: false, paint },
        Shape::Line { points: head, closed: true, paint: Paint::fill(colour) },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(x: f64, y: f64) -> Blob {
        Blob::around(&[(x, y)], 8.0)
    }

    /// A board of 200 by 200 around the origin.
    fn ground(digits: &[(Point, f64)]) -> Ground {
        Ground { board: Blob::around(&[(0.0, 0.0)], 100.0), digits: digits.to_vec() }
    }

    #[test]
    fn a_link_begins_and_ends_outside_its_candidates() {
        let points = route(&blob(-50.0, 0.0), &blob(50.0, 0.0), &ground(&[]));
        assert!(points[0].0 > -42.0 && points[points.len() - 1].0 < 42.0);
        assert!(points.iter().all(|point| point.1 == 0.0), "nothing is in the way");
    }

    #[test]
    fn a_link_bends_around_a_digit() {
        let points = route(&blob(-50.0, 0.0), &blob(50.0, 0.0), &ground(&[((0.0, 0.0), 10.0)]));
        assert!(points.iter().all(|(x, y)| x.hypot(*y) >= 10.0));
    }

    #[test]
    fn a_link_along_an_edge_bends_towards_the_board() {
        for edge in [-92.0, 92.0] {
            let row = route(&blob(-50.0, edge), &blob(50.0, edge), &ground(&[((0.0, edge), 10.0)]));
            let column =
                route(&blob(edge, -50.0), &blob(edge, 50.0), &ground(&[((edge, 0.0), 10.0)]));
            for points in [row, column] {
                assert!(
                    points.iter().all(|(x, y)| x.abs() <= 100.0 && y.abs() <= 100.0),
                    "{points:?}"
                );
                let off_the_digit =
                    |(x, y): &Point| f64::min((y - edge).hypot(*x), (x - edge).hypot(*y)) >= 10.0;
                assert!(points.iter().all(off_the_digit), "{points:?}");
            }
        }
    }
}
