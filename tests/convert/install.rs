//! A small install, and the result of a run on it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{files, json};
use relicast::formats::codec::{Blob, F32, PaddedText};
use relicast::formats::riff::{self, Format, Wave};
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::interp::{self, Interp, Line, Script};
use relicast::formats::zipper::texture::color::Rgb565;
use relicast::formats::zipper::texture::package::{
    self, Directory, Header, Image, ImageFlags, ImageHeader, Package,
};
use relicast::formats::zipper::zrd::{Value, binary};
use tempfile::TempDir;

pub fn entry(name: &str, data: Vec<u8>) -> Entry<'static> {
    Entry {
        row: Row {
            name: PaddedText::new(name).unwrap(),
            ..Row::default()
        },
        data: data.into(),
        ..Entry::default()
    }
}

pub fn sounds(first: u8) -> Vec<u8> {
    let wave = |sample: u8| {
        let samples = Blob::from(vec![sample; 64]);
        let wave = Wave::new(&Format::pcm(1, 11_025, 8), Vec::new(), samples).unwrap();
        riff::encode(&wave).unwrap()
    };
    let archive = Archive {
        entries: vec![
            entry("beep.wav", wave(first)),
            entry("beep.wav", wave(2)),
            entry("..\\..\\escape.wav", wave(3)),
            entry("CON.wav", wave(4)),
        ],
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

pub fn readers() -> Vec<u8> {
    let value = Value::List(vec![Value::List(vec![
        Value::text("KEY"),
        Value::Int(-2),
        Value::Float(F32(0.5)),
    ])]);
    let archive = Archive {
        entries: vec![entry("a.zrd", binary::encode(&value).unwrap())],
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

pub fn textures() -> Vec<u8> {
    textures_named(&["leaf", "sign"])
}

/// A package with textures of these names, every other one with a palette.
pub fn textures_named(names: &[&str]) -> Vec<u8> {
    let direct = Image {
        header: ImageHeader {
            flags: ImageFlags::TWO_BYTES | ImageFlags::ALPHA,
            width: 2,
            height: 2,
            ..ImageHeader::default()
        },
        texels: vec![0, 0, 0xE0, 0x07, 0x00, 0xF8, 0x1F, 0x00].into(),
        ..Image::default()
    };
    let indexed = Image {
        header: ImageHeader {
            flags: ImageFlags::TWO_BYTES | ImageFlags::OPAQUE,
            width: 2,
            height: 1,
            palette_count: 2,
            ..ImageHeader::default()
        },
        texels: vec![1, 0].into(),
        palette: vec![Rgb565(0), Rgb565(0xFFFF)],
        ..Image::default()
    };
    let row = |name: &str| package::Row {
        name: PaddedText::new(name).unwrap(),
        start: 0,
        palette_index: -1,
    };
    let package = Package {
        directory: Directory {
            header: Header {
                version: 1,
                ..Header::default()
            },
            rows: names.iter().map(|name| row(name)).collect(),
            palettes: Vec::new(),
        },
        images: [direct, indexed]
            .into_iter()
            .cycle()
            .take(names.len())
            .collect(),
        ..Package::default()
    };
    package::encode(&package).unwrap()
}

pub fn scripts() -> Vec<u8> {
    let interp = Interp {
        scripts: vec![Script {
            row: interp::Row {
                path: PaddedText::new("data\\c1.gs").unwrap(),
                ..interp::Row::default()
            },
            lines: vec![Line::from_tokens(["set", "A"])],
        }],
        ..Interp::default()
    };
    interp::encode(&interp).unwrap()
}

/// A small install, and room for outputs next to it.
pub struct Install {
    pub folder: TempDir,
}

impl Install {
    pub fn new() -> Self {
        let install = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        install.write("ZBD/interp.zbd", &scripts());
        install.write("ZBD/reader.zbd", &readers());
        install.write("ZBD/soundsH.zbd", &sounds(1));
        install.write("ZBD/C1/rtexture.zbd", &textures());
        install.write("Mech3.exe", b"MZ program");
        install.write("readme.txt", b"hello");
        install
    }

    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.input().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn input(&self) -> PathBuf {
        self.folder.path().join("install")
    }

    pub fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

pub fn statuses(out: &Path) -> Vec<(String, String)> {
    let report = json(&out.join("report.json"));
    let mut found = Vec::new();
    for source in report["sources"].as_array().unwrap() {
        let path = source["path"].as_str().unwrap();
        let parts = source["parts"].as_array().cloned().unwrap_or_default();
        for part in &parts {
            let member = part["member"].as_str().unwrap_or("");
            let status = part["status"].as_str().unwrap().to_owned();
            found.push((format!("{path}:{member}"), status));
        }
        if parts.is_empty() {
            found.push((
                path.to_owned(),
                source["status"].as_str().unwrap().to_owned(),
            ));
        }
    }
    found
}

pub fn with_status(out: &Path, status: &str) -> Vec<String> {
    statuses(out)
        .into_iter()
        .filter(|(_, found)| found == status)
        .map(|(name, _)| name)
        .collect()
}

pub fn contents(out: &Path) -> Vec<(String, Vec<u8>)> {
    files(out)
        .into_iter()
        .filter(|path| path != "report.json")
        .map(|path| {
            let bytes = fs::read(out.join(&path)).unwrap();
            (path, bytes)
        })
        .collect()
}

pub fn predicate(text: &'static str) -> impl predicates::Predicate<[u8]> {
    use predicates::prelude::PredicateStrExt;
    predicates::str::contains(text).from_utf8()
}

pub fn riff_of_nothing() -> Vec<u8> {
    let wave = Wave::new(
        &Format::pcm(1, 11_025, 8),
        Vec::new(),
        Blob::from(vec![128]),
    )
    .unwrap();
    riff::encode(&wave).unwrap()
}
