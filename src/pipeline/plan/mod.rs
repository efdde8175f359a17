//! Plan: everything that will happen, known before anything happens. It lists each source file and member with
//! its kind, outputs and dependencies. Progress, dry runs, incremental runs and the report read it.
//!
//! - `probe` — the first look at each file; `planned` — the items of a plan; `item_paths` — their names;
//!   [`paths`] — output paths: sanitized, unique, stable.
//! - `inputs` — the inputs that share an output folder, and how each is recognized; `select` — the user's
//!   selection; [`install_guard`] — detects game installs at destinations.
//! - `order` — order of conversion; `work` — estimated work of each item.
//! - [`cut`] — splits a plan into shards for `relicast plan`.

pub mod cut;
pub(crate) mod inputs;
pub mod install_guard;
mod item_paths;
pub(in crate::pipeline) mod order;
pub mod paths;
pub(crate) mod planned;
mod probe;
mod select;
pub(in crate::pipeline) mod work;

use relicast_codec::quantity::{counted, thousands};
use std::path::PathBuf;

use rayon::prelude::*;

use crate::config::{Config, NameStyle, ProjectKind};
use crate::pipeline::output::folder::check_depth;
use crate::pipeline::progress::Stage;
use crate::pipeline::request::Request;
use item_paths::{NamedItem, assign_paths, name_items};
use paths::PathAllocator;
use planned::{FilePlan, Plan, PlanError, PlannedFile};
use probe::{Probe, known, loose_pictures, probe_all};
use relicast_codec::Deviations;
use relicast_convert::{
    self as convert, Dependency, DependencySource, OpenContext, SharedWork, SkipCode, SkipReason,
    SourceItem,
};
use relicast_formats::asset::Game;
use relicast_formats::everquest::model_list::{self, ListedArchive};
use relicast_formats::kind::{Kind, NO_CONVERTER, skip_reason};
use relicast_formats::known_names;
use relicast_limits::{self as limits, spending};
use relicast_source::bytes::FileBytes;
use relicast_source::disc::Disc;
use relicast_source::install::Detection;
use relicast_source::known::table as known_files;
use relicast_source::location::Location;
use relicast_source::tree::{Selection, SourceFile, Tree};
use select::select;

/// Maximum size of a text that can be a list of archives.
const MAX_LIST_BYTES: u64 = 1 << 20;

/// Error of planning.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanningError {
    /// An input cannot be read.
    #[error("cannot read input {0}")]
    Input(#[from] std::io::Error),
    /// The output folder is or contains an input.
    #[error(
        "the output folder {out} {} the input {input}: outputs would mix with the originals; choose a folder \
         next to it or inside it",
        if *same { "is" } else { "contains" }
    )]
    OutAboveInput {
        /// The output folder.
        out: PathBuf,
        /// The input.
        input: PathBuf,
        /// True if the output folder is the input itself.
        same: bool,
    },
    /// An input is an output folder of this program.
    #[error(
        "{} is an output folder of relicast, not a game; give the install or disc image that it was \
         converted from (`relicast serve {}` shows what is in it)",
        .0.display(),
        .0.display()
    )]
    OutputFolder(PathBuf),
    /// An input is a file that other programs unpack.
    #[error("{} is {what}, which relicast does not read; {advice}", input.display())]
    Packed {
        /// The input.
        input: PathBuf,
        /// Its format.
        what: &'static str,
        /// Advice to get at its contents.
        advice: String,
    },
    /// A glob is malformed.
    #[error("malformed glob: {0}")]
    Glob(#[from] globset::Error),
    /// The user's globs match nothing.
    #[error(
        "nothing in {inputs} matches {globs} ({} searched, with their members); correct --only, or the include and exclude settings",
        counted(*files, "file", "files")
    )]
    NotSelected {
        /// The inputs.
        inputs: String,
        /// Number of files searched.
        files: usize,
        /// The globs.
        globs: String,
    },
    /// The user named a game, and none of the files belongs to it.
    #[error(
        "no {game} files in {inputs}: searched {} for {}; leave out --game to detect the game",
        counted(*files, "file", "files"),
        game.wanted()
    )]
    WrongGame {
        /// The game.
        game: Game,
        /// The inputs.
        inputs: String,
        /// Number of files searched.
        files: usize,
    },
    /// The inputs contain no known files.
    #[error(
        "nothing to convert in {inputs}: {}; relicast converts {}; give the folder of the game",
        no_known(*files),
        known_names::list()
    )]
    Nothing {
        /// The inputs.
        inputs: String,
        /// Number of files searched.
        files: usize,
    },
}

/// Message that none of the files is known.
fn no_known(files: usize) -> String {
    match files {
        0 => "there are no files".to_owned(),
        1 => "the file is of no known kind".to_owned(),
        files => format!(
            "none of {} files is of a known kind",
            thousands(files as u64)
        ),
    }
}

/// Plans the files of `tree`, whose paths begin with one of `prefixes`. Outputs avoid the `owned` paths.
/// Results that converters can use later in the run are stored in `shared_work`. `stage` tracks the progress by
/// files.
///
/// # Errors
/// A glob is malformed, no known file was found, or nothing matches the selection.
pub(super) fn plan(
    request: &Request,
    prefixes: &[String],
    tree: Tree,
    owned: &[String],
    shared_work: Option<&SharedWork>,
    stage: &Stage<'_>,
) -> Result<Plan, PlanningError> {
    let config = &request.config;
    let run = &config.run;
    let selection = Selection::new(&run.include, &request.only, &run.exclude)?;
    let selection = selection.below(prefixes.to_vec());
    let inputs = request
        .inputs
        .iter()
        .map(|input| input.display().to_string());
    let inputs = inputs.collect::<Vec<_>>().join(", ");
    let count = tree.files.len();
    if config.discs.check {
        let discs = tree.files.iter().filter_map(|file| file.location.disc());
        discs.for_each(Disc::examine);
    }
    // The run needs the table of known files: it is parsed in parallel with the files.
    let probe = || probe_all(&tree.files, config, shared_work, stage);
    let (probes, _) = rayon::join(probe, known_files);
    check_probes(&probes, run.game.forced(), &inputs)?;
    let evidence = probes.iter().filter_map(|probe| probe.evidence.clone());
    let detection = Detection::new(evidence.collect(), run.game.forced());
    let probes = loose_pictures(&tree.files, probes, &detection, config);
    let mut paths = PathAllocator::around(owned);
    let probed = tree.files.into_iter().zip(probes);
    let mut files = planned_files(probed, &detection, run.names, &mut paths);
    find_dependencies(&mut files, config);
    plan_missions(&mut files, config, &mut paths);
    if !select(&mut files, &selection, config, request.no_needs) {
        let globs = run.include.iter().chain(&request.only);
        let globs: Vec<&str> = globs.map(|glob| &**glob).collect();
        return Err(PlanningError::NotSelected {
            inputs,
            files: count,
            globs: globs.join(", "),
        });
    }
    Ok(Plan {
        files,
        detection,
        faults: tree.faults,
        evaded: paths.has_evaded(),
        stamps: tree.stamps,
    })
}

/// Refuses inputs without known files, or without files of the chosen game.
fn check_probes(probes: &[Probe], game: Option<Game>, inputs: &str) -> Result<(), PlanningError> {
    if !probes.iter().any(known) {
        return Err(PlanningError::Nothing {
            inputs: inputs.to_owned(),
            files: probes.len(),
        });
    }
    let Some(game) = game else {
        return Ok(());
    };
    let mut answers = probes
        .iter()
        .filter_map(|probe| probe.kind.may_be_of(game))
        .peekable();
    if answers.peek().is_some() && !answers.any(|answer| answer) {
        return Err(PlanningError::WrongGame {
            game,
            inputs: inputs.to_owned(),
            files: probes.len(),
        });
    }
    Ok(())
}

/// Plans all files, without their dependencies. Paths are assigned serially; meanwhile the items of the next
/// file are named.
fn planned_files(
    probed: impl Iterator<Item = (SourceFile, Probe)>,
    detection: &Detection,
    style: NameStyle,
    paths: &mut PathAllocator,
) -> Vec<PlannedFile> {
    let mut probed = probed;
    let mut files = Vec::with_capacity(probed.size_hint().0);
    let mut named = probed.next().map(|next| NamedFile::new(next, style));
    while let Some(file) = named.take() {
        let next = probed.next();
        let (given, next) = rayon::join(
            || file.planned(detection, paths),
            || next.map(|next| NamedFile::new(next, style)),
        );
        files.push(given);
        named = next;
    }
    files
}

/// File with named items that have no paths yet.
struct NamedFile {
    source: SourceFile,
    kind: Kind,
    opened: Result<Option<(Vec<NamedItem>, Deviations)>, PlanError>,
}

impl NamedFile {
    fn new((mut source, probe): (SourceFile, Probe), style: NameStyle) -> Self {
        source.damage = probe.damage;
        if let Err(error) = check_depth(&source.path) {
            return Self {
                opened: Err(PlanError::Read(error)),
                kind: probe.kind,
                source,
            };
        }
        let name = |(items, deviations)| {
            let named = name_items(&source, items, style, ProjectKind::None);
            (named, deviations)
        };
        Self {
            opened: probe.opened.map(|opened| opened.map(name)),
            kind: probe.kind,
            source,
        }
    }

    /// Plan of the file, without its dependencies.
    fn planned(self, detection: &Detection, paths: &mut PathAllocator) -> PlannedFile {
        let Self {
            source,
            kind,
            opened,
        } = self;
        let plan = match opened {
            Err(error) => FilePlan::Fail(error),
            Ok(None) => FilePlan::Skip(reason_to_skip(&source, kind)),
            Ok(Some((named, deviations))) => FilePlan::Items {
                items: assign_paths(named, paths),
                deviations,
            },
        };
        let mut medium = match &source.location {
            Location::DiscFile(disc, number) => disc.bad_sectors(*number),
            Location::Member(container, number) => container.member_deviations(*number),
            _ => Deviations::default(),
        };
        if let Some(damage) = source.damage {
            medium.push("transfer", 0, "a file as the game has it", damage);
        }
        PlannedFile {
            kind,
            plan,
            game: detection.game(&source.path),
            medium,
            source,
            dependencies: Vec::new(),
        }
    }
}

/// Reason why a whole file is skipped.
fn reason_to_skip(source: &SourceFile, kind: Kind) -> SkipReason {
    let reason = skip_reason(kind, source.extension().as_deref());
    let reason = reason.unwrap_or(NO_CONVERTER);
    match &source.location {
        Location::ImagePart(_, disc) => {
            SkipReason::new(SkipCode::PartOfOther, format!("{reason}: {disc}"))
        }
        Location::Special(_, what) => {
            let text = match what.starts_with("a link") {
                true => (*what).to_owned(),
                false => format!("{what}, not a file"),
            };
            SkipReason::new(SkipCode::NotAFile, text)
        }
        Location::ContainerPart(_, 0, _) => {
            SkipReason::new(SkipCode::PartOfOther, "the installer's own files")
        }
        Location::ContainerPart(container, ..) => SkipReason::new(
            SkipCode::PartOfOther,
            format!("{reason}: {}", container.path),
        ),
        Location::File(_)
        | Location::DiscFile(..)
        | Location::Disc(_)
        | Location::Container(..)
        | Location::Member(..) => SkipReason::for_kind(kind, reason),
    }
}

/// Archives that a file lists; empty for files that are not such a list.
fn listed_archives(file: &PlannedFile) -> Vec<ListedArchive> {
    let name = file.source.path.to_lowercase();
    if model_list::zone_of(&name).is_none() || file.source.size > MAX_LIST_BYTES {
        return Vec::new();
    }
    match file.source.open() {
        Ok(bytes) => model_list::archives(&bytes),
        Err(_) => Vec::new(),
    }
}

fn find_dependencies(files: &mut [PlannedFile], config: &Config) {
    let lists: Vec<Vec<ListedArchive>> = files.iter().map(listed_archives).collect();
    let facts: Vec<DependencySource<'_>> = files
        .iter()
        .zip(&lists)
        .map(|(file, listed)| {
            let items: Vec<&SourceItem> =
                file.items().iter().map(|planned| &planned.item).collect();
            DependencySource {
                path: &file.source.path,
                content: convert::dependency_kind(file.kind, &items),
                listed,
            }
        })
        .collect();
    let needed = convert::dependencies(&facts, &config.options());
    for (file, dependencies) in files.iter_mut().zip(needed) {
        file.dependencies = dependencies;
    }
}

/// Adds items that depend on other files: for a world, one for each mission.
fn plan_missions(files: &mut [PlannedFile], config: &Config, paths: &mut PathAllocator) {
    if !config.worlds.placements {
        return;
    }
    let found: Vec<Vec<SourceItem>> = files
        .par_iter()
        .map(|file| mission_items(file, files, config).unwrap_or_default())
        .collect();
    let kind = config.project.kind;
    for (file, more) in files.iter_mut().zip(found) {
        let known = file.items().len();
        let more = name_items(&file.source, more, config.run.names, kind);
        let mut more = assign_paths(more, paths);
        for planned in &mut more {
            planned.index += known;
        }
        if let FilePlan::Items { items, .. } = &mut file.plan {
            items.extend(more);
        }
    }
}

/// Items of a world that come from its dependencies, after its own items; `None` for other files, for worlds
/// without such items, and for files that cannot be opened.
fn mission_items(
    file: &PlannedFile,
    files: &[PlannedFile],
    config: &Config,
) -> Option<Vec<SourceItem>> {
    if file.kind != Kind::GameZ || file.items().is_empty() || file.dependencies.is_empty() {
        return None;
    }
    let _region = spending::enter(spending::Stage::Plan, "");
    let bytes = file.source.open().ok()?;
    let held: Vec<(&PlannedFile, FileBytes)> = (file.dependencies.iter())
        .filter_map(|&dependency| {
            let dependency = files.get(dependency)?;
            Some((dependency, dependency.source.open().ok()?))
        })
        .collect();
    let lent: Vec<Dependency<'_>> = (held.iter())
        .map(|(dependency, bytes)| Dependency {
            path: &dependency.source.path,
            kind: dependency.kind,
            bytes,
            digest: None,
            outputs: &[],
        })
        .collect();
    let context = OpenContext::new(file.kind, file.source.name(), &bytes)
        .at(&file.source.path)
        .with_dependencies(&lent)
        .for_its_items();
    // Exceeding the memory budget is reported during conversion.
    let opened =
        limits::with_budget(|| Some(convert::open(context).ok()?.items(&config.options())));
    let mut all = opened.ok().flatten()?;
    let known = file.items().len();
    Some(all.split_off(known.min(all.len())))
}
