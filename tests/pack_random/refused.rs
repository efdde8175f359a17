//! What is always refused, and why. A group that is not listed here and never goes back fails the test, and so does one
//! that is listed and goes back: take it out of the list then.

use globset::Glob;

/// Names of groups, with `*` for anything, and what refusals of them say.
const ALWAYS: &[(&str, &str)] = &[
    // Clips, and what is told of all definitions of a file.
    ("animations .gltf of *", "there is no way back"),
    ("animations .bin of *", "there is no way back"),
    ("animations .json of .zbd", "it takes from other files"),
    // Tables and checks of scenes: the scenes and their raw documents go back.
    ("models .zipper.json of *", "it takes from other files"),
    ("worlds .zipper.json of *", "it takes from other files"),
    ("models .json of .zbd:-", "there is no way back"),
    (
        "worlds .everquest.json of .eqg:.zon",
        "there is no way back",
    ),
    // What is made from another output.
    ("textures .font.json of *", "it is an output beside"),
    ("textures .additive.png of *", "it is an output beside"),
    // Notes that were made into another form.
    ("music .mid of .xmi:*", "it was made from the notes"),
    // Liveries in the paints of their patterns.
    (
        "textures .json of .rof:.bm",
        "it follows from the parts of the livery",
    ),
];

/// What refusals of a group say, if it is always refused.
pub fn reason(group: &str) -> Option<&'static str> {
    let fits = |pattern: &str| {
        Glob::new(pattern)
            .unwrap()
            .compile_matcher()
            .is_match(group)
    };
    let mut found = ALWAYS.iter().filter(|(pattern, _)| fits(pattern));
    found.next().map(|(_, reason)| *reason)
}
