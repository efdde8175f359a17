//! Seeds of each fuzz target.

use relicast::config;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::{anim, gamez, mechlib, rof, save};
use relicast_samples::everquest::music;
use relicast_samples::everquest::tables::{self as everquest_tables, LISTS, MAPS};
use relicast_samples::minimal::containers::{archives, libraries, maps, motions, saves, scripts};
use relicast_samples::minimal::eqg;
use relicast_samples::minimal::everquest::{self, EMITTERS, bitmaps};
use relicast_samples::minimal::media::{videos, waves};
use relicast_samples::minimal::readers::{binary_readers, text_readers};
use relicast_samples::minimal::textures::packages;
use relicast_samples::minimal::{animations, cabinets, discs, worlds};
use relicast_samples::{recoil_save, skies};

/// The seeds of every target.
pub fn all() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    vec![
        ("actors", behind(&[0, 0xE0], &everquest::scenes())),
        ("anim", containers()),
        ("avi", videos()),
        ("archive", archives()),
        (
            "config",
            vec![config::DEFAULT.into(), b"[run]\njobs = 2\n".to_vec()],
        ),
        ("convert", conversions()),
        ("everquest", scenes_with_settings()),
        ("cue", discs::sheets()),
        ("dds", behind(&[0, 0xE0], &bitmaps())),
        ("eff", behind(&[0, 0xE0], &[(0..168).collect(), Vec::new()])),
        ("eqg", later_files()),
        ("emt", behind(&[0, 0xE0], &[EMITTERS.to_vec()])),
        ("dls", vec![b"RIFF\x04\0\0\0DLS ".to_vec()]),
        ("gamez", game_worlds()),
        ("cabinet_microsoft", cabinets::microsoft().unwrap()),
        ("cabinet_zip", cabinets::zips().unwrap()),
        ("installshield", cabinets::installshield().unwrap()),
        ("interp", scripts()),
        ("iso9660", discs::images()),
        ("livery", liveries()),
        ("mechlib", mechs()),
        ("messages", libraries()),
        ("missions", crate::missions::seeds()),
        ("motion", motions()),
        ("pack", crate::packing::edits()),
        ("pack_documents", crate::edits::document_seeds()),
        ("pack_pictures", crate::edits::picture_seeds()),
        ("pack_scenes", crate::edits::scene_seeds()),
        ("pack_sounds", crate::edits::sound_seeds()),
        ("patch", crate::packing::patches()),
        ("pfs", everquest::archives()),
        (
            "pfs_damage",
            behind(&[3], &behind(&[0], &everquest::archives())),
        ),
        ("picture", bitmaps()),
        ("reader_binary", binary_readers()),
        ("reader_text", text_readers()),
        (
            "rof",
            vec![skies::resources().unwrap(), skies::patch().unwrap()],
        ),
        ("save", sections()),
        ("tables", tables()),
        ("texture", packages()),
        ("wave", waves()),
        ("wld", everquest::scenes()),
        ("xmidi", behind(&[0, 0xE0], &[music::songs().unwrap()])),
        ("zmap", maps()),
    ]
}

/// The liveries of the sample.
fn liveries() -> Vec<Vec<u8>> {
    let bytes = skies::resources().unwrap();
    let archive = rof::decode(&bytes).unwrap().value;
    let entries = archive.entries.iter();
    let liveries = entries.filter(|entry| entry.name.ends_with(".BM"));
    liveries
        .map(|entry| entry.extract().unwrap().value.into_owned())
        .collect()
}

/// Sections of saves of every game.
fn sections() -> Vec<Vec<u8>> {
    let mut all = saves();
    let sections = recoil_save::sections().into_iter();
    all.extend(sections.map(|(_, section)| save::encode(&section).unwrap()));
    all.push(skies::plane().unwrap());
    all
}

/// A table of each sort.
fn tables() -> Vec<Vec<u8>> {
    let list = |name: &str| {
        let mut all = LISTS.iter().filter(|(path, _)| path.ends_with(name));
        all.next().unwrap().1.to_vec()
    };
    let all = [
        everquest_tables::spells(4).unwrap(),
        everquest_tables::spell_sprites().unwrap(),
        everquest_tables::spell_stages(68).unwrap(),
        list("dbstr_us.txt"),
        list("spells_us.txt"),
        MAPS[0].1.to_vec(),
        list("sky.ini"),
    ];
    let seeds = (0_u8..).zip(all);
    seeds
        .flat_map(|(choice, seed)| behind(&[choice], &behind(&[0], &[seed])))
        .collect()
}

/// Each seed behind each of the bytes that choose settings.
fn behind(choices: &[u8], seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for &choice in choices {
        all.extend(seeds.iter().map(|seed| [&[choice], &**seed].concat()));
    }
    all
}

/// Files of the later client, each behind the byte that chooses what it is.
fn later_files() -> Vec<Vec<u8>> {
    let files = eqg::files().into_iter();
    let files = files.filter(|(name, _)| !name.ends_with(".dds"));
    files
        .map(|(name, bytes)| [&[crate::eqg_choice(name)], &*bytes].concat())
        .collect()
}

fn game_worlds() -> Vec<Vec<u8>> {
    let encode = |version| gamez::encode(&worlds::gamez(version)).expect("it fits");
    ZipperGame::ALL.map(encode).into()
}

fn containers() -> Vec<Vec<u8>> {
    let files = animations::files();
    let encoded = files
        .iter()
        .map(|file| anim::encode(file).expect("it fits"));
    encoded.collect()
}

/// Members of model libraries, each behind a byte that chooses kind and game.
fn mechs() -> Vec<Vec<u8>> {
    let mut all = vec![
        vec![0, 1, 0, 0, 0],
        vec![2, 27, 0, 0, 0],
        vec![2, 41, 0, 0, 0],
    ];
    let versions = [ZipperGame::MechWarrior3, ZipperGame::PiratesMoon];
    for (choice, version) in (0..).zip(versions) {
        let plain = mechlib::MechMaterial {
            record: worlds::material(None, version),
            ..mechlib::MechMaterial::default()
        };
        let materials = mechlib::encode_materials(&[plain], version).expect("it fits");
        all.push([&[4 | choice], &*materials].concat());
        let model = mechlib::encode_model(&worlds::mech(version), version).expect("it fits");
        all.push([&[6 | choice], &*model].concat());
    }
    all
}

/// Scenes, each behind a byte that chooses its name and settings.
fn scenes_with_settings() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for choice in [0, 1, 2, 3, 0xE0, 0xE1, 0xE2] {
        let seeds = everquest::scenes();
        all.extend(seeds.iter().map(|seed| [&[choice], &**seed].concat()));
    }
    all
}

/// The seeds of the other targets, each behind a byte that chooses its name and settings.
fn conversions() -> Vec<Vec<u8>> {
    let kinds = [
        archives(),
        packages(),
        scripts(),
        libraries(),
        waves(),
        maps(),
        text_readers(),
        vec![b"PFS ".to_vec()],
        motions(),
        [vec![b"MZ".to_vec()], game_worlds(), containers()].concat(),
        videos(),
    ];
    let mut all = Vec::new();
    for (choice, seeds) in (0_u8..).zip(kinds) {
        for settings in [0, 0xE0] {
            all.extend(seeds.iter().map(|seed| {
                let mut bytes = vec![choice | settings];
                bytes.extend(seed);
                bytes
            }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, resume_unwind};
    use std::time::{Duration, Instant};

    use super::*;

    fn check(target: &str) -> fn(&[u8]) {
        match target {
            "actors" => crate::actors,
            "anim" => crate::anim,
            "archive" => crate::archive,
            "avi" => crate::avi,
            "config" => crate::config,
            "convert" => crate::convert,
            "cue" => crate::discs::cue,
            "dds" => crate::dds,
            "eff" => crate::eff,
            "eqg" => crate::eqg,
            "emt" => crate::emt,
            "everquest" => crate::everquest,
            "dls" => crate::dls,
            "gamez" => crate::gamez,
            "cabinet_microsoft" => crate::cabinets::microsoft,
            "cabinet_zip" => crate::cabinets::zip,
            "installshield" => crate::cabinets::installshield,
            "interp" => crate::interp,
            "iso9660" => crate::discs::iso9660,
            "livery" => crate::livery,
            "mechlib" => crate::mechlib,
            "messages" => crate::messages,
            "missions" => crate::missions,
            "motion" => crate::motion,
            "pack" => crate::packing::edit,
            "pack_documents" => crate::edits::documents,
            "pack_pictures" => crate::edits::pictures,
            "pack_scenes" => crate::edits::scenes,
            "pack_sounds" => crate::edits::sounds,
            "patch" => crate::packing::patch,
            "pfs" => crate::pfs,
            "pfs_damage" => crate::pfs_damage,
            "picture" => crate::picture,
            "reader_binary" => crate::reader_binary,
            "reader_text" => crate::reader_text,
            "rof" => crate::rof,
            "save" => crate::save,
            "tables" => crate::tables,
            "texture" => crate::texture,
            "wave" => crate::wave,
            "wld" => crate::wld,
            "xmidi" => crate::xmidi,
            "zmap" => crate::zmap,
            other => panic!("no check for {other}"),
        }
    }

    #[test]
    fn every_seed_of_a_target_passes_its_check() {
        for (target, seeds) in all() {
            for seed in seeds {
                check(target)(&seed);
            }
        }
    }

    /// Words that counts, offsets and sizes go wrong with.
    const WORDS: [u32; 8] = [
        0,
        1,
        0x7F,
        0xFFFF,
        0x0001_0000,
        0x7FFF_FFFF,
        0x8000_0000,
        u32::MAX,
    ];

    /// A sequence of numbers that look random, the same on every machine (xorshift).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 >> 33).unwrap() % end.max(1)
        }
    }

    /// A seed with one to four changes: a word, a byte, a piece that is cut out or stands twice, an early end, a
    /// piece of another seed.
    fn mutated(numbers: &mut Numbers, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[numbers.below(seeds.len())].clone();
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(bytes.len());
            let length = numbers.below(64).min(bytes.len() - at);
            match numbers.below(7) {
                0 | 1 => {
                    let word = WORDS[numbers.below(WORDS.len())].to_le_bytes();
                    let room = bytes[at..].iter_mut();
                    room.zip(word).for_each(|(byte, new)| *byte = new);
                }
                2 => {
                    let new = u8::try_from(numbers.below(256)).unwrap();
                    bytes[at..].iter_mut().take(1).for_each(|byte| *byte = new);
                }
                3 => drop(bytes.drain(at..at + length)),
                4 => {
                    let twice = bytes[at..at + length].to_vec();
                    bytes.splice(at..at, twice);
                }
                5 => bytes.truncate(at),
                _ => {
                    let other = &seeds[numbers.below(seeds.len())];
                    let from = numbers.below(other.len());
                    let piece = other[from..].iter().take(length).copied();
                    bytes.splice(at..at + length, piece);
                }
            }
        }
        bytes
    }

    /// Some rounds of what fuzzing does, for machines without a nightly compiler. `RELICAST_FUZZ_SECONDS` asks for
    /// that long a target, `RELICAST_FUZZ_TARGETS` for some of them, with commas between their names.
    #[test]
    fn mutated_seeds_pass_their_checks() {
        const ROUNDS: usize = 200;
        // The slowest targets have fewer rounds then.
        const LONGEST: Duration = Duration::from_secs(5);
        let seconds = std::env::var("RELICAST_FUZZ_SECONDS").ok();
        let seconds = seconds.map(|seconds| Duration::from_secs(seconds.parse().unwrap()));
        let wanted = std::env::var("RELICAST_FUZZ_TARGETS").unwrap_or_default();
        let wanted: Vec<&str> = wanted.split(',').filter(|name| !name.is_empty()).collect();
        for (target, seeds) in all() {
            if !wanted.is_empty() && !wanted.contains(&target) {
                continue;
            }
            let (mut numbers, start) = (Numbers(0x9E37_79B9_7F4A_7C15), Instant::now());
            let mut rounds = 0;
            let goes_on = |rounds: usize| match seconds {
                Some(seconds) => start.elapsed() < seconds,
                None => rounds < ROUNDS && (start.elapsed() < LONGEST || rounds < 5),
            };
            while goes_on(rounds) {
                let bytes = mutated(&mut numbers, &seeds);
                if let Err(fault) = catch_unwind(|| check(target)(&bytes)) {
                    let path = std::env::temp_dir().join(format!("relicast-fuzz-{target}"));
                    std::fs::write(&path, &bytes).unwrap();
                    eprintln!("{target}: round {rounds}, the input is {}", path.display());
                    resume_unwind(fault);
                }
                rounds += 1;
            }
            if seconds.is_some() {
                eprintln!("{target}: {rounds} rounds");
            }
        }
    }

    /// Inputs that once broke a property: `regressions/TARGET/NAME`.
    #[test]
    fn every_regression_passes_its_check() {
        let root = env!("CARGO_MANIFEST_DIR");
        let root = std::path::Path::new(root.strip_suffix("/fuzz").unwrap_or(root));
        let mut seen = 0;
        for target in std::fs::read_dir(root.join("fuzz/regressions")).unwrap() {
            let target = target.unwrap();
            let check = check(target.file_name().to_str().unwrap());
            for input in std::fs::read_dir(target.path()).unwrap() {
                check(&std::fs::read(input.unwrap().path()).unwrap());
                seen += 1;
            }
        }
        assert!(seen > 0);
    }
}
