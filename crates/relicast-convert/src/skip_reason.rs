//! Reason why a file or an item of it is not converted.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use relicast_formats::kind::Kind;

/// Kind of reason for a skip: scripts and the program itself act on it. The words in reports are those here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipCode {
    /// The user's globs leave it out. Outputs of earlier runs are kept.
    NotSelected,
    /// The run was cancelled before the item was started. Outputs of earlier runs are kept.
    Cancelled,
    /// A setting switches it off.
    SwitchedOff,
    /// There is no ffmpeg. The user can install it and run again.
    NoFfmpeg,
    /// There is no usable sound font, which music needs.
    NoSoundFont,
    /// A disc image without the audio tracks of its disc. The user can make another image.
    NoMusic,
    /// Its content is of no known format.
    UnknownFormat,
    /// The version of its format is not known.
    UnknownVersion,
    /// Nothing is in it.
    Empty,
    /// It is converted as part of another file: a disc image or a cabinet.
    PartOfOther,
    /// A link, a device, or another thing that is no file.
    NotAFile,
    /// A track whose file is copied as a whole.
    CopiedAsFile,
    /// No converter takes it, such as program code.
    NotConverted,
}

/// Reason why a file or an item of it is not converted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SkipReason {
    /// Its kind.
    pub code: SkipCode,
    /// Text for people.
    pub text: String,
}

impl SkipReason {
    /// A reason with this text.
    pub fn new(code: SkipCode, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { code, text }
    }

    /// The user's globs leave it out.
    pub fn not_selected() -> Self {
        Self::new(SkipCode::NotSelected, "not selected")
    }

    /// The run was cancelled before the item was started.
    pub fn cancelled() -> Self {
        Self::new(SkipCode::Cancelled, "cancelled")
    }

    /// There is no ffmpeg, for the given reason.
    pub fn no_ffmpeg(why: &str) -> Self {
        Self::new(SkipCode::NoFfmpeg, format!("no ffmpeg: {why}"))
    }

    /// Nothing becomes of this kind, for the given reason.
    pub fn for_kind(kind: Kind, text: impl Into<String>) -> Self {
        let code = match kind {
            Kind::Empty => SkipCode::Empty,
            Kind::DiscPart | Kind::CabinetPart => SkipCode::PartOfOther,
            Kind::Unknown => SkipCode::UnknownFormat,
            _ => SkipCode::NotConverted,
        };
        Self::new(code, text)
    }
}

impl Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
