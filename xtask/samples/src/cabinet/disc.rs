//! Sample discs with a game in cabinets, in the shape of MechWarrior 3's and Crimson Skies'.

use relicast::asset::Game;
use relicast::source::disc::write::NewFile;

use super::microsoft::{cabinet, cut};
use super::set::{NewGroup, NewMember, NewSet, files as set_files};
use crate::{Outcome, SampleFile, disc, files as install_files};

/// Components of the set: group, component, and parts of the paths of its files.
const GROUPS: [(&str, &str, &[&str]); 8] = [
    ("Sound High", "Sound\\High Fidelity", &["soundsh.zbd"]),
    ("Sound Low", "Sound\\Low Fidelity", &["soundsl.zbd"]),
    (
        "Software",
        "Software Render Files\\Best Detail",
        &["/texture.zbd"],
    ),
    (
        "3D 4MB",
        "3D Accelerator Files\\4 MB Card",
        &["rtexture3.zbd"],
    ),
    (
        "3D 8MB",
        "3D Accelerator Files\\8 MB Card+",
        &["rmechtex.zbd"],
    ),
    ("AVI Files", "AVI Files", &["video/"]),
    (
        "Codec Files",
        "Program Files\\Codec Files",
        &["ir50_32.dll"],
    ),
    ("Program Files", "Program Files", &[""]),
];

/// An install as the groups of a set: each file is in the first group that matches it.
pub fn groups(install: &[SampleFile]) -> Vec<NewGroup> {
    let takes = |file: &SampleFile, parts: &[&str]| {
        let path = file.path.to_lowercase();
        parts.iter().any(|part| path.contains(part))
    };
    let mut left: Vec<&SampleFile> = install.iter().collect();
    let mut groups = Vec::new();
    for (name, component, parts) in GROUPS {
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|file| takes(file, parts));
        left = others;
        groups.push(NewGroup {
            name: name.to_owned(),
            component: component.to_owned(),
            target: "<TARGETDIR>".to_owned(),
            files: own
                .into_iter()
                .map(|file| NewMember {
                    path: file.path.clone(),
                    bytes: file.bytes.clone(),
                    // One file is stored uncompressed.
                    stored: file.path.ends_with(".dll"),
                })
                .collect(),
        });
    }
    groups
}

/// Files that the installer brings along and the converter ignores.
fn clutter() -> Vec<SampleFile> {
    let file = |path: &str, bytes: &[u8]| SampleFile {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
    };
    vec![
        file("SETUP.INI", b"[Startup]\r\nAppName=Sample\r\n"),
        file("setup.ins", &[0xB8, 0xC9, 0x0C, 0x00, 0, 0, 0, 0]),
        file("layout.bin", &[0x63, 0x07, 0x00, 0x10, 0, 0, 0, 0]),
        file("autorun.inf", b"[autorun]\r\nopen=autorun.exe\r\n"),
    ]
}

fn burn(volume: &str, files: &[SampleFile]) -> Outcome<Vec<SampleFile>> {
    let files: Vec<NewFile<'_>> = files
        .iter()
        .map(|file| NewFile {
            path: &file.path,
            bytes: &file.bytes,
        })
        .collect();
    disc::image(volume, &files, &[])
}

/// Files of a disc image with MechWarrior's sample install in InstallShield cabinets.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn mechwarrior() -> Outcome<Vec<SampleFile>> {
    let install = install_files(Game::Mw, 1)?;
    let mut on_disc = set_files(&NewSet::new(groups(&install)))?;
    let own = NewSet {
        base: "_user".to_owned(),
        ..NewSet::new(vec![NewGroup {
            name: "USERSETUP".to_owned(),
            component: "Setup".to_owned(),
            target: "<TARGETDIR>".to_owned(),
            files: vec![NewMember {
                path: "license.txt".to_owned(),
                bytes: b"Nothing here is from a game.\r\n".to_vec(),
                stored: false,
            }],
        }])
    };
    on_disc.extend(set_files(&own)?);
    on_disc.extend(clutter());
    burn("SAMPLE_MW", &on_disc)
}

/// Files of a disc image with Crimson Skies' sample install in a set of Microsoft cabinets.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn crimson_skies() -> Outcome<Vec<SampleFile>> {
    let install = install_files(Game::Cs, 1)?;
    let whole = cabinet(&install, true)?;
    let mut on_disc = cut(&whole, whole.len() / 3, &["C1.CAB", "C2.CAB", "C3.CAB"])?;
    on_disc.extend(clutter());
    burn("SAMPLE_CS", &on_disc)
}
