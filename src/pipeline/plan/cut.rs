//! Splits a plan into independent shards: outputs depend on sources only, so any machine can make any of them.
//!
//! Files that depend on one another stay together while their group is no larger than a fair share. A larger
//! group (all worlds of a game use the same textures) is split into units that share work: the archives of a
//! zone, an image and its sheet. Its files are then read by several shards and converted by one. The split
//! depends only on the plan, so that every machine computes the same.
//!
//! ```
//! use relicast::pipeline::plan::cut::shards;
//! use relicast::pipeline::progress::Unobserved;
//! use relicast::pipeline::request::Request;
//! use relicast::pipeline::run::plan_only;
//! use relicast::pipeline::shard::By;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("detail.zrd"), "( DETAIL 3 )")?;
//! std::fs::write(folder.path().join("more.zrd"), "( MORE 4 )")?;
//! let request = Request { inputs: vec![folder.path().to_owned()], ..Request::default() };
//! let plan = plan_only(&request, &Unobserved)?;
//! let cut = shards(&plan, 2, By::Work);
//! assert_eq!(cut.shards.iter().map(|shard| shard.sources.len()).sum::<usize>(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::planned::{FilePlan, Plan, PlannedFile};
use super::work;
use crate::pipeline::run::open_dependencies::handed;
use crate::pipeline::shard::{By, Shard};
use relicast_convert::{Disposition, Needs};
use relicast_formats::kind::Kind;
use relicast_source::location::Location;
use relicast_source::tree::SourceFile;

/// Source bytes to list, read and hash for one unit of work.
const BYTES_READ: u64 = 4;

/// Work for any file.
const EACH_FILE: u64 = 1_000;

/// A plan split into shards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShardedPlan {
    /// Digest of the plan, which the shards' reports repeat.
    pub plan: String,
    /// Quantity to balance.
    pub by: By,
    /// Number of files in the plan.
    pub files: u64,
    /// Total bytes of the files.
    pub bytes: u64,
    /// Estimated work; one unit is about the cost of copying one byte.
    pub work: u64,
    /// The shards.
    pub shards: Vec<PlannedShard>,
}

/// Shard of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PlannedShard {
    /// Value for `convert --shard`.
    pub shard: String,
    /// Bytes of the sources it converts.
    pub bytes: u64,
    /// Estimated work.
    pub work: u64,
    /// Number of items it converts.
    pub items: u64,
    /// Number of outputs it makes.
    pub outputs: u64,
    /// Bytes of its largest file with all dependencies, which one worker has open at once.
    pub open_bytes: u64,
    /// Sources it converts or reports on, by path.
    pub sources: Vec<String>,
    /// Sources of other shards that it reads, by path.
    pub reads: Vec<String>,
}

/// Disjoint sets of files, each represented by its first file.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn first(&self, index: usize) -> usize {
        let mut index = index;
        while let Some(&outer) = self.0.get(index) {
            if outer == index {
                break;
            }
            index = outer;
        }
        index
    }

    fn unite(&mut self, one: usize, other: usize) {
        let first = self.first(one).min(self.first(other));
        // Path compression keeps lookups fast.
        for index in [self.first(one), self.first(other), one, other] {
            if let Some(place) = self.0.get_mut(index) {
                *place = first;
            }
        }
    }
}

/// Units of files that share work: archives of a zone, a disc image with its sheet, the volumes of a cabinet.
fn units(plan: &Plan) -> Sets {
    let mut sets = Sets::new(plan.files.len());
    let mut images: HashMap<&Path, usize> = HashMap::new();
    let mut cabinets: HashMap<*const (), usize> = HashMap::new();
    for (index, file) in plan.files.iter().enumerate() {
        if file.kind == Kind::Pfs {
            for other in handed(file, Needs::Zone, plan) {
                sets.unite(index, other);
            }
        }
        match &file.source.location {
            Location::Disc(disc) => {
                for path in disc.files.iter().filter_map(|file| file.path.as_deref()) {
                    let first = *images.entry(path).or_insert(index);
                    sets.unite(index, first);
                }
            }
            Location::ImagePart(path, _) => {
                let first = *images.entry(path).or_insert(index);
                sets.unite(index, first);
            }
            Location::Container(container, _) | Location::ContainerPart(container, ..) => {
                let key = Arc::as_ptr(container).cast::<()>();
                let first = *cabinets.entry(key).or_insert(index);
                sets.unite(index, first);
            }
            Location::File(_)
            | Location::DiscFile(..)
            | Location::Member(..)
            | Location::Special(..) => {}
        }
    }
    sets
}

/// Groups of units that depend on one another.
fn groups(plan: &Plan, units: &Sets) -> Sets {
    let mut sets = Sets(units.0.clone());
    for (index, file) in plan.files.iter().enumerate() {
        for &dependency in &file.dependencies {
            if dependency < plan.files.len() {
                sets.unite(index, dependency);
            }
        }
    }
    sets
}

/// Estimated work of a file.
fn work_of(file: &PlannedFile) -> u64 {
    let read = file.source.size / BYTES_READ;
    let items = file.items().iter().map(work::estimate);
    items
        .fold(read, u64::saturating_add)
        .saturating_add(EACH_FILE)
}

fn weight(file: &PlannedFile, by: By) -> u64 {
    match by {
        By::Work => work_of(file),
        By::Size => file.source.size.saturating_add(1),
    }
}

/// Shard number of each file.
pub(in crate::pipeline) fn cut(plan: &Plan, of: u32, by: By) -> Vec<u32> {
    let weights: Vec<u64> = plan.files.iter().map(|file| weight(file, by)).collect();
    let total = weights.iter().copied().fold(0, u64::saturating_add);
    let fair = total.div_ceil(u64::from(of.max(1)));
    let units = units(plan);
    let groups = groups(plan, &units);
    let mut sums: HashMap<usize, u64> = HashMap::new();
    for (index, &weight) in weights.iter().enumerate() {
        let sum = sums.entry(groups.first(index)).or_default();
        *sum = sum.saturating_add(weight);
    }
    let is_large = |group: usize| sums.get(&group).is_some_and(|&sum| sum > fair);
    let pieces: Vec<(bool, usize)> = (0..plan.files.len())
        .map(|index| match groups.first(index) {
            group if is_large(group) => (true, units.first(index)),
            group => (false, group),
        })
        .collect();
    let mut sizes: HashMap<(bool, usize), u64> = HashMap::new();
    for (&piece, &weight) in pieces.iter().zip(&weights) {
        let size = sizes.entry(piece).or_default();
        *size = size.saturating_add(weight);
    }
    let mut order: Vec<((bool, usize), u64)> = sizes.into_iter().collect();
    order.sort_unstable_by_key(|&((_, first), size)| (Reverse(size), first));
    let mut loads: BinaryHeap<Reverse<(u64, u32)>> =
        (1..=of.max(1)).map(|number| Reverse((0, number))).collect();
    let mut dealt: HashMap<(bool, usize), u32> = HashMap::new();
    for (piece, size) in order {
        let Some(Reverse((load, number))) = loads.pop() else {
            break;
        };
        dealt.insert(piece, number);
        loads.push(Reverse((load.saturating_add(size), number)));
    }
    let numbers = pieces.iter().map(|piece| dealt.get(piece).copied());
    numbers.map(|number| number.unwrap_or(1)).collect()
}

/// Returns which files of a plan belong to a shard.
pub(in crate::pipeline) fn taken(plan: &Plan, shard: Shard) -> Vec<bool> {
    let numbers = cut(plan, shard.of, shard.by).into_iter();
    numbers.map(|number| number == shard.number).collect()
}

/// Splits a plan into shards.
pub fn shards(plan: &Plan, of: u32, by: By) -> ShardedPlan {
    let numbers = cut(plan, of, by);
    let mut cut = ShardedPlan {
        plan: digest(plan),
        by,
        files: plan.files.len() as u64,
        bytes: plan.files.iter().map(|file| file.source.size).sum(),
        work: 0,
        shards: (1..=of)
            .map(|number| PlannedShard {
                shard: Shard { number, of, by }.to_string(),
                ..PlannedShard::default()
            })
            .collect(),
    };
    let mut reads: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); cut.shards.len()];
    for (file, &number) in plan.files.iter().zip(&numbers) {
        let place = number.saturating_sub(1) as usize;
        let (Some(shard), Some(reads)) = (cut.shards.get_mut(place), reads.get_mut(place)) else {
            continue;
        };
        let converted =
            |planned: &&super::planned::PlannedItem| planned.item.verdict == Disposition::Convert;
        let items = || file.items().iter().filter(converted);
        let work = work_of(file);
        shard.bytes = shard.bytes.saturating_add(file.source.size);
        shard.work = shard.work.saturating_add(work);
        cut.work = cut.work.saturating_add(work);
        shard.items += items().count() as u64;
        shard.outputs += items()
            .map(|planned| planned.outputs.len() as u64)
            .sum::<u64>();
        shard.sources.push(file.source.path.clone());
        if items().next().is_none() {
            continue;
        }
        let others = file.dependencies.iter();
        let sizes = others.clone().filter_map(|&index| plan.files.get(index));
        let open = sizes.map(|file| file.source.size).sum::<u64>();
        shard.open_bytes = shard.open_bytes.max(open.saturating_add(file.source.size));
        reads.extend(others.filter(|&&index| numbers.get(index) != Some(&number)));
    }
    for (shard, reads) in cut.shards.iter_mut().zip(reads) {
        let files = reads.into_iter().filter_map(|index| plan.files.get(index));
        shard.reads = files.map(|file| file.source.path.clone()).collect();
    }
    cut
}

/// Digest of a plan: its files, and the outputs and paths of each.
pub(in crate::pipeline) fn digest(plan: &Plan) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut field = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for file in &plan.files {
        field(&file.source.path);
        field(&file.source.size.to_string());
        field(file.kind.label());
        match &file.plan {
            FilePlan::Skip(reason) => field(&format!("skip: {reason}")),
            FilePlan::Fail(_) => field("fail"),
            FilePlan::Items { items, .. } => {
                for planned in items {
                    match &planned.item.verdict {
                        Disposition::Convert => field("convert"),
                        Disposition::Skip(reason) => field(&format!("skip: {reason}")),
                        Disposition::Fail(_) => field("fail"),
                    }
                    field(planned.item.member.as_deref().unwrap_or_default());
                    planned
                        .outputs
                        .iter()
                        .for_each(|output| field(&output.path));
                }
            }
        }
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}

/// Digest of the names, sizes and times of files.
pub(in crate::pipeline) fn digest_of_files<'f>(
    files: impl Iterator<Item = &'f SourceFile>,
) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        hasher.update(&(file.path.len() as u64).to_le_bytes());
        hasher.update(file.path.as_bytes());
        hasher.update(&file.size.to_le_bytes());
        hasher.update(&file.modified.to_le_bytes());
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}
