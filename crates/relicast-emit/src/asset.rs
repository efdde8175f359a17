//! Encodes assets as files: one entry point for all writers.

use std::borrow::Cow;

use super::error::EmitError;
use super::flac::encode_flac;
use super::ogg::encode_ogg;
use super::options::Options;
use super::wav::{clean_wav, encode_wav};
use super::{gltf, json, png};
use relicast_scene::image::Effort;
use relicast_scene::model::Scene;
use relicast_scene::{Asset, Encoding, Pictures};

/// Maps picture keys of a scene to the paths of shared picture files.
struct SharedPictures<'a> {
    file: &'a str,
    pictures: &'a dyn Pictures,
    effort: Effort,
}

impl gltf::ImageSource for SharedPictures<'_> {
    fn path(&self, key: &str) -> Option<String> {
        let is_file = !self.pictures.is_inside(key);
        is_file.then(|| gltf::relative_path(self.file, key))
    }

    fn bytes(&self, key: &str) -> Option<Cow<'_, [u8]>> {
        let picture = self.pictures.picture(key)?;
        Some(png::encode(&picture, self.effort).ok()?.into())
    }
}

/// Writes a scene to `file` and, unless it is `.glb`, its buffer to `buffer`; paths below the output
/// folder. Keys of pictures are such paths too.
///
/// # Errors
/// The scene cannot be expressed in glTF.
pub fn encode_scene(
    scene: &Scene,
    pictures: &dyn Pictures,
    file: &str,
    buffer: Option<&str>,
    options: Options,
) -> Result<gltf::GltfFiles, EmitError> {
    let images = SharedPictures {
        file,
        pictures,
        effort: options.effort,
    };
    let options = gltf::GltfOptions {
        gpu_instancing: options.gpu_instancing,
        first_variant_only: options.first_variant_only,
        quantize: options.quantize,
        webp: options.webp,
        godot_extras: options.godot_extras,
        binary_path: &buffer.map_or_else(String::new, |buffer| gltf::relative_path(file, buffer)),
        images: &images,
        container: match buffer {
            Some(_) => gltf::Container::Gltf,
            None => gltf::Container::Glb,
        },
    };
    Ok(gltf::encode(scene, &options)?)
}

/// Encodes an asset. For scenes use [`encode_scene`], for videos [`video::encode`](super::video::encode).
/// The bytes are borrowed when they are the source's own. `tags` are written to a FLAC file.
///
/// # Errors
/// The asset cannot be expressed in this format.
pub fn encode<'a>(
    asset: &'a Asset<'_>,
    encoding: Encoding,
    tags: &[(String, String)],
    options: Options,
) -> Result<Cow<'a, [u8]>, EmitError> {
    Ok(match (asset, encoding) {
        (Asset::Image(image), Encoding::Png) => png::encode(image, options.effort)?.into(),
        (Asset::Sound(sound), Encoding::Wav) if options.clean_sounds => clean_wav(sound)?.into(),
        (Asset::Sound(sound), Encoding::Wav) => encode_wav(sound)?,
        (Asset::Sound(sound), Encoding::Flac) => encode_flac(sound, tags)?.into(),
        (Asset::Sound(sound), Encoding::Ogg) => encode_ogg(sound, tags)?.into(),
        (Asset::Document(document), Encoding::Json) => {
            json::encode(document, options.style)?.into()
        }
        (Asset::Midi(bytes), Encoding::Midi) => bytes.to_vec().into(),
        (Asset::Copy(bytes), Encoding::Copy | Encoding::Png) => Cow::Borrowed(*bytes),
        (_, encoding) => return Err(EmitError::Mismatch(encoding.extension())),
    })
}
