//! Archives that are searched for a file: those of its zone, and those that all zones share.

use std::collections::{BTreeSet, HashMap};

use relicast_formats::everquest::model_list::ListedArchive;

/// Suffixes of archive names that add to a zone, with their positions in the search order.
const ADDITIONS: [(&str, u8); 8] = [
    ("_obj", 1),
    ("_2_obj", 2),
    ("_obj2", 2),
    ("_chr", 3),
    ("_2_chr", 4),
    ("_chr2", 4),
    ("_lit", 5),
    ("_amr", 6),
];

/// Starts of the names of archives that all zones share.
const SHARED: [&str; 6] = ["global", "gequip", "bmpwad", "lgequip", "chequip", "sky"];

/// True if the archive of this stem is shared by all zones.
pub(crate) fn is_shared(stem: &str) -> bool {
    SHARED.iter().any(|start| stem.starts_with(start))
}

/// The zone of an archive with this stem, and the rank of the archive in the search order. `is_zone`
/// returns true if a stem belongs to a zone's main archive.
fn zone_of<'s>(stem: &'s str, is_zone: &dyn Fn(&str) -> bool) -> (&'s str, u8) {
    let longest = ADDITIONS
        .iter()
        .filter_map(|&(ending, place)| Some((stem.strip_suffix(ending)?, place)))
        .min_by_key(|(base, _)| base.len());
    let Some((base, place)) = longest else {
        return (stem, 0);
    };
    // `halas2_chr` was added to `halas` later, but `qeynos2_chr` is of the zone `qeynos2`.
    match base.strip_suffix('2') {
        Some(shorter) if !is_zone(base) && is_zone(shorter) => (shorter, place.saturating_add(1)),
        _ => (base, place),
    }
}

/// A list of further archives that a zone takes models from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List<'a> {
    /// Its index in the list of all files.
    pub index: usize,
    /// Its folder, in lower case.
    pub folder: &'a str,
    /// The zone, in lower case.
    pub zone: &'a str,
    /// Archives that it lists.
    pub archives: &'a [ListedArchive],
}

/// A file by folder and stem, both in lower case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Archive<'a> {
    /// Its index in the list of all files.
    pub index: usize,
    /// Its folder.
    pub folder: &'a str,
    /// Its name without extension.
    pub stem: &'a str,
    /// True for an archive, false for a loose scene.
    pub is_archive: bool,
}

/// Position in the search order, stem, and index in the list of all files.
type Member<'a> = (u8, &'a str, usize);

/// For each archive or loose scene the files that it depends on, in search order: itself, the others
/// of its zone, those that lists of its zone name, those that all zones share. All are in the same folder.
/// The first archive of a zone also gets the lists themselves, to report missing archives.
pub(crate) fn dependencies(
    archives: &[Archive<'_>],
    lists: &[List<'_>],
) -> Vec<(usize, Vec<usize>)> {
    let zones: BTreeSet<(&str, &str)> = archives
        .iter()
        .filter(|archive| archive.is_archive)
        .map(|archive| (archive.folder, archive.stem))
        .collect();
    let placed: Vec<(&str, u8)> = archives
        .iter()
        .map(|archive| {
            zone_of(archive.stem, &|stem| {
                zones.contains(&(archive.folder, stem))
            })
        })
        .collect();
    let mut groups: HashMap<(&str, &str), Vec<Member<'_>>> = HashMap::new();
    let mut shared: HashMap<&str, Vec<(&str, usize)>> = HashMap::new();
    for (one, &(zone, place)) in archives.iter().zip(&placed) {
        if !one.is_archive {
            continue;
        }
        let member = (place, one.stem, one.index);
        groups.entry((one.folder, zone)).or_default().push(member);
        if is_shared(one.stem) {
            shared
                .entry(one.folder)
                .or_default()
                .push((one.stem, one.index));
        }
    }
    for group in groups.values_mut() {
        group.sort_unstable();
    }
    for group in shared.values_mut() {
        group.sort_unstable();
    }
    let by_stem: HashMap<(&str, &str), usize> = archives
        .iter()
        .filter(|archive| archive.is_archive)
        .map(|archive| ((archive.folder, archive.stem), archive.index))
        .collect();
    let listed = |list: &List<'_>| -> Vec<usize> {
        let folder = list.folder;
        let archives = list.archives.iter().filter_map(|listed| {
            let mut names = listed.names.iter();
            names.find_map(|name| by_stem.get(&(folder, name.as_str())).copied())
        });
        archives.collect()
    };
    archives
        .iter()
        .zip(&placed)
        .map(|(one, &(zone, _))| {
            let mut needed = vec![one.index];
            let group = groups.get(&(one.folder, zone)).into_iter().flatten();
            let common = shared.get(one.folder).into_iter().flatten();
            let first = group.clone().next().map(|&(_, _, index)| index);
            let lists = lists.iter();
            let lists = lists.filter(|list| (list.folder, list.zone) == (one.folder, zone));
            let own_lists = lists.clone().filter(|_| first == Some(one.index));
            let others = group
                .map(|&(_, _, index)| index)
                .chain(lists.flat_map(listed))
                .chain(common.map(|&(_, index)| index))
                .chain(own_lists.map(|list| list.index));
            let mut known = BTreeSet::from([one.index]);
            needed.extend(others.filter(|&index| known.insert(index)));
            (one.index, needed)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::everquest::model_list;

    fn needed_by<'a>(wanted: &str, stems: &[&'a str]) -> Vec<&'a str> {
        let archives: Vec<Archive<'_>> = stems
            .iter()
            .enumerate()
            .map(|(index, stem)| Archive {
                index,
                folder: "eq",
                stem,
                is_archive: true,
            })
            .collect();
        let place = stems.iter().position(|stem| *stem == wanted).unwrap();
        let listed = model_list::archives(b"2\ngnn,far_chr\norc\nnone_chr\nhalas");
        let list = List {
            index: stems.len(),
            folder: "eq",
            zone: "gfaydark",
            archives: &listed,
        };
        let (index, needed) = dependencies(&archives, &[list]).swap_remove(place);
        assert_eq!(index, place);
        let name = |index| *stems.get(index).unwrap_or(&"the list");
        needed.into_iter().map(name).collect()
    }

    const STEMS: [&str; 13] = [
        "gfaydark_chr",
        "qeynos2",
        "gfaydark",
        "global_chr",
        "gfaydark_obj",
        "qeynos2_chr",
        "qeynos",
        "gfaydark_2_obj",
        "halas2_chr",
        "halas",
        "global2_chr",
        "orc_chr",
        "far_chr",
    ];

    #[test]
    fn zones_search_their_own_archives_then_the_shared_ones() {
        assert_eq!(
            needed_by("gfaydark_obj", &STEMS),
            [
                "gfaydark_obj",
                "gfaydark",
                "gfaydark_2_obj",
                "gfaydark_chr",
                "far_chr",
                "orc_chr",
                "halas",
                "global2_chr",
                "global_chr"
            ]
        );
        assert_eq!(
            needed_by("gfaydark", &STEMS)[7..],
            ["global2_chr", "global_chr", "the list"]
        );
        assert_eq!(
            needed_by("far_chr", &STEMS)[..2],
            ["far_chr", "global2_chr"]
        );
        assert_eq!(
            needed_by("global_chr", &STEMS),
            ["global_chr", "global2_chr"]
        );
    }

    #[test]
    fn a_number_is_part_of_the_zone_or_of_the_addition() {
        assert_eq!(
            needed_by("qeynos2", &STEMS)[..2],
            ["qeynos2", "qeynos2_chr"]
        );
        assert_eq!(needed_by("qeynos", &STEMS)[..2], ["qeynos", "global2_chr"]);
        assert_eq!(needed_by("halas", &STEMS)[..2], ["halas", "halas2_chr"]);
    }
}
