//! A game file before it is packed.

use relicast_formats::kind::Kind;

/// The original game file.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameFile<'f> {
    pub kind: Kind,
    /// Its name, without folders.
    pub name: &'f str,
    pub bytes: &'f [u8],
}
