//! Which uncertain cell gets the hint.

use ninefold::grid::{Cell, DigitSet, Order};
use ninefold::random::Random;

/// A rule that picks one uncertain cell; of equal cells the first in reading order is taken.
///
/// The paper picks "the cell with the highest number of common possible values that it shares with other uncertain
/// cells". These words can be read in three ways, and each of them gives the paper's index of 3 on its sample board,
/// so all three can be compared. (Counting the cells that share a value would give 2 there and is not what it means.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The paper's rule as we read it: go through all other uncertain cells and add up how many possible values each
    /// has in common with this one.
    Commonality,
    /// The same, but only cells of the same row, column or box count: only these will lose a value.
    CommonalityOfPeers,
    /// Another reading: how many of the cell's possible values are found in any other uncertain cell.
    SharedValues,
    /// The cell with the fewest possible values.
    FewestValues,
    /// Any cell, each equally likely.
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

    /// What the rule goes by, as in "the highest …".
    pub const fn name(self) -> &'static str {
        match self {
            Choice::Commonality => "commonality index",
            Choice::CommonalityOfPeers => "commonality index among peers",
            Choice::SharedValues => "number of shared values",
            Choice::FewestValues => "number of possible values",
            Choice::Random => "random draw",
        }
    }

    /// The cell for the hint with the number that speaks for it; nothing if no cell is uncertain.
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

/// For each cell: its common possible values with each other cell, added up.
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

/// For each digit the number of uncertain cells in which it is possible.
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
    fn all_readings_of_the_papers_rule_agree_on_its_sample() {
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
    fn the_readings_differ_where_cells_do_not_see_each_other() {
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
    fn of_equal_cells_the_first_is_taken() {
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
    fn a_random_choice_reaches_every_cell_and_none_has_nothing_to_choose() {
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
