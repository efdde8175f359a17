//! Sounds from bytes to WAV and FLAC: round trips, foreign decodes, and files that lie.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panic; clippy knows test functions only"
)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::num::NonZeroU16;

use common::{fixtures, json};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, proptest};
use proptest::sample::select;
use relicast::convert;
use relicast::emit::{FlacError, WavError, encode_flac, encode_wav};
use relicast::formats::codec::Blob;
use relicast::formats::riff::adpcm::{decode_ima, decode_ms, encode_ima, encode_ms};
use relicast::formats::riff::{self, Chunk, Format, FormatTag, FourCc, Wave};
use relicast::formats::zipper::archive;
use relicast::scene::{CuePoint, Loop, LoopDirection, Samples, Sound};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Samples of a FLAC file as an independent decoder reads them, as little-endian WAV bytes. That
/// decoder lacks escaped partitions, which the encoder takes for extreme noise; the encoder's own
/// crate reads those.
fn foreign_decode(flac: &[u8]) -> (u32, u32, u32, Vec<u8>) {
    let mut reader = claxon::FlacReader::new(Cursor::new(flac)).unwrap();
    let info = reader.streaminfo();
    let samples: claxon::Result<Vec<i32>> = reader.samples().collect();
    let samples = match samples {
        Ok(samples) => samples,
        Err(claxon::Error::Unsupported("unencoded binary is not yet implemented")) => {
            let mut samples = Vec::new();
            let reader = flac_codec::decode::FlacSampleReader::new(Cursor::new(flac));
            reader.unwrap().read_to_end(&mut samples).unwrap();
            samples
        }
        Err(other) => panic!("{other}"),
    };
    let mut bytes = Vec::new();
    for sample in samples {
        match info.bits_per_sample {
            8 => bytes.push(u8::try_from(sample + 128).unwrap()),
            16 => bytes.extend(i16::try_from(sample).unwrap().to_le_bytes()),
            other => panic!("{other} bits"),
        }
    }
    if !bytes.is_empty() {
        let frames = bytes.len() as u64 / u64::from(info.channels * info.bits_per_sample / 8);
        assert_eq!(info.samples, Some(frames));
    }
    (info.channels, info.sample_rate, info.bits_per_sample, bytes)
}

fn assert_flac_is_lossless(sound: &Sound<'_>) -> Vec<u8> {
    let flac = encode_flac(sound, &[("TITLE".to_owned(), "täst".to_owned())]).unwrap();
    let (channels, rate, bits, bytes) = foreign_decode(&flac);
    assert_eq!(channels, u32::from(sound.channels.get()));
    assert_eq!(rate, sound.rate);
    assert_eq!(bits, u32::from(sound.samples.bits()));
    assert!(bytes == sound.samples.bytes());
    let reader = claxon::FlacReader::new(Cursor::new(&flac)).unwrap();
    assert_eq!(reader.get_tag("TITLE").collect::<Vec<_>>(), ["täst"]);
    flac
}

fn tag(flac: &[u8], name: &str) -> Option<String> {
    let reader = claxon::FlacReader::new(Cursor::new(flac)).unwrap();
    reader.get_tag(name).next().map(str::to_owned)
}

/// Checks one WAV file against the facts of the generator.
fn check(bytes: &[u8], facts: &Value) {
    let decoded = riff::decode(bytes).unwrap();
    assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    let wave = decoded.value;
    assert_eq!(riff::encode(&wave).unwrap(), bytes);
    let format = wave.format().unwrap();
    let number = |key: &str| facts[key].as_u64();
    let coding = match format.coding() {
        FormatTag::Pcm => "pcm",
        FormatTag::MsAdpcm => "ms_adpcm",
        FormatTag::ImaAdpcm => "ima_adpcm",
        other => panic!("{other:?}"),
    };
    assert_eq!(facts["format"], coding);
    assert_eq!(number("bits"), Some(format.header.bits.into()));
    let converted = convert::sound(&wave, bytes).unwrap();
    assert!(
        converted.deviations.is_empty(),
        "{:?}",
        converted.deviations
    );
    let sound = converted.value;
    assert_eq!(number("channels"), Some(sound.channels.get().into()));
    assert_eq!(number("rate"), Some(sound.rate.into()));
    assert_eq!(number("frames"), Some(sound.frames() as u64));
    assert_eq!(number("cue_points"), Some(sound.cue_points.len() as u64));
    let written = encode_wav(&sound).unwrap();
    if coding == "pcm" {
        assert_eq!(
            facts["data_sha256"],
            sha256(&wave.data().unwrap().payload).as_str()
        );
        assert!(*written == *bytes, "plain files stay as they are");
    } else {
        let rounding = match coding {
            "ms_adpcm" => "pcm_s16le_sha256_truncate",
            _ => "pcm_s16le_sha256_shift",
        };
        assert_eq!(
            number("block_align"),
            Some(format.header.block_align.into())
        );
        assert_eq!(
            number("samples_per_block"),
            Some(format.samples_per_block().into())
        );
        assert_eq!(facts[rounding], sha256(sound.samples.bytes()).as_str());
        let clean = riff::decode(&written).unwrap();
        assert!(clean.deviations.is_empty());
        let again = convert::sound(&clean.value, &written).unwrap().value;
        assert_eq!(again.samples, sound.samples);
        assert_eq!(again.cue_points, sound.cue_points);
        assert_eq!(again.rate, sound.rate);
    }
    let flac = assert_flac_is_lossless(&sound);
    for (index, point) in sound.cue_points.iter().enumerate() {
        let name = format!("CUEPOINT_{:03}", index + 1);
        assert_eq!(tag(&flac, &name), Some(point.sample.to_string()));
    }
}

#[test]
fn sound_archives_of_all_games_match_the_reference() {
    let Some(root) = fixtures("zipper") else {
        return;
    };
    let mut seen = BTreeMap::new();
    for game in ["rc", "mw", "pm", "cs"] {
        for file in walkdir::WalkDir::new(root.join(game)) {
            let file = file.unwrap();
            let name = file.file_name().to_string_lossy().to_lowercase();
            if !name.starts_with("sounds") || !name.ends_with(".zbd") {
                continue;
            }
            let expect = root
                .join("expect")
                .join(file.path().strip_prefix(&root).unwrap());
            let bytes = fs::read(file.path()).unwrap();
            let archive = archive::decode(&bytes).unwrap().value;
            let facts = json(&expect.join("wave_facts.json"));
            let manifest = json(&expect.join("manifest.json"));
            let manifest = manifest.as_array().unwrap();
            assert_eq!(manifest.len(), archive.entries.len());
            for (entry, listed) in archive.entries.iter().zip(manifest) {
                let name = listed.get("rename").filter(|rename| !rename.is_null());
                let name = name.unwrap_or(&listed["name"]).as_str().unwrap();
                assert!(*entry.data == *fs::read(expect.join(name)).unwrap());
                check(&entry.data, &facts[name]);
                *seen.entry(game).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn loose_file_matches_the_reference() {
    let Some(root) = fixtures("zipper") else {
        return;
    };
    let name = "bb_patch_notice.wav";
    let bytes = fs::read(root.join("mw/zbd").join(name)).unwrap();
    let facts = json(
        &root
            .join("expect/mw/zbd")
            .join(name)
            .join("wave_facts.json"),
    );
    check(&bytes, &facts[name]);
}

/// Repeatable noise around a rising tone.
fn samples(count: usize) -> Vec<i16> {
    let mut state = 0x1234_5678_u32;
    (0..count)
        .map(|index| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = i32::try_from(state >> 22).unwrap() - 512;
            let phase = i32::try_from(index * index / 2000 % 400).unwrap();
            let tone = ((phase - 200).abs() - 100) * 120;
            i16::try_from(tone + noise).unwrap()
        })
        .collect()
}

fn le_bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|s| s.to_le_bytes()).collect()
}

/// A file with every chunk that is understood: 4 frames, two cue points, a label, a loop.
fn annotated(format: &Format<'_>, data: Vec<u8>) -> Vec<u8> {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let point = |id, position, sample| {
        let mut bytes = words(&[id, position]);
        bytes.extend(b"data");
        bytes.extend(words(&[0, 0, sample]));
        bytes
    };
    let cue = [words(&[2]), point(1, 2, 2), point(7, 3, 12)].concat();
    let label = [&b"adtllabl"[..], &words(&[9, 7]), b"slide\0"].concat();
    let smpl = words(&[0, 0, 45351, 60, 0, 0, 0, 1, 0, 1, 0, 1, 3, 0, 0]);
    let chunks = vec![
        Chunk::new(FourCc::FACT, words(&[4])).unwrap(),
        Chunk::new(FourCc::CUE, cue).unwrap(),
        Chunk::new(FourCc::LIST, label).unwrap(),
        Chunk::new(FourCc::SAMPLER, smpl).unwrap(),
        Chunk::new(FourCc(*b"odd!"), vec![1, 2, 3]).unwrap(),
    ];
    riff::encode(&Wave::new(format, chunks, data.into()).unwrap()).unwrap()
}

fn plain_file() -> Vec<u8> {
    annotated(&Format::pcm(1, 22050, 8), vec![0x80, 0xFF, 0x80, 0x00])
}

#[test]
fn places_survive_in_wav_and_become_tags_in_flac() {
    let bytes = plain_file();
    let wave = riff::decode(&bytes).unwrap();
    assert!(wave.deviations.is_empty());
    let converted = convert::sound(&wave.value, &bytes).unwrap();
    assert!(converted.deviations.is_empty());
    let mut sound = converted.value;
    let labelled = CuePoint {
        id: 7,
        position: 3,
        sample: 12,
        label: Some("slide".to_owned()),
    };
    assert_eq!(sound.cue_points.len(), 2);
    assert_eq!(sound.cue_points[1], labelled);
    let stretch = Loop {
        start: 1,
        end: 3,
        count: 0,
        direction: LoopDirection::Forward,
    };
    assert_eq!(sound.loops, [stretch]);
    assert!(matches!(
        encode_wav(&sound).unwrap(),
        std::borrow::Cow::Borrowed(_)
    ));
    assert_eq!(*encode_wav(&sound).unwrap(), *bytes);

    let flac = assert_flac_is_lossless(&sound);
    for (name, value) in [
        ("CUEPOINT_001", "2"),
        ("CUEPOINT_001_ID", "1"),
        ("CUEPOINT_002", "12"),
        ("CUEPOINT_002_ID", "7"),
        ("CUEPOINT_002_POSITION", "3"),
        ("CUEPOINT_002_NAME", "slide"),
        ("LOOP_001_START", "1"),
        ("LOOP_001_END", "3"),
        ("LOOP_001_COUNT", "0"),
        ("LOOP_001_DIRECTION", "forward"),
        ("LOOPSTART", "1"),
        ("LOOPLENGTH", "3"),
    ] {
        assert_eq!(tag(&flac, name).as_deref(), Some(value), "{name}");
    }
    assert_eq!(tag(&flac, "CUEPOINT_001_POSITION"), None);

    // Without the source, and without its chunks, the places are written anew.
    sound.source = None;
    let carried = encode_wav(&sound).unwrap().into_owned();
    sound.annotations.clear();
    let rebuilt = encode_wav(&sound).unwrap().into_owned();
    for file in [&carried, &rebuilt] {
        let wave = riff::decode(file).unwrap();
        assert!(wave.deviations.is_empty());
        let again = convert::sound(&wave.value, file).unwrap();
        assert!(again.deviations.is_empty(), "{:?}", again.deviations);
        assert_eq!(again.value.cue_points, sound.cue_points);
        assert_eq!(again.value.loops, sound.loops);
        assert_eq!(again.value.samples, sound.samples);
    }
    let odd = FourCc(*b"odd!");
    let carried = riff::decode(&carried).unwrap().value;
    assert_eq!(&*carried.chunk(odd).unwrap().payload, [1, 2, 3]);
}

#[test]
fn documented_example_is_read_as_documented() {
    let mut bytes = b"RIFF\x4C\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    bytes.extend(b"\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0cue \x1C\0\0\0\x01\0\0\0");
    bytes.extend(b"\x01\0\0\0\x02\0\0\0data\0\0\0\0\0\0\0\0\x02\0\0\0");
    bytes.extend(b"data\x04\0\0\0\x80\xFF\x80\x00");
    assert_eq!(bytes.len(), 84);
    let wave = riff::decode(&bytes).unwrap();
    assert!(wave.deviations.is_empty());
    let sound = convert::sound(&wave.value, &bytes).unwrap().value;
    assert_eq!((sound.rate, sound.frames()), (11025, 4));
    assert_eq!(sound.cue_points[0].sample, 2);
    assert_eq!(
        sound.samples.signed().collect::<Vec<_>>(),
        [0, 127, 0, -128]
    );
}

#[test]
fn sizes_that_lie_are_kept_and_mended_in_the_output() {
    let good = plain_file();
    let data_size = good.len() - 8;
    let mut long_chunk = good.clone();
    long_chunk[data_size..][..4].copy_from_slice(&5000_u32.to_le_bytes());
    let mut short_riff = good.clone();
    short_riff[4..8].copy_from_slice(&0_u32.to_le_bytes());
    let mut long_riff = good.clone();
    long_riff[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    for bytes in [&long_chunk, &short_riff, &long_riff] {
        let wave = riff::decode(bytes).unwrap();
        assert!(!wave.deviations.is_empty());
        assert_eq!(riff::encode(&wave.value).unwrap(), *bytes);
        let sound = convert::sound(&wave.value, bytes).unwrap().value;
        assert_eq!(sound.source, None);
        assert_eq!(sound.samples.bytes(), [0x80, 0xFF, 0x80, 0x00]);
        let written = encode_wav(&sound).unwrap();
        let mended = riff::decode(&written).unwrap();
        assert!(mended.deviations.is_empty());
        assert_eq!(mended.value.data().unwrap().payload.len(), 4);
        let again = convert::sound(&mended.value, &written).unwrap().value;
        assert_eq!(again.cue_points, sound.cue_points);
    }
}

#[test]
fn padding_may_be_missing_and_bytes_may_follow() {
    let format = Format::pcm(1, 11025, 8);
    let note = Chunk::new(FourCc(*b"note"), vec![5]).unwrap();
    let data = Blob::from(vec![1, 2, 3]);
    let mut wave = Wave::new(&format, vec![note], data).unwrap();
    let padded = riff::encode(&wave).unwrap();
    assert!(riff::decode(&padded).unwrap().deviations.is_empty());

    // The last chunk without its padding byte, at the end of the file: no player minds.
    wave.chunks[2].padding = None;
    wave.riff_size -= 1;
    let unpadded = riff::encode(&wave).unwrap();
    assert_eq!(unpadded.len() + 1, padded.len());
    let decoded = riff::decode(&unpadded).unwrap();
    assert_eq!(decoded.deviations.total(), 1);
    assert!(decoded.value.sizes_hold());
    assert_eq!(riff::encode(&decoded.value).unwrap(), unpadded);

    // A chunk in the middle without it: found, kept, and mended in the output.
    wave.chunks[1].padding = None;
    wave.riff_size -= 1;
    let misaligned = riff::encode(&wave).unwrap();
    let decoded = riff::decode(&misaligned).unwrap();
    assert!(!decoded.value.sizes_hold());
    assert_eq!(riff::encode(&decoded.value).unwrap(), misaligned);
    let sound = convert::sound(&decoded.value, &misaligned).unwrap().value;
    assert_eq!(sound.samples.bytes(), [1, 2, 3]);
    assert!(
        riff::decode(&encode_wav(&sound).unwrap())
            .unwrap()
            .value
            .sizes_hold()
    );

    let mut trailing = padded.clone();
    trailing.extend(b"junk behind the file");
    let decoded = riff::decode(&trailing).unwrap();
    assert_eq!(&*decoded.value.tail, b"junk behind the file");
    assert_eq!(riff::encode(&decoded.value).unwrap(), trailing);
}

#[test]
fn adpcm_comes_back_close_to_what_went_in() {
    for channels in [1_u16, 2] {
        let original = samples(5000 * usize::from(channels));
        let ms = Format::ms_adpcm(channels, 22050, 512 * channels);
        let ima = Format::ima_adpcm(channels, 22050, 512 * channels);
        let decoded = [
            decode_ms(&ms, &encode_ms(&ms, &original).unwrap()).unwrap(),
            decode_ima(&ima, &encode_ima(&ima, &original).unwrap()).unwrap(),
        ];
        for decoded in decoded {
            assert!(decoded.deviations.is_empty());
            assert!(decoded.value.len() >= original.len());
            let power = |values: &mut dyn Iterator<Item = i32>| {
                values.map(|value| f64::from(value).powi(2)).sum::<f64>()
            };
            let pairs = original.iter().zip(&decoded.value);
            let noise = power(&mut pairs.map(|(&a, &b)| i32::from(a) - i32::from(b)));
            let signal = power(&mut original.iter().map(|&value| value.into()));
            let decibels = 10.0 * (signal / noise).log10();
            assert!(decibels > 25.0, "signal to noise ratio of {decibels} dB");
        }
    }
}

#[test]
fn fact_chunk_ends_compressed_sounds() {
    let format = Format::ms_adpcm(1, 11025, 256);
    let data = encode_ms(&format, &samples(700)).unwrap();
    for (told, frames, deviations) in [(700_u32, 700, 0), (400, 1000, 1), (5000, 1000, 1)] {
        let fact = Chunk::new(FourCc::FACT, told.to_le_bytes().to_vec()).unwrap();
        let wave = Wave::new(&format, vec![fact], data.clone().into()).unwrap();
        let bytes = riff::encode(&wave).unwrap();
        let converted = convert::sound(&wave, &bytes).unwrap();
        assert_eq!(converted.value.frames(), frames);
        assert_eq!(converted.deviations.total(), deviations);
    }
}

#[test]
fn flac_is_lossless_for_every_shape() {
    let wide = le_bytes(&samples(10_000));
    let narrow: Vec<u8> = wide
        .chunks(2)
        .map(|pair| pair[1].wrapping_add(128))
        .collect();
    for channels in 1..=8 {
        let channels = NonZeroU16::new(channels).unwrap();
        for rate in [9710, 11025, 22000, 22040, 44100] {
            for samples in [
                Samples::U8((&*narrow).into()),
                Samples::I16Le((&*wide).into()),
            ] {
                assert_flac_is_lossless(&Sound::new(channels, rate, samples));
            }
        }
    }
    let extremes = le_bytes(&[i16::MIN, i16::MAX].repeat(3000));
    let stereo = NonZeroU16::new(2).unwrap();
    assert_flac_is_lossless(&Sound::new(stereo, 22050, Samples::I16Le(extremes.into())));
    let one = Sound::new(NonZeroU16::MIN, 22050, Samples::U8(vec![0].into()));
    assert_flac_is_lossless(&one);
}

#[test]
fn empty_sounds_are_valid_files() {
    let sound = Sound::new(NonZeroU16::MIN, 11025, Samples::U8(Vec::new().into()));
    assert_flac_is_lossless(&sound);
    let wav = encode_wav(&sound).unwrap();
    let wave = riff::decode(&wav).unwrap();
    assert!(wave.deviations.is_empty());
    assert_eq!(convert::sound(&wave.value, &wav).unwrap().value.frames(), 0);
}

#[test]
fn flac_refuses_what_it_cannot_hold() {
    let sound = |channels, rate| {
        let channels = NonZeroU16::new(channels).unwrap();
        Sound::new(channels, rate, Samples::U8(vec![0; 18].into()))
    };
    let result = |channels, rate, name: &str| {
        let tags = [(name.to_owned(), String::new())];
        encode_flac(&sound(channels, rate), &tags).map(|_| ())
    };
    assert!(result(1, 655_350, "A").is_ok());
    assert!(matches!(
        result(9, 22050, "A"),
        Err(FlacError::TooManyChannels(9))
    ));
    assert!(matches!(result(1, 0, "A"), Err(FlacError::Rate(0))));
    assert!(matches!(result(1, 655_351, "A"), Err(FlacError::Rate(_))));
    assert!(matches!(
        result(1, 22050, "A=B"),
        Err(FlacError::TagName(_))
    ));
    assert!(matches!(result(1, 22050, ""), Err(FlacError::TagName(_))));
}

/// Files of every coding, small enough to damage in every place.
fn small_files() -> Vec<Vec<u8>> {
    let tone = samples(300);
    let ms = Format::ms_adpcm(2, 22050, 64);
    let ima = Format::ima_adpcm(2, 22050, 64);
    vec![
        plain_file(),
        annotated(&Format::pcm(2, 44100, 16), le_bytes(&tone[..40])),
        annotated(&ms, encode_ms(&ms, &tone).unwrap()),
        annotated(&ima, encode_ima(&ima, &tone).unwrap()),
    ]
}

/// Whatever the bytes are: no panic, a faithful copy, and outputs in proportion to the input.
fn survive(bytes: &[u8]) {
    let Ok(wave) = riff::decode(bytes) else {
        return;
    };
    assert!(riff::encode(&wave.value).unwrap() == bytes);
    let Ok(converted) = convert::sound(&wave.value, bytes) else {
        return;
    };
    let sound = converted.value;
    assert!(sound.samples.bytes().len() <= 4 * bytes.len());
    assert!(sound.cue_points.len() <= bytes.len() / 24);
    let written = match encode_wav(&sound) {
        Ok(written) => written,
        Err(WavError::TooManyChannels(size)) if size > 0xFFFF => return,
        Err(other) => panic!("{other}"),
    };
    assert!(written.len() <= 5 * bytes.len() + 64);
    let again = riff::decode(&written).unwrap();
    let again = convert::sound(&again.value, &written).unwrap().value;
    assert!(again.samples == sound.samples);
    if let Ok(flac) = encode_flac(&sound, &[]) {
        assert!(foreign_decode(&flac).3 == sound.samples.bytes());
    }
}

#[test]
fn damaged_files_never_panic() {
    for file in small_files() {
        for length in 0..file.len() {
            survive(&file[..length]);
        }
        for place in 0..file.len() - 3 {
            for word in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF_u32] {
                let mut damaged = file.clone();
                damaged[place..place + 4].copy_from_slice(&word.to_le_bytes());
                survive(&damaged);
            }
        }
        for place in 0..60.min(file.len()) {
            for byte in 0..=255 {
                let mut damaged = file.clone();
                damaged[place] = byte;
                survive(&damaged);
            }
        }
    }
}

#[test]
fn files_without_needed_parts_are_named_errors() {
    assert!(riff::decode(b"RIFX\0\0\0\0WAVE").is_err());
    assert!(riff::decode(b"RIFF\0\0\0\0AVI ").is_err());
    assert!(riff::decode(b"RIFF").is_err());
    let error = |format: &Format<'_>| {
        let wave = Wave::new(format, Vec::new(), Blob::from(vec![0; 64])).unwrap();
        convert::sound(&wave, &[]).unwrap_err().field().to_owned()
    };
    let empty = riff::decode(b"RIFF\x04\0\0\0WAVE").unwrap().value;
    assert_eq!(convert::sound(&empty, &[]).unwrap_err().field(), "chunks");
    assert_eq!(error(&Format::pcm(0, 22050, 8)), "fmt.channels");
    assert_eq!(error(&Format::pcm(1, 22050, 24)), "fmt.bits");
    assert_eq!(error(&Format::ms_adpcm(1, 22050, 6)), "fmt.block_align");
    assert_eq!(error(&Format::ima_adpcm(2, 22050, 7)), "fmt.block_align");
    assert_eq!(error(&Format::ms_adpcm(3, 22050, 256)), "fmt.channels");
    let mut float = Format::pcm(1, 22050, 32);
    float.header.tag = FormatTag::Float;
    assert_eq!(error(&float), "fmt.tag");
}

#[test]
fn lies_about_blocks_are_deviations() {
    let mut format = Format::ima_adpcm(1, 11025, 64);
    let data = encode_ima(&format, &samples(300)).unwrap();
    let honest = decode_ima(&format, &data).unwrap();
    for stored in [0_u16, 1, 120, 122, u16::MAX] {
        format.extension = [[2, 0], stored.to_le_bytes()].concat().into();
        let decoded = decode_ima(&format, &data).unwrap();
        assert_eq!(decoded.value, honest.value);
        assert_eq!(decoded.deviations.total(), 1);
    }
    let mut cut = data.clone();
    cut.truncate(data.len() - 10);
    let decoded = decode_ima(&Format::ima_adpcm(1, 11025, 64), &cut).unwrap();
    assert_eq!(decoded.value, honest.value[..honest.value.len() - 20]);
    assert_eq!(decoded.deviations.total(), 1);
}

#[test]
fn blocks_of_any_size_come_back() {
    let tone = samples(40_000);
    for channels in [1_u16, 2] {
        for block_align in [14, 15, 16, 17, 255, 32_768, 32_769, u16::MAX] {
            let ms = Format::ms_adpcm(channels, 22050, block_align);
            let ima = Format::ima_adpcm(channels, 22050, block_align);
            let ms_data = encode_ms(&ms, &tone).unwrap();
            let ima_data = encode_ima(&ima, &tone).unwrap();
            for data in [&ms_data, &ima_data] {
                assert_eq!(data.len() % usize::from(block_align), 0);
            }
            let ms = decode_ms(&ms, &ms_data).unwrap().value;
            let ima = decode_ima(&ima, &ima_data).unwrap().value;
            assert!(ms.len() >= tone.len() && ms.len() <= 2 * ms_data.len());
            assert!(ima.len() >= tone.len() && ima.len() <= 2 * ima_data.len());
            assert_eq!(ms[..2], tone[..2]);
            assert_eq!(ima[0], tone[0]);
        }
    }
}

#[test]
fn one_label_is_not_multiplied_by_many_points() {
    let format = Format::pcm(1, 11025, 8);
    let points = 1000_u32;
    let cue = [points.to_le_bytes().to_vec(), vec![0; 24 * 1000]].concat();
    let text = [&b"adtllabl\x04\x10\0\0\0\0\0\0"[..], &[b'x'; 4096]].concat();
    let chunks = vec![
        Chunk::new(FourCc::CUE, cue).unwrap(),
        Chunk::new(FourCc::LIST, text).unwrap(),
    ];
    let wave = Wave::new(&format, chunks, Blob::default()).unwrap();
    let sound = convert::sound(&wave, &[]).unwrap().value;
    assert_eq!(sound.cue_points.len(), 1000);
    let labels = sound.cue_points.iter().filter_map(|p| p.label.as_ref());
    assert_eq!(labels.map(String::len).collect::<Vec<_>>(), [4096]);
}

#[test]
fn crowds_of_chunks_become_tail() {
    let mut bytes = b"RIFF\xFF\xFF\xFF\x7FWAVE".to_vec();
    bytes.extend(b"none\0\0\0\0".repeat(50_000));
    let wave = riff::decode(&bytes).unwrap().value;
    assert!(wave.chunks.len() < 5000);
    assert_eq!(riff::encode(&wave).unwrap(), bytes);
}

proptest! {
    #[test]
    fn anything_behind_the_header_survives(
        chunks in vec((select(vec![b"fmt ", b"data", b"cue ", b"smpl", b"LIST", b"fact", b"zzzz"]), vec(any::<u8>(), 0..60), 0..3_u32), 0..6),
        size in any::<u32>(),
        tail in vec(any::<u8>(), 0..20),
    ) {
        let mut bytes = b"RIFF".to_vec();
        bytes.extend(size.to_le_bytes());
        bytes.extend(b"WAVE");
        for (id, payload, lie) in chunks {
            bytes.extend(id);
            bytes.extend((payload.len() as u32 + lie).to_le_bytes());
            bytes.extend(payload);
        }
        bytes.extend(tail);
        prop_assert!(riff::decode(&bytes).is_ok());
        survive(&bytes);
    }
}

#[test]
fn faults_of_the_format_lie_in_its_chunk() {
    let mut ms = Format::ms_adpcm(1, 22050, 64);
    let data = encode_ms(&ms, &samples(300)).unwrap();
    ms.extension = [[32, 0], [9, 0]].concat().into();
    let bytes = annotated(&ms, data);
    let wave = riff::decode(&bytes).unwrap().value;
    let deviations = convert::sound(&wave, &bytes).unwrap().deviations;
    let places: Vec<(&str, u64)> = (deviations.described().iter())
        .map(|deviation| (&*deviation.field, deviation.offset))
        .collect();
    assert_eq!(
        places[..2],
        [("fmt.samples_per_block", 38), ("fmt.coefficients", 40)]
    );
    ms.header.channels = 3;
    let bytes = annotated(&ms, vec![0; 64]);
    let wave = riff::decode(&bytes).unwrap().value;
    let error = convert::sound(&wave, &bytes).unwrap_err();
    assert_eq!((error.field(), error.offset()), ("fmt.channels", 22));
}
