//! The edits of a run, by game file.

use std::collections::{BTreeMap, HashSet};

use super::changes::parts;
use super::edited::{Change, Refusal};
use super::error::{PackError, access};
use super::membership::{self, Added, Memberships};
use super::picture::copied::is_one_picture;
use super::request::Packed;
use super::selection::Selection;
use super::stored_edits::OutputFiles;
use super::undone::moved_from;
use super::{scene, text};
use relicast_source::bytes::read_document;

use crate::golden::{Checked, Fault};
use crate::pipeline::report::manifest::{InputNumber, Manifest, ManifestOutput};

/// Edited outputs by game file.
pub(super) type Work<'m> = BTreeMap<(InputNumber, &'m str), Vec<&'m ManifestOutput>>;

/// Collects the selected edits, and the members to add and remove if the request asks for it.
///
/// # Errors
/// A new file cannot be read.
pub(super) fn collect<'m>(
    files: &OutputFiles,
    manifest: &'m Manifest,
    checked: &Checked,
    selection: &Selection<'_>,
    packed: &mut Packed,
) -> Result<(Work<'m>, Memberships<'m>), PackError> {
    let mut work = edited(manifest, checked, selection, packed);
    let mut memberships = Memberships::new();
    // Files that a scene refers to are part of its edit.
    if !packed.strangers.is_empty() {
        let edited = work.values().flatten();
        let taken = edited.flat_map(|output| parts(manifest, files, output));
        let taken: HashSet<String> = taken.collect();
        packed.strangers.retain(|path| !taken.contains(path));
    }
    let mut shown = shown_pictures(files, &work);
    let is_new = |path: &String| {
        checked.extra.binary_search(path).is_ok()
            || staying(selection, Change::Added).any(|staying| staying == path)
    };
    shown.retain(|path, _| is_new(path) && membership::like(manifest, path).is_err());
    for (path, scene) in &shown {
        let place = files.join(path);
        let bytes = read_document(&place).map_err(access(&place))?;
        let is_same = |output: &ManifestOutput| {
            let known = read_document(files.join(&output.path));
            known.is_ok_and(|known| known == bytes || is_one_picture(&known, &bytes))
        };
        if let Some(like) = membership::picture_of(manifest, scene, path, &is_same) {
            put(files, path.clone(), like, &mut memberships, packed)?;
        }
    }
    if selection.changes_members() {
        let strangers = std::mem::take(&mut packed.strangers).into_iter();
        let (mut new, left): (Vec<String>, Vec<String>) =
            strangers.partition(|path| selection.adds(path) && moved_from(path).is_none());
        packed.strangers = left;
        let stays = staying(selection, Change::Added).filter(|path| !shown.contains_key(*path));
        new.extend(stays.map(str::to_owned));
        add(files, manifest, new, &mut memberships, packed)?;
        remove(manifest, selection, &mut memberships, packed);
    }
    for key in memberships.keys() {
        work.entry(*key).or_default();
    }
    Ok((work, memberships))
}

/// The outputs that stay as earlier runs packed them, with this effect.
fn staying<'s>(
    selection: &'s Selection<'_>,
    change: Change,
) -> impl Iterator<Item = &'s str> + use<'s> {
    let all = selection.staying();
    all.filter(move |(_, made_from)| made_from.change == change)
        .map(|(path, _)| path)
}

/// The output of the manifest at a path.
fn listed<'m>(manifest: &'m Manifest, path: &str) -> Option<&'m ManifestOutput> {
    let outputs = &manifest.outputs;
    let found = outputs.binary_search_by(|output| output.path.as_str().cmp(path));
    outputs.get(found.ok()?)
}

/// The edited and selected outputs, by game file, and those that stay; notes deleted ones.
fn edited<'m>(
    manifest: &'m Manifest,
    checked: &Checked,
    selection: &Selection<'_>,
    packed: &mut Packed,
) -> Work<'m> {
    let mut work = Work::new();
    let mut add = |output: &'m ManifestOutput| {
        let key = (output.input, &*output.source);
        work.entry(key).or_default().push(output);
    };
    for fault in &checked.faults {
        if !selection.wants(fault.path()) {
            continue;
        }
        match (fault, listed(manifest, fault.path())) {
            (Fault::Changed { .. }, Some(output)) => add(output),
            _ => packed.missing.push(fault.path().to_owned()),
        }
    }
    for path in staying(selection, Change::Edited) {
        match listed(manifest, path) {
            Some(output) => add(output),
            None => packed.refused.push((path.to_owned(), not_listed())),
        }
    }
    work
}

/// The reason why an edit that stays cannot be packed again.
fn not_listed() -> Refusal {
    refusal!(
        "it was packed earlier, into a game file that changes now, and this conversion has no such output; pack from the folder that has it, or without --only"
    )
}

/// Adds new files as members.
fn add<'m>(
    files: &OutputFiles,
    manifest: &'m Manifest,
    new: Vec<String>,
    all: &mut Memberships<'m>,
    packed: &mut Packed,
) -> Result<(), PackError> {
    for path in new {
        match membership::like(manifest, &path) {
            Err(refusal) => packed.refused.push((path, refusal)),
            Ok(like) => put(files, path, like, all, packed)?,
        }
    }
    Ok(())
}

/// Adds a new file as a member of the archive of a similar output.
fn put<'m>(
    files: &OutputFiles,
    path: String,
    like: &'m ManifestOutput,
    all: &mut Memberships<'m>,
    packed: &mut Packed,
) -> Result<(), PackError> {
    let place = files.join(&path);
    let read = relicast_source::bytes::read_document(&place).map_err(access(&place))?;
    match text::read(&path, read) {
        Err(refusal) => packed.refused.push((path, refusal)),
        Ok(bytes) => {
            let own = all.entry((like.input, &*like.source)).or_default();
            own.added.push(Added {
                bytes,
                name: membership::name(&path, like),
                output: ManifestOutput {
                    path,
                    ..like.clone()
                },
                like,
            });
        }
    }
    Ok(())
}

/// The picture files that edited scenes show, each with a scene.
fn shown_pictures<'m>(
    files: &OutputFiles,
    work: &Work<'m>,
) -> BTreeMap<String, &'m ManifestOutput> {
    let scenes = work.values().flatten().filter(|it| scene::is_scene(it));
    let pictures = scenes.flat_map(|output| {
        let pictures = scene::pictures(&output.path, &files.join(&output.path));
        pictures.into_iter().map(|path| (path, *output))
    });
    pictures.collect()
}

/// Removes the members whose outputs were all deleted, now or for an earlier run.
fn remove<'m>(
    manifest: &'m Manifest,
    selection: &Selection<'_>,
    all: &mut Memberships<'m>,
    packed: &mut Packed,
) {
    let member = |output: &'m ManifestOutput| {
        let name = output.member.as_deref()?;
        Some((output.input, &*output.source, name, output.range.start))
    };
    let mut removed = HashSet::new();
    for path in staying(selection, Change::Removed) {
        match listed(manifest, path) {
            Some(output) if member(output).is_some_and(|of| removed.insert(of)) => {
                let own = all.entry((output.input, &*output.source)).or_default();
                own.removed.push(output);
            }
            Some(_) => {}
            None => packed.refused.push((path.to_owned(), not_listed())),
        }
    }
    let gone = packed.missing.iter().filter(|path| selection.removes(path));
    let gone: HashSet<String> = gone.cloned().collect();
    if gone.is_empty() {
        return;
    }
    let left: HashSet<_> = manifest
        .outputs
        .iter()
        .filter(|output| !gone.contains(&output.path))
        .filter_map(member)
        .collect();
    let mut reported = HashSet::new();
    for output in &manifest.outputs {
        let Some(of) = member(output).filter(|_| gone.contains(&output.path)) else {
            continue;
        };
        reported.insert(&*output.path);
        if left.contains(&of) {
            let reason = "other outputs of its member still exist; delete these too, or restore it";
            packed
                .refused
                .push((output.path.clone(), Refusal::new(reason)));
        } else if removed.insert(of) {
            let own = all.entry((output.input, &*output.source)).or_default();
            own.removed.push(output);
        }
    }
    packed.missing.retain(|path| !reported.contains(&**path));
}
