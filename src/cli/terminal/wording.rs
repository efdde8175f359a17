//! Sizes and commands in the form that people read.

use std::path::Path;

/// Size with its unit.
pub(in crate::cli) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// Path quoted as a shell word.
pub(in crate::cli) fn shell_word(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain =
        |character: char| character.is_alphanumeric() || "/\\._-+:@%,=".contains(character);
    match path.chars().all(is_plain) && !path.is_empty() {
        true => path,
        false if cfg!(windows) => format!("\"{path}\""),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn paths_are_words_of_a_shell() {
        assert_eq!(shell_word(Path::new("out/a-b.c")), "out/a-b.c");
        assert_eq!(
            shell_word(Path::new("my games/it's")),
            "'my games/it'\\''s'"
        );
    }
}
