//! Why a file or an item of it is not converted.

use std::fmt::{self, Display};

/// Text of [`SkipReason::NotSelected`] in reports.
const NOT_SELECTED: &str = "not selected";

/// Text of [`SkipReason::Cancelled`] in reports.
const CANCELLED: &str = "cancelled";

/// Text of [`SkipReason::NoMusic`] in reports.
const NO_MUSIC: &str = "the disc has music, which is not in an ISO; use CUE and BIN";

/// Start of the text of [`SkipReason::NoFfmpeg`] in reports.
const NO_FFMPEG: &str = "no ffmpeg: ";

/// Why a file or an item of it is not converted. Reasons that the program itself acts on are variants of
/// their own; all others are text for people. Reports hold the text, from which the reason is read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// The user's globs leave it out. Outputs of earlier runs are kept.
    NotSelected,
    /// The run was cancelled before the item's turn. Outputs of earlier runs are kept.
    Cancelled,
    /// There is no ffmpeg, for the given reason. The user can install it and run again.
    NoFfmpeg(String),
    /// A disc image without the audio tracks of its disc. The user can make another image.
    NoMusic,
    /// Any other reason, such as a kind without converter.
    Other(String),
}

impl Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSelected => formatter.write_str(NOT_SELECTED),
            Self::Cancelled => formatter.write_str(CANCELLED),
            Self::NoFfmpeg(why) => write!(formatter, "{NO_FFMPEG}{why}"),
            Self::NoMusic => formatter.write_str(NO_MUSIC),
            Self::Other(text) => formatter.write_str(text),
        }
    }
}

impl From<&str> for SkipReason {
    /// The reason with this text.
    fn from(text: &str) -> Self {
        match (text, text.strip_prefix(NO_FFMPEG)) {
            (NOT_SELECTED, _) => Self::NotSelected,
            (CANCELLED, _) => Self::Cancelled,
            (NO_MUSIC, _) => Self::NoMusic,
            (_, Some(why)) => Self::NoFfmpeg(why.to_owned()),
            (_, None) => Self::Other(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_read_again_from_its_text() {
        let reasons = [
            SkipReason::NotSelected,
            SkipReason::Cancelled,
            SkipReason::NoFfmpeg("it was not found".to_owned()),
            SkipReason::NoMusic,
            SkipReason::Other("no converter".to_owned()),
        ];
        for reason in reasons {
            assert_eq!(SkipReason::from(&*reason.to_string()), reason);
        }
    }
}
