//! Any file that has a codec, as one typed value, for `inspect` and `prove`.
//!
//! ```
//! use relicast_formats::decoded_file::decode;
//! use relicast_formats::kind::{ArchiveContext, Kind};
//!
//! let bytes = b"( DETAIL 3 )";
//! let decoded = decode(Kind::TextReader, "detail.zrd", bytes, &ArchiveContext::default());
//! let value = decoded.unwrap()?.value;
//! assert_eq!(value.encode().unwrap()?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::everquest::pfs;
use super::kind::{ArchiveContext, Kind};
use super::registry::Source;
use super::zipper::archive::Archive;
use super::zipper::rof::Rof;
use relicast_codec::{Decoded, Result};

pub use super::registry::DecodedFile;

/// Decodes a source of `kind` called `name`; `None` for kinds without a codec. `siblings` holds what an
/// archive member needs to know of its archive; it is empty for a file.
///
/// # Errors
/// The source breaks a hard rule of its format.
pub fn decode<'a>(
    kind: Kind,
    name: &str,
    bytes: &'a [u8],
    siblings: &ArchiveContext,
) -> Option<Result<Decoded<DecodedFile<'a>>>> {
    let decode = kind.codec().decoder()?;
    Some(decode(Source {
        name,
        bytes,
        context: siblings,
    }))
}

/// A decoded archive, whose members are files of their own.
#[derive(Debug, Clone, Copy)]
pub enum MemberArchive<'d, 'a> {
    /// Archive of a Zipper game: its members are not compressed.
    Zipper(&'d Archive<'a>),
    /// Archive of EverQuest: its members are compressed.
    EverQuest(&'d pfs::Archive<'a>),
    /// Archive of Crimson Skies: its members are in folders, and some are compressed.
    Resources(&'d Rof<'a>),
}

impl<'a> DecodedFile<'a> {
    /// The archive, if it is one.
    pub fn archive(&self) -> Option<MemberArchive<'_, 'a>> {
        match self {
            Self::Archive(archive) => Some(MemberArchive::Zipper(archive)),
            Self::Pfs(archive) => Some(MemberArchive::EverQuest(archive)),
            Self::Rof(archive) => Some(MemberArchive::Resources(archive)),
            Self::Interp(_)
            | Self::GameZ(_)
            | Self::Anim(_)
            | Self::Wld(_)
            | Self::Messages(_)
            | Self::Textures(_)
            | Self::Wave(_)
            | Self::Avi(_)
            | Self::Mechlib(_)
            | Self::Save(_)
            | Self::Motion(_)
            | Self::Zmap(_)
            | Self::Livery(_)
            | Self::Plane(_)
            | Self::Reader(_)
            | Self::TextReader(_)
            | Self::Bitmap(_)
            | Self::Dds(_)
            | Self::SoundBank(_)
            | Self::Emitters(_)
            | Self::Grass(_)
            | Self::EmitterText(_)
            | Self::EqgZone(_)
            | Self::EqgZoneText(_)
            | Self::EqgTiles(_)
            | Self::EqgWalls(_)
            | Self::EqgTerrain(_)
            | Self::EqgModel(_)
            | Self::EqgCreature(_)
            | Self::EqgAnimation(_)
            | Self::EqgLayers(_)
            | Self::EqgLight(_)
            | Self::EqgParticles(_)
            | Self::EqgPoints(_)
            | Self::EqgText(_)
            | Self::Ply(_)
            | Self::Xmidi(_)
            | Self::SpellTable(_)
            | Self::SpellSprites(_)
            | Self::SpellStages(_)
            | Self::TextList(_)
            | Self::ZoneMap(_)
            | Self::WorldSettings(_)
            | Self::EnvironmentEmitters(_)
            | Self::EmitterDefinitions(_) => None,
        }
    }
}
