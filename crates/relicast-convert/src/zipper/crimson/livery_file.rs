//! The pictures of a livery: its planes, and the skin in the paints of its pattern.

use crate::documents::DocumentForm;
use serde::Serialize;

use crate::options::ConvertOptions;
use crate::zipper::scene::texture_library::TextureLibrary;
use crate::{ConvertError, Converter, Encoding, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::{Decoded, Deviations};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::livery::{self, Livery, Paints, Rule};
use relicast_formats::zipper::paint::replaced_texture;
use relicast_scene::{Asset, Document, Image, Pictures, Pixels};

/// A livery in a separate file. Its name does not show its pattern.
#[derive(Debug)]
pub(crate) struct LiveryFile<'a> {
    name: &'a str,
    bytes: &'a [u8],
    deviations: Deviations,
}

impl<'a> LiveryFile<'a> {
    pub(crate) fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name,
            bytes,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for LiveryFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let range = 0..self.bytes.len() as u64;
        vec![SourceItem::whole(
            Kind::Livery,
            range,
            outputs(None, options),
        )]
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
        let Decoded { value, deviations } = livery::decode(self.bytes)?;
        let library = TextureLibrary::default();
        convert(&value, self.name, None, &library, options, sink)?;
        Ok(deviations)
    }
}

/// The outputs of a livery; `paints` are those of its pattern, if it is known.
pub(super) fn outputs(paints: Option<Paints>, options: &ConvertOptions) -> Vec<OutputSpec> {
    let png = |role| OutputSpec {
        role,
        encoding: Encoding::Png,
    };
    let mut wanted: Vec<OutputSpec> = paints
        .map(|_| png(OutputRole::Main))
        .into_iter()
        .chain([OutputRole::Base, OutputRole::Mask, OutputRole::Overlay].map(png))
        .collect();
    wanted.push(OutputSpec {
        role: OutputRole::Facts,
        encoding: Encoding::Json,
    });
    wanted.extend(OutputSpec::raw(options));
    wanted
}

/// Facts about a livery, apart from its pictures.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Facts {
    width: u16,
    height: u16,
    /// Start of the name: the airframe.
    airframe: String,
    /// Rest of the name: the part of it.
    part: String,
    /// The texture that it replaces.
    replaces: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paints: Option<Paints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    /// Bytes after the planes.
    #[serde(skip_serializing_if = "is_zero")]
    trailing: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Emits the pictures of a livery in a file called `name`. `pattern` is its name and its paints.
pub(super) fn convert(
    livery: &Livery<'_>,
    name: &str,
    pattern: Option<(&str, Paints)>,
    library: &TextureLibrary<'_>,
    options: &ConvertOptions,
    sink: &mut dyn Sink,
) -> Result<(), ConvertError> {
    let (width, height) = (u32::from(livery.width), u32::from(livery.height));
    let rgb = |texels| Image {
        width,
        height,
        pixels: Pixels::Rgb(texels),
    };
    if let Some((_, paints)) = pattern
        && sink.wants(OutputRole::Main)
    {
        let (painted, fault) = painted(livery, name, paints, library, options);
        fault.into_iter().for_each(|fault| sink.note(fault));
        sink.take(OutputRole::Main, Asset::Image(painted))?;
    }
    sink.take(OutputRole::Base, Asset::Image(rgb(livery.base_picture())))?;
    sink.take(OutputRole::Mask, Asset::Image(rgb(livery.mask_picture())))?;
    let overlay = Image {
        width,
        height,
        pixels: Pixels::Rgba(livery.overlay_picture()),
    };
    sink.take(OutputRole::Overlay, Asset::Image(overlay))?;
    let stem = name.split('.').next().unwrap_or_default();
    let (airframe, part) = stem.split_once('_').unwrap_or((stem, ""));
    let facts = Facts {
        width: livery.width,
        height: livery.height,
        airframe: airframe.to_owned(),
        part: part.to_owned(),
        replaces: replaced_texture(name),
        pattern: pattern.map(|(pattern, _)| pattern.to_owned()),
        paints: pattern.map(|(_, paints)| paints),
        rule: pattern.map(|_| options.liveries.rule),
        trailing: livery.trailing.len(),
    };
    sink.take(OutputRole::Facts, Asset::Document(Document::new(&facts)))?;
    sink.take_raw(|| Document::new(livery))
}

/// A painted livery, and unusual findings about it. The alpha of the replaced texture is preserved when both have
/// the same size.
pub(super) fn painted(
    livery: &Livery<'_>,
    name: &str,
    paints: Paints,
    library: &TextureLibrary<'_>,
    options: &ConvertOptions,
) -> (Image<'static>, Option<String>) {
    let texels = livery.painted(options.liveries.rule, paints);
    let (width, height) = (u32::from(livery.width), u32::from(livery.height));
    let replaced = replaced_texture(name);
    let found = library.find(&replaced, &options.scenes);
    let fault = found
        .as_ref()
        .filter(|found| found.size != (width, height))
        .map(|found| {
            let (across, down) = found.size;
            format!("{name} has {width} × {height} texels, the replaced texture {across} × {down}; its alpha was not used")
        });
    let below = found.and_then(|found| {
        let view = library.view(options);
        let picture = view.picture(&found.key)?;
        Some(picture.into_owned())
    });
    let pixels = match below.map(|below: Image<'static>| (below.width, below.height, below.pixels))
    {
        Some((across, down, Pixels::Rgba(below))) if (across, down) == (width, height) => {
            let alphas = below.as_chunks::<4>().0.iter();
            let colors = texels.as_chunks::<3>().0.iter();
            let joined = colors.zip(alphas);
            Pixels::Rgba(
                joined
                    .flat_map(|(&[r, g, b], &[.., alpha])| [r, g, b, alpha])
                    .collect(),
            )
        }
        _ => Pixels::Rgb(texels),
    };
    let painted = Image {
        width,
        height,
        pixels,
    };
    (painted, fault)
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<Facts>(
    "livery",
    "A livery: airframe, part, pattern, paints",
)];
