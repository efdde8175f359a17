//! The program as people meet it: in a terminal, its last screen read by an emulator.
#![allow(
    clippy::unwrap_used,
    reason = "a helper that cannot go on fails its test"
)]

mod interrupted;
mod screen;
mod widths;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use relicast::asset::Game;
use screen::Program;
use tempfile::TempDir;

/// A sample install, and an output folder of it, made once for all tests.
struct Converted {
    folder: TempDir,
}

impl Converted {
    fn input(&self) -> PathBuf {
        self.folder.path().join("install")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn get() -> &'static Self {
        static CONVERTED: OnceLock<Converted> = OnceLock::new();
        CONVERTED.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let converted = Self { folder };
            install(&converted.input(), 1);
            convert(&converted.input(), &converted.out())
                .run(80)
                .success();
            converted
        })
    }
}

/// Writes a sample install; `scale` multiplies what is in it.
fn install(folder: &Path, scale: u32) {
    let files = relicast_samples::files(Game::Rc, scale).unwrap();
    relicast_samples::write_files(folder, &files).unwrap();
}

/// Words of a command line.
macro_rules! words {
    ($($word:expr),* $(,)?) => {
        vec![$(std::ffi::OsString::from($word)),*]
    };
}
pub(crate) use words;

fn convert_words(input: &Path, out: &Path) -> Vec<OsString> {
    words!["convert", input, "--out", out]
}

/// A conversion.
fn convert(input: &Path, out: &Path) -> Program {
    Program::relicast(convert_words(input, out))
}
