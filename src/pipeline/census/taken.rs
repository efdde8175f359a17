//! Counts of all files of an input.
//!
//! ```
//! use relicast::pipeline::census::taken::Census;
//! use relicast::pipeline::progress::Unobserved;
//! use relicast::source::install::Detection;
//! use relicast::source::tree::Tree;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("detail.zrd"), "( DETAIL 3 )")?;
//! let tree = Tree::list(&[folder.path().to_owned()], None)?;
//! let census = Census::take(&tree.files, &Detection::new(Vec::new(), None), &Unobserved);
//! assert_eq!(census.files[0].counts.rows["documents"], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use ring::digest::{SHA256, digest};
use serde::Serialize;

use super::counted::Counted;
use super::published::{self, Comparison, is_hash_needed};
use crate::pipeline::progress::{Observer, Stage};
use relicast_formats::asset::Game;
use relicast_formats::census::Counts;
use relicast_formats::kind::{ArchiveContext, sniff};
use relicast_formats::zipper::texture::key_of;
use relicast_limits as limits;
use relicast_source::install::Detection;
use relicast_source::tree::SourceFile;

/// Counts of an input.
#[derive(Debug, Clone, Serialize)]
pub struct Census {
    /// Totals of each game by title; `none` for files of no game.
    pub totals: BTreeMap<String, Counts>,
    /// Comparison with published editions.
    pub editions: Vec<Comparison>,
    /// Files that could not be opened, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// Counts of each file, in input order.
    pub files: Vec<Counted>,
}

impl Census {
    /// Counts files; `detection` provides the game of each.
    pub fn take(files: &[SourceFile], detection: &Detection, observer: &dyn Observer) -> Self {
        let bytes = files.iter().map(|file| file.size).sum();
        let stage = Stage::start(observer, "census", files.len() as u64, bytes);
        let count_one =
            |file: &SourceFile| stage.item(&file.path, file.size, || count(file, detection));
        let counted: Vec<Result<Counted, String>> = files.par_iter().map(count_one).collect();
        stage.finish();
        let mut census = Self {
            totals: BTreeMap::new(),
            editions: Vec::new(),
            unreadable: Vec::new(),
            files: Vec::new(),
        };
        for file in counted {
            match file {
                Ok(file) => census.files.push(file),
                Err(problem) => census.unreadable.push(problem),
            }
        }
        count_missing_textures(&mut census.files);
        for file in &census.files {
            let game = file
                .game
                .map_or_else(|| "none".to_owned(), |game| game.to_string());
            census.totals.entry(game).or_default().merge(&file.counts);
        }
        census.editions = published::compare(&census.files);
        census
    }
}

fn count(file: &SourceFile, detection: &Detection) -> Result<Counted, String> {
    let read = || {
        let stored = file.location.open()?;
        let sha256 = is_hash_needed(file.size).then(|| {
            let digest = digest(&SHA256, &stored);
            digest
                .as_ref()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect()
        });
        stored.check()?;
        let bytes = file.clone().examine(stored);
        let kind = sniff(&bytes, file.name());
        let counts = Counts::new(kind, file.name(), &bytes, &ArchiveContext::default());
        bytes.check()?;
        Ok(Counted {
            path: file.path.clone(),
            game: detection.game(&file.path),
            kind: kind.label(),
            sha256,
            counts,
            missing_textures: Vec::new(),
        })
    };
    let counted: Result<std::io::Result<Counted>, _> = limits::with_budget(read);
    let counted = counted.map_err(|exceeded| format!("{}: {exceeded}", file.path))?;
    counted.map_err(|error| format!("{}: {error}", file.path))
}

/// Counts the textures of each file that the packages of its folder have, and lists the missing ones. If these packages
/// have none of them, uses those of the folder of the same game with the most matches, because aircraft of Crimson
/// Skies use the textures of the loaded world.
fn count_missing_textures(files: &mut [Counted]) {
    let mut folders: BTreeMap<(Option<Game>, String), BTreeSet<String>> = BTreeMap::new();
    for file in files.iter() {
        if !file.counts.pictures.is_empty() {
            let key = (file.game, folder(&file.path).to_lowercase());
            let keys = file.counts.pictures.iter().map(|name| key_of(name));
            folders.entry(key).or_default().extend(keys);
        }
    }
    for file in files {
        let names = std::mem::take(&mut file.counts.textures_wanted);
        let wanted: BTreeSet<String> = names.iter().map(|name| key_of(name)).collect();
        if wanted.is_empty() {
            continue;
        }
        let found = |available: &BTreeSet<String>| wanted.intersection(available).count();
        let own = folders.get(&(file.game, folder(&file.path).to_lowercase()));
        let others = folders.iter().filter(|((game, _), _)| *game == file.game);
        let best = others
            .map(|(_, names)| names)
            .max_by_key(|names| found(names));
        // A package next to the file that has none of its textures is unrelated.
        let available = own.filter(|names| found(names) > 0).or(best);
        let missing = wanted
            .iter()
            .filter(|name| available.is_none_or(|names| !names.contains(*name)));
        file.missing_textures = missing.cloned().collect();
        let found_count = wanted.len() - file.missing_textures.len();
        file.counts.add("texture_names.wanted", wanted.len());
        file.counts.add("texture_names.found", found_count);
        file.counts
            .add("texture_names.missing", file.missing_textures.len());
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
