//! Archives are read at their first use, and inflated bytes are stored once for a run.

use super::*;
use crate::Dependency;

/// An archive of the zone, and the archives next to it.
fn set_of<'a>(own: &'a [u8], beside: &[(&'a str, &'a [u8])]) -> ArchiveSet<'a> {
    let paths = [("zone.s3d", own)];
    let paths = paths.iter().chain(beside);
    let dependencies: Vec<Dependency<'a>> = paths
        .map(|&(path, bytes)| Dependency {
            path,
            kind: Kind::Pfs,
            bytes,
            digest: None,
            outputs: &[],
        })
        .collect();
    let context = OpenContext::new(Kind::Pfs, "zone.s3d", own).with_dependencies(&dependencies);
    let (own, _) = Archive::own(&context).unwrap();
    ArchiveSet::new(own, &context)
}

fn archive_with(name: &str) -> Vec<u8> {
    let archive = pfs::pack(&[(name, b"something")], None, 6).unwrap();
    pfs::encode(&archive).unwrap()
}

#[test]
fn only_what_is_asked_for_is_read() {
    let [own, near, far] = ["a.txt", "b.txt", "c.txt"].map(archive_with);
    let set = set_of(&own, &[("zone_obj.s3d", &near), ("global_chr.s3d", &far)]);
    let read = || -> Vec<bool> {
        let archives = set.archives().iter();
        archives
            .map(|opened| opened.table.get().is_some())
            .collect()
    };
    assert_eq!(read(), [true, false, false]);
    assert_eq!(set.siblings().len(), 2);
    assert_eq!(set.find_member("a.txt", 0), Some((0, 0)));
    assert_eq!(read(), [true, false, false]);
    assert_eq!(set.find_member("B.txt", 0), Some((1, 0)));
    assert_eq!(read(), [true, true, false]);
    assert_eq!(set.find_member("d.txt", 0), None);
    assert_eq!(read(), [true; 3]);
}

#[test]
fn an_archive_that_cannot_be_read_has_nothing() {
    let [own, far] = ["a.txt", "c.txt"].map(archive_with);
    let set = set_of(
        &own,
        &[("zone_obj.s3d", b"no archive"), ("global_chr.s3d", &far)],
    );
    assert_eq!(set.find_member("c.txt", 0), Some((2, 0)));
    let damaged = &set.archives()[1];
    assert!(damaged.stored().entries.is_empty() && damaged.scenes().is_empty());
    assert_eq!(set.archives()[2].bytes(0).unwrap(), b"something");
}

#[test]
fn a_member_is_stored_inflated_once_for_all_archives_of_the_same_bytes() {
    let bytes = archive_with("a.txt");
    let shared = SharedWork::default();
    let open = |digest| Archive::new("zone.s3d", &bytes, &[], Some((&shared, digest)));
    let place = |archive: &Archive<'_>| archive.facts_of(0)?.stored.get().copied();
    let (first, again, other) = (open("digest"), open("digest"), open("other"));
    assert_eq!(first.inflate(0).unwrap().value, b"something");
    assert!(place(&first).is_none());
    for archive in [&first, &again] {
        assert_eq!(archive.inflate_and_store(0).unwrap().value, b"something");
    }
    assert_eq!(place(&again).unwrap().length, b"something".len());
    assert!(place(&other).is_none());
    // Bytes that cannot be read again are inflated again.
    let alone = Archive::new(
        "zone.s3d",
        &bytes,
        &[],
        Some((&SharedWork::default(), "digest")),
    );
    let lost = place(&first).unwrap();
    alone.facts_of(0).unwrap().stored.set(lost).unwrap();
    assert_eq!(alone.inflate(0).unwrap().value, b"something");
    assert!(again.inflate(1).is_err());
}
