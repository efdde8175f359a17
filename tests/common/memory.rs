//! Memory of a running program.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

use std::fs;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// End of a run.
pub struct Watched {
    pub status: ExitStatus,
    /// Largest resident memory in bytes.
    pub peak: u64,
    /// Largest observed resident memory that is not mapped to a file, in bytes.
    #[allow(dead_code, reason = "not every test asks for it")]
    pub allocated: u64,
}

/// Waits for a program and watches its memory; ends it if it takes more than `most` bytes or runs longer than
/// `longest`.
pub fn watch(mut child: Child, most: u64, longest: Duration) -> Watched {
    let start = Instant::now();
    let status_file = format!("/proc/{}/status", child.id());
    let (mut peak, mut allocated) = (0, 0);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Watched {
                status,
                peak,
                allocated,
            };
        }
        let text = fs::read_to_string(&status_file).unwrap_or_default();
        let bytes = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.trim().strip_suffix("kB"));
            number.map_or(0, |number| number.trim().parse::<u64>().unwrap() << 10)
        };
        peak = peak.max(bytes("VmHWM:"));
        allocated = allocated.max(bytes("RssAnon:"));
        if peak > most || start.elapsed() > longest {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
