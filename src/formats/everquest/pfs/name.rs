//! The hash by which the index knows its members.

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

/// CRC-32 of a member's name as stored (lower case in every archive seen) and one NUL: polynomial
/// 0x04C11DB7, most significant bit first, start value 0, no final inversion. Verified on retail
/// data.
pub fn name_crc(name: &[u8]) -> u32 {
    name.iter().chain(&[0]).fold(0_u32, |crc, &byte| {
        let [top, ..] = crc.to_be_bytes();
        let entry = TABLE.get(usize::from(top ^ byte)).copied();
        entry.unwrap_or_default() ^ (crc << 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_documented_hashes() {
        assert_eq!(name_crc(b"gfaydark.wld"), 0x5942_C027);
        assert_eq!(name_crc(b"objects.wld"), 0x6131_59E6);
        assert_eq!(name_crc(b"lights.wld"), 0xDC77_1C49);
        assert_eq!(name_crc(b"palette.bmp"), 0xF2D0_0EAB);
        assert_eq!(name_crc(b"sgrass.bmp"), 0x1ADA_5908);
        assert_eq!(name_crc(b""), 0);
    }
}
