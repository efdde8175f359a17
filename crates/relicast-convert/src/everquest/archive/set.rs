//! Archives searched in order: first the archive itself, then those of its zone, then those that all zones share.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::{Dependency, ItemIndex, OpenContext};
use relicast_formats::kind::Kind;

use super::{Archive, PICTURE_ENDINGS, SceneFile};
use crate::everquest::actor::TrackSources;
use crate::everquest::dependencies::is_shared;

/// Text in the names of archives with creatures.
const CREATURES: &str = "chr";

/// Misspelled names of pictures in retail scenes, and the names of the files.
const MISSPELLED: &[(&str, &str)] = &[("canwall1a.bmp", "canwall1.bmp")];

/// The archives that a file may take its pictures and models from, best first; the first is its own.
#[derive(Debug)]
pub(crate) struct ArchiveSet<'a> {
    archives: Vec<Archive<'a>>,
    /// Number of archives of the own zone.
    siblings: usize,
    /// Indices of archive and member for each path of a picture, listed at the first lookup.
    by_output: OnceLock<BTreeMap<&'a str, (usize, usize)>>,
}

/// A picture that was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundTexture<'a> {
    /// Its name in the archive.
    pub name: String,
    /// Path of its PNG below the output folder.
    pub key: &'a str,
    /// Path of its archive.
    pub source: &'a str,
    /// True if it is in the archive that was searched first.
    pub own: bool,
}

impl<'a> ArchiveSet<'a> {
    /// Opens a file with the archives among its dependencies. The first dependency of a file is the file
    /// itself, for the paths of its own pictures.
    pub(crate) fn new(own: Archive<'a>, context: &OpenContext<'a, '_>) -> Self {
        let beside = context.dependencies.iter().skip(1);
        let beside = beside.filter(|dependency| dependency.kind == Kind::Pfs);
        let beside = beside.map(|dependency| {
            let Dependency {
                path,
                bytes,
                outputs,
                digest,
                ..
            } = *dependency;
            Archive::new(path, bytes, outputs, context.shared_as(digest))
        });
        let archives: Vec<Archive<'a>> = std::iter::once(own).chain(beside).collect();
        let of_zone = |archive: &&Archive<'a>| !is_shared(&archive.stem());
        Self {
            siblings: archives.iter().take_while(of_zone).count().max(1),
            archives,
            by_output: OnceLock::new(),
        }
    }

    /// Indices of archive and member of the picture that is written to a path.
    pub(super) fn picture_at(&self, output: &str) -> Option<(usize, usize)> {
        let by_output = self.by_output.get_or_init(|| {
            let mut by_output = BTreeMap::new();
            for (place, archive) in self.archives.iter().enumerate() {
                for (item, output) in archive.outputs.iter().enumerate() {
                    if let (Some(member), Some(output)) = (ItemIndex(item).member(), output) {
                        by_output.entry(&**output).or_insert((place, member));
                    }
                }
            }
            by_output
        });
        by_output.get(output).copied()
    }

    /// The archives, best first.
    pub(crate) fn archives(&self) -> &[Archive<'a>] {
        &self.archives
    }

    /// The archive of the file itself.
    pub(crate) fn own(&self) -> Option<&Archive<'a>> {
        self.archives.first()
    }

    /// The archives of the own zone, the own one first.
    pub(crate) fn siblings(&self) -> &[Archive<'a>] {
        self.archives.get(..self.siblings).unwrap_or_default()
    }

    /// The archive at an index.
    pub(crate) fn get(&self, place: usize) -> Option<&Archive<'a>> {
        self.archives.get(place)
    }

    /// The archives with their indices: that at `first`, then all others in order.
    pub(crate) fn from(&self, first: usize) -> impl Iterator<Item = (usize, &Archive<'a>)> {
        let others = (0..self.archives.len()).filter(move |&place| place != first);
        let places = std::iter::once(first).chain(others);
        places.filter_map(|place| Some((place, self.get(place)?)))
    }

    /// Files with tracks for models of the scene at `member`: first the other scenes of its archive and the
    /// creatures of its zone, then the scenes of all other archives.
    pub(crate) fn tracks_for_scene(&self, member: usize) -> TrackSources<'_> {
        let own = self.own();
        let beside = own.map_or(&[][..], Archive::scenes).iter();
        let beside = beside.filter(move |scene| scene.member != member);
        let is_near = |place: usize, archive: &Archive<'_>| {
            place < self.siblings && archive.stem().contains(CREATURES)
        };
        let others = move |near: bool| {
            let others = self.archives.iter().enumerate().skip(1);
            let others = others.filter(move |(place, archive)| is_near(*place, archive) == near);
            others.flat_map(|(_, archive)| archive.scenes())
        };
        TrackSources {
            near: Box::new(beside.chain(others(true)).map(SceneFile::tracks)),
            far: Box::new(others(false).map(SceneFile::tracks)),
            thorough: own.is_some_and(|own| is_shared(&own.stem())),
        }
    }

    /// Files with tracks for a model of the scene at `member` of the archive at `opened`: all others, best first.
    pub(crate) fn tracks_for_model(&self, opened: usize, member: usize) -> TrackSources<'_> {
        let archives = self.archives.iter().enumerate();
        let scenes = archives.flat_map(|(place, archive)| {
            let scenes = archive.scenes().iter();
            scenes.map(move |scene| (place, scene))
        });
        let others =
            scenes.filter(move |(place, scene)| (*place, scene.member) != (opened, member));
        TrackSources {
            near: Box::new(std::iter::empty()),
            far: Box::new(others.map(|(_, scene)| scene.tracks())),
            thorough: true,
        }
    }

    /// The picture with a file name, searched in the archive at `first`, then in all others in order.
    /// Pictures that cannot be decoded are skipped.
    pub(crate) fn find(&self, name: &str, first: usize) -> Option<FoundTexture<'a>> {
        let name = name.to_lowercase();
        let exact = |name: &str| {
            self.from(first).find_map(|(place, archive)| {
                let member = archive
                    .member(name)
                    .filter(|&member| archive.is_readable(member))?;
                Some(FoundTexture {
                    name: archive.label(member)?,
                    key: archive.output(member)?,
                    source: archive.path,
                    own: place == first,
                })
            })
        };
        let corrected = || {
            let meant = MISSPELLED.iter().find(|(wrong, _)| *wrong == name);
            meant.and_then(|(_, right)| exact(right))
        };
        exact(&name).or_else(corrected).or_else(|| {
            let (stem, ending) = name.rsplit_once('.')?;
            let mut others = PICTURE_ENDINGS.iter().filter(|other| **other != ending);
            others.find_map(|other| exact(&format!("{stem}.{other}")))
        })
    }

    /// Archive and member of an EQG file, searched in the archive at `first`, then in all others in order. A closing
    /// parenthesis in a name stands for an underscore.
    pub(crate) fn find_member(&self, name: &str, first: usize) -> Option<(usize, usize)> {
        let name = name.to_lowercase();
        let plain = name.replace(')', "_");
        self.from(first).find_map(|(place, archive)| {
            let member = archive.member(&name).or_else(|| archive.member(&plain))?;
            Some((place, member))
        })
    }

    /// The bytes of an EQG file, searched as by [`find_member`](Self::find_member).
    pub(crate) fn bytes(&self, name: &str, first: usize) -> Option<Vec<u8>> {
        let (place, member) = self.find_member(name, first)?;
        self.get(place)?.bytes(member)
    }

    /// Returns true for a picture that can be read and becomes several files, searched from the archive at `first` on.
    pub(crate) fn has_cube_map(&self, name: &str, first: usize) -> bool {
        let found = self.find_member(name, first);
        let archive = found.and_then(|(place, _)| self.get(place));
        archive.zip(found).is_some_and(|(archive, (_, member))| {
            archive.output(member).is_none() && archive.is_readable(member)
        })
    }
}
