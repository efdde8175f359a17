//! A source or a member with all of its edits.

use super::digest::hash;
use super::edited::{Content, Edited, Refusals, refuse_all};
use super::picture::opened::as_png;
use super::text;
use crate::config::Config;
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_scene::Encoding;

/// A source or a member, and all of its edited outputs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit<'u, 'm> {
    /// Kind of the source or member.
    pub kind: Kind,
    /// Its own name, without folders.
    pub name: &'u str,
    /// Its original bytes.
    pub original: &'u [u8],
    /// Context from the archive around it; empty for files.
    pub siblings: &'u ArchiveContext,
    /// The settings that the outputs were made with.
    pub settings: &'u Config,
    /// The edits, at least one.
    pub edits: &'u [&'u Edited<'m>],
}

impl<'u, 'm> Unit<'u, 'm> {
    /// The only edit of the main output of the source, as a file of one of these encodings.
    ///
    /// # Errors
    /// A secondary output was edited, or two outputs that hold the same in different formats.
    pub(super) fn only(&self, encodings: &[Encoding]) -> Result<&'u Edited<'m>, Refusals> {
        let mut refused = Refusals::new();
        for edit in self.edits {
            if let Err(refusal) = edit.is_main(encodings) {
                refused.push((edit.output.path.clone(), refusal));
            }
        }
        match self.edits {
            [edit] if refused.is_empty() => Ok(edit),
            _ if refused.is_empty() => {
                Err(self
                    .refuse("several outputs of the same member were edited; restore all but one"))
            }
            _ => Err(refused),
        }
    }

    /// Reason why none of the edits can be packed.
    pub(super) fn refuse(&self, reason: impl std::fmt::Display) -> Refusals {
        refuse_all(self.edits.iter().copied(), reason)
    }

    /// The new bytes of a source that was copied to its outputs; `None` when it was not copied.
    ///
    /// # Errors
    /// Another output of it was edited too.
    pub(super) fn copied(&self) -> Result<Option<Content>, Refusals> {
        let own = hash(self.original);
        let is_copy = |edit: &Edited<'_>| edit.output.blake3 == own && self.kind != Kind::Wave;
        match self.edits {
            [edit] if is_copy(edit) => {
                let converted = match edit.output.path.ends_with(".png") {
                    true => as_png(&edit.bytes),
                    false => text::like(self.original, &edit.bytes),
                };
                let converted = converted.map_err(|refusal| self.refuse(refusal))?;
                Ok(converted.or_else(|| Some(Content::exact(edit.bytes.clone()))))
            }
            edits if edits.iter().any(|edit| is_copy(edit)) => Err(self.refuse(
                "the file itself was edited, and so was a document about it; restore one of them",
            )),
            _ => Ok(None),
        }
    }
}
