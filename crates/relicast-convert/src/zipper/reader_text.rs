//! Reader values written as text, for tests.

use relicast_formats::zipper::zrd::Value;
use relicast_formats::zipper::zrd::text::decode;

/// The values of a complete text.
pub(crate) fn values(text: &str) -> Vec<Value<'_>> {
    decode(text.as_bytes()).unwrap().value.values().unwrap()
}
