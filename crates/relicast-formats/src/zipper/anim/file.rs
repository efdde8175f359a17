//! The file: header, lists, info block, definitions, scripts.

use relicast_codec::quantity::counted;
use serde::{Serialize, Serializer};

use super::definition::Definition;
use super::event::motion::ScriptMotionHead;
use super::script::{SiScript, visit_pool};
use super::tables::visit_table;
use super::values::{is_default, raw_bytes};
use super::version::{Peek, Versioned};
use crate::zipper::ZipperGame;
use relicast_codec::{
    Blob, Decoded, F32, FixedSize, FormatError, PaddedText, Reader, Result, Writer,
};

/// First word of every animation container.
pub const SIGNATURE: u32 = 0x0817_0616;

relicast_codec::record! {
    /// A file that the animations refer to, 132 bytes; Crimson Skies only. First the world's
    /// `gamez.zbd`, then `planes.zbd`.
    pub struct BaseFile[132, 132, 132, 132] in ZipperGame {
        /// Offset 0: path.
        path: PaddedText<128>,
        /// Offset 128: Unix seconds.
        timestamp: u32,
    }
}

relicast_codec::record! {
    /// A source file of the animations, 84 bytes. The list is informative only; paths may repeat.
    pub struct SourceFile[84, 84, 84, 84] in ZipperGame {
        /// Offset 0: path with back slashes; stale bytes follow its NUL.
        path: PaddedText<80>,
        /// Offset 80: Unix seconds.
        timestamp: u32,
    }
}

relicast_codec::record! {
    /// Sizes and stale pointers: 60, 68 or 108 bytes.
    pub struct InfoBlock[60, 68, 108, 108] in ZipperGame {
        /// Offset 0: zeros.
        #[serde(skip_serializing_if = "is_default")]
        zero00: [u32; 2] [always [0; 2]],
        /// Offset 8: zero.
        #[serde(skip_serializing_if = "is_default")]
        zero08: u16 [always 0],
        /// Offset 10: number of definitions with the reserved one; recomputed when writing.
        #[serde(skip)]
        definition_count: u16,
        /// Offset 12: stale pointer.
        definitions_ptr: u32,
        /// Number of scripts; recomputed when writing. Pirate's Moon and Crimson Skies.
        #[serde(skip)]
        script_count: u32 [since PiratesMoon],
        /// Stale pointer. Pirate's Moon and Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        scripts_ptr: u32 [since PiratesMoon],
        /// Zero.
        #[serde(skip_serializing_if = "is_default")]
        message_count: u32 [always 0],
        /// Stale pointer, 0.
        #[serde(skip_serializing_if = "is_default")]
        messages_ptr: u32 [always 0],
        /// Stale pointer.
        world_ptr: u32,
        /// Acceleration in units per second squared, -9.8.
        gravity: F32 [always F32(-9.8)],
        /// Unknown, 0 or 1. Pirate's Moon and Crimson Skies.
        unk40: u32 [since PiratesMoon],
        /// Zeros.
        #[serde(skip_serializing_if = "is_default")]
        zeros_after_gravity: [u32; 4] [always [0; 4]],
        /// Three more zeros. Recoil and MechWarrior 3.
        #[serde(skip_serializing_if = "is_default")]
        zero48: [u32; 3] [until MechWarrior3] [always [0; 3]],
        /// Offset 60: always 1. Not in Recoil.
        one60: u32 [since MechWarrior3] [always 1],
        /// Offset 64: zero. Not in Recoil.
        #[serde(skip_serializing_if = "is_default")]
        zero64: u32 [since MechWarrior3] [always 0],
        /// Offset 68: zeros. Pirate's Moon and Crimson Skies.
        #[serde(skip_serializing_if = "is_default")]
        zero68: [u32; 10] [since PiratesMoon] [always [0; 10]],
    }
}

/// Serializes the version as the name of the game, without its number.
fn written_version<S: Serializer>(
    game: &ZipperGame,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    match game {
        ZipperGame::MechWarrior3 => serializer.serialize_str("mech_warrior"),
        ZipperGame::Recoil | ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => {
            game.serialize(serializer)
        }
    }
}

/// A decoded animation file.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnimFile {
    /// Version, which names the game.
    #[serde(serialize_with = "written_version")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub version: ZipperGame,
    /// Unix seconds; Pirate's Moon only, else 0.
    #[serde(skip_serializing_if = "is_default")]
    pub timestamp: u32,
    /// Files that the animations refer to; Crimson Skies only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub base_files: Vec<BaseFile>,
    /// Source files.
    pub sources: Vec<SourceFile>,
    /// Stale pointers and gravity.
    pub info: InfoBlock,
    /// Definition 0, which is nearly all zero.
    pub reserved: Definition,
    /// The definitions from number 1 on. Order matters: definitions with the same root name are bound to
    /// consecutive nodes of that name.
    pub definitions: Vec<Definition>,
    /// The pool of scripts; Pirate's Moon and Crimson Skies. The other games store scripts in the events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<SiScript>,
    /// Bytes after the end, preserved.
    #[serde(skip_serializing_if = "is_default")]
    pub trailing: Blob<'static>,
}

impl AnimFile {
    /// The script of the pool that an event of `definition` plays: addressed directly in Pirate's Moon (probable),
    /// through the definition's script ids in Crimson Skies. `None` in games that store scripts in the events, and
    /// for indices without a script.
    pub fn script(&self, definition: &Definition, motion: &ScriptMotionHead) -> Option<&SiScript> {
        let index = match self.version {
            ZipperGame::Recoil | ZipperGame::MechWarrior3 => return None,
            ZipperGame::PiratesMoon => motion.script,
            ZipperGame::CrimsonSkies => {
                let slot = motion.script as usize;
                *definition.tables.script_ids.get(slot)?
            }
        };
        self.scripts.get(index as usize)
    }

    /// Byte range of each definition in the file, in order, without the reserved one.
    pub fn ranges(&self) -> Vec<std::ops::Range<usize>> {
        let version = self.version;
        let words: usize = match version {
            ZipperGame::Recoil | ZipperGame::MechWarrior3 => 3,
            ZipperGame::PiratesMoon | ZipperGame::CrimsonSkies => 4,
        };
        let lists = self
            .base_files
            .len()
            .saturating_mul(BaseFile::size(version));
        let sources = self.sources.len().saturating_mul(SourceFile::size(version));
        let mut start = words
            .saturating_mul(4)
            .saturating_add(lists)
            .saturating_add(sources)
            .saturating_add(InfoBlock::size(version))
            .saturating_add(self.reserved.length(version));
        let place = |definition: &Definition| {
            let end = start.saturating_add(definition.length(version));
            std::mem::replace(&mut start, end)..end
        };
        self.definitions.iter().map(place).collect()
    }

    /// Visits the header and both lists.
    fn visit_head<'a, S: Peek<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let version = self.version;
        stream.value("signature", &mut { SIGNATURE })?;
        stream.value("version", &mut { version.animation_version() })?;
        if version == ZipperGame::PiratesMoon {
            stream.value("timestamp", &mut self.timestamp)?;
        }
        let base_count = match version {
            ZipperGame::CrimsonSkies => stream.count("base_count", self.base_files.len())?,
            _ => 0,
        };
        let count = stream.count("list_count", self.sources.len())?;
        visit_table(
            stream,
            "base_files",
            &mut self.base_files,
            base_count,
            version,
        )?;
        visit_table(stream, "sources", &mut self.sources, count, version)
    }

    /// Recomputes the counts of the info block for writing.
    fn prepare(&mut self, position: usize) -> Result<()> {
        let definitions = self.definitions.len().saturating_add(1);
        self.info.definition_count = u16::try_from(definitions).map_err(|_| {
            FormatError::unencodable("definitions", position, "at most 65534", definitions)
        })?;
        let scripts = self.scripts.len();
        self.info.script_count = u32::try_from(scripts)
            .ok()
            .filter(|_| self.version.has_script_pool() || scripts == 0)
            .ok_or_else(|| {
                FormatError::unencodable("scripts", position, "scripts in the events", scripts)
            })?;
        Ok(())
    }

    fn visit<'a, S: Peek<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let version = self.version;
        self.visit_head(stream)?;
        let position = stream.position();
        if !S::READING {
            self.prepare(position)?;
        }
        self.info
            .visit(stream, version)
            .map_err(|error| error.inside("info"))?;
        let definition_count = usize::from(self.info.definition_count)
            .checked_sub(1)
            .ok_or_else(|| FormatError::malformed("definition_count", position, "at least 1", 0))?;
        self.reserved
            .visit(stream, version, true)
            .map_err(|error| error.inside("reserved"))?;
        let smallest = super::DefinitionHead::size(version);
        stream.list(
            "definitions",
            &mut self.definitions,
            definition_count,
            smallest,
            |stream, definition| definition.visit(stream, version, false),
        )?;
        let script_count = self.info.script_count as usize;
        visit_pool(stream, &mut self.scripts, script_count, version)?;
        let left = match S::READING {
            true => stream.remaining(),
            false => self.trailing.len(),
        };
        if left > 0 {
            let position = stream.position();
            stream.deviate(
                "trailing",
                position,
                "end of data",
                counted(left, "more byte", "more bytes"),
            );
        }
        raw_bytes(stream, "trailing", &mut self.trailing, left)
    }
}

/// The version of the file, if `bytes` starts with the signature and a known version.
pub fn sniff(bytes: &[u8]) -> Option<ZipperGame> {
    if u32::load(bytes)? != SIGNATURE {
        return None;
    }
    ZipperGame::from_animation_version(u32::load(bytes.get(4..)?)?)
}

/// Decodes an animation file of any of the four games.
///
/// Events of unknown type and frame data that does not fit its header are preserved as raw bytes and reported as
/// deviations.
///
/// # Errors
/// The signature or the version is unknown, or the data ends before a stated count or size.
pub fn decode(bytes: &[u8]) -> Result<Decoded<AnimFile>> {
    let version = sniff(bytes).ok_or_else(|| {
        let found = |offset: usize| bytes.get(offset..).and_then(u32::load).unwrap_or_default();
        FormatError::unsupported(
            "version",
            0,
            format_args!("signature {SIGNATURE:#010x} and version 28, 39, 50 or 53"),
            format_args!("{:#010x} and {}", found(0), found(4)),
        )
    })?;
    let mut reader = Reader::new(bytes);
    let mut file = AnimFile {
        version,
        ..AnimFile::default()
    };
    file.visit(&mut reader)?;
    Ok(reader.finish(file))
}

/// Encodes an animation file. Counts and sizes are recomputed, everything else comes from the value.
///
/// # Errors
/// A table or text is too long for its count, or the value holds data that its version cannot store.
pub fn encode(file: &AnimFile) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    file.clone().visit(&mut writer)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_written_as_ever() {
        let written = ZipperGame::ALL.map(|version| {
            let file = AnimFile {
                version,
                ..AnimFile::default()
            };
            serde_json::to_value(file).unwrap()["version"].clone()
        });
        let expected = ["recoil", "mech_warrior", "pirates_moon", "crimson_skies"];
        assert_eq!(written, expected);
    }
}
