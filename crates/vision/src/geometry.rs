//! Points, quadrilaterals and the projective map from the unit square to a quadrilateral.

/// A point in pixels, with the origin in the top left corner of the image.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    pub const fn new(x: f32, y: f32) -> Point {
        Point { x, y }
    }

    pub fn scaled(self, factor: f32) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }

    pub fn length(self) -> f32 {
        self.x.hypot(self.y)
    }

    /// The point at this share of the way to `other`.
    pub fn toward(self, other: Point, share: f32) -> Point {
        Point::new(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)
    }
}

impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl std::ops::Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

/// Twice the signed area of a triangle; positive if the corners are in clockwise order on screen.
pub fn cross(a: Point, b: Point, c: Point) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Four corners: top left, top right, bottom right, bottom left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad(pub [Point; 4]);

impl Quad {
    /// Orders four points clockwise, starting with the one nearest to the top left corner.
    pub fn from_unordered(mut corners: [Point; 4]) -> Quad {
        let sum = corners.iter().fold(Point::default(), |sum, &corner| sum + corner);
        let centre = sum.scaled(0.25);
        let angle = |p: &Point| (p.y - centre.y).atan2(p.x - centre.x);
        corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let first = (0..4)
            .min_by(|&a, &b| {
                let key = |i: usize| corners[i].x + corners[i].y;
                key(a).total_cmp(&key(b))
            })
            .unwrap_or(0);
        corners.rotate_left(first);
        Quad(corners)
    }

    pub fn area(&self) -> f32 {
        let [a, b, c, d] = self.0;
        0.5 * (cross(a, b, c) + cross(a, c, d)).abs()
    }

    pub fn is_convex(&self) -> bool {
        let p = self.0;
        (0..4).all(|i| cross(p[i], p[(i + 1) % 4], p[(i + 2) % 4]) > 0.0)
    }

    pub fn side_lengths(&self) -> [f32; 4] {
        std::array::from_fn(|i| (self.0[(i + 1) % 4] - self.0[i]).length())
    }

    /// The length of a side of a square of the same area.
    pub fn mean_side(&self) -> f32 {
        self.area().sqrt()
    }

    pub fn scaled(&self, factor: f32) -> Quad {
        Quad(self.0.map(|corner| corner.scaled(factor)))
    }

    /// The largest distance between corners with the same position.
    pub fn distance(&self, other: &Quad) -> f32 {
        (0..4).map(|i| (self.0[i] - other.0[i]).length()).fold(0.0, f32::max)
    }

    pub fn centre(&self) -> Point {
        self.0.iter().fold(Point::default(), |sum, &corner| sum + corner).scaled(0.25)
    }

    pub fn contains(&self, point: Point) -> bool {
        (0..4).all(|i| cross(self.0[i], self.0[(i + 1) % 4], point) >= 0.0)
    }
}

/// The projective map that takes the corners of the unit square to a quadrilateral.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    x: [f32; 3],
    y: [f32; 3],
    w: [f32; 2],
}

impl Projection {
    /// Closed form of Heckbert, "Fundamentals of texture mapping and image warping" (1989).
    pub fn new(quad: &Quad) -> Projection {
        let [a, b, c, d] = quad.0;
        let (d1, d2) = (b - c, d - c);
        let sum = Point::new(a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y);
        let mut determinant = d1.x * d2.y - d2.x * d1.y;
        if determinant.abs() < 1e-9 {
            determinant = 1e-9;
        }
        let g = (sum.x * d2.y - d2.x * sum.y) / determinant;
        let h = (d1.x * sum.y - sum.x * d1.y) / determinant;
        Projection {
            x: [b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x],
            y: [b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y],
            w: [g, h],
        }
    }

    pub fn map(&self, u: f32, v: f32) -> Point {
        let w = self.w[0] * u + self.w[1] * v + 1.0;
        let scale = if w.abs() < 1e-6 { 1e6 } else { 1.0 / w };
        Point::new(
            (self.x[0] * u + self.x[1] * v + self.x[2]) * scale,
            (self.y[0] * u + self.y[1] * v + self.y[2]) * scale,
        )
    }
}

/// The convex hull, clockwise on screen (Andrew's monotone chain).
pub fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Point> = Vec::new();
    let forward = points.iter().copied();
    let backward = points.iter().rev().copied();
    for half in [forward.collect::<Vec<_>>(), backward.collect()] {
        let start = hull.len();
        for point in half {
            while hull.len() >= start + 2
                && cross(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUAD: Quad = Quad([
        Point::new(10.0, 12.0),
        Point::new(110.0, 20.0),
        Point::new(100.0, 140.0),
        Point::new(5.0, 120.0),
    ]);

    #[test]
    fn projection_maps_corners_to_corners() {
        let projection = Projection::new(&QUAD);
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        for ((u, v), expected) in corners.into_iter().zip(QUAD.0) {
            assert!((projection.map(u, v) - expected).length() < 1e-3);
        }
    }

    #[test]
    fn projection_keeps_lines_straight() {
        let projection = Projection::new(&QUAD);
        let [a, b, c] = [0.1, 0.5, 0.9].map(|u| projection.map(u, 0.3));
        assert!(cross(a, b, c).abs() < 0.5, "{}", cross(a, b, c));
    }

    #[test]
    fn orders_corners_clockwise_from_the_top_left() {
        let [a, b, c, d] = QUAD.0;
        assert_eq!(Quad::from_unordered([c, a, d, b]), QUAD);
        assert!(QUAD.is_convex());
        assert!(!Quad([a, c, b, d]).is_convex());
    }

    #[test]
    fn hull_drops_inner_points() {
        let mut points = QUAD.0.to_vec();
        points.push(Point::new(50.0, 60.0));
        points.push(Point::new(40.0, 70.0));
        assert_eq!(convex_hull(points).len(), 4);
    }
}
