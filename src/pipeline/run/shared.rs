//! What all worker threads of a run share, and what they count.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::collector::Collector;
use super::open_dependencies::Hashes;
use super::stage_clock::StageClock;
use super::video::Videos;
use crate::config::{Config, KindDigests};
use crate::pipeline::output::destination::Destination;
use crate::pipeline::plan::inputs::Roots;
use crate::pipeline::reuse::state::Previous;
use relicast_convert::SharedWork;
use relicast_formats::asset::AssetKind;

/// What all worker threads of a run share.
pub(in crate::pipeline) struct Shared<'a> {
    pub(in crate::pipeline) config: &'a Config,
    pub(in crate::pipeline) digests: KindDigests<'a>,
    pub(in crate::pipeline) roots: &'a Roots,
    pub(in crate::pipeline) hashes: Hashes<'a>,
    /// What converters of several files need.
    pub(in crate::pipeline) work: SharedWork,
    pub(in crate::pipeline) previous: &'a Previous,
    pub(in crate::pipeline) destination: Option<&'a Destination<'a>>,
    /// Takes outputs of a run that writes none.
    pub(in crate::pipeline) collector: Option<&'a Collector>,
    pub(in crate::pipeline) out: &'a Path,
    pub(in crate::pipeline) clock: StageClock,
    pub(in crate::pipeline) videos: Videos<'a>,
    pub(in crate::pipeline) cancel: &'a AtomicBool,
    pub(in crate::pipeline) force: bool,
    /// The run is a shard of one.
    pub(in crate::pipeline) is_shard: bool,
}

/// Work that was done for one item.
#[derive(Debug, Clone, Copy)]
pub(in crate::pipeline) struct ItemWork {
    pub(in crate::pipeline) asset: AssetKind,
    pub(in crate::pipeline) source_bytes: u64,
    pub(in crate::pipeline) output_bytes: u64,
    pub(in crate::pipeline) seconds: f64,
}
