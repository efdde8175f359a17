//! Keyframes.

use gltf_json as json;
use json::{Accessor, Index};

use super::binary::Binary;
use super::error::{GltfError, Part};

/// Writes key times.
pub(super) fn times(
    times: &[f32],
    binary: &mut Binary,
    part: Part,
) -> Result<Index<Accessor>, GltfError> {
    let starts = times.first().is_some_and(|first| *first >= 0.0);
    if !starts || !times.windows(2).all(|pair| pair[0] < pair[1]) {
        let rule = "must increase strictly from 0 or more";
        return Err(GltfError::OutOfRange {
            part,
            field: "key times",
            rule,
        });
    }
    binary.times(times, (part, "key times"))
}
