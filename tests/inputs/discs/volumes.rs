//! File systems that this project's own writer does not make: files in several pieces, versions and
//! dots, folders of many sectors, Rock Ridge, data tracks after audio tracks. Written byte by byte here.

use relicast_testing::test;
use std::fs;
use std::path::PathBuf;

use relicast::source::disc::sector::{RAW, USER};
use relicast::source::disc::write::raw_sectors;
use relicast::source::tree::Tree;
use tempfile::TempDir;

use super::{convert, files_on, image_of, install, music};

const FOLDER: u8 = 2;
const MORE: u8 = 0x80;

/// Sector of the root folder, of the root folder of Joliet, and the first one of files.
const ROOT: u32 = 20;
const JOLIET_ROOT: u32 = 30;
const FILES: u32 = 40;

fn both(value: u32) -> Vec<u8> {
    [value.to_le_bytes(), value.to_be_bytes()].concat()
}

/// A record of a folder. `system_use` is its System Use field: the entries of Rock Ridge.
fn record(name: &[u8], sector: u32, bytes: usize, flags: u8, system_use: &[u8]) -> Vec<u8> {
    let mut record = vec![0, 0];
    record.extend(both(sector));
    record.extend(both(u32::try_from(bytes).unwrap()));
    record.extend([99, 7, 1, 12, 0, 0, 0, flags, 0, 0, 1, 0, 0, 1]);
    record.push(u8::try_from(name.len()).unwrap());
    record.extend(name);
    if name.len().is_multiple_of(2) {
        record.push(0);
    }
    record.extend(system_use);
    record.resize(record.len().next_multiple_of(2), 0);
    record[0] = u8::try_from(record.len()).unwrap();
    record
}

/// The sectors of a folder at `sector`, none of its records across a border.
fn folder(sector: u32, system_use: &[u8], records: &[Vec<u8>]) -> Vec<u8> {
    let dots = [
        record(&[0], sector, USER, FOLDER, system_use),
        record(&[1], sector, USER, FOLDER, &[]),
    ];
    let mut out: Vec<u8> = Vec::new();
    for record in dots.iter().chain(records) {
        if out.len() % USER + record.len() > USER {
            out.resize(out.len().next_multiple_of(USER), 0);
        }
        out.extend(record);
    }
    out.resize(out.len().next_multiple_of(USER), 0);
    out
}

/// An image of which sector 0 is sector `first` of the disc. `parts` are at their sectors of the image.
fn image(first: u32, root: Vec<u8>, joliet: Option<Vec<u8>>, parts: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let descriptor = |code: u8, sector: u32, root: &[u8]| {
        let mut out = vec![0; USER];
        out[0] = code;
        out[1..7].copy_from_slice(b"CD001\x01");
        out[40..44].copy_from_slice(b"TEST");
        out[128..132].copy_from_slice(&[0, 8, 8, 0]);
        let root = record(&[0], first + sector, root.len(), FOLDER, &[]);
        out[156..190].copy_from_slice(&root);
        out
    };
    let mut all = vec![(16, descriptor(1, ROOT, &root)), (ROOT, root)];
    if let Some(joliet) = joliet {
        let mut second = descriptor(2, JOLIET_ROOT, &joliet);
        second[88..91].copy_from_slice(b"%/E");
        all.extend([(17, second), (JOLIET_ROOT, joliet)]);
    }
    let last = all
        .iter()
        .find(|(sector, _)| *sector == 17)
        .map_or(17, |_| 18);
    all.push((last, b"\xFFCD001\x01".to_vec()));
    all.extend_from_slice(parts);
    let mut out: Vec<u8> = Vec::new();
    for (sector, bytes) in all {
        let start = sector as usize * USER;
        let end = (start + bytes.len()).next_multiple_of(USER);
        out.resize(out.len().max(end), 0);
        out[start..start + bytes.len()].copy_from_slice(&bytes);
    }
    out
}

fn written(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join(name);
    fs::write(&path, bytes).unwrap();
    (scratch, path)
}

/// The files of an image, which must all be there.
fn files_of(image: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (_scratch, path) = written("own.iso", image);
    let files = files_on(&path).into_iter();
    files.map(|(path, bytes)| (path, bytes.unwrap())).collect()
}

fn names_of(image: &[u8]) -> Vec<String> {
    files_of(image).into_iter().map(|(path, _)| path).collect()
}

fn wide(name: &str) -> Vec<u8> {
    name.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

#[test]
fn a_file_may_be_in_several_pieces() {
    let (one, two, three) = (music(1, 2), music(2, 1), vec![7; 100]);
    let (one, two) = (&one[..2 * USER], &two[..USER]);
    let records = [
        record(b"BIG.DAT;1", 50, one.len(), MORE, &[]),
        record(b"BIG.DAT;1", FILES, two.len(), MORE, &[]),
        record(b"BIG.DAT;1", 45, three.len(), 0, &[]),
        record(b"CUT.DAT;1", 50, USER, MORE, &[]),
        record(b"LAST.DAT;1", 45, 10, 0, &[]),
    ];
    let parts = [
        (FILES, two.to_vec()),
        (45, three.clone()),
        (50, one.to_vec()),
    ];
    let image = image(0, folder(ROOT, &[], &records), None, &parts);
    let (_scratch, path) = written("own.iso", &image);
    let mut files = files_on(&path).into_iter();
    let whole = [one, two, &three].concat();
    let (name, bytes) = files.next().unwrap();
    assert!(name == "BIG.DAT" && bytes.unwrap() == whole);
    let (name, bytes) = files.next().unwrap();
    assert_eq!(name, "CUT.DAT");
    let why = bytes.unwrap_err().to_string();
    assert!(why.contains("last extent is missing"), "{why}");
    assert_eq!(files.next().unwrap().0, "LAST.DAT");

    // Whole sectors of the same image take the other way through the reader.
    let raw = raw_sectors(&image, 1, 0);
    let (_scratch, path) = written("own.bin", &raw);
    let files = files_on(&path);
    assert!(files[0].1.as_ref().unwrap() == &whole);
}

#[test]
fn pieces_over_and_over_make_no_file_larger_than_its_image() {
    let mut records: Vec<Vec<u8>> = (0..60)
        .map(|_| record(b"BOMB.DAT;1", 0, 40 * USER, MORE, &[]))
        .collect();
    records.push(record(b"BOMB.DAT;1", FILES, 3, 0, &[]));
    records.push(record(b"GOOD.DAT;1", FILES, 3, 0, &[]));
    let root = folder(ROOT, &[], &records);
    let image = image(0, root, None, &[(FILES, b"abc".to_vec())]);
    let (_scratch, path) = written("own.iso", &image);
    let mut files = files_on(&path).into_iter();
    let (name, bytes) = files.next().unwrap();
    let why = bytes.unwrap_err().to_string();
    assert_eq!(name, "BOMB.DAT");
    assert!(why.contains("61 extents"), "{why}");
    assert_eq!(files.next().unwrap().1.unwrap(), b"abc");
}

#[test]
fn versions_and_bare_dots_are_no_part_of_a_name() {
    let plain = [
        "A.;1", "B.TXT;1", "C;12", "D", "E.X", "F;X", "G..;1", ".H;1",
    ];
    let expected = ["A", "B.TXT", "C", "D", "E.X", "F;X", "G.", ".H"];
    let records = |names: Vec<Vec<u8>>| -> Vec<Vec<u8>> {
        let names = names.iter();
        names.map(|name| record(name, FILES, 1, 0, &[])).collect()
    };
    let parts = [(FILES, vec![9])];
    let short = records(plain.map(|name| name.as_bytes().to_vec()).into());
    let root = folder(ROOT, &[], &short);
    let mut found = names_of(&image(0, root.clone(), None, &parts));
    found.sort();
    let mut sorted = expected.map(str::to_owned);
    sorted.sort();
    assert_eq!(found, sorted);

    let long = records(plain.map(wide).into());
    let joliet = folder(JOLIET_ROOT, &[], &long);
    let mut found = names_of(&image(0, root, Some(joliet), &parts));
    found.sort();
    assert_eq!(found, sorted);
}

#[test]
fn a_folder_may_have_many_sectors_and_an_empty_file_any_place() {
    let names: Vec<String> = (0..200)
        .map(|number| format!("FILE{number:03}.DAT;1"))
        .collect();
    let mut records: Vec<Vec<u8>> = names
        .iter()
        .map(|name| record(name.as_bytes(), FILES, 3, 0, &[]))
        .collect();
    records.push(record(b"EMPTY.DAT;1", u32::MAX, 0, 0, &[]));
    records.push(record(b"NOFILE.DIR", ROOT, USER, FOLDER, &[]));
    let root = folder(ROOT, &[], &records);
    assert!(root.len() > 4 * USER && root.len() <= 10 * USER);
    let files = files_of(&image(0, root, None, &[(FILES, b"abc".to_vec())]));
    assert_eq!(files.len(), 201);
    assert_eq!(files[0], ("EMPTY.DAT".to_owned(), Vec::new()));
    assert!(files[1..].iter().all(|(_, bytes)| bytes == b"abc"));
}

#[test]
fn sectors_of_a_data_track_after_audio_count_from_the_start_of_the_disc() {
    let first = 20;
    let records = [record(b"A.TXT;1", first + FILES, 5, 0, &[])];
    let root = folder(first + ROOT, &[], &records);
    let image = image(first, root, None, &[(FILES, b"hello".to_vec())]);
    let sound = music(5, 12);
    // Addresses in sector headers count the 150 sectors of the 2-second pregap too.
    let data = raw_sectors(&image, 1, u64::from(first) + 150);
    let sheet = "FILE a.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 MODE1/2352\n\
                 PREGAP 00:00:08\nINDEX 01 00:00:12\n";
    let (scratch, path) = written("a.cue", sheet.as_bytes());
    fs::write(scratch.path().join("a.bin"), [sound, data].concat()).unwrap();
    let files = files_on(&path);
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].0, "A.TXT");
    assert_eq!(files[0].1.as_ref().unwrap(), b"hello");
}

#[test]
fn user_data_is_at_its_place_in_sectors_of_every_size() {
    let install = install();
    let image = image_of(&install);
    let raw = raw_sectors(&image, 2, 150);
    // Without sync and header, 16 bytes.
    let headless: Vec<u8> = raw
        .chunks(RAW)
        .flat_map(|sector| sector[16..].to_vec())
        .collect();
    let sound = music(6, 9);
    for (mode, data) in [
        ("MODE1/2048", image.clone()),
        ("MODE2/2336", headless),
        ("MODE2/2352", raw),
    ] {
        let sectors = image.len() / USER;
        let time = |sector: usize| format!("00:{:02}:{:02}", sector / 75, sector % 75);
        let (gap, start) = (time(sectors), time(sectors + 2));
        let sheet = format!(
            "FILE a.bin BINARY\nTRACK 01 {mode}\nINDEX 01 00:00:00\nTRACK 02 AUDIO\n\
             INDEX 00 {gap}\nINDEX 01 {start}\n"
        );
        let (scratch, path) = written("a.cue", sheet.as_bytes());
        fs::write(scratch.path().join("a.bin"), [data, sound.clone()].concat()).unwrap();
        let files = files_on(&path);
        assert_eq!(files.len(), install.len(), "{mode}");
        for (path, bytes) in files {
            let (_, expected) = install.iter().find(|(own, _)| *own == path).unwrap();
            assert!(bytes.unwrap() == *expected, "{mode}: {path}");
        }
        let out = scratch.path().join("out");
        assert_eq!(convert(&path, &out, ""), Some(0), "{mode}");
        let track = super::flac(&out.join("music/a/track02.flac")).0;
        assert!(track == sound[2 * RAW..], "{mode}");
    }
}

/// An entry of the System Use field: signature, length, version, data.
fn field(name: &[u8; 2], body: &[u8]) -> Vec<u8> {
    let length = u8::try_from(body.len() + 4).unwrap();
    [&name[..], &[length, 1], body].concat()
}

/// A Rock Ridge name.
fn name(text: &str) -> Vec<u8> {
    field(b"NM", &[&[0], text.as_bytes()].concat())
}

#[test]
fn rock_ridge_names_are_used_where_there_is_no_joliet() {
    let shared = field(b"SP", &[0xBE, 0xEF, 0]);
    // A name of two fields, the second of which is in another sector.
    let more = [&both(60)[..], &both(8), &both(9)].concat();
    let long = [field(b"NM", b"\x01A long "), field(b"CE", &more)].concat();
    let link = [name("link"), field(b"SL", &[0, 8, 1, b'x'])].concat();
    let child = [name("deep"), field(b"CL", &both(52))].concat();
    let moved = [name("deep"), field(b"RE", &[])].concat();
    let lost = [name("lost"), field(b"RE", &[])].concat();
    let records = [
        record(b"ALONG.TXT;1", FILES, 3, 0, &long),
        record(b"DEEP.;1", FILES, 0, 0, &child),
        record(b"LINK.;1", FILES, 0, 0, &link),
        record(b"PLAIN.TXT;1", FILES, 3, 0, &[]),
        record(b"RR_MOVED", 51, USER, FOLDER, &name("rr_moved")),
        record(b"SAME.TXT;1", FILES, 3, 0, &name("..")),
    ];
    let moved = [
        record(b"DEEP", 52, USER, FOLDER, &moved),
        record(b"LOST", 53, USER, FOLDER, &lost),
    ];
    let inner = |text: &str| [record(b"IN.TXT;1", FILES, 3, 0, &name(text))];
    let parts = [
        (FILES, b"abc".to_vec()),
        (51, folder(51, &[], &moved)),
        (52, folder(52, &[], &inner("In the deep.text"))),
        (53, folder(53, &[], &inner("In the moved.text"))),
        (60, [&[0; 8][..], &name("name")].concat()),
    ];
    let root = folder(ROOT, &shared, &records);
    let mut found = names_of(&image(0, root.clone(), None, &parts));
    found.sort();
    assert_eq!(
        found,
        [
            "A long name",
            "PLAIN.TXT",
            "__",
            "deep/In the deep.text",
            "rr_moved/lost/In the moved.text",
        ]
    );

    let joliet = [record(&wide("Joliet.txt;1"), FILES, 3, 0, &[])];
    let joliet = folder(JOLIET_ROOT, &[], &joliet);
    assert_eq!(
        names_of(&image(0, root, Some(joliet), &parts)),
        ["Joliet.txt"]
    );

    // Without the `SP` entry in the root, the same bytes are ignored.
    let root = folder(ROOT, &[], &records[3..4]);
    assert_eq!(names_of(&image(0, root, None, &parts)), ["PLAIN.TXT"]);
}

#[test]
fn rock_ridge_fields_with_wrong_sizes_end() {
    let shared = field(b"SP", &[0xBE, 0xEF, 0]);
    let own = [&both(60)[..], &both(0), &both(28)].concat();
    let outside = [&both(60_000)[..], &both(9000), &both(u32::MAX)].concat();
    let records = [
        record(b"A.;1", FILES, 1, 0, &field(b"CE", &own)),
        record(b"B.;1", FILES, 1, 0, &field(b"CE", &outside)),
        record(b"C.;1", FILES, 1, 0, &[b'N', b'M', 200, 1, 0, b'x']),
        record(b"D.;1", FILES, 1, 0, &[b'N', b'M', 0, 1]),
        record(b"E.;1", FILES, 1, 0, &field(b"CL", &both(ROOT))),
        record(b"F.;1", FILES, 1, 0, &field(b"CL", &both(70_000))),
    ];
    let parts = [(FILES, vec![1]), (60, field(b"CE", &own))];
    let root = folder(ROOT, &shared, &records);
    let (_scratch, path) = written("own.iso", &image(0, root, None, &parts));
    let tree = Tree::list(std::slice::from_ref(&path), None).unwrap();
    assert_eq!(tree.faults.len(), 2, "{:?}", tree.faults);
    let names: Vec<String> = files_on(&path).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["A", "B", "C", "D"]);
}
