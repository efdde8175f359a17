//! Files that are known only by name and have no converter.
//!
//! ```
//! use relicast_formats::foreign::foreign_reason;
//!
//! assert_eq!(foreign_reason("ttf"), Some("font, usable as it is"));
//! assert_eq!(foreign_reason("zbd"), None);
//! ```

/// Extensions with the reason why such files are not converted.
pub(super) const FOREIGN: &[(&str, &str)] = &[
    ("ttf", "font, usable as it is"),
    ("fon", "font, usable as it is"),
    ("ifr", "force feedback effects, usable as they are"),
    ("ico", "icon, usable as it is"),
    ("cur", "pointer, usable as it is"),
    ("bmp", "picture, usable as it is"),
    ("jpg", "picture, usable as it is"),
    ("png", "picture, usable as it is"),
    ("gif", "picture, usable as it is"),
    ("tga", "picture, usable as it is"),
    ("tif", "picture, usable as it is"),
    ("mod", "module of music, usable as it is"),
    ("ani", "animated pointer, usable as it is"),
    ("rfd", "EverQuest plants of newer clients, layout unknown"),
    ("anl", "EverQuest list of animations, layout unknown"),
    ("obg", "EverQuest group of objects, layout unknown"),
    ("mdf", "text source of a model's materials, usable as it is"),
    ("sps", "text source of a model's sprites, usable as it is"),
    (
        "txc",
        "EverQuest cache, which the client makes from the pictures of a scene",
    ),
    ("fxo", "compiled shader, usable as it is"),
    ("txt", "text, usable as it is"),
    ("script", "Crimson Skies interface script, usable as it is"),
    ("csv", "table, usable as it is"),
    ("h", "text, usable as it is"),
    ("rtf", "text, usable as it is"),
    ("htm", "text, usable as it is"),
    ("html", "text, usable as it is"),
    ("pdf", "document, usable as it is"),
    ("doc", "document, usable as it is"),
    ("xml", "text, usable as it is"),
    ("ini", "settings, usable as they are"),
    ("hlp", "Windows help, no converter"),
    ("cnt", "Windows help, no converter"),
    ("inf", "settings of the installer"),
    ("cfg", "settings of the program, not game data"),
    ("reg", "settings of the installer"),
    ("lnk", "Windows shortcut"),
    ("url", "Windows shortcut"),
    ("isu", "uninstaller log"),
    ("log", "log"),
    (
        "cab",
        "cabinet of an unknown format, or cabinets.enabled is false",
    ),
    (
        "hdr",
        "cabinet of an unknown format, or cabinets.enabled is false",
    ),
    (
        "zip",
        "archive that cannot be read, or cabinets.enabled is false",
    ),
    ("ins", "setup script of InstallShield, not game data"),
    ("inx", "setup script of InstallShield, not game data"),
    ("lid", "languages of the installer, not game data"),
    (
        "tag",
        "name of the product for the installer, not game data",
    ),
    ("ex_", "packed program of the installer, not game data"),
    ("z", "archive of InstallShield 3, no converter"),
    ("icd", "encrypted program, no converter"),
    ("vxd", "Windows driver, not game data"),
    (
        "cue",
        "disc image inside another one, or discs.enabled is false",
    ),
    (
        "iso",
        "disc image inside another one, or discs.enabled is false",
    ),
    (
        "chd",
        "compressed disc image; unpack it with `chdman extractcd`",
    ),
    ("7z", "archive of an unsupported format; unpack it first"),
    ("rar", "archive of an unsupported format; unpack it first"),
    ("eff", "EverQuest effects of an unknown kind, no converter"),
    ("bin", "raw data, no converter"),
    ("256", "installer picture, no converter"),
    ("016", "installer picture, no converter"),
];

/// Reason why a file with this extension (lower case) is not converted; `None` for an unknown extension.
pub fn foreign_reason(extension: &str) -> Option<&'static str> {
    let mut known = FOREIGN.iter();
    known
        .find(|(known, _)| *known == extension)
        .map(|(_, reason)| *reason)
}

/// All extensions of the list, with the reason.
pub fn foreign() -> impl Iterator<Item = (&'static str, &'static str)> {
    FOREIGN.iter().copied()
}

/// Extensions of files that can be used as they are.
pub fn usable_extensions() -> impl Iterator<Item = &'static str> {
    let usable = FOREIGN.iter().filter(|(extension, _)| is_usable(extension));
    usable.map(|(extension, _)| *extension)
}

/// True if files with this extension (lower case) can be used as they are.
///
/// ```
/// use relicast_formats::foreign::is_usable;
///
/// assert!(is_usable("txt"));
/// assert!(!is_usable("lnk"));
/// ```
pub fn is_usable(extension: &str) -> bool {
    foreign_reason(extension).is_some_and(|reason| reason.contains("usable as"))
}

/// Prefixes of libraries that games ship but that hold no game data: of Windows and its run
/// times, DirectX, and of makers of sound, video, graphics and network libraries of the time. Their
/// texts (error messages) are not the game's.
const SYSTEM_LIBRARIES: &[&str] = &[
    "3dfx", "_isdel", "_isres", "_setup", "a3dapi", "binkw", "clcd16", "clcd32", "comctl32",
    "ctl3d", "d3dim", "d3drm", "d3dx", "ddraw", "dinput", "dplay", "dpwsock", "drvmgt", "dsetup",
    "dsound", "eaxman", "gamespy", "glide2x", "glide3x", "ifc2", "mfc4", "mfc7", "mss16", "mss32",
    "mssb16", "msvci", "msvcp", "msvcr", "oleaut32", "openal32", "opengl32", "riched", "shfolder",
    "smackw", "unicows", "vorbis", "wing32", "winmm", "ws2_32", "wsock32",
];

/// True if games only ship a library of this name (lower case, without extension).
pub(super) fn is_system_library(stem: &str) -> bool {
    let mut known = SYSTEM_LIBRARIES.iter();
    known.any(|start| stem.starts_with(start))
}
