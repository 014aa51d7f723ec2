//! Measures a solver on large grids: a table of milliseconds and nodes by share of filled cells.
//!
//! ```text
//! cargo run --release -p ninefold --example large -- [options] PUZZLES...
//!
//! PUZZLES            one of:
//!                    a file with one puzzle per line
//!                    made:SIDE:PERCENT     partial grids, for example made:36:45 for 36×36 grids
//!                                          with 45 % of the cells filled
//!                    minimal:SIDE:PERCENT  the same grids, made unique and minimal
//! --solver NAME      the solver                                       (cdcl)
//! --seconds NUMBER   limit per puzzle and task                        (60)
//! --take NUMBER      puzzles per group, or number of puzzles to make  (100)
//! ```
//!
//! A group contains the puzzles of one source with the same share of filled cells, rounded to 5 %.
//! There are two tasks per puzzle: find a solution, and prove whether it is unique. The second task
//! ends when a second solution is found or excluded. Times of 100 ms and more are CPU time, where
//! the system provides it, because machines are shared. Shorter times are wall time, which has a
//! finer resolution. The limit is wall time, too.

use ninefold::grid::{Cell, Digit, Grid, Order};
use ninefold::random::Random;
use ninefold::search::{self, Effort, Limits, Proof, Solutions, Solver};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse(std::env::args().skip(1))?;
    println!(
        "| puzzles | fill | first: solved | limit hit | median ms | max ms | nodes | unique | several | none | limit hit | median ms | max ms | nodes |"
    );
    println!(
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for source in &args.sources {
        for (fill, puzzles) in groups(&puzzles(source, args.take)?) {
            let taken = &puzzles[..puzzles.len().min(args.take)];
            let (first, prove) = (find_first(&args, taken)?, prove_unique(&args, taken)?);
            let name = source.rsplit('/').next().unwrap_or(source);
            println!("| {name} | {fill} % | {first} | {prove} |");
        }
    }
    Ok(())
}

struct Args {
    solver: &'static dyn Solver,
    limit: Duration,
    take: usize,
    sources: Vec<String>,
}

impl Args {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Args, Box<dyn Error>> {
        let solver = search::by_name("cdcl").ok_or("solver cdcl not found")?;
        let mut args =
            Args { solver, limit: Duration::from_secs(60), take: 100, sources: Vec::new() };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--solver" => {
                    let name = value()?;
                    args.solver =
                        search::by_name(&name).ok_or(format!("unknown solver {name:?}"))?;
                }
                "--seconds" => args.limit = Duration::try_from_secs_f64(value()?.parse()?)?,
                "--take" => args.take = value()?.parse()?,
                _ => args.sources.push(word),
            }
        }
        if args.sources.is_empty() {
            return Err("usage: large [options] PUZZLES..., for example made:36:45 for 36×36 grids with 45 % of the cells filled".into());
        }
        Ok(args)
    }
}

fn puzzles(source: &str, take: usize) -> Result<Vec<Grid>, Box<dyn Error>> {
    let (made, is_minimal) = match (source.strip_prefix("made:"), source.strip_prefix("minimal:")) {
        (Some(made), _) => (made, false),
        (_, Some(made)) => (made, true),
        _ => {
            let text =
                std::fs::read_to_string(source).map_err(|error| format!("{source}: {error}"))?;
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            return Ok(lines.map(str::parse).collect::<Result<_, _>>()?);
        }
    };
    let (side, percent) = made
        .split_once(':')
        .ok_or(format!("expected SIDE:PERCENT as in made:36:45, found {source}"))?;
    let order = Order::from_side(side.parse()?).ok_or(format!("unsupported side length {side}"))?;
    let fill = percent.parse::<f64>()? / 100.0;
    let make = |number: usize| {
        let mut random = Random::for_part(36, number as u64);
        let full = full_grid(order, &mut random);
        let puzzle = with_share_of_clues(&full, fill, &mut random);
        if is_minimal { make_minimal(make_unique(puzzle, &full), &mut random) } else { puzzle }
    };
    Ok((0..take).map(make).collect())
}

/// A cyclic grid with shuffled digits, lines and bands.
fn full_grid(order: Order, random: &mut Random) -> Grid {
    let (rows, columns, side) = (order.box_rows(), order.box_columns(), order.side());
    let digits = shuffled(side, random);
    let row_order = shuffled_lines(side / rows, rows, random);
    let column_order = shuffled_lines(side / columns, columns, random);
    let mut grid = Grid::empty(order);
    for cell in order.cells() {
        let (row, column) = (row_order[order.row_of(cell)], column_order[order.column_of(cell)]);
        let digit = digits[(columns * (row % rows) + row / rows + column) % side];
        grid.set(cell, Some(Digit::from_index(digit)));
    }
    grid
}

/// Keeps this share of the digits of a complete grid.
fn with_share_of_clues(full: &Grid, fill: f64, random: &mut Random) -> Grid {
    let mut grid = Grid::empty(full.order());
    let kept = (fill * full.order().cell_count() as f64).round() as usize;
    for index in shuffled(full.order().cell_count(), random).into_iter().take(kept) {
        grid.set(Cell::new(index), full[Cell::new(index)]);
    }
    grid
}

/// Adds digits of the solution in cells where two solutions differ, until the solution is unique.
fn make_unique(mut puzzle: Grid, full: &Grid) -> Grid {
    let solver = search::default_for(&puzzle);
    while let Ok(Proof { solutions: Ok(Solutions::Many(first, second)), .. }) =
        solver.prove(&puzzle, &Limits::none())
    {
        let differs = puzzle.order().cells().find(|&cell| first[cell] != second[cell]);
        let Some(cell) = differs else { break };
        puzzle.set(cell, full[cell]);
    }
    puzzle
}

/// Removes redundant clues. A clue stays if the proof needs more than 5,000 nodes.
fn make_minimal(mut puzzle: Grid, random: &mut Random) -> Grid {
    let solver = search::default_for(&puzzle);
    let mut clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
    random.shuffle(&mut clues);
    for cell in clues {
        let fewer = puzzle.without(cell);
        if let Ok(Proof { solutions: Ok(Solutions::One(_)), .. }) =
            solver.prove(&fewer, &Limits::none().with_nodes(5_000))
        {
            puzzle = fewer;
        }
    }
    puzzle
}

fn shuffled(count: usize, random: &mut Random) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    random.shuffle(&mut numbers);
    numbers
}

fn shuffled_lines(bands: usize, size: usize, random: &mut Random) -> Vec<usize> {
    let mut lines = Vec::new();
    for band in shuffled(bands, random) {
        lines.extend(shuffled(size, random).into_iter().map(|line| band * size + line));
    }
    lines
}

/// Groups puzzles by the share of filled cells, rounded to 5 %.
fn groups(puzzles: &[Grid]) -> BTreeMap<usize, Vec<&Grid>> {
    let mut groups: BTreeMap<usize, Vec<&Grid>> = BTreeMap::new();
    for puzzle in puzzles {
        let share = puzzle.clue_count() as f64 / puzzle.order().cell_count() as f64;
        groups.entry((share * 20.0).round() as usize * 5).or_default().push(puzzle);
    }
    groups
}

fn find_first(args: &Args, puzzles: &[&Grid]) -> Result<String, Box<dyn Error>> {
    let mut cost = Cost::default();
    let mut solved = 0;
    for puzzle in puzzles {
        let started = cpu_seconds();
        let (solution, effort) =
            args.solver.first(puzzle, &Limits::none().with_time(args.limit))?;
        cost.add(started, &effort);
        solved += usize::from(solution.is_some());
    }
    Ok(format!("{solved} | {} | {}", puzzles.len() - solved, cost.summary()))
}

fn prove_unique(args: &Args, puzzles: &[&Grid]) -> Result<String, Box<dyn Error>> {
    let mut cost = Cost::default();
    let [mut unique, mut several, mut none, mut limit_hit] = [0; 4];
    for puzzle in puzzles {
        let started = cpu_seconds();
        let proof = args.solver.prove(puzzle, &Limits::none().with_time(args.limit))?;
        cost.add(started, &proof.effort);
        match proof.solutions {
            Ok(Solutions::One(_)) => unique += 1,
            Ok(Solutions::Many(..)) => several += 1,
            Ok(Solutions::Zero) => none += 1,
            Err(_) => limit_hit += 1,
        }
    }
    Ok(format!("{unique} | {several} | {none} | {limit_hit} | {}", cost.summary()))
}

#[derive(Default)]
struct Cost {
    seconds: Vec<f64>,
    nodes: u64,
}

impl Cost {
    fn add(&mut self, started: Option<f64>, effort: &Effort) {
        let wall = effort.elapsed.as_secs_f64();
        let spent = started.and_then(|started| Some(cpu_seconds()? - started));
        self.seconds.push(if wall < 0.1 { wall } else { spent.unwrap_or(wall) });
        self.nodes += effort.nodes;
    }

    /// The median and maximum milliseconds per puzzle, and the total number of nodes.
    fn summary(mut self) -> String {
        self.seconds.sort_by(f64::total_cmp);
        let at = |place: usize| self.seconds.get(place).copied().unwrap_or(0.0);
        let (median, most) = (at(self.seconds.len() / 2), at(self.seconds.len().saturating_sub(1)));
        format!("{:.3} | {:.3} | {}", median * 1e3, most * 1e3, self.nodes)
    }
}

/// The CPU time of this thread in seconds; only available on Linux.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
