//! Encodes the assets of an item as the bytes of its files.

use std::borrow::Cow;
use std::time::Instant;

use crate::pipeline::plan::planned::PlannedItem;
use crate::pipeline::run::stage_clock::StageClock;
use relicast_convert::{ConvertError, OutputRole, OutputSpec, documents};
use relicast_emit::gltf::GltfFiles;
use relicast_emit::{self as emit, Options, json};
use relicast_limits::spending::{self, Stage};
use relicast_scene::model::Scene;
use relicast_scene::{Asset, Encoding, Pictures};

/// Encoder settings for the files of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemEncoder<'e> {
    pub planned: &'e PlannedItem,
    pub options: Options,
    pub tags: &'e [(String, String)],
    pub clock: &'e StageClock,
}

/// Paths and contents of the files of a scene.
pub(super) struct SceneFiles<'e> {
    pub file: &'e str,
    pub buffer: Option<&'e str>,
    pub files: GltfFiles,
}

impl<'e> ItemEncoder<'e> {
    /// Encodes the files of a scene; empty when no such output is wanted.
    ///
    /// # Errors
    /// The scene cannot be expressed in the format.
    pub(super) fn scene(
        self,
        role: OutputRole,
        scene: &Scene,
        pictures: &dyn Pictures,
    ) -> Result<Option<SceneFiles<'e>>, ConvertError> {
        let path_of = |encoding| {
            let mut outputs = self.planned.outputs.iter();
            let wanted = OutputSpec { role, encoding };
            outputs
                .find(|output| output.wanted == wanted)
                .map(|output| &*output.path)
        };
        let buffer = path_of(Encoding::Bin);
        let file = path_of(Encoding::Gltf).filter(|_| buffer.is_some());
        let Some(file) = file.or_else(|| path_of(Encoding::Glb)) else {
            return Ok(None);
        };
        let region = spending::enter(Stage::Emit, "");
        let start = Instant::now();
        let files = emit::encode_scene(scene, pictures, file, buffer, self.options)
            .map_err(|error| ConvertError::Emit(error.to_string()))?;
        StageClock::add(&self.clock.emit, start);
        region.note(0, files.size());
        Ok(Some(SceneFiles {
            file,
            buffer,
            files,
        }))
    }

    /// Encodes an asset as one file.
    ///
    /// # Errors
    /// The asset cannot be expressed in the format.
    pub(super) fn single<'b>(
        self,
        asset: &'b Asset<'_>,
        encoding: Encoding,
        path: &str,
    ) -> Result<Cow<'b, [u8]>, ConvertError> {
        let region = spending::enter(Stage::Emit, "");
        let start = Instant::now();
        let bytes = emit::encode(asset, encoding, self.tags, self.options)
            .map_err(|error| ConvertError::Emit(error.to_string()))?;
        let bytes = match asset {
            Asset::Document(document) if self.options.schemas => {
                let place = documents::place_from(path, document);
                let style = self.options.style;
                json::with_schema(bytes.into_owned(), &place, style).into()
            }
            _ => bytes,
        };
        StageClock::add(&self.clock.emit, start);
        if let Cow::Owned(bytes) = &bytes {
            region.note(0, bytes.len() as u64);
        }
        Ok(bytes)
    }

    /// Paths of the outputs of a role with their encodings.
    pub(super) fn outputs(self, role: OutputRole) -> impl Iterator<Item = (&'e str, Encoding)> {
        let outputs = self.planned.outputs.iter();
        let own = outputs.filter(move |output| output.wanted.role == role);
        own.map(|output| (&*output.path, output.wanted.encoding))
    }
}
