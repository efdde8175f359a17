//! Sounds edited as Ogg Vorbis files, and music.

use relicast_testing::test;
use std::fs;
use std::num::NonZeroU16;

use relicast::asset::{AssetKind, Game};
use relicast::config::SoundFormat;
use relicast::emit::ogg::encode_ogg;
use relicast::pack::pack;
use relicast::scene::{Samples, Sound};

use crate::place::Place;

/// The rate of a file, and its samples as 16 bits.
fn stored(bytes: &[u8]) -> (u32, u16, u16, usize) {
    let wave = relicast::formats::riff::decode(bytes).unwrap().value;
    let format = wave.format().unwrap();
    let length = wave.data().unwrap().payload.len();
    (
        format.header.rate,
        format.header.channels,
        format.header.bits,
        length,
    )
}

#[test]
fn sounds_edited_as_ogg_are_packed_in_the_coding_that_they_had() {
    let mut forms = 0;
    for game in [Game::Rc, Game::Eq] {
        let place = Place::empty();
        let files = relicast_samples::files(game, 1).unwrap();
        relicast_samples::write_files(&place.path("install"), &files).unwrap();
        place.convert_with("install", "out", |config| {
            config.sounds.format = SoundFormat::Ogg;
        });
        let mut edited = place.outputs(|output| {
            output.kind == AssetKind::Sounds
                && output.path.ends_with(".ogg")
                && output.member.is_some()
        });
        edited.truncate(6);
        assert!(!edited.is_empty());
        // A rising tone, of another rate and length.
        let samples: Vec<u8> = (0..9000_i32)
            .flat_map(|at| (((at * at / 3000) % 200 - 100) * 90).to_le_bytes()[..2].to_vec())
            .collect();
        let sound = Sound::new(NonZeroU16::MIN, 16_000, Samples::I16Le(samples.into()));
        let ogg = encode_ogg(&sound, &[]).unwrap();
        for output in &edited {
            place.edit(&output.path, |_| ogg.clone());
        }
        let packed = pack(&place.request()).unwrap();
        assert_eq!(packed.refused, []);
        assert_eq!(packed.edits.len(), edited.len());
        for edit in &packed.edits {
            assert!(
                edit.rounding.as_deref().unwrap().contains("Ogg Vorbis"),
                "{edit:?}"
            );
        }
        // As WAV, before and after.
        place.convert_packed_with(|config| config.sounds.format = SoundFormat::Wav);
        place.convert_with("install", "before", |config| {
            config.sounds.format = SoundFormat::Wav
        });
        for output in &edited {
            let path = output.path.replace(".ogg", ".wav");
            let read = |folder: &str| fs::read(place.path(folder).join(&path)).unwrap();
            let (before, after) = (stored(&read("before")), stored(&read("after")));
            // The form of the game's file stays.
            let form = |it: (u32, u16, u16, usize)| (it.0, it.1, it.2);
            assert_eq!(form(after), form(before), "{path}");
            let bytes = usize::from(after.2 / 8 * after.1);
            let frames = 9000 * after.0 as usize / 16_000;
            let found = after.3 / bytes;
            assert!(found >= frames && found < frames + 1100, "{path}: {found}");
            forms += usize::from(after.2);
        }
        // No sound at all.
        place.edit(&edited[0].path, |_| b"OggS and nothing".to_vec());
        let refused = pack(&place.request()).unwrap().refused;
        assert!(
            refused[0]
                .1
                .to_string()
                .contains("not a readable Ogg Vorbis"),
            "{refused:?}"
        );
    }
    assert!(forms > 0);
}

#[test]
fn music_that_is_copied_is_packed_as_itself_and_made_music_is_refused() {
    let place = Place::of(Game::Eq);
    let copied = place.outputs(|output| output.path.ends_with(".mp3"));
    place.edit(&copied[0].path, |mut bytes| {
        bytes.extend([0; 64]);
        bytes
    });
    let packed = place.pack();
    let (file, _) = &packed.files[0];
    let read = |path| fs::read(place.path(path)).unwrap();
    assert!(read(format!("mod/{file}").as_str()) == read(&format!("out/{}", copied[0].path)));
    let made = place.outputs(|output| output.path.ends_with(".mid"));
    place.edit(&made[0].path, |mut bytes| {
        bytes.push(0);
        bytes
    });
    let refused = pack(&place.request()).unwrap().refused;
    assert!(refused[0].1.to_string().contains("notes"), "{refused:?}");
}
