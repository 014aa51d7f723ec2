//! Statistics: what is in a collection of puzzles.
//!
//! The questions are those of Tran and Manley, sections III to V: how many clues (its Table I), how many solutions, how
//! difficult on DuPree's scale (Tables II and III) and which consistency solves each puzzle; and two more: how many
//! puzzles are minimal, and how many are images of others. [`collect`] asks them of every puzzle, [`Stats`] adds up.

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

/// Which questions are asked; the number of clues always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Questions {
    /// How many solutions has it: none, one or more?
    pub solutions: bool,
    /// Is every clue needed?
    pub minimality: bool,
    /// What is DuPree's score?
    pub dupree: bool,
    /// Which consistency solves it, up to this level?
    pub consistency: Option<Consistency>,
    /// Is it an image of another puzzle?
    pub duplicates: bool,
    /// Nodes after which a search for solutions is given up; searches of 9×9 are always finished.
    pub nodes_per_proof: u64,
}

impl Questions {
    /// All of them, consistency up to SGAC.
    pub const ALL: Questions = Questions {
        solutions: true,
        minimality: true,
        dupree: true,
        consistency: Some(Consistency::Sgac),
        duplicates: true,
        nodes_per_proof: unique::NODES_PER_PROOF,
    };
}

/// How many solutions, as far as that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// No grid solves it.
    None,
    /// One grid solves it.
    One,
    /// Several do.
    Several,
    /// The search reached its limit before the answer was certain.
    Unfinished,
}

/// Is every clue of a puzzle needed?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Minimality {
    /// Without any one of them there would be a second solution.
    Minimal,
    /// Some clue can go.
    NotMinimal,
    /// No clue is known to be idle, but a search reached its limit.
    Unfinished,
}

/// The answers for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    /// The number of clues.
    clues: usize,
    /// The number of solutions, if it was asked for.
    solutions: Option<Count>,
    /// Is every clue needed? Asked only of puzzles with one solution.
    minimality: Option<Minimality>,
    /// DuPree's score, or why there is none.
    dupree: Option<Result<dupree::Score, dupree::NoScore>>,
    /// The consistency that solves it.
    consistency: Option<consistency::Verdict>,
    /// The fingerprint of its class.
    class: Option<u128>,
}

/// Answers the questions for some puzzles. Proofs about 9×9 puzzles are made for all of them together.
fn look_at_all(puzzles: &[Grid], questions: &Questions) -> Vec<Facts> {
    let mut proofs = vec![Proofs::default(); puzzles.len()];
    if questions.solutions || questions.minimality {
        let (nine, others): (Vec<usize>, Vec<usize>) =
            (0..puzzles.len()).partition(|&index| puzzles[index].order() == Order::NINE);
        prove_together(puzzles, &nine, questions, &mut proofs);
        others
            .into_iter()
            .for_each(|index| proofs[index] = prove_alone(&puzzles[index], questions));
    }
    puzzles.iter().zip(proofs).map(|(puzzle, proofs)| look(puzzle, proofs, questions)).collect()
}

/// What only a search knows of a puzzle.
#[derive(Clone, Copy, Debug, Default)]
struct Proofs {
    solutions: Option<Count>,
    minimality: Option<Minimality>,
}

/// Proofs about the 9×9 puzzles with these indices, by the batch solver.
fn prove_together(
    puzzles: &[Grid],
    indices: &[usize],
    questions: &Questions,
    proofs: &mut [Proofs],
) {
    let lines: Vec<Line> =
        indices.iter().filter_map(|&index| nine::line(&puzzles[index])).collect();
    let mut unique = Vec::new();
    for ((&index, line), tally) in indices.iter().zip(&lines).zip(Batch::BEST.count_all(&lines, 2))
    {
        proofs[index].solutions = Some(match tally.solutions {
            0 => Count::None,
            1 => Count::One,
            _ => Count::Several,
        });
        if tally.solutions == 1 && questions.minimality {
            unique.push((index, *line));
        }
    }
    let lines: Vec<Line> = unique.iter().map(|(_, line)| *line).collect();
    for ((index, _), needs_all) in unique.iter().zip(unique::need_every_clue(&lines)) {
        let minimality = if needs_all { Minimality::Minimal } else { Minimality::NotMinimal };
        proofs[*index].minimality = Some(minimality);
    }
}

/// Proofs about a puzzle of any size, within limits.
fn prove_alone(puzzle: &Grid, questions: &Questions) -> Proofs {
    let limits = unique::limits_for(puzzle.order(), questions.nodes_per_proof);
    let solutions = match unique::count_up_to(puzzle, 2, &limits) {
        Ok(0) => Count::None,
        Ok(1) => Count::One,
        Ok(_) => Count::Several,
        Err(_) => Count::Unfinished,
    };
    let minimality = || match unique::needs_every_clue(puzzle, &limits) {
        Ok(true) => Minimality::Minimal,
        Ok(false) => Minimality::NotMinimal,
        Err(_) => Minimality::Unfinished,
    };
    let minimality = (questions.minimality && solutions == Count::One).then(minimality);
    Proofs { solutions: Some(solutions), minimality }
}

/// Answers the questions for one puzzle about which everything has been proven.
fn look(puzzle: &Grid, proofs: Proofs, questions: &Questions) -> Facts {
    Facts {
        clues: puzzle.clue_count(),
        solutions: proofs.solutions,
        minimality: proofs.minimality,
        dupree: questions.dupree.then(|| dupree::score_within(puzzle, &Limits::nodes(MOST_TRIALS))),
        consistency: questions.consistency.map(|strongest| consistency::weakest(puzzle, strongest)),
        class: questions.duplicates.then(|| canonical(puzzle).fingerprint()),
    }
}

/// Trials after which a puzzle with many solutions is left without a score.
const MOST_TRIALS: u64 = 100_000;

/// Puzzles that go to a thread together: enough to fill the lanes of a vector for most of the time.
const PORTION: usize = 1_024;

/// Answers the questions for many puzzles on several threads; the sums do not depend on their number. Whoever calls reads
/// on while the threads work.
pub fn collect(
    puzzles: impl Iterator<Item = Grid>,
    questions: &Questions,
    threads: usize,
) -> Stats {
    let mut stats = Stats::default();
    let mut puzzles = puzzles.peekable();
    let (give, take) = sync_channel::<Vec<Grid>>(threads.max(1));
    let (tell, told) = channel::<Vec<Facts>>();
    let take = Mutex::new(take);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (take, tell) = (&take, tell.clone());
            scope.spawn(move || {
                loop {
                    let portion = take.lock().expect("looking at a puzzle never panics").recv();
                    let Ok(portion) = portion else { break };
                    tell.send(look_at_all(&portion, questions))
                        .expect("somebody listens until all is told");
                }
            });
        }
        drop(tell);
        while puzzles.peek().is_some() {
            let portion = puzzles.by_ref().take(PORTION).collect();
            give.send(portion).expect("looking at a puzzle never panics");
            told.try_iter().flatten().for_each(|facts| stats.add(&facts));
        }
        drop(give);
        told.iter().flatten().for_each(|facts| stats.add(&facts));
    });
    stats
}

/// The sums over a collection.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// How many puzzles there are.
    pub puzzles: u64,
    /// How many puzzles have how many clues.
    pub clues: BTreeMap<usize, u64>,
    /// How many puzzles have how many solutions.
    pub solutions: BTreeMap<Count, u64>,
    /// How many puzzles of those with one solution need every clue.
    pub minimality: BTreeMap<Minimality, u64>,
    /// Mean, spread and ends of DuPree's scores.
    pub dupree: Moments,
    /// How many puzzles have each of DuPree's difficulties.
    pub dupree_difficulties: BTreeMap<dupree::Difficulty, u64>,
    /// How many scores lie between 2ⁿ and 2ⁿ⁺¹.
    pub dupree_octaves: BTreeMap<u32, u64>,
    /// Puzzles without a score: no solution, too many, or not 9×9.
    pub without_dupree: u64,
    /// How many puzzles are solved by which consistency first.
    pub consistency: BTreeMap<Consistency, u64>,
    /// Puzzles that no consistency asked for solves, and those shown to have no solution.
    pub without_consistency: u64,
    /// The classes met.
    classes: HashSet<u128>,
    /// Puzzles whose class was asked for.
    classed: u64,
}

/// Mean and spread of numbers that are added one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// How many numbers there are.
    pub count: u64,
    /// The smallest.
    pub least: u64,
    /// The largest.
    pub most: u64,
    sum: u128,
    sum_of_squares: u128,
}

impl Moments {
    fn add(&mut self, number: u64) {
        self.least = if self.count == 0 { number } else { self.least.min(number) };
        self.most = self.most.max(number);
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
        // Whole numbers until the end: n·Σx² − (Σx)² is exact, so the order of adding cannot show.
        let count = u128::from(self.count);
        let spread = count * self.sum_of_squares - self.sum * self.sum;
        (spread as f64).sqrt() / self.count as f64
    }
}

impl Stats {
    /// Adds the answers for one puzzle.
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

    fn with_solutions(&self, count: Count) -> u64 {
        self.solutions.get(&count).copied().unwrap_or(0)
    }

    fn with_minimality(&self, minimality: Minimality) -> u64 {
        self.minimality.get(&minimality).copied().unwrap_or(0)
    }

    /// The mean number of clues.
    fn mean_clues(&self) -> f64 {
        let sum: u64 = self.clues.iter().map(|(&clues, &count)| clues as u64 * count).sum();
        if self.puzzles == 0 { 0.0 } else { sum as f64 / self.puzzles as f64 }
    }

    /// Puzzles that are images of an earlier one, if that was asked.
    fn duplicates(&self) -> Option<u64> {
        (self.classed > 0).then(|| self.classed - self.classes.len() as u64)
    }

    /// What was found, as pairs of a name and a value; what was not asked for is left out.
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
            row("no solution", self.with_solutions(Count::None).to_string());
            row("one solution", self.with_solutions(Count::One).to_string());
            row("several solutions", self.with_solutions(Count::Several).to_string());
        }
        // What every list of 9×9 puzzles would show as 0 is left out.
        if self.with_solutions(Count::Unfinished) > 0 {
            row("solutions, unfinished", self.with_solutions(Count::Unfinished).to_string());
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
            row("DuPree, minimum", self.dupree.least.to_string());
            row("DuPree, maximum", self.dupree.most.to_string());
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

    /// Everything as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = format!("{{\"puzzles\": {}", self.puzzles);
        let mut part = |name: &str, value: String| {
            write!(json, ", \"{name}\": {value}").expect("text takes all")
        };
        part("clues", object(self.clues.iter()));
        part("clues_mean", format!("{:.6}", self.mean_clues()));
        if !self.solutions.is_empty() {
            let mut counts =
                vec![("none", Count::None), ("one", Count::One), ("several", Count::Several)];
            if self.with_solutions(Count::Unfinished) > 0 {
                counts.push(("unfinished", Count::Unfinished));
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
            part("dupree_min", self.dupree.least.to_string());
            part("dupree_max", self.dupree.most.to_string());
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

    /// Plots as SVG with names for files: clue counts, DuPree's levels and scores, consistency. Empty ones are left out.
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

/// A JSON object from names and numbers.
fn object<'a, K: ToString + 'a>(pairs: impl Iterator<Item = (K, &'a u64)>) -> String {
    let pairs: Vec<String> =
        pairs.map(|(name, number)| format!("\"{}\": {number}", name.to_string())).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// Collections side by side, one column for each, as in the tables of Tran and Manley.
#[must_use]
pub fn table(collections: &[(&str, &Stats)]) -> String {
    let rows: Vec<Vec<(String, String)>> =
        collections.iter().map(|(_, stats)| stats.rows()).collect();
    // A row that only some collections have stands before the row that follows it there.
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
    use crate::generate::{self, Wish};
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
    fn the_table_says_what_is_in_a_collection() {
        let stats = collect(puzzles().into_iter(), &Questions::ALL, 1);
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
                "{line} is missing in\n{text}"
            );
        }
        assert_eq!(stats.dupree.least, 51);
    }

    #[test]
    fn many_threads_find_the_same() {
        let many: Vec<Grid> = puzzles().into_iter().cycle().take(50).collect();
        let alone = collect(many.iter().cloned(), &Questions::ALL, 1);
        let together = collect(many.into_iter(), &Questions::ALL, 3);
        assert_eq!(alone.to_json(), together.to_json());
        assert_eq!(table(&[("a", &alone)]), table(&[("a", &together)]));
    }

    #[test]
    fn mean_and_deviation_are_those_of_the_population() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.deviation()), (0.0, 0.0));
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| moments.add(number));
        assert_eq!((moments.mean(), moments.deviation()), (5.0, 2.0));
        assert_eq!((moments.least, moments.most), (2, 9));
    }

    #[test]
    fn what_was_not_finished_is_counted_apart() {
        // The fewest nodes that show one solution do not show for every clue that it is needed.
        let wish = Wish { minimal: true, ..Wish::any(Order::boxes(3, 4).unwrap()) };
        let puzzle = generate::make(&wish, 1, 0).unwrap().puzzle;
        let questions = |nodes_per_proof| Questions {
            dupree: false,
            consistency: None,
            duplicates: false,
            nodes_per_proof,
            ..Questions::ALL
        };
        let facts = |nodes| look_at_all(std::slice::from_ref(&puzzle), &questions(nodes)).remove(0);
        assert_eq!((facts(1).solutions, facts(1).minimality), (Some(Count::Unfinished), None));
        let finished = facts(unique::NODES_PER_PROOF);
        assert_eq!(
            (finished.solutions, finished.minimality),
            (Some(Count::One), Some(Minimality::Minimal))
        );
        let needed = (1..200).map(facts).find(|facts| facts.solutions == Some(Count::One));
        assert_eq!(needed.and_then(|facts| facts.minimality), Some(Minimality::Unfinished));
        let stats = collect([puzzle.clone()].into_iter(), &questions(1), 1);
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
    fn what_was_not_asked_is_left_out() {
        let none = Questions {
            solutions: false,
            minimality: false,
            dupree: false,
            consistency: None,
            duplicates: false,
            ..Questions::ALL
        };
        let stats = collect(puzzles().into_iter(), &none, 1);
        assert!(!table(&[("mine", &stats)]).contains("DuPree"));
        assert_eq!(stats.plots("mine").len(), 1);
        let all = collect(puzzles().into_iter(), &Questions::ALL, 1);
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
