//! Prints the progress of training: a progress bar on a terminal, lines elsewhere.

use crate::humanize;
use ninefold_neural::training::metrics::Line;
use std::io::IsTerminal;
use std::time::Duration;

/// The width of the bar in characters.
const BAR_WIDTH: u64 = 20;

/// Prints metrics to stderr.
pub struct ProgressDisplay {
    quiet: bool,
    terminal: bool,
    /// The time limit of the run.
    time: Option<Duration>,
    visible: bool,
}

impl ProgressDisplay {
    pub fn new(quiet: bool, time: Option<Duration>) -> ProgressDisplay {
        ProgressDisplay { quiet, terminal: std::io::stderr().is_terminal(), time, visible: false }
    }

    /// Prints a line of metrics. On a terminal, lines between epochs only move the bar.
    pub fn show(&mut self, line: &Line) {
        match (self.quiet, self.terminal) {
            (true, _) => {}
            (false, false) => eprintln!("{}", to_text(line)),
            (false, true) => {
                if line.what != "steps" {
                    self.clear();
                    eprintln!("{}", to_text(line));
                }
                eprint!("\r{} \x1b[K", bar(line, self.time));
                self.visible = true;
            }
        }
    }

    /// Removes the bar.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            eprint!("\r\x1b[K");
        }
    }
}

/// `stage 2, 5 blanks, epoch 1, step 1,300, loss 0.4321, 5,250 examples per second`.
fn to_text(line: &Line) -> String {
    let mut text = format!("stage {}, ", line.stage);
    if let Some(blanks) = line.blanks {
        text += &format!("{}, ", humanize::count(blanks as u64, "blank", "blanks"));
    }
    if let Some(grade) = line.grade {
        text += &format!("grade {grade}, ");
    }
    text += &match line.what.as_str() {
        "stage" => format!("done after {}", humanize::count(line.epoch as u64, "epoch", "epochs")),
        _ => format!("epoch {}, step {}", line.epoch, humanize::thousands(line.step)),
    };
    if let Some(loss) = line.loss {
        text += &format!(", loss {loss:.4}");
    }
    if let Some(loss) = line.validation_loss {
        text += &format!(", validation loss {loss:.4}");
    }
    if let Some(solved) = line.solved {
        text += &format!(", {:.2} % solved", 100.0 * solved);
    }
    text + &format!(", {} examples per second", humanize::three_digits(line.examples_per_second))
}

/// `[######..............] 32 %, stage 2, epoch 1, loss 0.4321, 5,250 examples per second, at most 1 min 20 s left`.
fn bar(line: &Line, time: Option<Duration>) -> String {
    let share = line.step as f64 / line.last_step.max(1) as f64;
    let by_steps = line.seconds * (1.0 - share) / share.max(1e-9);
    let by_time = time.map_or(f64::INFINITY, |time| (time.as_secs_f64() - line.seconds).max(0.0));
    // The bar is full at the last step or at the time limit, whichever is first.
    let left = by_steps.min(by_time);
    let share = line.seconds / (line.seconds + left).max(1e-9);
    let full = ((share * BAR_WIDTH as f64) as u64).min(BAR_WIDTH);
    let bar: String = (0..BAR_WIDTH).map(|cell| if cell < full { '#' } else { '.' }).collect();
    let loss = line.loss.map_or(String::new(), |loss| format!(", loss {loss:.4}"));
    format!(
        "[{bar}] {:.0} %, stage {}, epoch {}{loss}, {} examples per second, at most {} left",
        100.0 * share,
        line.stage,
        line.epoch,
        humanize::three_digits(line.examples_per_second),
        humanize::duration(left)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        let (step, last_step, seconds) = (25, 100, 30.0);
        Line {
            what: "steps".into(),
            step,
            last_step,
            seconds,
            stage: 2,
            epoch: 1,
            loss: Some(0.5),
            ..Line::default()
        }
    }

    #[test]
    fn shows_the_remaining_time() {
        let expected = "[#####...............] 25 %, stage 2, epoch 1, loss 0.5000, 0.00 examples per second, \
                        at most 1 min 30 s left";
        assert_eq!(bar(&line(), None), expected);
    }

    #[test]
    fn time_limit_shortens_the_remaining_time() {
        let text = bar(&line(), Some(Duration::from_secs(40)));
        assert!(
            text.starts_with("[###############.....] 75 %") && text.ends_with("at most 10 s left"),
            "{text}"
        );
    }
}
