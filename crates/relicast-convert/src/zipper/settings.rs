//! Reader values as settings: keys with values.
//!
//! Readers have no maps. A key is a text in a list; its values follow it in the same list, bare or in a nested
//! list, or the key and its values are a list among others. Only the code of the games knows the meaning of a key
//! and the number of its values, so look-ups accept all of these shapes. Letter case is ignored.

use serde_json::Value as Json;

use crate::Dependency;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::archive;
use relicast_formats::zipper::zrd::{Value, binary, text};
use relicast_scene::model::number;

/// Maximum depth of lists that are searched for a key.
const MAX_KEY_DEPTH: usize = 5;
/// Maximum depth of lists that are copied to JSON; deeper values become null.
const MAX_COPY_DEPTH: usize = 24;

/// A reader among the dependencies of a file.
#[derive(Debug)]
pub(crate) struct Reader<'v> {
    /// Path of its archive.
    pub path: &'v str,
    /// Name of the member in lower case without its extension.
    pub stem: String,
    /// Value of the setting.
    pub value: Value<'v>,
}

/// Calls `visitor` with every reader of the dependencies: members of archives in their order, and loose files.
/// Unreadable ones are left out; their file reports why.
pub(crate) fn visit(dependencies: &[Dependency<'_>], visitor: impl FnMut(&Reader<'_>)) {
    visit_where(dependencies, |_| true, visitor);
}

/// The same for readers with one of some names (lower case, without extension). The others are not decoded.
pub(crate) fn visit_named(
    dependencies: &[Dependency<'_>],
    stems: &[&str],
    visitor: impl FnMut(&Reader<'_>),
) {
    visit_where(dependencies, |stem| stems.contains(&stem), visitor);
}

fn visit_where(
    dependencies: &[Dependency<'_>],
    is_wanted: impl Fn(&str) -> bool,
    mut visitor: impl FnMut(&Reader<'_>),
) {
    let mut show = |path: &str, name: &str, bytes: &[u8], is_text: bool| {
        let name = name.to_lowercase();
        let stem = name.strip_suffix(".zrd").unwrap_or(&name).to_owned();
        if !is_wanted(&stem) {
            return;
        }
        let value = if is_text {
            let decoded = text::decode(bytes).ok();
            let values = decoded.and_then(|decoded| decoded.value.values().ok());
            values.map(Value::List)
        } else {
            binary::decode(bytes).ok().map(|decoded| decoded.value)
        };
        if let Some(value) = value {
            visitor(&Reader { path, stem, value });
        }
    };
    for dependency in dependencies {
        let path = dependency.path;
        let is_text = dependency.kind == Kind::TextReader;
        if is_text || dependency.kind == Kind::BinaryReader {
            let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
            show(path, name, dependency.bytes, is_text);
        } else if dependency.kind == Kind::Archive
            && let Ok(decoded) = archive::decode(dependency.bytes)
        {
            for entry in &decoded.value.entries {
                let name = entry.name();
                if entry.fault.is_none() && name.to_lowercase().ends_with(".zrd") {
                    let is_binary = entry.data.first() == Some(&4);
                    show(path, &name, &entry.data, !is_binary);
                }
            }
        }
    }
}

/// True if a value is one of some keys.
pub(crate) fn is_key(value: &Value<'_>, keys: &[&str]) -> bool {
    let text = value.as_text();
    text.is_some_and(|text| {
        let bytes = text.bytes();
        keys.iter()
            .any(|key| bytes.eq_ignore_ascii_case(key.as_bytes()))
    })
}

/// The values of a list.
fn items<'r, 'v>(value: &'r Value<'v>) -> &'r [Value<'v>] {
    value.as_list().unwrap_or_default()
}

/// The content of lists that contain only one other list.
pub(crate) fn unwrapped<'r, 'v>(mut values: &'r [Value<'v>]) -> &'r [Value<'v>] {
    while let [Value::List(inner)] = values {
        values = inner;
    }
    values
}

/// Values after `key`, up to the end of its list or the next of the `known` keys. Lists of one are unwrapped. The
/// shallowest match is used, and the first among equals.
pub(crate) fn after<'r, 'v>(
    values: &'r [Value<'v>],
    key: &str,
    known: &[&str],
) -> Option<&'r [Value<'v>]> {
    let mut level: Vec<&'r [Value<'v>]> = vec![values];
    for _ in 0..MAX_KEY_DEPTH {
        for list in &level {
            let Some(at) = list.iter().position(|value| is_key(value, &[key])) else {
                continue;
            };
            let rest = list.get(at + 1..).unwrap_or_default();
            let end = rest.iter().position(|value| is_key(value, known));
            return Some(unwrapped(rest.get(..end.unwrap_or(rest.len()))?));
        }
        let inner = level.iter().flat_map(|list| list.iter().map(items));
        level = inner.filter(|list| !list.is_empty()).collect();
    }
    None
}

/// All numbers below some values, in order, at most `most`.
pub(crate) fn numbers(values: &[Value<'_>], most: usize) -> Vec<f32> {
    let mut found = Vec::new();
    let mut stack: Vec<&Value<'_>> = values.iter().rev().collect();
    while let Some(value) = stack.pop() {
        if found.len() >= most {
            break;
        }
        match value {
            Value::Int(number) => found.push(*number as f32),
            Value::Float(number) => found.push(number.0),
            Value::Text(_) => {}
            Value::List(list) => stack.extend(list.iter().rev()),
        }
    }
    found
}

/// All texts below some values, in order.
pub(crate) fn texts(values: &[Value<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let mut stack: Vec<&Value<'_>> = values.iter().rev().collect();
    while let Some(value) = stack.pop() {
        match value {
            Value::Text(text) => found.push(text.shown().into_owned()),
            Value::List(list) => stack.extend(list.iter().rev()),
            Value::Int(_) | Value::Float(_) => {}
        }
    }
    found
}

/// Values as JSON: a single one as itself, several as a list. Numbers that are not finite become null.
pub(crate) fn json(values: &[Value<'_>]) -> Json {
    fn copy(value: &Value<'_>, depth: usize) -> Json {
        match value {
            Value::Int(number) => Json::from(*number),
            Value::Float(value) => number(value.0),
            Value::Text(text) => Json::from(text.shown()),
            Value::List(_) if depth == 0 => Json::Null,
            Value::List(list) => list.iter().map(|value| copy(value, depth - 1)).collect(),
        }
    }
    match values {
        [one] => copy(one, MAX_COPY_DEPTH),
        all => all
            .iter()
            .map(|value| copy(value, MAX_COPY_DEPTH))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;

    #[test]
    fn keys_have_their_values_in_every_shape() {
        for source_text in [
            "(HEIGHT 2.5 SKINS (a b))",
            "(height (2.5) skins a b)",
            "(CHASSIS ((skins (a b)) (height 2.5)))",
            "((((Skins ((a b))))) (Height ((2.5))))",
        ] {
            let values = values(source_text);
            let known = ["height", "skins"];
            let height = after(&values, "height", &known).unwrap();
            assert_eq!(numbers(height, 9), [2.5], "{source_text}");
            let skins = after(&values, "SKINS", &known).unwrap();
            assert_eq!(texts(skins), ["a", "b"], "{source_text}");
            assert_eq!(after(&values, "hud", &known), None);
        }
    }

    #[test]
    fn readers_are_visited_by_name_or_all_of_them() {
        let reader = |path| Dependency {
            path,
            kind: Kind::TextReader,
            bytes: b"( SETS ( 1 ) )",
            digest: None,
            outputs: &[],
        };
        let files = ["zbd/Sounds.zrd", "zbd/ai.zrd", "startanims.ZRD"].map(reader);
        let mut named = Vec::new();
        visit_named(&files, &["ai", "startanims"], |reader| {
            named.push(reader.stem.clone());
        });
        assert_eq!(named, ["ai", "startanims"]);
        let mut all = Vec::new();
        visit(&files, |reader| all.push(reader.path.to_owned()));
        assert_eq!(all, files.map(|file| file.path));
    }

    #[test]
    fn the_shallowest_key_counts_and_the_last_may_have_no_value() {
        let values = values("((inner (hud 1)) hud 2 camera)");
        let hud = after(&values, "hud", &["camera"]).unwrap();
        assert_eq!(numbers(hud, 9), [2.0]);
        assert_eq!(after(&values, "camera", &[]), Some(&[][..]));
    }

    #[test]
    fn copies_are_finite_and_end() {
        let deep = (0..200).fold(Value::Int(1), |inner, _| Value::List(vec![inner]));
        assert!(json(&[deep]).to_string().contains("null"));
        let odd = Value::Float(relicast_codec::F32(f32::NAN));
        assert_eq!(json(&[odd]), Json::Null);
        assert_eq!(json(&values("1 (a)")).to_string(), r#"[1,["a"]]"#);
    }
}
