//! Control configurations (`DefaultCtlConfig.zrd`): the bindings of keys, buttons and axes.
//!
//! ```text
//! (KEYS ((COMMAND keya(0x1e) joybtn(0x6)) …)
//!  AXES ((Throttle joystick(Z) slope(-0.5) …) …))
//! ```
//!
//! Key codes are DirectInput codes in hexadecimal, which a reader parses as texts. This module detects such a value
//! and returns a view with numeric codes and named keys.

use serde::Serialize;

use super::keys::key;
use super::value::{Text, Value};

/// A control configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Controls<'a> {
    /// Sections in file order: `KEYS`, `AXES`.
    pub sections: Vec<Section<'a>>,
}

/// A named list of bindings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Section<'a> {
    /// Name as written in the file.
    pub name: Text<'a>,
    /// Bindings in file order; a command may appear more than once.
    pub bindings: Vec<Binding<'a>>,
}

/// One row of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Binding<'a> {
    /// A command or axis and its inputs.
    Bound {
        /// Command (`CMD_…`) or axis (`Throttle`).
        command: Text<'a>,
        /// Inputs and settings in file order.
        inputs: Vec<Input<'a>>,
    },
    /// A row of another shape, unchanged.
    Other(Value<'a>),
}

/// A word with arguments, as in `keya(0x1e)` or `slope(-0.5)`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Input<'a> {
    /// The word: a device (`keya`, `joybtn`, `joystick`) or a setting (`slope`, `deadzone`).
    pub function: Text<'a>,
    /// The arguments.
    pub arguments: Vec<Argument<'a>>,
}

/// One argument of an input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Argument<'a> {
    /// A DirectInput key code.
    Key {
        /// The code.
        code: u32,
        /// The code as written in the file.
        written: Value<'a>,
        /// The platform's constant, such as `DIK_A`; `None` for a code that DirectInput does not
        /// name.
        name: Option<&'static str>,
        /// Label of the key.
        label: Option<&'static str>,
    },
    /// A hexadecimal number that is not a key code, such as a button number.
    Number {
        /// The number.
        code: u32,
        /// The number as written in the file.
        written: Value<'a>,
    },
    /// Any other value.
    Plain(Value<'a>),
}

impl<'a> Argument<'a> {
    fn new(function: &Text<'_>, value: &Value<'a>) -> Self {
        let written = value.clone();
        let hexadecimal = value.as_text().and_then(|text| hexadecimal(text.bytes()));
        let key_code = match value {
            Value::Int(code) => u32::try_from(*code).ok(),
            _ => hexadecimal,
        };
        match (key_code, hexadecimal) {
            (Some(code), _) if is_key_function(function) => Self::Key {
                code,
                written,
                name: key(code).map(|key| key.constant),
                label: key(code).map(|key| key.label),
            },
            (_, Some(code)) => Self::Number { code, written },
            _ => Self::Plain(written),
        }
    }

    /// True for codes in hexadecimal, which no other reader of the games has.
    fn is_hexadecimal(&self) -> bool {
        match self {
            Self::Key { written, .. } | Self::Number { written, .. } => written.as_text().is_some(),
            Self::Plain(_) => false,
        }
    }
}

/// True for the words whose argument is a key: `keya` in the file seen, by inference `key` with
/// other letters.
fn is_key_function(function: &Text<'_>) -> bool {
    match function.bytes() {
        [head @ .., last] if head.len() == 3 => {
            head.eq_ignore_ascii_case(b"key") && last.is_ascii_alphabetic()
        }
        word => word.eq_ignore_ascii_case(b"key"),
    }
}

/// The number written as `0x` and hexadecimal digits.
fn hexadecimal(word: &[u8]) -> Option<u32> {
    let digits = word
        .strip_prefix(b"0x")
        .or_else(|| word.strip_prefix(b"0X"))?;
    let all = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = str::from_utf8(digits).ok().filter(|_| all)?;
    u32::from_str_radix(digits, 16).ok()
}

impl<'a> Controls<'a> {
    /// The view of `value`; `None` unless it is a control configuration: sections of a text and a list each, with a
    /// hexadecimal code or a joystick axis somewhere in a row. The extra list around the root of a binary reader is
    /// ignored.
    pub fn new(value: &Value<'a>) -> Option<Self> {
        let items = match value.as_list()? {
            [Value::List(inner)] => inner,
            items => items,
        };
        // Few readers are control configurations, and all are tested; the others use no memory.
        if !items.iter().any(may_hold_input) {
            return None;
        }
        let (pairs, []) = items.as_chunks::<2>() else {
            return None;
        };
        let sections: Option<Vec<Section<'a>>> = pairs
            .iter()
            .map(|[name, rows]| {
                Some(Section {
                    name: name.as_text()?.clone(),
                    bindings: rows
                        .as_list()?
                        .iter()
                        .map(|row| bound(row).unwrap_or_else(|| Binding::Other(row.clone())))
                        .collect(),
                })
            })
            .collect();
        let controls = Self {
            sections: sections?,
        };
        controls.has_inputs().then_some(controls)
    }

    fn has_inputs(&self) -> bool {
        let mut bindings = self.sections.iter().flat_map(|section| &section.bindings);
        bindings.any(|binding| match binding {
            Binding::Bound { inputs, .. } => inputs.iter().any(|input| {
                input.function == *"joystick"
                    || input.arguments.iter().any(Argument::is_hexadecimal)
            }),
            Binding::Other(_) => false,
        })
    }
}

/// True if a value contains a word for an input of a control configuration: a joystick, or a hexadecimal code.
fn may_hold_input(value: &Value<'_>) -> bool {
    match value {
        Value::Text(text) => *text == *"joystick" || hexadecimal(text.bytes()).is_some(),
        Value::List(items) => items.iter().any(may_hold_input),
        Value::Int(_) | Value::Float(_) => false,
    }
}

/// A row of the usual shape; `None` for others.
fn bound<'a>(row: &Value<'a>) -> Option<Binding<'a>> {
    let (command, inputs) = row.as_list()?.split_first()?;
    let (pairs, []) = inputs.as_chunks::<2>() else {
        return None;
    };
    let inputs: Option<Vec<Input<'a>>> = pairs
        .iter()
        .map(|[function, arguments]| {
            let function = function.as_text()?;
            let arguments = arguments.as_list()?;
            Some(Input {
                function: function.clone(),
                arguments: arguments
                    .iter()
                    .map(|argument| Argument::new(function, argument))
                    .collect(),
            })
        })
        .collect();
    Some(Binding::Bound {
        command: command.as_text()?.clone(),
        inputs: inputs?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::text;
    use super::*;

    fn view(source: &str) -> Option<serde_json::Value> {
        let document = text::decode(source.as_bytes()).unwrap().value;
        let values = document.values().unwrap();
        let [value] = values.as_slice() else {
            panic!("one value expected");
        };
        Controls::new(value).map(|controls| serde_json::to_value(controls).unwrap())
    }

    #[test]
    fn codes_become_numbers_with_names() {
        let source = "(\r\n\tKEYS (\r\n\t\t(CMD_A\tkeya(0x1E)\tjoybtn(0x6))\r\n\
                      \t\t(CMD_B keya(0xfff) keyb(30) future)\r\n\t\t(CMD_C keyb(0xfff) keya(156))\r\n\t)\r\n\
                      \tAXES ((Twist joystick(Rz) slope(-1.000000)))\r\n)";
        assert_eq!(
            view(source).unwrap(),
            json!({"sections": [
                {"name": "KEYS", "bindings": [
                    {"command": "CMD_A", "inputs": [
                        {"function": "keya", "arguments": [{"code": 30, "written": "0x1E",
                            "name": "DIK_A", "label": "A"}]},
                        {"function": "joybtn", "arguments": [{"code": 6, "written": "0x6"}]},
                    ]},
                    ["CMD_B", "keya", ["0xfff"], "keyb", [30], "future"],
                    {"command": "CMD_C", "inputs": [
                        {"function": "keyb", "arguments": [
                            {"code": 4095, "written": "0xfff", "name": null, "label": null}]},
                        {"function": "keya", "arguments": [
                            {"code": 156, "written": 156,
                                "name": "DIK_NUMPADENTER", "label": "Numpad Enter"}]},
                    ]},
                ]},
                {"name": "AXES", "bindings": [
                    {"command": "Twist", "inputs": [
                        {"function": "joystick", "arguments": ["Rz"]},
                        {"function": "slope", "arguments": [-1.0]},
                    ]},
                ]},
            ]})
        );
    }

    #[test]
    fn other_readers_are_not_taken_for_controls() {
        for source in [
            "()",
            "(KEYS)",
            "(KEYS ())",
            "(OBJECTIVES ((ONE TEXT(a)) (TWO COUNT(3))))",
            "(KEYS ((CMD keya(0x))))",
            "(TRACKS ((DOOR keyf(5) KEYFRAME(7))))",
            "(KEYS 1)",
        ] {
            assert_eq!(view(source), None, "{source}");
        }
    }

    #[test]
    fn a_joystick_alone_makes_controls() {
        let sections = view("(AXES ((Twist joystick(Rz))))").unwrap();
        let twist = &sections["sections"][0]["bindings"][0];
        assert_eq!(twist["inputs"][0]["arguments"], json!(["Rz"]));
    }

    #[test]
    fn the_outer_list_of_a_binary_reader_is_looked_through() {
        assert!(view("((KEYS ((CMD keya(0x1)))))").is_some());
    }
}
