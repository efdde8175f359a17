//! The form of documents of one kind.

use std::any::type_name;
use std::borrow::Cow;
use std::fmt;

use relicast_codec::Described;
use relicast_scene::Document;

/// A kind of documents.
#[derive(Clone)]
pub struct DocumentForm {
    /// The name of the kind, in lower case with hyphens.
    pub name: Cow<'static, str>,
    /// Content of such a document, in words.
    pub about: Cow<'static, str>,
    type_name: fn() -> &'static str,
    #[cfg(feature = "schema")]
    schema: fn() -> schemars::Schema,
}

impl DocumentForm {
    /// Increased when older readers can no longer read documents of this form.
    #[cfg(feature = "schema")]
    pub const VERSION: u32 = 1;

    /// The form of values of a type.
    pub const fn of<T: Described + ?Sized>(name: &'static str, about: &'static str) -> Self {
        Self::new::<T>(Cow::Borrowed(name), Cow::Borrowed(about))
    }

    /// The same for names that are made at run time.
    pub const fn new<T: Described + ?Sized>(
        name: Cow<'static, str>,
        about: Cow<'static, str>,
    ) -> Self {
        Self {
            name,
            about,
            type_name: type_name::<T>,
            #[cfg(feature = "schema")]
            schema: schema_of::<T>,
        }
    }

    /// Returns true if a document has this form.
    pub fn is_of(&self, document: &Document<'_>) -> bool {
        Value((self.type_name)()) == Value(document.form())
    }

    /// The form as JSON Schema (draft 2020-12), with its kind and version.
    #[cfg(feature = "schema")]
    pub fn schema(&self) -> schemars::Schema {
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

/// Name of a type; equal for types that serialize the same because one only holds or borrows the other.
struct Value(&'static str);

impl Value {
    /// The name of the innermost type, and true if the value is a list of it.
    fn innermost(&self) -> (&'static str, bool) {
        let (mut name, mut is_list) = (self.0, false);
        loop {
            let held = name
                .strip_prefix('&')
                .or_else(|| within(name, "alloc::boxed::Box<", '>'));
            let listed =
                || within(name, "alloc::vec::Vec<", '>').or_else(|| within(name, "[", ']'));
            name = match held {
                Some(held) => held,
                None => match listed().filter(|_| !is_list) {
                    Some(listed) => {
                        is_list = true;
                        listed
                    }
                    None => return (name, is_list),
                },
            };
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.innermost() == other.innermost()
    }
}

/// Text between a start and an end.
fn within(name: &'static str, start: &str, end: char) -> Option<&'static str> {
    name.strip_prefix(start)?.strip_suffix(end)
}

/// Allows a `$schema` property where a form is closed: in an object, or in one of several.
#[cfg(feature = "schema")]
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

#[cfg(feature = "schema")]
fn schema_of<T: schemars::JsonSchema + ?Sized>() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_of_the_form_of_what_they_borrow_hold_or_list() {
        let form = DocumentForm::of::<[u8]>("bytes", "Bytes");
        let values = vec![1_u8];
        assert!(form.is_of(&Document::new(&values)));
        assert!(form.is_of(&Document::new(Box::new(values.as_slice()))));
        assert!(!form.is_of(&Document::new(1_u8)));
        assert!(!form.is_of(&Document::new(vec![1_i8])));
        assert!(!form.is_of(&Document::new(vec![vec![1_u8]])));
    }
}
