//! Viewers of assets, roles of their files, and marks.

use serde::Serialize;

use relicast_formats::asset::AssetKind;

/// Viewer for an asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Viewer {
    /// A glTF scene.
    Model,
    /// A picture.
    Picture,
    /// A sound.
    Sound,
    /// Music.
    Song,
    /// A movie.
    Video,
    /// A JSON document.
    Document,
    /// Plain text.
    Text,
    /// File that can only be saved.
    File,
    /// No viewer: there is no output.
    None,
}

impl Viewer {
    /// All viewers in the order of their indices.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Model, "model"),
        (Self::Picture, "picture"),
        (Self::Sound, "sound"),
        (Self::Song, "song"),
        (Self::Video, "video"),
        (Self::Document, "document"),
        (Self::Text, "text"),
        (Self::File, "file"),
        (Self::None, "none"),
    ];

    /// Viewer for the file at `path` of an asset of `kind`.
    pub fn new(path: &str, kind: AssetKind) -> Self {
        let is_music = kind == AssetKind::Music;
        match extension(path) {
            "gltf" | "glb" => Self::Model,
            "png" | "tga" | "tif" | "tiff" | "jpg" | "jpeg" | "gif" | "bmp" => Self::Picture,
            "wav" | "flac" | "mp3" | "ogg" | "oga" if is_music => Self::Song,
            "wav" | "flac" | "mp3" | "ogg" | "oga" => Self::Sound,
            "mid" => Self::Song,
            "mp4" | "mkv" | "webm" | "ogv" => Self::Video,
            "json" => Self::Document,
            "txt" | "csv" | "script" | "h" | "ini" | "xml" => Self::Text,
            _ => Self::File,
        }
    }

    /// Rank of a file with this viewer as the main file of its asset; the lowest is the best.
    pub fn rank(self) -> usize {
        match self {
            Self::Model | Self::Video => 0,
            Self::Picture => 1,
            Self::Song | Self::Sound => 2,
            Self::Document => 3,
            _ => 4,
        }
    }

    /// Index in the columns of a list.
    pub fn number(self) -> usize {
        let place = Self::ALL.iter().position(|(viewer, _)| *viewer == self);
        place.unwrap_or_default()
    }
}

/// Lower-case extension of a path; output paths may have upper case if names are preserved.
pub(super) fn extension(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// A path without its extension.
pub(super) fn stem(path: &str) -> &str {
    let extension = extension(path);
    match extension.is_empty() {
        true => path,
        false => {
            let length = path.len() - extension.len() - 1;
            path.get(..length).unwrap_or(path)
        }
    }
}

/// Role of a file of an asset, from the part of its name that the main file does not have.
pub(super) fn role(main: &str, path: &str) -> String {
    if path == main {
        return "main".to_owned();
    }
    let extension = extension(path);
    let rest = stem(path).strip_prefix(stem(main)).unwrap_or_default();
    let is_buffer = extension == "bin";
    let plain = match rest {
        "" if is_buffer => "buffer",
        "" if extension == "json" => "facts",
        "" => "other",
        ".zipper" | ".everquest" => "tables",
        "_px" | "_nx" | "_py" | "_ny" | "_pz" | "_nz" => "face",
        _ if rest.starts_with(".mip") => "mip",
        _ if rest.starts_with(".lod") => "lod",
        _ => match rest.strip_prefix('.') {
            Some(word) if is_known(word) => word,
            _ if matches!(extension, "gltf" | "glb" | "bin") => "scene",
            _ => "other",
        },
    };
    match is_buffer && plain != "buffer" {
        true => format!("{plain}-buffer"),
        false => plain.to_owned(),
    }
}

fn is_known(word: &str) -> bool {
    matches!(
        word,
        "hidden"
            | "poster"
            | "additive"
            | "normal"
            | "glow"
            | "base"
            | "mask"
            | "overlay"
            | "alpha"
            | "font"
            | "raw"
    )
}

/// Filter mark of assets. Its value is its bit in the columns of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Has animation clips.
    Clips = 0,
    /// Has skins or other variants.
    Variants,
    /// Something is missing.
    Missing,
    /// Has values that break a soft rule.
    Deviations,
    /// Has notes in the report.
    Notes,
    /// Has parts that are hidden at first.
    Hidden,
    /// Has loops.
    Loops,
    /// Has more than one scene.
    Scenes,
    /// Has a display name.
    Named,
    /// Has bones.
    Skinned,
}

impl Mark {
    /// All marks in bit order, with their names.
    pub const ALL: [(Self, &'static str, &'static str); 10] = [
        (Self::Clips, "clips", "has clips"),
        (Self::Variants, "variants", "has variants"),
        (Self::Missing, "missing", "something is missing"),
        (Self::Deviations, "deviations", "has deviations"),
        (Self::Notes, "notes", "has notes"),
        (Self::Hidden, "hidden", "has hidden parts"),
        (Self::Loops, "loops", "loops"),
        (Self::Scenes, "scenes", "has several scenes"),
        (Self::Named, "named", "has a display name"),
        (Self::Skinned, "skinned", "has bones"),
    ];

    /// Bit of the mark.
    pub fn bit(self) -> u32 {
        1 << (self as u32)
    }
}

/// Name of a kind, game or status in manifests.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_next_to_the_main_one_say_what_they_are_for() {
        let main = "worlds/c1/gamez.gltf";
        for (path, expected) in [
            (main, "main"),
            ("worlds/c1/gamez.bin", "buffer"),
            ("worlds/c1/gamez.hidden.gltf", "hidden"),
            ("worlds/c1/gamez.hidden.bin", "hidden-buffer"),
            ("worlds/c1/gamez.lod1.gltf", "lod"),
            ("worlds/c1/gamez.m1.gltf", "scene"),
            ("worlds/c1/gamez.zipper.json", "tables"),
            ("worlds/c1/gamez.raw.json", "raw"),
            ("worlds/c1/gamez.json", "facts"),
            ("elsewhere/x.png", "other"),
        ] {
            assert_eq!(role(main, path), expected, "{path}");
        }
    }

    #[test]
    fn bits_are_places() {
        for (place, (mark, ..)) in Mark::ALL.iter().enumerate() {
            assert_eq!(mark.bit(), 1 << place);
        }
        for (place, (viewer, _)) in Viewer::ALL.iter().enumerate() {
            assert_eq!(viewer.number(), place);
        }
    }
}
