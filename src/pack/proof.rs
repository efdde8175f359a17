//! Reads back encoded content and compares it with the edit.

use relicast_codec::quantity::thousands;
use serde_json::Value;

use super::edited::{Edited, Refusal};
use super::game_file::GameFile;
use super::json::Shown;
use super::membership::Membership;
use relicast_convert::{self as convert, ConvertError, OpenContext, OutputRole, Sink};
use relicast_emit::{self as emit, Options};
use relicast_formats::decoded_file::{DecodedFile, decode};
use relicast_formats::kind::{ArchiveContext, Kind};
use relicast_formats::zipper::texture::package::Image;
use relicast_scene::{Asset, Encoding};

/// Compares pictures, colors and alpha. Returns the difference in words.
pub(super) fn texels(packed: &[[u8; 4]], edited: &[[u8; 4]]) -> Option<String> {
    difference(packed, edited, |packed, edited| {
        let channels = packed.into_iter().zip(edited);
        channels
            .map(|(a, b)| a.abs_diff(b))
            .max()
            .unwrap_or_default()
    })
}

/// Compares pictures without alpha. Alpha of the edit is lost where it is not 255.
pub(super) fn colors(packed: &[[u8; 4]], edited: &[[u8; 4]]) -> Option<String> {
    texels(
        &packed
            .iter()
            .map(|&[r, g, b, _]| [r, g, b, 255])
            .collect::<Vec<_>>(),
        edited,
    )
}

/// Compares pictures where they are visible; colors of transparent texels do not count.
pub(super) fn seen(packed: &[[u8; 4]], edited: &[[u8; 4]]) -> Option<String> {
    difference(packed, edited, |packed, edited| {
        if packed[3] == 0 && edited[3] == 0 {
            return 0;
        }
        let channels = packed.into_iter().zip(edited);
        channels
            .map(|(a, b)| a.abs_diff(b))
            .max()
            .unwrap_or_default()
    })
}

fn difference(
    packed: &[[u8; 4]],
    edited: &[[u8; 4]],
    by: impl Fn([u8; 4], [u8; 4]) -> u8,
) -> Option<String> {
    let pairs = packed.iter().zip(edited);
    let differences: Vec<u8> = pairs
        .map(|(&a, &b)| by(a, b))
        .filter(|&by| by > 0)
        .collect();
    let largest = differences.iter().max()?;
    Some(format!(
        "{} of {} pixels have the nearest color that the game can store, off by at most {largest} of 255",
        thousands(differences.len() as u64),
        thousands(edited.len() as u64)
    ))
}

/// Checks that a source converts to the edited document.
///
/// # Errors
/// It does not; the error names the first difference.
pub(super) fn document(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    edited: &Value,
) -> Result<(), Refusal> {
    let fault = |error: &dyn std::fmt::Display| refusal!("the packed file cannot be read: {error}");
    let file = convert::open(OpenContext::new(kind, name, bytes)).map_err(|error| fault(&error))?;
    let mut json = Json::default();
    file.convert(0, &convert::ConvertOptions::default(), &mut json)
        .map_err(|error| fault(&error))?;
    let packed: Value = serde_json::from_slice(&json.0).map_err(|error| fault(&error))?;
    match first_difference(&packed, edited, &mut String::from("$")) {
        None => Ok(()),
        Some(difference) => Err(Refusal::new(difference)),
    }
}

/// Collects the JSON of a document.
#[derive(Default)]
struct Json(Vec<u8>);

impl Sink for Json {
    fn wants(&self, role: OutputRole) -> bool {
        role == OutputRole::Main
    }

    fn take(&mut self, _: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let json = emit::encode(&asset, Encoding::Json, &[], Options::default());
        self.0 = json
            .map_err(|error| ConvertError::Emit(error.to_string()))?
            .into_owned();
        Ok(())
    }
}

/// The first path at which documents differ.
pub(super) fn first_difference(
    packed: &Value,
    edited: &Value,
    path: &mut String,
) -> Option<String> {
    let length = path.len();
    match (packed, edited) {
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => ours
            .iter()
            .zip(theirs)
            .enumerate()
            .find_map(|(index, (ours, theirs))| {
                path.push_str(&format!("[{index}]"));
                let found = first_difference(ours, theirs, path);
                path.truncate(length);
                found
            }),
        (Value::Object(ours), Value::Object(theirs)) => {
            let keys = ours.keys().chain(theirs.keys());
            keys.into_iter().find_map(|key| {
                path.push('.');
                path.push_str(key);
                let (ours, theirs) = (ours.get(key), theirs.get(key));
                let null = Value::Null;
                let found = first_difference(ours.unwrap_or(&null), theirs.unwrap_or(&null), path);
                path.truncate(length);
                found
            })
        }
        (Value::Number(ours), Value::Number(theirs)) if same_number(ours, theirs) => None,
        _ if packed == edited => None,
        _ => Some(format!(
            "{path} is derived from other values or cannot be stored: it would be {}, not {} as edited",
            Shown(packed),
            Shown(edited)
        )),
    }
}

/// True if numbers are equal to the precision of the games' floats.
#[expect(
    clippy::cast_possible_truncation,
    reason = "to the precision that is stored"
)]
fn same_number(ours: &serde_json::Number, theirs: &serde_json::Number) -> bool {
    let single = |number: &serde_json::Number| number.as_f64().map(|number| number as f32);
    ours.is_f64() == theirs.is_f64()
        && single(ours) == single(theirs)
        && ours.as_i64() == theirs.as_i64()
}

/// Checks that a packed archive has its old members, except those added and removed, and that unedited members have
/// their bytes.
///
/// # Errors
/// It cannot be read, or another member changed.
pub(super) fn others(
    file: GameFile<'_>,
    packed: &[u8],
    edits: &[Edited<'_>],
    membership: &Membership<'_>,
) -> Result<(), Refusal> {
    let GameFile { kind, name, bytes } = file;
    let (mut before, mut after) = (listing(kind, name, bytes)?, listing(kind, name, packed)?);
    before.retain(|member| {
        let mut removed = membership.removed.iter();
        !removed.any(|gone| {
            gone.range.start == member.start && gone.member.as_deref() == Some(&member.name)
        })
    });
    let all = after.len();
    after.retain(|member| {
        let mut added = membership.added.iter();
        !added.any(|new| new.name.eq_ignore_ascii_case(&member.name))
    });
    if before.len() != after.len() || all != after.len().saturating_add(membership.added.len()) {
        refuse!("packing changed the number of members");
    }
    for (before, after) in before.iter().zip(&after) {
        let is_edited = edits.iter().any(|edit| {
            edit.output.range.start == before.start
                && edit.output.member.as_deref() == Some(&before.name)
        });
        if before.name != after.name || (!is_edited && before.digest != after.digest) {
            refuse!("packing would change the member {}", before.name);
        }
    }
    Ok(())
}

/// The first byte and the name of each member of an archive.
///
/// # Errors
/// It cannot be read.
pub(super) fn places(kind: Kind, name: &str, bytes: &[u8]) -> Result<Vec<(u64, String)>, Refusal> {
    let members = listing(kind, name, bytes)?.into_iter();
    Ok(members.map(|member| (member.start, member.name)).collect())
}

/// A member of an archive.
struct Member {
    name: String,
    start: u64,
    /// Hash of its bytes, and of its row except positions and sizes.
    digest: blake3::Hash,
}

fn listing(kind: Kind, name: &str, bytes: &[u8]) -> Result<Vec<Member>, Refusal> {
    let decoded = match decode(kind, name, bytes, &ArchiveContext::default()) {
        Some(Ok(decoded)) => decoded.value,
        Some(Err(error)) => return Err(Refusal::new(error)),
        None => return Err(refusal!("the packed file has another format")),
    };
    Ok(match decoded {
        DecodedFile::Textures(package) => {
            let rows = package.directory.rows.iter().zip(&package.images);
            rows.map(|(row, image)| Member {
                name: row.name.text(),
                start: u64::from(row.start),
                digest: picture(row.palette_index, image),
            })
            .collect()
        }
        DecodedFile::Archive(archive) => {
            let entries = archive.entries.iter();
            entries
                .map(|entry| Member {
                    name: entry.name(),
                    start: entry.offset as u64,
                    digest: digest(&format!(
                        "{:?} {:?} {:?} {:?}",
                        entry.row.flags,
                        entry.row.comment,
                        entry.row.filetime(),
                        blake3::hash(&entry.data)
                    )),
                })
                .collect()
        }
        DecodedFile::Pfs(archive) => {
            let entries = archive.entries.iter();
            entries
                .map(|entry| Member {
                    name: entry.label(),
                    start: u64::from(entry.row.offset),
                    digest: blake3::hash(&entry.blocks),
                })
                .collect()
        }
        DecodedFile::Rof(archive) => {
            let entries = archive.entries.iter().enumerate();
            entries
                .map(|(index, entry)| Member {
                    name: archive.path(index).join("/"),
                    start: u64::from(entry.record.start),
                    digest: digest(&format!(
                        "{:?} {:?} {:?}",
                        entry.record.storage,
                        entry.fault.is_some(),
                        blake3::hash(&entry.data)
                    )),
                })
                .collect()
        }
        _ => Vec::new(),
    })
}

/// Everything of an image.
fn picture(palette_index: i32, image: &Image<'_>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{palette_index} {:?}", image.header).as_bytes());
    hasher.update(&image.texels);
    if let Some(plane) = &image.alpha {
        hasher.update(plane);
    }
    for color in &image.palette {
        hasher.update(&color.0.to_le_bytes());
    }
    hasher.finalize()
}

fn digest(text: &str) -> blake3::Hash {
    blake3::hash(text.as_bytes())
}
