//! Frames of tracks: edits applied to both stored forms.

use super::curves::Part;
use crate::pack::edited::Refusal;
use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_formats::everquest::wld::{FloatFrame, PackedFrame};

/// Changes to a frame, in file axes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FrameEdit {
    pub translation: Option<[f64; 3]>,
    /// x, y, z, w.
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

impl FrameEdit {
    /// True if a part changes.
    pub(super) fn has(&self, part: Part) -> bool {
        match part {
            Part::Translation => self.translation.is_some(),
            Part::Rotation => self.rotation.is_some(),
            Part::Scale => self.scale.is_some(),
        }
    }

    /// Applies it to a frame of 16-bit numbers.
    ///
    /// # Errors
    /// A number is too large.
    pub(super) fn put_packed(&self, frame: &mut PackedFrame) -> Result<(), Refusal> {
        if let Some(translation) = self.translation {
            let raw = translation.map(|part| (part * 256.0).round());
            if raw.iter().any(|part| !(-32768.0..=32767.0).contains(part)) {
                refuse!("a bone is more than 128 units from its parent");
            }
            frame.translation = raw.map(|part| part as i16);
        }
        if let Some(rotation) = self.rotation {
            frame.rotation = packed_rotation(rotation, frame.rotation);
        }
        if let Some(scale) = self.even_scale()? {
            let raw = (scale * 256.0).round();
            if !(1.0..=32767.0).contains(&raw.abs()) {
                refuse!("scales must be from 1/256 to 128");
            }
            frame.scale = raw as i16;
        }
        Ok(())
    }

    /// The scale; both forms have one scale for all axes.
    fn even_scale(&self) -> Result<Option<f64>, Refusal> {
        let Some([x, y, z]) = self.scale else {
            return Ok(None);
        };
        let even = (x - y).abs().max((x - z).abs()) <= 1e-5 * x.abs().max(1e-3);
        match even {
            true => Ok(Some(x)),
            false => Err(refusal!("bones must be scaled equally along all axes")),
        }
    }

    /// Applies it to a frame of floats.
    ///
    /// # Errors
    /// The scale differs between axes.
    pub(super) fn put_float(&self, frame: &mut FloatFrame) -> Result<(), Refusal> {
        if let Some(translation) = self.translation {
            frame.translation = Vec3::from(translation.map(|part| part as f32));
        }
        if let Some(rotation) = self.rotation {
            let [x, y, z, w] = rotation.map(|part| F32(part as f32));
            frame.rotation = QuatWxyz { w, x, y, z };
        }
        if let Some(scale) = self.even_scale()? {
            frame.scale = F32(scale as f32);
        }
        Ok(())
    }
}

/// Converts a rotation x, y, z, w to w, x, y, z of length about 16384, with the sign of the stored one. Of the lengths
/// that rounding allows, it takes the one that is nearest to whole numbers.
fn packed_rotation([x, y, z, w]: [f64; 4], stored: [i16; 4]) -> [i16; 4] {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let unit = [w, x, y, z].map(|part| part / length.max(1e-12));
    let along: f64 = unit
        .iter()
        .zip(stored)
        .map(|(part, stored)| part * f64::from(stored))
        .sum();
    let sign = if along < 0.0 { -1.0 } else { 1.0 };
    let mut best = ([0.0; 4], f64::INFINITY);
    'lengths: for step in 0..=64_u8 {
        for side in [1.0, -1.0] {
            let long = sign * (16384.0 + side * f64::from(step) / 32.0);
            let raw = unit.map(|part| (part * long).round());
            let off = unit
                .iter()
                .zip(raw)
                .map(|(part, raw)| (part * long - raw).abs())
                .fold(0.0, f64::max);
            if off < best.1 {
                best = (raw, off);
            }
            // No nearer than the difference between lengths.
            if off < 0.018 {
                break 'lengths;
            }
        }
    }
    best.0.map(|part| part as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_find_their_whole_numbers_again() {
        for raw in [
            [16384, 0, 0, 0],
            [11585, 11585, 0, 0],
            [-8192, 8191, 8192, -8193],
            [15137, 6270, 0, 0],
            [0, 16384, 0, 0],
        ] {
            let frame = PackedFrame {
                rotation: raw,
                translation: [0; 3],
                scale: 256,
            };
            let [x, y, z, w] = frame.pose().rotation.map(f64::from);
            assert_eq!(packed_rotation([x, y, z, w], raw), raw);
            assert_eq!(packed_rotation([-x, -y, -z, -w], raw), raw);
        }
    }
}
