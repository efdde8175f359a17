//! Locations of files, for the search for [dependencies](super::dependencies): folders, stems, and the order of
//! several packages of textures.

use relicast_formats::everquest::model_list;

/// A file by folder and stem, both in lower case.
pub(super) struct PathParts {
    /// The folder.
    pub(super) folder: String,
    /// The name without its extension.
    pub(super) stem: String,
    /// Zone name, if the file is a list of a zone's archives.
    pub(super) zone: Option<String>,
}

impl PathParts {
    /// Splits a path.
    pub(super) fn new(path: &str) -> Self {
        let path = path.to_lowercase();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Self {
            folder: folder.to_owned(),
            stem: stem.to_owned(),
            zone: model_list::zone_of(name).map(str::to_owned),
        }
    }
}

/// Rank of a package of world textures, smaller is better; `None` for other files. The first number is 0 for names
/// that begin with `rtexture`, 1 for `texture`. The second is 0 without a number or with `max`, and smaller for higher
/// numbers: MechWarrior 3 and Pirate's Moon store their best textures in the package without number, Recoil and Crimson
/// Skies in that with the highest number. No game has packages of both sorts.
pub(super) fn world_rank(stem: &str) -> Option<(u8, u32)> {
    let (group, rest) = match stem.strip_prefix("rtexture") {
        Some(rest) => (0, rest),
        None => (1, stem.strip_prefix("texture")?),
    };
    match rest {
        "" | "max" => Some((group, 0)),
        number => Some((group, u32::MAX - number.parse::<u32>().ok()?.min(1 << 30))),
    }
}

/// Names of the packages with the skins of 'mechs, best first.
const MECH_PACKAGES: [(&str, u32); 3] = [("rmechtex", 0), ("rmechtex16", 1), ("rmechtexs", 2)];

/// Rank of a package with the skins of 'mechs, smaller is better and after all world textures (first number 2); `None`
/// for other files.
pub(super) fn mech_rank(stem: &str) -> Option<(u8, u32)> {
    let mut known = MECH_PACKAGES.iter();
    known
        .find(|(name, _)| *name == stem)
        .map(|&(_, rank)| (2, rank))
}

/// True if `inner` is `outer` or below it.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    outer.is_empty()
        || inner == outer
        || inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The folder and its ancestors, nearest first.
pub(super) fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |at| match at.rsplit_once('/') {
        Some((above, _)) => Some(above),
        None if at.is_empty() => None,
        None => Some(""),
    })
}

/// Rank of a package among those of its folder, by its stem; `None` for packages of another use.
pub(super) type PackageRank = fn(&str) -> Option<(u8, u32)>;
