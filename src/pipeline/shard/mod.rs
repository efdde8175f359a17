//! Shard of a run: its number, the number of shards, and the balanced quantity.
//!
//! - [`merge`] — merges the folders of shards: `folder` reads and checks them, `merge_report` merges their
//!   reports.
//!
//! ```
//! use relicast::pipeline::shard::{By, Shard};
//!
//! let shard: Shard = "2/5".parse()?;
//! assert_eq!((shard.number, shard.of, shard.by), (2, 5, By::Work));
//! assert!("6/5".parse::<Shard>().is_err());
//! # Ok::<(), relicast::pipeline::shard::ShardError>(())
//! ```

mod folder;
pub mod merge;
mod merge_report;

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Maximum number of shards.
pub const MOST_SHARDS: u32 = 1 << 16;

/// Quantity to balance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Estimated work: bytes of the sources, weighted by the kind of asset.
    #[default]
    Work,
    /// Bytes of the sources.
    Size,
}

impl By {
    /// Name on the command line.
    pub fn label(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Size => "size",
        }
    }
}

impl FromStr for By {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        match text {
            "work" => Ok(Self::Work),
            "size" => Ok(Self::Size),
            _ => Err(ShardError::By),
        }
    }
}

/// Shard of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// Number of shards.
    pub of: u32,
    /// Quantity to balance.
    #[serde(default)]
    pub by: By,
}

impl Display for Shard {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

/// Reason why a text is not a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not a number, a slash and a number.
    #[error("expected a shard number and the number of shards, such as 2/5")]
    Syntax,
    /// The number is not from 1 to the number of shards.
    #[error(
        "the shard number must be between 1 and the number of shards, which is at most {MOST_SHARDS}"
    )]
    Number,
    /// Unknown quantity to balance.
    #[error("expected `work` or `size`")]
    By,
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, of) = text.split_once('/').ok_or(ShardError::Syntax)?;
        let parse = |text: &str| text.parse::<u32>().map_err(|_| ShardError::Syntax);
        let (number, of) = (parse(number)?, parse(of)?);
        if number == 0 || number > of || of > MOST_SHARDS {
            return Err(ShardError::Number);
        }
        Ok(Self {
            number,
            of,
            by: By::Work,
        })
    }
}

/// Information about the whole run in the report of a shard, for `merge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardReport {
    /// The shard.
    pub shard: Shard,
    /// Digest of the whole plan: files, items, outputs.
    pub plan: String,
    /// Files of the whole plan.
    pub planned_files: u64,
    /// Digest of the names, sizes and times of all files, by which an unchanged run is detected.
    pub tree: String,
    /// Digest of the request of the run without shards.
    pub request_digest: String,
}
