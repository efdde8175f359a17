//! The table of an archive, edited together with its members: the table first, then the members in the result.

use super::content;
use super::edited::{Content, Edited, Refusal, Refusals, unless_refused};
use super::game_file::GameFile;
use super::membership::{Added, Membership};
use super::unit::Unit;
use super::{proof, value};
use crate::config::Config;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_formats::kind::ArchiveContext;

/// Puts edits of members into an archive.
type ReplaceMembers =
    fn(GameFile<'_>, &[Edited<'_>], bool, &Membership<'_>, &Config) -> Result<Content, Refusals>;

/// Puts edits of the table and of members into an archive. `replace_members` puts those of members into the result.
///
/// # Errors
/// An edit cannot be packed, or the members change a value that was edited in the table.
pub(super) fn replace(
    file: GameFile<'_>,
    edits: &[Edited<'_>],
    has_scenes: bool,
    membership: &Membership<'_>,
    settings: &Config,
    replace_members: ReplaceMembers,
) -> Result<Content, Refusals> {
    let is_table = |edit: &Edited<'_>| edit.output.member.is_none();
    let tables: Vec<&Edited<'_>> = edits.iter().filter(|edit| is_table(edit)).collect();
    let unit = Unit {
        kind: file.kind,
        name: file.name,
        original: file.bytes,
        siblings: &ArchiveContext::default(),
        settings,
        edits: &tables,
    };
    let Content {
        bytes: current,
        roundings: mut of_tables,
    } = content::encode(&unit)?;
    let moved = Moved::new(file, &current).map_err(|refusal| unit.refuse(refusal))?;
    let outputs = edits.iter().map(|edit| moved.output(edit.output));
    let outputs: Vec<ManifestOutput> = outputs.collect();
    let of_members = edits.iter().zip(&outputs);
    let of_members = of_members.filter(|(edit, _)| !is_table(edit));
    let of_members = of_members.map(|(edit, output)| Edited {
        output,
        bytes: edit.bytes.clone(),
        has_alpha_plane: edit.has_alpha_plane,
        palettes: edit.palettes,
    });
    let of_members: Vec<Edited<'_>> = of_members.collect();
    let likes = membership.added.iter().map(|new| moved.output(new.like));
    let likes: Vec<ManifestOutput> = likes.collect();
    let removed = membership.removed.iter().map(|output| moved.output(output));
    let removed: Vec<ManifestOutput> = removed.collect();
    let added = membership.added.iter().zip(&likes);
    let membership = Membership {
        added: added
            .map(|(new, like)| Added {
                output: new.output.clone(),
                bytes: new.bytes.clone(),
                like,
                name: new.name.clone(),
            })
            .collect(),
        removed: removed.iter().collect(),
    };
    let file = GameFile {
        bytes: &current,
        ..file
    };
    let content = match of_members.is_empty() && membership.is_empty() {
        true => Content {
            bytes: current.clone(),
            roundings: Vec::new(),
        },
        false => replace_members(file, &of_members, has_scenes, &membership, settings)?,
    };
    let refused = value::settle_all(&unit, &tables, &content.bytes, &mut of_tables);
    unless_refused((), refused)?;
    // In the order of the edits; those of new members follow.
    let (mut of_tables, mut of_members) = (of_tables.into_iter(), content.roundings.into_iter());
    let roundings = edits.iter().map(|edit| match is_table(edit) {
        true => of_tables.next().flatten(),
        false => of_members.next().flatten(),
    });
    let mut roundings: Vec<Option<String>> = roundings.collect();
    roundings.extend(of_members);
    Ok(Content {
        bytes: content.bytes,
        roundings,
    })
}

/// The members of an archive before and after its table was edited: first byte and name of each.
struct Moved {
    places: Vec<[(u64, String); 2]>,
}

impl Moved {
    fn new(file: GameFile<'_>, after: &[u8]) -> Result<Self, Refusal> {
        let before = proof::places(file.kind, file.name, file.bytes)?;
        let after = proof::places(file.kind, file.name, after)?;
        if before.len() != after.len() {
            refuse!("it adds or removes members, and other members were edited too");
        }
        let places = before.into_iter().zip(after);
        Ok(Self {
            places: places.map(|(before, after)| [before, after]).collect(),
        })
    }

    /// An output with the place that its member has after the edit of the table.
    fn output(&self, output: &ManifestOutput) -> ManifestOutput {
        let mut moved = output.clone();
        let place = (output.range.start, output.member.as_deref());
        let found = self
            .places
            .iter()
            .find(|[(start, name), _]| place == (*start, Some(&**name)));
        if let Some([_, (start, name)]) = found {
            moved.range.start = *start;
            moved.member = Some(name.clone());
        }
        moved
    }
}
