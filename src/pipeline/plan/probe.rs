//! First look at each file: its kind, its evidence for a game, and the items that its converter lists.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::config::{Config, LoosePictures};
use crate::pipeline::plan::planned::PlanError;
use crate::pipeline::progress::Stage;
use crate::pipeline::run::scheduler;
use crate::pipeline::run::source_io;
use relicast_codec::{Deviations, FormatError};
use relicast_convert::{
    self as convert, Disposition, OpenContext, SharedWork, SourceItem, is_converted,
};
use relicast_formats::asset::{AssetKind, Game};
use relicast_formats::everquest::texture::{self, FileKind};
use relicast_formats::kind::Kind;
use relicast_formats::transfer::{self, Damage, LINE_ENDS_LOST};
use relicast_limits::{self as limits, spending};
use relicast_source::install::{Detection, Evidence, evidence};
use relicast_source::location::Location;
use relicast_source::tree::SourceFile;

/// Kind of a file, and the items that its converter lists.
pub(super) struct Probe {
    pub kind: Kind,
    pub evidence: Option<Evidence>,
    pub opened: Planned,
    /// Damage that was repaired.
    pub damage: Option<Damage>,
}

/// Probes loose pictures of EverQuest installs as pictures, if the settings convert them. Pictures that cannot
/// be decoded are copied.
pub(super) fn loose_pictures(
    files: &[SourceFile],
    probes: Vec<Probe>,
    detection: &Detection,
    config: &Config,
) -> Vec<Probe> {
    let is_wanted = config.textures.enabled && config.textures.loose == LoosePictures::Png;
    let picture = |file: &SourceFile| {
        let bytes = file.location.open().ok()?;
        let kind = texture::sniff(&bytes)?;
        let is_convertible = matches!(kind, FileKind::Bmp | FileKind::Targa | FileKind::Jpeg);
        let is_read = || limits::with_budget(|| texture::decode(&bytes).is_ok()).unwrap_or(false);
        if !is_convertible || !is_read() {
            return None;
        }
        let context = OpenContext::new(Kind::Picture, file.name(), &bytes);
        Some(planned(convert::open(context), config))
    };
    let probes = files.par_iter().zip(probes).map(|(file, probe)| {
        let extension = file.extension();
        let is_named = (extension.as_deref())
            .is_some_and(|extension| ["tga", "bmp", "jpg", "jpeg"].contains(&extension));
        let is_loose = is_wanted
            && is_named
            && probe.kind == Kind::Foreign
            && detection.game(&file.path) == Some(Game::Eq);
        match is_loose.then(|| picture(file)).flatten() {
            Some(opened) => Probe {
                kind: Kind::Picture,
                opened,
                ..probe
            },
            None => probe,
        }
    });
    probes.collect()
}

/// Probes all files, the largest first, so that no thread is left with a large file at the end.
pub(super) fn probe_all(
    files: &[SourceFile],
    config: &Config,
    shared_work: Option<&SharedWork>,
    stage: &Stage<'_>,
) -> Vec<Probe> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|&index| Reverse(files[index].size));
    let probe = |index: usize| {
        let file = &files[index];
        stage.begin(&file.path, None);
        let region = spending::enter(spending::Stage::Plan, "");
        let probe = probe(file, config, shared_work);
        region.note(file.size, 0);
        drop(region);
        stage.add(1, file.size);
        (index, probe)
    };
    // Each is dropped after the probe, so their sizes do not matter.
    let mut probes = scheduler::work(Vec::new(), order, |_| 0, probe);
    probes.sort_by_key(|(index, _)| *index);
    probes.into_iter().map(|(_, probe)| probe).collect()
}

/// Returns whether a file matters for a run: it has items, or an error the user must know.
pub(super) fn known(probe: &Probe) -> bool {
    // A container that cannot be opened is reported, and so is a file that cannot be read.
    let is_lost = matches!(probe.kind, Kind::Cabinet | Kind::Disc) && probe.opened.is_err();
    let is_unread = matches!(probe.opened, Err(PlanError::Read(_)));
    is_lost
        || is_unread
        || probe.kind.is_game_data()
        || matches!(&probe.opened, Ok(Some((items, _)))
        if items.iter().any(|item| {
            item.verdict == Disposition::Convert && item.asset != AssetKind::Loose
        }))
}

/// Probes one file.
fn probe(file: &SourceFile, config: &Config, work: Option<&SharedWork>) -> Probe {
    let probe_of = |kind, opened| Probe {
        kind,
        evidence: None,
        opened,
        damage: None,
    };
    match &file.location {
        Location::ImagePart(..) => return probe_of(Kind::DiscPart, Ok(None)),
        Location::Disc(disc) => {
            return probe_of(Kind::Disc, planned(convert::open_disc(disc), config));
        }
        Location::Special(..) => return probe_of(Kind::Unknown, Ok(None)),
        Location::ContainerPart(..) => return probe_of(Kind::CabinetPart, Ok(None)),
        Location::Container(container, _) => {
            let opened = planned(convert::open_container(container), config);
            return probe_of(Kind::Cabinet, opened);
        }
        Location::File(_) | Location::DiscFile(..) | Location::Member(..) => {}
    }
    let stored = match file.location.open() {
        Ok(bytes) => bytes,
        Err(error) => return probe_of(Kind::Unknown, Err(error.into())),
    };
    let mut file = file.clone();
    let bytes = file.examine(stored);
    let (kind, seen) = match file.sniff(&bytes) {
        Ok(outcome) => outcome,
        Err(error) => return probe_of(Kind::Unknown, Err(error.into())),
    };
    if let Err(fault) = bytes.check() {
        return probe_of(kind, Err(fault.into()));
    }
    if bytes.size() == 0 && kind != Kind::Empty {
        return probe_of(kind, Err(PlanError::Lost(kind.label())));
    }
    let extension = file.extension();
    let opened = match is_converted(kind, extension.as_deref(), &config.options()) {
        false => Ok(None),
        true => {
            // The run reuses what the plan learned about archives.
            let is_shared = kind == Kind::Pfs && work.is_some() && file.damage.is_none();
            let digest = is_shared.then(|| source_io::digest(&file.location, &bytes));
            let digest = digest.flatten();
            limits::with_permits(|| {
                let context = OpenContext {
                    digest: digest.as_deref(),
                    size: bytes.size(),
                    ..OpenContext::new(kind, file.name(), &seen)
                };
                let opened = convert::open(context.sharing(work).for_its_items());
                planned(opened, config)
            })
            .unwrap_or_else(|exceeded| Err(PlanError::Format(exceeded.into())))
        }
    };
    let opened = with_lost_line_ends(opened, kind, &seen);
    let evidence = evidence(&file, kind, &seen);
    match bytes.check() {
        Ok(()) => Probe {
            kind,
            evidence,
            opened,
            damage: file.damage,
        },
        Err(fault) => probe_of(kind, Err(fault.into())),
    }
}

/// Adds a note if a damaged file looks like a copy in text mode.
fn with_lost_line_ends(opened: Planned, kind: Kind, bytes: &[u8]) -> Planned {
    match opened {
        Err(PlanError::Format(fault)) if transfer::is_beyond_repair(kind, bytes) => {
            Err(PlanError::TextMode(fault))
        }
        Ok(Some((items, mut deviations))) => {
            let is_damaged = !deviations.is_empty()
                || items
                    .iter()
                    .any(|item| matches!(item.verdict, Disposition::Fail(_)));
            if is_damaged && transfer::may_be_beyond_repair(kind, bytes) {
                let found = format_args!("one that {LINE_ENDS_LOST}");
                deviations.push("transfer", 0, "a file as the game has it", found);
            }
            Ok(Some((items, deviations)))
        }
        opened => opened,
    }
}

/// Items of a file, and its deviations; none if it has no converter.
type Planned = Result<Option<(Vec<SourceItem>, Deviations)>, PlanError>;

/// Lists the items of an opened file.
fn planned(
    opened: Result<Box<dyn convert::Converter + '_>, FormatError>,
    config: &Config,
) -> Planned {
    let opened = opened?;
    Ok(Some((
        opened.items(&config.options()),
        opened.deviations().clone(),
    )))
}
