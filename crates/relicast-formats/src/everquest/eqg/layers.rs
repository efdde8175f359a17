//! Variants of a creature (`.lay`), versions 2 to 4: the textures of its materials in each.
//!
//! ```
//! use relicast_formats::everquest::eqg::layers::{Layer, Layers, VariantName, MAGIC, Role, decode, encode};
//!
//! let mut layers = Layers { magic: MAGIC, version: 3, ..Layers::default() };
//! let material = layers.strings.add("C_CROW_S02_M01");
//! let textures = ["C_CROW_S02_C.DDS", "C_CROW_S02_N.DDS"].map(|name| layers.strings.add(name));
//! layers.layers.push(Layer { material, textures, ..Layer::default() });
//! let decoded = decode(&encode(&layers)?)?.value;
//! let layer = &decoded.layers[0];
//! let texture = decoded.strings.text(layer.textures[1]);
//! assert_eq!(Role::from_name(&texture), Some(Role::Normal));
//! let name = decoded.strings.text(layer.material);
//! assert_eq!(VariantName::parse(&name), Some(VariantName { model: "CROW", variant: 2, material: 1 }));
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use super::parts::{NO_STRING, Strings, trailing, unknown_version};
use relicast_codec::{self as codec, Blob, Bytes, Decoded, F32, Field, Result, Stream};

/// First bytes of layers.
pub const MAGIC: Bytes<4> = Bytes(*b"EQGL");

/// Version of a file of layers, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayersVersion {
    /// 2.
    Two,
    /// 3.
    Three,
    /// 4.
    Four,
}

relicast_codec::record! {
    /// Textures of a material in one variant.
    pub struct Layer[64, 28, 32, 32] in LayersVersion {
        /// Offset 0: name of the variant and the material, see [`VariantName`], or of the material alone: then the
        /// n-th record of a material is its variant number n.
        material: u32,
        /// Offset 4: textures in alphabetical order of their names, which give their [`Role`].
        textures: [u32; 2],
        /// Offset 12, version 2: meaning unknown.
        unk12: Bytes<52> [until Two],
        /// Offset 12, version 3: meaning unknown.
        unk12_three: Bytes<16> [since Three] [until Three],
        /// Offset 12, version 4: further textures.
        further: [u32; 3] [since Four],
        /// Offset 24, version 4: specular exponent.
        shininess: F32 [since Four],
        /// Offset 28, version 4: strength of the environment map. 1.5 in most records that have one, 0 or 1 in others.
        environment_strength: F32 [since Four],
    }
}

relicast_codec::record! {
    /// The layers of a creature.
    pub struct Layers[16..] {
        /// Offset 0: `EQGL`.
        magic: Bytes<4> [must MAGIC],
        /// Offset 4: 2, 3 or 4.
        version: u32 [bind],
        /// Offset 8: bytes of the strings.
        string_bytes: u32 [counts strings],
        /// Offset 12: number of records.
        layer_count: u32 [counts layers],
        /// Names.
        strings: Strings [by |value, stream| value.visit(stream, string_bytes)],
        /// The records.
        layers: Vec<Layer> [by |value, stream| layers(value, stream, layer_count, version)],
        /// Bytes after the last field, by rule none.
        #[serde(skip_serializing_if = "Blob::is_blank")]
        trailing: Blob<'static> [by |value, stream| trailing(value, stream)],
    }
}

/// Name of a record: `C_<MODEL>_S<nn>_M<nn>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantName<'n> {
    /// The model.
    pub model: &'n str,
    /// Number of the variant.
    pub variant: u32,
    /// Number of the material in the list of the model, from 1 on.
    pub material: usize,
}

impl<'n> VariantName<'n> {
    /// Parses the name of a record; `None` for other names.
    pub fn parse(name: &'n str) -> Option<Self> {
        let (kind, rest) = name.trim().split_once('_')?;
        let (rest, material) = rest.rsplit_once('_')?;
        let (model, variant) = rest.rsplit_once('_')?;
        let digits = |word: &'n str, letter: char| {
            let digits = word.strip_prefix([letter, letter.to_ascii_lowercase()])?;
            let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            are_digits.then_some(digits)
        };
        let is_variant = kind.eq_ignore_ascii_case("C") && !model.is_empty();
        is_variant.then_some(Self {
            model,
            variant: digits(variant, 'S')?.parse().ok()?,
            material: digits(material, 'M')?
                .parse()
                .ok()
                .filter(|&number| number > 0)?,
        })
    }
}

/// Role of a texture, by the end of its file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// `_C`: color.
    Diffuse,
    /// `_N`: normal map.
    Normal,
    /// `_E`: environment, or glow.
    Environment,
}

impl Role {
    /// The role of a file; `None` for other names.
    pub fn from_name(file: &str) -> Option<Self> {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).trim();
        let (_, letter) = stem.rsplit_once('_')?;
        let roles = [
            ("C", Self::Diffuse),
            ("N", Self::Normal),
            ("E", Self::Environment),
        ];
        let mut roles = roles.into_iter();
        let found = roles.find(|(known, _)| known.eq_ignore_ascii_case(letter));
        found.map(|(_, role)| role)
    }
}

fn layers<'a, S: Stream<'a>>(
    list: &mut Vec<Layer>,
    stream: &mut S,
    count: usize,
    version: u32,
) -> Result<()> {
    let version = match version {
        2 => LayersVersion::Two,
        3 => LayersVersion::Three,
        4 => LayersVersion::Four,
        other => return Err(unknown_version("2, 3 or 4", other)),
    };
    let size = Layer::size(version);
    stream.list("layers", list, count, size, |stream, layer| {
        layer.visit("layer", stream, version)
    })
}

/// Decodes layers.
///
/// # Errors
/// Not layers, an unknown version, or a truncated file.
pub fn decode(bytes: &[u8]) -> Result<Decoded<Layers>> {
    let mut decoded = codec::decode::<Layers>(bytes)?;
    let value = &decoded.value;
    for layer in &value.layers {
        let [first, second] = layer.textures;
        for (field, offset) in [
            ("layers.material", layer.material),
            ("layers.textures", first),
            ("layers.textures", second),
        ] {
            if offset != NO_STRING {
                value.strings.check(&mut decoded.deviations, field, offset);
            }
        }
    }
    Ok(decoded)
}

/// Encodes layers.
///
/// # Errors
/// The value does not fit the format.
pub fn encode(layers: &Layers) -> Result<Vec<u8>> {
    codec::encode(layers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_the_variant_and_the_place_of_the_material() {
        let name =
            |name| VariantName::parse(name).map(|name| (name.model, name.variant, name.material));
        assert_eq!(name("C_DRE_S03_M02"), Some(("DRE", 3, 2)));
        assert_eq!(name("c_a_b_s10_m1"), Some(("a_b", 10, 1)));
        for other in [
            "crow01",
            "C_DRE_S03",
            "C_DRE_S03_M00",
            "C_DRE_Sx_M01",
            "C_DRE_S_M01",
            "C__S01_M01",
            "D_DRE_S03_M02",
            "C_DRE_S+3_M02",
            "",
        ] {
            assert_eq!(name(other), None, "{other}");
        }
    }

    #[test]
    fn names_of_files_give_the_role() {
        assert_eq!(Role::from_name("C_DRE_BD_S00_N.DDS"), Some(Role::Normal));
        assert_eq!(
            Role::from_name("c_dre_bd_s00_e.dds"),
            Some(Role::Environment)
        );
        assert_eq!(Role::from_name("x_C"), Some(Role::Diffuse));
        assert_eq!(
            (Role::from_name("red.dds"), Role::from_name("a_b.dds")),
            (None, None)
        );
    }

    #[test]
    fn every_version_has_its_size() {
        for (version, size) in [(2, 64), (3, 28), (4, 32)] {
            let mut layers = Layers {
                magic: MAGIC,
                version,
                layers: vec![Layer::default(); 2],
                ..Layers::default()
            };
            layers.strings.add("skin");
            let bytes = encode(&layers).unwrap();
            assert_eq!(bytes.len(), 16 + 5 + 2 * size);
            let decoded = decode(&bytes).unwrap();
            assert_eq!(decoded.value, layers);
            assert!(decoded.deviations.is_empty());
        }
        let other = Layers {
            magic: MAGIC,
            version: 5,
            ..Layers::default()
        };
        assert!(encode(&other).is_err());
    }
}
