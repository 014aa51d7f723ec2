//! Symmetries of puzzles: random images, canonical forms, and dataset splits. An image of a puzzle
//! is the result of renaming its digits and permuting or mirroring its rows and columns. A split
//! divides a data set into parts, such as training and test, and keeps all images of a puzzle in
//! one part.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, grid, rows};
use crate::work::{interruptible, map, threads};
use ninefold::grid::Symmetry;
use ninefold::puzzles::split::{Manifest, Split, SplitBy};
use ninefold::puzzles::{Canonical, canonical as canonical_form};
use ninefold::random::Random;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

/// Two arrays with one row per puzzle.
type Two<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u8>>);

/// Images of puzzles, and of their solutions if given.
type Images<'py> = (Bound<'py, PyArray2<u8>>, Option<Bound<'py, PyArray2<u8>>>);

/// Maps row `i` to its image under a random symmetry that depends only on `seed` and `start + i`.
/// The same symmetry is applied to row `i` of `partners`, so puzzles and solutions still match.
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
    let grids = Puzzles::from_array(&grids, boxes)?;
    let partners =
        partners.as_ref().map(|partners| Puzzles::from_array(partners, boxes)).transpose()?;
    let (order, cells) = (grids.order, grids.order.cell_count());
    // Without partners, their part of each bundle is empty.
    let partner_numbers = partners.map_or(&[][..], |partners| partners.numbers);
    if partners.is_some() && partner_numbers.len() != grids.numbers.len() {
        return Err(NinefoldError::new_err("expected as many solutions as puzzles"));
    }
    let (mut images, mut moved) = (vec![0; grids.numbers.len()], vec![0; partner_numbers.len()]);
    let places = (&mut images, &mut moved);
    let threads = self::threads(threads);
    interruptible(py, move |cancel| {
        let none = std::iter::repeat_with(|| (&[][..], &mut [][..]));
        let besides =
            partner_numbers.chunks(1024 * cells).zip(places.1.chunks_mut(1024 * cells)).chain(none);
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
                    let symmetry = Symmetry::random(
                        order,
                        &mut Random::for_part(seed, first.wrapping_add(index)),
                    );
                    symmetry.image_of_numbers(numbers, image);
                    if let Some((numbers, image)) = besides.next() {
                        symmetry.image_of_numbers(numbers, image);
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

/// The canonical form of each row, and its fingerprint of 16 bytes.
#[pyfunction]
pub fn canonical<'py>(
    py: Python<'py>,
    grids: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    threads: usize,
) -> PyResult<Two<'py>> {
    let grids = Puzzles::from_array(&grids, boxes)?;
    let forms = forms(py, grids, threads)?;
    let numbers =
        forms.iter().flat_map(|canonical| canonical.form.numbers().collect::<Vec<u8>>()).collect();
    let fingerprints =
        forms.iter().flat_map(|canonical| canonical.fingerprint().to_be_bytes()).collect();
    Ok((rows(py, numbers, grids.order.cell_count())?, rows(py, fingerprints, 16)?))
}

/// The names of the parts, and the part index of each row.
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
        Split::parse(parts, seed).map_err(|error| NinefoldError::new_err(error.to_string()))?;
    let names = split.parts().iter().map(|part| part.name.clone()).collect();
    let forms = forms(py, Puzzles::from_array(&grids, boxes)?, threads)?;
    // The rows may also be solutions: the parts depend only on the canonical forms.
    let mut manifest = Manifest::new(split, SplitBy::Puzzle);
    let parts = forms.iter().map(|form| manifest.add(form) as u32).collect();
    Ok((names, PyArray1::from_vec(py, parts)))
}
