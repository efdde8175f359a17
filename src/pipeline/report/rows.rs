//! Lists of a document that grow with its text: each row is counted against the budget before the list grows.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use relicast_limits as limits;

/// Reads a list, for `deserialize_with`. Inside [`with_budget`](limits::with_budget), it stops with an error
/// before it exceeds the budget.
///
/// # Errors
/// It is not a list, or one of its rows is invalid.
pub(super) fn read<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Rows<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Rows<T> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list of rows")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(row) = rows.next_element()? {
                limits::push(&mut list, row);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Rows(PhantomData))
}
