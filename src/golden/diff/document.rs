//! Differences between two JSON documents, by path.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;
use serde_json::Value;

/// Most differences that are listed.
const NAMED: usize = 20;

/// Most characters of a value that are listed.
const MAX_CHARACTERS: usize = 60;

/// Difference between two documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DocumentChange {
    /// Number of values that differ or are only in one.
    pub total: u64,
    /// The first of them.
    pub first: Vec<ValueChange>,
}

/// A value that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueChange {
    /// JSON path, such as `$.nodes[3].name`.
    pub path: String,
    /// In the first, shortened; `None` if it is only in the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// In the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Display for DocumentChange {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let values = if self.total == 1 { "value" } else { "values" };
        write!(formatter, "{} {values}", self.total)?;
        if let Some(first) = self.first.first() {
            let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
            let (before, after) = (text(&first.before), text(&first.after));
            write!(formatter, ": {}: {before} -> {after}", first.path)?;
        }
        if self.total > 1 {
            write!(formatter, " …")?;
        }
        Ok(())
    }
}

/// The value of a JSON text.
pub(super) fn parse(bytes: &[u8]) -> Option<Value> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    deserializer.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut deserializer).ok()
}

/// Compares two documents; `None` if one of them is not JSON.
pub(super) fn compare(before: &[u8], after: &[u8]) -> Option<DocumentChange> {
    Some(compare_values(&parse(before)?, &parse(after)?))
}

fn short(value: &Value) -> String {
    let text = match value {
        Value::Array(items) => return format!("a list of {}", items.len()),
        Value::Object(fields) => return format!("an object of {}", fields.len()),
        value => value.to_string(),
    };
    let mut characters = text.chars();
    let mut start: String = characters.by_ref().take(MAX_CHARACTERS).collect();
    if characters.next().is_some() {
        start.push('…');
    }
    start
}

/// Compares two values.
pub(super) fn compare_values(before: &Value, after: &Value) -> DocumentChange {
    let mut change = DocumentChange::default();
    // The last item is taken first: they are pushed in reverse, so that differences are listed in order.
    let mut open = vec![("$".to_owned(), Some(before), Some(after))];
    while let Some((path, before, after)) = open.pop() {
        match (before, after) {
            (Some(Value::Object(one)), Some(Value::Object(other))) => {
                let names = one
                    .keys()
                    .chain(other.keys().filter(|name| !one.contains_key(*name)));
                let names: Vec<&String> = names.collect();
                for name in names.into_iter().rev() {
                    let values = (one.get(name), other.get(name));
                    if values.0 != values.1 {
                        open.push((format!("{path}.{name}"), values.0, values.1));
                    }
                }
            }
            (Some(Value::Array(one)), Some(Value::Array(other))) => {
                for index in (0..one.len().max(other.len())).rev() {
                    let values = (one.get(index), other.get(index));
                    if values.0 != values.1 {
                        open.push((format!("{path}[{index}]"), values.0, values.1));
                    }
                }
            }
            (before, after) if before == after => {}
            (before, after) => {
                change.total += 1;
                if change.first.len() < NAMED {
                    change.first.push(ValueChange {
                        path,
                        before: before.map(short),
                        after: after.map(short),
                    });
                }
            }
        }
    }
    change
}
