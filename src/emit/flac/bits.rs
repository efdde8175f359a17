//! Bits, most significant first, and the two checksums of a FLAC frame (RFC 9639, sections 9.1.8 and 9.3).

/// Writes fields of bits behind bytes.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// The low `held` bits are not written yet.
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

    /// Writes the low `count` bits of `value`, at most 32; the others have to be 0.
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

    /// Writes the low `count` bits of a number with a sign.
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

    /// A number in the Rice code with `parameter` low bits.
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

    /// Fills the last byte with 0 and writes what waits.
    pub(super) fn finish(mut self) {
        self.put(0, (8 - self.held % 8) % 8);
        while self.held > 0 {
            self.held -= 8;
            self.bytes.push((self.waiting >> self.held) as u8);
        }
    }
}

/// The polynomial x⁸ + x² + x + 1 of a frame's header.
pub(super) fn crc_8(bytes: &[u8]) -> u8 {
    bytes
        .iter()
        .fold(0, |crc, &byte| CRC_8[usize::from(crc ^ byte)])
}

/// The polynomial x¹⁶ + x¹⁵ + x² + 1 of a whole frame, eight bytes at a step.
pub(super) fn crc_16(bytes: &[u8]) -> u16 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let crc = eights.iter().fold(0_u16, |crc, &bytes| {
        let [high, low] = crc.to_be_bytes();
        let [a, b, c, d, e, f, g, h] = bytes;
        let [t0, t1, t2, t3, t4, t5, t6, t7] = &CRC_16;
        t7[usize::from(a ^ high)]
            ^ t6[usize::from(b ^ low)]
            ^ t5[usize::from(c)]
            ^ t4[usize::from(d)]
            ^ t3[usize::from(e)]
            ^ t2[usize::from(f)]
            ^ t1[usize::from(g)]
            ^ t0[usize::from(h)]
    });
    rest.iter().fold(crc, |crc, &byte| {
        let [high, low] = crc.to_be_bytes();
        u16::from_be_bytes([low, 0]) ^ CRC_16[0][usize::from(high ^ byte)]
    })
}

static CRC_8: [u8; 256] = {
    let mut table = [0_u8; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut word = byte as u8;
        let mut bit = 0;
        while bit < 8 {
            let carry = word & 0x80 != 0;
            word <<= 1;
            if carry {
                word ^= 0x07;
            }
            bit += 1;
        }
        table[byte] = word;
        byte += 1;
    }
    table
};

/// The checksum of a byte that so many zero bytes follow.
static CRC_16: [[u16; 256]; 8] = {
    let mut tables = [[0_u16; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut word = (byte as u16) << 8;
        let mut zeros = 0;
        while zeros < 8 {
            let mut bit = 0;
            while bit < 8 {
                let carry = word & 0x8000 != 0;
                word <<= 1;
                if carry {
                    word ^= 0x8005;
                }
                bit += 1;
            }
            tables[zeros][byte] = word;
            zeros += 1;
        }
        byte += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_the_known_ones() {
        // The check values of CRC-8/SMBUS and CRC-16/UMTS.
        assert_eq!(crc_8(b"123456789"), 0xF4);
        assert_eq!(crc_16(b"123456789"), 0xFEE8);
        let long: Vec<u8> = (0..77_u32).map(|index| (index * 37 % 251) as u8).collect();
        let slow = long.iter().fold(0_u16, |mut crc, &byte| {
            crc ^= u16::from(byte) << 8;
            for _ in 0..8 {
                crc = crc << 1 ^ if crc & 0x8000 != 0 { 0x8005 } else { 0 };
            }
            crc
        });
        assert_eq!(crc_16(&long), slow);
    }

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
        // 3 zeros, 1, 01; then 40 zeros and 1; then what fills the byte.
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
