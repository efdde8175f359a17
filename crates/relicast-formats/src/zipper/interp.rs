//! `interp.zbd`: the prepared start-up scripts, identical in all four games.
//!
//! ```text
//! header: signature, version 7, count
//! table: count × { char[120] path, u32 time, u32 start }
//! scripts in table order, back to back: lines { u32 size, u32 tokens, text } until a size of 0
//! ```
//!
//! A line is a list of tokens, each terminated by a NUL. Tokens may in principle hold spaces or be empty, so this
//! module never joins them.
//!
//! ```
//! use relicast_formats::zipper::interp::Line;
//!
//! let line = Line::from_tokens(["set", "A"]);
//! assert_eq!(line.tokens().collect::<Vec<_>>(), ["set", "A"]);
//! ```

use std::borrow::Cow;

use serde::Serialize;

use relicast_codec::{
    Blob, Decoded, FormatError, PaddedText, Reader, Result, Stream, Walk, Writer, latin1,
};

/// First word of the file.
pub const SIGNATURE: u32 = 0x0897_1119;

relicast_codec::record! {
    /// Start of the file, 12 bytes.
    pub struct Header[12] {
        /// Offset 0: [`SIGNATURE`].
        signature: u32 [must SIGNATURE],
        /// Offset 4: 7 in every game.
        version: u32 [must 7],
        /// Offset 8: number of scripts.
        count: u32,
    }
}

relicast_codec::record! {
    /// One row of the table, 128 bytes.
    pub struct Row[128] {
        /// Offset 0: source path with backslashes, `.gs` or `.gw`.
        path: PaddedText<120> [padded],
        /// Offset 120: seconds since 1970 of the source file; its time zone is not known.
        time: u32,
        /// Offset 124: first byte of the script; scripts are stored back to back in table order.
        start: u32,
    }
}

/// One line: its text as stored (tokens closed by NULs) and the stored token count.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line<'a> {
    /// Number of tokens as stored; equals the number of NULs in every retail file.
    pub token_count: u32,
    /// The tokens, each followed by a NUL.
    pub text: Blob<'a>,
}

impl<'a> Line<'a> {
    /// A line of the given tokens.
    pub fn from_tokens<'t>(tokens: impl IntoIterator<Item = &'t str>) -> Self {
        let mut text = Vec::new();
        let mut token_count = 0_u32;
        for token in tokens {
            text.extend_from_slice(token.as_bytes());
            text.push(0);
            token_count = token_count.saturating_add(1);
        }
        Self {
            token_count,
            text: text.into(),
        }
    }

    /// The tokens without their NULs; a last token that lacks its NUL counts too.
    pub fn tokens(&self) -> impl Iterator<Item = String> {
        let text = self.text.strip_suffix(&[0]).unwrap_or(&self.text);
        let empty = self.text.is_empty();
        text.split(|&byte| byte == 0)
            .filter(move |_| !empty)
            .map(latin1)
    }
}

/// One script.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Script<'a> {
    /// Its row of the table; `start` is recomputed when writing.
    pub row: Row,
    /// Its lines.
    pub lines: Vec<Line<'a>>,
}

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interp<'a> {
    /// Scripts in table order.
    pub scripts: Vec<Script<'a>>,
    /// Bytes after the last script; none in any game.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

impl<'a> Walk<'a> for Line<'a> {
    const SMALLEST: usize = 9;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let length = stream.count("size", self.text.len())?;
        let offset = stream.position();
        stream.value("token_count", &mut self.token_count)?;
        stream.bytes("text", &mut self.text.0, length)?;
        if S::READING {
            let nuls = self.text.iter().filter(|&&byte| byte == 0).count();
            if nuls != self.token_count as usize {
                stream.deviate("token_count", offset, nuls, self.token_count);
            }
            if !self.text.ends_with(&[0]) {
                stream.deviate("text", offset, "a NUL at the end", "another byte");
            }
        }
        Ok(())
    }
}

/// Decodes the file.
///
/// # Errors
/// Wrong signature or version, a table that does not fit, a script that does not start at the end of the previous
/// one, or a line that runs past the end.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Interp<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut header = Header::default();
    reader.nested("header", &mut header)?;
    let mut rows: Vec<Row> = Vec::new();
    reader.records("scripts", &mut rows, header.count as usize)?;
    let mut scripts = Vec::new();
    for (index, row) in rows.into_iter().enumerate() {
        let script =
            decode_script(&mut reader, row).map_err(|error| error.within("scripts", index))?;
        scripts.push(script);
    }
    let mut trailing = Blob::default();
    reader.trailing(&mut trailing.0)?;
    Ok(reader.finish(Interp { scripts, trailing }))
}

fn decode_script<'a>(reader: &mut Reader<'a>, row: Row) -> Result<Script<'a>> {
    let position = reader.position();
    if row.start as usize != position {
        return Err(FormatError::malformed(
            "start",
            position,
            format_args!("{position}, the end of the previous script"),
            row.start,
        ));
    }
    let mut lines = Vec::new();
    loop {
        let rest = reader.whole().get(reader.position()..);
        if rest.is_some_and(|rest| rest.starts_with(&[0; 4])) {
            reader.take("end", 4)?;
            return Ok(Script { row, lines });
        }
        let mut line = Line::default();
        line.walk(reader)
            .map_err(|error| error.within("lines", lines.len()))?;
        lines.push(line);
    }
}

/// Encodes the file; starts come from the script sizes.
///
/// # Errors
/// The file would exceed 4 GiB, or a line is empty (size 0 ends a script).
pub fn encode(interp: &Interp<'_>) -> Result<Vec<u8>> {
    let mut body = Writer::default();
    let mut rows = Vec::with_capacity(interp.scripts.len());
    let base = interp
        .scripts
        .len()
        .saturating_mul(Row::SIZE)
        .saturating_add(Header::SIZE);
    for script in &interp.scripts {
        let mut row = script.row.clone();
        let start = base.saturating_add(body.position());
        row.start = u32::try_from(start)
            .map_err(|_| FormatError::unencodable("start", start, "at most 4 GiB", "more"))?;
        rows.push(row);
        for line in &script.lines {
            if line.text.is_empty() {
                return Err(FormatError::unencodable(
                    "lines",
                    start,
                    "a token",
                    "an empty line",
                ));
            }
            let mut line = Line {
                token_count: line.token_count,
                text: Blob(Cow::Borrowed(&line.text)),
            };
            line.walk(&mut body)?;
        }
        body.value("end", &mut 0_u32)?;
    }
    let mut writer = Writer::default();
    writer.value("signature", &mut { SIGNATURE })?;
    writer.value("version", &mut 7_u32)?;
    writer.count("count", rows.len())?;
    let count = rows.len();
    writer.records("scripts", &mut rows, count)?;
    let mut bytes = writer.into_bytes();
    bytes.extend_from_slice(body.written());
    bytes.extend_from_slice(&interp.trailing);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_has_the_documented_bytes() {
        let interp = Interp {
            scripts: vec![Script {
                row: Row {
                    path: PaddedText::new("c1.gs").unwrap(),
                    time: 0x3700_0000,
                    start: 0,
                },
                lines: vec![Line::from_tokens(["set", "A", "b"])],
            }],
            ..Interp::default()
        };
        let bytes = encode(&interp).unwrap();
        assert_eq!(&bytes[..12], [0x19, 0x11, 0x97, 8, 7, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(&bytes[0x84..0x8C], [0, 0, 0, 0x37, 0x8C, 0, 0, 0]);
        assert_eq!(&bytes[0x8C..], b"\x08\0\0\0\x03\0\0\0set\0A\0b\0\0\0\0\0");
        let decoded = decode(&bytes).unwrap();
        assert!(decoded.deviations.is_empty());
        let tokens: Vec<String> = decoded.value.scripts[0].lines[0].tokens().collect();
        assert_eq!(tokens, ["set", "A", "b"]);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }

    #[test]
    fn a_wrong_token_count_is_preserved_and_reported() {
        let mut line = Line::from_tokens(["a b", ""]);
        line.token_count = 9;
        let interp = Interp {
            scripts: vec![Script {
                lines: vec![line],
                ..Script::default()
            }],
            ..Interp::default()
        };
        let bytes = encode(&interp).unwrap();
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.deviations.total(), 1);
        let tokens: Vec<String> = decoded.value.scripts[0].lines[0].tokens().collect();
        assert_eq!(tokens, ["a b", ""]);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }
}
