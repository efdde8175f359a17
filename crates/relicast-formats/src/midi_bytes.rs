//! Parts shared by Standard MIDI Files and XMIDI: quantities of variable length, runs of bytes, message lengths.

use relicast_codec::{FormatError, Result};

/// Largest quantity of variable length.
pub(crate) const LARGEST_QUANTITY: u32 = (1 << 28) - 1;

/// Number of data bytes of a channel message with this status.
pub(crate) fn data_length(status: u8) -> usize {
    match status & 0xF0 {
        0xC0 | 0xD0 => 1,
        _ => 2,
    }
}

/// Appends a quantity of variable length.
///
/// # Errors
/// It has more than 28 bits.
pub(crate) fn put_quantity(out: &mut Vec<u8>, value: usize) -> Result<()> {
    let short = u32::try_from(value).ok();
    let short = short.filter(|&value| value <= LARGEST_QUANTITY);
    let short = short
        .ok_or_else(|| FormatError::unencodable("length", out.len(), "at most 2^28 - 1", value))?;
    for shift in [21, 14, 7] {
        if short >> shift > 0 {
            out.push(((short >> shift) & 0x7F) as u8 | 0x80);
        }
    }
    out.push((short & 0x7F) as u8);
    Ok(())
}

/// Appends bytes, preceded by their number.
///
/// # Errors
/// There are more than a quantity can express.
pub(crate) fn put_run(out: &mut Vec<u8>, data: &[u8]) -> Result<()> {
    put_quantity(out, data.len())?;
    out.extend_from_slice(data);
    Ok(())
}

/// Sequential reader of bytes.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// Offset of the next read.
    pub(crate) place: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    pub(crate) fn take(&mut self, field: &'static str, length: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.place..).unwrap_or_default();
        let Some(taken) = rest.get(..length) else {
            return Err(FormatError::truncated(
                field,
                self.place,
                length,
                rest.len(),
            ));
        };
        self.place = self.place.saturating_add(length);
        Ok(taken)
    }

    pub(crate) fn byte(&mut self, field: &'static str) -> Result<u8> {
        Ok(self.take(field, 1)?.first().copied().unwrap_or_default())
    }

    /// Reads a number of so many bytes, most significant first.
    pub(crate) fn number(&mut self, field: &'static str, length: usize) -> Result<usize> {
        let bytes = self.take(field, length)?.iter();
        Ok(bytes.fold(0, |sum, &byte| (sum << 8) | usize::from(byte)))
    }

    /// Reads a quantity of variable length: seven bits per byte, most significant first.
    pub(crate) fn quantity(&mut self, field: &'static str) -> Result<u32> {
        let start = self.place;
        let mut value = 0_u32;
        for _ in 0..4 {
            let byte = self.byte(field)?;
            value = (value << 7) | u32::from(byte & 0x7F);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        let expected = "at most 4 bytes";
        Err(FormatError::malformed(field, start, expected, "more"))
    }

    /// Reads a quantity, and as many bytes.
    pub(crate) fn run(&mut self, field: &'static str) -> Result<&'a [u8]> {
        let length = self.quantity(field)? as usize;
        self.take(field, length)
    }

    /// Reads an expected identifier.
    pub(crate) fn id(&mut self, id: &'static str) -> Result<()> {
        let place = self.place;
        let found = self.take("id", 4)?;
        if found == id.as_bytes() {
            return Ok(());
        }
        let found = found.escape_ascii();
        Err(FormatError::malformed("id", place, id, found))
    }
}
