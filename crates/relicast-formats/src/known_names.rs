//! Names of the files that can be converted, in terms of players, for messages.
//!
//! ```
//! let list = relicast_formats::known_names::list();
//! assert!(list.contains("EverQuest (.s3d, .eqg"));
//! ```

/// Groups of files: their games or uses, and their extensions.
pub const GROUPS: &[(&str, &[&str])] = &[
    (
        "Recoil, MechWarrior 3, Pirate's Moon and Crimson Skies",
        &["zbd", "zmap", "zrd", "rof"],
    ),
    ("EverQuest", &["s3d", "eqg", "pfs", "wld"]),
    ("disc images", &["cue", "bin", "iso"]),
    ("cabinets and archives", &["cab", "zip"]),
    (
        "sounds, music and videos",
        &["wav", "mp3", "xmi", "avi", "smk"],
    ),
];

/// Returns all groups in one line.
pub fn list() -> String {
    let groups = GROUPS.iter().map(|(name, extensions)| {
        let extensions: Vec<String> = extensions.iter().map(|end| format!(".{end}")).collect();
        format!("{name} ({})", extensions.join(", "))
    });
    groups.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::Members;
    use crate::kind::Kind;

    #[test]
    fn every_extension_is_in_the_table_of_formats() {
        let files: String = Kind::ALL.iter().map(|kind| kind.format().files).collect();
        for (_, extensions) in GROUPS {
            for extension in *extensions {
                assert!(files.contains(&format!(".{extension}`")), "{extension}");
            }
        }
    }

    #[test]
    fn every_kind_with_members_has_an_extension_in_the_list() {
        let listed = |files: &str| {
            let mut known = GROUPS.iter().flat_map(|(_, extensions)| *extensions);
            known.any(|extension| files.contains(&format!(".{extension}`")))
        };
        let kinds = Kind::ALL.iter().map(|kind| kind.format());
        for format in kinds.filter(|format| format.members != Members::None) {
            assert!(listed(format.files), "{}", format.label);
        }
    }
}
