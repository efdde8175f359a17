//! Commands of scripts with typed arguments.
//!
//! ```
//! use relicast_formats::zipper::script::{Argument, Command, CommandKind, NameForm};
//!
//! let tokens = ["NodeSetActive", "off"].map(str::to_owned);
//! let command = Command::parse(&tokens).unwrap();
//! assert_eq!(command.kind, CommandKind::NodeSetActive);
//! assert_eq!(command.arguments, [Argument::Switch(false)]);
//! assert_eq!(command.name_form, NameForm::Whole);
//! ```

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Maximum number of tokens of a line that are used: the command and 15 arguments.
pub const MOST_TOKENS: usize = 16;

/// Type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A number; 0 if it is missing.
    Number,
    /// A whole number; 0 if it is missing.
    Whole,
    /// `on` or `true`; anything else is off.
    Switch,
    /// A name, a path, a word.
    Text,
}

/// An argument as the command takes it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Argument {
    /// A number.
    Number(f32),
    /// A whole number.
    Whole(i32),
    /// A switch.
    Switch(bool),
    /// A text. Also an argument of another kind that contains a macro without a value.
    Text(String),
}

/// Form of the name of a command in its first token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NameForm {
    /// The exact name.
    Whole,
    /// The name and more letters, which are ignored.
    Longer,
    /// The start of a single name. Sources disagree: one says that the program accepts this, another that it does not.
    Shorter,
}

macro_rules! commands {
    ($($(#[$meta:meta])* $kind:ident($($argument:ident: $type:ident),*);)*) => {
        /// Commands whose meaning is known. Names of arguments have units where the value is not a plain number;
        /// "current" is the node that was found or made last.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CommandKind {
            $($(#[$meta])* $kind,)*
        }

        impl CommandKind {
            /// Every command.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The registered name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => command_name(stringify!($kind)),)*
                }
            }

            /// Names and kinds of the arguments.
            pub fn arguments(self) -> &'static [(&'static str, ArgumentKind)] {
                match self {
                    $(Self::$kind => &[$((stringify!($argument), ArgumentKind::$type)),*],)*
                }
            }
        }
    };
}

/// The name of a command: built-in words are in lower case, `Quit` excepted.
fn command_name(name: &'static str) -> &'static str {
    match name {
        "IfDef" => "ifdef",
        "IfNotDef" => "ifndef",
        "EndIf" => "endif",
        "Set" => "set",
        "Source" => "source",
        "MakeDirectory" => "mkdir",
        "Who" => "who",
        "Var" => "var",
        name => name,
    }
}

commands! {
    /// The lines up to `endif` run if the condition holds.
    IfDef(condition: Text);
    /// The lines up to `endif` run if the condition does not hold.
    IfNotDef(condition: Text);
    /// Ends the last condition.
    EndIf();
    /// Gives a macro a value.
    Set(name: Text, value: Text);
    /// Runs another script.
    Source(path: Text);
    /// Makes a folder; ignored here.
    MakeDirectory(path: Text);
    /// Ends its script.
    Quit();
    /// Lists nodes on the console.
    Who();
    /// Lists macros on the console.
    Var();
    /// Reads a world.
    GameZReadZBDFile(path: Text);
    /// Reads compiled animations.
    AnimSetZBDFile(path: Text);
    /// Reads additional compiled animations.
    AnimAddZBDFile(path: Text);
    /// Folder of the textures.
    SetTextureDirectory(path: Text);
    /// Folder of the models.
    SetModelDirectory(path: Text);
    /// Folder of the readers.
    RdrAddPath(path: Text);
    /// Loads the part that the game program calls general.
    LoadGameGen(path: Text);
    /// Makes a node the current one: the one of that name in the highest slot.
    FindNode(node: Text);
    /// Makes a descendant of the current node the current one. No source states its arguments: one name is searched
    /// below the current node; with two, the second is searched below the first.
    FindSubNode(node: Text, below: Text);
    /// Probably the same (Crimson Skies, 2 uses).
    FindSubNodeNode(node: Text, below: Text);
    /// Takes a node with all descendants out of the world (Crimson Skies; from the documentation of CSVM).
    DeleteTree(node: Text);
    /// Shows or hides the nodes of all cells between two corners, the last column and row excepted (Crimson Skies;
    /// read from the program by CSVM).
    WorldPartitionSetActive(on: Switch, x1: Number, z1: Number, x2: Number, z2: Number);
    /// A node follows the camera in x, y and z: the sky.
    CameraSetHorizon(node: Text);
    /// A node follows the camera in x and z.
    CameraSetHorizonXZ(node: Text);
    /// Full angles of view.
    CameraSetFOV(horizontal_degrees: Number, vertical_degrees: Number);
    /// Near and far plane.
    CameraSetNearFarClip(near: Number, far: Number);
    /// Distances of detail are divided by this.
    CameraSetLODMultiplier(multiplier: Number);
    /// Frames per second below which detail is reduced.
    CameraSetDynamicLOD(frames_per_second: Number);
    /// Angles of the camera.
    CameraRotate(x_radians: Number, y_radians: Number, z_radians: Number);
    /// Color of the background.
    DisplaySetClearColor(red: Number, green: Number, blue: Number);
    /// `off`, `linear` or `exponential`.
    WorldSetFogState(state: Text);
    /// Color of the fog, 0 to 1.
    WorldSetFogColor(red: Number, green: Number, blue: Number);
    /// Distances at which fog starts, and at which nothing else is visible.
    WorldSetFogRange(near: Number, far: Number);
    /// Below `low` fog is full, above `high` there is none.
    WorldSetFogAltitude(low: Number, high: Number);
    /// Density, which is not used for drawing.
    WorldSetFogDensity(density: Number);
    /// The border cells repeat endlessly.
    WorldSetVirtualPartition(on: Switch);
    /// Ambient light, 0 to 1.
    LightSetAmbient(ambient: Number);
    /// Directed light, 0 to 1.
    LightSetDiffuse(diffuse: Number);
    /// Color, 0 to 1.
    LightSetColor(red: Number, green: Number, blue: Number);
    /// The sun: parallel light.
    LightSetDirectedSource(on: Switch);
    /// A point.
    LightSetPointSource(on: Switch);
    /// A cone.
    LightSetDirectional(on: Switch);
    /// Blends surfaces towards its color.
    LightSetSaturated(on: Switch);
    /// Full strength up to `near`, nothing from `far` on.
    LightSetRange(near: Number, far: Number);
    /// Place.
    LightSetTranslate(x: Number, y: Number, z: Number);
    /// Angles.
    LightSetOrientation(x_degrees: Number, y_degrees: Number, z_degrees: Number);
    /// Switches the light on or off.
    LightSetActive(on: Switch);
    /// Distances between which the current level of detail is shown, meters.
    LODSetRange(near: Number, far: Number);
    /// Sets if lights act on the current node and its descendants.
    NodeSetLighting(on: Switch);
    /// Draws the current node and all descendants after everything else, without depth test.
    NodeSetOverwrite(on: Switch);
    /// Shows or hides the current node and all descendants.
    NodeSetActive(on: Switch);
    /// Ignores the far plane.
    SetLandmark(on: Switch);
    /// Ground for probes from above.
    SetAltitudeSurface(on: Switch);
    /// Rays hit its polygons.
    SetIntersectSurface(on: Switch);
    /// Shows or hides the current object.
    Object3DSetActive(on: Switch);
    /// Place of the current object in its parent.
    Object3DTranslate(x: Number, y: Number, z: Number);
    /// Angles of the current object; degrees in Recoil. In Crimson Skies degrees in a script in which an angle is
    /// greater than a full turn in radians, else radians (CSVM's reading of the scripts).
    Object3DRotate(x: Number, y: Number, z: Number);
    /// Scale of the current object.
    Object3DScale(x: Number, y: Number, z: Number);
    /// Moves the texture of the model, units per second, while the node is updated.
    Object3DSetScroll(on: Switch, u: Number, v: Number);
    /// Moves the texture of the model, units per second, always.
    Object3DSetScrollAlways(on: Switch, u: Number, v: Number);
    /// The model turns with the camera.
    Object3DSetFacade(on: Switch);
    /// The model is drawn as points.
    Object3DSetPoints(on: Switch);
    /// Depth priority of all polygons of the model.
    Object3DSetPriority(priority: Whole);
    /// Draws both sides of all polygons of the model.
    Object3DSetShowBackFace(on: Switch);
    /// Opacity, which applies if it is switched on.
    Object3DSetOpacity(opacity: Number);
    /// Sets if the node's own opacity applies.
    Object3DSetOpacityIsSet(on: Switch);
    /// Tint, 0 to 1, at full weight.
    Object3DSetColor(red: Number, green: Number, blue: Number);
    /// The cycle of pictures runs.
    CycleTextureSetOn(on: Switch);
    /// A picture of the cycle.
    CycleTextureSetMap(index: Whole, texture: Text);
    /// Pictures per second.
    CycleTextureSetSpeed(frames_per_second: Number);
    /// The cycle starts again at its end.
    CycleTextureSetLooping(on: Switch);
    /// The sun uses normals of vertices.
    SetVertexShading(on: Switch);
    /// Share of the distance that one level of priority is worth.
    SetInverseZTolerance(tolerance: Number);
    /// The software renderer shades palettes.
    SetPaletteShading(on: Switch);
    /// Textures of lens flares.
    LensFlareTexture(index: Whole, texture: Text);
    /// The texture of light maps.
    LightMapTexture(texture: Text);
    /// Shift of the choice of reduced pictures.
    MipBias(bias: Number);
    /// Names of the kinds of ground.
    LoadSoils(path: Text);
    /// Pictures of damage.
    WriteTextureSetMap(index: Whole, texture: Text);
    /// Templates of ground clutter.
    AddClutterTemplates(templates: Text);
}

relicast_codec::json_form_of!(CommandKind => String);

impl Serialize for CommandKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A line whose command is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// Kind of the command.
    pub kind: CommandKind,
    /// Form of its name in the script.
    pub name_form: NameForm,
    /// Its arguments, as many as the command takes; missing ones have the program's defaults.
    pub arguments: Vec<Argument>,
    /// Tokens after the arguments.
    pub rest: Vec<String>,
}

/// The command that a token runs. Of several names that a token starts with, the longest is used: every command can
/// be called, so none may be hidden by a shorter name.
pub fn kind_of(token: &str) -> Option<(CommandKind, NameForm)> {
    if token == CommandKind::Quit.name() {
        return Some((CommandKind::Quit, NameForm::Whole));
    }
    let others = || {
        let all = CommandKind::ALL.iter().copied();
        all.filter(|kind| *kind != CommandKind::Quit)
    };
    let known = others().filter(|kind| token.starts_with(kind.name()));
    if let Some(kind) = known.max_by_key(|kind| kind.name().len()) {
        let is_whole = kind.name() == token;
        let name_form = if is_whole {
            NameForm::Whole
        } else {
            NameForm::Longer
        };
        return Some((kind, name_form));
    }
    // A start that fits several names could be any.
    let mut fitting = others().filter(|kind| !token.is_empty() && kind.name().starts_with(token));
    let only = fitting.next()?;
    (fitting.next().is_none() && token.len() >= SHORTEST).then_some((only, NameForm::Shorter))
}

/// Minimum number of letters of a truncated name.
const SHORTEST: usize = 6;

impl Command {
    /// The command of a line; `None` if its first token names no known command.
    pub fn parse(tokens: &[String]) -> Option<Self> {
        let (first, rest) = tokens.split_first()?;
        let (kind, name_form) = kind_of(first)?;
        let rest = rest.get(..rest.len().min(MOST_TOKENS - 1))?;
        let wanted = kind.arguments();
        let arguments = wanted
            .iter()
            .enumerate()
            .map(|(place, (_, kind))| argument(*kind, rest.get(place).map(String::as_str)));
        Some(Self {
            kind,
            name_form,
            arguments: arguments.collect(),
            rest: rest.get(wanted.len()..).unwrap_or_default().to_vec(),
        })
    }

    /// The numbers among the arguments, in order.
    pub fn numbers(&self) -> Vec<f32> {
        let numbers = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Number(number) => Some(*number),
            Argument::Whole(number) => Some(*number as f32),
            _ => None,
        });
        numbers.collect()
    }

    /// Three numbers; zeros for missing ones and those with a macro.
    pub fn triple(&self) -> [f32; 3] {
        let numbers = self.numbers();
        [0, 1, 2].map(|place| numbers.get(place).copied().unwrap_or_default())
    }

    /// The first switch; off without one.
    pub fn is_on(&self) -> bool {
        let mut switches = self.arguments.iter();
        switches.any(|argument| *argument == Argument::Switch(true))
    }

    /// The first text; empty without one.
    pub fn text(&self) -> &str {
        let mut texts = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.next().unwrap_or_default()
    }

    /// The texts among the arguments that are not empty, in order.
    pub fn texts(&self) -> Vec<&str> {
        let texts = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.filter(|text| !text.is_empty()).collect()
    }

    /// True if an argument contains a macro without a value.
    pub fn has_macro(&self) -> bool {
        let mut arguments = self.arguments.iter();
        arguments.any(|argument| matches!(argument, Argument::Text(text) if holds_macro(text)))
    }
}

/// True if a text has something between two percent signs.
fn holds_macro(text: &str) -> bool {
    text.matches('%').count() >= 2
}

fn argument(kind: ArgumentKind, token: Option<&str>) -> Argument {
    let token = token.unwrap_or_default();
    if holds_macro(token) {
        return Argument::Text(token.to_owned());
    }
    match kind {
        ArgumentKind::Number => Argument::Number(number(token)),
        ArgumentKind::Whole => {
            let digits = leading(token, false);
            Argument::Whole(digits.parse().unwrap_or_default())
        }
        ArgumentKind::Switch => {
            let words = ["on", "true"];
            let is_on = words.iter().any(|word| token.eq_ignore_ascii_case(word));
            Argument::Switch(is_on)
        }
        ArgumentKind::Text => Argument::Text(token.to_owned()),
    }
}

/// The number that a text starts with; 0 without one.
fn number(text: &str) -> f32 {
    let mut digits = leading(text, true);
    loop {
        if let Ok(number) = digits.parse::<f32>() {
            return if number.is_finite() { number } else { 0.0 };
        }
        // A sign or an exponent without digits after it.
        match digits.char_indices().next_back() {
            Some((end, _)) => digits = digits.get(..end).unwrap_or_default(),
            None => return 0.0,
        }
    }
}

/// The start of a text that may be a number.
fn leading(text: &str, float: bool) -> &str {
    let fits = |(place, letter): (usize, char)| match letter {
        '0'..='9' => true,
        '+' | '-' => place == 0 || (float && text.get(..place).is_some_and(ends_in_exponent)),
        '.' | 'e' | 'E' => float,
        _ => false,
    };
    let end = text
        .char_indices()
        .find(|&at| !fits(at))
        .map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default()
}

fn ends_in_exponent(text: &str) -> bool {
    text.ends_with(['e', 'E'])
}

relicast_codec::json_form!(Command = {
    "description": "A command with its arguments by their names, the tokens after them, and the form of its name",
    "type": "object",
    "required": ["command"],
    "properties": {
        "command": {"enum": CommandKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>()},
        "rest": {"type": "array", "items": {"type": "string"}},
        "name_form": {"type": "string"}
    }
});

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("command", &self.kind)?;
        for ((name, _), value) in self.kind.arguments().iter().zip(&self.arguments) {
            map.serialize_entry(name, value)?;
        }
        if !self.rest.is_empty() {
            map.serialize_entry("rest", &self.rest)?;
        }
        if self.name_form != NameForm::Whole {
            map.serialize_entry("name_form", &self.name_form)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<Command> {
        let tokens: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Command::parse(&tokens)
    }

    #[test]
    fn a_token_runs_the_command_whose_whole_name_it_starts_with() {
        for (token, kind, name_form) in [
            ("FindNode", CommandKind::FindNode, NameForm::Whole),
            ("FindNodes", CommandKind::FindNode, NameForm::Longer),
            (
                "LightSetRanges",
                CommandKind::LightSetRange,
                NameForm::Longer,
            ),
            (
                "CameraSetHorizonXZ",
                CommandKind::CameraSetHorizonXZ,
                NameForm::Whole,
            ),
            (
                "Object3DSetScrollAlways",
                CommandKind::Object3DSetScrollAlways,
                NameForm::Whole,
            ),
            (
                "Object3DSetOpacityIsSet",
                CommandKind::Object3DSetOpacityIsSet,
                NameForm::Whole,
            ),
            (
                "CameraSetNear",
                CommandKind::CameraSetNearFarClip,
                NameForm::Shorter,
            ),
            ("Quit", CommandKind::Quit, NameForm::Whole),
        ] {
            assert_eq!(kind_of(token), Some((kind, name_form)), "{token}");
        }
        // Case matters, `Quit` must match exactly, and a start that fits several names matches none.
        for token in [
            "findnode",
            "Quits",
            "WorldSetFog",
            "Light",
            "Fog",
            "",
            "Find",
        ] {
            assert_eq!(kind_of(token), None, "{token}");
        }
    }

    #[test]
    fn arguments_are_read_as_the_program_reads_them() {
        let range = parsed("WorldSetFogRange 200").unwrap();
        assert_eq!(range.numbers(), [200.0, 0.0]);
        for (text, value) in [
            ("1.5", 1.5),
            ("-2", -2.0),
            (".25", 0.25),
            ("1e2", 100.0),
            ("1e", 1.0),
            ("3m", 3.0),
            ("abc", 0.0),
            ("-", 0.0),
            ("1e99", 0.0),
            ("nan", 0.0),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
        for (text, is_on) in [
            ("on", true),
            ("true", true),
            ("1", false),
            ("only", false),
            ("", false),
        ] {
            let command = parsed(&format!("NodeSetActive {text}")).unwrap();
            assert_eq!(command.is_on(), is_on, "{text}");
        }
        let fog = parsed("WorldSetFogState linear 7 8").unwrap();
        assert_eq!(
            (fog.text(), &*fog.rest),
            ("linear", &["7".to_owned(), "8".to_owned()][..])
        );
        let unknown = parsed("CameraSetNearFarClip %NEAR% 900").unwrap();
        assert!(unknown.has_macro());
        assert_eq!(unknown.arguments[0], Argument::Text("%NEAR%".to_owned()));
    }

    #[test]
    fn a_line_longer_than_the_program_keeps_is_cut() {
        let line = format!("AddClutterTemplates {}", "x ".repeat(500));
        assert_eq!(parsed(&line).unwrap().rest.len(), MOST_TOKENS - 2);
    }

    #[test]
    fn names_of_commands_are_not_each_others_start_by_chance() {
        for kind in CommandKind::ALL {
            let (found, name_form) = kind_of(kind.name()).unwrap();
            assert_eq!((found, name_form), (*kind, NameForm::Whole));
        }
    }

    #[test]
    fn documents_name_the_arguments() {
        let command = parsed("CameraSetFOV 72 45").unwrap();
        assert_eq!(
            serde_json::to_value(command).unwrap(),
            serde_json::json!({
                "command": "CameraSetFOV", "horizontal_degrees": 72.0, "vertical_degrees": 45.0,
            })
        );
    }
}
