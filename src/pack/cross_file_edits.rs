//! Changes that edits make in other game files than their own: motions of models, pictures of new materials.

use std::collections::{BTreeMap, BTreeSet};

use super::destination::Destination;
use super::edited::Refusal;
use super::error::PackError;
use super::in_place::{Originals, PACKAGED, place_of};
use super::scene::{Members, merged};

/// Game files that edits of other files change, with the outputs that ask for it.
pub(super) type AskedBy = BTreeMap<String, BTreeSet<String>>;

/// New members of other game files, each with the outputs that ask for it.
#[derive(Debug, Default)]
pub(super) struct CrossFileEdits {
    members: Members,
    /// By archive.
    asked_by: AskedBy,
    /// Members for which two scenes ask for different bytes.
    refused: Vec<(String, Refusal)>,
}

impl CrossFileEdits {
    /// Adds members that these outputs ask for.
    pub(super) fn add(&mut self, members: Members, paths: &[String]) {
        let path = paths.first().map_or("", |path| path);
        for (place, own) in members {
            self.asked_by
                .entry(place.clone())
                .or_default()
                .extend(paths.iter().cloned());
            let all = self.members.entry(place).or_default();
            for (name, bytes) in own {
                if all.get(&name).is_some_and(|known| *known != bytes) {
                    let reason = format_args!(
                        "another edited scene has a different {name} for the same archive; edit it in one of them, give a new picture another name, or pack one of them with --only"
                    );
                    self.refused.push((path.to_owned(), Refusal::new(reason)));
                }
                all.insert(name, bytes);
            }
        }
    }

    /// Applies them to the files that change; `files` and `before` hold these files now and before. Returns the
    /// refusals, for example for a file in a disc image or a cabinet, which has no path in an install; and the outputs
    /// behind each changed file.
    ///
    /// # Errors
    /// An archive of the install cannot be read.
    pub(super) fn merge(
        self,
        originals: &Originals,
        files: &mut BTreeMap<String, Vec<u8>>,
        before: Option<&mut BTreeMap<String, Vec<u8>>>,
        to: &Destination,
    ) -> Result<(Vec<(String, Refusal)>, AskedBy), PackError> {
        let mut refused = self.refused;
        let mut changed = AskedBy::new();
        let mut stored = BTreeMap::new();
        for (place, own) in &self.members {
            let all = || self.asked_by.get(place).cloned().unwrap_or_default();
            let asked_by = || all().into_iter().next().unwrap_or_default();
            let found = originals.find(place, |_| true)?;
            if found.is_packaged && *to == Destination::InPlace {
                refused.push((asked_by(), Refusal::new(PACKAGED)));
                continue;
            }
            let (place, original) = (place_of(&found.place)?, found.bytes);
            let current = files.get(&place).unwrap_or(&original);
            match merged(&original, current, own) {
                Ok(bytes) if bytes == original => {}
                Ok(bytes) => {
                    files.insert(place.clone(), bytes);
                    changed.insert(place.clone(), all());
                    stored.insert(place, original);
                }
                Err(refusal) => refused.push((asked_by(), refusal)),
            }
        }
        if let Some(before) = before {
            before.extend(stored);
        }
        Ok((refused, changed))
    }
}
