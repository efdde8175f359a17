//! Members of MechWarrior 3's save games (`*.mw3`, an archive of version 1).
//!
//! Only the header and animation activations are understood; the reference that knows them calls its
//! own work unfinished. Everything else stays raw, and so does an activation that breaks a rule.
//!
//! ```
//! use relicast::formats::zipper::save::{HEADER_NAME, decode, encode};
//!
//! let bytes = [8, 0, 0, 0, 2, 0, 0, 0];
//! let member = decode(HEADER_NAME, &bytes)?.value;
//! assert_eq!(encode(&member)?, bytes);
//! # Ok::<(), relicast::formats::codec::FormatError>(())
//! ```

use serde::Serialize;

use crate::formats::codec::{
    Blob, Bytes, Decoded, F32, FixedSize, FormatError, PaddedText, Reader, Result, Stream, Walk,
    Writer,
};

/// Name of the member that tells a save game.
pub const HEADER_NAME: &str = "zSaveHeader";

crate::record! {
    /// The member [`HEADER_NAME`], 8 bytes.
    pub struct SaveHeader[8] {
        /// Offset 0: 8.
        version: u32 [must 8],
        /// Offset 4: 2.
        format: u32 [must 2],
    }
}

crate::open_enum! {
    /// What an activation does.
    pub enum ActivationKind: i32 {
        /// All values are zero.
        Plain = 1,
        /// The first three values are zero, six are unknown.
        Positioned = 2,
        /// Nine unknown values (stale memory).
        Stale = 5,
    }
}

crate::record! {
    /// Start of an activation, 88 bytes; `count` node states of 68 bytes follow.
    pub struct ActivationHead[88] {
        /// Offset 0.
        kind: ActivationKind,
        /// Offset 4: 0.
        unk04: i32 [must 0],
        /// Offset 8: name of the animation.
        name: PaddedText<32> [padded],
        /// Offset 40: index of the node, -1 for none.
        node_index: i32 [within -1..=19_999],
        /// Offset 44: nine values whose meaning depends on the kind and is not known.
        values: [F32; 9],
        /// Offset 80: stale pointer, 0 exactly when `unk86` is.
        pointer: u32,
        /// Offset 84: 1, 3 (executed) or 4 (invalid) were seen.
        status: u8,
        /// Offset 85: number of node states.
        count: u8,
        /// Offset 86: 0 or 25.
        unk86: u8,
        /// Offset 87: 0.
        unk87: u8 [must 0],
    }
}

/// One animation that was running when the game was saved.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Activation {
    /// The part that is understood.
    pub head: ActivationHead,
    /// 68 bytes a node, not decoded.
    pub node_states: Vec<Bytes<68>>,
}

impl<'a> Walk<'a> for Activation {
    const SMALLEST: usize = ActivationHead::SIZE;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        let offset = stream.position();
        if !S::READING {
            self.head.count = u8::try_from(self.node_states.len()).map_err(|_| {
                FormatError::unencodable("count", offset, "at most 255", self.node_states.len())
            })?;
        }
        self.head.walk(stream)?;
        if let (true, ActivationKind::Other(kind)) = (S::READING, self.head.kind) {
            return Err(FormatError::unsupported("kind", offset, "1, 2 or 5", kind));
        }
        stream.values(
            "node_states",
            &mut self.node_states,
            usize::from(self.head.count),
        )
    }
}

/// A member of a save game.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SaveMember<'a> {
    /// The header.
    Header(SaveHeader),
    /// An activation that keeps every rule.
    Activation(Activation),
    /// Anything else, verbatim.
    Unknown(Blob<'a>),
}

/// Decodes the member called `name`. What is not understood comes back as
/// [`SaveMember::Unknown`] with a deviation.
///
/// # Errors
/// The header member is cut or of another version.
pub fn decode<'a>(name: &str, bytes: &'a [u8]) -> Result<Decoded<SaveMember<'a>>> {
    let mut reader = Reader::new(bytes);
    if name.eq_ignore_ascii_case(HEADER_NAME) {
        let mut header = SaveHeader::default();
        header.walk(&mut reader)?;
        return match reader.remaining() {
            0 => Ok(reader.finish(SaveMember::Header(header))),
            _ => unknown(bytes, "a header of 8 bytes"),
        };
    }
    let mut activation = Activation::default();
    let walked = activation.walk(&mut reader);
    match walked {
        Ok(()) if reader.remaining() == 0 => Ok(reader.finish(SaveMember::Activation(activation))),
        _ => unknown(bytes, "an animation activation"),
    }
}

/// A member that is not what its kind `expected`, verbatim.
fn unknown<'a>(bytes: &'a [u8], expected: &str) -> Result<Decoded<SaveMember<'a>>> {
    let mut raw = Reader::new(bytes);
    let kind = bytes.get(..4).and_then(i32::load);
    raw.deviate(
        "member",
        0,
        expected,
        format_args!("{} bytes, first word {kind:?}", bytes.len()),
    );
    let value = SaveMember::Unknown(Blob::borrowed(raw.take("member", bytes.len())?));
    Ok(raw.finish(value))
}

/// Encodes a member.
///
/// # Errors
/// An activation with more than 255 node states.
pub fn encode(member: &SaveMember<'_>) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    match member {
        SaveMember::Header(header) => header.clone().walk(&mut writer)?,
        SaveMember::Activation(activation) => activation.clone().walk(&mut writer)?,
        SaveMember::Unknown(bytes) => {
            writer.bytes("member", &mut bytes.0.clone(), bytes.len())?;
        }
    }
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit_wall() -> Activation {
        Activation {
            head: ActivationHead {
                kind: ActivationKind::Plain,
                name: PaddedText::new("hit_wall").unwrap(),
                node_index: 7,
                status: 3,
                ..ActivationHead::default()
            },
            node_states: Vec::new(),
        }
    }

    #[test]
    fn activation_example_has_the_documented_bytes() {
        let bytes = encode(&SaveMember::Activation(hit_wall())).unwrap();
        assert_eq!(bytes.len(), 88);
        assert_eq!(&bytes[8..16], b"hit_wall");
        assert_eq!((bytes[40], bytes[84]), (7, 3));
        let decoded = decode("anything", &bytes).unwrap();
        assert_eq!(decoded.value, SaveMember::Activation(hit_wall()));
        assert!(decoded.deviations.is_empty());
    }

    #[test]
    fn what_is_not_understood_stays_raw() {
        let mut bytes = encode(&SaveMember::Activation(hit_wall())).unwrap();
        bytes[87] = 1;
        let decoded = decode("anything", &bytes).unwrap();
        assert!(matches!(decoded.value, SaveMember::Unknown(_)));
        assert_eq!(decoded.deviations.total(), 1);
        assert_eq!(encode(&decoded.value).unwrap(), bytes);
    }

    #[test]
    fn the_header_is_a_hard_rule() {
        assert!(decode(HEADER_NAME, &[8, 0, 0, 0, 2, 0, 0, 0]).is_ok());
        assert!(decode(HEADER_NAME, &[9, 0, 0, 0, 2, 0, 0, 0]).is_err());
    }
}
