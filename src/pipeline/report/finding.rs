//! Groups of repeated messages in the report.
//!
//! ```
//! use relicast::pipeline::report::finding::FindingKind;
//!
//! assert_eq!(FindingKind::Skip.label(1), "skip");
//! assert_eq!(FindingKind::Skip.label(2), "skips");
//! ```

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// Kind of message, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingKind {
    /// Something failed.
    Failure,
    /// Something was not converted, and the user can change that. Other skips are only in the list of items.
    Skip,
    /// Values that break a soft rule of their format: unusual, but converted.
    Deviation,
    /// A file that is not among the inputs and would improve the output, such as a texture.
    Missing,
    /// Other information.
    Note,
}

impl FindingKind {
    /// Noun for messages, in singular or plural.
    pub fn label(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Failure, 1) => "failure",
            (Self::Failure, _) => "failures",
            (Self::Skip, 1) => "skip",
            (Self::Skip, _) => "skips",
            (Self::Deviation, 1) => "deviation",
            (Self::Deviation, _) => "deviations",
            (Self::Missing, 1) => "missing item",
            (Self::Missing, _) => "missing items",
            (Self::Note, 1) => "note",
            (Self::Note, _) => "notes",
        }
    }
}

/// Similar messages about different things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Kind of the messages.
    pub kind: FindingKind,
    /// Number of messages.
    pub count: u64,
    /// Number of source files.
    pub sources: u64,
    /// Source file of the first message.
    pub source: String,
    /// Member of the first message, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The first message in full.
    pub example: String,
}

impl Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > 1 {
            let label = self.kind.label(self.count);
            write!(formatter, "{} {label} like this", self.count)?;
            if self.sources > 1 {
                write!(formatter, " in {} files", self.sources)?;
            }
            formatter.write_str(": ")?;
        }
        write!(formatter, "{}: ", self.source)?;
        if let Some(member) = &self.member {
            write!(formatter, "{member}: ")?;
        }
        formatter.write_str(&self.example)
    }
}
