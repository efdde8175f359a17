//! Bytes after the name in a row of an archive.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::document;
use relicast_formats::zipper::archive::Row;

/// Comment and time of a row, or stale bytes instead of them.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) enum Info {
    Valid { comment: String, datetime: String },
    Invalid { comment: String, filetime: u64 },
}

/// Source folder of a member on the developers' disk: the comment of Recoil's and MechWarrior 3's archives is the
/// path of a temporary file there, `…\\data\\m1\\zrdr\\envmodels\\….TMP` (zStudio, from the files).
pub(super) fn source_folder(row: &Row) -> Option<String> {
    let comment = row.provenance()?.comment;
    let (folder, file) = comment.rsplit_once('\\')?;
    let is_temporary = file.to_lowercase().ends_with(".tmp");
    (is_temporary && !folder.is_empty()).then(|| folder.replace('\\', "/"))
}

impl Info {
    pub(super) fn new(row: &Row) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_codec::Bytes;

    #[test]
    fn the_folder_of_a_member_is_that_of_its_temporary_file() {
        let row = |comment: &str| {
            let mut row = Row::default();
            let mut bytes = [0; 64];
            bytes[..comment.len()].copy_from_slice(comment.as_bytes());
            row.comment = Bytes(bytes);
            row.time_high = 1;
            row
        };
        let found = source_folder(&row("d:\\data\\m1\\zrdr\\envmodels\\A1.TMP"));
        assert_eq!(found.as_deref(), Some("d:/data/m1/zrdr/envmodels"));
        assert_eq!(source_folder(&row("zrdr")), None);
    }
}
