//! Worlds of assets: from the folder, or for EverQuest from the archive name.

use std::collections::HashMap;

use super::entry::Entry;
use super::kinds::Viewer;
use super::names::zone_name;
use crate::pipeline::report::manifest::InputNumber;
use relicast_formats::asset::{AssetKind, Game};

/// World.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct World {
    /// Short name: that of a folder or zone.
    pub name: String,
    /// Display name, if known.
    pub title: Option<String>,
    /// The game.
    pub game: Option<Game>,
    /// Asset that is its scene.
    pub asset: usize,
}

/// Folder or zone of a world, in lower case.
type Place = (InputNumber, Option<Game>, String);

/// Folder and stem of a source, in lower case.
fn folder_and_stem(source: &str) -> (String, String) {
    let source = source.to_lowercase();
    let (folder, file) = source.rsplit_once('/').unwrap_or(("", &source));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    (folder.to_owned(), stem.to_owned())
}

/// All worlds, and for each asset the index of its world.
pub(super) fn worlds(entries: &[Entry<'_>]) -> (Vec<World>, Vec<Option<usize>>) {
    let mut worlds: Vec<World> = Vec::new();
    let mut places: HashMap<Place, usize> = HashMap::new();
    for (asset, entry) in entries.iter().enumerate() {
        if entry.kind != AssetKind::Worlds || entry.viewer != Viewer::Model {
            continue;
        }
        let (folder, stem) = folder_and_stem(entry.source);
        let is_zone = entry.game == Some(Game::Eq);
        let place = if is_zone {
            format!("{folder}/{stem}")
        } else {
            folder.clone()
        };
        let last = folder.rsplit_once('/').map_or(&*folder, |(_, last)| last);
        let name = if is_zone || last.is_empty() {
            stem
        } else {
            last.to_owned()
        };
        let number = worlds.len();
        let key = (entry.input, entry.game, place);
        if *places.entry(key).or_insert(number) == number {
            worlds.push(World {
                title: zone_name(&name).filter(|_| is_zone).map(str::to_owned),
                name,
                game: entry.game,
                asset,
            });
        }
    }
    let of = entries.iter().map(|entry| world_of(entry, &places));
    let of = of.collect();
    (worlds, of)
}

/// World of an asset: the nearest parent folder with a world, or the longest zone name that its archive name
/// starts with.
fn world_of(entry: &Entry<'_>, places: &HashMap<Place, usize>) -> Option<usize> {
    let (folder, stem) = folder_and_stem(entry.source);
    let find = |place: &str| {
        let key = (entry.input, entry.game, place.to_owned());
        places.get(&key).copied()
    };
    if entry.game == Some(Game::Eq) {
        let mut folder = &*folder;
        loop {
            let mut zone = &*stem;
            loop {
                if let Some(world) = find(&format!("{folder}/{zone}")) {
                    return Some(world);
                }
                let Some((shorter, _)) = zone.rsplit_once('_') else {
                    break;
                };
                zone = shorter;
            }
            folder = folder.rsplit_once('/')?.0;
        }
    }
    let mut folder = &*folder;
    loop {
        if let Some(world) = find(folder) {
            return Some(world);
        }
        folder = folder.rsplit_once('/')?.0;
    }
}
