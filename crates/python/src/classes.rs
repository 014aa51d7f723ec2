//! Puzzles up to symmetry: images, classes, and parts that share none.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, grid, rows};
use crate::work::{interruptible, map, threads};
use ninefold::grid::Symmetry;
use ninefold::puzzles::split::{By, Manifest, Split};
use ninefold::puzzles::{Canonical, canonical as canonical_form};
use ninefold::random::Random;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

/// Two arrays with a row for each puzzle.
type Two<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u8>>);

/// Images of puzzles, and of their solutions where there are any.
type Images<'py> = (Bound<'py, PyArray2<u8>>, Option<Bound<'py, PyArray2<u8>>>);

/// One image of each row: row `i` by the symmetry that part `start + i` of the seed draws, and row `i` of `partners` by the same
/// one, so puzzles and solutions stay together.
#[pyfunction]
pub fn augment<'py>(
    py: Python<'py>,
    grids: PyReadonlyArray2<'py, u8>,
    partners: Option<PyReadonlyArray2<'py, u8>>,
    boxes: Boxes,
    seed: u64,
    start: u64,
    threads: usize,
) -> PyResult<Images<'py>> {
    let grids = Puzzles::of(&grids, boxes)?;
    let partners = partners.as_ref().map(|partners| Puzzles::of(partners, boxes)).transpose()?;
    let (order, cells) = (grids.order, grids.order.cell_count());
    // Without partners their part of each bundle is empty.
    let beside = partners.map_or(&[][..], |partners| partners.numbers);
    if partners.is_some() && beside.len() != grids.numbers.len() {
        return Err(NinefoldError::new_err("puzzles and solutions do not go together, row by row"));
    }
    let (mut images, mut moved) = (vec![0; grids.numbers.len()], vec![0; beside.len()]);
    let places = (&mut images, &mut moved);
    let threads = self::threads(threads);
    interruptible(py, move |cancel| {
        let none = std::iter::repeat_with(|| (&[][..], &mut [][..]));
        let besides =
            beside.chunks(1024 * cells).zip(places.1.chunks_mut(1024 * cells)).chain(none);
        let bundles = grids
            .numbers
            .chunks(1024 * cells)
            .zip(places.0.chunks_mut(1024 * cells))
            .zip(besides)
            .enumerate();
        crate::work::share(
            threads,
            bundles,
            cancel,
            |(bundle, ((grids, images), (beside, moved)))| {
                let first = start.wrapping_add(1024 * bundle as u64);
                let mut besides = beside.chunks_exact(cells).zip(moved.chunks_exact_mut(cells));
                let pairs = grids.chunks_exact(cells).zip(images.chunks_exact_mut(cells));
                for (index, (numbers, image)) in (0..).zip(pairs) {
                    let by = Symmetry::random(
                        order,
                        &mut Random::for_part(seed, first.wrapping_add(index)),
                    );
                    by.image_of_numbers(numbers, image);
                    if let Some((numbers, image)) = besides.next() {
                        by.image_of_numbers(numbers, image);
                    }
                }
            },
        );
    })?;
    let moved = partners.map(|_| rows(py, moved, cells)).transpose()?;
    Ok((rows(py, images, cells)?, moved))
}

fn forms(py: Python<'_>, grids: Puzzles<'_>, threads: usize) -> PyResult<Vec<Canonical>> {
    let all: Vec<&[u8]> = grids.rows().collect();
    let threads = self::threads(threads);
    interruptible(py, move |cancel| {
        map(threads, &all, cancel, |_, row| canonical_form(&grid(grids.order, row)))
    })
}

/// The form of each row's class, and its fingerprint in 16 bytes.
#[pyfunction]
pub fn canonical<'py>(
    py: Python<'py>,
    grids: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    threads: usize,
) -> PyResult<Two<'py>> {
    let grids = Puzzles::of(&grids, boxes)?;
    let forms = forms(py, grids, threads)?;
    let numbers =
        forms.iter().flat_map(|canonical| canonical.form.numbers().collect::<Vec<u8>>()).collect();
    let fingerprints =
        forms.iter().flat_map(|canonical| canonical.fingerprint().to_be_bytes()).collect();
    Ok((rows(py, numbers, grids.order.cell_count())?, rows(py, fingerprints, 16)?))
}

/// The names of the parts, and the part that each row belongs to.
#[pyfunction]
pub fn split<'py>(
    py: Python<'py>,
    grids: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    parts: &str,
    seed: u64,
    threads: usize,
) -> PyResult<(Vec<String>, Bound<'py, PyArray1<u32>>)> {
    let split =
        Split::read(parts, seed).map_err(|error| NinefoldError::new_err(error.to_string()))?;
    let names = split.parts().iter().map(|part| part.name.clone()).collect();
    let forms = forms(py, Puzzles::of(&grids, boxes)?, threads)?;
    // Whether the rows are puzzles or solutions is the caller's business: the parts depend on the forms alone.
    let mut manifest = Manifest::new(split, By::Puzzle);
    let parts = forms.iter().map(|form| manifest.add(form) as u32).collect();
    Ok((names, PyArray1::from_vec(py, parts)))
}
