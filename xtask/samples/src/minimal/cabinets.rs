//! Cabinets of a few small files.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::cabinet::microsoft;
use crate::cabinet::set::{NewGroup, NewMember, NewSet, VERSION_5_0, VERSION_6, files};
use crate::{Outcome, SampleFile};

fn content() -> Vec<SampleFile> {
    let file = |path: &str, bytes: &[u8]| SampleFile {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
    };
    vec![
        file("readme.txt", b"Nothing here is from a game."),
        file("zbd/c1/a.dat", &[7; 300]),
        file("zbd/empty.dat", b""),
    ]
}

fn sets() -> Vec<NewSet> {
    let group = |name: &str, files: &[SampleFile], stored: bool| NewGroup {
        name: name.to_owned(),
        component: name.to_owned(),
        target: "<TARGETDIR>".to_owned(),
        files: files
            .iter()
            .map(|file| NewMember {
                path: file.path.clone(),
                bytes: file.bytes.clone(),
                stored,
            })
            .collect(),
    };
    let content = content();
    let groups = vec![
        group("One", &content[..2], false),
        group("Two", &content[1..], true),
        group("None", &[], false),
    ];
    let plain = NewSet {
        header_file: false,
        ..NewSet::new(groups)
    };
    vec![
        NewSet {
            md5: true,
            obfuscated: true,
            ..plain.clone()
        },
        NewSet {
            version: VERSION_5_0,
            streams: true,
            ..plain.clone()
        },
        NewSet {
            version: VERSION_6,
            ..plain
        },
    ]
}

/// InstallShield sets, each as one file.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn installshield() -> Outcome<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for set in sets() {
        all.extend(files(&set)?.into_iter().map(|file| file.bytes));
    }
    Ok(all)
}

/// Microsoft cabinets: a single one, and the volumes of a set.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn microsoft() -> Outcome<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for compressed in [false, true] {
        let whole = microsoft::cabinet(&content(), compressed)?;
        let set = microsoft::cut(&whole, 20, &["a.cab", "b.cab"])?;
        all.push(whole);
        all.extend(set.into_iter().map(|file| file.bytes));
    }
    Ok(all)
}

/// Zip archives.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn zips() -> Outcome<Vec<Vec<u8>>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in content() {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        writer.start_file(file.path, options)?;
        writer.write_all(&file.bytes)?;
    }
    Ok(vec![writer.finish()?.into_inner()])
}
