//! Reason for which a file or an item of it is not converted.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use relicast_formats::kind::Kind;

/// Kind of reason for a skip, for scripts and the program itself. Reports contain these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipCode {
    /// The user's globs exclude it. Outputs of earlier runs stay.
    NotSelected,
    /// The run was canceled before the item was started. Outputs of earlier runs stay.
    Cancelled,
    /// A setting turns it off.
    SwitchedOff,
    /// There is no ffmpeg. The user can install it and run again.
    NoFfmpeg,
    /// There is no usable sound font, which music needs.
    NoSoundFont,
    /// A disc image without the audio tracks of its disc. The user can make another image.
    NoMusic,
    /// Its format is unknown.
    UnknownFormat,
    /// The version of its format is unknown.
    UnknownVersion,
    /// It is empty.
    Empty,
    /// It is converted as part of another file: a disc image or a cabinet.
    PartOfOther,
    /// A link, a device, or something else that is not a file.
    NotAFile,
    /// A track whose file is copied as a whole.
    CopiedAsFile,
    /// No converter takes it, such as program code.
    NotConverted,
}

/// Reason for which a file or an item of it is not converted.
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

    /// The user's globs exclude it.
    pub fn not_selected() -> Self {
        Self::new(SkipCode::NotSelected, "not selected")
    }

    /// The run was canceled before the item was started.
    pub fn cancelled() -> Self {
        Self::new(SkipCode::Cancelled, "cancelled")
    }

    /// There is no ffmpeg, for the given reason.
    pub fn no_ffmpeg(why: &str) -> Self {
        Self::new(SkipCode::NoFfmpeg, format!("no ffmpeg: {why}"))
    }

    /// This kind is not converted, for the given reason.
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
