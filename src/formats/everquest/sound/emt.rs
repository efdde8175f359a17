//! `ZONE.emt`: emitters as text, one a line, fields between commas, `;` before comments.
//!
//! ```
//! use relicast::formats::everquest::sound::emt::{decode, encode};
//!
//! let bytes = b"; a comment\r\n";
//! let lines = decode(bytes)?.value;
//! assert_eq!(lines[0].emitter, None);
//! assert_eq!(encode(&lines)?, bytes);
//! # Ok::<(), relicast::formats::codec::FormatError>(())
//! ```

use serde::Serialize;

use super::lines::{self, Line};
use crate::formats::codec::{Decoded, Deviations, F32, FormatError, Result};
use crate::limits;

/// When an emitter sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Day and night.
    Always,
    /// By day.
    Day,
    /// By night.
    Night,
    /// A number without a known meaning.
    Other(i32),
}

/// An emitter. Fields follow the order of the line.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TextEmitter {
    /// Kind of emitter, 2 for sounds.
    pub kind: i32,
    /// File of the sound.
    pub file: String,
    /// 0 or 1; meaning unknown.
    pub unk2: i32,
    /// When it sounds.
    pub when: When,
    /// Volume.
    pub volume: F32,
    /// Milliseconds until the volume is full.
    pub fade_in: i32,
    /// Milliseconds until it is silent.
    pub fade_out: i32,
    /// 0 all the time, 1 again after a delay.
    pub loop_kind: i32,
    /// Position in file axes.
    pub position: [F32; 3],
    /// Distance up to which the volume is full.
    pub full_volume_radius: F32,
    /// Distance from which on it is silent.
    pub max_distance: F32,
    /// Whether the place varies.
    pub random_place: bool,
    /// Distance from which on it starts.
    pub activation_range: F32,
    /// Least milliseconds between two times.
    pub min_delay: i32,
    /// Most milliseconds between two times.
    pub max_delay: i32,
    /// Song of the zone's music file.
    pub song: i32,
    /// Strength of the echo.
    pub echo: i32,
    /// Whether it belongs to the surroundings.
    pub environment: bool,
}

/// A line and the emitter in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct EmitterLine {
    /// The line as it is; writers store this.
    pub line: Line,
    /// The emitter; `None` for comments, empty lines and lines that cannot be read.
    pub emitter: Option<TextEmitter>,
}

fn parse(text: &str) -> Option<TextEmitter> {
    let mut fields = text.split(',').map(str::trim);
    let mut word = || fields.next();
    let float = |text: &str| text.parse().ok().map(F32);
    Some(TextEmitter {
        kind: word()?.parse().ok()?,
        file: word()?.to_owned(),
        unk2: word()?.parse().ok()?,
        when: match word()?.parse().ok()? {
            0 => When::Always,
            1 => When::Day,
            2 => When::Night,
            other => When::Other(other),
        },
        volume: float(word()?)?,
        fade_in: word()?.parse().ok()?,
        fade_out: word()?.parse().ok()?,
        loop_kind: word()?.parse().ok()?,
        position: [float(word()?)?, float(word()?)?, float(word()?)?],
        full_volume_radius: float(word()?)?,
        max_distance: float(word()?)?,
        random_place: word()?.parse::<i32>().ok()? != 0,
        activation_range: float(word()?)?,
        min_delay: word()?.parse().ok()?,
        max_delay: word()?.parse().ok()?,
        song: word()?.parse().ok()?,
        echo: word()?.parse().ok()?,
        environment: word()?.parse::<i32>().ok()? != 0,
    })
}

/// Decodes a list.
///
/// # Errors
/// None: a line that cannot be read is a deviation.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Vec<EmitterLine>>> {
    let mut deviations = Deviations::default();
    let mut offset = 0_usize;
    let mut list = Vec::new();
    for line in lines::split(bytes) {
        let content = line.text.split(';').next().unwrap_or_default().trim();
        let emitter = parse(content);
        if emitter.is_none() && !content.is_empty() {
            deviations.push("lines", offset, "20 fields of an emitter", content);
        }
        // Every character of the code page is one byte.
        let length = line.text.chars().count().saturating_add(line.end.len());
        offset = offset.saturating_add(length);
        limits::push(&mut list, EmitterLine { line, emitter });
    }
    Ok(Decoded {
        value: list,
        deviations,
    })
}

/// Encodes a list by the text of its lines.
///
/// # Errors
/// A character that Windows-1252 cannot spell.
pub fn encode(list: &[EmitterLine]) -> Result<Vec<u8>> {
    lines::join(list.iter().map(|line| &line.line)).ok_or_else(|| {
        FormatError::unencodable("lines", 0, "text that Windows-1252 can spell", "other text")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emitters_comments_and_broken_lines() {
        let text = b"; comment\r\n\
            2,wind.wav,0,2,0.5,100,200,1,1.5,-2,3,10,100,1,150,1000,2000,0,4,1 ; night\r\n\
            2,broken\n";
        let decoded = decode(text).unwrap();
        assert_eq!(encode(&decoded.value).unwrap(), text);
        assert_eq!(decoded.deviations.total(), 1);
        let offset = decoded.deviations.described()[0].offset as usize;
        assert!(text[offset..].starts_with(b"2,broken"));
        let emitters: Vec<_> = decoded
            .value
            .iter()
            .filter_map(|line| line.emitter.as_ref())
            .collect();
        assert_eq!(emitters.len(), 1);
        assert_eq!(emitters[0].file, "wind.wav");
        assert_eq!(emitters[0].when, When::Night);
        assert_eq!(emitters[0].position, [F32(1.5), F32(-2.0), F32(3.0)]);
        assert_eq!((emitters[0].song, emitters[0].echo), (0, 4));
        assert!(emitters[0].environment && emitters[0].random_place);
    }
}
