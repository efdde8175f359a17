//! Names that programs shorten or number.

use crate::pack::scene::compare::matching::plain_name;

/// Longest beginning of a name that Blender keeps when it makes it unique, in bytes.
pub(super) const SHORT: usize = 58;

/// The part of a name that programs keep.
pub(super) fn short(name: &str) -> &str {
    let name = plain_name(name);
    let mut end = name.len().min(SHORT);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}
