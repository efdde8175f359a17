//! What is always refused, and why. A group that is not listed here and never goes back fails the test, and so does one
//! that is listed and goes back: take it out of the list then.

use std::collections::BTreeSet;

use globset::Glob;

/// Names of groups, with `*` for anything, and what refusals of them say.
const ALWAYS: &[(&str, &str)] = &[
    // Clips, and what is told of all definitions of a file.
    ("animations .gltf of *", "there is no way back"),
    ("animations .bin of *", "there is no way back"),
    ("animations .json of .zbd", "it takes from other files"),
    // Tables and checks of scenes: the scenes and their raw documents go back.
    ("worlds .zipper.json of *", "it takes from other files"),
    ("models .json of .zbd:-", "there is no way back"),
    (
        "worlds .everquest.json of .eqg:.zon",
        "there is no way back",
    ),
    // What is made from another output, or is a part of the raw document of its package.
    ("textures .font.json of *", "it is an output beside"),
    ("textures .raw.json of .zbd:-", "it is an output beside"),
    ("textures .additive.png of *", "it is an output beside"),
    // Notes that were made into another form.
    ("music .mid of .xmi:*", "it was made from the notes"),
    // Liveries in the paints of their patterns.
    (
        "textures .json of .rof:.bm",
        "it follows from the parts of the livery",
    ),
];

/// Groups whose outputs of some installs are all refused, and what these refusals say.
const AT_TIMES: &[(&str, &str)] = &[
    // The table of an archive that patches another one, and liveries in place of their parts.
    ("archives .json of .rof", "it takes from other files"),
    ("textures .png of .rof:.bm", "it follows from the parts"),
    // Tables of controls, where an archive has no other readers.
    ("readers .json of .zrd", "a table of controls is a view"),
    // Checks of a library count what others say, names of it are its own. Those of its models are made with motions.
    (
        "models .zipper.json of .zbd",
        "it follows from other values",
    ),
    ("models .zipper.json of .zbd:.flt", "there is no way back"),
    (
        "models .zipper.json of .zbd:.flt",
        "it takes from other files",
    ),
    ("models .zipper.json of .zbd:-", "it takes from other files"),
    (
        "models .zipper.json of .zbd:-",
        "it follows from other values",
    ),
    // Where each of a few nodes of a scene stands as a motion has it.
    (
        "models .hidden.gltf of .zbd:.flt",
        "follows from other values",
    ),
    (
        "worlds .everquest.json of .s3d:.wld",
        "it takes from other files",
    ),
    // Most of what lists of members tell is worked out.
    ("archives .json of .eqg", "it follows from other values"),
    ("archives .json of .pfs", "it follows from other values"),
    ("archives .json of .s3d", "it follows from other values"),
    (
        "archives .json of .s3d:.wld",
        "it follows from other values",
    ),
    ("archives .json of .s3d:.wld", "there is no way back"),
    // Scenes without placements, and bones without clips.
    ("* *gltf of .eqg:*", "it stands for no placement"),
    ("* *gltf of .eqg:*", "the client draws terrain"),
    ("* *gltf of .s3d:*", "it stands for no placement"),
    // Hidden meshes of which all lie in archives beside that of the zone.
    (
        "worlds .hidden.bin of .eqg:.zon",
        "its shape lies in another archive",
    ),
    // The head of a sound tells what its samples are and where they lie.
    (
        "sounds .raw.json of .zbd:.wav",
        "it follows from other values",
    ),
    // Few edits of a row of digits are one.
    ("worlds .json of .eqg:.lit", "it follows from other values"),
    // Pictures that are made beside another, notes of several songs.
    (
        "textures .normal.png of .eqg:.dds",
        "it is an output beside",
    ),
    ("textures .glow.png of .eqg:.dds", "it is an output beside"),
    ("music .json of .xmi", "it takes from other files"),
    // Meshes that lie in files with names of other kinds.
    ("models .gltf of .dds", "there is no way back"),
    ("models .bin of .dds", "there is no way back"),
    // Commands are what lines mean, and there are many more of them.
    ("scripts .json of .zbd", "follows from other values"),
];

fn fits(pattern: &str, group: &str) -> bool {
    let pattern = Glob::new(pattern).unwrap().compile_matcher();
    pattern.is_match(group)
}

/// Whether a group may never go back for these reasons.
pub fn is_at_times(group: &str, refusals: &BTreeSet<String>) -> bool {
    let found = AT_TIMES.iter().filter(|(listed, _)| fits(listed, group));
    let reasons: Vec<&str> = found.map(|(_, reason)| *reason).collect();
    let mut refusals = refusals.iter();
    !reasons.is_empty() && refusals.all(|told| reasons.iter().any(|reason| told.contains(reason)))
}

/// What refusals of a group say, if it is always refused.
pub fn reason(group: &str) -> Option<&'static str> {
    let mut found = ALWAYS.iter().filter(|(pattern, _)| fits(pattern, group));
    found.next().map(|(_, reason)| *reason)
}
