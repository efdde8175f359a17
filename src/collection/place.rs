//! Paths from the folder of the index to its link targets.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use super::options::Options;
use relicast_source::names::whole;

/// Placeholder for the name of a disc's folder.
const NAME: &str = "{name}";

/// Paths that belong to the folder of a disc.
#[derive(Debug)]
pub(super) struct Places<'a> {
    to: PathBuf,
    options: &'a Options,
}

impl<'a> Places<'a> {
    /// For an index in the folder `to`, which is [whole](whole).
    pub(super) fn new(to: PathBuf, options: &'a Options) -> Self {
        Self { to, options }
    }

    /// The page of the gallery of the disc in `out`.
    pub(super) fn gallery(&self, out: &Path, name: &str) -> PathBuf {
        found(&self.options.gallery, out, name)
    }

    /// The proof of the disc in `out`.
    pub(super) fn proof(&self, out: &Path, name: &str) -> PathBuf {
        match &self.options.proofs {
            Some(pattern) => found(pattern, out, name),
            None => out.with_file_name(format!("{name}.prove.json")),
        }
    }

    /// The path of `target` from the folder of the index, with `/`; `None` if there is no relative path.
    pub(super) fn relative(&self, target: &Path) -> Option<String> {
        let target = whole(target);
        let mut from = self.to.components().peekable();
        let mut to = target.components().peekable();
        let mut common = 0;
        while let (Some(one), Some(other)) = (from.peek(), to.peek())
            && one == other
        {
            common += 1;
            from.next();
            to.next();
        }
        if common == 0 {
            return None;
        }
        let up = from.map(|_| "..".to_owned());
        let down = to.filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        });
        let parts: Vec<String> = up.chain(down).collect();
        Some(match parts.is_empty() {
            true => ".".to_owned(),
            false => parts.join("/"),
        })
    }
}

fn found(pattern: &str, out: &Path, name: &str) -> PathBuf {
    match pattern.contains(NAME) {
        true => PathBuf::from(pattern.replace(NAME, name)),
        false => out.join(pattern),
    }
}

/// A relative path as a URL reference. No segment can be mistaken for a scheme.
pub(super) fn address(path: &str) -> String {
    let mut address = String::with_capacity(path.len());
    if !path.starts_with("..") {
        address.push_str("./");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                address.push(char::from(byte));
            }
            // Writing to a string does not fail.
            byte => drop(write!(address, "%{byte:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_up_and_down_and_are_no_schemes() {
        let options = Options::default();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let places = Places::new(root.join("index"), &options);
        let way = |path: &str| places.relative(&root.join(path));
        assert_eq!(way("a/b").as_deref(), Some("../a/b"));
        assert_eq!(way("index/a").as_deref(), Some("a"));
        assert_eq!(way("index").as_deref(), Some("."));
        assert_eq!(
            address("javascript:alert(1)/ä"),
            "./javascript%3Aalert%281%29/%C3%A4"
        );
        assert_eq!(address("../a b"), "../a%20b");
    }

    #[test]
    fn patterns_name_a_disc_or_are_in_its_folder() {
        let (out, name) = (Path::new("/x/disc"), "disc");
        let at = |pattern: &str| found(pattern, out, name);
        assert_eq!(at("pages/{name}.html"), Path::new("pages/disc.html"));
        assert_eq!(at("g/index.html"), Path::new("/x/disc/g/index.html"));
    }
}
