//! Tests of the reader.

use super::super::write::{NewFile, iso9660};
use super::*;
use std::io;

/// A track that starts at sector 100, with an image whose sector numbers start at 0.
struct LateTrack(Vec<u8>);

impl Sectors for LateTrack {
    fn first(&self) -> u64 {
        100
    }
    fn end(&self) -> u64 {
        100 + (self.0.len() / USER) as u64
    }
    fn read(&self, sector: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = (sector - 100) as usize * USER;
        buffer.copy_from_slice(&self.0[start..start + buffer.len()]);
        Ok(())
    }
}

#[test]
fn a_folder_before_the_track_is_reported_with_both_ranges() {
    let track = LateTrack(iso9660(
        "GAME",
        &[NewFile {
            path: "A.TXT",
            bytes: b"a",
        }],
    ));
    let volume = read(&track).unwrap();
    assert!(volume.entries.is_empty());
    let expected = format!("but the image has sectors 100..{} ", track.end());
    let problem = &volume.faults[0].problem;
    assert!(problem.contains(&expected), "{problem}");
}
