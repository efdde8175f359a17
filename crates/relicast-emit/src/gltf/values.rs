//! Values that all elements of a file have.

use gltf_json as json;
use json::Index;

use super::error::GltfError;
use relicast_scene::model::Extras;

/// Extras in glTF's form; absent if empty.
pub(super) fn raw_extras(extras: &Extras) -> Result<json::Extras, GltfError> {
    if extras.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::value::to_raw_value(extras)?))
}

/// A typed index. Lists are far shorter than 2³².
pub(super) fn index<T>(position: usize) -> Index<T> {
    Index::new(u32::try_from(position).unwrap_or(u32::MAX))
}
