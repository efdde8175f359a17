//! Files of all inputs, in an order that depends only on their names.
//!
//! ```
//! use relicast_source::tree::Tree;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("detail.zrd"), "( DETAIL 3 )")?;
//! let tree = Tree::list(&[folder.path().to_owned()], None)?;
//! assert_eq!(tree.files[0].name(), "detail.zrd");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::WalkDir;

use super::bytes::special;
use super::disc::{Disc, DiscKind, looks_like_image};
use super::links::Links;
use super::location::Location;
use super::names::fold;
use super::own_output::is_output_folder;
use super::packed;
use super::source_file::modified;
use super::stamp::Stamps;

pub use super::packed::Packed;
pub use super::source_file::SourceFile;

/// Folder in an install for the original game files that `relicast pack --in-place` changed; nothing in it is a source.
pub const ORIGINALS_FOLDER: &str = ".relicast-originals";

/// Folder beside packed game files for the edited outputs that `relicast pack` made them from; nothing in it is a source.
pub const EDITS_FOLDER: &str = ".relicast-edits";

/// List of the packed game files in a folder; copied into an install with them, it is no source.
pub const PACK_LIST: &str = "relicast-pack.json";

/// Index of a file in [`Tree::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIndex(pub usize);

/// A folder or file that could not be listed.
#[derive(Debug)]
pub struct ListingFault {
    /// Path of the file or folder.
    pub location: PathBuf,
    /// Error.
    pub error: io::Error,
}

/// Inputs that are opened to list the files within.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// Disc images.
    pub discs: bool,
    /// Cabinets and archives.
    pub cabinets: Packed,
    /// Follow links that leave the input.
    pub links: bool,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            discs: true,
            cabinets: Packed::Opened,
            links: false,
        }
    }
}

/// All files of all inputs, sorted by folded path.
#[derive(Debug, Default)]
pub struct Tree {
    /// The files.
    pub files: Vec<SourceFile>,
    /// Files and folders that could not be listed.
    pub faults: Vec<ListingFault>,
    /// Output folders of this program below the inputs, whose files are not listed.
    pub output_folders: Vec<PathBuf>,
    /// Size and times of the files on disk, from before anything of them was read.
    pub stamps: Stamps,
}

/// Selection of files: globs over folded paths.
#[derive(Debug, Clone)]
pub struct Selection {
    include: Option<GlobSet>,
    only: Option<GlobSet>,
    exclude: GlobSet,
    prefixes: Vec<String>,
}

impl Selection {
    /// Creates a selection from globs; empty `include` and `only` take everything. A file must match one of
    /// `include`, one of `only` and none of `exclude`.
    ///
    /// # Errors
    /// A glob is malformed.
    pub fn new(
        include: &[String],
        only: &[String],
        exclude: &[String],
    ) -> Result<Self, globset::Error> {
        let optional = |globs: &[String]| match globs {
            [] => Ok(None),
            globs => glob_set(globs).map(Some),
        };
        Ok(Self {
            include: optional(include)?,
            only: optional(only)?,
            exclude: glob_set(exclude)?,
            prefixes: Vec::new(),
        })
    }

    /// Sets the prefixes of the files' paths: globs match paths with and without them.
    pub fn below(mut self, prefixes: Vec<String>) -> Self {
        self.prefixes = prefixes;
        self.prefixes.retain(|prefix| !prefix.is_empty());
        self
    }

    /// True if the file at `path` is taken; `path` uses forward slashes.
    pub fn takes(&self, path: &str) -> bool {
        self.matches(self.only.as_ref(), path) && self.allows(path)
    }

    /// True if the file at `path` may be taken when something else needs it: as [`takes`](Self::takes)
    /// without the globs of `only`.
    pub fn allows(&self, path: &str) -> bool {
        self.matches(self.include.as_ref(), path) && !self.excludes(path)
    }

    /// True if the user excludes the file at `path`.
    pub fn excludes(&self, path: &str) -> bool {
        self.is_match(&self.exclude, path)
    }

    fn matches(&self, set: Option<&GlobSet>, path: &str) -> bool {
        set.is_none_or(|set| self.is_match(set, path))
    }

    fn is_match(&self, set: &GlobSet, path: &str) -> bool {
        set.is_match(path)
            || self.prefixes.iter().any(|prefix| {
                path.strip_prefix(prefix.as_str())
                    .is_some_and(|path| set.is_match(path))
            })
    }
}

fn glob_set(globs: &[String]) -> Result<GlobSet, globset::Error> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        builder.add(
            GlobBuilder::new(&glob.replace('\\', "/"))
                .case_insensitive(true)
                .literal_separator(true)
                .build()?,
        );
        if !glob.contains(['/', '\\']) {
            builder.add(
                GlobBuilder::new(&format!("**/{glob}"))
                    .case_insensitive(true)
                    .literal_separator(true)
                    .build()?,
            );
        }
    }
    builder.build()
}

impl Tree {
    /// Lists every file of `inputs`, folders recursively, and the files in disc images. `skip` is the output
    /// folder: outputs of an earlier run are no inputs, even inside an input.
    ///
    /// # Errors
    /// An input does not exist.
    pub fn list(inputs: &[PathBuf], skip: Option<&Path>) -> io::Result<Self> {
        Self::list_with(inputs, &prefixes(inputs), skip, Opening::default())
    }

    /// Like [`list`](Self::list), with the given prefixes before the paths of each input; disc images and
    /// cabinets are opened or handled like any other file.
    ///
    /// # Errors
    /// An input does not exist.
    pub fn list_with(
        inputs: &[PathBuf],
        prefixes: &[String],
        skip: Option<&Path>,
        opening: Opening,
    ) -> io::Result<Self> {
        let (mut tree, direct) = Self::list_plain(inputs, prefixes, skip, opening.links)?;
        if opening.discs {
            tree.expand_discs(&direct);
        }
        if opening.cabinets != Packed::Closed {
            packed::expand(&mut tree.files, &direct, opening.cabinets);
        }
        tree.sort();
        Ok(tree)
    }

    fn sort(&mut self) {
        self.files
            .sort_by_cached_key(|file| (file.folded(), file.path.clone()));
    }

    /// The files on disk, with the path prefix of each file that is an input itself.
    fn list_plain(
        inputs: &[PathBuf],
        prefixes: &[String],
        skip: Option<&Path>,
        follow_links: bool,
    ) -> io::Result<(Self, HashMap<usize, String>)> {
        let skip = skip.and_then(|path| path.canonicalize().ok());
        let mut tree = Self::default();
        let mut direct = HashMap::new();
        let mut links = Links::new(inputs, follow_links);
        for (input, prefix) in inputs.iter().zip(prefixes) {
            let metadata = input.metadata().map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", input.display()))
            })?;
            if metadata.is_dir() {
                tree.walk(input, prefix, skip.as_deref(), &mut links);
            } else {
                let name = input.file_name().unwrap_or_default().to_string_lossy();
                tree.stamps.note(input, &metadata);
                tree.files.push(SourceFile {
                    path: format!("{prefix}{name}"),
                    size: metadata.len(),
                    modified: modified(&metadata),
                    location: location(input.clone(), metadata.file_type()),
                    damage: None,
                });
                direct.insert(tree.files.len() - 1, prefix.clone());
            }
        }
        Ok((tree, direct))
    }

    /// Opens every disc image and adds its files: next to the image when that is an input itself,
    /// otherwise in a folder of its name. Sheets come first, so that the files that they name are not taken
    /// for images.
    fn expand_discs(&mut self, direct: &HashMap<usize, String>) {
        let mut images: Vec<(bool, usize, DiscKind)> = Vec::new();
        let mut places: HashMap<PathBuf, usize> = HashMap::new();
        for (index, file) in self.files.iter().enumerate() {
            if let Location::File(path) = &file.location {
                places.insert(path.clone(), index);
                if let Some(kind) = looks_like_image(path) {
                    images.push((kind != DiscKind::Cue, index, kind));
                }
            }
        }
        images.sort_unstable_by_key(|(without_sheet, index, _)| (*without_sheet, *index));
        for (_, index, kind) in images {
            let Some(file) = self.files.get(index) else {
                continue;
            };
            let (Location::File(path), own) = (&file.location, file.path.clone()) else {
                continue;
            };
            // An image that cannot be opened stays a file, and is reported when it is read.
            let Ok(disc) = Disc::open(path, kind) else {
                continue;
            };
            let disc = Arc::new(disc);
            let base = direct.get(&index).cloned().unwrap_or_else(|| {
                let stem = own.rsplit_once('.').map_or(&*own, |(stem, _)| stem);
                format!("{stem}/")
            });
            if kind == DiscKind::Cue {
                self.mark_parts(&disc, &own, &mut places);
            }
            self.add_disc(index, &disc, &base);
        }
    }

    /// Marks the files of an image as parts of it; adds those that are not listed yet.
    fn mark_parts(&mut self, disc: &Disc, own: &str, places: &mut HashMap<PathBuf, usize>) {
        let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
        for image in &**disc.files {
            let Some(path) = image.path.as_ref().filter(|_| !image.is_packed) else {
                continue;
            };
            // A lossy file is copied as a file of its own.
            let part = match image.lossy {
                None => Location::ImagePart(path.clone(), own.to_owned()),
                Some(_) => Location::File(path.clone()),
            };
            let listed = places
                .get(path)
                .and_then(|&index| self.files.get_mut(index));
            if let Some(listed) = listed {
                if matches!(listed.location, Location::File(_)) {
                    listed.location = part;
                }
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let separator = if folder.is_empty() { "" } else { "/" };
            places.insert(path.clone(), self.files.len());
            self.files.push(SourceFile {
                path: format!("{folder}{separator}{name}"),
                size: image.size,
                modified: path.metadata().as_ref().map_or(0, modified),
                location: part,
                damage: None,
            });
        }
    }

    fn add_disc(&mut self, index: usize, disc: &Arc<Disc>, base: &str) {
        if let Some(file) = self.files.get_mut(index) {
            file.location = Location::Disc(Arc::clone(disc));
        }
        for (number, path, entry) in disc.entries() {
            self.files.push(SourceFile {
                path: format!("{base}{path}"),
                // The size of an unreadable file is meaningless.
                size: entry.problem.as_ref().map_or(entry.size, |_| 0),
                modified: disc.modified,
                location: Location::DiscFile(Arc::clone(disc), number),
                damage: None,
            });
        }
        for volume in disc
            .sessions
            .iter()
            .filter_map(|session| session.volume.as_ref().ok())
        {
            self.faults
                .extend(volume.faults.iter().map(|fault| ListingFault {
                    location: PathBuf::from(format!("{base}{}", fault.path)),
                    error: io::Error::other(fault.problem.clone()),
                }));
        }
    }

    fn walk(&mut self, root: &Path, prefix: &str, skip: Option<&Path>, links: &mut Links) {
        let mut walk = WalkDir::new(root)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter();
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.faults.push(ListingFault {
                        location: error.path().unwrap_or(root).to_owned(),
                        error: error.into(),
                    });
                    continue;
                }
            };
            let is_folder = entry.file_type().is_dir();
            let of_pack = [ORIGINALS_FOLDER, EDITS_FOLDER, PACK_LIST];
            let is_of_pack =
                entry.depth() > 0 && of_pack.iter().any(|name| entry.file_name() == *name);
            let is_output = is_folder && self.is_output(&entry, skip);
            if is_of_pack || is_output {
                if is_folder {
                    walk.skip_current_dir();
                }
                continue;
            }
            // Pipes and devices are not read anywhere.
            let has_bytes = is_folder || entry.file_type().is_file();
            let refused = match has_bytes && entry.depth() > 0 && entry.path_is_symlink() {
                true => links.refuse(entry.path(), is_folder),
                false => None,
            };
            if is_folder {
                match refused {
                    // Its content comes next.
                    None => continue,
                    Some(_) => walk.skip_current_dir(),
                }
            }
            self.add_entry(&entry, root, prefix, refused);
        }
    }

    /// True if a folder is the output folder `skip`, or another one, which is recorded.
    fn is_output(&mut self, entry: &walkdir::DirEntry, skip: Option<&Path>) -> bool {
        let own =
            skip.is_some_and(|skip| entry.path().canonicalize().ok().as_deref() == Some(skip));
        let other = !own && entry.depth() > 0 && is_output_folder(entry.path());
        if other {
            self.output_folders.push(entry.path().to_owned());
        }
        own || other
    }

    /// Adds a file on disk, or a link that is not followed.
    fn add_entry(
        &mut self,
        entry: &walkdir::DirEntry,
        root: &Path,
        prefix: &str,
        refused: Option<&'static str>,
    ) {
        let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let parts: Vec<_> = relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let path = entry.path().to_owned();
        let metadata = entry.metadata().ok().filter(|_| refused.is_none());
        if let Some(metadata) = &metadata {
            self.stamps.note(entry.path(), metadata);
        }
        self.files.push(SourceFile {
            path: format!("{prefix}{}", parts.join("/")),
            size: metadata.as_ref().map_or(0, std::fs::Metadata::len),
            modified: metadata.as_ref().map_or(0, modified),
            location: match refused {
                Some(why) => Location::Special(path, why),
                None => location(path, entry.file_type()),
            },
            damage: None,
        });
    }

    /// The file at `index`.
    pub fn file(&self, index: FileIndex) -> Option<&SourceFile> {
        self.files.get(index.0)
    }
}

/// Location of the entry at `path` of this type.
fn location(path: PathBuf, kind: FileType) -> Location {
    match special(kind) {
        None => Location::File(path),
        Some(what) => Location::Special(path, what),
    }
}

/// Prefixes of the paths of each input: nothing for a single one, otherwise its own name, made unique by a
/// number.
fn prefixes(inputs: &[PathBuf]) -> Vec<String> {
    if inputs.len() < 2 {
        return vec![String::new(); inputs.len()];
    }
    let mut taken = HashSet::new();
    inputs
        .iter()
        .map(|input| prefix_of(input, &mut taken))
        .collect()
}

/// Returns a prefix for the paths of `input`: its own name, made unique by a number among the folded prefixes
/// in `taken`, and adds it to them.
pub fn prefix_of(input: &Path, taken: &mut HashSet<String>) -> String {
    let full = input.canonicalize().unwrap_or_else(|_| input.to_owned());
    let stem = full.file_stem().unwrap_or_default().to_string_lossy();
    let base = if stem.is_empty() {
        "input".into()
    } else {
        stem
    };
    let mut prefix = format!("{base}/");
    let mut number = 1_u32;
    while !taken.insert(fold(&prefix)) {
        number = number.saturating_add(1);
        prefix = format!("{base}-{number}/");
    }
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_ignore_case_and_match_names_anywhere() {
        let select = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(ToString::to_string).collect();
            Selection::new(&[], &only, &[]).unwrap()
        };
        assert!(select(&["*.zbd"]).takes("ZBD/C1/texture.ZBD"));
        assert!(select(&["zbd/c1/**"]).takes("ZBD/C1/texture.zbd"));
        assert!(!select(&["zbd/*"]).takes("ZBD/C1/texture.zbd"));
        assert!(select(&["zbd\\c1\\*"]).takes("zbd/c1/gamez.zbd"));
        assert!(!select(&["*.dll"]).takes("zbd/interp.zbd"));
    }

    #[test]
    fn what_pack_wrote_beside_game_files_is_no_source_at_any_depth() {
        let root = tempfile::tempdir().unwrap();
        for install in ["", "recoil", "games/recoil"] {
            for folder in ["", ORIGINALS_FOLDER, EDITS_FOLDER] {
                let folder = root.path().join(install).join(folder);
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join("detail.zrd"), "( DETAIL 3 )").unwrap();
            }
            std::fs::write(root.path().join(install).join(PACK_LIST), "{}").unwrap();
        }
        let tree = Tree::list(&[root.path().to_owned()], None).unwrap();
        let paths: Vec<&str> = tree.files.iter().map(|file| &*file.path).collect();
        assert_eq!(
            paths,
            ["detail.zrd", "games/recoil/detail.zrd", "recoil/detail.zrd"]
        );
    }

    #[test]
    fn several_inputs_get_names_of_their_own() {
        let inputs = [PathBuf::from("a/disc"), PathBuf::from("b/Disc")];
        assert_eq!(prefixes(&inputs), ["disc/", "Disc-2/"]);
        assert_eq!(prefixes(&inputs[..1]), [""]);
    }
}
