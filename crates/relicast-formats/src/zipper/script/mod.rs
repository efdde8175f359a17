//! Meaning of the prepared scripts of `interp.zbd`: their commands as typed values, and their execution.
//!
//! - [`command`] — the commands with their arguments;
//! - [`mod@run`] — macros, conditions and calls of other scripts.
//!
//! Facts are from the executable of Recoil (two independent sources). The first token of a line determines the
//! command: the registered name that the token starts with, so that `FindNodes` runs `FindNode`. Letter case
//! matters. Unknown commands are preserved.
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

pub use command::{Argument, Command, CommandKind, NameForm};
pub use run::{Limit, ScriptRun, Step, run};
