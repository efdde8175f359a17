//! Packing: puts edited outputs into the game files that they came from.
//!
//! - [`pack`] finds the edits, encodes them, and writes only the game files that change, to a separate folder.
//! - `archive` — members replaced in their archives; everything else keeps its bytes; `table` — with its table.
//! - `edited` — an edit and its result; `unit` — a source or member with all of its edits; `source` — a game file with
//!   all of its edits.
//! - `content` — one source or member from its edited outputs; `picture`, `sound`, `message`, `reader`,
//!   `script` — by kind; `document` — documents that hold all of their source; `value` — values of documents of any
//!   kind.
//! - `scene` — scenes of worlds and model libraries.
//! - `cross_file_edits` — changes in other game files; `shared_outputs` — outputs made from several edited sources.
//! - `proof` — reads back encoded content and compares it with the edit; `rounding` — the differences, in words;
//!   `description` — what was edited, in words.
//! - `container` — archives whose members can be replaced.
//! - `request` — request and result; `palettes` — treatment of full palettes; `changes` — the game files that
//!   change; `new_files` — the files to write.
//! - `selection` — the outputs to pack, and the game files of earlier runs that stay; `work` — the edits of a run, by
//!   game file; `exported` — scenes with another ending; `stored_edits` — edits as earlier runs packed them; `undone` —
//!   edits that a run takes out.
//! - `destination` — targets of game files: `record` — a separate folder, with a list; `in_place` — the install, with
//!   the originals stored in it, and [`restore`]; `lock` — one run at a time; `inside` — game files in disc images and
//!   cabinets, which are only read.
//! - `patch` — the changes without the game's data; [`apply()`] makes the game files from it.
//! - `membership` — members added to archives and removed from them.
//! - `text` — edited texts in the encodings of editors; `json` — edited documents; `reformatted` — documents that differ
//!   only in notation; `position` — positions of faults in them; `settings` — settings of the outputs; `error` —
//!   reasons why there is no result; `whole_file` — files in the way.
//!
//! The outputs are only read, and so is the install unless the request says otherwise. Nothing is written when any edit
//! cannot be packed, or when the install is not the one that the outputs were made from.
//!
//! ```
//! use relicast::pack::{PackError, Request, pack};
//!
//! let folder = tempfile::tempdir()?;
//! let at = |name: &str| folder.path().join(name);
//! // Nothing was converted there.
//! let refused = pack(&Request::new(&at("converted"), &at("install"), &at("mod")));
//! assert!(matches!(refused, Err(PackError::Access { .. })));
//! # Ok::<(), std::io::Error>(())
//! ```

#[macro_use]
mod edited;

mod apply;
mod archive;
mod changes;
mod container;
mod content;
mod cross_file_edits;
mod description;
mod destination;
mod digest;
mod document;
mod error;
mod exported;
mod game_file;
mod in_place;
mod inside;
mod json;
mod lock;
mod membership;
mod message;
mod new_files;
mod palettes;
mod patch;
mod picture;
mod position;
mod proof;
mod reader;
mod record;
mod reformatted;
mod request;
mod rounding;
mod scene;
mod script;
mod selection;
mod settings;
mod shared_outputs;
mod sound;
mod source;
mod stored_edits;
mod table;
mod text;
mod undone;
mod unit;
mod value;
mod whole_file;
mod work;

use std::path::Path;

pub use apply::{Applied, apply};
pub use destination::Destination;
pub use edited::{Change, Edit, Refusal};
pub use error::PackError;
pub use in_place::{Restored, restore};
pub use palettes::Palettes;
pub use request::{Packed, Request};
pub use scene::Noise;
pub use selection::Only;
pub use undone::{Undone, moved_from};

use crate::golden::{Checked, check_outputs};
use crate::pipeline::progress::{Observer, Stage, Unobserved};
use crate::pipeline::report::document_file::{self, Unread};
use crate::pipeline::report::manifest::{self, Manifest};
use changes::Changes;
use cross_file_edits::CrossFileEdits;
use digest::hash;
use error::access;
use exported::ExportedScenes;
use in_place::{Originals, PACKAGED, place_of};
use selection::{MemberChanges, Selection};
use source::{Source, SourceEdits};
use stored_edits::OutputFiles;

/// Packs the edits, as [`pack_observed`] does.
///
/// # Errors
/// The same as for [`pack_observed`].
pub fn pack(request: &Request) -> Result<Packed, PackError> {
    pack_observed(request, &Unobserved)
}

/// Packs the edits.
///
/// # Errors
/// The output folder or the install cannot be read, the install is another one, or the folder cannot be written or has
/// other files at the paths of game files. Each file that has been written by then is complete.
pub fn pack_observed(request: &Request, observer: &dyn Observer) -> Result<Packed, PackError> {
    let manifest = read_manifest(&request.out)?;
    settings::limits(&manifest).scope(|| pack_outputs(request, &manifest, observer))
}

/// Packs the edits among the outputs of a manifest, under the current limits.
fn pack_outputs(
    request: &Request,
    manifest: &Manifest,
    observer: &dyn Observer,
) -> Result<Packed, PackError> {
    let mut checked = check_outputs(&request.out, manifest, request.reading, observer)?;
    let opening = settings::opening(manifest);
    let originals = Originals::new(&request.from)?.opening(opening);
    if let Some(only) = &request.only {
        let outputs = manifest.outputs.iter().map(|output| &*output.path);
        only.check(outputs.chain(checked.extra.iter().map(|path| &**path)))?;
    }
    let exported = ExportedScenes::take(manifest, &mut checked);
    let earlier = request.to.earlier(&originals)?;
    let members = MemberChanges {
        add: request.add,
        remove: request.remove,
    };
    let mut selection = Selection::new(request.only.as_ref(), members, earlier);
    loop {
        let (mut packed, changes) = collect(
            request, manifest, &checked, &exported, &originals, &selection, observer,
        )?;
        if !packed.refused.is_empty() {
            return Ok(packed);
        }
        if !selection.follow(changes.files.keys(), request.to.folder(&request.from))? {
            packed.undone = undone::find(&request.out, &changes.outputs, &selection);
            changes.write(request, &originals, &selection, &mut packed)?;
            return Ok(packed);
        }
    }
}

/// Encodes the selected edits.
///
/// # Errors
/// The output folder or the install cannot be read, or the install is another one.
fn collect(
    request: &Request,
    manifest: &Manifest,
    checked: &Checked,
    exported: &ExportedScenes,
    originals: &Originals,
    selection: &Selection<'_>,
    observer: &dyn Observer,
) -> Result<(Packed, Changes), PackError> {
    let mut packed = Packed {
        strangers: checked.extra.clone(),
        refused: exported.refused(selection),
        ..Packed::default()
    };
    packed.strangers.retain(|path| selection.wants(path));
    let stored = selection.staying().flat_map(|(_, it)| it.files.clone());
    let root = request.to.folder(&request.from);
    let files = OutputFiles::new(&request.out, root, &stored.collect())?;
    let files = files.reading(exported.wanted(selection));
    let (work, mut memberships) = work::collect(&files, manifest, checked, selection, &mut packed)?;
    let mut changes = Changes::default();
    let mut members = CrossFileEdits::default();
    let stage = Stage::start(observer, "pack", work.len() as u64, work.len() as u64);
    for ((input, source), outputs) in work {
        let _item = stage.enter(source, 1);
        let membership = memberships.remove(&(input, source)).unwrap_or_default();
        let edits = SourceEdits {
            outputs: &outputs,
            membership: &membership,
        };
        let below = source::place(manifest, input, source)?;
        let is_it = |bytes: &[u8]| source::is_listed(manifest, input, source, &hash(bytes));
        let is_of_disc = outputs.iter().any(|output| output.disc.is_some());
        if is_of_disc && originals.is_image(&below)? {
            let reason = "it belongs to the disc itself, and relicast does not modify disc images";
            edits.refuse(reason, &mut packed);
            continue;
        }
        let original = originals.find(&below, is_it)?;
        if original.is_packaged && request.to == Destination::InPlace {
            edits.refuse(PACKAGED, &mut packed);
            continue;
        }
        let place = place_of(&original.place)?;
        if changes.files.contains_key(&place) {
            let reason = "an edited game file of another disc has the same path; pack each into a folder of its own, with --only";
            edits.refuse(reason, &mut packed);
            continue;
        }
        let own = Source {
            request,
            outputs: &files,
            selection,
            manifest,
            originals,
            input,
            path: source,
            original: &original.bytes,
        };
        changes.note(&own, edits, &mut packed)?;
        if let Some(bytes) = own.pack(edits, &mut packed, &mut members)? {
            let outputs = edits.made_from().map(|(output, _)| output.path.clone());
            let outputs = outputs.filter(|path| !packed.unedited.contains(path));
            changes.made_from(&place, outputs);
            if request.patch.is_some() {
                changes.originals.insert(place.clone(), original.bytes);
            }
            changes.files.insert(place, bytes);
        }
    }
    stage.finish();
    let before = request.patch.is_some().then_some(&mut changes.originals);
    let (refused, asked_by) = members.merge(originals, &mut changes.files, before, &request.to)?;
    for (place, outputs) in asked_by {
        changes.made_from(&place, outputs);
    }
    packed.refused.extend(refused);
    packed.edits.sort_by(|a, b| a.output.cmp(&b.output));
    for edit in &mut packed.edits {
        edit.is_earlier = selection.stays(&edit.output);
    }
    packed.unedited.sort();
    let is_packed = |path: &str| changes.outputs.values().any(|it| it.contains_key(path));
    shared_outputs::report_shared(manifest, &is_packed, &mut packed.edits);
    locate(&request.out, &mut packed.refused);
    Ok((packed, changes))
}

/// Adds line and column to refusals that name a value of a document.
fn locate(out: &Path, refused: &mut [(String, Refusal)]) {
    for (path, refusal) in refused
        .iter_mut()
        .filter(|(path, _)| text::is_document(path))
    {
        // A deleted output has no lines.
        let read = relicast_source::bytes::read_document(out.join(&*path)).unwrap_or_default();
        if let Ok(text) = text::decoded(&read) {
            *refusal = position::located(&text, refusal.clone());
        }
    }
}

fn read_manifest(out: &Path) -> Result<Manifest, PackError> {
    let path = out.join(manifest::FILE_NAME);
    let (mut manifest, _) = match document_file::read::<Manifest>(&path) {
        Ok(read) => read,
        Err(Unread::Access(error)) => return Err(access(&path)(error)),
        Err(Unread::Json(error)) => return Err(error.into()),
    };
    manifest.outputs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(manifest)
}
