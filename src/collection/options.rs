//! Options for indexing a collection.

/// Options for indexing a collection.
#[derive(Debug, Clone)]
pub struct Options {
    /// Name of the collection.
    pub name: String,
    /// Path of the page of a disc's gallery. A path with `{name}` is taken as it is, with the name of the disc's folder
    /// in place of `{name}`; any other path is relative to the folder of the disc.
    pub gallery: String,
    /// Path of the result of `prove --json`, in the same notation; by default next to the folder.
    pub proofs: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: "Collection".to_owned(),
            gallery: "gallery/index.html".to_owned(),
            proofs: None,
        }
    }
}
