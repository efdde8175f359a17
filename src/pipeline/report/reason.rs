//! Reasons for skips and failures in the report.

use std::fmt::{self, Display};
use std::io;

use serde::{Deserialize, Serialize};

use crate::pipeline::plan::planned::PlanError;
use relicast_codec::{FaultKind, FormatError};
use relicast_convert::{ConvertError, SkipCode, SkipReason};

/// Kind of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureCode {
    /// A rule of its format is broken.
    Invalid,
    /// A resource limit was exceeded.
    Limit,
    /// It cannot be expressed in the output format.
    NotExpressible,
    /// An output cannot be written.
    NotWritable,
    /// It or one of its dependencies cannot be read.
    Unreadable,
    /// It or one of its dependencies changed while it was read.
    Changed,
    /// It deviates from its format in a run with `--strict`.
    Strict,
}

/// Kind of reason. In reports it is one word in both cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ReasonCode {
    /// Reason of a skip.
    Skip(SkipCode),
    /// Reason of a failure.
    Failure(FailureCode),
}

/// Reason why a file or item was skipped or failed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "StoredReason")]
pub struct Reason {
    /// Kind of reason; `None` in reports of versions that stored only the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ReasonCode>,
    /// Text for people.
    pub text: String,
}

/// Reason in a report of this version or an earlier one.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredReason {
    Text(String),
    Coded {
        #[serde(default)]
        code: Option<ReasonCode>,
        text: String,
    },
}

impl From<StoredReason> for Reason {
    fn from(stored: StoredReason) -> Self {
        let (code, text) = match stored {
            StoredReason::Text(text) => (None, text),
            StoredReason::Coded { code, text } => (code, text),
        };
        Self { code, text }
    }
}

impl Reason {
    /// Reason of a failure.
    pub fn failure(code: FailureCode, text: impl Into<String>) -> Self {
        Self {
            code: Some(ReasonCode::Failure(code)),
            text: text.into(),
        }
    }

    /// Reason for a file that cannot be read.
    pub(in crate::pipeline) fn unreadable(fault: &io::Error) -> Self {
        Self::failure(code_of(fault), format!("cannot read: {fault}"))
    }

    /// Reason for an item with deviations in a run with `--strict`.
    pub(in crate::pipeline) fn strict(total: u64) -> Self {
        let text = format!("{total} deviations from the format (strict)");
        Self::failure(FailureCode::Strict, text)
    }

    /// Kind of skip; `None` for failures.
    pub fn skip(&self) -> Option<SkipCode> {
        match self.code {
            Some(ReasonCode::Skip(code)) => Some(code),
            _ => None,
        }
    }

    /// Returns true for a skip that the user can act on; its text has the remedy.
    pub fn has_remedy(&self) -> bool {
        matches!(self.skip(), Some(SkipCode::NoFfmpeg | SkipCode::NoMusic))
    }

    /// Kind of failure; `None` for skips.
    pub fn failed(&self) -> Option<FailureCode> {
        match self.code {
            Some(ReasonCode::Failure(code)) => Some(code),
            _ => None,
        }
    }
}

impl Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Kind of failure of a file that cannot be read: a file beyond `limits.memory_mib` is not damaged.
pub(in crate::pipeline) fn code_of(fault: &io::Error) -> FailureCode {
    if fault.kind() == io::ErrorKind::FileTooLarge {
        FailureCode::Limit
    } else {
        FailureCode::Unreadable
    }
}

impl From<&SkipReason> for Reason {
    fn from(reason: &SkipReason) -> Self {
        Self {
            code: Some(ReasonCode::Skip(reason.code)),
            text: reason.text.clone(),
        }
    }
}

impl From<&FormatError> for Reason {
    fn from(error: &FormatError) -> Self {
        let code = match error.kind() {
            FaultKind::Limit => FailureCode::Limit,
            FaultKind::Unencodable => FailureCode::NotExpressible,
            _ => FailureCode::Invalid,
        };
        Self::failure(code, error.to_string())
    }
}

impl From<&PlanError> for Reason {
    fn from(error: &PlanError) -> Self {
        match error {
            PlanError::Read(fault) => Self::unreadable(fault),
            PlanError::Format(error) => error.into(),
            PlanError::Lost(_) | PlanError::TextMode(_) => {
                Self::failure(FailureCode::Invalid, error.to_string())
            }
        }
    }
}

impl From<&ConvertError> for Reason {
    fn from(error: &ConvertError) -> Self {
        let code = match error {
            ConvertError::Format(error) => return error.into(),
            ConvertError::LeftOut(reason) => return reason.into(),
            ConvertError::Cancelled => return (&SkipReason::cancelled()).into(),
            ConvertError::NoFfmpeg(why) => return (&SkipReason::no_ffmpeg(why)).into(),
            ConvertError::Emit(_) => FailureCode::NotExpressible,
            ConvertError::Write { .. } => FailureCode::NotWritable,
        };
        Self::failure(code, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_objects_and_texts_of_earlier_reports_are_read() {
        let skip = Reason::from(&SkipReason::no_ffmpeg("it was not found"));
        let failure = Reason::failure(FailureCode::NotWritable, "full");
        let written = serde_json::to_value([&skip, &failure]).unwrap();
        assert_eq!(
            written,
            serde_json::json!([
                {"code": "no_ffmpeg", "text": "no ffmpeg: it was not found"},
                {"code": "not_writable", "text": "full"},
            ])
        );
        let read: Vec<Reason> = serde_json::from_value(written).unwrap();
        assert_eq!(read, [skip, failure]);
        let old: Reason = serde_json::from_value("no ffmpeg: gone".into()).unwrap();
        assert_eq!((old.code, &*old.text), (None, "no ffmpeg: gone"));
    }
}
