//! Sounds as sound editors save them: any rate, depth and number of channels gets the form of the game's file.

use relicast_testing::test;
use std::fs;

use hound::{SampleFormat, WavSpec, WavWriter};
use relicast::asset::{AssetKind, Game};
use relicast::pack::pack;
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::GAMES;

use crate::place::Place;

/// Seconds of the edited sounds.
const SECONDS: f64 = 0.4;

/// A tone of half of full scale at a moment.
fn tone(seconds: f64) -> f64 {
    0.5 * (std::f64::consts::TAU * 330.0 * seconds).sin()
}

/// The tone in a WAV of this form, in all channels.
fn saved(channels: u16, rate: u32, bits: u16, format: SampleFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let spec = WavSpec {
        channels,
        sample_rate: rate,
        bits_per_sample: bits,
        sample_format: format,
    };
    let mut writer = WavWriter::new(&mut bytes, spec).unwrap();
    for frame in 0..(f64::from(rate) * SECONDS) as u32 {
        let sample = tone(f64::from(frame) / f64::from(rate));
        for _ in 0..channels {
            match format {
                SampleFormat::Float => writer.write_sample(sample as f32).unwrap(),
                SampleFormat::Int => {
                    let full = 2_f64.powi(i32::from(bits) - 1);
                    writer.write_sample((sample * full) as i32).unwrap();
                }
            }
        }
    }
    writer.finalize().unwrap();
    bytes.into_inner()
}

/// Form and samples, from -1 to 1.
fn read(bytes: &[u8]) -> (WavSpec, Vec<f64>) {
    let reader = hound::WavReader::new(bytes).unwrap();
    let spec = reader.spec();
    let full = 2_f64.powi(i32::from(spec.bits_per_sample) - 1);
    let samples = reader.into_samples::<i32>();
    (
        spec,
        samples.map(|it| f64::from(it.unwrap()) / full).collect(),
    )
}

fn sounds(place: &Place) -> Vec<ManifestOutput> {
    place.outputs(|output| {
        output.kind == AssetKind::Sounds && output.path.ends_with(".wav") && output.member.is_some()
    })
}

const FORMS: [(u16, u32, u16, SampleFormat); 9] = [
    (1, 48_000, 24, SampleFormat::Int),
    (2, 44_100, 32, SampleFormat::Float),
    (1, 96_000, 32, SampleFormat::Int),
    (2, 22_050, 16, SampleFormat::Int),
    (1, 8_000, 8, SampleFormat::Int),
    (6, 48_000, 24, SampleFormat::Int),
    (1, 22_050, 24, SampleFormat::Int),
    (1, 11_025, 32, SampleFormat::Float),
    (4, 32_000, 16, SampleFormat::Int),
];

#[test]
fn sounds_of_every_form_get_the_form_of_the_game_file_and_keep_their_tone() {
    for game in GAMES {
        let place = Place::of(game);
        let edited = sounds(&place);
        for (number, output) in edited.iter().enumerate() {
            let (channels, rate, bits, format) = FORMS[number % FORMS.len()];
            place.edit(&output.path, |_| saved(channels, rate, bits, format));
        }
        let packed = place.pack();
        assert_eq!(packed.edits.len(), edited.len(), "{game:?}");
        place.convert_packed();
        place.convert("install", "before");
        for (number, output) in edited.iter().enumerate() {
            let (channels, rate, bits, format) = FORMS[number % FORMS.len()];
            let form = format!("{}: {channels} {rate} {bits} {format:?}", output.path);
            let of = |folder: &str| read(&fs::read(place.path(folder).join(&output.path)).unwrap());
            let (spec, samples) = of("after");
            assert_eq!(spec, of("before").0, "{form}");
            let frames: Vec<_> = samples.chunks(spec.channels.into()).collect();
            let expected = f64::from(spec.sample_rate) * SECONDS;
            assert!(
                (frames.len() as f64) > expected - 2.0,
                "{form}: {}",
                frames.len()
            );
            // The coding, and the filter at both ends.
            let inner = frames
                .iter()
                .enumerate()
                .skip(200)
                .take(expected as usize - 400);
            let deviations: Vec<f64> = inner
                .flat_map(|(at, frame)| {
                    let wanted = tone(at as f64 / f64::from(spec.sample_rate));
                    frame.iter().map(move |sample| (sample - wanted).abs())
                })
                .collect();
            let deviation = deviations.iter().sum::<f64>() / deviations.len() as f64;
            assert!(deviation < 0.02, "{form}, in {spec:?}: {deviation}");
            // Every conversion is reported.
            let edit = packed.edits.iter().find(|edit| edit.output == output.path);
            let reported = edit.unwrap().rounding.clone().unwrap_or_default();
            let is_reported = |what: &str| reported.contains(what);
            assert_eq!(
                is_reported("resampled from"),
                rate != spec.sample_rate,
                "{form}: {reported}"
            );
            assert_eq!(
                is_reported("mixed to"),
                channels != spec.channels,
                "{form}: {reported}"
            );
            let is_narrowed = bits > 16 || (bits == 16 && spec.bits_per_sample == 8);
            assert_eq!(is_reported(" bits"), is_narrowed, "{form}: {reported}");
        }
        place.assert_others_unchanged(&edited);
    }
}

#[test]
fn conversions_are_reported_in_one_line() {
    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.path.ends_with("soundsh/blip.wav"));
    place.edit(&edited[0].path, |_| saved(1, 48_000, 24, SampleFormat::Int));
    let reported = place.pack().edits[0].rounding.clone().unwrap();
    assert_eq!(
        reported,
        "resampled from 48,000 to 22,050 Hz, 24 to 16 bits"
    );
    // Samples that need no more bits lose nothing.
    place.edit(&edited[0].path, |_| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let spec = WavSpec {
            channels: 1,
            sample_rate: 22_050,
            bits_per_sample: 24,
            sample_format: SampleFormat::Int,
        };
        let mut writer = WavWriter::new(&mut bytes, spec).unwrap();
        for sample in [0, 1, -32_768, 32_767] {
            writer.write_sample(sample * 256).unwrap();
        }
        writer.finalize().unwrap();
        bytes.into_inner()
    });
    assert_eq!(place.pack().edits[0].rounding, None);
}

#[test]
fn new_sounds_keep_their_rate() {
    let place = Place::of(Game::Rc);
    let folder = place.path("out/sounds/zbd/soundsh");
    fs::write(
        folder.join("horn.wav"),
        saved(2, 44_100, 24, SampleFormat::Int),
    )
    .unwrap();
    let request = relicast::pack::Request {
        add: true,
        ..place.request()
    };
    let packed = pack(&request).unwrap();
    assert_eq!(packed.refused, []);
    place.convert_packed();
    let made = fs::read(place.path("after/sounds/zbd/soundsh/horn.wav")).unwrap();
    let (spec, _) = read(&made);
    assert_eq!(
        (spec.channels, spec.sample_rate, spec.bits_per_sample),
        (2, 44_100, 16)
    );
}

#[test]
fn sounds_that_no_editor_should_save_are_refused_by_name() {
    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.path.ends_with("soundsh/blip.wav"));
    let plain = saved(1, 22_050, 16, SampleFormat::Int);
    let with = |at: usize, bytes: &[u8]| {
        let mut changed = plain.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        changed
    };
    for (bytes, reason) in [
        (
            b"ID3\x04 and frames".to_vec(),
            "it is an MP3; export it as WAV",
        ),
        (b"FORM\0\0\0\0AIFF".to_vec(), "it is an AIFF"),
        (b"no sound".to_vec(), "not a readable WAV"),
        (with(20, &[6, 0]), "it is a WAV in the coding"),
        (
            with(24, &[1, 0, 0, 0, 2, 0, 0, 0]),
            "its sampling rate is 1 Hz",
        ),
    ] {
        place.edit(&edited[0].path, |_| bytes);
        let refused = pack(&place.request()).unwrap().refused;
        let refusal = refused[0].1.to_string();
        assert!(refusal.contains(reason), "{refusal}");
    }
    for cut in 0..64 {
        place.edit(&edited[0].path, |_| plain[..cut].to_vec());
        pack(&place.request()).unwrap();
    }
}
