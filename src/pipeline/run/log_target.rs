//! Target of log lines for scripts.

/// Target of log lines that people are not shown while a run goes on: the summary and the report say the same.
pub const FOR_SCRIPTS: &str = "relicast::scripts";
