//! Game files that are to be written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::selection::{EarlierFiles, Outputs};

/// Game files that are to be written.
#[derive(Clone, Copy)]
pub(super) struct NewFiles<'f> {
    /// Their bytes.
    pub bytes: &'f BTreeMap<String, Vec<u8>>,
    /// The outputs that they are made from, where that is known.
    pub outputs: &'f BTreeMap<String, Outputs>,
    /// These outputs by BLAKE3, to be stored beside the game files.
    pub edits: &'f BTreeMap<String, PathBuf>,
    /// True for a game file that an earlier run wrote and that must not be deleted, although it is not in `bytes`.
    pub is_retained: &'f dyn Fn(&str) -> bool,
    /// The game files of earlier runs that these were made with; `None` if they do not depend on them.
    pub earlier: Option<&'f EarlierFiles>,
}
