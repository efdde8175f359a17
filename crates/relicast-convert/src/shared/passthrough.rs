//! Files that are copied unchanged.

use relicast_formats::asset::{AssetKind, Category};

use crate::options::ConvertOptions;
use crate::{ConvertError, Converter, Encoding, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::Deviations;
use relicast_formats::kind::Kind;
use relicast_scene::Asset;

/// A file that is copied.
#[derive(Debug)]
pub struct LooseFile {
    kind: Kind,
    size: u64,
    deviations: Deviations,
}

impl LooseFile {
    /// A file of `kind` with `size` bytes.
    pub fn new(kind: Kind, size: u64) -> Self {
        Self {
            kind,
            size,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for LooseFile {
    fn items(&self, _config: &ConvertOptions) -> Vec<SourceItem> {
        let copy = OutputSpec {
            role: OutputRole::Main,
            encoding: Encoding::Copy,
        };
        vec![SourceItem {
            asset: AssetKind::Loose,
            category: Category::Loose,
            ..SourceItem::whole(self.kind, 0..self.size, vec![copy])
        }]
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
        sink.take(OutputRole::Main, Asset::Source)?;
        Ok(Deviations::default())
    }
}
