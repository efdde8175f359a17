//! JSON Schemas of values in documents.
//!
//! Most types derive theirs. Types that serialize by hand declare it with [`json_form!`](crate::json_form). Only builds
//! with the feature `schema` have schemas: `cargo xtask docs` writes them to files, and the program embeds these files.

#[cfg(feature = "schema")]
use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// A type with a JSON Schema; every type in builds without schemas.
#[cfg(feature = "schema")]
pub trait Described: JsonSchema {}

#[cfg(feature = "schema")]
impl<T: JsonSchema + ?Sized> Described for T {}

/// A type with a JSON Schema; every type in builds without schemas.
#[cfg(not(feature = "schema"))]
pub trait Described {}

#[cfg(not(feature = "schema"))]
impl<T: ?Sized> Described for T {}

/// Does nothing in a build without schemas.
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! json_form {
    ($($form:tt)+) => {};
}

/// Does nothing in a build without schemas.
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! json_form_of {
    ($($form:tt)+) => {};
}

/// Declares the JSON Schema of a type that serializes by hand. Generics are written before the type: `@['a] Type<'a>`.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! json_form {
    ($(@[$($generics:tt)+])? $type:ty = $($form:tt)+) => {
        impl $(<$($generics)+>)? schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($($form)+)
            }
        }
    };
}

/// A text, with its bytes if these are not the bytes of the text.
#[cfg(feature = "schema")]
#[derive(Debug)]
pub struct TextOrRaw;

#[cfg(feature = "schema")]
impl JsonSchema for TextOrRaw {
    fn schema_name() -> Cow<'static, str> {
        "TextOrRaw".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A text. If its bytes differ from those of the text, they are added as hexadecimal digits.",
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "required": ["text", "raw"],
                    "properties": {
                        "text": {"type": "string"},
                        "raw": {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
                    }
                }
            ]
        })
    }
}

/// Declares that a type has the schema of another.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! json_form_of {
    ($(@[$($generics:tt)+])? $type:ty => $other:ty) => {
        impl $(<$($generics)+>)? schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                <$other as schemars::JsonSchema>::inline_schema()
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                <$other as schemars::JsonSchema>::schema_name()
            }

            fn schema_id() -> std::borrow::Cow<'static, str> {
                <$other as schemars::JsonSchema>::schema_id()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$other as schemars::JsonSchema>::json_schema(generator)
            }
        }
    };
}
