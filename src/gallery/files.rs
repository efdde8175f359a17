//! The gallery as static files, and the list of them. A second run leaves what a fresh one would; what it did not
//! write, or somebody changed, is never touched.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::asset::Setting;
use super::bundle;
use super::catalogue::Catalogue;
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

/// Bytes of an output that can be wrapped: more is nothing for a script.
const LARGEST_WRAPPED: u64 = 512 << 20;

/// How a gallery is written.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The folder; `gallery` inside the outputs when there is none. Elsewhere the outputs are copied, too.
    pub to: Option<PathBuf>,
    /// What is wrapped for pages without a server.
    pub embed: Embed,
    /// A run writes it, because its settings say so.
    pub by_run: bool,
}

/// A gallery that was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Its folder.
    pub folder: PathBuf,
    /// Assets that it shows.
    pub assets: usize,
    /// Files that it has.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files of these that were there already.
    pub unchanged: usize,
    /// Files of an earlier gallery that were deleted.
    pub removed: usize,
    /// Files of an earlier gallery that were changed since, and left.
    pub kept: Vec<String>,
    /// Outputs that are not where the manifest has them, or are too large to be wrapped.
    pub missing: Vec<String>,
}

/// What a file is made from.
#[derive(Debug, Clone)]
enum Item<'c> {
    /// A file of the program in the browser.
    Bundle(&'static [u8]),
    /// A file of the catalogue.
    Data(String),
    /// The same, wrapped.
    DataScript(String),
    /// The paths that are wrapped, as a document or wrapped itself.
    Paths(bool),
    /// A copy of an output.
    Copy(&'c str),
    /// A wrapped output.
    Wrapped(&'c str),
}

/// Writes the gallery of the converted folder `out`.
///
/// # Errors
/// The folder cannot be read, files of others are in the way, or a file cannot be written.
pub fn write(
    out: &Path,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Written, GalleryError> {
    let converted = Converted::open(out)?;
    let (folder, is_inside) = place(&converted.root, options.to.as_deref())?;
    let writer = Writer {
        catalogue: Catalogue::new(&converted, observer),
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

/// Takes away the gallery inside the outputs `out` that a run wrote because its settings said so; one that somebody asked for
/// stays. Returns the number of its files, and those that were changed since, which stay.
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

/// The folder of the gallery, and whether it is inside the outputs.
fn place(root: &Path, to: Option<&Path>) -> Result<(PathBuf, bool), GalleryError> {
    let inside = root.join(GALLERY_FOLDER);
    let Some(to) = to else {
        return Ok((inside, true));
    };
    let whole = std::path::absolute(to).map_err(access(to))?;
    // As far as it is there, links are followed.
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

/// The outputs that are wrapped, sorted.
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

/// Fails when a file is in the way that an earlier run did not write, or that was changed since.
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

/// What a gallery is written from.
struct Writer<'c> {
    converted: &'c Converted,
    catalogue: Catalogue,
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
        for name in self.catalogue.files() {
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

    /// The bytes of a file that is not a copy; `None` when what it is made from is missing.
    fn bytes(&self, item: &Item<'_>) -> Result<Option<Vec<u8>>, GalleryError> {
        let data = |name: &str| self.catalogue.file(name, self.setting);
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
                let bytes = self.converted.read(path, LARGEST_WRAPPED);
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
        // Until all is done, every path of the plan is ours: it was free, or its file was.
        save(&WrittenList {
            converter: CONVERTER.to_owned(),
            unfinished: plan.keys().cloned().collect(),
            by_run: self.by_run,
            files: list.files.clone(),
        })?;
        let mut written = Written {
            folder: folder.to_owned(),
            assets: self.catalogue.len(),
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

    /// Writes a file, unless it is there, and tells whether it is new.
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
        let listed = Listed::of(&bytes);
        if old == Some(&listed) {
            return Ok(Some((listed, false)));
        }
        target
            .write(path, &bytes)
            .map_err(access(Path::new(path)))?;
        Ok(Some((listed, true)))
    }

    /// Copies an output, unless its copy is there.
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
