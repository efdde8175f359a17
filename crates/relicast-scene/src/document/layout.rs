//! JSON layout of documents, and the buffer that they are written to.

use std::io::{self, Write};

use serde_json::ser::Formatter;

/// A buffer that asks before it grows, or writes out its content when it holds a piece.
pub(super) struct Growing<'o> {
    pub(super) bytes: Vec<u8>,
    /// Reserves additional bytes; unwinds if they exceed the budget.
    pub(super) reserve: fn(usize),
    /// Receives pieces of about this size, if the content is written out.
    pub(super) outlet: Option<(usize, &'o mut dyn Write)>,
}

impl Growing<'_> {
    /// Makes room for additional bytes.
    #[cold]
    fn reserve_more(&mut self, more: usize) -> io::Result<()> {
        if let Some((piece, out)) = &mut self.outlet
            && !self.bytes.is_empty()
            && self.bytes.len().saturating_add(more) > *piece
        {
            out.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        if more > self.bytes.capacity().wrapping_sub(self.bytes.len()) {
            (self.reserve)(self.bytes.capacity().saturating_add(more));
        }
        Ok(())
    }
}

impl Write for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let free = self.bytes.capacity().wrapping_sub(self.bytes.len());
        if bytes.len() > free {
            self.reserve_more(bytes.len())?;
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// White space between the items of a JSON text. The pretty layout indents levels deeper than 16 like level 16, so
/// that the blanks of deeply nested lists cannot multiply the size of a file by hundreds.
#[derive(Debug)]
pub struct Layout {
    depth: usize,
    is_filled: bool,
    /// Deepest level whose items get lines of their own.
    levels: usize,
    /// Separator of items on one line.
    comma: &'static [u8],
    /// Separator of a key and its value.
    colon: &'static [u8],
}

const MAX_INDENT_DEPTH: usize = 16;

/// A comma, a line feed, and the blanks of the deepest level.
const COMMA_AND_LINE: [u8; 2 + 2 * MAX_INDENT_DEPTH] = {
    let mut text = [b' '; 2 + 2 * MAX_INDENT_DEPTH];
    text[0] = b',';
    text[1] = b'\n';
    text
};

impl Layout {
    /// Two spaces per level, one item per line.
    pub(super) fn pretty() -> Self {
        Self::of_rows(usize::MAX)
    }

    /// No white space.
    pub(super) fn compact() -> Self {
        Self {
            comma: b",",
            colon: b":",
            ..Self::of_rows(0)
        }
    }

    /// Items down to this level of lists and objects get lines of their own; deeper ones are on the
    /// line of their row.
    pub fn of_rows(levels: usize) -> Self {
        Self {
            depth: 0,
            is_filled: false,
            levels,
            comma: b", ",
            colon: b": ",
        }
    }

    fn open(&mut self, writer: &mut (impl Write + ?Sized), bracket: u8) -> io::Result<()> {
        self.depth = self.depth.saturating_add(1);
        self.is_filled = false;
        writer.write_all(&[bracket])
    }

    fn close(&mut self, writer: &mut (impl Write + ?Sized), bracket: u8) -> io::Result<()> {
        let broken = self.depth <= self.levels;
        self.depth = self.depth.saturating_sub(1);
        if self.is_filled && broken {
            self.line(writer, true)?;
        }
        self.is_filled = true;
        writer.write_all(&[bracket])
    }

    fn item(&mut self, writer: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        match (self.depth <= self.levels, first) {
            (true, _) => self.line(writer, first),
            (false, true) => Ok(()),
            (false, false) => writer.write_all(self.comma),
        }
    }

    /// Starts a line, with a comma unless the item is the first.
    fn line(&self, writer: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
        let end = 2 + 2 * self.depth.min(MAX_INDENT_DEPTH);
        let text = COMMA_AND_LINE.get(usize::from(first)..end);
        writer.write_all(text.unwrap_or_default())
    }
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b'[')
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b']')
    }

    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.item(writer, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.is_filled = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b'{')
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b'}')
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(self.colon)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.is_filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::document::Style;

    #[test]
    fn deep_documents_stop_being_indented_and_read_back() {
        let value = (0..200).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
        let document = Document::new(&value);
        let text = document.write_json(Style::Pretty).unwrap();
        assert!(text.len() < 2 * 200 * (2 * MAX_INDENT_DEPTH + 2));
        assert_eq!(document.to_value().unwrap(), value);
    }

    #[test]
    fn compact_documents_have_no_white_space() {
        let value = serde_json::json!({"a": [1, {"b": []}], "c": {}});
        let text = Document::new(&value).write_json(Style::Compact).unwrap();
        assert_eq!(text, serde_json::to_vec(&value).unwrap());
    }

    #[test]
    fn pieces_are_the_text_and_hold_nothing_back() {
        let long = "x".repeat(100);
        let value: Vec<(usize, &str)> = (0..200).map(|number| (number, &*long)).collect();
        let document = Document::new(&value);
        let whole = document.write_json(Style::Pretty).unwrap();
        for piece in [1, 50, 128, 1000, whole.len()] {
            let mut pieces = Pieces(Vec::new());
            let left = document.write_json_to(Style::Pretty, |_| (), piece, &mut pieces);
            let left = left.unwrap();
            let is_short = piece == whole.len();
            assert_eq!(pieces.0.is_empty(), is_short, "{piece}");
            let longest = pieces.0.iter().map(Vec::len).max().unwrap_or_default();
            assert!(longest.max(left.len()) <= 2 * piece.max(102), "{longest}");
            pieces.0.push(left);
            assert_eq!(pieces.0.concat(), whole);
        }
    }

    struct Pieces(Vec<Vec<u8>>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_cannot_be_written_ends_the_text() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let document = Document::new(vec![1; 1000]);
        let ended = document.write_json_to(Style::Compact, |_| (), 100, &mut Full);
        let kind = ended.unwrap_err().io_error_kind();
        assert_eq!(kind, Some(io::ErrorKind::StorageFull));
    }

    /// Numbers are parsed with all their bits, which packing relies on.
    #[test]
    fn values_are_those_of_the_text() {
        let value = (
            0.1_f32,
            4.440_625_3_f64,
            1.0e300_f64,
            u64::MAX,
            "\u{1}\n\"é",
        );
        let read = Document::of_form::<serde_json::Value>(value).to_value();
        let expected = format!(
            "[0.1,4.4406253,1e300,{},{}]",
            u64::MAX,
            serde_json::json!(value.4)
        );
        let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(read.unwrap(), expected);
    }
}
