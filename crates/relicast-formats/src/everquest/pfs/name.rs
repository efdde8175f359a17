//! The hash by which the index knows its members.

use relicast_codec::crc32_msb_first;

/// CRC-32 of a member's name as stored (lower case in every archive seen) and one NUL. Verified on
/// retail data.
pub fn name_crc(name: &[u8]) -> u32 {
    crc32_msb_first(crc32_msb_first(0, name), &[0])
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
