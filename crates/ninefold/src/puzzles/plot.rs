//! Plots: bars as SVG, readable without any script and in print.

/// A bar chart: a title, a word for what the bars stand for, and a name and a height for each bar.
///
/// ```
/// let svg = ninefold::puzzles::plot::bars("Clues", "clues", &[("17".to_string(), 3), ("18".to_string(), 1)]);
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[must_use]
pub fn bars(title: &str, below: &str, bars: &[(String, u64)]) -> String {
    const HEIGHT: f64 = 240.0;
    const LEFT: f64 = 20.0;
    const TOP: f64 = 48.0;
    // Wide enough for the longest name, about seven units a letter.
    let longest = bars.iter().map(|(name, count)| name.chars().count().max(count.to_string().len())).max().unwrap_or(1);
    let step = (longest as f64 * 7.0 + 8.0).max(24.0);
    let width = (2.0 * LEFT + step * bars.len() as f64).max(320.0);
    let most = bars.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1) as f64;
    let base = TOP + HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\">\n<title>{}</title>\n",
        base + 48.0,
        escaped(title)
    );
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    svg += &format!("<text x=\"{LEFT}\" y=\"24\" font-size=\"15\" fill=\"#222222\">{}</text>\n", escaped(title));
    for (index, (name, count)) in bars.iter().enumerate() {
        let middle = LEFT + step * (index as f64 + 0.5);
        let height = HEIGHT * *count as f64 / most;
        svg += &format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"#3a6ea5\"/>\n",
            middle - step * 0.4,
            base - height,
            step * 0.8
        );
        let label = |y: f64, text: &str| {
            format!(
                "<text x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#222222\">{}</text>\n",
                escaped(text)
            )
        };
        svg += &label(base - height - 4.0, &count.to_string());
        svg += &label(base + 16.0, name);
    }
    let (end, middle) = (width - LEFT, width / 2.0);
    svg += &format!("<line x1=\"{LEFT}\" y1=\"{base}\" x2=\"{end:.1}\" y2=\"{base}\" stroke=\"#222222\"/>\n");
    svg += &format!(
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#222222\">{}</text>\n</svg>\n",
        base + 36.0,
        escaped(below)
    );
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tallest_bar_has_the_full_height_and_names_are_escaped() {
        let svg = bars("a < b & c", "n", &[("x".into(), 5), ("y".into(), 10), ("z".into(), 0)]);
        assert!(svg.contains("height=\"240.0\"") && svg.contains("height=\"120.0\"") && svg.contains("height=\"0.0\""));
        assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("a < b"));
        assert_eq!(svg.matches("<rect").count(), 4, "a background and three bars");
    }

    #[test]
    fn no_bars_are_a_plot_too() {
        assert!(bars("nothing", "", &[]).contains("</svg>"));
    }
}
