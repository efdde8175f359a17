//! An edited output, its result, and the reasons to refuse it.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use super::palettes::Palettes;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_convert::{OutputRole, OutputSpec};
use relicast_scene::Encoding;

/// A [`Refusal`] with a reason in the syntax of `format!`.
macro_rules! refusal {
    ($($reason:tt)+) => {
        $crate::pack::edited::Refusal::new(format_args!($($reason)+))
    };
}

/// Returns a [`Refusal`] as an error, with a reason in the syntax of `format!`.
macro_rules! refuse {
    ($($reason:tt)+) => {
        return Err(refusal!($($reason)+))
    };
}

/// Advice for two edits that cannot be packed together.
pub(super) const IN_TWO_STEPS: &str = "pack one of them with --only, convert a copy of the game with it to another \
                                       folder, and make the other edit there";

/// An output that was edited.
#[derive(Debug)]
pub(super) struct Edited<'m> {
    /// The output as it was.
    pub output: &'m ManifestOutput,
    /// Its bytes now.
    pub bytes: Vec<u8>,
    /// True if the alpha of a picture is a separate output.
    pub has_alpha_plane: bool,
    /// Treatment of a full palette of its picture.
    pub palettes: Palettes,
}

/// Secondary outputs of a source.
const SECONDARY: [OutputRole; 9] = [
    OutputRole::AlphaPlane,
    OutputRole::Raw,
    OutputRole::Additive,
    OutputRole::Normal,
    OutputRole::Glow,
    OutputRole::Base,
    OutputRole::Mask,
    OutputRole::Overlay,
    OutputRole::Font,
];

impl Edited<'_> {
    /// Checks that it is the main output of its source, as a file of this encoding.
    ///
    /// # Errors
    /// It is a secondary output.
    pub(super) fn is_main(&self, encodings: &[Encoding]) -> Result<(), Refusal> {
        let path = &*self.output.path;
        let fits = encodings.iter().any(|&encoding| {
            let extension = encoding.extension();
            let stem = path
                .strip_suffix(extension)
                .and_then(|stem| stem.strip_suffix('.'));
            stem.is_some_and(|stem| {
                !SECONDARY
                    .iter()
                    .any(|&role| stem.ends_with(&*OutputSpec { role, encoding }.infix()))
            })
        });
        match fits {
            true => Ok(()),
            false => Err(refusal!(
                "it is a secondary output of its source; edit the main output"
            )),
        }
    }
}

/// Effect of an edit on its member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Its bytes change.
    #[default]
    Edited,
    /// It is added.
    Added,
    /// It is removed.
    Removed,
}

/// An edit that was packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The edited output.
    pub output: String,
    /// The game file.
    pub source: String,
    /// The member of it.
    pub member: Option<String>,
    /// Description of the edit, where it is known: what was changed.
    pub changed: Option<String>,
    /// The output beside a new one, whose archive gets it.
    pub like: Option<String>,
    /// Difference between the game file and the edit, where the format cannot hold the edit exactly.
    pub rounding: Option<String>,
    /// Effect on the member.
    pub change: Change,
    /// True if it was not selected: it stays as an earlier run packed it.
    pub is_earlier: bool,
}

/// Longest reason, in characters.
const MAX_LENGTH: usize = 2000;

/// Reason why an edit cannot be packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    pub(super) fn new(reason: impl Display) -> Self {
        let mut reason = reason.to_string();
        // It contains names of edited files, which may be of any length.
        if let Some((end, _)) = reason.char_indices().nth(MAX_LENGTH) {
            reason.truncate(end);
            reason.push('…');
        }
        Self(reason)
    }
}

impl Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Edits that cannot be packed, by output.
pub(super) type Refusals = Vec<(String, Refusal)>;

/// Returns `value` if nothing was refused.
///
/// # Errors
/// There are refusals.
pub(super) fn unless_refused<T>(value: T, refusals: Refusals) -> Result<T, Refusals> {
    match refusals.is_empty() {
        true => Ok(value),
        false => Err(refusals),
    }
}

/// Refuses all edits for the same reason.
pub(super) fn refuse_all<'e, 'm: 'e>(
    edits: impl IntoIterator<Item = &'e Edited<'m>>,
    reason: impl std::fmt::Display,
) -> Refusals {
    let refuse = |edit: &Edited<'_>| (edit.output.path.clone(), Refusal::new(&reason));
    edits.into_iter().map(refuse).collect()
}

/// New bytes, and their differences from each edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Difference from each edit in meaning, in the order of the edits.
    pub roundings: Vec<Option<String>>,
}

impl Content {
    /// Content that is exactly as the one edit says.
    pub(super) fn exact(bytes: Vec<u8>) -> Self {
        Self::rounded(bytes, None)
    }

    /// Content that differs from the one edit by `rounding`.
    pub(super) fn rounded(bytes: Vec<u8>, rounding: Option<String>) -> Self {
        Self {
            bytes,
            roundings: vec![rounding],
        }
    }
}
