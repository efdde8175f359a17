//! Corner of a polygon that a vertex of a mesh comes from.

/// A corner of a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CornerSource {
    /// Index of the polygon in [`Model::polygons`](relicast_formats::zipper::gamez::Model::polygons).
    pub polygon: usize,
    /// Index of the material in the polygon whose texture coordinates the corner has.
    pub layer: usize,
    /// Index of the corner in the polygon.
    pub corner: usize,
}
