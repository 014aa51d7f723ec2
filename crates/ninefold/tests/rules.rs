//! The solver for puzzles with rules, compared with a plain enumeration of all 4×4 grids.
//!
//! The check of full grids shares no code with the compiled form, so equal counts on random rules
//! show that every kind of rule is compiled correctly.

use ninefold::grid::rules::{LineKind, Relation, Rule, Rules, RulesError};
use ninefold::grid::{Cell, Digit, DigitSet, Order};
use ninefold::random::Random;
use ninefold::search::rules::solve;
use ninefold::{Limits, StopReason};

const SIDE: usize = 4;

/// All 576 Latin squares of side 4.
fn latin_squares() -> Vec<Vec<Digit>> {
    let rules = Rules::without_regions(SIDE).unwrap();
    let found = solve(&rules, &[None; 16], 10_000, &Limits::none());
    assert_eq!(found.effort.stop, None);
    found.solutions
}

fn below(random: &mut Random, bound: usize) -> usize {
    random.below(bound)
}

/// Between `least` and `most` different cells.
fn distinct_cells(random: &mut Random, least: usize, most: usize) -> Vec<Cell> {
    let count = least + random.below(most - least + 1);
    let mut cells: Vec<Cell> = (0..SIDE * SIDE).map(Cell::new).collect();
    random.shuffle(&mut cells);
    cells.truncate(count);
    cells
}

fn digit(random: &mut Random) -> Digit {
    Digit::from_index(below(random, SIDE))
}

fn random_rule(random: &mut Random) -> Rule {
    match below(random, 12) {
        0 => Rule::Differ(distinct_cells(random, 2, 4)),
        1 => {
            let count = 1 + below(random, 3);
            let smallest = count * (count + 1) / 2;
            let sum = smallest + below(random, count * (SIDE - count) + 1);
            Rule::Cage { cells: distinct_cells(random, count, count), sum: sum as u32 }
        }
        2 | 3 => {
            let cells = distinct_cells(random, 2, 6);
            let terms: Vec<(i32, Cell)> = cells
                .into_iter()
                .map(|cell| ([1, 1, 1, -1, 2, 10][below(random, 6)], cell))
                .collect();
            Rule::Sum { terms, total: below(random, 16) as i32 }
        }
        4 => Rule::Candidates {
            cell: Cell::new(below(random, 16)),
            digits: DigitSet::from_bits(1 + below(random, 15) as u64),
        },
        5 | 6 => {
            let n = 1 + below(random, 4) as u8;
            let relations = [
                Relation::Less,
                Relation::LessOrEqual,
                Relation::Equal,
                Relation::Different,
                Relation::Difference(n),
                Relation::NotDifference(n),
                Relation::AtLeastApart(n),
                Relation::Within(n),
                Relation::Ratio(n),
                Relation::NotRatio(n),
                Relation::Total(n + 2),
                Relation::NotTotal(n + 2),
                Relation::OtherClass(2),
                Relation::SameClass(2),
                Relation::OtherRemainder(2),
                Relation::SameRemainder(2),
            ];
            let relation = relations[below(random, relations.len())];
            let cells = distinct_cells(random, 4, 4);
            Rule::Pairs { pairs: vec![(cells[0], cells[1]), (cells[2], cells[3])], relation }
        }
        7 => {
            // Sandwiches and skyscrapers are defined for complete rows and columns.
            let at = below(random, SIDE);
            let step = if below(random, 2) == 0 { 1 } else { SIDE };
            let start = if step == 1 { at * SIDE } else { at };
            let cells = (0..SIDE).map(|i| Cell::new(start + i * step)).collect();
            let clue = below(random, 8) as u32;
            let kind = match below(random, 4) {
                0 => LineKind::Sandwich(clue),
                1 => LineKind::Skyscraper(1 + clue % 4),
                2 => LineKind::XSum(1 + clue),
                _ => LineKind::NumberedRoom(1 + (clue % 4) as u8),
            };
            Rule::Line { cells, kind }
        }
        8 => {
            let cells = distinct_cells(random, 4, 4);
            let kind = match below(random, 3) {
                0 => LineKind::Between,
                1 => LineKind::Lockout(1 + below(random, 2) as u8),
                _ => LineKind::EqualSums(vec![1, 2, 1]),
            };
            Rule::Line { cells, kind }
        }
        9 => Rule::Contains {
            cells: distinct_cells(random, 5, 5),
            digits: vec![digit(random), digit(random)],
        },
        10 => Rule::CountingCircles(distinct_cells(random, 1, 6)),
        _ => {
            let cells = distinct_cells(random, 2, 2);
            Rule::Index {
                cell: cells[0],
                digit: digit(random),
                other: cells[1],
                value: digit(random),
            }
        }
    }
}

#[test]
fn finds_exactly_the_grids_that_satisfy_random_rules() {
    let squares = latin_squares();
    assert_eq!(squares.len(), 576);
    let mut random = Random::new(1);
    let (mut none, mut some) = (0, 0);
    for case in 0..600 {
        let mut rules = match below(&mut random, 3) {
            0 => Rules::without_regions(SIDE).unwrap(),
            1 => Rules::classic(Order::FOUR),
            _ => {
                let layout = [0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 1, 3, 2, 3, 3, 3];
                Rules::jigsaw(SIDE, layout.map(Some).to_vec()).unwrap()
            }
        };
        for _ in 0..1 + below(&mut random, 4) {
            let rule = random_rule(&mut random);
            rules.push(rule.clone()).unwrap_or_else(|error| panic!("{rule:?}: {error}"));
        }
        let mut expected: Vec<Vec<Digit>> =
            squares.iter().filter(|square| rules.hold_for(square)).cloned().collect();
        let mut found = solve(&rules, &[None; 16], 10_000, &Limits::none());
        assert_eq!(found.effort.stop, None);
        let key = |grid: &Vec<Digit>| grid.iter().map(|digit| digit.number()).collect::<Vec<u8>>();
        expected.sort_by_key(key);
        found.solutions.sort_by_key(key);
        assert_eq!(found.solutions, expected, "case {case}: {:?}", rules.rules());
        if expected.is_empty() { none += 1 } else { some += 1 }
    }
    assert!(none > 50 && some > 200, "{none} impossible and {some} possible cases");
}

/// A killer without givens; its cages were derived from a grid.
#[test]
fn solves_a_small_killer_without_givens() {
    let cages: [(&[usize], u32); 7] = [
        (&[0, 1], 3),
        (&[2, 3, 7], 8),
        (&[4, 8], 5),
        (&[5, 6], 5),
        (&[9, 10, 13], 8),
        (&[11, 15], 3),
        (&[12, 14], 6),
    ];
    let mut rules = Rules::classic(Order::FOUR);
    for (cells, sum) in cages {
        let cells = cells.iter().map(|&index| Cell::new(index)).collect();
        rules.push(Rule::Cage { cells, sum }).unwrap();
    }
    let found = solve(&rules, &[None; 16], 10, &Limits::none());
    let squares = latin_squares();
    let expected = squares.iter().filter(|square| rules.hold_for(square)).count();
    assert_eq!(found.solutions.len(), expected);
}

#[test]
fn grids_of_side_seven_need_no_boxes() {
    let rules = Rules::without_regions(7).unwrap();
    let found = solve(&rules, &[None; 49], 1, &Limits::none());
    assert_eq!(found.solutions.len(), 1);
    assert!(rules.hold_for(&found.solutions[0]));
}

#[test]
fn respects_node_limits() {
    let rules = Rules::without_regions(9).unwrap();
    let found = solve(&rules, &[None; 81], 1_000_000, &Limits::none().with_nodes(50));
    assert_eq!(found.effort.stop, Some(StopReason::Nodes));
}

#[test]
fn rejects_rules_that_cannot_be_used() {
    let cell = Cell::new;
    let rules = || Rules::classic(Order::FOUR);
    let cage = |cells: &[usize], sum| Rule::Cage {
        cells: cells.iter().map(|&index| cell(index)).collect(),
        sum,
    };
    let message = |rule| rules().with(rule).unwrap_err().to_string();
    assert_eq!(
        message(cage(&[0, 1], 8)),
        "rule at r1c1, r1c2: 2 different digits from 1 to 4 cannot have the sum 8"
    );
    assert_eq!(message(cage(&[0, 0], 3)), "rule at r1c1, r1c1: r1c1 appears twice in one rule");
    assert_eq!(
        message(cage(&[0, 1, 4, 5, 8], 10)),
        "rule at r1c1, r1c2, r2c1, r2c2, r3c1: 5 cells cannot have different digits from 1 to 4"
    );
    assert_eq!(
        message(cage(&[0, 16], 3)),
        "rule at r1c1, r5c1: cell 16 is outside a grid of 16 cells"
    );
    assert_eq!(message(cage(&[], 0)), "rule: a rule has no cells");
    assert_eq!(Rules::without_regions(1), Err(RulesError::Side { found: 1 }));
    assert_eq!(
        Rules::jigsaw(4, vec![Some(0); 16]),
        Err(RulesError::LargeRegion { cells: 16, digits: 4 })
    );
}
