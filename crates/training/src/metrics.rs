//! Metrics: one line of JSON per measurement of a run, in a file that other programs can plot.

use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file in the directory of a run.
pub(crate) const FILE: &str = "metrics.jsonl";

/// One measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The kind of measurement: `steps`, `epoch` or `stage`.
    pub what: String,
    /// Steps taken since the start of the run.
    pub step: u64,
    /// The stage, counted from 1.
    pub stage: usize,
    /// The epoch of the stage, counted from 1.
    pub epoch: usize,
    /// Cells deleted from each solution in this stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blanks: Option<usize>,
    /// The grade of difficulty of this stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<usize>,
    /// The mean training loss per cell since the last line of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// The mean loss per cell on the validation set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_loss: Option<f64>,
    /// The share of puzzles solved: of the validation set, decoded as the model decodes, or of the
    /// training batches since the last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<f64>,
    /// Seconds of training.
    pub seconds: f64,
    /// Training examples per second.
    pub examples_per_second: f64,
    /// Steps at the end of the run, if no stage ends early.
    #[serde(default)]
    pub last_step: u64,
}

/// The metrics file of a run.
pub struct Metrics {
    path: PathBuf,
}

impl Metrics {
    /// Opens the file and keeps its first lines. Later lines were written after the checkpoint
    /// that the run resumes from.
    pub(crate) fn open(directory: &Path, kept: usize) -> io::Result<Metrics> {
        let path = directory.join(FILE);
        let text = text_of(directory)?;
        let kept: String = text.split_inclusive('\n').take(kept).collect();
        ninefold_files::write(&path, kept)?;
        Ok(Metrics { path })
    }

    pub(crate) fn add(&self, line: &Line) -> io::Result<()> {
        fs::OpenOptions::new().append(true).open(&self.path)?.write_all(to_json(line).as_bytes())
    }

    /// Syncs all lines to disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        fs::File::open(&self.path)?.sync_all()
    }

    /// All complete lines of a run; none if there is no file.
    pub fn read(directory: &Path) -> io::Result<Vec<Line>> {
        Ok(text_of(directory)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

/// The lines as CSV with a header; values that were not measured are empty.
pub(crate) fn csv(lines: &[Line]) -> String {
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

fn text_of(directory: &Path) -> io::Result<String> {
    match fs::read_to_string(directory.join(FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other,
    }
}

fn to_json(line: &Line) -> String {
    serde_json::to_string(line).expect("a line is plain JSON") + "\n"
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
        let directory = tempfile::tempdir().unwrap();
        let metrics = Metrics::open(directory.path(), 0).unwrap();
        for step in [1, 2, 3] {
            metrics.add(&Line { step, loss: Some(0.1), ..Line::default() }).unwrap();
        }
        Metrics::open(directory.path(), 2).unwrap();
        let steps: Vec<u64> =
            Metrics::read(directory.path()).unwrap().iter().map(|line| line.step).collect();
        assert_eq!(steps, [1, 2]);
    }
}
