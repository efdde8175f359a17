//! Stems of outputs that are unique in their folder.

use std::collections::{HashMap, HashSet};

/// Names made unique by the reference's rule, ignoring letter case: the second `a.wav` becomes
/// `a-1.wav`, the third `a-2.wav`; a name without extension gets the number at its end.
pub(crate) fn unique_stems(names: &[String]) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::with_capacity(names.len());
    let mut next: HashMap<String, u32> = HashMap::new();
    names
        .iter()
        .map(|name| {
            if taken.insert(name.to_lowercase()) {
                return name.clone();
            }
            let (stem, dot, extension) = match name.rsplit_once('.') {
                Some((stem, extension)) => (stem, ".", extension),
                None => (&**name, "", ""),
            };
            let number = next.entry(name.to_lowercase()).or_insert(0);
            loop {
                *number += 1;
                let candidate = format!("{stem}-{number}{dot}{extension}");
                if taken.insert(candidate.to_lowercase()) {
                    return candidate;
                }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        unique_stems(&names)
    }

    #[test]
    fn repeated_names_get_numbers_before_the_extension() {
        assert_eq!(
            stems(&["a.wav", "a.wav", "a-1.wav", "A.wav", "b", "b"]),
            ["a.wav", "a-1.wav", "a-1-1.wav", "A-2.wav", "b", "b-1"]
        );
    }
}
