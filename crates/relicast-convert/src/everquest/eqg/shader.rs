//! Surface properties by the names of shaders.

/// Blending of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum Blend {
    /// Added to the background.
    Additive,
    /// Mixed with the background.
    Alpha,
    /// Texels of low alpha are not drawn.
    Masked,
    /// A waterfall: two layers that move.
    Waterfall,
    /// Water with reflections.
    Water,
    /// Terrain of several layers.
    Terrain,
    /// Lava of another kind.
    Lava2,
    /// Lava.
    Lava,
    /// Opaque, regardless of the alpha of the picture.
    Opaque,
}

/// Words in names of shaders, in order of precedence.
const WORDS: [(&str, Blend); 8] = [
    ("addalpha", Blend::Additive),
    ("alpha", Blend::Alpha),
    ("chroma", Blend::Masked),
    ("waterfall", Blend::Waterfall),
    ("water", Blend::Water),
    ("terrain", Blend::Terrain),
    ("lava2", Blend::Lava2),
    ("lava", Blend::Lava),
];

/// Properties that the name of a shader gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shader {
    /// Blending of the surfaces.
    pub blend: Blend,
    /// The blue of the normal map is the glow.
    pub glows: bool,
    /// The alpha of the normal map is the specular strength.
    pub shines: bool,
}

/// The letters after the first `C` that a digit or a second word ends, as `BSG` of `MaxCBSG1`.
fn letters(name: &str) -> &str {
    let mut rest = name;
    while let Some((_, behind)) = rest.split_once('C') {
        let end = behind.find(|letter: char| !"BSGET".contains(letter));
        let end = end.unwrap_or(behind.len());
        let (letters, after) = behind.split_at(end);
        if after.starts_with(|letter: char| letter.is_ascii_digit()) {
            return letters;
        }
        rest = behind;
    }
    ""
}

impl Shader {
    /// Reads the properties from a name.
    pub(super) fn new(name: &str) -> Self {
        let lower = name.to_lowercase();
        let mut words = WORDS.iter();
        let found = words.find(|(word, _)| lower.contains(word));
        let letters = letters(name);
        let full = lower.contains("mplfull");
        Self {
            blend: found.map_or(Blend::Opaque, |&(_, blend)| blend),
            glows: letters.contains('G') || lower.contains("mplgb") || full,
            shines: letters.contains('S') || lower.contains("mplsb") || full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_determine_how_surfaces_are_drawn() {
        for (name, blend, glows, shines) in [
            ("Opaque_MaxC1.fx", Blend::Opaque, false, false),
            ("Opaque_MaxCB1_2UV.fx", Blend::Opaque, false, false),
            ("Chroma_MaxCBS1.fx", Blend::Masked, false, true),
            ("Alpha_MaxCBSG1.fx", Blend::Alpha, true, true),
            ("AddAlphaC1Max.fx", Blend::Additive, false, false),
            (
                "Opaque_OpaqueSkinMeshCBGG1Max.fx",
                Blend::Opaque,
                true,
                false,
            ),
            ("Opaque_MaxWaterFall.fx", Blend::Waterfall, false, false),
            ("Opaque_MaxWater.fx", Blend::Water, false, false),
            ("Opaque_MPLGB.fx", Blend::Opaque, true, false),
            ("Opaque_MaxLava2.fx", Blend::Lava2, false, false),
            ("", Blend::Opaque, false, false),
        ] {
            let expected = Shader {
                blend,
                glows,
                shines,
            };
            assert_eq!(Shader::new(name), expected, "{name}");
        }
    }
}
