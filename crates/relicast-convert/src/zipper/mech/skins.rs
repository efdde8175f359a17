//! Skins: the paint schemes of a 'mech.
//!
//! A skin replaces textures by others with `_b` to `_h` at the end of their names. The definition of the
//! chassis lists the replaced textures; without a definition, all textures are replaced for which a package
//! has such a name, unless the 'mech uses that name itself.
//!
//! In the definitions of MechWarrior 3 (Mech3DotNet) each other skin is one text, the suffix. `firefly` announces D
//! twice; the second has the suffix of E and is E. A texture of the first skin may be a pair: the second text is
//! most likely the stem of the names of its variants. The list of damage begins with zeros for slots without a
//! texture, so that the index in it is significant.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::ser::SerializeMap;

use crate::zipper::messages::Texts;
use crate::zipper::scene::texture_library::{TextureLibrary, key_of};
use crate::zipper::scene::variants::{MaterialVariant, MaterialVariants};
use relicast_formats::zipper::zrd::Value;

/// Letters of all skins but the primary one.
const LETTERS: [char; 7] = ['b', 'c', 'd', 'e', 'f', 'g', 'h'];

/// Lists of textures by skin, from a definition.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SkinLists {
    /// Textures of the first skin.
    primary: Vec<String>,
    /// Textures of each other skin, by letter.
    others: BTreeMap<char, Vec<String>>,
    /// Suffix of each other skin, by letter.
    suffixes: BTreeMap<char, String>,
    /// Stems of the variants of textures of the first skin that are stored as pairs.
    stems: BTreeMap<String, String>,
    /// Textures of damage; `None` for a slot without one.
    damage: Vec<Option<String>>,
}

/// List that a text belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Primary,
    Other(char),
    Damage,
}

impl List {
    /// The list that a word announces: a key of a message, or a plain word.
    fn announced(word: &str) -> Option<Self> {
        let word = word.to_lowercase();
        let word = word.strip_prefix("msg_").unwrap_or(&word);
        let word = word.strip_prefix("skin_").unwrap_or(word);
        if word.starts_with("damage") {
            return Some(Self::Damage);
        }
        let letter = match word.strip_prefix("variant") {
            Some(letter) => letter.trim_start_matches('_'),
            None if word == "primary" => return Some(Self::Primary),
            None => word,
        };
        let mut letters = LETTERS.into_iter();
        letters
            .find(|known| letter.chars().eq([*known]))
            .map(Self::Other)
    }
}

/// A texture without the letter of a skin.
fn letter_of(texture: &str) -> Option<(&str, char)> {
    let (stem, letter) = texture.rsplit_once('_')?;
    let mut letters = LETTERS.into_iter();
    let letter = letters.find(|known| letter.chars().eq([*known]))?;
    (!stem.is_empty()).then_some((stem, letter))
}

impl SkinLists {
    /// Reads the content of `skins`.
    pub(super) fn new(values: &[Value<'_>]) -> Self {
        let mut lists = Self::default();
        lists.read(values, List::Primary, 0, 0);
        lists
    }

    /// `announced` counts the lists since the word that announced theirs.
    fn read(&mut self, values: &[Value<'_>], list: List, depth: usize, announced: usize) {
        let mut list = list;
        // Words announce lists only where there is more than one value.
        let can_announce = values.len() > 1;
        let mut inside = announced;
        if let (List::Primary, 3.., [Value::Text(texture), Value::Text(stem)]) =
            (list, announced, values)
        {
            let texture = key_of(&texture.shown());
            self.stems.insert(texture.clone(), key_of(&stem.shown()));
            self.add(list, texture);
            return;
        }
        for value in values {
            match value {
                Value::Text(text) => {
                    let name = text.shown();
                    match List::announced(&name).filter(|_| can_announce) {
                        Some(announced) => {
                            list = announced;
                            inside = 1;
                        }
                        None => self.add(list, key_of(&name)),
                    }
                }
                Value::List(inner) if depth < 8 => {
                    let inside = if inside > 0 { inside + 1 } else { 0 };
                    self.read(inner, list, depth + 1, inside);
                }
                Value::Int(0) if list == List::Damage => self.damage.push(None),
                Value::List(_) | Value::Int(_) | Value::Float(_) => {}
            }
        }
    }

    fn add(&mut self, list: List, texture: String) {
        if texture.is_empty() {
            return;
        }
        match (list, letter_of(&texture)) {
            (List::Damage, _) => self.damage.push(Some(texture)),
            (List::Other(letter), _) if texture.starts_with('_') => {
                let own = texture.chars().nth(1).filter(|own| LETTERS.contains(own));
                self.suffixes.insert(own.unwrap_or(letter), texture);
            }
            (List::Other(letter), _) => self.others.entry(letter).or_default().push(texture),
            // Lists need not be announced where names identify them.
            (List::Primary, Some((stem, letter)))
                if self.primary.iter().any(|texture| texture == stem) =>
            {
                self.others.entry(letter).or_default().push(texture);
            }
            (List::Primary, _) => self.primary.push(texture),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

relicast_codec::json_form_of!(SkinLists => BTreeMap<String, serde_json::Value>);

impl Serialize for SkinLists {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.primary.is_empty() {
            map.serialize_entry("primary", &self.primary)?;
        }
        for (letter, textures) in &self.others {
            map.serialize_entry(&format!("variant{letter}"), textures)?;
        }
        if !self.suffixes.is_empty() {
            map.serialize_entry("suffixes", &self.suffixes)?;
        }
        if !self.stems.is_empty() {
            let stems = self.stems.iter().map(|(texture, stem)| {
                let facts = serde_json::json!({"stem": stem, "certain": false});
                (texture, facts)
            });
            map.serialize_entry("stems", &stems.collect::<BTreeMap<_, _>>())?;
        }
        if !self.damage.is_empty() {
            map.serialize_entry("damage", &self.damage)?;
        }
        map.end()
    }
}

/// The skins of a 'mech that has the textures `used`: names in lower case up to the first period.
pub(super) fn variants(
    lists: Option<&SkinLists>,
    used: &BTreeSet<String>,
    library: &TextureLibrary<'_>,
    texts: &Texts,
) -> MaterialVariants {
    let none = SkinLists::default();
    let named_lists = lists.filter(|lists| lists.primary.iter().any(|name| used.contains(name)));
    let lists = lists.unwrap_or(&none);
    let bases: Vec<&String> = match named_lists {
        Some(named_lists) => named_lists
            .primary
            .iter()
            .filter(|name| used.contains(*name))
            .collect(),
        None => used.iter().collect(),
    };
    let mut others = Vec::new();
    let mut lost = Vec::new();
    for letter in LETTERS {
        let named = lists
            .others
            .get(&letter)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let same_length = named.len() == lists.primary.len();
        let mut textures = BTreeMap::new();
        for base in &bases {
            let suffix = lists.suffixes.get(&letter);
            let suffix = suffix.map_or_else(|| format!("_{letter}"), Clone::clone);
            let by_rule = format!("{base}{suffix}");
            let by_stem = lists.stems.get(*base).map(|stem| format!("{stem}{suffix}"));
            let by_place = lists.primary.iter().position(|name| name == *base);
            let by_place = by_place
                .filter(|_| same_length)
                .and_then(|place| named.get(place));
            let candidates = by_place.into_iter().chain([&by_rule]).chain(&by_stem);
            let mut candidates = candidates.filter(|name| !used.contains(*name));
            let is_there = |name: &&String| match named_lists {
                Some(_) => library.has(name),
                // The packages of worlds have no skins: only siblings are used.
                None => library.are_siblings(base, name),
            };
            if let Some(name) = candidates.find(is_there) {
                textures.insert((*base).clone(), name.clone());
            }
        }
        lost.extend(named.iter().filter(|name| !library.has(name)).cloned());
        if !textures.is_empty() {
            let key = format!("MSG_SKIN_VARIANT{}", letter.to_ascii_uppercase());
            let name = texts
                .get(&key)
                .unwrap_or_else(|| format!("variant {letter}"));
            others.push(MaterialVariant { name, textures });
        }
    }
    lost.sort();
    lost.dedup();
    if others.is_empty() {
        return MaterialVariants {
            variants: Vec::new(),
            lost,
        };
    }
    let primary = MaterialVariant {
        name: texts
            .get("MSG_SKIN_PRIMARY")
            .unwrap_or_else(|| "primary".to_owned()),
        textures: BTreeMap::new(),
    };
    let mut variants = vec![primary];
    variants.extend(others);
    MaterialVariants { variants, lost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::zipper::zrd::text;

    fn lists(source_text: &str) -> serde_json::Value {
        let values = text::decode(source_text.as_bytes())
            .unwrap()
            .value
            .values()
            .unwrap();
        serde_json::to_value(SkinLists::new(&values)).unwrap()
    }

    #[test]
    fn lists_are_detected_by_word_or_by_name() {
        let expected = serde_json::json!({
            "primary": ["leg", "hull"],
            "variantb": ["leg_b", "hull_b"],
            "damage": ["hull_dmg"],
        });
        for source_text in [
            "(MSG_SKIN_PRIMARY (leg hull) MSG_SKIN_VARIANTB (leg_b hull_b) damage (hull_dmg))",
            "((primary leg.tif HULL) (variant_b leg_b hull_b) (damaged hull_dmg))",
            "(leg hull) b (leg_b hull_b) damage (hull_dmg)",
            "(leg hull leg_b hull_b) damage (hull_dmg)",
        ] {
            assert_eq!(lists(source_text), expected, "{source_text}");
        }
    }

    #[test]
    fn other_skins_are_suffixes_and_damage_counts_by_place() {
        assert_eq!(
            lists(
                "(MSG_SKIN_PRIMARY (leg (hull hull_x)) MSG_SKIN_VARIANTB _b MSG_SKIN_VARIANTD _d \
                  MSG_SKIN_VARIANTD _e damage (0 0 hull_dmg 0 leg_dmg))"
            ),
            serde_json::json!({
                "primary": ["leg", "hull"],
                "suffixes": {"b": "_b", "d": "_d", "e": "_e"},
                "stems": {"hull": {"stem": "hull_x", "certain": false}},
                "damage": [null, null, "hull_dmg", null, "leg_dmg"],
            })
        );
    }

    #[test]
    fn odd_lists_are_preserved_as_far_as_they_go() {
        assert_eq!(lists("() 3 ((7))"), serde_json::json!({}));
        assert_eq!(lists("b"), serde_json::json!({"primary": ["b"]}));
        let wide = serde_json::json!({"primary": ["pad_z", "x_b"]});
        assert_eq!(lists("pad_z x_b"), wide);
    }
}
