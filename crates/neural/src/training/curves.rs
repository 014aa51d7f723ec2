//! Learning curves: this is where the measurements of one or several runs become charts.

use crate::training::metrics::Line;
use ninefold::chart::{self, Series};

/// What a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The training loss.
    Loss,
    /// The validation loss.
    ValidationLoss,
    /// The share of validation puzzles that come out right.
    Solved,
    /// The epochs of each stage.
    Epochs,
}

/// What a curve runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Steps taken.
    Steps,
    /// Seconds since the run began.
    Seconds,
    /// Stages, counted from 1.
    Stages,
    /// Cells deleted in a stage; stages without such a number are left out.
    Blanks,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Loss => "training loss",
            What::ValidationLoss => "validation loss",
            What::Solved => "share solved",
            What::Epochs => "epochs",
        }
    }

    fn value(self, line: &Line) -> Option<f64> {
        match self {
            What::Loss => line.loss,
            What::ValidationLoss => line.validation_loss,
            What::Solved => line.solved,
            What::Epochs => (line.what == "stage").then_some(line.epoch as f64),
        }
    }
}

impl Over {
    fn name(self) -> &'static str {
        match self {
            Over::Steps => "steps",
            Over::Seconds => "seconds",
            Over::Stages => "stage",
            Over::Blanks => "blanks",
        }
    }

    fn place(self, line: &Line) -> Option<f64> {
        match self {
            Over::Steps => Some(line.step as f64),
            Over::Seconds => Some(line.seconds),
            Over::Stages => Some(line.stage as f64),
            Over::Blanks => line.blanks.map(|blanks| blanks as f64),
        }
    }

    /// Over stages there is one point for each, and what was measured last counts.
    fn keeps_the_last(self) -> bool {
        matches!(self, Over::Stages | Over::Blanks)
    }
}

/// Several runs in one picture: for each of them a curve of each thing to see.
pub fn of_runs(title: &str, runs: &[(String, Vec<Line>)], whats: &[What], over: Over) -> String {
    let mut curves = Vec::new();
    for (run, lines) in runs {
        for &what in whats {
            let name =
                if whats.len() == 1 { run.clone() } else { format!("{run}, {}", what.name()) };
            let points = points_of(lines, what, over);
            curves.extend((!points.is_empty()).then_some(Series { name, points }));
        }
    }
    let up: Vec<&str> = whats.iter().map(|what| what.name()).collect();
    chart::lines(title, over.name(), &up.join(", "), &curves)
}

fn points_of(lines: &[Line], what: What, over: Over) -> Vec<(f64, f64)> {
    // The loss of single steps is drawn over steps and seconds only; elsewhere that of whole epochs.
    let has_steps = lines.iter().any(|line| line.what == "steps");
    let kind = match what {
        What::Loss if !over.keeps_the_last() && has_steps => "steps",
        What::Loss | What::ValidationLoss => "epoch",
        What::Solved | What::Epochs => "stage",
    };
    let mut points: Vec<(f64, f64)> = Vec::new();
    for line in lines.iter().filter(|line| line.what == kind) {
        let (Some(place), Some(value)) = (over.place(line), what.value(line)) else { continue };
        match points.last_mut() {
            Some(last) if over.keeps_the_last() && last.0 == place => *last = (place, value),
            _ => points.push((place, value)),
        }
    }
    points
}

/// The curves of one run: its losses over the steps, and the share of solved puzzles if it was measured.
pub(super) fn of_run(name: &str, lines: &[Line]) -> String {
    // Where the share solved was measured after every epoch, its stages say nothing new.
    let measured =
        lines.iter().find(|line| line.solved.is_some()).map_or("stage", |line| &line.what);
    let curve = |label: &str, what: &str, value: fn(&Line) -> Option<f64>| Series {
        name: label.to_string(),
        points: lines
            .iter()
            .filter(|line| line.what == what)
            .filter_map(|line| Some((line.step as f64, value(line)?)))
            .collect(),
    };
    let curves = [
        curve("training loss", "steps", |line| line.loss),
        curve("validation loss", "epoch", |line| line.validation_loss),
        curve("share solved", measured, |line| line.solved),
    ];
    let curves: Vec<Series> = curves.into_iter().filter(|curve| !curve.points.is_empty()).collect();
    chart::lines(name, "steps", "loss per cell, share solved", &curves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_stages_the_last_epoch_of_each_counts() {
        let line = |what: &str, stage, epoch, loss| Line {
            what: what.into(),
            stage,
            epoch,
            loss,
            ..Line::default()
        };
        let lines = vec![
            line("steps", 1, 1, Some(9.0)),
            line("epoch", 1, 1, Some(4.0)),
            line("epoch", 1, 2, Some(3.0)),
            line("stage", 1, 2, None),
            line("epoch", 2, 1, Some(2.0)),
            line("stage", 2, 1, None),
        ];
        assert_eq!(points_of(&lines, What::Loss, Over::Stages), [(1.0, 3.0), (2.0, 2.0)]);
        assert_eq!(points_of(&lines, What::Epochs, Over::Stages), [(1.0, 2.0), (2.0, 1.0)]);
        assert_eq!(points_of(&lines, What::Loss, Over::Steps), [(0.0, 9.0)]);
        assert_eq!(points_of(&lines, What::Loss, Over::Blanks), []);
        let svg = of_runs(
            "t",
            &[("a".into(), lines.clone()), ("b".into(), lines)],
            &[What::Loss],
            Over::Stages,
        );
        assert_eq!(svg.matches("<polyline").count(), 2);
    }
}
