//! `ZONE_sounds.eff`: emitters of sound and music.
//!
//! ```
//! use relicast_formats::everquest::sound::eff::{Emitter, Emitters, SoundId, SoundSource, decode, encode};
//!
//! let emitter = Emitter { sound1: SoundId(-3), ..Emitter::default() };
//! assert_eq!(emitter.sound1.source(), SoundSource::MusicFile(3));
//! let bytes = encode(&Emitters { emitters: vec![emitter], ..Emitters::default() })?;
//! assert_eq!(bytes.len(), 84);
//! assert_eq!(decode(&bytes)?.value.emitters[0].sound1, SoundId(-3));
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::quantity::counted;
use serde::Serialize;

use relicast_codec::{Blob, Bytes, Decoded, F32, FixedSize, Reader, Result, Stream, Vec3, Writer};

relicast_codec::open_enum! {
    /// Time and mode of an emitter.
    pub enum EmitterKind: u8 {
        /// A sound for the day and one for the night, of one volume inside the radius.
        DayNight = 0,
        /// Music.
        Music = 1,
        /// A sound that fades with the distance.
        Positional = 2,
        /// Such a sound for the day and one for the night.
        PositionalDayNight = 3,
    }
}

relicast_codec::record! {
    /// An emitter, 84 bytes.
    pub struct Emitter[84] {
        /// Offset 0: not used.
        unk0: [i32; 3],
        /// Offset 12: number of the emitter.
        sequence: i32,
        /// Offset 16: position in file axes.
        position: Vec3,
        /// Offset 28: radius in units.
        radius: F32,
        /// Offset 32: pause in milliseconds (day).
        cooldown1: i32,
        /// Offset 36: pause in milliseconds (night).
        cooldown2: i32,
        /// Offset 40: milliseconds added at random.
        random_delay: i32,
        /// Offset 44: meaning unknown.
        unk44: i32,
        /// Offset 48: the sound (by day).
        sound1: SoundId,
        /// Offset 52: the sound by night.
        sound2: SoundId,
        /// Offset 56: time and mode of the sound.
        kind: EmitterKind,
        /// Offset 57: arbitrary bytes.
        padding57: Bytes<3>,
        /// Offset 60: volume as a distance; music: loops by day. Sources differ on the curve.
        volume1: i32,
        /// Offset 64: second volume; music: loops by night.
        volume2: i32,
        /// Offset 68: milliseconds of the fade.
        fade_out: i32,
        /// Offset 72: meaning unknown.
        unk72: i32,
        /// Offset 76: distance up to which the volume is full.
        full_volume_range: i32,
        /// Offset 80: meaning unknown.
        unk80: i32,
    }
}

/// Farthest coordinate and largest radius of an emitter.
const FARTHEST: f32 = 1e6;

/// Smallest number other than 0 that a place or radius may have.
const NEAREST: f32 = 1e-3;

/// Length from which on the start of a file is enough for detection: a block of an archive.
const START: usize = 8192;

/// Number of a sound in one of several lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SoundId(pub i32);

/// Source of a [`SoundId`]. Indices in lists count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SoundSource {
    /// No sound.
    None,
    /// A line of `mp3index.txt`.
    MusicFile(u32),
    /// A name of the bank's section EMIT; for music a song of `ZONE.xmi`.
    Emit(u32),
    /// A sound of the client, by its number.
    Client(u32),
    /// A name of the bank's section LOOP.
    Loop(u32),
}

impl SoundId {
    /// Last number of the section EMIT.
    const LAST_EMIT: u32 = 31;
    /// Last number of the client's own sounds.
    const LAST_CLIENT: u32 = 161;

    /// Source of the sound.
    pub fn source(self) -> SoundSource {
        let number = self.0.unsigned_abs();
        match (self.0, number) {
            (0, _) => SoundSource::None,
            (..0, _) => SoundSource::MusicFile(number),
            (_, ..=Self::LAST_EMIT) => SoundSource::Emit(number),
            (_, ..=Self::LAST_CLIENT) => SoundSource::Client(number),
            _ => SoundSource::Loop(number.saturating_sub(Self::LAST_CLIENT)),
        }
    }
}

impl FixedSize for SoundId {
    const SIZE: usize = 4;
    fn load(bytes: &[u8]) -> Option<Self> {
        i32::load(bytes).map(Self)
    }
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

/// Name of one of the client's own sounds, without extension.
pub fn client_sound(number: u32) -> Option<&'static str> {
    Some(match number {
        39 => "death_me",
        143 => "thunder1",
        144 => "thunder2",
        158 => "wind_lp1",
        159 => "rainloop",
        160 => "torch_lp",
        161 => "watundlp",
        _ => return None,
    })
}

/// The whole list.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Emitters<'a> {
    /// The emitters.
    pub emitters: Vec<Emitter>,
    /// Bytes after the last whole record; none in a sound file.
    pub trailing: Blob<'a>,
}

/// True if bytes are whole records of emitters, or begin with some, by their values: places, radii
/// and kinds that occur, and not nothing but zeros. Tables of spells share the extension.
pub fn looks_like(bytes: &[u8]) -> bool {
    let mut reaches = false;
    let (records, rest) = (
        bytes.chunks_exact(Emitter::SIZE),
        bytes.len() % Emitter::SIZE,
    );
    let mut plausible = records.len() > 0 && (rest == 0 || bytes.len() >= START);
    for record in records {
        let number = |offset: usize| {
            let stored = record.get(offset..).and_then(F32::load);
            stored.map_or(f32::NAN, F32::get)
        };
        let near = [16, 20, 24, 28].map(|offset: usize| {
            let size = number(offset).abs();
            size == 0.0 || (NEAREST..FARTHEST).contains(&size)
        });
        let kind = record.get(56).copied().unwrap_or(u8::MAX);
        plausible &= near == [true; 4] && number(28) >= 0.0 && kind <= 3;
        reaches |= number(28) > 0.0;
    }
    plausible && reaches
}

/// Decodes a list of emitters.
///
/// # Errors
/// None: bytes after the last whole record are a deviation.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Emitters<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut list = Emitters::default();
    let count = bytes.len() / Emitter::SIZE;
    reader.records("emitters", &mut list.emitters, count)?;
    let (offset, rest) = (reader.position(), reader.remaining());
    reader.bytes("trailing", &mut list.trailing.0, rest)?;
    if rest > 0 {
        let found = counted(rest, "more byte", "more bytes");
        reader.deviate("trailing", offset, "whole records of 84 bytes", found);
    }
    Ok(reader.finish(list))
}

/// Encodes a list of emitters.
///
/// # Errors
/// None.
pub fn encode(list: &Emitters<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    writer.records("emitters", &mut list.emitters.clone(), list.emitters.len())?;
    writer.bytes(
        "trailing",
        &mut list.trailing.0.clone(),
        list.trailing.len(),
    )?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_to_their_lists() {
        let sources = [
            (0, SoundSource::None),
            (-3, SoundSource::MusicFile(3)),
            (1, SoundSource::Emit(1)),
            (31, SoundSource::Emit(31)),
            (32, SoundSource::Client(32)),
            (161, SoundSource::Client(161)),
            (162, SoundSource::Loop(1)),
            (i32::MIN, SoundSource::MusicFile(1 << 31)),
        ];
        for (number, source) in sources {
            assert_eq!(SoundId(number).source(), source);
        }
        assert_eq!(client_sound(160), Some("torch_lp"));
        assert_eq!(client_sound(33), None);
    }

    #[test]
    fn emitters_are_distinguished_from_tables_of_spells() {
        let emitter = Emitter {
            position: Vec3::from([1.0, -2000.0, 3.0]),
            radius: F32(30.0),
            kind: EmitterKind::PositionalDayNight,
            ..Emitter::default()
        };
        let encoded = |emitters: Vec<Emitter>| {
            encode(&Emitters {
                emitters,
                ..Emitters::default()
            })
            .unwrap()
        };
        let bytes = encoded(vec![emitter.clone(); 3]);
        assert!(looks_like(&bytes));
        assert!(!looks_like(&bytes[..100]) && !looks_like(&[]));
        assert!(
            looks_like(&bytes.repeat(50)[..8192]),
            "the start of a member"
        );
        // As large as a whole number of emitters, and of records of spells.
        assert!(!looks_like(&vec![0; 560 * 84]), "zeros");
        let mut spells = vec![0; 560 * 84];
        spells[560..573].copy_from_slice(b"Spark of Wool");
        spells[560 + 96..560 + 112].copy_from_slice(b"You feel sheepy.");
        assert!(!looks_like(&spells));
        let odd = Emitter {
            kind: EmitterKind::Other(9),
            ..emitter
        };
        assert!(!looks_like(&encoded(vec![odd])));
    }

    #[test]
    fn records_survive_and_a_torn_one_is_reported() {
        let mut bytes: Vec<u8> = (0..168).collect();
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty());
        let emitters = &decoded.value.emitters;
        assert_eq!(emitters[0].kind, EmitterKind::Other(56));
        assert_eq!(emitters[0].sequence, 0x0F0E_0D0C);
        assert_eq!(emitters[1].cooldown1, 0x7776_7574);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
        let emitters = emitters.clone();
        bytes.push(1);
        let torn = decode(&bytes).unwrap();
        assert_eq!(torn.value.emitters, emitters);
        assert_eq!(torn.deviations.total(), 1);
        assert_eq!(encode(&torn.value).unwrap(), bytes);
    }
}
