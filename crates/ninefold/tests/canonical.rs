//! Canonical forms held to many random images: 20 of each puzzle, `NINEFOLD_CASES=1000` takes a thousand.

#[path = "common/amount.rs"]
mod amount;

use ninefold::generate::{self, Wish};
use ninefold::grid::{Order, Symmetry};
use ninefold::puzzles::canonical;
use ninefold::random::Random;
use std::collections::HashSet;

#[test]
fn a_hundred_puzzles_keep_their_form_in_every_image() {
    let images = amount::cases(20);
    let wish = Wish { minimal: true, ..Wish::any(Order::NINE) };
    let mut random = Random::new(1);
    let mut forms = HashSet::new();
    generate::make_many(&wish, 2, 0..100, 1, |_, made| {
        let puzzle = made.unwrap().puzzle;
        let form = canonical(&puzzle).form;
        for _ in 0..images {
            let image = Symmetry::random(Order::NINE, &mut random).image(&puzzle);
            let found = canonical(&image);
            assert_eq!(found.form, form, "{puzzle} and {image}");
            assert_eq!(found.symmetry.image(&image), form);
        }
        forms.insert(form);
        true
    });
    assert_eq!(forms.len(), 100, "a hundred puzzles made at random are a hundred classes");
}

#[test]
fn other_sizes_keep_their_form_too() {
    let mut random = Random::new(3);
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 5), (3, 4)] {
        let order = Order::boxes(rows, columns).unwrap();
        for index in 0..5 {
            let made = generate::make(&Wish::any(order), 4, index).unwrap();
            for grid in [made.puzzle, made.solution] {
                let form = canonical(&grid).form;
                for _ in 0..10 {
                    let image = Symmetry::random(order, &mut random).image(&grid);
                    assert_eq!(canonical(&image).form, form, "{grid} and {image}");
                }
            }
        }
    }
}
