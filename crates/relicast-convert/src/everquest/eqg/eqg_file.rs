//! EQG files outside archives.

use crate::options::ConvertOptions;
use crate::{ConvertError, Converter, Sink, SourceItem};
use relicast_codec::Deviations;
use relicast_formats::kind::Kind;

use super::documents;

/// An EQG file outside archives. Models and zones become scenes with the archive of their
/// name; here they become documents.
#[derive(Debug)]
pub(crate) struct EqgFile<'a> {
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    deviations: Deviations,
}

impl<'a> EqgFile<'a> {
    pub(crate) fn new(kind: Kind, name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            kind,
            name,
            bytes,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for EqgFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let range = 0..self.bytes.len() as u64;
        let mut item = documents::item(self.kind, None, range, self.bytes, options);
        // The archive of the same name makes `NAME.gltf` and the files that belong to it.
        let ending = self.name.rsplit_once('.').map(|(_, ending)| ending);
        item.suffix = ending.map(str::to_lowercase);
        vec![item]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        _config: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        documents::convert(self.kind, self.name, self.bytes, sink)
    }
}
