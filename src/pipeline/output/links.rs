//! References in scenes to other outputs.

use relicast_emit::gltf::decode_uri;

/// Path of the output that a reference in the file at `path` refers to; `None` for embedded data.
pub fn resolve(path: &str, uri: &str) -> Option<String> {
    if uri.starts_with("data:") {
        return None;
    }
    join(path, &decode_uri(uri)?)
}

/// Path of the output that a path in the file at `from` refers to; `None` for one outside of the outputs.
pub fn join(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
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
