//! The text form of readers: parentheses, words, and quotes.
//!
//! - `(` and `)` enclose a list; space, tab, CR and LF separate words.
//! - `;` where a word could start opens a comment that runs to the next LF.
//! - `"` inside a word starts or ends quoting, under which separators are literal; there is no escape for a quote.
//!   A word with a quote anywhere is a text.
//! - A word of an optional sign and digits is an integer; with one point it is a float. Exponents
//!   and hexadecimal digits make a text.
//! - `name(arguments)` is the text `name`, then a list.
//!
//! [`TextDocument`] stores every token verbatim, so that encoding restores every byte. [`TextDocument::values`]
//! returns the values, [`write()`] formats values.
//!
//! ```
//! use relicast_formats::zipper::zrd::text::{decode, encode};
//!
//! let bytes = b"( DETAIL 3 ) ; kept";
//! let document = decode(bytes)?.value;
//! assert_eq!(document.values()?.len(), 1);
//! assert_eq!(encode(&document), bytes);
//! # Ok::<(), relicast_codec::FormatError>(())
//! ```

use std::fmt::Write;

use serde::{Serialize, Serializer};

use super::value::{DEEPEST, Text, Value};
use relicast_codec::{Blob, Decoded, F32, FaultKind, FormatError, Reader, Result, Stream, shown};
use relicast_limits as limits;

/// Maximum length of a word in the games, without quotes.
pub const LONGEST_WORD: usize = 255;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A number or a text.
    Word,
    /// A run of spaces, tabs and line ends.
    Blank,
    /// `;` and everything up to the next LF, which is not part of it.
    Comment,
}

/// A token as written in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// Kind of the token.
    pub kind: TokenKind,
    /// Its bytes.
    pub source: &'a [u8],
}

relicast_codec::json_form_of!(@['a] Token<'a> => (TokenKind, String));

impl Serialize for Token<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        (self.kind, Text::borrowed(self.source)).serialize(serializer)
    }
}

impl<'a> Token<'a> {
    /// The value of a word; `None` for other tokens.
    pub fn value(&self) -> Option<Value<'a>> {
        (self.kind == TokenKind::Word).then(|| word_value(self.source))
    }
}

/// A text reader: its tokens in order, which together are the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextDocument<'a> {
    /// All tokens, white space and comments included.
    pub tokens: Vec<Token<'a>>,
}

impl<'a> TextDocument<'a> {
    /// The values of the tokens, in order. Files of the games hold one list.
    ///
    /// # Errors
    /// Parentheses do not match, or lists nest deeper than [`DEEPEST`]; never for a document that
    /// came from [`decode`].
    pub fn values(&self) -> Result<Vec<Value<'a>>> {
        let mut top: Vec<Value<'a>> = Vec::new();
        let mut open: Vec<(usize, Vec<Value<'a>>)> = Vec::new();
        let mut offset = 0_usize;
        for token in &self.tokens {
            limits::check();
            let items = open.last_mut().map_or(&mut top, |(_, items)| items);
            match token.kind {
                TokenKind::Word => limits::push(items, word_value(token.source)),
                TokenKind::Open if open.len() >= DEEPEST => {
                    return Err(FormatError::new(
                        FaultKind::Limit,
                        "list",
                        offset,
                        format_args!("at most {DEEPEST} nested lists"),
                        "a deeper list",
                    ));
                }
                TokenKind::Open => open.push((offset, Vec::new())),
                TokenKind::Close => {
                    let Some((_, list)) = open.pop() else {
                        return Err(FormatError::malformed(
                            "list",
                            offset,
                            "a list to close",
                            "a closing parenthesis outside all lists",
                        ));
                    };
                    let items = open.last_mut().map_or(&mut top, |(_, items)| items);
                    limits::push(items, Value::List(list));
                }
                TokenKind::Blank | TokenKind::Comment => {}
            }
            offset = offset.saturating_add(token.source.len());
        }
        match open.last() {
            None => Ok(top),
            Some((start, _)) => Err(FormatError::malformed(
                "list",
                *start,
                "a closing parenthesis",
                "end of data",
            )),
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_delimiter(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'(' | b')')
}

/// Splits the next token off `bytes`, which start at `offset`; `None` at the end.
fn next_token(bytes: &[u8], offset: usize) -> Result<Option<(Token<'_>, &[u8])>> {
    let Some(&first) = bytes.first() else {
        return Ok(None);
    };
    let run = |stop: &dyn Fn(u8) -> bool| {
        let end = bytes.iter().position(|&byte| stop(byte));
        end.unwrap_or(bytes.len())
    };
    let (kind, length) = match first {
        b'(' => (TokenKind::Open, 1),
        b')' => (TokenKind::Close, 1),
        b';' => (TokenKind::Comment, run(&|byte| byte == b'\n')),
        byte if is_blank(byte) => (TokenKind::Blank, run(&|byte| !is_blank(byte))),
        _ => (TokenKind::Word, word_length(bytes, offset)?),
    };
    Ok(bytes
        .split_at_checked(length)
        .map(|(source, rest)| (Token { kind, source }, rest)))
}

/// Bytes of the word at the start of `bytes`.
fn word_length(bytes: &[u8], offset: usize) -> Result<usize> {
    let mut quote: Option<usize> = None;
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quote = quote.is_none().then_some(index),
            0 => {
                return Err(FormatError::malformed(
                    "word",
                    offset.saturating_add(index),
                    "text",
                    "a NUL",
                ));
            }
            _ if quote.is_none() && is_delimiter(byte) => return Ok(index),
            _ => {}
        }
    }
    match quote {
        None => Ok(bytes.len()),
        Some(index) => Err(FormatError::malformed(
            "word",
            offset.saturating_add(index),
            "a closing quote",
            "end of data",
        )),
    }
}

fn word_value(source: &[u8]) -> Value<'_> {
    if source.contains(&b'"') {
        // Most quoted words are quoted as a whole and can be borrowed.
        let inner = source
            .strip_prefix(b"\"")
            .and_then(|rest| rest.strip_suffix(b"\""))
            .filter(|inner| !inner.contains(&b'"'));
        return match inner {
            Some(inner) => Value::Text(Text::borrowed(inner)),
            None => {
                let bare: Vec<u8> = source.iter().copied().filter(|&b| b != b'"').collect();
                Value::Text(Text(bare.into()))
            }
        };
    }
    number(source).unwrap_or_else(|| Value::Text(Text::borrowed(source)))
}

fn number(word: &[u8]) -> Option<Value<'static>> {
    let digits = word
        .strip_prefix(b"-")
        .or_else(|| word.strip_prefix(b"+"))
        .unwrap_or(word);
    let points = digits.iter().filter(|&&byte| byte == b'.').count();
    let others = digits.len().checked_sub(points)?;
    let numeric = digits
        .iter()
        .all(|&byte| byte == b'.' || byte.is_ascii_digit());
    if !numeric || points > 1 || others == 0 {
        return None;
    }
    let text = str::from_utf8(word).ok()?;
    if points == 0
        && let Ok(value) = text.parse()
    {
        return Some(Value::Int(value));
    }
    // An integer out of range becomes a float, as in the reference implementation.
    let value: f32 = text.parse().ok()?;
    value.is_finite().then_some(Value::Float(F32(value)))
}

/// Decodes a text reader. Words longer than [`LONGEST_WORD`], bytes outside ASCII, and anything but one list at the
/// top are preserved and reported.
///
/// # Errors
/// A quote or parenthesis is not matched, a word holds a NUL, lists nest deeper than [`DEEPEST`], or there is no
/// list and the bytes are not ASCII.
pub fn decode(bytes: &[u8]) -> Result<Decoded<TextDocument<'_>>> {
    let mut reader = Reader::new(bytes);
    let mut tokens: Vec<Token<'_>> = Vec::new();
    while let Some((token, _)) = next_token(
        bytes.get(reader.position()..).unwrap_or_default(),
        reader.position(),
    )? {
        limits::check();
        let offset = reader.position();
        reader.take("token", token.source.len())?;
        if token.kind == TokenKind::Word {
            let quotes = token.source.iter().filter(|&&byte| byte == b'"').count();
            let length = token.source.len().saturating_sub(quotes);
            if length > LONGEST_WORD {
                let expected = format_args!("at most {LONGEST_WORD} bytes");
                reader.deviate("word", offset, expected, length);
            }
            if !token.source.is_ascii() {
                reader.deviate("word", offset, "ASCII", "bytes outside ASCII");
            }
        }
        limits::push(&mut tokens, token);
    }
    let document = TextDocument { tokens };
    let values = document.values()?;
    if !matches!(values.as_slice(), [Value::List(_)]) {
        let found = format_args!("{} values", values.len());
        let is_text = |&byte: &u8| is_blank(byte) || matches!(byte, b' '..=b'~');
        let has_list = values.iter().any(|value| matches!(value, Value::List(_)));
        if !has_list && !bytes.iter().all(is_text) {
            return Err(FormatError::malformed(
                "values",
                0,
                "a list, or text of ASCII",
                found,
            ));
        }
        reader.deviate("values", 0, "one list", found);
    }
    Ok(reader.finish(document))
}

/// Writes a document, token by token.
pub fn encode(document: &TextDocument<'_>) -> Vec<u8> {
    let sources: Vec<&[u8]> = document.tokens.iter().map(|token| token.source).collect();
    sources.concat()
}

/// Returns true if `bytes` start like a text reader: a list or a comment, after white space.
pub fn looks_like(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|&&byte| !is_blank(byte));
    matches!(first, Some(b'(' | b';'))
}

/// A step of [`write()`]: a value to format at a depth, or the end of a list.
enum Step<'v, 'a> {
    Value(&'v Value<'a>, usize),
    Close,
}

/// Formats values as text, with one list item per line and tabs for the depth of nested lists. Decoding the result
/// gives the same values.
///
/// # Errors
/// A text contains a quote or a NUL, a float is not finite, or lists nest deeper than [`DEEPEST`]: the text form
/// cannot express them.
pub fn write(values: &[Value<'_>]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut steps: Vec<Step<'_, '_>> = Vec::new();
    for value in values {
        steps.push(Step::Value(value, 0));
        while let Some(step) = steps.pop() {
            let Step::Value(value, depth) = step else {
                out.push(b')');
                continue;
            };
            separate(&mut out, value, depth);
            match value {
                Value::Int(value) => out.extend(value.to_string().bytes()),
                Value::Float(value) => write_float(&mut out, *value)?,
                Value::Text(text) => write_text(&mut out, text.bytes())?,
                Value::List(_) if depth >= DEEPEST => {
                    return Err(FormatError::unencodable(
                        "list",
                        out.len(),
                        format_args!("at most {DEEPEST} nested lists"),
                        "a deeper list",
                    ));
                }
                Value::List(items) => {
                    out.push(b'(');
                    steps.push(Step::Close);
                    let inner = depth.saturating_add(1);
                    let items = items.iter().rev();
                    steps.extend(items.map(|item| Step::Value(item, inner)));
                }
            }
        }
    }
    if !out.is_empty() {
        out.extend(b"\r\n");
    }
    Ok(out)
}

/// Writes the separator between the last token and `value`.
fn separate(out: &mut Vec<u8>, value: &Value<'_>, depth: usize) {
    let first = matches!(out.last(), None | Some(b'('));
    if !out.is_empty() && matches!(value, Value::List(_)) {
        out.extend(b"\r\n");
        out.extend(std::iter::repeat_n(b'\t', depth));
    } else if !first {
        out.push(b'\t');
    }
}

fn write_float(out: &mut Vec<u8>, value: F32) -> Result<()> {
    if let Some(found) = value.non_finite_text() {
        return Err(FormatError::unencodable(
            "float",
            out.len(),
            "a finite number",
            found,
        ));
    }
    let mut text = String::new();
    // Display writes the shortest digits that parse to the same value, without an exponent.
    let _ = write!(text, "{}", value.get());
    if !text.contains('.') {
        text.push_str(".0");
    }
    out.extend(text.bytes());
    Ok(())
}

fn write_text(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    if bytes.iter().any(|byte| matches!(byte, b'"' | 0)) {
        return Err(FormatError::unencodable(
            "text",
            out.len(),
            "no quote and no NUL",
            shown(&Blob::borrowed(bytes)),
        ));
    }
    let bare = bytes
        .iter()
        .all(|&byte| !is_delimiter(byte) && byte != b';')
        && !bytes
            .iter()
            .all(|byte| matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9'));
    if bare {
        out.extend(bytes);
    } else {
        out.push(b'"');
        out.extend(bytes);
        out.push(b'"');
    }
    Ok(())
}

/// The values of a complete text.
#[cfg(test)]
pub(crate) fn spelt(text: &str) -> Vec<Value<'_>> {
    decode(text.as_bytes()).unwrap().value.values().unwrap()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::value::tests_support::any_value;
    use super::*;

    fn values(text: &str) -> Vec<Value<'_>> {
        let decoded = decode(text.as_bytes()).unwrap().value;
        assert_eq!(encode(&decoded), text.as_bytes());
        spelt(text)
    }

    fn json(text: &str) -> String {
        serde_json::to_string(&values(text)).unwrap()
    }

    #[test]
    fn a_name_with_arguments_is_a_text_and_a_list() {
        assert_eq!(
            json("(KEYS ((CMD_AMS keya(0x1e))))"),
            r#"[["KEYS",[["CMD_AMS","keya",["0x1e"]]]]]"#
        );
    }

    #[test]
    fn noise_is_no_text() {
        assert!(decode(b"\x91\xF3\x07\xC0").is_err());
        assert!(decode(b"word \x01").is_err());
        assert!(decode("( caf\u{e9} )".as_bytes()).is_ok());
        assert!(decode(b"two words").is_ok());
    }

    #[test]
    fn words_are_classified() {
        assert_eq!(
            json("(1 -2 +3 0.5 .5 5. -0.0 1e3 0x1e . + - 1.2.3 2147483648 1-2)"),
            concat!(
                r#"[[1,-2,3,0.5,0.5,5.0,-0.0,"1e3","0x1e",".","+","-","1.2.3",2147483600.0,"#,
                r#""1-2"]]"#
            )
        );
    }

    #[test]
    fn quotes_toggle_inside_words_and_make_texts() {
        assert_eq!(
            json(r#"(KE"Y S" "" "1" "a ; (b)"c x;y)"#),
            r#"[["KEY S","","1","a ; (b)c","x;y"]]"#
        );
    }

    #[test]
    fn comments_and_blanks_are_kept_but_mean_nothing() {
        let text = "; (head\r\n\t(A ; \"unmatched\n B)\r\n;end";
        assert_eq!(json(text), r#"[["A","B"]]"#);
        let tokens = decode(text.as_bytes()).unwrap().value.tokens;
        assert_eq!(tokens.first().unwrap().kind, TokenKind::Comment);
        assert!(looks_like(text.as_bytes()));
    }

    #[test]
    fn faults_carry_their_offset() {
        for (text, offset) in [("(A (B)", 0), ("A )", 2), ("(A b\"c)", 4), ("(A\0)", 2)] {
            let error = decode(text.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), FaultKind::Malformed, "{text:?}");
            assert_eq!(error.offset(), offset, "{text:?}");
        }
        let deep = "(".repeat(100_000);
        let error = decode(deep.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Limit);
        assert_eq!(error.offset(), DEEPEST as u64);
    }

    #[test]
    fn soft_rules_are_reported() {
        let long = format!("({} caf\u{e9}) 1", "x".repeat(256));
        assert_eq!(decode(long.as_bytes()).unwrap().deviations.total(), 3);
    }

    #[test]
    fn what_text_cannot_express_is_refused() {
        for value in [
            Value::text("a\"b"),
            Value::text("a\0b"),
            Value::Float(F32(f32::NAN)),
        ] {
            let error = write(&[value]).unwrap_err();
            assert_eq!(error.kind(), FaultKind::Unencodable);
        }
    }

    proptest! {
        #[test]
        fn written_values_read_back(list in proptest::collection::vec(any_value(false), 0..4)) {
            let text = write(&list).unwrap();
            let document = decode(&text).unwrap().value;
            prop_assert_eq!(document.values().unwrap(), list);
            prop_assert_eq!(encode(&document), text);
        }

        #[test]
        fn any_bytes_return_and_those_that_decode_survive(
            text in "[()\"; \t\r\na0.+-]{0,40}",
        ) {
            if let Ok(decoded) = decode(text.as_bytes()) {
                prop_assert_eq!(encode(&decoded.value), text.as_bytes());
                let values = decoded.value.values().unwrap();
                let again = write(&values).unwrap();
                prop_assert_eq!(decode(&again).unwrap().value.values().unwrap(), values);
            }
        }
    }
}
