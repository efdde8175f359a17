//! Texture variants of creatures, by the names of materials: model, part, skin, number. Materials that no
//! palette lists are looks of the listed ones that differ in nothing but the skin.

use std::collections::{BTreeMap, HashSet};

use super::sets::stem;
use crate::formats::everquest::wld::{Body, FragmentKind, Wld};

/// A material's name taken apart: `ELMCH0102` is the second piece of the chest in the first skin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    /// Model and part, five letters.
    part: String,
    /// Number of the piece, two characters.
    number: String,
}

/// Bytes of model and part, and of the whole name.
const PART_LENGTH: usize = 5;
const NAME_LENGTH: usize = 9;

impl Piece {
    /// The piece and the skin of a material.
    fn of(name: &str) -> Option<(Self, String)> {
        let name = stem(name, "_MDF");
        let fits =
            name.len() == NAME_LENGTH && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let (part, rest) = name.split_at_checked(PART_LENGTH).filter(|_| fits)?;
        let (skin, number) = rest.split_at_checked(2)?;
        let digits = skin.bytes().all(|byte| byte.is_ascii_digit());
        let piece = Self {
            part: part.to_owned(),
            number: number.to_owned(),
        };
        digits.then(|| (piece, skin.to_owned()))
    }
}

/// The materials of a file by piece and skin.
#[derive(Debug, Clone, Default)]
pub(super) struct Skins {
    /// Skins of each piece, with the index of the first material of that name.
    pieces: BTreeMap<Piece, BTreeMap<String, usize>>,
}

impl Skins {
    /// Those of one creature.
    pub(super) fn new(wld: &Wld<'_>, creature: &str) -> Self {
        let mut skins = Self::default();
        let palettes = wld
            .fragments
            .iter()
            .filter_map(|fragment| match &fragment.body {
                Body::MaterialPalette(palette) => Some(&palette.materials),
                _ => None,
            });
        let listed: HashSet<usize> = palettes.flatten().filter_map(|it| it.index()).collect();
        for (index, fragment) in wld.fragments.iter().enumerate() {
            if fragment.kind() == FragmentKind::Material
                && !listed.contains(&index)
                && let Some((piece, skin)) = Piece::of(fragment.name())
                && piece.part.starts_with(creature)
            {
                let known = skins.pieces.entry(piece).or_default();
                known.entry(skin).or_insert(index);
            }
        }
        skins
    }

    /// The other skins of a material, with the materials that show them.
    pub(super) fn others(&self, name: &str) -> impl Iterator<Item = (&str, usize)> {
        let piece = Piece::of(name);
        let all = piece.and_then(|(piece, own)| Some((self.pieces.get(&piece)?, own)));
        all.into_iter().flat_map(|(skins, own)| {
            let others = skins.iter().filter(move |(skin, _)| **skin != own);
            others.map(|(skin, &index)| (skin.as_str(), index))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::everquest::wld::{
        Fragment, FragmentRef, Material, MaterialPalette, Name, StringTable, Version,
    };

    #[test]
    fn skins_are_found_by_piece() {
        let mut strings = StringTable::default();
        let names = [
            "ABCCH0001",
            "ABCCH0101",
            "ABCCH0102",
            "XYZCH0101",
            "abcch0201",
            "ABCCH0101",
            "ABCCH0301",
        ];
        let mut fragments: Vec<Fragment<'_>> = names
            .iter()
            .map(|name| {
                let name = strings.add(&format!("{name}_MDF")).unwrap();
                Fragment::new(name, Body::Material(Material::default()))
            })
            .collect();
        // The palette has the default skin, and the third one for another mesh.
        let listed = [0, 6].map(|index| FragmentRef::to(index).unwrap());
        let palette = Body::MaterialPalette(MaterialPalette {
            materials: listed.to_vec(),
            ..MaterialPalette::default()
        });
        fragments.push(Fragment::new(Name::default(), palette));
        let wld = Wld::new(Version::Old, strings, fragments).unwrap();
        let skins = Skins::new(&wld, "ABC");
        let others = |name| skins.others(name).collect::<Vec<_>>();
        assert_eq!(others("ABCCH0001_MDF"), [("01", 1), ("02", 4)]);
        assert_eq!(others("ABCCH0102_MDF"), []);
        assert_eq!(others("M0000_MDF"), []);
    }
}
