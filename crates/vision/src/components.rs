//! Connected components of a mask, stored as horizontal runs.
//!
//! Every later question (bounding box, area, hull) needs only the ends of the runs, so no image of
//! labels is kept.

use crate::geometry::Point;

/// Pixels of one row that belong together: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub row: u32,
    pub start: u32,
    pub end: u32,
    label: u32,
}

/// A connected component.
#[derive(Clone, Debug)]
pub struct Component {
    pub area: u32,
    pub left: u32,
    pub right: u32,
    pub top: u32,
    pub bottom: u32,
    /// The outermost points in eight directions.
    pub extremes: [Point; 8],
}

impl Component {
    pub fn width(&self) -> u32 {
        self.right - self.left
    }

    pub fn height(&self) -> u32 {
        self.bottom - self.top
    }

    fn empty() -> Component {
        let none = Point::default();
        let (left, top) = (u32::MAX, u32::MAX);
        Component { area: 0, left, right: 0, top, bottom: 0, extremes: [none; 8] }
    }

    fn add(&mut self, run: &Run) {
        let is_first = self.area == 0;
        self.area += run.end - run.start;
        self.left = self.left.min(run.start);
        self.right = self.right.max(run.end);
        self.top = self.top.min(run.row);
        self.bottom = self.bottom.max(run.row + 1);
        for point in ends(run) {
            for (extreme, direction) in self.extremes.iter_mut().zip(DIRECTIONS) {
                let along = |p: Point| p.x * direction.0 + p.y * direction.1;
                if is_first || along(point) > along(*extreme) {
                    *extreme = point;
                }
            }
        }
    }
}

const DIRECTIONS: [(f32, f32); 8] = [
    (-1.0, -1.0),
    (0.0, -1.0),
    (1.0, -1.0),
    (1.0, 0.0),
    (1.0, 1.0),
    (0.0, 1.0),
    (-1.0, 1.0),
    (-1.0, 0.0),
];

/// The corners of a run of pixels.
fn ends(run: &Run) -> [Point; 4] {
    let (left, right) = (run.start as f32, run.end as f32);
    let (top, bottom) = (run.row as f32, run.row as f32 + 1.0);
    [
        Point::new(left, top),
        Point::new(right, top),
        Point::new(left, bottom),
        Point::new(right, bottom),
    ]
}

/// All components of a mask.
pub struct Components {
    runs: Vec<Run>,
    pub list: Vec<Component>,
}

impl Components {
    /// Components of the pixels equal to `value`. `diagonal` also joins pixels that only touch at a
    /// corner.
    pub fn new(mask: &[bool], width: usize, value: bool, diagonal: bool) -> Components {
        let mut runs = runs_of(mask, width, value);
        let mut parents: Vec<u32> = (0..runs.len() as u32).collect();
        join_rows(&runs, &mut parents, u32::from(diagonal));
        let mut numbers = vec![u32::MAX; runs.len()];
        let mut list = Vec::new();
        for (index, run) in runs.iter_mut().enumerate() {
            let root = root_of(&mut parents, index as u32) as usize;
            if numbers[root] == u32::MAX {
                numbers[root] = list.len() as u32;
                list.push(Component::empty());
            }
            run.label = numbers[root];
            list[numbers[root] as usize].add(run);
        }
        Components { runs, list }
    }

    /// The points at the ends of all runs of a component; their hull is its hull.
    pub fn outline(&self, component: usize) -> Vec<Point> {
        let own = self.runs.iter().filter(|run| run.label as usize == component);
        own.flat_map(ends).collect()
    }
}

fn runs_of(mask: &[bool], width: usize, value: bool) -> Vec<Run> {
    let mut runs = Vec::new();
    for (row, pixels) in (0..).zip(mask.chunks_exact(width.max(1))) {
        let mut x = 0;
        while x < width {
            if pixels[x] != value {
                x += 1;
                continue;
            }
            let start = x;
            while x < width && pixels[x] == value {
                x += 1;
            }
            runs.push(Run { row, start: start as u32, end: x as u32, label: 0 });
        }
    }
    runs
}

/// Joins runs that touch a run of the row above.
fn join_rows(runs: &[Run], parents: &mut [u32], reach: u32) {
    let mut above = 0;
    for index in 0..runs.len() {
        let run = runs[index];
        // Runs above that end before this one cannot touch later runs of the row either.
        while above < index
            && (runs[above].row + 1 < run.row
                || (runs[above].row + 1 == run.row && runs[above].end + reach <= run.start))
        {
            above += 1;
        }
        let mut other = above;
        while other < index && runs[other].row + 1 == run.row && runs[other].start < run.end + reach
        {
            let (a, b) = (root_of(parents, other as u32), root_of(parents, index as u32));
            parents[a.max(b) as usize] = a.min(b);
            other += 1;
        }
    }
}

fn root_of(parents: &mut [u32], mut index: u32) -> u32 {
    while parents[index as usize] != index {
        let next = parents[parents[index as usize] as usize];
        parents[index as usize] = next;
        index = next;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(rows: &[&str]) -> (Vec<bool>, usize) {
        let pixels = rows.iter().flat_map(|row| row.bytes().map(|byte| byte == b'#')).collect();
        (pixels, rows[0].len())
    }

    #[test]
    fn joins_arms_that_meet_below() {
        let (pixels, width) = mask(&["#..#.", "#..#.", "####."]);
        let components = Components::new(&pixels, width, true, false);
        assert_eq!(components.list.len(), 1);
        let only = &components.list[0];
        assert_eq!((only.area, only.width(), only.height()), (8, 4, 3));
    }

    #[test]
    fn diagonal_pixels_join_only_if_requested() {
        let (pixels, width) = mask(&["#..", ".#.", "..#"]);
        assert_eq!(Components::new(&pixels, width, true, false).list.len(), 3);
        assert_eq!(Components::new(&pixels, width, true, true).list.len(), 1);
    }

    #[test]
    fn holes_are_components_of_the_background() {
        let (pixels, width) = mask(&["#####", "#.#.#", "#####"]);
        let holes = Components::new(&pixels, width, false, false);
        assert_eq!(holes.list.len(), 2);
        assert_eq!(holes.list[1].left, 3);
    }
}
