//! `relicast identify`: which edition of which game an input is.

use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;

use super::exit::Exit;
use super::inputs::files_of;
use super::lines::{print, print_line, usage};
use crate::formats::kind::sniff;
use crate::limits;
use crate::pipeline::manifest::CONVERTER;
use crate::source::disc::identity::{self, Contents};
use crate::source::install::{Detection, Evidence, evidence};
use crate::source::known::{self, Reading, Survey};
use crate::source::tree::{SourceFile, Tree};

/// Arguments of `identify`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images, cabinets or files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// One JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

/// Paths of a list that are printed; JSON has all.
const MOST: usize = 20;

/// What is known of an input.
#[derive(Debug, Serialize)]
struct Identity {
    games: Vec<GameRow>,
    discs: Vec<DiscRow>,
    #[serde(flatten)]
    survey: Survey,
    /// A text to send when files of known names have other content.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_variant: Option<String>,
}

#[derive(Debug, Serialize)]
struct GameRow {
    game: &'static str,
    /// Why: the file, and what was seen in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
}

/// A disc whose tracks lie where a known pressing has them.
#[derive(Debug, Serialize)]
struct DiscRow {
    path: String,
    pressing: String,
}

/// Runs `identify`.
pub fn run(arguments: &Arguments) -> Exit {
    let tree = match files_of(&arguments.inputs) {
        Ok(tree) => tree,
        Err(ended) => return ended,
    };
    let identity = identify(&tree);
    if arguments.json {
        return match serde_json::to_string_pretty(&identity) {
            Ok(text) => {
                print(&text);
                Exit::Success
            }
            Err(error) => usage(error),
        };
    }
    identity.print();
    Exit::Success
}

/// What the content of a file says of its game. A file that cannot be read says nothing.
fn seen(file: &SourceFile) -> Option<Evidence> {
    let look = || {
        let bytes = file.location.open().ok()?;
        let kind = sniff(&bytes, file.name());
        evidence(file, kind, &bytes).filter(|_| bytes.check().is_ok())
    };
    limits::guarded(look).ok().flatten()
}

/// The game of each file.
pub(super) fn detect(tree: &Tree) -> Detection {
    Detection::new(tree.files.par_iter().filter_map(seen).collect(), None)
}

fn identify(tree: &Tree) -> Identity {
    let detection = detect(tree);
    let files: Vec<&SourceFile> = tree.files.iter().collect();
    // A file alone has no folders that could tell which one it is.
    let reading = match files.len() {
        1 => Reading::All,
        _ => Reading::Likely,
    };
    let survey = known::survey(&files, reading, &|file| detection.game(&file.path));
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
        unknown_variant: survey.unknown_variant(CONVERTER),
        survey,
    }
}

/// Prints the first of some lines, and how many more there are.
fn listed(label: &str, lines: impl ExactSizeIterator<Item = String>) {
    let count = lines.len();
    for line in lines.take(MOST) {
        print_line(&format!("{label:<11} {line}"));
    }
    if count > MOST {
        print_line(&format!("{label:<11} and {} more", count - MOST));
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
            print_line("game:       not known");
        }
        for disc in &self.discs {
            let DiscRow { path, pressing } = disc;
            print_line(&format!(
                "disc:       {path}: {pressing}, by the places of its tracks"
            ));
        }
        let survey = &self.survey;
        for edition in &survey.editions {
            print_line(&format!("edition:    {}", edition.line()));
            listed("  missing:", edition.missing.iter().cloned());
        }
        if survey.editions.is_empty() {
            print_line("edition:    not known");
        }
        let foreign = survey.foreign.iter();
        let foreign = foreign.map(|file| format!("{} ({})", file.path, file.editions.join("; ")));
        listed("foreign:", foreign);
        let others = survey.other_content.iter();
        let others = others.map(|file| format!("{} ({} bytes)", file.path, file.size));
        listed("unknown:", others);
        print_line(&format!(
            "files:      {} whose content is known, {} of which nothing is known",
            survey.known_files, survey.no_record
        ));
        if let Some(text) = &self.unknown_variant {
            print_line("");
            text.lines().for_each(print_line);
        }
    }
}
