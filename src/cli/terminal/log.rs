//! Log lines on standard error: text for people, JSON for scripts. Usage errors and panics use the same format,
//! so that a script reads only JSON.

use std::fmt::Display;
use std::sync::OnceLock;

use clap::ValueEnum;
use serde_json::json;
use tracing::error;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::prelude::*;

use super::console::{abridged, print_error, print_error_line};
use super::exit::Exit;
use super::progress::{LogWriter, ProgressDisplay};
use crate::pipeline::run::log_target::FOR_SCRIPTS;

/// Format of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One line of text per message.
    #[default]
    Text,
    /// One JSON object per message, with an `event` and its fields.
    Json,
}

/// Format and writer of this process's log lines.
static STARTED: OnceLock<(LogFormat, LogWriter)> = OnceLock::new();

/// Sends log lines of `level` and above to standard error, above the bars of `progress`.
pub fn start(level: LevelFilter, format: LogFormat, progress: &ProgressDisplay) {
    // A second start in one process (tests) changes nothing.
    let _ = STARTED.set((format, progress.log_writer()));
    let builder = fmt()
        .with_max_level(level)
        .with_writer(progress.log_writer())
        // Write errors are ignored; the library would panic on them.
        .log_internal_errors(false)
        .with_target(false);
    let _ = match format {
        // Fields are for scripts; the message has the same content.
        LogFormat::Text => builder
            .without_time()
            .with_ansi(false)
            .fmt_fields(debug_fn(|out, field, value| match field.name() {
                "message" => write!(out, "{}", abridged(&format!("{value:?}"))),
                _ => Ok(()),
            }))
            .finish()
            // The summary starts with the games, and the report names the tools.
            .with(filter_fn(move |metadata| {
                level >= LevelFilter::DEBUG || metadata.target() != FOR_SCRIPTS
            }))
            .try_init(),
        LogFormat::Json => builder.json().flatten_event(true).finish().try_init(),
    };
}

/// Returns whether log lines are JSON.
pub(in crate::cli) fn is_json() -> bool {
    matches!(STARTED.get(), Some((LogFormat::Json, _)))
}

/// Logs a remark: `event` for scripts, `text` for people.
pub(in crate::cli) fn fatal(error: impl Display, exit: Exit) {
    let exit_code = exit.code();
    if is_json() {
        error!(event = "fatal", exit_code, "{error}")
    } else {
        above_bars(&format!("error: {error}"))
    }
}

/// Logs a remark: `event` for scripts, `text` for people.
pub(in crate::cli) fn remark(event: &str, text: &str) {
    if is_json() {
        tracing::warn!(event, "{text}")
    } else {
        above_bars(text)
    }
}

/// Writes a line above the bars, if there are any.
fn above_bars(line: &str) {
    match STARTED.get() {
        Some((_, writer)) => writer.print(line),
        None => print_error(line),
    }
}

/// Writes panics as log lines, because the message of the standard library is not JSON. They bypass the log,
/// whose locks the thread may hold.
pub(in crate::cli) fn catch_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let text = format!("internal error: {panic}").replace('\n', " ");
        if is_json() {
            let line = json!({"level": "ERROR", "event": "internal", "message": text});
            print_error_line(&line.to_string());
        } else {
            print_error(&text)
        }
    }));
}

/// Returns whether invalid arguments ask for JSON.
pub(in crate::cli) fn asks_for_json(arguments: impl Iterator<Item = std::ffi::OsString>) -> bool {
    let mut before = false;
    for argument in arguments {
        if argument == "--log-format=json" || (before && argument == "json") {
            return true;
        }
        before = argument == "--log-format";
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_for_json_is_seen_among_wrong_arguments() {
        let asks = |line: &str| asks_for_json(line.split(' ').map(Into::into));
        assert!(asks("convert --log-format json --wrong"));
        assert!(asks("convert --log-format=json"));
        assert!(!asks("convert json --log-format text"));
    }
}
