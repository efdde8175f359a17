//! How a run ended.

use std::process::ExitCode;

/// The exit codes in the help of the program.
pub(in crate::cli) const EXIT_CODES: &str = "Exit codes: 0 all done; 1 usage, configuration or input error; 2 finished, \
                          but some sources failed or something differs; 101 a fault of relicast \
                          itself, please report it; 130 interrupted, run the same command again to \
                          go on.";

/// Exit codes of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything that was asked for was done.
    Success,
    /// Wrong arguments, configuration or input.
    Usage,
    /// Done, but some sources failed or something differs.
    Failures,
    /// A fault of this program.
    Internal,
    /// Stopped by the user.
    Interrupted,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Usage => 1,
            Self::Failures => 2,
            Self::Internal => 101,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
