//! Materials by the way in which polygons use them.

use super::variants::VariantIndex;

/// Index of a material of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct MaterialIndex(pub usize);

/// A material with the properties of the polygons that use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MaterialKey {
    /// The material; `None` if it does not exist.
    pub material: Option<MaterialIndex>,
    /// The polygons have texture coordinates.
    pub textured: bool,
    pub double_sided: bool,
    pub unlit: bool,
    /// Bits of the opacity.
    pub opacity: u32,
    /// All texture coordinates lie between 0 and 1.
    pub inside: bool,
    /// Bits of the speeds of the texture along u and v.
    pub scroll: Option<[u32; 2]>,
    /// Lies over another surface.
    pub overlay: bool,
    /// The material variant; `None` for the default.
    pub variant: Option<VariantIndex>,
}
