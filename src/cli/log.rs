//! Log lines on standard error: text for people, JSON for scripts.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt;

use crate::pipeline::progress::Progress;

/// Spelling of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One line of words a message.
    #[default]
    Text,
    /// One JSON object a message.
    Json,
}

/// Sends log lines of `level` and above to standard error, above the bars of `progress`.
pub fn start(level: LevelFilter, format: LogFormat, progress: &Progress) {
    let builder = fmt()
        .with_max_level(level)
        .with_writer(progress.log_writer())
        .with_target(false);
    // A second start in one process (tests) keeps the first.
    let _ = match format {
        LogFormat::Text => builder.without_time().with_ansi(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}
