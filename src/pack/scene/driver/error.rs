//! Reasons why edited scenes cannot be packed.

use crate::pack::edited::{Edited, Refusal, Refusals, refuse_all};
use crate::pack::error::PackError;

/// Reason why edited scenes cannot be packed.
#[derive(Debug)]
pub(in crate::pack) enum SceneError {
    /// The game file accepts no edit, for one reason.
    AllRefused(Refusal),
    /// Some edits are refused, by output.
    Refused(Refusals),
    /// A file cannot be read or written.
    Failed(PackError),
}

impl SceneError {
    /// The refusals of the edited outputs.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub(in crate::pack) fn refusals(self, edits: &[Edited<'_>]) -> Result<Refusals, PackError> {
        match self {
            Self::AllRefused(refusal) => Ok(refuse_all(edits, refusal)),
            Self::Refused(refusals) => Ok(refusals),
            Self::Failed(error) => Err(error),
        }
    }
}

impl From<Refusal> for SceneError {
    fn from(refusal: Refusal) -> Self {
        Self::AllRefused(refusal)
    }
}

impl From<Refusals> for SceneError {
    fn from(refusals: Refusals) -> Self {
        Self::Refused(refusals)
    }
}

impl From<PackError> for SceneError {
    fn from(error: PackError) -> Self {
        Self::Failed(error)
    }
}
