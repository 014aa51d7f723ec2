//! Statistics of a collection of puzzles.
//!
//! The statistics are those of Tran and Manley, sections III to V: number of clues (Table I),
//! number of solutions, difficulty on DuPree's scale (Tables II and III) and the consistency that
//! solves each puzzle. Two more are the number of minimal puzzles and the number of puzzles that
//! are images of others. Puzzles with rules of their own have clues, solutions and minimality; the
//! other statistics are defined for classic Sudoku and leave them out. [`collect`] analyses puzzles on several threads; [`Stats`] holds the
//! totals.

use super::canonical;
use crate::chart;
use crate::grid::{Grid, Order};
use crate::limits::Limits;
use crate::rate::consistency::{self, Consistency};
use crate::rate::dupree;
use crate::search::batch::Batch;
use crate::search::nine::{self, Line};
use crate::search::unique;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::mpsc::{channel, sync_channel};

/// Which statistics to collect. The number of clues is always collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatsOptions {
    /// Whether to count solutions: none, one or several.
    pub solutions: bool,
    /// Whether to check that every clue is necessary.
    pub minimality: bool,
    /// Whether to compute DuPree's score.
    pub dupree: bool,
    /// The strongest consistency to try, or `None` to skip consistency.
    pub consistency: Option<Consistency>,
    /// Whether to find puzzles that are images of other puzzles.
    pub duplicates: bool,
    /// The node limit of one search for solutions. Searches of 9×9 puzzles have no limit.
    pub nodes_per_proof: u64,
}

impl StatsOptions {
    /// Collects everything, with consistency up to SGAC.
    #[must_use]
    pub const fn all() -> StatsOptions {
        StatsOptions {
            solutions: true,
            minimality: true,
            dupree: true,
            consistency: Some(Consistency::Sgac),
            duplicates: true,
            nodes_per_proof: unique::NODES_PER_PROOF,
        }
    }

    /// Collects only the number of clues.
    #[must_use]
    pub const fn none() -> StatsOptions {
        StatsOptions {
            solutions: false,
            minimality: false,
            dupree: false,
            consistency: None,
            duplicates: false,
            nodes_per_proof: unique::NODES_PER_PROOF,
        }
    }
}

impl Default for StatsOptions {
    fn default() -> StatsOptions {
        StatsOptions::all()
    }
}

/// The number of solutions of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SolutionCount {
    /// No solution.
    None,
    /// Exactly one solution.
    One,
    /// Two or more solutions.
    Several,
    /// Unknown: the search reached its limit.
    Unfinished,
}

/// Whether every clue of a puzzle is necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Minimality {
    /// Without any one clue there would be a second solution.
    Minimal,
    /// At least one clue is redundant.
    NotMinimal,
    /// No clue is known to be redundant, but a search reached its limit.
    Unfinished,
}

/// The properties of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    clues: usize,
    solutions: Option<SolutionCount>,
    /// Only for puzzles with one solution.
    minimality: Option<Minimality>,
    dupree: Option<Result<dupree::Score, dupree::ScoreError>>,
    consistency: Option<consistency::Verdict>,
    /// The fingerprint of the symmetry class.
    class: Option<u128>,
}

/// Analyses some puzzles. Searches of 9×9 puzzles are done together.
fn analyze_all(puzzles: &[Grid], options: &StatsOptions) -> Vec<Facts> {
    let mut proofs = vec![Proofs::default(); puzzles.len()];
    if options.solutions || options.minimality {
        let (nine, others): (Vec<usize>, Vec<usize>) = (0..puzzles.len()).partition(|&index| {
            let puzzle = &puzzles[index];
            puzzle.order() == Order::NINE && puzzle.rules().is_none()
        });
        prove_together(puzzles, &nine, options, &mut proofs);
        others.into_iter().for_each(|index| proofs[index] = prove_alone(&puzzles[index], options));
    }
    puzzles.iter().zip(proofs).map(|(puzzle, proofs)| analyze(puzzle, proofs, options)).collect()
}

/// The results of the searches for one puzzle.
#[derive(Clone, Copy, Debug, Default)]
struct Proofs {
    solutions: Option<SolutionCount>,
    minimality: Option<Minimality>,
}

/// Searches the 9×9 puzzles with these indices with the batch solver.
fn prove_together(
    puzzles: &[Grid],
    indices: &[usize],
    options: &StatsOptions,
    proofs: &mut [Proofs],
) {
    let lines: Vec<Line> =
        indices.iter().filter_map(|&index| nine::line(&puzzles[index])).collect();
    let mut unique = Vec::new();
    for ((&index, line), tally) in indices.iter().zip(&lines).zip(Batch::BEST.count_all(&lines, 2))
    {
        proofs[index].solutions = Some(match tally.solutions {
            0 => SolutionCount::None,
            1 => SolutionCount::One,
            _ => SolutionCount::Several,
        });
        if tally.solutions == 1 && options.minimality {
            unique.push((index, *line));
        }
    }
    let lines: Vec<Line> = unique.iter().map(|(_, line)| *line).collect();
    for ((index, _), needs_all) in unique.iter().zip(unique::are_minimal(&lines)) {
        let minimality = if needs_all { Minimality::Minimal } else { Minimality::NotMinimal };
        proofs[*index].minimality = Some(minimality);
    }
}

/// Searches a puzzle of any size within limits.
fn prove_alone(puzzle: &Grid, options: &StatsOptions) -> Proofs {
    let limits = match puzzle.rules() {
        None => unique::limits_for(puzzle.order(), options.nodes_per_proof),
        Some(_) => Limits::none().with_nodes(options.nodes_per_proof),
    };
    let solutions = match unique::count_up_to(puzzle, 2, &limits) {
        Ok(0) => SolutionCount::None,
        Ok(1) => SolutionCount::One,
        Ok(_) => SolutionCount::Several,
        Err(_) => SolutionCount::Unfinished,
    };
    let minimality = || match unique::is_minimal(puzzle, &limits) {
        Ok(true) => Minimality::Minimal,
        Ok(false) => Minimality::NotMinimal,
        Err(_) => Minimality::Unfinished,
    };
    let minimality = (options.minimality && solutions == SolutionCount::One).then(minimality);
    Proofs { solutions: Some(solutions), minimality }
}

/// Analyses one puzzle; the searches are done.
fn analyze(puzzle: &Grid, proofs: Proofs, options: &StatsOptions) -> Facts {
    let is_classic = puzzle.rules().is_none();
    Facts {
        clues: puzzle.clue_count(),
        solutions: proofs.solutions,
        minimality: proofs.minimality,
        dupree: options
            .dupree
            .then(|| dupree::score_within(puzzle, &Limits::none().with_nodes(MOST_TRIALS))),
        consistency: options.consistency.map(|strongest| match is_classic {
            true => consistency::weakest(puzzle, strongest),
            false => consistency::Verdict::Open,
        }),
        class: (options.duplicates && is_classic).then(|| canonical(puzzle).fingerprint()),
    }
}

/// The trial limit of DuPree's score. Puzzles with many solutions exceed it and get no score.
const MOST_TRIALS: u64 = 100_000;

/// Puzzles passed to a thread together: enough to fill the lanes of a vector most of the time.
const PORTION: usize = 1_024;

/// Analyses puzzles on several threads. The result does not depend on the number of threads. The
/// calling thread reads from `puzzles` while the others work.
pub fn collect(
    puzzles: impl Iterator<Item = Grid>,
    options: &StatsOptions,
    threads: usize,
) -> Stats {
    let mut stats = Stats::default();
    let mut puzzles = puzzles.peekable();
    let (puzzle_sender, puzzle_receiver) = sync_channel::<Vec<Grid>>(threads.max(1));
    let (facts_sender, facts_receiver) = channel::<Vec<Facts>>();
    let puzzle_receiver = Mutex::new(puzzle_receiver);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (puzzle_receiver, facts_sender) = (&puzzle_receiver, facts_sender.clone());
            scope.spawn(move || {
                loop {
                    let portion = puzzle_receiver.lock().expect("workers never panic").recv();
                    let Ok(portion) = portion else { break };
                    facts_sender
                        .send(analyze_all(&portion, options))
                        .expect("the receiver outlives the workers");
                }
            });
        }
        drop(facts_sender);
        while puzzles.peek().is_some() {
            let portion = puzzles.by_ref().take(PORTION).collect();
            puzzle_sender.send(portion).expect("workers never panic");
            facts_receiver.try_iter().flatten().for_each(|facts| stats.add(&facts));
        }
        drop(puzzle_sender);
        facts_receiver.iter().flatten().for_each(|facts| stats.add(&facts));
    });
    stats
}

/// Totals over a collection.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// The number of puzzles.
    pub puzzles: u64,
    /// The number of puzzles by number of clues.
    pub clues: BTreeMap<usize, u64>,
    /// The number of puzzles by number of solutions.
    pub solutions: BTreeMap<SolutionCount, u64>,
    /// The number of puzzles with one solution by minimality.
    pub minimality: BTreeMap<Minimality, u64>,
    /// Mean, deviation and extremes of DuPree's scores.
    pub dupree: Moments,
    /// The number of puzzles by DuPree's difficulty.
    pub dupree_difficulties: BTreeMap<dupree::Difficulty, u64>,
    /// The number of DuPree scores from 2ⁿ to 2ⁿ⁺¹ − 1, by n.
    pub dupree_octaves: BTreeMap<u32, u64>,
    /// The number of puzzles without a DuPree score: no solution, too many solutions, not 9×9, or
    /// rules of their own.
    pub without_dupree: u64,
    /// The number of puzzles by the weakest consistency that solves them.
    pub consistency: BTreeMap<Consistency, u64>,
    /// The number of puzzles that no tested consistency solves, including those refuted.
    pub without_consistency: u64,
    /// The fingerprints of all symmetry classes.
    classes: HashSet<u128>,
    /// The number of puzzles whose class was computed.
    classed: u64,
}

/// Mean and standard deviation of numbers that are added one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Moments {
    /// How many numbers were added.
    pub count: u64,
    /// The smallest number; 0 without numbers.
    pub min: u64,
    /// The largest number; 0 without numbers.
    pub max: u64,
    sum: u128,
    sum_of_squares: u128,
}

impl Moments {
    fn add(&mut self, number: u64) {
        self.min = if self.count == 0 { number } else { self.min.min(number) };
        self.max = self.max.max(number);
        self.count += 1;
        self.sum += u128::from(number);
        self.sum_of_squares += u128::from(number) * u128::from(number);
    }

    /// The mean; 0 without numbers.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The standard deviation of the whole population, as in Table III of Tran and Manley.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        // Integers: n·Σx² − (Σx)² is exact, so the result does not depend on the order of the
        // numbers.
        let count = u128::from(self.count);
        let spread = count * self.sum_of_squares - self.sum * self.sum;
        (spread as f64).sqrt() / self.count as f64
    }
}

impl Stats {
    /// Adds the properties of one puzzle.
    fn add(&mut self, facts: &Facts) {
        self.puzzles += 1;
        *self.clues.entry(facts.clues).or_default() += 1;
        if let Some(count) = facts.solutions {
            *self.solutions.entry(count).or_default() += 1;
        }
        if let Some(minimality) = facts.minimality {
            *self.minimality.entry(minimality).or_default() += 1;
        }
        match &facts.dupree {
            Some(Ok(score)) => {
                self.dupree.add(score.points);
                *self.dupree_difficulties.entry(score.difficulty()).or_default() += 1;
                *self.dupree_octaves.entry(score.points.max(1).ilog2()).or_default() += 1;
            }
            Some(Err(_)) => self.without_dupree += 1,
            None => {}
        }
        match facts.consistency {
            Some(consistency::Verdict::Solved(level)) => {
                *self.consistency.entry(level).or_default() += 1
            }
            Some(_) => self.without_consistency += 1,
            None => {}
        }
        if let Some(class) = facts.class {
            self.classed += 1;
            self.classes.insert(class);
        }
    }

    fn with_solutions(&self, count: SolutionCount) -> u64 {
        self.solutions.get(&count).copied().unwrap_or(0)
    }

    fn with_minimality(&self, minimality: Minimality) -> u64 {
        self.minimality.get(&minimality).copied().unwrap_or(0)
    }

    fn mean_clues(&self) -> f64 {
        let sum: u64 = self.clues.iter().map(|(&clues, &count)| clues as u64 * count).sum();
        if self.puzzles == 0 { 0.0 } else { sum as f64 / self.puzzles as f64 }
    }

    /// The number of puzzles that are images of an earlier one, if classes were computed.
    fn duplicates(&self) -> Option<u64> {
        (self.classed > 0).then(|| self.classed - self.classes.len() as u64)
    }

    /// Pairs of a name and a value. Statistics that were not collected are left out.
    fn rows(&self) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push((name.to_string(), value));
        row("puzzles", self.puzzles.to_string());
        if let (Some((least, _)), Some((most, _))) =
            (self.clues.first_key_value(), self.clues.last_key_value())
        {
            row("clues, average", format!("{:.2}", self.mean_clues()));
            row("clues, minimum", least.to_string());
            row("clues, maximum", most.to_string());
        }
        if !self.solutions.is_empty() {
            row("no solution", self.with_solutions(SolutionCount::None).to_string());
            row("one solution", self.with_solutions(SolutionCount::One).to_string());
            row("several solutions", self.with_solutions(SolutionCount::Several).to_string());
        }
        // Searches of 9×9 puzzles are always finished, so this row is usually left out.
        if self.with_solutions(SolutionCount::Unfinished) > 0 {
            row(
                "solutions, unfinished",
                self.with_solutions(SolutionCount::Unfinished).to_string(),
            );
        }
        if !self.minimality.is_empty() {
            row("minimal", self.with_minimality(Minimality::Minimal).to_string());
        }
        if self.with_minimality(Minimality::Unfinished) > 0 {
            row("minimal, unfinished", self.with_minimality(Minimality::Unfinished).to_string());
        }
        if self.dupree.count > 0 {
            row("DuPree, average", format!("{:.2}", self.dupree.mean()));
            row("DuPree, standard deviation", format!("{:.2}", self.dupree.deviation()));
            row("DuPree, minimum", self.dupree.min.to_string());
            row("DuPree, maximum", self.dupree.max.to_string());
            for level in dupree::Difficulty::ALL {
                let count = self.dupree_difficulties.get(&level).copied().unwrap_or(0);
                row(&format!("DuPree, {level}"), count.to_string());
            }
        }
        if self.without_dupree > 0 {
            row("DuPree, no score", self.without_dupree.to_string());
        }
        for (level, count) in &self.consistency {
            row(&format!("solved by {level}"), count.to_string());
        }
        if self.without_consistency > 0 {
            row("solved by none of these", self.without_consistency.to_string());
        }
        if let Some(duplicates) = self.duplicates() {
            row("different up to symmetry", self.classes.len().to_string());
            row("images of others", duplicates.to_string());
        }
        rows
    }

    /// All statistics as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = format!("{{\"puzzles\": {}", self.puzzles);
        let mut part = |name: &str, value: String| {
            write!(json, ", \"{name}\": {value}").expect("writing to a String never fails")
        };
        part("clues", object(self.clues.iter()));
        part("clues_mean", format!("{:.6}", self.mean_clues()));
        if !self.solutions.is_empty() {
            let mut counts = vec![
                ("none", SolutionCount::None),
                ("one", SolutionCount::One),
                ("several", SolutionCount::Several),
            ];
            if self.with_solutions(SolutionCount::Unfinished) > 0 {
                counts.push(("unfinished", SolutionCount::Unfinished));
            }
            let counts = counts.into_iter().map(|(name, count)| (name, self.with_solutions(count)));
            part("solutions", object(counts.collect::<Vec<_>>().iter().map(|(name, n)| (name, n))));
        }
        if !self.minimality.is_empty() {
            part("minimal", self.with_minimality(Minimality::Minimal).to_string());
        }
        if self.with_minimality(Minimality::Unfinished) > 0 {
            part("minimal_unfinished", self.with_minimality(Minimality::Unfinished).to_string());
        }
        if self.dupree.count > 0 {
            part("dupree_mean", format!("{:.6}", self.dupree.mean()));
            part("dupree_deviation", format!("{:.6}", self.dupree.deviation()));
            part("dupree_min", self.dupree.min.to_string());
            part("dupree_max", self.dupree.max.to_string());
            part("dupree_levels", object(self.dupree_difficulties.iter()));
        }
        part("dupree_without_score", self.without_dupree.to_string());
        part("consistency", object(self.consistency.iter()));
        part("consistency_unsolved", self.without_consistency.to_string());
        if let Some(duplicates) = self.duplicates() {
            part("classes", self.classes.len().to_string());
            part("duplicates", duplicates.to_string());
        }
        json + "}"
    }

    /// SVG plots with names for files: clue counts, DuPree's levels and scores, consistency. Empty
    /// plots are left out.
    #[must_use]
    pub fn plots(&self, collection: &str) -> Vec<(&'static str, String)> {
        let clues: Vec<(String, u64)> =
            self.clues.iter().map(|(clues, &n)| (clues.to_string(), n)).collect();
        let levels = dupree::Difficulty::ALL
            .iter()
            .map(|level| {
                (level.to_string(), self.dupree_difficulties.get(level).copied().unwrap_or(0))
            })
            .collect();
        let octaves = self
            .dupree_octaves
            .iter()
            .map(|(&octave, &n)| (format!("{}–", 1u64 << octave), n))
            .collect();
        let mut consistency: Vec<(String, u64)> =
            self.consistency.iter().map(|(level, &n)| (level.to_string(), n)).collect();
        if self.without_consistency > 0 {
            consistency.push(("none".to_string(), self.without_consistency));
        }
        [
            ("clues", "Clues", "clues", clues),
            ("dupree-levels", "DuPree's levels", "level", levels),
            ("dupree-scores", "DuPree's scores", "score, from", octaves),
            ("consistency", "Consistency that solves without search", "consistency", consistency),
        ]
        .into_iter()
        .filter(|(_, _, _, bars)| bars.iter().any(|&(_, n)| n > 0))
        .map(|(name, title, below, bars)| {
            (name, chart::counts(&format!("{title}: {collection}"), below, &bars))
        })
        .collect()
    }
}

/// A JSON object of names and numbers.
fn object<'a, K: ToString + 'a>(pairs: impl Iterator<Item = (K, &'a u64)>) -> String {
    let pairs: Vec<String> =
        pairs.map(|(name, number)| format!("\"{}\": {number}", name.to_string())).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// A text table with one column per collection, as in the tables of Tran and Manley.
#[must_use]
pub fn table(collections: &[(&str, &Stats)]) -> String {
    let rows: Vec<Vec<(String, String)>> =
        collections.iter().map(|(_, stats)| stats.rows()).collect();
    // A row that only some collections have is placed before the row that follows it there.
    let mut names: Vec<&str> = Vec::new();
    for column in &rows {
        let mut place = names.len();
        for (name, _) in column.iter().rev() {
            match names.iter().position(|known| known == name) {
                Some(found) => place = found,
                None => names.insert(place, name),
            }
        }
    }
    let value = |column: &[(String, String)], name: &str| {
        column
            .iter()
            .find(|(known, _)| known == name)
            .map_or(String::new(), |(_, value)| value.clone())
    };
    let name_width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = " ".repeat(name_width);
    let width = |index: usize| {
        let widest = rows[index].iter().map(|(_, value)| value.len()).max().unwrap_or(0);
        widest.max(collections[index].0.chars().count())
    };
    for (index, (name, _)) in collections.iter().enumerate() {
        text += &format!("  {name:>width$}", width = width(index));
    }
    for name in names {
        text += &format!("\n{name:<name_width$}");
        for (index, column) in rows.iter().enumerate() {
            text += &format!("  {:>width$}", value(column, name), width = width(index));
        }
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::variants::{self, VariantKind, VariantOptions};
    use crate::generate::{self, GenerateOptions};
    use crate::grid::Order;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const TWO: &str =
        "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";

    fn puzzles() -> Vec<Grid> {
        let hard =
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
        let none = format!("12345678.........9{}", ".".repeat(63));
        // The easy puzzle comes twice, the second time with 1 and 2 exchanged.
        let image = EASY.replace('1', "t").replace('2', "1").replace('t', "2");
        [EASY, &image, hard, TWO, &none].iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn puzzles_with_rules_are_counted_with_their_rules() {
        let kinds = vec![VariantKind::Killer];
        let options = VariantOptions::new(Order::FOUR, kinds).with_clues(0..=1);
        let variant = |seed| variants::generate_one(&options, seed, 0).unwrap().into_puzzle();
        let puzzles = [variant(1).puzzle, variant(2).puzzle, Grid::empty(Order::FOUR)];
        let stats = collect(puzzles.into_iter(), &StatsOptions::all(), 2);
        let text = table(&[("mine", &stats)]);
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in ["one solution 2", "several solutions 1", "DuPree, no score 3"] {
            assert!(text.lines().any(|found| words(found) == line), "{line} is missing:\n{text}");
        }
    }

    #[test]
    fn table_lists_all_statistics() {
        let stats = collect(puzzles().into_iter(), &StatsOptions::all(), 1);
        let text = table(&[("mine", &stats)]);
        for line in [
            "puzzles                        5",
            "clues, minimum                 9",
            "clues, maximum                77",
            "no solution                    1",
            "one solution                   3",
            "several solutions              1",
            "minimal                        1",
            "DuPree, no score               1",
            "images of others               1",
            "solved by AC                   2",
        ] {
            let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                text.lines().any(|found| words(found) == words(line)),
                "{line} is missing in the table:\n{text}"
            );
        }
        assert_eq!(stats.dupree.min, 51);
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let many: Vec<Grid> = puzzles().into_iter().cycle().take(50).collect();
        let alone = collect(many.iter().cloned(), &StatsOptions::all(), 1);
        let together = collect(many.into_iter(), &StatsOptions::all(), 3);
        assert_eq!(alone.to_json(), together.to_json());
        assert_eq!(table(&[("a", &alone)]), table(&[("a", &together)]));
    }

    #[test]
    fn computes_population_mean_and_deviation() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.deviation()), (0.0, 0.0));
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| moments.add(number));
        assert_eq!((moments.mean(), moments.deviation()), (5.0, 2.0));
        assert_eq!((moments.min, moments.max), (2, 9));
    }

    #[test]
    fn counts_unfinished_searches_separately() {
        // The smallest limit that proves one solution is too small to prove minimality.
        let options = GenerateOptions::new(Order::new(3, 4).unwrap()).with_minimal(true);
        let puzzle = generate::generate_one(&options, 1, 0).unwrap().puzzle;
        let options = |nodes_per_proof| StatsOptions {
            dupree: false,
            consistency: None,
            duplicates: false,
            nodes_per_proof,
            ..StatsOptions::all()
        };
        let facts = |nodes| analyze_all(std::slice::from_ref(&puzzle), &options(nodes)).remove(0);
        assert_eq!(
            (facts(1).solutions, facts(1).minimality),
            (Some(SolutionCount::Unfinished), None)
        );
        let finished = facts(unique::NODES_PER_PROOF);
        assert_eq!(
            (finished.solutions, finished.minimality),
            (Some(SolutionCount::One), Some(Minimality::Minimal))
        );
        let needed = (1..200).map(facts).find(|facts| facts.solutions == Some(SolutionCount::One));
        assert_eq!(needed.and_then(|facts| facts.minimality), Some(Minimality::Unfinished));
        let stats = collect([puzzle.clone()].into_iter(), &options(1), 1);
        assert!(
            table(&[("mine", &stats)]).contains("solutions, unfinished"),
            "{}",
            table(&[("mine", &stats)])
        );
        assert!(
            stats.to_json().contains("\"several\": 0, \"unfinished\": 1"),
            "{}",
            stats.to_json()
        );
    }

    #[test]
    fn leaves_out_statistics_that_were_not_collected() {
        let stats = collect(puzzles().into_iter(), &StatsOptions::none(), 1);
        assert!(!table(&[("mine", &stats)]).contains("DuPree"));
        assert_eq!(stats.plots("mine").len(), 1);
        let all = collect(puzzles().into_iter(), &StatsOptions::all(), 1);
        let side_by_side = table(&[("all", &all), ("none", &stats)]);
        assert!(side_by_side.contains("DuPree, average"), "{side_by_side}");
        let swapped = table(&[("none", &stats), ("all", &all)]);
        let names = |text: &str| {
            text.lines().skip(1).map(|line| line[..24].trim().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            names(&side_by_side),
            names(&swapped),
            "the order of the rows does not depend on the columns"
        );
        assert_eq!(all.plots("mine").len(), 4);
    }
}
