//! The files of all inputs, in an order that depends on nothing but their names.

use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::WalkDir;

/// Index of a file in [`Tree::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIndex(pub usize);

/// One file of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path below its input with forward slashes, in its own letter case; with several inputs the
    /// input's name comes first.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, nanoseconds since 1970; 0 when unknown.
    pub modified: u64,
    /// Where it lies on disk.
    pub location: PathBuf,
}

impl SourceFile {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The path folded for comparison: installs come from a system that ignores letter case.
    pub fn folded(&self) -> String {
        fold(&self.path)
    }

    /// The extension, lower case, without its dot.
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.name().rsplit_once('.')?;
        (!stem.is_empty()).then(|| fold(extension))
    }
}

/// Letter case folded away.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// A folder or file that could not be listed.
#[derive(Debug)]
pub struct ListingFault {
    /// Where.
    pub location: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// All files of all inputs, sorted by folded path.
#[derive(Debug, Default)]
pub struct Tree {
    /// The files.
    pub files: Vec<SourceFile>,
    /// What could not be listed.
    pub faults: Vec<ListingFault>,
}

/// Which files to take: globs over folded paths.
#[derive(Debug, Clone)]
pub struct Selection {
    include: Option<GlobSet>,
    only: Option<GlobSet>,
    exclude: GlobSet,
}

impl Selection {
    /// A selection from globs; empty `include` and `only` take everything. A file must match one of
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
        })
    }

    /// Whether the file at `path` is taken; `path` uses forward slashes.
    pub fn takes(&self, path: &str) -> bool {
        let matches = |set: &Option<GlobSet>| set.as_ref().is_none_or(|set| set.is_match(path));
        matches(&self.include) && matches(&self.only) && !self.exclude.is_match(path)
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
    /// Lists every file of `inputs`, folders in depth. `skip` is the output folder: outputs of an
    /// earlier run are no inputs, even when it lies inside an input.
    ///
    /// # Errors
    /// An input does not exist.
    pub fn list(inputs: &[PathBuf], skip: Option<&Path>) -> io::Result<Self> {
        let skip = skip.and_then(|path| path.canonicalize().ok());
        let mut tree = Self::default();
        let prefixes = prefixes(inputs);
        for (input, prefix) in inputs.iter().zip(prefixes) {
            let metadata = input.metadata().map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", input.display()))
            })?;
            if metadata.is_dir() {
                tree.walk(input, &prefix, skip.as_deref());
            } else {
                let name = input.file_name().unwrap_or_default().to_string_lossy();
                tree.files.push(SourceFile {
                    path: format!("{prefix}{name}"),
                    size: metadata.len(),
                    modified: modified(&metadata),
                    location: input.clone(),
                });
            }
        }
        tree.files
            .sort_by_cached_key(|file| (file.folded(), file.path.clone()));
        Ok(tree)
    }

    fn walk(&mut self, root: &Path, prefix: &str, skip: Option<&Path>) {
        let walk = WalkDir::new(root)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| {
                skip.is_none_or(|skip| {
                    !entry.file_type().is_dir()
                        || entry.path().canonicalize().ok().as_deref() != Some(skip)
                })
            });
        for entry in walk {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    let parts: Vec<_> = relative
                        .components()
                        .map(|part| part.as_os_str().to_string_lossy())
                        .collect();
                    let metadata = entry.metadata().ok();
                    self.files.push(SourceFile {
                        path: format!("{prefix}{}", parts.join("/")),
                        size: metadata.as_ref().map_or(0, std::fs::Metadata::len),
                        modified: metadata.as_ref().map_or(0, modified),
                        location: entry.into_path(),
                    });
                }
                Ok(_) => {}
                Err(error) => self.faults.push(ListingFault {
                    location: error.path().unwrap_or(root).to_owned(),
                    error: error.into(),
                }),
            }
        }
    }

    /// The file at `index`.
    pub fn file(&self, index: FileIndex) -> Option<&SourceFile> {
        self.files.get(index.0)
    }
}

fn modified(metadata: &std::fs::Metadata) -> u64 {
    metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|age| u64::try_from(age.as_nanos()).ok())
        .unwrap_or(0)
}

/// What comes before the paths of each input: nothing for a single one, else its own name, made
/// unique by a number.
fn prefixes(inputs: &[PathBuf]) -> Vec<String> {
    if inputs.len() < 2 {
        return vec![String::new(); inputs.len()];
    }
    let mut taken = std::collections::HashSet::new();
    inputs
        .iter()
        .map(|input| {
            let full = input.canonicalize().unwrap_or_else(|_| input.clone());
            let stem = full.file_stem().unwrap_or_default().to_string_lossy();
            let base = if stem.is_empty() {
                "input".into()
            } else {
                stem
            };
            let mut name = base.to_string();
            let mut number = 1_u32;
            while !taken.insert(fold(&name)) {
                number = number.saturating_add(1);
                name = format!("{base}-{number}");
            }
            format!("{name}/")
        })
        .collect()
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
    fn several_inputs_get_names_of_their_own() {
        let inputs = [PathBuf::from("a/disc"), PathBuf::from("b/Disc")];
        assert_eq!(prefixes(&inputs), ["disc/", "Disc-2/"]);
        assert_eq!(prefixes(&inputs[..1]), [""]);
    }
}
