//! Forms of the documents of sources that are neither model nor zone.

use std::collections::BTreeMap;

use crate::documents::DocumentForm;
use relicast_codec::{F32, Vec3};
use relicast_formats::everquest::eqg::parts::PropertyValue;
use relicast_formats::everquest::eqg::text::{Level, Statement};
use relicast_formats::everquest::eqg::tiles::{Area, PlacedGroup, PlacedObject, Sheet, TileLight};

/// A number; null if the stored one is not a number.
type Number = Option<f32>;

/// A place or a direction in the axes of glTF.
type Vector = [Number; 3];

/// A zone of models: the objects and their places.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Zone {
    /// Version of the file.
    version: u32,
    placements: Vec<Placement>,
    regions: Vec<Region>,
    lights: Vec<Light>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Placement {
    name: String,
    model: Option<String>,
    position: Vector,
    /// Radians about z, y and x, applied in opposite order.
    rotation: Vec3,
    scale: Number,
    /// Number of vertices with baked light.
    colors: Option<usize>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Region {
    name: String,
    center: Vector,
    /// 512ths of a turn about z, −y and x.
    turn: Vec3,
    /// Half the lengths of its sides, as stored.
    half: Vec3,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Light {
    name: String,
    radius: F32,
}

/// An EQG text file: statements, or levels of detail.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Text {
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    statements: Option<Vec<Statement>>,
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    levels: Option<Vec<Level>>,
}

/// Emitters of the environment of a zone.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Emitters {
    emitters: Vec<Emitter>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Emitter {
    position: Option<Vector>,
    /// Values by the names of their columns.
    fields: BTreeMap<String, String>,
}

/// Ground in tiles, and the objects on it.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Tiles {
    version: u32,
    quads: u32,
    texture: String,
    tiles: Vec<Tile>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Tile {
    longitude: i32,
    latitude: i32,
    id: i32,
    #[cfg_attr(feature = "schema", schemars(rename = "waterLevel"))]
    water_level: F32,
    sheet: Sheet,
    /// Ecosystems of the layers of ground.
    layers: Vec<String>,
    objects: Vec<PlacedObject>,
    areas: Vec<Area>,
    lights: Vec<TileLight>,
    groups: Vec<PlacedGroup>,
}

/// Summary of a mesh; its shape is in the glTF.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Mesh {
    version: u32,
    vertices: usize,
    triangles: usize,
    bones: usize,
    materials: Vec<Material>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Material {
    name: String,
    shader: String,
    /// Names and values in order.
    properties: Vec<(String, PropertyValue)>,
}

/// An animation: keys of each bone.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Animation {
    version: u32,
    strict: Option<u32>,
    tracks: Vec<Track>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Track {
    bone: String,
    keys: Vec<Key>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Key {
    ms: u32,
    translation: Vector,
    /// x, y, z, w.
    rotation: [Number; 4],
    scale: Vector,
}

/// Textures that materials may have instead of their own.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct Layers {
    version: u32,
    layers: Vec<Layer>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
struct Layer {
    /// Name of the record: a variant and a material, or a material alone.
    material: Option<String>,
    /// Number of the variant, if the name has one.
    variant: Option<u32>,
    /// Number of the material in the list of the model, from 1 on.
    #[cfg_attr(feature = "schema", schemars(rename = "materialNumber"))]
    material_number: Option<usize>,
    /// All textures in their order.
    textures: Vec<String>,
    /// Texture of the color.
    diffuse: Option<String>,
    /// Normal map.
    normal: Option<String>,
    /// Texture of the environment, or of the glow.
    environment: Option<String>,
    /// Versions 2 and 3: bytes whose meaning is not known.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    unk12: Option<String>,
    /// Version 4: strength of the environment map.
    #[cfg_attr(
        feature = "schema",
        schemars(
            rename = "environmentStrength",
            skip_serializing_if = "Option::is_none"
        )
    )]
    environment_strength: Option<Number>,
    /// Version 4: specular exponent.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    shininess: Option<Number>,
}

/// Light baked into vertices.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(dead_code, reason = "it only describes a document for its schema")]
pub(super) struct BakedLight {
    /// Number of colors.
    colors: usize,
    /// The colors as hexadecimal digits, separated by blanks.
    bytes: String,
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<Zone>("eqg-zone", "An EQG zone: its objects and their places"),
    DocumentForm::of::<Text>(
        "eqg-text",
        "An EQG text file: statements, or levels of detail",
    ),
    DocumentForm::of::<Emitters>("environment-emitters", "Environment emitters of a zone"),
    DocumentForm::of::<Tiles>("tiles", "Ground in tiles, and the objects on it"),
    DocumentForm::of::<Mesh>("eqg-mesh", "Content of an EQG mesh"),
    DocumentForm::of::<Animation>("eqg-animation", "An EQG animation: keys of each bone"),
    DocumentForm::of::<Layers>(
        "layers",
        "Textures that materials may have instead of their own",
    ),
    DocumentForm::of::<BakedLight>("baked-light", "Light baked into vertices"),
];
