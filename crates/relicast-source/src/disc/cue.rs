//! Text of CUE sheets, which hold the positions of the tracks of a disc image. `cue_sheet` has the types.
//!
//! All dialects are read: UTF-8 and UTF-16 with a byte order mark, UTF-8 without, otherwise Windows-1252;
//! any line ending, tabs, keywords in any letter case, names with and without quotes. A line that is
//! not understood is stored with its number and text, and reported. This module does not open the files that
//! a sheet names.
//!
//! ```
//! use relicast_source::disc::cue::{Time, TrackMode, parse};
//!
//! let sheet = "FILE \"game.bin\" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:02:00\n";
//! let sheet = parse(sheet.as_bytes())?.value;
//! assert_eq!(sheet.tracks[0].mode, TrackMode::Mode1Raw);
//! assert_eq!(sheet.tracks[0].indices[0].time, Time(150));
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use relicast_codec::{Decoded, Deviations, FormatError, Result, shown};

pub use super::cue_sheet::{
    CueFile, CueIndex, CueSheet, CueTrack, FileFormat, OtherLine, SECTORS_PER_SECOND, Time,
    TrackMode,
};

/// Largest sheet that is read; real ones have a few kilobytes, with CD-Text perhaps a hundred.
pub const LARGEST: usize = 4 << 20;

/// Decodes the text of a sheet.
pub fn text(bytes: &[u8]) -> String {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    encoding.decode(bytes).0.into_owned()
}

/// Reads a sheet.
///
/// # Errors
/// It is larger than [`LARGEST`], or has no track.
pub fn parse(bytes: &[u8]) -> Result<Decoded<CueSheet>> {
    if bytes.len() > LARGEST {
        return Err(FormatError::malformed(
            "sheet",
            0,
            format_args!("at most {LARGEST} bytes"),
            bytes.len(),
        ));
    }
    let text = text(bytes);
    let mut reader = Reader::default();
    let mut offset = 0_usize;
    for (number, line) in (1_usize..).zip(text.split_inclusive(['\n', '\r'])) {
        let trimmed = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        if !trimmed.is_empty() {
            reader.line(number, offset, trimmed);
        }
        offset = offset.saturating_add(line.len());
    }
    let Reader {
        sheet, deviations, ..
    } = reader;
    if sheet.tracks.is_empty() {
        return Err(FormatError::malformed("TRACK", 0, "a track", "none"));
    }
    Ok(Decoded {
        value: sheet,
        deviations,
    })
}

#[derive(Default)]
struct Reader {
    sheet: CueSheet,
    deviations: Deviations,
    /// True if the last track could not be read; the following lines belong to it and not to the previous one.
    lost: bool,
    /// Session that a remark began, 0 before the first one.
    session: u8,
}

/// Splits a line into its first word and the rest.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// Number of the session that a remark begins: `SESSION 02`.
fn session_of(remark: &str) -> Option<u8> {
    let (word, number) = split_word(remark);
    let is_session = word.eq_ignore_ascii_case("SESSION");
    let number = number.trim().parse::<u8>().ok()?;
    (is_session && (1..=99).contains(&number)).then_some(number)
}

fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    inner.strip_suffix('"').unwrap_or(inner).to_owned()
}

/// Splits a name, which may hold blanks with quotes and without, from the word after it.
fn name_and_word(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix('"') {
        let (name, word) = rest.rsplit_once('"')?;
        return Some((name, word.trim()));
    }
    let (name, word) = text.rsplit_once(char::is_whitespace)?;
    Some((name.trim_end(), word))
}

impl Reader {
    fn line(&mut self, number: usize, offset: usize, line: &str) {
        let (word, rest) = split_word(line);
        let word = word.to_ascii_uppercase();
        if self.lost && !matches!(&*word, "FILE" | "TRACK" | "REM") {
            self.keep(number, line);
            return;
        }
        let understood = match &*word {
            "REM" => {
                match session_of(rest) {
                    Some(session) => self.session = session,
                    None => self.sheet.remarks.push(rest.to_owned()),
                }
                true
            }
            "FILE" => self.file(offset, rest),
            "TRACK" => {
                self.lost = !self.track(offset, rest);
                !self.lost
            }
            "INDEX" => self.index(offset, rest),
            "TITLE" => self.text(rest, |track| &mut track.title, |sheet| &mut sheet.title),
            "PERFORMER" => self.text(
                rest,
                |track| &mut track.performer,
                |sheet| &mut sheet.performer,
            ),
            "CATALOG" => {
                self.sheet.catalog = Some(unquoted(rest));
                true
            }
            "ISRC" => self.with_track(|track| track.isrc = Some(unquoted(rest))),
            "FLAGS" => self.with_track(|track| {
                let flags = rest.split_whitespace();
                track.flags.extend(flags.map(str::to_ascii_uppercase));
            }),
            "PREGAP" => Time::parse(rest)
                .is_some_and(|time| self.with_track(|track| track.pregap = Some(time))),
            "POSTGAP" => Time::parse(rest)
                .is_some_and(|time| self.with_track(|track| track.postgap = Some(time))),
            "SONGWRITER" | "COMPOSER" | "ARRANGER" | "MESSAGE" | "GENRE" | "DISC_ID"
            | "CDTEXTFILE" | "UPC_EAN" | "SIZE_INFO" | "TOC_INFO" => {
                self.keep(number, line);
                true
            }
            _ => false,
        };
        if !understood {
            self.deviations
                .push("line", offset, "a known statement", shown(&line));
            self.keep(number, line);
        }
    }

    fn keep(&mut self, line: usize, text: &str) {
        self.sheet.others.push(OtherLine {
            line,
            text: text.to_owned(),
        });
    }

    fn with_track(&mut self, change: impl FnOnce(&mut CueTrack)) -> bool {
        let track = self.sheet.tracks.last_mut();
        track.map(change).is_some()
    }

    fn text(
        &mut self,
        rest: &str,
        of_track: fn(&mut CueTrack) -> &mut Option<String>,
        of_sheet: fn(&mut CueSheet) -> &mut Option<String>,
    ) -> bool {
        let place = match self.sheet.tracks.last_mut() {
            Some(track) => of_track(track),
            None => of_sheet(&mut self.sheet),
        };
        *place = Some(unquoted(rest));
        true
    }

    fn file(&mut self, offset: usize, rest: &str) -> bool {
        let Some((name, word)) = name_and_word(rest) else {
            return false;
        };
        let format = match word {
            "" => FileFormat::Binary,
            word => FileFormat::new(word),
        };
        // Some programs name the one file again for each track, and continue its times.
        let last = self.sheet.files.last();
        if last.is_none_or(|last| (&*last.name, &last.format) != (name, &format)) {
            self.sheet.files.push(CueFile {
                name: name.to_owned(),
                format,
                offset,
            });
        }
        true
    }

    fn track(&mut self, offset: usize, rest: &str) -> bool {
        let (number, mode) = split_word(rest);
        let Some(number) = number.parse::<u8>().ok().filter(|number| *number <= 99) else {
            return false;
        };
        if mode.is_empty() || self.sheet.tracks.len() >= 99 {
            return false;
        }
        self.sheet.tracks.push(CueTrack {
            number,
            mode: TrackMode::new(mode),
            session: self.session.max(1),
            title: None,
            performer: None,
            isrc: None,
            flags: Vec::new(),
            pregap: None,
            postgap: None,
            indices: Vec::new(),
            offset,
        });
        true
    }

    fn index(&mut self, offset: usize, rest: &str) -> bool {
        let (number, time) = split_word(rest);
        let number = number.parse::<u8>().ok().filter(|number| *number <= 99);
        let (Some(number), Some(time)) = (number, Time::parse(time)) else {
            return false;
        };
        let Some(file) = self.sheet.files.len().checked_sub(1) else {
            return false;
        };
        let Some(track) = self.sheet.tracks.last_mut() else {
            return false;
        };
        if track.indices.len() >= 100 {
            return false;
        }
        track.indices.push(CueIndex {
            number,
            file,
            time,
            offset,
        });
        true
    }
}

/// Writes a sheet in the common layout, with lines closed by CR LF. [`CueSheet::others`] is not written, because
/// the positions of those lines are not stored.
pub fn write(sheet: &CueSheet) -> String {
    let mut lines = Vec::new();
    lines.extend(sheet.remarks.iter().map(|remark| format!("REM {remark}")));
    let catalog = sheet.catalog.iter();
    lines.extend(catalog.map(|number| format!("CATALOG {number}")));
    let performer = sheet.performer.iter();
    lines.extend(performer.map(|name| format!("PERFORMER \"{name}\"")));
    lines.extend(sheet.title.iter().map(|title| format!("TITLE \"{title}\"")));
    let mut current = None;
    let mut session = 1;
    for track in &sheet.tracks {
        let mut announced = false;
        if track.session > session {
            session = track.session;
            lines.push(format!("REM SESSION {session:02}"));
            // The file of the session is named after it.
            current = None;
        }
        for index in &track.indices {
            if current != Some(index.file)
                && let Some(file) = sheet.files.get(index.file)
            {
                lines.push(format!("FILE \"{}\" {}", file.name, file.format.word()));
                current = Some(index.file);
            }
            if !announced {
                announce(track, &mut lines);
                announced = true;
            }
            lines.push(format!("    INDEX {:02} {}", index.number, index.time));
        }
        if let Some(time) = track.postgap {
            lines.push(format!("    POSTGAP {time}"));
        }
    }
    lines.push(String::new());
    lines.join("\r\n")
}

fn announce(track: &CueTrack, lines: &mut Vec<String>) {
    lines.push(format!("  TRACK {:02} {}", track.number, track.mode.word()));
    let title = track.title.iter();
    lines.extend(title.map(|title| format!("    TITLE \"{title}\"")));
    let performer = track.performer.iter();
    lines.extend(performer.map(|name| format!("    PERFORMER \"{name}\"")));
    if !track.flags.is_empty() {
        lines.push(format!("    FLAGS {}", track.flags.join(" ")));
    }
    lines.extend(track.isrc.iter().map(|code| format!("    ISRC {code}")));
    let pregap = track.pregap.iter();
    lines.extend(pregap.map(|time| format!("    PREGAP {time}")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dialects_are_read_the_same() {
        let plain = "FILE \"a b.bin\" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:00:00\n  \
                     TRACK 02 AUDIO\n    FLAGS DCP\n    ISRC AB1234567890\n    PREGAP 00:02:00\n    \
                     INDEX 01 01:02:03\n";
        let odd = "\u{FEFF}file a b.bin binary\r\n\ttrack 1 mode1/2352\r\n\t\tIndex 1 0:0:0\r\n\r\n\
                   \ttrack 2 audio\r\n\t\tflags dcp\r\n\t\tisrc AB1234567890\r\n\t\tpregap 0:2:0\r\n\
                   \t\tindex 1 1:2:3\r\n \r\n";
        let strip = |mut sheet: CueSheet| {
            for track in &mut sheet.tracks {
                track.offset = 0;
                track.indices.iter_mut().for_each(|index| index.offset = 0);
            }
            sheet.files.iter_mut().for_each(|file| file.offset = 0);
            sheet
        };
        let plain = parse(plain.as_bytes()).unwrap();
        let odd = parse(odd.as_bytes()).unwrap();
        assert!(odd.deviations.is_empty() && plain.deviations.is_empty());
        assert_eq!(strip(plain.value.clone()), strip(odd.value));
        assert_eq!(plain.value.files[0].name, "a b.bin");
        assert_eq!(plain.value.tracks[1].indices[0].time, Time(4653));
        let again = parse(write(&plain.value).as_bytes()).unwrap();
        assert_eq!(strip(again.value), strip(plain.value));
    }

    #[test]
    fn what_is_not_understood_is_preserved_and_reported() {
        let text =
            b"FILE x.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:99:00\nWOBBLE 7\nINDEX 01 00:00:00";
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.deviations.total(), 2);
        let kept: Vec<&str> = parsed
            .value
            .others
            .iter()
            .map(|other| &*other.text)
            .collect();
        assert_eq!(kept, ["INDEX 01 00:99:00", "WOBBLE 7"]);
        assert_eq!(parsed.value.tracks[0].indices.len(), 1);
    }

    #[test]
    fn old_code_pages_and_wide_letters_are_read() {
        let latin = b"PERFORMER \"Gr\xFC\xDFe\"\nFILE x.bin BINARY\nTRACK 01 AUDIO\n";
        assert_eq!(
            parse(latin).unwrap().value.performer.as_deref(),
            Some("Gr\u{FC}\u{DF}e")
        );
        let wide: Vec<u8> = "\u{FEFF}TITLE \"\u{416}\"\nTRACK 01 AUDIO\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(
            parse(&wide).unwrap().value.title.as_deref(),
            Some("\u{416}")
        );
        assert!(parse(b"no sheet at all").is_err());
    }

    proptest! {
        #[test]
        fn anything_can_be_parsed(text in "(?s)([A-Z]{4,6} [\"0-9a-z:./ ]{0,20}[\r\n]{0,2}){0,12}") {
            if let Ok(parsed) = parse(text.as_bytes()) {
                parse(write(&parsed.value).as_bytes()).ok();
            }
        }
    }
}
