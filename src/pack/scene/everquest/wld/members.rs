//! The scene files in an archive, decoded.

use crate::pack::edited::Refusal;
use relicast_formats::everquest::pfs::{self, Archive};
use relicast_formats::everquest::wld::{self, Wld};

/// A scene file.
#[derive(Debug)]
pub(in crate::pack::scene) struct Member {
    /// Its name in the archive.
    pub name: String,
    /// Its place in the archive.
    entry: usize,
    /// Its bytes as they were.
    content: Vec<u8>,
    /// What it says.
    pub wld: Wld<'static>,
}

/// An archive with its scene files.
#[derive(Debug)]
pub(in crate::pack::scene) struct Members<'a> {
    archive: Archive<'a>,
    /// The scene files, in the order of the archive.
    pub files: Vec<Member>,
}

impl<'a> Members<'a> {
    /// Opens an archive.
    ///
    /// # Errors
    /// It cannot be read, or not be written again.
    pub(in crate::pack::scene) fn open(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let archive = pfs::decode(bytes).map_err(Refusal::new)?.value;
        if archive.scattered.is_some() {
            refuse!("the members of its archive do not lie back to back");
        }
        let mut files = Vec::new();
        for (place, entry) in archive.entries.iter().enumerate() {
            let name = entry.label();
            if !name.to_ascii_lowercase().ends_with(".wld") {
                continue;
            }
            let content = entry.extract().map_err(Refusal::new)?.value;
            let decoded = wld::decode(&content).map(|decoded| decoded.value.into_owned());
            // What is no scene file is the source of no scene.
            if let Ok(wld) = decoded {
                files.push(Member {
                    name,
                    entry: place,
                    content,
                    wld,
                });
            }
        }
        Ok(Self { archive, files })
    }

    /// The place of a scene file by its name.
    ///
    /// # Errors
    /// The archive has no such file.
    pub(in crate::pack::scene) fn find(&self, name: &str) -> Result<usize, Refusal> {
        let mut files = self.files.iter();
        let found = files.position(|file| file.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            refusal!("the archive has no {name}; edit the scene of the archive that has it")
        })
    }

    /// Whether the scene files are those of another archive, byte by byte.
    pub(in crate::pack::scene) fn has_files_of(&self, other: &Members<'_>) -> bool {
        let one = self.files.iter().map(|file| (&file.name, &file.content));
        one.eq(other.files.iter().map(|file| (&file.name, &file.content)))
    }

    /// The archive with the scene files as they are now.
    ///
    /// # Errors
    /// The format cannot hold them.
    pub(in crate::pack::scene) fn encode(&mut self) -> Result<Vec<u8>, Refusal> {
        for file in &mut self.files {
            let bytes =
                wld::encode(&file.wld).map_err(|error| refusal!("{}: {error}", file.name))?;
            if bytes == file.content {
                continue;
            }
            if let Some(entry) = self.archive.entries.get_mut(file.entry) {
                entry.replace(&bytes).map_err(Refusal::new)?;
            }
        }
        pfs::encode(&self.archive).map_err(Refusal::new)
    }
}
