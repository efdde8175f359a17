//! Particles. Field names follow a reference implementation; only sizes were checked.

use super::material::RenderMethod;
use super::reference::{Bgra, FragmentRef};
use super::shading::Shading;
use super::sprite::SolidSpriteFlags;
use relicast_codec::{F32, Vec3};

relicast_codec::open_enum! {
    /// Spread of particles.
    pub enum ParticleMovement: u32 {
        /// From a sphere.
        Sphere = 1,
        /// From a plane.
        Plane = 2,
        /// In a stream.
        Stream = 3,
        /// None.
        None = 4,
    }
}

bitflags::bitflags! {
    /// Optional fields of a [`ParticleCloud`].
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
relicast_codec::plain_flags!(ParticleCloudFlags: u32);

relicast_codec::record! {
    /// A source of particles (kind 0x34).
    pub struct ParticleCloud[84..] {
        /// Flags of the optional fields that follow.
        flags: ParticleCloudFlags [bind],
        /// Kind of particle; 3 in every file seen.
        particle_kind: u32,
        /// Spread of the particles.
        movement: ParticleMovement,
        /// Unknown bits.
        cloud_flags: u32,
        /// Maximum number of particles at a time.
        simultaneous: u32,
        /// Factor of gravity.
        gravity_factor: F32,
        /// Direction of gravity.
        gravity: Vec3,
        /// Lifetime of the source in milliseconds.
        duration: u32,
        /// Radius in which particles appear.
        spawn_radius: F32,
        /// Opening angle of a stream.
        spawn_angle: F32,
        /// Lifetime of a particle in milliseconds.
        lifespan: u32,
        /// Speed of a particle.
        velocity: F32,
        /// Direction of a particle.
        direction: Vec3,
        /// Milliseconds between two particles.
        spawn_rate: u32,
        /// Size of a particle.
        spawn_scale: F32,
        /// Color.
        tint: Bgra,
        /// Corners of the box in which particles appear.
        spawn_box: Option<[Vec3; 2]> [if flags.contains(ParticleCloudFlags::SPAWN_BOX)],
        /// Corners of another box.
        other_box: Option<[Vec3; 2]> [if flags.contains(ParticleCloudFlags::BOX)],
        /// The picture.
        sprite: Option<FragmentRef> [if flags.contains(ParticleCloudFlags::SPRITE)],
    }
}

relicast_codec::record! {
    /// Colored points (kind 0x0C, by a reference implementation).
    pub struct ParticleSprite[20..] {
        /// Flags of the optional fields that follow.
        flags: SolidSpriteFlags [bind],
        /// Number of vertices.
        vertex_count: u32 [counts vertices],
        /// Meaning unknown.
        unk8: u32,
        /// Center.
        center: Option<Vec3> [if flags.contains(SolidSpriteFlags::CENTER)],
        /// Bounding radius.
        radius: Option<F32> [if flags.contains(SolidSpriteFlags::RADIUS)],
        /// The points.
        vertices: Vec<Vec3> [count vertex_count],
        /// Render method.
        render_method: RenderMethod,
        /// Shading.
        shading: Shading [nested],
        /// One color for each point.
        pens: Vec<u32> [count vertex_count],
    }
}
