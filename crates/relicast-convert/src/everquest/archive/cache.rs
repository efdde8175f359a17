//! Cache of a run: facts about archives, for all files that need them.
//!
//! An archive that forty zones share is read once. Facts stay as long as the run. Decoded scenes stay as long
//! as memory allows. Inflated scenes and pictures are stored in a temporary file, because inflating
//! takes longer than reading a file again.
//!
//! All of it follows from the bytes and the name of an archive; both are the key, so that a file that changes
//! during a run is another archive.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tracing::debug;

use relicast_codec::FormatError;
use relicast_formats::everquest::pfs::Entry;
use relicast_formats::everquest::texture::RowOrder;
use relicast_formats::kind::Kind;
use relicast_limits as limits;

use super::scene_file::Scenes;
use super::spool::{Place, Spool};
use crate::everquest::render_method::Uses;

/// Size limit of unused scene files, in bytes, whose decoded scenes stay in memory, of archives that others use.
/// Decoding 8 MB again takes about 6 ms; decoded they take about 14 MB, including their bytes.
const MAX_SHARED_BYTES: u64 = 8 << 20;

/// The same limit for archives that no other file has used.
const MAX_ITEM_BYTES: u64 = 2 << 20;

/// BLAKE3 of an archive, and its name in lower case without folders.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    digest: String,
    name: String,
}

impl Key {
    pub(super) fn new(digest: &str, path: &str) -> Self {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        Self {
            digest: digest.to_owned(),
            name: name.to_lowercase(),
        }
    }
}

/// Small facts about an archive, each computed at its first use.
#[derive(Debug, Default)]
pub(super) struct Facts {
    members: OnceLock<Vec<MemberFacts>>,
    /// The row of its DDS pictures that is stored first.
    pub(super) rows: OnceLock<RowOrder>,
    /// Uses of pictures by its scenes and models, without and with corrections.
    pub(super) uses: [OnceLock<Uses>; 2],
}

/// Small facts about a member.
#[derive(Debug, Default)]
pub(super) struct MemberFacts {
    pub(super) kind: OnceLock<Kind>,
    /// It is a picture that can be decoded.
    pub(super) readable: OnceLock<bool>,
    /// Place of its inflated bytes in the cache.
    pub(super) stored: OnceLock<Place>,
}

impl Facts {
    /// Facts about a member of an archive with these entries.
    pub(super) fn of(&self, entries: &[Entry<'_>], member: usize) -> Option<&MemberFacts> {
        let none = || entries.iter().map(|_| MemberFacts::default()).collect();
        self.members.get_or_init(none).get(member)
    }
}

/// Archives of a run.
#[derive(Debug, Default)]
pub(super) struct ArchiveCache {
    known: Mutex<Known>,
    spool: Mutex<Spool>,
}

#[derive(Debug, Default)]
struct Known {
    archives: HashMap<Key, Remembered>,
    /// Counts the uses of scenes, for the order in which they are dropped.
    clock: u64,
}

#[derive(Debug, Default)]
struct Remembered {
    facts: Arc<Facts>,
    scenes: Option<Arc<OnceLock<Scenes>>>,
    /// Bytes of the scene files.
    weight: u64,
    /// Time of the last use of the scenes.
    last: u64,
    /// True if the scenes were used by others than the archive's own conversion.
    is_shared: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ArchiveCache {
    /// Facts about an archive.
    pub(super) fn facts(&self, key: &Key) -> Arc<Facts> {
        let mut known = lock(&self.known);
        Arc::clone(&known.archives.entry(key.clone()).or_default().facts)
    }

    /// The scenes of an archive of `weight` bytes, decoded or for the caller to decode. They stay while they are used.
    pub(super) fn scenes(&self, key: &Key, weight: u64) -> Arc<OnceLock<Scenes>> {
        let mut known = lock(&self.known);
        known.clock += 1;
        let last = known.clock;
        let archive = known.archives.entry(key.clone()).or_default();
        archive.is_shared |= archive.last > 0;
        archive.last = last;
        archive.weight = weight;
        let scenes = Arc::clone(archive.scenes.get_or_insert_default());
        known.forget(false, MAX_ITEM_BYTES);
        known.forget(true, MAX_SHARED_BYTES);
        scenes
    }

    /// Stores inflated bytes, if there is room.
    pub(super) fn store(&self, bytes: &[u8]) -> Option<Place> {
        lock(&self.spool).store(bytes)
    }

    /// The stored bytes at a place; `None` when they cannot be read.
    ///
    /// # Errors
    /// They are beyond the budget of memory.
    pub(super) fn stored(&self, place: Place) -> Result<Option<Vec<u8>>, FormatError> {
        limits::try_reserve(place.length)?;
        let read = lock(&self.spool).read(place);
        let log = |fault: &std::io::Error| {
            debug!("cannot read an inflated member from the temporary file: {fault}")
        };
        Ok(read.inspect_err(log).ok())
    }
}

impl Known {
    /// Drops unused scenes until the rest is within bounds, the least recently used first.
    fn forget(&mut self, is_shared: bool, most: u64) {
        let archives = self.archives.values_mut();
        let mut idle: Vec<&mut Remembered> = archives
            .filter(|archive| archive.is_shared == is_shared && archive.is_idle())
            .collect();
        idle.sort_by_key(|archive| archive.last);
        let mut sum: u64 = idle.iter().map(|archive| archive.weight).sum();
        for archive in idle {
            if sum <= most {
                break;
            }
            archive.scenes = None;
            sum = sum.saturating_sub(archive.weight);
        }
    }
}

impl Remembered {
    /// Returns true when its scenes are decoded and unused.
    fn is_idle(&self) -> bool {
        let scenes = self.scenes.as_ref();
        scenes.is_some_and(|scenes| Arc::strong_count(scenes) == 1 && scenes.get().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(digest: &str) -> Key {
        Key::new(digest, "zone.s3d")
    }

    /// Decodes the scenes of an archive.
    fn decode(cache: &ArchiveCache, digest: &str, weight: u64) -> Arc<OnceLock<Scenes>> {
        let scenes = cache.scenes(&key(digest), weight);
        scenes.get_or_init(Scenes::default);
        scenes
    }

    /// True for each of the archives that has decoded scenes.
    fn decoded<const COUNT: usize>(cache: &ArchiveCache, digests: [&str; COUNT]) -> [bool; COUNT] {
        let known = lock(&cache.known);
        digests.map(|digest| {
            let scenes = known.archives[&key(digest)].scenes.as_ref();
            scenes.is_some_and(|scenes| scenes.get().is_some())
        })
    }

    #[test]
    fn the_same_bytes_under_the_same_name_are_looked_through_once() {
        let cache = ArchiveCache::default();
        let [one, again] = ["a/Zone.s3d", "b/zone.s3d"].map(|path| Key::new("digest", path));
        assert!(Arc::ptr_eq(&cache.facts(&one), &cache.facts(&again)));
        assert!(Arc::ptr_eq(
            &cache.scenes(&one, 1),
            &cache.scenes(&again, 1)
        ));
        for other in [key("other"), Key::new("digest", "zone.eqg")] {
            assert!(
                !Arc::ptr_eq(&cache.facts(&one), &cache.facts(&other)),
                "{other:?}"
            );
        }
    }

    #[test]
    fn unused_scenes_go_when_there_are_too_many_and_facts_stay() {
        let cache = ArchiveCache::default();
        let facts = cache.facts(&key("first"));
        let used = decode(&cache, "first", MAX_ITEM_BYTES / 2 + 1);
        for digest in ["second", "third", "fourth"] {
            decode(&cache, digest, MAX_ITEM_BYTES / 2 + 1);
        }
        let all = ["first", "second", "third", "fourth"];
        // Unused scenes are dropped for new ones.
        assert_eq!(decoded(&cache, all), [true, false, true, true]);
        drop(used);
        decode(&cache, "fifth", 1);
        assert_eq!(decoded(&cache, all), [false, false, false, true]);
        assert!(Arc::ptr_eq(&facts, &cache.facts(&key("first"))));
    }

    #[test]
    fn scenes_that_many_use_stay_while_others_come_and_go() {
        let cache = ArchiveCache::default();
        for digest in ["shared", "shared", "first", "second", "third"] {
            decode(&cache, digest, MAX_ITEM_BYTES);
        }
        assert_eq!(
            decoded(&cache, ["shared", "first", "third"]),
            [true, false, true]
        );
    }
}
