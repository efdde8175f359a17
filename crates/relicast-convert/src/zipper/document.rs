//! JSON documents that differ from the typed value: times as text, texts as strings, vectors with named components.

use crate::documents::DocumentForm;
use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_formats::zipper::interp::{Interp, Line, Script};
use relicast_formats::zipper::motion::{Header, Motion, Part, PartFlags};
use relicast_formats::zipper::script::Command;
use relicast_formats::zipper::script::command::MOST_TOKENS;
use relicast_formats::zipper::zmap::{self, Feature, Map, Rgb};

/// RFC 3339 form of a FILETIME (100 ns ticks since 1601-01-01 UTC); `None` past the year 9999.
pub fn filetime(ticks: u64) -> Option<String> {
    const SECONDS_TO_1970: i64 = 11_644_473_600;
    let seconds = i64::try_from(ticks / 10_000_000).ok()? - SECONDS_TO_1970;
    let nanoseconds = i32::try_from(ticks % 10_000_000 * 100).ok()?;
    let time = Timestamp::new(seconds, nanoseconds).ok()?;
    Some(time.to_string())
}

/// RFC 3339 form of seconds since 1970.
pub fn unix_time(seconds: u32) -> Option<String> {
    let time = Timestamp::from_second(i64::from(seconds)).ok()?;
    Some(time.to_string())
}

/// One script of `interp.zbd`.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScriptDocument {
    name: String,
    /// Seconds since 1970 as stored.
    timestamp: u32,
    /// The time stamp as text in UTC; the time zone of the packer is unknown.
    datetime: Option<String>,
    lines: Vec<LineDocument>,
    /// The lines whose command is known, with typed arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<CommandDocument>,
}

/// A line whose command is known.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CommandDocument {
    /// Index among the lines.
    line: usize,
    #[serde(flatten)]
    command: Command,
}

/// A line: its tokens joined by spaces, or, where splitting that would give other tokens, the tokens
/// themselves.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum LineDocument {
    Joined(String),
    Tokens(Vec<String>),
}

impl LineDocument {
    fn new(line: &Line<'_>) -> Self {
        let tokens: Vec<String> = line.tokens().collect();
        if tokens.is_empty()
            || tokens
                .iter()
                .any(|token| token.is_empty() || token.contains(' '))
        {
            Self::Tokens(tokens)
        } else {
            Self::Joined(tokens.join(" "))
        }
    }
}

/// The scripts of `interp.zbd`, in table order.
pub fn scripts(interp: &Interp<'_>) -> Vec<ScriptDocument> {
    let script = |script: &Script<'_>| ScriptDocument {
        name: script.row.path.text(),
        timestamp: script.row.time,
        datetime: unix_time(script.row.time),
        lines: script.lines.iter().map(LineDocument::new).collect(),
        commands: commands(script),
    };
    interp.scripts.iter().map(script).collect()
}

fn commands(script: &Script<'_>) -> Vec<CommandDocument> {
    let lines = script.lines.iter().enumerate();
    let commands = lines.filter_map(|(line, stored)| {
        let tokens: Vec<String> = stored.tokens().take(MOST_TOKENS).collect();
        Command::parse(&tokens).map(|command| CommandDocument { line, command })
    });
    commands.collect()
}

/// A motion: keyframes by part.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MotionDocument {
    /// Seconds of the loop; frame i is at `i × loop_time / frame_count`.
    loop_time: F32,
    frame_count: u32,
    parts: Vec<PartDocument>,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct PartDocument {
    name: String,
    frames: Vec<FrameDocument>,
    /// The stored sample after the last frame, when it does not repeat the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closing_frame: Option<FrameDocument>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct FrameDocument {
    /// Meters, local to the part's parent.
    translation: Vec3,
    /// Unit quaternion.
    rotation: Quaternion,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Quaternion {
    x: F32,
    y: F32,
    z: F32,
    w: F32,
}

/// The document of a motion.
pub fn motion(motion: &Motion<'_>) -> MotionDocument {
    let part = |part: &Part<'_>| {
        let samples = part.translations.iter().zip(&part.rotations);
        let mut frames: Vec<FrameDocument> = samples
            .map(|(&translation, rotation)| FrameDocument {
                translation,
                rotation: Quaternion {
                    x: rotation.x,
                    y: rotation.y,
                    z: rotation.z,
                    w: rotation.w,
                },
            })
            .collect();
        let closing = frames.pop();
        PartDocument {
            name: part.name(),
            closing_frame: closing.filter(|closing| frames.first() != Some(closing)),
            frames,
        }
    };
    MotionDocument {
        loop_time: motion.header.loop_time,
        frame_count: motion.header.frame_count,
        parts: motion.parts.iter().map(part).collect(),
    }
}

impl MotionDocument {
    /// The motion of the document; data that the document lacks comes from `before`.
    ///
    /// # Errors
    /// The frames of a part do not match `frame_count`, there are none, or a name is not Latin-1. The text has the
    /// path of the value, what was expected and what was found.
    pub fn motion(&self, before: &Motion<'_>) -> Result<Motion<'static>, String> {
        let mut motion = Motion {
            header: Header {
                loop_time: self.loop_time,
                frame_count: self.frame_count,
                ..before.header.clone()
            },
            parts: Vec::new(),
            trailing: before.trailing.clone().into_owned(),
        };
        for (index, part) in self.parts.iter().enumerate() {
            let found = part.frames.len();
            if u32::try_from(found) != Ok(self.frame_count) {
                return Err(format!(
                    "$.parts[{index}].frames: expected {} frames, as in frame_count, found {found}",
                    self.frame_count
                ));
            }
            let closing = part.closing_frame.or(part.frames.first().copied());
            let closing = closing
                .ok_or_else(|| format!("$.parts[{index}].frames: expected a frame, found none"))?;
            let samples = || part.frames.iter().copied().chain([closing]);
            let bytes = part.name.chars().map(|letter| u8::try_from(letter).ok());
            let name: Option<Vec<u8>> = bytes.collect();
            let name = name.ok_or_else(|| {
                format!(
                    "$.parts[{index}].name: expected Latin-1 characters, found {:?}",
                    part.name
                )
            })?;
            motion.parts.push(Part {
                name: name.into(),
                flags: PartFlags::ROTATION | PartFlags::TRANSLATION,
                translations: samples().map(|sample| sample.translation).collect(),
                rotations: samples()
                    .map(|FrameDocument { rotation, .. }| QuatWxyz {
                        w: rotation.w,
                        x: rotation.x,
                        y: rotation.y,
                        z: rotation.z,
                    })
                    .collect(),
            });
        }
        Ok(motion)
    }
}

/// A mission map.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MapDocument<'a> {
    /// Not used by the game. The name is that of other decoders.
    #[serde(rename = "unk04")]
    unused: u32,
    min: Vec3,
    max: Vec3,
    features: Vec<FeatureDocument<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct FeatureDocument<'a> {
    color: Rgb,
    vertices: Cow<'a, [Vec3]>,
    objective: i32,
    /// Joins the last corner to the first.
    closed: bool,
}

/// The document of a map.
pub fn map(map: &Map) -> MapDocument<'_> {
    MapDocument {
        unused: map.header.unused,
        min: map.header.min,
        max: map.header.max,
        features: map
            .features
            .iter()
            .map(|feature| FeatureDocument {
                color: feature.color,
                vertices: Cow::Borrowed(&feature.vertices),
                objective: feature.objective,
                closed: true,
            })
            .collect(),
    }
}

impl MapDocument<'_> {
    /// The map of the document; data that the document lacks comes from `before`.
    ///
    /// # Errors
    /// An outline is open. The text has the path of the value, what was expected and what was found.
    pub fn map(&self, before: &Map) -> Result<Map, String> {
        let open = self.features.iter().position(|feature| !feature.closed);
        if let Some(index) = open {
            return Err(format!(
                "$.features[{index}].closed: expected true (all outlines are closed), found false"
            ));
        }
        let feature = |feature: &FeatureDocument<'_>| Feature {
            color: feature.color,
            vertices: feature.vertices.to_vec(),
            objective: feature.objective,
        };
        Ok(Map {
            header: zmap::Header {
                unused: self.unused,
                min: self.min,
                max: self.max,
                ..before.header.clone()
            },
            features: self.features.iter().map(feature).collect(),
        })
    }
}

/// Forms of the documents.
pub(crate) const FORMS: &[DocumentForm] = &[
    DocumentForm::of::<Vec<ScriptDocument>>(
        "scripts",
        "Scripts: lines of tokens, and what each line does",
    ),
    DocumentForm::of::<MotionDocument>("motion", "A motion: keyframes of each part"),
    DocumentForm::of::<MapDocument<'static>>("map", "A map of a mission: its features"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        let text = filetime(125_997_331_200_574_692).unwrap();
        assert!(text.ends_with(".0574692Z"), "{text}");
        assert_eq!(
            filetime(116_444_736_000_000_000).unwrap(),
            "1970-01-01T00:00:00Z"
        );
        assert_eq!(filetime(u64::MAX), None);
        assert_eq!(unix_time(0x3700_0000).unwrap(), "1999-03-29T22:34:40Z");
    }

    #[test]
    fn scripts_list_known_commands_next_to_their_lines() {
        let lines = [
            vec!["FindNode", "world1"],
            vec!["Unknown", "1"],
            vec!["WorldSetFogRange", "%NEAR%", "900"],
        ];
        let script = Script {
            lines: lines.map(Line::from_tokens).to_vec(),
            ..Script::default()
        };
        let interp = Interp {
            scripts: vec![script],
            ..Interp::default()
        };
        let document = serde_json::to_value(scripts(&interp)).unwrap();
        assert_eq!(document[0]["lines"].as_array().unwrap().len(), 3);
        assert_eq!(
            document[0]["commands"],
            serde_json::json!([
                {"line": 0, "command": "FindNode", "node": "world1"},
                {"line": 2, "command": "WorldSetFogRange", "near": "%NEAR%", "far": 900.0},
            ])
        );
    }

    #[test]
    fn lines_that_do_not_split_back_stay_tokens() {
        let written = |tokens: &[&str]| {
            let line = Line::from_tokens(tokens.iter().copied());
            serde_json::to_string(&LineDocument::new(&line)).unwrap()
        };
        assert_eq!(written(&["set", "A"]), r#""set A""#);
        assert_eq!(written(&["a b", "c"]), r#"["a b","c"]"#);
        assert_eq!(written(&["a", ""]), r#"["a",""]"#);
    }
}
