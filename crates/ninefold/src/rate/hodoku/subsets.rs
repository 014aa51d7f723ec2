//! Subsets in HoDoKu's order: first boxes, then rows, then columns. If a house has several subsets,
//! the one with the first cells (naked) or the lowest digits (hidden) is used.
//!
//! A naked subset whose cells share a box and a line and that has removals in both is called
//! *locked*. Locked subsets are a separate technique that is tried first.

use super::singles::{Singles, cell_in, houses_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Naked,
    Locked,
    Hidden,
}

/// Removed candidates as cell and digit, in HoDoKu's order.
pub(super) type Removes = Vec<(usize, usize)>;

const BOXES: std::ops::Range<usize> = 18..27;
const LINES: std::ops::Range<usize> = 0..18;

/// The removals of the first subset of a kind and size.
pub(super) fn find(singles: &Singles, kind: Kind, size: usize) -> Option<Removes> {
    let lines = LINES.filter(|_| kind != Kind::Locked);
    BOXES.chain(lines).find_map(|house| match kind {
        Kind::Hidden => hidden(singles, house, size),
        Kind::Naked | Kind::Locked => naked(singles, house, size, kind == Kind::Locked),
    })
}

fn naked(singles: &Singles, house: usize, size: usize, is_locked: bool) -> Option<Removes> {
    let cells: Vec<usize> = (0..9).map(|place| cell_in(house, place)).collect();
    let few = |cell: &usize| (1..=size).contains(&(singles.digits_at(*cell).count_ones() as usize));
    let few: Vec<usize> = cells.into_iter().filter(few).collect();
    let sets: Vec<u16> = few.iter().map(|&cell| singles.digits_at(cell)).collect();
    first_choice(&sets, size, |chosen, digits| {
        let cells: Vec<usize> = chosen.iter().map(|&n| few[n]).collect();
        let (removes, locks) = removed_by(singles, &cells, digits);
        (!removes.is_empty() && locks == is_locked).then_some(removes)
    })
}

/// The removals of a naked subset in all houses that its cells share, and whether it is locked.
fn removed_by(singles: &Singles, cells: &[usize], digits: u16) -> (Removes, bool) {
    let first = houses_of(cells[0]);
    let is_shared =
        [0, 1, 2].map(|kind| cells.iter().all(|&cell| houses_of(cell)[kind] == first[kind]));
    let mut removes = Vec::new();
    let mut houses_hit = 0;
    for kind in (0..3).filter(|&kind| is_shared[kind]) {
        let others =
            (0..9).map(|place| cell_in(first[kind], place)).filter(|cell| !cells.contains(cell));
        let mut is_hit = false;
        for cell in others {
            for digit in (0..9).filter(|digit| (singles.digits_at(cell) & digits) >> digit & 1 == 1)
            {
                removes.push((cell, digit));
                is_hit |= kind == 2 || houses_of(cell)[2] != first[2];
            }
        }
        houses_hit += usize::from(is_hit);
    }
    let locks = cells.len() < 4 && houses_hit > 1 && is_shared[2] && (is_shared[0] || is_shared[1]);
    (removes, locks)
}

fn hidden(singles: &Singles, house: usize, size: usize) -> Option<Removes> {
    let cells: Vec<usize> = (0..9).map(|place| cell_in(house, place)).collect();
    if cells.iter().filter(|&&cell| singles.digits_at(cell) != 0).count() <= size {
        return None;
    }
    let places_of = |digit: usize| {
        let holds = |&place: &usize| singles.digits_at(cells[place]) >> digit & 1 == 1;
        (0..9).filter(holds).fold(0_u16, |set, place| set | 1 << place)
    };
    let few: Vec<usize> = (0..9)
        .filter(|&digit| (1..=size).contains(&(places_of(digit).count_ones() as usize)))
        .collect();
    let sets: Vec<u16> = few.iter().map(|&digit| places_of(digit)).collect();
    first_choice(&sets, size, |chosen, places| {
        let keeps = chosen.iter().fold(0_u16, |set, &n| set | 1 << few[n]);
        let mut removes = Vec::new();
        for cell in (0..9).filter(|place| places >> place & 1 == 1).map(|place| cells[place]) {
            let goes = |digit: &usize| (singles.digits_at(cell) & !keeps) >> digit & 1 == 1;
            removes.extend((0..9).filter(goes).map(|digit| (cell, digit)));
        }
        (!removes.is_empty()).then_some(removes)
    })
}

/// The first result for `size` sets, in numerical order, whose union has the same size.
fn first_choice(
    sets: &[u16],
    size: usize,
    mut ask: impl FnMut(&[usize], u16) -> Option<Removes>,
) -> Option<Removes> {
    fn extend(
        sets: &[u16],
        size: usize,
        chosen: &mut Vec<usize>,
        union: u16,
        ask: &mut dyn FnMut(&[usize], u16) -> Option<Removes>,
    ) -> Option<Removes> {
        if chosen.len() == size {
            return if union.count_ones() as usize == size { ask(chosen, union) } else { None };
        }
        let first = chosen.last().map_or(0, |last| last + 1);
        (first..sets.len()).find_map(|n| {
            let more = union | sets[n];
            if more.count_ones() as usize > size {
                return None;
            }
            chosen.push(n);
            let answer = extend(sets, size, chosen, more, ask);
            chosen.pop();
            answer
        })
    }
    extend(sets, size, &mut Vec::new(), 0, &mut ask)
}
