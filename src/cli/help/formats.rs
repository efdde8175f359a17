//! `relicast formats`: the table of formats.
//!
//! ```
//! use relicast::cli::help::formats::{BEGIN, END, table, with_table};
//!
//! let readme = format!("# Title\n{BEGIN}\nold\n{END}\n");
//! assert!(with_table(&readme).is_some_and(|text| text.contains(&table())));
//! ```

use std::fmt::Write;

use serde::Serialize;

use crate::cli::terminal::exit::Exit;
use crate::cli::terminal::lines::{print, print_line, usage};
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::descriptor::{Becomes, Support};
use relicast_formats::detector::Evidence;
use relicast_formats::foreign::foreign;
use relicast_formats::kind::{Kind, skip_reason};
use relicast_formats::known_names;
use relicast_formats::registry::Codec;

/// Arguments of `formats`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Runs `formats`.
pub fn run(arguments: &Arguments) -> Exit {
    if !arguments.json {
        text().trim_end().lines().for_each(print_line);
        return Exit::Success;
    }
    match serde_json::to_string_pretty(&Document::new()) {
        Ok(text) => {
            print(&text);
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

#[derive(Debug, Serialize)]
struct Document {
    formats: Vec<Row>,
    /// Extensions of files that are not converted.
    other_files: Vec<OtherFile>,
}

#[derive(Debug, Serialize)]
struct Row {
    kind: Kind,
    label: &'static str,
    files: &'static str,
    #[serde(rename = "signs")]
    detectors: Vec<DetectorRow>,
    reads: bool,
    writes: bool,
    games: Games,
    #[serde(skip_serializing_if = "Option::is_none")]
    asset: Option<AssetKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    outputs: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    notes: &'static str,
}

#[derive(Debug, Serialize)]
struct DetectorRow {
    place: &'static str,
    by: &'static str,
    test: String,
}

#[derive(Debug, Serialize)]
struct Games {
    rc: Support,
    mw: Support,
    pm: Support,
    cs: Support,
    eq: Support,
}

#[derive(Debug, Serialize)]
struct OtherFile {
    extension: &'static str,
    reason: &'static str,
}

impl Document {
    fn new() -> Self {
        let others = foreign().map(|(extension, reason)| OtherFile { extension, reason });
        Self {
            formats: Kind::ALL.iter().copied().map(Row::new).collect(),
            other_files: others.collect(),
        }
    }
}

impl Row {
    fn new(kind: Kind) -> Self {
        let format = kind.format();
        let codec = kind.codec();
        let becomes = match format.becomes {
            Becomes::Asset(asset, category) => Some((asset, category.folder())),
            Becomes::NothingByName => Some((AssetKind::Loose, Category::Loose.folder())),
            Becomes::Nothing(_) => None,
        };
        let detectors = format.detectors.iter().map(|detector| DetectorRow {
            place: detector.place(),
            by: match detector.test().evidence() {
                Evidence::Name => "name",
                Evidence::Signature | Evidence::Structure => "content",
            },
            test: detector.test().describe(),
        });
        let [rc, mw, pm, cs, eq] = format.support;
        Self {
            kind,
            label: format.label,
            files: format.files,
            detectors: detectors.collect(),
            reads: codec.decoder().is_some(),
            writes: matches!(codec, Codec::RoundTrip(_)),
            games: Games { rc, mw, pm, cs, eq },
            asset: becomes.map(|(asset, _)| asset),
            folder: becomes.map(|(_, folder)| folder),
            skipped: skip_reason(kind, None),
            outputs: format.outputs,
            notes: format.notes,
        }
    }
}

/// Table for people at a terminal.
fn text() -> String {
    let mut out = format!("relicast converts {}.\n\n", known_names::list());
    for &kind in Kind::ALL {
        let format = kind.format();
        let _ = writeln!(out, "{}: {}", format.label, format.files.replace('`', ""));
        for detector in format.detectors {
            let _ = writeln!(
                out,
                "  detected by  {} ({})",
                detector.test().describe(),
                detector.place()
            );
        }
        let games = ["RC", "MW", "PM", "CS", "EQ"]
            .into_iter()
            .zip(format.support);
        let games: Vec<&str> = games
            .filter(|(_, support)| matches!(support, Support::Full | Support::ReadOnly))
            .map(|(game, _)| game)
            .collect();
        if !games.is_empty() {
            let _ = writeln!(out, "  games        {}", games.join(" "));
        }
        let codec = match kind.codec() {
            Codec::RoundTrip(_) => "read, and written back byte for byte",
            Codec::ReadOnly(_) => "read",
            Codec::None => "none",
        };
        let _ = writeln!(out, "  codec        {codec}");
        let outputs = format.outputs.replace('`', "");
        let _ = match skip_reason(kind, None) {
            Some(reason) => writeln!(out, "  becomes      nothing: {reason}"),
            None => writeln!(out, "  becomes      {outputs}"),
        };
    }
    out
}

fn mark(support: Support) -> char {
    match support {
        Support::Full => '✓',
        Support::ReadOnly => 'r',
        Support::Missing => '✗',
        Support::Absent => '–',
    }
}

/// Groups formats by family: Zipper and all games, EverQuest, discs, other files.
fn family(kind: Kind) -> u8 {
    let everquest = |support: [Support; 5]| {
        let [zipper @ .., _] = support;
        zipper == [Support::Absent; 4]
    };
    match kind.format().becomes {
        Becomes::NothingByName => 3,
        Becomes::Asset(AssetKind::Discs | AssetKind::Cabinets | AssetKind::Music, _) => 2,
        _ if everquest(kind.format().support) => 1,
        Becomes::Asset(..) | Becomes::Nothing(_) => 0,
    }
}

/// Table of docs/formats.md, which `cargo xtask docs` writes between [`BEGIN`] and [`END`].
pub fn table() -> String {
    let mut out = String::from(
        "| format | files | RC | MW | PM | CS | EQ | becomes |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut kinds: Vec<Kind> = Kind::ALL.to_vec();
    kinds.retain(|kind| !kind.format().outputs.is_empty());
    kinds.sort_by_key(|&kind| family(kind));
    let mut notes = Vec::new();
    for kind in kinds {
        let format = kind.format();
        let games = format.support.map(|support| mark(support).to_string());
        let note = match format.notes {
            "" => String::new(),
            text => {
                notes.push(text);
                format!(" [{}]", notes.len())
            }
        };
        let _ = writeln!(
            out,
            "| {}{note} | {} | {} | {} |",
            format.label,
            format.files,
            games.join(" | "),
            format.outputs
        );
    }
    for (text, number) in notes.iter().zip(1..) {
        let _ = write!(out, "\n[{number}] {text}\n");
    }
    let without = foreign().filter(|(_, reason)| reason.contains("no converter"));
    let without: Vec<String> = without
        .map(|(extension, reason)| {
            let what = reason.split(", no converter").next().unwrap_or(reason);
            format!("`*.{extension}` ({what})")
        })
        .collect();
    let _ = write!(out, "\nKnown and skipped: {}.\n", without.join(", "));
    out
}

/// Line before the table in docs/formats.md.
pub const BEGIN: &str =
    "<!-- formats: written by `cargo xtask docs` from crates/relicast-formats/src/registry.rs -->";
/// Line after the table.
pub const END: &str = "<!-- end of formats -->";

/// Page with the current table; `None` when a marker line is missing.
pub fn with_table(page: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}{END}{after}", table()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_formats_has_the_current_table() {
        let page = include_str!("../../../docs/formats.md").replace("\r\n", "\n");
        let expected = with_table(&page);
        assert!(
            expected.is_some_and(|expected| expected == page),
            "run `cargo xtask docs`"
        );
    }

    #[test]
    fn every_kind_has_a_row() {
        let document = serde_json::to_value(Document::new()).unwrap();
        let rows = document["formats"].as_array().unwrap();
        assert_eq!(rows.len(), Kind::ALL.len());
        let wave = rows.iter().find(|row| row["kind"] == "wave").unwrap();
        assert_eq!(wave["asset"], "sounds");
        assert_eq!(
            (&wave["reads"], &wave["writes"]),
            (&true.into(), &true.into())
        );
        let text = text();
        for &kind in Kind::ALL {
            assert!(text.contains(kind.label()), "{kind:?}");
        }
    }
}
