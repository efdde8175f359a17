//! Flip books of Crimson Skies: `effects.zrd` assigns sequences of pictures to materials of nodes.
//!
//! The game assigns the pictures to the material of the first polygon of the named node, so that everything else
//! with this material is animated, too (from the documentation of CSVM, CC BY 4.0). Pictures are found by their
//! names in the packages.

use crate::Dependency;
use crate::zipper::scene::hierarchy::Nodes;
use crate::zipper::scene::material::SourceMaterial;
use crate::zipper::settings;
use relicast_formats::zipper::ZipperGame;
use relicast_formats::zipper::gamez::GameZ;
use relicast_formats::zipper::zrd::Value;

/// Keys of an effect.
const KEYS: [&str; 4] = ["NAME", "MAPS", "SPEED", "LOOPING"];

/// Maximum depth of lists that are searched for effects.
const MAX_DEPTH: usize = 6;

/// Maximum number of nodes that are searched for the first polygon.
const FARTHEST: usize = 512;

/// Default number of pictures per second.
const USUAL_SPEED: f32 = 15.0;

/// A sequence of pictures on a node.
#[derive(Debug, Clone, PartialEq)]
struct FlipBook {
    /// Possible names of the node: the name of the effect, then its `NAME`.
    nodes: Vec<String>,
    frames: Vec<String>,
    speed: f32,
    looping: bool,
}

/// Assigns the flip books among the dependencies of a world to its materials.
pub(super) fn apply(
    gamez: &GameZ,
    dependencies: &[Dependency<'_>],
    materials: &mut [SourceMaterial],
) {
    if gamez.version != ZipperGame::CrimsonSkies {
        return;
    }
    settings::visit_named(dependencies, &["effects"], |reader| {
        let mut found = Vec::new();
        collect(std::slice::from_ref(&reader.value), 0, &mut found);
        for book in found {
            let mut nodes = book.nodes.iter();
            let material = nodes.find_map(|name| material_of(gamez, name));
            if let Some(material) = material.and_then(|place| materials.get_mut(place)) {
                material.animate(book.frames, book.speed, book.looping);
            }
        }
    });
}

/// The material of the first polygon of the node of a name in the highest slot, or below it.
fn material_of(gamez: &GameZ, name: &str) -> Option<usize> {
    let plain = |name: &str| {
        let name = name.to_lowercase();
        name.strip_suffix(".flt").unwrap_or(&name).to_owned()
    };
    let wanted = plain(name);
    let is_so = |index: &usize| {
        gamez
            .node(*index)
            .is_some_and(|node| plain(&node.name()) == wanted)
    };
    let mut stack = vec![(0..gamez.count()).rev().find(is_so)?];
    for _ in 0..FARTHEST {
        let index = stack.pop()?;
        let model = gamez.model(index).map(|(_, model)| model);
        if let Some(polygon) = model.and_then(|model| model.polygons.first()) {
            return usize::try_from(*polygon.materials.first()?).ok();
        }
        let children = gamez
            .node(index)
            .into_iter()
            .flat_map(|node| &node.children);
        let children: Vec<usize> = children.map(|&child| child as usize).collect();
        stack.extend(children.into_iter().rev());
    }
    None
}

/// Effects are a name before a list with their keys, or a list of both.
fn collect(values: &[Value<'_>], depth: usize, found: &mut Vec<FlipBook>) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut before: Option<&Value<'_>> = None;
    for value in values {
        if let Some(list) = value.as_list() {
            let has_maps = list.iter().any(|value| settings::is_key(value, &["MAPS"]));
            let first = list.first().filter(|first| !settings::is_key(first, &KEYS));
            match before.or(first) {
                Some(name) if has_maps => found.push(book(name, list)),
                _ => collect(list, depth + 1, found),
            }
        }
        before = Some(value).filter(|value| value.as_text().is_some());
    }
}

fn book(name: &Value<'_>, list: &[Value<'_>]) -> FlipBook {
    let after = |key: &str| settings::after(list, key, &KEYS).unwrap_or_default();
    let named = settings::texts(std::slice::from_ref(name)).into_iter();
    let speed = settings::numbers(after("SPEED"), 1).first().copied();
    let speed = speed.filter(|speed| speed.is_finite() && *speed > 0.0);
    let looping = after("LOOPING");
    let is_off = |text: &String| text.eq_ignore_ascii_case("off");
    FlipBook {
        nodes: named.chain(settings::texts(after("NAME"))).collect(),
        frames: settings::texts(after("MAPS")),
        speed: speed.unwrap_or(USUAL_SPEED),
        looping: !settings::texts(looping).first().is_some_and(is_off),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;

    #[test]
    fn effects_are_read_in_every_shape() {
        let expected = FlipBook {
            nodes: vec!["fire1.flt".to_owned(), "flames".to_owned()],
            frames: vec!["fire101".to_owned(), "fire102".to_owned()],
            speed: 10.0,
            looping: true,
        };
        let keys = "NAME flames MAPS (fire101 fire102) SPEED 10.0 LOOPING ON";
        for source_text in [
            format!("(EFFECTS (fire1.flt ({keys})))"),
            format!("(EFFECTS ((fire1.flt {keys})))"),
            format!("((fire1.flt {keys}))"),
        ] {
            let mut found = Vec::new();
            collect(&values(&source_text), 0, &mut found);
            assert_eq!(found, std::slice::from_ref(&expected), "{source_text}");
        }
    }
}
