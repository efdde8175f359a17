//! Catalog of a converted folder: every asset with its names, facts and relations. `rows` and `details`
//! serialize it as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::asset::{Asset, Setting, Source};
use super::entry::{Entry, entries};
use super::error::GalleryError;
use super::facts::{self, Facts, Places, Tables};
use super::kinds::Mark;
use super::names;
use super::worlds::{World, worlds};
use super::{details, index, page, rows};
use crate::pipeline::progress::{Observer, Stage, Unobserved};
use crate::pipeline::report::converted::Converted;
use crate::pipeline::report::manifest::InputNumber;

/// Assets per list chunk.
const LIST_CHUNK: usize = 4000;

/// Assets per detail chunk.
const DETAIL_CHUNK: usize = 200;

/// Maximum number of relations listed for one asset.
const MAX_RELATIONS: usize = 2000;

/// Catalog of a converted folder.
#[derive(Debug)]
pub struct Catalog {
    assets: Vec<Asset>,
    worlds: Vec<World>,
    sources: Vec<Source>,
    page: page::Page,
    here: details::Here,
    program: String,
    complete: bool,
}

impl Catalog {
    /// Reads a converted folder.
    ///
    /// # Errors
    /// Manifest or report cannot be read.
    pub fn of_folder(out: &Path) -> Result<Self, GalleryError> {
        Ok(Self::new(&Converted::open(out)?, &Unobserved))
    }

    pub(super) fn new(converted: &Converted, observer: &dyn Observer) -> Self {
        let mut entries = entries(converted);
        // Converted and unchanged items make the same assets.
        for entry in &mut entries {
            entry.status = entry.status.settled();
        }
        let places = Places::new(&entries);
        let tables = Tables::read(converted, &entries);
        let count = entries.len() as u64;
        let stage = Stage::start(observer, "read outputs", count, count);
        let known: Vec<Facts> = (entries.par_iter().enumerate())
            .map(|(own, entry)| {
                stage.item(entry.name(), 1, || {
                    facts::facts(converted, entry, own, &places, &tables)
                })
            })
            .collect();
        stage.finish();
        let names = names::names(converted, &entries);
        let (worlds, world_of) = worlds(&entries);
        let (sources, source_of) = sources(&entries);
        let mut used_by: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
        for (own, facts) in known.iter().enumerate() {
            for &other in &facts.mentions {
                if let Some(users) = used_by.get_mut(other)
                    && users.len() < MAX_RELATIONS
                {
                    users.push(own);
                }
            }
        }
        let page = page::Page::new(converted, &entries, &names);
        let context = details::Context::new(converted);
        let rest = known.into_iter().zip(names).zip(used_by).enumerate();
        let assets = entries
            .iter()
            .zip(rest)
            .map(|(entry, (own, ((facts, names), used_by)))| {
                let numbers = rows::Numbers {
                    world: world_of.get(own).copied().flatten(),
                    source: source_of.get(own).copied().flatten(),
                };
                let uses = facts.mentions.iter().copied().take(MAX_RELATIONS);
                let world = numbers.world.and_then(|number| worlds.get(number));
                Asset {
                    uses: uses.collect(),
                    used_by,
                    row: rows::row(entry, &facts, &names, world, numbers),
                    detail: details::detail(&context, entry, facts, &names),
                }
            });
        Self {
            assets: assets.collect(),
            worlds,
            sources,
            page,
            here: details::Here::new(converted),
            program: format!("relicast {}", crate::pipeline::report::manifest::CONVERTER),
            complete: converted.manifest.complete,
        }
    }

    /// Number of assets.
    pub fn len(&self) -> usize {
        self.assets.len()
    }

    /// Returns true if there are no assets.
    pub fn is_empty(&self) -> bool {
        self.assets.is_empty()
    }

    pub(super) fn page(&self) -> &page::Page {
        &self.page
    }

    /// Names of all files of the catalog, relative to its folder `data`.
    pub(super) fn files(&self) -> Vec<String> {
        let chunks = |name: &str, size: usize| -> Vec<String> {
            let count = self.assets.len().div_ceil(size);
            (0..count)
                .map(|number| format!("{name}/{number}.json"))
                .collect()
        };
        let mut files = vec!["index.json".to_owned(), "report.json".to_owned()];
        files.extend(chunks("list", LIST_CHUNK));
        files.extend(chunks("detail", DETAIL_CHUNK));
        files
    }

    /// File of the catalog for an environment.
    pub(super) fn file(
        &self,
        name: &str,
        setting: Setting<'_>,
    ) -> Result<Option<Vec<u8>>, GalleryError> {
        let chunk = |folder: &str, size: usize| {
            let digits = name.strip_prefix(folder)?.strip_suffix(".json")?;
            let number: usize = digits.parse().ok()?;
            // Each chunk has only one valid name.
            let start = number
                .checked_mul(size)
                .filter(|_| number.to_string() == digits)?;
            let end = start.saturating_add(size).min(self.assets.len());
            Some((
                start,
                self.assets
                    .get(start..end)
                    .filter(|them| !them.is_empty())?,
            ))
        };
        Ok(match name {
            "index.json" => Some(serde_json::to_vec(&self.index(setting))?),
            "report.json" => Some(serde_json::to_vec(&self.page.value(setting.is_served))?),
            _ => {
                if let Some((first, assets)) = chunk("list/", LIST_CHUNK) {
                    Some(serde_json::to_vec(&rows::chunk(first, assets))?)
                } else if let Some((first, assets)) = chunk("detail/", DETAIL_CHUNK) {
                    let here = Some(&self.here).filter(|_| setting.is_served);
                    let text = details::chunk(first, assets, &self.assets, here)?;
                    Some(text.into_bytes())
                } else {
                    None
                }
            }
        })
    }

    fn index<'s>(&'s self, setting: Setting<'s>) -> index::Index<'s> {
        let mut marks = [0_usize; Mark::ALL.len()];
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut games = BTreeMap::new();
        let mut kinds = BTreeMap::new();
        let mut in_world = vec![0_usize; self.worlds.len()];
        for asset in &self.assets {
            let row = &asset.row;
            for ((mark, ..), count) in Mark::ALL.iter().zip(&mut marks) {
                *count += usize::from(row.marks & mark.bit() != 0);
            }
            *counts.entry(row.status.label().to_owned()).or_default() += 1;
            *games.entry(row.game).or_insert(0) += usize::from(row.game.is_some());
            *kinds.entry(row.kind).or_insert(0) += 1;
            if let Some(count) = row.world.and_then(|world| in_world.get_mut(world)) {
                *count += 1;
            }
        }
        index::Index::new(index::Parts {
            program: &self.program,
            setting,
            complete: self.complete,
            assets: self.assets.len(),
            chunks: [LIST_CHUNK, DETAIL_CHUNK],
            games,
            kinds,
            worlds: self.worlds.iter().zip(in_world).collect(),
            sources: &self.sources,
            marks,
            counts,
        })
    }
}

/// Sources with members, in order, and for each asset the index of its source.
fn sources(entries: &[Entry<'_>]) -> (Vec<Source>, Vec<Option<usize>>) {
    let with_members: BTreeSet<(InputNumber, &str)> = (entries.iter())
        .filter(|entry| entry.member.is_some())
        .map(|entry| (entry.input, entry.source))
        .collect();
    let numbers: BTreeMap<_, _> = (with_members.into_iter().enumerate())
        .map(|(number, place)| (place, number))
        .collect();
    let mut sources: Vec<Source> = (numbers.keys())
        .map(|(_, path)| Source {
            path: (*path).to_owned(),
            game: None,
            count: 0,
            asset: None,
        })
        .collect();
    let mut of = Vec::with_capacity(entries.len());
    for (own, entry) in entries.iter().enumerate() {
        let number = numbers.get(&(entry.input, entry.source)).copied();
        of.push(number);
        if let Some(source) = number.and_then(|number| sources.get_mut(number)) {
            source.count += 1;
            source.game = source.game.or(entry.game);
            if entry.member.is_none() && entry.main().is_some() {
                source.asset.get_or_insert(own);
            }
        }
    }
    (sources, of)
}
