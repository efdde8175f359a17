//! Rows of lists, and their chunks as columns.

use std::collections::BTreeMap;

use serde::Serialize;

use super::asset::{Asset, Row};
use super::entry::Entry;
use super::facts::Facts;
use super::index::{game_number, kind_number, status_number};
use super::kinds::Mark;
use super::names::Name;
use super::worlds::World;

/// Maximum bytes of search terms per asset.
const MAX_TERMS: usize = 600;

/// Indices of the world and source of an asset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    pub world: Option<usize>,
    pub source: Option<usize>,
}

/// Row of an asset.
pub(super) fn row(
    entry: &Entry<'_>,
    facts: &Facts,
    names: &[Name],
    world: Option<&World>,
    numbers: Numbers,
) -> Row {
    let title = names.first().map(|name| name.text.clone());
    let mut terms = String::new();
    let other_names = names.iter().skip(1).map(|name| &*name.text);
    let of_world = world.into_iter().flat_map(|world| {
        let title = world.title.as_deref().unwrap_or_default();
        [&*world.name, title]
    });
    let of_files = facts.terms.iter().map(|term| &**term);
    for term in other_names.chain(of_world).chain(of_files) {
        if !term.is_empty() && terms.len() + term.len() < MAX_TERMS {
            if !terms.is_empty() {
                terms.push(' ');
            }
            terms.push_str(term);
        }
    }
    let named = if title.is_some() {
        Mark::Named.bit()
    } else {
        0
    };
    let sizes = entry.outputs.iter().map(|(_, output)| output.size);
    Row {
        game: entry.game,
        kind: entry.kind,
        viewer: entry.viewer,
        status: entry.status,
        world: numbers.world,
        source: numbers.source,
        marks: facts.marks | named,
        key: entry.key.clone(),
        name: entry.name().to_owned(),
        title: title.unwrap_or_default(),
        terms,
        size: sizes.fold(0, u64::saturating_add),
        numbers: facts.numbers,
        thumb: facts.thumb.clone(),
    }
}

/// Rows as columns; see `docs/gallery.md`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Columns<'a> {
    first: usize,
    count: usize,
    game: Vec<i64>,
    kind: Vec<i64>,
    r#type: Vec<usize>,
    status: Vec<i64>,
    world: Vec<i64>,
    archive: Vec<i64>,
    flags: Vec<u32>,
    dirs: Vec<&'a str>,
    dir: Vec<usize>,
    file: Vec<&'a str>,
    name: Vec<&'a str>,
    title: Vec<&'a str>,
    terms: Vec<&'a str>,
    size: Vec<u64>,
    a: Vec<u64>,
    b: Vec<u64>,
    thumb: BTreeMap<usize, &'a str>,
}

/// Splits a key into folder and name. The folder of an asset without outputs starts with the colon.
fn split(key: &str) -> (&str, &str) {
    let end = key.rfind('/').map(|end| end + 1);
    let colon = usize::from(key.starts_with(':'));
    key.split_at_checked(end.unwrap_or(colon))
        .unwrap_or(("", key))
}

fn number(place: Option<usize>) -> i64 {
    place
        .and_then(|place| i64::try_from(place).ok())
        .unwrap_or(-1)
}

/// Chunk of the list that starts at asset `first`.
pub(super) fn chunk(first: usize, assets: &[Asset]) -> Columns<'_> {
    let mut columns = Columns {
        first,
        count: assets.len(),
        ..Columns::default()
    };
    let mut dirs = BTreeMap::new();
    for (place, asset) in assets.iter().enumerate() {
        let row = &asset.row;
        let (dir, file) = split(&row.key);
        let next = columns.dirs.len();
        let dir_number = *dirs.entry(dir).or_insert(next);
        if dir_number == next {
            columns.dirs.push(dir);
        }
        columns.game.push(number(row.game.map(game_number)));
        columns.kind.push(number(Some(kind_number(row.kind))));
        columns.r#type.push(row.viewer.number());
        columns.status.push(number(Some(status_number(row.status))));
        columns.world.push(number(row.world));
        columns.archive.push(number(row.source));
        columns.flags.push(row.marks);
        columns.dir.push(dir_number);
        columns.file.push(file);
        columns.name.push(&row.name);
        columns.title.push(&row.title);
        columns.terms.push(&row.terms);
        columns.size.push(row.size);
        let [a, b] = row.numbers;
        columns.a.push(a);
        columns.b.push(b);
        if let Some(thumb) = &row.thumb {
            columns.thumb.insert(place, thumb);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn keys_are_split_and_joined_again() {
        for (key, dir) in [
            ("a/b/c.png", "a/b/"),
            ("c.png", ""),
            (":a/b.zbd/x", ":a/b.zbd/"),
            (":readme.txt", ":"),
            (":é", ":"),
        ] {
            let (found, file) = split(key);
            assert_eq!(found, dir);
            assert_eq!(format!("{found}{file}"), key);
        }
    }
}
