//! Pictures looked up in texture packages.

use std::collections::BTreeMap;

use crate::config::{Config, Scenes};
use crate::convert::Companion;
use crate::convert::zipper::texture::picture;
use crate::formats::codec::{Decoded, Deviations, FormatError};
use crate::formats::kind::Kind;
use crate::formats::zipper::texture::package::{
    Directory, Image, decode_directory, decode_image, overlaps,
};
use crate::scene::model::AlphaMode;
use crate::scene::{self, Pictures};

use super::alpha;

/// Shortest part of a name that stands for the whole when the name may have been cut.
const SHORTEST_CUT: usize = 18;

/// A texture package with the paths that its pictures are written to.
#[derive(Debug)]
struct Pack<'a> {
    path: &'a str,
    bytes: &'a [u8],
    directory: Directory,
    faults: Vec<Option<FormatError>>,
    outputs: &'a [Option<String>],
    /// The first row of each name, lower case.
    rows: BTreeMap<String, usize>,
}

impl<'a> Pack<'a> {
    fn open(companion: &Companion<'a>) -> Option<Self> {
        let directory = decode_directory(companion.bytes).ok()?.value;
        let mut rows = BTreeMap::new();
        for (index, row) in directory.rows.iter().enumerate() {
            rows.entry(row.name.text().to_lowercase()).or_insert(index);
        }
        Some(Self {
            path: companion.path,
            bytes: companion.bytes,
            faults: overlaps(companion.bytes, &directory),
            directory,
            outputs: companion.outputs,
            rows,
        })
    }

    /// The image of a row, if there is a picture of it.
    fn image(&self, row: usize) -> Option<Decoded<Image<'a>>> {
        if self.faults.get(row)?.is_some() {
            return None;
        }
        let image = decode_image(self.bytes, &self.directory, row).ok()?;
        (image.value.texel_count() > 0).then_some(image)
    }

    /// Where the picture of a row is. The package itself is its first part.
    fn output(&self, row: usize) -> Option<&'a str> {
        self.outputs.get(row.checked_add(1)?)?.as_deref()
    }
}

/// The packages that a file may take its pictures from, best first.
#[derive(Debug, Default)]
pub(in crate::convert) struct Library<'a> {
    packs: Vec<Pack<'a>>,
    /// Package and row of each path.
    by_output: BTreeMap<&'a str, (usize, usize)>,
}

/// A picture that was found.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::convert) struct Found<'a> {
    /// Its name in the package.
    pub name: String,
    /// Path of its PNG below the output folder.
    pub key: &'a str,
    /// Path of its package.
    pub source: &'a str,
    /// The stored edge mode: bit 0 clamps U, bit 1 clamps V.
    pub edge_mode: u16,
    /// How its alpha is to be used.
    pub alpha: AlphaMode,
    /// Smaller pictures of the same thing that the artists made, never worn by a surface.
    pub smaller: Vec<String>,
}

/// The part of a stored name that counts: up to the first period, without letter case.
pub(in crate::convert) fn key_of(name: &str) -> String {
    let stem = name.split('.').next().unwrap_or_default();
    stem.to_lowercase()
}

impl<'a> Library<'a> {
    /// Opens the texture packages among the companions of a file.
    pub(in crate::convert) fn new(companions: &[Companion<'a>]) -> Self {
        let packs: Vec<Pack<'a>> = companions
            .iter()
            .filter(|companion| companion.kind == Kind::Textures)
            .filter_map(Pack::open)
            .collect();
        let mut by_output = BTreeMap::new();
        for (place, pack) in packs.iter().enumerate() {
            for row in 0..pack.directory.rows.len() {
                if let Some(output) = pack.output(row) {
                    by_output.entry(output).or_insert((place, row));
                }
            }
        }
        Self { packs, by_output }
    }

    /// The same with the settings that pictures are made by.
    pub(in crate::convert) fn view<'l>(&'l self, config: &'l Config) -> View<'l, 'a> {
        View {
            library: self,
            config,
        }
    }

    /// The picture of a stored name: of the first package that has it, else of the first in which just
    /// one name continues a name that may have been cut.
    pub(super) fn find(&self, name: &str, options: &Scenes) -> Option<Found<'a>> {
        let key = key_of(name);
        let exact = |pack: &Pack<'a>| pack.rows.get(&key).copied();
        let continued = |pack: &Pack<'a>| {
            let mut rows = pack
                .rows
                .range(key.clone()..)
                .take_while(|(name, _)| name.starts_with(&key));
            let (_, &row) = rows.next()?;
            rows.next().is_none().then_some(row)
        };
        let search = |row_in: &dyn Fn(&Pack<'a>) -> Option<usize>| {
            let mut packs = self.packs.iter();
            packs.find_map(|pack| pack.found(row_in(pack)?, options))
        };
        search(&exact).or_else(|| match key.len() >= SHORTEST_CUT {
            true => search(&continued),
            false => None,
        })
    }
}

impl Library<'_> {
    /// Whether a package has a picture of just this name, in lower case.
    pub(in crate::convert) fn has(&self, name: &str) -> bool {
        self.packs.iter().any(|pack| pack.has(name))
    }

    /// Whether the package that a picture is taken from has the other one too.
    pub(in crate::convert) fn are_siblings(&self, name: &str, other: &str) -> bool {
        let mut packs = self.packs.iter();
        let home = packs.find(|pack| pack.has(name));
        home.is_some_and(|pack| pack.has(other))
    }
}

impl<'a> Pack<'a> {
    fn has(&self, name: &str) -> bool {
        let row = self.rows.get(name).copied();
        row.is_some_and(|row| self.output(row).is_some() && self.image(row).is_some())
    }

    fn found(&self, row: usize, options: &Scenes) -> Option<Found<'a>> {
        let key = self.output(row)?;
        let image = self.image(row)?.value;
        let name = self.directory.rows.get(row)?.name.text();
        let lower = name.to_lowercase();
        let smaller = ["_1", "_2"].iter().zip([2, 4]);
        let smaller = smaller.filter_map(|(suffix, factor)| {
            let row = *self.rows.get(&format!("{lower}{suffix}"))?;
            let small = self.image(row)?.value.header;
            let fits = u32::from(small.width) * factor == u32::from(image.header.width)
                && u32::from(small.height) * factor == u32::from(image.header.height);
            fits.then(|| self.output(row).map(str::to_owned))?
        });
        Some(Found {
            key,
            source: self.path,
            edge_mode: image.header.stretch,
            alpha: alpha::mode(&image, &lower, options),
            smaller: smaller.collect(),
            name,
        })
    }
}

/// A library with the settings that pictures are made by.
#[derive(Debug, Clone, Copy)]
pub(in crate::convert) struct View<'l, 'a> {
    pub(super) library: &'l Library<'a>,
    pub(super) config: &'l Config,
}

impl Pictures for View<'_, '_> {
    fn picture(&self, key: &str) -> Option<scene::Image<'_>> {
        let &(place, row) = self.library.by_output.get(key)?;
        let pack = self.library.packs.get(place)?;
        let image = pack.image(row)?.value;
        let mut deviations = Deviations::default();
        let made = picture(
            &image,
            &pack.directory,
            row,
            &self.config.textures,
            &mut deviations,
        );
        made.ok().map(scene::Image::into_owned)
    }
}
