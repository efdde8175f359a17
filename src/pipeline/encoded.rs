//! Files of assets that several parts of a run have alike: encoded once, and written again for each of the others.
//!
//! What was encoded stays in one piece of memory, in which what comes next takes the place of what came first: many small
//! pieces, which come and go in any order, would hold twice as much. It is found by what it was made of, which lies beside it
//! and is compared as a whole.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;

use crate::convert::AssetKey;

/// The most that is kept, in bytes: files, and what they were made of. In an install of the game that has most of its pictures
/// many times, three of five are found in as much.
const MOST: usize = 12 << 20;

/// What takes more is not kept: many others would go for it, and large pictures are rarely there again.
const LARGEST: usize = 24 << 10;

/// What assets of one key have in common, and few others: length and last bytes of what is stored, the length of what it
/// stands for, and whether there is a name.
type Mark = (usize, [u8; 8], u64, bool);

fn mark(key: AssetKey<'_>) -> Mark {
    let last = key.stored.last_chunk::<8>();
    (
        key.stored.len(),
        last.copied().unwrap_or_default(),
        key.length,
        key.name.is_some(),
    )
}

/// Encoded assets of a run.
#[derive(Debug)]
pub(super) struct EncodedAssets(Mutex<Kept>);

impl Default for EncodedAssets {
    fn default() -> Self {
        Self(Mutex::new(Kept {
            // All of it at once, and before any work whose memory is counted: the system gives pages as they are written.
            ring: Vec::with_capacity(MOST),
            written: 0,
            places: HashMap::new(),
            order: VecDeque::new(),
        }))
    }
}

/// Where an asset lies: stored bytes, then the name, then the file.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Bytes that were written before, gaps among them.
    start: usize,
    stored: usize,
    name: Option<usize>,
    length: usize,
    blake3: blake3::Hash,
}

#[derive(Debug)]
struct Kept {
    /// Grows up to [`MOST`] and is then written from its beginning again.
    ring: Vec<u8>,
    /// Bytes that were written, gaps among them.
    written: usize,
    places: HashMap<Mark, Place>,
    /// Marks and places in the order in which they were written.
    order: VecDeque<(Mark, usize)>,
}

impl EncodedAssets {
    fn with<T>(&self, use_of: impl FnOnce(&mut Kept) -> T) -> T {
        use_of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The file of an asset and its BLAKE3, if it was kept.
    pub(super) fn find(&self, key: AssetKey<'_>) -> Option<(Vec<u8>, blake3::Hash)> {
        self.with(|kept| {
            let place = kept.places.get(&mark(key))?;
            let start = place.start % MOST;
            let (stored, rest) = kept.ring.get(start..)?.split_at_checked(place.stored)?;
            let (name, rest) = rest.split_at_checked(place.name.unwrap_or_default())?;
            let is_it =
                stored == key.stored && place.name.map(|_| name) == key.name.map(str::as_bytes);
            let bytes = rest.get(..place.length).filter(|_| is_it)?;
            Some((bytes.to_vec(), place.blake3))
        })
    }

    /// Keeps the file of an asset, in place of those that were kept first. Of several assets with one mark the last one is
    /// kept.
    pub(super) fn keep(&self, key: AssetKey<'_>, bytes: &[u8], blake3: blake3::Hash) {
        let name = key.name.unwrap_or_default();
        let length = key.stored.len() + name.len() + bytes.len();
        if length > LARGEST {
            return;
        }
        self.with(|kept| {
            let mark = mark(key);
            let start = kept.make_room(length);
            for piece in [key.stored, name.as_bytes(), bytes] {
                kept.write(piece);
            }
            kept.order.push_back((mark, start));
            kept.places.insert(
                mark,
                Place {
                    start,
                    stored: key.stored.len(),
                    name: key.name.map(str::len),
                    length: bytes.len(),
                    blake3,
                },
            );
        });
    }
}

impl Kept {
    /// Makes room for so many bytes in a row, [`MOST`] at most. Returns where they lie.
    fn make_room(&mut self, length: usize) -> usize {
        let left = MOST - self.written % MOST;
        if length > left {
            self.written += left;
            self.ring.resize(MOST, 0);
        }
        let end = self.written + length;
        while let Some(&(mark, start)) = self.order.front()
            && start + MOST < end
        {
            self.order.pop_front();
            // Another one may have the mark by now.
            if (self.places.get(&mark)).is_some_and(|place| place.start == start) {
                self.places.remove(&mark);
            }
        }
        self.written
    }

    fn write(&mut self, piece: &[u8]) {
        let start = self.written % MOST;
        match self.ring.get_mut(start..start + piece.len()) {
            Some(room) => room.copy_from_slice(piece),
            None => {
                self.ring.truncate(start);
                self.ring.extend_from_slice(piece);
            }
        }
        self.written += piece.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<'k>(stored: &'k [u8], name: Option<&'k str>) -> AssetKey<'k> {
        AssetKey {
            stored,
            length: 9,
            name,
        }
    }

    fn kept(assets: &EncodedAssets, key: AssetKey<'_>) -> Option<Vec<u8>> {
        assets.find(key).map(|(bytes, blake3)| {
            assert_eq!(blake3, blake3::hash(&bytes));
            bytes
        })
    }

    #[test]
    fn what_was_encoded_comes_back_for_what_it_was_made_of_alone() {
        let assets = EncodedAssets::default();
        let first = key(b"first blocks", None);
        assert_eq!(kept(&assets, first), None);
        assets.keep(first, b"picture", blake3::hash(b"picture"));
        assert_eq!(kept(&assets, first).unwrap(), b"picture");
        let others = [
            key(b"other blocks", None),
            key(b"first blocks", Some("a.bmp")),
            key(b"first blocks", Some("")),
            key(b"first block", None),
            AssetKey {
                length: 10,
                ..first
            },
        ];
        for other in others {
            assert_eq!(kept(&assets, other), None, "{other:?}");
        }
        let named = key(b"first blocks", Some("a.bmp"));
        assets.keep(named, b"masked", blake3::hash(b"masked"));
        assert_eq!(kept(&assets, named).unwrap(), b"masked");
        let otherwise = key(b"first blocks", Some("b.bmp"));
        assert_eq!(kept(&assets, otherwise), None);
        assert_eq!(kept(&assets, first).unwrap(), b"picture");
    }

    #[test]
    fn of_one_mark_the_last_is_kept() {
        let assets = EncodedAssets::default();
        let [one, other] =
            [&b"one: 12345678"[..], b"two: 12345678"].map(|stored| key(stored, None));
        assets.keep(one, b"one", blake3::hash(b"one"));
        assets.keep(other, b"other", blake3::hash(b"other"));
        assert_eq!(kept(&assets, one), None);
        assert_eq!(kept(&assets, other).unwrap(), b"other");
    }

    #[test]
    fn what_came_first_goes_when_there_is_too_much_and_the_rest_is_whole() {
        let assets = EncodedAssets::default();
        let mut all: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        let mut seed = 7_usize;
        for number in 0..3_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let length = (seed >> 33) % (LARGEST + 1000);
            let file = number.to_le_bytes().repeat(length / 8);
            all.push((number.to_le_bytes().to_vec(), file));
            let (stored, file) = all.last().unwrap();
            assets.keep(key(stored, None), file, blake3::hash(file));
        }
        let is_small = |(stored, file): &&(Vec<u8>, Vec<u8>)| stored.len() + file.len() <= LARGEST;
        let small: Vec<_> = all.iter().filter(is_small).collect();
        let found: Vec<bool> = small
            .iter()
            .map(|(stored, file)| {
                let found = kept(&assets, key(stored, None));
                assert!(found.as_ref().is_none_or(|found| found == file));
                found.is_some()
            })
            .collect();
        assert!(found.is_sorted() && !found[0]);
        let weight = |(stored, file): &(Vec<u8>, Vec<u8>)| stored.len() + file.len();
        let kept_bytes: usize = (small.iter().zip(&found))
            .map(|(asset, found)| if *found { weight(asset) } else { 0 })
            .sum();
        assert!(
            kept_bytes <= MOST && kept_bytes + 3 * LARGEST > MOST,
            "{kept_bytes}"
        );
        let large = all.iter().filter(|asset| !is_small(asset));
        assert!(large.clone().count() > 10);
        for (stored, _) in large {
            assert_eq!(kept(&assets, key(stored, None)), None);
        }
        assets.with(|kept| {
            assert_eq!((kept.ring.len(), kept.ring.capacity()), (MOST, MOST));
            assert_eq!(kept.places.len(), kept.order.len());
        });
    }
}
