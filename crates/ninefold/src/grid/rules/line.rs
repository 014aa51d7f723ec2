//! Rules about the sequence of digits along a line, as automata.
//!
//! An automaton reads the digits one by one and either rejects or reaches an accepting state. The
//! layered graph of its states (`layered.rs`) is the compiled form, and [`LineKind::holds`] checks
//! a full line directly from the definition.

use super::compile::Compiler;
use super::layered::{Edge, build};
use crate::grid::Cell;

/// A rule about the digits along a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum LineKind {
    /// The digits between the smallest and the largest digit of the grid have this sum.
    Sandwich(u32),
    /// This many digits are larger than all digits before them.
    Skyscraper(u32),
    /// The first X digits have this sum, where X is the first digit.
    XSum(u32),
    /// The X-th digit is this one, where X is the first digit.
    NumberedRoom(u8),
    /// The first two cells are the ends of the line: all other digits are strictly between theirs.
    Between,
    /// The first two cells are the ends of the line: their digits differ by at least this much, and
    /// no other digit is in their range.
    Lockout(u8),
    /// The line has segments of these lengths, and the digits of each segment have the same sum.
    EqualSums(Vec<usize>),
}

/// The state of a line that has met its condition.
const DONE: u64 = 1 << 60;

impl LineKind {
    /// Whether a full line satisfies the rule, straight from the definition.
    #[must_use]
    pub fn holds(&self, digits: &[u8], side: usize) -> bool {
        let sum = |digits: &[u8]| digits.iter().map(|digit| u32::from(*digit)).sum::<u32>();
        match self {
            LineKind::Sandwich(total) => {
                let is_crust = |digit: &u8| *digit == 1 || usize::from(*digit) == side;
                let crusts: Vec<usize> =
                    (0..digits.len()).filter(|&at| is_crust(&digits[at])).collect();
                crusts.len() == 2 && sum(&digits[crusts[0] + 1..crusts[1]]) == *total
            }
            LineKind::Skyscraper(count) => {
                let visible =
                    (0..digits.len()).filter(|&at| digits[..at].iter().all(|d| *d < digits[at]));
                visible.count() == *count as usize
            }
            LineKind::XSum(total) => {
                let length = usize::from(digits[0]);
                length <= digits.len() && sum(&digits[..length]) == *total
            }
            LineKind::NumberedRoom(value) => digits.get(usize::from(digits[0]) - 1) == Some(value),
            LineKind::Between => {
                let Some((low, high)) = ends(digits) else { return true };
                digits[2..].iter().all(|digit| low < *digit && *digit < high)
            }
            LineKind::Lockout(distance) => {
                let Some((low, high)) = ends(digits) else { return true };
                high - low >= *distance
                    && digits[2..].iter().all(|digit| *digit < low || *digit > high)
            }
            LineKind::EqualSums(lengths) => {
                let mut rest = digits;
                let mut sums = Vec::new();
                for &length in lengths {
                    let (segment, tail) = rest.split_at(length);
                    sums.push(sum(segment));
                    rest = tail;
                }
                rest.is_empty() && sums.windows(2).all(|pair| pair[0] == pair[1])
            }
        }
    }

    /// The state after a digit, or `None` if no full line continues from there.
    pub(crate) fn next(&self, line: Line, position: usize, state: u64, digit: u64) -> Option<u64> {
        match self {
            LineKind::Sandwich(total) => {
                let is_crust = digit == 1 || digit == line.side;
                match state {
                    0 => Some(u64::from(is_crust)),
                    DONE => (!is_crust).then_some(DONE),
                    _ if is_crust => (state - 1 == u64::from(*total)).then_some(DONE),
                    _ => (state - 1 + digit <= u64::from(*total)).then_some(state + digit),
                }
            }
            LineKind::Skyscraper(count) => {
                let (top, visible) = (state & 0xff, state >> 8);
                if digit < top {
                    return Some(state);
                }
                (visible < u64::from(*count)).then_some(digit | (visible + 1) << 8)
            }
            LineKind::XSum(total) => {
                if state == DONE {
                    return Some(DONE);
                }
                let (left, sum) = if position == 0 {
                    (digit - 1, digit)
                } else {
                    ((state >> 16) - 1, (state & 0xffff) + digit)
                };
                match left {
                    _ if sum > u64::from(*total) => None,
                    0 => (sum == u64::from(*total)).then_some(DONE),
                    _ if left > line.length => None,
                    _ => Some(left << 16 | sum),
                }
            }
            LineKind::NumberedRoom(value) => {
                let room = if position == 0 { digit } else { state };
                if room == DONE {
                    return Some(DONE);
                }
                if room > line.length {
                    return None;
                }
                if room == position as u64 + 1 {
                    return (digit == u64::from(*value)).then_some(DONE);
                }
                Some(room)
            }
            LineKind::Between | LineKind::Lockout(_) if position == 0 => Some(digit),
            LineKind::Between | LineKind::Lockout(_) if position == 1 => {
                let distance = match self {
                    LineKind::Lockout(distance) => u64::from(*distance),
                    _ => 0,
                };
                let (low, high) = (digit.min(state), digit.max(state));
                (high - low >= distance).then_some(low | high << 8)
            }
            LineKind::Between => ((state & 0xff) < digit && digit < state >> 8).then_some(state),
            LineKind::Lockout(_) => (digit < (state & 0xff) || digit > state >> 8).then_some(state),
            LineKind::EqualSums(lengths) => {
                let (target, sum) = (state >> 16, (state & 0xffff) + digit);
                let mut end = 0;
                let ends_segment = lengths.iter().any(|length| {
                    end += length;
                    end == position + 1
                });
                let is_first = position < lengths[0];
                match (is_first, ends_segment) {
                    (true, true) => Some(sum << 16),
                    (true, false) => Some(sum),
                    (false, true) => (sum == target).then_some(target << 16),
                    (false, false) => (sum < target).then_some(target << 16 | sum),
                }
            }
        }
    }

    pub(crate) fn accepts(&self, state: u64) -> bool {
        match self {
            LineKind::Sandwich(_) | LineKind::XSum(_) | LineKind::NumberedRoom(_) => state == DONE,
            LineKind::Skyscraper(count) => state >> 8 == u64::from(*count),
            LineKind::Between | LineKind::Lockout(_) | LineKind::EqualSums(_) => true,
        }
    }
}

/// What an automaton needs to know about the line.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub(crate) side: u64,
    pub(crate) length: u64,
}

/// The smaller and the larger of the first two digits.
fn ends(digits: &[u8]) -> Option<(u8, u8)> {
    let (a, b) = (*digits.first()?, *digits.get(1)?);
    Some((a.min(b), a.max(b)))
}

impl LineKind {
    /// The automaton for a line of this length without known digits: the edges of each layer, with
    /// digits counted from 0. `None` if no line satisfies the rule.
    pub(crate) fn layers(&self, side: usize, length: usize) -> Option<Vec<Vec<Edge>>> {
        let line = Line { side: side as u64, length: length as u64 };
        let positions = vec![(1..=side as i64).collect(); length];
        let next = |position, state, digit: i64| self.next(line, position, state, digit as u64);
        build(&positions, 0, next, |state| self.accepts(state))
    }
}

impl Compiler {
    pub(super) fn line(&mut self, cells: &[Cell], kind: &LineKind) {
        let line = Line { side: self.side as u64, length: cells.len() as u64 };
        let positions = self.positions(cells);
        self.layered(
            &positions,
            0,
            |position, state, digit| kind.next(line, position, state, digit as u64),
            |state| kind.accepts(state),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line of five cells over five digits: the automaton accepts exactly what the rule
    /// allows.
    #[test]
    fn automata_accept_exactly_the_lines_that_the_rules_allow() {
        let kinds = [
            LineKind::Sandwich(5),
            LineKind::Skyscraper(3),
            LineKind::XSum(9),
            LineKind::NumberedRoom(4),
            LineKind::Between,
            LineKind::Lockout(2),
            LineKind::EqualSums(vec![2, 2, 1]),
        ];
        let line = Line { side: 5, length: 5 };
        for kind in &kinds {
            let mut allowed = 0;
            for number in 0..5u32.pow(5) {
                let digits: Vec<u8> =
                    (0..5).map(|at| (number / 5u32.pow(at) % 5) as u8 + 1).collect();
                let is_row = (1..=5).all(|digit| digits.contains(&digit));
                // Sandwiches and skyscrapers are defined for rows with different digits.
                let needs_row = matches!(kind, LineKind::Sandwich(_) | LineKind::Skyscraper(_));
                if needs_row && !is_row {
                    continue;
                }
                let mut state = Some(0);
                for (position, digit) in digits.iter().enumerate() {
                    state =
                        state.and_then(|state| kind.next(line, position, state, u64::from(*digit)));
                }
                let accepted = state.is_some_and(|state| kind.accepts(state));
                assert_eq!(accepted, kind.holds(&digits, 5), "{kind:?} on {digits:?}");
                allowed += usize::from(accepted);
            }
            assert!(allowed > 0, "{kind:?} allows nothing");
        }
    }
}
