//! Contents of `templates.zrd`: the templates of ground clutter.
//!
//! The sources name its keys and not its shape. A block is a name before a list, or a list that starts with
//! one, at any depth. Of several blocks of a name the first counts.

use std::collections::BTreeMap;

use crate::zipper::settings;
use relicast_formats::zipper::zrd::Value;

/// Maximum depth of lists that are searched for blocks.
const MAX_DEPTH: usize = 6;

/// Keys of a block.
const KEYS: [&str; 3] = ["scale_range", "substitute", "far_fade_range"];

/// Settings of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Block {
    /// Least and greatest scale.
    pub scale: Option<[f64; 2]>,
    /// Possible substitutes, with weights.
    pub substitutes: Vec<(String, f64)>,
    /// Distances at which it fades, as stored.
    pub far_fade: Vec<f32>,
}

/// A name without a file ending, in lower case.
pub(super) fn plain(name: &str) -> String {
    let name = name.to_lowercase();
    name.strip_suffix(".flt").unwrap_or(&name).to_owned()
}

/// The blocks by name.
pub(super) fn blocks(values: &[Value<'_>]) -> BTreeMap<String, Block> {
    let mut found = BTreeMap::new();
    collect(values, 0, &mut found);
    found
}

fn collect(values: &[Value<'_>], depth: usize, found: &mut BTreeMap<String, Block>) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut before: Option<&Value<'_>> = None;
    for value in values {
        if let Some(list) = value.as_list() {
            let starts = list.split_first();
            let named = match before {
                Some(name) if !settings::is_key(name, &KEYS) => Some((name, list)),
                Some(_) => None,
                None => starts.filter(|(name, _)| !settings::is_key(name, &KEYS)),
            };
            let name = named.and_then(|(name, list)| Some((name.as_text()?, list)));
            if let Some((name, list)) = name
                && let Some(block) = block(list)
            {
                found.entry(plain(&name.shown())).or_insert(block);
            }
            if !before.is_some_and(|name| settings::is_key(name, &KEYS)) {
                collect(list, depth + 1, found);
            }
        }
        before = Some(value).filter(|value| value.as_text().is_some());
    }
}

/// The block of a list that has a key at its top.
fn block(list: &[Value<'_>]) -> Option<Block> {
    let list = settings::unwrapped(list);
    let mut keys = list.iter().filter(|value| settings::is_key(value, &KEYS));
    keys.next()?;
    let after = |key: &str| settings::after(list, key, &KEYS).unwrap_or_default();
    let scale = settings::numbers(after("scale_range"), 2);
    let names = settings::texts(after("substitute"));
    let weights = settings::numbers(after("substitute"), names.len());
    let weights = weights.into_iter().map(f64::from);
    let weights = weights.chain(std::iter::repeat(1.0));
    Some(Block {
        scale: match *scale {
            [least, most] if least.is_finite() && most.is_finite() => {
                Some([least, most].map(f64::from))
            }
            _ => None,
        },
        substitutes: names.into_iter().zip(weights).collect(),
        far_fade: settings::numbers(after("far_fade_range"), 4),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zipper::reader_text::values;

    #[test]
    fn blocks_are_found_in_every_shape_and_the_first_of_a_name_counts() {
        let expected = Block {
            scale: Some([0.5, 2.0]),
            substitutes: vec![("pine".to_owned(), 3.0), ("fir.flt".to_owned(), 1.0)],
            far_fade: vec![100.0, 200.0, 300.0, 400.0],
        };
        let keys = "scale_range (0.5 2.0) substitute ((pine 3.0) (fir.flt 1.0)) \
                    far_fade_range ((100 200) (300 400))";
        for source_text in [
            format!("(Tree1.flt ({keys}) tree1 (scale_range (9 9)))"),
            format!("((tree1 {keys}))"),
            format!("(templates ((block1 (tree1 ({keys})) other 1)))"),
        ] {
            let found = blocks(&values(&source_text));
            assert_eq!(found.get("tree1"), Some(&expected), "{source_text}");
        }
        assert!(blocks(&values("(scale_range (1 2))")).is_empty());
    }
}
