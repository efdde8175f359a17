//! `ZONE.emt`: emitters as text, one per line, fields separated by commas, `;` before comments.
//!
//! ```
//! use relicast_formats::everquest::sound::emt::{decode, encode};
//!
//! let bytes = b"; a comment\r\n";
//! let lines = decode(bytes)?.value;
//! assert_eq!(lines[0].emitter, None);
//! assert_eq!(encode(&lines)?, bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use serde::Serialize;

use super::lines::{self, Line};
use crate::everquest::number;
use relicast_codec::{Decoded, Deviations, F32, FormatError, Result, shown};
use relicast_limits as limits;

/// Time of day of an emitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Day and night.
    Always,
    /// By day.
    Day,
    /// By night.
    Night,
    /// A number with unknown meaning.
    Other(i32),
}

/// An emitter. Fields follow the order of the line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextEmitter {
    /// Version of the line: 1 has 19 fields, 2 has 20 or more.
    pub version: i32,
    /// File of the sound.
    pub file: String,
    /// 0 in all retail files; meaning unknown.
    pub unk2: i32,
    /// Time of day.
    pub when: When,
    /// Volume.
    pub volume: F32,
    /// Milliseconds until the volume is full.
    pub fade_in: i32,
    /// Milliseconds until it is silent.
    pub fade_out: i32,
    /// 0 for a permanent sound, 1 for one that repeats after a delay.
    pub loop_kind: i32,
    /// Position in file axes.
    pub position: [F32; 3],
    /// Distance up to which the volume is full.
    pub full_volume_radius: F32,
    /// Distance from which on it is silent.
    pub max_distance: F32,
    /// Radius around the position in which the sound moves at random; 0 for a fixed position.
    pub random_radius: F32,
    /// Distance from which on it starts.
    pub activation_range: F32,
    /// Minimum pause in milliseconds.
    pub min_delay: i32,
    /// Maximum pause in milliseconds.
    pub max_delay: i32,
    /// Song of the zone's music file.
    pub song: i32,
    /// Strength of the echo; 50 is the maximum.
    pub echo: F32,
    /// Sound of the environment; lines of version 1 have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<bool>,
    /// Further fields of the line, as stored; meaning unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
}

/// Fields of a line of version 1.
const FIELDS: usize = 19;

/// A line and the emitter in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EmitterLine {
    /// The line as stored; writers store this.
    pub line: Line,
    /// The emitter; `None` for comments, empty lines and lines that cannot be read.
    pub emitter: Option<TextEmitter>,
}

/// Byte order mark of UTF-8, as Windows-1252 reads it.
const BYTE_ORDER_MARK: &str = "\u{ef}\u{bb}\u{bf}";

/// Parses a line without its comment. `None` for lines with too few fields, or text in place of a number.
fn parse(text: &str) -> Option<TextEmitter> {
    let mut fields = text.split(',').map(str::trim);
    let version = number::whole(fields.next()?)?;
    let file = fields.next()?.to_owned();
    let mut word = || fields.next();
    Some(TextEmitter {
        version,
        file,
        unk2: number::whole(word()?)?,
        when: match number::whole(word()?)? {
            0 => When::Always,
            1 => When::Day,
            2 => When::Night,
            other => When::Other(other),
        },
        volume: F32(number::decimal(word()?)?),
        fade_in: number::whole(word()?)?,
        fade_out: number::whole(word()?)?,
        loop_kind: number::whole(word()?)?,
        position: [
            F32(number::decimal(word()?)?),
            F32(number::decimal(word()?)?),
            F32(number::decimal(word()?)?),
        ],
        full_volume_radius: F32(number::decimal(word()?)?),
        max_distance: F32(number::decimal(word()?)?),
        random_radius: F32(number::decimal(word()?)?),
        activation_range: F32(number::decimal(word()?)?),
        min_delay: number::whole(word()?)?,
        max_delay: number::whole(word()?)?,
        song: number::whole(word()?)?,
        echo: F32(number::decimal(word()?)?),
        environment: match word() {
            Some(field) => Some(number::whole(field)? != 0),
            None => None,
        },
        further: fields.map(str::to_owned).collect(),
    })
}

/// Decodes a list. A line that cannot be read is a deviation, and so is a number followed by other text.
///
/// # Errors
/// The file has lines besides comments, but none can be read.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Vec<EmitterLine>>> {
    let mut deviations = Deviations::default();
    let mut offset = 0_usize;
    let mut list = Vec::new();
    let mut first_unread = None;
    let mut is_any_read = false;
    for line in lines::split(bytes) {
        let content = line.text.split(';').next().unwrap_or_default();
        let content = content
            .strip_prefix(BYTE_ORDER_MARK)
            .filter(|_| offset == 0)
            .unwrap_or(content)
            .trim();
        let emitter = parse(content);
        match &emitter {
            Some(emitter) => {
                is_any_read = true;
                let mut fields = content.split(',').enumerate();
                if let Some((_, field)) = fields.find(|(place, field)| {
                    *place != 1 && *place < FIELDS && !number::is_plain(field)
                }) {
                    deviations.push("lines", offset, "a number", shown(&field));
                }
                if emitter.version >= 2 && emitter.environment.is_none() {
                    deviations.push("lines", offset, "20 fields in a line of version 2", FIELDS);
                }
            }
            None if !content.is_empty() => {
                let found: String = content.chars().take(80).collect();
                first_unread.get_or_insert_with(|| (offset, found.clone()));
                deviations.push("lines", offset, "19 or more fields of an emitter", found);
            }
            None => {}
        }
        // Every character of the code page is one byte.
        let length = line.text.chars().count().saturating_add(line.end.len());
        offset = offset.saturating_add(length);
        limits::push(&mut list, EmitterLine { line, emitter });
    }
    match first_unread {
        Some((offset, found)) if !is_any_read => Err(FormatError::malformed(
            "lines",
            offset,
            "at least one line with 19 or more fields of an emitter",
            found,
        )),
        _ => Ok(Decoded {
            value: list,
            deviations,
        }),
    }
}

/// Encodes a list by the text of its lines.
///
/// # Errors
/// A character is not in Windows-1252.
pub fn encode(list: &[EmitterLine]) -> Result<Vec<u8>> {
    lines::join(list.iter().map(|line| &line.line)).ok_or_else(|| {
        FormatError::unencodable("lines", 0, "text in Windows-1252", "another character")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emitters(text: &[u8]) -> (Vec<TextEmitter>, Deviations) {
        let Decoded { value, deviations } = decode(text).unwrap();
        assert_eq!(encode(&value).unwrap(), text);
        let emitters = value.into_iter().filter_map(|line| line.emitter);
        (emitters.collect(), deviations)
    }

    #[test]
    fn emitters_comments_and_broken_lines() {
        let text = b"; comment\r\n\
            2,wind.wav,0,2,0.5,100,200,1,1.5,-2,3,10,100,25.00,150,1000,2000,0,4.50,1 ; night\r\n\
            2,broken\n";
        let (emitters, deviations) = emitters(text);
        assert_eq!(deviations.total(), 1);
        let offset = deviations.described()[0].offset as usize;
        assert!(text[offset..].starts_with(b"2,broken"));
        assert_eq!(emitters.len(), 1);
        assert_eq!(emitters[0].file, "wind.wav");
        assert_eq!(emitters[0].when, When::Night);
        assert_eq!(emitters[0].position, [F32(1.5), F32(-2.0), F32(3.0)]);
        assert_eq!((emitters[0].song, emitters[0].echo), (0, F32(4.5)));
        assert_eq!(emitters[0].random_radius, F32(25.0));
        assert_eq!(emitters[0].environment, Some(true));
    }

    #[test]
    fn both_versions_of_lines_and_further_fields_are_read() {
        let nineteen =
            "Torch3D.wav,0,0,1.00,1000,1000,0,-77.19,64.28,17.85,10.00,40.00,0.00,40.00,0,0,0,1.00";
        let text = format!(
            "1,{nineteen}\n2,{nineteen},1\n2,{nineteen},1,0\n2,{nineteen},0,0,1\n3,{nineteen},0"
        );
        let (emitters, deviations) = emitters(text.as_bytes());
        assert!(deviations.is_empty(), "{deviations:?}");
        let facts = emitters
            .iter()
            .map(|one| (one.version, one.environment, one.further.len()));
        let expected = [
            (1, None, 0),
            (2, Some(true), 0),
            (2, Some(true), 1),
            (2, Some(false), 2),
            (3, Some(false), 0),
        ];
        assert_eq!(facts.collect::<Vec<_>>(), expected);
        assert_eq!(emitters[3].further, ["0", "1"]);
    }

    #[test]
    fn a_byte_order_mark_may_come_before_the_first_comment_or_line() {
        let line = "2,a.wav,0,0,1,0,0,0,0,0,0,1,2,0,3,0,0,0,1,1";
        for text in [
            format!("\u{feff}; comment\r\n{line}\r\n"),
            format!("\u{feff}{line}"),
        ] {
            let (emitters, deviations) = emitters(text.as_bytes());
            assert_eq!((emitters.len(), deviations.total()), (1, 0), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_the_client_scans_them_and_reported() {
        let (emitters, deviations) =
            emitters(b"2,a.wav,0,0,1,0,0,0,255.,,1.5x,1,2,0,3,0,0,0,1,1\n");
        assert_eq!(deviations.total(), 1);
        assert_eq!(emitters[0].position, [F32(255.0), F32(0.0), F32(1.5)]);
    }

    #[test]
    fn a_list_of_which_no_line_can_be_read_is_an_error() {
        let error = decode(b"; fine\r\n2,wind.wav,0\r\n").unwrap_err();
        assert_eq!((error.field(), error.offset()), ("lines", 8));
        for nothing_to_read in [&b""[..], b"; comment\r\n\r\n"] {
            assert!(decode(nothing_to_read).unwrap().deviations.is_empty());
        }
    }
}
