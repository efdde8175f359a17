//! Definitions of chassis: the settings of a 'mech in readers.
//!
//! All keys of version 2, the version of MechWarrior 3, are known, see [`super::definition`]. Those of Pirate's
//! Moon are unknown, so every shape that readers use for settings is accepted; unknown settings are in the reader's
//! own JSON.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::Dependency;
use crate::zipper::settings::{self, Reader};
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::zipper;
use relicast_scene::model::number;

use super::definition;
use super::skins::SkinLists;

/// Keys of a definition with a separate field.
const KEYS: [&str; 14] = [
    "motion",
    "motions",
    "canned",
    "skins",
    "skin",
    "torso_limits",
    "firepoints",
    "camera",
    "hud",
    "crouch_height",
    "chicken",
    "name",
    "model",
    "label",
];
/// All keys of a definition: a value ends before the next one.
static ALL_KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let settings = definition::SETTINGS.into_iter();
    KEYS.into_iter().chain(settings).collect()
});
/// Keys of which a definition has at least one.
const MARKERS: [&str; 7] = [
    "motion",
    "motions",
    "canned",
    "skins",
    "torso_limits",
    "firepoints",
    "crouch_height",
];
/// Gaits: looping motions.
const GAITS: [&str; 5] = ["stand", "step", "walk", "trot", "run"];
/// Words before a value that are not the value.
const WORDS: [&str; 6] = ["trans", "motion", "name", "anim", "file", "loop"];
/// A motion as a definition names it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct NamedMotion {
    /// Role of the motion: `walk`, or `canned`.
    pub role: String,
    /// Its stored name.
    pub motion: String,
    /// The pair of a gait; its meaning is unknown (thresholds of speed, or speeds).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trans: Option<[Json; 2]>,
}

impl NamedMotion {
    /// Extras of a clip.
    pub(super) fn facts(&self) -> zipper::NamedMotion {
        zipper::NamedMotion {
            role: Some(self.role.clone()),
            motion: Some(self.motion.clone()),
            trans: self.trans.clone(),
        }
    }
}

/// A place that weapons fire from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FirePoint {
    /// Its name, which weapons refer to; most likely that of a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Section of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Json>,
}

/// The definition of a chassis. Serializes as facts for extras.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Chassis {
    /// The archive and the member.
    pub source: String,
    /// Legs that bend backwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chicken: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crouch_height: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torso_limits: Option<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub firepoints: Vec<FirePoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hud: Option<Json>,
    /// The cage of the cockpit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cage: Option<Json>,
    /// Other keys, as stored.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Json>,
    /// Entries of the container of animations that the 'mech plays.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub animations: Map<String, Json>,
    /// Stock loadouts, by name.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub configurations: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub motions: Vec<NamedMotion>,
    #[serde(skip_serializing_if = "SkinLists::is_empty")]
    pub skins: SkinLists,
}

/// The known definitions, by the name of the 'mech in lower case.
#[derive(Debug, Default)]
pub(super) struct ChassisList {
    by_name: BTreeMap<String, Chassis>,
}

/// The name of a 'mech in lower case: the name of its member without `mech_`, `.flt` and the `_1` of a coarser version.
pub(super) fn mech_name(member: &str) -> String {
    let name = member.to_lowercase();
    let name = name.strip_suffix(".flt").unwrap_or(&name);
    let name = name.strip_prefix("mech_").unwrap_or(name);
    name.strip_suffix("_1").unwrap_or(name).to_owned()
}

impl ChassisList {
    /// The definitions in the readers among the dependencies. Of several for one 'mech the first is used.
    pub(super) fn new(dependencies: &[Dependency<'_>]) -> Self {
        let mut by_name = BTreeMap::new();
        settings::visit(dependencies, |reader| {
            if let Some((names, chassis)) = parse(reader) {
                for name in names {
                    by_name.entry(name).or_insert_with(|| chassis.clone());
                }
            }
        });
        Self { by_name }
    }

    /// The definition of the 'mech in `member`: the one with its name, else the first whose name contains it
    /// between underscores.
    pub(super) fn of(&self, member: &str) -> Option<&Chassis> {
        let name = mech_name(member);
        let exact = self.by_name.get(&name);
        exact.or_else(|| {
            let mut others = self.by_name.iter();
            let found = others.find(|(known, _)| has_words(known, &name));
            found.map(|(_, chassis)| chassis)
        })
    }
}

/// A definition and its possible names, the most likely first; `None` for another kind of reader.
fn parse(reader: &Reader<'_>) -> Option<(Vec<String>, Chassis)> {
    let values = std::slice::from_ref(&reader.value);
    let get = |key: &str| {
        let found = settings::after(values, key, &ALL_KEYS);
        found.map(definition::without_comment)
    };
    if !MARKERS.iter().any(|key| get(key).is_some()) {
        return None;
    }
    let mut motions = Vec::new();
    for key in ["motion", "motions"] {
        gather_motions(get(key).unwrap_or_default(), &mut motions);
    }
    let mut animations = Map::new();
    if get("animations").is_some() {
        animations = definition::animations(get("canned").unwrap_or_default());
    } else if !motions.iter().any(|named| named.role == "canned") {
        gather("canned", get("canned").unwrap_or_default(), &mut motions);
    }
    let own = |key: &str| get(key).map(settings::json).filter(|json| !json.is_null());
    let skins = get("skins").or_else(|| get("skin")).unwrap_or_default();
    let chassis = Chassis {
        source: format!("{}/{}.zrd", reader.path, reader.stem),
        chicken: get("chicken").map(is_set),
        crouch_height: get("crouch_height").and_then(first_number),
        torso_limits: own("torso_limits"),
        firepoints: firepoints(get("firepoints").unwrap_or_default()),
        camera: own("camera"),
        hud: own("hud"),
        cage: get("hud").and_then(definition::cage),
        settings: definition::settings_of(get),
        animations,
        configurations: definition::loadouts(get("configurations").unwrap_or_default()),
        motions,
        skins: SkinLists::new(skins),
    };
    let mut names = vec![mech_name(&reader.stem)];
    for key in ["model", "name"] {
        let named = settings::texts(get(key).unwrap_or_default());
        names.extend(named.first().map(|name| mech_name(name)));
    }
    names.dedup();
    Some((names, chassis))
}

/// True if `words` is a sequence of whole words of `name`, which are separated by underscores.
fn has_words(name: &str, words: &str) -> bool {
    let starts = name.match_indices(words).map(|(at, _)| at);
    let is_edge = |sign: Option<u8>| sign.is_none_or(|sign| sign == b'_');
    let bytes = name.as_bytes();
    let mut edges = starts.map(|at| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at).copied());
        is_edge(before) && is_edge(bytes.get(at + words.len()).copied())
    });
    !words.is_empty() && edges.any(|whole| whole)
}

/// True if a switch is on, which is the default.
fn is_set(values: &[Value<'_>]) -> bool {
    match settings::numbers(values, 1).first() {
        Some(number) => *number != 0.0,
        None => {
            let texts = settings::texts(values);
            let off = ["false", "no", "off"];
            !texts
                .first()
                .is_some_and(|text| off.iter().any(|off| text.eq_ignore_ascii_case(off)))
        }
    }
}

fn first_number(values: &[Value<'_>]) -> Option<Json> {
    settings::numbers(values, 1)
        .first()
        .map(|value| number(*value))
}

/// The content of `motion`: keys with their values, lists that start with their key, or bare names.
fn gather_motions(values: &[Value<'_>], motions: &mut Vec<NamedMotion>) {
    let mut values = values.iter().peekable();
    while let Some(value) = values.next() {
        match value {
            Value::Text(text) => {
                let is_gait = settings::is_key(value, &GAITS);
                let next = values.next_if(|next| match next {
                    Value::List(list) => !names(list).is_empty(),
                    Value::Text(_) => is_gait && !settings::is_key(next, &GAITS),
                    Value::Int(_) | Value::Float(_) => false,
                });
                let named = std::slice::from_ref(next.unwrap_or(value));
                gather(&text.shown(), named, motions);
                // A pair after the name.
                let mut pair = Vec::new();
                while let Some(value) = values.next_if(|next| {
                    settings::is_key(next, &WORDS)
                        || settings::texts(std::slice::from_ref(next)).is_empty()
                }) {
                    pair.extend(settings::numbers(std::slice::from_ref(value), 2));
                }
                if let ([one, two, ..], Some(last)) = (&*pair, motions.last_mut()) {
                    last.trans.get_or_insert([number(*one), number(*two)]);
                }
            }
            Value::List(list) => match &**list {
                [Value::Text(role), rest @ ..] if !names(rest).is_empty() => {
                    gather(&role.shown(), rest, motions);
                }
                [Value::Text(role), ..] => gather(&role.shown(), list, motions),
                list => gather_motions(list, motions),
            },
            Value::Int(_) | Value::Float(_) => {}
        }
    }
}

/// The texts that may be names of motions.
fn names(values: &[Value<'_>]) -> Vec<String> {
    let mut names = settings::texts(values);
    names.retain(|name| {
        let is_word = WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
        !is_word && !name.is_empty()
    });
    names
}

fn pair_of(values: &[Value<'_>]) -> Option<[Json; 2]> {
    match settings::numbers(values, 2)[..] {
        [one, two] => Some([number(one), number(two)]),
        _ => None,
    }
}

/// The motions of one role.
fn gather(role: &str, values: &[Value<'_>], motions: &mut Vec<NamedMotion>) {
    let trans = pair_of(settings::after(values, "trans", &[]).unwrap_or(values));
    motions.extend(names(values).into_iter().map(|motion| NamedMotion {
        role: role.to_lowercase(),
        motion,
        trans: trans.clone(),
    }));
}

/// Records of `firepoints`: by key, or a text and two numbers.
fn firepoints(values: &[Value<'_>]) -> Vec<FirePoint> {
    let keys = ["part", "radius", "share"];
    let point = |values: &[Value<'_>]| {
        let keyed = |key: &str| settings::after(values, key, &keys);
        let is_keyed = keys.iter().any(|key| keyed(key).is_some());
        let numbers = settings::numbers(values, 2);
        let by_place = |place: usize| numbers.get(place).copied().filter(|_| !is_keyed);
        let part = if is_keyed {
            settings::texts(keyed("part").unwrap_or_default())
        } else {
            settings::texts(values)
        };
        let value = |key: &str, place: usize| {
            let keyed = keyed(key).and_then(first_number);
            keyed.or_else(|| by_place(place).map(number))
        };
        FirePoint {
            name: None,
            part: part.into_iter().next(),
            radius: value("radius", 0),
            share: value("share", 1),
        }
    };
    let lists: Vec<&[Value<'_>]> = values.iter().filter_map(Value::as_list).collect();
    let is_one = values.iter().any(|value| settings::is_key(value, &keys));
    match (lists.is_empty() || is_one, values.is_empty()) {
        (_, true) => Vec::new(),
        (true, false) => vec![point(values)],
        (false, false) => {
            // The name of a point may be before its list.
            let mut points = Vec::new();
            let mut named = None;
            for value in values {
                match value {
                    Value::List(list) => {
                        let mut placed = point(list);
                        placed.name = named.take();
                        placed.part = placed.part.or_else(|| placed.name.clone());
                        points.push(placed);
                    }
                    Value::Text(text) => named = Some(text.shown().into_owned()),
                    Value::Int(_) | Value::Float(_) => {}
                }
            }
            points
        }
    }
}

impl Chassis {
    /// True if a role is a gait.
    pub(super) fn is_gait(role: &str) -> bool {
        GAITS.contains(&role)
    }

    /// True if any of its motions is a gait.
    pub(super) fn has_gaits(&self) -> bool {
        self.motions
            .iter()
            .any(|motion| Self::is_gait(&motion.role))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn parsed(stem: &str, source_text: impl AsRef<str>) -> Option<(Vec<String>, Chassis)> {
        let values = text::decode(source_text.as_ref().as_bytes())
            .unwrap()
            .value
            .values()
            .unwrap();
        parse(&Reader {
            path: "zbd/reader.zbd",
            stem: stem.to_owned(),
            value: Value::List(values),
        })
    }

    fn motions(source_text: &str) -> Vec<(String, String)> {
        let (_, chassis) = parsed("thor_def", source_text).unwrap();
        let motions = chassis.motions.into_iter();
        motions.map(|named| (named.role, named.motion)).collect()
    }

    #[test]
    fn a_definition_is_read_whole() {
        let (names, chassis) = parsed(
            "mech_thor_def",
            "(CHASSIS (
                model mech_loki.flt
                motion (
                    stand (loki_stand trans (0.0 0.5))
                    walk (loki_walk trans (1.5 2.5))
                    canned (loki_fallf loki_getup)
                )
                torso_limits (-1.5 1.5)
                firepoints ((part larm radius 0.5 share 0.25) (rarm 0.75 0.125))
                camera (eyepoint 0 1.5 -2)
                hud (lamps 3)
                crouch_height 4.5
                chicken
            ))",
        )
        .unwrap();
        assert_eq!(names, ["thor_def", "loki"]);
        assert_eq!(
            serde_json::to_value(&chassis).unwrap(),
            serde_json::json!({
                "source": "zbd/reader.zbd/mech_thor_def.zrd",
                "chicken": true,
                "crouchHeight": 4.5,
                "torsoLimits": [-1.5, 1.5],
                "firepoints": [
                    {"part": "larm", "radius": 0.5, "share": 0.25},
                    {"part": "rarm", "radius": 0.75, "share": 0.125},
                ],
                "camera": ["eyepoint", 0, 1.5, -2],
                "hud": ["lamps", 3],
                "motions": [
                    {"role": "stand", "motion": "loki_stand", "trans": [0.0, 0.5]},
                    {"role": "walk", "motion": "loki_walk", "trans": [1.5, 2.5]},
                    {"role": "canned", "motion": "loki_fallf"},
                    {"role": "canned", "motion": "loki_getup"},
                ],
            })
        );
    }

    #[test]
    fn a_definition_of_version_2_has_all_its_keys_and_neighbors() {
        let (names, chassis) = parsed(
            "dfn_thor",
            "(version 2 // |torso limits: maxYaw minPitch| torso_limits (120. -20. 30.) recoil_bend 0.5
              recoil_slide 1.5.0 aim_min_yaw -60. torso_shake (pitch_amp 1. freq 2.) chicken false clan true
              omnimech false max_mass 70 engine_minmax (140 350) hud (cage (cage_thor 0 1.4 -1))
              camera (attach (dist 5. desired_pos (0. 1. 2.)))
              animations (canned (jumpjets jumpjets narc narc_shroud)
                motion (stand (anim thor_stand trans (0. 0.5)) step (anim thor_step trans (1. 2.))))
              skins (MSG_SKIN_PRIMARY (hull) MSG_SKIN_VARIANTB _b damage (0 0 hull_d))
              firepoints (rgun (radius 0.5 share 0.25 part rarm) lgun (radius 0.75 share 0.5 part larm))
              configurations (STOCK (weapons ((laser rgun group (1))))))"
                .replace('|', "\""),
        )
        .unwrap();
        assert_eq!(names, ["dfn_thor"]);
        let document = serde_json::to_value(&chassis).unwrap();
        assert_eq!(
            document["torsoLimits"],
            serde_json::json!([120.0, -20.0, 30.0])
        );
        assert_eq!(document["chicken"], false);
        assert_eq!(
            document["settings"],
            serde_json::json!({
                "version": 2, "recoil_bend": 0.5, "recoil_slide": "1.5.0", "aim_min_yaw": -60.0,
                "torso_shake": {"pitch_amp": 1.0, "freq": 2.0}, "omnimech": false, "clan": true,
                "max_mass": 70, "engine_minmax": [140, 350],
            })
        );
        assert_eq!(
            document["cage"],
            serde_json::json!({"name": "cage_thor", "offset": [0.0, 1.4, -1.0], "certain": false})
        );
        assert_eq!(document["camera"][0], "attach");
        assert_eq!(document["animations"]["narc"]["animation"], "narc_shroud");
        assert_eq!(
            document["motions"],
            serde_json::json!([
                {"role": "stand", "motion": "thor_stand", "trans": [0.0, 0.5]},
                {"role": "step", "motion": "thor_step", "trans": [1.0, 2.0]},
            ])
        );
        assert_eq!(
            document["firepoints"],
            serde_json::json!([
                {"name": "rgun", "part": "rarm", "radius": 0.5, "share": 0.25},
                {"name": "lgun", "part": "larm", "radius": 0.75, "share": 0.5},
            ])
        );
        assert_eq!(
            document["configurations"]["STOCK"]["weapons"][0]["firepoint"],
            "rgun"
        );
    }

    #[test]
    fn motions_are_found_in_every_shape() {
        let pair = |role: &str, motion: &str| (role.to_owned(), motion.to_owned());
        let both = [pair("walk", "thor_walk"), pair("run", "thor_run")];
        for source_text in [
            "(MOTION (walk thor_walk run thor_run))",
            "(MOTION (walk (thor_walk) run (thor_run)))",
            "(MOTION ((walk thor_walk) (run thor_run)))",
            "(MOTIONS ((walk thor_walk) (run thor_run)))",
            "((motion ((Walk (thor_walk (trans 1. 2.))) (Run (thor_run)))))",
            "(motion (walk thor_walk trans 1.0 2.0 run thor_run trans (2.0 3.0)))",
        ] {
            assert_eq!(motions(source_text), both, "{source_text}");
        }
        assert_eq!(
            motions("(motion (thor_walk thor_run))"),
            [pair("thor_walk", "thor_walk"), pair("thor_run", "thor_run")]
        );
    }

    #[test]
    fn missing_and_damaged_keys_leave_the_rest() {
        let (_, chassis) = parsed(
            "def_thor",
            "(MOTION 7 SKINS () FIREPOINTS (1 2 (3)) CHICKEN 0 CROUCH_HEIGHT (high) HUD ())",
        )
        .unwrap();
        assert!(chassis.motions.is_empty() && chassis.skins.is_empty());
        assert_eq!(chassis.chicken, Some(false));
        assert_eq!(chassis.crouch_height, None);
        assert_eq!(chassis.firepoints.len(), 1);
        assert!(parsed("thor_anim", "(ANIMATION_DEFINITION (NAME (thor)))").is_none());
        assert!(parsed("thor_def", "()").is_none());
    }

    #[test]
    fn definitions_are_known_by_name() {
        let known = ["dfn_owens", "strider_01_def", "thor", "thor_old"].map(|name| {
            let chassis = Chassis {
                source: name.to_owned(),
                ..Chassis::default()
            };
            (name.to_owned(), chassis)
        });
        let list = ChassisList {
            by_name: known.into(),
        };
        let source = |member: &str| list.of(member).map(|chassis| chassis.source.as_str());
        assert_eq!(source("mech_owens.flt"), Some("dfn_owens"));
        assert_eq!(source("strider_01.flt"), Some("strider_01_def"));
        assert_eq!(source("thor_1.flt"), Some("thor"));
        assert_eq!(source("strid.flt"), None);
        assert_eq!(source("owen"), None);
        assert_eq!(source(""), None);
        assert_eq!(mech_name("mech_Bushwhacker.flt"), "bushwhacker");
        assert_eq!(mech_name("puma_1.flt"), "puma");
    }
}
