//! Names in files: unique within their kind, and without characters that engines mishandle.
//!
//! Engines address nodes by name or by a path of names, cut long names, and interpret some
//! characters and endings. The first of several equal names is unchanged; later ones get `_2`, `_3`
//! and so on, in the order of the scene.
//!
//! ```
//! use relicast_scene::model::names::unique;
//!
//! let names = ["wall".to_owned(), "wall".to_owned()];
//! let names = unique(&names, "node");
//! assert_eq!(names[0], "wall");
//! assert_ne!(names[1], "wall");
//! ```

use hashbrown::{HashMap, HashSet};

use super::graph::Scene;
use super::hint::NameHint;

/// Longest name in bytes; Blender cuts after 63.
const MAX_LENGTH: usize = 60;

/// Endings that Godot interprets. They retain their letters but lose their `-`; none has another one inside.
const MEANINGFUL: [&str; 12] = [
    "-col",
    "-colonly",
    "-convcol",
    "-convcolonly",
    "-noimp",
    "-navmesh",
    "-vehicle",
    "-wheel",
    "-rigid",
    "-occ",
    "-loop",
    "-cycle",
];

/// File names of the elements of a scene, in the order of its lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneNames {
    /// Names of nodes.
    pub nodes: Vec<String>,
    /// Names of meshes.
    pub meshes: Vec<String>,
    /// Names of skins.
    pub skins: Vec<String>,
    /// Names of materials.
    pub materials: Vec<String>,
    /// Names of textures' pictures.
    pub textures: Vec<String>,
    /// Names of lights.
    pub lights: Vec<String>,
    /// Names of cameras.
    pub cameras: Vec<String>,
    /// Names of clips.
    pub clips: Vec<String>,
    /// Names of variants.
    pub variants: Vec<String>,
}

impl SceneNames {
    /// Names the elements of a scene. The pictures of textures with one key share the name of the first.
    pub fn new(scene: &Scene) -> Self {
        let mut first_of_key = HashMap::new();
        let pictures: Vec<usize> = (scene.textures.iter().enumerate())
            .map(|(index, texture)| *first_of_key.entry(&texture.key).or_insert(index))
            .collect();
        let firsts = pictures
            .iter()
            .enumerate()
            .filter(|(index, first)| index == *first);
        let named: Vec<usize> = firsts.map(|(index, _)| index).collect();
        let unique_pictures = unique(
            named.iter().map(|&index| &scene.textures[index].name),
            "texture",
        );
        let by_first: HashMap<usize, String> = named.into_iter().zip(unique_pictures).collect();
        Self {
            nodes: hinted(
                unique(scene.nodes.iter().map(|part| &part.name), "node"),
                scene.nodes.iter().map(|part| part.hint),
            ),
            meshes: unique(scene.meshes.iter().map(|part| &part.name), "mesh"),
            skins: unique(scene.skins.iter().map(|part| &part.name), "skin"),
            materials: unique(scene.materials.iter().map(|part| &part.name), "material"),
            textures: pictures
                .iter()
                .map(|first| by_first[first].clone())
                .collect(),
            lights: unique(scene.lights.iter().map(|part| &part.name), "light"),
            cameras: unique(scene.cameras.iter().map(|part| &part.name), "camera"),
            clips: hinted(
                unique(scene.clips.iter().map(|part| &part.name), "clip"),
                scene.clips.iter().map(|part| part.hint),
            ),
            variants: unique(&scene.variants, "variant"),
        }
    }
}

/// Makes names valid for files and unique. An empty one becomes `<kind>_<index>`.
pub fn unique<'a>(names: impl IntoIterator<Item = &'a String>, kind: &str) -> Vec<String> {
    let clean: Vec<String> = (names.into_iter().enumerate())
        .map(|(index, name)| match sanitise(name) {
            name if name.is_empty() => format!("{kind}_{index}"),
            name => name,
        })
        .collect();
    let mut seen = HashSet::with_capacity(clean.len());
    let is_first: Vec<bool> = clean.iter().map(|name| seen.insert(&**name)).collect();
    if seen.len() == clean.len() {
        drop(seen);
        return clean;
    }
    let mut made: HashSet<String> = HashSet::new();
    let mut counters: HashMap<&str, u64> = HashMap::new();
    let mut result = Vec::with_capacity(clean.len());
    for (name, is_first) in clean.iter().zip(is_first) {
        if is_first {
            result.push(name.clone());
            continue;
        }
        let counter = counters.entry(name).or_insert(1);
        let free = loop {
            *counter += 1;
            let suffix = format!("_{counter}");
            let candidate = format!("{}{suffix}", cut(name, MAX_LENGTH - suffix.len()));
            if !seen.contains(&*candidate) && made.insert(candidate.clone()) {
                break candidate;
            }
        };
        result.push(free);
    }
    result
}

/// Appends the endings of hints to unique names; they stay unique and short.
fn hinted(names: Vec<String>, hints: impl Iterator<Item = Option<NameHint>>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let named = names.into_iter().zip(hints);
    named
        .map(|(name, hint)| {
            let Some(hint) = hint else {
                return name;
            };
            // No other name has such an ending; two long ones may be cut to the same name.
            let mut number = 1_u64;
            loop {
                let ending = match number {
                    1 => hint.ending().to_owned(),
                    _ => format!("_{number}{}", hint.ending()),
                };
                let name = format!("{}{ending}", cut(&name, MAX_LENGTH - ending.len()));
                if taken.insert(name.clone()) {
                    return name;
                }
                number += 1;
            }
        })
        .collect()
}

/// Removes characters and endings that engines mishandle: `. : @ / " %` and control
/// characters become `_`, outer blanks are removed, the length is limited to 60 bytes. The result may be empty.
pub fn sanitise(name: &str) -> String {
    let name = name.trim();
    let mut plain = String::with_capacity(name.len());
    plain.extend(name.chars().map(|letter| match letter {
        '.' | ':' | '@' | '/' | '"' | '%' => '_',
        letter if letter.is_control() => '_',
        letter => letter,
    }));
    let end = cut(&plain, MAX_LENGTH).trim_end().len();
    plain.truncate(end);
    if let Some(dash) = plain.rfind('-')
        && MEANINGFUL
            .iter()
            .any(|ending| ending.eq_ignore_ascii_case(&plain[dash..]))
    {
        plain.replace_range(dash..=dash, "_");
    }
    plain
}

/// Cuts a text to whole characters in at most `longest` bytes.
fn cut(text: &str, longest: usize) -> &str {
    let mut end = longest.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(stored: &[&str]) -> Vec<String> {
        let stored: Vec<String> = stored.iter().map(|&name| name.to_owned()).collect();
        unique(&stored, "node")
    }

    #[test]
    fn later_names_give_way_to_first_ones() {
        assert_eq!(
            names(&["wheel", "wheel", "", "wheel_2", "wheel", "node_2"]),
            [
                "wheel", "wheel_3", "node_2", "wheel_2", "wheel_4", "node_2_2"
            ]
        );
    }

    #[test]
    fn what_engines_choke_on_goes() {
        assert_eq!(sanitise(" a.b:c@d/e\"f%g\u{1}h "), "a_b_c_d_e_f_g_h");
        assert_eq!(sanitise("door-COL"), "door_COL");
        assert_eq!(sanitise("door-column"), "door-column");
        assert_eq!(sanitise("-colonly"), "_colonly");
        assert_eq!(sanitise(&"é".repeat(40)), "é".repeat(30));
    }

    #[test]
    fn hints_are_endings_and_names_stay_different() {
        let long = format!("{}x", "a".repeat(59));
        let names = vec!["door".to_owned(), "a".repeat(60), long, "lamp".to_owned()];
        let hints = [Some(NameHint::Solid); 3].into_iter().chain([None]);
        let found = hinted(names, hints);
        assert_eq!(found[0], "door-col");
        assert_eq!(found[1], format!("{}-col", "a".repeat(56)));
        assert_eq!(found[2], format!("{}_2-col", "a".repeat(54)));
        assert_eq!(found[3], "lamp");
        assert_eq!(NameHint::Loop.ending(), "-loop");
    }

    proptest! {
        #[test]
        fn names_are_unique_and_short(stored in prop::collection::vec("[ab_2é]{0,3}|[a.]{58,62}", 0..40)) {
            let names = unique(&stored, "node");
            let different: HashSet<&String> = names.iter().collect();
            prop_assert_eq!(different.len(), stored.len());
            prop_assert!(names.iter().all(|name| (1..=60).contains(&name.len())));
        }
    }
}
