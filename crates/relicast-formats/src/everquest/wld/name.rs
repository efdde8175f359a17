//! Names: references into the block of strings.

use serde::{Serialize, Serializer};
use smol_str::SmolStr;

use super::reference::FragmentRef;
use relicast_codec::{Result, Stream};

/// A reference into the block of strings, with its text.
///
/// Serializes as the text; as the number if it is not a name or cannot be resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// As stored: minus the offset of the string; 0 for no name. Writers store this number.
    pub reference: i32,
    /// The string, set by [`decode`](super::decode) and `StringTable::add`.
    pub text: Option<SmolStr>,
}

impl Name {
    /// The text, empty when there is none.
    pub fn as_str(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The fragment that it names, if the field may hold a name or a fragment's number.
    pub fn fragment(&self) -> Option<FragmentRef> {
        (self.reference > 0).then_some(FragmentRef(self.reference))
    }

    pub(super) fn walk<'a, S: Stream<'a>>(
        &mut self,
        stream: &mut S,
        field: &'static str,
    ) -> Result<()> {
        stream.value(field, &mut self.reference)
    }
}

relicast_codec::json_form!(Name = {"description": "The name; null if there is none, and the reference if the table of names lacks it", "type": ["string", "null", "integer"]});

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match (&self.text, self.reference) {
            (Some(text), _) => serializer.serialize_str(text),
            (None, 0) => serializer.serialize_none(),
            (None, reference) => serializer.serialize_i32(reference),
        }
    }
}
