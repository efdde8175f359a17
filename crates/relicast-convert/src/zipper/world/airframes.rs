//! Aircraft of `planes.zbd` for the names in missions of Crimson Skies: `vehicle.zrd` names the root of each
//! vehicle (`nodename`); where it does not, the game's table of airframes does.

use std::collections::BTreeMap;

use crate::Dependency;
use crate::zipper::settings;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::GameZ;
use relicast_formats::zipper::paint::{AIRFRAMES, Airframe};
use relicast_formats::zipper::zrd::Value;
use relicast_scene::extras::zipper;

use super::aircraft_cameras::chase_facts;
use super::records::template_of_skies;

/// Maximum depth of lists that are searched for records.
const MAX_DEPTH: usize = 16;

/// The airframe that a campaign starts with, and that wingmen fly: the Devastator.
const FIRST: usize = 5;

/// Roots by the name of a vehicle in lower case, and the kinds of each vehicle.
///
/// A vehicle without a root has the root of its `kind_of`, the nearest first (CSVM, docs/formats).
#[derive(Debug, Default, PartialEq)]
pub(super) struct VehicleRoots {
    roots: BTreeMap<String, String>,
    kinds: BTreeMap<String, String>,
}

/// The aircraft of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundAircraft {
    /// Name of its root.
    pub root: String,
    /// Source of that, if it is not the readers.
    pub assumed: Option<&'static str>,
}

impl VehicleRoots {
    /// Airframes from the readers named `vehicle` among the dependencies. The first record of a name counts.
    pub(super) fn new(dependencies: &[Dependency<'_>]) -> Self {
        let mut roots = Self::default();
        settings::visit_named(dependencies, &["vehicle"], |reader| {
            roots.visit(None, std::slice::from_ref(&reader.value), 0);
        });
        roots
    }

    fn visit(&mut self, name: Option<&Value<'_>>, values: &[Value<'_>], depth: usize) {
        let root = keyed(values, "nodename");
        let kind = keyed(values, "kind_of");
        if root.is_some() || kind.is_some() {
            // A name before the list, else before the keys.
            let starts_with_key = values
                .first()
                .is_some_and(|first| settings::is_key(first, &["nodename", "kind_of"]));
            let first = values.first().filter(|_| !starts_with_key);
            if let Some(name) = name.or(first).and_then(Value::as_text) {
                let name = name.shown().to_lowercase();
                if let Some(kind) = kind {
                    let kind = kind.to_lowercase();
                    self.kinds.entry(name.clone()).or_insert(kind);
                }
                if let Some(root) = root {
                    self.roots.entry(name).or_insert(root);
                }
            }
            return;
        }
        if depth >= MAX_DEPTH {
            return;
        }
        let before = std::iter::once(None).chain(values.iter().map(Some));
        for (value, before) in values.iter().zip(before) {
            if let Some(inner) = value.as_list() {
                let outer = before.filter(|value| value.as_text().is_some());
                self.visit(outer, inner, depth + 1);
            }
        }
    }

    fn named(&self, name: &str) -> Option<FoundAircraft> {
        let mut name = name.to_lowercase();
        for _ in 0..MAX_DEPTH {
            if let Some(root) = self.roots.get(&name) {
                return Some(FoundAircraft {
                    root: root.clone(),
                    assumed: None,
                });
            }
            name.clone_from(self.kinds.get(&name)?);
        }
        None
    }

    /// The aircraft of a record of `aiv`; for the player the one that the mission names, else the first one of the
    /// campaign.
    pub(super) fn aircraft(&self, name: &str, player_plane: Option<&str>) -> Option<FoundAircraft> {
        let assumed = |root: &str, why| {
            Some(FoundAircraft {
                root: root.to_owned(),
                assumed: Some(why),
            })
        };
        let of_table = |name: &str| {
            let found = airframe_called(name)?;
            let is_player = found.player_root.eq_ignore_ascii_case(name);
            let root = if is_player {
                found.player_root
            } else {
                found.plain_root
            };
            assumed(root, "the game's table of airframes")
        };
        if name.eq_ignore_ascii_case("player") {
            if let Some(plane) = player_plane {
                return self.named(plane).or_else(|| of_table(plane));
            }
            let first = AIRFRAMES.get(FIRST)?;
            return assumed(
                first.player_root,
                "the airframe that the campaign starts with",
            );
        }
        let template = template_of_skies(name);
        let known = self.named(name).or_else(|| self.named(template));
        let known = known.or_else(|| of_table(template));
        if known.is_none() && template.eq_ignore_ascii_case("wingman") {
            let first = AIRFRAMES.get(FIRST)?;
            return assumed(first.plain_root, "the game's table of airframes");
        }
        known
    }
}

/// The text after a key of a record, or in a list of the key and its value. A list after another text is skipped:
/// it belongs to that text.
fn keyed(values: &[Value<'_>], key: &str) -> Option<String> {
    let own = values
        .iter()
        .position(|value| settings::is_key(value, &[key]));
    let pair = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| values.get(at));
        if before.is_some_and(|value| value.as_text().is_some()) {
            return None;
        }
        match values.get(at)?.as_list() {
            Some([first, rest @ ..]) if settings::is_key(first, &[key]) => {
                settings::texts(rest).into_iter().next()
            }
            _ => None,
        }
    };
    match own {
        Some(at) => settings::texts(values.get(at + 1..).unwrap_or_default())
            .into_iter()
            .next(),
        None => (0..values.len()).find_map(pair),
    }
}

/// The airframe with this root or shown name.
fn airframe_called(name: &str) -> Option<&'static Airframe> {
    let is_so = |airframe: &&Airframe| {
        [
            airframe.player_root,
            airframe.plain_root,
            airframe.shown_name,
            airframe.name,
        ]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
    };
    AIRFRAMES.iter().find(is_so)
}

/// The airframe with this root.
pub(super) fn airframe_of_root(root: &str) -> Option<&'static Airframe> {
    let is_so = |airframe: &&Airframe| {
        let roots = [airframe.player_root, airframe.plain_root];
        roots.iter().any(|known| known.eq_ignore_ascii_case(root))
    };
    AIRFRAMES.iter().find(is_so)
}

/// The player's plane in an instant action mission.
pub(super) fn player_plane(values: &[Value<'_>]) -> Option<String> {
    let found = settings::after(values, "player_plane", &[])?;
    if let Some(name) = found.first().and_then(Value::as_text) {
        return Some(name.shown().into_owned());
    }
    let number = settings::numbers(found, 1).first().copied()?;
    let index = (0..AIRFRAMES.len()).find(|index| *index as f32 == number)?;
    AIRFRAMES
        .get(index)
        .map(|airframe| airframe.player_root.to_owned())
}

/// Facts from the game's table about the aircraft below a root, and unusual findings about its place.
pub(super) fn airframe_facts(
    gamez: &GameZ,
    root: usize,
    dependencies: &[Dependency<'_>],
) -> Option<(zipper::Airframe, Option<String>)> {
    let node = gamez.nodes.used.get(root)?;
    if gamez.version != ZipperGame::CrimsonSkies {
        return None;
    }
    let name = node.name();
    let children = node.children.iter().filter_map(|&child| {
        let child = gamez.nodes.used.get(usize::try_from(child).ok()?)?;
        Some(child.name())
    });
    let mut names = std::iter::once(name.clone()).chain(children);
    let (found, own) = names.find_map(|name| Some((airframe_of_root(&name)?, name)))?;
    let index = AIRFRAMES.iter().position(|airframe| airframe == found)?;
    let is_player = found.player_root.eq_ignore_ascii_case(&own);
    let facts = zipper::Airframe {
        number: Some(index),
        name: Some(found.shown_name.to_owned()),
        root: Some(own.clone()),
        player_root: Some(found.player_root.to_owned()),
        plain_root: Some(found.plain_root.to_owned()),
        damage_picture: Some(found.damage_picture.into()),
        is_player: Some(is_player),
        chase_camera: Some(chase_facts(dependencies, found)),
    };
    let note = (own != name).then(|| format!("{name} contains {own}, the {}", found.shown_name));
    Some((facts, note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn roots(source_text: &str) -> VehicleRoots {
        let decoded = text::decode(source_text.as_bytes()).unwrap().value;
        let mut roots = VehicleRoots::default();
        roots.visit(None, &decoded.values().unwrap(), 0);
        roots
    }

    #[test]
    fn vehicles_name_their_roots_in_every_shape() {
        for source_text in [
            "(VEHICLES ((wingman (health 3 nodename piratefighter)) (rfury (nodename fury))))",
            "(wingman (health (3) nodename (piratefighter)) rfury (nodename (fury)))",
            "((wingman health 3 nodename piratefighter) (rfury nodename fury))",
            "((wingman (health 3) (nodename piratefighter)) (rfury (nodename fury)))",
        ] {
            let roots = roots(source_text);
            let found = |name: &str| roots.aircraft(name, None).map(|found| found.root);
            assert_eq!(
                found("wingman_3").as_deref(),
                Some("piratefighter"),
                "{source_text}"
            );
            assert_eq!(found("RFury_12").as_deref(), Some("fury"), "{source_text}");
            assert_eq!(found("stranger_1"), None, "{source_text}");
        }
    }

    #[test]
    fn a_vehicle_without_a_root_has_that_of_its_kind() {
        let roots = roots(
            "(pdevastator (kind_of devastator health 3) devastator (kind_of plane nodename player_pfighter) \
              blakepeace_2 (kind_of pdevastator) lost (kind_of ring) ring (kind_of lost))",
        );
        let found = |name: &str| roots.aircraft(name, None).map(|found| found.root);
        assert_eq!(found("pdevastator").as_deref(), Some("player_pfighter"));
        // Only the last ordinal is removed: blakepeace_2 is the vehicle.
        assert_eq!(found("blakepeace_2_1").as_deref(), Some("player_pfighter"));
        assert_eq!(found("lost_1"), None);
    }

    #[test]
    fn the_table_of_airframes_is_a_fallback() {
        let none = VehicleRoots::default();
        let found = |name: &str, plane| none.aircraft(name, plane).map(|found| found.root);
        assert_eq!(found("wingman_1", None).as_deref(), Some("piratefighter"));
        assert_eq!(found("warhawk_2", None).as_deref(), Some("warhawk"));
        assert_eq!(found("player", None).as_deref(), Some("player_pfighter"));
        assert_eq!(
            found("player", Some("player_fury")).as_deref(),
            Some("player_fury")
        );
        let values = text::decode(b"(IA (player_plane (3)))").unwrap().value;
        let plane = player_plane(&values.values().unwrap());
        assert_eq!(plane.as_deref(), Some("player_bhawk"));
    }
}
