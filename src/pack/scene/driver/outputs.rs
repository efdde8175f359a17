//! Outputs of scenes: edited ones, and ones that are converted again.

use super::embedded;
use super::job::Job;
use super::rerun::Outputs;
use crate::pack::digest::hash;
use crate::pack::edited::Refusal;
use crate::pack::scene::compare::strewn;
use crate::pack::scene::exporter::{Files, Noise, restore};
use crate::pack::scene::file::{Document, SceneFile};
use crate::pipeline::report::manifest::ManifestOutput;

/// The path of an output without its extension.
pub(in crate::pack) fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The path of a file that an output refers to.
pub(in crate::pack::scene) fn beside(path: &str, name: &str) -> Result<String, Refusal> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    if !name.split('/').all(is_plain) || name.contains(['\\', '\0', ':']) {
        refuse!("its buffer {name} must be in the same folder");
    }
    Ok(match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    })
}

/// A scene as a file, and its contents.
#[derive(Debug)]
pub(in crate::pack::scene) struct Opened {
    pub document: Document,
    pub scene: SceneFile,
}

impl Opened {
    /// The scene at a path; `load` returns the bytes of files.
    fn document(
        path: &str,
        load: &dyn Fn(&str) -> Result<Vec<u8>, Refusal>,
    ) -> Result<Document, Refusal> {
        Document::open(&load(path)?, &|name| load(&beside(path, name)?))
    }

    fn of(document: Document) -> Result<Self, Refusal> {
        let scene = strewn::set_apart(document.scene()?);
        Ok(Self { document, scene })
    }
}

/// An edited scene and its original.
#[derive(Debug)]
pub(in crate::pack::scene) struct SceneEdit<'j> {
    /// The output that is the scene itself.
    pub output: &'j ManifestOutput,
    pub base: Opened,
    pub edited: Opened,
    /// Changes that the program made by itself.
    pub noise: Noise,
}

impl SceneEdit<'_> {
    /// True if only its program changed it.
    pub(super) fn is_unedited(&self) -> bool {
        let (base, edited) = (&self.base.document, &self.edited.document);
        base.json == edited.json && base.buffers() == edited.buffers()
    }
}

/// Reads an edited scene and its original.
///
/// # Errors
/// It cannot be read, or this program does not produce the scene that was edited.
pub(super) fn read<'j>(
    job: &Job<'j>,
    output: &'j ManifestOutput,
    before: &Outputs,
) -> Result<SceneEdit<'j>, Refusal> {
    let buffer = format!("{}.bin", stem(&output.path));
    let buffers = job.manifest.outputs.iter();
    for listed in buffers.filter(|other| other.path == buffer).chain([output]) {
        is_as_listed(job, listed, before)?;
    }
    let load = |path: &str| {
        relicast_source::bytes::read_document(job.out.join(path))
            .map_err(|error| refusal!("{path}: {error}"))
    };
    let base = open_output(job, &output.path, before)?;
    let mut edited = Opened::document(&output.path, &load)?;
    embedded::refer(&without_prefix(job, &output.path), &mut edited, before);
    let is_original = |path: &str, bytes: &[u8]| {
        let mut outputs = job.manifest.outputs.iter();
        outputs.any(|output| output.path == path && output.blake3 == hash(bytes))
    };
    let files = Files {
        load: &load,
        is_original: &is_original,
    };
    let (edited, noise) = restore(&base.document, edited, &output.path, files)?;
    Ok(SceneEdit {
        output,
        base,
        edited: Opened::of(edited)?,
        noise,
    })
}

/// A scene that was converted again.
///
/// # Errors
/// It was not produced.
pub(in crate::pack::scene) fn open_output(
    job: &Job<'_>,
    path: &str,
    outputs: &Outputs,
) -> Result<Opened, Refusal> {
    let mut document = Opened::document(path, &|path| {
        outputs
            .read(&without_prefix(job, path))
            .ok_or_else(|| refusal!("the packed file no longer converts to {path}"))
    })?;
    embedded::refer(&without_prefix(job, path), &mut document, outputs);
    Opened::of(document)
}

/// The path that an output has where its input is the only one.
pub(in crate::pack::scene) fn without_prefix(job: &Job<'_>, path: &str) -> String {
    let output = job
        .manifest
        .outputs
        .iter()
        .find(|output| output.path == path);
    let own = output.and_then(|output| {
        let mut inputs = job.manifest.inputs.iter();
        inputs.find(|input| input.input == output.input)
    });
    let prefix = own.map_or("", |own| &*own.prefix);
    match path.split_once('/') {
        Some((category, rest)) if !prefix.is_empty() => {
            format!("{category}/{}", rest.strip_prefix(prefix).unwrap_or(rest))
        }
        _ => path.to_owned(),
    }
}

/// The bytes of an output that was converted again, if they are those of the manifest.
pub(super) fn as_listed(
    job: &Job<'_>,
    output: &ManifestOutput,
    outputs: &Outputs,
) -> Option<Vec<u8>> {
    let bytes = outputs.read(&without_prefix(job, &output.path))?;
    (hash(&bytes) == output.blake3).then_some(bytes)
}

/// Checks that the scenes that were converted again match the manifest.
///
/// # Errors
/// The program or its settings have changed since.
fn is_as_listed(job: &Job<'_>, output: &ManifestOutput, outputs: &Outputs) -> Result<(), Refusal> {
    match as_listed(job, output, outputs) {
        Some(_) => Ok(()),
        None => Err(refusal!(
            "converting the install now gives another scene than the one that was edited; convert it again, and repeat the edit there"
        )),
    }
}

/// The output that is the scene itself among those with one path without extension.
pub(in crate::pack::scene) fn whole_of<'j>(
    job: &Job<'j>,
    name: &str,
) -> Option<&'j ManifestOutput> {
    ["gltf", "glb"].into_iter().find_map(|extension| {
        let path = format!("{name}.{extension}");
        job.manifest
            .outputs
            .iter()
            .find(|output| output.path == path)
    })
}
