//! Files before their format is known: detectors, disc images, cabinets, archives, files that a transfer damaged,
//! hostile files, and the checks of the fuzz targets.

#[path = "../common/mod.rs"]
mod common;
#[cfg(target_os = "linux")]
#[path = "../common/memory.rs"]
mod watching;

mod bombs;
mod cabinets;
mod detectors;
mod discs;
mod fuzzed;
mod hostile;
mod hostile_install;
mod transfer;

relicast_testing::main!();
