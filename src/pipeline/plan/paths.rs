//! Output paths, assigned in one serial pass in plan order.
//!
//! Every path is relative to the output folder, uses forward slashes, and is safe on every system: no
//! separators, control bytes, reserved characters or device names in a component, no `.` or `..`, no trailing
//! dots or spaces, and no two paths that differ only in letter case or Unicode normalization.
//!
//! ```
//! use relicast::pipeline::plan::paths::PathAllocator;
//!
//! let mut paths = PathAllocator::around(&[]);
//! let first = paths.allocate("sounds/a", &[".wav".to_owned()]);
//! let second = paths.allocate("sounds/A", &[".wav".to_owned()]);
//! assert_ne!(first[0].to_lowercase(), second[0].to_lowercase());
//! ```

use hashbrown::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization;

use crate::config::NameStyle;
use relicast_source::names::fold;

/// Maximum bytes of a path component; the rest of the 255 bytes is for numbers and extensions.
const MAX_PART_LENGTH: usize = 180;

/// Names that Windows treats as devices, with any extension.
const RESERVED: &[&str] = &[
    "con", "prn", "aux", "nul", "conin$", "conout$", "clock$", "com0", "com1", "com2", "com3",
    "com4", "com5", "com6", "com7", "com8", "com9", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5",
    "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Returns whether Windows treats the name as a device; superscript digits count as digits.
fn is_reserved(base: &str) -> bool {
    let plain = |letter: char| match letter {
        '\u{b9}' => '1',
        '\u{b2}' => '2',
        '\u{b3}' => '3',
        letter => letter,
    };
    let base: String = base.chars().map(plain).collect();
    RESERVED.contains(&&*fold(&base))
}

/// Makes one path component safe. Never returns an empty string.
pub fn sanitise(part: &str, style: NameStyle) -> String {
    let mut clean: String = part
        .chars()
        .map(|character| match character {
            // Programs disagree on the meaning of `%` in the lists of BagIt packages.
            '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' | '%' => '_',
            character if character.is_control() => '_',
            character => character,
        })
        .collect();
    if style == NameStyle::Lower {
        clean = fold(&clean);
    }
    while clean.len() > MAX_PART_LENGTH {
        clean.pop();
    }
    let kept = clean.trim_end_matches(['.', ' ']).len();
    let dropped = clean.len() - kept;
    clean.truncate(kept);
    clean.push_str(&"_".repeat(dropped.min(2)));
    let base = clean.split('.').next().unwrap_or_default().trim_end();
    if is_reserved(base) {
        clean.insert(0, '_');
    }
    if clean.is_empty() {
        clean.push('_');
    }
    clean
}

/// Key of a path: equal for two paths that any file system treats as the same.
fn key(path: &str) -> String {
    if path.is_ascii() {
        fold(path)
    } else {
        // Folding may produce characters that decompose again.
        fold(&path.nfd().collect::<String>()).nfd().collect()
    }
}

fn keys_of(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| key(path)).collect()
}

fn with_endings(stem: &str, endings: &[String]) -> Vec<String> {
    let endings = endings.iter();
    endings.map(|ending| format!("{stem}{ending}")).collect()
}

/// Wanted paths, formed on any thread before they are assigned.
#[derive(Debug)]
pub struct WantedPaths {
    stem: String,
    endings: Vec<String>,
    /// Key of the stem.
    folded: String,
    /// The stem with each ending.
    paths: Vec<String>,
    /// Keys of the paths.
    keys: Vec<String>,
}

impl WantedPaths {
    /// `stem + ending` for each of `endings`.
    pub fn new(stem: String, endings: Vec<String>) -> Self {
        let paths = with_endings(&stem, &endings);
        Self {
            folded: key(&stem),
            keys: keys_of(&paths),
            paths,
            stem,
            endings,
        }
    }

    /// The stem.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// The wanted paths.
    pub fn into_paths(self) -> Vec<String> {
        self.paths
    }

    /// Endings of the paths.
    pub fn endings(&self) -> &[String] {
        &self.endings
    }
}

/// Assigns output paths.
#[derive(Debug, Default)]
pub struct PathAllocator {
    taken: HashSet<String>,
    folders: HashSet<String>,
    next: HashMap<String, u32>,
    /// Paths in use before the first allocation.
    owned: HashSet<String>,
    evaded: bool,
}

impl PathAllocator {
    /// Creates an allocator that avoids the `owned` paths.
    pub fn around(owned: &[String]) -> Self {
        let mut paths = Self::default();
        for path in owned {
            let path = key(path);
            paths.owned.insert(path.clone());
            paths.occupy(path);
        }
        paths
    }

    /// Returns whether a wanted path was, or was below, one in use before the first allocation.
    pub fn has_evaded(&self) -> bool {
        self.evaded
    }

    /// Assigns the paths `stem + ending` for each of `endings` (such as `.png`), all with the same stem: the
    /// given one or, if any path is in use, the stem with the smallest free number.
    pub fn allocate(&mut self, stem: &str, endings: &[String]) -> Vec<String> {
        self.assign(WantedPaths::new(stem.to_owned(), endings.to_vec()))
    }

    /// Like [`PathAllocator::allocate`], for paths formed earlier.
    pub fn assign(&mut self, wanted: WantedPaths) -> Vec<String> {
        let WantedPaths {
            stem,
            endings,
            folded,
            paths,
            keys,
        } = wanted;
        let first = self.next.get(&folded).copied().unwrap_or(0);
        if first == 0 && self.occupy_free(keys) {
            self.next.insert(folded, 1);
            return paths;
        }
        let mut number = first.max(1);
        loop {
            let candidate = format!("{stem}-{number}");
            let paths = with_endings(&candidate, &endings);
            number += 1;
            if self.occupy_free(keys_of(&paths)) {
                self.next.insert(folded, number);
                return paths;
            }
        }
    }

    /// Reserves space for `more` paths.
    pub fn reserve(&mut self, more: usize) {
        self.taken.reserve(more);
        self.next.reserve(more);
    }

    /// Assigns the paths of `stem` without a number; `None` if one of them is in use.
    pub fn take(&mut self, stem: &str, endings: &[String]) -> Option<Vec<String>> {
        let paths = with_endings(stem, endings);
        self.occupy_free(keys_of(&paths)).then_some(paths)
    }

    /// Reserves paths by their keys if all are free, and returns whether they were.
    fn occupy_free(&mut self, keys: Vec<String>) -> bool {
        let are_free = keys.iter().all(|path| self.is_free(path));
        if are_free {
            keys.into_iter().for_each(|path| self.occupy(path));
        }
        are_free
    }

    fn is_free(&mut self, path: &str) -> bool {
        self.evaded |= self.owned.contains(path);
        !self.taken.contains(path) && !self.folders.contains(path) && !self.is_below_owned(path)
    }

    /// Returns whether a parent of a path is a file of another output.
    fn is_below_owned(&mut self, path: &str) -> bool {
        if self.owned.is_empty() {
            return false;
        }
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let below = folders.any(|folder| self.owned.contains(folder));
        self.evaded |= below;
        below
    }

    /// Reserves a path by its key.
    fn occupy(&mut self, path: String) {
        // If the innermost folder is known, its parents are, too.
        for (index, _) in path.rmatch_indices('/') {
            let (folder, _) = path.split_at(index);
            if self.folders.contains(folder) {
                break;
            }
            self.folders.insert(folder.to_owned());
        }
        self.taken.insert(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lower(part: &str) -> String {
        sanitise(part, NameStyle::Lower)
    }

    #[test]
    fn nasty_names_become_harmless() {
        assert_eq!(lower("..\\..\\EVIL.exe"), ".._.._evil.exe");
        assert_eq!(lower(".."), "__");
        assert_eq!(lower("."), "_");
        assert_eq!(lower(""), "_");
        assert_eq!(lower("C:\\x"), "c__x");
        assert_eq!(lower("a\u{1}b\n"), "a_b_");
        assert_eq!(lower("Mission/Token"), "mission_token");
        assert_eq!(lower("nul"), "_nul");
        assert_eq!(lower("COM1.txt"), "_com1.txt");
        assert_eq!(lower("COM\u{b9}.txt"), "_com\u{b9}.txt");
        assert_eq!(lower("lpt\u{b2}"), "_lpt\u{b2}");
        assert_eq!(lower("Com\u{b3} .a.b"), "_com\u{b3} .a.b");
        assert_eq!(lower("console"), "console");
        assert_eq!(lower("name. . "), "name__");
        assert_eq!(sanitise("Mixed Case", NameStyle::Keep), "Mixed Case");
    }

    #[test]
    fn equal_names_get_numbers_and_endings_share_them() {
        let mut paths = PathAllocator::default();
        let endings = [".wav".to_owned(), ".flac".to_owned()];
        assert_eq!(paths.allocate("s/a", &endings), ["s/a.wav", "s/a.flac"]);
        assert_eq!(paths.allocate("S/A", &endings[1..]), ["S/A-1.flac"]);
        assert_eq!(paths.allocate("s/a", &endings), ["s/a-2.wav", "s/a-2.flac"]);
    }

    #[test]
    fn names_that_differ_only_by_normal_form_get_numbers() {
        let mut paths = PathAllocator::default();
        let endings = [".png".to_owned()];
        assert_eq!(paths.allocate("t/caf\u{e9}", &endings), ["t/caf\u{e9}.png"]);
        assert_eq!(
            paths.allocate("t/cafe\u{301}", &endings),
            ["t/cafe\u{301}-1.png"]
        );
        assert_eq!(
            paths.allocate("t/CAF\u{c9}", &endings),
            ["t/CAF\u{c9}-2.png"]
        );
        assert_eq!(paths.allocate("t/cafe", &endings), ["t/cafe.png"]);
        // Folders, too: a file never uses the name of a folder.
        paths.allocate("u/e\u{301}.json/x", &endings);
        let json = [".json".to_owned()];
        assert_eq!(paths.allocate("u/\u{e9}", &json), ["u/\u{e9}-1.json"]);
    }

    #[test]
    fn a_file_never_takes_the_name_of_a_folder() {
        let mut paths = PathAllocator::default();
        assert_eq!(
            paths.allocate("t/a.json/b", &[".png".to_owned()]),
            ["t/a.json/b.png"]
        );
        assert_eq!(paths.allocate("t/a", &[".json".to_owned()]), ["t/a-1.json"]);
    }

    proptest! {
        #[test]
        fn every_name_is_one_safe_part(name in "\\PC*|[\\x00-\\x7f]*") {
            let part = lower(&name);
            prop_assert!(!part.is_empty() && part != "." && part != "..");
            prop_assert!(!part.contains(['/', '\\', ':', '\0', '*', '?']));
            prop_assert!(part.len() <= MAX_PART_LENGTH + 4);
            prop_assert!(!part.ends_with(['.', ' ']));
            prop_assert_eq!(lower(&part), part.clone());
        }
    }
}
