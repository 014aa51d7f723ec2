//! Formats numbers and durations for people.

use std::time::Duration;

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 guess`, `3 guesses`, `1,234 puzzles`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// Three significant digits and a suitable unit: `850 µs`, `3.42 ms`, `12.0 s`. Zero is a dash.
pub fn time(time: Duration) -> String {
    if time.is_zero() {
        return "–".to_string();
    }
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// `2.13`, `85.0`, `123`, `4,567`.
pub fn three_digits(value: f64) -> String {
    match value {
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => thousands(v.round() as u64),
    }
}

/// `45 s`, `1 min 30 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    match seconds.min(1e9) as u64 {
        seconds if seconds < 60 => format!("{seconds} s"),
        seconds if seconds < 3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separates_thousands_with_commas() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(count(1, "guess", "guesses"), "1 guess");
        assert_eq!(count(0, "guess", "guesses"), "0 guesses");
    }

    #[test]
    fn formats_durations_in_two_units() {
        assert_eq!(
            [0.0, 59.9, 90.0, 7_500.0].map(duration),
            ["0 s", "59 s", "1 min 30 s", "2 h 5 min"]
        );
    }

    #[test]
    fn chooses_a_suitable_unit() {
        let nanos = [0, 12, 850_000, 3_420_000, 12_000_000_000, 99_960_000_000];
        let times = nanos.map(|nanos| time(Duration::from_nanos(nanos)));
        assert_eq!(times, ["–", "12.0 ns", "850 µs", "3.42 ms", "12.0 s", "100 s"]);
    }
}
