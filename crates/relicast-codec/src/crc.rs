//! CRC-32 used by both families of games: zlib's polynomial, without its reflection and
//! inversions.

const TABLE: [u32; 256] = {
    let mut table = [0_u32; 256];
    let mut top = 0_u32;
    while top < 256 {
        let mut crc = top << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000_0000 != 0 {
                (crc << 1) ^ 0x04C1_1DB7
            } else {
                crc << 1
            };
            bit += 1;
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the loop stops at the table's length"
        )]
        {
            table[top as usize] = crc;
        }
        top += 1;
    }
    table
};

/// CRC-32 with polynomial 0x04C11DB7, most significant bit first, start value 0, no final inversion.
/// `crc` is the value so far.
pub fn crc32_msb_first(crc: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(crc, |crc, &byte| {
        let [top, ..] = crc.to_be_bytes();
        let entry = TABLE.get(usize::from(top ^ byte)).copied();
        entry.unwrap_or_default() ^ (crc << 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_is_the_documented_one() {
        assert_eq!(crc32_msb_first(0, b"123456789"), 0x89A1_897F);
    }
}
