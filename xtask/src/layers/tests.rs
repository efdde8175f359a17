//! Planted violations are found, and allowed imports are not reported.

use std::error::Error;
use std::fs;
use std::path::Path;

use super::graph::Graph;
use super::rules::{LAYERS, Layer, Violation, violations};
use super::source::Tree;

const PLANTED: &[Layer] = &[("low", &[]), ("high", &["low"])];

fn judge(files: &[(&str, &str)]) -> Result<Vec<Violation>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(path, text)?;
    }
    Ok(violations(
        &Graph::new(&Tree::read(folder.path())?),
        PLANTED,
    ))
}

#[test]
fn imports_downwards_are_allowed() -> Result<(), Box<dyn Error>> {
    let found = judge(&[
        ("lib.rs", "mod high; mod low;"),
        ("low/mod.rs", "mod item; pub use item::Item;"),
        ("low/item.rs", "pub(in crate::low) struct Item;"),
        ("high.rs", "use crate::low::Item;\nuse std::fmt;"),
    ])?;
    assert_eq!(found, []);
    Ok(())
}

#[test]
fn an_upward_arrow_is_reported_with_its_line() -> Result<(), Box<dyn Error>> {
    for text in [
        "\nuse crate::high::Thing;",
        "\nuse crate::{high::{self, Thing}};",
        "\nfn f() { crate::high::thing(); }",
        "\nfn f() { println!(\"{}\", crate::high::thing()); }",
        "\nuse super::super::high::Thing;",
    ] {
        let found = judge(&[
            ("lib.rs", "mod high; mod low;"),
            ("low/mod.rs", "mod item;"),
            ("low/item.rs", text),
            ("high.rs", "pub struct Thing;"),
        ])?;
        let expected = Violation::Upward {
            place: "low/item.rs:2".to_owned(),
            from: "low".to_owned(),
            to: "high".to_owned(),
            file: "high.rs".to_owned(),
        };
        assert_eq!(found, [expected], "{text}");
    }
    Ok(())
}

#[test]
fn an_upward_arrow_through_re_exports_is_reported() -> Result<(), Box<dyn Error>> {
    let found = judge(&[
        ("lib.rs", "mod high; mod low; pub use high::*;"),
        ("low.rs", "use crate::Thing;"),
        ("high/mod.rs", "mod deep; pub use deep::Thing;"),
        ("high/deep.rs", "pub struct Thing;"),
    ])?;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].to_string().contains("high/deep.rs"), "{found:?}");
    Ok(())
}

#[test]
fn a_circle_is_reported_with_its_way() -> Result<(), Box<dyn Error>> {
    let found = judge(&[
        ("lib.rs", "mod low;"),
        ("low/mod.rs", "mod a; mod b; mod c; pub use a::A;"),
        ("low/a.rs", "use super::b::B; pub struct A;"),
        ("low/b.rs", "\nuse super::c::C; pub struct B;"),
        ("low/c.rs", "\n\nuse super::A; pub struct C;"),
    ])?;
    let way = ["low/a.rs:1", "low/b.rs:2", "low/c.rs:3"];
    let way = way.map(str::to_owned).to_vec();
    assert_eq!(found, [Violation::Circle(way)]);
    Ok(())
}

#[test]
fn what_tests_import_is_no_arrow() -> Result<(), Box<dyn Error>> {
    let found = judge(&[
        ("lib.rs", "mod high; mod low;"),
        (
            "low.rs",
            "#[cfg(test)]\nmod tests { use crate::high::Thing; }",
        ),
        ("high.rs", "pub struct Thing;"),
    ])?;
    assert_eq!(found, []);
    Ok(())
}

#[test]
fn a_module_without_a_layer_is_reported() -> Result<(), Box<dyn Error>> {
    let found = judge(&[("lib.rs", "mod stray;"), ("stray.rs", "")])?;
    assert_eq!(found, [Violation::Unknown("stray.rs".to_owned())]);
    Ok(())
}

#[test]
fn the_layers_allow_no_upward_import() {
    for (layer, below) in LAYERS {
        for lower in *below {
            let row = LAYERS.iter().find(|(name, _)| name == lower);
            let back = row.is_none_or(|(_, lowest)| lowest.contains(layer));
            assert!(!back, "{layer} and {lower}");
        }
    }
}
