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
        ("eqg", eqg_files()),
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
        ("missions", super::missions::seeds()),
        ("motion", motions()),
        ("pack", super::packing::edits()),
        ("pack_documents", super::edits::document_seeds()),
        ("pack_pictures", super::edits::picture_seeds()),
        ("pack_scenes", super::edits::scene_seeds()),
        ("pack_sounds", super::edits::sound_seeds()),
        ("patch", super::packing::patches()),
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

/// A table of each type.
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

/// Each seed after each of the bytes that select settings.
fn behind(choices: &[u8], seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for &choice in choices {
        all.extend(seeds.iter().map(|seed| [&[choice], &**seed].concat()));
    }
    all
}

/// Files in the EQG format, each after the byte that selects its type.
fn eqg_files() -> Vec<Vec<u8>> {
    let files = eqg::files().into_iter();
    let files = files.filter(|(name, _)| !name.ends_with(".dds"));
    files
        .map(|(name, bytes)| [&[super::eqg_choice(name)], &*bytes].concat())
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

/// Members of model libraries, each after a byte that selects kind and game.
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

/// Scenes, each after a byte that selects its name and settings.
fn scenes_with_settings() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for choice in [0, 1, 2, 3, 0xE0, 0xE1, 0xE2] {
        let seeds = everquest::scenes();
        all.extend(seeds.iter().map(|seed| [&[choice], &**seed].concat()));
    }
    all
}

/// Seeds of the other targets, each after a byte that selects its name and settings.
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
