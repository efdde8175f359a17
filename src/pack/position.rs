//! Where in the text of an edited document the value stands that a refusal names by its path.

use super::edited::Refusal;

/// A place in a text, both numbers from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    line: usize,
    column: usize,
}

/// The refusal with line and column of the value whose path it begins with; as it is when it begins with none, or tells
/// a line already.
pub(super) fn located(text: &[u8], refusal: Refusal) -> Refusal {
    let message = refusal.to_string();
    if message.starts_with("line ") || message.contains(" at line ") {
        return refusal;
    }
    let Some(at) = message.strip_prefix('$').and_then(|path| find(text, path)) else {
        return refusal;
    };
    let Position { line, column } = position(text, at);
    refusal!("{message}, at line {line} column {column}")
}

fn position(text: &[u8], at: usize) -> Position {
    let before = text.get(..at).unwrap_or(text);
    let start = before.iter().rposition(|&byte| byte == b'\n');
    let row = before.get(start.map_or(0, |start| start + 1)..);
    // Bytes that go on with a character begin none.
    let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
    Position {
        line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
        column: 1 + row.unwrap_or_default().iter().filter(begins).count(),
    }
}

/// The first byte of the value that a message names by the path that it begins with: keys and indices are followed as far
/// as the document has them.
fn find(text: &[u8], mut message: &str) -> Option<usize> {
    let mut scan = Scan { text, at: 0 };
    scan.skip_blanks();
    loop {
        let found = scan.at;
        let inner = match scan.peek() {
            Some(b'{') => scan.field(message),
            Some(b'[') => scan.item(message),
            _ => None,
        };
        match inner {
            Some((at, rest)) => {
                scan.at = at;
                message = rest;
            }
            None => return (found < text.len()).then_some(found),
        }
    }
}

/// A text that is read value by value. Texts that are no JSON end early.
#[derive(Debug)]
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scan<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Passes a byte that must be there, and the blanks around it.
    fn pass(&mut self, byte: u8) -> Option<()> {
        self.skip_blanks();
        let is_there = self.peek() == Some(byte);
        is_there.then(|| {
            self.at += 1;
            self.skip_blanks();
        })
    }

    /// Passes a text in quotation marks, and gives it with them.
    fn string(&mut self) -> Option<&'t [u8]> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        self.text.get(start..self.at)
    }

    /// Passes a value with all that is in it.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                byte if depth > 0
                    && (byte.is_ascii_whitespace() || matches!(byte, b',' | b':')) =>
                {
                    self.at += 1;
                    continue;
                }
                _ => {
                    let ends = |byte: u8| byte.is_ascii_whitespace() || b",:]}[{\"".contains(&byte);
                    let start = self.at;
                    while self.peek().is_some_and(|byte| !ends(byte)) {
                        self.at += 1;
                    }
                    if self.at == start {
                        return None;
                    }
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// The value of the key that a message begins with, and what of the message follows.
    fn field<'m>(&mut self, message: &'m str) -> Option<(usize, &'m str)> {
        let path = message.strip_prefix('.')?;
        self.pass(b'{')?;
        // Keys may hold points: the longest one that fits is meant, and of two that are the same the last.
        let mut best: Option<(usize, usize, &str)> = None;
        while self.peek() == Some(b'"') {
            let key: Option<String> = serde_json::from_slice(self.string()?).ok();
            self.pass(b':')?;
            let rest = key.as_deref().and_then(|key| path.strip_prefix(key));
            let rest = rest.filter(|rest| ends_key(rest));
            if let (Some(rest), Some(key)) = (rest, &key)
                && best.is_none_or(|(length, ..)| key.len() >= length)
            {
                best = Some((key.len(), self.at, rest));
            }
            if self.skip().is_none() || self.pass(b',').is_none() {
                break;
            }
        }
        best.map(|(_, at, rest)| (at, rest))
    }

    /// The item whose index a message begins with, and what of the message follows.
    fn item<'m>(&mut self, message: &'m str) -> Option<(usize, &'m str)> {
        let (index, rest) = message.strip_prefix('[')?.split_once(']')?;
        let index: usize = index.parse().ok()?;
        self.pass(b'[')?;
        for _ in 0..index {
            self.skip()?;
            self.pass(b',')?;
        }
        let is_item = self.peek().is_some_and(|byte| byte != b']');
        is_item.then_some((self.at, rest))
    }
}

/// Whether what follows a key in a message can follow one.
fn ends_key(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|next| matches!(next, '.' | '[' | ':' | ' ' | ',' | ';'))
}

#[cfg(test)]
mod tests {
    use super::{Refusal, located};

    const TEXT: &str = "{\n  \"a\": [1, {\"b c\": \"ä]\", \"d.e\": [\n    true]}],\n  \"ü\": {}, \"n\": -1.5e3\n}\n";

    fn told(message: &str) -> String {
        located(TEXT.as_bytes(), Refusal::new(message)).to_string()
    }

    #[test]
    fn values_are_told_with_line_and_column() {
        for (message, place) in [
            ("$: is no list", "line 1 column 1"),
            ("$.a: is long", "line 2 column 8"),
            ("$.a[0]: is small", "line 2 column 9"),
            ("$.a[1].b c: is odd", "line 2 column 20"),
            ("$.a[1].d.e[0] follows from others", "line 3 column 5"),
            ("$.ü: is empty", "line 4 column 8"),
            ("$.n: is small", "line 4 column 17"),
        ] {
            assert_eq!(told(message), format!("{message}, at {place}"));
        }
    }

    #[test]
    fn what_is_not_there_is_told_by_what_it_should_be_in() {
        assert!(told("$.a[7]: is missing").ends_with("at line 2 column 8"));
        assert!(told("$.ü.x: is missing").ends_with("at line 4 column 8"));
        assert!(told("$.nothing: is missing").ends_with("at line 1 column 1"));
    }

    #[test]
    fn other_refusals_stay_as_they_are() {
        for message in [
            "it is no sound",
            "$.a: no number at line 2 column 5",
            "line 3, column 1: x",
        ] {
            assert_eq!(told(message), message);
        }
    }

    #[test]
    fn texts_that_are_no_json_are_read_as_far_as_they_go() {
        for cut in 0..TEXT.len() {
            let text = &TEXT.as_bytes()[..cut];
            for message in ["$.a[1].d.e[0]: x", "$.n: x", "$.a[0][0]: x"] {
                located(text, Refusal::new(message));
            }
        }
        for text in [
            "]",
            "{",
            "[[[",
            "{\"a\":}",
            "\"\\",
            "{\"a\" 1}",
            "[1 2]",
            "[,]",
        ] {
            located(text.as_bytes(), refusal!("$.a[1][0]: x"));
        }
    }
}
