//! Values that are printed on one line of an otherwise indented document, so that a list of events reads like
//! a listing and a list of key frames like a table.

use std::io::{self, Write};

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use serde_json::value::RawValue;

use relicast_scene::document::Style;

/// A value in one line.
#[derive(Debug)]
pub(crate) struct Line<T> {
    value: T,
    style: Style,
}

impl<T: Serialize> Line<T> {
    /// A value for documents of a layout; compact documents have everything on one line anyway.
    pub(crate) fn new(value: T, style: Style) -> Self {
        Self { value, style }
    }
}

relicast_codec::json_form_of!(@[T: schemars::JsonSchema] Line<T> => T);

impl<T: Serialize> Serialize for Line<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.style == Style::Compact {
            return self.value.serialize(serializer);
        }
        let mut bytes = Vec::with_capacity(256);
        let mut line = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
        self.value.serialize(&mut line).map_err(S::Error::custom)?;
        let text = String::from_utf8(bytes).map_err(S::Error::custom)?;
        let raw = RawValue::from_string(text).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// A blank after each comma and colon.
struct Spaced;

fn item(writer: &mut (impl Write + ?Sized), first: bool) -> io::Result<()> {
    if first {
        Ok(())
    } else {
        writer.write_all(b", ")
    }
}

impl Formatter for Spaced {
    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        item(writer, first)
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        item(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_emit::json;
    use relicast_scene::Document;
    use serde_json::json;

    #[test]
    fn a_line_stays_a_line_in_indented_documents() {
        let text = |style| {
            let value = [Line::new(json!({"a": [1, 2.5], "b": {}}), style)];
            String::from_utf8(json::encode(&Document::new(value), style).unwrap()).unwrap()
        };
        assert_eq!(
            text(Style::Pretty),
            "[\n  {\"a\": [1, 2.5], \"b\": {}}\n]\n"
        );
        assert_eq!(text(Style::Compact), "[{\"a\":[1,2.5],\"b\":{}}]\n");
    }
}
