//! Archives: round trips, names, and corrupt members.

use relicast_testing::test;
use std::fs;

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};
use relicast::formats::codec::Blob;
use relicast::formats::everquest::pfs::{self, Footer, name_crc};

use crate::support::{ARCHIVES, fixtures, members, mutate};

#[test]
fn fixture_archives_survive_and_have_all_their_names() {
    let folder = fixtures();
    for name in ARCHIVES {
        let bytes = fs::read(folder.join(name)).unwrap();
        assert_archive(name, &bytes);
    }
}

#[test]
fn made_archives_survive_and_have_all_their_names() {
    let files = relicast_samples::everquest::files(1).unwrap();
    let archives = files.iter().filter(|file| file.path.ends_with(".s3d"));
    let mut count = 0;
    for file in archives {
        assert_archive(&file.path, &file.bytes);
        count += 1;
    }
    assert!(count > 2, "{count} archives");
}

/// An archive is written as it was read, and contains the same when it is packed again.
fn assert_archive(name: &str, bytes: &[u8]) {
    let decoded = pfs::decode(bytes).unwrap();
    let archive = decoded.value;
    assert_eq!(pfs::encode(&archive).unwrap(), bytes, "{name}");
    assert!(archive.scattered.is_none(), "{name}");
    let odd_order = usize::from(name == "names_by_crc.s3d");
    assert_eq!(decoded.deviations.total(), 0, "{name}");
    assert_eq!(decoded.deviations.usual().len(), odd_order, "{name}");
    for entry in &archive.entries {
        let own = entry.name.as_deref().unwrap();
        assert_eq!(name_crc(own.as_bytes()), entry.row.name_crc, "{own}");
    }
    // Packed anew, the archive lists and holds the same.
    let contents = members(&archive);
    let list: Vec<_> = contents
        .iter()
        .map(|(name, data)| (&**name, &**data))
        .collect();
    let packed = pfs::pack(&list, archive.footer.clone(), 6).unwrap();
    let packed_bytes = pfs::encode(&packed).unwrap();
    let again = pfs::decode(&packed_bytes).unwrap();
    assert!(
        again.deviations.is_empty(),
        "{name}: {:?}",
        again.deviations
    );
    assert_eq!(again.value, packed);
    assert_eq!(members(&again.value), contents);
    assert_eq!(again.value.footer, archive.footer);
}

#[test]
fn the_retail_archive_has_the_documented_sizes() {
    let folder = fixtures();
    let bytes = fs::read(folder.join("gfaydark.s3d")).unwrap();
    let archive = pfs::decode(&bytes).unwrap().value;
    assert_eq!(archive.entries.len(), 40);
    let directory = archive.directory.as_ref().unwrap();
    assert_eq!((directory.place, directory.entry.row.size), (13, 635));
    assert_eq!(archive.footer.as_ref().unwrap().seconds(), 0x36AD_285B);
    let inflated: usize = members(&archive).values().map(Vec::len).sum();
    assert_eq!(inflated + 635, 4_645_775);
    assert_eq!(archive.member("OBJECTS.wld").unwrap().row.size, 886_396);
}

fn small_archive() -> Vec<u8> {
    let long = vec![7; 20_000];
    let members: [(&str, &[u8]); 4] = [
        ("B.TXT", b"second"),
        ("a.txt", b"first"),
        ("empty", b""),
        ("long.bin", &long),
    ];
    let archive = pfs::pack(&members, Some(Footer::new(0x1234_5678)), 6).unwrap();
    pfs::encode(&archive).unwrap()
}

#[test]
fn an_archive_of_our_own_lists_and_extracts() {
    let bytes = small_archive();
    assert!(bytes.ends_with(b"STEVE\x12\x34\x56\x78"));
    let decoded = pfs::decode(&bytes).unwrap();
    assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    assert_eq!(pfs::encode(&decoded.value).unwrap(), bytes);
    let contents = members(&decoded.value);
    assert_eq!(contents["b.txt"], b"second");
    assert_eq!(contents["empty"], b"");
    assert_eq!(contents["long.bin"], [7; 20_000]);
    assert_eq!(contents.len(), 4);
    let same_twice: [(&str, &[u8]); 2] = [("a", b"1"), ("A", b"2")];
    assert!(pfs::pack(&same_twice, None, 6).is_err());
}

#[test]
fn a_name_with_a_wrong_hash_is_found_by_its_place_and_reported() {
    let bytes = small_archive();
    let archive = pfs::decode(&bytes).unwrap().value;
    let index = archive
        .entries
        .iter()
        .position(|entry| entry.name.as_deref() == Some("a.txt"))
        .unwrap();
    let mut changed = archive.clone();
    changed.entries[index].row.name_crc ^= 1;
    let changed = pfs::encode(&changed).unwrap();
    let decoded = pfs::decode(&changed).unwrap();
    assert_eq!(decoded.value.entries[index].name.as_deref(), Some("a.txt"));
    assert_eq!(decoded.deviations.total(), 1);
    assert_eq!(decoded.deviations.described()[0].field, "name_crc");
}

#[test]
fn an_archive_without_names_is_listed_by_hash() {
    let bytes = small_archive();
    let mut archive = pfs::decode(&bytes).unwrap().value;
    archive.version = pfs::Version::Nameless;
    archive.directory = None;
    let bytes = pfs::encode(&archive).unwrap();
    let decoded = pfs::decode(&bytes).unwrap();
    assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    let archive = decoded.value;
    assert_eq!(archive.entries.len(), 4);
    for entry in &archive.entries {
        assert_eq!(entry.label(), format!("{:08x}.bin", entry.row.name_crc));
        assert!(entry.extract().is_ok());
    }
}

#[test]
fn members_that_share_bytes_get_faults_and_survive() {
    let bytes = small_archive();
    let mut archive = pfs::decode(&bytes).unwrap().value;
    let offsets: Vec<u32> = archive
        .entries
        .iter()
        .filter(|entry| entry.row.size > 0)
        .map(|entry| entry.row.offset)
        .collect();
    archive.scattered = Some(Blob::borrowed(&bytes[12..bytes.len() - 9 - 4 - 5 * 12]));
    for entry in archive
        .entries
        .iter_mut()
        .filter(|entry| entry.row.size > 0)
    {
        entry.row.offset = offsets[0];
    }
    let bytes = pfs::encode(&archive).unwrap();
    let decoded = pfs::decode(&bytes).unwrap();
    let faults = decoded.value.entries.iter();
    assert_eq!(faults.filter(|entry| entry.fault.is_some()).count(), 2);
    assert_eq!(pfs::encode(&decoded.value).unwrap(), bytes);
}

#[test]
fn corrupt_archives_do_no_harm_and_survive_when_they_decode() {
    mutate(&small_archive(), 1, |bytes| {
        if let Ok(decoded) = pfs::decode(bytes) {
            assert!(pfs::encode(&decoded.value).unwrap() == bytes);
            for deviation in decoded.deviations.described() {
                assert!(deviation.offset <= bytes.len() as u64, "{deviation}");
            }
            for entry in &decoded.value.entries {
                if let Ok(data) = entry.extract() {
                    assert_eq!(data.value.len(), entry.row.size as usize);
                }
            }
        }
    });
}

#[test]
fn names_with_the_same_hash_go_by_place() {
    let bytes = small_archive();
    let archive = pfs::decode(&bytes).unwrap().value;
    let mut changed = archive.clone();
    changed.entries[1].row.name_crc = changed.entries[0].row.name_crc;
    let changed = pfs::encode(&changed).unwrap();
    let decoded = pfs::decode(&changed).unwrap();
    for (found, entry) in decoded.value.entries.iter().zip(&archive.entries) {
        assert_eq!(found.name, entry.name);
        assert_eq!(found.blocks, entry.blocks);
    }
    assert_eq!(decoded.deviations.total(), 1);
}

#[test]
fn directories_of_other_packers_are_found() {
    let bytes = small_archive();
    let mut archive = pfs::decode(&bytes).unwrap().value;
    archive.directory.as_mut().unwrap().entry.row.name_crc = u32::MAX;
    let bytes = pfs::encode(&archive).unwrap();
    let decoded = pfs::decode(&bytes).unwrap();
    assert!(decoded.deviations.is_empty(), "{:?}", decoded.deviations);
    assert_eq!(decoded.value, archive);
}

#[test]
fn what_is_wrong_with_a_directory_is_reported_inside_the_file() {
    let reported = |bytes: &[u8]| {
        let decoded = pfs::decode(bytes).unwrap();
        assert!(pfs::encode(&decoded.value).unwrap() == bytes);
        let described = decoded.deviations.described().iter();
        let of_directory = described.filter(|described| described.field.starts_with("directory"));
        let offsets: Vec<u64> = of_directory.map(|directory| directory.offset).collect();
        assert!(!offsets.is_empty());
        for offset in offsets {
            assert!(offset < bytes.len() as u64, "{offset} of {}", bytes.len());
        }
    };
    // Its row points behind the end, with blocks and without.
    let bytes = small_archive();
    for size in [70, 0] {
        let mut archive = pfs::decode(&bytes).unwrap().value;
        archive.scattered = Some(Blob::borrowed(&bytes[12..bytes.len() - 9 - 4 - 5 * 12]));
        let row = &mut archive.directory.as_mut().unwrap().entry.row;
        (row.offset, row.size) = (0x0300_0000, size);
        reported(&pfs::encode(&archive).unwrap());
    }
    // A long list that packs into little has a fault behind the length of the whole file.
    let name = ["x".repeat(300), "\0".to_owned()].concat();
    let mut list = 1_u32.to_le_bytes().to_vec();
    list.extend((name.len() as u32).to_le_bytes());
    list.extend(name.as_bytes());
    list.extend([0; 20_000]);
    let packed = pfs::pack(&[("a", b"1"), ("b", &list)], None, 9).unwrap();
    let mut archive = packed.clone();
    let member = packed.member("b").unwrap();
    let directory = archive.directory.as_mut().unwrap();
    directory.entry.blocks = member.blocks.clone();
    directory.entry.row.size = member.row.size;
    reported(&pfs::encode(&archive).unwrap());
}

proptest! {
    #[test]
    fn any_members_come_back(contents in vec(vec(any::<u8>(), 0..20_000), 0..6), level in 0_u32..10) {
        let names: Vec<String> = (0..contents.len()).map(|index| format!("m{index}.bin")).collect();
        let list: Vec<(&str, &[u8])> = names
            .iter()
            .zip(&contents)
            .map(|(name, data)| (&**name, &**data))
            .collect();
        let archive = pfs::pack(&list, None, level).unwrap();
        let bytes = pfs::encode(&archive).unwrap();
        let decoded = pfs::decode(&bytes).unwrap();
        prop_assert_eq!(decoded.deviations.total(), 0);
        let found = members(&decoded.value);
        for (name, data) in names.iter().zip(&contents) {
            prop_assert_eq!(&found[name], data);
        }
    }
}
