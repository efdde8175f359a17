//! Structured data on its way to a JSON file.
//!
//! ```
//! use relicast_scene::Document;
//! use relicast_scene::document::Style;
//!
//! let document = Document::new([1, 2, 3]);
//! assert_eq!(document.spell(Style::Compact)?, b"[1,2,3]");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod layout;

use std::borrow::Cow;
use std::fmt;
use std::io::Write;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use layout::Growing;

pub use layout::Layout;

/// What writes documents. There is one type of it for all styles, so that each type of document is compiled for it once.
type Speller<'b, 'o> = serde_json::Serializer<&'b mut Growing<'o>, Layout>;

/// A value that can be written as JSON.
trait Spell {
    fn spell(&self, speller: &mut Speller<'_, '_>) -> serde_json::Result<()>;
}

impl<T: Serialize> Spell for T {
    fn spell(&self, speller: &mut Speller<'_, '_>) -> serde_json::Result<()> {
        self.serialize(speller)
    }
}

/// A value that serialises, and whose form is known. How it is spelled (pretty, compact) is the emitter's choice.
pub struct Document<'a> {
    value: Box<dyn Spell + 'a>,
    form: fn() -> Cow<'static, str>,
}

impl<'a> Document<'a> {
    /// Wraps a value.
    pub fn new<T: Serialize + JsonSchema + 'a>(value: T) -> Self {
        Self {
            value: Box::new(value),
            form: T::schema_id,
        }
    }

    /// Wraps a value that has the form `F`, which is not that of its type.
    pub fn of_form<F: JsonSchema + ?Sized>(value: impl Serialize + 'a) -> Self {
        Self {
            value: Box::new(value),
            form: F::schema_id,
        }
    }

    /// What tells the form of the value: two documents of one form have the same.
    pub fn form(&self) -> Cow<'static, str> {
        (self.form)()
    }

    /// The value as JSON.
    ///
    /// # Errors
    /// The value's own serialisation fails.
    pub fn spell(&self, style: Style) -> serde_json::Result<Vec<u8>> {
        self.spell_within(style, |_| ())
    }

    /// The same for a text that may grow as long as `claim` returns, which is told how many bytes more are wanted.
    ///
    /// # Errors
    /// The value's own serialisation fails.
    pub fn spell_within(&self, style: Style, claim: fn(usize)) -> serde_json::Result<Vec<u8>> {
        self.spell_into(style, claim, None)
    }

    /// The same, written to `out` in pieces of about `piece` bytes, but for single longer values. Returns the end, which
    /// is not written: all of a text that is no longer than a piece.
    ///
    /// # Errors
    /// The value's own serialisation fails, or `out` does.
    pub fn spell_to(
        &self,
        style: Style,
        claim: fn(usize),
        piece: usize,
        out: &mut dyn Write,
    ) -> serde_json::Result<Vec<u8>> {
        self.spell_into(style, claim, Some((piece, out)))
    }

    fn spell_into(
        &self,
        style: Style,
        claim: fn(usize),
        outlet: Option<(usize, &mut dyn Write)>,
    ) -> serde_json::Result<Vec<u8>> {
        let mut text = Growing {
            bytes: Vec::new(),
            claim,
            outlet,
        };
        let layout = match style {
            Style::Pretty => Layout::pretty(),
            Style::Compact => Layout::compact(),
        };
        self.value
            .spell(&mut Speller::with_formatter(&mut text, layout))?;
        Ok(text.bytes)
    }

    /// What a reader of the JSON gets.
    ///
    /// # Errors
    /// The value's own serialisation fails.
    pub fn to_value(&self) -> serde_json::Result<serde_json::Value> {
        let text = self.spell(Style::Compact)?;
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

/// What documents of one kind look like.
#[derive(Clone)]
pub struct DocumentForm {
    /// The name of the kind, in lower case with hyphens.
    pub name: Cow<'static, str>,
    /// What such a document tells.
    pub about: Cow<'static, str>,
    id: fn() -> Cow<'static, str>,
    schema: fn() -> Schema,
}

impl DocumentForm {
    /// Counts up when documents of a form can no longer be read by what read them before.
    pub const VERSION: u32 = 1;

    /// The form of values of a type.
    pub const fn of<T: JsonSchema + ?Sized>(name: &'static str, about: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            about: Cow::Borrowed(about),
            id: T::schema_id,
            schema: schema_of::<T>,
        }
    }

    /// The same for a name that is made when the program runs.
    pub fn named<T: JsonSchema + ?Sized>(name: String, about: String) -> Self {
        Self {
            name: Cow::Owned(name),
            about: Cow::Owned(about),
            id: T::schema_id,
            schema: schema_of::<T>,
        }
    }

    /// Whether a document is of this form.
    pub fn is_of(&self, document: &Document<'_>) -> bool {
        (self.id)() == document.form()
    }

    /// The form as JSON Schema (draft 2020-12), which names kind and version.
    pub fn schema(&self) -> Schema {
        let mut schema = (self.schema)();
        let name = &*self.name;
        schema.insert(
            "$id".to_owned(),
            format!("urn:relicast:{name}:{}", Self::VERSION).into(),
        );
        schema.insert("title".to_owned(), name.into());
        schema.insert("description".to_owned(), (*self.about).into());
        if let Some(members) = schema.as_object_mut() {
            allow_schema(members);
        }
        schema
    }
}

impl fmt::Debug for DocumentForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("DocumentForm")
            .field(&self.name)
            .finish()
    }
}

/// Lets documents name their schema where a form is closed: of an object, or of one of several.
fn allow_schema(members: &mut serde_json::Map<String, serde_json::Value>) {
    if let Some(properties) = members
        .get_mut("properties")
        .and_then(|all| all.as_object_mut())
    {
        properties.insert("$schema".to_owned(), serde_json::json!({"type": "string"}));
    }
    for key in ["oneOf", "anyOf"] {
        let choices = members
            .get_mut(key)
            .and_then(|choices| choices.as_array_mut());
        for choice in choices.into_iter().flatten() {
            if let Some(choice) = choice.as_object_mut() {
                allow_schema(choice);
            }
        }
    }
}

fn schema_of<T: JsonSchema + ?Sized>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// Layout of JSON files.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Two spaces a level (up to 16 levels), one item a line.
    #[default]
    Pretty,
    /// No white space.
    Compact,
}
