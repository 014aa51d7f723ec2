//! Learning curves: SVG charts of the metrics of one or several runs.

use crate::metrics::Line;
use ninefold::chart::{self, Series};

/// The quantity of a curve: its y axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The training loss.
    Loss,
    /// The validation loss.
    ValidationLoss,
    /// The share of validation puzzles solved.
    Solved,
    /// The epochs of each stage.
    Epochs,
}

/// The x axis of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Steps taken.
    Steps,
    /// Seconds since the run began.
    Seconds,
    /// Stages, counted from 1.
    Stages,
    /// Cells deleted in a stage; stages without deleted cells are left out.
    Blanks,
}

impl What {
    /// All values.
    pub const ALL: [What; 4] = [What::Loss, What::ValidationLoss, What::Solved, What::Epochs];

    /// The name in options, for example `loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            What::Loss => "loss",
            What::ValidationLoss => "validation-loss",
            What::Solved => "solved",
            What::Epochs => "epochs",
        }
    }

    /// The label in charts.
    fn label(self) -> &'static str {
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
    /// All values.
    pub const ALL: [Over; 4] = [Over::Steps, Over::Seconds, Over::Stages, Over::Blanks];

    /// The name in options, for example `steps`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Over::Steps => "steps",
            Over::Seconds => "seconds",
            Over::Stages => "stages",
            Over::Blanks => "blanks",
        }
    }

    /// The label in charts.
    fn label(self) -> &'static str {
        match self {
            Over::Steps => "steps",
            Over::Seconds => "seconds",
            Over::Stages => "stage",
            Over::Blanks => "blanks",
        }
    }

    fn x(self, line: &Line) -> Option<f64> {
        match self {
            Over::Steps => Some(line.step as f64),
            Over::Seconds => Some(line.seconds),
            Over::Stages => Some(line.stage as f64),
            Over::Blanks => line.blanks.map(|blanks| blanks as f64),
        }
    }

    /// A stage has one point: its last measurement.
    fn keeps_the_last(self) -> bool {
        matches!(self, Over::Stages | Over::Blanks)
    }
}

/// One chart of several runs, with a curve per run and quantity.
pub fn of_runs(title: &str, runs: &[(String, Vec<Line>)], whats: &[What], over: Over) -> String {
    let mut curves = Vec::new();
    for (run, lines) in runs {
        for &what in whats {
            let name =
                if whats.len() == 1 { run.clone() } else { format!("{run}, {}", what.label()) };
            let points = points_of(lines, what, over);
            curves.extend((!points.is_empty()).then_some(Series { name, points }));
        }
    }
    let up: Vec<&str> = whats.iter().map(|what| what.label()).collect();
    chart::lines(title, over.label(), &up.join(", "), &curves)
}

fn points_of(lines: &[Line], what: What, over: Over) -> Vec<(f64, f64)> {
    // Over steps and seconds the loss is that of single steps, elsewhere that of epochs.
    let has_steps = lines.iter().any(|line| line.what == "steps");
    let kind = match what {
        What::Loss if !over.keeps_the_last() && has_steps => "steps",
        What::Loss | What::ValidationLoss => "epoch",
        What::Solved | What::Epochs => "stage",
    };
    let mut points: Vec<(f64, f64)> = Vec::new();
    for line in lines.iter().filter(|line| line.what == kind) {
        let (Some(place), Some(value)) = (over.x(line), what.value(line)) else { continue };
        match points.last_mut() {
            Some(last) if over.keeps_the_last() && last.0 == place => *last = (place, value),
            _ => points.push((place, value)),
        }
    }
    points
}

/// The curves of one run: its losses over the steps, and the share of solved puzzles if measured.
pub(crate) fn of_run(name: &str, lines: &[Line]) -> String {
    // If the share solved was measured after every epoch, the stages repeat those values.
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
    fn a_stage_is_drawn_at_its_last_epoch() {
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
