//! The regions of a board as its lines show them: boxes, or the irregular regions of a jigsaw.

use crate::mesh::Mesh;

/// The classic boxes: the number of the box of each cell. `None` for sides without boxes.
pub fn boxes(side: usize) -> Option<Vec<u8>> {
    let order = ninefold::grid::Order::from_side(side)?;
    let (rows, columns) = (order.box_rows(), order.box_columns());
    let number = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        (row / rows * (side / columns) + column / columns) as u8
    };
    Some((0..side * side).map(number).collect())
}

/// The regions that thick lines enclose, in the orientation of the photo, if they are as many and
/// as large as a jigsaw needs and differ from the classic boxes.
pub fn jigsaw(mesh: &Mesh) -> Option<Vec<u8>> {
    let side = mesh.side;
    let mut strengths = Vec::new();
    for vertical in [false, true] {
        for line in 1..side {
            strengths.extend((0..side).map(|segment| mesh.strength(vertical, line, segment)));
        }
    }
    strengths.sort_by(f32::total_cmp);
    // Try the threshold between thin and thick lines wherever there is a gap in the strengths. A
    // jigsaw has between a fifth and a half of its inner segments on borders.
    let mut gaps: Vec<usize> = (strengths.len() / 2..strengths.len() * 9 / 10).collect();
    gaps.sort_by(|&a, &b| {
        let gap = |i: usize| strengths[i + 1] - strengths[i];
        gap(b).total_cmp(&gap(a))
    });
    gaps.into_iter().take(6).find_map(|at| {
        let threshold = 0.5 * (strengths[at] + strengths[at + 1]);
        let regions = flood(mesh, threshold)?;
        (Some(&regions) != boxes(side).as_ref()).then_some(regions)
    })
}

/// Regions of cells that are not separated by lines stronger than the threshold; `None` unless
/// there are `side` regions of `side` cells.
fn flood(mesh: &Mesh, threshold: f32) -> Option<Vec<u8>> {
    let side = mesh.side;
    let mut regions = vec![u8::MAX; side * side];
    let mut next = 0;
    for start in 0..side * side {
        if regions[start] != u8::MAX {
            continue;
        }
        if next == side {
            return None;
        }
        let mut stack = vec![start];
        let mut size = 0;
        regions[start] = next as u8;
        while let Some(cell) = stack.pop() {
            size += 1;
            for neighbour in open_neighbours(mesh, cell, threshold) {
                if regions[neighbour] == u8::MAX {
                    regions[neighbour] = next as u8;
                    stack.push(neighbour);
                }
            }
        }
        if size != side {
            return None;
        }
        next += 1;
    }
    Some(regions)
}

fn open_neighbours(mesh: &Mesh, cell: usize, threshold: f32) -> impl Iterator<Item = usize> {
    let side = mesh.side;
    let (row, column) = (cell / side, cell % side);
    let is_open =
        |vertical: bool, line: usize, at: usize| mesh.strength(vertical, line, at) < threshold;
    let above = (row > 0 && is_open(false, row, column)).then(|| cell - side);
    let below = (row + 1 < side && is_open(false, row + 1, column)).then_some(cell + side);
    let left = (column > 0 && is_open(true, column, row)).then(|| cell - 1);
    let right = (column + 1 < side && is_open(true, column + 1, row)).then_some(cell + 1);
    [above, below, left, right].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_numbered_in_reading_order() {
        assert_eq!(boxes(4).unwrap(), [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]);
        let six = boxes(6).unwrap();
        assert_eq!((six[0], six[3], six[12], six[35]), (0, 1, 2, 5));
        assert_eq!(boxes(9).unwrap()[80], 8);
    }
}
