//! A whole EverQuest install, for benchmarks: zones, archives of pictures and of sounds, as many members as an install
//! of 1999 has, and content that compresses about like a game's.

use std::path::Path;

use relicast::formats::codec::{Blob, Bytes};
use relicast::formats::everquest::texture::bmp::{self, Bmp, BmpHeader, InfoHeader};
use relicast::formats::riff::{self, Format, Wave};

use crate::random::Random;
use crate::texture::Shared;
use crate::{Outcome, SampleFile, bulk, terrain, tone, write_files};

/// Number of archives of each kind at scale 1.
const ZONES: f64 = 70.0;
const PICTURES: f64 = 200.0;
const SOUNDS: f64 = 20.0;

/// Regions and trees of a zone: about 4 MB of scenes.
const REGIONS: usize = 1900;
const TREES: usize = 800;

/// Number of members of an archive of pictures, and of one of sounds.
const MEMBERS: u64 = 160;
const NOISES: u64 = 450;

/// Writes the install to `folder`; a `scale` of 1 gives 360 archives with 41,000 members.
///
/// # Errors
/// A file cannot be written, or a value does not fit its format (a fault of this program).
pub fn write(folder: &Path, scale: f64) -> Outcome {
    let count = |whole: f64| (whole * scale).round().max(1.0) as u64;
    let archive = |path: String, members: &[(String, Vec<u8>)]| -> Outcome<SampleFile> {
        let bytes = terrain::archive(members)?;
        Ok(SampleFile { path, bytes })
    };
    for number in 0..count(ZONES) {
        let name = format!("zone{number:03}");
        // Sizes from one half to three halves.
        let regions = REGIONS / 2 + (number as usize * 7919) % REGIONS;
        write_files(
            folder,
            &terrain::named_zone(&name, regions, TREES)?.archives,
        )?;
    }
    for number in 0..count(PICTURES) {
        let members: Vec<(String, Vec<u8>)> = (0..MEMBERS)
            .map(|member| {
                let size = [64, 64, 128, 64, 32, 64, 64, 128][member as usize % 8];
                let seed = number << 32 | member;
                Ok((format!("skin{member:04}.bmp"), picture(seed, size)?))
            })
            .collect::<Outcome<_>>()?;
        let name = format!("pictures{number:03}.s3d");
        write_files(folder, &[archive(name, &members)?])?;
    }
    for number in 0..count(SOUNDS) {
        let members: Vec<(String, Vec<u8>)> = (0..NOISES)
            .map(|member| {
                Ok((
                    format!("noise{member:04}.wav"),
                    noise(number << 32 | member)?,
                ))
            })
            .collect::<Outcome<_>>()?;
        let name = format!("snd{number}.pfs");
        write_files(folder, &[archive(name, &members)?])?;
    }
    Ok(())
}

/// A bitmap of 8 bits per texel; all palettes are equal.
fn picture(seed: u64, size: u16) -> Outcome<Vec<u8>> {
    let picture = bulk::scenery(seed, size);
    let palette = (0..=255).map(|index| {
        let [red, green, blue] = Shared::Cube.color(index);
        [blue, green, red, 0]
    });
    let rows = picture
        .texels
        .iter()
        .map(|&texel| Shared::Cube.index(texel));
    let file = Bmp {
        header: BmpHeader {
            magic: Bytes(*b"BM"),
            pixel_offset: 54 + 4 * 256,
            ..BmpHeader::default()
        },
        info: InfoHeader {
            header_size: 40,
            width: i32::from(size),
            height: i32::from(size),
            planes: 1,
            bits: 8,
            ..InfoHeader::default()
        },
        palette: palette.collect(),
        rows: rows.collect::<Vec<u8>>().into(),
        ..Bmp::default()
    };
    Ok(bmp::encode(&file)?)
}

fn noise(seed: u64) -> Outcome<Vec<u8>> {
    let mut random = Random::new(seed);
    let frames = 2048 * (1 + random.below(4) as usize);
    let samples = tone::burst(&mut random, frames);
    let data = Blob::from(tone::words(&samples));
    let wave = Wave::new(&Format::pcm(1, 22_050, 16), vec![], data);
    Ok(riff::encode(&wave.ok_or("sound too long")?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast::formats::everquest::pfs;

    #[test]
    fn a_small_one_has_an_archive_of_each_kind() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), 0.001).unwrap();
        let mut names: Vec<String> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let expected = [
            "pictures000.s3d",
            "snd0.pfs",
            "zone000.s3d",
            "zone000_obj.s3d",
        ];
        assert_eq!(names, expected);
        let bytes = std::fs::read(folder.path().join("pictures000.s3d")).unwrap();
        let archive = pfs::decode(&bytes).unwrap().value;
        assert_eq!(archive.entries.len() as u64, MEMBERS);
        let first = archive.entries[0].extract().unwrap().value;
        assert!(first.starts_with(b"BM"));
    }
}
