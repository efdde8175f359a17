//! Finds the texture of the install behind a picture of a scene.

use crate::pack::scene::driver::job::Job;
use crate::pack::scene::file::surface::Picture;
use crate::pipeline::output::links::join;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_formats::asset::AssetKind;
use relicast_formats::zipper::texture::key_of;

/// True if the install has a texture of this name.
pub(in crate::pack::scene) fn is_known(job: &Job<'_>, name: &str) -> bool {
    let key = key_of(name);
    let mut members = textures(job).filter_map(|output| output.member.as_deref());
    members.any(|member| key_of(member) == key)
}

fn textures<'j>(job: &Job<'j>) -> impl Iterator<Item = &'j ManifestOutput> + use<'j> {
    let outputs = job.manifest.outputs.iter();
    outputs.filter(|output| output.kind == AssetKind::Textures)
}

/// The outputs of textures with a key in the install of a scene.
pub(super) fn named<'j>(
    job: &Job<'j>,
    scene: &ManifestOutput,
    key: &str,
) -> impl Iterator<Item = &'j ManifestOutput> {
    let input = scene.input;
    textures(job).filter(move |output| {
        let member = output.member.as_deref();
        output.input == input && member.is_some_and(|member| key_of(member) == key)
    })
}

/// The name of the texture that a picture was made from.
pub(super) fn name(job: &Job<'_>, scene: &ManifestOutput, picture: &Picture) -> Option<String> {
    output(job, scene, picture)?.member.clone()
}

/// The output of a texture that is the picture of a scene.
pub(super) fn output<'j>(
    job: &Job<'j>,
    scene: &ManifestOutput,
    picture: &Picture,
) -> Option<&'j ManifestOutput> {
    let own = |output: &&ManifestOutput| output.input == scene.input;
    match &picture.path {
        Some(path) => {
            let path = join(&scene.path, path)?;
            textures(job).filter(own).find(|output| output.path == path)
        }
        // A picture inside the file.
        None => textures(job)
            .filter(own)
            .find(|output| output.member.as_deref() == Some(&*picture.name)),
    }
}
