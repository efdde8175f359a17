//! The first few bytes of a zlib stream. About sixty bytes of each of the many members of an install show its kind.
//! Building the lookup tables of other decoders takes several times longer than reading so little without them, so
//! here codes are read bit by bit, by the number of codes of each length. Only the code for the lengths of the
//! others has a table, because it is small and read about three hundred times.
//!
//! Unusual streams are left to a full decoder, which describes faults.

/// Bits of the longest code.
const MAX_CODE_BITS: usize = 15;

/// Maximum number of code lengths of a block, literals and distances together.
const MAX_LENGTHS: usize = 286 + 30;

/// The code that ends a block.
const END: u16 = 256;

/// Order in which the lengths of the codes of lengths are stored.
const ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// Minimum length of a copy by its code, and the number of bits that are added.
const LENGTHS: [(u16, u32); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// The first `most` bytes of the inflated stream, or `None` if it has fewer, is damaged, or is unusual.
pub(super) fn inflate(stream: &[u8], most: usize) -> Option<Vec<u8>> {
    let (&[method, flags], body) = stream.split_first_chunk::<2>()?;
    let is_usual = method & 15 == 8 && method >> 4 <= 7 && flags & 32 == 0;
    if !is_usual || u16::from_be_bytes([method, flags]) % 31 != 0 {
        return None;
    }
    let mut bits = Bits {
        bytes: body,
        held: 0,
        count: 0,
    };
    let mut out = Vec::with_capacity(most);
    while out.len() < most {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out, most)?,
            1 => {
                let (literals, distances) = fixed()?;
                coded(&mut bits, &literals, &distances, &mut out, most)?;
            }
            2 => {
                let (literals, distances) = dynamic(&mut bits)?;
                coded(&mut bits, &literals, &distances, &mut out, most)?;
            }
            _ => return None,
        }
        if is_last {
            break;
        }
    }
    (out.len() == most).then_some(out)
}

/// Bits of a stream, the lowest of a byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// Holds as many bits as fit.
    fn fill(&mut self) {
        if let Some(next) = self.bytes.first_chunk() {
            // Bits that do not fit are read again, to the same positions.
            self.held |= u64::from_le_bytes(*next) << self.count;
            let taken = (63 - self.count) / 8;
            self.bytes = self.bytes.get(taken as usize..).unwrap_or_default();
            self.count += 8 * taken;
            return;
        }
        while self.count <= 56
            && let Some((&byte, rest)) = self.bytes.split_first()
        {
            self.held |= u64::from(byte) << self.count;
            self.count += 8;
            self.bytes = rest;
        }
    }

    /// At most 16 bits.
    fn take(&mut self, count: u32) -> Option<u16> {
        self.fill();
        let taken = self.held & ((1_u64 << count) - 1);
        self.skip(count)?;
        u16::try_from(taken).ok()
    }

    fn skip(&mut self, count: u32) -> Option<()> {
        self.count = self.count.checked_sub(count)?;
        self.held >>= count;
        Some(())
    }
}

/// A prefix code: the number of codes of each length, and their symbols in order.
struct Code {
    counts: [u16; MAX_CODE_BITS + 1],
    meanings: [u16; 288],
    /// Unused part of all codes, in codes of the longest length.
    rest: i32,
    used: usize,
}

impl Code {
    /// The code with codes of these lengths; `None` if there are more than fit.
    fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0_u16; MAX_CODE_BITS + 1];
        for &length in lengths {
            *counts.get_mut(usize::from(length))? += 1;
        }
        let unused = std::mem::take(counts.first_mut()?);
        let mut rest = 1_i32;
        let mut places = [0_u16; MAX_CODE_BITS + 1];
        let mut place = 0;
        for (count, first) in counts.iter().zip(&mut places).skip(1) {
            rest = rest * 2 - i32::from(*count);
            if rest < 0 {
                return None;
            }
            *first = place;
            place += count;
        }
        let mut meanings = [0; 288];
        for (meaning, &length) in (0_u16..).zip(lengths) {
            if length > 0 {
                let place = places.get_mut(usize::from(length))?;
                *meanings.get_mut(usize::from(*place))? = meaning;
                *place += 1;
            }
        }
        Some(Self {
            counts,
            meanings,
            rest,
            used: lengths.len() - usize::from(unused),
        })
    }

    /// Like [`of`](Self::new), if all codes have a symbol.
    fn whole(lengths: &[u8]) -> Option<Self> {
        Self::new(lengths).filter(|code| code.rest == 0)
    }

    /// The symbol of the next code.
    fn read(&self, bits: &mut Bits<'_>) -> Option<u16> {
        bits.fill();
        let mut held = bits.held;
        let (mut code, mut first, mut place) = (0_u32, 0_u32, 0_u32);
        for (length, &count) in (1..).zip(self.counts.get(1..)?) {
            let count = u32::from(count);
            code |= (held & 1) as u32;
            held >>= 1;
            if code < first + count {
                bits.skip(length)?;
                let place = place + (code - first);
                return self.meanings.get(place as usize).copied();
            }
            place += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// Bits of the longest code of lengths.
const MAX_LENGTH_CODE_BITS: u8 = 7;

/// The code of code lengths: for each value of the following seven bits the symbol, and its number of bits.
struct LengthCode([(u8, u8); 1 << MAX_LENGTH_CODE_BITS]);

impl LengthCode {
    /// Like [`Code::whole`]; each code has at most seven bits.
    fn whole(lengths: &[u8]) -> Option<Self> {
        let code = Code::whole(lengths)?;
        let mut table = [(0, 0); 1 << MAX_LENGTH_CODE_BITS];
        let (mut next, mut place) = (0_u16, 0_usize);
        for (length, &count) in (1..=MAX_LENGTH_CODE_BITS).zip(code.counts.get(1..)?) {
            next <<= 1;
            for _ in 0..count {
                let meaning = u8::try_from(*code.meanings.get(place)?).ok()?;
                let first = usize::from(next.reverse_bits() >> (16 - length));
                let behind = table.get_mut(first..)?.iter_mut().step_by(1 << length);
                behind.for_each(|entry| *entry = (meaning, length));
                next += 1;
                place += 1;
            }
        }
        Some(Self(table))
    }

    /// The symbol of the next code.
    fn read(&self, bits: &mut Bits<'_>) -> Option<u8> {
        bits.fill();
        let [next, ..] = bits.held.to_le_bytes();
        let &(meaning, length) = self.0.get(usize::from(next) % self.0.len())?;
        bits.skip(u32::from(length))?;
        Some(meaning)
    }
}

/// The codes of blocks that do not store any.
fn fixed() -> Option<(Code, Code)> {
    let mut lengths = [8_u8; 288];
    lengths.get_mut(144..256)?.fill(9);
    lengths.get_mut(256..280)?.fill(7);
    Some((Code::whole(&lengths)?, Code::new(&[5; 30])?))
}

/// The codes that are stored at the start of a block.
fn dynamic(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    let literals = usize::from(bits.take(5)?) + 257;
    let distances = usize::from(bits.take(5)?) + 1;
    let stored = usize::from(bits.take(4)?) + 4;
    if literals > 286 || distances > 30 {
        return None;
    }
    let mut lengths = [0_u8; ORDER.len()];
    for &place in ORDER.get(..stored)? {
        *lengths.get_mut(place)? = u8::try_from(bits.take(3)?).ok()?;
    }
    let code = LengthCode::whole(&lengths)?;
    let mut lengths = [0_u8; MAX_LENGTHS];
    let all = literals + distances;
    let mut known = 0;
    while known < all {
        let meaning = code.read(bits)?;
        let (length, times) = match meaning {
            0..=15 => (meaning, 1),
            16 => (*lengths.get(known.checked_sub(1)?)?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            _ => (0, 11 + bits.take(7)?),
        };
        let end = known + usize::from(times);
        if end > all {
            return None;
        }
        lengths.get_mut(known..end)?.fill(length);
        known = end;
    }
    let (literals, distances) = lengths.get(..all)?.split_at_checked(literals)?;
    let distances = Code::new(distances)?;
    // A single distance has one bit, of which one value is unused; otherwise all codes have a symbol.
    let of_one_bit = distances.counts.get(1).copied().map(usize::from);
    if distances.rest != 0 && of_one_bit != Some(distances.used) {
        return None;
    }
    Some((Code::whole(literals)?, distances))
}

/// Appends the bytes of an uncompressed block.
fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>, most: usize) -> Option<()> {
    bits.skip(bits.count % 8)?;
    let (length, inverse) = (bits.take(16)?, bits.take(16)?);
    if length != !inverse {
        return None;
    }
    for _ in 0..length {
        if out.len() >= most {
            break;
        }
        out.push(u8::try_from(bits.take(8)?).ok()?);
    }
    Some(())
}

/// Appends the bytes of a compressed block, until it ends or there are enough.
fn coded(
    bits: &mut Bits<'_>,
    literals: &Code,
    distances: &Code,
    out: &mut Vec<u8>,
    most: usize,
) -> Option<()> {
    while out.len() < most {
        let meaning = literals.read(bits)?;
        if let Ok(byte) = u8::try_from(meaning) {
            out.push(byte);
            continue;
        }
        if meaning == END {
            return Some(());
        }
        let &(least, more) = LENGTHS.get(usize::from(meaning - END - 1))?;
        let length = usize::from(least + bits.take(more)?);
        let distance = distance(distances.read(bits)?, bits)?;
        let start = out.len().checked_sub(distance)?;
        for place in start..start + length {
            if out.len() >= most {
                break;
            }
            out.push(*out.get(place)?);
        }
    }
    Some(())
}

/// The distance of a copy by its code and the bits after it.
fn distance(code: u16, bits: &mut Bits<'_>) -> Option<usize> {
    let code = u32::from(code);
    if code < 4 {
        return usize::try_from(code + 1).ok();
    }
    let more = code / 2 - 1;
    if more > 13 {
        return None;
    }
    let least = (2 + code % 2) << more;
    usize::try_from(least + 1 + u32::from(bits.take(more)?)).ok()
}

#[cfg(test)]
mod tests {
    use flate2::{Compress, Compression, FlushCompress};

    use super::*;

    fn deflate(data: &[u8], level: u32) -> Vec<u8> {
        let mut out = Vec::with_capacity(data.len() + 100);
        let mut zlib = Compress::new(Compression::new(level), true);
        zlib.compress_vec(data, &mut out, FlushCompress::Finish)
            .unwrap();
        out
    }

    /// Texts, repetitions, noise, a single byte: all kinds of blocks, near and far matches.
    fn samples() -> Vec<Vec<u8>> {
        let noise = |seed: u32, length: usize| {
            let mut state = seed;
            let next = std::iter::repeat_with(move || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            });
            next.take(length).collect::<Vec<u8>>()
        };
        let mut samples = vec![
            b"a".to_vec(),
            b"PFS and nothing else".to_vec(),
            [7; 5000].to_vec(),
            b"one two three one two three ".repeat(300),
            noise(1, 8192),
            noise(2, 40),
            (0..8192_u32).map(|place| (place / 9 % 200) as u8).collect(),
        ];
        let far = [noise(3, 4000), noise(3, 4000)].concat();
        samples.push(far);
        let few: Vec<u8> = noise(4, 8192)
            .iter()
            .map(|byte| (byte % 5) * (byte % 3))
            .collect();
        samples.push(few);
        samples
    }

    #[test]
    fn the_start_is_that_of_the_whole() {
        for data in samples() {
            for level in 0..=9 {
                let stream = deflate(&data, level);
                for most in [0, 1, 5, 64, 256, data.len().min(8192)] {
                    let most = most.min(data.len());
                    let start = inflate(&stream, most);
                    assert_eq!(start.as_deref(), data.get(..most), "level {level}, {most}");
                }
                assert_eq!(inflate(&stream, data.len() + 1), None);
            }
        }
    }

    /// If something is found at all, the thorough decoder finds the same.
    #[test]
    fn damaged_streams_give_nothing_else_than_other_decoders_find() {
        use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
        let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
            | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let mut found = 0;
        for data in samples() {
            for level in [0, 1, 6, 9] {
                let stream = deflate(&data, level);
                for place in 0..stream.len().min(200) {
                    for change in [1, 0x10, 0x80, 0xFF] {
                        let mut damaged = stream.clone();
                        damaged[place] ^= change;
                        let most = data.len().min(64);
                        let Some(start) = inflate(&damaged, most) else {
                            continue;
                        };
                        found += 1;
                        let mut other = vec![0; most];
                        let mut thorough = DecompressorOxide::new();
                        let (.., intact) =
                            decompress(&mut thorough, &damaged, &mut other, 0, flags);
                        other.truncate(intact);
                        assert_eq!(start, other, "level {level}, byte {place}");
                    }
                }
                for end in 0..stream.len().min(80) {
                    if let Some(start) = inflate(&stream[..end], data.len().min(64)) {
                        assert!(data.starts_with(&start));
                    }
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
