//! Manual pages in a terminal.

use std::io::Write;
use std::process::{Command, Stdio};

use super::lines::print;

/// Shows a manual page: with `man`, else the help as plain text in a pager, else printed.
pub(in crate::cli) fn show(name: &str, page: &str, help: &str) {
    if !by_man(name, page) && !by_pager(help) {
        print(help.trim_end());
    }
}

/// Shows a page with `man`; returns false if it is missing or does not accept files.
fn by_man(name: &str, page: &str) -> bool {
    let Ok(folder) = tempfile::tempdir() else {
        return false;
    };
    let path = folder.path().join(name);
    let written = std::fs::write(&path, page);
    written.is_ok()
        && Command::new("man")
            .arg(&path)
            .status()
            .is_ok_and(|status| status.success())
}

/// Shows a text in the pager that PAGER names, else in `less` or `more`.
fn by_pager(text: &str) -> bool {
    let chosen = std::env::var("PAGER").unwrap_or_default();
    let pagers = [&*chosen, "less", "more"];
    pagers.into_iter().any(|pager| page_by(pager, text))
}

fn page_by(pager: &str, text: &str) -> bool {
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else {
        return false;
    };
    let mut command = Command::new(program);
    let Ok(mut child) = command.args(words).stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut input) = child.stdin.take() {
        // The pager may be left before the end.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}
