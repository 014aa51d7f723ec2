//! Parses and solves random and damaged texts: nothing panics, and no answer is wrong.
//!
//! `NINEFOLD_FUZZ=10000000 cargo test --test fuzz` tests ten million texts. Each text is generated
//! from its number, so the number in a failure message is enough to reproduce it.

use ninefold::grid::{Grid, Order, text};
use ninefold::random::Random;
use ninefold::search::dlx::Dlx;
use ninefold::search::{self, Limits, Solutions, Solver};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Enough nodes to solve most puzzles, and few enough to test millions.
const NODES: u64 = 150;

#[test]
fn random_text_never_panics_or_gives_a_wrong_answer() {
    let texts = match std::env::var("NINEFOLD_FUZZ") {
        Ok(number) => {
            number.parse().unwrap_or_else(|_| panic!("NINEFOLD_FUZZ={number} is not a number"))
        }
        Err(_) => 50_000,
    };
    let valid = valid_texts();
    let mut seen = Seen::default();
    let started = Instant::now();
    for number in 0..texts {
        let mut random = Random::for_part(7, number);
        let text = random_text(&valid, &mut random);
        let order = random_order(&mut random);
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&text, order, &mut seen)));
        assert!(outcome.is_ok(), "text {number} failed with order {order:?}: {text:?}");
    }
    let texts_per_second = texts as f64 / started.elapsed().as_secs_f64();
    println!("{texts} texts, {texts_per_second:.0} per second: {seen:?}");
    let of_every_kind =
        [seen.invalid, seen.conflicts, seen.zero, seen.one, seen.many].iter().all(|&kind| kind > 0);
    assert!(of_every_kind || texts < 50_000, "some kind of text did not occur: {seen:?}");
}

/// The number of texts of each kind.
#[derive(Debug, Default)]
struct Seen {
    invalid: u64,
    conflicts: u64,
    zero: u64,
    one: u64,
    many: u64,
    unfinished: u64,
}

fn check(text: &str, order: Option<Order>, seen: &mut Seen) {
    if let Err(error) = text.parse::<Order>() {
        assert!(!error.to_string().is_empty());
    }
    let position = text::parse_position(text, order);
    let grid = text::parse(text, order);
    match (position, grid) {
        (Err(error), Err(same)) => {
            assert_eq!(error, same);
            assert!(!error.to_string().is_empty());
            seen.invalid += 1;
        }
        (Ok(position), Err(error)) => {
            let conflict =
                position.conflict().expect("a position that is not a valid grid has a conflict");
            assert_eq!(error.to_string(), conflict.to_string());
            check_round_trip(&position);
            check_answer(&position, seen);
            seen.conflicts += 1;
        }
        (Ok(position), Ok(grid)) => {
            assert_eq!(position, grid);
            assert_eq!(grid.conflict(), None);
            assert!(order.is_none_or(|order| order == grid.order()));
            check_round_trip(&grid);
            check_answer(&grid, seen);
        }
        (Err(error), Ok(_)) => panic!("a grid is also a position, but: {error}"),
    }
}

/// Checks that all three formats round-trip.
fn check_round_trip(grid: &Grid) {
    let again = |written: String, order| {
        let read = text::parse_position(&written, order)
            .unwrap_or_else(|error| panic!("{error}: {written:?}"));
        assert_eq!(&read, grid, "from {written:?}");
    };
    again(text::line(grid), Some(grid.order()));
    again(text::numbers(grid), Some(grid.order()));
    again(text::diagram(grid), None);
}

fn check_answer(puzzle: &Grid, seen: &mut Seen) {
    let proof = search::default_for(puzzle)
        .prove(puzzle, &Limits::none().with_nodes(NODES))
        .expect("the default solver supports every size");
    match proof.solutions {
        Ok(Solutions::Zero) => {
            let (count, _) = Dlx
                .count(puzzle, 1, &Limits::none().with_nodes(NODES))
                .expect("it supports every size");
            assert_eq!(count, 0, "{puzzle} has a solution");
            seen.zero += 1;
        }
        Ok(Solutions::One(only)) => {
            assert!(only.solves(puzzle), "{only} does not solve {puzzle}");
            let (count, _) = Dlx
                .count(puzzle, 2, &Limits::none().with_nodes(NODES))
                .expect("it supports every size");
            assert!(count < 2, "{puzzle} has a second solution");
            seen.one += 1;
        }
        Ok(Solutions::Many(one, other)) => {
            assert!(
                one != other && one.solves(puzzle) && other.solves(puzzle),
                "{one} and {other} for {puzzle}"
            );
            seen.many += 1;
        }
        Err(unfinished) => {
            assert!(unfinished.found.is_none_or(|found| found.solves(puzzle)), "{puzzle}");
            seen.unfinished += 1;
        }
    }
}

/// Valid texts in common formats, small grids more often than large ones.
fn valid_texts() -> Vec<String> {
    const NINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    const FOUR: &str = "1..4..1..3..4..3";
    const SIX: &str = ".....6.23.......143.......15...6....";
    const SIXTEEN_ROW: &str = "1.G..a..F..9...C";
    let grid: Grid = NINE.parse().expect("a grid");
    let four: Grid = FOUR.parse().expect("a grid");
    let six = text::parse(SIX, Some(Order::new(2, 3).expect("a shape"))).expect("a grid");
    let rows: Vec<&str> = (0..9).map(|row| &NINE[row * 9..row * 9 + 9]).collect();
    let framed = format!("+===+===+===+\n|{}|\n+===+===+===+", rows.join("|\n|"));
    vec![
        NINE.to_string(),
        NINE.replace('.', "0"),
        SOLVED.to_string(),
        rows.join("\n"),
        rows.join(" "),
        framed,
        text::diagram(&grid),
        text::numbers(&grid),
        FOUR.to_string(),
        text::diagram(&four),
        text::numbers(&four).replace(' ', ","),
        "1234341221434321".to_string(),
        SIX.to_string(),
        text::diagram(&six),
        format!("{SIXTEEN_ROW}{}", ".".repeat(240)),
    ]
}

/// A valid text with some damage, random characters that are common in grids, or random bytes.
fn random_text(valid: &[String], random: &mut Random) -> String {
    match random.below(8) {
        0 => {
            let length = random.below(120);
            String::from_utf8_lossy(&(0..length).map(|_| random.bits() as u8).collect::<Vec<u8>>())
                .into_owned()
        }
        1 => {
            let length = [16, 16, 36, 64, 81, 81, 100][random.below(7)] + random.below(2);
            (0..length)
                .map(|_| if random.chance(0.7) { '.' } else { random_character(random) })
                .collect()
        }
        _ => {
            let mut characters: Vec<char> = valid[random.below(valid.len())].chars().collect();
            for _ in 0..random.below(5) {
                damage(&mut characters, valid, random);
            }
            characters.into_iter().collect()
        }
    }
}

fn damage(characters: &mut Vec<char>, valid: &[String], random: &mut Random) {
    let place = random.below(characters.len());
    let end = (place + random.below(20)).min(characters.len());
    match random.below(13) {
        // Usually one character is replaced by another, so that many texts are still grids.
        0..=7 if place < characters.len() => characters[place] = random_character(random),
        8 if place < characters.len() => drop(characters.remove(place)),
        9 => characters.insert(place, random_character(random)),
        10 => {
            let copy = characters[place..end].to_vec();
            characters.splice(place..place, copy);
        }
        11 => drop(characters.drain(place..end)),
        12 => {
            let other: Vec<char> = valid[random.below(valid.len())].chars().collect();
            let from = random.below(other.len());
            characters.splice(place..end, other[from..].iter().take(end - place).copied());
        }
        _ => {}
    }
}

fn random_character(random: &mut Random) -> char {
    const COMMON: &[char] = &['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'];
    const RARE: &[char] = &[
        'A', 'G', 'Z', 'a', 'g', 'z', 'x', '_', '*', '-', '=', '+', '|', '!', ',', ';', ':', '\'',
        ' ', '\t', '\n', '\r', '\0', '│', '─', '┼', '║', 'é', '９', '\u{feff}', '\u{301}',
        '\u{2028}', '😀',
    ];
    let characters = if random.chance(0.85) { COMMON } else { RARE };
    characters[random.below(characters.len())]
}

fn random_order(random: &mut Random) -> Option<Order> {
    const SHAPES: [(usize, usize); 6] = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 4)];
    let (rows, columns) = SHAPES[random.below(SHAPES.len())];
    if random.chance(0.2) { Order::new(rows, columns).ok() } else { None }
}
