//! A comparison as one self-contained HTML file: pictures are embedded, names are escaped.
//!
//! ```
//! use relicast::golden::diff::page::{Pictures, page};
//! use relicast::golden::diff::result::Diff;
//!
//! let html = page(&Diff::default(), &Pictures::default());
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! ```

use std::collections::HashMap;
use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::result::{Changed, Compared, Diff, Named};

/// Most bytes of pictures in a page.
const MAX_BYTES: usize = 1 << 26;

/// Most rows of a table; `--json` has all.
const MAX_ROWS: usize = 5_000;

/// Pictures that differ, as data URLs.
#[derive(Debug, Default)]
pub struct Pictures {
    shown: HashMap<String, [Option<String>; 2]>,
    bytes: usize,
}

impl Pictures {
    /// Adds the two states of the picture at `path`, if the page does not get too large.
    pub fn add(&mut self, path: &str, before: Option<&[u8]>, after: Option<&[u8]>) {
        let size = before.map_or(0, <[u8]>::len) + after.map_or(0, <[u8]>::len);
        if self.bytes.saturating_add(size) > MAX_BYTES {
            return;
        }
        self.bytes += size;
        let address = |bytes: &[u8]| {
            let text = BASE64_STANDARD.encode(bytes);
            format!("data:image/png;base64,{text}")
        };
        let both = [before.map(address), after.map(address)];
        self.shown.insert(path.to_owned(), both);
    }
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;\
color-scheme:light dark}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;\
border-bottom:1px solid #8886;vertical-align:top;overflow-wrap:anywhere}img{max-width:48%;min-width:4rem;\
image-rendering:pixelated;margin:.3rem 1% 0 0;background:repeating-conic-gradient(#8884 0 25%,#0000 0 50%) 0/16px 16px}\
code{font-size:.92em}";

/// Escapes a text for HTML, also within quotes. Control characters become visible.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            control if control.is_control() => safe.extend(control.escape_default()),
            other => safe.push(other),
        }
    }
    safe
}

/// The page.
pub fn page(diff: &Diff, pictures: &Pictures) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>relicast diff</title>\
         <style>{STYLE}</style></head><body>\n<h1>What differs</h1>\n"
    );
    side(&mut html, "Before", &diff.before);
    side(&mut html, "After", &diff.after);
    // Writing to a string does not fail.
    let _ = writeln!(
        html,
        "<p>{} the same, {} moved, {} changed, {} only before, {} only after</p>",
        diff.same,
        diff.moved.len(),
        diff.changed.len(),
        diff.only_before.len(),
        diff.only_after.len()
    );
    table(&mut html, "Changed", &diff.changed, |html, changed| {
        change(html, changed, pictures);
    });
    table(&mut html, "Moved", &diff.moved, |html, moved| {
        cell(html, &moved.before);
        cell(html, &moved.after);
    });
    table(&mut html, "Only before", &diff.only_before, cell);
    table(&mut html, "Only after", &diff.only_after, cell);
    html.push_str("</body></html>\n");
    html
}

fn side(html: &mut String, title: &str, compared: &Compared) {
    let (path, outputs) = (escaped(&compared.path), compared.outputs);
    let how = match compared.is_output_folder {
        true => "outputs",
        false => "decoded for this",
    };
    let _ = write!(html, "<p>{title}: <code>{path}</code>, {outputs} {how}");
    if !compared.missing.is_empty() {
        let _ = write!(html, ", {} missing", compared.missing.len());
    }
    if compared.failed > 0 {
        let _ = write!(html, ", {} failed", compared.failed);
    }
    html.push_str("</p>\n");
}

fn table<T>(html: &mut String, title: &str, rows: &[T], mut write: impl FnMut(&mut String, &T)) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(html, "<h2>{title} ({})</h2>\n<table>", rows.len());
    for row in rows.iter().take(MAX_ROWS) {
        html.push_str("<tr>");
        write(html, row);
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
    let more = rows.len().saturating_sub(MAX_ROWS);
    if more > 0 {
        let _ = writeln!(html, "<p>{more} more; <code>--json</code> lists all.</p>");
    }
}

fn cell(html: &mut String, named: &Named) {
    let (path, source) = (escaped(&named.path), escaped(&named.source));
    let _ = write!(html, "<td><code>{path}</code><br><small>{source}");
    if let Some(member) = &named.member {
        let _ = write!(html, ": {}", escaped(member));
    }
    html.push_str("</small></td>");
}

fn change(html: &mut String, changed: &Changed, pictures: &Pictures) {
    cell(html, &changed.after);
    let _ = write!(html, "<td>{}", escaped(&changed.change.to_string()));
    if changed.before.path != changed.after.path {
        let _ = write!(
            html,
            "<br>was <code>{}</code>",
            escaped(&changed.before.path)
        );
    }
    if let Some(both) = pictures.shown.get(&changed.before.path) {
        html.push_str("<br>");
        for (address, name) in both.iter().zip(["before", "after"]) {
            if let Some(address) = address {
                let _ = write!(html, "<img alt=\"{name}\" src=\"{address}\">");
            }
        }
    }
    html.push_str("</td>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(
            escaped("<b a='\"'>&\n"),
            "&lt;b a=&#39;&quot;&#39;&gt;&amp;\\n"
        );
    }
}
