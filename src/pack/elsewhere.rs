//! What edits change in other game files than their own: motions of models.

use std::collections::BTreeMap;

use super::destination::Destination;
use super::edited::Refusal;
use super::error::PackError;
use super::in_place::{Originals, PACKAGED, place_of};
use super::scene::{Members, merged};

/// New members of other game files, each with an output that asks for it.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    members: Members,
    /// By archive.
    asked_by: BTreeMap<String, String>,
    /// What was asked for in two ways.
    refused: Vec<(String, Refusal)>,
}

impl Elsewhere {
    /// Adds members that the output `path` asks for.
    pub(super) fn add(&mut self, members: Members, path: &str) {
        for (place, own) in members {
            self.asked_by
                .entry(place.clone())
                .or_insert_with(|| path.to_owned());
            let all = self.members.entry(place).or_default();
            for (name, bytes) in own {
                if all.get(&name).is_some_and(|known| *known != bytes) {
                    let reason = format_args!("another scene has the motion {name} in another way");
                    self.refused.push((path.to_owned(), Refusal::new(reason)));
                }
                all.insert(name, bytes);
            }
        }
    }

    /// Puts them into the files that change; `files` and `before` are these and what they were. What cannot go back
    /// is returned: a file that lies in a disc image or a cabinet has no place in an install, for one.
    ///
    /// # Errors
    /// An archive of the install cannot be read.
    pub(super) fn merge(
        self,
        originals: &Originals,
        files: &mut BTreeMap<String, Vec<u8>>,
        before: Option<&mut BTreeMap<String, Vec<u8>>>,
        to: &Destination,
    ) -> Result<Vec<(String, Refusal)>, PackError> {
        let mut refused = self.refused;
        let mut stored = BTreeMap::new();
        for (place, own) in &self.members {
            let asked_by = || self.asked_by.get(place).cloned().unwrap_or_default();
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
                    stored.insert(place, original);
                }
                Err(refusal) => refused.push((asked_by(), refusal)),
            }
        }
        if let Some(before) = before {
            before.extend(stored);
        }
        Ok(refused)
    }
}
