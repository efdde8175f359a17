//! Edited documents: read with the place of faults, and values shown in messages.

use std::fmt::{self, Display, Formatter};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::edited::Refusal;

/// The JSON of an edited document.
///
/// # Errors
/// It is none; line and column are told.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(bytes).map_err(|error| {
        Refusal::new(format_args!(
            "line {}, column {}: {error}",
            error.line(),
            error.column()
        ))
    })
}

/// An edited document as the type that it was made from.
///
/// # Errors
/// It is no JSON, or of another shape; line, column and path are told.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = match error.path().to_string() {
            path if path == "." => "$".to_owned(),
            path => format!("$.{path}"),
        };
        Refusal::new(format_args!("{path}: {}", error.inner()))
    })?;
    deserializer.end().map_err(Refusal::new)?;
    Ok(value)
}

/// A value in a message: its beginning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'v>(pub &'v Value);

impl Display for Shown<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        match text.char_indices().nth(60) {
            Some((end, _)) => write!(formatter, "{}…", text.get(..end).unwrap_or_default()),
            None => formatter.write_str(&text),
        }
    }
}
