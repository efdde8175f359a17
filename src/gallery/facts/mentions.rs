//! References in JSON texts to other assets: the path of an output, or of a source with its member.

use std::collections::HashMap;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::known::Facts;
use crate::gallery::entry::Entry;
use crate::gallery::kinds::Viewer;
use crate::pipeline::report::manifest::InputNumber;
use relicast_formats::asset::{AssetKind, Game};

/// Index of assets by the paths used in documents.
#[derive(Debug)]
pub(in crate::gallery) struct Places<'c> {
    outputs: HashMap<&'c str, usize>,
    members: HashMap<String, usize>,
    /// Assets by lower-case stored name, with their sources: sounds and videos by full name, models and motions
    /// without extension.
    names: HashMap<(Install, String), Vec<(&'c str, usize)>>,
}

/// Scope of names: the same input and game.
type Install = (InputNumber, Option<Game>);

/// Minimum length of a name; shorter ones may be common words.
const SHORTEST: usize = 3;

/// Maximum length of a name.
const MAX_LENGTH: usize = 1024;

/// Length of the common prefix of two paths.
fn common_prefix_length(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(a, b)| a == b).count()
}

impl<'c> Places<'c> {
    /// Index of all assets.
    pub fn new(entries: &[Entry<'c>]) -> Self {
        let mut outputs = HashMap::new();
        let mut members = HashMap::new();
        let mut names: HashMap<(Install, String), Vec<(&str, usize)>> = HashMap::new();
        for (number, entry) in entries.iter().enumerate() {
            for (_, output) in &entry.outputs {
                outputs.entry(&*output.path).or_insert(number);
            }
            if entry.main().is_none() {
                continue;
            }
            let place = match entry.member {
                Some(member) => format!("{}/{member}", entry.source),
                None => entry.source.to_owned(),
            };
            members.entry(place).or_insert(number);
            let name = match entry.kind {
                AssetKind::Sounds | AssetKind::Video if entry.viewer != Viewer::Document => {
                    entry.name()
                }
                AssetKind::Models | AssetKind::Motions if entry.member.is_some() => entry.stem(),
                _ => continue,
            };
            let key = ((entry.input, entry.game), name.to_lowercase());
            names.entry(key).or_default().push((entry.source, number));
        }
        Self {
            outputs,
            members,
            names,
        }
    }

    /// Asset of an output.
    pub fn of_output(&self, path: &str) -> Option<usize> {
        self.outputs.get(path).copied()
    }

    /// Asset at a position in a source, in the form `source/member`.
    pub fn of_member(&self, place: &str) -> Option<usize> {
        self.members.get(place).copied()
    }

    /// Asset with this name in the same install; of several, the one with the nearest source.
    pub fn of_name(&self, entry: &Entry<'_>, name: &str) -> Option<usize> {
        let key = ((entry.input, entry.game), name.to_lowercase());
        let found = self.names.get(&key)?.iter();
        let near = |(source, number): &&(&str, usize)| {
            (
                common_prefix_length(source, entry.source),
                std::cmp::Reverse(*number),
            )
        };
        found.max_by_key(near).map(|(_, number)| *number)
    }

    /// Records the assets that the texts of a JSON document refer to.
    pub fn collect(&self, entry: &Entry<'_>, bytes: &[u8], facts: &mut Facts) {
        // Tables of archives list their members, which is not a reference.
        let has_names = matches!(
            entry.kind,
            AssetKind::Readers
                | AssetKind::Animations
                | AssetKind::Sounds
                | AssetKind::Other
                | AssetKind::Worlds
        );
        let mut take = |text: &str| {
            if !(SHORTEST..=MAX_LENGTH).contains(&text.len()) {
                return;
            }
            if has_names && let Some(number) = self.of_name(entry, text) {
                facts.mentions.insert(number);
                return;
            }
            // A path has a folder or an extension.
            if !text.contains(['/', '.']) {
                return;
            }
            if let Some(number) = self.of_output(text) {
                facts.mentions.insert(number);
                facts.links.insert(text.to_owned(), number);
            } else if let Some(number) = self.of_member(text) {
                facts.mentions.insert(number);
            }
        };
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        // References before a syntax error are still recorded.
        let _ = Texts(&mut take).deserialize(&mut reader);
    }
}

/// Visitor that passes on every text of a value.
struct Texts<'f, F>(&'f mut F);

impl<'de, F: FnMut(&str)> DeserializeSeed<'de> for Texts<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(&str)> Visitor<'de> for Texts<'_, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        (self.0)(text);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Texts(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<Ignored>()?.is_some() {
            map.next_value_seed(Texts(self.0))?;
        }
        Ok(())
    }
}

/// Key that is ignored.
struct Ignored;

impl<'de> Deserialize<'de> for Ignored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_met_and_keys_are_not() {
        let mut met = Vec::new();
        let json = r#"{"a.b": ["c.d", {"e": "f/g"}, 1, -2, 3.5, null, true]}"#;
        let mut take = |text: &str| met.push(text.to_owned());
        let mut reader = serde_json::Deserializer::from_str(json);
        Texts(&mut take).deserialize(&mut reader).unwrap();
        assert_eq!(met, ["c.d", "f/g"]);
    }
}
