//! Cabinets: tables of both makers, data of InstallShield, and whole sets in memory.

use std::sync::Arc;

use relicast::formats::installshield::packed::{self, Compression};
use relicast::formats::installshield::tables;
use relicast::formats::microsoft_cabinet;
use relicast::source::cabinet::container::Budget;
use relicast::source::cabinet::volume::Volume;
use relicast::source::cabinet::{Container, microsoft, set, zipped};

/// A volume in memory.
pub fn volume(name: &str, bytes: &[u8]) -> Volume {
    Volume::in_memory(name, bytes.to_vec())
}

/// Checks that members have their declared sizes, and paths within the tree.
pub fn check(container: &Container) {
    for (index, member) in container.members.iter().enumerate() {
        assert!(!member.path.starts_with('/') && !member.path.is_empty());
        assert!(
            member
                .path
                .split('/')
                .all(|part| !matches!(part, "" | "." | "..")),
            "{}",
            member.path
        );
        if member.size > 1 << 22 {
            continue;
        }
        if let Ok(bytes) = container.read(index) {
            assert_eq!(bytes.len() as u64, member.size);
        }
    }
}

/// InstallShield: tables encode to the same bytes, and sets of one file are read as far as possible.
pub fn installshield(bytes: &[u8]) {
    let decoded = tables::decode(bytes);
    super::round_trip(bytes, decoded, |tables| Ok(tables.encode()));
    for name in ["data1.cab", "data1.hdr"] {
        check(&set::open(
            volume(name, bytes),
            &mut |_| None,
            Arc::default(),
        ));
    }
    for compression in [Compression::Chunks, Compression::Stream] {
        let mut given = 0;
        let mut input = bytes;
        let packed = bytes.len() as u64;
        let size = packed.saturating_mul(20);
        let expanded = packed::expand(compression, &mut input, packed, size, &mut |part| {
            given += part.len() as u64;
            Ok(())
        });
        assert!(given <= size && (expanded.is_err() || given == size));
    }
}

/// Microsoft cabinets; the volume serves as every volume of its set.
pub fn microsoft(bytes: &[u8]) {
    let _ = microsoft_cabinet::decode(bytes).is_ok();
    let mut left = 3;
    let mut find = |name: &str| {
        left -= 1;
        (left > 0).then(|| volume(name, bytes))
    };
    check(&microsoft::open(
        volume("a.cab", bytes),
        0,
        &mut find,
        Arc::new(Budget::default()),
    ));
}

/// Zip archives.
pub fn zip(bytes: &[u8]) {
    check(&zipped::open(volume("a.zip", bytes), Arc::default()));
}
