//! Extras of scenes, below one key for each family of games.

use serde_json::{Map, Value};

use relicast_scene::model::Extras;

/// Extras below `key`; none stay none.
pub(crate) fn below(key: &str, facts: Map<String, Value>) -> Extras {
    let mut extras = Extras::new();
    if !facts.is_empty() {
        extras.insert(key.to_owned(), Value::Object(facts));
    }
    extras
}
