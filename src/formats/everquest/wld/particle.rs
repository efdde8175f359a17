//! Particles. Field names follow a reference implementation; only sizes were checked.

use serde::Serialize;

use super::fields::optional;
use super::material::RenderMethod;
use super::reference::{Bgra, FragmentRef};
use super::shading::Shading;
use super::sprite::SolidSpriteFlags;
use crate::formats::codec::{F32, Result, Stream, Vec3, Walk};

crate::open_enum! {
    /// How particles spread.
    pub enum ParticleMovement: u32 {
        /// From a sphere.
        Sphere = 1,
        /// From a plane.
        Plane = 2,
        /// In a stream.
        Stream = 3,
        /// Not at all.
        None = 4,
    }
}

bitflags::bitflags! {
    /// Which optional fields a [`ParticleCloud`] has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct ParticleCloudFlags: u32 {
        /// A box in which particles appear.
        const SPAWN_BOX = 1 << 0;
        /// Another box.
        const BOX = 1 << 1;
        /// A sprite; set in every file seen.
        const SPRITE = 1 << 2;
        const _ = !0;
    }
}
crate::plain_flags!(ParticleCloudFlags: u32);

/// A source of particles (kind 0x34).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ParticleCloud {
    /// Which optional fields follow.
    pub flags: ParticleCloudFlags,
    /// Kind of particle; 3 in every file seen.
    pub particle_kind: u32,
    /// How particles spread.
    pub movement: ParticleMovement,
    /// Unknown bits.
    pub cloud_flags: u32,
    /// Most particles at a time.
    pub simultaneous: u32,
    /// Factor of gravity.
    pub gravity_factor: F32,
    /// Direction of gravity.
    pub gravity: Vec3,
    /// Milliseconds that the source lives.
    pub duration: u32,
    /// Radius in which particles appear.
    pub spawn_radius: F32,
    /// Opening angle of a stream.
    pub spawn_angle: F32,
    /// Milliseconds that a particle lives.
    pub lifespan: u32,
    /// Speed of a particle.
    pub velocity: F32,
    /// Direction of a particle.
    pub direction: Vec3,
    /// Milliseconds between two particles.
    pub spawn_rate: u32,
    /// Size of a particle.
    pub spawn_scale: F32,
    /// Colour.
    pub tint: Bgra,
    /// Corners of the box in which particles appear.
    pub spawn_box: Option<[Vec3; 2]>,
    /// Corners of another box.
    pub other_box: Option<[Vec3; 2]>,
    /// The picture.
    pub sprite: Option<FragmentRef>,
}

impl<'a> Walk<'a> for ParticleCloud {
    const SMALLEST: usize = 84;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("particle_kind", &mut self.particle_kind)?;
        stream.value("movement", &mut self.movement)?;
        stream.value("cloud_flags", &mut self.cloud_flags)?;
        stream.value("simultaneous", &mut self.simultaneous)?;
        stream.value("gravity_factor", &mut self.gravity_factor)?;
        stream.value("gravity", &mut self.gravity)?;
        stream.value("duration", &mut self.duration)?;
        stream.value("spawn_radius", &mut self.spawn_radius)?;
        stream.value("spawn_angle", &mut self.spawn_angle)?;
        stream.value("lifespan", &mut self.lifespan)?;
        stream.value("velocity", &mut self.velocity)?;
        stream.value("direction", &mut self.direction)?;
        stream.value("spawn_rate", &mut self.spawn_rate)?;
        stream.value("spawn_scale", &mut self.spawn_scale)?;
        stream.value("tint", &mut self.tint)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(ParticleCloudFlags::SPAWN_BOX),
            "spawn_box",
            &mut self.spawn_box,
        )?;
        optional(
            stream,
            has(ParticleCloudFlags::BOX),
            "other_box",
            &mut self.other_box,
        )?;
        optional(
            stream,
            has(ParticleCloudFlags::SPRITE),
            "sprite",
            &mut self.sprite,
        )
    }
}

/// Coloured points (kind 0x0C, by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ParticleSprite {
    /// Which optional fields follow.
    pub flags: SolidSpriteFlags,
    /// Meaning unknown.
    pub unk8: u32,
    /// Centre.
    pub centre: Option<Vec3>,
    /// Bounding radius.
    pub radius: Option<F32>,
    /// The points.
    pub vertices: Vec<Vec3>,
    /// How they are drawn.
    pub render_method: RenderMethod,
    /// How they are shaded.
    pub shading: Shading,
    /// One colour for each point.
    pub pens: Vec<u32>,
}

impl<'a> Walk<'a> for ParticleSprite {
    const SMALLEST: usize = 20;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        let count = stream.count("vertex_count", self.vertices.len())?;
        stream.value("unk8", &mut self.unk8)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        optional(
            stream,
            has(SolidSpriteFlags::CENTRE),
            "centre",
            &mut self.centre,
        )?;
        optional(
            stream,
            has(SolidSpriteFlags::RADIUS),
            "radius",
            &mut self.radius,
        )?;
        stream.values("vertices", &mut self.vertices, count)?;
        stream.value("render_method", &mut self.render_method)?;
        stream.nested("shading", &mut self.shading)?;
        stream.values("pens", &mut self.pens, count)
    }
}
