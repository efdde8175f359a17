//! Provenance of outputs in the manifest.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use smallvec::SmallVec;

use super::manifest::{CabinetPiece, CabinetPlace, DiscPlace, Manifest, ManifestSource, Packing};
use crate::pipeline::plan::planned::{PlannedFile, PlannedItem};
use crate::pipeline::run::open_dependencies::{self, Hashes};
use relicast_convert::{self as convert, Needs};
use relicast_formats::descriptor::Members;
use relicast_source::disc::Disc;
use relicast_source::location::Location;

/// Sources that items of a file with these needs are made from: the file itself, its dependencies, and the disc
/// image that contains them.
pub(in crate::pipeline) fn origins(
    file: &PlannedFile,
    needs: Needs,
    hashes: &Hashes<'_>,
) -> Arc<[ManifestSource]> {
    let dependencies = open_dependencies::handed(file, needs, hashes.plan);
    let dependencies = dependencies
        .into_iter()
        .filter_map(|index| hashes.plan.files.get(index));
    let around = around(&file.source.location, hashes);
    let mut known = HashSet::new();
    let all = std::iter::once(file).chain(around).chain(dependencies);
    all.filter(|file| known.insert(&file.source.path))
        .filter_map(|file| row(file, hashes))
        .collect()
}

/// Sources that contain a location: the files of cabinets, and those of the disc image.
fn around<'x>(location: &'x Location, hashes: &'x Hashes<'_>) -> Vec<&'x PlannedFile> {
    let mut found = Vec::new();
    let mut location = location;
    loop {
        if let Some(disc) = location.disc_around() {
            let files = disc.files.iter().filter_map(|file| file.path.as_deref());
            found.extend(files.filter_map(|path| source_at(path, hashes)));
            found.extend(hashes.sheet_of(disc));
        }
        let (Location::Member(container, _) | Location::Container(container, _)) = location else {
            return found;
        };
        let volumes = container.volumes.iter();
        // Files next to the cabinet are members themselves.
        let volumes = volumes.filter(|volume| !volume.beside);
        let sources: Vec<_> = volumes
            .filter_map(|volume| hashes.at(&volume.path))
            .collect();
        found.extend(&sources);
        // A cabinet is located where its first file is.
        location = match sources.first().map(|source| &source.source.location) {
            Some(Location::Container(_, place) | Location::ContainerPart(.., place)) => place,
            _ => return found,
        };
    }
}

/// Position of a source in its cabinet.
pub(in crate::pipeline) fn cabinet_place(file: &PlannedFile) -> Option<CabinetPlace> {
    let Location::Member(container, index) = &file.source.location else {
        return None;
    };
    let member = container.members.get(*index)?;
    let pieces = member.places.iter().filter_map(|place| {
        Some(CabinetPiece {
            volume: container.volumes.get(place.volume)?.path.clone(),
            offset: place.offset,
            length: place.length,
        })
    });
    Some(CabinetPlace {
        cabinet: container.path.clone(),
        index: member.index,
        groups: member.groups.clone(),
        packing: member.packing().to_owned(),
        pieces: pieces.collect(),
    })
}

/// Row of a source in the manifest; `None` if it cannot be read.
pub(in crate::pipeline) fn row(file: &PlannedFile, hashes: &Hashes<'_>) -> Option<ManifestSource> {
    let blake3 = hashes.of_file(file, None)?;
    Some(ManifestSource {
        input: hashes.roots.of(&file.source.path),
        path: file.source.path.clone(),
        size: file.source.size,
        blake3,
    })
}

/// Source that is the file of a disc image at `path`: part of a disc with a sheet, or an image without one.
fn source_at<'a>(path: &Path, hashes: &Hashes<'a>) -> Option<&'a PlannedFile> {
    hashes.plan.files.get(hashes.image_at(path)?)
}

/// Compression of the bytes of an item in its file.
pub(in crate::pipeline) fn packing(file: &PlannedFile, planned: &PlannedItem) -> Packing {
    match (file.kind.format().members, &planned.item.member) {
        (Members::Deflated, Some(_)) => Packing::Zlib,
        (Members::None | Members::Stored | Members::Deflated, _) => Packing::None,
    }
}

/// Position on a disc where the bytes of an item start.
pub(in crate::pipeline) fn disc_place(
    file: &PlannedFile,
    planned: &PlannedItem,
    hashes: &Hashes<'_>,
) -> Option<DiscPlace> {
    let (disc, place): (&Disc, _) = match &file.source.location {
        Location::Disc(disc) => {
            let pregap = hashes.config.music.pregap;
            let track = convert::track_of(disc, &planned.item)?;
            (disc, disc.place_of_samples(track, pregap)?)
        }
        Location::DiscFile(disc, number) => {
            (disc, disc.place_in_file(*number, planned.item.range.start)?)
        }
        _ => return None,
    };
    let image = disc.files.get(place.file)?.path.as_deref()?;
    Some(DiscPlace {
        image: source_at(image, hashes)?.source.path.clone(),
        track: disc.layout.tracks.get(place.track)?.number,
        sector: place.sector,
        offset: place.offset,
        sector_bytes: place.sector_bytes,
        data_bytes: place.data_bytes,
    })
}

impl Manifest {
    /// Sorts the sources, adds sources of preserved outputs of earlier runs, and sets the source indices of
    /// outputs.
    pub(in crate::pipeline) fn link(&mut self) {
        // Grouped by the list, because outputs of one file share it.
        let mut lists: HashMap<usize, Arc<[ManifestSource]>> = HashMap::new();
        let mut last = None;
        for list in self.outputs.iter().map(|output| &output.origins) {
            let place = list.as_ptr().addr();
            if last.replace(place) != Some(place) {
                lists.entry(place).or_insert_with(|| list.clone());
            }
        }
        let mut known: HashSet<ManifestSource> = self.sources.drain(..).collect();
        for list in lists.values() {
            known.extend(list.iter().cloned());
        }
        self.sources.extend(known);
        let order = |source: &ManifestSource| {
            let path = source.path.clone();
            (path, source.input, source.blake3.clone())
        };
        self.sources.sort_by_cached_key(order);
        let places: HashMap<&ManifestSource, u32> = self.sources.iter().zip(0..).collect();
        let numbers: HashMap<usize, SmallVec<[u32; 4]>> = lists
            .iter()
            .map(|(&place, list)| {
                let numbers = list.iter().filter_map(|source| places.get(source));
                (place, numbers.copied().collect())
            })
            .collect();
        self.outputs.par_iter_mut().for_each(|output| {
            let numbers = numbers.get(&output.origins.as_ptr().addr());
            output.made_from = numbers.cloned().unwrap_or_default();
        });
    }

    /// Resolves the source indices of outputs. Invalid indices are ignored, because the file may have been
    /// edited.
    pub(in crate::pipeline) fn unlink(&mut self) {
        let mut lists: HashMap<SmallVec<[u32; 4]>, Arc<[ManifestSource]>> = HashMap::new();
        for output in &mut self.outputs {
            let numbers = std::mem::take(&mut output.made_from);
            let list = lists.entry(numbers).or_insert_with_key(|numbers| {
                let sources = numbers.iter();
                let sources = sources.filter_map(|&number| self.sources.get(number as usize));
                sources.cloned().collect()
            });
            output.origins = list.clone();
        }
    }
}
