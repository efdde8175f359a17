//! Items that are converted again to prove an edit.

use std::collections::BTreeSet;

use super::job::Job;
use crate::pack::edited::Edited;
use crate::pack::error::PackError;

/// Items that are converted again.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Scope {
    /// Files below the install.
    pub sources: BTreeSet<String>,
    /// Members of the file of the scenes; empty for the whole.
    pub members: BTreeSet<String>,
}

impl Scope {
    /// Collects the items that the edited scenes are made from.
    ///
    /// # Errors
    /// A path is invalid.
    pub(in crate::pack::scene) fn new(
        job: &Job<'_>,
        edits: &[Edited<'_>],
        place_of: &dyn Fn(&str) -> Result<String, PackError>,
    ) -> Result<Self, PackError> {
        let mut scope = Self {
            sources: BTreeSet::from([job.place.to_owned()]),
            members: BTreeSet::new(),
        };
        let mut whole = false;
        for edit in edits {
            for &number in &edit.output.made_from {
                if let Some(source) = job.manifest.sources.get(number as usize)
                    && source.input == edit.output.input
                {
                    scope.sources.insert(place_of(&source.path)?);
                }
            }
            whole |= edit.output.member.is_none();
            scope.members.extend(edit.output.member.clone());
        }
        if whole {
            scope.members.clear();
        }
        Ok(scope)
    }
}
