//! Names that are meant to do harm: they are shown as they are, and are always text alone.

use relicast_testing::test;
use std::fs;

use relicast_samples::hostile::{DISPLAY_NAME, NAMES, TURNED};

use crate::gallery::{GALLERY, SAMPLES, details, files_below, relicast};

#[test]
fn names_are_shown_in_full_and_link_to_nothing() {
    let details = details(&GALLERY);
    let members: Vec<&str> = details
        .iter()
        .filter_map(|detail| detail["member"].as_str())
        .collect();
    for name in NAMES {
        for ending in ["wav", "bmp"] {
            let name = format!("{}.{ending}", name.to_lowercase());
            assert!(members.contains(&&*name), "{name}");
        }
    }
    assert!(
        members.iter().any(|name| name.len() == 255),
        "a name of 255 letters"
    );
    let turned = details
        .iter()
        .find(|detail| detail["source"]["path"] == format!("hostile/{TURNED}"));
    assert!(turned.is_some());
    let named = details
        .iter()
        .filter_map(|detail| detail["names"].as_array())
        .flatten();
    assert!(named.into_iter().any(|name| name["text"] == DISPLAY_NAME));
    for detail in &details {
        let outputs = detail["outputs"].as_array().into_iter().flatten();
        for output in outputs {
            let path = output["path"].as_str().unwrap();
            assert!(GALLERY.join("out").join(path).is_file(), "{path}");
            assert!(!path.contains(['<', '>', '"', '\\', ':']), "{path}");
        }
    }
    let parent = GALLERY.parent().unwrap();
    assert!(!parent.join("escape.wav").exists() && !GALLERY.join("escape.wav").exists());
}

#[test]
fn nothing_that_is_run_or_shown_as_markup_holds_a_name() {
    for (path, bytes) in files_below(&GALLERY) {
        let is_markup = path.ends_with(".html");
        let is_script = path.starts_with("data/") && path.ends_with(".js");
        let text = String::from_utf8_lossy(&bytes);
        if is_markup {
            assert!(!text.contains("alert("), "{path}");
        }
        if is_script {
            assert!(!text.contains('<') && !text.contains('\u{202E}'), "{path}");
        }
    }
}

#[test]
fn the_report_shows_them_as_text() {
    let page = SAMPLES.place("hostile.html");
    let mut report = relicast();
    report
        .arg("report")
        .arg(SAMPLES.out())
        .arg("--html")
        .arg(&page);
    report.assert().success();
    let page = fs::read_to_string(page).unwrap();
    for harm in [
        "<img",
        "<script",
        "<svg",
        "\u{202E}",
        " onerror=\"",
        "href=",
        "src=",
    ] {
        let shown = page.replace("src=x onerror=alert", "");
        assert!(!shown.contains(harm), "{harm}");
    }
}
