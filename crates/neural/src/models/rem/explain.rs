//! The paper's framework as a whole: one network proposes digits, the other names rules, and the step solver checks.
//!
//! ```text
//! until the grid is full or no rule applies:
//!   the rules look for digits (rules 1 and 2); of those they find, the one the first network is surest of is placed
//!   if there is none, the rules look for eliminations (rules 3 to 6); of those they find, the one that the second
//!     network has named with the highest probability is applied
//! ```
//! A digit is placed only if a rule proves it, so whatever the networks say, no wrong digit is written.
//!
//! Advisers who doubt may guess where the rules end: the digit the first network is surest of, passed over if the board with it is
//! doubted. A guess is called a guess, everything after it rests on it, and only the rules of the full grid can show that it was right.

use super::labels::{self, NAMES, RULES};
use ninefold::grid::{Candidates, Cell, Conflict, Digit, Grid, Order, Position};
use ninefold::logic;
use ninefold::logic::six_rules::RULES as TECHNIQUES;
use ninefold::proof::{Candidate, Step, check};
use serde::Serialize;

/// Two networks that look at a board.
pub trait Advisers {
    /// The probability of each digit of each cell.
    fn digits(&self, board: &[u8]) -> Vec<f32>;

    /// The probability of each of the six rules for each digit of each cell, in the order cell, digit, rule.
    fn rules(&self, board: &[u8]) -> Vec<f32>;

    /// The probability that a board cannot be completed; advisers who cannot tell never guess.
    fn doubt(&self, _board: &[u8]) -> Option<f32> {
        None
    }
}

/// A rule that was named for a candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named {
    /// Its number in the paper.
    pub rule: usize,
    /// Its name.
    pub name: &'static str,
    /// The cell, as a person writes it.
    pub cell: String,
    /// The digit.
    pub digit: u8,
    /// How sure the network is.
    pub probability: f32,
    /// Is it in the label set of this board: do the finders find it, and does the checker accept it?
    pub holds: bool,
}

/// A rule that was applied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Applied {
    /// Its number in the paper.
    pub rule: usize,
    /// Its name.
    pub name: &'static str,
    /// What it says, with cells and house.
    pub words: String,
    /// The probability with which the network had named it for this candidate.
    pub named_with: f32,
}

/// A digit that no rule proves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Guess {
    /// The cell, as a person writes it.
    pub cell: String,
    /// The digit.
    pub digit: u8,
    /// How sure the solving network is of it.
    pub probability: f32,
    /// The probability, in the eyes of the other, that the board cannot be completed with it.
    pub doubt: f32,
}

/// One step: some eliminations and then a digit; without a digit if the rules got stuck.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// The step, counted from 1.
    pub step: usize,
    /// The likeliest rule instances according to the network.
    pub named: Vec<Named>,
    /// What was really applied, the placement last.
    pub applied: Vec<Applied>,
    /// The cell that was filled, its digit, and how sure the solving network was of it.
    pub placed: Option<(String, u8, f32)>,
    /// What was guessed where the rules got stuck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guess: Option<Guess>,
}

/// The whole story of a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Story {
    /// The steps.
    pub steps: Vec<Told>,
    /// The grid at the end.
    #[serde(serialize_with = "as_text")]
    pub grid: Grid,
}

fn as_text<S: serde::Serializer>(grid: &Grid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(grid)
}

impl Story {
    /// The digits that no rule proved.
    pub fn guesses(&self) -> usize {
        self.steps.iter().filter(|told| told.guess.is_some()).count()
    }
}

/// How many digits are thought of for a guess; the first is taken that leaves a board nobody doubts.
const GUESSES: usize = 3;

/// How many named rules are shown for each step.
const TOLD: usize = 3;

/// Solves as far as the six rules go, with the advice of both networks.
pub fn explain(puzzle: &Grid, advisers: &dyn Advisers) -> Result<Story, Conflict> {
    let order = puzzle.order();
    let mut candidates = Candidates::of(puzzle)?;
    let mut steps = Vec::new();
    while !candidates.grid().is_full() {
        let board: Vec<u8> = candidates.grid().numbers().collect();
        let (digits, rules) = (advisers.digits(&board), advisers.rules(&board));
        let named = named(order, &board, &rules);
        let mut applied = Vec::new();
        let placed = loop {
            let Some((rule, step)) = best_step(puzzle, &candidates, &digits, &rules) else {
                break None;
            };
            let words = step.one_line(&candidates);
            let named_with = likeliest(order, &step, rule, &rules);
            applied.push(Applied { rule: rule + 1, name: NAMES[rule], words, named_with });
            step.apply_to(&mut candidates);
            if let Some(&Candidate { cell, digit }) = step.places.first() {
                let sure = digits[cell.index() * order.side() + digit.index()];
                break Some((order.name_of(cell), digit.number(), sure));
            }
        };
        let is_stuck = placed.is_none();
        let guess = if is_stuck { guess(&mut candidates, &digits, advisers) } else { None };
        let is_over = is_stuck && guess.is_none();
        steps.push(Told { step: steps.len() + 1, named, applied, placed, guess });
        if is_over {
            break;
        }
    }
    Ok(Story { steps, grid: candidates.grid().clone() })
}

/// Writes the likeliest digit whose board is not doubted, or the likeliest of all; nothing if a guess before has left a cell empty.
fn guess(candidates: &mut Candidates, digits: &[f32], advisers: &dyn Advisers) -> Option<Guess> {
    let (order, grid) = (candidates.order(), candidates.grid().clone());
    if candidates.is_contradictory() {
        return None;
    }
    let likelihood = |cell: Cell, digit: Digit| digits[cell.index() * order.side() + digit.index()];
    let mut open: Vec<(Cell, Digit)> = grid
        .empty_cells()
        .flat_map(|cell| candidates.at(cell).map(move |digit| (cell, digit)))
        .collect();
    open.sort_by(|a, b| likelihood(b.0, b.1).total_cmp(&likelihood(a.0, a.1)));
    let mut best: Option<(Cell, Digit, f32)> = None;
    for (cell, digit) in open.into_iter().take(GUESSES) {
        let mut board: Vec<u8> = grid.numbers().collect();
        board[cell.index()] = digit.number();
        let doubt = advisers.doubt(&board)?;
        best = best.or(Some((cell, digit, doubt)));
        if doubt < 0.5 {
            best = Some((cell, digit, doubt));
            break;
        }
    }
    let (cell, digit, doubt) = best?;
    candidates.place(cell, digit);
    Some(Guess {
        cell: order.name_of(cell),
        digit: digit.number(),
        probability: likelihood(cell, digit),
        doubt,
    })
}

/// The step to take, with the index of its rule; only steps that the checker accepts are taken.
fn best_step(
    puzzle: &Grid,
    candidates: &Candidates,
    digits: &[f32],
    rules: &[f32],
) -> Option<(usize, Step)> {
    let order = puzzle.order();
    let position = Position::new(puzzle.clone(), candidates.clone())
        .expect("the candidates are of this puzzle");
    let found = |kinds: std::ops::Range<usize>, merit: &dyn Fn(usize, &Step) -> f32| {
        kinds
            .flat_map(|rule| {
                logic::all_steps(TECHNIQUES[rule], &position)
                    .into_iter()
                    .map(move |step| (rule, step))
            })
            .filter(|(_, step)| check(step, puzzle, candidates).is_ok())
            // The first of equals: rules that come earlier are easier.
            .reduce(
                |best, next| {
                    if merit(next.0, &next.1) > merit(best.0, &best.1) { next } else { best }
                },
            )
    };
    let sure = |_: usize, step: &Step| {
        step.places
            .first()
            .map_or(0.0, |place| digits[place.cell.index() * order.side() + place.digit.index()])
    };
    let named = |rule: usize, step: &Step| likeliest(order, step, rule, rules);
    found(0..2, &sure).or_else(|| found(2..RULES, &named))
}

/// The highest probability with which a rule is named for one of the conclusions of a step.
fn likeliest(order: Order, step: &Step, rule: usize, rules: &[f32]) -> f32 {
    let conclusions = step.places.iter().chain(&step.removes);
    conclusions
        .map(|candidate| {
            rules[labels::place(order, candidate.cell.index(), candidate.digit.index(), rule)]
        })
        .fold(0.0, f32::max)
}

/// The likeliest of the rules that place digits (1 and 2), for a digit that is about to be written into a cell of a board.
pub fn rule_for(order: Order, board: &[u8], rules: &[f32], cell: usize, digit: u8) -> Named {
    let holds = labels::of_board(order, board, true);
    let places = (0..2).map(|rule| labels::place(order, cell, usize::from(digit) - 1, rule));
    let place = places.reduce(|best, next| if rules[next] > rules[best] { next } else { best });
    one_named(order, rules, &holds, place.expect("two rules place digits"))
}

/// The likeliest instances of all rules for candidates that the digits leave, the surest first.
fn named(order: Order, board: &[u8], rules: &[f32]) -> Vec<Named> {
    let (holds, open) = (labels::of_board(order, board, true), labels::open(order, board));
    let is_open = |&place: &usize| open[place / RULES] > 0.0;
    let mut places: Vec<usize> = (0..rules.len()).filter(is_open).collect();
    places.sort_by(|&a, &b| rules[b].total_cmp(&rules[a]));
    places.iter().take(TOLD).map(|&place| one_named(order, rules, &holds, place)).collect()
}

fn one_named(order: Order, rules: &[f32], holds: &[f32], place: usize) -> Named {
    Named {
        rule: place % RULES + 1,
        name: NAMES[place % RULES],
        cell: order.name_of(Cell::new(place / RULES / order.side())),
        digit: (place / RULES % order.side()) as u8 + 1,
        probability: rules[place],
        holds: holds[place] > 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says of everything what its two numbers are.
    struct Constant(f32, f32);

    impl Advisers for Constant {
        fn digits(&self, board: &[u8]) -> Vec<f32> {
            vec![self.0; board.len() * 9]
        }

        fn rules(&self, board: &[u8]) -> Vec<f32> {
            vec![self.1; board.len() * 9 * RULES]
        }
    }

    /// Is sure that everything is a 1, and names only hidden pairs.
    struct Wrong;

    impl Advisers for Wrong {
        fn digits(&self, board: &[u8]) -> Vec<f32> {
            (0..board.len() * 9).map(|place| if place % 9 == 0 { 1.0 } else { 0.0 }).collect()
        }

        fn rules(&self, board: &[u8]) -> Vec<f32> {
            (0..board.len() * 9 * RULES)
                .map(|place| if place % RULES == 5 { 0.9 } else { 0.1 })
                .collect()
        }
    }

    #[test]
    fn whatever_the_networks_say_no_wrong_digit_is_written() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        for advisers in [&Constant(0.5, 0.5) as &dyn Advisers, &Wrong] {
            let story = explain(&puzzle, advisers).unwrap();
            assert!(story.grid.solves(&puzzle));
            assert_eq!(story.steps.len(), 51);
            assert!(
                story.steps.iter().all(|told| told.placed.is_some() && told.named.len() == TOLD)
            );
        }
        let first = &explain(&puzzle, &Wrong).unwrap().steps[0];
        assert_eq!((first.named[0].rule, first.named[0].holds), (6, false), "{first:?}");
        assert_eq!(
            first.placed.as_ref().unwrap().1,
            1,
            "of the digits that rules prove it prefers a 1"
        );
    }

    #[test]
    fn a_digit_is_held_to_the_rule_that_is_named_for_it() {
        let board = [1, 2, 3, 0, 3, 0, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let mut rules = vec![0.1; 64 * RULES];
        rules[labels::place(Order::FOUR, 3, 3, 1)] = 0.7;
        let named = rule_for(Order::FOUR, &board, &rules, 3, 4);
        assert_eq!(
            (named.rule, named.cell.as_str(), named.digit, named.holds),
            (2, "r1c4", 4, true)
        );
        let named = rule_for(Order::FOUR, &board, &rules, 5, 1);
        assert!(!named.holds, "{named:?}: row 2 has a 1");
    }

    /// Knows the solution, and doubts every board that is not on the way to it, or every one.
    struct Knowing(Vec<u8>, bool);

    impl Advisers for Knowing {
        fn digits(&self, board: &[u8]) -> Vec<f32> {
            (0..board.len() * 9)
                .map(
                    |place| if usize::from(self.0[place / 9]) == place % 9 + 1 { 0.9 } else { 0.1 },
                )
                .collect()
        }

        fn rules(&self, board: &[u8]) -> Vec<f32> {
            vec![0.5; board.len() * 9 * RULES]
        }

        fn doubt(&self, board: &[u8]) -> Option<f32> {
            let is_right =
                board.iter().zip(&self.0).all(|(&number, &right)| number == 0 || number == right);
            Some(if is_right && !self.1 { 0.1 } else { 0.8 })
        }
    }

    #[test]
    fn advisers_who_doubt_guess_where_the_rules_end_and_say_so() {
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let solution = ninefold::search::default_for(hard.order())
            .first(&hard, &ninefold::search::Limits::none());
        let solution = solution.unwrap().0.unwrap();
        for doubts_all in [false, true] {
            let story = explain(&hard, &Knowing(solution.numbers().collect(), doubts_all)).unwrap();
            assert!(story.grid.solves(&hard) && story.guesses() > 0);
            let told = story.steps.iter().find(|told| told.guess.is_some()).unwrap();
            let guess = told.guess.as_ref().unwrap();
            assert_eq!(
                (told.placed.as_ref(), guess.probability),
                (None, 0.9),
                "a guess is nothing that was proven"
            );
            assert_eq!(guess.doubt, if doubts_all { 0.8 } else { 0.1 });
        }
    }

    #[test]
    fn a_wrong_guess_ends_where_a_cell_has_nothing_left() {
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let wrong: Vec<u8> = (0..81).map(|cell| (cell % 9) as u8 + 1).collect();
        let story = explain(&hard, &Knowing(wrong, true)).unwrap();
        assert!(story.guesses() > 0 && !story.grid.solves(&hard));
        assert_eq!(
            (
                story.steps.last().unwrap().guess.as_ref(),
                story.steps.last().unwrap().placed.as_ref()
            ),
            (None, None)
        );
    }

    #[test]
    fn where_the_rules_end_the_story_ends() {
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        let story = explain(&hard, &Constant(0.1, 0.1)).unwrap();
        assert!(!story.grid.is_full());
        assert_eq!(story.steps.last().unwrap().placed, None);
        let json = serde_json::to_value(&story).unwrap();
        assert_eq!(json["grid"].as_str().unwrap().len(), 81);
    }
}
