//! Names of the music on a game's disc: from `sounds.zrd` for tracks, the menu and the missions.
//!
//! The rule is that of Recoil; the readers of its discs are in `zrdr.zbd`.

use std::collections::BTreeMap;

use super::sound_list::SoundList;
use crate::Dependency;
use crate::shared::disc::TrackUse;

/// The track that the menu repeats.
const MENU: u8 = 2;

/// Uses of the tracks of a disc, by track number, from the readers on it. `last` is the number of the last
/// track.
pub(crate) fn of_disc(dependencies: &[Dependency<'_>], last: u8) -> BTreeMap<u8, TrackUse> {
    let Some(list) = SoundList::read(dependencies) else {
        return BTreeMap::new();
    };
    let mut uses: BTreeMap<u8, TrackUse> = BTreeMap::new();
    for (name, number) in list.tracks() {
        let number = u8::try_from(number).ok().filter(|&number| number <= last);
        if let Some(number) = number {
            uses.entry(number).or_default().names.push(name.to_owned());
        }
    }
    // Without a list of tracks the program plays none.
    if uses.is_empty() || !list.is_of_recoil() {
        return uses;
    }
    if last >= MENU {
        uses.entry(MENU).or_default().is_menu = true;
    }
    for mission in list.missions() {
        if let Some(track) = track_of_mission(mission, last) {
            uses.entry(track).or_default().missions.push(mission);
        }
    }
    uses
}

/// The track of a mission, on a disc whose last track is `last`.
fn track_of_mission(mission: u32, last: u8) -> Option<u8> {
    let choices = u32::from(last).checked_sub(2)?;
    let track = mission.checked_rem(choices)?;
    u8::try_from(track).ok()?.checked_add(2)
}

#[cfg(test)]
mod tests {
    use super::track_of_mission;

    #[test]
    fn missions_take_tracks_in_turn() {
        let tracks = |last| [1, 2, 3, 4, 13].map(|mission| track_of_mission(mission, last));
        assert_eq!(tracks(5), [Some(3), Some(4), Some(2), Some(3), Some(3)]);
        assert_eq!(tracks(2), [None; 5]);
        assert_eq!(tracks(0), [None; 5]);
        assert_eq!(track_of_mission(u32::MAX, 3), Some(2));
    }
}
