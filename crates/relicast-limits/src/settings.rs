//! The settings in force, and what is told when one of them is met.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

/// What a file may make the program spend, so that no input, however it lies, takes the machine down. A
/// part that meets a limit fails and names it; no file of a game comes near the defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// How many times its stored size a large member of an archive may inflate to.
    pub expansion: u32,
    /// Size of a member of an archive once it is inflated, in MiB.
    pub part_mib: u32,
    /// What the members of a cabinet, and of those within it, may take in all, in MiB.
    pub unpacked_mib: u32,
    /// Number of cabinets and archives inside of others that one run opens.
    pub containers: u32,
    /// Length of a stored motion, in seconds.
    pub clip_seconds: u32,
    /// Memory of the run in MiB. One part may take half of it at once.
    pub memory_mib: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            expansion: 250,
            part_mib: 64,
            unpacked_mib: 16_384,
            containers: 256,
            clip_seconds: 900,
            memory_mib: 512,
        }
    }
}

const DEFAULTS: [u32; 6] = [250, 64, 16_384, 256, 900, 512];

/// The settings in force, in the order of the fields of [`Limits`].
static CURRENT: [AtomicU32; 6] = [
    AtomicU32::new(DEFAULTS[0]),
    AtomicU32::new(DEFAULTS[1]),
    AtomicU32::new(DEFAULTS[2]),
    AtomicU32::new(DEFAULTS[3]),
    AtomicU32::new(DEFAULTS[4]),
    AtomicU32::new(DEFAULTS[5]),
];

/// Bytes of a MiB.
const MIB: usize = 1 << 20;

/// Least memory of a run in MiB; with less, ordinary files would fail.
const LEAST_MEMORY: u32 = 64;

/// Inflated size up to which any ratio is allowed: a picture of one colour shrinks to nearly nothing.
const SMALL_MEMBER: usize = MIB;

/// Puts settings in force for the whole process.
pub fn set(limits: Limits) {
    let values = [
        limits.expansion,
        limits.part_mib,
        limits.unpacked_mib,
        limits.containers,
        limits.clip_seconds,
        limits.memory_mib,
    ];
    for (current, value) in CURRENT.iter().zip(values) {
        current.store(value, Ordering::Relaxed);
    }
}

/// The settings in force.
pub fn current() -> Limits {
    let [
        expansion,
        part_mib,
        unpacked_mib,
        containers,
        clip_seconds,
        memory_mib,
    ] = CURRENT
        .each_ref()
        .map(|value| value.load(Ordering::Relaxed));
    Limits {
        expansion,
        part_mib,
        unpacked_mib,
        containers,
        clip_seconds,
        memory_mib,
    }
}

/// Memory that one part may take at once, in bytes.
pub(super) fn part_memory() -> usize {
    (current().memory_mib.max(LEAST_MEMORY) as usize).saturating_mul(MIB) / 2
}

/// Most bytes of the text of a manifest or a report. EverQuest of 1999 needs 22 MiB of the 256 by default.
pub fn document_text() -> u64 {
    part_memory() as u64
}

/// Memory that a manifest or a report may take while it is read, in bytes: more than one part may, as rows wait for nobody.
pub fn document_memory() -> usize {
    part_memory() / 2 * 3
}

/// Checks what a member of an archive would inflate to.
///
/// # Errors
/// More than the settings allow.
pub fn check_inflated(stored: usize, inflated: usize) -> Result<(), Exceeded> {
    let limits = current();
    let most = (limits.part_mib as usize).saturating_mul(MIB);
    if inflated > most {
        let expected = format!("at most {} MiB (limits.part_mib)", limits.part_mib);
        return Err(Exceeded::new("size", expected, format!("{inflated} bytes")));
    }
    let most = stored.saturating_mul(limits.expansion as usize);
    if inflated > most.max(SMALL_MEMBER) {
        let ratio = limits.expansion;
        let expected = format!("at most {ratio} times the stored size (limits.expansion)");
        let found = format!("{inflated} bytes of {stored}");
        return Err(Exceeded::new("size", expected, found));
    }
    Ok(())
}

/// Checks the length of a stored motion.
///
/// # Errors
/// It is longer than the settings allow.
pub fn check_seconds(seconds: f32) -> Result<(), Exceeded> {
    let most = current().clip_seconds;
    #[expect(clippy::cast_precision_loss, reason = "a limit need not be exact")]
    let exceeds = seconds > most as f32;
    if !exceeds {
        return Ok(());
    }
    let expected = format!("at most {most} seconds (limits.clip_seconds)");
    Err(Exceeded::new("seconds", expected, seconds.to_string()))
}

/// A limit that was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exceeded {
    /// What is limited.
    pub field: &'static str,
    /// The limit, and the setting that changes it.
    pub expected: String,
    /// What there would have been.
    pub found: String,
}

impl Exceeded {
    fn new(field: &'static str, expected: String, found: String) -> Self {
        Self {
            field,
            expected,
            found,
        }
    }

    /// Work that needs `wanted` bytes where it may take `allowed`.
    pub(super) fn memory(allowed: usize, wanted: usize) -> Self {
        let allowed = allowed / MIB;
        Self::new(
            "memory",
            format!("work within {allowed} MiB of memory (half of limits.memory_mib)"),
            format!("a need of {} MiB or more", wanted.div_ceil(MIB)),
        )
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            expected,
            found,
        } = self;
        write!(formatter, "{field}: expected {expected}, found {found}")
    }
}

impl std::error::Error for Exceeded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_before_any_are_set_are_the_defaults() {
        let defaults = Limits::default();
        let values = [
            defaults.expansion,
            defaults.part_mib,
            defaults.unpacked_mib,
            defaults.containers,
            defaults.clip_seconds,
            defaults.memory_mib,
        ];
        assert_eq!(values, DEFAULTS);
    }

    #[test]
    fn faults_name_the_setting() {
        let expectation = |fault: Exceeded| fault.expected;
        assert!(
            expectation(check_inflated(1 << 30, 1 << 30).unwrap_err()).contains("limits.part_mib")
        );
        let ratio = check_inflated(8000, 2 << 20).unwrap_err();
        assert!(expectation(ratio).contains("limits.expansion"));
        assert!(check_inflated(1000, 1 << 20).is_ok());
        assert!(expectation(check_seconds(1e9).unwrap_err()).contains("limits.clip_seconds"));
        assert!(check_seconds(f32::NAN).is_ok());
    }
}
