//! Output paths of the sounds, songs and music that lists of sounds name.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Dependency, ItemIndex, OpenContext};
use relicast_formats::everquest::{lists, pfs};
use relicast_formats::kind::Kind;

/// Indices of the members of archives by their names in lower case.
type Members = BTreeMap<String, usize>;

/// The same for archives of a run, by BLAKE3.
type Known = Mutex<HashMap<String, Arc<Members>>>;

/// Paths of outputs, below the output folder.
#[derive(Debug, Default)]
pub(super) struct SoundPaths<'a> {
    /// Archives of sounds.
    archives: Vec<(Arc<Members>, &'a [Option<String>])>,
    /// Songs of the zone, after the document of all of them.
    songs: &'a [Option<String>],
    /// Music by the names of the files in lower case.
    music: BTreeMap<String, &'a str>,
    /// Names of music by number, from 1 on.
    index: Vec<String>,
}

impl<'a> SoundPaths<'a> {
    /// Collects the paths from the dependencies of a list.
    pub(super) fn new(context: &OpenContext<'a, '_>) -> Self {
        let mut paths = Self::default();
        for &Dependency {
            path,
            kind,
            bytes,
            digest,
            outputs,
        } in context.dependencies
        {
            match kind {
                Kind::Pfs => {
                    let members = match context.shared_as(digest) {
                        Some((shared, digest)) => shared_members(&shared.of(), digest, bytes),
                        None => Arc::new(members(bytes)),
                    };
                    paths.archives.push((members, outputs));
                }
                Kind::Xmidi => paths.songs = outputs,
                Kind::MusicFile => {
                    let name = path.rsplit('/').next().unwrap_or(path);
                    let output = outputs.first().and_then(Option::as_deref);
                    let row = output.map(|output| (name.to_lowercase(), output));
                    paths.music.extend(row);
                }
                Kind::TextList => {
                    let names = lists::lines(bytes).map(|line| line.trim().to_owned());
                    paths.index = names.collect();
                }
                _ => {}
            }
        }
        paths
    }

    /// The sound with this name, without its extension.
    pub(super) fn of_sound(&self, name: &str) -> Option<&str> {
        self.of_member(&format!("{}.wav", name.to_lowercase()))
    }

    fn of_member(&self, name: &str) -> Option<&str> {
        let mut archives = self.archives.iter();
        archives.find_map(|(members, outputs)| {
            let item = ItemIndex::of_member(*members.get(name)?);
            outputs.get(item.0)?.as_deref()
        })
    }

    /// The sound or music in this file.
    pub(super) fn of_file(&self, name: &str) -> Option<&str> {
        let name = name.trim().to_lowercase();
        let music = self.music.get(&name).copied();
        music.or_else(|| self.of_member(&name))
    }

    /// The song with this number, counted from 1.
    pub(super) fn of_song(&self, number: u32) -> Option<&str> {
        let song = usize::try_from(number).ok()?.checked_sub(1)?;
        self.songs.get(ItemIndex::of_member(song).0)?.as_deref()
    }

    /// Name and output of the music with this number in the index, counted from 1.
    pub(super) fn of_index(&self, number: u32) -> (Option<&str>, Option<&str>) {
        let place = usize::try_from(number).ok();
        let place = place.and_then(|place| place.checked_sub(1));
        let name = place.and_then(|place| self.index.get(place));
        let path = name.and_then(|name| self.music.get(&name.to_lowercase()));
        (name.map(String::as_str), path.copied())
    }
}

fn members(bytes: &[u8]) -> Members {
    let Ok(decoded) = pfs::decode(bytes) else {
        return Members::new();
    };
    let entries = decoded.value.entries.iter().enumerate();
    entries
        .map(|(place, entry)| (entry.label().to_lowercase(), place))
        .collect()
}

fn shared_members(known: &Known, digest: &str, bytes: &[u8]) -> Arc<Members> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.entry(digest.to_owned());
    Arc::clone(found.or_insert_with(|| Arc::new(members(bytes))))
}
