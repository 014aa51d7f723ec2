//! Literals (a variable or its negation), and lists of lists in one allocation.

use std::ops::{Not, Range};

/// A variable or its negation. Bit 0 is the sign (0 means positive), the other bits are the number
/// of the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(pub u32);

impl Literal {
    pub fn new(variable: usize, is_true: bool) -> Literal {
        Literal((variable as u32) << 1 | u32::from(!is_true))
    }

    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the literal is the variable itself and not its negation.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The index of the literal in an array with one entry per literal.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// A list of lists in one allocation: list `i` is `items[start[i]..start[i + 1]]`.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    start: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    pub fn new() -> Lists<T> {
        Lists { start: vec![0], items: Vec::new() }
    }

    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.start.push(self.items.len() as u32);
    }

    pub fn count(&self) -> usize {
        self.start.len() - 1
    }

    #[inline]
    pub fn at(&self, list: usize) -> &[T] {
        &self.items[self.range(list)]
    }

    /// The range of a list in the items, for callers that cannot borrow the list while iterating.
    #[inline]
    pub fn range(&self, list: usize) -> Range<usize> {
        self.start[list] as usize..self.start[list + 1] as usize
    }

    /// The item at an index of a [`range`](Lists::range).
    #[inline]
    pub fn item(&self, place: usize) -> T {
        self.items[place]
    }
}

impl Lists<Literal> {
    /// For each of `literals` literals, the lists that contain it.
    pub fn lists_of_each(&self, literals: usize) -> Lists<u32> {
        let mut start = vec![0u32; literals + 1];
        for literal in &self.items {
            start[literal.index() + 1] += 1;
        }
        // Counting sort: prefix sums of the counts are the start of each list.
        for at in 0..literals {
            start[at + 1] += start[at];
        }
        let mut next = start.clone();
        let mut items = vec![0; self.items.len()];
        for list in 0..self.count() {
            for literal in self.at(list) {
                let place = &mut next[literal.index()];
                items[*place as usize] = list as u32;
                *place += 1;
            }
        }
        Lists { start, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_literals_to_the_lists_that_contain_them() {
        let (a, b) = (Literal::new(0, true), Literal::new(1, true));
        let mut lists = Lists::new();
        lists.push([a, b]);
        lists.push([!a]);
        lists.push([b]);
        let of = lists.lists_of_each(4);
        assert_eq!(
            [of.at(a.index()), of.at((!a).index()), of.at(b.index()), of.at((!b).index())],
            [&[0][..], &[1], &[0, 2], &[]]
        );
    }
}
