//! Content of a CUE sheet: files, tracks, times. Its text is read and written in [`cue`](super::cue).

use std::fmt::{self, Display};

use serde::Serialize;

/// Sectors in a second of a disc.
pub const SECTORS_PER_SECOND: u32 = 75;

/// A time of a sheet, in sectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Time(pub u32);

impl Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, sectors) = (self.0 / SECTORS_PER_SECOND, self.0 % SECTORS_PER_SECOND);
        write!(
            formatter,
            "{:02}:{:02}:{sectors:02}",
            seconds / 60,
            seconds % 60
        )
    }
}

relicast_codec::json_form!(Time = {"type": "string", "pattern": "^[0-9]+:[0-9]{2}:[0-9]{2}$", "description": "Minutes, seconds, sectors of 1/75 second"});

impl Serialize for Time {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Time {
    /// Reads `minutes:seconds:sectors`; minutes may have any number of digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':').map(|part| match part {
            "" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
            _ => None,
        });
        let (minutes, seconds, sectors): (u32, u32, u32) =
            (parts.next()??, parts.next()??, parts.next()??);
        if parts.next().is_some() || seconds >= 60 || sectors >= SECTORS_PER_SECOND {
            return None;
        }
        let seconds = minutes.checked_mul(60)?.checked_add(seconds)?;
        let sum = seconds
            .checked_mul(SECTORS_PER_SECOND)?
            .checked_add(sectors)?;
        Some(Self(sum))
    }
}

/// File format of an image file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Sectors; samples with the least significant byte first.
    Binary,
    /// Sectors; samples with the most significant byte first.
    Motorola,
    /// A WAV file.
    Wave,
    /// Any other type, by its keyword.
    Other(String),
}

impl FileFormat {
    pub(super) fn new(word: &str) -> Self {
        match &*word.to_ascii_uppercase() {
            "BINARY" => Self::Binary,
            "MOTOROLA" => Self::Motorola,
            "WAVE" => Self::Wave,
            other => Self::Other(other.to_owned()),
        }
    }

    pub(super) fn word(&self) -> &str {
        match self {
            Self::Binary => "BINARY",
            Self::Motorola => "MOTOROLA",
            Self::Wave => "WAVE",
            Self::Other(word) => word,
        }
    }
}

/// Sector layout of a track in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TrackMode {
    /// 2352 bytes of samples.
    #[serde(rename = "AUDIO")]
    Audio,
    /// User data only.
    #[serde(rename = "MODE1/2048")]
    Mode1Cooked,
    /// Whole sectors of mode 1.
    #[serde(rename = "MODE1/2352")]
    Mode1Raw,
    /// User data of form 1 only.
    #[serde(rename = "MODE2/2048")]
    Mode2Cooked,
    /// Sectors of mode 2 without synchronization and address.
    #[serde(rename = "MODE2/2336")]
    Mode2Headless,
    /// Whole sectors of mode 2.
    #[serde(rename = "MODE2/2352")]
    Mode2Raw,
    /// Any other mode, by its keyword.
    #[serde(untagged)]
    Other(String),
}

impl TrackMode {
    pub(super) fn new(word: &str) -> Self {
        match &*word.to_ascii_uppercase() {
            "AUDIO" => Self::Audio,
            "MODE1/2048" => Self::Mode1Cooked,
            "MODE1/2352" => Self::Mode1Raw,
            "MODE2/2048" => Self::Mode2Cooked,
            "MODE2/2336" | "CDI/2336" => Self::Mode2Headless,
            "MODE2/2352" | "CDI/2352" => Self::Mode2Raw,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The keyword in sheets.
    pub fn word(&self) -> &str {
        match self {
            Self::Audio => "AUDIO",
            Self::Mode1Cooked => "MODE1/2048",
            Self::Mode1Raw => "MODE1/2352",
            Self::Mode2Cooked => "MODE2/2048",
            Self::Mode2Headless => "MODE2/2336",
            Self::Mode2Raw => "MODE2/2352",
            Self::Other(word) => word,
        }
    }

    /// Number of bytes of a sector in the file; taken from the name for unknown modes.
    pub fn sector_size(&self) -> u64 {
        match self {
            Self::Audio | Self::Mode1Raw | Self::Mode2Raw => 2352,
            Self::Mode1Cooked | Self::Mode2Cooked => 2048,
            Self::Mode2Headless => 2336,
            Self::Other(word) => word
                .rsplit_once('/')
                .and_then(|(_, size)| size.parse().ok())
                .filter(|size| (1..=4096).contains(size))
                .unwrap_or(2352),
        }
    }

    /// True if its sectors hold user data that can be read.
    pub fn is_data(&self) -> bool {
        !matches!(self, Self::Audio | Self::Other(_))
    }
}

/// A file that a sheet names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CueFile {
    /// The name as written in the sheet.
    pub name: String,
    /// File format.
    pub format: FileFormat,
    /// Byte of the sheet where its line starts.
    #[serde(skip)]
    pub offset: usize,
}

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CueIndex {
    /// Number: 0 starts the gap before a track, 1 the track.
    pub number: u8,
    /// Index of the file in [`CueSheet::files`].
    pub file: usize,
    /// Time from the start of the file.
    pub time: Time,
    /// Byte of the sheet where its line starts.
    #[serde(skip)]
    pub offset: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_first(session: &u8) -> bool {
    *session <= 1
}

/// A track of a sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CueTrack {
    /// Its number.
    pub number: u8,
    /// Sector layout.
    pub mode: TrackMode,
    /// Session that it is in, from 1.
    #[serde(skip_serializing_if = "is_first")]
    pub session: u8,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its performer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performer: Option<String>,
    /// Its recording code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isrc: Option<String>,
    /// Its flags (`DCP`, `4CH`, `PRE`, `SCMS`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Silence before it that is in no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pregap: Option<Time>,
    /// Silence after it that is in no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postgap: Option<Time>,
    /// Its indices.
    pub indices: Vec<CueIndex>,
    /// Byte of the sheet where its line starts.
    #[serde(skip)]
    pub offset: usize,
}

/// A line without meaning for this program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OtherLine {
    /// Its number, from 1.
    pub line: usize,
    /// Its text without indentation.
    pub text: String,
}

/// A sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CueSheet {
    /// Media catalog number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalog: Option<String>,
    /// Title of the disc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Performer of the disc.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performer: Option<String>,
    /// Remarks, without the word `REM`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The files.
    pub files: Vec<CueFile>,
    /// The tracks.
    pub tracks: Vec<CueTrack>,
    /// Other lines: those known to have no data about tracks (CD-Text), and unknown ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherLine>,
}
