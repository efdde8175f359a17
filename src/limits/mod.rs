//! What one input may make the program spend: the [`Limits`] in force, a meter of the memory that each
//! piece of work takes, and the order in which large pieces wait for one another.
//!
//! No estimate of what a file will cost holds for files that lie, so memory is counted where it is taken:
//! the program's allocator is [`Metered`]. Work runs [`guarded`]; code whose memory grows with what a file
//! says asks for [`room`] before it takes some, or [`check`]s as it goes. Work beyond its share is given up
//! and is a failure of the part that it was for, with a message that names the setting. In a program whose
//! allocator is not metered, what is asked for at once is still held to the limit.
//!
//! The settings are those of the process, because codecs have no configuration: they are set once, by the
//! command line or by the run, before any work.

mod meter;
mod turns;

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

pub use meter::{Metered, check, claim, guarded, room};

use crate::config::Limits;
use crate::formats::codec::{FaultKind, FormatError};

const DEFAULTS: [u32; 4] = [250, 64, 900, 512];

/// The settings in force, in the order of the fields of [`Limits`].
static CURRENT: [AtomicU32; 4] = [
    AtomicU32::new(DEFAULTS[0]),
    AtomicU32::new(DEFAULTS[1]),
    AtomicU32::new(DEFAULTS[2]),
    AtomicU32::new(DEFAULTS[3]),
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
        limits.clip_seconds,
        limits.memory_mib,
    ];
    for (current, value) in CURRENT.iter().zip(values) {
        current.store(value, Ordering::Relaxed);
    }
}

/// The settings in force.
pub fn current() -> Limits {
    let [expansion, part_mib, clip_seconds, memory_mib] = CURRENT
        .each_ref()
        .map(|value| value.load(Ordering::Relaxed));
    Limits {
        expansion,
        part_mib,
        clip_seconds,
        memory_mib,
    }
}

/// Memory that one part may take at once, in bytes.
fn part_memory() -> usize {
    (current().memory_mib.max(LEAST_MEMORY) as usize).saturating_mul(MIB) / 2
}

/// Checks what a member of an archive would inflate to.
///
/// # Errors
/// More than the settings allow.
pub fn check_inflated(stored: usize, inflated: usize) -> Result<(), FormatError> {
    let limits = current();
    let most = (limits.part_mib as usize).saturating_mul(MIB);
    if inflated > most {
        let expected = format_args!("at most {} MiB (limits.part_mib)", limits.part_mib);
        let found = format_args!("{inflated} bytes");
        return Err(FormatError::new(
            FaultKind::Limit,
            "size",
            0,
            expected,
            found,
        ));
    }
    let most = stored.saturating_mul(limits.expansion as usize);
    if inflated > most.max(SMALL_MEMBER) {
        let ratio = limits.expansion;
        let expected = format_args!("at most {ratio} times the stored size (limits.expansion)");
        let found = format_args!("{inflated} bytes of {stored}");
        return Err(FormatError::new(
            FaultKind::Limit,
            "size",
            0,
            expected,
            found,
        ));
    }
    Ok(())
}

/// Checks the length of a stored motion.
///
/// # Errors
/// It is longer than the settings allow.
pub fn check_seconds(field: &'static str, offset: usize, seconds: f32) -> Result<(), FormatError> {
    let most = current().clip_seconds;
    #[expect(clippy::cast_precision_loss, reason = "a limit need not be exact")]
    let within = !(seconds > most as f32);
    if within {
        return Ok(());
    }
    let expected = format_args!("at most {most} seconds (limits.clip_seconds)");
    Err(FormatError::new(
        FaultKind::Limit,
        field,
        offset,
        expected,
        seconds,
    ))
}

/// Work that would take more memory than its share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded {
    /// Bytes that it may take.
    pub allowed: usize,
    /// Bytes that it had, with what it asked for.
    pub wanted: usize,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        FormatError::from(*self).fmt(formatter)
    }
}

impl std::error::Error for Exceeded {}

impl From<Exceeded> for FormatError {
    fn from(exceeded: Exceeded) -> Self {
        let allowed = exceeded.allowed / MIB;
        let expected =
            format_args!("work within {allowed} MiB of memory (half of limits.memory_mib)");
        let found = format_args!("a need of {} MiB or more", exceeded.wanted.div_ceil(MIB));
        Self::new(FaultKind::Limit, "memory", 0, expected, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_before_any_are_set_are_the_defaults() {
        let defaults = Limits::default();
        let values = [
            defaults.expansion,
            defaults.part_mib,
            defaults.clip_seconds,
            defaults.memory_mib,
        ];
        assert_eq!(values, DEFAULTS);
    }

    #[test]
    fn faults_name_the_setting() {
        let told = |fault: FormatError| fault.expected().to_owned();
        assert!(told(check_inflated(1 << 30, 1 << 30).unwrap_err()).contains("limits.part_mib"));
        let ratio = check_inflated(8000, 2 << 20).unwrap_err();
        assert!(told(ratio).contains("limits.expansion"));
        assert!(check_inflated(1000, 1 << 20).is_ok());
        assert!(told(check_seconds("a", 0, 1e9).unwrap_err()).contains("limits.clip_seconds"));
        assert!(check_seconds("a", 0, f32::NAN).is_ok());
        let exceeded = room(usize::MAX).unwrap_err();
        assert!(exceeded.to_string().contains("limits.memory_mib"));
    }

    #[test]
    fn work_beyond_its_share_is_given_up_and_other_panics_go_on() {
        let given_up = guarded(|| room(1 << 40).unwrap_or_else(|exceeded| exceeded.give_up()));
        assert_eq!(given_up.unwrap_err().wanted, 1 << 40);
        assert_eq!(guarded(|| 7), Ok(7));
        let panicked =
            std::panic::catch_unwind(|| guarded(|| std::panic::resume_unwind(Box::new(1))));
        assert!(panicked.is_err());
    }
}
