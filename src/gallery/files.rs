//! Gallery as static files, with a list of them. A repeated run gives the same files as a fresh one; foreign or
//! changed files are never touched.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::asset::Setting;
use super::bundle;
use super::catalog::Catalog;
use super::error::{GalleryError, access};
use super::wrapped;
use crate::config::Embed;
use crate::pipeline::output::folder::{Durability, OutputFolder};
use crate::pipeline::output::folder::{delete_unfinished, delete_unfinished_directly_in};
use crate::pipeline::output::hash::hash_reader;
use crate::pipeline::output::written_list::{GALLERY, GALLERY_FOLDER, Listed, WrittenList};
use crate::pipeline::plan::install_guard::game_file_of;
use crate::pipeline::progress::{Observer, Stage};
use crate::pipeline::report::converted::{Converted, place_of};
use crate::pipeline::report::manifest::CONVERTER;

/// Maximum size of an output to embed in a script.
const MAX_WRAPPED_BYTES: u64 = 512 << 20;

/// Options for writing a gallery.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Folder; default: `gallery` inside the output folder. Elsewhere the outputs are copied, too.
    pub to: Option<PathBuf>,
    /// Outputs to embed for pages without a server.
    pub embed: Embed,
    /// True if a run writes it because of its settings.
    pub by_run: bool,
}

/// Result of writing a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Folder of the gallery.
    pub folder: PathBuf,
    /// Number of assets.
    pub assets: usize,
    /// Number of files.
    pub files: usize,
    /// Total bytes of the files.
    pub bytes: u64,
    /// Files that were up to date.
    pub unchanged: usize,
    /// Stale files that were deleted.
    pub removed: usize,
    /// Stale files that were changed since and were not deleted.
    pub kept: Vec<String>,
    /// Outputs that are missing, or too large to embed.
    pub missing: Vec<String>,
}

/// Source of a file of the gallery.
#[derive(Debug, Clone)]
enum Item<'c> {
    /// File of the browser application.
    Bundle(&'static [u8]),
    /// File of the catalog.
    Data(String),
    /// File of the catalog, embedded in a script.
    DataScript(String),
    /// List of the embedded paths, as JSON or embedded in a script.
    Paths(bool),
    /// Copy of an output.
    Copy(&'c str),
    /// Output embedded in a script.
    Wrapped(&'c str),
}

/// Writes the gallery of the converted folder `out`.
///
/// # Errors
/// The folder cannot be read, foreign files are in the way, or a file cannot be written.
pub fn write(
    out: &Path,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Written, GalleryError> {
    let converted = Converted::open(out)?;
    let (folder, is_inside) = place(&converted.root, options.to.as_deref())?;
    let writer = Writer {
        catalog: Catalog::new(&converted, observer),
        setting: Setting {
            base: if is_inside { "../" } else { "out/" },
            is_served: false,
            embed: options.embed.label(),
        },
        wrapped: wrapped_paths(&converted, options.embed),
        by_run: options.by_run,
        converted: &converted,
    };
    let plan = writer.plan(is_inside);
    fs::create_dir_all(&folder).map_err(access(&folder))?;
    let list_path = folder.join(GALLERY);
    let list = WrittenList::load(&folder, GALLERY).map_err(access(&list_path))?;
    let as_written: HashMap<&str, bool> = (list.files.par_iter())
        .map(|(path, _)| (&**path, list.is_as_written(&folder, path)))
        .collect();
    refuse_foreign(&folder, &list, &as_written, &plan)?;
    // An earlier run may have been killed, even while it wrote its list.
    match list.unfinished.is_empty() {
        true => delete_unfinished_directly_in(&folder),
        false => delete_unfinished(&folder),
    }
    writer.carry_out(&folder, &list, &as_written, &plan, observer)
}

/// Removes the gallery inside the outputs `out` that a run wrote because of its settings. A gallery from
/// `relicast gallery` is preserved. Returns the number of removed files, and the changed files that were not
/// removed.
///
/// # Errors
/// The list of its files cannot be read, or a file cannot be deleted.
pub fn remove(out: &Path) -> Result<(usize, Vec<String>), GalleryError> {
    let folder = out.join(GALLERY_FOLDER);
    let list_path = folder.join(GALLERY);
    let list = WrittenList::load(&folder, GALLERY).map_err(access(&list_path))?;
    if !list.by_run {
        return Ok((0, Vec::new()));
    }
    let target = OutputFolder::open(out, Durability::System).map_err(access(out))?;
    let mut kept = Vec::new();
    let mut removed = 0;
    let unfinished = list.unfinished.iter().map(|path| (path, None));
    let files = list.files.iter().map(|(path, listed)| (path, Some(listed)));
    for (path, listed) in files.chain(unfinished) {
        let place = format!("{GALLERY_FOLDER}/{path}");
        if fs::symlink_metadata(out.join(&place)).is_err() {
            continue;
        }
        let is_ours = |file: &File| match listed {
            Some(listed) => Ok(hash_reader(file)?.blake3 == listed.blake3),
            None => Ok(true),
        };
        let is_removed = target.remove_known(&place, is_ours);
        if is_removed.map_err(access(&out.join(&place)))? {
            target.drop_empty_folders(&place);
            removed += 1;
        } else {
            kept.push(place);
        }
    }
    let place = format!("{GALLERY_FOLDER}/{GALLERY}");
    target.remove_file(&place).map_err(access(&list_path))?;
    target.drop_empty_folders(&place);
    Ok((removed, kept))
}

/// Folder of the gallery, and whether it is inside the output folder.
fn place(root: &Path, to: Option<&Path>) -> Result<(PathBuf, bool), GalleryError> {
    let inside = root.join(GALLERY_FOLDER);
    let Some(to) = to else {
        return Ok((inside, true));
    };
    let whole = std::path::absolute(to).map_err(access(to))?;
    // Links are resolved as far as the path exists.
    let mut ancestors = whole.ancestors();
    let resolved = ancestors.find_map(|part| {
        let rest = whole.strip_prefix(part).ok()?;
        Some(part.canonicalize().ok()?.join(rest))
    });
    let resolved = resolved.unwrap_or_else(|| whole.clone());
    if resolved == inside {
        return Ok((inside, true));
    }
    match (resolved.starts_with(root), root.starts_with(&resolved)) {
        (true, _) => Err(GalleryError::Inside(to.to_owned())),
        (_, true) => Err(GalleryError::Around(to.to_owned())),
        _ => match game_file_of(&whole) {
            Some(file) => Err(GalleryError::Install {
                to: to.to_owned(),
                file,
            }),
            None => Ok((whole, false)),
        },
    }
}

/// Outputs to embed, sorted.
fn wrapped_paths(converted: &Converted, embed: Embed) -> Vec<&str> {
    let paths = converted
        .manifest
        .outputs
        .iter()
        .map(|output| &*output.path);
    let mut paths: Vec<&str> = paths
        .filter(|path| wrapped::is_wrapped(path, embed))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Fails if a file is in the way that an earlier run did not write, or that was changed since.
fn refuse_foreign(
    folder: &Path,
    list: &WrittenList,
    as_written: &HashMap<&str, bool>,
    plan: &BTreeMap<String, Item<'_>>,
) -> Result<(), GalleryError> {
    let is_foreign = |path: &&String| {
        let is_ours = as_written.get(&***path).copied().unwrap_or_default();
        !is_ours
            && fs::symlink_metadata(folder.join(path)).is_ok()
            && !list.unfinished.contains(path)
    };
    let files: Vec<String> = plan.keys().filter(is_foreign).cloned().collect();
    match files.is_empty() {
        true => Ok(()),
        false => Err(GalleryError::Foreign {
            folder: folder.to_owned(),
            files,
        }),
    }
}

/// Writer of a gallery.
struct Writer<'c> {
    converted: &'c Converted,
    catalog: Catalog,
    setting: Setting<'c>,
    wrapped: Vec<&'c str>,
    by_run: bool,
}

impl<'c> Writer<'c> {
    /// All files by path.
    fn plan(&self, is_inside: bool) -> BTreeMap<String, Item<'c>> {
        let mut plan = BTreeMap::new();
        for (name, bytes) in bundle::files() {
            plan.insert((*name).to_owned(), Item::Bundle(bytes));
        }
        for name in self.catalog.files() {
            plan.insert(format!("data/{name}"), Item::Data(name.clone()));
            plan.insert(format!("data/{name}.js"), Item::DataScript(name));
        }
        if !self.wrapped.is_empty() {
            plan.insert("data/embed.json".to_owned(), Item::Paths(false));
            plan.insert("data/embed.json.js".to_owned(), Item::Paths(true));
        }
        for (number, path) in self.wrapped.iter().enumerate() {
            plan.insert(wrapped::place(number), Item::Wrapped(path));
        }
        if !is_inside {
            for output in &self.converted.manifest.outputs {
                plan.insert(format!("out/{}", output.path), Item::Copy(&output.path));
            }
        }
        plan
    }

    /// Bytes of a file that is not a copy; `None` if its source is missing.
    fn bytes(&self, item: &Item<'_>) -> Result<Option<Vec<u8>>, GalleryError> {
        let data = |name: &str| self.catalog.file(name, self.setting);
        let wrap = |name: &str, bytes: Vec<u8>| {
            wrapped::script(&format!("data/{name}"), &String::from_utf8_lossy(&bytes))
        };
        Ok(match item {
            Item::Bundle(bytes) => Some(bytes.to_vec()),
            Item::Data(name) => data(name)?,
            Item::DataScript(name) => data(name)?.map(|bytes| wrap(name, bytes)),
            Item::Paths(is_script) => {
                let bytes = serde_json::to_vec(&serde_json::json!({"paths": self.wrapped}))?;
                Some(match is_script {
                    true => wrap("embed.json", bytes),
                    false => bytes,
                })
            }
            Item::Wrapped(path) => {
                let bytes = self.converted.read(path, MAX_WRAPPED_BYTES);
                bytes.map(|bytes| wrapped::output(path, &bytes))
            }
            Item::Copy(_) => None,
        })
    }

    fn carry_out(
        &self,
        folder: &Path,
        list: &WrittenList,
        as_written: &HashMap<&str, bool>,
        plan: &BTreeMap<String, Item<'_>>,
        observer: &dyn Observer,
    ) -> Result<Written, GalleryError> {
        let target = OutputFolder::open(folder, Durability::System).map_err(access(folder))?;
        let save = |list: &WrittenList| -> Result<(), GalleryError> {
            let mut bytes = serde_json::to_vec_pretty(list)?;
            bytes.push(b'\n');
            let place = folder.join(GALLERY);
            target
                .write_durably(GALLERY, &bytes)
                .map_err(access(&place))
        };
        let is_ours = |path: &str| as_written.get(path).copied().unwrap_or_default();
        // Until the end, all planned paths count as ours: they were free or held our files.
        save(&WrittenList {
            converter: CONVERTER.to_owned(),
            unfinished: plan.keys().cloned().collect(),
            by_run: self.by_run,
            files: list.files.clone(),
        })?;
        let mut written = Written {
            folder: folder.to_owned(),
            assets: self.catalog.len(),
            ..Written::default()
        };
        let mut files = BTreeMap::new();
        let stage = Stage::start(observer, "gallery", plan.len() as u64, plan.len() as u64);
        for (path, item) in plan {
            let old = list.files.get(path).filter(|_| is_ours(path));
            let made = stage.item(path, 1, || match item {
                Item::Copy(output) => self.copy(&target, path, output, old),
                item => self.make(&target, path, item, old),
            });
            match made? {
                Some((listed, is_new)) => {
                    written.unchanged += usize::from(!is_new);
                    written.bytes = written.bytes.saturating_add(listed.size);
                    files.insert(path.clone(), listed);
                }
                None => written.missing.push(path.clone()),
            }
        }
        stage.finish();
        for path in list.files.keys().chain(&list.unfinished) {
            if files.contains_key(path) || fs::symlink_metadata(folder.join(path)).is_err() {
                continue;
            }
            if is_ours(path) || list.unfinished.contains(path) {
                let place = folder.join(path);
                target.remove_file(path).map_err(access(&place))?;
                target.drop_empty_folders(path);
                written.removed += 1;
            } else {
                written.kept.push(path.clone());
            }
        }
        written.files = files.len();
        save(&WrittenList {
            converter: CONVERTER.to_owned(),
            unfinished: Vec::new(),
            by_run: self.by_run,
            files,
        })?;
        Ok(written)
    }

    /// Writes a file if it differs, and returns whether it is new.
    fn make(
        &self,
        target: &OutputFolder,
        path: &str,
        item: &Item<'_>,
        old: Option<&Listed>,
    ) -> Result<Option<(Listed, bool)>, GalleryError> {
        let Some(bytes) = self.bytes(item)? else {
            return Ok(None);
        };
        let listed = Listed::new(&bytes);
        if old == Some(&listed) {
            return Ok(Some((listed, false)));
        }
        target
            .write(path, &bytes)
            .map_err(access(Path::new(path)))?;
        Ok(Some((listed, true)))
    }

    /// Copies an output, unless the copy is up to date.
    fn copy(
        &self,
        target: &OutputFolder,
        path: &str,
        output: &str,
        old: Option<&Listed>,
    ) -> Result<Option<(Listed, bool)>, GalleryError> {
        let Some(place) = place_of(&self.converted.root, output) else {
            return Ok(None);
        };
        let hashed = crate::pipeline::output::hash::hash_file(&place).map_err(access(&place))?;
        if let Some(old) = old.filter(|old| old.blake3 == hashed.blake3) {
            return Ok(Some((old.clone(), false)));
        }
        let source = File::open(&place).map_err(access(&place))?;
        let copied = copy_file(target, path, source).map_err(access(Path::new(path)))?;
        Ok(Some((copied, true)))
    }
}

fn copy_file(target: &OutputFolder, path: &str, mut source: File) -> io::Result<Listed> {
    let mut file = target.begin(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 18];
    let mut size = 0;
    loop {
        let length = source.read(&mut buffer)?;
        let Some(part) = buffer.get(..length).filter(|part| !part.is_empty()) else {
            break;
        };
        hasher.update(part);
        file.write_all(part)?;
        size += length as u64;
    }
    file.finish()?;
    Ok(Listed {
        size,
        blake3: hasher.finalize().to_hex().to_string(),
    })
}
