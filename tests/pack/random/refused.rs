//! Groups that are always refused, with reasons. A group that is not listed here and is never packed fails
//! the test, and so does one that is listed and is packed: remove it from the list then.

use std::collections::BTreeSet;

use globset::Glob;

/// Names of groups, with `*` for anything, and the text of their refusals.
const ALWAYS: &[(&str, &str)] = &[
    // Clips, and values of all definitions of a file.
    ("animations .gltf of *", "files is not supported"),
    ("animations .bin of *", "files is not supported"),
    (
        "animations .json of .zbd",
        "it contains data of other files",
    ),
    // Tables and checks of scenes: the scenes and their raw documents are packed.
    (
        "worlds .zipper.json of *",
        "it contains data of other files",
    ),
    ("models .json of .zbd:-", "files is not supported"),
    (
        "worlds .everquest.json of .eqg:.zon",
        "files is not supported",
    ),
    // What is made from another output, or is a part of the raw document of its package.
    ("textures .font.json of *", "it is a secondary output"),
    ("textures .raw.json of .zbd:-", "it is a secondary output"),
    ("textures .additive.png of *", "it is a secondary output"),
    // Notes that were made into another form.
    (
        "music .mid of .xmi:*",
        "it is a rendering of the game's music",
    ),
    // Liveries in the paints of their patterns.
    (
        "textures .json of .rof:.bm",
        "it is generated from the parts of the livery",
    ),
];

/// Groups whose outputs of some installs are all refused, and the text of these refusals.
const AT_TIMES: &[(&str, &str)] = &[
    // The table of an archive that patches another one, and liveries in place of their parts.
    ("archives .json of .rof", "it contains data of other files"),
    (
        "textures .png of .rof:.bm",
        "it is generated from the parts",
    ),
    // Tables of controls, where an archive has no other readers.
    ("readers .json of .zrd", "a table of controls is a view"),
    // Checks of a library count what others say, names of it are its own. Those of its models are made with motions.
    (
        "models .zipper.json of .zbd",
        "it is derived from other values",
    ),
    ("models .zipper.json of .zbd:.flt", "files is not supported"),
    (
        "models .zipper.json of .zbd:.flt",
        "it contains data of other files",
    ),
    (
        "models .zipper.json of .zbd:-",
        "it contains data of other files",
    ),
    (
        "models .zipper.json of .zbd:-",
        "it is derived from other values",
    ),
    // Places of each of a few nodes of a scene under a motion.
    (
        "models .hidden.gltf of .zbd:.flt",
        "is derived from other values",
    ),
    (
        "worlds .everquest.json of .s3d:.wld",
        "it contains data of other files",
    ),
    // Most values of lists of members are derived.
    ("archives .json of .eqg", "it is derived from other values"),
    ("archives .json of .pfs", "it is derived from other values"),
    ("archives .json of .s3d", "it is derived from other values"),
    (
        "archives .json of .s3d:.wld",
        "it is derived from other values",
    ),
    ("archives .json of .s3d:.wld", "files is not supported"),
    // Scenes without placements, and bones without clips.
    ("* *gltf of .eqg:*", "it is not a placement"),
    ("* *gltf of .eqg:*", "terrain cannot be moved"),
    ("* *gltf of .s3d:*", "it is not a placement"),
    // Hidden meshes that are all in archives next to that of the zone.
    (
        "worlds .hidden.bin of .eqg:.zon",
        "its shape is in another archive",
    ),
    // The header of a sound contains the format and the offset of its samples.
    (
        "sounds .raw.json of .zbd:.wav",
        "it is derived from other values",
    ),
    // Few edits of a row of digits are one.
    (
        "worlds .json of .eqg:.lit",
        "it is derived from other values",
    ),
    // Pictures that are made beside another, notes of several songs.
    (
        "textures .normal.png of .eqg:.dds",
        "it is a secondary output",
    ),
    (
        "textures .glow.png of .eqg:.dds",
        "it is a secondary output",
    ),
    ("music .json of .xmi", "it contains data of other files"),
    // Meshes in files with names of other kinds.
    ("models .gltf of .dds", "files is not supported"),
    ("models .bin of .dds", "files is not supported"),
    // Commands are what lines mean, and there are many more of them.
    ("scripts .json of .zbd", "is derived from other values"),
];

fn fits(pattern: &str, group: &str) -> bool {
    let pattern = Glob::new(pattern).unwrap().compile_matcher();
    pattern.is_match(group)
}

/// True if a group may never be packed for these reasons.
pub fn is_at_times(group: &str, refusals: &BTreeSet<String>) -> bool {
    let found = AT_TIMES.iter().filter(|(listed, _)| fits(listed, group));
    let reasons: Vec<&str> = found.map(|(_, reason)| *reason).collect();
    let mut refusals = refusals.iter();
    !reasons.is_empty()
        && refusals.all(|reported| reasons.iter().any(|reason| reported.contains(reason)))
}

/// Text of the refusals of a group, if it is always refused.
pub fn reason(group: &str) -> Option<&'static str> {
    let mut found = ALWAYS.iter().filter(|(pattern, _)| fits(pattern, group));
    found.next().map(|(_, reason)| *reason)
}
