//! Quadrilaterals that could be the border of a grid.
//!
//! No single rule finds the border in all photos: lines break, neighbouring text touches the frame,
//! pages bend. So several rules propose quadrilaterals from every large component of dark pixels,
//! and `score` decides among them.

use crate::components::Components;
use crate::geometry::{Point, Quad, convex_hull, cross};

/// The largest components that are looked at.
const COMPONENTS: usize = 6;

/// Appends the candidates of a mask of dark pixels.
pub fn propose(dark: &[bool], width: usize, height: usize, quads: &mut Vec<Quad>) {
    let ink = Components::new(dark, width, true, true);
    let paper = Components::new(dark, width, false, false);
    let least = (0.18 * width.min(height) as f32) as u32;
    let mut large: Vec<usize> = (0..ink.list.len())
        .filter(|&i| ink.list[i].width() > least && ink.list[i].height() > least)
        .collect();
    large.sort_by_key(|&i| {
        std::cmp::Reverse(u64::from(ink.list[i].width()) * u64::from(ink.list[i].height()))
    });
    let mut found = Vec::new();
    for &index in large.iter().take(COMPONENTS) {
        from_points(ink.outline(index), &mut found);
        from_points(cells_inside(&ink, index, &paper), &mut found);
    }
    from_points(cells_of_similar_size(&paper, width, height), &mut found);
    for quad in found {
        if is_plausible(&quad, width, height)
            && quads.iter().all(|other| other.distance(&quad) > 0.012 * width.max(height) as f32)
        {
            quads.push(quad);
        }
    }
}

fn is_plausible(quad: &Quad, width: usize, height: usize) -> bool {
    let sides = quad.side_lengths();
    let longest = sides.iter().copied().fold(0.0, f32::max);
    let shortest = sides.iter().copied().fold(f32::MAX, f32::min);
    quad.is_convex() && quad.area() > 0.02 * (width * height) as f32 && shortest > 0.35 * longest
}

/// Corners of the paper regions inside a component that are about as large as a cell.
fn cells_inside(ink: &Components, index: usize, paper: &Components) -> Vec<Point> {
    let frame = &ink.list[index];
    let cell = (frame.width() * frame.height()) as f32 / 81.0;
    let cells = paper.list.iter().filter(|region| {
        region.left >= frame.left
            && region.right <= frame.right
            && region.top >= frame.top
            && region.bottom <= frame.bottom
            && (0.25 * cell..1.8 * cell).contains(&(region.area as f32))
    });
    let points: Vec<Point> = cells.flat_map(|region| region.extremes).collect();
    if points.len() >= 12 * 8 { points } else { Vec::new() }
}

/// Corners of the largest set of paper regions that have the same size and the shape of a cell.
/// This finds grids whose lines are broken into several components.
fn cells_of_similar_size(paper: &Components, width: usize, height: usize) -> Vec<Point> {
    let image = (width * height) as f32;
    let mut cells: Vec<_> = paper
        .list
        .iter()
        .filter(|region| {
            let (w, h) = (region.width() as f32, region.height() as f32);
            region.area as f32 > image * 2e-4
                && (region.area as f32) < image / 12.0
                && w < 2.2 * h
                && h < 2.2 * w
                && region.area as f32 > 0.4 * w * h
        })
        .collect();
    cells.sort_by_key(|region| region.area);
    let mut best: &[_] = &[];
    let mut end = 0;
    for start in 0..cells.len() {
        while end < cells.len() && cells[end].area as f32 <= 1.9 * cells[start].area as f32 {
            end += 1;
        }
        if end - start > best.len() {
            best = &cells[start..end];
        }
    }
    if best.len() < 12 {
        return Vec::new();
    }
    best.iter().flat_map(|region| region.extremes).collect()
}

/// Four ways to reduce a set of points to four corners.
fn from_points(points: Vec<Point>, quads: &mut Vec<Quad>) {
    let hull = convex_hull(points);
    if hull.len() < 4 {
        return;
    }
    quads.extend(inner_corners(hull.clone()));
    quads.extend(outer_corners(hull.clone()));
    quads.push(diagonal_extremes(&hull));
    quads.extend(smallest_rectangle(&hull));
}

/// The outermost points along the two diagonals.
fn diagonal_extremes(hull: &[Point]) -> Quad {
    let most = |key: fn(&Point) -> f32| {
        hull.iter().copied().max_by(|a, b| key(a).total_cmp(&key(b))).unwrap_or_default()
    };
    Quad([most(|p| -p.x - p.y), most(|p| p.x - p.y), most(|p| p.x + p.y), most(|p| p.y - p.x)])
}

/// Removes the corner of the smallest triangle until four corners are left.
fn inner_corners(mut hull: Vec<Point>) -> Option<Quad> {
    while hull.len() > 4 {
        let n = hull.len();
        let triangle = |i: usize| cross(hull[(i + n - 1) % n], hull[i], hull[(i + 1) % n]).abs();
        let smallest = (0..n).min_by(|&a, &b| triangle(a).total_cmp(&triangle(b)))?;
        hull.remove(smallest);
    }
    Some(Quad::from_unordered(hull.try_into().ok()?))
}

/// Extends the neighbours of an edge until they meet, always where that adds the least area.
fn outer_corners(mut hull: Vec<Point>) -> Option<Quad> {
    while hull.len() > 4 {
        let n = hull.len();
        let mut best: Option<(f32, usize, Point)> = None;
        for i in 0..n {
            let (a, b) = (hull[(i + n - 1) % n], hull[i]);
            let (c, d) = (hull[(i + 1) % n], hull[(i + 2) % n]);
            let Some(corner) = meeting_point(a, b, d, c) else { continue };
            let added = cross(b, corner, c).abs();
            if best.is_none_or(|(least, ..)| added < least) {
                best = Some((added, i, corner));
            }
        }
        let (_, edge, corner) = best?;
        hull[edge] = corner;
        hull.remove((edge + 1) % n);
    }
    Some(Quad::from_unordered(hull.try_into().ok()?))
}

/// Where the lines a→b and d→c meet beyond b and c.
fn meeting_point(a: Point, b: Point, d: Point, c: Point) -> Option<Point> {
    let (u, v) = (b - a, c - d);
    let determinant = u.x * v.y - u.y * v.x;
    if determinant.abs() < 1e-6 {
        return None;
    }
    let between = c - b;
    let t = (between.x * v.y - between.y * v.x) / determinant;
    let s = (between.x * u.y - between.y * u.x) / determinant;
    (t >= 0.0 && s >= 0.0).then(|| b + u.scaled(t))
}

/// The rectangle of least area around the hull; one of its sides contains an edge of the hull.
fn smallest_rectangle(hull: &[Point]) -> Option<Quad> {
    let mut best: Option<(f32, [Point; 4])> = None;
    for (i, &start) in hull.iter().enumerate() {
        let edge = hull[(i + 1) % hull.len()] - start;
        let length = edge.length();
        if length < 1e-3 {
            continue;
        }
        let (u, v) = (edge.scaled(1.0 / length), Point::new(-edge.y, edge.x).scaled(1.0 / length));
        let (mut least, mut most) = ([f32::MAX; 2], [f32::MIN; 2]);
        for point in hull {
            for (axis, direction) in [u, v].into_iter().enumerate() {
                let along = point.x * direction.x + point.y * direction.y;
                least[axis] = least[axis].min(along);
                most[axis] = most[axis].max(along);
            }
        }
        let area = (most[0] - least[0]) * (most[1] - least[1]);
        if best.is_none_or(|(smallest, _)| area < smallest) {
            let corner = |a: f32, b: f32| u.scaled(a) + v.scaled(b);
            let corners = [
                corner(least[0], least[1]),
                corner(most[0], least[1]),
                corner(most[0], most[1]),
                corner(least[0], most[1]),
            ];
            best = Some((area, corners));
        }
    }
    best.map(|(_, corners)| Quad::from_unordered(corners))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square with its corners cut off, rotated a little.
    fn cut_square() -> Vec<Point> {
        let (sin, cos) = 0.1f32.sin_cos();
        [(8, 0), (92, 0), (100, 8), (100, 92), (92, 100), (8, 100), (0, 92), (0, 8)]
            .map(|(x, y)| {
                let (x, y) = (x as f32 - 50.0, y as f32 - 50.0);
                Point::new(100.0 + x * cos - y * sin, 100.0 + x * sin + y * cos)
            })
            .to_vec()
    }

    #[test]
    fn outer_corners_restore_cut_corners() {
        let quad = outer_corners(convex_hull(cut_square())).unwrap();
        assert!((quad.area() - 10_000.0).abs() < 50.0, "{}", quad.area());
    }

    #[test]
    fn smallest_rectangle_follows_the_rotation() {
        let quad = smallest_rectangle(&convex_hull(cut_square())).unwrap();
        assert!((quad.area() - 10_000.0).abs() < 50.0, "{}", quad.area());
    }

    #[test]
    fn proposes_the_frame_of_a_drawn_grid() {
        let (size, from, cell) = (120usize, 15, 10);
        let mut dark = vec![false; size * size];
        for line in 0..10 {
            for at in 0..=9 * cell {
                dark[(from + line * cell) * size + from + at] = true;
                dark[(from + at) * size + from + line * cell] = true;
            }
        }
        let mut quads = Vec::new();
        propose(&dark, size, size, &mut quads);
        let corner = |x: usize, y: usize| Point::new(x as f32, y as f32);
        let expected = Quad([corner(15, 15), corner(106, 15), corner(106, 106), corner(15, 106)]);
        assert!(quads.iter().any(|quad| quad.distance(&expected) < 2.0), "{quads:?}");
    }
}
