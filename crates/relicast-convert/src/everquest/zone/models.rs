//! Models that can be placed in a zone, by the names of their actors.

use std::collections::HashMap;
use std::rc::Rc;

use crate::everquest::archive::ArchiveSet;
use crate::everquest::catalog::Catalog;
use crate::everquest::scene_builder::Source;

/// A model in its scene file.
pub(super) type FoundModel<'s> = (Source<'s>, Rc<Catalog>, usize);

/// The models that can be placed. Archives are searched in order when a model is requested.
pub(super) struct Models<'s, 'a> {
    archive_set: &'s ArchiveSet<'a>,
    /// Substrings of the names of the shared archives that have such models.
    shared: &'static [&'static str],
    /// Models of the scene files of each archive that was searched so far.
    known: Vec<Vec<(Source<'s>, Rc<Catalog>)>>,
    by_actor: HashMap<String, Option<FoundModel<'s>>>,
}

impl<'s, 'a> Models<'s, 'a> {
    /// Models of the archives of a set, and of shared ones whose names contain one of the given substrings.
    pub(super) fn new(archive_set: &'s ArchiveSet<'a>, shared: &'static [&'static str]) -> Self {
        Self {
            archive_set,
            shared,
            known: Vec::new(),
            by_actor: HashMap::new(),
        }
    }

    /// The model of an actor: of the zone's archives, then of the shared ones.
    pub(super) fn find(&mut self, actor: &str) -> Option<FoundModel<'s>> {
        let key = actor.to_uppercase();
        if let Some(known) = self.by_actor.get(&key) {
            return known.clone();
        }
        let found = self.search(actor);
        self.by_actor.insert(key, found.clone());
        found
    }

    fn search(&mut self, actor: &str) -> Option<FoundModel<'s>> {
        let siblings = self.archive_set.siblings().len();
        for (opened, archive) in self.archive_set.archives().iter().enumerate() {
            if self.known.len() <= opened {
                let stem = archive.stem();
                let is_wanted = self.shared.iter().any(|part| stem.contains(part));
                let asked = opened < siblings || is_wanted;
                let files = if asked { archive.scenes() } else { &[] };
                let catalogs = files.iter().map(|file| {
                    let catalog = Rc::new(Catalog::new(file.wld()));
                    (Source { file, opened }, catalog)
                });
                self.known.push(catalogs.collect());
            }
            for (source, catalog) in &self.known[opened] {
                if let Some(model) = catalog.by_actor(actor) {
                    return Some((*source, Rc::clone(catalog), model));
                }
            }
        }
        None
    }
}
