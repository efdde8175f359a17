//! Lines for people on standard output, and its write errors.

use std::io::{self, Write};
use std::sync::OnceLock;

use super::console::printable;
use super::exit::Exit;
use super::{log, wrapped};
use relicast_convert::{Disposition, SourceItem};

/// Prints an error for people and returns the exit code of a usage error.
///
/// Line breaks of the message are preserved (a configuration error shows the line); names in it come from the
/// user's own command line.
pub(in crate::cli) fn usage(error: impl std::fmt::Display) -> Exit {
    log::fatal(error, Exit::Usage);
    Exit::Usage
}

/// Prints a problem with the file at `path`.
pub(in crate::cli) fn failure(path: &str, error: &impl std::fmt::Display) -> Exit {
    let line = format!("{path}: {error}");
    log::fatal(printable(&line), Exit::Failures);
    Exit::Failures
}

/// Prints one line to standard output, wrapped to the terminal; control characters are escaped.
pub(in crate::cli) fn print_line(line: &str) {
    print(&wrapped::for_output(&printable(line)));
}

/// First write error of standard output.
static OUTPUT_FAULT: OnceLock<io::Error> = OnceLock::new();

/// Writes to standard output. Errors are ignored, because they must not stop the run.
pub(in crate::cli) fn print(text: &str) {
    if OUTPUT_FAULT.get().is_some() {
        return;
    }
    let mut out = io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    if let Err(fault) = written {
        // Records only the first error.
        let _ = OUTPUT_FAULT.set(fault);
    }
}

/// Write error of standard output, if any. A closed pipe (`| head`) is not an error.
pub(in crate::cli) fn output_fault() -> Option<&'static io::Error> {
    let fault = OUTPUT_FAULT.get()?;
    (fault.kind() != io::ErrorKind::BrokenPipe).then_some(fault)
}

/// Line about an item: its name and its byte range.
pub(in crate::cli) fn item_line(item: &SourceItem) -> String {
    let name = item.member.as_deref().unwrap_or("(whole file)");
    let length = item.range.end.saturating_sub(item.range.start);
    format!(
        "{name}: {}, {length} bytes at {}{}",
        item.kind.label(),
        item.range.start,
        fate(item)
    )
}

/// Returns a note on an item that is not converted.
pub(in crate::cli) fn fate(item: &SourceItem) -> String {
    match &item.verdict {
        Disposition::Convert => String::new(),
        Disposition::Skip(reason) => format!(", not converted: {reason}"),
        Disposition::Fail(error) => format!(", damaged: {error}"),
    }
}
