//! Writes edited pictures to Targa files: only edited texels are stored anew.
//!
//! ```text
//! 18 bytes: length of the text, kind of the map, kind of the picture, map (5), place (4), u16 width, u16 height, bits,
//! flags
//! text, map, texels (plain, or in packets of up to 128: a run of one color, or as many colors), anything
//! ```
//!
//! ```
//! use relicast_formats::targa::{Canvas, repainted};
//!
//! let mut plain = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
//! plain.extend([30, 20, 10]);
//! let canvas = Canvas { width: 1, height: 1, texels: &[[9, 20, 30, 255]], edited: &[true] };
//! assert!(repainted(&plain, canvas)?.ends_with(&[30, 20, 9]));
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::{FormatError, Result};

/// Size of a header.
const HEADER: usize = 18;

/// Most texels of a packet.
const MAX_LENGTH: usize = 128;

/// Last bytes of a file that has offsets to its own parts.
const FOOTER: &[u8] = b"TRUEVISION-XFILE.";

/// A picture to be stored: texels from the top row on, with marks of the edited ones.
#[derive(Debug, Clone, Copy)]
pub struct Canvas<'c> {
    /// Texels in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Red, green, blue, alpha.
    pub texels: &'c [[u8; 4]],
    /// Marks of the texels that are stored anew, if the picture has its old size.
    pub edited: &'c [bool],
}

/// Fields of a header.
#[derive(Debug, Clone, Copy)]
struct Header {
    in_packets: bool,
    /// Bytes per texel.
    bytes: usize,
    width: u16,
    height: u16,
    top_first: bool,
    /// Bytes before the texels.
    start: usize,
}

impl Header {
    fn new(file: &[u8]) -> Result<Self> {
        let Some(
            &[
                text,
                map,
                kind,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                _,
                w0,
                w1,
                h0,
                h1,
                bits,
                flags,
            ],
        ) = file.first_chunk::<HEADER>()
        else {
            return Err(FormatError::truncated(
                "header",
                0,
                HEADER as u64,
                file.len(),
            ));
        };
        let bytes = match (kind, bits) {
            (2 | 10, 24) => 3,
            (2 | 10, 32) => 4,
            (3 | 11, 8) => 1,
            _ => {
                let expected = "true color of 24 or 32 bits or gray of 8 bits";
                let found = format_args!("kind {kind} of {bits} bits");
                return Err(FormatError::unsupported("image_type", 2, expected, found));
            }
        };
        if map != 0 {
            return Err(FormatError::unsupported("map_type", 1, "no color map", map));
        }
        if flags & 0xD0 != 0 {
            let expected = "rows from left to right, not interleaved";
            return Err(FormatError::unsupported("descriptor", 17, expected, flags));
        }
        Ok(Self {
            in_packets: kind >= 10,
            bytes,
            width: u16::from_le_bytes([w0, w1]),
            height: u16::from_le_bytes([h0, h1]),
            top_first: flags & 0x20 != 0,
            start: HEADER.saturating_add(text.into()),
        })
    }

    fn texel_count(&self) -> usize {
        usize::from(self.width).saturating_mul(self.height.into())
    }

    /// Encodes a texel.
    fn stored(&self, [red, green, blue, alpha]: [u8; 4]) -> Vec<u8> {
        match self.bytes {
            1 => {
                let [red, green, blue] = [red, green, blue].map(u32::from);
                let gray = (red * 299 + green * 587 + blue * 114 + 500) / 1000;
                vec![u8::try_from(gray).unwrap_or(u8::MAX)]
            }
            3 => vec![blue, green, red],
            _ => vec![blue, green, red, alpha],
        }
    }
}

/// A packet: its texels, and its bytes in the file.
#[derive(Debug, Clone)]
struct Packet {
    count: usize,
    bytes: std::ops::Range<usize>,
}

/// The stored texels of a file, its packets, and the start of the bytes after them.
struct Stored {
    texels: Vec<Vec<u8>>,
    packets: Vec<Packet>,
    end: usize,
}

impl Stored {
    fn new(file: &[u8], header: &Header) -> Result<Self> {
        let count = header.texel_count();
        let mut at = header.start;
        let mut taken = |length: usize| {
            let end = at.saturating_add(length);
            let bytes = file.get(at..end);
            let left = file.len().saturating_sub(at);
            let truncated = FormatError::truncated("texels", at, length as u64, left);
            at = end;
            bytes.ok_or(truncated)
        };
        let mut texels = Vec::new();
        let mut packets = Vec::new();
        if !header.in_packets {
            let bytes = taken(count.saturating_mul(header.bytes))?;
            texels.extend(bytes.chunks_exact(header.bytes).map(<[u8]>::to_vec));
            return Ok(Self {
                texels,
                packets,
                end: at,
            });
        }
        let mut start = header.start;
        while texels.len() < count {
            let head = taken(1)?.first().copied().unwrap_or_default();
            let own = usize::from(head & 0x7F).saturating_add(1);
            let length = match head & 0x80 {
                0 => {
                    let bytes = taken(own.saturating_mul(header.bytes))?;
                    texels.extend(bytes.chunks_exact(header.bytes).map(<[u8]>::to_vec));
                    bytes.len()
                }
                _ => {
                    let bytes = taken(header.bytes)?;
                    texels.extend(std::iter::repeat_n(bytes.to_vec(), own));
                    bytes.len()
                }
            };
            let end = start.saturating_add(length).saturating_add(1);
            packets.push(Packet {
                count: own,
                bytes: start..end,
            });
            start = end;
        }
        match texels.len() == count {
            true => Ok(Self {
                texels,
                packets,
                end: start,
            }),
            false => Err(FormatError::malformed(
                "texels",
                start,
                format_args!("{count} texels in packets"),
                texels.len(),
            )),
        }
    }
}

/// A program's way of dividing texels into packets.
#[derive(Debug, Clone, Copy)]
struct Cutting {
    /// Row length that packets do not cross; `None` if they do.
    row: Option<usize>,
    /// Number of equal texels that make a run among others.
    shortest: usize,
}

/// Encodes texels as packets.
fn packed(texels: &[Vec<u8>], cutting: Cutting) -> Vec<u8> {
    let row = cutting.row.unwrap_or(texels.len()).max(1);
    let mut out = Vec::new();
    for row in texels.chunks(row) {
        let run = |at: usize| {
            let rest = row.get(at..).unwrap_or_default();
            let same = rest.iter().take_while(|&texel| rest.first() == Some(texel));
            same.take(MAX_LENGTH).count()
        };
        let head = |count: usize| u8::try_from(count.saturating_sub(1)).unwrap_or(0x7F);
        let mut at = 0_usize;
        while at < row.len() {
            let same = run(at);
            if same >= cutting.shortest {
                out.push(0x80 | head(same));
                out.extend(row.get(at).into_iter().flatten());
                at = at.saturating_add(same);
                continue;
            }
            let mut end = at.saturating_add(1);
            while end < row.len()
                && end.saturating_sub(at) < MAX_LENGTH
                && run(end) < cutting.shortest
            {
                end = end.saturating_add(1);
            }
            out.push(head(end.saturating_sub(at)));
            out.extend(row.get(at..end).into_iter().flatten().flatten());
            at = end;
        }
    }
    out
}

/// Writes an edited picture to a file.
///
/// # Errors
/// The file has an unsupported form, is damaged, or has offsets to bytes after texels whose size would change.
pub fn repainted(file: &[u8], canvas: Canvas<'_>) -> Result<Vec<u8>> {
    let header = Header::new(file)?;
    let stored = Stored::new(file, &header)?;
    let same_size = (header.width, header.height) == (canvas.width, canvas.height);
    let width = usize::from(canvas.width).max(1);
    let mut rows: Vec<(&[[u8; 4]], &[bool])> = canvas
        .texels
        .chunks(width)
        .zip(canvas.edited.chunks(width))
        .collect();
    if !header.top_first {
        rows.reverse();
    }
    let cells = rows
        .into_iter()
        .flat_map(|(texels, edited)| texels.iter().zip(edited));
    let mut touched = Vec::new();
    let mut texels = Vec::new();
    for (at, (&texel, &edited)) in cells.enumerate() {
        let kept = stored.texels.get(at).filter(|_| same_size && !edited);
        touched.push(kept.is_none());
        texels.push(kept.cloned().unwrap_or_else(|| header.stored(texel)));
    }
    let data = match header.in_packets {
        false => texels.into_iter().flatten().collect(),
        true => in_packets(
            file,
            &header,
            &stored,
            &texels,
            width,
            same_size.then_some(&*touched),
        ),
    };
    let behind = file.get(stored.end..).unwrap_or_default();
    let length = stored.end.saturating_sub(header.start);
    if data.len() != length && names_places(behind) {
        let expected =
            "texels of the same total size, because the file has offsets to areas after them";
        return Err(FormatError::unencodable(
            "texels",
            header.start,
            expected,
            data.len(),
        ));
    }
    let mut out = file.get(..header.start).unwrap_or_default().to_vec();
    let size = [canvas.width.to_le_bytes(), canvas.height.to_le_bytes()];
    for (byte, new) in out.iter_mut().skip(12).zip(size.as_flattened()) {
        *byte = *new;
    }
    out.extend(data);
    out.extend(behind);
    Ok(out)
}

/// Encodes the new texels as packets: divided like the old ones if their rule is found; otherwise unedited packets are
/// copied. A picture of another size is encoded anew.
fn in_packets(
    file: &[u8],
    header: &Header,
    stored: &Stored,
    texels: &[Vec<u8>],
    width: usize,
    touched: Option<&[bool]>,
) -> Vec<u8> {
    let old = file.get(header.start..stored.end).unwrap_or_default();
    let rows = [Some(usize::from(header.width)), None];
    let mut ways = rows
        .into_iter()
        .flat_map(|row| [2, 3].map(|shortest| Cutting { row, shortest }));
    let known = ways.find(|&way| packed(&stored.texels, way) == old);
    let (None, Some(touched)) = (known, touched) else {
        let row = known.is_none_or(|known| known.row.is_some());
        let way = Cutting {
            row: row.then_some(width),
            shortest: known.map_or(2, |known| known.shortest),
        };
        return packed(texels, way);
    };
    let mut out = Vec::new();
    let mut at = 0_usize;
    for packet in &stored.packets {
        let own = at..at.saturating_add(packet.count);
        at = own.end;
        let is_touched = touched
            .get(own.clone())
            .is_none_or(|own| own.contains(&true));
        if is_touched {
            let way = Cutting {
                row: None,
                shortest: 2,
            };
            out.extend(packed(texels.get(own).unwrap_or_default(), way));
        } else {
            out.extend(file.get(packet.bytes.clone()).unwrap_or_default());
        }
    }
    out
}

/// True if the end of a file names offsets in it.
fn names_places(behind: &[u8]) -> bool {
    let footer = behind.len().checked_sub(26).and_then(|at| behind.get(at..));
    footer.is_some_and(|footer| {
        let (places, words) = footer.split_at_checked(8).unwrap_or_default();
        words.starts_with(FOOTER) && places.iter().any(|&byte| byte != 0)
    })
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;

    use super::*;

    fn file(kind: u8, bits: u8, flags: u8, size: [u8; 2], data: &[u8]) -> Vec<u8> {
        let [width, height] = size;
        let mut bytes = vec![
            3, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, bits, flags,
        ];
        bytes.extend(b"abc");
        bytes.extend(data);
        bytes.extend(b"behind");
        bytes
    }

    /// Picture that another reader shows.
    fn shown(file: &[u8]) -> image::RgbaImage {
        let picture = image::load_from_memory_with_format(file, ImageFormat::Tga);
        picture.unwrap().into_rgba8()
    }

    /// The file with one painted texel.
    fn painted(file: &[u8], at: usize, color: [u8; 4]) -> Vec<u8> {
        let before = shown(file);
        let mut texels = before.as_raw().as_chunks::<4>().0.to_vec();
        let mut edited = vec![false; texels.len()];
        (texels[at], edited[at]) = (color, true);
        let canvas = Canvas {
            width: u16::try_from(before.width()).unwrap(),
            height: u16::try_from(before.height()).unwrap(),
            texels: &texels,
            edited: &edited,
        };
        let after = repainted(file, canvas).unwrap();
        assert_eq!(shown(&after).as_raw(), texels.as_flattened(), "{at}");
        assert!(after[..12] == file[..12] && after.ends_with(b"behind"));
        after
    }

    #[test]
    fn a_texel_is_painted_and_painted_over_in_every_form() {
        let row = [[1, 2, 3, 4], [1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9]].concat();
        let plain = row.repeat(2);
        let packets = [&[0x81, 1, 2, 3, 4, 0x01, 5, 6, 7, 8, 9, 9, 9, 9][..]; 2].concat();
        // Another program's packets: a run that crosses a row, and single texels.
        let odd = [
            &[0x01, 1, 2, 3, 4, 1, 2, 3, 4, 0x00, 5, 6, 7, 8][..],
            &[0x82, 9, 9, 9, 9, 0x00, 5, 6, 7, 8, 0x00, 9, 9, 9, 9],
        ]
        .concat();
        for (kind, data) in [(2, plain), (10, packets), (10, odd)] {
            for flags in [0, 8, 0x28] {
                let before = file(kind, 32, flags, [4, 2], &data);
                let texels = shown(&before);
                for (at, old) in texels.pixels().enumerate() {
                    let after = painted(&before, at, [200, 100, 50, 25]);
                    let again = painted(&after, at, old.0);
                    assert!(kind == 10 || again == before);
                    assert_eq!(shown(&again), texels);
                }
            }
        }
        let gray = file(3, 8, 0x20, [2, 2], &[1, 2, 3, 4]);
        let after = painted(&gray, 1, [77, 77, 77, 255]);
        assert_eq!(after[21..25], [1, 77, 3, 4]);
    }

    #[test]
    fn packets_that_are_cut_in_a_known_way_come_back() {
        let data = [
            &[0x81, 1, 2, 3, 0x01, 5, 6, 7, 9, 9, 9][..],
            &[0x83, 4, 4, 4],
        ]
        .concat();
        let before = file(10, 24, 0x20, [4, 2], &data);
        for (at, old) in shown(&before).pixels().enumerate() {
            let after = painted(&before, at, [200, 100, 50, 255]);
            assert_eq!(painted(&after, at, old.0), before, "{at}");
        }
    }

    #[test]
    fn another_size_is_stored_whole() {
        let before = file(10, 24, 0, [2, 1], &[0x81, 1, 2, 3]);
        let texels: Vec<[u8; 4]> = (0..300_u16)
            .map(|at| [(at / 3 % 256) as u8, (at / 200) as u8, 7, 255])
            .collect();
        let canvas = Canvas {
            width: 150,
            height: 2,
            texels: &texels,
            edited: &vec![true; 300],
        };
        let after = repainted(&before, canvas).unwrap();
        assert_eq!(shown(&after).as_raw(), texels.as_flattened());
    }

    #[test]
    fn other_forms_and_places_behind_are_refused() {
        let canvas = |texels| Canvas {
            width: 2,
            height: 1,
            texels,
            edited: &[true, true],
        };
        let texels = [[1, 2, 3, 255], [4, 5, 6, 255]];
        for (kind, bits, flags) in [(1, 8, 0), (2, 16, 0), (9, 8, 0), (2, 24, 0x10), (0, 0, 0)] {
            let other = file(kind, bits, flags, [2, 1], &[0; 8]);
            assert!(repainted(&other, canvas(&texels)).is_err());
        }
        let mut named = file(10, 24, 0, [2, 1], &[0x81, 1, 2, 3]);
        named.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        named.extend(b"TRUEVISION-XFILE.\0");
        assert!(repainted(&named, canvas(&texels)).is_err());
        assert!(repainted(&named, canvas(&[[1, 1, 1, 255]; 2])).is_ok());
        let whole = file(10, 24, 0, [2, 1], &[0x81, 1, 2, 3]);
        for length in 0..25 {
            assert!(
                repainted(&whole[..length], canvas(&texels)).is_err(),
                "{length}"
            );
        }
    }
}
