//! Compares the canonical forms of random symmetric images of a puzzle: 20 per puzzle, or
//! `NINEFOLD_CASES` if set.

#[path = "common/amount.rs"]
mod amount;

use ninefold::generate::{self, GenerateOptions};
use ninefold::grid::{Order, Symmetry};
use ninefold::puzzles::canonical;
use ninefold::random::Random;
use std::collections::HashSet;

#[test]
fn images_of_a_hundred_puzzles_have_the_same_form() {
    let images = amount::cases(20);
    let options = GenerateOptions::new(Order::NINE).with_minimal(true);
    let mut random = Random::new(1);
    let mut forms = HashSet::new();
    generate::generate_many(&options, 2, 0..100, 1, |_, generated| {
        let puzzle = generated.unwrap().puzzle;
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
    assert_eq!(forms.len(), 100, "random puzzles are not images of each other");
}

#[test]
fn images_have_the_same_form_for_other_sizes() {
    let mut random = Random::new(3);
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 5), (3, 4)] {
        let order = Order::new(rows, columns).unwrap();
        for index in 0..5 {
            let generated = generate::generate_one(&GenerateOptions::new(order), 4, index).unwrap();
            for grid in [generated.puzzle, generated.solution] {
                let form = canonical(&grid).form;
                for _ in 0..10 {
                    let image = Symmetry::random(order, &mut random).image(&grid);
                    assert_eq!(canonical(&image).form, form, "{grid} and {image}");
                }
            }
        }
    }
}
