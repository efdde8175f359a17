//! How a collection is indexed.

/// How a collection is indexed.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the collection is called.
    pub name: String,
    /// Where the page of a disc's gallery lies: with `{name}`, which stands for the name of the disc's folder, a path
    /// as any other; without, a path in the folder of the disc.
    pub gallery: String,
    /// Where the result of `prove --json` lies, said in the same way; beside the folder when nothing is said.
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
