//! Tests of the manifest's provenance: the sources of an output, and the positions of their bytes.

use std::collections::BTreeSet;
use std::fs;

use relicast::asset::Game;
use relicast::config::{Config, SoundFormat};
use relicast::pipeline::report::manifest::{CONVERTER, Manifest, ManifestOutput, Packing};
use relicast::source::disc::sums::Pregap;

use crate::changes::Place;
use crate::{disc, files};

fn manifest(place: &Place) -> Manifest {
    let left = place.run("out");
    serde_json::from_slice(&left.files["manifest.json"]).unwrap()
}

/// Paths of the sources of an output, after its own file.
fn others<'a>(manifest: &'a Manifest, output: &ManifestOutput) -> BTreeSet<&'a str> {
    let paths = output
        .made_from
        .iter()
        .map(|&number| &*manifest.sources[number as usize].path);
    let (own, others): (Vec<_>, BTreeSet<_>) = {
        let mut paths = paths;
        (paths.next().into_iter().collect(), paths.collect())
    };
    assert_eq!(own, [&*output.source], "{}", output.path);
    others
}

fn output<'a>(manifest: &'a Manifest, path: &str) -> &'a ManifestOutput {
    let mut outputs = manifest.outputs.iter();
    let found = outputs.find(|output| output.path == path);
    found.unwrap_or_else(|| panic!("{path} is not in the manifest"))
}

#[test]
fn every_source_is_there_with_its_hash() {
    for game in super::GAMES {
        let files = files(game, 1).unwrap();
        let place = Place::new(&files, &Config::default(), Some(game));
        let manifest = manifest(&place);
        assert_eq!(manifest.sources.len(), files.len());
        for source in &manifest.sources {
            let file = files.iter().find(|file| file.path == source.path).unwrap();
            assert_eq!(source.blake3, blake3::hash(&file.bytes).to_hex().as_str());
            assert_eq!(source.size, file.bytes.len() as u64);
        }
        assert_eq!(manifest.converter, CONVERTER);
        let settings = &manifest.settings[&manifest.config_digest];
        assert_eq!(settings["sounds"]["format"], "wav");
        assert!(settings.get("stages").is_none() && settings["run"].get("jobs").is_none());
    }
}

#[test]
fn outputs_name_all_that_they_were_made_from() {
    let place = Place::new(
        &files(Game::Mw, 1).unwrap(),
        &Config::default(),
        Some(Game::Mw),
    );
    let manifest = manifest(&place);
    let models = manifest.outputs.iter();
    let model = models
        .filter(|output| output.path.starts_with("models/zbd/mechlib/"))
        .find(|output| output.path.ends_with(".gltf"))
        .unwrap();
    let needed = [
        "Mech3Msg.dll",
        "zbd/c1/rtexture3.zbd",
        "zbd/motion.zbd",
        "zbd/reader.zbd",
        "zbd/rmechtex.zbd",
    ];
    let found = others(&manifest, model);
    assert!(needed.iter().all(|path| found.contains(path)), "{found:?}");
    let scene = fs::read(place.path("out").join(&model.path)).unwrap();
    let scene: serde_json::Value = serde_json::from_slice(&scene).unwrap();
    let generator = concat!("relicast ", env!("CARGO_PKG_VERSION"));
    assert_eq!(scene["asset"]["generator"], generator);
    assert!(others(&manifest, output(&manifest, "animations/zbd/motion.json")).is_empty());
    let index = others(&manifest, output(&manifest, "animations/zbd/c1/anim.json"));
    assert!(index.contains("zbd/soundsH.zbd") && index.contains("zbd/c1/gamez.zbd"));
}

#[test]
fn deflated_ranges_are_distinguished_from_plain_ones() {
    let files = files(Game::Eq, 1).unwrap();
    let place = Place::new(&files, &Config::default(), Some(Game::Eq));
    let manifest = manifest(&place);
    let mut packed = 0;
    for output in &manifest.outputs {
        let file = files
            .iter()
            .find(|file| file.path == output.source)
            .unwrap();
        let start = usize::try_from(output.range.start).unwrap();
        if output.packing == Packing::Zlib {
            // Each block has two sizes before its stream, which has the usual window size.
            assert_eq!(file.bytes[start + 8], 0x78, "{}", output.path);
            packed += 1;
        }
    }
    assert!(packed > 10 && packed < manifest.outputs.len());
}

/// Checks that the bytes of a range are at the offset of the manifest.
#[test]
fn places_on_a_disc_hold_the_bytes() {
    let image = disc::files().unwrap();
    let bytes_of = |path: &str| {
        let mut files = image.iter();
        &*files.find(|file| file.path == path).unwrap().bytes
    };
    let install = files(Game::Mw, 1).unwrap();
    for pregap in [Pregap::Drop, Pregap::Prepend] {
        let mut config = Config::default();
        config.music.format = SoundFormat::Wav;
        config.music.pregap = pregap;
        let place = Place::new(&image, &config, None);
        let manifest = manifest(&place);
        let (mut data, mut music) = (0, 0);
        for output in &manifest.outputs {
            let Some(found) = &output.disc else {
                let of_disc = output.path.ends_with("sample disc.json");
                assert!(of_disc, "{} has no place", output.path);
                continue;
            };
            assert!(others(&manifest, output).contains(&*found.image));
            // Without the sheet, the positions of the tracks are unknown.
            let mut inputs = others(&manifest, output);
            inputs.insert(&output.source);
            assert!(inputs.contains("Sample Disc.cue"), "{}", output.path);
            let image = bytes_of(&found.image);
            let length = usize::try_from(output.range.end - output.range.start).unwrap();
            let at = usize::try_from(found.offset).unwrap();
            let (stride, user) = (found.sector_bytes, found.data_bytes);
            if stride == user {
                let wave = fs::read(place.path("out").join(&output.path)).unwrap();
                assert!(wave.ends_with(&image[at..at + length]), "{}", output.path);
                music += 1;
                continue;
            }
            let inside = install
                .iter()
                .find(|file| output.source.ends_with(&*file.path))
                .unwrap();
            let range = usize::try_from(output.range.start).unwrap()..;
            let expected = &inside.bytes[range][..length];
            // The rest of the first sector, then whole ones.
            let lead = output.range.start % user;
            let mut left = expected;
            let (mut offset, mut room) = (found.offset, user - lead);
            assert_eq!(found.offset / stride, found.sector);
            while !left.is_empty() {
                let count = left.len().min(usize::try_from(room).unwrap());
                let start = usize::try_from(offset).unwrap();
                assert_eq!(
                    &image[start..start + count],
                    &left[..count],
                    "{}",
                    output.path
                );
                left = &left[count..];
                offset += room + (stride - user);
                room = user;
            }
            data += 1;
        }
        assert!(data > 10 && music == 2, "{data} {music}");
    }
}

#[test]
fn a_source_that_changed_is_kept_for_what_was_made_from_it_before() {
    let files = files(Game::Mw, 1).unwrap();
    let mut place = Place::new(&files, &Config::default(), Some(Game::Mw));
    let before = manifest(&place);
    let old = |manifest: &Manifest| {
        let found = output(manifest, "animations/zbd/motion.json");
        manifest.sources[found.made_from[0] as usize].clone()
    };
    let first = old(&before);
    let motions = files.iter().find(|file| file.path == "zbd/motion.zbd");
    let mut changed = motions.unwrap().bytes.clone();
    // In the data of the first member, because the table is at the end.
    changed[8] ^= 1;
    place.write("zbd/motion.zbd", &changed);
    place.only = vec!["zbd/interp.zbd".to_owned()];
    let after = manifest(&place);
    assert_eq!(
        old(&after),
        first,
        "the output is as it was, and so is its source"
    );
}
