//! Models: vertices, polygons and point sprites.

use bitflags::bitflags;
use serde::Serialize;

use crate::zipper::ZipperGame;
use relicast_codec::{Blob, F32, Field, Result, Stream, Vec3, shown};

use super::flags::{ByGame, GameFlags};
use super::lists::{counted, null_iff_empty};
use super::polygon::{Polygon, PolygonFlags, PolygonRecord};

relicast_codec::open_enum! {
    /// Drawing of a model.
    pub enum ModelType: u32 {
        /// Fixed.
        Default = 0,
        /// Turns with the camera.
        Facade = 1,
        /// Points.
        Points = 2,
    }
}

relicast_codec::open_enum! {
    /// Turning of a facade.
    pub enum Facade: u32 {
        /// About the y axis.
        CylindricalY = 0,
        /// About its center, y up.
        SphericalY = 1,
        /// About the x axis.
        CylindricalX = 2,
        /// About the z axis.
        CylindricalZ = 3,
    }
}

bitflags! {
    /// Flags of a model.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ModelFlags: u32 {
        /// The world's lights shine on it; without the flag texture times vertex color is final.
        const LIGHTING = 1;
        /// Fades in distance fog.
        const FOG = 2;
        /// Known by name only. Not in Crimson Skies.
        const TEXTURE_REGISTERED = 4;
        /// Morphing; never set in files.
        const MORPH = 8;
        /// Texture coordinates move with time.
        const TEXTURE_SCROLL = 16;
        /// Known by name only. Not in Recoil.
        const CLOUDS = 32;
        /// A facade turns about the center of its vertices. Not in Recoil. In Crimson Skies the stored bit is
        /// 0x80 (read from the program by CSVM: 477 models, all of them facades without light).
        const FACADE_CENTROID = 64;
        /// Set for every ordinary model with polygons. Pirate's Moon alone.
        const HARDWARE_RENDER = 128;
        /// Unknown; Crimson Skies.
        const UNK8 = 256;
        /// A facade is spherical; Recoil's equivalent of the facade mode.
        const FACADE_SPHERICAL = 512;
        /// Ambient light only: no sun, no lamp. Crimson Skies, stored bit 0x40 (read from the program by CSVM: 369
        /// models, all of them lit).
        const AMBIENT_ONLY = 1024;
        /// Takes part in the band of fog. Crimson Skies, stored bit 4 (read from the program by CSVM).
        const BAND_FOG = 2048;
    }
}

impl GameFlags for ModelFlags {
    fn bits_in(version: ZipperGame) -> &'static [(Self, u32)] {
        match version {
            ZipperGame::Recoil => &[
                (Self::LIGHTING, 1),
                (Self::FOG, 1 << 1),
                (Self::TEXTURE_REGISTERED, 1 << 2),
                (Self::MORPH, 1 << 3),
                (Self::FACADE_SPHERICAL, 1 << 4),
                (Self::TEXTURE_SCROLL, 1 << 5),
            ],
            ZipperGame::MechWarrior3 => &[
                (Self::LIGHTING, 1),
                (Self::FOG, 1 << 1),
                (Self::TEXTURE_REGISTERED, 1 << 2),
                (Self::MORPH, 1 << 3),
                (Self::TEXTURE_SCROLL, 1 << 4),
                (Self::CLOUDS, 1 << 5),
                (Self::FACADE_CENTROID, 1 << 6),
            ],
            ZipperGame::PiratesMoon => &[
                (Self::LIGHTING, 1),
                (Self::FOG, 1 << 1),
                (Self::TEXTURE_REGISTERED, 1 << 2),
                (Self::MORPH, 1 << 3),
                (Self::TEXTURE_SCROLL, 1 << 4),
                (Self::CLOUDS, 1 << 5),
                (Self::FACADE_CENTROID, 1 << 6),
                (Self::HARDWARE_RENDER, 1 << 7),
                (Self::UNK8, 1 << 8),
            ],
            ZipperGame::CrimsonSkies => &[
                (Self::LIGHTING, 1),
                (Self::FOG, 1 << 1),
                (Self::BAND_FOG, 1 << 2),
                (Self::MORPH, 1 << 3),
                (Self::TEXTURE_SCROLL, 1 << 4),
                (Self::CLOUDS, 1 << 5),
                (Self::AMBIENT_ONLY, 1 << 6),
                (Self::FACADE_CENTROID, 1 << 7),
                (Self::UNK8, 1 << 8),
            ],
        }
    }
}

relicast_codec::record! {
    /// Record of a model: 84 · 92 · 100 bytes. Counts are recomputed when writing.
    pub struct ModelRecord[84, 92, 100, 100] in ZipperGame {
        /// Offset 0: drawing of the model.
        model_type: ModelType,
        /// Offset - · 4 · 4: turning of a facade; stale in other models.
        facade_mode: Facade [since MechWarrior3],
        /// Offset 4 · 8 · 8: flags.
        flags: ByGame<ModelFlags>,
        /// Offset 8 · 12 · 12: number of nodes that use the model.
        parent_count: u32,
        /// Offset 12 · 16 · 16: number of polygons.
        polygon_count: u32,
        /// Offset 16 · 20 · 20: number of vertices.
        vertex_count: u32,
        /// Offset 20 · 24 · 24: number of normals.
        normal_count: u32,
        /// Offset 24 · 28 · 28: number of morph vertices.
        morph_count: u32,
        /// Offset 28 · 32 · 32: number of point sprites.
        light_count: u32,
        /// Offset 32 · 36 · 36: always 0.
        morph_factor: F32,
        /// Offset 36 · 40 · 40: texture scroll along u, units per second.
        tex_scroll_u: F32,
        /// Offset 40 · 44 · 44: texture scroll along v, units per second.
        tex_scroll_v: F32,
        /// Offset 44 · 48 · 48: always 0.
        tex_scroll_frame: u32,
        /// Offset 48 · 52 · 52: stale address, null without polygons.
        polygons_ptr: u32,
        /// Offset 52 · 56 · 56: stale address, null without vertices.
        vertices_ptr: u32,
        /// Offset 56 · 60 · 60: stale address, null without normals.
        normals_ptr: u32,
        /// Offset 60 · 64 · 64: stale address, null without point sprites.
        lights_ptr: u32,
        /// Offset 64 · 68 · 68: stale address, null without morph vertices.
        morphs_ptr: u32,
        /// Offset 68 · 72 · 72: center of the bounding volume.
        bbox_mid: Vec3,
        /// Offset 80 · 84 · 84: radius of the bounding sphere (formula uncertain).
        bbox_diag: F32,
        /// Offset - · 88 · 88: always 0.
        active_polygon_index: u32 [since MechWarrior3],
        /// Offset - · - · 92: number of material references.
        material_ref_count: u32 [since PiratesMoon],
        /// Offset - · - · 96: stale address, null without material references.
        material_refs_ptr: u32 [since PiratesMoon],
    }
}

impl ModelRecord {
    /// Checks the rules of a used slot; in a mechlib `parent_count` can have any value, as elsewhere.
    fn check<'a, S: Stream<'a>>(&self, stream: &mut S, version: ZipperGame, offset: usize) {
        if matches!(self.model_type, ModelType::Other(_)) {
            stream.deviate("model_type", offset, "0 to 2", self.model_type.code());
        }
        if matches!(self.facade_mode, Facade::Other(_)) {
            stream.deviate("facade_mode", offset, "0 to 3", self.facade_mode.code());
        }
        if self.parent_count == 0 {
            stream.deviate("parent_count", offset, "at least 1", 0);
        }
        if self.morph_factor.0 != 0.0
            || self.tex_scroll_frame != 0
            || self.active_polygon_index != 0
        {
            let found = (
                self.morph_factor,
                self.tex_scroll_frame,
                self.active_polygon_index,
            );
            stream.deviate("morph_factor", offset, "zeros", shown(&found));
        }
        for (field, pointer, count) in [
            ("polygons_ptr", self.polygons_ptr, self.polygon_count),
            ("vertices_ptr", self.vertices_ptr, self.vertex_count),
            ("normals_ptr", self.normals_ptr, self.normal_count),
            ("lights_ptr", self.lights_ptr, self.light_count),
            ("morphs_ptr", self.morphs_ptr, self.morph_count),
            (
                "material_refs_ptr",
                self.material_refs_ptr,
                self.material_ref_count,
            ),
        ] {
            null_iff_empty(stream, field, offset, pointer, count as usize);
        }
        let loose = self.vertex_count | self.normal_count | self.morph_count;
        if self.polygon_count == 0 && (loose != 0 || self.light_count == 0) {
            stream.deviate(
                "polygon_count",
                offset,
                "only polygons or only point sprites",
                0,
            );
        }
        if version == ZipperGame::PiratesMoon {
            let ordinary = self.model_type == ModelType::Default && self.polygon_count > 0;
            if self.flags.contains(ModelFlags::HARDWARE_RENDER) != ordinary {
                let found = shown(&self.flags.known);
                stream.deviate("flags", offset, "HARDWARE_RENDER if ordinary", found);
            }
        }
    }
}

relicast_codec::record! {
    /// Record of a group of point sprites, such as a beacon or stars, 76 bytes.
    pub struct PointLightRecord[76, 76, 76, 76] in ZipperGame {
        /// Offset 0: 1 lights one point after the other; 0 draws the first point alone (Recoil).
        is_chaser: i32 [within 0..=1],
        /// Offset 4: 0 to 2; 1 swaps both colors at each interval (Recoil), 2 is unknown.
        behavior: i32 [within 0..=2],
        /// Offset 8: 0 to 5: in Recoil the interval in seconds, in Crimson Skies the scale of the sprite, 0 for the
        /// default.
        interval_or_scale: F32,
        /// Offset 12: number of sprites; recomputed when writing.
        vertex_count: u32,
        /// Offset 16: seconds since the last interval, of the running engine.
        elapsed: i32 [zero],
        /// Offset 20: the point that is lit, of the running engine.
        current_index: u16 [zero],
        /// Offset 22: the second color, 16 bits (Recoil).
        second_color: u16 [zero],
        /// Offset 24 · - · -: depth priority.
        depth_priority: i16 [until Recoil],
        /// Offset 26 · - · -: unknown.
        unk26: u16 [until Recoil],
        /// Offset - · 24 · 24: stale address.
        stale24: u32 [since MechWarrior3],
        /// Offset 28: red, green, blue, 0 to 255.
        color: Vec3,
        /// Offset 40: the color in 16 bits, which the engine packs when it loads.
        rgb: u16 [zero],
        /// Offset 42: Recoil does not read it; unknown in the other games.
        flags: u16 [within 0..=0x7FF],
        /// Offset 44: stale address.
        vertices_ptr: u32 [nonzero],
        /// Offset 48: distance from which the points fade, up to 2000 (Recoil).
        fade_from: F32,
        /// Offset 52: distance at which they are invisible, up to 3500; 0: they never fade (Recoil).
        fade_to: F32,
        /// Offset 56: 255 / (`fade_to` - `fade_from`), up to 5.1 (Recoil).
        fade_rate: F32,
        /// Offset 60: 1 has a lens flare (Recoil).
        has_flare: i32 [within 0..=1],
        /// Offset 64: up to 5000; in Crimson Skies the largest size of the sprite in pixels; Recoil does not read it.
        largest_size: F32,
        /// Offset 68: up to 4000: in Recoil the distance up to which the flare is full, in Crimson Skies the
        /// distance up to which the sprite is visible.
        flare_full: F32,
        /// Offset 72: distance at which the flare is invisible, up to 10000 (Recoil).
        flare_gone: F32,
    }
}

impl PointLightRecord {
    fn check<'a, S: Stream<'a>>(&self, stream: &mut S, offset: usize) {
        let [red, green, blue] = [self.color.x, self.color.y, self.color.z];
        for (field, value, most) in [
            ("interval_or_scale", self.interval_or_scale, 5.0),
            ("color.r", red, 255.0),
            ("color.g", green, 255.0),
            ("color.b", blue, 255.0),
            ("fade_from", self.fade_from, 2000.0),
            ("fade_to", self.fade_to, 3500.0),
            ("fade_rate", self.fade_rate, 5.1),
            ("largest_size", self.largest_size, 5000.0),
            ("flare_full", self.flare_full, 4000.0),
            ("flare_gone", self.flare_gone, 10000.0),
        ] {
            if !(0.0..=most).contains(&value.0) {
                stream.deviate(field, offset, format_args!("0 to {most}"), value);
            }
        }
    }
}

/// A group of point sprites.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointLight {
    /// The record.
    pub record: PointLightRecord,
    /// Positions of the sprites.
    pub vertices: Vec<Vec3>,
}

relicast_codec::record! {
    /// Use count of a material in a model, 12 bytes.
    pub struct MaterialReference[12, 12, 12, 12] in ZipperGame {
        /// Offset 0: the material.
        material_index: i32,
        /// Offset 4: number of polygons; 1 for each polygon of an animated material.
        usage_count: u32,
        /// Offset 8: stale address of the first such polygon; 0 in a mechlib.
        polygon_ptr: u32,
    }
}

/// A model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Model {
    /// The record.
    pub record: ModelRecord,
    /// Unassigned bytes before the data block; empty in every file seen.
    #[serde(skip_serializing_if = "gap_is_empty")]
    pub gap: Blob<'static>,
    /// Positions.
    pub vertices: Vec<Vec3>,
    /// Normals, indexed on their own.
    pub normals: Vec<Vec3>,
    /// Morph targets, one per vertex (uncertain).
    pub morphs: Vec<Vec3>,
    /// Point sprites.
    pub lights: Vec<PointLight>,
    /// Polygons.
    pub polygons: Vec<Polygon>,
    /// Use of materials; Pirate's Moon and Crimson Skies.
    pub material_references: Vec<MaterialReference>,
}

pub(super) fn gap_is_empty(gap: &Blob<'_>) -> bool {
    gap.is_empty()
}

impl Model {
    /// The flags that have a name.
    pub fn flags(&self) -> ModelFlags {
        self.record.flags.known
    }

    /// Turning of the model with the camera; `None` when it does not turn.
    pub fn facade(&self) -> Option<Facade> {
        if self.record.model_type != ModelType::Facade {
            None
        } else if self.flags().contains(ModelFlags::FACADE_SPHERICAL) {
            Some(Facade::SphericalY)
        } else {
            Some(self.record.facade_mode)
        }
    }

    /// Returns true if a polygon of the model is drawn from both sides. Crimson Skies never culls facades (read from
    /// the program by CSVM).
    pub fn shows_both_sides(&self, polygon: &Polygon, version: ZipperGame) -> bool {
        let is_facade = version == ZipperGame::CrimsonSkies && self.facade().is_some();
        is_facade || polygon.flags().contains(PolygonFlags::SHOW_BACKFACE)
    }

    pub(in super::super) fn count_lists(&mut self) -> Result<()> {
        self.record.polygon_count = counted("polygons", self.polygons.len())?;
        self.record.vertex_count = counted("vertices", self.vertices.len())?;
        self.record.normal_count = counted("normals", self.normals.len())?;
        self.record.morph_count = counted("morphs", self.morphs.len())?;
        self.record.light_count = counted("lights", self.lights.len())?;
        self.record.material_ref_count =
            counted("material_references", self.material_references.len())?;
        Ok(())
    }

    /// Soft rules of the record, read at `offset`.
    pub(in super::super) fn check_record<'a, S: Stream<'a>>(
        &self,
        stream: &mut S,
        version: ZipperGame,
        offset: usize,
    ) {
        self.record.check(stream, version, offset);
    }

    /// The data block. The record must have been visited, and its counts set when writing.
    pub(in super::super) fn visit_data<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        version: ZipperGame,
    ) -> Result<()> {
        let record = &self.record;
        stream.values("vertices", &mut self.vertices, record.vertex_count as usize)?;
        stream.values("normals", &mut self.normals, record.normal_count as usize)?;
        stream.values("morphs", &mut self.morphs, record.morph_count as usize)?;
        let count = record.light_count as usize;
        let size = PointLightRecord::size(version);
        stream.list("lights", &mut self.lights, count, size, |stream, light| {
            if !S::READING {
                light.record.vertex_count = counted("vertices", light.vertices.len())?;
            }
            let offset = stream.position();
            light.record.visit("", stream, version)?;
            if S::READING {
                light.record.check(stream, offset);
            }
            Ok(())
        })?;
        for (index, light) in self.lights.iter_mut().enumerate() {
            let count = light.record.vertex_count as usize;
            stream
                .values("vertices", &mut light.vertices, count)
                .map_err(|error| error.within("lights", index))?;
        }
        let count = record.polygon_count as usize;
        let size = PolygonRecord::size(version);
        stream.list(
            "polygons",
            &mut self.polygons,
            count,
            size,
            |stream, polygon| polygon.visit_record(stream, version),
        )?;
        let (vertices, normals) = (self.vertices.len(), self.normals.len());
        for (index, polygon) in self.polygons.iter_mut().enumerate() {
            let offset = stream.position();
            polygon
                .visit_arrays(stream, version)
                .map_err(|error| error.within("polygons", index))?;
            if S::READING
                && !(all_below(&polygon.vertex_indices, vertices)
                    && all_below(&polygon.normal_indices, normals))
            {
                stream.deviate(
                    "polygons.vertex_indices",
                    offset,
                    format_args!("vertices below {vertices}, normals below {normals}"),
                    format_args!("others in polygon {index}"),
                );
            }
        }
        if version.since(ZipperGame::PiratesMoon) {
            let (count, size) = (self.record.material_ref_count as usize, 12);
            let references = &mut self.material_references;
            stream.list(
                "material_references",
                references,
                count,
                size,
                |stream, reference| reference.visit("", stream, version),
            )?;
        }
        Ok(())
    }

    /// The material references that follow from the polygons. They count first materials only. `cycled` returns
    /// true for animated materials, which get an entry for each polygon. The others follow, merged in order of
    /// first use. `mechlib` leaves addresses out.
    pub fn expected_references(
        &self,
        version: ZipperGame,
        mechlib: bool,
        cycled: impl Fn(i32) -> bool,
    ) -> Vec<MaterialReference> {
        let stride = counted::<u32>("polygon", PolygonRecord::size(version)).unwrap_or_default();
        let mut animated = Vec::new();
        let mut merged: Vec<MaterialReference> = Vec::new();
        let mut places = std::collections::BTreeMap::new();
        let mut address = self.record.polygons_ptr;
        for polygon in &self.polygons {
            let material_index = polygon.materials.first().copied().unwrap_or_default();
            let reference = MaterialReference {
                material_index,
                usage_count: 1,
                polygon_ptr: if mechlib { 0 } else { address },
            };
            address = address.wrapping_add(stride);
            if cycled(material_index) {
                animated.push(reference);
            } else if let Some(same) = places
                .get(&material_index)
                .and_then(|&place: &usize| merged.get_mut(place))
            {
                same.usage_count = same.usage_count.saturating_add(1);
            } else {
                places.insert(material_index, merged.len());
                merged.push(reference);
            }
        }
        animated.append(&mut merged);
        animated
    }
}

fn all_below(indices: &[u32], count: usize) -> bool {
    indices.iter().all(|&index| (index as usize) < count)
}
