//! Log output of the query engine: warnings go to stderr, and informational messages too if
//! `--verbose` is set.

use log::{LevelFilter, Log, Metadata, Record};

struct ToStderr;

impl Log for ToStderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let level = record.level().as_str().to_ascii_lowercase();
            eprintln!(
                "{level}: {}: {}",
                record.target().split("::").next().unwrap_or_default(),
                record.args()
            );
        }
    }

    fn flush(&self) {}
}

/// Enables log output of the engine.
pub fn to_stderr(verbose: bool) {
    log::set_max_level(if verbose { LevelFilter::Info } else { LevelFilter::Warn });
    // A logger that is already set is kept.
    let _ = log::set_logger(&ToStderr);
}
