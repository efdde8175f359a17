//! An opened cabinet.
//!
//! ```
//! use relicast_source::cabinet::container::{Sniffed, looks_packed, may_be_packed};
//! use relicast_source::cabinet::ContainerKind;
//!
//! assert!(may_be_packed("DATA1.CAB") && !may_be_packed("readme.txt"));
//! assert!(matches!(looks_packed("data1.cab", b"ISc("), Some(Sniffed::Packed(ContainerKind::InstallShield))));
//! ```

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use serde::Serialize;

use super::archive::Archive;
use super::folder::Folder;
use super::member::Member;
use super::scratch::Scratch;
use super::volume::{ReadAt, Volume};
use crate::bytes::FileBytes;
use relicast_codec::{Deviations, FormatError};
use relicast_limits as limits;

/// Depth up to which cabinets in cabinets are opened.
pub const DEEPEST: usize = 4;

/// Type of a cabinet or archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ContainerKind {
    /// A set of InstallShield.
    InstallShield,
    /// Microsoft cabinets.
    Microsoft,
    /// A zip archive.
    Zip,
}

impl ContainerKind {
    /// Label for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::InstallShield => "InstallShield cabinet",
            Self::Microsoft => "Microsoft cabinet",
            Self::Zip => "zip archive",
        }
    }
}

/// Container type that a file's name and first bytes suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// A cabinet of this type.
    Packed(ContainerKind),
    /// A program that may have a cabinet appended.
    Program,
}

/// Returns the container type that the name and first bytes of a file suggest, if any.
pub fn looks_packed(name: &str, start: &[u8]) -> Option<Sniffed> {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_lowercase());
    match (extension.as_deref()?, start) {
        ("cab" | "hdr", [b'I', b'S', b'c', b'(', ..]) => {
            Some(Sniffed::Packed(ContainerKind::InstallShield))
        }
        ("cab", [b'M', b'S', b'C', b'F', ..]) => Some(Sniffed::Packed(ContainerKind::Microsoft)),
        ("zip", [b'P', b'K', 3 | 5, 4 | 6, ..]) => Some(Sniffed::Packed(ContainerKind::Zip)),
        ("exe", [b'M', b'Z', ..]) => Some(Sniffed::Program),
        _ => None,
    }
}

/// True if [`looks_packed`] needs the first bytes of a file of this name.
pub fn may_be_packed(name: &str) -> bool {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_lowercase());
    matches!(extension.as_deref(), Some("cab" | "hdr" | "zip" | "exe"))
}

/// A file group, for documents.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupFacts {
    /// Its name.
    pub name: String,
    /// Index of its first file.
    pub first: u32,
    /// Index of its last file.
    pub last: u32,
    /// Number of its files, without placeholders.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Folder that they are installed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// A component, for documents.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComponentFacts {
    /// Its name, after the names of the components above and backslashes.
    pub name: String,
    /// Folder that it is installed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Its file groups.
    pub groups: Vec<String>,
    /// Components that it depends on.
    pub depends: Vec<String>,
    /// Components below it.
    pub below: Vec<String>,
}

/// A setup type, for documents.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetupFacts {
    /// Its name.
    pub name: String,
    /// Its components.
    pub components: Vec<String>,
}

/// Facts that a cabinet states about itself, without its members.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContainerFacts {
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// True if it holds the installer's own files and nothing of the product.
    pub installer: bool,
    /// Volumes that it names and that were not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Identifiers of languages, those of Windows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<u32>,
    /// File groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupFacts>,
    /// Components.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentFacts>,
    /// Setup types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setup_types: Vec<SetupFacts>,
    /// Members that share a path with other content, and the path that they got.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<String>,
    /// Number of placeholder entries.
    pub placeholders: usize,
}

/// Bytes that the members of a cabinet and of all within it may expand to.
#[derive(Debug)]
pub struct Budget(AtomicU64);

impl Default for Budget {
    fn default() -> Self {
        let most = u64::from(limits::current().unpacked_mib) << 20;
        Self(AtomicU64::new(most))
    }
}

impl Budget {
    /// Takes `bytes` from the budget, if enough are left.
    fn take(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }
}

/// State of the decoder of each container type.
#[derive(Debug, Default)]
pub(super) enum Backend {
    /// The members have all data.
    #[default]
    Places,
    /// Folders of Microsoft cabinets.
    Folders(Vec<Folder>),
    /// A zip archive.
    Zip(Box<Archive>),
}

/// Result of the first read of a member.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) deviations: Deviations,
    pub(super) blake3: Option<String>,
}

/// A cabinet: an InstallShield set, a set of Microsoft cabinets, a zip archive.
#[derive(Debug)]
pub struct Container {
    /// Path of the file that it was opened by, among the sources.
    pub path: String,
    /// Container type.
    pub kind: ContainerKind,
    /// Its files; first the one that it was opened by.
    pub volumes: Vec<Volume>,
    /// Its members.
    pub members: Vec<Member>,
    /// Facts that the container states.
    pub facts: ContainerFacts,
    /// Deviations of its tables.
    pub deviations: Deviations,
    /// Reason why nothing of it can be read.
    pub problem: Option<FormatError>,
    /// Remaining bytes that it and the cabinets around it may expand to.
    pub budget: Arc<Budget>,
    pub(super) backend: Backend,
    pub(super) checks: Vec<OnceLock<Check>>,
    pub(super) scratch: Mutex<Scratch>,
}

impl Container {
    /// Creates a cabinet without members.
    pub(super) fn new(kind: ContainerKind, head: Volume, budget: Arc<Budget>) -> Self {
        Self {
            path: head.path.clone(),
            kind,
            volumes: vec![head],
            members: Vec::new(),
            facts: ContainerFacts::default(),
            deviations: Deviations::default(),
            problem: None,
            budget,
            backend: Backend::Places,
            checks: Vec::new(),
            scratch: Mutex::default(),
        }
    }

    /// Adds the reason why nothing of it can be read.
    pub(super) fn failed(mut self, problem: FormatError) -> Self {
        self.members.clear();
        self.problem = Some(problem);
        self
    }

    /// Creates a cabinet that is nested too deep to be opened.
    pub fn too_deep(head: Volume, budget: Arc<Budget>) -> Self {
        let expected = format!("at most {DEEPEST} levels of nested cabinets");
        let problem = FormatError::unsupported("depth", 0, expected, "more");
        Self::refused(head, budget, problem)
    }

    /// Creates a cabinet in another one that is not opened, because the limit of nested cabinets is reached.
    pub fn too_many(head: Volume, budget: Arc<Budget>) -> Self {
        let most = limits::current().containers;
        let expected = format!("at most {most} nested cabinets (limits.containers)");
        let problem = FormatError::unsupported("cabinets", 0, expected, "more");
        Self::refused(head, budget, problem)
    }

    fn refused(head: Volume, budget: Arc<Budget>, problem: FormatError) -> Self {
        let kind = match head.name().to_lowercase().ends_with(".zip") {
            true => ContainerKind::Zip,
            false => ContainerKind::Microsoft,
        };
        Self::new(kind, head, budget).failed(problem)
    }

    /// Sets the members: their paths become unique, and members that expand too much are refused.
    pub(super) fn with_members(mut self, members: Vec<Member>) -> Self {
        self.members = members;
        self.checks = self.members.iter().map(|_| OnceLock::new()).collect();
        if let Some(problem) = self.bomb() {
            return self.failed(problem);
        }
        self.disambiguate();
        self
    }

    /// Newest time of change of its files.
    pub fn modified(&self) -> u64 {
        let times = self.volumes.iter().map(|volume| volume.modified);
        // One unknown time makes the time of the whole unknown.
        if self.volumes.iter().any(|volume| volume.modified == 0) {
            return 0;
        }
        times.max().unwrap_or_default()
    }

    /// Its name without folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// BLAKE3 over all its files; that of the file itself when it is the only one.
    pub fn blake3(&self) -> Option<String> {
        if let [only] = &*self.volumes {
            return only.blake3().map(str::to_owned);
        }
        let mut hasher = blake3::Hasher::new();
        for volume in &self.volumes {
            let hash = volume.blake3()?;
            hasher.update(volume.name().as_bytes());
            hasher.update(&(volume.name().len() as u64).to_le_bytes());
            hasher.update(hash.as_bytes());
        }
        Some(hasher.finalize().to_hex().to_string())
    }

    /// Deviations of a member that was read.
    pub fn member_deviations(&self, index: usize) -> Deviations {
        let check = self.checks.get(index).and_then(OnceLock::get);
        check
            .map(|check| check.deviations.clone())
            .unwrap_or_default()
    }

    /// BLAKE3 of a member that was read.
    pub fn member_blake3(&self, index: usize) -> Option<String> {
        self.checks.get(index)?.get()?.blake3.clone()
    }

    /// The member at an index.
    pub fn member(&self, index: usize) -> Option<&Member> {
        self.members.get(index)
    }

    /// Detects a decompression bomb: members that declare far more bytes than are stored.
    fn bomb(&self) -> Option<FormatError> {
        let limits = limits::current();
        // Members at one offset (linked files, two groups) count separately: each is inflated by itself.
        let promised = self
            .members
            .iter()
            .filter(|member| member.problem.is_none())
            .fold(0_u64, |sum, member| sum.saturating_add(member.size));
        let stored = self
            .volumes
            .iter()
            .fold(0_u64, |sum, volume| sum.saturating_add(volume.size));
        let most = stored.saturating_mul(limits.expansion.into()).max(1 << 20);
        if promised > most {
            let ratio = limits.expansion;
            let expected =
                format!("members of at most {ratio} times the stored size (limits.expansion)");
            let found = format!("{promised} bytes of {stored}");
            return Some(FormatError::unsupported("members", 0, expected, found));
        }
        if !self.budget.take(promised) {
            let most = limits.unpacked_mib;
            let expected = format!("members of at most {most} MiB in all (limits.unpacked_mib)");
            let found = format!("{promised} bytes more");
            return Some(FormatError::unsupported("members", 0, expected, found));
        }
        None
    }
}

/// A member that is the volume of a nested cabinet.
#[derive(Debug)]
pub struct Nested {
    container: Arc<Container>,
    index: usize,
    bytes: OnceLock<io::Result<FileBytes>>,
}

impl Nested {
    /// The member at `index`.
    pub fn new(container: Arc<Container>, index: usize) -> Self {
        Self {
            container,
            index,
            bytes: OnceLock::new(),
        }
    }
}

impl ReadAt for Nested {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = self.bytes.get_or_init(|| self.container.read(self.index));
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
        };
        bytes.read_at(offset, buffer)
    }

    fn visit_files(&self, visit: &mut dyn FnMut(&Path)) {
        let volumes = self.container.volumes.iter();
        volumes.for_each(|volume| volume.visit_files(visit));
    }
}
