//! Meaning of the prepared scripts of `interp.zbd`: their commands as typed values, and what a script runs.
//!
//! - [`command`] — the commands with their arguments;
//! - [`mod@run`] — macros, conditions and calls of other scripts.
//!
//! Facts are from the executable of Recoil (two independent sources). A command is told by the first token of
//! a line: the registered name with which the token starts, so that `FindNodes` runs `FindNode`. Letter case
//! counts. Commands that nothing here knows are kept as they are.
//!
//! ```
//! use relicast_formats::zipper::interp::Line;
//! use relicast_formats::zipper::script::{Command, CommandKind};
//!
//! let line = Line::from_tokens(["WorldSetFogRange", "200", "960.5"]);
//! let tokens: Vec<String> = line.tokens().collect();
//! let command = Command::parse(&tokens).unwrap();
//! assert_eq!(command.kind, CommandKind::WorldSetFogRange);
//! assert_eq!(command.numbers(), [200.0, 960.5]);
//! assert!(Command::parse(&["findnode".to_owned()]).is_none());
//! ```

pub mod command;
pub mod run;

pub use command::{Argument, Command, CommandKind, Spelling};
pub use run::{Limit, ScriptRun, Step, run};
