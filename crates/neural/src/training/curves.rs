//! Curves: the measurements of one or several runs as SVG, readable without any script and in print.

use crate::training::metrics::Line;

/// A named curve.
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Colours that can be told apart in grey print and by the colour-blind (Okabe and Ito).
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7f00"];
const WIDTH: f64 = 640.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 52.0;
/// The height of the field between the axes.
const FIELD: f64 = 264.0;
/// The height of a line of the legend, which stands above the field.
const LEGEND: f64 = 14.0;

/// Draws curves over one pair of axes; the upright axis starts at 0.
///
/// ```
/// use neural::training::curves::{Curve, draw};
///
/// let svg = draw("Loss", "steps", "loss", &[Curve { name: "a".into(), points: vec![(0.0, 2.0), (10.0, 1.0)] }]);
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
pub fn draw(title: &str, across: &str, up: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let left = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let right = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let top = points().map(|point| point.1).fold(0.0, f64::max);
    let (left, right) = if left < right { (left, right) } else { (0.0, right.max(1.0)) };
    let top = if top > 0.0 { top } else { 1.0 };
    let frame = Frame { names: curves.iter().map(|curve| curve.name.as_str()).collect(), top };
    let x = |value: f64| LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let mut svg = frame.begin(title, across, up);
    for part in 0..=4 {
        let place = left + (right - left) * f64::from(part) / 4.0;
        svg += &frame.below(x(place), &short(place));
    }
    for (number, curve) in curves.iter().enumerate() {
        let path: Vec<String> =
            curve.points.iter().map(|&(across, up)| format!("{:.1},{:.1}", x(across), frame.y(up))).collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
            path.join(" "),
            colour(number),
            dashes(number)
        );
    }
    svg + "</svg>\n"
}

/// Draws one group of bars for each label, with one bar for each name.
///
/// ```
/// let svg = neural::training::curves::bars("Solved", "level", "puzzles", &["AC", "GAC"], &[("all", vec![3.0, 2.0])]);
/// assert_eq!(svg.matches("<rect").count(), 3, "the ground and two bars");
/// ```
pub fn bars(title: &str, across: &str, up: &str, labels: &[&str], heights: &[(&str, Vec<f64>)]) -> String {
    let top = heights.iter().flat_map(|(_, heights)| heights).copied().fold(0.0, f64::max);
    let frame =
        Frame { names: heights.iter().map(|(name, _)| *name).collect(), top: if top > 0.0 { top } else { 1.0 } };
    let group = (WIDTH - LEFT - RIGHT) / labels.len().max(1) as f64;
    let width = 0.8 * group / heights.len().max(1) as f64;
    let mut svg = frame.begin(title, across, up);
    for (place, label) in labels.iter().enumerate() {
        let left = LEFT + group * place as f64;
        svg += &frame.below(left + group / 2.0, label);
        for (number, (_, heights)) in heights.iter().enumerate() {
            let height = heights.get(place).copied().unwrap_or(0.0);
            svg += &format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>\n",
                left + 0.1 * group + width * number as f64,
                frame.y(height),
                frame.y(0.0) - frame.y(height),
                colour(number)
            );
        }
    }
    svg + "</svg>\n"
}

/// Title, legend, grid and the names of both axes.
struct Frame<'a> {
    /// What stands in the legend.
    names: Vec<&'a str>,
    /// The highest value.
    top: f64,
}

impl Frame<'_> {
    /// Where the field begins: below title and legend.
    fn start(&self) -> f64 {
        30.0 + LEGEND * self.names.len().max(1) as f64
    }

    fn end(&self) -> f64 {
        self.start() + FIELD
    }

    fn y(&self, value: f64) -> f64 {
        self.end() - value / self.top * FIELD
    }

    fn begin(&self, title: &str, across: &str, up: &str) -> String {
        let height = self.end() + BOTTOM;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\" role=\"img\">\n<title>{0}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{0}</text>\n",
            escaped(title)
        );
        for (number, name) in self.names.iter().enumerate() {
            svg += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{}\">{}{}</text>\n",
                WIDTH - RIGHT,
                22.0 + LEGEND * number as f64,
                colour(number),
                escaped(name),
                if dashes(number).is_empty() { "" } else { " (dashed)" }
            );
        }
        for part in 0..=4 {
            let level = self.top * f64::from(part) / 4.0;
            svg += &format!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#dddddd\"/>\n\
                 <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\n",
                WIDTH - RIGHT,
                self.y(level),
                LEFT - 6.0,
                self.y(level) + 4.0,
                short(level),
            );
        }
        svg + &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"14\" y=\"{3:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {3:.1})\">{4}</text>\n",
            (LEFT + WIDTH - RIGHT) / 2.0,
            height - 14.0,
            escaped(across),
            self.start() + FIELD / 2.0,
            escaped(up)
        )
    }

    /// A word under the field.
    fn below(&self, x: f64, word: &str) -> String {
        format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n", self.end() + 16.0, escaped(word))
    }
}

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// When all colours are used up, the next curves are dashed.
fn dashes(number: usize) -> &'static str {
    if number < COLOURS.len() { "" } else { " stroke-dasharray=\"6 3\"" }
}

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
            let name = if whats.len() == 1 { run.clone() } else { format!("{run}, {}", what.name()) };
            let points = points_of(lines, what, over);
            curves.extend((!points.is_empty()).then_some(Curve { name, points }));
        }
    }
    let up: Vec<&str> = whats.iter().map(|what| what.name()).collect();
    draw(title, over.name(), &up.join(", "), &curves)
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
pub fn of_run(name: &str, lines: &[Line]) -> String {
    // Where the share solved was measured after every epoch, its stages say nothing new.
    let measured = lines.iter().find(|line| line.solved.is_some()).map_or("stage", |line| &line.what);
    let curve = |label: &str, what: &str, value: fn(&Line) -> Option<f64>| Curve {
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
    let curves: Vec<Curve> = curves.into_iter().filter(|curve| !curve.points.is_empty()).collect();
    draw(name, "steps", "loss per cell, share solved", &curves)
}

fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        large if large >= 100.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_point_is_left_and_the_highest_is_up() {
        let curve = Curve { name: "a < b".into(), points: vec![(0.0, 0.0), (5.0, 4.0), (10.0, 2.0)] };
        let svg = draw("t", "x", "y", &[curve]);
        assert!(svg.contains("points=\"64.0,308.0 342.0,44.0 620.0,176.0\""), "{svg}");
        assert!(svg.contains("a &lt; b"));
    }

    #[test]
    fn over_stages_the_last_epoch_of_each_counts() {
        let line = |what: &str, stage, epoch, loss| Line { what: what.into(), stage, epoch, loss, ..Line::default() };
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
        let svg = of_runs("t", &[("a".into(), lines.clone()), ("b".into(), lines)], &[What::Loss], Over::Stages);
        assert_eq!(svg.matches("<polyline").count(), 2);
    }

    #[test]
    fn a_ninth_curve_is_dashed_and_the_legend_stays_above_the_field() {
        let curves: Vec<Curve> = (0..9).map(|n| Curve { name: n.to_string(), points: vec![(0.0, 1.0)] }).collect();
        let svg = draw("t", "x", "y", &curves);
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
        assert!(svg.contains("8 (dashed)") && svg.contains("viewBox=\"0 0 640 472\""), "{svg}");
    }

    #[test]
    fn no_points_and_a_single_one_are_plots_too() {
        assert!(draw("t", "x", "y", &[]).contains("</svg>"));
        let svg = draw("t", "x", "y", &[Curve { name: "a".into(), points: vec![(3.0, 0.0)] }]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
