//! Comparison of several runs, as a table and as a chart.
//!
//! Runs of one kind, such as the folds of a cross validation, form a group. A group is shown by its
//! mean, and by its standard deviation if it has several runs.

use crate::metrics::Line;
use ninefold::chart::{self, Series};

/// Runs of one kind.
pub struct Group {
    /// The label in table and chart.
    pub name: String,
    /// The metrics of each run.
    pub runs: Vec<Vec<Line>>,
}

/// Statistics of a value over several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    pub runs: usize,
    pub mean: f64,
    /// The standard deviation; none for a single run.
    pub deviation: Option<f64>,
}

impl Group {
    /// The share of validation puzzles solved after this many epochs; none if no run has that many.
    fn solved_after(&self, epoch: usize) -> Option<Spread> {
        let found = self
            .runs
            .iter()
            .filter_map(|lines| solved_by_epoch(lines).nth(epoch.checked_sub(1)?).flatten());
        Spread::new(&found.collect::<Vec<f64>>())
    }

    /// The mean share solved per epoch, in percent.
    fn curve(&self) -> Series {
        let epochs =
            self.runs.iter().map(|lines| solved_by_epoch(lines).count()).max().unwrap_or(0);
        let point = |epoch| Some((epoch as f64, 100.0 * self.solved_after(epoch)?.mean));
        Series { name: self.name.clone(), points: (1..=epochs).filter_map(point).collect() }
    }
}

impl Spread {
    /// None if there are no numbers.
    fn new(numbers: &[f64]) -> Option<Spread> {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
        let deviation = (numbers.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        (!numbers.is_empty()).then_some(Spread { runs: numbers.len(), mean, deviation })
    }
}

/// A Markdown table of the groups: percent solved after each of these epochs.
///
/// If only some runs of a group have that many epochs, their number follows in brackets.
pub fn table(groups: &[Group], epochs: &[usize]) -> String {
    let heads: String = epochs.iter().map(|epoch| format!(" {epoch} |")).collect();
    let mut table = format!("| run | runs |{heads}\n|---|---|{}\n", "---|".repeat(epochs.len()));
    for group in groups {
        let cells = epochs.iter().map(|&epoch| match group.solved_after(epoch) {
            None => " – |".to_string(),
            Some(Spread { runs, mean, deviation }) => {
                let deviation = deviation
                    .map_or(String::new(), |deviation| format!(" ± {:.2}", 100.0 * deviation));
                let runs =
                    if runs < group.runs.len() { format!(" ({runs})") } else { String::new() };
                format!(" {:.2}{deviation}{runs} |", 100.0 * mean)
            }
        });
        table +=
            &format!("| {} | {} |{}\n", group.name, group.runs.len(), cells.collect::<String>());
    }
    table
}

/// An SVG chart of the groups: percent solved over the epochs.
pub fn picture(title: &str, groups: &[Group]) -> String {
    let curves: Vec<Series> = groups.iter().map(Group::curve).collect();
    chart::lines(title, "epochs", "validation puzzles solved, percent", &curves)
}

/// The share solved after each epoch of a run, over all its stages.
fn solved_by_epoch(lines: &[Line]) -> impl Iterator<Item = Option<f64>> + '_ {
    lines.iter().filter(|line| line.what == "epoch").map(|line| line.solved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(solved: &[f64]) -> Vec<Line> {
        let epoch =
            |&solved| Line { what: "epoch".to_string(), solved: Some(solved), ..Line::default() };
        let between = Line { what: "steps".to_string(), ..Line::default() };
        solved.iter().map(epoch).flat_map(|line| [between.clone(), line]).collect()
    }

    #[test]
    fn a_table_contains_mean_deviation_and_the_number_of_longer_runs() {
        let groups = [
            Group {
                name: "A".to_string(),
                runs: vec![run(&[0.5, 0.7]), run(&[0.6, 0.9]), run(&[0.7])],
            },
            Group { name: "B".to_string(), runs: vec![run(&[0.25])] },
        ];
        // 0.5, 0.6, 0.7: deviation 0.1. 0.7, 0.9: mean 0.8, deviation √0.02.
        let expected = "| run | runs | 1 | 2 |\n|---|---|---|---|\n\
                        | A | 3 | 60.00 ± 10.00 | 80.00 ± 14.14 (2) |\n| B | 1 | 25.00 | – |\n";
        assert_eq!(table(&groups, &[1, 2]), expected);
        assert_eq!(groups[0].solved_after(0), None);
        let svg = picture("Figure", &groups);
        assert!(
            svg.contains(">A</text>") && svg.contains(">B</text>") && svg.contains("<polyline"),
            "{svg}"
        );
    }
}
