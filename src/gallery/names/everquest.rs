//! Zones and races of EverQuest by the short names and codes in its files. The names are common knowledge of
//! its players; the files of the client contain them only for its users.

use super::name::Name;
use crate::gallery::entry::Entry;
use relicast_formats::asset::AssetKind;

/// Zones by short name, sorted.
const ZONES: &[(&str, &str)] = &[
    ("airplane", "Plane of Sky"),
    ("akanon", "Ak'Anon"),
    ("arena", "The Arena"),
    ("befallen", "Befallen"),
    ("beholder", "Gorge of King Xorbb"),
    ("blackburrow", "Blackburrow"),
    ("burningwood", "Burning Woods"),
    ("butcher", "Butcherblock Mountains"),
    ("cabeast", "East Cabilis"),
    ("cabwest", "West Cabilis"),
    ("cauldron", "Dagnor's Cauldron"),
    ("cazicthule", "Cazic-Thule"),
    ("charasis", "Howling Stones"),
    ("chardok", "Chardok"),
    ("citymist", "City of Mist"),
    ("cobaltscar", "Cobalt Scar"),
    ("commons", "West Commonlands"),
    ("crushbone", "Crushbone"),
    ("crystal", "Crystal Caverns"),
    ("cshome", "Sunset Home"),
    ("dalnir", "Crypt of Dalnir"),
    ("dreadlands", "Dreadlands"),
    ("droga", "Mines of Droga"),
    ("eastkarana", "Eastern Plains of Karana"),
    ("eastwastes", "Eastern Wastes"),
    ("ecommons", "East Commonlands"),
    ("emeraldjungle", "Emerald Jungle"),
    ("erudnext", "Erudin"),
    ("erudnint", "Erudin Palace"),
    ("erudsxing", "Erud's Crossing"),
    ("everfrost", "Everfrost Peaks"),
    ("fearplane", "Plane of Fear"),
    ("feerrott", "The Feerrott"),
    ("felwithea", "Northern Felwithe"),
    ("felwitheb", "Southern Felwithe"),
    ("fieldofbone", "Field of Bone"),
    ("firiona", "Firiona Vie"),
    ("freporte", "East Freeport"),
    ("freportn", "North Freeport"),
    ("freportw", "West Freeport"),
    ("frontiermtns", "Frontier Mountains"),
    ("frozenshadow", "Tower of Frozen Shadow"),
    ("gfaydark", "Greater Faydark"),
    ("greatdivide", "Great Divide"),
    ("grobb", "Grobb"),
    ("growthplane", "Plane of Growth"),
    ("gukbottom", "Ruins of Old Guk"),
    ("guktop", "Guk"),
    ("halas", "Halas"),
    ("hateplane", "Plane of Hate"),
    ("highkeep", "High Keep"),
    ("highpass", "Highpass Hold"),
    ("hole", "The Hole"),
    ("iceclad", "Iceclad Ocean"),
    ("innothule", "Innothule Swamp"),
    ("kael", "Kael Drakkel"),
    ("kaesora", "Kaesora"),
    ("kaladima", "South Kaladim"),
    ("kaladimb", "North Kaladim"),
    ("karnor", "Karnor's Castle"),
    ("kedge", "Kedge Keep"),
    ("kerraridge", "Kerra Isle"),
    ("kithicor", "Kithicor Forest"),
    ("kurn", "Kurn's Tower"),
    ("lakeofillomen", "Lake of Ill Omen"),
    ("lakerathe", "Lake Rathetear"),
    ("lavastorm", "Lavastorm Mountains"),
    ("lfaydark", "Lesser Faydark"),
    ("load", "Loading"),
    ("mischiefplane", "Plane of Mischief"),
    ("mistmoore", "Castle Mistmoore"),
    ("misty", "Misty Thicket"),
    ("najena", "Najena"),
    ("necropolis", "Dragon Necropolis"),
    ("nektulos", "Nektulos Forest"),
    ("neriaka", "Neriak - Foreign Quarter"),
    ("neriakb", "Neriak - Commons"),
    ("neriakc", "Neriak - Third Gate"),
    ("northkarana", "Northern Plains of Karana"),
    ("nro", "Northern Desert of Ro"),
    ("nurga", "Mines of Nurga"),
    ("oasis", "Oasis of Marr"),
    ("oggok", "Oggok"),
    ("oot", "Ocean of Tears"),
    ("overthere", "The Overthere"),
    ("paineel", "Paineel"),
    ("paw", "Infected Paw"),
    ("permafrost", "Permafrost Keep"),
    ("qcat", "Qeynos Aqueduct System"),
    ("qey2hh1", "Western Plains of Karana"),
    ("qeynos", "South Qeynos"),
    ("qeynos2", "North Qeynos"),
    ("qeytoqrg", "Qeynos Hills"),
    ("qrg", "Surefall Glade"),
    ("rathemtn", "Rathe Mountains"),
    ("rivervale", "Rivervale"),
    ("runnyeye", "Runnyeye"),
    ("sebilis", "Old Sebilis"),
    ("sirens", "Siren's Grotto"),
    ("skyfire", "Skyfire Mountains"),
    ("skyshrine", "Skyshrine"),
    ("sleeper", "Sleeper's Tomb"),
    ("soldunga", "Solusek's Eye"),
    ("soldungb", "Nagafen's Lair"),
    ("soltemple", "Temple of Solusek Ro"),
    ("southkarana", "Southern Plains of Karana"),
    ("sro", "Southern Desert of Ro"),
    ("steamfont", "Steamfont Mountains"),
    ("stonebrunt", "Stonebrunt Mountains"),
    ("swampofnohope", "Swamp of No Hope"),
    ("templeveeshan", "Temple of Veeshan"),
    ("thurgadina", "City of Thurgadin"),
    ("thurgadinb", "Icewell Keep"),
    ("timorous", "Timorous Deep"),
    ("tox", "Toxxulia Forest"),
    ("trakanon", "Trakanon's Teeth"),
    ("unrest", "Estate of Unrest"),
    ("veeshan", "Veeshan's Peak"),
    ("velketor", "Velketor's Labyrinth"),
    ("wakening", "Wakening Land"),
    ("warrens", "The Warrens"),
    ("warslikswood", "Warsliks Woods"),
    ("westwastes", "Western Wastes"),
];

/// Races and creatures by model code, sorted.
const RACES: &[(&str, &str)] = &[
    ("ALL", "Alligator"),
    ("AVI", "Aviak"),
    ("BAF", "Barbarian, female"),
    ("BAM", "Barbarian, male"),
    ("BAT", "Bat"),
    ("BEA", "Bear"),
    ("CEN", "Centaur"),
    ("DAF", "Dark elf, female"),
    ("DAM", "Dark elf, male"),
    ("DRK", "Drake"),
    ("DWF", "Dwarf, female"),
    ("DWM", "Dwarf, male"),
    ("ELF", "Wood elf, female"),
    ("ELM", "Wood elf, male"),
    ("ERF", "Erudite, female"),
    ("ERM", "Erudite, male"),
    ("FIS", "Fish"),
    ("FRO", "Froglok"),
    ("FUN", "Fungus man"),
    ("GAR", "Gargoyle"),
    ("GIA", "Giant"),
    ("GNF", "Gnome, female"),
    ("GNM", "Gnome, male"),
    ("GNN", "Gnoll"),
    ("GOB", "Goblin"),
    ("GOL", "Golem"),
    ("GOR", "Gorilla"),
    ("GRI", "Griffin"),
    ("HAF", "Half elf, female"),
    ("HAM", "Half elf, male"),
    ("HIF", "High elf, female"),
    ("HIM", "High elf, male"),
    ("HOF", "Halfling, female"),
    ("HOM", "Halfling, male"),
    ("HUF", "Human, female"),
    ("HUM", "Human, male"),
    ("IKF", "Iksar, female"),
    ("IKM", "Iksar, male"),
    ("IMP", "Imp"),
    ("KOB", "Kobold"),
    ("LIZ", "Lizard man"),
    ("MAM", "Mammoth"),
    ("MIM", "Mimic"),
    ("MIN", "Minotaur"),
    ("OGF", "Ogre, female"),
    ("OGM", "Ogre, male"),
    ("ORC", "Orc"),
    ("PIR", "Piranha"),
    ("RAT", "Rat"),
    ("SHA", "Shark"),
    ("SKE", "Skeleton"),
    ("SNA", "Snake"),
    ("SPE", "Spectre"),
    ("SPI", "Spider"),
    ("TIG", "Tiger"),
    ("TRE", "Treant"),
    ("TRF", "Troll, female"),
    ("TRM", "Troll, male"),
    ("UNI", "Unicorn"),
    ("WER", "Werewolf"),
    ("WIL", "Will-o'-the-wisp"),
    ("WOL", "Wolf"),
    ("ZOM", "Zombie"),
];

fn of(table: &[(&str, &'static str)], key: &str) -> Option<&'static str> {
    let place = table.binary_search_by_key(&key, |(key, _)| key).ok()?;
    table.get(place).map(|(_, name)| *name)
}

/// Name of the zone with this short name.
pub(in crate::gallery) fn zone_name(short: &str) -> Option<&'static str> {
    of(ZONES, &short.to_lowercase())
}

/// Returns the names of an asset that is a zone, a map of one, or a model, the best first. `tag` is its tag in
/// the resource table of the client.
pub(super) fn names(entry: &Entry<'_>, tag: Option<&Name>) -> Vec<Name> {
    let stem = entry.stem();
    let known = |text: &'static str| Name {
        text: text.to_owned(),
        language: Some("en".to_owned()),
        from: None,
    };
    match entry.kind {
        AssetKind::Worlds | AssetKind::Maps => zone_name(stem).map(known).into_iter().collect(),
        AssetKind::Models => {
            let code = tag.map_or(stem, |tag| &tag.text);
            let race = if is_character(entry.source) {
                race_name(code)
            } else {
                None
            };
            let tag = tag.filter(|tag| !tag.text.eq_ignore_ascii_case(stem));
            race.map(known).into_iter().chain(tag.cloned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the name of the race with this code, which may be followed by more letters.
fn race_name(code: &str) -> Option<&'static str> {
    let code = code.to_uppercase();
    of(RACES, code.get(..3).filter(|_| code.len() <= 5)?)
}

/// Returns whether an archive contains creatures and not objects: an elm is not a wood elf.
fn is_character(source: &str) -> bool {
    let source = source.to_lowercase();
    let file = source.rsplit_once('/').map_or(&*source, |(_, file)| file);
    file.contains("_chr") || !file.ends_with(".s3d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_found_in() {
        assert!(ZONES.is_sorted() && RACES.is_sorted());
        assert_eq!(zone_name("Qeynos"), Some("South Qeynos"));
        assert_eq!(zone_name("unknown"), None);
        assert_eq!(of(RACES, "HUM"), Some("Human, male"));
        assert!(is_character("a/Global_chr.s3d") && !is_character("a/dell_obj.s3d"));
    }
}
