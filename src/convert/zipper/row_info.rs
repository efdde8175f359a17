//! What lies behind the name of a row of an archive.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::document;
use crate::formats::zipper::archive::Row;

/// Comment and time of a row, or the stale bytes in their place.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(super) enum Info {
    Valid { comment: String, datetime: String },
    Invalid { comment: String, filetime: u64 },
}

impl Info {
    pub(super) fn of(row: &Row) -> Self {
        let valid = row.provenance().and_then(|provenance| {
            let datetime = document::filetime(provenance.filetime)?;
            Some((provenance.comment, datetime))
        });
        match valid {
            Some((comment, datetime)) => Self::Valid { comment, datetime },
            None => Self::Invalid {
                comment: STANDARD.encode(row.comment.0),
                filetime: row.filetime(),
            },
        }
    }
}
