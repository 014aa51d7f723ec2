//! Metrics: one line of JSON for each measurement of a run, in a file that other programs can plot.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// One measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What was measured: `steps`, `epoch` or `stage`.
    pub what: String,
    /// Steps taken in all.
    pub step: u64,
    /// The stage, counted from 1.
    pub stage: usize,
    /// The epoch of the stage, counted from 1.
    pub epoch: usize,
    /// Cells deleted in this stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blanks: Option<usize>,
    /// The grade of difficulty of this stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<usize>,
    /// The mean training loss of a cell since the last line of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// The mean loss of a cell on the validation set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_loss: Option<f64>,
    /// The share of validation puzzles that come out right, filled as the model decodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<f64>,
    /// Seconds since this process began to train.
    pub seconds: f64,
    /// Training examples in each of these seconds.
    pub examples_per_second: f64,
    /// Steps taken in all when the run ends, if no stage ends early from now on.
    #[serde(default)]
    pub last_step: u64,
}

/// The file of a run.
pub struct Metrics {
    path: PathBuf,
}

impl Metrics {
    /// Opens the file and keeps its first lines; later ones belong to work that was lost.
    pub(crate) fn open(folder: &Path, kept: usize) -> io::Result<Metrics> {
        let path = folder.join("metrics.jsonl");
        let text = text_of(folder)?;
        let kept: String = text.split_inclusive('\n').take(kept).collect();
        files::write(&path, kept)?;
        Ok(Metrics { path })
    }

    /// Adds a line.
    pub(crate) fn add(&self, line: &Line) -> io::Result<()> {
        fs::OpenOptions::new().append(true).open(&self.path)?.write_all(written(line).as_bytes())
    }

    /// Waits until all lines are on the disk: a checkpoint counts them.
    pub(super) fn sync(&self) -> io::Result<()> {
        fs::File::open(&self.path)?.sync_all()
    }

    /// All whole lines of a run's file; none if there is no file.
    pub fn read(folder: &Path) -> io::Result<Vec<Line>> {
        Ok(text_of(folder)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

/// The lines as a table with a line of column names; what was not measured is empty.
pub(super) fn csv(lines: &[Line]) -> String {
    let mut text =
        "what,step,stage,epoch,blanks,grade,loss,validation_loss,solved,seconds,examples_per_second\n".to_string();
    for line in lines {
        let Line { what, step, stage, epoch, seconds, examples_per_second, .. } = line;
        let (blanks, grade) = (optional(line.blanks), optional(line.grade));
        let (loss, validation_loss) = (optional(line.loss), optional(line.validation_loss));
        let solved = optional(line.solved);
        text += &format!(
            "{what},{step},{stage},{epoch},{blanks},{grade},{loss},{validation_loss},{solved},"
        );
        text += &format!("{seconds:.3},{examples_per_second:.1}\n");
    }
    text
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn text_of(folder: &Path) -> io::Result<String> {
    match fs::read_to_string(folder.join("metrics.jsonl")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other,
    }
}

fn written(line: &Line) -> String {
    serde_json::to_string(line).expect("numbers and words can be written as JSON") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_column_for_everything_and_empty_places() {
        let line = Line {
            what: "epoch".into(),
            step: 7,
            stage: 1,
            epoch: 2,
            loss: Some(0.5),
            ..Line::default()
        };
        let expected = "what,step,stage,epoch,blanks,grade,loss,validation_loss,solved,seconds,examples_per_second\n\
                        epoch,7,1,2,,,0.5,,,0.000,0.0\n";
        assert_eq!(csv(&[line]), expected);
    }

    #[test]
    fn lines_of_lost_work_leave_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let metrics = Metrics::open(folder.path(), 0).unwrap();
        for step in [1, 2, 3] {
            metrics.add(&Line { step, loss: Some(0.1), ..Line::default() }).unwrap();
        }
        Metrics::open(folder.path(), 2).unwrap();
        let steps: Vec<u64> =
            Metrics::read(folder.path()).unwrap().iter().map(|line| line.step).collect();
        assert_eq!(steps, [1, 2]);
    }
}
