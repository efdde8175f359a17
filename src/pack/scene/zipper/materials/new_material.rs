//! A material that a game file gets.

/// A material that the game file gets.
#[derive(Debug)]
pub(in crate::pack::scene) struct NewMaterial {
    /// Name of its texture.
    pub texture: String,
    /// Its picture, if no package has it yet.
    pub picture: Option<NewPicture>,
}

/// A picture that a texture package gets.
#[derive(Debug)]
pub(in crate::pack::scene) struct NewPicture {
    /// Path of the package below the install.
    pub package: String,
    pub png: Vec<u8>,
    /// Difference between the picture and the edit.
    pub rounding: Option<String>,
}
