//! Ground of zones of version 4 (`NAME.dat`), versions 20 to 22: tiles of heights with the objects on them.
//!
//! The number of quads along a side of a tile is in the zone's text and not here. Without it, the number is
//! chosen so that the tiles end where the file does.
//!
//! ```
//! use relicast_formats::everquest::eqg::tiles::{Tiles, decode, encode, looks_like};
//!
//! let ground = Tiles { version: 22, texture: "grass.dds".to_owned(), quads: 16, ..Tiles::default() };
//! let bytes = encode(&ground)?;
//! assert!(looks_like(&bytes));
//! assert_eq!(decode(&bytes)?.value.texture, "grass.dds");
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::quantity::counted;
use serde::Serialize;

use super::parts::{terminated, trailing, unknown_version};
use relicast_codec::{Blob, Decoded, F32, FormatError, Reader, Result, Stream, Vec3, Walk, Writer};
use relicast_limits as limits;

/// Maximum number of quads along a side of a tile.
pub const MOST_QUADS: u32 = 256;

/// Usual number of quads along a side of a tile.
const USUAL_QUADS: u32 = 16;

/// Origin of the latitudes and longitudes of tiles.
pub const ORIGIN: i32 = 100_000;

/// Storage of the water of a tile; references differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SheetForm {
    /// From version 21 on a sheet and a flag for bounds; then always a float.
    #[default]
    Plain,
    /// A sheet; bounds and float only if it is above 0.
    Nested,
}

/// Layout of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Layout {
    version: u32,
    quads: usize,
    form: SheetForm,
}

/// The ground of a zone.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tiles {
    /// Offset 0: 20, 21 or 22.
    pub version: u32,
    /// Offset 4: meaning unknown.
    pub unk4: u32,
    /// Offset 8: meaning unknown.
    pub unk8: u32,
    /// Picture of ground that no layer covers.
    pub texture: String,
    /// Quads along a side of a tile; not stored.
    pub quads: u32,
    /// Storage of the water; not stored itself.
    pub form: SheetForm,
    /// The tiles.
    pub tiles: Vec<Tile>,
    /// Bytes after the last field, by rule none.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'static>,
}

bitflags::bitflags! {
    /// Special properties of a quad.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct QuadFlags: u8 {
        /// There is no ground.
        const HOLE = 1 << 0;
        /// A kind with unknown meaning.
        const KIND_2 = 1 << 1;
        /// A kind with unknown meaning.
        const KIND_4 = 1 << 2;
        /// The diagonal runs from (1, 0) to (0, 1), not from (0, 0) to (1, 1).
        const DIAGONAL = 1 << 7;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(QuadFlags: u8);

/// A tile. Rows run along y, columns along x.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tile {
    /// Index along x, from [`ORIGIN`] on.
    pub longitude: i32,
    /// Index along y, from [`ORIGIN`] on.
    pub latitude: i32,
    /// Number.
    pub id: i32,
    /// Heights of the corners, row by row.
    pub heights: Vec<F32>,
    /// Color of each corner.
    pub tints: Vec<[u8; 4]>,
    /// Light baked into each corner.
    pub baked: Vec<[u8; 4]>,
    /// Flags of the quads, row by row.
    pub flags: Vec<QuadFlags>,
    /// Height of the water.
    pub water_level: F32,
    /// Sheet of water.
    pub sheet: Sheet,
    /// Kinds of ground; the first covers all.
    pub layers: Vec<GroundLayer>,
    /// Placed models.
    pub objects: Vec<PlacedObject>,
    /// Boxes of water and the like.
    pub areas: Vec<Area>,
    /// Lights.
    pub lights: Vec<TileLight>,
    /// Placed groups of models.
    pub groups: Vec<PlacedGroup>,
}

/// The water of a tile. Its fields depend on version and form.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sheet {
    /// Number of the sheet in `water.dat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<i32>,
    /// Nonzero if bounds follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounded: Option<u8>,
    /// Least and greatest x, least and greatest y.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[F32; 4]>,
    /// Meaning unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unk: Option<F32>,
}

/// A kind of ground.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroundLayer {
    /// Its ecosystem, a text of the archive.
    pub ecosystem: String,
    /// Strength, in rows; none for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<Mask>,
}

/// Strength of a kind of ground over a tile.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mask {
    /// Length of a side.
    pub side: u32,
    /// Strengths.
    pub weights: Blob<'static>,
}

/// Location of something in a tile: the tile, and the position in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Index of the tile along x, from [`ORIGIN`] on.
    pub longitude: u32,
    /// Index of the tile along y, from [`ORIGIN`] on.
    pub latitude: u32,
    /// Position in the tile.
    pub position: Vec3,
    /// Degrees about x, y and z.
    pub rotation: Vec3,
    /// Scale.
    pub scale: Vec3,
}

/// A placed model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlacedObject {
    /// The model.
    pub model: String,
    /// Name, or an ecosystem.
    pub name: String,
    /// Place; its height counts from the ground.
    pub place: Place,
    /// Meaning unknown.
    pub unk: u8,
    /// Version 22: meaning unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unk22: Option<u32>,
}

/// A box.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Area {
    /// Name, whose first letters give the kind.
    pub name: String,
    /// Kind.
    pub kind: i32,
    /// Another name.
    pub other_name: String,
    /// Place; its height counts from the ground.
    pub place: Place,
    /// Lengths of its sides.
    pub size: Vec3,
}

/// A light.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TileLight {
    /// Name.
    pub name: String,
    /// Its definition, a text of the archive.
    pub definition: String,
    /// Meaning unknown.
    pub unk: u8,
    /// Place; its height counts from the ground.
    pub place: Place,
    /// Radius.
    pub radius: F32,
}

/// A placed group of models.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlacedGroup {
    /// The group, a text of the archive.
    pub name: String,
    /// Place; its height is absolute.
    pub place: Place,
    /// Value added to the height, times the scale.
    pub adjustment: F32,
}

fn blob<'a, S: Stream<'a>>(
    field: &'static str,
    bytes: &mut Blob<'static>,
    stream: &mut S,
    length: usize,
) -> Result<()> {
    let mut list = bytes.to_vec();
    stream.values(field, &mut list, length)?;
    *bytes = Blob::from(list);
    Ok(())
}

impl Tiles {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("version", &mut self.version)?;
        if !(20..=22).contains(&self.version) {
            return Err(unknown_version("20, 21 or 22", self.version));
        }
        stream.value("unk4", &mut self.unk4)?;
        stream.value("unk8", &mut self.unk8)?;
        terminated("texture", &mut self.texture, stream)?;
        let count = stream.count("tile_count", self.tiles.len())?;
        let layout = Layout {
            version: self.version,
            quads: self.quads.min(MOST_QUADS) as usize,
            form: self.form,
        };
        let smallest = layout.corners().saturating_mul(12).saturating_add(36);
        stream.list("tiles", &mut self.tiles, count, smallest, |stream, tile| {
            tile.visit(stream, layout)
        })?;
        trailing(&mut self.trailing, stream)
    }
}

impl Layout {
    /// Corners of a tile.
    fn corners(self) -> usize {
        let side = self.quads.saturating_add(1);
        side.saturating_mul(side)
    }
}

impl Place {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("longitude", &mut self.longitude)?;
        stream.value("latitude", &mut self.latitude)?;
        stream.value("position", &mut self.position)?;
        stream.value("rotation", &mut self.rotation)?;
        stream.value("scale", &mut self.scale)
    }
}

impl Tile {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S, layout: Layout) -> Result<()> {
        let corners = layout.corners();
        stream.value("longitude", &mut self.longitude)?;
        stream.value("latitude", &mut self.latitude)?;
        stream.value("id", &mut self.id)?;
        stream.values("heights", &mut self.heights, corners)?;
        stream.values("tints", &mut self.tints, corners)?;
        stream.values("baked", &mut self.baked, corners)?;
        let quads = layout.quads.saturating_mul(layout.quads);
        stream.values("flags", &mut self.flags, quads)?;
        stream.value("water_level", &mut self.water_level)?;
        self.sheet.visit(stream, layout)?;
        let count = stream.count("layer_count", self.layers.len())?;
        let mut first = true;
        stream.list("layers", &mut self.layers, count, 1, |stream, layer| {
            layer.visit(stream, std::mem::take(&mut first))
        })?;
        let count = stream.count("object_count", self.objects.len())?;
        stream.list("objects", &mut self.objects, count, 47, |stream, object| {
            object.visit(stream, layout.version)
        })?;
        let count = stream.count("area_count", self.areas.len())?;
        stream.list("areas", &mut self.areas, count, 62, |stream, area| {
            terminated("name", &mut area.name, stream)?;
            stream.value("kind", &mut area.kind)?;
            terminated("other_name", &mut area.other_name, stream)?;
            area.place.visit(stream)?;
            stream.value("size", &mut area.size)
        })?;
        let count = stream.count("light_count", self.lights.len())?;
        stream.list("lights", &mut self.lights, count, 51, |stream, light| {
            terminated("name", &mut light.name, stream)?;
            terminated("definition", &mut light.definition, stream)?;
            stream.value("unk", &mut light.unk)?;
            light.place.visit(stream)?;
            stream.value("radius", &mut light.radius)
        })?;
        let count = stream.count("group_count", self.groups.len())?;
        stream.list("groups", &mut self.groups, count, 49, |stream, group| {
            terminated("name", &mut group.name, stream)?;
            group.place.visit(stream)?;
            stream.value("adjustment", &mut group.adjustment)
        })
    }
}

impl Sheet {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S, layout: Layout) -> Result<()> {
        let nested = layout.form == SheetForm::Nested;
        let indexed = nested || layout.version >= 21;
        stream.optional("index", indexed, &mut self.index, |stream, value| {
            stream.value("index", value)
        })?;
        let above = self.index.is_some_and(|index| index > 0);
        let flagged = if nested { above } else { indexed };
        stream.optional("bounded", flagged, &mut self.bounded, |stream, value| {
            stream.value("bounded", value)
        })?;
        let flag = self.bounded.unwrap_or_default();
        let bounded = if nested {
            flag.cast_signed() > 0
        } else {
            flag != 0
        };
        stream.optional("bounds", bounded, &mut self.bounds, |stream, value| {
            stream.value("bounds", value)
        })?;
        let last = !nested || above;
        stream.optional("unk", last, &mut self.unk, |stream, value| {
            stream.value("unk", value)
        })
    }
}

impl GroundLayer {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S, first: bool) -> Result<()> {
        terminated("ecosystem", &mut self.ecosystem, stream)?;
        stream.optional("mask", !first, &mut self.mask, |stream, mask: &mut Mask| {
            stream.value("side", &mut mask.side)?;
            let side = mask.side as usize;
            blob(
                "weights",
                &mut mask.weights,
                stream,
                side.saturating_mul(side),
            )
        })
    }
}

impl PlacedObject {
    fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S, version: u32) -> Result<()> {
        terminated("model", &mut self.model, stream)?;
        terminated("name", &mut self.name, stream)?;
        self.place.visit(stream)?;
        stream.value("unk", &mut self.unk)?;
        stream.optional("unk22", version >= 22, &mut self.unk22, |stream, value| {
            stream.value("unk22", value)
        })
    }
}

impl<'a> Walk<'a> for Tiles {
    const SMALLEST: usize = 17;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        self.visit(stream)
    }
}

/// True if a file starts as ground does: a known version, two words, the name of a picture.
pub fn looks_like(bytes: &[u8]) -> bool {
    let version = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
    let name = bytes.get(12..).unwrap_or_default();
    let end = name.iter().take(256).position(|&letter| letter == 0);
    let name = end.and_then(|end| name.get(..end)).unwrap_or_default();
    let is_name = name.len() >= SHORTEST_NAME && name.iter().all(|&letter| letter >= b' ');
    version.is_some_and(|version| (20..=22).contains(&version)) && is_name
}

/// Letters of the shortest name of a picture that is accepted: one, a period and an extension.
const SHORTEST_NAME: usize = 3;

fn read(bytes: &[u8], quads: u32, form: SheetForm) -> Result<Decoded<Tiles>> {
    let mut reader = Reader::new(bytes);
    let mut tiles = Tiles {
        quads,
        form,
        ..Tiles::default()
    };
    tiles.walk(&mut reader)?;
    Ok(reader.finish(tiles))
}

/// Decodes ground. `quads` is the number of quads along a side of a tile, if it is known; if the tiles then do
/// not end with the file, other numbers are tried.
///
/// # Errors
/// An unknown version, or no size of tiles ends where the file does.
pub fn decode_with(bytes: &[u8], quads: Option<u32>) -> Result<Decoded<Tiles>> {
    let known = quads.filter(|quads| (1..=MOST_QUADS).contains(quads));
    let first = known.unwrap_or(USUAL_QUADS);
    // A tile of more quads would not fit.
    let fits = |quads: &u32| {
        let side = *quads as usize;
        side.saturating_mul(side).saturating_mul(13) <= bytes.len()
    };
    let others = (1..=MOST_QUADS).filter(|&quads| quads != first);
    let mut fault = None;
    for quads in std::iter::once(first).chain(others.filter(fits)) {
        for form in [SheetForm::Plain, SheetForm::Nested] {
            limits::check();
            match read(bytes, quads, form) {
                Ok(decoded) if decoded.value.trailing.is_empty() => {
                    let mut decoded = decoded;
                    if let Some(known) = known.filter(|&known| known != quads) {
                        let expected = format_args!("{known}, as in the text of the zone");
                        decoded.deviations.push("quads", 0, expected, quads);
                    }
                    return Ok(decoded);
                }
                Ok(decoded) => {
                    let left = decoded.value.trailing.len();
                    let place = bytes.len().saturating_sub(left);
                    fault.get_or_insert(FormatError::malformed(
                        "tiles",
                        place,
                        "tiles that end with the file",
                        counted(left, "more byte", "more bytes"),
                    ));
                }
                Err(error) => {
                    fault.get_or_insert(error);
                }
            }
        }
    }
    Err(fault.unwrap_or_else(|| FormatError::truncated("tiles", 0, 17, bytes.len())))
}

/// Decodes ground of unknown tile size.
///
/// # Errors
/// As [`decode_with`].
pub fn decode(bytes: &[u8]) -> Result<Decoded<Tiles>> {
    decode_with(bytes, None)
}

/// Encodes ground.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(tiles: &Tiles) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    tiles.clone().walk(&mut writer)?;
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(quads: usize, sheet: Sheet, unk22: Option<u32>) -> Tile {
        let corners = (quads + 1) * (quads + 1);
        Tile {
            longitude: ORIGIN,
            latitude: ORIGIN + 1,
            heights: vec![F32(2.5); corners],
            tints: vec![[1, 2, 3, 255]; corners],
            baked: vec![[4, 5, 6, 7]; corners],
            flags: vec![QuadFlags::DIAGONAL; quads * quads],
            sheet,
            layers: vec![
                GroundLayer {
                    ecosystem: "plain.eco".to_owned(),
                    mask: None,
                },
                GroundLayer {
                    ecosystem: "sand.eco".to_owned(),
                    mask: Some(Mask {
                        side: 2,
                        weights: vec![1, 2, 3, 4].into(),
                    }),
                },
            ],
            objects: vec![PlacedObject {
                model: "TREE".to_owned(),
                unk22,
                ..PlacedObject::default()
            }],
            areas: vec![Area::default()],
            lights: vec![TileLight::default()],
            groups: vec![PlacedGroup::default()],
            ..Tile::default()
        }
    }

    #[test]
    fn sizes_and_forms_are_detected_by_the_end() {
        let bounds = Some([F32(1.0); 4]);
        let plain = |index, bounded: u8| Sheet {
            index: Some(index),
            bounded: Some(bounded),
            bounds: bounds.filter(|_| bounded != 0),
            unk: Some(F32(0.0)),
        };
        let old = Sheet {
            unk: Some(F32(7.0)),
            ..Sheet::default()
        };
        let none = Sheet {
            index: Some(-1),
            ..Sheet::default()
        };
        for (version, sheet, form) in [
            (20, old, SheetForm::Plain),
            (21, plain(3, 1), SheetForm::Plain),
            (22, plain(0, 0), SheetForm::Plain),
            (21, none, SheetForm::Nested),
        ] {
            for quads in [1, 4, 16] {
                let one = tile(quads, sheet.clone(), (version == 22).then_some(9));
                let tiles = Tiles {
                    version,
                    texture: "ground.dds".to_owned(),
                    quads: quads as u32,
                    form,
                    tiles: vec![one.clone(), one],
                    ..Tiles::default()
                };
                let bytes = encode(&tiles).unwrap();
                assert!(looks_like(&bytes));
                let decoded = decode(&bytes).unwrap();
                assert_eq!(decoded.value, tiles);
                assert!(decoded.deviations.is_empty());
                let wrong = decode_with(&bytes, Some(7)).unwrap();
                assert_eq!(wrong.value, tiles);
                assert_eq!(wrong.deviations.total(), 1);
            }
        }
    }
}
