//! Output paths of the items of a file. Names are formed on any thread, paths are assigned serially.

use std::ops::Range;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::paths::{PathAllocator, WantedPaths, sanitise};
use super::planned::{PlannedItem, PlannedOutput};
use crate::config::{NameStyle, ProjectKind};
use crate::pipeline::output::folder::check_depth;
use relicast_convert::{Encoding, SourceItem};
use relicast_formats::kind::Kind;
use relicast_source::tree::SourceFile;

/// Extension of a copied item: that of the member, or else of the file.
fn ending_of<'p>(item: &'p SourceItem, file: &'p str) -> &'p str {
    match &item.member {
        Some(member) => {
            let name = member.rsplit_once('/').map_or(&**member, |(_, name)| name);
            name.rsplit_once('.').map_or("", |(_, ending)| ending)
        }
        None => file,
    }
}

/// Stems by content: kind and byte range of an item, and the stem it asked for.
type Stems = HashMap<(Kind, Range<u64>, String), String>;

/// Paths of an item with the same bytes as others: their outputs are placed next to each other.
fn next_to_same(
    item: &SourceItem,
    wanted: WantedPaths,
    paths: &mut PathAllocator,
    same: &mut Stems,
) -> Vec<String> {
    let bytes = (item.kind, item.range.clone(), wanted.stem().to_owned());
    let beside = same.get(&bytes);
    let beside = beside.and_then(|stem| paths.take(stem, wanted.endings()));
    let ending = wanted.endings().first().cloned();
    let allocated = beside.unwrap_or_else(|| paths.assign(wanted));
    let first = allocated.first().zip(ending);
    if let Some(stem) = first.and_then(|(path, ending)| path.strip_suffix(&*ending)) {
        same.entry(bytes).or_insert_with(|| stem.to_owned());
    }
    allocated
}

/// Item with the paths it asks for.
pub(super) struct NamedItem {
    item: SourceItem,
    wanted: WantedPaths,
    /// True if no other item has the same bytes.
    is_alone: bool,
}

/// Forms the paths each item asks for: `category/path of the file/stem of the item.extension`.
pub(super) fn name_items(
    source: &SourceFile,
    items: Vec<SourceItem>,
    style: NameStyle,
    project: ProjectKind,
) -> Vec<NamedItem> {
    let (folder, name) = match source.path.rsplit_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, &*source.path),
    };
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, ending),
        _ => (name, ""),
    };
    let folders: Vec<String> = folder
        .into_iter()
        .flat_map(|folder| folder.split('/'))
        .chain([stem])
        .map(|item| sanitise(item, style))
        .collect();
    let base = folders.join("/");
    let mut shares: HashMap<Range<u64>, usize> = HashMap::with_capacity(items.len());
    for item in &items {
        *shares.entry(item.range.clone()).or_default() += 1;
    }
    let name = |item: SourceItem| {
        // Copied, because the originals are scattered among freed allocations and would hold their memory.
        let item = item.clone();
        let category = item.category.folder();
        let stem = match (&item.stem, &item.suffix) {
            (Some(stem), _) => {
                let folders = item.folders.iter().chain([stem]);
                let below: Vec<String> = folders.map(|item| sanitise(item, style)).collect();
                format!("{category}/{base}/{}", below.join("/"))
            }
            (None, Some(suffix)) => {
                let category = project.placements().unwrap_or(category);
                format!("{category}/{base}.{}", sanitise(suffix, style))
            }
            (None, None) => format!("{category}/{base}"),
        };
        let endings: Vec<String> = item
            .wanted
            .iter()
            .map(|wanted| {
                let ending = match wanted.encoding {
                    Encoding::Copy => match ending_of(&item, ending) {
                        "" => return wanted.infix().into_owned(),
                        own => sanitise(own, style),
                    },
                    encoding => encoding.extension().to_owned(),
                };
                format!("{}.{ending}", wanted.infix())
            })
            .collect();
        NamedItem {
            is_alone: shares.get(&item.range) == Some(&1),
            wanted: WantedPaths::new(stem, endings),
            item,
        }
    };
    items.into_par_iter().map(name).collect()
}

/// Assigns paths to items, in order.
pub(super) fn assign_paths(named: Vec<NamedItem>, paths: &mut PathAllocator) -> Vec<PlannedItem> {
    paths.reserve(named.len());
    let mut same = HashMap::new();
    // A new list: collecting in place would reuse the allocation of the named items, which is half as large
    // again.
    let mut items = Vec::with_capacity(named.len());
    for (index, named) in named.into_iter().enumerate() {
        let NamedItem {
            item,
            wanted,
            is_alone,
        } = named;
        let given = match is_alone {
            // Not written, so it must not reserve a path.
            _ if check_depth(wanted.stem()).is_err() => wanted.into_paths(),
            true => paths.assign(wanted),
            false => next_to_same(&item, wanted, paths, &mut same),
        };
        let outputs = given
            .into_iter()
            .zip(&item.wanted)
            .map(|(path, &wanted)| PlannedOutput { path, wanted })
            .collect();
        items.push(PlannedItem {
            index,
            item,
            outputs,
        });
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_convert::OutputSpec;

    #[test]
    fn a_plan_keeps_no_room_for_what_named_its_items() {
        let named = |number: u64| NamedItem {
            item: SourceItem::whole(Kind::GameZ, number..number + 1, vec![OutputSpec::DOCUMENT]),
            wanted: WantedPaths::new(format!("readers/{number}"), vec![".json".to_owned()]),
            is_alone: true,
        };
        let named: Vec<NamedItem> = (0..100).map(named).collect();
        let items = assign_paths(named, &mut PathAllocator::default());
        assert_eq!((items.len(), items.capacity()), (100, 100));
        assert_eq!(items[7].outputs[0].path, "readers/7.json");
        assert_eq!((items[7].index, items[7].item.range.start), (7, 7));
    }
}
