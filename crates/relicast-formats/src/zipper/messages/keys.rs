//! The key table in `.data`: texts by which the games look messages up.
//!
//! Run-time data of the C library comes first, 16 bytes in MechWarrior 3 and Pirate's Moon, 48 in Recoil and
//! Crimson Skies. Rows follow, each the address of a key text and an id, then the key texts, the first row's at the
//! highest address. The number of rows is not stored: the table ends where its texts begin.

use serde::Serialize;

use super::image::{Image, Section};
use relicast_codec::{Deviations, FixedSize, latin1};

/// Bytes before the table in files of the games, in the order tried.
pub(super) const LEADS: [usize; 2] = [16, 48];
/// Highest offset tried for a table that is at neither.
const FURTHEST_LEAD: usize = 256;
const ROW: usize = 8;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Key {
    /// Key text, ASCII, by custom with the prefix `MSG_`.
    pub key: String,
    /// Id of the message.
    pub id: u32,
}

/// The key table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeyTable {
    /// Bytes of run-time data before the table: 16 or 48.
    pub lead: usize,
    /// Offset of the first row in the file.
    pub offset: usize,
    /// Rows in table order.
    pub keys: Vec<Key>,
}

/// Rows read from one offset, and the fault that stopped reading, if any.
struct Attempt {
    lead: usize,
    keys: Vec<Key>,
    /// Bytes between the last row and the first key text.
    gap: usize,
    fault: Option<(usize, &'static str)>,
}

impl Attempt {
    /// True for a complete table with the usual prefixes or directly before its texts, which excludes chance
    /// matches in the data of another DLL.
    fn is_clean(&self) -> bool {
        let is_table = self.has_prefixes() || self.gap < ROW;
        self.fault.is_none() && !self.keys.is_empty() && is_table
    }

    fn has_prefixes(&self) -> bool {
        !self.keys.is_empty() && self.keys.iter().all(|key| key.key.starts_with("MSG_"))
    }
}

/// Finds the key table by its content; `None` when the image has none.
pub(super) fn find(image: &Image<'_>, deviations: &mut Deviations) -> Option<KeyTable> {
    let section = image.section(b".data")?;
    let attempts = LEADS.map(|lead| attempt(image, section, lead));
    let attempt = match attempts.iter().position(Attempt::is_clean) {
        Some(index) => attempts.into_iter().nth(index),
        None => (0..FURTHEST_LEAD)
            .step_by(4)
            .map(|lead| attempt(image, section, lead))
            .find(|attempt| attempt.is_clean() && attempt.has_prefixes())
            .or_else(|| {
                let damaged = attempts.into_iter().filter(Attempt::has_prefixes);
                damaged.max_by_key(|attempt| attempt.keys.len())
            }),
    }?;
    let offset = section.offset.saturating_add(attempt.lead);
    if !LEADS.contains(&attempt.lead) {
        deviations.push("keys", offset, "a table at 16 or 48", attempt.lead);
    }
    if let Some((at, fault)) = attempt.fault {
        let at = section.offset.saturating_add(at);
        deviations.push("keys", at, "rows up to the key texts", fault);
    }
    Some(KeyTable {
        lead: attempt.lead,
        offset,
        keys: attempt.keys,
    })
}

/// Reads rows from `lead` on.
fn attempt(image: &Image<'_>, section: &Section<'_>, lead: usize) -> Attempt {
    let start = u64::from(image.base).saturating_add(u64::from(section.address));
    let end = start.saturating_add(section.data.len() as u64);
    let word = |at: usize| section.data.get(at..).and_then(u32::load);
    let mut keys = Vec::new();
    let mut at = lead;
    let mut lowest_text = section.data.len();
    // Key texts do not overlap, so together they are no longer than the section.
    let mut left = section.data.len();
    let fault = loop {
        if at >= lowest_text {
            break None;
        }
        let Some(address) = word(at).map(u64::from) else {
            break None;
        };
        if address >= end {
            break None;
        }
        let text_at = address.checked_sub(start).map(usize::try_from);
        let Some(Ok(text_at)) = text_at else {
            break Some((at, "an address before the section"));
        };
        let Some(id) = word(at.saturating_add(4)) else {
            break Some((at, "a row cut short"));
        };
        let Some(text) = key_text(section.data, text_at, left) else {
            break Some((at, "an address without a key text"));
        };
        left = left.saturating_sub(text.len());
        lowest_text = lowest_text.min(text_at);
        keys.push(Key {
            key: latin1(text),
            id,
        });
        at = at.saturating_add(ROW);
    };
    Attempt {
        lead,
        keys,
        gap: lowest_text.saturating_sub(at),
        fault,
    }
}

/// The printable ASCII at `at`, up to its NUL, if it is no longer than `limit`.
fn key_text(data: &[u8], at: usize, limit: usize) -> Option<&[u8]> {
    let rest = data.get(at..)?;
    let length = rest.iter().position(|byte| !byte.is_ascii_graphic())?;
    let ends = rest.get(length) == Some(&0);
    rest.get(..length)
        .filter(|text| ends && !text.is_empty() && text.len() <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(data: &[u8]) -> Image<'_> {
        Image {
            base: 0x1000_0000,
            sections: vec![Section {
                name: b".data".to_vec(),
                address: 0x1000,
                offset: 0,
                data,
            }],
            resources: None,
            exports: vec![],
        }
    }

    /// A worked example after `lead` bytes.
    fn table(lead: usize) -> Vec<u8> {
        let text = u32::try_from(0x1000_1000 + lead).unwrap();
        let mut data = vec![0; lead];
        for word in [text + 24, 5, text + 16, 6] {
            data.extend(word.to_le_bytes());
        }
        data.extend(b"MSG_B\0\0\0MSG_A\0\0\0");
        data
    }

    #[test]
    fn the_table_is_found_after_either_lead() {
        for lead in LEADS {
            let mut deviations = Deviations::default();
            let data = table(lead);
            let found = find(&image(&data), &mut deviations).unwrap();
            assert_eq!(found.lead, lead);
            let keys: Vec<(&str, u32)> = found.keys.iter().map(|k| (&*k.key, k.id)).collect();
            assert_eq!(keys, [("MSG_A", 5), ("MSG_B", 6)]);
            assert!(deviations.is_empty());
        }
    }

    #[test]
    fn run_time_data_that_is_not_zero_is_no_table() {
        let mut data = table(48);
        data[16..20].copy_from_slice(&0x1000_1000_u32.to_le_bytes());
        data[20..24].copy_from_slice(&7_u32.to_le_bytes());
        data[0..3].copy_from_slice(b"\x01\x02\x03");
        let found = find(&image(&data), &mut Deviations::default()).unwrap();
        assert_eq!(found.lead, 48);
    }

    #[test]
    fn a_table_elsewhere_is_reported_and_none_is_none() {
        let mut deviations = Deviations::default();
        let data = table(32);
        assert_eq!(find(&image(&data), &mut deviations).unwrap().lead, 32);
        assert_eq!(deviations.total(), 1);
        assert_eq!(find(&image(&[0; 64]), &mut deviations), None);
        assert_eq!(find(&image(&[0xFF; 64]), &mut deviations), None);
        assert_eq!(find(&image(&[]), &mut deviations), None);
    }

    #[test]
    fn a_likeness_in_other_data_is_no_table() {
        // An address of a word, then a number: a row, except that the word is at the wrong place.
        let mut data = vec![0; 64];
        data[16..20].copy_from_slice(&0x1000_1028_u32.to_le_bytes());
        data[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
        data[40..45].copy_from_slice(b"word\0");
        let mut deviations = Deviations::default();
        assert_eq!(find(&image(&data), &mut deviations), None);
        data[40..45].copy_from_slice(b"MSG_\0");
        assert!(find(&image(&data), &mut deviations).is_some());
    }

    #[test]
    fn rows_that_share_one_long_text_end_early() {
        let rows = 4000_u32;
        let mut data = vec![0; 16];
        for _ in 0..rows {
            data.extend((0x1000_1010 + rows * 8).to_le_bytes());
            data.extend([0; 4]);
        }
        data.extend(b"MSG_");
        data.extend([b'X'; 60_000]);
        data.push(0);
        let found = find(&image(&data), &mut Deviations::default());
        assert!(found.is_none_or(|table| table.keys.len() < 10));
    }
}
