//! The reference from one fragment to another, and bodies that hold little more than one.

use serde::Serialize;

use relicast_codec::FixedSize;

/// The number of a fragment, counted from 1; 0 refers to nothing, and so do negative numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FragmentRef(pub i32);

impl FragmentRef {
    /// The reference to the fragment at `index` of the list; `None` when the number is too large.
    pub fn to(index: usize) -> Option<Self> {
        let number = index.checked_add(1)?;
        i32::try_from(number).ok().map(Self)
    }

    /// Index in the list of fragments; `None` when it refers to nothing.
    pub fn index(self) -> Option<usize> {
        usize::try_from(self.0).ok()?.checked_sub(1)
    }
}

impl FixedSize for FragmentRef {
    const SIZE: usize = i32::SIZE;
    #[inline]
    fn load(bytes: &[u8]) -> Option<Self> {
        i32::load(bytes).map(Self)
    }
    #[inline]
    fn store(self, out: &mut Vec<u8>) {
        self.0.store(out);
    }
}

relicast_codec::record! {
    /// A color in the games' byte order, display-referred.
    pub struct Bgra[4]: FixedSize + InPlace {
        /// Blue.
        blue: u8,
        /// Green.
        green: u8,
        /// Red.
        red: u8,
        /// Alpha, or another value in its place.
        alpha: u8,
    }
}

relicast_codec::record! {
    /// An instance that adds nothing to its definition, 8 bytes.
    pub struct Instance[8] {
        /// Offset 0: the definition.
        definition: FragmentRef,
        /// Offset 4: 0, but 0x50 on textures of zones; meaning unknown.
        flags: u32,
    }
}
