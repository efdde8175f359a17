//! Materials whose render method is wrong in retail files. A correction applies to one material of the
//! archives that it names, and only if the stored render method is another one.

use relicast_formats::everquest::wld::Surface;

/// The archives to which a correction applies.
#[derive(Debug, Clone, Copy)]
enum Scope {
    /// The archives with these stems, lower case.
    Archives(&'static [&'static str]),
    /// All with creatures: names of their materials start with the code of the creature.
    Creatures,
}

/// A correction.
#[derive(Debug)]
pub(super) struct Correction {
    scope: Scope,
    material: &'static str,
    /// Corrected surface.
    pub surface: Surface,
    /// Source of the correction.
    pub source: &'static str,
}

const CUT_OUT: &str = "observed: opaque although its picture is a cut-out";
const PIECE: &str = "observed: a piece of a creature is solid";
const NAMED: &str = "listed among the corrections of a reference implementation";

/// All corrections. TREE20 of rivervale has the same picture as that of qrg (the install of 1999).
const ALL: &[Correction] = &[
    Correction {
        scope: Scope::Archives(&["qrg_obj", "tutorial_obj", "rivervale_obj"]),
        material: "TREE20_MDF",
        surface: Surface::Masked,
        source: CUT_OUT,
    },
    Correction {
        scope: Scope::Archives(&["eastkarana_obj", "highpass_obj"]),
        material: "TOP_MDF",
        surface: Surface::Masked,
        source: CUT_OUT,
    },
    piece("KAHE0001_MDF"),
    piece("CLHE0004_MDF"),
    piece("SDEUA0006_MDF"),
    piece("BWDCH0101_MDF"),
    Correction {
        scope: Scope::Archives(&["gequip"]),
        material: "FIRE1_MDF",
        surface: Surface::AdditiveUnlit,
        source: NAMED,
    },
    cloud("AIRCLOUD_MDF"),
    cloud("NORMALCLOUD_MDF"),
];

const fn piece(material: &'static str) -> Correction {
    Correction {
        scope: Scope::Creatures,
        material,
        surface: Surface::Diffuse,
        source: PIECE,
    }
}

const fn cloud(material: &'static str) -> Correction {
    Correction {
        scope: Scope::Archives(&["sky"]),
        material,
        surface: Surface::SkyTransparent,
        source: NAMED,
    }
}

/// The correction of a material that is drawn as `stored` in an archive of this stem, lower case; `None`
/// if it is right as stored.
pub(super) fn of(archive: &str, material: &str, stored: Surface) -> Option<&'static Correction> {
    ALL.iter().find(|correction| {
        let inside = match correction.scope {
            Scope::Archives(stems) => stems.contains(&archive),
            Scope::Creatures => archive.contains("chr"),
        };
        inside && correction.material.eq_ignore_ascii_case(material) && correction.surface != stored
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_hold_for_a_material_of_an_archive() {
        let of = |archive, material, stored| {
            of(archive, material, stored).map(|correction| correction.surface)
        };
        let solid = Surface::Diffuse;
        assert_eq!(of("qrg_obj", "tree20_mdf", solid), Some(Surface::Masked));
        assert_eq!(of("qrg_obj", "TREE20_MDF", Surface::Masked), None);
        assert_eq!(of("kithicor_obj", "TREE20_MDF", solid), None);
        assert_eq!(of("qrg_obj", "TOP_MDF", solid), None);
        assert_eq!(of("everfrost", "ICE1_MDF", solid), None);
        let additive = Surface::Additive;
        assert_eq!(of("akanon_chr", "CLHE0004_MDF", additive), Some(solid));
        assert_eq!(of("akanon_obj", "CLHE0004_MDF", additive), None);
    }

    #[test]
    fn no_correction_hides_anything() {
        for one in ALL {
            assert!(
                super::super::render_method::is_visible(one.surface),
                "{one:?}"
            );
        }
    }
}
