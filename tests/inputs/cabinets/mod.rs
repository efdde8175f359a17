//! Cabinets and archives: their lists, their members, and messages for damaged ones.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod fixtures;
mod hostile;
mod made;

use std::path::Path;
use std::sync::Arc;

use relicast::source::cabinet::Container;
use relicast::source::location::Location;
use relicast::source::tree::{SourceFile, Tree};

/// All sources of an input.
pub fn sources(input: &Path) -> Vec<SourceFile> {
    Tree::list(&[input.to_owned()], None).unwrap().files
}

/// The cabinets among them.
pub fn cabinets(sources: &[SourceFile]) -> Vec<Arc<Container>> {
    let cabinets = sources.iter().filter_map(|file| file.location.container());
    cabinets.cloned().collect()
}

/// Path and bytes of all members, or why they cannot be had.
pub fn members(sources: &[SourceFile]) -> Vec<(String, Result<Vec<u8>, String>)> {
    let members = sources
        .iter()
        .filter(|file| matches!(file.location, Location::Member(..)));
    let read = members.map(|file| {
        let bytes = file.location.open();
        let bytes = bytes.map(|bytes| bytes.to_vec());
        (file.path.clone(), bytes.map_err(|error| error.to_string()))
    });
    read.collect()
}
