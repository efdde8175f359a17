//! Containers of very many small files in the shape of a MechWarrior 3 install, for benchmarks: sounds, readers and
//! motions of some kilobytes each, and installs with any number of outputs.

use relicast::formats::codec::Blob;
use relicast::formats::riff::{self, Format, Wave};

use crate::pack::Pack;
use crate::random::Random;
use crate::{Outcome, SampleFile, data, motion, tone};

/// Number of members of each container at scale 1: 17,657 in total, with 103 MB.
const SOUNDS: f64 = 9600.0;
const TABLES: f64 = 6800.0;
const MOTIONS: f64 = 1257.0;

/// Rows of a table: about 6 KB.
const ROWS: u64 = 62;

/// Containers of small files; at a `scale` of 1 about 103 MB with 17,657 members.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn containers(scale: f64) -> Outcome<Vec<SampleFile>> {
    let count = |whole: f64| (whole * scale).round().max(1.0) as u64;
    let mut files = Vec::new();
    let mut add = |path: &str, bytes: Vec<u8>| {
        files.push(SampleFile {
            path: path.to_owned(),
            bytes,
        });
    };
    let mut sounds = Pack::new("sounds");
    for number in 0..count(SOUNDS) {
        sounds.add(&format!("effect_{number:05}.wav"), sound(number)?)?;
    }
    add("zbd/soundsH.zbd", sounds.finish()?);
    let mut tables = Pack::new("reader");
    for number in 0..count(TABLES) {
        tables.add(&format!("table_{number:05}.zrd"), table(number, ROWS)?)?;
    }
    add("zbd/reader.zbd", tables.finish()?);
    let mut motions = Pack::new("motion");
    for number in 0..count(MOTIONS) {
        let name = format!("walker{:02}_{number:04}", number % 20);
        motions.add(&name, motion::file(&name, 32, &motion::PARTS)?)?;
    }
    add("zbd/motion.zbd", motions.finish()?);
    add("zbd/interp.zbd", data::scripts(&["SET title Bench"], None)?);
    Ok(files)
}

/// A sound of 1 to 8 KB.
fn sound(number: u64) -> Outcome<Vec<u8>> {
    let mut random = Random::new(number);
    let frames = 512 * (1 + random.below(8) as usize);
    let samples = tone::burst(&mut random, frames);
    let data = Blob::from(tone::words(&samples));
    let wave = Wave::new(&Format::pcm(1, 22_050, 16), vec![], data);
    Ok(riff::encode(&wave.ok_or("sound too long")?)?)
}

fn table(number: u64, rows: u64) -> Outcome<Vec<u8>> {
    let mut random = Random::new(number);
    let mut source_text = String::from("(");
    for row in 0..rows {
        source_text.push_str(&format!(
            "ROW ({row} POSITION ({}.5 {}.25 -1.0) MODEL part_{:03} HEALTH {}) ",
            random.between(-2000, 2000),
            random.between(0, 300),
            random.below(500),
            random.between(1, 100),
        ));
    }
    source_text.push(')');
    data::reader(&source_text)
}

/// Number of members of one container of [`many`].
pub const MANY: u32 = 1000;

/// Creates containers of [`MANY`] small tables each; each table becomes a document.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn many(containers: u32) -> Outcome<Vec<SampleFile>> {
    let mut files = vec![SampleFile {
        path: "zbd/interp.zbd".to_owned(),
        bytes: data::scripts(&["SET title Bench"], None)?,
    }];
    for container in 0..containers {
        let mut tables = Pack::new("reader");
        for member in 0..MANY {
            let number = u64::from(container) << 32 | u64::from(member);
            tables.add(&format!("table_{member:04}.zrd"), table(number, 2)?)?;
        }
        files.push(SampleFile {
            path: format!("zbd/c{container}/reader.zbd"),
            bytes: tables.finish()?,
        });
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast::formats::zipper::archive;

    fn members(file: &SampleFile) -> usize {
        archive::decode(&file.bytes).unwrap().value.entries.len()
    }

    #[test]
    fn a_small_one_has_members_in_every_container() {
        let files = containers(0.01).unwrap();
        let counts: Vec<usize> = files[..3].iter().map(members).collect();
        assert_eq!(counts, [96, 68, 13]);
    }

    #[test]
    fn containers_of_many_outputs_differ() {
        let files = many(2).unwrap();
        assert_eq!(files.len(), 3);
        assert_eq!(members(&files[1]), MANY as usize);
        assert_ne!(files[1].bytes, files[2].bytes);
    }
}
