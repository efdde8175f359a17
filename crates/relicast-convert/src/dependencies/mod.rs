//! Finds the files that other files depend on: texture packages of worlds and models; motions, definitions and
//! messages of 'mechs; and the targets of animations: nodes, sounds, other animations.
//!
//! Dependencies follow from the locations and kinds of the files, so that the plan can list
//! them before anything is converted.

mod everquest;
mod kinds;

use super::dependency_places::{
    PackageRank, PathParts, ancestors, is_within, mech_rank, world_rank,
};
use crate::options::{Clips, ConvertOptions, WorldState};

pub use kinds::{Dependency, DependencyKind, DependencySource, Needs};

/// The files of a plan, searched for dependencies.
struct Search<'f> {
    files: &'f [DependencySource<'f>],
    places: Vec<PathParts>,
    /// Indices of the packages of textures.
    packages: Vec<usize>,
}

impl<'f> Search<'f> {
    fn new(files: &'f [DependencySource<'f>]) -> Self {
        let packages = (0..files.len())
            .filter(|&index| files[index].content == DependencyKind::Textures)
            .collect();
        Self {
            files,
            places: files.iter().map(|file| PathParts::new(file.path)).collect(),
            packages,
        }
    }

    fn is(&self, index: usize, content: DependencyKind) -> bool {
        self.files[index].content == content
    }

    fn is_aircraft(&self, index: usize) -> bool {
        self.is(index, DependencyKind::World) && self.places[index].stem == "planes"
    }

    fn is_world(&self, index: usize) -> bool {
        self.is(index, DependencyKind::World) && self.places[index].stem != "planes"
    }

    /// The files in a folder that meet `wanted`.
    fn in_folder(&self, folder: &str, wanted: &dyn Fn(usize) -> bool) -> Vec<usize> {
        (0..self.files.len())
            .filter(|&index| self.places[index].folder == folder && wanted(index))
            .collect()
    }

    /// The files of a kind in a folder.
    fn of_kind(&self, folder: &str, content: DependencyKind) -> Vec<usize> {
        self.in_folder(folder, &|index| self.is(index, content))
    }

    /// The packages in a folder, by rank.
    fn packages_in(&self, folder: &str, rank: PackageRank) -> Vec<usize> {
        let mut found: Vec<((u8, u32), usize)> = (self.packages.iter())
            .filter(|&&index| self.places[index].folder == folder)
            .filter_map(|&index| Some((rank(&self.places[index].stem)?, index)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, index)| index).collect()
    }

    /// The packages of a world in a folder: those of the folder, then the skins of 'mechs in the nearest
    /// folder above that has them; in Crimson Skies then that of the interface.
    fn packages_of_world(&self, folder: &str) -> Vec<usize> {
        let mut needed = self.packages_in(folder, world_rank);
        let mut skins = ancestors(folder).map(|folder| self.packages_in(folder, mech_rank));
        let nearest = skins.find(|found| !found.is_empty());
        needed.extend(nearest.unwrap_or_default());
        needed.extend(self.interface_of_skies(folder));
        needed
    }

    /// The package of the interface next to the aircraft above a folder: Crimson Skies looks there for pictures that
    /// the package of a world lacks.
    fn interface_of_skies(&self, folder: &str) -> Option<usize> {
        let mut folders = ancestors(folder).filter(|above| *above != folder);
        let above = folders.find(|above| {
            !self
                .in_folder(above, &|index| self.is_aircraft(index))
                .is_empty()
        })?;
        let mut packages = self.packages.iter().copied();
        packages.find(|&index| {
            let place = &self.places[index];
            place.folder == above && place.stem == "rimage"
        })
    }

    /// Dependencies of the disc at a place. The files on it are in a folder of its name, or next to it if the disc
    /// itself is the input.
    fn of_disc(&self, place: &PathParts) -> Vec<usize> {
        let named = match &*place.folder {
            "" => place.stem.clone(),
            folder => format!("{folder}/{}", place.stem),
        };
        let within = |folder: &str| -> Vec<usize> {
            let all = 0..self.files.len();
            let all = all.filter(|&index| is_within(&self.places[index].folder, folder));
            all.collect()
        };
        let named = within(&named);
        let all = match named.is_empty() {
            true => within(&place.folder),
            false => named,
        };
        let readers = all
            .into_iter()
            .filter(|&index| self.is(index, DependencyKind::Readers));
        let depth = |&index: &usize| self.places[index].folder.split('/').count();
        let readers: Vec<usize> = readers.collect();
        let least = readers.iter().map(depth).min();
        let topmost = |index: &usize| Some(depth(index)) == least;
        readers.into_iter().filter(topmost).collect()
    }

    /// Dependencies of the compiled animations at `index`.
    fn of_animations(&self, index: usize) -> Vec<usize> {
        let own = &*self.places[index].folder;
        let nearest = |wanted: &dyn Fn(usize) -> bool| {
            let mut folders = ancestors(own).map(|folder| self.in_folder(folder, wanted));
            folders.find(|found| !found.is_empty()).unwrap_or_default()
        };
        let mut needed = nearest(&|index| self.is_world(index));
        needed.extend(nearest(&|index| self.is_aircraft(index)));
        needed.extend(nearest(&|index| self.is(index, DependencyKind::Models)));
        needed.extend(nearest(&|index| self.is(index, DependencyKind::Sounds)));
        needed.extend(self.of_kind(own, DependencyKind::Readers));
        needed.extend((0..self.files.len()).filter(|&other| {
            let folder = &*self.places[other].folder;
            other != index
                && self.is(other, DependencyKind::Animations)
                && (is_within(folder, own) || is_within(own, folder))
        }));
        let mut worlds = needed.iter().filter(|&&index| self.is_world(index));
        if let Some(&world) = worlds.next() {
            needed.extend(self.packages_of_world(&self.places[world].folder));
        }
        needed
    }

    /// Dependencies of the world in a folder.
    fn of_world(&self, folder: &str, options: &ConvertOptions) -> Vec<usize> {
        let mut needed = self.packages_of_world(folder);
        let starts = options.worlds.state != WorldState::Stored;
        if starts || options.animations.clips == Clips::World {
            needed.extend(self.animations_of_world(folder));
        }
        if options.worlds.placements {
            needed.extend(self.placements_of_world(folder));
        } else {
            if starts {
                needed.extend(self.readers_of_world(folder));
            }
            needed.extend(self.effects_of_world(folder));
        }
        needed.extend(self.scripts_of_world(folder));
        needed
    }

    /// The scripts in the nearest folder, from that of a world ancestors, that has any.
    fn scripts_of_world(&self, folder: &str) -> Vec<usize> {
        let mut found =
            ancestors(folder).map(|folder| self.of_kind(folder, DependencyKind::Scripts));
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The aircraft in the nearest folder above that of a world, with this folder.
    fn aircraft_above<'p>(&self, folder: &'p str) -> Option<(&'p str, Vec<usize>)> {
        let is_aircraft = |index: usize| self.is_aircraft(index);
        let mut found =
            ancestors(folder).map(|folder| (folder, self.in_folder(folder, &is_aircraft)));
        let nearest = found.find(|(_, aircraft)| !aircraft.is_empty());
        nearest.filter(|(root, _)| *root != folder)
    }

    /// The readers of the whole game next to the aircraft of Crimson Skies, whose `effects.zrd` gives materials of
    /// worlds rows of pictures.
    fn effects_of_world(&self, folder: &str) -> Vec<usize> {
        let root = self.aircraft_above(folder).map(|(root, _)| root);
        root.map(|root| self.of_kind(root, DependencyKind::Readers))
            .unwrap_or_default()
    }

    /// The readers in the folder of a world and in those below it.
    fn readers_of_world(&self, folder: &str) -> Vec<usize> {
        let mut needed: Vec<usize> = (0..self.files.len())
            .filter(|&index| self.is(index, DependencyKind::Readers))
            .filter(|&index| is_within(&self.places[index].folder, folder))
            .collect();
        needed.sort_by_key(|&index| self.files[index].path);
        needed
    }

    /// The animations in the folder of a world and in the folders below it that have no world of their own.
    fn animations_of_world(&self, folder: &str) -> Vec<usize> {
        let has_world = |folder: &str| {
            (0..self.files.len())
                .any(|index| self.is_world(index) && self.places[index].folder == folder)
        };
        let mut found: Vec<usize> = (0..self.files.len())
            .filter(|&index| self.is(index, DependencyKind::Animations))
            .filter(|&index| {
                let world = ancestors(&self.places[index].folder).find(|folder| has_world(folder));
                world == Some(folder)
            })
            .collect();
        found.sort_by_key(|&index| (self.places[index].folder != folder, self.files[index].path));
        found
    }

    /// Files that missions in the folder of a world place: readers, and 'mechs with their motions and readers.
    fn placements_of_world(&self, folder: &str) -> Vec<usize> {
        let mut needed = self.readers_of_world(folder);
        let mechs = ancestors(folder)
            .find(|folder| !self.of_kind(folder, DependencyKind::Models).is_empty());
        if let Some(mechs) = mechs.filter(|mechs| *mechs != folder) {
            for content in [
                DependencyKind::Models,
                DependencyKind::Motions,
                DependencyKind::Readers,
            ] {
                needed.extend(self.of_kind(mechs, content));
            }
        }
        // Recoil's readers of the whole game.
        let is_reader = |index: usize| self.is(index, DependencyKind::Readers);
        let above = ancestors(folder)
            .filter(|above| *above != folder)
            .map(|above| self.in_folder(above, &is_reader))
            .find(|found| !found.is_empty());
        // Aircraft and the readers that name them.
        if let Some((root, aircraft)) = self.aircraft_above(folder) {
            needed.extend(aircraft);
            let readers = self.of_kind(root, DependencyKind::Readers).into_iter();
            let readers: Vec<usize> = readers.filter(|index| !needed.contains(index)).collect();
            needed.extend(readers);
            // Titles of the missions.
            needed.extend(self.messages_above(root));
        }
        let above = above.unwrap_or_default().into_iter();
        let above: Vec<usize> = above.filter(|index| !needed.contains(index)).collect();
        needed.extend(above);
        needed
    }

    /// The packages for aircraft and 'mechs in a folder: skins in the folder, then the packages of all
    /// folders below it.
    fn packages_of_models(&self, folder: &str) -> Vec<usize> {
        let mut needed = self.packages_in(folder, mech_rank);
        let mut folders: Vec<&str> = (self.packages.iter())
            .map(|&index| &*self.places[index].folder)
            .filter(|inner| is_within(inner, folder))
            .collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            needed.extend(self.packages_in(folder, world_rank));
        }
        needed
    }

    /// Dependencies of the aircraft in a folder: pictures; liveries at and below the folder above, and the
    /// readers and saves that assign liveries.
    fn of_aircraft(&self, folder: &str) -> Vec<usize> {
        let mut needed = self.packages_of_models(folder);
        let root = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let is_livery = |index: usize| {
            let content = self.files[index].content;
            let is_one = [DependencyKind::Resources, DependencyKind::Liveries].contains(&content);
            is_one && is_within(&self.places[index].folder, root)
        };
        let liveries: Vec<usize> = (0..self.files.len())
            .filter(|&index| is_livery(index))
            .collect();
        if liveries.is_empty() {
            // One of them defines the cameras.
            needed.extend(self.of_kind(folder, DependencyKind::Readers));
        } else {
            needed.extend(liveries);
            needed.extend((0..self.files.len()).filter(|&index| {
                let inner = &*self.places[index].folder;
                let last = inner.rsplit_once('/').map_or(inner, |(_, last)| last);
                // Missions made by users define aces.
                let is_instant = is_within(inner, folder)
                    && last
                        .strip_prefix("ia")
                        .is_some_and(|number| number.parse::<u32>().is_ok());
                self.is(index, DependencyKind::Readers) && (inner == folder || is_instant)
            }));
            needed.extend((0..self.files.len()).filter(|&index| {
                let is_save = self.is(index, DependencyKind::Saves);
                is_save && is_within(&self.places[index].folder, root)
            }));
        }
        needed
    }

    /// Dependencies of a resource archive: the archives next to it, and the pictures of the aircraft that use
    /// its liveries.
    fn of_resources(&self, index: usize) -> Vec<usize> {
        let own = &*self.places[index].folder;
        let mut needed = self.of_kind(own, DependencyKind::Resources);
        needed.retain(|&other| other != index);
        let mut aircraft = (0..self.files.len()).filter(|&other| {
            let folder = &*self.places[other].folder;
            let root = folder.rsplit_once('/').map_or("", |(above, _)| above);
            self.is_aircraft(other) && is_within(own, root)
        });
        if let Some(aircraft) = aircraft.next() {
            needed.extend(self.packages_of_models(&self.places[aircraft].folder));
        }
        needed
    }

    /// Dependencies of the 'mechs in a folder.
    fn of_models(&self, folder: &str) -> Vec<usize> {
        let mut needed = self.packages_of_models(folder);
        needed.extend(self.of_kind(folder, DependencyKind::Motions));
        needed.extend(self.of_kind(folder, DependencyKind::Readers));
        needed.extend(self.messages_above(folder));
        needed
    }

    /// Dependencies of the sounds in a folder.
    fn of_sounds(&self, folder: &str) -> Vec<usize> {
        let mut needed = self.of_kind(folder, DependencyKind::Readers);
        needed.extend(self.messages_above(folder));
        needed
    }

    /// The messages of the nearest folder from one up that has them.
    fn messages_above(&self, folder: &str) -> Vec<usize> {
        let messages = ancestors(folder)
            .map(|folder| self.of_kind(folder, DependencyKind::Messages))
            .find(|found| !found.is_empty());
        messages.unwrap_or_default()
    }
}

/// For each file the files that it depends on, in search order.
///
/// - A world searches the packages of its own folder, then the skins of 'mechs in the nearest folder
///   above that has them. Scripts in the nearest folder above define the sky.
/// - A world whose scene gets clips, or is shown as a mission begins, also takes the animations of its folder and of
///   the folders below it that have no world of their own. In the second case it takes the readers there too.
/// - Aircraft and 'mechs, which are in the folder above those of the worlds, search the skins of
///   their own folder, then the packages of all folders below it, folder by folder.
/// - A world that is written with the placements of its missions also takes the readers of its
///   folder, of those below it and of the nearest folder above. It also takes the 'mechs of the nearest folder above
///   with all their dependencies; or the aircraft of the nearest folder above, with the readers there and the messages
///   of the nearest folder from there up.
/// - Aircraft also take the readers of their folder, the liveries below the folder above them, and readers that
///   assign liveries. Resource archives take each other and the pictures of those aircraft.
/// - 'Mechs also take the motions and readers of their folder, and the messages of the nearest folder
///   from there up that has them.
/// - Archives and loose scenes of EverQuest search themselves, then those of their zone, then those
///   that lists of their zone name, then those that all zones share. Sound emitters take the names of their zone.
/// - Discs take the topmost readers on them, one of which defines the use of the tracks.
/// - Archives of sounds take the readers of their folder, one of which lists looped sounds. They also take the messages
///   of the nearest folder from there up that has them, which give the spoken text.
/// - Animations name nodes of the nearest world, aircraft and 'mechs at or above them, sounds of the
///   nearest folder that has any, and animations of containers above and below. Readers of their own
///   folder may hold the sources they were compiled from. The scenes that show their movement use the pictures of
///   that world.
pub fn dependencies(files: &[DependencySource<'_>], options: &ConvertOptions) -> Vec<Vec<usize>> {
    let search = Search::new(files);
    let mut of_everquest = everquest::dependencies(files, &search.places);
    (files.iter().zip(&search.places).enumerate())
        .map(|(index, (file, place))| match file.content {
            DependencyKind::Animations => search.of_animations(index),
            DependencyKind::World if search.is_aircraft(index) => search.of_aircraft(&place.folder),
            DependencyKind::World => search.of_world(&place.folder, options),
            DependencyKind::Models => search.of_models(&place.folder),
            DependencyKind::Resources => search.of_resources(index),
            DependencyKind::Songs => match options.music.render {
                true => search.of_kind(&place.folder, DependencyKind::SoundFont),
                false => Vec::new(),
            },
            DependencyKind::Sounds => search.of_sounds(&place.folder),
            DependencyKind::Disc => search.of_disc(place),
            DependencyKind::Textures
            | DependencyKind::Motions
            | DependencyKind::EverQuest
            | DependencyKind::EverQuestScene
            | DependencyKind::EverQuestZone
            | DependencyKind::EnvironmentEmitters
            | DependencyKind::Emitters
            | DependencyKind::GrassCards
            | DependencyKind::SoundBank
            | DependencyKind::SoundFont
            | DependencyKind::EmitterText
            | DependencyKind::EmitterDefinitions
            | DependencyKind::SpellStages
            | DependencyKind::TextList
            | DependencyKind::WorldSettings
            | DependencyKind::MusicFile
            | DependencyKind::Readers
            | DependencyKind::Scripts
            | DependencyKind::Messages
            | DependencyKind::Liveries
            | DependencyKind::Saves
            | DependencyKind::Other => of_everquest.remove(&index).unwrap_or_default(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
