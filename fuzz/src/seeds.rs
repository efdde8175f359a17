//! Small well-formed files of every kind, made by the program's own encoders.

#[allow(
    dead_code,
    unused_imports,
    reason = "the tests that share these modules use more of them"
)]
#[path = "../../tests/anim/own.rs"]
mod animations;
#[allow(
    dead_code,
    unused_imports,
    reason = "the tests that share these modules use more of them"
)]
#[path = "../../tests/gamez/sample.rs"]
mod worlds;

use crate::{discs, sample};
use relicast::config;
use relicast::formats::codec::{Blob, Bytes, F32, PaddedText, QuatWxyz, Vec3};
use relicast::formats::everquest::texture::{bmp, dds};
use relicast::formats::everquest::{pfs, wld};
use relicast::formats::riff::adpcm::{encode_ima, encode_ms};
use relicast::formats::riff::avi::write::{self as movies, Movie};
use relicast::formats::riff::{self, Chunk, Format, FourCc, Wave};
use relicast::formats::zipper::archive::{Archive, Entry, FooterVersion, Row};
use relicast::formats::zipper::messages::write::{Flavour, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message};
use relicast::formats::zipper::texture::colour::Rgb565;
use relicast::formats::zipper::texture::package::{self, Image, ImageFlags, ImageHeader, Package};
use relicast::formats::zipper::zrd::{binary, text};
use relicast::formats::zipper::{anim, archive, gamez, interp, mechlib, motion, save, zmap};

/// The seeds of every target.
pub fn all() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    vec![
        ("actors", behind(&[0, 0xE0], &everquest_scenes())),
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
        ("emt", behind(&[0, 0xE0], &[EMITTERS.to_vec()])),
        ("gamez", game_worlds()),
        ("interp", scripts()),
        ("iso9660", discs::images()),
        ("mechlib", mechs()),
        ("messages", libraries()),
        ("motion", motions()),
        ("pfs", scene_archives()),
        ("pfs_damage", behind(&[3], &behind(&[0], &scene_archives()))),
        ("picture", bitmaps()),
        ("reader_binary", binary_readers()),
        ("reader_text", text_readers()),
        ("save", saves()),
        ("texture", packages()),
        ("wave", waves()),
        ("wld", everquest_scenes()),
        ("zmap", maps()),
    ]
}

/// A comment, an emitter and a line that is none.
const EMITTERS: &[u8] = b"; comment\r\n\
    2,wind.wav,0,2,0.5,100,200,1,1.5,-2,3,10,100,1,150,1000,2000,0,4,1 ; night\r\n2,broken\n";

/// Each seed behind each of the bytes that choose settings.
fn behind(choices: &[u8], seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for &choice in choices {
        all.extend(seeds.iter().map(|seed| [&[choice], &**seed].concat()));
    }
    all
}

/// A scene with skeletons and their tracks.
pub(crate) fn scene() -> Vec<u8> {
    sample::sample(wld::Version::Old)
}

const READERS: [&str; 5] = [
    "()",
    "((NAME \"two words\" 7 -1.5 () (LIST (1 2 3) (A (B (C 0.25)))) END 2147483647))",
    "; controls\r\n(KEYS\r\n\t((CMD_AMS keya(0x1e))\r\n\t(CMD_FIRE joy(0) mouse(1))))\r\n",
    "(KE\"Y S\" \"\" +3 .5 5. -0.0 1e3 0x1e . + - 1.2.3 2147483648 1-2)",
    "((((((((((((((((1))))))))))))))))",
];

fn text_readers() -> Vec<Vec<u8>> {
    READERS.map(|text| text.as_bytes().to_vec()).into()
}

fn binary_readers() -> Vec<Vec<u8>> {
    let values = READERS.iter().map(|text| {
        let document = text::decode(text.as_bytes()).expect("the samples are readers");
        let values = document.value.values().expect("they have values");
        binary::encode(&values[0]).expect("they fit")
    });
    values.collect()
}

fn archives() -> Vec<Vec<u8>> {
    let readers: Vec<(String, Vec<u8>)> = (0..)
        .map(|index: u32| format!("reader{index}.zrd"))
        .zip(binary_readers())
        .collect();
    let sounds: Vec<(String, Vec<u8>)> = vec![
        ("a.wav".into(), waves().swap_remove(0)),
        ("A.wav".into(), waves().swap_remove(1)),
    ];
    let saved = vec![
        (save::HEADER_NAME.to_owned(), saves().swap_remove(0)),
        ("anim_act_0".into(), saves().swap_remove(1)),
    ];
    let moving = vec![("walk".to_owned(), motions().swap_remove(0))];
    let mechlib = ["format", "version", "materials"].map(|name| (name.to_owned(), vec![1; 4]));
    let versions = [gamez::Version::MechWarrior3, gamez::Version::PiratesMoon];
    let [mechs, moon_mechs] = versions.map(mech_members);
    let mut unit = pack(FooterVersion::Two, &moving);
    unit.unit_lengths = true;
    let archives = [
        pack(FooterVersion::One, &[]),
        pack(FooterVersion::One, &readers),
        pack(FooterVersion::Two, &readers[..2]),
        pack(FooterVersion::One, &sounds),
        pack(FooterVersion::One, &saved),
        pack(FooterVersion::One, &mechlib),
        unit,
        pack(FooterVersion::One, &mechs),
        pack(FooterVersion::Two, &moon_mechs),
    ];
    let encoded = archives
        .iter()
        .map(|it| archive::encode(it).expect("it fits"));
    encoded.collect()
}

fn pack<'a>(version: FooterVersion, members: &'a [(String, Vec<u8>)]) -> Archive<'a> {
    let mut archive = Archive {
        version,
        ..Archive::default()
    };
    for (name, data) in members {
        let mut comment = [0; 64];
        comment[..7].copy_from_slice(b"c:\\src\\");
        archive.entries.push(Entry {
            row: Row {
                name: PaddedText::new(name).expect("the names are short"),
                flags: 2,
                comment: Bytes(comment),
                time_low: 0,
                time_high: 0x01BE_0000,
                ..Row::default()
            },
            data: Blob::borrowed(data),
            ..Entry::default()
        });
    }
    if version == FooterVersion::Two {
        archive.checksum = archive.computed_checksum();
    }
    archive
}

fn scripts() -> Vec<Vec<u8>> {
    let script = |path: &str, lines: &[&[&str]]| interp::Script {
        row: interp::Row {
            path: PaddedText::new(path).expect("the paths are short"),
            time: 0x3700_0000,
            start: 0,
        },
        lines: lines
            .iter()
            .map(|tokens| interp::Line::from_tokens(tokens.iter().copied()))
            .collect(),
    };
    let files = [
        vec![],
        vec![
            script("data\\c1.gs", &[&["set", "A", "b"], &["run"]]),
            script("data\\empty.gw", &[]),
            script("data\\odd.gw", &[&["two words", "", "x"]]),
        ],
    ];
    let encode = |scripts| {
        let file = interp::Interp {
            scripts,
            ..interp::Interp::default()
        };
        interp::encode(&file).expect("it fits")
    };
    files.map(encode).into()
}

fn libraries() -> Vec<Vec<u8>> {
    let message = |key: Option<&str>, id, value: Option<&str>| Message {
        key: key.map(str::to_owned),
        id,
        value: value.map(str::to_owned),
        raw: None,
    };
    let entries = vec![
        message(Some("MSG_DOOR"), 7, Some("T\u{fc}r \u{20ac}")),
        message(Some("MSG_LINES"), 40, Some("first\r\nsecond %1")),
        message(Some("MSG_SAME"), 7, Some("T\u{fc}r \u{20ac}")),
        message(Some("MSG_LOST"), 5, None),
        message(None, 9, Some("no key")),
    ];
    let file = |flavour, lead, language_id| {
        let image = MessageImage {
            flavour,
            lead,
            export_name: Some("ZLocGetID".to_owned()),
            language: Language {
                language_id,
                code_page: 1252,
                entries: entries.clone(),
            },
        };
        write(&image).expect("it fits")
    };
    vec![
        file(Flavour::MessageTable, Lead::Short, 1031),
        file(Flavour::StringTable, Lead::Long, 1033),
    ]
}

fn motions() -> Vec<Vec<u8>> {
    let part = |name: &'static [u8], samples: usize| motion::Part {
        name: Blob::borrowed(name),
        flags: motion::PartFlags::ROTATION | motion::PartFlags::TRANSLATION,
        translations: vec![Vec3::default(); samples],
        rotations: vec![QuatWxyz::default(); samples],
    };
    let file = |frame_count: u32, names: &[&'static [u8]]| {
        let samples = frame_count as usize + 1;
        let file = motion::Motion {
            header: motion::Header {
                version: 4,
                loop_time: F32(1.5),
                frame_count,
                part_count: 0,
                unk16: F32(-1.0),
                unk20: F32(1.0),
            },
            parts: names.iter().map(|name| part(name, samples)).collect(),
            ..motion::Motion::default()
        };
        motion::encode(&file).expect("it fits")
    };
    vec![file(2, &[b"hip", b"l_foot"]), file(0, &[b""]), file(3, &[])]
}

fn saves() -> Vec<Vec<u8>> {
    let activation = |kind, states: usize| {
        let activation = save::Activation {
            head: save::ActivationHead {
                kind,
                name: PaddedText::new("hit_wall").expect("it is short"),
                node_index: 7,
                status: 3,
                ..save::ActivationHead::default()
            },
            node_states: vec![Bytes([9; 68]); states],
        };
        save::encode(&save::SaveMember::Activation(activation)).expect("it fits")
    };
    let header = save::SaveMember::Header(save::SaveHeader {
        version: 8,
        format: 2,
    });
    vec![
        save::encode(&header).expect("it fits"),
        activation(save::ActivationKind::Plain, 0),
        activation(save::ActivationKind::Stale, 2),
    ]
}

fn packages() -> Vec<Vec<u8>> {
    let row = |name: &str, palette_index| package::Row {
        name: PaddedText::new(name).expect("the names are short"),
        start: 0,
        palette_index,
    };
    let image = |flags: u32, palette_count, texels: &'static [u8]| Image {
        header: ImageHeader {
            flags: ImageFlags::from_bits_retain(flags),
            width: 2,
            height: 2,
            palette_count,
            ..ImageHeader::default()
        },
        texels: Blob::borrowed(texels),
        ..Image::default()
    };
    const WORDS: &[u8] = &[0, 0xF8, 0, 0, 0xE0, 7, 0x1F, 0];
    let mut full = image(0x0B, 0, WORDS);
    full.alpha = Some(Blob::borrowed(&[0, 1, 0x80, 0xFF]));
    let mut local = image(0x05, 3, &[1, 0, 2, 1]);
    local.palette = vec![Rgb565(0), Rgb565(0x001F), Rgb565(0xFFFF)];
    let mut keyed = image(0x03, 2, &[0, 1, 1, 0]);
    keyed.palette = vec![Rgb565(0), Rgb565(0x07E0)];
    let header = package::Header {
        version: 1,
        ..package::Header::default()
    };
    let direct = Package {
        directory: package::Directory {
            header: header.clone(),
            rows: vec![
                row("rgb", -1),
                row("key", -1),
                row("pal", -1),
                row("pal", -1),
            ],
            palettes: vec![],
        },
        images: vec![full, image(0x03, 0, WORDS), local, keyed],
        ..Package::default()
    };
    let shared = Package {
        directory: package::Directory {
            header,
            rows: vec![row("glob", 0)],
            palettes: vec![(0..256).map(Rgb565).collect()],
        },
        images: vec![image(0x15, 256, &[0, 1, 0xFE, 0xFF])],
        ..Package::default()
    };
    [direct, shared]
        .map(|package| package::encode(&package).expect("it fits"))
        .into()
}

fn waves() -> Vec<Vec<u8>> {
    let tone: Vec<i16> = (0..120).map(|index| (index % 40 - 20) * 500).collect();
    let pcm: Vec<u8> = tone
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    let ms = Format::ms_adpcm(2, 22050, 64);
    let ima = Format::ima_adpcm(1, 22050, 36);
    let ms_data = encode_ms(&ms, &tone).expect("the format is whole");
    let ima_data = encode_ima(&ima, &tone).expect("the format is whole");
    [
        (Format::pcm(1, 11025, 8), vec![0x80, 0xFF, 0x80]),
        (Format::pcm(2, 44100, 16), pcm),
        (ms, ms_data),
        (ima, ima_data),
    ]
    .map(|(format, data)| annotated(&format, data))
    .into()
}

/// A video with sound and tags, one without, and one in two RIFF chunks.
fn videos() -> Vec<Vec<u8>> {
    let movie = Movie {
        width: 3,
        height: 2,
        rate: 15,
        frames: vec![vec![7; 18]; 3],
        sound: Some((Format::pcm(1, 8000, 8), vec![0x80; 30])),
        sound_name: Some("Sound Forge 4.0 Audio"),
        software: Some("seeds"),
    };
    let silent = Movie {
        sound: None,
        ..movie.clone()
    };
    let [movie, silent] = [movie, silent].map(|movie| movies::write(&movie).expect("it is small"));
    let more = b"RIFF\x18\0\0\0AVIXLIST\x0c\0\0\0movi00dc\x01\0\0\0x\0";
    let long = [&movie[..], more].concat();
    vec![movie, silent, long]
}

/// A file with every chunk that is understood.
fn annotated(format: &Format<'_>, data: Vec<u8>) -> Vec<u8> {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let data_id = u32::from_le_bytes(*b"data");
    let cue = words(&[2, 1, 2, data_id, 0, 0, 2, 7, 3, data_id, 0, 0, 3]);
    let label = [&b"adtllabl"[..], &words(&[9, 7]), b"slide\0"].concat();
    let sampler = words(&[0, 0, 45351, 60, 0, 0, 0, 1, 0, 1, 0, 1, 3, 0, 0]);
    let chunk = |id: &[u8; 4], payload| Chunk::new(FourCc(*id), payload).expect("it is short");
    let chunks = vec![
        chunk(b"fact", words(&[60])),
        chunk(b"cue ", cue),
        chunk(b"LIST", label),
        chunk(b"smpl", sampler),
        chunk(b"odd!", vec![1, 2, 3]),
    ];
    let wave = Wave::new(format, chunks, data.into()).expect("it fits");
    riff::encode(&wave).expect("it fits")
}

fn maps() -> Vec<Vec<u8>> {
    let feature = |vertices: usize, objective| zmap::Feature {
        color: zmap::Rgb {
            r: 255,
            g: 128,
            b: 0,
        },
        vertices: vec![[8.0, 0.0, -8.0].into(); vertices],
        objective,
    };
    let file = |features| {
        let map = zmap::Map {
            header: zmap::Header {
                version: 5,
                unk04: 3,
                min: Vec3::default(),
                max: [8.0, 0.0, 8.0].into(),
            },
            features,
        };
        zmap::encode(&map).expect("it fits")
    };
    vec![file(vec![]), file(vec![feature(2, -1), feature(0, 3)])]
}

fn game_worlds() -> Vec<Vec<u8>> {
    let encode = |version| gamez::encode(&worlds::gamez(version)).expect("it fits");
    gamez::Version::ALL.map(encode).into()
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
    let versions = [gamez::Version::MechWarrior3, gamez::Version::PiratesMoon];
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

/// A whole model library: a 'mech and its simpler double.
fn mech_members(version: gamez::Version) -> Vec<(String, Vec<u8>)> {
    let materials: Vec<mechlib::MechMaterial> = [None, Some("grass.tif"), Some("water")]
        .into_iter()
        .map(|texture| mechlib::MechMaterial {
            record: worlds::material(texture.map(|_| 1), version),
            texture: texture.map(|name| mechlib::TextureText(name.into())),
        })
        .collect();
    let mech = worlds::mech(version);
    let mech = || mechlib::encode_model(&mech, version).expect("it fits");
    let member = |name: &str, bytes| (name.to_owned(), bytes);
    vec![
        member(
            "format",
            mechlib::encode_format(&mechlib::Format { format: 1 }).expect("it fits"),
        ),
        member(
            "version",
            mechlib::encode_version(version).expect("it fits"),
        ),
        member(
            "materials",
            mechlib::encode_materials(&materials, version).expect("it fits"),
        ),
        member("mech_strider.flt", mech()),
        member("strider_1", mech()),
    ]
}

/// Pictures for the surfaces of worlds and 'mechs, and their names.
pub(crate) fn surfaces() -> (Vec<u8>, [&'static str; 2]) {
    let names = ["grass", "water"];
    let mut package = Package {
        directory: package::Directory {
            header: package::Header {
                version: 1,
                ..package::Header::default()
            },
            ..package::Directory::default()
        },
        ..Package::default()
    };
    for (name, flags) in names.into_iter().zip([0x05, 0x03]) {
        package.directory.rows.push(package::Row {
            name: PaddedText::new(name).expect("the names are short"),
            start: 0,
            palette_index: -1,
        });
        package.images.push(Image {
            header: ImageHeader {
                flags: ImageFlags::from_bits_retain(flags),
                width: 2,
                height: 2,
                ..ImageHeader::default()
            },
            texels: Blob::borrowed(&[0, 0xF8, 0, 0, 0xE0, 7, 0x1F, 0]),
            ..Image::default()
        });
    }
    (package::encode(&package).expect("it fits"), names)
}

/// Motions of the 'mechs that [`mech_members`] makes.
pub(crate) fn moves() -> Vec<u8> {
    let motions = motions();
    let moves: Vec<(String, Vec<u8>)> = ["strider_walk", "strider_stand"]
        .into_iter()
        .map(str::to_owned)
        .zip(motions)
        .collect();
    archive::encode(&pack(FooterVersion::One, &moves)).expect("it fits")
}

fn everquest_scenes() -> Vec<Vec<u8>> {
    [wld::Version::Old, wld::Version::New]
        .map(sample::sample)
        .into()
}

/// Scenes, each behind a byte that chooses its name and settings.
fn scenes_with_settings() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for choice in [0, 1, 2, 3, 0xE0, 0xE1, 0xE2] {
        let seeds = everquest_scenes();
        all.extend(seeds.iter().map(|seed| [&[choice], &**seed].concat()));
    }
    all
}

fn scene_archives() -> Vec<Vec<u8>> {
    let scenes = everquest_scenes();
    let bitmaps = bitmaps();
    let members: Vec<(&str, &[u8])> = vec![
        ("a.wld", &scenes[0]),
        ("leaf.bmp", &bitmaps[0]),
        ("empty.txt", b""),
    ];
    let footer = pfs::Footer::new(920_246_400);
    let pack = |members: &[(&str, &[u8])], footer| {
        let packed = pfs::pack(members, footer, 6).expect("the names are plain");
        pfs::encode(&packed).expect("it fits")
    };
    vec![
        pack(&members, Some(footer)),
        pack(&members[1..], None),
        pack(&[], None),
    ]
}

/// Bitmaps with a palette and without, and DDS.
fn bitmaps() -> Vec<Vec<u8>> {
    let info = |bits, colours_used| bmp::InfoHeader {
        header_size: 40,
        width: 4,
        height: 2,
        planes: 1,
        bits,
        colours_used,
        ..bmp::InfoHeader::default()
    };
    let file = |bits, palette: Vec<[u8; 4]>, rows: Vec<u8>| {
        let header = bmp::BmpHeader {
            magic: Bytes(*b"BM"),
            pixel_offset: 54 + 4 * palette.len() as u32,
            ..bmp::BmpHeader::default()
        };
        let bitmap = bmp::Bmp {
            header,
            info: info(bits, palette.len() as u32),
            palette,
            rows: rows.into(),
            ..bmp::Bmp::default()
        };
        bmp::encode(&bitmap).expect("it fits")
    };
    let surface = |code: &[u8; 4], bits, data: Vec<u8>| {
        let coded = code != &[0; 4];
        let pixel_format = dds::PixelFormat {
            size: 32,
            flags: match coded {
                true => dds::PixelFormatFlags::CODE,
                false => dds::PixelFormatFlags::RGB | dds::PixelFormatFlags::ALPHA,
            },
            code: Bytes(*code),
            bits,
            red: 0x00FF_0000,
            green: 0xFF00,
            blue: 0xFF,
            alpha: 0xFF00_0000,
        };
        let header = dds::DdsHeader {
            magic: Bytes(*b"DDS "),
            size: 124,
            width: 4,
            height: 4,
            pixel_format,
            ..dds::DdsHeader::default()
        };
        let data = data.into();
        dds::encode(&dds::Dds { header, data }).expect("it fits")
    };
    vec![
        file(
            8,
            vec![[0, 255, 0, 0], [1, 2, 3, 0]],
            vec![0, 1, 0, 1, 1, 1, 0, 0],
        ),
        file(24, vec![], (0..24).collect()),
        file(
            4,
            vec![[9; 4]; 16],
            vec![0x01, 0x23, 0, 0, 0x45, 0x67, 0, 0],
        ),
        surface(b"DXT1", 0, vec![0x5A; 8]),
        surface(b"DXT3", 0, vec![0xA5; 16]),
        surface(b"DXT5", 0, vec![0x3C; 16]),
        surface(&[0; 4], 32, vec![7; 64]),
    ]
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
            "emt" => crate::emt,
            "everquest" => crate::everquest,
            "gamez" => crate::gamez,
            "interp" => crate::interp,
            "iso9660" => crate::discs::iso9660,
            "mechlib" => crate::mechlib,
            "messages" => crate::messages,
            "motion" => crate::motion,
            "pfs" => crate::pfs,
            "pfs_damage" => crate::pfs_damage,
            "picture" => crate::picture,
            "reader_binary" => crate::reader_binary,
            "reader_text" => crate::reader_text,
            "save" => crate::save,
            "texture" => crate::texture,
            "wave" => crate::wave,
            "wld" => crate::wld,
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

    /// What once broke a property: `regressions/TARGET/NAME`.
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
