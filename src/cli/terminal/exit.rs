//! Exit codes.

use std::process::ExitCode;

/// Exit codes for the help of the program.
pub(in crate::cli) const EXIT_CODES: &str = "Exit codes: 0 success; 1 usage, configuration or input error; 2 finished, \
                          but with failures or differences; 101 bug in relicast, please report it; 130 \
                          interrupted, run the same command again to continue.";

/// Exit codes of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything was done.
    Success,
    /// Wrong arguments, configuration or input.
    Usage,
    /// Done, but some sources failed or something differs.
    Failures,
    /// Fault of this program.
    Internal,
    /// Interrupted by the user.
    Interrupted,
}

impl Exit {
    /// Exit code of the process.
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
