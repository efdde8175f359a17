//! What all worker threads of a run share, and what they count.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::collector::Collector;
use super::destination::Destination;
use super::inputs::Roots;
use super::open_dependencies::Hashes;
use super::stage_clock::StageClock;
use super::state::Previous;
use super::video::Videos;
use crate::config::{Config, KindDigests};
use relicast_convert::SharedWork;
use relicast_formats::asset::AssetKind;

/// What all worker threads of a run share.
pub(super) struct Shared<'a> {
    pub(super) config: &'a Config,
    pub(super) digests: KindDigests<'a>,
    pub(super) roots: &'a Roots,
    pub(super) hashes: Hashes<'a>,
    /// What converters of several files need.
    pub(super) work: SharedWork,
    pub(super) previous: &'a Previous,
    pub(super) destination: Option<&'a Destination<'a>>,
    /// Takes outputs of a run that writes none.
    pub(super) collector: Option<&'a Collector>,
    pub(super) out: &'a Path,
    pub(super) clock: StageClock,
    pub(super) videos: Videos<'a>,
    pub(super) cancel: &'a AtomicBool,
    pub(super) force: bool,
    /// The run is a shard of one.
    pub(super) is_shard: bool,
}

/// Work that was done for one item.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemWork {
    pub(super) asset: AssetKind,
    pub(super) source_bytes: u64,
    pub(super) output_bytes: u64,
    pub(super) seconds: f64,
}
