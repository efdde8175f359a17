//! Paths of members. Names in cabinets are untrusted: none may lead out of the tree.

use std::collections::HashMap;

use crate::names::fold;

/// Longest name of a file or folder.
const MAX_LENGTH: usize = 200;

/// Returns a path of harmless names, and true if anything had to be changed.
pub(super) fn safe(parts: &[&str]) -> (String, bool) {
    let mut names: Vec<String> = Vec::new();
    let mut changed = false;
    for part in parts {
        changed |= part.starts_with(['/', '\\']);
        for name in part.split(['/', '\\']) {
            if matches!(name, "" | ".") {
                continue;
            }
            let clean: String = name
                .chars()
                .take(MAX_LENGTH)
                .map(|letter| match letter {
                    ':' | '\0'..='\x1F' | '\x7F' => '_',
                    letter => letter,
                })
                .collect();
            let clean = match clean.trim_matches(['.', ' ']) {
                "" => "_".repeat(clean.len()),
                _ => clean,
            };
            changed |= clean != name;
            names.push(clean);
        }
    }
    if names.is_empty() {
        (String::from("_"), true)
    } else {
        (names.join("/"), changed)
    }
}

/// Returns the prefix of the paths of a target folder of the installer: nothing for the folder of the product,
/// the path below it for a folder in it, otherwise the name of the variable.
pub(super) fn of_target(target: &str) -> String {
    let target = target.trim();
    let (variable, below) = match target
        .strip_prefix('<')
        .and_then(|rest| rest.split_once('>'))
    {
        Some((variable, below)) => (variable, below),
        None => ("TARGETDIR", target),
    };
    let below = below.trim_start_matches(['\\', '/']);
    if variable.eq_ignore_ascii_case("TARGETDIR") {
        below.to_owned()
    } else {
        format!("{}\\{below}", variable.to_lowercase())
    }
}

/// Paths in use, without regard to letter case, with the index of their owner.
#[derive(Debug, Default)]
pub(super) struct Taken {
    by: HashMap<String, usize>,
    /// Last number that was added to a path.
    numbers: HashMap<String, u32>,
}

impl Taken {
    /// Owner of the path.
    pub(super) fn by(&self, path: &str) -> Option<usize> {
        self.by.get(&fold(path)).copied()
    }

    /// Claims the path, or the path with a number before its extension if it is in use.
    pub(super) fn take(&mut self, path: String, who: usize) -> String {
        let (stem, extension) = match path.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => (stem, format!(".{extension}")),
            _ => (&*path, String::new()),
        };
        let mut own = path.clone();
        let mut number = self.numbers.get(&fold(&path)).copied().unwrap_or(1);
        while self.by.contains_key(&fold(&own)) {
            number = number.saturating_add(1);
            own = format!("{stem}-{number}{extension}");
        }
        if number > 1 {
            self.numbers.insert(fold(&path), number);
        }
        self.by.insert(fold(&own), who);
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_tree() {
        assert_eq!(
            safe(&["zbd\\c1", "gamez.zbd"]),
            ("zbd/c1/gamez.zbd".to_owned(), false)
        );
        assert_eq!(
            safe(&["", "../../outside/moo"]),
            ("__/__/outside/moo".to_owned(), true)
        );
        assert_eq!(
            safe(&["C:\\Windows", "/a"]),
            ("C_/Windows/a".to_owned(), true)
        );
        assert_eq!(safe(&["", "..."]), ("___".to_owned(), true));
        assert_eq!(safe(&["", ""]), ("_".to_owned(), true));
        let (long, changed) = safe(&["", &"x".repeat(5000)]);
        assert!(changed && long.len() == MAX_LENGTH);
    }

    #[test]
    fn targets_are_folders_next_to_those_of_the_product() {
        assert_eq!(of_target("<TARGETDIR>"), "");
        assert_eq!(of_target("<TARGETDIR>\\zbd"), "zbd");
        assert_eq!(of_target("<WINSYSDIR>"), "winsysdir\\");
        assert_eq!(of_target(""), "");
    }

    #[test]
    fn names_that_are_taken_get_numbers() {
        let mut taken = Taken::default();
        assert_eq!(taken.take("a/B.txt".to_owned(), 1), "a/B.txt");
        assert_eq!(taken.take("A/b.TXT".to_owned(), 2), "A/b-2.TXT");
        assert_eq!(taken.by("a/b.txt"), Some(1));
    }
}
