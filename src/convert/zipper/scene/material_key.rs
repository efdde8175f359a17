//! Materials by the way in which polygons use them.

/// A material with the properties of the polygons that use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MaterialKey {
    /// Index of the material; `None` if it does not exist.
    pub material: Option<usize>,
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
    /// Index of the material variant; `None` for models without variants.
    pub look: Option<usize>,
}
