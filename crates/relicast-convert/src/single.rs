//! A file that holds one value.

use super::{ConvertError, Converter, Sink, SourceItem, single_value};
use crate::options::ConvertOptions;
use relicast_codec::Deviations;
use relicast_formats::kind::Kind;

/// A file that holds one value.
#[derive(Debug)]
pub(super) struct SingleFile<'a> {
    kind: Kind,
    name: &'a str,
    bytes: &'a [u8],
    deviations: Deviations,
}

impl<'a> SingleFile<'a> {
    pub(super) fn new(kind: Kind, name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            kind,
            name,
            bytes,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for SingleFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        vec![single_value::item(
            self.kind,
            None,
            0..self.bytes.len() as u64,
            options,
        )]
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
        single_value::convert(self.kind, self.name, self.bytes, sink)
    }
}
