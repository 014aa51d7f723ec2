//! Generated variants: every kind has one solution by the definitions of its rules, seeds reproduce
//! puzzles, and options are honoured or rejected.

#[path = "common/definitions.rs"]
mod definitions;

use definitions::Definitions;
use ninefold::generate::variants::{
    self, Density, GeneratedVariant, VariantError, VariantKind, VariantOptions,
};
use ninefold::grid::Order;
use ninefold::grid::rules::Constraint;
use ninefold::search::redundancy::{self, Part};
use ninefold::{Limits, StopReason};
use std::sync::atomic::AtomicBool;

/// Choices of the slow solver, far more than any generated puzzle needs.
const NODES: usize = 200_000;

fn order(side: usize) -> Order {
    Order::from_side(side).unwrap_or_else(|| Order::without_boxes(side).unwrap())
}

fn kinds(list: &str) -> Vec<VariantKind> {
    VariantKind::parse_list(list).unwrap()
}

/// Panics unless the slow solver finds exactly this solution.
fn assert_unique(variant: &GeneratedVariant, name: &str) {
    let definitions = Definitions::new(&variant.rules);
    assert!(definitions.holds(&variant.solution), "{name}: {variant:?}");
    let mut givens = variant.givens.iter().zip(&variant.solution);
    assert!(givens.all(|(given, digit)| given.is_none_or(|given| given == *digit)), "{name}");
    let solutions = definitions.solutions(&variant.givens, 2, NODES).expect("the nodes suffice");
    assert_eq!(solutions, std::slice::from_ref(&variant.solution), "{name}: {variant:?}");
}

fn generate(options: &VariantOptions<'_>, seed: u64) -> GeneratedVariant {
    variants::generate_one(options, seed, 0)
        .unwrap_or_else(|error| panic!("{:?} on {}: {error}", options.kinds, options.order))
}

/// Kinds and sides without a full grid, or on which the rule cannot be drawn.
const IMPOSSIBLE: [(VariantKind, usize); 5] = [
    (VariantKind::Windoku, 4),
    (VariantKind::Windoku, 6),
    (VariantKind::AntiKing, 4),
    (VariantKind::Nonconsecutive, 4),
    (VariantKind::Entropic, 4),
];

#[test]
fn every_kind_is_unique_by_its_definition_on_small_grids() {
    let mut failed = Vec::new();
    for kind in VariantKind::all() {
        for side in [4, 6] {
            let options = VariantOptions::new(order(side), vec![kind]);
            let name = format!("{kind} on {side}×{side}");
            match variants::generate_one(&options, 3, 0) {
                Ok(variant) => assert_unique(&variant, &name),
                Err(_) => failed.push((kind, side)),
            }
        }
    }
    assert_eq!(failed, IMPOSSIBLE);
}

#[test]
fn every_kind_is_unique_by_its_definition_on_nine_by_nine() {
    for kind in VariantKind::all() {
        // The slow solver needs many givens.
        let options = VariantOptions::new(Order::NINE, vec![kind]).with_clues(32..=40);
        let variant = generate(&options, 5);
        assert_unique(&variant, kind.name());
        assert!(!variant.rules.is_classic(), "{kind} adds no rule");
    }
}

#[test]
fn jigsaws_of_many_sides_are_unique() {
    for side in [4, 5, 6, 7, 8, 10] {
        let options = VariantOptions::new(order(side), kinds("jigsaw"));
        let variant = generate(&options, 1);
        assert!(!variant.rules.order().has_boxes());
        assert_eq!(variant.rules.side(), side);
        assert_unique(&variant, &format!("jigsaw of side {side}"));
    }
}

#[test]
fn kinds_can_be_combined() {
    for list in
        ["killer,x", "jigsaw,thermo,even-odd", "thermo,arrow,whispers", "kropki,anti-knight"]
    {
        let variant = generate(&VariantOptions::new(order(6), kinds(list)), 2);
        assert_unique(&variant, list);
    }
    let variant = generate(&VariantOptions::new(order(6), kinds("thermo,arrow")), 2);
    let has =
        |is_kind: &dyn Fn(&Constraint) -> bool| variant.rules.constraints().iter().any(is_kind);
    assert!(has(&|constraint| matches!(constraint, Constraint::Arrow { .. })));
    assert!(has(&|constraint| matches!(constraint, Constraint::Line { .. })));
}

#[test]
fn seeds_reproduce_puzzles_on_any_number_of_threads() {
    let options = VariantOptions::new(order(6), kinds("killer,jigsaw"));
    let collect = |threads| {
        let mut list = Vec::new();
        variants::generate_many(&options, 11, 3..9, threads, |index, variant| {
            list.push((index, variant.unwrap()));
            true
        });
        list
    };
    let puzzles = collect(1);
    assert_eq!(puzzles, collect(2));
    assert_eq!(puzzles.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8]);
    assert_eq!(puzzles[2].1, variants::generate_one(&options, 11, 5).unwrap());
    assert_ne!(puzzles[0].1, puzzles[1].1);
    assert_ne!(puzzles[0].1, variants::generate_one(&options, 12, 3).unwrap());
}

#[test]
fn killers_and_lines_need_no_givens() {
    for (list, side) in [("killer", 6), ("killer", 9), ("thermo", 4), ("arrow,thermo", 6)] {
        let options = VariantOptions::new(order(side), kinds(list)).with_clues(0..=0);
        let variant = generate(&options, 4);
        assert_eq!(variant.given_count(), 0);
        assert_unique(&variant, list);
        // No cage is a given in disguise.
        let single = |constraint: &Constraint| matches!(constraint, Constraint::Cage { cells, .. } if cells.len() < 2);
        assert!(!variant.rules.constraints().iter().any(single));
    }
}

#[test]
fn the_number_of_givens_is_within_the_range() {
    for (range, minimal) in [(8..=10, false), (20..=20, false), (0..=9, true)] {
        let options = VariantOptions::new(order(6), kinds("x,thermo"))
            .with_clues(range.clone())
            .with_minimal(minimal);
        for seed in 0..4 {
            let variant = generate(&options, seed);
            assert!(range.contains(&variant.given_count()), "{range:?}");
            assert_unique(&variant, "x,thermo");
        }
    }
}

#[test]
fn minimal_puzzles_and_rules_have_no_redundant_part() {
    for list in ["killer", "even-odd", "greater-than", "sandwich,x"] {
        let options = VariantOptions::new(order(6), kinds(list)).with_minimal(true);
        let variant = generate(&options.with_minimal_rules(true), 8);
        let found = redundancy::redundant(&variant.rules, &variant.givens, &Limits::none());
        let is_global = |part: &Part| match part {
            Part::Constraint(index) => {
                matches!(variant.rules.constraints()[*index], Constraint::Diagonal(_))
            }
            Part::Given(_) => false,
        };
        assert!(found.parts.iter().all(is_global), "{list}: {found:?}");
        assert_eq!(found.stop, None);
        assert_unique(&variant, list);
    }
    // Without the request, this puzzle has rules that are not needed.
    let options = VariantOptions::new(order(6), kinds("greater-than"));
    let variant = generate(&options, 8);
    let found = redundancy::redundant(&variant.rules, &variant.givens, &Limits::none());
    assert!(found.parts.iter().any(|part| matches!(part, Part::Constraint(_))));
    assert!(!found.parts.iter().any(|part| matches!(part, Part::Given(_))));
}

#[test]
fn density_changes_the_number_of_rules() {
    let count = |density| {
        let options = VariantOptions::new(order(6), kinds("sandwich,thermo")).with_density(density);
        generate(&options, 1).rules.constraints().len()
    };
    let (sparse, dense) = (count(Density::Sparse), count(Density::Dense));
    assert!(sparse < count(Density::Normal) && sparse < dense, "{sparse} {dense}");
    for density in [Density::Sparse, Density::Normal, Density::Dense] {
        assert_eq!(density.to_string().parse(), Ok(density));
    }
}

#[test]
fn impossible_options_are_named() {
    let error = |options: &VariantOptions<'_>| {
        variants::generate_one(options, 1, 0).expect_err("the options are impossible").to_string()
    };
    let of = |side, list| VariantOptions::new(order(side), kinds(list));
    assert_eq!(
        error(&of(7, "killer")),
        "a 7×7 grid without boxes needs the kind jigsaw or no-boxes"
    );
    assert_eq!(
        error(&of(6, "windoku")),
        "windoku is not possible on this 6×6 grid: it is defined for 9×9 grids"
    );
    assert_eq!(error(&of(3, "jigsaw")), "expected a side from 4 to 16, found 3");
    assert_eq!(error(&of(9, "consecutive,kropki")), "kropki and consecutive cannot be combined");
    assert_eq!(
        error(&of(4, "x").with_clues(3..=17)),
        "invalid number of clues 3-17 for a grid of 16 cells"
    );
    assert_eq!(
        error(&of(4, "killer").with_cage_sizes(5..=6)),
        "expected cages of 2 to 4 cells, found 5-6"
    );
    assert_eq!(
        error(&VariantOptions::new(Order::NINE, Vec::new())),
        "expected at least one kind of variant"
    );
    let too_few = of(6, "x").with_clues(0..=1).with_attempts(3);
    assert!(
        error(&too_few).starts_with("no matching puzzle found in 3 complete grids; the nearest"),
        "{}",
        error(&too_few)
    );
    let cancelled = AtomicBool::new(true);
    let options = of(6, "killer").with_limits(Limits::none().with_cancel(&cancelled));
    assert_eq!(
        variants::generate_one(&options, 1, 0),
        Err(VariantError::Interrupted { stop: StopReason::Cancelled })
    );
}
