//! XMIDI files made from sequences: instruments and branches follow from their events.

use relicast_codec::{Blob, FormatError, Result};

use super::container::{
    BRANCHES, Body, Branch, CATALOG, Chunk, DIRECTORY, EVENTS, FORM, Group, INFO, SEQUENCE,
    TIMBRES, Timbre, Xmidi,
};
use super::events::{self, Message, Sequence};
use crate::riff::FourCc;

/// Channel of the drums.
const DRUMS: u8 = 9;
/// Bank of the drums.
const DRUM_BANK: u8 = 127;
/// Controller that names a position.
const BRANCH: u8 = 120;
/// Controller that selects a bank.
const BANK: u8 = 114;

fn chunk(id: FourCc, bytes: Vec<u8>) -> Chunk<'static> {
    Chunk {
        id,
        stated: None,
        offset: 0,
        padding: (bytes.len() % 2 == 1).then_some(0),
        body: Body::Bytes(Blob::from(bytes)),
    }
}

fn group(id: FourCc, kind: FourCc, chunks: Vec<Chunk<'static>>) -> Chunk<'static> {
    Chunk {
        id,
        stated: None,
        offset: 0,
        padding: None,
        body: Body::Group(Group {
            kind,
            chunks,
            trailing: Blob::default(),
        }),
    }
}

/// The instruments of a sequence in the order of their first use.
fn timbres(sequence: &Sequence) -> Vec<Timbre> {
    let mut banks = [0_u8; 16];
    let mut all: Vec<Timbre> = Vec::new();
    for event in &sequence.events {
        let timbre = match &event.message {
            Message::Channel { status, data } if status & 0xF0 == 0xC0 => {
                let channel = usize::from(status & 0x0F);
                (channel != usize::from(DRUMS)).then(|| Timbre {
                    patch: data[0],
                    bank: banks.get(channel).copied().unwrap_or_default(),
                })
            }
            &Message::Note { channel, key, .. } => (channel == DRUMS).then_some(Timbre {
                patch: key,
                bank: DRUM_BANK,
            }),
            message => {
                if let Some((channel, BANK, value)) = message.as_controller()
                    && let Some(bank) = banks.get_mut(usize::from(channel))
                {
                    *bank = value;
                }
                None
            }
        };
        all.extend(timbre.filter(|timbre| !all.contains(timbre)));
    }
    all
}

fn count(list: usize) -> Result<[u8; 2]> {
    let count = u16::try_from(list)
        .map_err(|_| FormatError::unencodable("count", 0, "at most 65535", list))?;
    Ok(count.to_le_bytes())
}

fn form(sequence: &Sequence) -> Result<Chunk<'static>> {
    let (bytes, behind) = events::encode(sequence)?;
    let mut chunks = Vec::new();
    let timbres = timbres(sequence);
    if !timbres.is_empty() {
        let mut rows = count(timbres.len())?.to_vec();
        rows.extend(timbres.iter().flat_map(|one| [one.patch, one.bank]));
        chunks.push(chunk(TIMBRES, rows));
    }
    let named = sequence.events.iter().zip(behind);
    let branches = named.filter_map(|(event, offset)| match event.message.as_controller() {
        Some((_, BRANCH, id)) => Some(Branch {
            id: u16::from(id),
            offset,
        }),
        _ => None,
    });
    let branches: Vec<Branch> = branches.collect();
    if !branches.is_empty() {
        let mut rows = count(branches.len())?.to_vec();
        for branch in branches {
            rows.extend(branch.id.to_le_bytes());
            rows.extend(branch.offset.to_le_bytes());
        }
        chunks.push(chunk(BRANCHES, rows));
    }
    chunks.push(chunk(EVENTS, bytes));
    Ok(group(FORM, SEQUENCE, chunks))
}

impl Xmidi<'static> {
    /// A file of these sequences.
    ///
    /// # Errors
    /// They do not fit: too many, or decreasing ticks.
    pub fn new(sequences: &[Sequence]) -> Result<Self> {
        let forms: Result<Vec<Chunk<'static>>> = sequences.iter().map(form).collect();
        let info = chunk(INFO, count(sequences.len())?.to_vec());
        Ok(Self {
            chunks: vec![
                group(FORM, DIRECTORY, vec![info]),
                group(CATALOG, SEQUENCE, forms?),
            ],
            trailing: Blob::default(),
        })
    }
}
