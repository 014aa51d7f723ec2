//! SVG charts for reports, without scripts and readable in print.
//!
//! - [`counts`]: one bar per count, with the number above it.
//! - [`grouped_bars`]: several bars side by side for each label, with a scale.
//! - [`lines`]: named series with one pair of axes.
//!
//! Every function returns the text of a complete SVG file. This module is internal to the
//! workspace: it is not part of the documented API.

/// A named series of points, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Colours that are distinguishable in greyscale and for colour-blind readers (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7f00"];
const WIDTH: f64 = 640.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 52.0;
/// The height of the plot area.
const PLOT: f64 = 264.0;
/// The height of a line of the legend, which is above the plot area.
const LEGEND: f64 = 14.0;

/// Draws one bar per name with its count above it. `below` is the label of the axis.
///
/// ```
/// let svg = ninefold::chart::counts("Clues", "clues", &[("17".to_string(), 3), ("18".to_string(), 1)]);
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[must_use]
pub fn counts(title: &str, below: &str, bars: &[(String, u64)]) -> String {
    const HEIGHT: f64 = 240.0;
    const MARGIN: f64 = 20.0;
    const TOP: f64 = 48.0;
    // Wide enough for the longest name, at about seven units per letter.
    let longest = bars
        .iter()
        .map(|(name, count)| name.chars().count().max(count.to_string().len()))
        .max()
        .unwrap_or(1);
    let step = (longest as f64 * 7.0 + 8.0).max(24.0);
    let width = (2.0 * MARGIN + step * bars.len() as f64).max(320.0);
    let max = bars.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1) as f64;
    let base = TOP + HEIGHT;
    let mut svg = begin(width, base + 48.0, title, MARGIN, 24.0);
    for (index, (name, count)) in bars.iter().enumerate() {
        let middle = MARGIN + step * (index as f64 + 0.5);
        let height = HEIGHT * *count as f64 / max;
        svg += &bar(middle - step * 0.4, base - height, step * 0.8, height, "#3a6ea5");
        svg += &text(middle, base - height - 4.0, "middle", &count.to_string());
        svg += &text(middle, base + 16.0, "middle", name);
    }
    let end = width - MARGIN;
    svg += &format!(
        "<line x1=\"{MARGIN}\" y1=\"{base}\" x2=\"{end:.1}\" y2=\"{base}\" stroke=\"#222222\"/>\n"
    );
    svg + &text(width / 2.0, base + 36.0, "middle", below) + "</svg>\n"
}

/// Draws series with one pair of axes. The vertical axis starts at 0.
///
/// ```
/// use ninefold::chart::{Series, lines};
///
/// let svg = lines("Loss", "steps", "loss", &[Series { name: "a".into(), points: vec![(0.0, 2.0), (10.0, 1.0)] }]);
/// assert!(svg.contains("<polyline"));
/// ```
#[must_use]
pub fn lines(title: &str, across: &str, up: &str, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|series| &series.points);
    let left = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let right = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let top = points().map(|point| point.1).fold(0.0, f64::max);
    let (left, right) = if left < right { (left, right) } else { (0.0, right.max(1.0)) };
    let frame = Frame::new(series.iter().map(|series| series.name.as_str()), top);
    let x = |value: f64| LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let mut svg = frame.begin(title, across, up);
    for part in 0..=4 {
        let place = left + (right - left) * f64::from(part) / 4.0;
        svg += &frame.below(x(place), &short(place));
    }
    for (number, series) in series.iter().enumerate() {
        let path: Vec<String> = series
            .points
            .iter()
            .map(|&(across, up)| format!("{:.1},{:.1}", x(across), frame.y(up)))
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
            path.join(" "),
            colour(number),
            dashes(number)
        );
    }
    svg + "</svg>\n"
}

/// Draws one group of bars per label, with one bar per named series.
///
/// ```
/// let svg = ninefold::chart::grouped_bars("Solved", "level", "puzzles", &["AC", "GAC"], &[("all", vec![3.0, 2.0])]);
/// assert_eq!(svg.matches("<rect").count(), 3, "the background and two bars");
/// ```
#[must_use]
pub fn grouped_bars(
    title: &str,
    across: &str,
    up: &str,
    labels: &[&str],
    series: &[(&str, Vec<f64>)],
) -> String {
    let top = series.iter().flat_map(|(_, heights)| heights).copied().fold(0.0, f64::max);
    let frame = Frame::new(series.iter().map(|(name, _)| *name), top);
    let group = (WIDTH - LEFT - RIGHT) / labels.len().max(1) as f64;
    let width = 0.8 * group / series.len().max(1) as f64;
    let mut svg = frame.begin(title, across, up);
    for (place, label) in labels.iter().enumerate() {
        let left = LEFT + group * place as f64;
        svg += &frame.below(left + group / 2.0, label);
        for (number, (_, heights)) in series.iter().enumerate() {
            let y = frame.y(heights.get(place).copied().unwrap_or(0.0));
            let x = left + 0.1 * group + width * number as f64;
            svg += &bar(x, y, width, frame.y(0.0) - y, colour(number));
        }
    }
    svg + "</svg>\n"
}

/// The title, the legend, the scale and the labels of both axes.
struct Frame<'a> {
    /// The entries of the legend.
    names: Vec<&'a str>,
    /// The highest value.
    top: f64,
}

impl<'a> Frame<'a> {
    fn new(names: impl Iterator<Item = &'a str>, top: f64) -> Frame<'a> {
        Frame { names: names.collect(), top: if top > 0.0 { top } else { 1.0 } }
    }

    /// The top of the plot area, below the title and the legend.
    fn start(&self) -> f64 {
        30.0 + LEGEND * self.names.len().max(1) as f64
    }

    fn end(&self) -> f64 {
        self.start() + PLOT
    }

    fn y(&self, value: f64) -> f64 {
        self.end() - value / self.top * PLOT
    }

    fn begin(&self, title: &str, across: &str, up: &str) -> String {
        let height = self.end() + BOTTOM;
        let mut svg = begin(WIDTH, height, title, LEFT, 22.0);
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
            let (y, end) = (self.y(level), WIDTH - RIGHT);
            svg += &format!(
                "<line x1=\"{LEFT}\" x2=\"{end:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\n"
            );
            svg += &text(LEFT - 6.0, y + 4.0, "end", &short(level));
        }
        let middle = self.start() + PLOT / 2.0;
        svg + &text((LEFT + WIDTH - RIGHT) / 2.0, height - 14.0, "middle", across)
            + &format!(
                "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\" \
                 fill=\"#222222\">{}</text>\n",
                escaped(up)
            )
    }

    /// A label below the plot area.
    fn below(&self, x: f64, word: &str) -> String {
        text(x, self.end() + 16.0, "middle", word)
    }
}

/// The start of a file: a white background and the title at this position.
fn begin(width: f64, height: f64, title: &str, x: f64, y: f64) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{x}\" y=\"{y}\" font-size=\"15\" fill=\"#222222\">{title}</text>\n"
    )
}

fn bar(x: f64, y: f64, width: f64, height: f64, colour: &str) -> String {
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>\n"
    )
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    let words = escaped(words);
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222222\">{words}</text>\n"
    )
}

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// Series beyond the number of colours are dashed.
fn dashes(number: usize) -> &'static str {
    if number < COLOURS.len() { "" } else { " stroke-dasharray=\"6 3\"" }
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
    fn counts_scales_bars_and_escapes_names() {
        let svg = counts("a < b & c", "n", &[("x".into(), 5), ("y".into(), 10), ("z".into(), 0)]);
        assert!(
            svg.contains("height=\"240.0\"")
                && svg.contains("height=\"120.0\"")
                && svg.contains("height=\"0.0\"")
        );
        assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("a < b"));
        assert_eq!(svg.matches("<rect").count(), 4, "a background and three bars");
    }

    #[test]
    fn lines_scales_points() {
        let series =
            Series { name: "a < b".into(), points: vec![(0.0, 0.0), (5.0, 4.0), (10.0, 2.0)] };
        let svg = lines("t", "x", "y", &[series]);
        assert!(svg.contains("points=\"64.0,308.0 342.0,44.0 620.0,176.0\""), "{svg}");
        assert!(svg.contains("a &lt; b"));
    }

    #[test]
    fn ninth_series_is_dashed() {
        let series: Vec<Series> =
            (0..9).map(|n| Series { name: n.to_string(), points: vec![(0.0, 1.0)] }).collect();
        let svg = lines("t", "x", "y", &series);
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
        assert!(svg.contains("8 (dashed)") && svg.contains("viewBox=\"0 0 640 472\""), "{svg}");
    }

    #[test]
    fn grouped_bars_are_side_by_side() {
        let svg = grouped_bars(
            "t",
            "x",
            "y",
            &["a", "b"],
            &[("one", vec![4.0, 1.0]), ("two", vec![2.0])],
        );
        // Two groups of 278 with two bars of 111.2 each. A missing height is 0.
        for bar in [
            "x=\"91.8\" y=\"58.0\"",
            "x=\"203.0\" y=\"190.0\"",
            "x=\"369.8\"",
            "x=\"481.0\" y=\"322.0\"",
        ] {
            assert!(svg.contains(bar), "{bar}: {svg}");
        }
        assert_eq!(svg.matches("<rect").count(), 5, "a background and four bars");
    }

    #[test]
    fn empty_and_single_point_charts_are_valid() {
        assert!(counts("nothing", "", &[]).contains("</svg>"));
        assert!(grouped_bars("nothing", "", "", &[], &[]).contains("</svg>"));
        assert!(lines("t", "x", "y", &[]).contains("</svg>"));
        let svg = lines("t", "x", "y", &[Series { name: "a".into(), points: vec![(3.0, 0.0)] }]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
