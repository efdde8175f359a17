//! Order and titles of the campaign of Crimson Skies.
//!
//! Source: CSVM, docs/formats, CC BY 4.0, by the retail data: the folders of the 24 missions in their order, the
//! acts, the worlds of the numbers of saves (100 · world + mission), and the strings of `langui.dll`: with s =
//! number − 1 the long title is 3450 + s, the short one 3480 + s.

use relicast_scene::extras::zipper;

use crate::zipper::messages::Texts;

/// The missions by number from 1: chapter and mission in lower case.
const ORDER: [(&str, &str); 24] = [
    ("c3", "m01"),
    ("c3", "m05"),
    ("c3", "m02"),
    ("c3", "m03"),
    ("c3", "m04"),
    ("c1c", "m01"),
    ("c1", "m02"),
    ("c1b", "m03"),
    ("c1", "m04"),
    ("c1", "m05"),
    ("c2", "m02"),
    ("c2", "m01"),
    ("c2", "m03"),
    ("c2b", "m04"),
    ("c2", "m05"),
    ("c4", "m01"),
    ("c4", "m02"),
    ("c4", "m03"),
    ("c4", "m04"),
    ("c4", "m05"),
    ("c5", "m01"),
    ("c5", "m02"),
    ("c5", "m03"),
    ("c5", "m04"),
];

/// The acts: name, short name in sounds, number of the last mission.
const ACTS: [(&str, &str, usize); 5] = [
    ("Hawaii", "HA", 5),
    ("Northwest", "NW", 10),
    ("Hollywood", "HW", 15),
    ("Rocky Mountains", "RM", 20),
    ("Manhattan", "MH", 24),
];

/// The chapters in the order of the numbers of saves.
const WORLDS: [&str; 8] = ["c1", "c1b", "c1c", "c2", "c2b", "c3", "c4", "c5"];

/// Identifiers of the first long and the first short title.
const TITLES: [u32; 2] = [3450, 3480];

/// Facts of the mission whose readers are at a path below the input; `None` if it is not of the campaign.
pub(super) fn facts(source: &str, texts: &Texts) -> Option<zipper::Campaign> {
    let lower = source.to_lowercase();
    let mut folders = lower.rsplit('/').skip(1);
    let (mission, chapter) = (folders.next()?, folders.next()?);
    let place = ORDER
        .iter()
        .position(|found| *found == (chapter, mission))?;
    let number = place + 1;
    let (act, (name, short, _)) = ACTS
        .iter()
        .enumerate()
        .find(|(_, (_, _, last))| number <= *last)?;
    let before = act.checked_sub(1).and_then(|before| ACTS.get(before));
    let first = before.map_or(0, |(_, _, last)| *last);
    let of_folder: usize = mission.get(1..)?.parse().ok()?;
    let world = WORLDS.iter().position(|world| *world == chapter)? + 1;
    // Narrations of the first act are numbered by the folder, all others by the position in the act.
    let narrated = if act == 0 { of_folder } else { number - first };
    let place = u32::try_from(place).ok()?;
    let [title, short_title] = TITLES.map(|first| {
        let id = first.saturating_add(place);
        zipper::Title {
            string: Some(id),
            text: texts.numbered(id),
        }
    });
    Some(zipper::Campaign {
        number: Some(number),
        act: Some(zipper::Act {
            number: Some(act + 1),
            name: Some((*name).to_owned()),
        }),
        save: Some(100 * world + of_folder),
        briefing: Some(format!("brief_{chapter}{mission}")),
        narration: Some(format!("c{}-{short}-m{narrated}", act + 1)),
        title: Some(title),
        short_title: Some(short_title),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn missions_of_the_campaign_have_number_act_and_strings() {
        let of = |path| serde_json::to_value(facts(path, &Texts::default())).unwrap();
        let second = of("ZBD/C3/M05/zrdr.zbd");
        assert_eq!(second["number"], 2);
        assert_eq!(second["narration"], "c1-HA-m5");
        assert_eq!(
            (&second["save"], &second["briefing"]),
            (&json!(605), &json!("brief_c3m05"))
        );
        assert_eq!(second["title"]["string"], 3451);
        assert_eq!(second["shortTitle"]["string"], 3481);
        let eleventh = of("ZBD/C2/M02/zrdr.zbd");
        assert_eq!(eleventh["act"], json!({"number": 3, "name": "Hollywood"}));
        assert_eq!(
            (&eleventh["narration"], &eleventh["save"]),
            (&json!("c3-HW-m1"), &json!(402))
        );
        assert_eq!(of("ZBD/C5/M04/zrdr.zbd")["number"], 24);
        assert_eq!(of("ZBD/C1/IA1/zrdr.zbd"), json!(null));
        assert_eq!(of("zrdr.zbd"), json!(null));
    }
}
