//! Game files that are to be written.

use std::collections::BTreeMap;

use super::selection::Outputs;

/// Game files that are to be written.
#[derive(Clone, Copy)]
pub(super) struct NewFiles<'f> {
    /// Their bytes.
    pub bytes: &'f BTreeMap<String, Vec<u8>>,
    /// The outputs that they are made from, where that is known.
    pub outputs: &'f BTreeMap<String, Outputs>,
    /// True for a path of an earlier run that stays, though it is not among these files.
    pub leaves: &'f dyn Fn(&str) -> bool,
}
