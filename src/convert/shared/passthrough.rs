//! Files that are copied unchanged.

use crate::asset::{AssetKind, Category};

use crate::config::Config;
use crate::convert::{ConvertError, Converter, Encoding, OutputRole, OutputSpec, Sink, SourceItem};
use crate::formats::codec::Deviations;
use crate::formats::kind::Kind;
use crate::scene::Asset;

/// A file that is copied.
#[derive(Debug)]
pub struct LooseFile<'a> {
    kind: Kind,
    bytes: &'a [u8],
    deviations: Deviations,
}

impl<'a> LooseFile<'a> {
    /// A file of `kind`.
    pub fn new(kind: Kind, bytes: &'a [u8]) -> Self {
        Self {
            kind,
            bytes,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for LooseFile<'_> {
    fn parts(&self, _config: &Config) -> Vec<SourceItem> {
        let copy = OutputSpec {
            role: OutputRole::Main,
            encoding: Encoding::Copy,
        };
        vec![SourceItem {
            asset: AssetKind::Loose,
            category: Category::Loose,
            ..SourceItem::whole(self.kind, 0..self.bytes.len() as u64, vec![copy])
        }]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        _config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        sink.take(OutputRole::Main, Asset::Copy(self.bytes))?;
        Ok(Deviations::default())
    }
}
