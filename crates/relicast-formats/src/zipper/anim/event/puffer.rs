//! Particle emitters. Source of the meaning of the fields in Crimson Skies: CSVM, docs/formats, CC BY 4.0, from
//! 4,535 events of the retail game and its readers.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::puffer::PufferState;
//!
//! let event = Event::new(EventBody::PufferState(Box::new(PufferState::default())));
//! assert_eq!(event.body.name(), Some("PUFFER_STATE"));
//! assert_eq!(event.length(ZipperGame::PiratesMoon), 12 +
//! relicast_formats::zipper::anim::event::puffer::PufferState::size(ZipperGame::PiratesMoon));
//! ```

use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{Bool32, Color, NodeIndex, PufferIndex, Range};
use relicast_codec::{F32, PaddedText, Vec3};

bitflags::bitflags! {
    /// Selects the fields of a [`PufferState`] that are used.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PufferFlags: u32 {
        /// `translate` is used.
        const TRANSLATE = 0x1;
        /// `node` is used.
        const AT_NODE = 0x2;
        /// `active_state` is used; otherwise the emitter is switched off.
        const ACTIVE_STATE = 0x4;
        /// `local_velocity` is used.
        const LOCAL_VELOCITY = 0x8;
        /// `world_velocity` is used.
        const WORLD_VELOCITY = 0x10;
        /// `min_random_velocity` is used.
        const MIN_RANDOM_VELOCITY = 0x20;
        /// `max_random_velocity` is used.
        const MAX_RANDOM_VELOCITY = 0x40;
        /// `interval_kind` is used.
        const INTERVAL_KIND = 0x80;
        /// `interval_value` is used.
        const INTERVAL_VALUE = 0x100;
        /// `size_range` is used.
        const SIZE_RANGE = 0x200;
        /// `lifetime_range` is used.
        const LIFETIME_RANGE = 0x400;
        /// `deviation_distance` is used.
        const DEVIATION_DISTANCE = 0x800;
        /// `far_fade` is used.
        const FAR_FADE = 0x1000;
        /// `growths` are used.
        const GROWTH_FACTORS = 0x2000;
        /// `textures` are used.
        const TEXTURES = 0x4000;
        /// `start_age_range` is used.
        const START_AGE_RANGE = 0x8000;
        /// `world_acceleration` is used.
        const WORLD_ACCELERATION = 0x1_0000;
        /// `friction` is used.
        const FRICTION = 0x2_0000;
        /// `colors` are used.
        const COLORS = 0x4_0000;
        /// `near_fade` is used.
        const NEAR_FADE = 0x8_0000;
        /// `wind_factor` is used.
        const WIND_FACTOR = 0x10_0000;
        /// `number` is used.
        const NUMBER = 0x20_0000;
        /// `priority` is used.
        const PRIORITY = 0x40_0000;
    }
}
relicast_codec::plain_flags!(PufferFlags: u32);

relicast_codec::open_enum! {
    /// Unit of the interval between particles.
    pub enum IntervalKind: u32 {
        /// Seconds.
        Time = 0,
        /// Distance traveled.
        Distance = 1,
    }
}

relicast_codec::record! {
    /// A texture of the particles, 36 bytes.
    pub struct PufferTexture[36]: FixedSize {
        /// Seconds that it shows.
        run_time: F32,
        /// Name of the texture; empty in unused entries.
        name: PaddedText<32>,
    }
}

relicast_codec::record! {
    /// A color of the particles, 20 bytes.
    pub struct PufferColor[20]: FixedSize {
        /// Age as a fraction of the life of the particle.
        age: F32,
        /// The color: 0 to 1, or 0 to 255 where a part is above 1.
        color: Color,
        /// Alpha, as the color.
        alpha: F32,
    }
}

relicast_codec::record! {
    /// Type 42: sets properties of a particle emitter. Not in Recoil.
    pub struct PufferState[580, 580, 584, 584] in ZipperGame {
        /// Name of the emitter, as in its table entry.
        name: PaddedText<32> [padded, until PiratesMoon],
        /// The emitter.
        puffer: PufferIndex,
        /// Selects the fields that are used.
        flags: PufferFlags,
        /// The node it is placed at; -1 is none.
        node: NodeIndex,
        /// Meaning unknown, 0 to 10.
        active_state: u32,
        /// Place or offset.
        translate: Vec3,
        /// Velocity in the emitter's space.
        local_velocity: Vec3,
        /// Velocity in the world.
        world_velocity: Vec3,
        /// Lower bound of the random velocity.
        min_random_velocity: Vec3,
        /// Upper bound of the random velocity.
        max_random_velocity: Vec3,
        /// Acceleration in the world.
        world_acceleration: Vec3,
        /// Unit of the interval; may be set without its flag.
        interval_kind: IntervalKind,
        /// The interval in seconds or meters; may be set without its flag. 0, where none was authored, means 1 s.
        interval_value: F32,
        /// Radius of a particle: the side of its sprite is twice as long.
        size_range: Range,
        /// Life of a particle, seconds.
        lifetime_range: Range,
        /// Age of a new particle, seconds.
        start_age_range: Range,
        /// Distance from the emitter at which particles begin.
        deviation_distance: F32,
        /// Distances from the camera: nearer than the first a particle is not drawn, from the second on it has its full
        /// alpha. Pairs may descend. Used by Crimson Skies.
        near_fade: Range,
        /// Distances from the camera: from the first on a particle fades, at the second it is invisible.
        far_fade: Range,
        /// Friction.
        friction: F32,
        /// Influence of the wind.
        wind_factor: F32,
        /// Priority.
        priority: F32,
        /// Number of particles. Pirate's Moon and Crimson Skies.
        number: u32 [since PiratesMoon],
        /// The textures' run times are used.
        textures_have_run_time: Bool32,
        /// Textures; used entries first.
        textures: [PufferTexture; 6],
        /// Number of colors in use.
        color_count: u32,
        /// Colors; used entries first.
        colors: [PufferColor; 6],
        /// Number of growth factors in use.
        growth_count: u32,
        /// Growth: age as a fraction of the life, and scale; used entries first.
        growths: [Range; 6],
    }
}

fn used<T>(entries: &[T], count: u32) -> &[T] {
    entries.get(..count as usize).unwrap_or(entries)
}

impl PufferColor {
    /// Red, green, blue and alpha from 0 to 1. They are stored from 0 to 255 if one of them is above 1, else from 0
    /// to 1 (CSVM, docs/formats, CC BY 4.0, by the retail data).
    pub fn unit(&self) -> [F32; 4] {
        let parts = [self.color.r, self.color.g, self.color.b, self.alpha];
        if parts.iter().all(|part| part.0 <= 1.0) {
            return parts;
        }
        parts.map(|part| F32(part.0 / 255.0))
    }
}

impl PufferState {
    /// The textures in use, up to the first without a name.
    pub fn used_textures(&self) -> &[PufferTexture] {
        let unused = |texture: &PufferTexture| texture.name.text_bytes().is_empty();
        let count = self.textures.iter().position(unused);
        count
            .and_then(|count| self.textures.get(..count))
            .unwrap_or(&self.textures)
    }

    /// The colors in use. They are stored in one of two ranges.
    pub fn used_colors(&self) -> &[PufferColor] {
        used(&self.colors, self.color_count)
    }

    /// The growth factors in use.
    pub fn used_growths(&self) -> &[Range] {
        used(&self.growths, self.growth_count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_above_1_are_of_255_parts() {
        let color = |parts: [f32; 3], alpha: f32| {
            let [r, g, b] = parts.map(F32);
            let color = Color { r, g, b };
            let stored = PufferColor {
                color,
                alpha: F32(alpha),
                ..PufferColor::default()
            };
            stored.unit().map(|part| part.0)
        };
        assert_eq!(color([0.69, 0.5, 1.0], 0.25), [0.69, 0.5, 1.0, 0.25]);
        assert_eq!(color([51.0, 102.0, 255.0], 0.0), [0.2, 0.4, 1.0, 0.0]);
        assert_eq!(color([0.0, 0.0, 1.0], 51.0), [0.0, 0.0, 1.0 / 255.0, 0.2]);
    }
}
