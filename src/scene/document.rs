//! Structured data on its way to a JSON file.
//!
//! ```
//! use relicast::scene::Document;
//!
//! let document = Document::new([1, 2, 3]);
//! assert_eq!(serde_json::to_string(&document)?, "[1,2,3]");
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

/// A value that serialises. How it is spelled (pretty, compact) is the emitter's choice.
pub struct Document<'a>(Box<dyn erased_serde::Serialize + 'a>);

impl<'a> Document<'a> {
    /// Wraps a value.
    pub fn new(value: impl Serialize + 'a) -> Self {
        Self(Box::new(value))
    }
}

impl Serialize for Document<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.0, serializer)
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Document")
    }
}

/// Layout of JSON files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Two spaces a level (up to 16 levels), one item a line.
    #[default]
    Pretty,
    /// No white space.
    Compact,
}
