//! Any file that has a codec, as one typed value: what `inspect` shows and `prove` writes back.

use serde::Serialize;

use super::codec::{Decoded, FormatError, Result};
use super::everquest::pfs;
use super::everquest::sound::{bank, eff, emt};
use super::everquest::texture::{bmp, dds};
use super::everquest::wld::{self, Wld};
use super::kind::{ArchiveContext, Kind};
use super::riff::avi::{self, Avi};
use super::riff::{self, Wave};
use super::zipper::anim::{self, AnimFile};
use super::zipper::archive::{self, Archive};
use super::zipper::gamez::{self, GameZ, Version};
use super::zipper::interp::{self, Interp};
use super::zipper::mechlib::{self, MechMaterial, MechModel};
use super::zipper::messages::{self, MessageFile};
use super::zipper::motion::{self, Motion};
use super::zipper::save::{self, SaveMember};
use super::zipper::texture::package::{self, Package};
use super::zipper::zmap::{self, Map};
use super::zipper::zrd::text::TextDocument;
use super::zipper::zrd::{Value, binary, text};

/// A decoded file or archive member.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is named as the type it holds")]
pub enum DecodedFile<'a> {
    Archive(Archive<'a>),
    Anim(Box<AnimFile>),
    GameZ(Box<GameZ>),
    Mechlib(Mechlib),
    Textures(Package<'a>),
    Interp(Interp<'a>),
    Motion(Motion<'a>),
    Zmap(Map),
    Save(SaveMember<'a>),
    Reader(Value<'a>),
    TextReader(TextDocument<'a>),
    Wave(Wave<'a>),
    Avi(Avi<'a>),
    Messages(MessageFile<'a>),
    Pfs(pfs::Archive<'a>),
    Wld(Box<Wld<'a>>),
    Bitmap(bmp::Bmp<'a>),
    Dds(dds::Dds<'a>),
    Emitters(eff::Emitters<'a>),
    EmitterText(Vec<emt::EmitterLine>),
    SoundBank(bank::SoundBank),
}

/// A member of a model library.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechlib {
    /// The member `format`.
    Format(mechlib::Format),
    /// The member `version`.
    Version(Version),
    /// The member `materials`, and the game that it is of.
    Materials(Vec<MechMaterial>, Version),
    /// A model, and the game that it is of.
    Model(MechModel, Version),
}

fn decode_mechlib(
    name: &str,
    bytes: &[u8],
    version: Option<Version>,
) -> Result<Decoded<DecodedFile<'static>>> {
    let version = version.ok_or_else(|| {
        FormatError::unsupported("version", 0, "a library of a known version", "none")
    });
    Ok(match name {
        mechlib::FORMAT_MEMBER => wrap(mechlib::decode_format(bytes)?, |value| {
            DecodedFile::Mechlib(Mechlib::Format(value))
        }),
        mechlib::VERSION_MEMBER => wrap(mechlib::decode_version(bytes)?, |value| {
            DecodedFile::Mechlib(Mechlib::Version(value))
        }),
        mechlib::MATERIALS_MEMBER => {
            let version = version?;
            wrap(mechlib::decode_materials(bytes, version)?, |value| {
                DecodedFile::Mechlib(Mechlib::Materials(value, version))
            })
        }
        _ => {
            let version = version?;
            wrap(mechlib::decode_model(bytes, version)?, |value| {
                DecodedFile::Mechlib(Mechlib::Model(value, version))
            })
        }
    })
}

fn wrap<'a, T>(
    decoded: Decoded<T>,
    variant: impl FnOnce(T) -> DecodedFile<'a>,
) -> Decoded<DecodedFile<'a>> {
    Decoded {
        value: variant(decoded.value),
        deviations: decoded.deviations,
    }
}

/// Decodes a source of `kind` called `name`; `None` for kinds without a codec. `siblings` tell what
/// an archive member needs to know of its archive; they are empty for a file.
///
/// # Errors
/// The source breaks a hard rule of its format.
pub fn decode<'a>(
    kind: Kind,
    name: &str,
    bytes: &'a [u8],
    siblings: &ArchiveContext,
) -> Option<Result<Decoded<DecodedFile<'a>>>> {
    Some(match kind {
        Kind::Archive => archive::decode(bytes).map(|one| wrap(one, DecodedFile::Archive)),
        Kind::Anim => {
            anim::decode(bytes).map(|one| wrap(one, |value| DecodedFile::Anim(Box::new(value))))
        }
        Kind::GameZ => {
            gamez::decode(bytes).map(|one| wrap(one, |value| DecodedFile::GameZ(Box::new(value))))
        }
        Kind::MechlibMember => decode_mechlib(name, bytes, siblings.version),
        Kind::Textures => package::decode(bytes).map(|one| wrap(one, DecodedFile::Textures)),
        Kind::Interp => interp::decode(bytes).map(|one| wrap(one, DecodedFile::Interp)),
        Kind::Motion => motion::decode(bytes).map(|one| wrap(one, DecodedFile::Motion)),
        Kind::Zmap => zmap::decode(bytes).map(|one| wrap(one, DecodedFile::Zmap)),
        Kind::SaveMember => save::decode(name, bytes).map(|one| wrap(one, DecodedFile::Save)),
        Kind::BinaryReader => binary::decode(bytes).map(|one| wrap(one, DecodedFile::Reader)),
        Kind::TextReader => text::decode(bytes).map(|one| wrap(one, DecodedFile::TextReader)),
        Kind::Wave => riff::decode(bytes).map(|one| wrap(one, DecodedFile::Wave)),
        Kind::Avi => avi::decode(bytes).map(|one| wrap(one, DecodedFile::Avi)),
        Kind::MessageDll => messages::decode(bytes).map(|one| wrap(one, DecodedFile::Messages)),
        Kind::Pfs => pfs::decode(bytes).map(|one| wrap(one, DecodedFile::Pfs)),
        Kind::Wld => {
            wld::decode(bytes).map(|one| wrap(one, |value| DecodedFile::Wld(Box::new(value))))
        }
        Kind::Bitmap => bmp::decode(bytes).map(|one| wrap(one, DecodedFile::Bitmap)),
        Kind::Dds => dds::decode(bytes).map(|one| wrap(one, DecodedFile::Dds)),
        Kind::Emitters => eff::decode(bytes).map(|one| wrap(one, DecodedFile::Emitters)),
        Kind::EmitterText => emt::decode(bytes).map(|one| wrap(one, DecodedFile::EmitterText)),
        Kind::SoundBank => bank::decode(bytes).map(|one| wrap(one, DecodedFile::SoundBank)),
        _ => return None,
    })
}

impl DecodedFile<'_> {
    /// Writes the value back; `None` for formats that are only read (message DLLs: a PE image cannot
    /// be rebuilt from its messages; videos: only headers are read).
    ///
    /// # Errors
    /// Never for a value that was decoded; otherwise it does not fit its format.
    pub fn encode(&self) -> Option<Result<Vec<u8>>> {
        Some(match self {
            Self::Archive(value) => archive::encode(value),
            Self::Anim(value) => anim::encode(value),
            Self::GameZ(value) => gamez::encode(value),
            Self::Mechlib(value) => match value {
                Mechlib::Format(format) => mechlib::encode_format(format),
                Mechlib::Version(version) => mechlib::encode_version(*version),
                Mechlib::Materials(materials, version) => {
                    mechlib::encode_materials(materials, *version)
                }
                Mechlib::Model(model, version) => mechlib::encode_model(model, *version),
            },
            Self::Textures(value) => package::encode(value),
            Self::Interp(value) => interp::encode(value),
            Self::Motion(value) => motion::encode(value),
            Self::Zmap(value) => zmap::encode(value),
            Self::Save(value) => save::encode(value),
            Self::Reader(value) => binary::encode(value),
            Self::TextReader(value) => Ok(text::encode(value)),
            Self::Wave(value) => riff::encode(value),
            Self::Pfs(value) => pfs::encode(value),
            Self::Wld(value) => wld::encode(value),
            Self::Bitmap(value) => bmp::encode(value),
            Self::Dds(value) => dds::encode(value),
            Self::Emitters(value) => eff::encode(value),
            Self::EmitterText(value) => emt::encode(value),
            Self::SoundBank(value) => bank::encode(value),
            Self::Avi(_) | Self::Messages(_) => return None,
        })
    }
}
