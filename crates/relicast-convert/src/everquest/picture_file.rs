//! Pictures that are files of their own.

use super::picture;
use crate::options::ConvertOptions;
use crate::{ConvertError, Converter, Encoding, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::{Decoded, Deviations};
use relicast_formats::decoded_file;
use relicast_formats::everquest::texture::{RowOrder, decode_rows};
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_scene::{Asset, Document};

/// A picture that is a file of its own. Its first row is the top one, as in the documents of its format;
/// only archives with scenes flip pictures.
#[derive(Debug)]
pub(crate) struct PictureFile<'a> {
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    deviations: Deviations,
}

impl<'a> PictureFile<'a> {
    pub(crate) fn new(kind: Kind, name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            kind,
            name,
            bytes,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for PictureFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let mut wanted = vec![OutputSpec {
            role: OutputRole::Main,
            encoding: Encoding::Png,
        }];
        let more = picture::surfaces(self.bytes, self.bytes.len(), &options.textures);
        if more.iter().any(picture::is_face) {
            wanted.clear();
        }
        wanted.extend(more);
        if self.kind != Kind::Picture {
            wanted.extend(OutputSpec::raw(options));
        }
        let range = 0..self.bytes.len() as u64;
        vec![SourceItem::whole(self.kind, range, wanted)]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Decoded { value, deviations } = decode_rows(self.bytes, RowOrder::TopFirst)?;
        let image = picture::image(value, self.name, false, &options.textures);
        sink.take(OutputRole::Main, Asset::Image(image))?;
        picture::take_surfaces(self.bytes, || RowOrder::TopFirst, &options.textures, sink)?;
        if sink.wants(OutputRole::Raw) {
            let context = ArchiveContext::default();
            let raw = decoded_file::decode(self.kind, self.name, self.bytes, &context);
            if let Some(raw) = raw.transpose()? {
                sink.take(OutputRole::Raw, Asset::Document(Document::new(&raw.value)))?;
            }
        }
        Ok(deviations)
    }
}
