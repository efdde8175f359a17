//! State of nodes: visibility, place, scale, rotation, opacity, parents, textures.
//!
//! ```
//! use relicast_formats::zipper::ZipperGame;
//! use relicast_formats::zipper::anim::event::{Event, EventBody};
//! use relicast_formats::zipper::anim::event::object::ObjectActiveState;
//!
//! let event = Event::new(EventBody::ObjectActiveState(ObjectActiveState::default()));
//! assert_eq!(event.body.name(), Some("OBJECT_ACTIVE_STATE"));
//! assert_eq!(event.length(ZipperGame::CrimsonSkies), 12 + 8);
//! ```

use crate::zipper::ZipperGame;
use crate::zipper::anim::values::{Bool16, Bool32, NodeIndex, ShortNodeIndex, is_default};
use relicast_codec::{F32, Vec3};

relicast_codec::record! {
    /// Type 6: shows or hides a node and its descendants.
    pub struct ObjectActiveState[8, 8, 8, 8] in ZipperGame {
        /// Shows when set.
        active: Bool32,
        /// The node.
        node: ShortNodeIndex,
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad: u16 [always 0],
    }
}

relicast_codec::record! {
    /// Type 7: moves a node at once.
    pub struct ObjectTranslateState[20, 20, 20, 20] in ZipperGame {
        /// Bit 0: adds to the current place.
        relative: Bool32,
        /// Place or offset, in the parent's space.
        translate: Vec3,
        /// The node.
        node: ShortNodeIndex,
        /// Node whose place in the world is the origin of `translate`.
        at_node: ShortNodeIndex,
    }
}

relicast_codec::record! {
    /// Type 8: scales a node at once.
    pub struct ObjectScaleState[16, 16, 16, 16] in ZipperGame {
        /// Scale along the node's axes.
        scale: Vec3,
        /// The node.
        node: NodeIndex,
    }
}

relicast_codec::open_enum! {
    /// Reference of a rotation.
    pub enum RotationBasis: u32 {
        /// The parent.
        Absolute = 0,
        /// The current rotation.
        Relative = 1,
        /// The angles of another node.
        AtNodeAngles = 2,
        /// The angles of another node's place in the world.
        AtNodeMatrix = 4,
    }
}

relicast_codec::record! {
    /// Type 9: rotates a node at once.
    pub struct ObjectRotateState[20, 20, 20, 20] in ZipperGame {
        /// Reference of the rotation.
        basis: RotationBasis,
        /// Angles about x, y, z in radians; about z first, then x, then y.
        rotate: Vec3,
        /// The node.
        node: ShortNodeIndex,
        /// The other node.
        at_node: ShortNodeIndex,
    }
}

relicast_codec::record! {
    /// Type 13: sets the opacity of a node and its descendants.
    pub struct ObjectOpacityState[12, 12, 12, 12] in ZipperGame {
        /// The opacity applies; otherwise the node is opaque.
        enable: Bool16,
        /// `opacity` is used; otherwise only the switch changes.
        has_opacity: Bool16,
        /// 0 to 1.
        opacity: F32,
        /// The node.
        node: ShortNodeIndex,
        /// Padding.
        #[serde(skip_serializing_if = "is_default")]
        pad: u16 [always 0],
    }
}

relicast_codec::record! {
    /// Type 14: changes the opacity of a node over time.
    pub struct ObjectOpacityFromTo[24, 24, 24, 24] in ZipperGame {
        /// The node.
        node: NodeIndex,
        /// 1 if the opacity applies at the start, 0 if not; -1 leaves it.
        state_from: i16,
        /// 1 if the opacity applies at the end, 0 if not; -1 leaves it.
        state_to: i16,
        /// 0 to 1, at the start.
        opacity_from: F32,
        /// 0 to 1, at the end.
        opacity_to: F32,
        /// Change per second.
        opacity_delta: F32,
        /// Seconds.
        run_time: F32,
    }
}

relicast_codec::record! {
    /// Type 15: makes a node the child of another one and preserves its local transform.
    pub struct ObjectAddChild[4, 4, 4, 4] in ZipperGame {
        /// The parent.
        parent: ShortNodeIndex,
        /// The child.
        child: ShortNodeIndex,
    }
}

relicast_codec::record! {
    /// Type 16: removes a child from its parent.
    pub struct ObjectDeleteChild[4, 4, 4, 4] in ZipperGame {
        /// The parent.
        parent: ShortNodeIndex,
        /// The child.
        child: ShortNodeIndex,
    }
}

relicast_codec::record! {
    /// Type 17: jumps to a frame of the node's texture cycle.
    pub struct ObjectCycleTexture[8, 8, 8, 8] in ZipperGame {
        /// Bit 0: restarts the cycle there.
        reset: Bool32,
        /// The node.
        node: ShortNodeIndex,
        /// The frame.
        frame: u16,
    }
}
