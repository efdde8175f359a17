//! Sets that the project makes itself: every form of them, and discs with an install in cabinets.

use std::fs;
use std::path::Path;

use relicast::asset::Game;
use relicast_samples::cabinet::set::{
    NewGroup, NewMember, NewSet, VERSION_5_0, VERSION_5_5, VERSION_6, files,
};
use relicast_samples::cabinet::{disc, microsoft};
use relicast_samples::{SampleFile, write_files};
use relicast_testing::test;

use crate::common;

fn noise(count: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// Files of all sizes that matter.
fn install() -> Vec<SampleFile> {
    let file = |path: &str, bytes: Vec<u8>| SampleFile {
        path: path.to_owned(),
        bytes,
    };
    let mut install: Vec<SampleFile> = [0, 1, 10_239, 10_240, 10_241]
        .into_iter()
        .map(|size| file(&format!("size/{size}.dat"), vec![b'x'; size]))
        .collect();
    install.push(file("noise.dat", noise(30_000)));
    install.push(file("video/markers.dat", [0, 0, 0xFF, 0xFF].repeat(9000)));
    install.push(file("zbd/c1/large.dat", noise(1500).repeat(900)));
    install.push(file("stored.dll", noise(20_000)));
    install.push(file("zbd/again.dat", noise(30_000)));
    install
}

fn compare(folder: &Path, install: &[SampleFile], what: &str) {
    let sources = crate::cabinets::sources(folder);
    for cabinet in crate::cabinets::cabinets(&sources) {
        assert!(cabinet.problem.is_none(), "{what}: {:?}", cabinet.problem);
        assert!(
            cabinet.deviations.is_empty(),
            "{what}: {:?}",
            cabinet.deviations
        );
    }
    let members = crate::cabinets::members(&sources);
    assert_eq!(members.len(), install.len(), "{what}");
    for file in install {
        let found = members.iter().find(|(path, _)| path.ends_with(&file.path));
        let (path, bytes) = found.unwrap_or_else(|| panic!("{what}: {}", file.path));
        match bytes {
            Ok(bytes) => assert!(*bytes == file.bytes, "{what}: {path}"),
            Err(error) => panic!("{what}: {path}: {error}"),
        }
    }
}

#[test]
fn every_form_of_a_set_gives_the_files_back() {
    let install = install();
    let root = tempfile::tempdir().unwrap();
    let mut number = 0;
    for version in [VERSION_5_0, VERSION_5_5, VERSION_6] {
        for volume_size in [None, Some(30_000), Some(12_000)] {
            for (obfuscated, md5, streams, header_file) in [
                (false, false, false, true),
                (true, true, false, true),
                (false, false, true, false),
            ] {
                if streams && version != VERSION_5_0 {
                    continue;
                }
                let set = NewSet {
                    version,
                    header_file: header_file || version == VERSION_6,
                    volume_size: volume_size.map(|size| size + if header_file { 0 } else { 9000 }),
                    obfuscated,
                    md5,
                    streams,
                    ..NewSet::new(disc::groups(&install))
                };
                number += 1;
                let folder = root.path().join(number.to_string());
                let what = format!("{version:08X} {volume_size:?} {obfuscated} {streams}");
                write_files(&folder, &files(&set).unwrap()).unwrap();
                compare(&folder, &install, &what);
            }
        }
    }
    // A volume that the set does not name is left alone.
    let stray = files(&NewSet::new(disc::groups(&install))).unwrap();
    let folder = root.path().join("stray");
    write_files(&folder, &stray).unwrap();
    let volume = stray.iter().find(|file| file.path.ends_with("1.cab"));
    let volume = volume.unwrap();
    let path = volume.path.replace("1.cab", "7.cab");
    fs::write(folder.join(&path), &volume.bytes).unwrap();
    compare(&folder, &install, "a stray volume");
    assert_eq!(
        crate::cabinets::cabinets(&crate::cabinets::sources(&folder)).len(),
        1
    );
    let beside = NewSet {
        version: VERSION_5_0,
        header_file: false,
        streams: true,
        beside: true,
        ..NewSet::new(disc::groups(&install[..3]))
    };
    let folder = root.path().join("beside");
    write_files(&folder, &files(&beside).unwrap()).unwrap();
    let sources = crate::cabinets::sources(&folder);
    let members = crate::cabinets::members(&sources);
    assert_eq!(members.len(), 3);
    assert!(
        members.iter().all(|(_, bytes)| bytes.is_ok()),
        "{members:?}"
    );
}

#[test]
fn targets_and_names_stay_within_the_tree() {
    let member = |path: &str, bytes: &[u8]| NewMember {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
        stored: true,
    };
    let group = |name: &str, target: &str, files: Vec<NewMember>| NewGroup {
        name: name.to_owned(),
        component: name.to_owned(),
        target: target.to_owned(),
        files,
    };
    for version in [VERSION_5_5, VERSION_6] {
        let set = NewSet {
            version,
            ..NewSet::new(vec![
                group("Main", "<TARGETDIR>", vec![member("a.txt", b"one")]),
                group("Sub", "<TARGETDIR>\\sub", vec![member("b.txt", b"two")]),
                group("System", "<WINSYSDIR>", vec![member("c.dll", b"three")]),
                group(
                    "Evil",
                    "<TARGETDIR>",
                    vec![member("..\\..\\outside\\moo", b"four")],
                ),
                group("Update", "<TARGETDIR>", vec![member("A.TXT", b"six")]),
                group("Copy", "<TARGETDIR>", vec![member("a.txt", b"one")]),
            ])
        };
        let folder = tempfile::tempdir().unwrap();
        write_files(folder.path(), &files(&set).unwrap()).unwrap();
        let sources = crate::cabinets::sources(folder.path());
        let members = crate::cabinets::members(&sources);
        let mut paths: Vec<&str> = members.iter().map(|(path, _)| &**path).collect();
        paths.sort_unstable();
        let expected = [
            "Update/A.TXT",
            "__/__/outside/moo",
            "a.txt",
            "sub/b.txt",
            "winsysdir/c.dll",
        ];
        assert_eq!(paths, expected);
        let cabinet = &crate::cabinets::cabinets(&sources)[0];
        assert_eq!(cabinet.deviations.total(), 1, "{:?}", cabinet.deviations);
        let first = cabinet
            .members
            .iter()
            .find(|member| member.path == "a.txt")
            .unwrap();
        assert_eq!(first.groups, ["Main", "Copy"]);
    }
}

/// Converts, and returns the outputs by path, without the documents of cabinets and discs.
fn outputs(input: &Path, out: &Path) -> Vec<(String, Vec<u8>)> {
    let output = common::convert(input, out, &["--quiet"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|code| code < 2), "{text}");
    let files = common::files(out).into_iter();
    let files = files.filter(|path| {
        !path.starts_with("music/")
            && !matches!(&**path, "manifest.json" | "report.json")
            && !["config/data1.json", "config/c1.json"].contains(&&**path)
            && !path.starts_with("loose/")
    });
    files
        .map(|path| (path.clone(), fs::read(out.join(path)).unwrap()))
        .collect()
}

fn assert_same_outputs(game: Game, image: &[SampleFile]) {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("folder");
    write_files(&folder, &relicast_samples::files(game, 1).unwrap()).unwrap();
    write_files(&root.path().join("disc"), image).unwrap();
    let sheet = root.path().join("disc").join(relicast_samples::disc::SHEET);
    let of_folder = outputs(&folder, &root.path().join("out-folder"));
    let of_disc = outputs(&sheet, &root.path().join("out-disc"));
    let names = |outputs: &[(String, Vec<u8>)]| -> Vec<String> {
        outputs.iter().map(|(path, _)| path.clone()).collect()
    };
    if names(&of_disc) != names(&of_folder) {
        let lost = names(&of_folder)
            .into_iter()
            .filter(|name| !names(&of_disc).contains(name));
        let more = names(&of_disc)
            .into_iter()
            .filter(|name| !names(&of_folder).contains(name));
        panic!(
            "lost {:?}, more {:?}",
            lost.collect::<Vec<_>>(),
            more.collect::<Vec<_>>()
        );
    }
    for ((path, made), (_, expected)) in of_disc.iter().zip(&of_folder) {
        assert!(made == expected, "{path} differs");
    }
    // Again: nothing to do, and the manifest names the source of everything.
    let out = root.path().join("out-disc");
    let before = fs::read(out.join("manifest.json")).unwrap();
    let output = common::convert(&sheet, &out, &[]).output().unwrap();
    let reported = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(reported.contains("nothing to do"), "{reported}");
    assert!(fs::read(out.join("manifest.json")).unwrap() == before);
    let manifest = common::json(&out.join("manifest.json"));
    let sources = manifest["sources"].as_array().unwrap();
    let member = manifest["outputs"].as_array().unwrap().iter();
    let member = member
        .clone()
        .find(|output| output.get("cabinet").is_some())
        .unwrap();
    // Groups are of InstallShield's sets only.
    let grouped = manifest["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .any(|output| {
            let groups = output["cabinet"]["groups"].as_array();
            groups.is_some_and(|groups| !groups.is_empty())
        });
    assert_eq!(grouped, game == Game::Mw);
    let made_from: Vec<&str> = member["made_from"]
        .as_array()
        .unwrap()
        .iter()
        .map(|index| {
            let index = usize::try_from(index.as_u64().unwrap()).unwrap();
            sources[index]["path"].as_str().unwrap()
        })
        .collect();
    assert!(
        made_from
            .iter()
            .any(|path| path.to_lowercase().ends_with(".cab")),
        "{made_from:?}"
    );
    assert!(
        made_from.iter().any(|path| path.ends_with(".bin")),
        "{made_from:?}"
    );
}

#[test]
fn an_install_in_installshield_cabinets_on_a_disc_gives_what_its_folder_gives() {
    assert_same_outputs(Game::Mw, &disc::mechwarrior().unwrap());
}

#[test]
fn an_install_in_a_set_of_microsoft_cabinets_on_a_disc_gives_what_its_folder_gives() {
    assert_same_outputs(Game::Cs, &disc::crimson_skies().unwrap());
}

#[test]
fn microsoft_cabinets_in_sets_are_read_whole_and_as_far_as_they_go() {
    let install = install();
    let root = tempfile::tempdir().unwrap();
    for (compressed, size) in [(true, 20_000), (false, 400_000), (true, usize::MAX)] {
        let whole = microsoft::cabinet(&install, compressed).unwrap();
        let names = ["a.cab", "B.CAB", "c.cab", "d.cab"];
        let set = microsoft::cut(&whole, size, &names).unwrap();
        let folder = root.path().join(format!("{compressed}-{size}"));
        write_files(&folder, &set).unwrap();
        compare(&folder, &install, &format!("{compressed} {size}"));
        if set.len() < 3 {
            continue;
        }
        fs::remove_file(folder.join(&set[2].path)).unwrap();
        let members = crate::cabinets::members(&crate::cabinets::sources(&folder));
        let good = members.iter().filter(|(_, bytes)| bytes.is_ok()).count();
        assert!(good > 0 && good < install.len(), "{good}");
    }
}

#[test]
fn a_changed_member_is_converted_again_and_nothing_else() {
    let member = |path: &str, bytes: &[u8]| NewMember {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
        stored: true,
    };
    let set = |detail: &[u8]| {
        let group = NewGroup {
            name: "Readers".to_owned(),
            component: "Readers".to_owned(),
            target: "<TARGETDIR>".to_owned(),
            files: vec![
                member("detail.zrd", detail),
                member("other.zrd", b"( OTHER 3 )"),
            ],
        };
        NewSet {
            volume_size: Some(0x200 + 11),
            ..NewSet::new(vec![group])
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in"), folder.path().join("out"));
    let convert = || {
        let output = common::convert(&input, &out, &["--quiet"])
            .output()
            .unwrap();
        output.status.code()
    };
    write_files(&input, &files(&set(b"( DETAIL 3 )")).unwrap()).unwrap();
    assert_eq!(convert(), Some(0));
    let detail = out.join("config/detail.json");
    let before = fs::read(&detail).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    write_files(&input, &files(&set(b"( DETAIL 4 )")).unwrap()).unwrap();
    assert_eq!(convert(), Some(0));
    assert!(fs::read(&detail).unwrap() != before);
    let report = common::json(&out.join("report.json"));
    let status = |path: &str| {
        let sources = report["sources"].as_array().unwrap();
        let source = sources
            .iter()
            .find(|source| source["path"] == path)
            .unwrap();
        source["parts"][0]["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (status("detail.zrd"), status("other.zrd")),
        ("converted".to_owned(), "unchanged".to_owned())
    );
    // Without a volume, its outputs stay, and are reported.
    fs::remove_file(input.join("data2.cab")).unwrap();
    assert_eq!(convert(), Some(2));
    assert!(out.join("config/other.json").exists());
    let report = common::json(&out.join("report.json"));
    assert!(report.to_string().contains("data2.cab"), "{report}");
    // Cabinets are files like any other when they are not to be opened.
    let settings = folder.path().join("settings.toml");
    fs::write(&settings, "[cabinets]\nenabled = false\n").unwrap();
    fs::write(input.join("loose.zrd"), "( LOOSE 1 )").unwrap();
    let closed = folder.path().join("closed");
    let arguments = ["--quiet", "--config", settings.to_str().unwrap()];
    let output = common::convert(&input, &closed, &arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        !closed.join("config/detail.json").exists() && closed.join("config/loose.json").exists()
    );
}

#[test]
fn an_install_next_to_its_own_cabinet_keeps_its_paths() {
    let member = |path: &str, bytes: &[u8]| NewMember {
        path: path.to_owned(),
        bytes: bytes.to_vec(),
        stored: false,
    };
    let set = NewSet::new(vec![NewGroup {
        name: "All".to_owned(),
        component: "All".to_owned(),
        target: "<TARGETDIR>".to_owned(),
        files: vec![
            member("zbd/a.zrd", b"( A 1 )"),
            member("zbd/b.zrd", b"( B 1 )"),
            member("maps/c.zrd", b"( C 1 )"),
        ],
    }]);
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path(), &files(&set).unwrap()).unwrap();
    fs::create_dir(folder.path().join("zbd")).unwrap();
    fs::write(folder.path().join("zbd/A.ZRD"), "( A 2 )").unwrap();
    let paths: Vec<String> = crate::cabinets::members(&crate::cabinets::sources(folder.path()))
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(paths, ["data1/zbd/a.zrd", "data1/zbd/b.zrd", "maps/c.zrd"]);
}

/// The example of LZX among the tests of the crate `cab`.
const LZX: &[u8] = b"\x4d\x53\x43\x46\x00\x00\x00\x00\x97\x00\x00\x00\x00\x00\x00\
    \x00\x2c\x00\x00\x00\x00\x00\x00\x00\x03\x01\x01\x00\x02\x00\
    \x00\x00\x2d\x05\x00\x00\x5b\x00\x00\x00\x01\x00\x03\x13\x0f\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x21\x53\x0d\xb2\x20\x00\
    \x68\x69\x2e\x74\x78\x74\x00\x10\x00\x00\x00\x0f\x00\x00\x00\
    \x00\x00\x21\x53\x0b\xb2\x20\x00\x62\x79\x65\x2e\x74\x78\x74\
    \x00\x5c\xef\x2a\xc7\x34\x00\x1f\x00\x5b\x80\x80\x8d\x00\x30\
    \xf0\x01\x10\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x48\
    \x65\x6c\x6c\x6f\x2c\x20\x77\x6f\x72\x6c\x64\x21\x0d\x0a\x53\
    \x65\x65\x20\x79\x6f\x75\x20\x6c\x61\x74\x65\x72\x21\x0d\x0a\
    \x00";

#[test]
fn folders_of_lzx_are_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.cab"), LZX).unwrap();
    let members = crate::cabinets::members(&crate::cabinets::sources(folder.path()));
    let expected = [
        (
            "small/bye.txt".to_owned(),
            Ok(b"See you later!\r\n".to_vec()),
        ),
        ("small/hi.txt".to_owned(), Ok(b"Hello, world!\r\n".to_vec())),
    ];
    assert_eq!(members, expected);
}

#[test]
fn damaged_blocks_of_lzx_end_their_folder_and_nothing_else() {
    /// The block: checksum, sizes, data.
    const BLOCK: usize = 0x5B;
    let folder = tempfile::tempdir().unwrap();
    let mut damaged = 0;
    for place in BLOCK + 8..LZX.len() {
        for bit in 0..8 {
            let mut bytes = LZX.to_vec();
            // A block without a checksum is expanded, with any contents.
            bytes[BLOCK..BLOCK + 4].fill(0);
            bytes[place] ^= 1 << bit;
            fs::write(folder.path().join("small.cab"), bytes).unwrap();
            let members = crate::cabinets::members(&crate::cabinets::sources(folder.path()));
            assert_eq!(members.len(), 2);
            damaged += usize::from(members.iter().any(|(_, bytes)| bytes.is_err()));
        }
    }
    // Most of the block is text that is stored as it is.
    assert!(damaged > 0);
}

#[test]
fn methods_of_compression_that_are_not_supported_are_reported() {
    /// The method of the folder.
    const METHOD: usize = 0x2A;
    for (method, named) in [
        (0x1512_u16, "Quantum"),
        (0x1A03, "window of 2^26"),
        (7, "method 7"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = LZX.to_vec();
        bytes[METHOD..METHOD + 2].copy_from_slice(&method.to_le_bytes());
        fs::write(folder.path().join("small.cab"), bytes).unwrap();
        for (path, bytes) in crate::cabinets::members(&crate::cabinets::sources(folder.path())) {
            let fault = bytes.unwrap_err();
            assert!(fault.contains(named), "{path}: {fault}");
        }
    }
}
