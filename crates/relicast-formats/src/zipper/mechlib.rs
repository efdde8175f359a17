//! Members of `mechlib.zbd`, the 'mechs of MechWarrior 3 and Pirate's Moon. The container is an
//! [`archive`](super::archive).
//!
//! - `format`: a word, 1
//! - `version`: a word, that of the game's worlds
//! - `materials`: the materials of all models
//! - every other member: a model, stored as a tree of nodes, depth first
//!
//! A tree is a list in the order of the file, so that nodes and models have the types of [`gamez`](super::gamez);
//! parents and children follow from the order.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::mechlib::{decode_version, encode_version};
//!
//! let bytes = encode_version(ZipperGame::PiratesMoon)?;
//! assert_eq!(decode_version(&bytes)?.value, ZipperGame::PiratesMoon);
//! assert!(decode_version(&[0; 4]).is_err());
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::quantity::counted;
use std::fmt::{self, Debug};

use serde::{Serialize, Serializer};

use crate::zipper::ZipperGame;
use relicast_codec::{
    self as codec, self, Decoded, Deviations, FaultKind, Field, FormatError, Reader, Result,
    Stream, Walk, Writer, latin1, shown,
};

use super::archive::Archive;
use super::gamez::{
    MaterialFlags, MaterialRecord, Model, ModelRecord, Node, NodeClass, NodeData, NodeRecord,
    Revision, Soil, node_rules,
};

/// Maximum depth of a tree; the trees of the games are a dozen levels deep.
pub const DEEPEST: usize = 256;

/// Name of the member that holds the format.
pub const FORMAT_MEMBER: &str = "format";
/// Name of the member that holds the version.
pub const VERSION_MEMBER: &str = "version";
/// Name of the member that holds the materials.
pub const MATERIALS_MEMBER: &str = "materials";

relicast_codec::record! {
    /// The member `format`.
    pub struct Format[4] {
        /// Offset 0: always 1.
        format: u32 [must 1],
    }
}

/// Returns true if an archive is a mechlib: it has the three members that are not models.
pub fn is_mechlib(archive: &Archive<'_>) -> bool {
    [FORMAT_MEMBER, VERSION_MEMBER, MATERIALS_MEMBER]
        .into_iter()
        .all(|name| {
            let mut entries = archive.entries.iter();
            entries.any(|entry| entry.row.name.text_bytes() == name.as_bytes())
        })
}

/// The game of a mechlib, which all its other members need to be decoded.
///
/// # Errors
/// There is no member `version`, or it holds no known version.
pub fn version_of(archive: &Archive<'_>) -> Result<ZipperGame> {
    let mut entries = archive.entries.iter();
    let entry = entries.find(|entry| entry.row.name.text_bytes() == VERSION_MEMBER.as_bytes());
    match entry {
        Some(entry) => decode_version(&entry.data).map(|decoded| decoded.value),
        None => Err(FormatError::malformed(
            "entries",
            0,
            "a member \"version\"",
            "none",
        )),
    }
}

/// Fails when bytes are left, because they would be lost.
fn at_end(reader: &Reader<'_>) -> Result<()> {
    match reader.remaining() {
        0 => Ok(()),
        left => Err(FormatError::malformed(
            "end",
            reader.position(),
            "end of data",
            counted(left, "more byte", "more bytes"),
        )),
    }
}

/// Decodes the member `format`.
///
/// # Errors
/// It is not the word 1.
pub fn decode_format(bytes: &[u8]) -> Result<Decoded<Format>> {
    let mut reader = Reader::new(bytes);
    let mut format = Format::default();
    format.walk(&mut reader)?;
    at_end(&reader)?;
    Ok(reader.finish(format))
}

/// Encodes the member `format`.
///
/// # Errors
/// None.
pub fn encode_format(format: &Format) -> Result<Vec<u8>> {
    codec::encode(format)
}

/// Decodes the member `version`.
///
/// # Errors
/// It is not the version word of MechWarrior 3 or Pirate's Moon.
pub fn decode_version(bytes: &[u8]) -> Result<Decoded<ZipperGame>> {
    let mut reader = Reader::new(bytes);
    let mut code = 0_u32;
    reader.value("version", &mut code)?;
    at_end(&reader)?;
    match ZipperGame::from_world_version(code) {
        Some(version @ (ZipperGame::MechWarrior3 | ZipperGame::PiratesMoon)) => {
            Ok(reader.finish(version))
        }
        _ => Err(FormatError::unsupported("version", 0, "27 or 41", code)),
    }
}

/// Encodes the member `version`.
///
/// # Errors
/// None.
pub fn encode_version(version: ZipperGame) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    writer.value("version", &mut version.world_version())?;
    Ok(writer.into_bytes())
}

/// Name of a texture: bytes without end mark. Serializes as text.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TextureText(pub Vec<u8>);

impl TextureText {
    /// The name.
    pub fn text(&self) -> String {
        latin1(&self.0)
    }
}

impl Debug for TextureText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.text(), formatter)
    }
}

relicast_codec::json_form_of!(TextureText => String);

impl Serialize for TextureText {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

/// A material of a mechlib.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MechMaterial {
    /// The material; its texture index is a stale address.
    pub record: MaterialRecord,
    /// Name of the texture; present if and only if the material is textured.
    pub texture: Option<TextureText>,
}

impl MechMaterial {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S, version: ZipperGame) -> Result<()> {
        self.record.visit("", stream, version)?;
        if !self.record.is_textured() {
            return match &self.texture {
                Some(texture) if !S::READING => Err(FormatError::unencodable(
                    "texture",
                    stream.position(),
                    "no texture without TEXTURED",
                    texture.text(),
                )),
                _ => Ok(()),
            };
        }
        let texture = self.texture.get_or_insert_default();
        let length = stream.count("texture_length", texture.0.len())?;
        stream.values("texture", &mut texture.0, length)
    }

    fn check(&self, reader: &mut Reader<'_>, version: ZipperGame, offset: usize) {
        self.record.check(reader, version, offset);
        let plain = MaterialFlags::ALWAYS | MaterialFlags::TEXTURED;
        if !self.record.flags.difference(plain).is_empty()
            || self.record.soil != Soil::Default
            || self.record.cycle_ptr != 0
        {
            let found = (self.record.flags, self.record.soil, self.record.cycle_ptr);
            let found = shown(&found);
            reader.deviate("flags", offset, "no ground type and no cycle", found);
        }
        let named = self.texture.as_ref();
        if named.is_some_and(|name| name.0.is_empty() || !name.0.is_ascii() || name.0.contains(&0))
        {
            let found = shown(&named);
            reader.deviate("texture", offset, "an ASCII name", found);
        }
    }
}

/// Decodes the member `materials`.
///
/// # Errors
/// The data end too early or too late, or the count is negative.
pub fn decode_materials(bytes: &[u8], version: ZipperGame) -> Result<Decoded<Vec<MechMaterial>>> {
    let mut reader = Reader::new(bytes);
    let mut count = 0_i32;
    reader.value("count", &mut count)?;
    let count =
        usize::try_from(count).map_err(|_| FormatError::malformed("count", 0, "a count", count))?;
    let size = MaterialRecord::size(version);
    let mut materials: Vec<MechMaterial> = Vec::new();
    reader.list(
        "materials",
        &mut materials,
        count,
        size,
        |reader, material| {
            let offset = reader.position();
            material.visit(reader, version)?;
            material.check(reader, version, offset);
            Ok(())
        },
    )?;
    at_end(&reader)?;
    Ok(reader.finish(materials))
}

/// Encodes the member `materials`.
///
/// # Errors
/// A texture does not match the flags, or there are too many materials.
pub fn encode_materials(materials: &[MechMaterial], version: ZipperGame) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    let mut count = i32::try_from(materials.len())
        .map_err(|_| FormatError::unencodable("count", 0, "31 bits", materials.len()))?;
    writer.value("count", &mut count)?;
    for (index, material) in materials.iter().enumerate() {
        if material.record.is_textured() && material.texture.is_none() {
            let at = writer.position();
            let error = FormatError::unencodable("texture", at, "a texture", "none");
            return Err(error.within("materials", index));
        }
        let mut material = material.clone();
        material
            .visit(&mut writer, version)
            .map_err(|error| error.within("materials", index))?;
    }
    Ok(writer.into_bytes())
}

/// A node of a 'mech with its model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MechNode {
    /// The node. Parents and children are positions in [`MechModel::nodes`].
    pub node: Node,
    /// The model; present if and only if `node.record.model_index` is not 0. Its polygons refer to the member
    /// `materials`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<Model>>,
}

/// A 'mech: a tree of nodes, each before its children. The first is the root.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MechModel {
    /// The nodes.
    pub nodes: Vec<MechNode>,
}

/// Follows a tree that is stored depth first, and returns the parent of each node in turn.
#[derive(Default)]
struct Descent {
    /// Nodes whose children are not all read, and how many are left.
    open: Vec<(usize, u32)>,
    started: bool,
}

impl Descent {
    /// True when the tree is whole.
    fn is_done(&self) -> bool {
        self.started && self.open.is_empty()
    }

    fn depth(&self) -> usize {
        self.open.len()
    }

    /// The parent of the next node.
    fn parent(&self) -> Option<usize> {
        self.open.last().map(|&(index, _)| index)
    }

    /// Adds the next node.
    fn enter(&mut self, index: usize, children: u32) {
        self.started = true;
        if let Some((_, left)) = self.open.last_mut() {
            *left = left.saturating_sub(1);
        }
        if children > 0 {
            self.open.push((index, children));
        }
        while matches!(self.open.last(), Some((_, 0))) {
            self.open.pop();
        }
    }
}

fn node_number(index: usize) -> Result<u32> {
    u32::try_from(index).map_err(|_| FormatError::unencodable("nodes", 0, "32 bits", index))
}

/// Decodes a model.
///
/// # Errors
/// The tree does not end with the data, is deeper than [`DEEPEST`], or holds a node of an unknown
/// class.
pub fn decode_model(bytes: &[u8], version: ZipperGame) -> Result<Decoded<MechModel>> {
    let mut model = MechModel::default();
    let mut deviations = Deviations::default();
    let mut descent = Descent::default();
    let mut position = 0;
    while !descent.is_done() {
        let index = model.nodes.len();
        let mut reader = Reader::new(bytes);
        reader.seek("nodes", position)?;
        let parent = descent.parent();
        let node = if descent.depth() > DEEPEST {
            let expected = format_args!("at most {DEEPEST} levels");
            let kind = FaultKind::Limit;
            Err(FormatError::new(kind, "depth", position, expected, "more"))
        } else {
            read_node(&mut reader, version, parent)
        }
        .map_err(|error| error.within("nodes", index))?;
        if let Some(parent) = parent.and_then(|parent| model.nodes.get_mut(parent)) {
            parent.node.children.push(node_number(index)?);
        }
        descent.enter(index, node.node.record.relations.child_count);
        model.nodes.push(node);
        position = reader.position();
        let met = reader.into_deviations();
        if !met.is_empty() {
            deviations.absorb(&format!("nodes[{index}]"), 0, met);
        }
    }
    let mut reader = Reader::new(bytes);
    reader.seek("end", position)?;
    at_end(&reader)?;
    Ok(Decoded {
        value: model,
        deviations,
    })
}

fn read_node(
    reader: &mut Reader<'_>,
    version: ZipperGame,
    parent: Option<usize>,
) -> Result<MechNode> {
    let offset = reader.position();
    let mut record = NodeRecord::default();
    record.visit("", reader, version)?;
    let class = record.class;
    let data = NodeData::of_class(class, Revision::Released)
        .ok_or_else(|| FormatError::unsupported("class", offset, "0 to 6, or 9", class.code()))?;
    node_rules::check_record(&record, reader, version, offset);
    let allowed = match class {
        NodeClass::Object3d => true,
        NodeClass::Lod => version == ZipperGame::PiratesMoon && record.model_index == 0,
        _ => false,
    };
    if !allowed {
        let found = format_args!("{}, model {:#x}", shown(&class), record.model_index);
        reader.deviate(
            "class",
            offset,
            "an object, or a detail without model",
            found,
        );
    }
    let parents = usize::from(parent.is_some());
    if record.relations.parent_count as usize != parents {
        let found = record.relations.parent_count;
        reader.deviate("parent_count", offset, parents, found);
    }
    let mut node = MechNode {
        node: Node {
            record,
            data,
            ..Node::default()
        },
        model: None,
    };
    if let Some(parent) = parent {
        node.node.parents.push(node_number(parent)?);
    }
    let data_offset = reader.position();
    node.node.data.visit(reader, version)?;
    node_rules::check_data(&node.node, reader, version, data_offset);
    if node.node.record.model_index != 0 {
        let offset = reader.position();
        let mut model = Model::default();
        visit_model(&mut model, reader, version).map_err(|error| error.inside("model"))?;
        model.check_record(reader, version, offset);
        if version == ZipperGame::PiratesMoon
            && model.material_references != model.expected_references(version, true, |_| false)
        {
            let expected = "the references that follow from the polygons";
            reader.deviate("material_references", reader.position(), expected, "others");
        }
        node.model = Some(Box::new(model));
    }
    Ok(node)
}

fn visit_model<'a, S: Stream<'a>>(
    model: &mut Model,
    stream: &mut S,
    version: ZipperGame,
) -> Result<()> {
    if !S::READING {
        model.count_lists()?;
    }
    let record: &mut ModelRecord = &mut model.record;
    record.visit("", stream, version)?;
    model.visit_data(stream, version)
}

/// Encodes a model. Counts are computed.
///
/// # Errors
/// The nodes are not a single tree in depth-first order, a model does not match its word in the record, or a list
/// is too long for its count.
pub fn encode_model(model: &MechModel, version: ZipperGame) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); model.nodes.len()];
    let mut descent = Descent::default();
    for (index, node) in model.nodes.iter().enumerate() {
        let at = writer.position();
        let fault = |expected: &str, found: &dyn fmt::Display| {
            FormatError::unencodable("children", at, expected, found).within("nodes", index)
        };
        if descent.is_done() {
            return Err(fault("one tree", &"another root"));
        }
        if let Some(list) = descent.parent().and_then(|parent| children.get_mut(parent)) {
            list.push(node_number(index)?);
        }
        let count = u32::try_from(node.node.children.len())
            .map_err(|_| fault("32 bits", &node.node.children.len()))?;
        descent.enter(index, count);
        if node.model.is_some() != (node.node.record.model_index != 0) {
            return Err(fault(
                "a model exactly when its word is not 0",
                &"otherwise",
            ));
        }
        let mut node = node.clone();
        node.node.record.class = node.node.data.class();
        node.node.record.relations.child_count = count;
        node.node.record.visit("", &mut writer, version)?;
        node.node.data.visit(&mut writer, version)?;
        if let Some(model) = &mut node.model {
            visit_model(model, &mut writer, version)
                .map_err(|error| error.within("nodes", index))?;
        }
    }
    let given = model.nodes.iter().map(|node| &node.node.children);
    if !descent.is_done() || !given.eq(&children) {
        let expected = "each node before its children, in order";
        return Err(FormatError::unencodable(
            "nodes",
            0,
            expected,
            "another order",
        ));
    }
    Ok(writer.into_bytes())
}

/// Any member.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Member {
    /// The member `format`.
    Format(Format),
    /// The member `version`.
    Version(ZipperGame),
    /// The member `materials`, and its game.
    Materials(Vec<MechMaterial>, ZipperGame),
    /// A model, and its game.
    Model(MechModel, ZipperGame),
}

/// Decodes the member called `name` of a library of `version`. The members `format` and `version` need no version.
///
/// # Errors
/// The member breaks a hard rule of its format, or needs a version and there is none.
pub fn decode_member(
    name: &str,
    bytes: &[u8],
    version: Option<ZipperGame>,
) -> Result<Decoded<Member>> {
    fn member<T>(decoded: Decoded<T>, variant: impl FnOnce(T) -> Member) -> Decoded<Member> {
        Decoded {
            value: variant(decoded.value),
            deviations: decoded.deviations,
        }
    }
    let version = version.ok_or_else(|| {
        FormatError::unsupported("version", 0, "a library of a known version", "none")
    });
    Ok(match name {
        FORMAT_MEMBER => member(decode_format(bytes)?, Member::Format),
        VERSION_MEMBER => member(decode_version(bytes)?, Member::Version),
        MATERIALS_MEMBER => {
            let version = version?;
            let materials = decode_materials(bytes, version)?;
            member(materials, |materials| Member::Materials(materials, version))
        }
        _ => {
            let version = version?;
            let model = decode_model(bytes, version)?;
            member(model, |model| Member::Model(model, version))
        }
    })
}

impl Member {
    /// Encodes the member.
    ///
    /// # Errors
    /// It does not fit its format.
    pub fn encode(&self) -> Result<Vec<u8>> {
        match self {
            Self::Format(format) => encode_format(format),
            Self::Version(version) => encode_version(*version),
            Self::Materials(materials, version) => encode_materials(materials, *version),
            Self::Model(model, version) => encode_model(model, *version),
        }
    }
}
