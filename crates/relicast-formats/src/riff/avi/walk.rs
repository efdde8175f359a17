//! Iterator over nested chunks that allocates no memory.

use crate::riff::FourCc;
use relicast_codec::FixedSize;

/// A chunk, or the head of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    /// Offset of its header.
    pub offset: usize,
    /// Chunk ID.
    pub id: FourCc,
    /// Its size as stored.
    pub size: u32,
    /// List type; `None` for a chunk with data.
    pub form: Option<FourCc>,
    /// Its bytes in the file; for a list, those after its type.
    pub payload: &'a [u8],
}

/// Size of the header of a chunk.
const HEADER: usize = 8;

impl Node<'_> {
    /// True if the file ends before the chunk does.
    pub fn is_cut(&self) -> bool {
        (self.size as usize) > self.available()
    }

    /// Number of its bytes that the file has.
    pub fn available(&self) -> usize {
        let form = if self.form.is_some() { 4 } else { 0 };
        self.payload.len().saturating_add(form)
    }

    /// Offset of its bytes.
    pub fn start(&self) -> usize {
        self.offset.saturating_add(HEADER)
    }
}

/// Lists that are entered; other lists are handled like any chunk.
const LISTS: [FourCc; 7] = [
    FourCc(*b"AVI "),
    FourCc(*b"AVIX"),
    FourCc(*b"hdrl"),
    FourCc(*b"strl"),
    FourCc(*b"INFO"),
    FourCc(*b"movi"),
    FourCc(*b"rec "),
];

/// Visits every chunk of a file in order. Lists are visited before their content. The sizes of lists
/// are ignored: reading continues after their head, so that a list with a wrong size hides
/// nothing.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// The name at the start of `bytes`. Names are printable; anything else is padding or garbage.
fn name(bytes: &[u8]) -> Option<FourCc> {
    FourCc::load(bytes).filter(|id| id.0.iter().all(|byte| (0x20..0x7F).contains(byte)))
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// The next chunk; `None` at the end, or where no chunk can start.
    pub fn next(&mut self) -> Option<Node<'a>> {
        let rest = self.bytes.get(self.position..)?;
        let id = name(rest)?;
        let size = u32::load(rest.get(4..)?)?;
        let body = rest.get(HEADER..)?;
        let whole = body.get(..size as usize).unwrap_or(body);
        let form = match &id.0 {
            b"RIFF" | b"LIST" => FourCc::load(whole).filter(|form| LISTS.contains(form)),
            _ => None,
        };
        let node = Node {
            offset: self.position,
            id,
            size,
            form,
            payload: match form {
                Some(_) => whole.get(4..).unwrap_or_default(),
                None => whole,
            },
        };
        let step = match form {
            Some(_) => HEADER + 4,
            None => HEADER.saturating_add(whole.len()),
        };
        self.position = self.position.saturating_add(step);
        if form.is_none() && whole.len() % 2 == 1 {
            self.pass_padding();
        }
        Some(node)
    }

    /// Skips the padding byte of an odd chunk, which some writers leave out.
    fn pass_padding(&mut self) {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let padded = rest.get(1..).and_then(name).is_some();
        if padded || name(rest).is_none() {
            self.position = self.position.saturating_add(1);
        }
    }
}
