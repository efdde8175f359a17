//! Report for people as one HTML page without scripts, pictures or external links. All texts are escaped.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};
use std::path::Path;

use serde_json::Value;

use super::catalog::Catalog;
use super::entry::entries;
use super::error::GalleryError;
use super::names;
use super::page::{Origin, Page, ReasonGroup, without_numbers};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::finding::FindingKind;
use relicast_codec::quantity::{bytes, thousands};

/// Maximum rows of a table, to keep the page small enough to mail.
const MAX_ROWS: usize = 60;

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}\
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #8886;vertical-align:top}th{white-space:nowrap}td code{display:inline-block;max-width:24rem;overflow-wrap:break-word}td.n{white-space:nowrap}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
code,pre{font:13px/1.4 ui-monospace,monospace;overflow-wrap:break-word;white-space:pre-wrap;unicode-bidi:isolate}bdi{unicode-bidi:isolate;overflow-wrap:break-word}\
.big{display:flex;flex-wrap:wrap;gap:1.5rem;padding:0;list-style:none}.big b{display:block;font-size:1.5rem}.bad{color:#b00020}\
@media(prefers-color-scheme:dark){.bad{color:#ff8a80}}";

/// Text in HTML, on one line and in one direction: markup is escaped, and characters that change the writing
/// direction or control a terminal are replaced by their code points.
struct Text<'t>(&'t str);

impl Display for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                '\n' => out.write_char(character)?,
                '\u{200E}'
                | '\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2066}'..='\u{2069}'
                | '\u{FEFF}' => {
                    write!(out, "[U+{:04X}]", u32::from(character))?;
                }
                _ if character.is_control() => write!(out, "[U+{:04X}]", u32::from(character))?,
                _ => out.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// Report of the converted folder `out` as one page.
///
/// # Errors
/// Manifest or report cannot be read.
pub fn report_page(out: &Path) -> Result<String, GalleryError> {
    let converted = Converted::open(out)?;
    let entries = entries(&converted);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let names = names::names(&converted, &entries);
    let _ = write(&Page::new(&converted, &entries, &names), &mut text);
    Ok(text)
}

impl Catalog {
    /// Report as one page.
    pub fn report_page(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(self.page(), &mut text);
        text
    }
}

fn write(page: &Page, out: &mut String) -> fmt::Result {
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>What was converted</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>What was converted</h1>\n"
    )?;
    write!(out, "<p>By {}.", Text(&page.program))?;
    if let Some((number, of)) = page.shard {
        write!(out, " This is shard {number} of {of}.")?;
    }
    if !page.complete {
        out.push_str(
            " <strong class=\"bad\">The last run was interrupted: this is incomplete.</strong>",
        );
    }
    out.push_str("</p>\n");
    totals(page, out)?;
    sources(page, out)?;
    work(page, out)?;
    reasons("Failed", "bad", &page.failed, out)?;
    reasons("Skipped", "", &page.skipped, out)?;
    discs(page, out)?;
    deviations(page, out)?;
    findings(page, out)?;
    variant(page, out)?;
    times(page, out)?;
    out.push_str("</body>\n</html>\n");
    Ok(())
}

fn totals(page: &Page, out: &mut String) -> fmt::Result {
    out.push_str("<ul class=\"big\">\n");
    for (key, number) in &page.totals {
        let (shown, label) = match *key {
            "files" => (thousands(*number), "source files"),
            "bytes" => (bytes(*number), "of sources"),
            "outputs" => (thousands(*number), "outputs"),
            "outputBytes" => (bytes(*number), "of outputs"),
            key => (thousands(*number), key),
        };
        let class = if *key == "failed" && *number > 0 {
            " class=\"bad\""
        } else {
            ""
        };
        writeln!(out, "<li{class}><b>{shown}</b>{label}</li>")?;
    }
    out.push_str("</ul>\n");
    Ok(())
}

fn sources(page: &Page, out: &mut String) -> fmt::Result {
    if !page.games.is_empty() {
        out.push_str("<h2>Games</h2>\n<ul>\n");
        for (game, evidence) in &page.games {
            writeln!(
                out,
                "<li>{}: <bdi>{}</bdi></li>",
                Text(game.title()),
                Text(evidence)
            )?;
        }
        out.push_str("</ul>\n");
    }
    if !page.editions.is_empty() {
        out.push_str("<h2>Editions</h2>\n<ul>\n");
        for edition in page.editions.iter().take(MAX_ROWS) {
            let text = |key: &str| edition[key].as_str().unwrap_or_default();
            // An empty list is omitted.
            let number = |key: &str| match &edition[key] {
                Value::Array(list) => thousands(list.len() as u64),
                value => thousands(value.as_u64().unwrap_or_default()),
            };
            writeln!(
                out,
                "<li><bdi>{}</bdi>: {} of {} known files found, {} missing</li>",
                Text(text("edition")),
                Text(&number("matched")),
                Text(&number("known")),
                Text(&number("missing"))
            )?;
        }
        out.push_str("</ul>\n");
    }
    Ok(())
}

fn work(page: &Page, out: &mut String) -> fmt::Result {
    if page.table.is_empty() {
        return Ok(());
    }
    out.push_str("<h2>By game and kind</h2>\n<table>\n<tr><th>game</th><th>kind</th>");
    let statuses = ["converted", "copied", "unchanged", "skipped", "failed"];
    for title in statuses.iter().chain(&["outputs", "size", "seconds"]) {
        write!(out, "<th class=\"n\">{title}</th>")?;
    }
    out.push_str("</tr>\n");
    for row in &page.table {
        let game = row.game.map_or("", |game| game.title());
        write!(
            out,
            "<tr><td>{}</td><td>{}</td>",
            Text(game),
            Text(&row.title)
        )?;
        for status in statuses {
            let number = row.items.get(status).copied().unwrap_or_default();
            let class = if status == "failed" && number > 0 {
                "n bad"
            } else {
                "n"
            };
            write!(out, "<td class=\"{class}\">{}</td>", thousands(number))?;
        }
        writeln!(
            out,
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.2}</td></tr>",
            thousands(row.outputs as u64),
            bytes(row.bytes),
            row.seconds
        )?;
    }
    out.push_str("</table>\n");
    Ok(())
}

fn place(place: &Origin) -> String {
    let name = place.name.as_ref();
    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
    match &place.member {
        Some(member) => format!("{}: {member}{name}", place.source),
        None => format!("{}{name}", place.source),
    }
}

fn reasons(title: &str, class: &str, reasons: &[ReasonGroup], out: &mut String) -> fmt::Result {
    if reasons.is_empty() {
        return Ok(());
    }
    write!(out, "<h2 class=\"{class}\">{title}</h2>\n<table>\n")?;
    out.push_str("<tr><th class=\"n\">count</th><th>why</th><th>for example</th></tr>\n");
    for reason in reasons.iter().take(MAX_ROWS) {
        let why = if reason.count == 1 || reason.has_remedy {
            &reason.example
        } else {
            &reason.reason
        };
        let examples = reason
            .examples
            .iter()
            .map(|one| format!("<code>{}</code>", Text(&place(one))));
        writeln!(
            out,
            "<tr><td class=\"n\">{}</td><td><bdi>{}</bdi></td><td>{}</td></tr>",
            thousands(reason.count as u64),
            Text(why),
            examples.collect::<Vec<_>>().join("<br>")
        )?;
    }
    rest(reasons.len(), out)
}

/// Ends a table with a note on the omitted rows.
fn rest(rows: usize, out: &mut String) -> fmt::Result {
    out.push_str("</table>\n");
    match rows.saturating_sub(MAX_ROWS) {
        0 => Ok(()),
        more => writeln!(
            out,
            "<p>{} more in report.json.</p>",
            thousands(more as u64)
        ),
    }
}

fn discs(page: &Page, out: &mut String) -> fmt::Result {
    if page.discs.is_empty() {
        return Ok(());
    }
    out.push_str("<h2>Discs</h2>\n<table>\n<tr><th>image</th><th>volume</th><th>pressing</th>");
    out.push_str("<th class=\"n\">tracks</th><th class=\"n\">checked sectors</th><th class=\"n\">bad</th></tr>\n");
    for disc in page.discs.iter().take(MAX_ROWS) {
        let class = if disc.bad_sectors > 0 { "n bad" } else { "n" };
        writeln!(
            out,
            "<tr><td><code>{}</code></td><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"{class}\">{}</td></tr>",
            Text(&disc.image),
            Text(disc.volume.as_deref().unwrap_or_default()),
            Text(disc.pressing.as_deref().unwrap_or("unknown")),
            disc.tracks,
            thousands(disc.checked_sectors),
            thousands(disc.bad_sectors)
        )?;
    }
    rest(page.discs.len(), out)
}

/// Deviations that differ only in numbers, as one row.
struct SimilarDeviations<'p> {
    /// Number of values in all files.
    total: u64,
    /// The first deviation in full.
    first: &'p str,
    places: Vec<&'p Origin>,
}

/// Examples of places per row.
const MAX_PLACES: usize = 3;

fn deviations(page: &Page, out: &mut String) -> fmt::Result {
    if page.deviations.is_empty() {
        return Ok(());
    }
    let mut rows: BTreeMap<String, SimilarDeviations<'_>> = BTreeMap::new();
    for one in &page.deviations {
        let first = one.first.first().map(String::as_str).unwrap_or_default();
        let row = rows
            .entry(without_numbers(first))
            .or_insert(SimilarDeviations {
                total: 0,
                first,
                places: Vec::new(),
            });
        row.total = row.total.saturating_add(one.total);
        row.places.push(&one.place);
    }
    let mut rows: Vec<SimilarDeviations<'_>> = rows.into_values().collect();
    rows.sort_by_key(|row| Reverse(row.total));
    out.push_str("<h2>Deviations</h2>\n<p>Values that break a soft rule of their format. They are converted as they are.</p>\n");
    out.push_str("<table>\n<tr><th class=\"n\">count</th><th class=\"n\">files</th><th>the first</th><th>where</th></tr>\n");
    for row in rows.iter().take(MAX_ROWS) {
        let places = row.places.iter().take(MAX_PLACES);
        let places = places.map(|one| format!("<code>{}</code>", Text(&place(one))));
        let more = match row.places.len().saturating_sub(MAX_PLACES) {
            0 => String::new(),
            more => format!("<br>and {} more", thousands(more as u64)),
        };
        writeln!(
            out,
            "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td><bdi>{}</bdi></td><td>{}{more}</td></tr>",
            thousands(row.total),
            thousands(row.places.len() as u64),
            Text(row.first),
            places.collect::<Vec<_>>().join("<br>")
        )?;
    }
    rest(rows.len(), out)
}

/// Messages of many files; failures, skips and deviations have tables of their own.
fn findings(page: &Page, out: &mut String) -> fmt::Result {
    let is_own = |kind| matches!(kind, FindingKind::Missing | FindingKind::Note);
    let findings = page.findings.iter().map(|(finding, _)| finding);
    let rows: Vec<_> = findings.filter(|finding| is_own(finding.kind)).collect();
    if !rows.is_empty() {
        out.push_str("<h2>Missing, and notes</h2>\n<table>\n");
        out.push_str("<tr><th class=\"n\">count</th><th class=\"n\">files</th><th>kind</th><th>the first</th><th>where</th></tr>\n");
        for finding in rows.iter().take(MAX_ROWS) {
            let place = match &finding.member {
                Some(member) => format!("{}: {member}", finding.source),
                None => finding.source.clone(),
            };
            writeln!(
                out,
                "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td><bdi>{}</bdi></td><td><code>{}</code></td></tr>",
                thousands(finding.count),
                thousands(finding.sources),
                finding.kind.label(1),
                Text(&finding.example),
                Text(&place)
            )?;
        }
        rest(rows.len(), out)?;
    }
    if !page.census.is_empty() {
        out.push_str("<h2>Counts</h2>\n<ul>\n");
        for line in page.census.iter().take(MAX_ROWS) {
            writeln!(out, "<li><bdi>{}</bdi></li>", Text(line))?;
        }
        out.push_str("</ul>\n");
    }
    Ok(())
}

fn variant(page: &Page, out: &mut String) -> fmt::Result {
    match &page.unknown_variant {
        Some(text) => writeln!(
            out,
            "<h2>Unknown game version</h2>\n<pre>{}</pre>",
            Text(text)
        ),
        None => Ok(()),
    }
}

fn times(page: &Page, out: &mut String) -> fmt::Result {
    if page.stages.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<h2>Time</h2>\n<p>{:.1} processor seconds in the last run.</p>",
        page.seconds
    )?;
    out.push_str("<table>\n<tr><th>stage</th><th class=\"n\">seconds</th><th class=\"n\">items</th><th class=\"n\">size</th></tr>\n");
    for stage in &page.stages {
        writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{:.2}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            Text(&stage.stage),
            stage.seconds,
            thousands(stage.items),
            bytes(stage.bytes)
        )?;
    }
    out.push_str("</table>\n");
    if !page.slowest.is_empty() {
        out.push_str("<p>The slowest:</p>\n<ol>\n");
        for (one, seconds) in &page.slowest {
            writeln!(
                out,
                "<li>{seconds:.2} s <code>{}</code></li>",
                Text(&place(one))
            )?;
        }
        out.push_str("</ol>\n");
    }
    for tool in &page.tools {
        writeln!(out, "<p>With <code>{}</code>.</p>", Text(tool))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let text = Text("<img src=x onerror=alert(1)> & \"x\" 'y' \u{202E}gpj").to_string();
        assert_eq!(
            text,
            "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;x&quot; &#39;y&#39; [U+202E]gpj"
        );
    }
}
