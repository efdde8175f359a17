//! The way back: outputs that a person edited, put into the game files that they came from.
//!
//! - [`pack`] finds what was edited, encodes it, and writes only the game files that change, to a folder of their own.
//! - `archive` — members replaced in their archives; everything else keeps its bytes.
//! - `edited` — an edit on its way; `content` — one source or member from its edited output; `picture`, `sound`, `reader`, `script` — by kind.
//! - `scene` — scenes of worlds and model libraries.
//! - `proof` — reads back what was encoded, and tells what differs from the edit.
//! - `record` — what earlier runs wrote into the folder; `error` — why there is no result at all.
//!
//! The install is only read. Nothing is written when anything that was edited cannot go back, or when the install is
//! not the one that the outputs were made from.
//!
//! ```
//! use relicast::pack::{PackError, Request, pack};
//!
//! let folder = tempfile::tempdir()?;
//! let at = |name: &str| folder.path().join(name);
//! // Nothing was converted there.
//! let refused = pack(&Request::new(&at("converted"), &at("install"), &at("mod")));
//! assert!(matches!(refused, Err(PackError::Golden(_))));
//! # Ok::<(), std::io::Error>(())
//! ```

mod archive;
mod content;
mod digest;
mod edited;
mod error;
mod picture;
mod proof;
mod reader;
mod record;
mod scene;
mod script;
mod sound;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use globset::GlobSet;

pub use edited::Refusal;
pub use error::PackError;

use crate::formats::kind::sniff;
use crate::golden::{Fault, check_written};
use crate::pipeline::manifest::{self, InputNumber, Manifest, ManifestOutput};
use digest::hash;
use edited::Edited;
use error::access;

/// What is to be packed.
#[derive(Debug, Clone)]
pub struct Request {
    /// The output folder with the edits.
    pub out: PathBuf,
    /// The install that it was made from.
    pub from: PathBuf,
    /// Folder that the changed game files are written to.
    pub to: PathBuf,
    /// Only edited outputs whose paths match.
    pub only: Option<GlobSet>,
    /// Write nothing.
    pub check: bool,
}

impl Request {
    /// Everything that was edited in `out`, for the install `from`, into the folder `to`.
    pub fn new(out: &Path, from: &Path, to: &Path) -> Self {
        Self {
            out: out.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            only: None,
            check: false,
        }
    }

    fn wants(&self, path: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.is_match(path))
    }
}

/// What was packed, or would be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packed {
    /// The edits that went back, sorted by output.
    pub edits: Vec<Edit>,
    /// The game files that changed: path below the install, and size. Empty when something was refused.
    pub files: Vec<(String, u64)>,
    /// Edits that cannot go back. Nothing is written when there are any.
    pub refused: Vec<(String, Refusal)>,
    /// Outputs that are not there any more: what they were made from stays in the game.
    pub missing: Vec<String>,
    /// Files of earlier runs in the folder that are not changed any more, and were deleted.
    pub removed: Vec<String>,
}

/// An edit that went back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The edited output.
    pub output: String,
    /// The game file.
    pub source: String,
    /// The member of it.
    pub member: Option<String>,
    /// How the game file differs from the edit, where its format cannot hold it as it is.
    pub rounding: Option<String>,
}

/// A game file with the edits that go into it.
type Work<'m> = BTreeMap<(InputNumber, &'m str), Vec<&'m ManifestOutput>>;

/// Packs what was edited.
///
/// # Errors
/// The output folder or the install cannot be read, the install is another one, or the folder cannot be written or
/// holds other files in the places of game files. Nothing has been written then but whole files.
pub fn pack(request: &Request) -> Result<Packed, PackError> {
    let checked = check_written(&request.out)?;
    let manifest = read_manifest(&request.out)?;
    let mut packed = Packed::default();
    let mut work = Work::new();
    for fault in &checked.faults {
        if !request.wants(fault.path()) {
            continue;
        }
        let found = manifest
            .outputs
            .binary_search_by(|output| output.path.as_str().cmp(fault.path()));
        match (fault, found.ok().and_then(|at| manifest.outputs.get(at))) {
            (Fault::Changed { .. }, Some(output)) => {
                let key = (output.input, &*output.source);
                work.entry(key).or_default().push(output);
            }
            _ => packed.missing.push(fault.path().to_owned()),
        }
    }
    let mut files = BTreeMap::new();
    for ((input, source), outputs) in work {
        let bytes = pack_source(request, &manifest, (input, source), &outputs, &mut packed)?;
        if let Some(bytes) = bytes {
            files.insert(place(&manifest, input, source)?, bytes);
        }
    }
    packed.edits.sort_by(|a, b| a.output.cmp(&b.output));
    if packed.refused.is_empty() {
        packed.files = files
            .iter()
            .map(|(path, bytes)| (path.clone(), bytes.len() as u64))
            .collect();
        if !request.check {
            packed.removed = record::write(&request.to, &request.from, &request.out, &files)?;
        }
    }
    Ok(packed)
}

fn read_manifest(out: &Path) -> Result<Manifest, PackError> {
    let path = out.join(manifest::FILE_NAME);
    let bytes = fs::read(&path).map_err(access(&path))?;
    let mut manifest: Manifest = serde_json::from_slice(&bytes)?;
    manifest.outputs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(manifest)
}

/// The path of a game file below its install.
fn place(manifest: &Manifest, input: InputNumber, source: &str) -> Result<String, PackError> {
    let own = manifest.inputs.iter().find(|own| own.input == input);
    let prefix = own.map_or("", |own| &*own.prefix);
    let path = source.strip_prefix(prefix).unwrap_or(source);
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    match path.split('/').all(is_plain) && !path.contains(['\\', '\0', ':']) {
        true => Ok(path.to_owned()),
        false => Err(PackError::Path(source.to_owned())),
    }
}

/// The new bytes of a game file; none when something of it cannot go back.
fn pack_source(
    request: &Request,
    manifest: &Manifest,
    (input, source): (InputNumber, &str),
    outputs: &[&ManifestOutput],
    packed: &mut Packed,
) -> Result<Option<Vec<u8>>, PackError> {
    if outputs
        .iter()
        .any(|output| output.disc.is_some() || output.cabinet.is_some())
    {
        let refused = outputs.iter().map(|output| {
            let reason =
                Refusal::new("it lies in a disc image or a cabinet, which are not written");
            (output.path.clone(), reason)
        });
        packed.refused.extend(refused);
        return Ok(None);
    }
    let path = request.from.join(place(manifest, input, source)?);
    let original = fs::read(&path).map_err(access(&path))?;
    let listed = manifest
        .sources
        .iter()
        .filter(|listed| listed.input == input && listed.path == source);
    let found = hash(&original);
    if !listed.clone().any(|listed| listed.blake3 == found) {
        return Err(PackError::OtherInstall {
            path,
            expected: listed
                .map(|listed| listed.blake3.clone())
                .next()
                .unwrap_or_default(),
            found,
        });
    }
    let mut edits = Vec::new();
    for output in outputs {
        let path = request.out.join(&output.path);
        edits.push(Edited {
            output,
            bytes: fs::read(&path).map_err(access(&path))?,
            has_alpha_plane: has_alpha_plane(manifest, output),
        });
    }
    let name = source.rsplit('/').next().unwrap_or(source);
    let kind = sniff(&original, name);
    let (scenes, others): (Vec<_>, Vec<_>) = edits
        .into_iter()
        .partition(|edit| scene::is_scene(edit.output));
    let mut refusals = Vec::new();
    let mut bytes = None;
    let mut done = Vec::new();
    if !others.is_empty() {
        match archive::replace(kind, name, &original, &others) {
            Ok(replaced) => {
                done.extend(others.iter().zip(replaced.roundings));
                bytes = Some(replaced.bytes);
            }
            Err(found) => refusals.extend(found),
        }
    }
    if !scenes.is_empty() {
        let below = place(manifest, input, source)?;
        let job = scene::Job {
            manifest,
            out: &request.out,
            from: &request.from,
            kind,
            place: &below,
            original: &original,
            current: bytes.as_deref().unwrap_or(&original),
        };
        match scene::replace(&job, &scenes, &|path| place(manifest, input, path))? {
            Ok(replaced) => {
                done.extend(scenes.iter().zip(replaced.roundings));
                bytes = Some(replaced.bytes);
            }
            Err(found) => refusals.extend(found),
        }
    }
    if !refusals.is_empty() {
        packed.refused.extend(refusals);
        return Ok(None);
    }
    for (edit, rounding) in done {
        packed.edits.push(Edit {
            output: edit.output.path.clone(),
            source: source.to_owned(),
            member: edit.output.member.clone(),
            rounding,
        });
    }
    // What another program wrote anew may say the same.
    Ok(bytes.filter(|bytes| *bytes != original))
}

/// Whether the alpha of a picture is an output of its own.
fn has_alpha_plane(manifest: &Manifest, output: &ManifestOutput) -> bool {
    let plane = output
        .path
        .strip_suffix(".png")
        .map(|stem| format!("{stem}.alpha.png"));
    plane.is_some_and(|plane| {
        let found = manifest
            .outputs
            .binary_search_by(|other| other.path.cmp(&plane));
        found.is_ok()
    })
}
