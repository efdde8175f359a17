//! Structured data for JSON files.
//!
//! ```
//! use relicast_scene::Document;
//! use relicast_scene::document::Style;
//!
//! let document = Document::new([1, 2, 3]);
//! assert_eq!(document.write_json(Style::Compact)?, b"[1,2,3]");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod layout;

use std::any::type_name;
use std::fmt;
use std::io::Write;

use serde::{Deserialize, Serialize};

use layout::Growing;

pub use layout::Layout;

/// Serializer of documents. One type serves all styles, so that each type of document is compiled for it once.
type JsonSerializer<'b, 'o> = serde_json::Serializer<&'b mut Growing<'o>, Layout>;

/// A value that can be written as JSON.
trait WriteJson {
    fn write_json(&self, serializer: &mut JsonSerializer<'_, '_>) -> serde_json::Result<()>;
}

impl<T: Serialize> WriteJson for T {
    fn write_json(&self, serializer: &mut JsonSerializer<'_, '_>) -> serde_json::Result<()> {
        self.serialize(serializer)
    }
}

/// A value that serializes, with the type that describes its schema. The emitter chooses the style (pretty, compact).
pub struct Document<'a> {
    value: Box<dyn WriteJson + 'a>,
    form: fn() -> &'static str,
}

impl<'a> Document<'a> {
    /// Wraps a value.
    pub fn new<T: Serialize + 'a>(value: T) -> Self {
        Self {
            value: Box::new(value),
            form: type_name::<T>,
        }
    }

    /// Wraps a value with the schema of `F`, which is not the schema of its type.
    pub fn of_form<F: ?Sized>(value: impl Serialize + 'a) -> Self {
        Self {
            value: Box::new(value),
            form: type_name::<F>,
        }
    }

    /// Path of the type that describes the schema of the value.
    pub fn form(&self) -> &'static str {
        (self.form)()
    }

    /// Serializes the value as JSON.
    ///
    /// # Errors
    /// The value's own serialization fails.
    pub fn write_json(&self, style: Style) -> serde_json::Result<Vec<u8>> {
        self.write_json_within(style, |_| ())
    }

    /// The same with a size limit: `claim` reserves additional bytes, and unwinds if they exceed the budget.
    ///
    /// # Errors
    /// The value's own serialization fails.
    pub fn write_json_within(
        &self,
        style: Style,
        reserve: fn(usize),
    ) -> serde_json::Result<Vec<u8>> {
        self.write_json_into(style, reserve, None)
    }

    /// The same, written to `out` in pieces of about `piece` bytes, except for longer single values. Returns the
    /// remaining end: the whole text if it is not longer than a piece.
    ///
    /// # Errors
    /// The value's own serialization fails, or `out` does.
    pub fn write_json_to(
        &self,
        style: Style,
        reserve: fn(usize),
        piece: usize,
        out: &mut dyn Write,
    ) -> serde_json::Result<Vec<u8>> {
        self.write_json_into(style, reserve, Some((piece, out)))
    }

    fn write_json_into(
        &self,
        style: Style,
        reserve: fn(usize),
        outlet: Option<(usize, &mut dyn Write)>,
    ) -> serde_json::Result<Vec<u8>> {
        let mut text = Growing {
            bytes: Vec::new(),
            reserve,
            outlet,
        };
        let layout = match style {
            Style::Pretty => Layout::pretty(),
            Style::Compact => Layout::compact(),
        };
        self.value
            .write_json(&mut JsonSerializer::with_formatter(&mut text, layout))?;
        Ok(text.bytes)
    }

    /// Returns the JSON value that a reader of the file gets.
    ///
    /// # Errors
    /// The value's own serialization fails.
    pub fn to_value(&self) -> serde_json::Result<serde_json::Value> {
        let text = self.write_json(Style::Compact)?;
        let mut reader = serde_json::Deserializer::from_slice(&text);
        // Documents are as deep as the formats allow.
        reader.disable_recursion_limit();
        serde_json::Value::deserialize(&mut reader)
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Document")
    }
}

/// Layout of JSON files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Two spaces per level (up to 16 levels), one item per line.
    #[default]
    Pretty,
    /// No white space.
    Compact,
}
