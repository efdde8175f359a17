//! Edits of documents: another value of the same type.

use serde_json::Value;

use super::What;
use crate::Outcome;
use crate::random::Random;

/// Changes one value of the document; `None` if no value can be changed.
///
/// # Errors
/// It is not JSON.
pub(super) fn edit(bytes: &[u8], random: &mut Random) -> Outcome<Option<(Vec<u8>, What)>> {
    let mut document: Value = serde_json::from_slice(bytes)?;
    let mut pointers = Vec::new();
    leaves(&document, String::new(), &mut pointers);
    pointers.retain(|pointer| pointer != "/$schema");
    for _ in 0..20.min(pointers.len()) {
        let chosen = usize::try_from(random.below(pointers.len() as u64))?;
        let pointer = &pointers[chosen];
        let Some(value) = document.pointer_mut(pointer) else {
            continue;
        };
        let Some(new) = other_value(value, random).filter(|new| new != value) else {
            continue;
        };
        let what = What::Value {
            pointer: pointer.clone(),
            old: value.clone(),
            new: new.clone(),
        };
        *value = new;
        let bytes = match random.below(2) {
            0 => serde_json::to_vec(&document)?,
            _ => serde_json::to_vec_pretty(&document)?,
        };
        return Ok(Some((bytes, what)));
    }
    Ok(None)
}

/// Pointers of the values without children.
pub fn leaves(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(field, format!("{pointer}/{key}"), found);
            }
        }
        _ => found.push(pointer),
    }
}

/// Another value of the same type; `None` if there is no other.
pub fn other_value(value: &Value, random: &mut Random) -> Option<Value> {
    Some(match value {
        Value::Bool(flag) => Value::from(!flag),
        Value::Number(number) if number.is_f64() => {
            let old = number.as_f64()?;
            // A number that 32-bit floats hold exactly.
            let by = f64::from(random.between(1, 64)) / 8.0;
            Value::from((old.trunc() % 1e6) + if random.below(2) == 0 { by } else { -by } + 0.0625)
        }
        Value::Number(number) => {
            let old = number.as_i64()?;
            match random.below(3) {
                0 => Value::from(old ^ 1),
                1 => Value::from(old.checked_add(i64::from(random.between(1, 100)))?),
                _ => Value::from(random.between(0, 255)),
            }
        }
        Value::String(text) => Value::from(other_text(text, random)),
        _ => return None,
    })
}

/// A text with another letter, a longer one, or a shorter one.
fn other_text(text: &str, random: &mut Random) -> String {
    let letter = |random: &mut Random| char::from(b'a' + random.below(26) as u8);
    let mut letters: Vec<char> = text.chars().collect();
    match random.below(3) {
        0 if !letters.is_empty() => {
            let at = usize::try_from(random.below(letters.len() as u64)).unwrap_or(0);
            letters[at] = letter(random);
        }
        1 if letters.len() > 1 => letters.truncate(letters.len() - 1),
        _ => {
            let more = 1 + random.below(12);
            letters.extend((0..more).map(|_| letter(random)));
        }
    }
    letters.into_iter().collect()
}
