//! How a run is going: a line that stays in its place on a terminal, plain lines elsewhere.

use crate::words;
use neural::training::metrics::Line;
use std::io::IsTerminal;
use std::time::Duration;

/// Cells of the bar.
const BAR: u64 = 20;

/// Tells how a run is going on stderr.
pub struct Live {
    quiet: bool,
    terminal: bool,
    /// The longest time the run may take.
    time: Option<Duration>,
    visible: bool,
}

impl Live {
    /// Ready to tell.
    pub fn new(quiet: bool, time: Option<Duration>) -> Live {
        Live { quiet, terminal: std::io::stderr().is_terminal(), time, visible: false }
    }

    /// Tells one measurement. On a terminal those between epochs only move the bar.
    pub fn tell(&mut self, line: &Line) {
        match (self.quiet, self.terminal) {
            (true, _) => {}
            (false, false) => eprintln!("{}", in_words(line)),
            (false, true) => {
                if line.what != "steps" {
                    self.clear();
                    eprintln!("{}", in_words(line));
                }
                eprint!("\r{} \x1b[K", bar(line, self.time));
                self.visible = true;
            }
        }
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            eprint!("\r\x1b[K");
        }
    }
}

/// `stage 2, 5 blanks, epoch 1, step 1,300, loss 0.4321, 5,250 examples per second`.
fn in_words(line: &Line) -> String {
    let mut text = format!("stage {}, ", line.stage);
    if let Some(blanks) = line.blanks {
        text += &format!("{}, ", words::counted(blanks as u64, "blank", "blanks"));
    }
    if let Some(grade) = line.grade {
        text += &format!("grade {grade}, ");
    }
    text += &match line.what.as_str() {
        "stage" => format!("done after {}", words::counted(line.epoch as u64, "epoch", "epochs")),
        _ => format!("epoch {}, step {}", line.epoch, words::thousands(line.step)),
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
    text + &format!(", {} examples per second", words::three_digits(line.examples_per_second))
}

/// `[######..............] 32 %, stage 2, epoch 1, loss 0.4321, 5,250 examples per second, at most 1 min 20 s left`.
fn bar(line: &Line, time: Option<Duration>) -> String {
    let share = line.step as f64 / line.last_step.max(1) as f64;
    let by_steps = line.seconds * (1.0 - share) / share.max(1e-9);
    let by_time = time.map_or(f64::INFINITY, |time| (time.as_secs_f64() - line.seconds).max(0.0));
    // Whichever comes first ends the run, and the bar is full then.
    let left = by_steps.min(by_time);
    let share = line.seconds / (line.seconds + left).max(1e-9);
    let full = ((share * BAR as f64) as u64).min(BAR);
    let bar: String = (0..BAR).map(|cell| if cell < full { '#' } else { '.' }).collect();
    let loss = line.loss.map_or(String::new(), |loss| format!(", loss {loss:.4}"));
    format!(
        "[{bar}] {:.0} %, stage {}, epoch {}{loss}, {} examples per second, at most {} left",
        100.0 * share,
        line.stage,
        line.epoch,
        words::three_digits(line.examples_per_second),
        words::duration(left)
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
    fn the_bar_says_what_is_left() {
        let expected = "[#####...............] 25 %, stage 2, epoch 1, loss 0.5000, 0.00 examples per second, \
                        at most 1 min 30 s left";
        assert_eq!(bar(&line(), None), expected);
    }

    #[test]
    fn a_time_limit_ends_the_run_sooner() {
        let text = bar(&line(), Some(Duration::from_secs(40)));
        assert!(
            text.starts_with("[###############.....] 75 %") && text.ends_with("at most 10 s left"),
            "{text}"
        );
    }
}
