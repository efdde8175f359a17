//! Items that are converted again to prove an edit.

use std::collections::BTreeSet;

use super::job::Job;
use crate::pack::error::PackError;
use crate::pipeline::report::manifest::ManifestOutput;

/// Items that are converted again.
#[derive(Debug, Default)]
pub(in crate::pack::scene) struct Scope {
    /// Files below the install.
    pub sources: BTreeSet<String>,
    /// Members of the file of the scenes; empty for the whole.
    pub members: BTreeSet<String>,
}

impl Scope {
    /// Collects the items that edited outputs are made from.
    ///
    /// # Errors
    /// A path is invalid.
    pub(in crate::pack::scene) fn new<'e>(
        job: &Job<'_>,
        edited: impl IntoIterator<Item = &'e ManifestOutput>,
        place_of: &dyn Fn(&str) -> Result<String, PackError>,
    ) -> Result<Self, PackError> {
        let mut scope = Self {
            sources: BTreeSet::from([job.place.to_owned()]),
            members: BTreeSet::new(),
        };
        let mut whole = false;
        for output in edited {
            for &number in &output.made_from {
                if let Some(source) = job.manifest.sources.get(number as usize)
                    && source.input == output.input
                {
                    scope.sources.insert(place_of(&source.path)?);
                }
            }
            whole |= output.member.is_none();
            scope.members.extend(output.member.clone());
        }
        if whole {
            scope.members.clear();
        }
        Ok(scope)
    }
}
