//! Light that was baked into vertices, as vertex colors.

use crate::options::EverQuest;
use relicast_formats::everquest::wld::Bgra;
use relicast_scene::space::{vertex_color, vertex_color_of_levels};

/// Conversion of light that was baked into vertices to vertex colors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Baking<'o> {
    /// The settings.
    pub options: &'o EverQuest,
    /// Ambient light of the whole scene: red, green, blue.
    pub ambient: [u8; 3],
}

/// Vertex colors of baked light: alpha times the light of the sky, the baked light and the ambient
/// light of the zone, added and clamped as the games do, become the factor of glTF.
pub(super) fn light(color: Bgra, baking: Baking<'_>) -> [u16; 4] {
    let options = baking.options;
    let daylight = if options.daylight.is_finite() {
        options.daylight.clamp(0.0, 1.0)
    } else {
        1.0
    };
    let baked = [color.red, color.green, color.blue];
    if daylight == 1.0 {
        // With the usual setting all sums are whole numbers.
        let sum = |channel: usize| {
            let parts = [baked[channel], color.alpha, baking.ambient[channel]];
            parts.into_iter().fold(0, u8::saturating_add)
        };
        return vertex_color_of_levels([sum(0), sum(1), sum(2)]);
    }
    let sky = f32::from(color.alpha) * daylight;
    let mixed = [0, 1, 2]
        .map(|channel: usize| f32::from(baked[channel]) + sky + f32::from(baking.ambient[channel]));
    vertex_color(mixed.map(|part| part.min(255.0)), 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_of_the_sky_and_ambient_light_are_added_to_baked_light() {
        let mut options = EverQuest::default();
        let color = Bgra {
            blue: 10,
            green: 20,
            red: 200,
            alpha: 100,
        };
        let mixed = |options: &EverQuest, ambient| light(color, Baking { options, ambient });
        let is = |color| vertex_color(color, 1.0);
        assert_eq!(mixed(&options, [0; 3]), is([255.0, 120.0, 110.0]));
        assert_eq!(mixed(&options, [9, 5, 200]), is([255.0, 125.0, 255.0]));
        options.daylight = 0.0;
        assert_eq!(mixed(&options, [0; 3]), is([200.0, 20.0, 10.0]));
        assert_eq!(mixed(&options, [76; 3]), is([255.0, 96.0, 86.0]));
        options.daylight = 0.5;
        assert_eq!(mixed(&options, [9, 5, 200]), is([255.0, 75.0, 255.0]));
        options.daylight = f32::NAN;
        assert_eq!(mixed(&options, [0; 3]), is([255.0, 120.0, 110.0]));
    }
}
