//! An edit on its way: what was edited, what it became, why it cannot go back.

use std::fmt::{self, Display};

use crate::pipeline::manifest::ManifestOutput;

/// An output that was edited.
#[derive(Debug)]
pub(super) struct Edited<'m> {
    /// What it was.
    pub output: &'m ManifestOutput,
    /// What it is now.
    pub bytes: Vec<u8>,
    /// Whether the alpha of a picture is an output of its own.
    pub has_alpha_plane: bool,
}

/// Why an edit cannot go back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    pub(super) fn new(reason: impl Display) -> Self {
        Self(reason.to_string())
    }
}

impl Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// New bytes, and how they differ from the edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How what they mean differs from the edit.
    pub rounding: Option<String>,
}
