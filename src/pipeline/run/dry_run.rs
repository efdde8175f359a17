//! Dry run: paths and hashes of the outputs that a run would write, and the bytes of selected ones.
//!
//! ```
//! use relicast::pipeline::run::dry_run::DryRun;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("detail.zrd"), "( DETAIL 3 )")?;
//! let run = DryRun::plan(folder.path())?;
//! let outputs = run.outputs()?.outputs;
//! let path = outputs[0].path.clone();
//! assert!(run.bytes(&[path.clone()].into())?.contains_key(&path));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::collector::Collector;
use super::file::FileResult;
use super::shared::Shared;
use super::{RunError, discover, thread_pool, work_off};
use crate::pipeline::plan::PlanningError;
use crate::pipeline::plan::inputs::Roots;
use crate::pipeline::plan::planned::Plan;
use crate::pipeline::progress::Unobserved;
use crate::pipeline::report::manifest::ManifestOutput;
use crate::pipeline::report::{Status, Totals};
use crate::pipeline::request::Request;
use crate::pipeline::reuse::state::Previous;

/// Maximum bytes of outputs in memory.
const MAX_BYTES: u64 = 1 << 29;

/// Dry run. Videos are not converted.
#[derive(Debug)]
pub struct DryRun {
    request: Request,
    roots: Roots,
    plan: Plan,
}

/// Outputs that a run would write.
#[derive(Debug, Default)]
pub struct WouldWrite {
    /// The outputs, sorted by path.
    pub outputs: Vec<ManifestOutput>,
    /// Files and members that failed.
    pub failed: u64,
}

impl DryRun {
    /// Plans the run over a folder, disc image or file, with the default settings.
    ///
    /// # Errors
    /// The input does not exist, or holds nothing known.
    pub fn plan(input: &Path) -> Result<Self, RunError> {
        let mut request = Request {
            inputs: vec![input.to_owned()],
            force: true,
            ..Request::default()
        };
        request.config.video.enabled = false;
        let pool = thread_pool(&request.config)?;
        let planned: Result<(Roots, Plan), PlanningError> = pool.install(|| {
            let roots = Roots::resolve(&request, &[])?;
            let tree = roots.list(&request)?;
            let plan = discover(&request, &roots, tree, &[], None, &Unobserved)?;
            Ok((roots, plan))
        });
        let (roots, plan) = planned?;
        Ok(Self {
            request,
            roots,
            plan,
        })
    }

    /// Outputs that the run would write.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn outputs(&self) -> Result<WouldWrite, RunError> {
        let collector = Collector::new(HashSet::new(), 0);
        let results = self.run(None, &collector)?;
        let mut all = WouldWrite::default();
        let totals = Totals::of(results.iter().map(|result| &result.report));
        all.failed = totals.items.get(&Status::Failed).copied().unwrap_or(0);
        all.outputs = results
            .into_iter()
            .flat_map(|result| result.outputs)
            .collect();
        all.outputs.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(all)
    }

    /// Bytes of these outputs, within a memory limit; music of discs is left out.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn bytes(&self, wanted: &HashSet<String>) -> Result<HashMap<String, Vec<u8>>, RunError> {
        let taken: Vec<bool> = self
            .plan
            .files
            .iter()
            .map(|file| {
                let mut outputs = file.items().iter().flat_map(|planned| &planned.outputs);
                outputs.any(|output| wanted.contains(&output.path))
            })
            .collect();
        let collector = Collector::new(wanted.clone(), MAX_BYTES);
        self.run(Some(&taken), &collector)?;
        Ok(collector.take())
    }

    fn run(
        &self,
        taken: Option<&[bool]>,
        collector: &Collector,
    ) -> Result<Vec<FileResult>, RunError> {
        let (previous, cancel) = (Previous::default(), AtomicBool::new(false));
        let shared = Shared {
            collector: Some(collector),
            ..Shared::new(&self.request, &self.plan, &self.roots, &previous, &cancel)
        };
        let pool = thread_pool(&self.request.config)?;
        Ok(pool.install(|| work_off(&self.plan, taken, &shared, &Unobserved)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_file_is_in_memory_once_while_anybody_needs_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("detail.zrd"), "( DETAIL 3 )").unwrap();
        let run = DryRun::plan(folder.path()).unwrap();
        let (previous, cancel) = (Previous::default(), AtomicBool::new(false));
        let shared = Shared::new(&run.request, &run.plan, &run.roots, &previous, &cancel);
        let open = || shared.hashes.open(&run.plan.files[0]).unwrap();
        let (one, other) = (open(), open());
        assert_eq!(&**one, b"( DETAIL 3 )");
        assert!(Arc::ptr_eq(&one, &other));
        let held = Arc::downgrade(&one);
        drop((one, other));
        assert!(held.upgrade().is_none());
        assert_eq!(&**open(), b"( DETAIL 3 )");
    }
}
