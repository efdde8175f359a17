//! Generated files, complete and damaged.

use super::*;

fn chunk(id: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    if payload.len() % 2 == 1 {
        bytes.push(0);
    }
    bytes
}

fn list(name: &[u8; 4], form: &[u8; 4], items: &[Vec<u8>]) -> Vec<u8> {
    let mut payload = form.to_vec();
    payload.extend(items.concat());
    chunk(name, &payload)
}

fn stream_header(kind: &[u8; 4], length: u32, scale: u32, rate: u32) -> Vec<u8> {
    let header = StreamHeader {
        kind: FourCc(*kind),
        scale,
        rate,
        length,
        ..StreamHeader::default()
    };
    chunk(b"strh", &relicast_codec::encode(&header).unwrap())
}

/// Two frames, three bytes of sound, a stream name, a tag.
fn sample() -> Vec<u8> {
    let main = MainHeader {
        frames: 2,
        streams: 2,
        width: 4,
        height: 2,
        ..MainHeader::default()
    };
    let bitmap = BitmapHeader {
        size: 40,
        width: 4,
        height: 2,
        planes: 1,
        bits: 24,
        compression: FourCc(*b"IV50"),
        ..BitmapHeader::default()
    };
    let encode = |value: &BitmapHeader| relicast_codec::encode(value).unwrap();
    let video = list(
        b"LIST",
        b"strl",
        &[
            stream_header(b"vids", 2, 1, 15),
            chunk(b"strf", &encode(&bitmap)),
        ],
    );
    let audio = list(
        b"LIST",
        b"strl",
        &[
            stream_header(b"auds", 3, 1, 22_050),
            chunk(b"strf", &Format::pcm(1, 22_050, 8).to_bytes()),
            chunk(b"strn", b"Sound Forge 4.0 Audio\0"),
        ],
    );
    let avih = chunk(b"avih", &relicast_codec::encode(&main).unwrap());
    let body = [
        list(b"LIST", b"hdrl", &[avih, video, audio]),
        list(b"LIST", b"INFO", &[chunk(b"ISFT", b"a writer\0")]),
        chunk(b"JUNK", &[0xFF; 5]),
        list(
            b"LIST",
            b"movi",
            &[
                chunk(b"00dc", b"key"),
                list(
                    b"LIST",
                    b"rec ",
                    &[chunk(b"01wb", b"ab"), chunk(b"01wb", b"c")],
                ),
                chunk(b"00dc", b""),
            ],
        ),
        chunk(b"idx1", &[0; 32]),
    ];
    list(b"RIFF", b"AVI ", &body)
}

#[test]
fn headers_and_streams_are_reported() {
    let bytes = sample();
    let Decoded { value, deviations } = decode(&bytes).unwrap();
    assert!(deviations.is_empty(), "{:?}", deviations.described());
    assert_eq!((value.header.width, value.header.frames), (4, 2));
    let (video, bitmap) = value.video().unwrap();
    assert_eq!((video.chunks, video.bytes), (2, 3));
    assert_eq!(bitmap.compression, FourCc(*b"IV50"));
    assert_eq!(video.duration(), Some(2.0 / 15.0));
    let audio = &value.streams[1];
    assert_eq!((audio.chunks, audio.bytes), (2, 3));
    assert_eq!(audio.name.as_deref(), Some("Sound Forge 4.0 Audio"));
    assert_eq!(value.tags[0].text, "a writer");
    assert_eq!((value.index_entries, value.riff_chunks), (2, 1));
    let sound = stream_chunks(&bytes).filter(|(stream, _)| *stream == 1);
    let sound: Vec<u8> = sound.flat_map(|(_, data)| data).copied().collect();
    assert_eq!(sound, b"abc");
}

#[test]
fn more_of_the_movie_may_follow_in_another_chunk() {
    let mut bytes = sample();
    bytes.extend(list(
        b"RIFF",
        b"AVIX",
        &[list(b"LIST", b"movi", &[chunk(b"00dc", b"x")])],
    ));
    let value = decode(&bytes).unwrap().value;
    assert_eq!((value.streams[0].chunks, value.riff_chunks), (3, 2));
}

#[test]
fn every_truncation_is_an_error_or_a_deviation() {
    let bytes = sample();
    for length in 0..bytes.len() {
        if let Ok(decoded) = decode(&bytes[..length]) {
            assert!(!decoded.deviations.is_empty(), "{length}");
        }
    }
}

#[test]
fn missing_padding_is_passed() {
    let mut bytes = sample();
    let at = bytes.windows(4).position(|name| name == b"00dc").unwrap();
    bytes.remove(at + 11);
    let value = decode(&bytes).unwrap().value;
    assert_eq!(value.streams[0].chunks, 2);
}

#[test]
fn written_movies_are_read() {
    let movie = write::Movie {
        width: 3,
        height: 2,
        rate: 10,
        frames: vec![vec![9; 18]; 4],
        sound: Some((Format::pcm(2, 8_000, 16), (0..64).collect())),
        sound_name: Some("left and right"),
        software: Some("relicast"),
    };
    let bytes = write::write(&movie).unwrap();
    let Decoded { value, deviations } = decode(&bytes).unwrap();
    assert!(deviations.is_empty(), "{:?}", deviations.described());
    let [video, audio] = &*value.streams else {
        panic!("{value:?}");
    };
    assert_eq!((video.chunks, video.bytes), (4, 4 * 24));
    assert_eq!((audio.bytes, audio.duration()), (64, Some(16.0 / 8_000.0)));
    assert_eq!(audio.name.as_deref(), Some("left and right"));
    assert_eq!((value.index_entries, &*value.tags[0].text), (8, "relicast"));
}

#[test]
fn what_is_no_video_is_refused() {
    assert!(decode(b"").is_err());
    assert!(decode(b"RIFF\0\0\0\0WAVE").is_err());
    let error = decode(b"RIFF\x04\0\0\0AVI ").unwrap_err();
    assert_eq!(error.field(), "header");
}
