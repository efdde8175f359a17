//! Edits of things that game files hold, which several scenes may show.

use std::collections::BTreeMap;

use super::scene::Scene;
use crate::pack::edited::{Refusal, Refusals, unless_refused};

/// Place of a thing in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::pack::scene) struct Place {
    /// The number of its member among those that are decoded.
    pub member: usize,
    /// Its own number there.
    pub index: usize,
}

/// Wanted values of a thing, with the path of an output that asks for them.
#[derive(Debug)]
pub(super) struct Edit<E> {
    pub path: String,
    pub wanted: E,
}

/// Edits by place.
#[derive(Debug)]
pub(super) struct Edits<E>(BTreeMap<Place, Edit<E>>);

impl<E> Default for Edits<E> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<E: PartialEq> Edits<E> {
    /// Adds the edit that a scene asks for.
    ///
    /// # Errors
    /// Another scene asks for other values.
    pub(super) fn add(
        &mut self,
        place: Place,
        scene: &Scene<'_>,
        wanted: E,
    ) -> Result<(), Refusal> {
        let path = scene.output.path.clone();
        let known = self.0.get(&place).map(|known| known.wanted == wanted);
        self.0.insert(place, Edit { path, wanted });
        match known {
            Some(false) => Err(refusal!("two edited scenes set different values for it")),
            _ => Ok(()),
        }
    }
}

impl<E> Edits<E> {
    /// Returns the edit of a thing.
    pub(super) fn get(&self, place: Place) -> Option<&Edit<E>> {
        self.0.get(&place)
    }

    /// Returns whether there is no edit.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Applies all edits to their files.
    ///
    /// # Errors
    /// By scene, edits that the format cannot hold.
    pub(super) fn put(
        &self,
        mut put: impl FnMut(Place, &E) -> Result<(), Refusal>,
    ) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        for (&place, edit) in &self.0 {
            if let Err(refusal) = put(place, &edit.wanted) {
                refusals.push((edit.path.clone(), refusal));
            }
        }
        unless_refused((), refusals)
    }
}
