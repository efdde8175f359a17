//! `relicast identify`: detects the game and edition of an input.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;

use super::inputs::{expect_installs, files_of};
use super::terminal::console::printable;
use super::terminal::exit::Exit;
use super::terminal::lines::{failure, print, print_line, usage};
use super::terminal::progress::with_bar;
use crate::collection::disc::SourceFormat;
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::manifest::CONVERTER;
use relicast_codec::quantity::counted;
use relicast_formats::kind::{Kind, sniff};
use relicast_formats::known_names;
use relicast_limits as limits;
use relicast_source::disc::identity::{self, Contents};
use relicast_source::install::{Detection, Evidence, evidence};
use relicast_source::known::{self, Reading, Survey};
use relicast_source::location::Location;
use relicast_source::tree::{SourceFile, Tree};

/// Arguments of `identify`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images, cabinets or files. Several are reported one after the other, with totals.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Most paths printed for a list; JSON has all.
const MAX_COUNT: usize = 20;

/// Result for one input.
#[derive(Debug, Serialize)]
struct Identity {
    games: Vec<GameRow>,
    discs: Vec<DiscRow>,
    /// Formats of the files, with media type and PRONOM identifier if there are any.
    formats: Vec<SourceFormat>,
    #[serde(flatten)]
    survey: Survey,
    /// Text to send in when files with known names have different content.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_variant: Option<String>,
}

#[derive(Debug, Serialize)]
struct GameRow {
    game: &'static str,
    /// Evidence: the file, and the signature found in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
}

/// Disc whose track positions match a known pressing.
#[derive(Debug, Serialize)]
struct DiscRow {
    path: String,
    pressing: String,
}

/// Results for several inputs, with totals.
#[derive(Debug, Serialize)]
struct Collection {
    inputs: Vec<Row>,
    totals: Totals,
}

/// Result for one of several inputs.
#[derive(Debug, Serialize)]
struct Row {
    input: String,
    /// Result, unless the input cannot be read.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    identity: Option<Identity>,
    /// Reason why the input cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Totals over several inputs.
#[derive(Debug, Default, Serialize)]
struct Totals {
    inputs: usize,
    /// Inputs that cannot be read.
    failed: usize,
    /// Number of inputs that hold each game.
    games: BTreeMap<&'static str, usize>,
    /// Number of inputs of each edition, by game and edition. An input counts for its best match only.
    editions: BTreeMap<String, usize>,
    /// Inputs of no known edition.
    unknown: usize,
    /// Inputs with files of no known edition.
    unknown_variants: usize,
    /// Files that belong to another edition than their input.
    foreign: usize,
    known_files: usize,
    no_record: usize,
}

/// Runs `identify`.
pub fn run(arguments: &Arguments) -> Exit {
    if let Err(ended) = expect_installs(&arguments.inputs) {
        return ended;
    }
    if let [_, _, ..] = &arguments.inputs[..] {
        return run_several(arguments);
    }
    let tree = match files_of(&arguments.inputs) {
        Ok(tree) => tree,
        Err(ended) => return ended,
    };
    let identity = identify(&tree);
    if arguments.json {
        return print_json(&identity);
    }
    identity.print();
    Exit::Success
}

fn print_json(value: &impl Serialize) -> Exit {
    match serde_json::to_string_pretty(value) {
        Ok(text) => {
            print(&text);
            Exit::Success
        }
        Err(error) => usage(error),
    }
}

/// Identifies each input in turn and prints totals. An input that cannot be read does not stop the others.
fn run_several(arguments: &Arguments) -> Exit {
    let mut rows = Vec::new();
    for input in &arguments.inputs {
        let row = match Tree::list(std::slice::from_ref(input), None) {
            Ok(tree) if tree.files.is_empty() => Err("no files in it".to_owned()),
            Ok(tree) => Ok(identify(&tree)),
            Err(error) => Err(error.to_string()),
        };
        let input = input.display().to_string();
        let (identity, error) = match row {
            Ok(identity) => (Some(identity), None),
            Err(error) => {
                failure(&input, &error);
                (None, Some(error))
            }
        };
        let row = Row {
            input,
            identity,
            error,
        };
        if !arguments.json {
            row.print();
        }
        rows.push(row);
    }
    let totals = Totals::of(&rows);
    let failed = totals.failed;
    let exit = match arguments.json {
        true => print_json(&Collection {
            inputs: rows,
            totals,
        }),
        false => {
            totals.print();
            Exit::Success
        }
    };
    match (exit, failed) {
        (Exit::Success, 0) => Exit::Success,
        (Exit::Success, all) if all == arguments.inputs.len() => Exit::Usage,
        (Exit::Success, _) => Exit::Failures,
        (exit, _) => exit,
    }
}

impl Row {
    fn print(&self) {
        print_line(&format!("input:      {}", self.input));
        if let Some(identity) = &self.identity {
            identity.print();
        }
        print_line("");
    }
}

impl Totals {
    fn of(rows: &[Row]) -> Self {
        let mut totals = Self {
            inputs: rows.len(),
            ..Self::default()
        };
        for row in rows {
            let Some(identity) = &row.identity else {
                totals.failed += 1;
                continue;
            };
            for game in &identity.games {
                *totals.games.entry(game.game).or_default() += 1;
            }
            let survey = &identity.survey;
            match survey.editions.first() {
                Some(best) => {
                    let name = format!("{}: {}", best.game, best.edition);
                    *totals.editions.entry(name).or_default() += 1;
                }
                None => totals.unknown += 1,
            }
            totals.unknown_variants += usize::from(identity.unknown_variant.is_some());
            totals.foreign += survey.foreign.len();
            totals.known_files += survey.known_files;
            totals.no_record += survey.no_record;
        }
        totals
    }

    fn print(&self) {
        for (game, count) in &self.games {
            print_line(&format!("total:      {count} x {game}"));
        }
        for (edition, count) in &self.editions {
            print_line(&format!("total:      {count} x {edition}"));
        }
        print_line(&format!(
            "total:      {}, {} of unknown edition, {} with files of no known edition, {} files of other \
             editions, {} unreadable",
            counted(self.inputs, "input", "inputs"),
            self.unknown,
            self.unknown_variants,
            self.foreign,
            counted(self.failed, "input", "inputs")
        ));
    }
}

/// Kind of a file, and its evidence for a game. A file that cannot be read gives none.
fn seen(file: &SourceFile) -> (Kind, Option<Evidence>) {
    let detect_kind = || {
        let bytes = file.clone().examine(file.location.open().ok()?);
        let kind = sniff(&bytes, file.name());
        let evidence = evidence(file, kind, &bytes);
        bytes.check().is_ok().then_some((kind, evidence))
    };
    let (kind, evidence) = limits::with_budget(detect_kind)
        .ok()
        .flatten()
        .unwrap_or((Kind::Unknown, None));
    let kind = match &file.location {
        Location::Disc(_) => Kind::Disc,
        Location::ImagePart(..) => Kind::DiscPart,
        Location::Container(..) => Kind::Cabinet,
        Location::ContainerPart(..) => Kind::CabinetPart,
        Location::File(_)
        | Location::DiscFile(..)
        | Location::Member(..)
        | Location::Special(..) => kind,
    };
    (kind, evidence)
}

/// Detects the game of each file.
pub(super) fn detect(tree: &Tree) -> Detection {
    let evidence = tree.files.par_iter().filter_map(|file| seen(file).1);
    Detection::new(evidence.collect(), None)
}

fn identify(tree: &Tree) -> Identity {
    with_bar(false, |bar| identify_observed(tree, bar))
}

fn identify_observed(tree: &Tree, observer: &dyn Observer) -> Identity {
    let count = tree.files.len() as u64;
    let stage = Stage::start(observer, "identify", count, count);
    let detect_kind = |file: &SourceFile| stage.item(&file.path, 1, || seen(file));
    let seen: Vec<(Kind, Option<Evidence>)> = tree.files.par_iter().map(detect_kind).collect();
    stage.finish();
    let (kinds, evidence): (Vec<Kind>, Vec<Option<Evidence>>) = seen.into_iter().unzip();
    let detection = Detection::new(evidence.into_iter().flatten().collect(), None);
    let rows = tree.files.iter().zip(&kinds);
    let rows = rows.map(|(file, kind)| (kind.label(), &*file.path, file.size));
    let formats = SourceFormat::count(rows);
    let files: Vec<&SourceFile> = tree.files.iter().collect();
    // A single file has no folders that could name the game.
    let reading = match files.len() {
        1 => Reading::All,
        _ => Reading::Likely,
    };
    let bytes = files.iter().map(|file| file.size).sum();
    let stage = Stage::start(observer, "compare hashes", count, bytes);
    let game_of = |file: &SourceFile| detection.game(&file.path);
    let survey = known::survey_observed(&files, reading, &game_of, &|file| stage.add(1, file.size));
    stage.finish();
    let games = detection.games().into_iter();
    let discs = tree.files.iter().filter_map(|file| {
        let disc = file.location.disc()?;
        let contents = Contents::of(&disc.layout)?;
        let found = identity::identify(Some(&contents), &[])?;
        Some(DiscRow {
            path: file.path.clone(),
            pressing: format!("{} {}", found.pressing.game, found.pressing.edition),
        })
    });
    Identity {
        games: games
            .map(|(game, evidence)| GameRow {
                game: game.title(),
                evidence: evidence.map(|seen| format!("{} in {}", seen.reason, seen.path)),
            })
            .collect(),
        discs: discs.collect(),
        formats,
        unknown_variant: survey.unknown_variant(CONVERTER),
        survey,
    }
}

/// Returns whether a kind of files, by its label, is no evidence for a game.
fn is_unknown(label: &str) -> bool {
    [Kind::Unknown, Kind::Foreign, Kind::Empty]
        .map(Kind::label)
        .contains(&label)
}

/// Prints the first lines of a list, and the number of the others.
fn listed(label: &str, lines: impl ExactSizeIterator<Item = String>) {
    let count = lines.len();
    for line in lines.take(MAX_COUNT) {
        print_line(&format!("{label:<11} {line}"));
    }
    if count > MAX_COUNT {
        print_line(&format!("{label:<11} and {} more", count - MAX_COUNT));
    }
}

impl Identity {
    fn print(&self) {
        for row in &self.games {
            let reason = row.evidence.as_ref();
            let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
            print_line(&format!("game:       {}{reason}", row.game));
        }
        if self.games.is_empty() {
            print_line("game:       unknown");
            if self.formats.iter().all(|format| is_unknown(&format.kind)) {
                print_line(&format!(
                    "            no known files were found; relicast converts {}",
                    known_names::list()
                ));
            }
        }
        for disc in &self.discs {
            let DiscRow { path, pressing } = disc;
            print_line(&format!(
                "disc:       {path}: {pressing}, by its track layout"
            ));
        }
        let survey = &self.survey;
        let mut printed: Vec<&[String]> = Vec::new();
        for edition in &survey.editions {
            print_line(&format!("edition:    {}", edition.line()));
            // Editions that lack the same files are printed once.
            if !printed.contains(&&*edition.missing) {
                listed("  missing:", edition.missing.iter().cloned());
                printed.push(&edition.missing);
            }
        }
        if survey.editions.is_empty() {
            print_line("edition:    unknown");
        }
        let foreign = survey.foreign.iter();
        let foreign = foreign.map(|file| format!("{} ({})", file.path, file.editions.join("; ")));
        listed("foreign:", foreign);
        print_line(&format!(
            "files:      {} identified by hash",
            survey.known_files
        ));
        if !survey.other_content.is_empty() {
            print_line(&format!(
                "            {} with names of known files but different content, listed below",
                survey.other_content.len()
            ));
        }
        if survey.no_record > 0 {
            print_line(&format!(
                "            {} without published hashes, which does not mean that they are wrong",
                survey.no_record
            ));
        }
        for format in self.formats.iter().filter(|row| row.media_type.is_some()) {
            let media_type = format.media_type.as_deref().unwrap_or_default();
            let pronom = format.pronom.as_deref();
            let pronom = pronom.map_or_else(String::new, |key| format!(", PRONOM {key}"));
            print_line(&format!(
                "format:     {} ({media_type}{pronom}): {}",
                format.kind,
                counted(format.files, "file", "files")
            ));
        }
        if let Some(text) = &self.unknown_variant {
            print_line("");
            let mut lines = text.lines();
            lines.next().into_iter().for_each(print_line);
            // Text to copy is not wrapped.
            lines.for_each(|line| print(&printable(line)));
        }
    }
}
