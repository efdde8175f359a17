//! The file as a whole.

use relicast_codec::quantity;
use serde::Serialize;

use crate::depth::Depth;
use crate::zipper::ZipperGame;
use relicast_codec::{
    Blob, Decoded, Deviations, FaultKind, Field, FixedSize, FormatError, Reader, Result, Stream,
    Writer,
};

use super::early::{EARLY_VERSION, Revision};
use super::lists::counted;
use super::materials::{self, Materials};
use super::model::gap_is_empty;
use super::models::{self, Models, ReadModels};
use super::node_class::NodeClass;
use super::node_section;
use super::nodes::{Context, Nodes};
use super::texture::{self, Texture};

/// First word of the file.
pub const SIGNATURE: u32 = 0x0297_1222;

relicast_codec::record! {
    /// The header after signature and version. Counts and offsets are recomputed when writing.
    pub struct Header[28, 28, 32, 32] in ZipperGame {
        /// Offset - · - · 8: when the file was built, seconds since 1970 UTC.
        timestamp: u32 [since PiratesMoon],
        /// Offset 8 · 8 · 12: number of textures.
        texture_count: i32 [within 0..=4095],
        /// Offset 12 · 12 · 16: start of the textures.
        textures_offset: u32,
        /// Offset 16 · 16 · 20: start of the materials.
        materials_offset: u32,
        /// Offset 20 · 20 · 24: start of the models.
        models_offset: u32,
        /// Offset 24 · 24 · 28: number of node slots in the file.
        node_array_size: i32 [within 0..=32767],
        /// Offset 28 · 28 · 32: the node slot freed last. Where unused slots are stored and none was freed, the
        /// number of nodes.
        node_last_free: i32,
        /// Offset 32 · 32 · 36: start of the nodes.
        nodes_offset: u32,
    }
}

/// A decoded world.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameZ {
    /// The game.
    pub version: ZipperGame,
    /// Layout of its records.
    #[serde(skip_serializing_if = "Revision::is_released")]
    pub revision: Revision,
    /// The header.
    pub header: Header,
    /// Unassigned bytes before the textures; empty in every file seen.
    #[serde(skip_serializing_if = "gap_is_empty")]
    pub gap: Blob<'static>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Materials,
    /// Models.
    pub models: Models,
    /// Nodes.
    pub nodes: Nodes,
    /// Bytes after the last node; empty in every file seen.
    #[serde(skip_serializing_if = "gap_is_empty")]
    pub trailing: Blob<'static>,
}

/// Detects a world by its first `bytes`, and returns its game.
pub fn sniff(bytes: &[u8]) -> Option<ZipperGame> {
    if u32::load(bytes)? != SIGNATURE {
        return None;
    }
    ZipperGame::from_world_version(u32::load(bytes.get(4..)?)?)
}

fn known_version(bytes: &[u8]) -> Result<(ZipperGame, Revision)> {
    let mut reader = Reader::new(bytes);
    let (mut signature, mut version) = (0_u32, 0_u32);
    reader.value("signature", &mut signature)?;
    reader.must("signature", 0, signature, SIGNATURE)?;
    reader.value("version", &mut version)?;
    let game = ZipperGame::from_world_version(version).ok_or_else(|| {
        FormatError::new(
            FaultKind::Unsupported,
            "version",
            4,
            "13, 15, 27, 41 or 42",
            version,
        )
    })?;
    Ok((game, Revision::from_world_version(version)))
}

/// Adds the deviations of a section to those of the file.
fn settle<T>(name: &str, section: Result<Decoded<T>>, all: &mut Deviations) -> Result<T> {
    let Decoded { value, deviations } = section.map_err(|error| error.inside(name))?;
    all.absorb(name, 0, deviations);
    Ok(value)
}

/// Decodes a world of any of the four games, or of Recoil's demos.
///
/// # Errors
/// Signature or version are unknown, sections are not consecutive, a count needs more bytes than its section has, a
/// data block starts before the end of the previous one, or a node has a class that is never stored.
pub fn decode(bytes: &[u8]) -> Result<Decoded<GameZ>> {
    decode_to(bytes, Depth::Whole)
}

/// Decodes a world, and its models to the given depth. Everything is read and checked in any case. In an outline
/// each model has its record, vertices, point sprites, and its polygon if there is only one, which shows its
/// position and if it is only a marker.
///
/// # Errors
/// As [`decode`].
pub fn decode_to(bytes: &[u8], depth: Depth) -> Result<Decoded<GameZ>> {
    let (version, revision) = known_version(bytes)?;
    let mut reader = Reader::new(bytes);
    reader.seek("header", 8)?;
    let mut header = Header::default();
    header.visit("header", &mut reader, version)?;
    let header_end = reader.position();
    let mut all = Deviations::default();
    all.absorb("header", 0, reader.into_deviations());

    let count = |field, count: i32| {
        usize::try_from(count)
            .map_err(|_| FormatError::malformed(field, 8, "a count", count).inside("header"))
    };
    let textures_start = header.textures_offset as usize;
    let materials_start = header.materials_offset as usize;
    let models_start = header.models_offset as usize;
    let nodes_start = header.nodes_offset as usize;
    let gap = bytes.get(header_end..textures_start).ok_or_else(|| {
        let expected = format_args!("{header_end}, the end of the header, or more");
        FormatError::malformed("header.textures_offset", 8, expected, textures_start)
    })?;
    if !gap.is_empty() {
        all.push("header.textures_offset", 8, header_end, textures_start);
    }

    let texture_count = count("texture_count", header.texture_count)?;
    let textures = texture::decode(
        bytes,
        version,
        textures_start,
        materials_start,
        texture_count,
    );
    let textures = settle("textures", textures, &mut all)?;
    let materials = materials::decode(bytes, version, materials_start, models_start, texture_count);
    let materials = settle("materials", materials, &mut all)?;
    let models = models::decode(bytes, version, models_start, nodes_start, &materials, depth);
    let ReadModels { models, misled } = settle("models", models, &mut all)?;
    let context = Context {
        version,
        revision,
        slots: count("node_array_size", header.node_array_size)?,
        models: models.slots.len(),
        last_free: header.node_last_free,
    };
    let nodes = node_section::decode(bytes, nodes_start, bytes.len(), &context);
    let (nodes, end) = settle("nodes", nodes, &mut all)?;
    let trailing = bytes.get(end..).unwrap_or_default();
    if !trailing.is_empty() {
        let found = quantity::counted(trailing.len(), "more byte", "more bytes");
        all.push("end", end, "end of data", found);
    }
    check_users(&models, &nodes, models_start, &mut all);
    for slot in misled {
        let path = format!("models[{slot}].polygons.materials");
        let expected = format_args!("indices below {}", materials.used.len());
        all.push(path, models_start, expected, "others");
    }
    Ok(Decoded {
        value: GameZ {
            version,
            revision,
            header,
            gap: Blob::from(gap.to_vec()),
            textures,
            materials,
            models,
            nodes,
            trailing: Blob::from(trailing.to_vec()),
        },
        deviations: all,
    })
}

/// A model's parent count is the number of nodes that use it.
fn check_users(models: &Models, nodes: &Nodes, offset: usize, all: &mut Deviations) {
    let mut users = vec![0_u32; models.slots.len()];
    for node in &nodes.used {
        if node.data.class() == NodeClass::Object3d
            && let Some(users) = node.model().and_then(|slot| users.get_mut(slot))
        {
            *users = users.saturating_add(1);
        }
    }
    for (slot, model) in models.iter() {
        let counted = users.get(slot).copied().unwrap_or_default();
        if counted != model.record.parent_count {
            let path = format!("models[{slot}].parent_count");
            all.push(path, offset, counted, model.record.parent_count);
        }
    }
}

/// Encodes a world. Counts, section offsets and data offsets are computed; everything else is
/// written as the value holds it.
///
/// # Errors
/// The value does not fit the game's format: a list too long for its count, a flag that the game lacks, or optional
/// data that do not match their pointer.
pub fn encode(gamez: &GameZ) -> Result<Vec<u8>> {
    let version = gamez.version;
    let version_word = match gamez.revision {
        Revision::Released => version.world_version(),
        Revision::Early if version == ZipperGame::Recoil => EARLY_VERSION,
        Revision::Early => {
            let game = version.short_name();
            return Err(FormatError::unencodable(
                "revision",
                4,
                "a world of Recoil",
                game,
            ));
        }
    };
    let header_end = Header::size(version).saturating_add(8);
    let textures_start = header_end.saturating_add(gamez.gap.len());
    let textures = texture::encode(&gamez.textures, version)?;
    let materials_start = textures_start.saturating_add(textures.len());
    let materials = materials::encode(&gamez.materials, version)?;
    let models_start = materials_start.saturating_add(materials.len());
    let models = models::encode(&gamez.models, version, models_start)?;
    let nodes_start = models_start.saturating_add(models.len());
    let nodes = node_section::encode(&gamez.nodes, version, gamez.revision, nodes_start)?;

    let slots = gamez
        .nodes
        .used
        .len()
        .saturating_add(gamez.nodes.free.len());
    let mut header = Header {
        texture_count: counted("textures", gamez.textures.len())?,
        textures_offset: counted("textures_offset", textures_start)?,
        materials_offset: counted("materials_offset", materials_start)?,
        models_offset: counted("models_offset", models_start)?,
        node_array_size: counted("nodes", slots)?,
        nodes_offset: counted("nodes_offset", nodes_start)?,
        ..gamez.header.clone()
    };
    let length = nodes_start.saturating_add(nodes.len());
    let mut writer = Writer::with_capacity(length.saturating_add(gamez.trailing.len()));
    writer.value("signature", &mut SIGNATURE.clone())?;
    writer.value("version", &mut version_word.clone())?;
    header.visit("header", &mut writer, version)?;
    let mut bytes = writer.into_bytes();
    let parts: [&[u8]; 6] = [
        &gamez.gap,
        &textures,
        &materials,
        &models,
        &nodes,
        &gamez.trailing,
    ];
    for part in parts {
        bytes.extend_from_slice(part);
    }
    Ok(bytes)
}
