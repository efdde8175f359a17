//! One game file with all of its edits.

use std::collections::BTreeMap;

use super::cross_file_edits::CrossFileEdits;
use super::digest::hash;
use super::edited::{Change, Edit, Edited, Refusal, Refusals};
use super::error::{PackError, access};
use super::game_file::GameFile;
use super::in_place::{Originals, place_of};
use super::membership::Membership;
use super::request::{Packed, Request};
use super::scene::{self, Job, Members, Noise, stem};
use super::selection::Selection;
use super::stored_edits::OutputFiles;
use super::{archive, description, reformatted, settings, text};
use crate::config::Config;
use crate::pipeline::report::manifest::{InputNumber, Manifest, ManifestOutput};
use relicast_formats::kind::sniff;
use relicast_formats::transfer;

/// A game file of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'p> {
    pub request: &'p Request,
    pub outputs: &'p OutputFiles,
    pub selection: &'p Selection<'p>,
    pub manifest: &'p Manifest,
    pub originals: &'p Originals,
    pub input: InputNumber,
    /// Its path in the manifest.
    pub path: &'p str,
    /// Its bytes in the install.
    pub original: &'p [u8],
}

/// Edits of a game file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceEdits<'e, 'm> {
    pub outputs: &'e [&'m ManifestOutput],
    pub membership: &'e Membership<'m>,
}

impl<'e> SourceEdits<'e, '_> {
    /// Refuses all of it for one reason.
    pub(super) fn refuse(self, reason: &str, packed: &mut Packed) {
        let outputs = self.outputs.iter();
        let refused = outputs.map(|output| (output.path.clone(), Refusal::new(reason)));
        packed.refused.extend(refused);
        packed.refused.extend(self.membership.refuse(reason));
    }

    /// Returns the outputs that the game file is made from.
    pub(super) fn made_from(self) -> impl Iterator<Item = (&'e ManifestOutput, Change)> {
        let edited = self.outputs.iter();
        let edited = edited.map(|output| (&**output, Change::Edited));
        let added = self.membership.added.iter();
        let added = added.map(|added| (&added.output, Change::Added));
        let removed = self.membership.removed.iter();
        let removed = removed.map(|output| (&**output, Change::Removed));
        edited.chain(added).chain(removed)
    }
}

/// Game file with edits in it.
#[derive(Debug, Default)]
struct Made<'e, 'm> {
    /// Its bytes, if any edit was applied.
    bytes: Option<Vec<u8>>,
    /// Edits with their rounding.
    done: Vec<(&'e Edited<'m>, Option<String>)>,
    /// Descriptions of edited scenes, by output.
    changed: BTreeMap<String, String>,
    /// The same of new members.
    new_roundings: Vec<Option<String>>,
    /// New members of other game files.
    members: Members,
    /// Changes of scenes that programs made by themselves, by output.
    noises: Vec<(String, Noise)>,
    /// Scenes that only their programs changed.
    unedited: Vec<String>,
    refusals: Refusals,
}

impl Source<'_> {
    /// Returns the path of a game file of the same input below its install.
    ///
    /// # Errors
    /// It is outside the install.
    pub(super) fn place(&self, path: &str) -> Result<String, PackError> {
        place(self.manifest, self.input, path)
    }

    /// Encodes the edits. `None` where the bytes are the old ones, or an edit is refused.
    ///
    /// # Errors
    /// The file is not the one that the outputs were made from, or a file cannot be read.
    pub(super) fn pack(
        &self,
        edits: SourceEdits<'_, '_>,
        packed: &mut Packed,
        elsewhere: &mut CrossFileEdits,
    ) -> Result<Option<Vec<u8>>, PackError> {
        self.check_hash()?;
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        if let Some(damage) = transfer::detect(self.original, name) {
            let reason = format!(
                "{} is {damage}; convert an undamaged copy, and edit that",
                self.path
            );
            edits.refuse(&reason, packed);
            return Ok(None);
        }
        let Some(read) = self.read(edits, packed)? else {
            return Ok(None);
        };
        let (scenes, mut others): (Vec<_>, Vec<_>) = read
            .into_iter()
            .partition(|edit| scene::is_scene(edit.output));
        let settings = match settings::settings(self.manifest, self.input) {
            Ok(settings) => settings,
            Err(refusal) => {
                edits.refuse(&refusal.to_string(), packed);
                return Ok(None);
            }
        };
        let file = GameFile {
            kind: sniff(self.original, name),
            name,
            bytes: self.original,
        };
        let place = self.place(self.path)?;
        let added = edits.membership.names();
        let job = self.job(file, &place, &settings, &added);
        let unedited = reformatted::removed(job, file, &mut others, &|path| self.place(path));
        packed.unedited.extend(unedited);
        let mut made = Made::default();
        if !others.is_empty() || !edits.membership.is_empty() {
            let has_scenes = !scenes.is_empty();
            made.put_others(file, &others, has_scenes, edits.membership, &settings);
        }
        if !scenes.is_empty() {
            self.put_scenes(&mut made, job, file, &scenes, &others)?;
        }
        if !made.refusals.is_empty() {
            packed.refused.extend(made.refusals);
            return Ok(None);
        }
        let is_same = made.bytes.as_deref() == Some(self.original) && made.members.is_empty();
        if is_same && edits.membership.is_empty() {
            // A color that is stored as it was is reported as an edit.
            let (kept, unedited): (Vec<_>, Vec<_>) =
                (made.done.into_iter()).partition(|(_, rounding)| rounding.is_some());
            let paths = unedited.iter().map(|(edit, _)| edit.output.path.clone());
            packed.unedited.extend(paths);
            made.done = kept;
        }
        let asking = made.done.iter().map(|(edit, _)| edit.output.path.clone());
        packed.noises.extend(made.noises);
        packed.unedited.extend(made.unedited);
        elsewhere.add(made.members, &asking.collect::<Vec<String>>());
        let edits_of: Vec<&Edited<'_>> = others.iter().collect();
        let described = description::describe(file, &edits_of, &settings);
        let described = edits_of.iter().zip(described);
        let described =
            described.filter_map(|(edit, text)| Some((edit.output.path.clone(), text?)));
        made.changed.extend(described);
        let mut changed = made.changed;
        let edited = made.done.into_iter().map(|(edit, rounding)| Edit {
            changed: changed.remove(&edit.output.path),
            like: None,
            output: edit.output.path.clone(),
            source: self.path.to_owned(),
            member: edit.output.member.clone(),
            rounding,
            change: Change::Edited,
            is_earlier: false,
        });
        packed.edits.extend(edited);
        let others = came_and_went(self.path, edits.membership, made.new_roundings);
        packed.edits.extend(others);
        // A file with the same meaning needs no other file.
        Ok(made.bytes.filter(|bytes| bytes != self.original))
    }

    /// Reads the edited outputs. `None` where one is refused.
    ///
    /// # Errors
    /// A file cannot be read.
    fn read<'m>(
        &self,
        edits: SourceEdits<'_, 'm>,
        packed: &mut Packed,
    ) -> Result<Option<Vec<Edited<'m>>>, PackError> {
        let (mut read, mut is_refused) = (Vec::new(), false);
        for output in edits.outputs {
            let path = self.outputs.join(&output.path);
            let bytes = relicast_source::bytes::read_document(&path).map_err(access(&path))?;
            match text::read(&output.path, bytes) {
                Ok(bytes) => read.push(Edited {
                    output,
                    bytes,
                    has_alpha_plane: has_alpha_plane(self.manifest, output),
                    palettes: (self.selection).palettes(&output.path, self.request.palettes),
                }),
                Err(refusal) => {
                    is_refused = true;
                    packed.refused.push((output.path.clone(), refusal));
                }
            }
        }
        Ok((!is_refused).then_some(read))
    }

    /// The request to convert outputs of the file, at `place` below the install, again.
    fn job<'j>(
        &'j self,
        file: GameFile<'j>,
        place: &'j str,
        settings: &'j Config,
        added: &'j BTreeMap<String, String>,
    ) -> Job<'j> {
        Job {
            manifest: self.manifest,
            settings,
            out: self.outputs,
            originals: self.originals,
            kind: file.kind,
            place,
            added,
            original: file.bytes,
            current: file.bytes,
        }
    }

    /// Checks that the file is the one that the outputs were made from.
    fn check_hash(&self) -> Result<(), PackError> {
        let found = hash(self.original);
        if is_listed(self.manifest, self.input, self.path, &found) {
            return Ok(());
        }
        let mut listed = self.manifest.sources.iter();
        let listed = listed.find(|listed| listed.input == self.input && listed.path == self.path);
        Err(PackError::OtherInstall {
            path: self.request.from.join(self.place(self.path)?),
            expected: listed
                .map(|listed| listed.blake3.clone())
                .unwrap_or_default(),
            found,
        })
    }

    /// Packs scenes into a file that has the other edits.
    fn put_scenes<'e, 'm>(
        &self,
        made: &mut Made<'e, 'm>,
        job: Job<'_>,
        file: GameFile<'_>,
        scenes: &'e [Edited<'m>],
        others: &'e [Edited<'m>],
    ) -> Result<(), PackError>
    where
        'm: 'e,
    {
        let job = Job {
            current: made.bytes.as_deref().unwrap_or(file.bytes),
            ..job
        };
        let replaced = match scene::replace(job, scenes, &|path| self.place(path)) {
            Ok(replaced) => replaced,
            Err(error) => {
                made.refusals.extend(error.refusals(scenes)?);
                return Ok(());
            }
        };
        if made.refusals.is_empty() {
            let roundings = made.done.iter().map(|(_, rounding)| rounding.clone());
            let mut roundings: Vec<Option<String>> = roundings.collect();
            let after = &replaced.content.bytes;
            match archive::settle(file, after, others, job.settings, &mut roundings) {
                Ok(()) => made.done = others.iter().zip(roundings).collect(),
                Err(found) => made.refusals.extend(found),
            }
        }
        let changed = scenes.iter().zip(replaced.changed);
        let changed = changed.filter_map(|(edit, text)| {
            let output = &edit.output.path;
            let text = match self.outputs.exported(output) {
                Some(file) => format!("from {}: {}", file.rsplit('/').next()?, text?),
                None => text?,
            };
            Some((output.clone(), text))
        });
        made.changed.extend(changed);
        let roundings = replaced.content.roundings;
        let all = scenes.iter().zip(roundings);
        let (unedited, done): (Vec<_>, Vec<_>) = all.partition(|(edit, rounding)| {
            rounding.is_none() && replaced.unedited.contains(stem(&edit.output.path))
        });
        made.done.extend(done);
        let unedited = unedited.into_iter();
        made.unedited
            .extend(unedited.map(|(edit, _)| edit.output.path.clone()));
        made.bytes = Some(replaced.content.bytes);
        made.members = replaced.members;
        made.noises = replaced.noises;
        Ok(())
    }
}

impl<'e, 'm> Made<'e, 'm> {
    /// Packs everything except scenes into the file.
    fn put_others(
        &mut self,
        file: GameFile<'_>,
        others: &'e [Edited<'m>],
        has_scenes: bool,
        membership: &Membership<'_>,
        settings: &Config,
    ) {
        match archive::replace(file, others, has_scenes, membership, settings) {
            Ok(mut content) => {
                // The roundings of new members follow those of the edits.
                self.new_roundings = content.roundings.split_off(others.len());
                self.done = others.iter().zip(content.roundings).collect();
                self.bytes = Some(content.bytes);
            }
            Err(found) => self.refusals.extend(found),
        }
    }
}

/// Returns true if a game file with this hash is the one that outputs were made from.
pub(super) fn is_listed(manifest: &Manifest, input: InputNumber, path: &str, found: &str) -> bool {
    let mut listed = manifest.sources.iter();
    listed.any(|listed| listed.input == input && listed.path == path && listed.blake3 == found)
}

/// Returns the path of a game file below its install.
///
/// # Errors
/// It is outside the install.
pub(super) fn place(
    manifest: &Manifest,
    input: InputNumber,
    path: &str,
) -> Result<String, PackError> {
    let own = manifest.inputs.iter().find(|own| own.input == input);
    let prefix = own.map_or("", |own| &*own.prefix);
    place_of(path.strip_prefix(prefix).unwrap_or(path))
}

/// Returns the edits that added or removed members.
fn came_and_went(
    source: &str,
    membership: &Membership<'_>,
    roundings: Vec<Option<String>>,
) -> Vec<Edit> {
    let added = membership.added.iter().zip(roundings);
    let added = added.map(|(added, rounding)| Edit {
        output: added.output.path.clone(),
        source: source.to_owned(),
        member: Some(added.name.clone()),
        changed: None,
        like: Some(added.like.path.clone()),
        rounding,
        change: Change::Added,
        is_earlier: false,
    });
    let removed = membership.removed.iter().map(|output| Edit {
        output: output.path.clone(),
        source: source.to_owned(),
        member: output.member.clone(),
        changed: None,
        like: None,
        rounding: None,
        change: Change::Removed,
        is_earlier: false,
    });
    added.chain(removed).collect()
}

/// Returns true if the alpha of a picture is a separate output.
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
