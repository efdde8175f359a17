//! Reasons why a scene cannot be written, with the element at fault.

use std::fmt;

/// An element of a scene: its kind, and its index in the scene's list of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part(pub &'static str, pub usize);

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// Reason why a scene cannot be written as glTF.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// A reference is invalid.
    #[error("{holder} refers to {target}, which does not exist")]
    Missing {
        /// The element with the reference.
        holder: Part,
        /// The referenced element.
        target: Part,
    },
    /// A value is NaN or infinite.
    #[error("{field} of {part} is not finite")]
    NotFinite {
        /// The element.
        part: Part,
        /// Name of the value.
        field: &'static str,
    },
    /// A value is outside the range of glTF.
    #[error("{field} of {part} is out of range: {rule}")]
    OutOfRange {
        /// The element.
        part: Part,
        /// Name of the value.
        field: &'static str,
        /// Rule of glTF.
        rule: &'static str,
    },
    /// A list that must be as long as another is not.
    #[error("{field} of {part} must have {expected} values but has {found}")]
    Length {
        /// The element.
        part: Part,
        /// Name of the value.
        field: &'static str,
        /// Expected length.
        expected: usize,
        /// Length found.
        found: usize,
    },
    /// A node is reached more than once.
    #[error("{0} has more than one parent, or is its own ancestor")]
    SeveralParents(Part),
    /// A node is never reached.
    #[error("{0} cannot be reached from a root")]
    Unreached(Part),
    /// A node with a skin is moved, which has no effect in glTF.
    #[error("{0} has a skin, so it must be a root without transform")]
    SkinnedPlace(Part),
    /// The joints of a skin have no common ancestor, or it is not the skin's skeleton.
    #[error("the joints of {0} have no common root, or are not below its skeleton")]
    Joints(Part),
    /// A material has a texture whose texture coordinate set is missing.
    #[error(
        "too few sets of texture coordinates in {part}: {material} needs {needed}, found {found}"
    )]
    MissingUvs {
        /// The element with the geometry.
        part: Part,
        /// The material with the texture.
        material: Part,
        /// Number of sets needed.
        needed: usize,
        /// Number of sets found.
        found: usize,
    },
    /// A clip has two channels for one property of a node, or a primitive has two materials in one variant.
    #[error("{holder} has two entries for {target}")]
    Twice {
        /// The clip or mesh.
        holder: Part,
        /// The node or variant.
        target: Part,
    },
    /// A picture is missing, or not PNG.
    #[error("no PNG picture {0:?}")]
    Picture(String),
    /// The file would be longer than the format allows.
    #[error("the buffer is too large for glTF")]
    TooLarge,
    /// JSON cannot be written.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
}
