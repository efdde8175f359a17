//! State and counters shared by all worker threads of a run.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::collector::Collector;
use super::open_dependencies::Hashes;
use super::stage_clock::StageClock;
use super::video::Videos;
use crate::config::{Config, KindDigests};
use crate::pipeline::output::destination::Destination;
use crate::pipeline::plan::inputs::Roots;
use crate::pipeline::plan::planned::Plan;
use crate::pipeline::request::Request;
use crate::pipeline::reuse::state::Previous;
use relicast_convert::SharedWork;
use relicast_formats::asset::AssetKind;

/// State shared by all worker threads of a run.
pub(in crate::pipeline) struct Shared<'a> {
    pub(in crate::pipeline) config: &'a Config,
    pub(in crate::pipeline) digests: KindDigests<'a>,
    pub(in crate::pipeline) roots: &'a Roots,
    pub(in crate::pipeline) hashes: Hashes<'a>,
    /// Data that converters of several files need.
    pub(in crate::pipeline) work: SharedWork,
    pub(in crate::pipeline) previous: &'a Previous,
    pub(in crate::pipeline) destination: Option<&'a Destination<'a>>,
    /// Collects outputs in a dry run.
    pub(in crate::pipeline) collector: Option<&'a Collector>,
    pub(in crate::pipeline) out: &'a Path,
    pub(in crate::pipeline) clock: StageClock,
    pub(in crate::pipeline) videos: Videos<'a>,
    pub(in crate::pipeline) cancel: &'a AtomicBool,
    pub(in crate::pipeline) force: bool,
    /// True if the run is a shard.
    pub(in crate::pipeline) is_shard: bool,
}

impl<'a> Shared<'a> {
    /// State for a run of `plan` that writes nothing and shares no work yet.
    pub(in crate::pipeline) fn new(
        request: &'a Request,
        plan: &'a Plan,
        roots: &'a Roots,
        previous: &'a Previous,
        cancel: &'a AtomicBool,
    ) -> Self {
        let config = &request.config;
        Self {
            config,
            digests: KindDigests::new(config),
            roots,
            hashes: Hashes::new(plan, previous, config, roots, request.force),
            work: SharedWork::default(),
            previous,
            destination: None,
            collector: None,
            out: &request.out,
            clock: StageClock::default(),
            videos: Videos::new(&config.video, cancel),
            cancel,
            force: request.force,
            is_shard: request.shard.is_some(),
        }
    }
}

/// Work done for one item.
#[derive(Debug, Clone, Copy)]
pub(in crate::pipeline) struct ItemWork {
    pub(in crate::pipeline) asset: AssetKind,
    pub(in crate::pipeline) source_bytes: u64,
    pub(in crate::pipeline) output_bytes: u64,
    pub(in crate::pipeline) seconds: f64,
}
