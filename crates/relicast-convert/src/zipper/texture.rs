//! Texture packages: one picture per image, and a document of the facts that a PNG cannot store.
//!
//! ```
//! use relicast_convert::options::Textures;
//! use relicast_convert::zipper::texture::picture;
//! use relicast_codec::Deviations;
//! use relicast_formats::zipper::texture::package::{Directory, Image};
//!
//! // An image without texels is refused, with the place of its size.
//! let (image, directory) = (Image::default(), Directory::default());
//! let error = picture(&image, &directory, 0, &Textures::default(), &mut Deviations::default());
//! assert!(error.is_err());
//! ```

use crate::documents::DocumentForm;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::font::{self, Font};
use crate::options::{AlphaPlane, ConvertOptions, Palette, Textures};
use crate::shared::stems::unique_stems;
use crate::{
    ConvertError, Converter, Disposition, Encoding, ItemIndex, OutputRole, OutputSpec, Sink,
    SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError};
use relicast_formats::asset::Category;
use relicast_formats::kind::Kind;
use relicast_formats::zipper::texture::color::Rgb565;
use relicast_formats::zipper::texture::package::{
    self, Alpha, Directory, Image, ImageFlags, decode_directory, decode_image, overlaps,
};
use relicast_scene::{self as scene, Asset, Document, Pixels};

/// Stem of the package with the pictures of the interface.
const INTERFACE: &str = "rimage";

/// A texture package.
#[derive(Debug)]
pub(crate) struct PackageFile<'a> {
    bytes: &'a [u8],
    directory: Directory,
    /// One per row: the reason that its image is not available.
    faults: Vec<Option<FormatError>>,
    /// True if it holds the pictures of the interface, and so perhaps fonts.
    has_fonts: bool,
    /// Fonts by row.
    fonts: OnceLock<BTreeMap<usize, Font>>,
    deviations: Deviations,
}

impl<'a> PackageFile<'a> {
    pub(crate) fn open(name: &str, bytes: &'a [u8]) -> Result<Self, FormatError> {
        let Decoded {
            value,
            mut deviations,
        } = decode_directory(bytes)?;
        package::check_end(bytes, &value, &mut deviations);
        Ok(Self {
            bytes,
            faults: overlaps(bytes, &value),
            directory: value,
            has_fonts: name.to_lowercase().split('.').next() == Some(INTERFACE),
            fonts: OnceLock::new(),
            deviations,
        })
    }

    /// The fonts among the pictures.
    fn fonts(&self) -> &BTreeMap<usize, Font> {
        self.fonts.get_or_init(|| {
            let rows = 0..self.directory.rows.len();
            let rows = rows.filter(|_| self.has_fonts);
            rows.filter_map(|row| Some((row, self.font(row)?)))
                .collect()
        })
    }

    fn font(&self, row: usize) -> Option<Font> {
        // Most pictures are excluded by their size.
        let start = usize::try_from(self.directory.rows.get(row)?.start).ok()?;
        let size = |at: usize| {
            let from = start.checked_add(at)?;
            let bytes = self.bytes.get(from..from.checked_add(2)?)?;
            Some(u16::from_le_bytes(bytes.try_into().ok()?))
        };
        if !font::may_be(size(4)?, size(6)?) {
            return None;
        }
        let image = self.image(row).ok()?.value;
        let colors = palette(&image, &self.directory, row);
        if image.header.palette_count > 0 && colors.is_none() {
            return None;
        }
        Font::new(&image, colors)
    }

    fn names(&self) -> Vec<String> {
        let rows = self.directory.rows.iter();
        rows.map(|row| row.name.text()).collect()
    }

    /// The image of a row.
    fn image(&self, row: usize) -> Result<Decoded<Image<'a>>, FormatError> {
        match self.faults.get(row) {
            Some(Some(fault)) => Err(fault.clone()),
            _ => decode_image(self.bytes, &self.directory, row),
        }
    }

    /// End of the bytes of image `index`, from the start of the next image.
    fn end_of(&self, index: usize) -> u64 {
        let next = self.directory.rows.get(index + 1);
        let next = next.map_or(self.bytes.len() as u64, |row| u64::from(row.start));
        next.min(self.bytes.len() as u64)
    }
}

impl Converter for PackageFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let names = self.names();
        let stems = unique_stems(&names);
        let first = self.directory.rows.first().map_or(0, |row| row.start);
        let table = 0..u64::from(first).min(self.bytes.len() as u64);
        let category = Category::Textures;
        let mut items = vec![SourceItem::table(Kind::Textures, category, table, options)];
        for (row, (name, stem)) in names.into_iter().zip(stems).enumerate() {
            let start = self.directory.rows.get(row).map_or(0, |row| row.start);
            let start = u64::from(start).min(self.bytes.len() as u64);
            let mut wanted = vec![OutputSpec {
                role: OutputRole::Main,
                encoding: Encoding::Png,
            }];
            if options.textures.alpha_plane == AlphaPlane::Separate {
                wanted.push(OutputSpec {
                    role: OutputRole::AlphaPlane,
                    encoding: Encoding::Png,
                });
            }
            if self.fonts().contains_key(&row) {
                wanted.push(OutputSpec {
                    role: OutputRole::Font,
                    encoding: Encoding::Json,
                });
            }
            wanted.extend(OutputSpec::raw(options));
            let range = start..self.end_of(row).max(start);
            let mut item = SourceItem::whole(Kind::Textures, range, wanted).of_member(name, stem);
            if let Some(Some(fault)) = self.faults.get(row) {
                item.verdict = Disposition::Fail(fault.clone());
            }
            items.push(item);
        }
        items
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Some(row) = ItemIndex(index).member() else {
            sink.take(
                OutputRole::Main,
                Asset::Document(Document::new(PackageDocument::new(self))),
            )?;
            sink.take_raw(|| Document::new(&self.directory))?;
            return Ok(Deviations::default());
        };
        let Decoded {
            value: image,
            mut deviations,
        } = self.image(row)?;
        let picture = picture(
            &image,
            &self.directory,
            row,
            &options.textures,
            &mut deviations,
        )?;
        sink.take(OutputRole::Main, Asset::Image(picture))?;
        if let (true, Some(plane)) = (sink.wants(OutputRole::AlphaPlane), &image.alpha) {
            let plane = scene::Image {
                width: u32::from(image.header.width),
                height: u32::from(image.header.height),
                pixels: Pixels::Gray(plane.0.as_ref().into()),
            };
            sink.take(OutputRole::AlphaPlane, Asset::Image(plane))?;
        }
        if let Some(font) = self.fonts().get(&row) {
            let name = self.directory.rows.get(row).map(|row| row.name.text());
            let name = name.unwrap_or_default();
            let path = sink.path_of(ItemIndex::of_member(row)).unwrap_or_default();
            let page = match path.rsplit('/').next() {
                Some(page) if !page.is_empty() => page.to_owned(),
                _ => format!("{name}.png"),
            };
            let document = font.document(&name, &page);
            sink.take(OutputRole::Font, Asset::Document(Document::new(&document)))?;
        }
        sink.take_raw(|| Document::new(&image))?;
        Ok(deviations)
    }
}

/// The colors of a palettized image, exactly `palette_count` of them; `None` for direct color.
pub fn palette<'a>(
    image: &'a Image<'_>,
    directory: &'a Directory,
    row: usize,
) -> Option<&'a [Rgb565]> {
    let count = usize::from(image.header.palette_count);
    if count == 0 {
        return None;
    }
    let colors = if image.header.flags.contains(ImageFlags::GLOBAL_PALETTE) {
        let index = directory.rows.get(row)?.palette_index;
        directory.palettes.get(usize::try_from(index).ok()?)?
    } else {
        &image.palette
    };
    Some(colors.get(..count).unwrap_or(colors))
}

/// The picture of an image: exact colors, alpha by its rule, rows as stored (top first).
///
/// # Errors
/// The image has no texels, or its palette does not exist.
pub fn picture<'a>(
    image: &'a Image<'_>,
    directory: &Directory,
    row: usize,
    options: &Textures,
    deviations: &mut Deviations,
) -> Result<scene::Image<'a>, FormatError> {
    let header = &image.header;
    let start = directory.rows.get(row).map_or(0, |row| row.start) as usize;
    if image.texel_count() == 0 {
        return Err(FormatError::malformed(
            "width",
            start.saturating_add(4),
            "a picture of at least 1 × 1",
            format_args!("{} × {}", header.width, header.height),
        ));
    }
    let merged = match options.alpha_plane {
        AlphaPlane::Merge => image.alpha.as_deref(),
        AlphaPlane::Separate => None,
    };
    let keyed = image.alpha_kind() == Alpha::Simple;
    let pixels = match palette(image, directory, row) {
        Some(colors) => {
            check_indices(image, colors.len(), start, deviations);
            let colors: Vec<[u8; 4]> = colors.iter().map(|&word| rgba(word, keyed)).collect();
            let keep = options.palette == Palette::Keep
                || (options.alpha_plane == AlphaPlane::Separate && image.alpha.is_some());
            let in_range = deviations
                .described()
                .iter()
                .all(|deviation| deviation.field != "texels");
            if keep && merged.is_none() && in_range && colors.len() <= 256 {
                Pixels::Indexed {
                    indices: image.texels.0.as_ref().into(),
                    palette: colors,
                }
            } else {
                let lookup = |&index: &u8| {
                    let color = colors.get(usize::from(index));
                    color.copied().unwrap_or([0, 0, 0, 255])
                };
                true_color(image.texels.iter().map(lookup), merged, keyed)
            }
        }
        None if header.palette_count > 0 => {
            return Err(FormatError::malformed(
                "palette",
                start,
                "a palette",
                "none for an image of indices",
            ));
        }
        None => direct_color(&image.texels, merged, keyed),
    };
    let mut picture = scene::Image {
        width: u32::from(header.width),
        height: u32::from(header.height),
        pixels,
    };
    if keyed && options.dilate {
        picture.dilate_transparent();
    }
    Ok(picture)
}

fn rgba(word: Rgb565, keyed: bool) -> [u8; 4] {
    let [red, green, blue] = word.to_rgb8();
    let clear = keyed && word == Rgb565::KEY;
    [red, green, blue, if clear { 0 } else { 255 }]
}

fn true_color(
    colors: impl Iterator<Item = [u8; 4]>,
    plane: Option<&[u8]>,
    keyed: bool,
) -> Pixels<'static> {
    match plane {
        Some(plane) => Pixels::Rgba(
            colors
                .zip(plane)
                .flat_map(|([red, green, blue, _], &alpha)| [red, green, blue, alpha])
                .collect(),
        ),
        None if keyed => Pixels::Rgba(colors.flatten().collect()),
        None => Pixels::Rgb(
            colors
                .flat_map(|[red, green, blue, _]| [red, green, blue])
                .collect(),
        ),
    }
}

/// All 65,536 colors, widened once, because a look-up is faster than computing each texel.
static WIDENED: std::sync::LazyLock<Vec<[u8; 3]>> =
    std::sync::LazyLock::new(|| (0..=u16::MAX).map(|word| Rgb565(word).to_rgb8()).collect());

fn direct_color(texels: &[u8], plane: Option<&[u8]>, keyed: bool) -> Pixels<'static> {
    let table = &*WIDENED;
    let words = texels
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let count = texels.len() / 2;
    match plane {
        None if !keyed => {
            let mut out = vec![0; count * 3];
            for (texel, word) in out.chunks_exact_mut(3).zip(words) {
                texel.copy_from_slice(&table[usize::from(word)]);
            }
            Pixels::Rgb(out)
        }
        plane => {
            let mut out = vec![0; count * 4];
            for (texel, word) in out.chunks_exact_mut(4).zip(words) {
                let [red, green, blue] = table[usize::from(word)];
                let alpha = if keyed && word == 0 { 0 } else { 255 };
                texel.copy_from_slice(&[red, green, blue, alpha]);
            }
            for (texel, &alpha) in out.chunks_exact_mut(4).zip(plane.unwrap_or_default()) {
                texel[3] = alpha;
            }
            Pixels::Rgba(out)
        }
    }
}

/// Reports the first texel whose index is past the palette; such texels are drawn black.
fn check_indices(image: &Image<'_>, colors: usize, start: usize, deviations: &mut Deviations) {
    if colors >= 256 {
        return;
    }
    let stray = image
        .texels
        .iter()
        .position(|&index| usize::from(index) >= colors);
    if let Some(texel) = stray {
        deviations.push(
            "texels",
            start
                .saturating_add(package::ImageHeader::SIZE)
                .saturating_add(texel),
            format_args!("indices below {colors}"),
            format_args!("{} at texel {texel}", image.texels[texel]),
        );
    }
}

/// Facts of a package that its pictures cannot store.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PackageDocument {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    global_palettes: Vec<PaletteData>,
    texture_infos: Vec<TextureInfo>,
    /// Runs of pictures in alphabetical order. Recoil's packages are sorted by the full path of the source in lower
    /// case, so that each run is from a different folder (zStudio, from the files).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    source_runs: Vec<SourceRun>,
}

/// Pictures in alphabetical order.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SourceRun {
    /// Number of the first one, from 0.
    first: usize,
    count: usize,
}

/// Minimum average number of pictures in a run; shorter runs mean that there is no order.
const SHORTEST_RUN: usize = 4;

/// The runs of names in alphabetical order; none where there is only one run, or no order.
fn source_runs(names: &[String]) -> Vec<SourceRun> {
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let drops = lower
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[1] < pair[0]);
    let mut starts: Vec<usize> = std::iter::once(0)
        .chain(drops.map(|(at, _)| at + 1))
        .collect();
    if starts.len() < 2 || starts.len() * SHORTEST_RUN > names.len() {
        return Vec::new();
    }
    starts.push(names.len());
    let runs = starts.windows(2);
    runs.map(|pair| SourceRun {
        first: pair[0],
        count: pair[1] - pair[0],
    })
    .collect()
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PaletteData {
    /// Base64 of red, green, blue triples.
    data: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TextureInfo {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rename: Option<String>,
    #[serde(flatten)]
    image: ImageInfo,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum ImageInfo {
    Facts(ImageFacts),
    Damaged { error: String },
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ImageFacts {
    width: u16,
    height: u16,
    alpha: Alpha,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_rule: Option<&'static str>,
    /// The stored halfword.
    stretch: u16,
    edge_mode: EdgeMode,
    image_loaded: bool,
    alpha_loaded: bool,
    palette_loaded: bool,
    palette: PaletteInfo,
}

/// Engine evidence (Recoil) for the stretch halfword; bits above 1 have no known meaning.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EdgeMode {
    u: &'static str,
    v: &'static str,
}

impl EdgeMode {
    fn new(stretch: u16) -> Self {
        let mode = |bit: u16| match stretch & bit {
            0 => "repeat",
            _ => "clamp",
        };
        Self {
            u: mode(1),
            v: mode(2),
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum PaletteInfo {
    None,
    Local { data: String },
    Global { index: i32, count: u16 },
}

fn palette_data(colors: &[Rgb565]) -> String {
    let bytes: Vec<u8> = colors.iter().flat_map(|word| word.to_rgb8()).collect();
    STANDARD.encode(bytes)
}

impl PackageDocument {
    fn new(package: &PackageFile<'_>) -> Self {
        let names = package.names();
        let stems = unique_stems(&names);
        let source_runs = source_runs(&names);
        let texture_infos = names.into_iter().zip(stems).enumerate();
        Self {
            source_runs,
            global_palettes: package
                .directory
                .palettes
                .iter()
                .map(|colors| PaletteData {
                    data: palette_data(colors),
                })
                .collect(),
            texture_infos: texture_infos
                .map(|(row, (name, stem))| TextureInfo {
                    rename: (stem != name).then_some(stem),
                    image: ImageInfo::new(package, row),
                    name,
                })
                .collect(),
        }
    }
}

impl ImageInfo {
    fn new(package: &PackageFile<'_>, row: usize) -> Self {
        let image = match package.image(row) {
            Ok(decoded) => decoded.value,
            Err(error) => {
                return Self::Damaged {
                    error: error.to_string(),
                };
            }
        };
        let header = &image.header;
        let alpha = image.alpha_kind();
        let palettised = header.palette_count > 0;
        Self::Facts(ImageFacts {
            width: header.width,
            height: header.height,
            alpha,
            alpha_rule: (alpha == Alpha::Simple && palettised)
                .then_some("palette color 0x0000 is transparent (single-sourced)"),
            stretch: header.stretch,
            edge_mode: EdgeMode::new(header.stretch),
            image_loaded: header.flags.contains(ImageFlags::IMAGE_LOADED),
            alpha_loaded: header.flags.contains(ImageFlags::ALPHA_LOADED),
            palette_loaded: header.flags.contains(ImageFlags::PALETTE_LOADED),
            palette: if !palettised {
                PaletteInfo::None
            } else if header.flags.contains(ImageFlags::GLOBAL_PALETTE) {
                let row = package.directory.rows.get(row);
                PaletteInfo::Global {
                    index: row.map_or(-1, |row| row.palette_index),
                    count: header.palette_count,
                }
            } else {
                PaletteInfo::Local {
                    data: palette_data(&image.palette),
                }
            },
        })
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[DocumentForm::of::<PackageDocument>(
    "texture-package",
    "A package of textures: a row for each",
)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_in_alphabetical_order_starts_a_folder() {
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let runs = source_runs(&names("bark cliff Grass rock Apron door floor wall"));
        let expected = [(0, 4), (4, 4)].map(|(first, count)| SourceRun { first, count });
        assert_eq!(runs, expected);
        // One folder, and no order.
        assert_eq!(source_runs(&names("a b c d e f g h")), []);
        assert_eq!(source_runs(&names("b a d c f e h g")), []);
    }
}
