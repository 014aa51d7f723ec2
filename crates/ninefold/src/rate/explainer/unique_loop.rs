//! Unique rectangles and loops, types 1 to 4.
//!
//! A loop visits cells that all have the same two digits as candidates; most of them have no
//! others. Its cells are numbered along the loop, and each house that it visits contains one cell
//! with an even number and one with an odd number. All loops are found. The best hint is used: the
//! one with the lowest rating, then the first type, then the first one found. The search follows
//! the correction by lksudoku, as do all current successors of Sudoku Explainer.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::pattern::union_of_size;
use super::tables::{CELLS_OF, HOUSE_SET, HOUSES_OF, PEERS, cells, count, ones};

/// A hint with its key. Hints with equal keys are duplicates.
struct Found {
    hint: Hint,
    kind: u8,
    cells: u128,
    /// For type 3: naked or hidden, the house, the digits and the places.
    set: Option<(bool, usize, u16, u16)>,
}

/// The hint with the lowest rating.
pub(super) fn find(board: &Board) -> Option<Hint> {
    let mut search = Search { board, pair: 0, possible: 0, path: Vec::new(), hints: Vec::new() };
    let mut done = 0_u128;
    for cell in board.cells_with(2) {
        let pair = board.digits[cell];
        let has_pair = |other: &usize| board.digits[*other] & pair == pair;
        let all = cells(board.empty).filter(has_pair).fold(0_u128, |set, other| set | 1 << other);
        // Loops through an earlier start with the same digits are known.
        let known = cells(all & done)
            .filter(|&other| board.digits[other] == pair)
            .fold(0, |set, other| set | 1 << other);
        search.pair = pair;
        search.possible = all & !known;
        if search.possible.count_ones() >= 4 {
            search.extend(cell, 2, 0, usize::MAX, [0; 2]);
        }
        done |= 1 << cell;
    }
    let cheaper =
        |a: &Found, b: &Found| a.hint.rating.total_cmp(&b.hint.rating).then(a.kind.cmp(&b.kind));
    search.hints.into_iter().min_by(cheaper).map(|found| found.hint)
}

struct Search<'a> {
    board: &'a Board,
    pair: u16,
    /// The cells with both digits that are not on the path, and its start.
    possible: u128,
    path: Vec<usize>,
    hints: Vec<Found>,
}

impl Search<'_> {
    /// Extends the path from `cell`. At most `spare` more cells may have extra digits, `extra` are
    /// the extra digits so far, `last` is the kind of house by which the cell was reached, and
    /// `visited` are the houses of even and odd steps.
    fn extend(&mut self, cell: usize, spare: i32, extra: u16, last: usize, visited: [u32; 2]) {
        let houses = HOUSES_OF[cell].iter().fold(0, |set: u32, &(house, _)| set | 1 << house);
        let parity = self.path.len() % 2;
        // No valid loop visits a house twice at steps of the same parity.
        if visited[parity] & houses != 0 {
            return;
        }
        let mut visited = visited;
        visited[parity] |= houses;
        let is_start = self.path.is_empty();
        self.path.push(cell);
        if !is_start {
            self.possible &= !(1 << cell);
        }
        for kind in (0..3).filter(|&kind| kind != last) {
            for next in cells(self.possible & HOUSE_SET[usize::from(HOUSES_OF[cell][kind].0)]) {
                if next == self.path[0] {
                    if self.path.len() >= 4 && visited[0] == visited[1] {
                        self.find_types();
                    }
                } else {
                    let more = extra | self.board.digits[next] & !self.pair;
                    let is_pair = self.board.digits[next] == self.pair;
                    if is_pair || count(more) == 1 || spare > 0 {
                        self.extend(next, spare - i32::from(!is_pair), more, kind, visited);
                    }
                }
            }
        }
        self.path.pop();
        self.possible |= 1 << cell;
    }

    /// Searches for the four types on the loop formed by the path.
    fn find_types(&mut self) {
        let board = self.board;
        let extras: Vec<usize> =
            self.path.iter().copied().filter(|&cell| board.digits[cell] != self.pair).collect();
        let extra = extras.iter().fold(0, |set, &cell| set | board.digits[cell]) & !self.pair;
        match *extras.as_slice() {
            [] => {}
            [cell] => self.add(1, vec![(cell, self.pair)], 0.0, None),
            [first, second] => {
                if count(extra) == 1 {
                    self.type_2(&extras, extra);
                } else {
                    self.type_3(first, second, extra);
                }
                self.type_4(first, second);
            }
            _ => self.type_2(&extras, extra),
        }
    }

    fn type_2(&mut self, extras: &[usize], extra: u16) {
        let board = self.board;
        let common = extras.iter().fold(board.empty, |set, &cell| set & PEERS[cell]);
        let losing = |cell: &usize| board.digits[*cell] & extra != 0;
        let removes = cells(common).filter(losing).map(|cell| (cell, extra)).collect();
        self.add(2, removes, 0.0, None);
    }

    fn type_3(&mut self, first: usize, second: usize, extra: u16) {
        for degree in 2..=7 {
            for ((house, place), (other_house, other_place)) in
                HOUSES_OF[first].into_iter().zip(HOUSES_OF[second])
            {
                if house == other_house {
                    let (house, empty) =
                        (usize::from(house), usize::from(self.board.empty_in[usize::from(house)]));
                    if degree * 2 <= empty && degree >= count(extra) {
                        self.naked(house, place, other_place, extra, degree);
                    }
                    if degree * 2 < empty {
                        self.hidden(house, place, other_place, extra, degree);
                    }
                }
            }
        }
    }

    /// The extra digits of both cells form a naked set with other cells of a house.
    fn naked(&mut self, house: usize, place: u8, other_place: u8, extra: u16, degree: usize) {
        let board = self.board;
        let digits_at = |place: usize| board.digits[usize::from(CELLS_OF[house][place])];
        let shared = extra & digits_at(usize::from(place)) & digits_at(usize::from(other_place));
        let both = 1 << place | 1 << other_place;
        for places in (0..512_u16).filter(|set| count(*set) == degree - 1 && set & both == 0) {
            // These are the subsets of all cells that contain the first one, in the same order.
            let others = ones(places).fold(0, |set, place| set | digits_at(place));
            if count(shared | others) != degree || count(extra | others) != degree {
                continue;
            }
            if ones(places).any(|place| count(digits_at(place)) < 2) {
                continue;
            }
            let digits = extra | others;
            let losing = |place: &usize| {
                (places | both) >> place & 1 == 0 && digits_at(*place) & digits != 0
            };
            let removes = (0..9).filter(losing);
            let removes = removes
                .map(|place| (usize::from(CELLS_OF[house][place]), digits_at(place) & digits))
                .collect();
            self.add(3, removes, (degree - 1) as f64 * 0.1, Some((true, house, digits, places)));
        }
    }

    /// The two digits of the loop form a hidden set with other digits in a house.
    fn hidden(&mut self, house: usize, place: u8, other_place: u8, extra: u16, degree: usize) {
        let board = self.board;
        let others = !self.pair & !extra & 0x1FF;
        if others == 0 {
            return;
        }
        for digits in (0..512_u16).filter(|set| count(*set) == degree - 2 && set & !others == 0) {
            let digits = digits | self.pair;
            let places_of = |digit: usize| board.places[house][digit] & !(1 << other_place);
            if ones(digits).any(|digit| places_of(digit) == 0) {
                continue;
            }
            let Some(places) = union_of_size(ones(digits).map(places_of), degree) else { continue };
            let places = places & !(1 << place);
            let cell_at = |place: usize| usize::from(CELLS_OF[house][place]);
            let losing = |cell: &usize| board.digits[*cell] & !digits != 0;
            let removes = ones(places)
                .map(cell_at)
                .filter(losing)
                .map(|cell| (cell, board.digits[cell] & !digits))
                .collect();
            self.add(
                3,
                removes,
                (f64::from(places.count_ones()) - 1.0) * 0.1,
                Some((false, house, digits, places)),
            );
        }
    }

    /// One of the two digits is locked in both cells, so the other one is removed.
    fn type_4(&mut self, first: usize, second: usize) {
        let digits = [self.pair.trailing_zeros() as usize, 15 - self.pair.leading_zeros() as usize];
        let is_locked = |digit: usize| {
            (0..3).any(|kind| {
                let ((house, place), (other_house, other_place)) =
                    (HOUSES_OF[first][kind], HOUSES_OF[second][kind]);
                let places = self.board.places[usize::from(house)][digit];
                house == other_house && places & !(1 << place | 1 << other_place) == 0
            })
        };
        let goes = if is_locked(digits[0]) {
            digits[1]
        } else if is_locked(digits[1]) {
            digits[0]
        } else {
            return;
        };
        self.add(4, vec![(first, 1 << goes), (second, 1 << goes)], 0.0, None);
    }

    fn add(
        &mut self,
        kind: u8,
        removes: Vec<(usize, u16)>,
        more: f64,
        set: Option<(bool, usize, u16, u16)>,
    ) {
        let cells = self.path.iter().fold(0, |set, &cell| set | 1 << cell);
        let is_known =
            |found: &Found| found.kind == kind && found.cells == cells && found.set == set;
        if removes.is_empty() || self.hints.iter().any(is_known) {
            return;
        }
        let length = self.path.len();
        let mut rating = 4.5;
        if length >= 10 {
            rating += 0.3;
        }
        if length >= 8 {
            rating += 0.2;
        } else if length >= 6 {
            rating += 0.1;
        }
        let technique = Technique::UniqueLoop(length as u8, kind);
        self.hints.push(Found {
            hint: Hint::removing(technique, rating + more, removes),
            kind,
            cells,
            set,
        });
    }
}
