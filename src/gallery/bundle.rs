//! Browser application: the files of `gallery/dist`, which `cargo xtask gallery` builds from `gallery/`.

/// Files by name, all in one folder.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/gallery_bundle.rs"));

/// Page that shows a gallery.
#[cfg(any(feature = "cli", test))]
pub(super) const PAGE: &str = "index.html";

/// All files with their names.
pub(super) fn files() -> &'static [(&'static str, &'static [u8])] {
    FILES
}

/// File by name.
#[cfg(any(feature = "cli", test))]
pub(super) fn file(name: &str) -> Option<&'static [u8]> {
    let file = FILES.iter().find(|(own, _)| *own == name)?;
    Some(file.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_a_page_with_plain_names() {
        assert!(file(PAGE).is_some());
        for (name, bytes) in files() {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            assert!(
                name.bytes().all(is_plain) && !name.starts_with('.'),
                "{name}"
            );
            assert!(!bytes.is_empty(), "{name}");
        }
    }
}
