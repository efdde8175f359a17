//! Field values for messages: numbers, names in words, ranges, without Rust syntax.
//!
//! ```
//! use relicast_codec::shown;
//!
//! assert_eq!(shown(&Some(3)).to_string(), "3");
//! assert_eq!(shown(&(0..=5)).to_string(), "0 to 5");
//! ```

use std::fmt::{self, Debug, Display};

/// A field value for a message.
#[derive(Clone, Copy)]
pub struct Shown<T>(T);

/// Formats `value` in words: options and wrappers as their content, structures as names and values, variants and flags
/// as words, ranges as "0 to 5". Quoted text is unchanged.
pub fn shown<T: Debug>(value: T) -> Shown<T> {
    Shown(value)
}

impl<T: Debug> Debug for Shown<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl<T: Debug> Display for Shown<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?}", self.0);
        let mut words = Words {
            rest: &text,
            out: String::with_capacity(text.len()),
            open: Vec::new(),
        };
        words.take_all();
        formatter.write_str(&words.out)
    }
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// Around the content of a wrapper such as `Some`, or around everything: not shown.
    Dropped,
    /// Around a list or structure inside another.
    Shown,
}

/// Converts the debug form of a value to words.
struct Words<'t> {
    rest: &'t str,
    out: String,
    open: Vec<(Bracket, char)>,
}

impl Words<'_> {
    fn take_all(&mut self) {
        while let Some(first) = self.rest.chars().next() {
            match first {
                '"' => self.take_quoted(),
                '(' | '[' | '{' => self.open(first),
                ')' | ']' | '}' => self.close(first),
                '0'..='9' => self.take_number(),
                '_' | 'a'..='z' | 'A'..='Z' => self.take_name(),
                _ => self.take_sign(first),
            }
        }
    }

    /// Copies `length` bytes to the text.
    fn copy(&mut self, length: usize) {
        let (head, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.out.push_str(head);
        self.rest = rest;
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    fn take_quoted(&mut self) {
        let mut is_escaped = false;
        let end = self.rest.char_indices().skip(1).find(|&(_, letter)| {
            let ends = letter == '"' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            ends
        });
        self.copy(end.map_or(self.rest.len(), |(at, _)| at.saturating_add(1)));
    }

    fn open(&mut self, bracket: char) {
        let is_inside = self.open.iter().any(|(open, _)| *open == Bracket::Shown)
            || self.open.iter().any(|&(_, bracket)| bracket != '<');
        let follows_text = self.out.ends_with(' ') && !self.out.ends_with(", ");
        let closing = match bracket {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        self.skip(1);
        if self.rest.starts_with(closing) {
            self.skip(1);
            self.out.push_str("nothing");
            return;
        }
        let kind = match is_inside || (bracket == '(' && follows_text) {
            true => Bracket::Shown,
            false => Bracket::Dropped,
        };
        if kind == Bracket::Shown {
            self.out.push('(');
        }
        self.open.push((kind, closing));
        if bracket == '{' {
            self.rest = self.rest.trim_start();
        }
    }

    fn close(&mut self, bracket: char) {
        if bracket == '}' {
            self.out.truncate(self.out.trim_end().len());
        }
        self.skip(1);
        if let Some((Bracket::Shown, _)) = self.open.pop() {
            self.out.push(')');
        }
    }

    fn take_number(&mut self) {
        let bytes = self.rest.as_bytes();
        let is_part = |at: usize| match bytes.get(at) {
            Some(b'.') => bytes
                .get(at.saturating_add(1))
                .is_some_and(u8::is_ascii_digit),
            Some(byte) => byte.is_ascii_alphanumeric(),
            None => false,
        };
        let length = (0..bytes.len()).find(|&at| !is_part(at));
        self.copy(length.unwrap_or(self.rest.len()));
    }

    fn take_name(&mut self) {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let length = self.rest.find(|letter| !is_part(letter));
        let (name, rest) = self
            .rest
            .split_at_checked(length.unwrap_or(self.rest.len()))
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        if rest.starts_with("::") {
            self.skip(2);
        } else if rest.starts_with('(') {
            self.skip(1);
            // A marker that opens no level.
            self.open.push((Bracket::Dropped, '<'));
        } else if rest.starts_with(" { ") {
            self.skip(1);
        } else {
            push_words(&mut self.out, name);
            if rest.starts_with(": ") {
                self.skip(1);
            }
        }
    }

    fn take_sign(&mut self, sign: char) {
        if self.rest.starts_with("..=") {
            self.skip(3);
            self.out.push_str(" to ");
        } else if self.rest.starts_with("..") {
            self.skip(2);
            let upper = if self.rest.is_empty() {
                " or more"
            } else {
                " to below "
            };
            self.out
                .push_str(upper.trim_start_matches(if self.out.is_empty() { " to " } else { "" }));
        } else if self.rest.starts_with(" | ") {
            self.skip(3);
            self.out.push_str(", ");
        } else {
            self.copy(sign.len_utf8());
        }
    }
}

/// Appends the words of a name: `DoubleSided` and `DOUBLE_SIDED` become "double sided".
fn push_words(out: &mut String, name: &str) {
    if name == "NaN" {
        return out.push_str(name);
    }
    let is_constant = !name.bytes().any(|byte| byte.is_ascii_lowercase());
    for (at, letter) in name.chars().enumerate() {
        let begins_word = letter.is_ascii_uppercase() && !is_constant && at > 0;
        if letter == '_' || begins_word {
            out.push(' ');
        }
        if letter != '_' {
            out.push(letter.to_ascii_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bytes, PaddedText, Vec3};

    #[derive(Debug)]
    #[expect(dead_code, reason = "only shown")]
    enum Filter {
        PointSampled,
        Other(u8),
    }

    #[derive(Debug)]
    #[expect(dead_code, reason = "only shown")]
    struct Links {
        before: Option<u16>,
        after_all: [u8; 2],
    }

    #[test]
    fn wrappers_show_what_they_hold() {
        assert_eq!(shown(&Some(-658_769_892)).to_string(), "-658769892");
        assert_eq!(shown(&None::<u8>).to_string(), "none");
        assert_eq!(shown(&Ok::<_, u8>(Some(3))).to_string(), "3");
        assert_eq!(shown(&Filter::Other(7)).to_string(), "7");
        assert_eq!(shown(&Some((1, 2))).to_string(), "1, 2");
    }

    #[test]
    fn names_are_words() {
        assert_eq!(shown(&Filter::PointSampled).to_string(), "point sampled");
        bitflags::bitflags! {
            #[derive(Debug)]
            struct Flags: u8 {
                const TEXTURED = 1;
                const TAKES_DECALS = 2;
            }
        }
        assert_eq!(shown(&Flags::all()).to_string(), "textured, takes decals");
        assert_eq!(shown(&Flags::empty()).to_string(), "0x0");
    }

    #[test]
    fn lists_and_structures_lose_the_outer_bracket() {
        assert_eq!(shown(&[1, 2]).to_string(), "1, 2");
        assert_eq!(shown(&[[1, 2], [3, 4]]).to_string(), "(1, 2), (3, 4)");
        assert_eq!(shown(&Vec::<u8>::new()).to_string(), "nothing");
        let links = Links {
            before: None,
            after_all: [1, 2],
        };
        assert_eq!(shown(&links).to_string(), "before none, after all (1, 2)");
        assert_eq!(
            shown(&Vec3::from([1.0, -0.5, 1e-9])).to_string(),
            "x 1.0, y -0.5, z 1e-9"
        );
    }

    #[test]
    fn ranges_and_text() {
        assert_eq!(shown(&(0..=5)).to_string(), "0 to 5");
        assert_eq!(shown(&(-1.5..4.0)).to_string(), "-1.5 to below 4.0");
        assert_eq!(shown(&(3..)).to_string(), "3 or more");
        assert_eq!(
            shown("a \"{b}\" Some(1)").to_string(),
            r#""a \"{b}\" Some(1)""#
        );
        assert_eq!(shown([f32::NAN, 1.0]).to_string(), "NaN, 1.0");
        assert_eq!(shown(&Bytes([0xAB, 1])).to_string(), "ab01");
        let text = PaddedText(*b"ab\0x");
        assert_eq!(
            shown(&text).to_string(),
            "\"ab\" (padding that is not zero)"
        );
    }
}
