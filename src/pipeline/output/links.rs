//! What outputs say of one another: references in scenes, and the document inside a binary scene.

/// What a percent-encoded text stands for; `None` when it is no such text, or no UTF-8.
pub fn decode_uri(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The JSON chunk of a binary glTF file.
pub fn json_of_glb(bytes: &[u8]) -> Option<&[u8]> {
    let header = bytes.get(..20)?;
    if !header.starts_with(b"glTF") || header.get(16..20)? != b"JSON" {
        return None;
    }
    let length = u32::from_le_bytes(*header.get(12..)?.first_chunk()?);
    bytes.get(20..)?.get(..usize::try_from(length).ok()?)
}

/// The output that a reference in the file at `path` leads to; data in the reference itself leads nowhere.
pub fn resolve(path: &str, uri: &str) -> Option<String> {
    if uri.starts_with("data:") {
        return None;
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    let uri = decode_uri(uri)?;
    for part in uri.split('/') {
        match part {
            "" => return None,
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_texts() {
        assert_eq!(decode_uri("a%20b%2Fc").as_deref(), Some("a b/c"));
        assert_eq!(decode_uri("%C3%BC").as_deref(), Some("ü"));
        for wrong in ["%", "%2", "%zz", "%FF", "%+1"] {
            assert_eq!(decode_uri(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn references_lead_to_outputs() {
        let resolve = |uri| resolve("models/a/b.gltf", uri);
        assert_eq!(
            resolve("../../textures/x%20y.png").as_deref(),
            Some("textures/x y.png")
        );
        assert_eq!(resolve("b.bin").as_deref(), Some("models/a/b.bin"));
        assert_eq!(resolve("../../../etc/passwd"), None);
        assert_eq!(resolve("/etc/passwd"), None);
        assert_eq!(resolve("data:image/png;base64,AAAA"), None);
    }
}
