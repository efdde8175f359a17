//! Dependencies of EverQuest files: archives of the zones and models that they name, zones and emitters of the
//! same name, settings of skies, and names of sounds.

use std::collections::HashMap;

use super::super::dependency_places::{PathParts, is_within};
use super::super::everquest::dependencies as archives;
use super::kinds::{DependencyKind, DependencySource};

/// Dependencies of EverQuest files, by file index; files without dependencies may be missing.
pub(super) fn dependencies(
    files: &[DependencySource<'_>],
    places: &[PathParts],
) -> HashMap<usize, Vec<usize>> {
    let is_archive = |content| content == DependencyKind::EverQuest;
    let archives: Vec<archives::Archive<'_>> = (files.iter().zip(places).enumerate())
        .filter(|(_, (file, _))| {
            is_archive(file.content) || file.content == DependencyKind::EverQuestScene
        })
        .map(|(index, (file, place))| archives::Archive {
            index,
            folder: &place.folder,
            stem: &place.stem,
            is_archive: is_archive(file.content),
        })
        .collect();
    let lists = (files.iter().zip(places).enumerate()).filter_map(|(index, (file, place))| {
        let zone = place.zone.as_deref().filter(|_| !file.listed.is_empty())?;
        Some(archives::List {
            index,
            folder: &place.folder,
            zone,
            archives: file.listed,
        })
    });
    let lists: Vec<archives::List<'_>> = lists.collect();
    let mut needed: HashMap<usize, Vec<usize>> = archives::dependencies(&archives, &lists)
        .into_iter()
        .collect();
    // Files of the same name next to an archive: a zone that replaces the one inside, emitters.
    for (content, ending) in [
        (DependencyKind::EverQuestZone, ""),
        (DependencyKind::EnvironmentEmitters, "_environmentemitters"),
        (DependencyKind::GrassCards, ""),
    ] {
        let beside: HashMap<(&str, &str), usize> = (files.iter().zip(places).enumerate())
            .filter(|(_, (file, _))| file.content == content)
            .filter_map(|(index, (_, place))| {
                let zone = place.stem.strip_suffix(ending)?;
                Some(((&*place.folder, zone), index))
            })
            .collect();
        for (index, (file, place)) in files.iter().zip(places).enumerate() {
            let found = beside.get(&(&*place.folder, &*place.stem));
            if let (true, Some(&found)) = (is_archive(file.content), found) {
                let list = needed.entry(index).or_insert_with(|| vec![index]);
                list.push(found);
            }
        }
    }
    // Settings of skies are next to the archive of skies or in a folder below.
    for (index, (file, place)) in files.iter().zip(places).enumerate() {
        if is_archive(file.content) && place.stem == SKIES {
            let mut settings: Vec<usize> = (0..files.len())
                .filter(|&other| files[other].content == DependencyKind::WorldSettings)
                .filter(|&other| places[other].stem == SKIES)
                .filter(|&other| is_within(&places[other].folder, &place.folder))
                .collect();
            settings.sort_by_key(|&other| (places[other].folder.len(), files[other].path));
            let list = needed.entry(index).or_insert_with(|| vec![index]);
            list.extend(settings.first());
        }
    }
    for (index, list) in sounding(files, places) {
        needed.insert(index, list);
    }
    needed
}

/// Dependencies of lists of sounds and spells: names of sounds and songs of the zone, archives of sounds, music
/// and its index, and the emitters of the same name.
fn sounding(files: &[DependencySource<'_>], places: &[PathParts]) -> Vec<(usize, Vec<usize>)> {
    let mut by_place: HashMap<(DependencyKind, &str, &str), usize> = HashMap::new();
    let mut common: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, (file, place)) in files.iter().zip(places).enumerate() {
        let (folder, stem) = (&*place.folder, &*place.stem);
        (by_place.entry((file.content, folder, stem))).or_insert(index);
        let is_common = match file.content {
            DependencyKind::EverQuest => stem.starts_with(SOUND_ARCHIVES),
            DependencyKind::TextList => stem == MUSIC_INDEX,
            DependencyKind::MusicFile => true,
            _ => false,
        };
        if is_common {
            common.entry(folder).or_default().push(index);
        }
    }
    let mut all = Vec::new();
    for (index, (file, place)) in files.iter().zip(places).enumerate() {
        let (folder, stem) = (&*place.folder, &*place.stem);
        let find = |content, stem: &str| by_place.get(&(content, folder, stem)).copied();
        let zone = match file.content {
            DependencyKind::Emitters => stem.strip_suffix("_sounds"),
            DependencyKind::EmitterText => Some(stem),
            DependencyKind::SpellStages => {
                let emitters = find(DependencyKind::EmitterDefinitions, stem);
                all.push((index, emitters.into_iter().collect()));
                continue;
            }
            _ => continue,
        };
        let mut list = Vec::new();
        if let Some(zone) = zone {
            let bank = format!("{zone}_sndbnk");
            list.extend(find(DependencyKind::SoundBank, &bank));
            list.extend(find(DependencyKind::Songs, zone));
        }
        list.extend(common.get(folder).into_iter().flatten());
        all.push((index, list));
    }
    all
}

/// Stem of the archive of skies and of their settings.
const SKIES: &str = "sky";

/// Start of the names of archives of sounds.
const SOUND_ARCHIVES: &str = "snd";

/// Stem of the list of music that sounds refer to by number.
const MUSIC_INDEX: &str = "mp3index";
