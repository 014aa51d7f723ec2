//! What the engine says while it works: warnings to stderr, and everything with `--verbose`.

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

/// From now on the engine's messages are shown.
pub fn to_stderr(verbose: bool) {
    log::set_max_level(if verbose { LevelFilter::Info } else { LevelFilter::Warn });
    // Whoever has set a logger before keeps it.
    let _ = log::set_logger(&ToStderr);
}
