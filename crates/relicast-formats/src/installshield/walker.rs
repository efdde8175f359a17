//! Reader of structures at offsets.

use std::collections::HashSet;
use std::fmt::Display;

use serde::Serialize;

use super::header::Version;
use super::records::{ListEntry, Slots};
use relicast_codec::{Deviations, FixedSize, FormatError, Result};
use relicast_limits as limits;

/// Largest number of groups, components, setup types or variables of a set. Real sets have hundreds.
pub(super) const MOST_ENTRIES: usize = 1 << 16;

/// Longest text that is read.
const MAX_TEXT_LENGTH: usize = 1024;

/// A structure and its offset.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Placed<T> {
    /// Its first byte.
    pub at: usize,
    /// The structure.
    pub value: T,
}

/// A text of the tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Text {
    /// Decoded text.
    pub text: String,
}

/// Reads structures at offsets.
pub(super) struct Walker<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) version: Version,
    /// Origin of the descriptor's offsets.
    pub(super) base: usize,
    pub(super) words: Vec<Placed<u32>>,
    pub(super) entries: Vec<Placed<ListEntry>>,
    pub(super) deviations: Deviations,
    /// Bytes of texts that may still be read, because many offsets can lead to one text.
    pub(super) text_left: usize,
}

impl<'a> Walker<'a> {
    /// An offset, limited to the end of the bytes.
    fn within(&self, at: usize) -> usize {
        at.min(self.bytes.len())
    }

    /// Records a deviation.
    pub(super) fn report(
        &mut self,
        field: impl Into<String>,
        at: usize,
        expected: impl Display,
        found: impl Display,
    ) {
        let at = self.within(at);
        self.deviations.push(field.into(), at, expected, found);
    }

    pub(super) fn at<T: FixedSize>(&mut self, field: &str, at: usize) -> Result<Placed<T>> {
        let behind = self.bytes.get(at..).unwrap_or_default();
        let value = T::load(behind)
            .ok_or_else(|| FormatError::truncated(field, self.within(at), T::SIZE, behind.len()))?;
        Ok(Placed { at, value })
    }

    /// Reads consecutive words.
    pub(super) fn words(&mut self, field: &str, at: usize, count: usize) -> Result<Vec<u32>> {
        let left = self.bytes.len().saturating_sub(at);
        // Lists may overlap, but not all with all.
        if count > left / 4 || self.words.len().saturating_add(count) > self.bytes.len() {
            let wanted = format!("4 × {count}");
            return Err(FormatError::truncated(field, self.within(at), wanted, left));
        }
        let mut values = Vec::with_capacity(count);
        let behind = self.bytes.get(at..).unwrap_or_default();
        for (index, word) in behind.as_chunks::<4>().0.iter().take(count).enumerate() {
            let value = u32::from_le_bytes(*word);
            values.push(value);
            self.words.push(Placed {
                at: at + 4 * index,
                value,
            });
        }
        limits::check();
        Ok(values)
    }

    pub(super) fn place(&self, offset: u32) -> usize {
        self.base.saturating_add(offset as usize)
    }

    /// The text at an offset; `None` outside, or without an end.
    pub(super) fn text_at(&mut self, at: usize) -> Option<Text> {
        let behind = self.bytes.get(at..)?;
        let behind = behind.get(..MAX_TEXT_LENGTH).unwrap_or(behind);
        let text = if self.version.is_wide() {
            let (units, _) = behind.as_chunks::<2>();
            let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
            let end = units.iter().position(|unit| *unit == 0)?;
            String::from_utf16_lossy(units.get(..end)?)
        } else {
            let end = behind.iter().position(|byte| *byte == 0)?;
            let (text, _) =
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(behind.get(..end)?);
            text.into_owned()
        };
        self.text_left = self.text_left.checked_sub(text.len())?;
        Some(Text { text })
    }

    /// The text at an offset of the descriptor.
    pub(super) fn text(&mut self, field: &str, offset: u32) -> Text {
        let at = self.place(offset);
        self.text_at(at).unwrap_or_else(|| {
            self.report(field, at, "a text that ends with NUL", "no NUL");
            Text::default()
        })
    }

    pub(super) fn texts(&mut self, field: &str, offset: u32, count: usize) -> Vec<Text> {
        let at = self.place(offset);
        match self.words(field, at, count) {
            Ok(offsets) => offsets
                .into_iter()
                .map(|offset| self.text(field, offset))
                .collect(),
            Err(error) => {
                self.report(field, at, error.expected(), error.found());
                Vec::new()
            }
        }
    }

    /// The entries of the lists of a hash table. Looping lists end where the loop closes.
    pub(super) fn entries(&mut self, field: &str, slots: &Slots) -> Vec<ListEntry> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for head in slots.0 {
            let mut next = head;
            while next != 0 {
                let at = self.place(next);
                if !seen.insert(next) {
                    self.report(field, at, "a list without loops", "a loop");
                    break;
                }
                if found.len() >= MOST_ENTRIES {
                    let expected = format!("at most {MOST_ENTRIES} entries");
                    self.report(field, at, expected, "more");
                    return found;
                }
                match self.at::<ListEntry>(field, at) {
                    Ok(entry) => {
                        next = entry.value.next;
                        found.push(entry.value);
                        self.entries.push(entry);
                    }
                    Err(error) => {
                        let text = error.found().to_owned();
                        self.report(field, at, error.expected(), text);
                        break;
                    }
                }
            }
            limits::check();
        }
        found
    }
}
