//! Embedded files for pages without a server: browsers let a page that was opened as a file run scripts next to
//! it, but not read other files. So texts and bytes are embedded in scripts, which pass them on.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::kinds::extension;
use crate::config::Embed;

/// Files per folder.
const FOLDER: usize = 1000;

/// Returns whether an output is embedded.
pub(super) fn is_wrapped(path: &str, embed: Embed) -> bool {
    match embed {
        Embed::None => false,
        Embed::All => true,
        Embed::Models => matches!(
            extension(path),
            "gltf"
                | "glb"
                | "bin"
                | "png"
                | "wav"
                | "flac"
                | "mid"
                | "mp3"
                | "json"
                | "script"
                | "csv"
                | "txt"
        ),
    }
}

/// Path of the embedded output with this index, below the gallery.
pub(super) fn place(number: usize) -> String {
    format!("embed/{}/{number}.js", number / FOLDER)
}

/// Script that passes on a text under a name.
pub(super) fn script(name: &str, text: &str) -> Vec<u8> {
    let mut script = String::with_capacity(text.len() + text.len() / 8 + name.len() + 32);
    script.push_str("relicast.put(");
    literal(name, &mut script);
    script.push(',');
    literal(text, &mut script);
    script.push_str(");\n");
    script.into_bytes()
}

/// Script that passes on the bytes of an output.
pub(super) fn output(path: &str, bytes: &[u8]) -> Vec<u8> {
    script(&format!("out/{path}"), &STANDARD.encode(bytes))
}

/// Text as an ASCII literal that cannot be misread in its context.
fn literal(text: &str, script: &mut String) {
    script.push('"');
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => script.push_str("\\\""),
            Ok(b'\\') => script.push_str("\\\\"),
            Ok(b'\n') => script.push_str("\\n"),
            Ok(byte @ b' '..=b'~') if !b"<>&'`".contains(&byte) => script.push(char::from(byte)),
            _ => script.push_str(&format!("\\u{unit:04x}")),
        }
    }
    script.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_holds_nothing_but_a_text() {
        let script = script("data/x", "</script>\u{2028}\"\\é😀\n'");
        let script = String::from_utf8(script).unwrap();
        assert!(script.is_ascii() && !script.contains('<'));
        let literal = script.strip_prefix("relicast.put(\"data/x\",").unwrap();
        let literal = literal.strip_suffix(");\n").unwrap();
        let text: String = serde_json::from_str(literal).unwrap();
        assert_eq!(text, "</script>\u{2028}\"\\é😀\n'");
    }

    #[test]
    fn movies_are_wrapped_on_request_only() {
        assert!(is_wrapped("a/b.gltf", Embed::Models) && !is_wrapped("a/b.mp4", Embed::Models));
        assert!(is_wrapped("a/b.mp4", Embed::All) && !is_wrapped("a/b.gltf", Embed::None));
        assert_eq!(place(12_345), "embed/12/12345.js");
    }
}
