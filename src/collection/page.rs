//! The index as one self-contained HTML file. Names are escaped; a policy in the page allows no script but its own.
//!
//! ```
//! use relicast::collection::index::Index;
//! use relicast::collection::page::page;
//!
//! let html = page(&Index { name: "<b>".to_owned(), ..Index::default() });
//! assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"));
//! ```

use std::fmt::Write;

use super::disc::{Disc, Proved};
use super::index::{FILE_NAME, Index, Totals};
use super::place::address;
use super::script::{SCRIPT, STYLE, policy};
use super::seal;
use crate::golden::diff::page::escaped;
use crate::pipeline::report::Status;
use relicast_codec::quantity::{self, counted as noun, thousands};

/// Columns of the table: title, and whether it is a number.
const COLUMNS: &[(&str, bool)] = &[
    ("Disc", false),
    ("Game", false),
    ("Edition", false),
    ("State", false),
    ("Bad sectors", true),
    ("Tracks known", true),
    ("Converted", true),
    ("Skipped", true),
    ("Failed", true),
    ("Lost", true),
    ("Proved", false),
    ("Only here", true),
    ("Sources", true),
    ("Outputs", true),
    ("Time", true),
    ("Gallery", false),
];

/// The page.
pub fn page(index: &Index) -> String {
    let name = escaped(&index.name);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <meta name=\"relicast\" content=\"{}\"><title>{name}</title>\
         <style>{STYLE}</style></head><body>\n<main><h1><bdi>{name}</bdi></h1>\n",
        policy(),
        seal::OPEN
    );
    summary(&mut html, &index.totals);
    html.push_str(
        "<p hidden><label>Filter <input id=\"filter\" type=\"search\"></label></p>\n\
         <p id=\"said\" role=\"status\" class=\"weak\"></p>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"Discs\" tabindex=\"0\"><table id=\"discs\">\n\
         <caption>All discs and installs. Sizes of sources count an image and the files in it both; times \
         are those of all threads.</caption>\n<thead><tr>",
    );
    for (title, is_number) in COLUMNS {
        let class = if *is_number { " class=\"n\"" } else { "" };
        // Writing to a string does not fail.
        let _ = write!(html, "<th scope=\"col\"{class}>{title}</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for disc in &index.discs {
        row(&mut html, disc);
    }
    html.push_str("</tbody>\n");
    foot(&mut html, &index.totals);
    html.push_str("</table></div>\n");
    counted(
        &mut html,
        "Games",
        index
            .totals
            .games
            .iter()
            .map(|(name, count)| (name, *count)),
    );
    let editions = index.totals.editions.iter();
    counted(
        &mut html,
        "Editions",
        editions.map(|(name, count)| (name, *count)),
    );
    sharing(&mut html, index);
    source_formats(&mut html, index);
    formats(&mut html, index);
    remarks(&mut html, index);
    let converter = escaped(&index.converter);
    let _ = writeln!(
        html,
        "</main>\n<footer><p class=\"weak\">relicast {converter}. The same as data, with every output that only \
         one disc has: <a href=\"./{FILE_NAME}\">{FILE_NAME}</a></p></footer>\n<script>{SCRIPT}</script></body></html>"
    );
    html
}

fn summary(html: &mut String, totals: &Totals) {
    let saved = present_bytes_saved(totals);
    let _ = writeln!(
        html,
        "<p>{}, {} converted completely, {} proved. {}, {}; {}, {}{saved}.</p>",
        noun(totals.discs, "disc", "discs"),
        thousands(totals.whole),
        thousands(totals.proved),
        noun(totals.outputs, "output", "outputs"),
        quantity::bytes(totals.output_bytes),
        noun(totals.contents, "different content", "different contents"),
        quantity::bytes(totals.content_bytes),
    );
}

/// The bytes saved if each content is stored once.
fn present_bytes_saved(totals: &Totals) -> String {
    match totals.output_bytes.saturating_sub(totals.content_bytes) {
        0 => String::new(),
        saved => format!(
            " ({} less if each were stored once)",
            quantity::bytes(saved)
        ),
    }
}

/// A duration for people.
fn time(seconds: f64) -> String {
    match seconds {
        short if short < 100.0 => format!("{short:.1} s"),
        long if long < 6000.0 => format!("{:.1} min", long / 60.0),
        longer => format!("{:.1} h", longer / 3600.0),
    }
}

/// A cell with text, which is escaped here.
fn text(html: &mut String, value: &str) {
    let value = escaped(value);
    let _ = write!(html, "<td data-v=\"{value}\"><bdi>{value}</bdi></td>");
}

/// A cell with a number; one that should be zero and is not is marked.
fn number(html: &mut String, value: u64, should_be_zero: bool) {
    let class = if should_be_zero && value > 0 {
        "n bad"
    } else {
        "n"
    };
    let _ = write!(
        html,
        "<td class=\"{class}\" data-v=\"{value}\">{}</td>",
        thousands(value)
    );
}

fn bytes(html: &mut String, value: u64) {
    let _ = write!(
        html,
        "<td class=\"n\" data-v=\"{value}\">{}</td>",
        quantity::bytes(value)
    );
}

fn row(html: &mut String, disc: &Disc) {
    let (title, name) = (escaped(&disc.title), escaped(&disc.name));
    let folder = match &disc.out {
        Some(out) => format!("<a href=\"{}/\"><bdi>{name}</bdi></a>", address(out)),
        None => format!("<bdi>{name}</bdi>"),
    };
    let _ = write!(
        html,
        "<tr><th scope=\"row\" data-v=\"{title}\"><bdi>{title}</bdi><br><small>{folder}</small></th>"
    );
    let games: Vec<&str> = disc.games.iter().map(|game| &*game.title).collect();
    text(html, &or(&games.join(", "), "unknown"));
    text(html, &edition(disc));
    let (label, class) = (disc.state.label(), class(disc.state.is_whole()));
    let _ = write!(
        html,
        "<td data-v=\"{label}\"><span class=\"{class}\">{label}</span>"
    );
    if let Some(reason) = &disc.reason {
        let _ = write!(html, "<br><small><bdi>{}</bdi></small>", escaped(reason));
    }
    html.push_str("</td>");
    sectors(html, disc);
    number(html, disc.converted(), false);
    number(html, disc.count(Status::Skipped), false);
    number(html, disc.count(Status::Failed), true);
    number(html, disc.lost() as u64, true);
    let proved = disc.proved.label();
    let class = match disc.proved {
        Proved::Proved => "good",
        Proved::Differs => "bad",
        Proved::NotProved => "weak",
    };
    let _ = write!(
        html,
        "<td data-v=\"{proved}\"><span class=\"{class}\">{proved}</span></td>"
    );
    let unique = &disc.unique;
    let _ = write!(
        html,
        "<td class=\"n\" data-v=\"{}\">{}<br><small>{}</small></td>",
        unique.count,
        thousands(unique.count),
        quantity::bytes(unique.bytes)
    );
    bytes(html, disc.bytes);
    bytes(html, disc.output_bytes);
    let _ = write!(
        html,
        "<td class=\"n\" data-v=\"{}\">{}</td>",
        disc.seconds,
        time(disc.seconds)
    );
    match &disc.gallery {
        Some(gallery) => {
            let _ = write!(
                html,
                "<td data-v=\"gallery\"><a href=\"{}\" aria-label=\"Gallery of {title}\">open</a></td>",
                address(gallery)
            );
        }
        None => html.push_str("<td data-v=\"\"></td>"),
    }
    html.push_str("</tr>\n");
}

/// Bad sectors and identified tracks; a dash for a disc without images.
fn sectors(html: &mut String, disc: &Disc) {
    let sum = |of: fn(&super::disc::Medium) -> u64| disc.media.iter().map(of).sum::<u64>();
    match sum(|medium| medium.sectors_checked) {
        0 => html.push_str("<td class=\"n\" data-v=\"-1\">–</td>"),
        _ => number(html, sum(|medium| medium.sectors_bad), true),
    }
    match sum(|medium| medium.tracks) {
        0 => html.push_str("<td class=\"n\" data-v=\"-1\">–</td>"),
        tracks => {
            let identified = sum(|medium| medium.tracks_identified);
            let _ = write!(
                html,
                "<td class=\"n\" data-v=\"{identified}\">{identified} of {tracks}</td>"
            );
        }
    }
}

fn class(is_good: bool) -> &'static str {
    if is_good { "good" } else { "bad" }
}

fn or(text: &str, other: &str) -> String {
    match text.is_empty() {
        true => other.to_owned(),
        false => text.to_owned(),
    }
}

/// The best edition, or the pressing.
fn edition(disc: &Disc) -> String {
    let pressing = disc.media.iter().find(|medium| medium.identified);
    let editions = disc.editions.first().map(|best| best.edition.clone());
    let mut words = editions
        .or_else(|| pressing.map(|medium| medium.pressing.clone()))
        .unwrap_or_else(|| "unknown".to_owned());
    if disc.unknown_variant {
        words.push_str("; has files of an unknown edition");
    }
    if !disc.foreign.is_empty() {
        let _ = write!(words, "; {} files of other editions", disc.foreign.len());
    }
    words
}

fn foot(html: &mut String, totals: &Totals) {
    let of = |status: Status| totals.items.get(&status).copied().unwrap_or(0);
    let converted = of(Status::Converted) + of(Status::Copied) + of(Status::Unchanged);
    let _ = write!(
        html,
        "<tfoot><tr><th scope=\"row\" colspan=\"4\">{}</th>",
        noun(totals.discs, "disc", "discs")
    );
    let unique = String::new();
    let cells = [
        thousands(totals.sectors_bad),
        format!("{} of {}", totals.tracks_identified, totals.tracks),
        thousands(converted),
        thousands(of(Status::Skipped)),
        thousands(of(Status::Failed)),
        thousands(totals.lost),
        thousands(totals.proved),
        unique,
        quantity::bytes(totals.bytes),
        quantity::bytes(totals.output_bytes),
        time(totals.seconds),
        String::new(),
    ];
    for cell in cells {
        let _ = write!(html, "<td class=\"n\">{cell}</td>");
    }
    html.push_str("</tr></tfoot>\n");
}

fn counted<'a>(
    html: &mut String,
    title: &str,
    rows: impl ExactSizeIterator<Item = (&'a String, u64)>,
) {
    if rows.len() == 0 {
        return;
    }
    let _ = writeln!(
        html,
        "<h2>{title}</h2>\n<table><thead><tr><th scope=\"col\">Name</th><th scope=\"col\" class=\"n\">Discs</th>\
         </tr></thead><tbody>"
    );
    for (name, count) in rows {
        let name = escaped(name);
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\"><bdi>{name}</bdi></th><td class=\"n\">{count}</td></tr>"
        );
    }
    html.push_str("</tbody></table>\n");
}

fn sharing(html: &mut String, index: &Index) {
    html.push_str(
        "<h2>Shared contents</h2>\n<table><thead><tr><th scope=\"col\">On</th>\
         <th scope=\"col\" class=\"n\">Contents</th><th scope=\"col\" class=\"n\">Size (each once)</th></tr></thead><tbody>\n",
    );
    for row in &index.sharing {
        let on = match row.discs {
            1 => "one disc only".to_owned(),
            discs => format!("{discs} discs"),
        };
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{on}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            thousands(row.contents),
            quantity::bytes(row.bytes)
        );
    }
    html.push_str("</tbody></table>\n");
}

fn source_formats(html: &mut String, index: &Index) {
    html.push_str(
        "<h2>Formats of the sources</h2>\n<table><thead><tr><th scope=\"col\">Kind</th><th scope=\"col\">Media type</th>\
         <th scope=\"col\">PRONOM</th><th scope=\"col\" class=\"n\">Files</th><th scope=\"col\" class=\"n\">Size</th></tr></thead><tbody>\n",
    );
    for row in &index.source_formats {
        let media_type = row.media_type.as_deref().unwrap_or("–");
        let pronom = row.pronom.as_deref().unwrap_or("–");
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{media_type}</td><td>{pronom}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&row.kind),
            thousands(row.files),
            quantity::bytes(row.bytes)
        );
    }
    html.push_str("</tbody></table>\n");
}

fn formats(html: &mut String, index: &Index) {
    html.push_str(
        "<h2>Formats of the outputs</h2>\n<table><thead><tr><th scope=\"col\">Media type</th>\
         <th scope=\"col\">PRONOM</th><th scope=\"col\" class=\"n\">Outputs</th><th scope=\"col\" class=\"n\">Size</th></tr></thead><tbody>\n",
    );
    for row in &index.formats {
        let pronom = row.pronom.as_deref().unwrap_or("–");
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{pronom}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            row.media_type,
            thousands(row.outputs),
            quantity::bytes(row.bytes)
        );
    }
    html.push_str("</tbody></table>\n");
}

/// Facts that need attention: files of other editions, and losses.
fn remarks(html: &mut String, index: &Index) {
    const MAX_COUNT: usize = 50;
    for disc in &index.discs {
        let foreign = disc.foreign.iter();
        let foreign = foreign.map(|file| format!("{}: of {}", file.path, file.editions.join("; ")));
        let missing = disc.missing.iter().map(|path| format!("{path}: missing"));
        let changed = disc.changed.iter().map(|path| format!("{path}: changed"));
        let lines: Vec<String> = missing.chain(changed).chain(foreign).collect();
        if lines.is_empty() {
            continue;
        }
        let (title, name) = (escaped(&disc.title), escaped(&disc.name));
        let _ = writeln!(
            html,
            "<h2><bdi>{title}</bdi> <small>(<bdi>{name}</bdi>)</small></h2>\n<ul>"
        );
        for line in lines.iter().take(MAX_COUNT) {
            let _ = writeln!(html, "<li><code>{}</code></li>", escaped(line));
        }
        if lines.len() > MAX_COUNT {
            let more = lines.len() - MAX_COUNT;
            let _ = writeln!(html, "<li>{more} more, see {}</li>", FILE_NAME);
        }
        html.push_str("</ul>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(time(7200.0), "2.0 h");
    }
}
