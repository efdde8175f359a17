//! Extras of glTF files, as types: all keys that outputs have below `extras.zipper`, `extras.everquest` and
//! `extras.relicast`.
//!
//! Converters fill these types; [`read`] parses them from outputs. All values are optional: an unknown fact is not
//! written. Maps of [`serde_json::Value`] hold data with the keys of a game's files.
//!
//! ```
//! use relicast_scene::extras::{ObjectExtras, read, zipper};
//!
//! let node = zipper::Node { index: Some(3), ..zipper::Node::default() };
//! let extras = node.extras();
//! assert_eq!(serde_json::to_string(&extras)?, r#"{"zipper":{"index":3}}"#);
//! assert_eq!(read::<zipper::Node>(&extras["zipper"]), node);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod declare;
pub mod everquest;
mod float;
mod key_style;
mod merged;
mod tool;
pub mod zipper;

pub use float::{Float, Float3, floats};
pub use key_style::{camel_case, camel_case_keys, camel_case_within};
pub use merged::{ClipExtras, MaterialExtras, NodeExtras, PrimitiveExtras, SceneExtras};
pub use tool::{Asset, Instance, InstancedNode, MappedVariants, ToolFacts, VariantMapping};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::model::Extras;

/// Objects with the keys of a game's file or of relicast, as stored.
pub type Stored = Map<String, Value>;

/// Extras of one object of a glTF file, below one key.
pub trait ObjectExtras: Serialize {
    /// The key: `zipper`, `everquest` or `relicast`.
    const FAMILY: &'static str;

    /// Converts the values to a map, in the order of their declaration.
    fn to_map(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// Adds the values to a map, replacing existing ones.
    fn put(&self, map: &mut Map<String, Value>) {
        map.extend(self.to_map());
    }

    /// Creates extras with the values; empty without any.
    fn extras(&self) -> Extras {
        below(Self::FAMILY, self.to_map())
    }

    /// Adds the values to extras.
    fn put_below(&self, extras: &mut Extras) {
        let facts = self.to_map();
        if facts.is_empty() {
            return;
        }
        let known = extras
            .entry(Self::FAMILY)
            .or_insert_with(|| Map::new().into());
        if let Value::Object(known) = known {
            known.extend(facts);
        }
    }
}

/// Creates extras with `facts` below a key; empty without facts.
pub fn below(key: &str, facts: Map<String, Value>) -> Extras {
    let mut extras = Extras::new();
    if !facts.is_empty() {
        extras.insert(key.to_owned(), Value::Object(facts));
    }
    extras
}

/// Parses extras. Edited and damaged files are read as far as possible: only a value of a wrong type is left out.
pub fn read<T: DeserializeOwned + Default>(facts: &Value) -> T {
    let Value::Object(all) = facts else {
        return T::default();
    };
    if let Ok(read) = T::deserialize(facts) {
        return read;
    }
    let is_valid = |key: &str, value: &Value| {
        let alone = Map::from_iter([(key.to_owned(), value.clone())]);
        T::deserialize(Value::Object(alone)).is_ok()
    };
    let valid = all.iter().filter(|(key, value)| is_valid(key, value));
    let valid = valid.map(|(key, value)| (key.clone(), value.clone()));
    T::deserialize(Value::Object(valid.collect())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_of_another_type_is_left_out_and_the_rest_is_read() {
        let stored = json!({"index": 3, "hidden": "maybe", "lod": {"near": 1.5, "far": "away"}, "mine": [1]});
        let read: zipper::Node = read(&stored);
        assert_eq!(
            read,
            zipper::Node {
                index: Some(3),
                ..zipper::Node::default()
            }
        );
        assert_eq!(
            super::read::<zipper::Node>(&json!([])),
            zipper::Node::default()
        );
    }

    #[test]
    fn floats_keep_the_digits_of_single_precision() {
        let node = zipper::Node {
            opacity: Some(Float(0.1)),
            ..zipper::Node::default()
        };
        assert_eq!(serde_json::to_string(&node).unwrap(), r#"{"opacity":0.1}"#);
        let odd = zipper::Node {
            opacity: Some(Float(f32::NAN)),
            ..zipper::Node::default()
        };
        assert_eq!(serde_json::to_string(&odd).unwrap(), r#"{"opacity":null}"#);
    }
}
