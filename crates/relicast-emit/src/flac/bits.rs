//! Bit fields, most significant bit first.

/// Appends bit fields to bytes.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// Buffer; the low `held` bits are not written yet.
    waiting: u64,
    /// Fewer than 32 between two calls.
    held: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self {
            bytes,
            waiting: 0,
            held: 0,
        }
    }

    /// Writes the low `count` bits of `value`, at most 32; the others must be 0.
    #[inline]
    pub(super) fn put(&mut self, value: u32, count: u32) {
        debug_assert!(count <= 32 && (count == 32 || value >> count == 0));
        self.waiting = self.waiting << count | u64::from(value);
        self.held += count;
        if self.held >= 32 {
            self.held -= 32;
            let word = (self.waiting >> self.held) as u32;
            self.bytes.extend_from_slice(&word.to_be_bytes());
        }
    }

    /// Writes the low `count` bits of a signed number.
    #[inline]
    pub(super) fn put_signed(&mut self, value: i32, count: u32) {
        let mask = u32::MAX.checked_shr(32 - count).unwrap_or(0);
        self.put(value as u32 & mask, count);
    }

    /// Writes `zeros` bits that are 0 and one that is 1.
    pub(super) fn put_unary(&mut self, mut zeros: u32) {
        while zeros >= 32 {
            self.put(0, 32);
            zeros -= 32;
        }
        self.put(1, zeros + 1);
    }

    /// Writes a number in the Rice code with `parameter` low bits.
    #[inline]
    pub(super) fn put_rice(&mut self, folded: u32, parameter: u32) {
        let quotient = folded >> parameter;
        let low = folded & ((1 << parameter) - 1);
        if quotient + parameter < 32 {
            self.put(1 << parameter | low, quotient + 1 + parameter);
        } else {
            self.put_unary(quotient);
            self.put(low, parameter);
        }
    }

    /// Fills the last byte with 0 and writes it.
    pub(super) fn finish(mut self) {
        self.put(0, (8 - self.held % 8) % 8);
        while self.held > 0 {
            self.held -= 8;
            self.bytes.push((self.waiting >> self.held) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_follow_each_other() {
        let mut bytes = vec![0xFF];
        let mut bits = BitWriter::new(&mut bytes);
        bits.put(0b101, 3);
        bits.put_signed(-2, 5);
        bits.put(0xDEAD_BEEF, 32);
        bits.put_rice(0b1101, 2);
        bits.put_unary(40);
        bits.finish();
        // 3 zeros, 1, 01; then 40 zeros and 1; then padding.
        assert_eq!(
            bytes,
            [
                0xFF,
                0b1011_1110,
                0xDE,
                0xAD,
                0xBE,
                0xEF,
                0b0001_0100,
                0,
                0,
                0,
                0,
                0b0000_0010
            ]
        );
    }
}
