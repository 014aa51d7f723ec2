//! Arrows: curves between groups of candidates that avoid the digits between them.
//!
//! Of several curves, the algorithm chooses the one that stays on the board and comes near the
//! fewest digits, preferring small bends.

use super::drawing::{Colour, Paint, Shape};

/// Point in drawing coordinates.
pub(super) type Point = (f64, f64);

/// Bounding rectangle of one or more candidates.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    /// Returns the rectangle around these centres, extended by `radius` on each side.
    pub fn around(centres: &[Point], radius: f64) -> Area {
        let fold = |pick: fn(&Point) -> f64, join: fn(f64, f64) -> f64, start: f64| {
            centres.iter().map(pick).fold(start, join)
        };
        Area {
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

/// Quadratic Bézier curve.
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

    /// Returns the part of the curve outside both ends.
    fn between(&self, from: &Area, to: &Area) -> Vec<Point> {
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

/// Cost of leaving the board at one point of a curve. It exceeds the cost of any number of digits.
const OUTSIDE: f64 = 100.0;

/// Bends to try, as a share of the length. The straight line comes first.
const BENDS: [f64; 9] = [0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.5, -0.5];

/// The board that a link must not leave, and the digits to avoid, each with its centre and
/// distance.
pub(super) struct Obstacles {
    pub board: Area,
    pub digits: Vec<(Point, f64)>,
}

/// Returns the points of the link with the lowest cost.
fn route(from: &Area, to: &Area, obstacles: &Obstacles) -> Vec<Point> {
    let (start, end) = (from.middle(), to.middle());
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let cost = |points: &[Point], bend: f64| {
        let near = |&(x, y): &Point| {
            let hits =
                obstacles.digits.iter().filter(|((ox, oy), room)| (x - ox).hypot(y - oy) < *room);
            hits.count() as f64 + if obstacles.board.contains((x, y)) { 0.0 } else { OUTSIDE }
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

/// Returns a link and its arrow head, or `None` if there is no space between the two ends.
pub(super) fn draw(
    (from, to): (&Area, &Area),
    obstacles: &Obstacles,
    colour: Colour,
    strong: bool,
) -> Option<[Shape; 2]> {
    let points = route(from, to, obstacles);
    let (&first, &tip) = (points.first()?, points.last()?);
    let back = points[points.len().saturating_sub(6)];
    let (dx, dy) = (tip.0 - back.0, tip.1 - back.1);
    let length = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / length, dy / length);
    // The line ends where the arrow head begins.
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

    fn area_of(x: f64, y: f64) -> Area {
        Area::around(&[(x, y)], 8.0)
    }

    /// Board of 200 × 200 units around the origin.
    fn obstacles(digits: &[(Point, f64)]) -> Obstacles {
        Obstacles { board: Area::around(&[(0.0, 0.0)], 100.0), digits: digits.to_vec() }
    }

    #[test]
    fn link_starts_and_ends_outside_its_candidates() {
        let points = route(&area_of(-50.0, 0.0), &area_of(50.0, 0.0), &obstacles(&[]));
        assert!(points[0].0 > -42.0 && points[points.len() - 1].0 < 42.0);
        assert!(
            points.iter().all(|point| point.1 == 0.0),
            "without obstacles the line is straight"
        );
    }

    #[test]
    fn link_bends_around_a_digit() {
        let points =
            route(&area_of(-50.0, 0.0), &area_of(50.0, 0.0), &obstacles(&[((0.0, 0.0), 10.0)]));
        assert!(points.iter().all(|(x, y)| x.hypot(*y) >= 10.0));
    }

    #[test]
    fn link_along_an_edge_bends_towards_the_board() {
        for edge in [-92.0, 92.0] {
            let row = route(
                &area_of(-50.0, edge),
                &area_of(50.0, edge),
                &obstacles(&[((0.0, edge), 10.0)]),
            );
            let column = route(
                &area_of(edge, -50.0),
                &area_of(edge, 50.0),
                &obstacles(&[((edge, 0.0), 10.0)]),
            );
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
