//! The coordinate space of every scene.
//!
//! Scene space **is** glTF space:
//!
//! - right-handed: X × Y = Z;
//! - +Y is up;
//! - one unit is one meter;
//! - a face is seen from the side on which its corners run counter-clockwise, so its normal is
//!   (p1 - p0) × (p2 - p0);
//! - a rotation turns counter-clockwise when the axis points at the viewer;
//! - texture coordinates start at the upper left corner of the picture, V grows downwards;
//! - a light shines, and a camera looks, along its node's -Z;
//! - vertex colors and color factors are linear light, pictures are sRGB.
//!
//! Converters bring the values of games into this space; writers copy them unchanged.
//!
//! ```
//! use relicast_scene::space::{linear_from_srgb, matrix_from_rows};
//!
//! assert_eq!(linear_from_srgb(255.0), 1.0);
//! let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let matrix = matrix_from_rows(rows, [4.0, 5.0, 6.0]);
//! assert_eq!(matrix.w_axis.y, 5.0);
//! ```

use std::sync::LazyLock;

use glam::{DMat3, DMat4, DVec3};

/// Direction that is up.
pub const UP: DVec3 = DVec3::Y;

/// Converts a transform of three rows and a translation that act on row vectors,
/// `x' = x·row0 + y·row1 + z·row2 + translation`, to a matrix that acts on column vectors.
pub fn matrix_from_rows(rows: [[f32; 3]; 3], translation: [f32; 3]) -> DMat4 {
    let [x, y, z] = rows.map(|row| DVec3::from_array(row.map(f64::from)));
    let mut matrix = DMat4::from_mat3(DMat3::from_cols(x, y, z));
    matrix.w_axis = DVec3::from_array(translation.map(f64::from)).extend(1.0);
    matrix
}

/// Linear light of each 8-bit sRGB level.
static LEVELS: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|level| curve(level as f64 / 255.0) as f32));

/// Linear light, 0 to 1, of a display-referred (sRGB) channel in 0 to 255. Values outside are
/// clamped, NaN is 0. The result is the same on every machine, bit by bit.
pub fn linear_from_srgb(channel: f32) -> f32 {
    let clamped = if channel > 0.0 {
        channel.min(255.0)
    } else {
        0.0
    };
    let level = clamped as u8;
    match LEVELS.get(usize::from(level)) {
        Some(&linear) if f32::from(level) == clamped => linear,
        _ => curve(f64::from(clamped) / 255.0) as f32,
    }
}

/// Display-referred (sRGB) channel, 0 to 1, of linear light in 0 to 1. Values outside are clamped, NaN is 0. The result
/// is the same on every machine, bit by bit.
pub fn srgb_from_linear(light: f32) -> f32 {
    let light = f64::from(if light > 0.0 { light.min(1.0) } else { 0.0 });
    let channel = match light <= 0.003_130_8 {
        true => light * 12.92,
        false => 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055,
    };
    channel as f32
}

/// Vertex color channel of each 8-bit sRGB level.
static CHANNELS: LazyLock<[u16; 256]> = LazyLock::new(|| LEVELS.map(unit_to_u16));

/// Opaque vertex color of three 8-bit sRGB levels, as [`vertex_color`] returns it.
pub fn vertex_color_of_levels([red, green, blue]: [u8; 3]) -> [u16; 4] {
    let channels = &*CHANNELS;
    let channel = |level: u8| {
        channels
            .get(usize::from(level))
            .copied()
            .unwrap_or_default()
    };
    [channel(red), channel(green), channel(blue), u16::MAX]
}

/// A vertex color from display-referred (sRGB) channels in 0 to 255 and an alpha in 0 to 1.
pub fn vertex_color(rgb: [f32; 3], alpha: f32) -> [u16; 4] {
    let [red, green, blue] = rgb.map(|channel| unit_to_u16(linear_from_srgb(channel)));
    [red, green, blue, unit_to_u16(alpha)]
}

fn unit_to_u16(value: f32) -> u16 {
    // A cast of a float saturates, and turns NaN into 0.
    (f64::from(value) * 65535.0 + 0.5) as u16
}

fn curve(value: f64) -> f64 {
    if value <= 0.040_45 {
        value / 12.92
    } else {
        libm::pow((value + 0.055) / 1.055, 2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_act_on_row_vectors() {
        let matrix = matrix_from_rows(
            [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]],
            [100.0, 200.0, 300.0],
        );
        let point = matrix.transform_point3(DVec3::new(1.0, 10.0, 1000.0));
        assert_eq!(point, DVec3::new(7141.0, 8252.0, 10363.0));
    }

    #[test]
    fn colors_follow_the_srgb_curve() {
        assert_eq!(linear_from_srgb(0.0), 0.0);
        assert_eq!(linear_from_srgb(255.0), 1.0);
        assert_eq!(linear_from_srgb(f32::NAN), 0.0);
        assert_eq!(linear_from_srgb(-3.0), 0.0);
        assert_eq!(linear_from_srgb(1e9), 1.0);
        assert!((linear_from_srgb(128.0) - 0.215_860_5).abs() < 1e-6);
        assert!((linear_from_srgb(128.5) - 0.217_6).abs() < 1e-3);
        assert!(linear_from_srgb(127.5) < linear_from_srgb(128.0));
        assert_eq!(
            vertex_color([255.0, 0.0, 128.0], 0.5),
            [65535, 0, 14146, 32768]
        );
        assert_eq!(vertex_color([f32::NAN; 3], f32::NAN), [0; 4]);
        for level in 0..=255_u8 {
            let levels = [level, 255 - level, level / 2];
            let made = vertex_color(levels.map(f32::from), 1.0);
            assert_eq!(vertex_color_of_levels(levels), made);
        }
    }
}
