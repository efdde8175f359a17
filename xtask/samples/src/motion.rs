//! Motions: a walk of a few parts, as unit quaternions and meters.

use relicast::formats::codec::{self, F32, QuatWxyz, Vec3};
use relicast::formats::zipper::motion::{Header, Motion, Part, PartFlags};

use crate::Outcome;
use crate::random::Random;

/// Parts of the sample 'mechs.
pub const PARTS: [&str; 11] = [
    "hip", "torso", "lthigh", "rthigh", "lcalf", "rcalf", "head", "larm", "rarm", "lfoot", "rfoot",
];

/// Joint position of a part, relative to the part above it.
pub fn rest(part: &str) -> Option<[f32; 3]> {
    let places = [
        [0.0, 4.25, 0.0],
        [0.0, 0.25, 0.0],
        [-0.75, 0.0, 0.0],
        [0.75, 0.0, 0.0],
        [0.0, -2.0, 0.0],
        [0.0, -2.0, 0.0],
        [0.0, 2.0, 0.0],
        [-1.5, 1.5, 0.0],
        [1.5, 1.5, 0.0],
        [0.0, -2.0, 0.0],
        [0.0, -2.0, 0.0],
    ];
    let mut parts = PARTS.iter().zip(places);
    parts
        .find(|(name, _)| **name == part)
        .map(|(_, place)| place)
}

/// Encodes a motion of `frames` frames for the parts called `names`.
pub fn file(seed: &str, frames: u32, names: &[&'static str]) -> Outcome<Vec<u8>> {
    let mut random = Random::named(seed);
    let parts = names.iter().map(|name| part(name, frames, &mut random));
    Ok(codec::encode(&Motion {
        header: Header {
            version: 4,
            loop_time: F32(frames as f32 / 16.0),
            frame_count: frames,
            part_count: 0,
            unk16: F32(-1.0),
            unk20: F32(1.0),
        },
        parts: parts.collect(),
        ..Motion::default()
    })?)
}

fn part(name: &'static str, frames: u32, random: &mut Random) -> Part<'static> {
    let rest = rest(name).unwrap_or([0.0; 3]);
    let sway = random.unit() * 0.5;
    // Limbs swing to the front and back, which is about x.
    let axis = match name {
        "hip" | "torso" | "head" => random.below(3) as usize,
        _ => 0,
    };
    let lag = random.unit();
    let (mut translations, mut rotations) = (Vec::new(), Vec::new());
    for frame in 0..=frames {
        // The last sample closes the loop: it equals the first.
        let phase = swing((frame % frames) as f32 / frames as f32 + lag);
        let mut place = rest;
        place[1] += phase * sway * 0.25;
        translations.push(Vec3::from(place));
        let mut turn = [0.0_f32; 3];
        turn[axis] = phase * sway;
        rotations.push(unit(turn));
    }
    Part {
        name: name.as_bytes().to_vec().into(),
        flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
        translations,
        rotations,
    }
}

/// One swing back and forth in a period of 1, as parabolas from -1 to 1.
fn swing(phase: f32) -> f32 {
    let phase = phase - phase.floor();
    let half = (phase * 2.0) % 1.0;
    let bow = 4.0 * half * (1.0 - half);
    if phase < 0.5 { bow } else { -bow }
}

/// The unit quaternion with this vector part, which must be shorter than 1.
fn unit([x, y, z]: [f32; 3]) -> QuatWxyz {
    let w = (1.0 - x * x - y * y - z * z).sqrt();
    QuatWxyz {
        w: F32(w),
        x: F32(x),
        y: F32(y),
        z: F32(z),
    }
}
