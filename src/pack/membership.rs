//! Members that are added to an archive or removed from it.
//!
//! A file that no run wrote is added to the archive that its neighboring outputs came from, as one more member of their
//! kind. A member is removed when all of its outputs were deleted. Both happen only on request.

use std::collections::BTreeMap;

use super::edited::{Edited, Refusal, Refusals};
use super::palettes::Palettes;
use super::picture::copied::{Names, file_key};
use crate::pipeline::report::manifest::{InputNumber, Manifest, ManifestOutput};
use relicast_formats::asset::AssetKind;

/// A file that becomes a member.
#[derive(Debug)]
pub(super) struct Added<'m> {
    /// As an output like its neighbor, except for path and bytes.
    pub output: ManifestOutput,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The neighboring output whose member is the model for the new one.
    pub like: &'m ManifestOutput,
    /// The name of the new member.
    pub name: String,
}

impl Added<'_> {
    /// The file as an edit of an output that never existed.
    pub(super) fn edit(&self) -> Edited<'_> {
        Edited {
            output: &self.output,
            bytes: self.bytes.clone(),
            has_alpha_plane: false,
            palettes: Palettes::default(),
        }
    }
}

/// Members that are added to a game file or removed from it.
#[derive(Debug, Default)]
pub(super) struct Membership<'m> {
    /// New members.
    pub added: Vec<Added<'m>>,
    /// Outputs whose members are removed.
    pub removed: Vec<&'m ManifestOutput>,
}

impl Membership<'_> {
    /// True if no member is added or removed.
    pub(super) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    /// Names of new members by the path of their file.
    pub(super) fn names(&self) -> BTreeMap<String, String> {
        let added = self.added.iter();
        added
            .map(|added| (added.output.path.clone(), added.name.clone()))
            .collect()
    }

    /// Refuses all changes for the same reason.
    pub(super) fn refuse(&self, reason: impl std::fmt::Display) -> Refusals {
        let added = self.added.iter().map(|added| &added.output.path);
        let removed = self.removed.iter().map(|output| &output.path);
        let paths = added.chain(removed);
        paths
            .map(|path| (path.clone(), Refusal::new(&reason)))
            .collect()
    }
}

/// Memberships by game file.
pub(super) type Memberships<'m> = BTreeMap<(InputNumber, &'m str), Membership<'m>>;

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn ending(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// The neighboring output on which a new file is modeled: of the same kind, and of the only archive with outputs there.
///
/// # Errors
/// No archive has outputs of its kind there, or several have.
pub(super) fn like<'m>(manifest: &'m Manifest, path: &str) -> Result<&'m ManifestOutput, Refusal> {
    let beside = manifest.outputs.iter().filter(|output| {
        folder(&output.path) == folder(path)
            && ending(&output.path).eq_ignore_ascii_case(ending(path))
            && output.member.is_some()
    });
    let mut beside = beside.peekable();
    let Some(first) = beside.peek().copied() else {
        refuse!(
            "no archive has outputs of its kind in this folder; move it next to outputs of its archive"
        );
    };
    match beside.all(|other| (other.input, &other.source) == (first.input, &first.source)) {
        true => Ok(first),
        false => Err(refusal!(
            "outputs in this folder come from several archives, so its archive is ambiguous"
        )),
    }
}

/// The picture on which a new one of a scene is modeled: one of the archive of the scene. `None` where the archive has
/// no pictures, and for a copy that a program made of a picture that the scene already had. `is_same` returns true for
/// pictures with the pixels of the new one.
pub(super) fn picture_of<'m>(
    manifest: &'m Manifest,
    scene: &ManifestOutput,
    path: &str,
    is_same: &dyn Fn(&ManifestOutput) -> bool,
) -> Option<&'m ManifestOutput> {
    let mut pictures = manifest.outputs.iter().filter(|output| {
        output.input == scene.input
            && output.kind == AssetKind::Textures
            && ending(&output.path) == "png"
    });
    // The archives of a zone and of its objects have the same beginning.
    let (family, _) = scene.source.rsplit_once('.')?;
    let is_copy = |output: &ManifestOutput| {
        let is_named = stem(&output.path).eq_ignore_ascii_case(stem(path));
        (is_named && output.source.starts_with(family))
            || (Names::of(&output.path, output.member.as_deref()).may_be(&file_key(path))
                && is_same(output))
    };
    match pictures.clone().any(is_copy) {
        true => None,
        false => pictures.find(|it| it.source == scene.source && it.member.is_some()),
    }
}

/// The name of the file at a path without its ending.
pub(super) fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// The name of the new member for the file at `path`, written like that of the member next to it.
pub(super) fn name(path: &str, like: &ManifestOutput) -> String {
    let model = like.member.as_deref().unwrap_or_default();
    let (before, model) = match model.rfind(['/', '\\']) {
        Some(at) => model.split_at(at + 1),
        None => ("", model),
    };
    let stem = stem(path);
    let mut name = match model.rsplit_once('.') {
        Some((_, ending)) => format!("{stem}.{ending}"),
        None => stem.to_owned(),
    };
    let is_upper =
        |text: &str| !text.contains(char::is_lowercase) && text.contains(char::is_uppercase);
    if is_upper(model) {
        name = name.to_uppercase();
    }
    format!("{before}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_like_their_neighbors() {
        let named = |member: &str, path: &str| {
            let like = ManifestOutput {
                member: Some(member.to_owned()),
                ..serde_json::from_value(serde_json::json!({
                    "path": "x", "blake3": "", "size": 0, "kind": "sounds", "source": "s",
                    "range": {"start": 0, "end": 0}, "converter": "", "config_digest": "", "key": ""
                }))
                .unwrap()
            };
            name(path, &like)
        };
        assert_eq!(named("boom.wav", "sounds/a/New Sound.wav"), "New Sound.wav");
        assert_eq!(named("BOOM.WAV", "sounds/a/new.flac"), "NEW.WAV");
        assert_eq!(named("sub\\boom.wav", "new.wav"), "sub\\new.wav");
        assert_eq!(named("motion", "animations/new.json"), "new");
    }
}
