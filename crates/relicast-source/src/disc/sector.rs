//! One sector of a data track: its user data, and the codes that protect it.
//!
//! | bytes | mode 1 | mode 2, form 1 | mode 2, form 2 |
//! | --- | --- | --- | --- |
//! | 0 | synchronization, 12 | the same | the same |
//! | 12 | minute, second, sector in BCD; mode | the same | the same |
//! | 16 | user data, 2048 | subheader, 8; user data, 2048 | subheader, 8; user data, 2324 |
//! | after that | EDC, 8 zeros, P, Q | EDC, P, Q | EDC, which may be 0 |
//!
//! EDC is a CRC-32 of its own polynomial; P and Q are Reed-Solomon codes over rows and diagonals
//! (ECMA-130, and the extended architecture for mode 2).
//!
//! ```
//! use relicast_source::disc::sector::{USER, check, encode_mode_1, mode_of};
//!
//! let mut sector = encode_mode_1(0, &[7; USER]);
//! assert_eq!(mode_of(&sector), Some(1));
//! assert!(check(&sector, 1).is_ok());
//! sector[100] ^= 1;
//! assert!(check(&sector, 1).is_err());
//! ```

use std::fmt::{self, Display};

/// Bytes of a whole sector.
pub const RAW: usize = 2352;

/// Bytes of user data that file systems count in.
pub const USER: usize = 2048;

/// Bytes of user data in a sector of form 2.
pub const USER_FORM_2: usize = 2324;

const SYNC: [u8; 12] = [
    0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0,
];

/// Sectors before the first one of track 1.
pub const LEAD_IN: u64 = 150;

/// True if the bytes start with the sync pattern of a whole data sector.
pub fn starts_with_sync(bytes: &[u8]) -> bool {
    bytes.starts_with(&SYNC)
}

/// Mode byte of a whole data sector.
pub fn mode_of(bytes: &[u8]) -> Option<u8> {
    starts_with_sync(bytes)
        .then(|| bytes.get(15).copied())
        .flatten()
}

/// Number on the disc by the header of a whole data sector; `None` for other bytes, or within the lead-in.
pub fn address_of(bytes: &[u8]) -> Option<u64> {
    let &[minute, second, frame] = bytes.get(12..15)? else {
        return None;
    };
    let number = |coded: u8| {
        let (tens, ones) = (coded >> 4, coded & 15);
        (tens < 10 && ones < 10).then(|| u64::from(tens) * 10 + u64::from(ones))
    };
    let (minute, second, frame) = (number(minute)?, number(second)?, number(frame)?);
    let is_time = starts_with_sync(bytes) && second < 60 && frame < 75;
    let sectors = (minute * 60 + second) * 75 + frame;
    is_time.then(|| sectors.checked_sub(LEAD_IN)).flatten()
}

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0_u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let mut word = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            word = (word >> 1) ^ (if word & 1 == 1 { 0xD801_8001 } else { 0 });
            bit += 1;
        }
        tables[0][byte] = word;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

static EDC_TABLES: [[u32; 256]; 8] = tables();

/// Error detection code of bytes.
pub fn edc(bytes: &[u8]) -> u32 {
    let [t0, t1, t2, t3, t4, t5, t6, t7] = &EDC_TABLES;
    let at = |table: &[u32; 256], byte: u8| table[usize::from(byte)];
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut code = 0_u32;
    for &[a, b, c, d, e, f, g, h] in eights {
        let [a, b, c, d] = (code ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        code = at(t7, a)
            ^ at(t6, b)
            ^ at(t5, c)
            ^ at(t4, d)
            ^ at(t3, e)
            ^ at(t2, f)
            ^ at(t1, g)
            ^ at(t0, h);
    }
    for &byte in rest {
        let [low, ..] = code.to_le_bytes();
        code = (code >> 8) ^ at(t0, low ^ byte);
    }
    code
}

/// Fault of a sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectorFault {
    /// It does not start with the sync pattern.
    Sync,
    /// Its mode differs from that of its track.
    Mode {
        /// The mode of the track.
        expected: u8,
        /// Its own mode.
        found: u8,
    },
    /// Its bytes do not match its error detection code.
    Edc {
        /// Code of its bytes.
        expected: u32,
        /// The code that it holds.
        found: u32,
    },
}

impl Display for SectorFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sync => write!(formatter, "no synchronization pattern"),
            Self::Mode { expected, found } => {
                write!(formatter, "mode {found} in a track of mode {expected}")
            }
            Self::Edc { expected, found } => {
                write!(
                    formatter,
                    "EDC {found:08x}, but the bytes give {expected:08x}"
                )
            }
        }
    }
}

fn word(sector: &[u8], offset: usize) -> u32 {
    let bytes = sector.get(offset..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// True if a whole sector of mode 2 is of form 2.
pub fn is_form_2(sector: &[u8]) -> bool {
    sector.get(18).is_some_and(|submode| submode & 0x20 != 0)
}

/// Checks a whole sector of mode 1 or 2.
///
/// # Errors
/// Its pattern, mode or code is wrong. P and Q are not checked: bytes that match their EDC need no
/// correction.
pub fn check(sector: &[u8], mode: u8) -> Result<(), SectorFault> {
    let Some(found) = mode_of(sector) else {
        return Err(SectorFault::Sync);
    };
    if found != mode {
        return Err(SectorFault::Mode {
            expected: mode,
            found,
        });
    }
    let (checked, place) = match mode {
        1 => (0..2064, 2064),
        2 if is_form_2(sector) => (16..2348, 2348),
        _ => (16..2072, 2072),
    };
    let found = word(sector, place);
    let expected = edc(sector.get(checked).unwrap_or_default());
    let unused = place == 2348 && found == 0;
    if expected == found || unused {
        Ok(())
    } else {
        Err(SectorFault::Edc { expected, found })
    }
}

/// Address of a sector in its header.
pub fn header_address(lba: u64) -> [u8; 3] {
    let sector = lba.saturating_add(LEAD_IN);
    let bcd = |value: u64| {
        let value = u8::try_from(value % 100).unwrap_or_default();
        ((value / 10) << 4) | (value % 10)
    };
    [
        bcd(sector / 75 / 60),
        bcd(sector / 75 % 60),
        bcd(sector % 75),
    ]
}

/// A whole sector of mode 1.
pub fn encode_mode_1(lba: u64, data: &[u8; USER]) -> [u8; RAW] {
    let mut sector = headed(header_address(lba), 1);
    sector[16..2064].copy_from_slice(data);
    let code = edc(&sector[..2064]);
    sector[2064..2068].copy_from_slice(&code.to_le_bytes());
    let parity = parity(&sector);
    sector[2076..].copy_from_slice(&parity);
    sector
}

/// A whole sector of mode 2, form 1, with the subheader of a file's data.
pub fn encode_mode_2(lba: u64, data: &[u8; USER]) -> [u8; RAW] {
    let mut sector = headed(header_address(lba), 2);
    sector[18] = 0x08;
    sector[22] = 0x08;
    sector[24..2072].copy_from_slice(data);
    guard_form_1(&mut sector);
    sector
}

fn guard_form_1(sector: &mut [u8; RAW]) {
    let code = edc(&sector[16..2072]);
    sector[2072..2076].copy_from_slice(&code.to_le_bytes());
    let mut without_address = *sector;
    without_address[12..16].fill(0);
    sector[2076..].copy_from_slice(&parity(&without_address));
}

fn headed(address: [u8; 3], mode: u8) -> [u8; RAW] {
    let mut sector = [0; RAW];
    sector[..12].copy_from_slice(&SYNC);
    sector[12..15].copy_from_slice(&address);
    sector[15] = mode;
    sector
}

/// Encodes the sector anew from its user data, address and subheader: equal to `sector` unless its codes
/// are wrong. `None` for forms that cannot be encoded again.
pub fn rebuilt(sector: &[u8; RAW], mode: u8) -> Option<[u8; RAW]> {
    let mut again = *sector;
    again[..12].copy_from_slice(&SYNC);
    again[15] = mode;
    match mode {
        1 => {
            let code = edc(&again[..2064]);
            again[2064..2068].copy_from_slice(&code.to_le_bytes());
            again[2068..2076].fill(0);
            let parity = parity(&again);
            again[2076..].copy_from_slice(&parity);
        }
        2 if is_form_2(sector) => {
            let code = match word(sector, 2348) {
                0 => 0,
                _ => edc(&again[16..2348]),
            };
            again[2348..].copy_from_slice(&code.to_le_bytes());
        }
        2 => guard_form_1(&mut again),
        _ => return None,
    }
    Some(again)
}

/// Product of a byte with 2 in the field of the codes.
const fn doubled(byte: u8) -> u8 {
    (byte << 1) ^ (if byte & 0x80 != 0 { 0x1D } else { 0 })
}

/// For each byte `b` the byte whose sum with its double is `b`.
static HALVES: [u8; 256] = {
    let mut halves = [0_u8; 256];
    let mut byte = 0_u8;
    loop {
        halves[(byte ^ doubled(byte)) as usize] = byte;
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    halves
};

/// P and Q of a sector: 276 bytes.
fn parity(sector: &[u8; RAW]) -> [u8; 276] {
    let mut codes = [0_u8; 276];
    let mut whole = *sector;
    rows(&whole[12..], 86, 24, 2, 86, &mut codes[..172]);
    whole[2076..2248].copy_from_slice(&codes[..172]);
    let (_, q) = codes.split_at_mut(172);
    rows(&whole[12..], 52, 43, 86, 88, q);
    codes
}

/// Two code bytes for each of `count` vectors of `length` bytes of `source`.
fn rows(
    source: &[u8],
    count: usize,
    length: usize,
    multiplier: usize,
    step: usize,
    codes: &mut [u8],
) {
    let size = count * length;
    let (first, second) = codes.split_at_mut(count);
    for (number, (first, second)) in first.iter_mut().zip(second).enumerate() {
        let mut index = (number >> 1) * multiplier + (number & 1);
        let (mut weighted, mut sum) = (0_u8, 0_u8);
        for _ in 0..length {
            let byte = source[index];
            index += step;
            if index >= size {
                index -= size;
            }
            weighted = doubled(weighted ^ byte);
            sum ^= byte;
        }
        let code = HALVES[usize::from(doubled(weighted) ^ sum)];
        *first = code;
        *second = code ^ sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise() -> [u8; USER] {
        let mut state = 1_u32;
        std::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
    }

    /// The check of the standard, independent of the encoder: every vector's bytes sum to zero,
    /// plain and weighted with powers of two.
    fn parity_holds(
        sector: &[u8; RAW],
        count: usize,
        length: usize,
        step: usize,
        row: usize,
    ) -> bool {
        let body = &sector[12..];
        let size = count * length;
        let codes = if count == 86 { 2064 } else { 2236 };
        (0..count).all(|number| {
            let mut vector: Vec<u8> = (0..length)
                .map(|place| {
                    let start = (number / 2) * row + number % 2;
                    body[(start + place * step) % size]
                })
                .collect();
            vector.extend([body[codes + number], body[codes + count + number]]);
            let sum = vector.iter().fold(0, |sum, byte| sum ^ byte);
            let weighted = vector.iter().fold(0, |sum, byte| doubled(sum) ^ byte);
            sum == 0 && weighted == 0
        })
    }

    #[test]
    fn sectors_satisfy_the_standards_equations() {
        let mut sector = encode_mode_1(16, &noise());
        assert_eq!(&sector[12..16], [0, 0x02, 0x16, 1]);
        assert!(check(&sector, 1).is_ok());
        assert!(parity_holds(&sector, 86, 24, 86, 2));
        assert!(parity_holds(&sector, 52, 43, 88, 86));
        assert_eq!(rebuilt(&sector, 1), Some(sector));
        sector[100] ^= 1;
        assert!(matches!(check(&sector, 1), Err(SectorFault::Edc { .. })));
        assert_ne!(rebuilt(&sector, 1), Some(sector));
        assert_eq!(
            check(&sector, 2),
            Err(SectorFault::Mode {
                expected: 2,
                found: 1
            })
        );
        sector[3] = 0;
        assert_eq!(check(&sector, 1), Err(SectorFault::Sync));

        let mut sector = encode_mode_2(75 * 60, &noise());
        assert_eq!(&sector[12..16], [0x01, 0x02, 0, 2]);
        assert!(check(&sector, 2).is_ok());
        assert_eq!(rebuilt(&sector, 2), Some(sector));
        sector[12..16].fill(0);
        assert!(parity_holds(&sector, 86, 24, 86, 2));
        assert!(parity_holds(&sector, 52, 43, 88, 86));
    }

    #[test]
    fn the_code_is_the_same_by_bytes_and_by_eights() {
        let data = noise();
        let slow = data.iter().fold(0_u32, |code, &byte| {
            let low = (code as u8) ^ byte;
            (code >> 8) ^ EDC_TABLES[0][usize::from(low)]
        });
        assert_eq!(edc(&data), slow);
        assert_ne!(edc(&data[..13]), edc(&data[..14]));
    }
}
