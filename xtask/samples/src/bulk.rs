//! Many megabytes in the shape of a MechWarrior 3 install, for benchmarks: content that compresses
//! like a game's, neither noise nor plain color.

use relicast::formats::codec::Blob;
use relicast::formats::riff::{self, Format, Wave};

use crate::Outcome;
use crate::pack::Pack;
use crate::picture::Picture;
use crate::random::{Random, mix};
use crate::texture::{self, Texture};
use crate::{SampleFile, data, motion, tone};

/// Half a megabyte, the unit of size of the sample.
const GRAIN: f64 = 524_288.0;

/// Files of about `megabytes` in total: two fifths sounds, half textures of every kind, and readers
/// and motions.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn files(megabytes: f64) -> Outcome<Vec<SampleFile>> {
    let grains = |share: f64| ((megabytes * share * 1_048_576.0 / GRAIN).round() as u32).max(1);
    let mut files = Vec::new();
    let mut add = |path: &str, bytes: Vec<u8>| {
        files.push(SampleFile {
            path: path.to_owned(),
            bytes,
        });
    };
    add("zbd/soundsH.zbd", sounds(grains(0.28), 16)?);
    add("zbd/soundsL.zbd", sounds(grains(0.12), 8)?);
    add(
        "zbd/c1/rtexture3.zbd",
        textures(1, grains(0.14), Kind::Direct)?,
    );
    add(
        "zbd/c2/rtexture3.zbd",
        textures(2, grains(0.14), Kind::Direct)?,
    );
    add(
        "zbd/c1/texture.zbd",
        textures(3, grains(0.12), Kind::Indexed)?,
    );
    add("zbd/rimage.zbd", textures(4, grains(0.12), Kind::Blended)?);
    add("zbd/reader.zbd", readers(grains(0.04))?);
    add("zbd/motion.zbd", motions(grains(0.04))?);
    add("zbd/interp.zbd", data::scripts(&["SET title Bench"], None)?);
    Ok(files)
}

fn sounds(grains: u32, bits: u16) -> Outcome<Vec<u8>> {
    let mut pack = Pack::new("sounds");
    // Sixteen lengths, 32 KB on average.
    for number in 0..grains * 16 {
        let mut random = Random::new(u64::from(number));
        let bytes = 8192 * (1 + random.below(7) as usize);
        let frames = bytes / usize::from(bits / 8);
        let mut samples = tone::burst(&mut random, frames);
        let pitch = 20 + random.below(200) as usize;
        for (index, sample) in samples.iter_mut().enumerate() {
            let hum = (index % pitch * 4000 / pitch) as i16 - 2000;
            *sample = (*sample / 8).saturating_add(hum);
        }
        let data = match bits {
            16 => tone::words(&samples),
            _ => samples.iter().map(|&s| ((s >> 8) + 128) as u8).collect(),
        };
        let wave = Wave::new(&Format::pcm(1, 22_050, bits), vec![], Blob::from(data));
        let wave = riff::encode(&wave.ok_or("sound too long")?)?;
        pack.add(&format!("effect_{number:05}.wav"), wave)?;
    }
    pack.finish()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Direct,
    Indexed,
    Blended,
}

fn textures(seed: u32, grains: u32, kind: Kind) -> Outcome<Vec<u8>> {
    let bytes_per_texel = match kind {
        Kind::Direct => 2,
        Kind::Indexed => 1,
        Kind::Blended => 3,
    };
    let mut textures = Vec::new();
    let mut left = i64::from(grains) * GRAIN as i64;
    for number in 0_u32.. {
        let room = |size: u16| left >= i64::from(size) * i64::from(size) * bytes_per_texel;
        if !room(64) {
            break;
        }
        // Mostly small ones, as in the games: 64 to 512 texels.
        let wanted = [64, 128, 64, 256, 128, 64, 512, 256][number as usize % 8];
        let size = if room(wanted) { wanted } else { 64 };
        left -= i64::from(size) * i64::from(size) * bytes_per_texel;
        let seed = u64::from(seed) << 32 | u64::from(number);
        let picture = scenery(seed, size);
        let name = format!("scene_{number:05}");
        textures.push(match kind {
            Kind::Direct => Texture::direct(&name, &picture),
            Kind::Indexed => Texture::indexed(&name, &picture),
            Kind::Blended => Texture::direct(&name, &picture).blended(|x, y| {
                let edge = x.min(y).min(size - 1 - x).min(size - 1 - y);
                (edge * 12).min(255) as u8
            }),
        });
    }
    texture::file(&[], textures)
}

/// A surface like those of the time: soft blotches in a few hues, panels with dark seams,
/// and a little grain.
pub(crate) fn scenery(seed: u64, size: u16) -> Picture {
    let mut random = Random::new(seed);
    let base: [u8; 3] = random.bytes::<3>().map(|byte| byte / 2 + 40);
    let tint: [i32; 3] = std::array::from_fn(|_| random.between(40, 120));
    let panel = 16 << random.below(3);
    let grain_seed = random.bits();
    Picture::paint(size, size, |x, y| {
        let seam = x % panel == 0 || y % panel == 0;
        let light = x % panel == 1 || y % panel == 1;
        let blotch = (soft(seed, x, y, 5) * 3 + soft(seed ^ 1, x, y, 3)) / 4;
        let grain = (mix(grain_seed ^ u64::from(x) << 16 ^ u64::from(y)) & 7) as i32;
        std::array::from_fn(|channel| {
            let tinted = (blotch * tint[channel]) >> 8;
            let mut value = i32::from(base[channel]) + tinted + grain - 4;
            if seam {
                value /= 2;
            } else if light {
                value += 24;
            }
            value.clamp(0, 255) as u8
        })
    })
}

/// Smooth noise from 0 to 255 between random values on a grid of 2^`scale` texels.
fn soft(seed: u64, x: u16, y: u16, scale: u32) -> i32 {
    let corner = |right: u16, down: u16| {
        let (column, row) = ((x >> scale) + right, (y >> scale) + down);
        (mix(seed ^ u64::from(column) << 20 ^ u64::from(row) << 40) & 0xFF) as i32
    };
    let mask = (1_u16 << scale) - 1;
    let (across, down) = (i32::from(x & mask), i32::from(y & mask));
    let blend = |from: i32, to: i32, step: i32| from + (((to - from) * step) >> scale);
    blend(
        blend(corner(0, 0), corner(1, 0), across),
        blend(corner(0, 1), corner(1, 1), across),
        down,
    )
}

fn readers(grains: u32) -> Outcome<Vec<u8>> {
    let mut pack = Pack::new("reader");
    let mut left = i64::from(grains) * GRAIN as i64;
    for number in 0_u32.. {
        if left <= 0 {
            break;
        }
        let mut source_text = String::from("(");
        for row in 0..200 {
            let mut random = Random::new(u64::from(number) << 16 | row);
            source_text.push_str(&format!(
                "ROW ({row} POSITION ({}.5 {}.25 -1.0) MODEL part_{:03} HEALTH {}) ",
                random.between(-2000, 2000),
                random.between(0, 300),
                random.below(500),
                random.between(1, 100),
            ));
        }
        source_text.push(')');
        let bytes = data::reader(&source_text)?;
        left -= bytes.len() as i64;
        pack.add(&format!("table_{number:04}.zrd"), bytes)?;
    }
    pack.finish()
}

fn motions(grains: u32) -> Outcome<Vec<u8>> {
    let mut pack = Pack::new("motion");
    let mut left = i64::from(grains) * GRAIN as i64;
    for number in 0_u32.. {
        if left <= 0 {
            break;
        }
        let name = format!("walker{:02}_{number:03}", number % 20);
        let bytes = motion::file(&name, 120, &motion::PARTS)?;
        left -= bytes.len() as i64;
        pack.add(&name, bytes)?;
    }
    pack.finish()
}
