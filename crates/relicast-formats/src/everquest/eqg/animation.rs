//! Animations of bones (`.ani`), versions 1 and 2.
//!
//! ```
//! use relicast_formats::everquest::eqg::animation::{Animation, Key, MAGIC, Track, decode, encode};
//!
//! let mut animation = Animation { magic: MAGIC, version: 1, ..Animation::default() };
//! let bone = animation.strings.add("ROOT_BONE");
//! let keys = vec![Key { time: 0, ..Key::default() }, Key { time: 100, ..Key::default() }];
//! animation.tracks.push(Track { bone, keys, ..Track::default() });
//! let bytes = encode(&animation)?;
//! assert_eq!(decode(&bytes)?.value.tracks[0].keys[1].time, 100);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::{Strings, trailing, unknown_version};
use relicast_codec::{self as codec, Blob, Bytes, Decoded, F32, Result, Stream, Vec3};

/// First bytes of an animation.
pub const MAGIC: Bytes<4> = Bytes(*b"EQGA");

relicast_codec::record! {
    /// An animation. Bones without a track stay at rest; of several tracks of a bone the first counts.
    pub struct Animation[16..] {
        /// Offset 0: `EQGA`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: 1 or 2.
        version: u32 [bind],
        /// Offset 8: bytes of the strings.
        string_bytes: u32 [counts strings],
        /// Offset 12: number of tracks.
        track_count: u32 [counts tracks],
        /// Offset 16 of version 2: a flag, `strict` by references.
        #[serde(skip_serializing_if = "Option::is_none")]
        strict: Option<u32> [by |value, stream| strict(value, stream, version)],
        /// Names.
        strings: Strings [by |value, stream| value.visit(stream, string_bytes)],
        /// A track for each bone that moves.
        tracks: Vec<Track> [records track_count],
        /// Bytes after the last field, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

relicast_codec::record! {
    /// The track of a bone.
    pub struct Track[8..] {
        /// Offset 0: number of keys.
        key_count: u32 [counts keys],
        /// Offset 4: name of the bone, in any letter case; some end in blanks.
        bone: u32,
        /// Transform of the bone in its parent, over time.
        keys: Vec<Key> [count key_count],
    }
}

relicast_codec::record! {
    /// Transform of a bone at a time, 44 bytes.
    pub struct Key[44]: FixedSize {
        /// Offset 0: milliseconds.
        time: u32,
        /// Offset 4: translation.
        translation: Vec3,
        /// Offset 16: the inverse of its rotation: x, y, z, w.
        rotation: [F32; 4],
        /// Offset 32: scale.
        scale: Vec3,
    }
}

fn strict<'a, S: Stream<'a>>(value: &mut Option<u32>, stream: &mut S, version: u32) -> Result<()> {
    if !matches!(version, 1 | 2) {
        return Err(unknown_version("1 or 2", version));
    }
    stream.optional("strict", version == 2, value, |stream, value| {
        stream.value("strict", value)
    })
}

/// Decodes an animation.
///
/// # Errors
/// Not an animation, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Animation>> {
    let mut decoded = codec::decode::<Animation>(bytes)?;
    let animation = &decoded.value;
    for track in &animation.tracks {
        let strings = &animation.strings;
        strings.check(&mut decoded.deviations, "tracks.bone", track.bone);
        let times = track.keys.windows(2);
        let backwards = times.filter(|pair| matches!(pair, [a, b] if a.time >= b.time));
        let count = backwards.count();
        if count > 0 {
            let found = format_args!("{count} not later than the previous one");
            decoded
                .deviations
                .push("tracks.keys.time", 0, "increasing times", found);
        }
    }
    Ok(decoded)
}

/// Encodes an animation.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(animation: &Animation) -> Result<Vec<u8>> {
    codec::encode(animation)
}
