//! Converts drawn colors back to baked light.

use std::sync::LazyLock;

use crate::config::EverQuest;
use crate::pack::edited::Refusal;
use relicast_convert::drawn_light;
use relicast_formats::everquest::wld::Bgra;
use relicast_scene::space::{srgb_from_linear, vertex_color};

/// Vertex color that is written for each stored level.
static LEVELS: LazyLock<[u16; 256]> = LazyLock::new(|| {
    std::array::from_fn(|level| {
        let [found, ..] = vertex_color([level as f32; 3], 1.0);
        found
    })
});

/// The level that gives a part of a color without other light.
pub(super) fn level_at(part: f32) -> Option<usize> {
    let short = (f64::from(part) * 65535.0).round() as u16;
    LEVELS.binary_search(&short).ok()
}

/// Returns true if stored light is drawn as a color of a scene (linear) under some ambient light.
pub(super) fn is_drawn(
    stored: Bgra,
    ambient: [u8; 3],
    color: [f32; 3],
    options: &EverQuest,
) -> bool {
    let [drawn @ .., _] = drawn_light(stored, ambient, options);
    drawn.map(|short| (f64::from(short) / 65535.0) as f32) == color
}

/// The light that is drawn as `wanted` (linear) under the scene's ambient light: its color changes, and where that is
/// not dark enough, the strength of the light of the sky.
///
/// # Errors
/// The zone's ambient light alone is brighter.
pub(super) fn stored_light(
    stored: Bgra,
    wanted: [f32; 3],
    ambient: [u8; 3],
    options: &EverQuest,
) -> Result<Bgra, Refusal> {
    let [drawn @ .., _] = drawn_light(stored, ambient, options);
    let daylight = match options.daylight.is_finite() {
        true => f64::from(options.daylight.clamp(0.0, 1.0)),
        false => 1.0,
    };
    let color = [stored.red, stored.green, stored.blue];
    let sky = f64::from(stored.alpha) * daylight;
    // The wanted channels without ambient light.
    let mut targets = [0.0_f64; 3];
    let mut is_changed = [false; 3];
    for channel in 0..3 {
        let short = (f64::from(wanted[channel].clamp(0.0, 1.0)) * 65535.0 + 0.5) as u16;
        is_changed[channel] = short != drawn[channel];
        targets[channel] = match is_changed[channel] {
            true => {
                let level = f64::from(srgb_from_linear(wanted[channel])) * 255.0;
                level - f64::from(ambient[channel])
            }
            false => f64::from(color[channel]) + sky,
        };
    }
    let least = targets.iter().copied().fold(f64::INFINITY, f64::min);
    if least < -0.5 {
        refuse!("a color of it is darker than the ambient light of the zone, which is added to it");
    }
    let alpha = match least - sky < -0.5 {
        true => (least.max(0.0) / daylight).floor().clamp(0.0, 255.0) as u8,
        false => stored.alpha,
    };
    let sky = f64::from(alpha) * daylight;
    let mut light = color;
    for channel in 0..3 {
        if is_changed[channel] || alpha != stored.alpha {
            light[channel] = (targets[channel] - sky).round().clamp(0.0, 255.0) as u8;
        }
    }
    let [red, green, blue] = light;
    Ok(Bgra {
        blue,
        green,
        red,
        alpha,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(shorts: [u16; 4]) -> [f32; 3] {
        let [red, green, blue, _] = shorts;
        [red, green, blue].map(|short| f32::from(short) / 65535.0)
    }

    #[test]
    fn light_is_drawn_as_wanted() {
        let options = EverQuest::default();
        let stored = Bgra {
            blue: 10,
            green: 20,
            red: 30,
            alpha: 100,
        };
        for wanted in [
            Bgra { red: 90, ..stored },
            Bgra {
                blue: 0,
                green: 0,
                red: 0,
                alpha: 100,
            },
        ] {
            let drawn = linear(drawn_light(wanted, [5, 6, 7], &options));
            assert_eq!(
                stored_light(stored, drawn, [5, 6, 7], &options).unwrap(),
                wanted
            );
        }
        // The light of the sky limits the darkness.
        let dark = Bgra {
            blue: 40,
            green: 50,
            red: 60,
            alpha: 0,
        };
        let drawn = drawn_light(dark, [0; 3], &options);
        let found = stored_light(stored, linear(drawn), [0; 3], &options).unwrap();
        assert_eq!(
            found,
            Bgra {
                blue: 0,
                green: 10,
                red: 20,
                alpha: 40
            }
        );
        assert_eq!(drawn_light(found, [0; 3], &options), drawn);
        assert!(stored_light(stored, linear(drawn), [90; 3], &options).is_err());
    }
}
