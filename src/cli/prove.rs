//! `relicast prove`: decodes and encodes every file and compares it with the source bytes.

use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;

use super::inputs::expect_installs;
use super::terminal::console::print_error;
use super::terminal::exit::Exit;
use super::terminal::lines::{print, print_line, usage};
use super::terminal::progress::with_bar;
use crate::config::{Config, ConvertOptions};
use crate::pipeline::progress::Stage;
use crate::pipeline::run::thread_pool;
use relicast_codec::FormatError;
use relicast_codec::quantity::{counted, thousands};
use relicast_convert as convert;
use relicast_formats::decoded_file::{self, DecodedFile, MemberArchive};
use relicast_formats::kind::{ArchiveContext, Kind, sniff, sniff_member, sniff_pfs_member};
use relicast_formats::transfer::{self, LINE_ENDS_LOST};
use relicast_limits as limits;
use relicast_source::cabinet::{Container, ContainerKind, set};
use relicast_source::disc::Disc;
use relicast_source::location::Location;
use relicast_source::tree::{SourceFile, Tree};

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folders, disc images or files to prove.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Worker threads; 0 for one per core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// Result of the proof of one file, ordered from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ProofResult {
    Identical,
    ReadOnly,
    NoCodec,
    Differs,
    Failed,
}

impl ProofResult {
    fn label(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::ReadOnly => "read only",
            Self::NoCodec => "no codec",
            Self::Differs => "DIFFERS",
            Self::Failed => "FAILED",
        }
    }
}

#[derive(Debug, Serialize)]
struct Proof {
    path: String,
    kind: Kind,
    bytes: u64,
    verdict: ProofResult,
    /// Members proved with their container.
    members: usize,
    /// Differences and their reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    deviations: u64,
}

#[derive(Debug, Default, Serialize)]
struct Totals {
    files: usize,
    bytes: u64,
    identical: usize,
    identical_bytes: u64,
    members: usize,
    read_only: usize,
    no_codec: usize,
    differs: usize,
    failed: usize,
}

#[derive(Debug, Serialize)]
struct Report {
    files: Vec<Proof>,
    totals: Totals,
}

/// Runs `prove`.
pub fn run(arguments: &Arguments) -> Exit {
    if let Err(ended) = expect_installs(&arguments.inputs) {
        return ended;
    }
    let mut config = Config::default();
    config.run.jobs = arguments.jobs;
    let pool = match thread_pool(&config) {
        Ok(pool) => pool,
        Err(error) => return usage(error),
    };
    let tree = match Tree::list(&arguments.inputs, None) {
        Ok(tree) => tree,
        Err(error) => return usage(format_args!("cannot read input {error}")),
    };
    if tree.files.is_empty() && tree.faults.is_empty() {
        let inputs = arguments.inputs.iter();
        let inputs: Vec<String> = inputs.map(|input| input.display().to_string()).collect();
        return usage(format_args!(
            "nothing to prove in {}: no files found",
            inputs.join(", ")
        ));
    }
    let files = with_bar(false, |progress| {
        let bytes = tree.files.iter().map(|file| file.size).sum();
        let stage = Stage::start(progress, "prove", tree.files.len() as u64, bytes);
        let prove_one = |file: &SourceFile| stage.item(&file.path, file.size, || bounded(file));
        let files: Vec<Proof> = pool.install(|| tree.files.par_iter().map(prove_one).collect());
        stage.finish();
        files
    });
    let mut totals = Totals::default();
    for proof in &files {
        totals.files += 1;
        totals.bytes += proof.bytes;
        totals.members += proof.members;
        match proof.verdict {
            ProofResult::Identical => {
                totals.identical += 1;
                totals.identical_bytes += proof.bytes;
            }
            ProofResult::ReadOnly => totals.read_only += 1,
            ProofResult::NoCodec => totals.no_codec += 1,
            ProofResult::Differs => totals.differs += 1,
            ProofResult::Failed => totals.failed += 1,
        }
    }
    for fault in &tree.faults {
        print_error(&format!(
            "error: cannot list {}: {}",
            fault.location.display(),
            fault.error
        ));
        totals.failed += 1;
    }
    let bad = totals.differs + totals.failed > 0;
    let report = Report { files, totals };
    if arguments.json {
        match serde_json::to_string_pretty(&report) {
            Ok(text) => print(&text),
            Err(error) => return usage(error),
        }
    } else {
        print_report(&report);
    }
    if bad { Exit::Failures } else { Exit::Success }
}

fn print_report(report: &Report) {
    for proof in &report.files {
        let members = match proof.members {
            0 => String::new(),
            members => format!(", {}", counted(members, "member", "members")),
        };
        print_line(&format!(
            "{:<9}  {}  ({}, {}{members})",
            proof.verdict.label(),
            proof.path,
            proof.kind.label(),
            counted(proof.bytes, "byte", "bytes")
        ));
        for note in &proof.notes {
            print_line(&format!("           {note}"));
        }
    }
    let totals = &report.totals;
    let number = |count: usize| thousands(count as u64);
    print_line(&format!(
        "{}, {}: {} identical ({}, {}), {} read only, {} without codec, {} differ, {} failed",
        counted(totals.files, "file", "files"),
        counted(totals.bytes, "byte", "bytes"),
        number(totals.identical),
        counted(totals.identical_bytes, "byte", "bytes"),
        counted(totals.members, "member", "members"),
        number(totals.read_only),
        number(totals.no_codec),
        number(totals.differs),
        number(totals.failed)
    ));
}

/// Proves a file within its memory budget.
fn bounded(file: &SourceFile) -> Proof {
    limits::with_permits(|| prove(file)).unwrap_or_else(|exceeded| Proof {
        verdict: ProofResult::Failed,
        notes: vec![exceeded.to_string()],
        ..Proof::new(file)
    })
}

fn prove(file: &SourceFile) -> Proof {
    let mut proof = Proof::new(file);
    match &file.location {
        Location::Disc(disc) => {
            proof.prove_disc(disc);
            return proof;
        }
        Location::ImagePart(_, disc) => {
            proof.kind = Kind::DiscPart;
            proof.notes.push(format!("proved with {disc}"));
            return proof;
        }
        Location::Container(container, _) => {
            proof.prove_cabinet(container);
            return proof;
        }
        Location::ContainerPart(container, number, _) => {
            proof.prove_volume(container, *number);
            return proof;
        }
        Location::File(_)
        | Location::DiscFile(..)
        | Location::Member(..)
        | Location::Special(..) => {}
    }
    let mut examined = file.clone();
    let bytes = match file.location.open() {
        Ok(bytes) => examined.examine(bytes),
        Err(error) => {
            proof.verdict = ProofResult::Failed;
            proof.notes.push(format!("cannot read: {error}"));
            return proof;
        }
    };
    proof.kind = sniff(&bytes, file.name());
    let alone = ArchiveContext::default();
    if let Some(damage) = examined.damage {
        proof
            .notes
            .push(format!("{damage}; the repaired bytes were proved"));
        proof.deviations += 1;
    }
    let decoded = round_trip(proof.kind, file.name(), &bytes, &alone, &mut proof);
    let is_lost = || transfer::is_beyond_repair(proof.kind, &bytes);
    if proof.verdict == ProofResult::Failed && is_lost() {
        proof.notes.push(format!("the file {LINE_ENDS_LOST}"));
    }
    if let Some(archive) = decoded.as_ref().and_then(DecodedFile::archive) {
        proof.prove_members(archive);
    }
    if let Some(DecodedFile::Textures(package)) = &decoded {
        proof.members = package.images.len();
    }
    if let Err(fault) = bytes.check() {
        proof.verdict = ProofResult::Failed;
        proof.notes.push(format!("cannot read: {fault}"));
    }
    proof
}

impl Proof {
    /// Proves the members of an archive, each with its own codec.
    fn prove_members(&mut self, archive: MemberArchive<'_, '_>) {
        let alone = ArchiveContext::default();
        match archive {
            MemberArchive::Zipper(archive) => {
                let siblings = ArchiveContext::new(archive);
                for entry in &archive.entries {
                    let name = entry.name();
                    let kind = sniff_member(&entry.data, &name, &siblings);
                    match &entry.fault {
                        Some(fault) => self.fail(&name, fault),
                        None => self.prove_member(name, kind, &entry.data, &siblings),
                    }
                }
            }
            MemberArchive::EverQuest(archive) => {
                for entry in &archive.entries {
                    match entry.extract() {
                        Ok(extracted) => {
                            let kind = sniff_pfs_member(&extracted.value, &entry.label());
                            self.prove_member(entry.label(), kind, &extracted.value, &alone);
                        }
                        Err(fault) => self.fail(&entry.label(), &fault),
                    }
                }
            }
            MemberArchive::Resources(archive) => {
                for (index, entry) in archive.entries.iter().enumerate() {
                    let name = archive.path(index).join("/");
                    match entry.extract() {
                        Err(fault) => self.fail(&name, &fault),
                        Ok(_) if entry.is_folder() => {}
                        Ok(extracted) => {
                            let kind = sniff(&extracted.value, &entry.name);
                            self.prove_member(name, kind, &extracted.value, &alone);
                        }
                    }
                }
            }
        }
    }

    /// Creates the proof of a file before it is read.
    fn new(file: &SourceFile) -> Self {
        Self {
            path: file.path.clone(),
            kind: Kind::Unknown,
            bytes: file.size,
            verdict: ProofResult::NoCodec,
            members: 0,
            notes: Vec::new(),
            deviations: 0,
        }
    }

    /// Encodes every data sector again from its user data and address, and compares. Bytes outside data sectors
    /// are not encoded; they are only read.
    fn prove_disc(&mut self, disc: &Disc) {
        self.kind = Kind::Disc;
        self.verdict = ProofResult::ReadOnly;
        match convert::open_disc(disc) {
            Ok(opened) => {
                self.deviations = opened.deviations().total();
                for item in opened.items(&ConvertOptions::default()) {
                    if let convert::Disposition::Fail(fault) = &item.verdict {
                        self.fail(item.member.as_deref().unwrap_or_default(), fault);
                    }
                }
            }
            Err(fault) => self.fail("sheet", &fault),
        }
        for session in &disc.sessions {
            let health = session.track.examine(true);
            if health.checked == 0 {
                continue;
            }
            self.notes.push(format!(
                "{} of {} data sectors were rebuilt from their user data",
                thousands(health.checked - health.bad),
                thousands(health.checked)
            ));
            for run in &health.runs {
                let (first, last) = (run.first, run.last);
                self.notes
                    .push(format!("LBA {first} to {last}: {}", run.fault));
            }
            self.verdict = match (self.verdict, health.bad) {
                (ProofResult::ReadOnly, 0) => ProofResult::Identical,
                (verdict, 0) => verdict,
                (verdict, _) => verdict.max(ProofResult::Differs),
            };
        }
    }

    /// Encodes the tables of a cabinet again and compares. Packed data is only read, because compressors
    /// differ. Members are proved as files of their own.
    fn prove_cabinet(&mut self, cabinet: &Container) {
        self.kind = Kind::Cabinet;
        self.verdict = ProofResult::ReadOnly;
        self.deviations = cabinet.deviations.total();
        if let Some(problem) = &cabinet.problem {
            self.fail(cabinet.kind.label(), problem);
            return;
        }
        for missing in &cabinet.facts.missing {
            self.notes.push(format!("{missing} is missing"));
        }
        match cabinet.kind {
            ContainerKind::InstallShield => self.compare_tables(cabinet, 0),
            kind => self.notes.push(format!("a {} is only read", kind.label())),
        }
    }

    /// Does the same for a further file of a cabinet.
    fn prove_volume(&mut self, cabinet: &Container, number: usize) {
        self.kind = Kind::CabinetPart;
        self.verdict = ProofResult::ReadOnly;
        let beside = cabinet
            .volumes
            .get(number)
            .is_some_and(|volume| volume.beside);
        if cabinet.kind == ContainerKind::InstallShield && !beside {
            self.compare_tables(cabinet, number);
        }
        self.notes.push(format!("read with {}", cabinet.path));
    }

    fn compare_tables(&mut self, cabinet: &Container, number: usize) {
        let Some(volume) = cabinet.volumes.get(number) else {
            return;
        };
        match set::rebuilt(volume) {
            Err(error) => {
                self.verdict = ProofResult::Failed;
                self.notes.push(format!("cannot read: {error}"));
            }
            Ok((stored, made)) if stored == made => {
                let rest = volume.size.saturating_sub(stored.len() as u64);
                if rest == 0 {
                    self.verdict = ProofResult::Identical;
                } else {
                    let (written, rest) = (thousands(stored.len() as u64), thousands(rest));
                    self.notes.push(format!(
                        "{written} bytes of tables were rebuilt, {rest} bytes of data were only read"
                    ));
                }
            }
            Ok((stored, made)) => {
                self.verdict = ProofResult::Differs;
                let first = stored.iter().zip(&made).take_while(|(a, b)| a == b).count();
                self.notes.push(format!(
                    "tables: first difference at byte {first} ({first:#x})"
                ));
            }
        }
    }

    fn fail(&mut self, member: &str, fault: &FormatError) {
        self.verdict = ProofResult::Failed;
        self.notes.push(format!("{member}: {fault}"));
    }

    fn prove_member(&mut self, name: String, kind: Kind, bytes: &[u8], siblings: &ArchiveContext) {
        let mut member = Self {
            path: name,
            kind,
            bytes: bytes.len() as u64,
            verdict: ProofResult::NoCodec,
            members: 0,
            notes: Vec::new(),
            deviations: 0,
        };
        let name = member.path.clone();
        round_trip(kind, &name, bytes, siblings, &mut member);
        self.take(member);
    }

    /// Adds the proof of a member. A member without a codec is stored verbatim in its container; it is named
    /// but does not change the verdict of the file.
    fn take(&mut self, member: Self) {
        self.members += 1;
        self.deviations += member.deviations;
        match member.verdict {
            ProofResult::Identical | ProofResult::ReadOnly => {}
            ProofResult::NoCodec => {
                let note = "stored verbatim, its format has no codec";
                self.notes.push(format!("{}: {note}", member.path));
            }
            ProofResult::Differs | ProofResult::Failed => {
                self.verdict = self.verdict.max(member.verdict);
                let notes = member.notes.into_iter();
                self.notes
                    .extend(notes.map(|note| format!("{}: {note}", member.path)));
            }
        }
    }
}

/// Decodes and encodes `bytes` and records the verdict.
fn round_trip<'a>(
    kind: Kind,
    name: &str,
    bytes: &'a [u8],
    siblings: &ArchiveContext,
    proof: &mut Proof,
) -> Option<DecodedFile<'a>> {
    let decoded = match decoded_file::decode(kind, name, bytes, siblings)? {
        Ok(decoded) => decoded,
        Err(error) => {
            proof.verdict = ProofResult::Failed;
            proof.notes.push(format!("cannot decode: {error}"));
            return None;
        }
    };
    proof.deviations = decoded.deviations.total();
    match decoded.value.encode() {
        None => proof.verdict = ProofResult::ReadOnly,
        Some(Err(error)) => {
            proof.verdict = ProofResult::Failed;
            proof.notes.push(format!("cannot encode: {error}"));
        }
        Some(Ok(encoded)) if encoded == bytes => proof.verdict = ProofResult::Identical,
        Some(Ok(encoded)) => {
            proof.verdict = ProofResult::Differs;
            let first = encoded
                .iter()
                .zip(bytes)
                .take_while(|(a, b)| a == b)
                .count();
            proof.notes.push(format!(
                "encoded {} bytes, first difference at byte {first} ({first:#x})",
                encoded.len()
            ));
        }
    }
    Some(decoded.value)
}
