//! Index of a catalog: the values of its columns, and its totals.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::asset::{Setting, Source};
use super::kinds::{Mark, Viewer, word};
use super::worlds::World;
use crate::pipeline::report::Status;
use relicast_formats::asset::{AssetKind, Game};

/// Version of the catalog format.
const FORMAT: u32 = 1;

const GAMES: [Game; 5] = [Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq];

const STATUSES: [Status; 5] = [
    Status::Converted,
    Status::Copied,
    Status::Unchanged,
    Status::Skipped,
    Status::Failed,
];

const KINDS: [AssetKind; 18] = [
    AssetKind::Textures,
    AssetKind::Sounds,
    AssetKind::Readers,
    AssetKind::Scripts,
    AssetKind::Messages,
    AssetKind::Motions,
    AssetKind::Animations,
    AssetKind::Maps,
    AssetKind::Saves,
    AssetKind::Archives,
    AssetKind::Worlds,
    AssetKind::Models,
    AssetKind::Music,
    AssetKind::Discs,
    AssetKind::Cabinets,
    AssetKind::Video,
    AssetKind::Loose,
    AssetKind::Other,
];

fn place<T: PartialEq>(all: &[T], one: T) -> usize {
    let place = all.iter().position(|other| *other == one);
    place.unwrap_or_default()
}

/// Index of a game in the columns.
pub(super) fn game_number(game: Game) -> usize {
    place(&GAMES, game)
}

/// Index of a kind in the columns.
pub(super) fn kind_number(kind: AssetKind) -> usize {
    place(&KINDS, kind)
}

/// Index of a status in the columns.
pub(super) fn status_number(status: Status) -> usize {
    place(&STATUSES, status)
}

/// Data for an index.
#[derive(Debug)]
pub(super) struct Parts<'c> {
    pub program: &'c str,
    pub setting: Setting<'c>,
    pub complete: bool,
    pub assets: usize,
    /// Assets per list chunk and per detail chunk.
    pub chunks: [usize; 2],
    pub games: BTreeMap<Option<Game>, usize>,
    pub kinds: BTreeMap<AssetKind, usize>,
    pub worlds: Vec<(&'c World, usize)>,
    pub sources: &'c [Source],
    pub marks: [usize; Mark::ALL.len()],
    pub counts: BTreeMap<String, usize>,
}

/// `index.json`; see `docs/gallery.md`.
#[derive(Debug, Serialize)]
pub(super) struct Index<'c> {
    format: u32,
    program: &'c str,
    base: &'c str,
    served: bool,
    embed: &'c str,
    complete: bool,
    assets: usize,
    list: Value,
    detail: Value,
    games: Vec<Value>,
    kinds: Vec<Value>,
    types: Vec<&'static str>,
    statuses: Vec<&'static str>,
    worlds: Vec<Value>,
    archives: Vec<Value>,
    flags: Vec<Value>,
    counts: BTreeMap<String, usize>,
}

impl<'c> Index<'c> {
    /// Index of a catalog.
    pub fn new(parts: Parts<'c>) -> Self {
        let [list, detail] = parts.chunks.map(|size| {
            let count = parts.assets.div_ceil(size);
            json!({"size": size, "count": count})
        });
        let game_of = |game: Option<Game>| game.map_or(json!(-1), |game| json!(game_number(game)));
        let games = GAMES.iter().map(|game| {
            let count = parts.games.get(&Some(*game)).copied().unwrap_or_default();
            json!({"id": word(game), "title": game.title(), "assets": count})
        });
        let kinds = KINDS.iter().map(|kind| {
            let count = parts.kinds.get(kind).copied().unwrap_or_default();
            json!({"id": word(kind), "title": kind.label(), "assets": count})
        });
        let worlds = parts.worlds.iter().map(|(world, count)| {
            json!({
                "name": world.name,
                "title": world.title.as_deref().unwrap_or_default(),
                "game": game_of(world.game),
                "assets": count,
                "asset": world.asset,
            })
        });
        let archives = parts.sources.iter().map(|source| {
            json!({
                "path": source.path,
                "game": game_of(source.game),
                "assets": source.count,
                "asset": source.asset,
            })
        });
        let flags = Mark::ALL.iter().zip(parts.marks);
        let flags =
            flags.map(|((_, id, title), count)| json!({"id": id, "title": title, "assets": count}));
        Self {
            format: FORMAT,
            program: parts.program,
            base: parts.setting.base,
            served: parts.setting.is_served,
            embed: parts.setting.embed,
            complete: parts.complete,
            assets: parts.assets,
            list,
            detail,
            games: games.collect(),
            kinds: kinds.collect(),
            types: Viewer::ALL.iter().map(|(_, name)| *name).collect(),
            statuses: STATUSES.iter().map(|status| status.label()).collect(),
            worlds: worlds.collect(),
            archives: archives.collect(),
            flags: flags.collect(),
            counts: parts.counts,
        }
    }
}
