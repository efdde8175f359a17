//! Resource archives: a document of the table, and one item per file.

use image::ImageFormat;

use crate::options::ConvertOptions;
use crate::single_value;
use crate::zipper::scene::texture_library::TextureLibrary;
use crate::{
    ConvertError, Converter, Disposition, Encoding, ItemIndex, OpenContext, OutputRole, OutputSpec,
    Sink, SkipReason, SourceItem,
};
use relicast_codec::{Decoded, Deviations, FormatError, latin1};
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::kind::{Kind, skip_reason, sniff_resource};
use relicast_formats::portable;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::livery;
use relicast_formats::zipper::rof::{self, Entry, Rof};
use relicast_limits as limits;
use relicast_scene::{Asset, Document};

use super::census::Census;
use super::resource_document::{Neighbor, ResourceDocument};
use super::{foreign_picture, livery_file, table_text};

/// A resource archive.
#[derive(Debug)]
pub(crate) struct ResourceFile<'a> {
    name: &'a str,
    archive: Rof<'a>,
    /// The entries that have an item: files, and folders that cannot be read.
    listed: Vec<usize>,
    library: TextureLibrary<'a>,
    neighbors: Vec<Neighbor<'a>>,
    deviations: Deviations,
    length: u64,
}

/// The entries of an archive that have an item each, after the item of the archive itself.
pub(super) fn listed(archive: &Rof<'_>) -> Vec<usize> {
    let entries = archive.entries.iter().enumerate();
    entries
        .filter(|(_, entry)| !entry.is_folder() || entry.fault.is_some())
        .map(|(index, _)| index)
        .collect()
}

/// Name of a livery's pattern: that of its folder.
pub(super) fn pattern_of<'r>(archive: &'r Rof<'_>, index: usize) -> Option<&'r str> {
    let parent = archive.entries.get(index)?.parent?;
    Some(&archive.entries.get(parent)?.name)
}

/// Ending of a name in lower case.
fn ending_of(name: &str) -> String {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.unwrap_or_default().to_lowercase()
}

/// The format of a picture that is written as PNG. A file whose contents do not match its ending is copied.
fn becomes_png(entry: &Entry<'_>, ending: &str) -> Option<ImageFormat> {
    let format = foreign_picture::format_of(ending)?;
    let is_other = format == ImageFormat::Tiff
        && entry
            .extract()
            .is_ok_and(|bytes| !portable::is_readable(&bytes.value, format));
    (!is_other).then_some(format)
}

impl<'a> ResourceFile<'a> {
    pub(crate) fn open(context: OpenContext<'a, '_>) -> Result<Self, FormatError> {
        let Decoded {
            value: archive,
            deviations,
        } = rof::decode(context.bytes)?;
        let beside = context.dependencies.iter();
        let neighbors = beside
            .filter(|dependency| dependency.kind == Kind::Rof)
            .filter_map(|dependency| {
                Neighbor::open(dependency.path, dependency.bytes, context.name)
            });
        Ok(Self {
            name: context.name,
            listed: listed(&archive),
            library: TextureLibrary::new(context.dependencies, ZipperGame::CrimsonSkies),
            neighbors: neighbors.collect(),
            archive,
            deviations,
            length: context.bytes.len() as u64,
        })
    }

    /// The pattern of a livery, and its paints.
    fn pattern(&self, index: usize, options: &ConvertOptions) -> Option<(&str, livery::Paints)> {
        let name = pattern_of(&self.archive, index)?;
        Some((name, options.liveries.paints_of(name)?))
    }

    fn item(&self, index: usize, entry: &Entry<'_>, options: &ConvertOptions) -> SourceItem {
        let kind = sniff_resource(entry);
        let ending = ending_of(&entry.name);
        let start = u64::from(entry.record.start).min(self.length);
        let range = start..start.saturating_add(entry.data.len() as u64);
        let output = |role, encoding| OutputSpec { role, encoding };
        let copy = output(OutputRole::Main, Encoding::Copy);
        let (asset, category, wanted) = match (kind, &*ending) {
            (Kind::Livery, _) => {
                let paints = self.pattern(index, options).map(|(_, paints)| paints);
                let wanted = livery_file::outputs(paints, options);
                (AssetKind::Textures, Category::Textures, wanted)
            }
            (Kind::Wave, _) => {
                let item = single_value::item(kind, None, range.clone(), options);
                (item.asset, item.category, item.wanted)
            }
            (_, ending) if becomes_png(entry, ending).is_some() => {
                let wanted = vec![output(OutputRole::Main, Encoding::Png)];
                (AssetKind::Textures, Category::Textures, wanted)
            }
            (_, "png" | "jpg" | "jpeg" | "bmp" | "gif" | "tif" | "tiff") => {
                (AssetKind::Textures, Category::Textures, vec![copy])
            }
            (_, "csv") => {
                let json = output(OutputRole::Facts, Encoding::Json);
                (AssetKind::Scripts, Category::Config, vec![copy, json])
            }
            (_, "script") => (AssetKind::Scripts, Category::Config, vec![copy]),
            _ => (AssetKind::Loose, Category::Loose, vec![copy]),
        };
        let path = self.archive.path(index);
        let folders = path.split_last().map_or(&[][..], |(_, folders)| folders);
        let stem = match entry.name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => &entry.name,
        };
        let verdict = match (&entry.fault, kind) {
            (Some(fault), _) => Disposition::Fail(fault.clone()),
            (None, Kind::Empty) => {
                let reason = skip_reason(kind, None).unwrap_or_default();
                Disposition::Skip(SkipReason::for_kind(kind, reason))
            }
            (None, _) => Disposition::Convert,
        };
        SourceItem {
            asset,
            category,
            folders: folders.iter().map(|&name| name.to_owned()).collect(),
            verdict,
            ..SourceItem::whole(kind, range, wanted)
        }
        .of_member(path.join("/"), stem.to_owned())
    }

    fn convert_file(
        &self,
        index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        let Some(entry) = self.archive.entries.get(index) else {
            return Ok(Deviations::default());
        };
        let Decoded {
            value: bytes,
            mut deviations,
        } = entry.extract()?;
        let ending = ending_of(&entry.name);
        match (sniff_resource(entry), &*ending) {
            (Kind::Livery, _) => {
                let decoded = livery::decode(&bytes)?;
                let pattern = self.pattern(index, options);
                let library = &self.library;
                livery_file::convert(&decoded.value, &entry.name, pattern, library, options, sink)?;
                deviations.absorb("livery", 0, decoded.deviations);
            }
            (Kind::Wave, _) => {
                let found = single_value::convert(Kind::Wave, &entry.name, &bytes, sink)?;
                deviations.absorb("sound", 0, found);
            }
            (_, ending) => {
                if let Some(format) = becomes_png(entry, ending) {
                    let picture = foreign_picture::decode(&bytes, format)?;
                    sink.take(OutputRole::Main, Asset::Image(picture))?;
                    return Ok(deviations);
                }
                if foreign_picture::format_of(ending).is_some() {
                    let found = "other contents; the file was copied unchanged";
                    deviations.push(
                        "picture",
                        0,
                        "a picture in the format of its extension",
                        found,
                    );
                }
                sink.take(OutputRole::Main, Asset::Copy(&bytes))?;
                if ending == "csv" {
                    let table = table_text::document(&latin1(&bytes));
                    sink.take(
                        OutputRole::Facts,
                        Asset::Document(table_text::asset(&table)),
                    )?;
                }
            }
        }
        Ok(deviations)
    }
}

impl Converter for ResourceFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let table = SourceItem::table(Kind::Rof, Category::Textures, 0..self.length, options);
        let files = self.listed.iter().filter_map(|&index| {
            limits::check();
            let entry = self.archive.entries.get(index)?;
            Some(self.item(index, entry, options))
        });
        std::iter::once(table).chain(files).collect()
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
        if let Some(file) = ItemIndex(index).member() {
            return match self.listed.get(file) {
                Some(&entry) => self.convert_file(entry, options, sink),
                None => Ok(Deviations::default()),
            };
        }
        let document = ResourceDocument::new(&self.archive, &self.neighbors);
        sink.take(OutputRole::Main, Asset::Document(Document::new(&document)))?;
        sink.take_raw(|| Document::new(&self.archive))?;
        let census = Census::new(&self.archive, self.length);
        if let Ok(counts) = serde_json::to_value(census) {
            sink.check(counts);
        }
        if let Some(difference) = census.difference(self.name) {
            sink.note(difference);
        }
        Ok(Deviations::default())
    }
}
