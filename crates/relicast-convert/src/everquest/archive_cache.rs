//! What was found out about archives, for all files of a run that need them: an archive that forty zones
//! share is looked through once, and its scenes are decoded once as long as there is room for them.
//!
//! What is found out follows from the bytes and the name of an archive alone; both are the key, so that a
//! file that changes during a run is another archive.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;

use super::archive_content::{MemberFacts, Scenes};
use relicast_formats::everquest::pfs::Archive;

/// Bytes of scene files whose decoded scenes are kept when nobody uses them, of archives that others look into. Decoding
/// 8 MB again takes some 6 ms, and keeping them decoded takes some 14 MB, their bytes among them.
const MOST_SHARED: u64 = 8 << 20;

/// The same of archives that nobody else has asked for.
const MOST_OF_ONE: u64 = 2 << 20;

/// The plan asks for an archive, and its own conversion does. Whoever asks more often is another.
const OWN_QUESTIONS: u32 = 2;

/// BLAKE3 of an archive, and its name in lower case without folders.
type Key = (String, String);

/// Archives of a run.
#[derive(Debug, Default)]
pub(crate) struct ArchiveCache(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    archives: HashMap<Key, Remembered>,
    /// Counts the questions, for the order in which scenes go.
    clock: u64,
}

#[derive(Debug)]
struct Remembered {
    facts: Arc<MemberFacts>,
    scenes: Option<Arc<OnceLock<Scenes>>>,
    /// Bytes of the scene files.
    weight: u64,
    last: u64,
    /// How often it was asked for.
    questions: u32,
}

impl ArchiveCache {
    /// What was found out about the members of the archive at `path` whose bytes have this BLAKE3, if somebody read it.
    pub(super) fn facts(&self, digest: &str, path: &str) -> Option<Arc<MemberFacts>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let remembered = known.archives.get(&key(digest, path))?;
        Some(Arc::clone(&remembered.facts))
    }

    /// What is known of the archive at `path` whose bytes have this BLAKE3.
    pub(super) fn find(
        &self,
        digest: &str,
        path: &str,
        archive: &Archive<'_>,
    ) -> (Arc<MemberFacts>, Arc<OnceLock<Scenes>>) {
        let key = key(digest, path);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.clock += 1;
        let last = known.clock;
        let remembered = known.archives.entry(key).or_insert_with(|| Remembered {
            facts: Arc::new(MemberFacts::of(archive)),
            scenes: None,
            weight: 0,
            last,
            questions: 0,
        });
        remembered.last = last;
        remembered.questions = remembered.questions.saturating_add(1);
        let facts = Arc::clone(&remembered.facts);
        let scenes = Arc::clone(remembered.scenes.get_or_insert_default());
        remembered.weight = weight(archive);
        known.forget();
        (facts, scenes)
    }
}

fn key(digest: &str, path: &str) -> Key {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    (digest.to_owned(), name.to_lowercase())
}

/// Bytes of what is named like a scene file.
fn weight(archive: &Archive<'_>) -> u64 {
    let scenes = archive.entries.iter().filter(|entry| {
        let name = entry.name.as_deref().unwrap_or_default();
        name.to_lowercase().ends_with(".wld")
    });
    scenes.map(|entry| u64::from(entry.row.size)).sum()
}

impl Known {
    /// Lets go of scenes that nobody uses until the rest is within bounds, those first that nobody asked for
    /// the longest.
    fn forget(&mut self) {
        self.forget_of(false, MOST_OF_ONE);
        self.forget_of(true, MOST_SHARED);
    }

    fn forget_of(&mut self, is_shared: bool, most: u64) {
        let mut kept: Vec<&mut Remembered> = self
            .archives
            .values_mut()
            .filter(|remembered| remembered.is_idle() && remembered.is_shared() == is_shared)
            .collect();
        let mut sum: u64 = kept.iter().map(|remembered| remembered.weight).sum();
        if sum <= most {
            return;
        }
        kept.sort_by_key(|remembered| remembered.last);
        for remembered in kept {
            if sum <= most {
                break;
            }
            remembered.scenes = None;
            sum = sum.saturating_sub(remembered.weight);
        }
    }
}

impl Remembered {
    fn is_shared(&self) -> bool {
        self.questions > OWN_QUESTIONS
    }

    /// Whether its scenes are decoded and nobody uses them.
    fn is_idle(&self) -> bool {
        let scenes = self.scenes.as_ref();
        scenes.is_some_and(|scenes| Arc::strong_count(scenes) == 1 && scenes.get().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::everquest::pfs::{Entry, IndexRow};

    fn archive(size: u32) -> Archive<'static> {
        let row = IndexRow {
            size,
            ..IndexRow::default()
        };
        let entry = Entry {
            row,
            name: Some("zone.wld".to_owned()),
            ..Entry::default()
        };
        Archive {
            entries: vec![entry],
            ..Archive::default()
        }
    }

    #[test]
    fn the_same_bytes_under_the_same_name_are_looked_through_once() {
        let cache = ArchiveCache::default();
        let small = archive(1);
        let (facts, scenes) = cache.find("digest", "a/Zone.s3d", &small);
        let (again, decoded) = cache.find("digest", "b/zone.s3d", &small);
        assert!(Arc::ptr_eq(&facts, &again) && Arc::ptr_eq(&scenes, &decoded));
        let told = cache.facts("digest", "zone.s3d").unwrap();
        assert!(Arc::ptr_eq(&facts, &told) && cache.facts("digest", "other.s3d").is_none());
        for (digest, path) in [("other", "a/zone.s3d"), ("digest", "zone.eqg")] {
            let (others, _) = cache.find(digest, path, &small);
            assert!(!Arc::ptr_eq(&facts, &others), "{digest} {path}");
        }
    }

    #[test]
    fn scenes_that_nobody_uses_go_when_there_are_too_many_and_facts_stay() {
        let cache = ArchiveCache::default();
        let large = archive(u32::try_from(MOST_OF_ONE).unwrap() / 2 + 1);
        let decode = |digest: &str| {
            let (facts, scenes) = cache.find(digest, "zone.s3d", &large);
            scenes.get_or_init(Scenes::default);
            (facts, scenes)
        };
        let (facts, used) = decode("first");
        drop(decode("second"));
        drop(decode("third"));
        drop(decode("fourth"));
        let kept = || ["first", "second", "third", "fourth"].map(|digest| is_kept(&cache, digest));
        // Room is made for what comes, by those that nobody uses.
        assert_eq!(kept(), [true, false, true, true]);
        drop(used);
        let (again, _) = cache.find("first", "zone.s3d", &large);
        assert!(Arc::ptr_eq(&facts, &again));
        assert_eq!(kept(), [true, false, false, true]);
    }

    #[test]
    fn scenes_that_many_look_into_stay_while_others_come_and_go() {
        let cache = ArchiveCache::default();
        let large = archive(u32::try_from(MOST_OF_ONE).unwrap());
        let decode = |digest: &str| {
            let (_, scenes) = cache.find(digest, "zone.s3d", &large);
            scenes.get_or_init(Scenes::default);
        };
        for _ in 0..=OWN_QUESTIONS {
            decode("shared");
        }
        for digest in ["first", "second", "third"] {
            decode(digest);
        }
        let kept = ["shared", "first", "third"].map(|digest| is_kept(&cache, digest));
        assert_eq!(kept, [true, false, true]);
    }

    /// Whether decoded scenes are kept.
    fn is_kept(cache: &ArchiveCache, digest: &str) -> bool {
        let known = cache.0.lock().unwrap();
        let key = (digest.to_owned(), "zone.s3d".to_owned());
        let scenes = known.archives[&key].scenes.as_ref();
        scenes.is_some_and(|scenes| scenes.get().is_some())
    }
}
