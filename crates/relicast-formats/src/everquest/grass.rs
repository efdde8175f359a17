//! `ZONE.dat` next to the archives of Luclin zones: cards of grass, records of 32 bytes.
//!
//! A card is an upright picture on the ground between two points. The last two fields are a guess: its height,
//! and the number of its picture.
//!
//! ```
//! use relicast_codec::{F32, Vec3};
//! use relicast_formats::everquest::grass::{Card, Grass, decode, encode, looks_like};
//!
//! let card = Card { end: Vec3::from([2.0, 0.0, 0.5]), height: F32(1.2), picture: 3, ..Card::default() };
//! let bytes = encode(&Grass { cards: vec![card], ..Grass::default() })?;
//! assert!(looks_like(&bytes) && bytes.len() == 32);
//! assert_eq!(decode(&bytes)?.value.cards[0].picture, 3);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use relicast_codec::quantity::counted;
use serde::Serialize;

use relicast_codec::{Blob, Decoded, F32, FixedSize, Reader, Result, Stream, Vec3, Writer};

relicast_codec::record! {
    /// A card, 32 bytes.
    pub struct Card[32]: FixedSize {
        /// Offset 0: one end of its foot, in file axes.
        start: Vec3,
        /// Offset 12: the other end of its foot.
        end: Vec3,
        /// Offset 24: its height (a guess).
        height: F32,
        /// Offset 28: number of its picture (a guess: each zone has a range of its own).
        picture: u32,
    }
}

/// The cards of a zone.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grass<'a> {
    /// The cards.
    pub cards: Vec<Card>,
    /// Bytes after the last whole card, by rule none.
    #[serde(skip_serializing_if = "Blob::is_blank")]
    pub trailing: Blob<'a>,
}

/// Number of cards that are read to detect a file.
const TRIED: usize = 256;

/// True if bytes are whole cards with places and heights as in known zones.
pub fn looks_like(bytes: &[u8]) -> bool {
    let (cards, rest) = bytes.as_chunks::<{ <Card as FixedSize>::SIZE }>();
    let is_card = |bytes: &[u8; <Card as FixedSize>::SIZE]| {
        let Some(card) = Card::load(bytes) else {
            return false;
        };
        let ([x, y, z], [end_x, end_y, end_z]) = (card.start.to_array(), card.end.to_array());
        let is_place = |size: f32| size == 0.0 || (1e-4..1e5).contains(&size.abs());
        let (east, north) = (end_x - x, end_y - y);
        let width = (east * east + north * north).sqrt();
        [x, y, z, end_x, end_y, end_z].into_iter().all(is_place)
            && (0.01..1000.0).contains(&width)
            && (0.01..1000.0).contains(&card.height.get())
            && card.picture < 0x1_0000
    };
    !cards.is_empty() && rest.is_empty() && cards.iter().take(TRIED).all(is_card)
}

/// Decodes the cards of a zone.
///
/// # Errors
/// None: bytes after the last whole card are a deviation.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Grass<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut grass = Grass::default();
    let count = bytes.len() / <Card as FixedSize>::SIZE;
    reader.values("cards", &mut grass.cards, count)?;
    let (offset, rest) = (reader.position(), reader.remaining());
    reader.bytes("trailing", &mut grass.trailing.0, rest)?;
    if rest > 0 {
        let found = counted(rest, "more byte", "more bytes");
        reader.deviate("trailing", offset, "whole cards of 32 bytes", found);
    }
    Ok(reader.finish(grass))
}

/// Encodes the cards of a zone.
///
/// # Errors
/// None.
pub fn encode(grass: &Grass<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    writer.values("cards", &mut grass.cards.clone(), grass.cards.len())?;
    writer.bytes(
        "trailing",
        &mut grass.trailing.0.clone(),
        grass.trailing.len(),
    )?;
    Ok(writer.into_bytes())
}
