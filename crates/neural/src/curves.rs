//! Curves: the measurements of one or several runs as SVG, readable without any script and in print.

use crate::metrics::Line;

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
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 52.0;
/// Room for the legend beside the axes, where there are more curves than lines above them.
const LEGEND: f64 = 100.0;

/// Draws curves over one pair of axes; the upright axis starts at 0.
///
/// ```
/// use neural::curves::{Curve, draw};
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
    let x = |value: f64| LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let is_beside = curves.len() > 2;
    let whole = if is_beside { WIDTH + LEGEND } else { WIDTH };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{0}</text>\n",
        escaped(title)
    );
    for part in 0..=4 {
        let (level, place) = (top * f64::from(part) / 4.0, left + (right - left) * f64::from(part) / 4.0);
        svg += &format!(
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\n\
             <text x=\"{5:.1}\" y=\"{6:.1}\" text-anchor=\"middle\">{7}</text>\n",
            WIDTH - RIGHT,
            y(level),
            LEFT - 6.0,
            y(level) + 4.0,
            short(level),
            x(place),
            HEIGHT - BOTTOM + 16.0,
            short(place),
        );
    }
    svg += &format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text x=\"14\" y=\"{3:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {3:.1})\">{4}</text>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 14.0,
        escaped(across),
        HEIGHT / 2.0,
        escaped(up)
    );
    for (number, curve) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let path: Vec<String> =
            curve.points.iter().map(|&(across, up)| format!("{:.1},{:.1}", x(across), y(up))).collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>\n",
            path.join(" "),
            whole - RIGHT / 2.0,
            22.0 + 14.0 * number as f64,
            escaped(&curve.name)
        );
    }
    svg + "</svg>\n"
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
    fn no_points_and_a_single_one_are_plots_too() {
        assert!(draw("t", "x", "y", &[]).contains("</svg>"));
        let svg = draw("t", "x", "y", &[Curve { name: "a".into(), points: vec![(3.0, 0.0)] }]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
