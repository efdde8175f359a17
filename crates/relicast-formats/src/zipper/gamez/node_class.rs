//! The classes of nodes.

relicast_codec::open_enum! {
    /// Class of a node. Others (sequence, animate, sound, switch) are never stored.
    pub enum NodeClass: u32 {
        /// A freed slot that still has its name (Recoil, MechWarrior 3).
        Empty = 0,
        /// A camera.
        Camera = 1,
        /// The world.
        World = 2,
        /// A window of the screen.
        Window = 3,
        /// The screen.
        Display = 4,
        /// An object with a transform and perhaps a model.
        Object3d = 5,
        /// A level of detail.
        Lod = 6,
        /// A light.
        Light = 9,
    }
}
