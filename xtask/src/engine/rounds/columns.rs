//! The scenes that are edited.

/// A scene that a person edits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Name in tables.
    pub name: &'static str,
    /// Sample.
    pub sample: &'static str,
    /// Path without extension.
    pub scene: &'static str,
}

const fn column(name: &'static str, sample: &'static str, scene: &'static str) -> Column {
    Column {
        name,
        sample,
        scene,
    }
}

/// Name of an install that is given to the command.
pub(super) const GIVEN: &str = "given";

impl Column {
    /// A scene of a given install. Its path is kept until the program ends.
    pub(super) fn given(scene: &str) -> Self {
        let scene = scene.to_owned().leak();
        column(scene, GIVEN, scene)
    }
}

/// Scenes of all games.
pub(super) static COLUMNS: [Column; 13] = [
    column("rc world", "rc", "worlds/zbd/m1/gamez"),
    column("mw world", "mw", "worlds/zbd/c1/gamez"),
    column("mw 'mech", "mw", "models/zbd/mechlib/vulture"),
    column("pm world", "pm", "worlds/zbd/c1/gamez"),
    column("pm 'mech", "pm", "models/zbd/mechlib/wanderer"),
    column("cs world", "cs", "worlds/zbd/c1/gamez"),
    column("cs plane", "cs", "models/zbd/planes/heron"),
    column("eq zone", "eq", "worlds/dell"),
    column("eq object", "eq", "models/dell_obj/elm"),
    column("eq creature", "eq", "models/dell_chr/frg"),
    column("eqg zone", "eqg", "worlds/mill"),
    column("eqg model", "eqg", "models/mill/wheel"),
    column("eqg creature", "eqg", "models/mill/ox"),
];

/// Edits of every test run, which are all shown.
pub(super) static SMALL: [(&str, &str); 15] = [
    ("mw world", "move an object"),
    ("mw world", "move a vertex"),
    ("mw world", "extrude a face"),
    ("mw world", "flip a face"),
    ("mw world", "paint vertex colors"),
    ("mw world", "other picture"),
    ("mw world", "move a camera"),
    ("mw 'mech", "a key of a clip"),
    ("eq zone", "duplicate an object"),
    ("eq zone", "delete an object"),
    ("eq object", "UV of a mesh"),
    ("eq creature", "move several vertices"),
    ("eq zone", "move a light"),
    ("eq zone", "scale along one axis"),
    ("eq creature", "turn a bone at rest"),
];

/// The edit of every test run in a `.glb`.
pub(super) static SMALL_BINARY: (&str, &str) = ("eq zone", "other picture");

/// Edits that are known to be lost, or to change something else: column, edit.
pub(super) static EXPECTED: [(&str, &str); 0] = [];
