//! Stores, watches and forgets learned clauses.
//!
//! ```text
//!     |      header      |  literals  |
//! ... | length | quality | a  b  c  d | ...      one flat list of 32-bit words
//!                          ^  ^
//!                          watched
//! ```
//! A clause is visited only when one of its first two literals, the watched ones, becomes false
//! (Moskewicz et al. 2001). Each watched literal has a list of watches, which name the clauses to
//! visit. A watch also contains a blocker, another literal of its clause. If the blocker is true,
//! the clause need not be read.
//!
//! The quality is the number of decision levels among the literals when the clause was learned or
//! last used (LBD, Audemard and Simon 2009); fewer is better. Its highest bit is set if the clause
//! was used recently.

use crate::grid::rules::literal::Literal;

/// The index of a clause in the list of words. It changes when clauses are forgotten.
pub type ClauseId = u32;

const HEADER: usize = 2;
const USED: u32 = 1 << 31;
/// Clauses of this quality or better are never forgotten.
const GOOD: u32 = 2;
/// Clauses of this quality or better are kept while they are in use.
const USEFUL: u32 = 6;

/// All learned clauses with their watches.
pub struct Clauses {
    words: Vec<u32>,
    ids: Vec<ClauseId>,
    /// For each literal the clauses to visit when it becomes false.
    pub watches: Vec<Vec<Watch>>,
}

/// A clause to visit, unless the blocker is true.
#[derive(Clone, Copy)]
pub struct Watch {
    pub clause: ClauseId,
    pub blocker: Literal,
}

impl Clauses {
    pub fn new(variables: usize) -> Clauses {
        Clauses { words: Vec::new(), ids: Vec::new(), watches: vec![Vec::new(); 2 * variables] }
    }

    /// Adds a clause of two or more literals; the first two are watched.
    pub fn add(&mut self, literals: &[Literal], quality: u32) -> ClauseId {
        let id = self.words.len() as ClauseId;
        self.words.extend([literals.len() as u32, quality | USED]);
        self.words.extend(literals.iter().map(|literal| literal.0));
        self.ids.push(id);
        self.watch(id);
        id
    }

    fn length(&self, id: ClauseId) -> usize {
        self.words[id as usize] as usize
    }

    fn literal(&self, id: ClauseId, place: usize) -> Literal {
        Literal(self.words[id as usize + HEADER + place])
    }

    pub fn literals(&self, id: ClauseId) -> impl Iterator<Item = Literal> + '_ {
        let start = id as usize + HEADER;
        self.words[start..start + self.length(id)].iter().map(|&word| Literal(word))
    }

    /// The literals of a clause as words, to swap the watched ones.
    pub fn words_mut(&mut self, id: ClauseId) -> &mut [u32] {
        let (start, length) = (id as usize + HEADER, self.length(id));
        &mut self.words[start..start + length]
    }

    /// Records that a clause was used in a conflict, and its quality if it has improved.
    pub fn mark_used(&mut self, id: ClauseId, quality: u32) {
        let word = &mut self.words[id as usize + 1];
        *word = (*word & !USED).min(quality) | USED;
    }

    /// Whether the clause is good enough never to be forgotten.
    pub fn is_good(&self, id: ClauseId) -> bool {
        self.words[id as usize + 1] & !USED <= GOOD
    }

    /// Forgets the worse half of the clauses that are not protected. Protected are good clauses,
    /// useful ones that were used since the last call, and those in `locked`, which is sorted.
    /// Returns the old and the new index of each remaining clause, in ascending order.
    pub fn forget(&mut self, locked: &[ClauseId]) -> Vec<(ClauseId, ClauseId)> {
        let forgotten = self.worse_half(locked);
        let mut words = Vec::with_capacity(self.words.len());
        let mut moved = Vec::with_capacity(self.ids.len());
        for &id in self.ids.iter().filter(|id| forgotten.binary_search(id).is_err()) {
            moved.push((id, words.len() as ClauseId));
            let start = id as usize;
            words.extend_from_slice(&self.words[start..start + HEADER + self.length(id)]);
        }
        self.words = words;
        self.ids = moved.iter().map(|&(_, now)| now).collect();
        self.watches.iter_mut().for_each(Vec::clear);
        for at in 0..self.ids.len() {
            self.watch(self.ids[at]);
        }
        moved
    }

    fn worse_half(&mut self, locked: &[ClauseId]) -> Vec<ClauseId> {
        let mut weak = Vec::new();
        for &id in &self.ids {
            let word = &mut self.words[id as usize + 1];
            let used = *word & USED != 0;
            *word &= !USED;
            let quality = *word;
            let stays =
                quality <= GOOD || used && quality <= USEFUL || locked.binary_search(&id).is_ok();
            if !stays {
                weak.push((quality, self.length(id), id));
            }
        }
        weak.sort_unstable();
        let mut forgotten: Vec<ClauseId> =
            weak[weak.len() / 2..].iter().map(|&(_, _, id)| id).collect();
        forgotten.sort_unstable();
        forgotten
    }

    fn watch(&mut self, id: ClauseId) {
        let (a, b) = (self.literal(id, 0), self.literal(id, 1));
        self.watches[a.index()].push(Watch { clause: id, blocker: b });
        self.watches[b.index()].push(Watch { clause: id, blocker: a });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_the_worse_half_and_moves_the_rest() {
        let mut clauses = Clauses::new(10);
        let pair = |a| [Literal::new(a, true), Literal::new(a + 1, false)];
        let bad = clauses.add(&pair(0), 9);
        let locked = clauses.add(&pair(1), 8);
        let fair = clauses.add(&pair(2), 7);
        let good = clauses.add(&pair(3), 2);
        let moved = clauses.forget(&[locked]);
        let kept: Vec<ClauseId> = moved.iter().map(|&(old, _)| old).collect();
        assert_eq!(kept, [locked, fair, good]);
        assert!(!kept.contains(&bad));
        for (&(_, now), first) in moved.iter().zip([1, 2, 3]) {
            assert_eq!(clauses.literals(now).collect::<Vec<_>>(), pair(first));
            assert_eq!(clauses.watches[pair(first)[0].index()].len(), 1);
        }
        assert!(clauses.watches[pair(0)[0].index()].is_empty());
    }
}
