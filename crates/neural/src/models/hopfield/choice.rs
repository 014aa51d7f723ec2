//! Rules that select the uncertain cell that gets a hint. A cell is uncertain if the network leaves
//! it several possible values; a hint is its digit in the solution.

use ninefold::grid::{Cell, DigitSet, Order};
use ninefold::random::Random;

/// A rule that selects one uncertain cell; among equal cells, the first in reading order.
///
/// The paper selects "the cell with the highest number of common possible values that it shares
/// with other uncertain cells". There are three interpretations, and each gives the index 3 of the
/// paper on its sample board, so all three are available. (Counting the cells that share a value
/// would give 2 there.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Our interpretation of the paper: the number of possible values in common with each other
    /// uncertain cell, summed over these cells.
    Commonality,
    /// The same, restricted to cells in the same row, column or box: only these will lose a value.
    CommonalityOfPeers,
    /// Another interpretation: the number of possible values that any other uncertain cell has,
    /// too.
    SharedValues,
    /// The cell with the fewest possible values.
    FewestValues,
    /// A uniformly random cell.
    Random,
}

impl Choice {
    /// All rules, the paper's first.
    pub const ALL: [Choice; 5] = [
        Choice::Commonality,
        Choice::CommonalityOfPeers,
        Choice::SharedValues,
        Choice::FewestValues,
        Choice::Random,
    ];

    /// Name of the index, as in "the highest …".
    pub const fn name(self) -> &'static str {
        match self {
            Choice::Commonality => "commonality index",
            Choice::CommonalityOfPeers => "commonality index among peers",
            Choice::SharedValues => "number of shared values",
            Choice::FewestValues => "number of possible values",
            Choice::Random => "random draw",
        }
    }

    /// The selected cell and its index; `None` if no cell is uncertain.
    pub(super) fn pick(
        self,
        uncertain: &[(Cell, DigitSet)],
        order: Order,
        random: &mut Random,
    ) -> Option<(Cell, Option<usize>)> {
        let cells = || uncertain.iter().map(|&(cell, _)| cell);
        let highest =
            |indexes: Vec<usize>| cells().zip(indexes).rev().max_by_key(|&(_, index)| index);
        let picked = match self {
            Choice::Commonality => highest(commonality(uncertain)),
            Choice::CommonalityOfPeers => highest(commonality_of_peers(uncertain, order)),
            Choice::SharedValues => highest(shared_values(uncertain)),
            Choice::FewestValues => uncertain
                .iter()
                .map(|&(cell, values)| (cell, values.count()))
                .min_by_key(|&(_, count)| count),
            Choice::Random => return random.pick(uncertain).map(|&(cell, _)| (cell, None)),
        };
        picked.map(|(cell, index)| (cell, Some(index)))
    }
}

/// For each cell, the number of values in common with each other cell, summed.
fn commonality(uncertain: &[(Cell, DigitSet)]) -> Vec<usize> {
    let holders = holders(uncertain);
    uncertain
        .iter()
        .map(|&(_, values)| values.map(|digit| holders[digit.index()] - 1).sum())
        .collect()
}

fn commonality_of_peers(uncertain: &[(Cell, DigitSet)], order: Order) -> Vec<usize> {
    let mut values = vec![DigitSet::EMPTY; order.cell_count()];
    for &(cell, possible) in uncertain {
        values[cell.index()] = possible;
    }
    let common = |a: Cell, b: Cell| (values[a.index()] & values[b.index()]).count();
    let index = |cell| order.peers_of(cell).iter().map(|&peer| common(cell, peer)).sum();
    uncertain.iter().map(|&(cell, _)| index(cell)).collect()
}

fn shared_values(uncertain: &[(Cell, DigitSet)]) -> Vec<usize> {
    let holders = holders(uncertain);
    uncertain
        .iter()
        .map(|&(_, values)| values.filter(|digit| holders[digit.index()] > 1).count())
        .collect()
}

/// For each digit, the number of uncertain cells where it is possible.
fn holders(uncertain: &[(Cell, DigitSet)]) -> [usize; Order::MAX_SIDE] {
    let mut holders = [0; Order::MAX_SIDE];
    for &(_, values) in uncertain {
        for digit in values {
            holders[digit.index()] += 1;
        }
    }
    holders
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::grid::Digit;

    fn values(numbers: &[u8]) -> DigitSet {
        numbers.iter().filter_map(|&number| Digit::new(number)).collect()
    }

    fn check(choice: Choice, uncertain: &[(Cell, DigitSet)], cell: Cell, index: usize) {
        let picked = choice.pick(uncertain, Order::NINE, &mut Random::new(0));
        assert_eq!(picked, Some((cell, Some(index))), "{choice:?}");
    }

    #[test]
    fn all_interpretations_agree_on_the_sample_of_the_paper() {
        let cell = |row| Order::NINE.cell(row, 8);
        let uncertain = [
            (cell(1), values(&[2, 4, 7])),
            (cell(2), values(&[1, 2, 8])),
            (cell(5), values(&[4, 7, 9])),
            (cell(7), values(&[5, 8])),
        ];
        check(Choice::Commonality, &uncertain, cell(1), 3);
        check(Choice::CommonalityOfPeers, &uncertain, cell(1), 3);
        check(Choice::SharedValues, &uncertain, cell(1), 3);
        check(Choice::FewestValues, &uncertain, cell(7), 2);
    }

    #[test]
    fn interpretations_differ_for_cells_that_are_not_peers() {
        let cell = Order::NINE.cell(0, 0);
        let [far, near, last] =
            [(4, 4), (8, 7), (8, 8)].map(|(row, column)| Order::NINE.cell(row, column));
        let uncertain = [
            (cell, values(&[1, 2])),
            (far, values(&[1, 2])),
            (near, values(&[1, 3, 4])),
            (last, values(&[3, 5])),
        ];
        check(Choice::Commonality, &uncertain, cell, 3);
        check(Choice::CommonalityOfPeers, &uncertain, near, 1);
        check(Choice::SharedValues, &uncertain, cell, 2);
    }

    #[test]
    fn ties_go_to_the_first_cell() {
        let uncertain = [2, 3, 4].map(|column| (Order::NINE.cell(0, column), values(&[1, 2])));
        for choice in [
            Choice::Commonality,
            Choice::CommonalityOfPeers,
            Choice::SharedValues,
            Choice::FewestValues,
        ] {
            let picked = choice.pick(&uncertain, Order::NINE, &mut Random::new(0));
            assert_eq!(picked.map(|(cell, _)| cell), Some(Order::NINE.cell(0, 2)), "{choice:?}");
        }
    }

    #[test]
    fn random_choice_reaches_every_cell() {
        let uncertain = [2, 3, 4].map(|column| (Order::NINE.cell(0, column), values(&[1, 2])));
        let mut random = Random::new(5);
        let picks: Vec<_> =
            (0..50).map(|_| Choice::Random.pick(&uncertain, Order::NINE, &mut random)).collect();
        assert!(uncertain.iter().all(|&(cell, _)| picks.contains(&Some((cell, None)))));
        assert!(
            Choice::ALL.iter().all(|choice| choice.pick(&[], Order::NINE, &mut random).is_none())
        );
    }
}
