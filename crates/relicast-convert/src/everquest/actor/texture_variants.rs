//! Texture variants of creatures, by the names of materials: model, part, skin, face, piece. A material that
//! no palette lists is a variant of the listed material whose name differs only in skin and face.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::animation_sets::stem;
use relicast_formats::everquest::wld::{Body, FragmentKind, Wld};

/// A parsed material name: `ELMCH0102` is the second piece of the chest in the first skin, and
/// `ELMHE0021` the first piece of the head with the second face.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct MaterialPiece {
    /// Model and part, five letters.
    part: String,
    /// Number of the face or fur; the number of a piece if palettes have more than nine.
    face: u8,
    /// Number of the piece.
    number: u8,
}

/// A variant: number of the skin, and of the face or fur.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Variant {
    skin: String,
    face: u8,
}

/// Bytes of model and part, and of the whole name.
const PART_LENGTH: usize = 5;
const NAME_LENGTH: usize = 9;

impl MaterialPiece {
    /// The piece and the skin of a material.
    fn of(name: &str) -> Option<(Self, String)> {
        let name = stem(name, "_MDF");
        let fits =
            name.len() == NAME_LENGTH && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let (part, rest) = name.split_at_checked(PART_LENGTH).filter(|_| fits)?;
        let (skin, number) = rest.split_at_checked(2)?;
        if !skin.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let &[face, number] = number.as_bytes() else {
            return None;
        };
        let piece = Self {
            part: part.to_owned(),
            face,
            number,
        };
        Some((piece, skin.to_owned()))
    }
}

/// The materials of a scene file by piece and variant.
#[derive(Debug, Clone, Default)]
pub(in crate::everquest) struct SkinIndex {
    /// Variants of each piece (part and number), with the index of the first material of that name.
    pieces: BTreeMap<(String, u8), BTreeMap<Variant, usize>>,
    /// Pieces that palettes list. The tens of their numbers belong to the number and are not a face.
    listed: BTreeSet<MaterialPiece>,
}

impl SkinIndex {
    /// Lists the materials of a scene file.
    pub(in crate::everquest) fn new(wld: &Wld<'_>) -> Self {
        let mut found = Self::default();
        let palettes = wld.fragments.iter().filter_map(|fragment| {
            let Body::MaterialPalette(palette) = &fragment.body else {
                return None;
            };
            Some(&palette.materials)
        });
        let listed: HashSet<usize> = palettes
            .flatten()
            .filter_map(|palette| palette.index())
            .collect();
        for (index, fragment) in wld.fragments.iter().enumerate() {
            if fragment.kind() != FragmentKind::Material {
                continue;
            }
            let Some((piece, skin)) = MaterialPiece::of(fragment.name()) else {
                continue;
            };
            if listed.contains(&index) {
                found.listed.insert(piece);
            } else {
                let variant = Variant {
                    skin,
                    face: piece.face,
                };
                let known = found.pieces.entry((piece.part, piece.number)).or_default();
                known.entry(variant).or_insert(index);
            }
        }
        found
    }
}

/// The materials of one creature in a scene file.
#[derive(Debug, Clone, Copy)]
pub(in crate::everquest) struct Skins<'d> {
    /// Materials of the file.
    pub materials: &'d SkinIndex,
    /// The creature's code.
    pub creature: &'d str,
}

impl Skins<'_> {
    /// The material of the same piece in another skin or with another face, by index of its fragment.
    pub(in crate::everquest) fn skin_material(
        &self,
        name: &str,
        skin: u32,
        face: u32,
    ) -> Option<usize> {
        let others = self.others(name);
        let wanted = [
            format!("skin{skin:02}_face{face}"),
            format!("skin{skin:02}"),
            format!("face{face}"),
        ];
        let fits = |wanted: &String| {
            let mut others = others.iter();
            others.find(|(other, _)| other == wanted)
        };
        wanted.iter().find_map(fits).map(|&(_, index)| index)
    }

    /// The other variants of a material and the indices of their materials. Variants are named `skin01`,
    /// `face2`, or `skin01_face2` if both differ.
    pub(super) fn others(&self, name: &str) -> Vec<(String, usize)> {
        let Some((piece, own)) = MaterialPiece::of(name) else {
            return Vec::new();
        };
        if !piece.part.starts_with(self.creature) {
            return Vec::new();
        }
        let SkinIndex { pieces, listed } = self.materials;
        let variants = pieces.get(&(piece.part.clone(), piece.number));
        let others = variants
            .into_iter()
            .flatten()
            .filter_map(|(variant, &index)| {
                let (other_skin, other_face) = (variant.skin != own, variant.face != piece.face);
                // The same tens as another listed piece: a variant of that one.
                let of_another = other_face
                    && listed.contains(&MaterialPiece {
                        face: variant.face,
                        ..piece.clone()
                    });
                let face = char::from(variant.face);
                let skin = &variant.skin;
                let name = match (other_skin, other_face) {
                    _ if of_another => return None,
                    (false, false) => return None,
                    (true, false) => format!("skin{skin}"),
                    (false, true) => format!("face{face}"),
                    (true, true) => format!("skin{skin}_face{face}"),
                };
                Some((name, index))
            });
        others.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::everquest::wld::{
        Fragment, FragmentRef, Material, MaterialPalette, Name, StringTable, Version,
    };

    /// The variants of `of`, with materials that palettes list and others that they do not.
    fn variants(listed: &[&str], unlisted: &[&str], of: &str) -> Vec<(String, usize)> {
        let mut strings = StringTable::default();
        let names = listed.iter().chain(unlisted);
        let mut fragments: Vec<Fragment<'_>> = names
            .map(|name| {
                let name = strings.add(&format!("{name}_MDF")).unwrap();
                Fragment::new(name, Body::Material(Material::default()))
            })
            .collect();
        let materials = (0..listed.len()).map(|index| FragmentRef::to(index).unwrap());
        let palette = Body::MaterialPalette(MaterialPalette {
            materials: materials.collect(),
            ..MaterialPalette::default()
        });
        fragments.push(Fragment::new(Name::default(), palette));
        let wld = Wld::new(Version::Old, strings, fragments).unwrap();
        let skins = Skins {
            materials: &SkinIndex::new(&wld),
            creature: "ABC",
        };
        skins.others(of)
    }

    fn named(names: &[(&str, usize)]) -> Vec<(String, usize)> {
        let names = names.iter();
        names
            .map(|&(name, index)| (name.to_owned(), index))
            .collect()
    }

    #[test]
    fn skins_are_found_by_piece() {
        let unlisted = [
            "ABCCH0101",
            "ABCCH0102",
            "XYZCH0101",
            "abcch0201",
            "ABCCH0101",
        ];
        // The palette has the default skin, and the third one for another mesh.
        let listed = ["ABCCH0001", "ABCCH0301"];
        let others = |name| variants(&listed, &unlisted, name);
        assert_eq!(
            others("ABCCH0001_MDF"),
            named(&[("skin01", 2), ("skin02", 5)])
        );
        assert_eq!(others("ABCCH0102_MDF"), []);
        assert_eq!(others("M0000_MDF"), []);
    }

    #[test]
    fn the_tens_of_a_piece_are_the_face() {
        let unlisted = [
            "ABCHE0011",
            "ABCHE0121",
            "ABCHE0101",
            "ABCHE0012",
            "ABCHE001A",
        ];
        let others = variants(&["ABCHE0001"], &unlisted, "ABCHE0001_MDF");
        let expected = [("face1", 1), ("skin01", 3), ("skin01_face2", 2)];
        assert_eq!(others, named(&expected));
    }

    #[test]
    fn models_of_more_than_nine_pieces_have_no_faces_there() {
        let listed = ["ABCCH0001", "ABCCH0011"];
        let unlisted = ["ABCCH0101", "ABCCH0111", "ABCCH0021"];
        let others = |name| variants(&listed, &unlisted, name);
        let first = [("face2", 4), ("skin01", 2)];
        assert_eq!(others("ABCCH0001_MDF"), named(&first));
        assert_eq!(
            others("ABCCH0011_MDF"),
            named(&[("face2", 4), ("skin01", 3)])
        );
    }
}
