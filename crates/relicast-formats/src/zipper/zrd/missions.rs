//! Counts of the contents of mission readers, by their shapes, for comparison with published numbers.

use std::collections::BTreeMap;

use super::value::Value;

/// Contents of a reader of a mission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissionCounts {
    /// Nets: 1 for a reader `net_NN`.
    pub nets: usize,
    /// Places of a net.
    pub places: usize,
    /// Links between places.
    pub links: usize,
    /// Places and edges of a net with attributes.
    pub with_attributes: usize,
    /// Definitions of variables in `valves`.
    pub valves: usize,
    /// Records of actors in `aiv`.
    pub actors: usize,
    /// Records of actors in `aiv_easy`.
    pub actors_easy: usize,
    /// Records of actors in `aiv_hard`.
    pub actors_hard: usize,
    /// Records of `aiv` in Crimson Skies that are templates of a generator: slot 5 is 0.
    pub templates: usize,
    /// Records of `aiv` in Crimson Skies without a net: slot 0 is -1.
    pub without_net: usize,
    /// Nets of Crimson Skies: 1 for a reader `ne0NNNNN`.
    pub patrols: usize,
    /// Places of such a net.
    pub patrol_places: usize,
    /// Edges of such a net.
    pub patrol_edges: usize,
    /// Definitions of turrets in `ai`.
    pub turrets: usize,
    /// Definitions of sounds in `sounds`.
    pub sounds: usize,
    /// Records of actors in Crimson Skies by their number of slots.
    pub slots: BTreeMap<usize, usize>,
    /// Records of pickups in `puppies`.
    pub pickups: usize,
    /// Records of pickups in `puppies_easy`.
    pub pickups_easy: usize,
    /// Records of pickups in `puppies_hard`.
    pub pickups_hard: usize,
    /// Tables of spawn points: 1 for a reader `net`.
    pub spawn_tables: usize,
    /// Zones of weather in `weather`, including those for the software renderer.
    pub weather_zones: usize,
    /// Blocks of `templates`: lists with a key of ground clutter.
    pub clutter_blocks: usize,
}

/// Minimum number of slots of a Crimson Skies record.
const SKIES_SLOTS: usize = 42;

impl MissionCounts {
    /// Counts a reader by its name, with its extension.
    pub fn new(name: &str, values: &[Value<'_>]) -> Self {
        let name = name.to_lowercase();
        let stem = name.strip_suffix(".zrd").unwrap_or(&name);
        let mut counts = Self::default();
        let values = unwrapped(values);
        let number = stem.strip_prefix("net_").unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) {
            counts.nets = 1;
            for (key, own) in pairs(values) {
                if key.to_lowercase().starts_with("node_") {
                    counts.add_node(own);
                }
            }
        } else if stem == "valves" {
            counts.valves = pairs(values).count();
        } else if stem == "aiv" {
            counts.add_actors(values);
        } else if stem == "aiv_easy" {
            counts.actors_easy = actors(values).count();
        } else if stem == "aiv_hard" {
            counts.actors_hard = actors(values).count();
        } else if is_patrol(stem) {
            counts.add_patrol(values);
        } else if stem == "ai" {
            counts.turrets = texts_called("turret", values, 0);
        } else if stem == "sounds" {
            counts.sounds = sounds(values);
        } else if stem == "puppies" {
            counts.pickups = listed(values);
        } else if stem == "puppies_easy" {
            counts.pickups_easy = listed(values);
        } else if stem == "puppies_hard" {
            counts.pickups_hard = listed(values);
        } else if stem == "net" {
            counts.spawn_tables = 1;
        } else if stem == "weather" {
            counts.weather_zones = weather_zones(values, 0);
        } else if stem == "templates" {
            counts.clutter_blocks = clutter_blocks(values, 0);
        }
        counts
    }

    fn add_actors(&mut self, values: &[Value<'_>]) {
        for (_, own) in actors(values) {
            self.actors += 1;
            if own.len() < SKIES_SLOTS {
                continue;
            }
            let is = |slot: usize, number: f32| match own.get(slot) {
                Some(Value::Int(found)) => *found as f32 == number,
                Some(Value::Float(found)) => found.0 == number,
                _ => false,
            };
            *self.slots.entry(own.len()).or_default() += 1;
            self.templates += usize::from(is(5, 0.0));
            self.without_net += usize::from(is(0, -1.0));
        }
    }

    fn add_patrol(&mut self, values: &[Value<'_>]) {
        self.patrols = 1;
        let table = |from: usize, least: usize| {
            let behind = values.get(from..).unwrap_or_default().iter();
            let mut tables = behind.enumerate().filter_map(|(at, value)| {
                let rows = value.as_list()?;
                let is_row = |row: &Value<'_>| {
                    let row = row.as_list().unwrap_or_default();
                    let numbers = row.iter().take(least);
                    row.len() >= least
                        && numbers
                            .clone()
                            .all(|value| matches!(value, Value::Int(_) | Value::Float(_)))
                };
                (!rows.is_empty() && rows.iter().all(is_row)).then(|| (from + at, rows.len()))
            });
            tables.next()
        };
        if let Some((at, places)) = table(0, 3) {
            self.patrol_places = places;
            self.patrol_edges = table(at + 1, 2).map_or(0, |(_, edges)| edges);
        }
    }

    fn add_node(&mut self, values: &[Value<'_>]) {
        let attributes = match values {
            [Value::List(_), rest @ ..] => rest,
            [Value::Int(_), Value::List(_), Value::List(links), rest @ ..] => {
                self.places += 1;
                let is_link =
                    |link: &&Value<'_>| matches!(link, Value::Int(number) if *number >= 0);
                self.links += links.iter().filter(is_link).count();
                rest
            }
            _ => return,
        };
        self.with_attributes += usize::from(!attributes.is_empty());
    }
}

/// The records of actors: texts with a list of three values at least.
fn actors<'r, 'v>(
    values: &'r [Value<'v>],
) -> impl Iterator<Item = (std::borrow::Cow<'r, str>, &'r [Value<'v>])> {
    pairs(values).filter(|(_, own)| own.len() >= 3)
}

/// Records of a list: texts with a list after them, else lists that begin with a text.
fn listed(values: &[Value<'_>]) -> usize {
    let named = actors(values).count();
    let begins = |value: &&Value<'_>| {
        let list = value.as_list().unwrap_or_default();
        list.len() > 3 && list.first().is_some_and(|first| first.as_text().is_some())
    };
    match named {
        0 => values.iter().filter(begins).count(),
        named => named,
    }
}

/// Zones of fog: texts that begin with `ZONE` or `SW_` with a list after them.
fn weather_zones(values: &[Value<'_>], depth: usize) -> usize {
    let is_zone = |name: &str| {
        let name = name.to_uppercase();
        name.starts_with("ZONE") || name.starts_with("SW_")
    };
    let own = pairs(values).filter(|(name, _)| is_zone(name)).count();
    let inner = values.iter().filter_map(Value::as_list);
    let inner = inner.filter(|_| own == 0 && depth < MAX_DEPTH);
    own + inner
        .map(|inner| weather_zones(inner, depth + 1))
        .sum::<usize>()
}

/// Lists with a key of ground clutter. The game uses the first of two blocks of a name; here both count.
fn clutter_blocks(values: &[Value<'_>], depth: usize) -> usize {
    let is_key = |value: &Value<'_>| {
        let text = value.as_text();
        let is =
            |key: &str| text.is_some_and(|text| text.bytes().eq_ignore_ascii_case(key.as_bytes()));
        ["scale_range", "substitute", "far_fade_range"]
            .iter()
            .any(|key| is(key))
    };
    let own = usize::from(values.iter().any(is_key));
    let inner = values.iter().filter_map(Value::as_list);
    let inner = inner.filter(|_| own == 0 && depth < MAX_DEPTH);
    own + inner
        .map(|inner| clutter_blocks(inner, depth + 1))
        .sum::<usize>()
}

/// Returns true if a reader of this name is a net of Crimson Skies.
fn is_patrol(stem: &str) -> bool {
    let digits = stem.strip_prefix("ne0");
    digits.is_some_and(|rest| rest.len() == 5 && rest.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Maximum depth of lists whose texts are counted.
const MAX_DEPTH: usize = 8;

/// Number of times a text occurs, ignoring letter case.
fn texts_called(name: &str, values: &[Value<'_>], depth: usize) -> usize {
    let count = |value: &Value<'_>| match value {
        Value::Text(text) => usize::from(text.bytes().eq_ignore_ascii_case(name.as_bytes())),
        Value::List(inner) if depth < MAX_DEPTH => texts_called(name, inner, depth + 1),
        _ => 0,
    };
    values.iter().map(count).sum()
}

/// The definitions of sounds in the sets of a list: texts with a list after them, and lists that start with a text,
/// except lists of the names of other sets.
fn sounds(values: &[Value<'_>]) -> usize {
    let is_called = |value: &Value<'_>, name: &str| {
        let text = value.as_text();
        text.is_some_and(|text| text.bytes().eq_ignore_ascii_case(name.as_bytes()))
    };
    let mut pairs = values.iter().zip(values.iter().skip(1));
    let sets = pairs.find(|(name, _)| is_called(name, "SETS"));
    let sets = sets.and_then(|(_, sets)| sets.as_list());
    let sets = sets.unwrap_or_default().iter().filter_map(Value::as_list);
    let of_set = |set: &[Value<'_>]| {
        let mut count = 0;
        let mut before: Option<&Value<'_>> = None;
        for value in set {
            if let Value::List(own) = value {
                let is_named = before.is_some_and(|before| {
                    before.as_text().is_some() && !is_called(before, "SUB_SET")
                });
                let names_itself = before.is_none_or(|before| before.as_text().is_none())
                    && own.first().is_some_and(|first| {
                        first.as_text().is_some() && !is_called(first, "SUB_SET")
                    });
                count += usize::from(is_named || names_itself);
            }
            before = Some(value);
        }
        count
    };
    sets.map(of_set).sum()
}

/// The content of lists that hold nothing but one other list.
fn unwrapped<'r, 'v>(mut values: &'r [Value<'v>]) -> &'r [Value<'v>] {
    while let [Value::List(inner)] = values {
        values = inner;
    }
    values
}

/// Texts that a list follows.
fn pairs<'r, 'v>(
    values: &'r [Value<'v>],
) -> impl Iterator<Item = (std::borrow::Cow<'r, str>, &'r [Value<'v>])> {
    values.windows(2).filter_map(|pair| match pair {
        [Value::Text(key), Value::List(own)] => Some((key.shown(), &**own)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::zrd::text::spelt;

    #[test]
    fn readers_of_missions_are_counted_by_their_shapes() {
        let net = spelt(
            "(version (106) node_1 (0 (1. 2. 3.) (2 -1 -1)) node_2 (0 (4. 5. 6.) (1 3) valve (1 a)) \
              node_1 ((1 2) canleave ()) node_3 (0 (7. 8. 9.) ()))",
        );
        let expected = MissionCounts {
            nets: 1,
            places: 3,
            links: 3,
            with_attributes: 2,
            ..MissionCounts::default()
        };
        assert_eq!(MissionCounts::new("NET_07.ZRD", &net), expected);
        let valves = spelt("(a (sound (x 1)) a (all_zero namelist (b)) :off (destroy (c 1)))");
        assert_eq!(MissionCounts::new("valves.zrd", &valves).valves, 3);
        let actors = spelt("((thor_01 (3 (1. 2. 3.) 90.) base (0 (1. 2. 3.) 0. 4)))");
        assert_eq!(MissionCounts::new("aiv.zrd", &actors).actors, 2);
        let patrol = spelt("(() 10 1. 2. ((0. 1. 2. 7 8) (3. 4. 5.)) ((0 1)) (9))");
        let counts = MissionCounts::new("ne000107.zrd", &patrol);
        let patrols = [counts.patrols, counts.patrol_places, counts.patrol_edges];
        assert_eq!(patrols, [1, 2, 1]);
        assert_eq!(MissionCounts::new("aiv_easy.zrd", &actors).actors_easy, 2);
        let slots: Vec<String> = (6..42).map(|slot| slot.to_string()).collect();
        let slots = slots.join(" ");
        let skies = format!(
            "(24 raiders a_1 (-1 (1. 2. 3.) 0. 1 2 0 {slots}) b_1 (() (1. 2. 3.) 0. 1 2 1 {slots}))"
        );
        let skies = spelt(&skies);
        let counts = MissionCounts::new("aiv.zrd", &skies);
        assert_eq!(
            [counts.actors, counts.templates, counts.without_net],
            [2, 1, 1]
        );
        assert_eq!(counts.slots, BTreeMap::from([(42, 2)]));
        let turrets = spelt("(DESTROY_ANIM x TURRET (a_* HEALTH 8) TURRET (b_*))");
        assert_eq!(MissionCounts::new("ai.zrd", &turrets).turrets, 2);
        let listed = spelt(
            "(SYNTAX 2 SETS (M1 (a (LOOPED) b (3D)) M2 ((c c.wav) (SUB_SET (M1)))) SOUND_GROUPS ())",
        );
        assert_eq!(MissionCounts::new("sounds.zrd", &listed).sounds, 3);
        assert_eq!(
            MissionCounts::new("net_x.zrd", &net),
            MissionCounts::default()
        );
    }

    #[test]
    fn pickups_weather_and_templates_are_counted_by_their_shapes() {
        let pickups = "NUKE (1 (1. 2. 3.) (0. 0. 0.) 9) NANITE (0 (1. 2. 3.) (0. 0. 0.) 9)";
        let of = |name: &str, text: &str| MissionCounts::new(name, &spelt(text));
        assert_eq!(of("puppies.zrd", &format!("({pickups})")).pickups, 2);
        let lists = "((NUKE 1 (1. 2. 3.) (0. 0. 0.) 9) (NANITE 0 (1. 2. 3.) (0. 0. 0.) 9))";
        assert_eq!(of("puppies_easy.zrd", lists).pickups_easy, 2);
        assert_eq!(of("puppies_hard.zrd", lists).pickups_hard, 2);
        assert_eq!(of("net.zrd", "((1. 2. 3. 90.))").spawn_tables, 1);
        let weather = "(WIND (1) ZONE1 (FOG_COLOR (0 0 0)) SW_ZONE1 (FOG_COLOR (0 0 0)))";
        assert_eq!(of("weather.zrd", weather).weather_zones, 2);
        assert_eq!(of("weather.zrd", &format!("({weather})")).weather_zones, 2);
        let templates =
            "(tree (scale_range (1 2) far_fade_range (1 2 3 4)) bush (substitute ((a 1))))";
        assert_eq!(of("templates.zrd", templates).clutter_blocks, 2);
    }
}
