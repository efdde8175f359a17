//! Definitions in readers: the sources of compiled ones. They are not converted where compiled ones exist; only
//! their names are compared.

use std::collections::BTreeSet;

use crate::Dependency;
use relicast_formats::kind::{ArchiveContext, Kind, sniff_member};
use relicast_formats::zipper::archive;
use relicast_formats::zipper::zrd::{Value, binary, text};

/// Names of the animations that the readers among the dependencies define.
pub(in crate::zipper) fn definitions(dependencies: &[Dependency<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for dependency in dependencies
        .iter()
        .filter(|dependency| dependency.kind == Kind::Archive)
    {
        let Ok(decoded) = archive::decode(dependency.bytes) else {
            continue;
        };
        let siblings = ArchiveContext::new(&decoded.value);
        for entry in &decoded.value.entries {
            if entry.fault.is_some() {
                continue;
            }
            match sniff_member(&entry.data, &entry.name(), &siblings) {
                Kind::BinaryReader => {
                    if let Ok(reader) = binary::decode(&entry.data) {
                        collect(&reader.value, &mut names);
                    }
                }
                Kind::TextReader => {
                    let reader = text::decode(&entry.data);
                    let values = reader.as_ref().map(|reader| reader.value.values());
                    for value in values.into_iter().flatten().flatten() {
                        collect(&value, &mut names);
                    }
                }
                _ => {}
            }
        }
    }
    names
}

/// The names after each `ANIMATION_DEFINITION` of a list.
fn collect(value: &Value<'_>, names: &mut BTreeSet<String>) {
    let items = value.as_list().unwrap_or_default();
    for pair in items.windows(2) {
        let is_key = |text: &str| pair[0].as_text().is_some_and(|found| found == text);
        if !is_key("ANIMATION_DEFINITION") {
            continue;
        }
        let keys = ["ANIMATION_NAME", "ANIM_NAME"];
        let named = keys.iter().find_map(|key| pair[1].after(key));
        let name = named.and_then(|name| match name {
            Value::List(items) => items.first()?.as_text(),
            other => other.as_text(),
        });
        names.extend(name.map(|name| name.shown().into_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_by_their_key() {
        let text = "(ANIMATION_DEFINITION (NAME (door) ANIMATION_NAME (door_open)) \
                    ANIMATION_DEFINITION (ANIM_NAME lift) OTHER (ANIMATION_NAME (no)))";
        let decoded = text::decode(text.as_bytes()).unwrap().value;
        let mut names = BTreeSet::new();
        for value in &decoded.values().unwrap() {
            collect(value, &mut names);
        }
        let expected = ["door_open", "lift"].map(str::to_owned);
        assert_eq!(names, BTreeSet::from(expected));
    }
}
