//! Written sounds: WAV and FLAC of every shape.

use relicast_testing::test;
use std::num::NonZeroU16;

use crate::sounds::support::{assert_flac_is_lossless, le_bytes, plain_file, samples, tag};
use relicast::convert;
use relicast::emit::{FlacError, encode_flac, encode_wav};
use relicast::formats::codec::Blob;
use relicast::formats::riff::adpcm::{decode_ima, decode_ms, encode_ima, encode_ms};
use relicast::formats::riff::{self, Chunk, Format, FourCc, Wave};
use relicast::scene::{CuePoint, Loop, LoopDirection, Samples, Sound};

#[test]
fn cue_points_behind_the_end_are_put_where_their_samples_are() {
    // 40 frames; positions of a sound of four times the rate.
    for (positions, samples, mended) in [
        ([8, 120], [2, 30], [2, 30]),
        ([8, 39], [2, 30], [8, 39]),
        ([8, 120], [2, 300], [8, 120]),
    ] {
        let mut payload = 2_u32.to_le_bytes().to_vec();
        let mut points = Vec::new();
        for (id, (position, sample)) in (1_u32..).zip(positions.into_iter().zip(samples)) {
            for word in [id, position, u32::from_le_bytes(*b"data"), 0, 0, sample] {
                payload.extend(word.to_le_bytes());
            }
            points.push(CuePoint {
                id,
                position,
                sample,
                label: None,
            });
        }
        let bytes = vec![0; 80];
        let mut sound = Sound::new(NonZeroU16::MIN, 11_025, Samples::I16Le(bytes.into()));
        sound.cue_points = points;
        sound.annotations = vec![relicast::scene::Annotation {
            id: *b"cue ",
            payload: payload.into(),
        }];
        let file = encode_wav(&sound).unwrap();
        let wave = riff::decode(&file).unwrap().value;
        let written = wave.cue_points(&mut Default::default());
        let found: Vec<u32> = written.iter().map(|point| point.position).collect();
        assert_eq!(found, mended);
        let found: Vec<u32> = written.iter().map(|point| point.sample_offset).collect();
        assert_eq!(found, samples);
    }
}

#[test]
fn places_survive_in_wav_and_become_tags_in_flac() {
    let bytes = plain_file();
    let wave = riff::decode(&bytes).unwrap();
    assert!(wave.deviations.is_empty());
    let converted = convert::sound(&wave.value, &bytes).unwrap();
    assert!(converted.deviations.is_empty());
    let mut sound = converted.value;
    let labeled = CuePoint {
        id: 7,
        position: 3,
        sample: 12,
        label: Some("slide".to_owned()),
    };
    assert_eq!(sound.cue_points.len(), 2);
    assert_eq!(sound.cue_points[1], labeled);
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
fn wrong_sizes_are_kept_and_mended_in_the_output() {
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
    assert_eq!(decoded.deviations.total(), 0);
    assert_eq!(decoded.deviations.usual().len(), 1);
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
    for (reported, frames, deviations) in [(700_u32, 700, 0), (400, 1000, 1), (5000, 1000, 1)] {
        let fact = Chunk::new(FourCc::FACT, reported.to_le_bytes().to_vec()).unwrap();
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
