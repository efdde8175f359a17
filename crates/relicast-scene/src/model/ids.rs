//! Indices into the lists of a [`Scene`](super::Scene).
//!
//! ```
//! use relicast_scene::model::{Node, NodeId, Scene};
//!
//! let mut scene = Scene::default();
//! let first: NodeId = scene.add_node(Node::default());
//! assert_eq!(first.index(), 0);
//! ```

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a position in its list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Lists are far shorter than 2³²; a longer one ends in an index that no list has.
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    )*};
}

ids! {
    /// A node of [`Scene::nodes`](super::Scene::nodes).
    NodeId
    /// A mesh of [`Scene::meshes`](super::Scene::meshes).
    MeshId
    /// A skin of [`Scene::skins`](super::Scene::skins).
    SkinId
    /// A material of [`Scene::materials`](super::Scene::materials).
    MaterialId
    /// A texture of [`Scene::textures`](super::Scene::textures).
    TextureId
    /// A light of [`Scene::lights`](super::Scene::lights).
    LightId
    /// A camera of [`Scene::cameras`](super::Scene::cameras).
    CameraId
    /// A material variant of [`Scene::variants`](super::Scene::variants).
    VariantId
}
