//! Corrupt files: with any contents, the result is outputs or errors that name the field, never a panic, and never an
//! output that cannot be written.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use relicast::convert::ConvertOptions;
use relicast::convert::{
    ConvertError, Dependency, Disposition, OpenContext, OutputRole, Sink, open,
};
use relicast::emit::{Options, encode, encode_scene};
use relicast::formats::kind::sniff;
use relicast::scene::{Asset, Encoding};

/// Writes every document and scene, and discards it.
#[derive(Debug, Default)]
pub struct Discard {
    pub documents: usize,
    /// Documents that are lists or single values.
    pub not_objects: usize,
    /// Bytes of documents.
    pub bytes: usize,
    pub scenes: usize,
    pub nodes: usize,
}

impl Sink for Discard {
    fn wants(&self, _role: OutputRole) -> bool {
        true
    }

    fn take(&mut self, _role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let emit = |error: &dyn std::error::Error| ConvertError::Emit(error.to_string());
        match asset {
            Asset::Scene(scene, pictures) => {
                let (file, buffer) = ("a/b.gltf", Some("a/b.bin"));
                encode_scene(scene, pictures, file, buffer, Options::default())
                    .map_err(|error| emit(&error))?;
                self.scenes += 1;
                self.nodes += scene.nodes.len();
            }
            Asset::Document(_) => {
                let made = encode(&asset, Encoding::Json, &[], Options::default())
                    .map_err(|error| emit(&error))?;
                let value: serde_json::Value = serde_json::from_slice(&made).unwrap();
                self.not_objects += usize::from(!value.is_object());
                self.documents += 1;
                self.bytes += made.len();
            }
            _ => {}
        }
        Ok(())
    }
}

/// Converts every item. Errors must come from the format.
pub fn convert(
    name: &str,
    bytes: &[u8],
    dependencies: &[Dependency<'_>],
    options: &ConvertOptions,
) -> Discard {
    let mut sink = Discard::default();
    let context = OpenContext::new(sniff(bytes, name), name, bytes);
    let context = context.with_dependencies(dependencies);
    let (opened, listed) = (open(context), open(context.for_its_items()));
    // A listing of the items reads less, and finds the same.
    let (opened, listed) = match (opened, listed) {
        (Ok(opened), Ok(listed)) => (opened, listed),
        (opened, listed) => {
            let fault = opened.err().map(|fault| fault.to_string());
            assert_eq!(fault, listed.err().map(|fault| fault.to_string()), "{name}");
            return sink;
        }
    };
    assert_eq!(opened.deviations(), listed.deviations(), "{name}");
    assert_eq!(opened.items(options), listed.items(options), "{name}");
    for (index, part) in opened.items(options).iter().enumerate() {
        if part.verdict != Disposition::Convert {
            continue;
        }
        match opened.convert(index, options, &mut sink) {
            Ok(_) | Err(ConvertError::Format(_)) => {}
            Err(error) => panic!("{name}, part {index}: {error}"),
        }
    }
    sink
}

/// Pseudorandom numbers, the same in every run.
pub fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

/// Replacements of fields: zeros, ones, signs, not a number, infinity, greatest, small numbers.
pub const WORDS: [[u8; 4]; 9] = [
    [0; 4],
    [0xFF; 4],
    [0, 0, 0, 0x80],
    [0, 0, 0xC0, 0x7F],
    [0, 0, 0x80, 0x7F],
    [0xFF, 0xFF, 0x7F, 0x7F],
    [1, 0, 0, 0],
    [7, 0, 0, 0],
    [31, 1, 0, 0],
];
