//! Numbers, sizes, nouns and commands in the form that people read.

use std::path::Path;

/// Number with thousands separators.
pub(in crate::cli) fn thousands(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// Number with its noun in singular or plural.
pub(in crate::cli) fn counted(count: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        thousands(count),
        if count == 1 { one } else { many }
    )
}

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
    fn nouns_follow_their_numbers() {
        assert_eq!(counted(1, "file", "files"), "1 file");
        assert_eq!(counted(0, "file", "files"), "0 files");
        assert_eq!(counted(41_802, "file", "files"), "41,802 files");
    }

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
