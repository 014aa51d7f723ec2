//! Literals: the statement that a variable is true, or that it is false.

use std::ops::{Not, Range};

/// A variable with a sign. Bit 0 is the sign (0 means "is true"), the bits above are the variable's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(pub u32);

impl Literal {
    /// "This variable is true" or "is false".
    pub fn new(variable: usize, is_true: bool) -> Literal {
        Literal((variable as u32) << 1 | u32::from(!is_true))
    }

    /// The variable it speaks about.
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Does it say that its variable is true?
    pub fn says_true(self) -> bool {
        self.0 & 1 == 0
    }

    /// Its place in a list with an entry for each literal.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The opposite statement.
impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Many lists in one: list `i` is `items[start[i]..start[i + 1]]`.
pub struct Lists<T> {
    start: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// No list yet.
    pub fn new() -> Lists<T> {
        Lists { start: vec![0], items: Vec::new() }
    }

    /// Adds a list at the end.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.start.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub fn count(&self) -> usize {
        self.start.len() - 1
    }

    /// One list.
    #[inline]
    pub fn at(&self, list: usize) -> &[T] {
        &self.items[self.range(list)]
    }

    /// Where one list lies, for callers that change other things while they go through it.
    #[inline]
    pub fn range(&self, list: usize) -> Range<usize> {
        self.start[list] as usize..self.start[list + 1] as usize
    }

    /// The item at a place of a [`range`](Lists::range).
    #[inline]
    pub fn item(&self, place: usize) -> T {
        self.items[place]
    }
}

impl Lists<Literal> {
    /// For each of `literals` literals the numbers of the lists that hold it.
    pub fn lists_of_each(&self, literals: usize) -> Lists<u32> {
        let mut start = vec![0u32; literals + 1];
        for literal in &self.items {
            start[literal.index() + 1] += 1;
        }
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
    fn every_literal_knows_the_lists_that_hold_it() {
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
