//! Property test of Hopfield's theorem: no update raises the energy.

use ninefold::grid::{Digit, Grid, Order};
use ninefold::random::Random;
use ninefold_neural::models::hopfield::dynamics::Dynamics;
use ninefold_neural::models::hopfield::{Neuron, Readout};

/// A board with random digits in some cells; the theorem holds for all boards, even invalid ones.
fn random_board(order: Order, random: &mut Random) -> Grid {
    let filled = random.bits() as f64 / u64::MAX as f64;
    let mut board = Grid::empty(order);
    for cell in order.cells() {
        if random.chance(filled) {
            board.set(cell, Some(Digit::from_index(random.below(order.side()))));
        }
    }
    board
}

fn orders() -> Vec<Order> {
    let wide = Order::new(2, 3).unwrap();
    let high = Order::new(4, 3).unwrap();
    vec![Order::FOUR, wide, Order::NINE, high, Order::SIXTEEN]
}

#[test]
fn the_energy_never_rises() {
    let mut random = Random::new(1982);
    for order in orders() {
        for seed in 0..20 {
            let board = random_board(order, &mut random);
            for mut dynamics in [Dynamics::new(&board, seed), Dynamics::random(&board, seed)] {
                let mut before = dynamics.energy();
                for after in dynamics.settle() {
                    assert!(
                        0 <= after && after <= before,
                        "{before} rises to {after}, seed {seed}, {board}"
                    );
                    before = after;
                }
            }
        }
    }
}

#[test]
fn the_energy_never_rises_for_any_update_order() {
    let mut random = Random::new(44);
    for order in orders() {
        let neurons: Vec<Neuron> = Neuron::all(order).collect();
        let mut dynamics = Dynamics::random(&random_board(order, &mut random), 3);
        for _ in 0..5_000 {
            let before = dynamics.energy();
            let neuron = *random.pick(&neurons).unwrap();
            assert!(dynamics.update(neuron) <= before, "{order}");
        }
    }
}

#[test]
fn settled_networks_do_not_change() {
    let mut random = Random::new(6);
    for order in orders() {
        for seed in 0..5 {
            let board = random_board(order, &mut random);
            let mut dynamics = Dynamics::random(&board, seed);
            dynamics.settle();
            let rest = dynamics.energy();
            assert!(dynamics.settle().iter().all(|&energy| energy == rest));
            let Readout { certain, uncertain, impossible } = dynamics.readout();
            let read = certain.len() + uncertain.len() + impossible.len();
            assert_eq!(read, board.empty_cells().count(), "{board}");
        }
    }
}
