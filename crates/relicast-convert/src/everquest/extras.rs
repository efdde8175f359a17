//! Extras of EverQuest's scenes.

use serde_json::{Map, Value};

use crate::shared::extras::below;
use relicast_scene::model::Extras;

/// Extras below the one key that all of them share; none stay none.
pub(super) fn extras(facts: Map<String, Value>) -> Extras {
    below("everquest", facts)
}
