//! Resource archives of Crimson Skies and their liveries.

use relicast_testing::test;
use std::fs;

use image::{Rgba, RgbaImage};
use relicast::asset::Game;
use relicast::pack::{Change, Packed, Request as PackRequest, pack};
use relicast::pipeline::report::manifest::ManifestOutput;
use serde_json::json;

use crate::common::{self, files};
use crate::place::{Place, picture};

/// The two archives.
const ARCHIVE: &str = "crimson.rof";
const PATCH: &str = "crimptch.rof";

fn is_resource(output: &ManifestOutput) -> bool {
    output.source.to_lowercase().ends_with(".rof") && output.member.is_some()
}

/// True for a livery in the paints of its pattern, and for documents about one: both follow from the parts.
fn follows(output: &ManifestOutput) -> bool {
    let member = output.member.as_deref().unwrap_or_default();
    let is_part = [".base.png", ".mask.png", ".overlay.png"]
        .iter()
        .any(|end| output.path.ends_with(end));
    member.ends_with(".BM") && !is_part
}

impl Place {
    /// The output of a member of an archive, by the ending of both.
    fn of_member(&self, archive: &str, member: &str, ending: &str) -> String {
        let outputs = self.outputs(|output| {
            is_resource(output)
                && output.source.ends_with(archive)
                && output
                    .member
                    .as_deref()
                    .is_some_and(|own| own.ends_with(member))
                && output.path.ends_with(ending)
        });
        assert_eq!(outputs.len(), 1, "{outputs:?}");
        outputs[0].path.clone()
    }

    /// Undone edits give the archives of the install.
    fn assert_undone(&self, edited: &[String]) {
        self.convert("install", "before");
        for path in edited {
            fs::copy(
                self.path("before").join(path),
                self.path("after").join(path),
            )
            .unwrap();
        }
        let back = PackRequest::new(
            &self.path("after"),
            &self.path("modded"),
            &self.path("back"),
        );
        let undone = pack(&back).unwrap();
        assert_eq!(undone.refused, []);
        assert!(!undone.files.is_empty());
        for (path, _) in &undone.files {
            let read = |folder: &str| fs::read(self.path(folder).join(path)).unwrap();
            assert!(read("back") == read("install"), "{path}");
        }
    }
}

fn refusals(place: &Place) -> Vec<String> {
    let packed = pack(&place.request()).unwrap();
    assert!(packed.files.is_empty() && !place.path("mod").exists());
    packed
        .refused
        .iter()
        .map(|(_, reported)| reported.to_string())
        .collect()
}

fn as_png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn pictures_and_parts_of_liveries_are_packed_exactly_and_can_be_undone() {
    let place = Place::of(Game::Cs);
    let pictures = place.outputs(|output| is_resource(output) && output.path.ends_with(".png"));
    let (following, edited): (Vec<_>, Vec<_>) = pictures.into_iter().partition(follows);
    assert!(edited.len() >= 8 && !following.is_empty(), "{edited:?}");
    for (number, output) in edited.iter().enumerate() {
        let mut picture = picture(&place.path("out").join(&output.path));
        let (width, height) = picture.dimensions();
        let is_clear = picture.pixels().any(|pixel| pixel.0[3] != 255);
        let alpha = if is_clear { 90 } else { 255 };
        let at = number as u32;
        picture.put_pixel(at % width, at % height, Rgba([7, 200, 100, alpha]));
        place.edit(&output.path, |_| as_png(&picture));
    }
    let packed = place.pack();
    assert_eq!(packed.edits.len(), edited.len());
    for edit in &packed.edits {
        assert_eq!(edit.rounding, None, "{}", edit.output);
    }
    let archives: Vec<_> = packed.files.iter().map(|(path, _)| path.clone()).collect();
    assert!(
        archives.len() == 1 && archives[0].ends_with(ARCHIVE),
        "{archives:?}"
    );
    place.convert_packed();
    for output in &edited {
        let read = |folder: &str| picture(&place.path(folder).join(&output.path));
        assert!(read("after") == read("out"), "{}", output.path);
    }
    let mut all = edited.clone();
    all.extend(following);
    place.assert_others_unchanged(&all);
    let paths: Vec<String> = edited.into_iter().map(|output| output.path).collect();
    place.assert_undone(&paths);
}

#[test]
fn a_livery_keeps_one_size_for_its_parts() {
    let place = Place::of(Game::Cs);
    let ends = [".base.png", ".mask.png", ".overlay.png"];
    let parts = ends.map(|end| place.of_member(ARCHIVE, "BLO_FIN.BM", end));
    let larger = RgbaImage::from_fn(16, 8, |x, y| {
        Rgba([(x * 15) as u8, (y * 30) as u8, 200, (x * 3 + y) as u8])
    });
    place.edit(&parts[2], |_| as_png(&larger));
    let refused = refusals(&place);
    assert!(
        refused.len() == 1 && refused[0].contains("the same size"),
        "{refused:?}"
    );
    let opaque = image::DynamicImage::from(larger.clone()).into_rgb8();
    let opaque = image::DynamicImage::from(opaque).into_rgba8();
    for part in &parts[..2] {
        place.edit(part, |_| as_png(&opaque));
    }
    let packed = place.pack();
    assert!(packed.edits.iter().all(|edit| edit.rounding.is_none()));
    place.convert_packed();
    for part in &parts {
        let read = |folder: &str| picture(&place.path(folder).join(part));
        assert!(read("after") == read("out"), "{part}");
    }
    // Shading has no alpha.
    place.edit(&parts[0], |_| as_png(&larger));
    let reported = place.pack().edits[0].rounding.clone().unwrap();
    assert!(reported.contains("128 of 128 pixels"), "{reported}");
}

#[test]
fn what_follows_from_the_parts_of_a_livery_is_refused() {
    let place = Place::of(Game::Cs);
    for output in place.outputs(|output| is_resource(output) && follows(output)) {
        let path = place.path("out").join(&output.path);
        let before = fs::read(&path).unwrap();
        let edited = match output.path.ends_with(".png") {
            true => as_png(&RgbaImage::from_pixel(8, 4, Rgba([1, 2, 3, 255]))),
            false => {
                let mut document = common::json(&path);
                document["part"] = json!("NOSE");
                serde_json::to_vec(&document).unwrap()
            }
        };
        fs::write(&path, edited).unwrap();
        let refused = refusals(&place);
        assert!(
            refused.len() == 1 && refused[0].contains("edit the parts"),
            "{refused:?}"
        );
        fs::write(&path, before).unwrap();
    }
}

#[test]
fn a_livery_alone_is_packed() {
    let place = Place::empty();
    let archive = relicast_samples::skies::resources().unwrap();
    let archive = relicast::formats::zipper::rof::decode(&archive)
        .unwrap()
        .value;
    let livery = archive
        .entries
        .iter()
        .find(|entry| entry.name == "BLO_FIN.BM")
        .unwrap();
    let livery = livery.extract().unwrap().value.into_owned();
    fs::create_dir_all(place.path("install")).unwrap();
    fs::write(place.path("install/BLO_FIN.BM"), &livery).unwrap();
    place.convert("install", "out");
    let part = place
        .outputs(|output| output.path.ends_with(".mask.png"))
        .remove(0)
        .path;
    let mut edited = picture(&place.path("out").join(&part));
    edited.put_pixel(2, 1, Rgba([3, 4, 5, 255]));
    place.edit(&part, |_| as_png(&edited));
    let packed = place.pack();
    assert_eq!(
        packed.files,
        [("BLO_FIN.BM".to_owned(), livery.len() as u64)]
    );
    let made = fs::read(place.path("mod/BLO_FIN.BM")).unwrap();
    let differing = livery.iter().zip(&made).filter(|(one, other)| one != other);
    assert_eq!(differing.count(), 3);
    place.convert_packed();
    place.assert_undone(&[part]);
}

#[test]
fn texts_and_tables_are_packed_into_their_own_archive() {
    let place = Place::of(Game::Cs);
    let script = place.of_member(PATCH, "AIRFRAME.SCRIPT", "");
    place.edit(&script, |bytes| [&bytes, &b"// more\r\n"[..]].concat());
    let packed = place.pack();
    assert!(
        packed.files.len() == 1 && packed.files[0].0.ends_with(PATCH),
        "{:?}",
        packed.files
    );

    let table = place.of_member(ARCHIVE, "LAYOUT.CSV", ".json");
    place.edit(&table, |bytes| {
        let mut document: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        document["sections"][1]["rows"][1]["fields"]["Y"] = json!("24");
        document["sections"][1]["rows"][1]["fields"]["ResID"] = json!("IDS_OTHER");
        document["sections"][0]["macros"]["SHADE"] = json!("9");
        serde_json::to_vec(&document).unwrap()
    });
    let packed = place.pack();
    assert_eq!(packed.files.len(), 2);
    place.convert_packed();
    let read = |folder: &str, path: &str| fs::read(place.path(folder).join(path)).unwrap();
    assert_eq!(read("after", &script), read("out", &script));
    let json = |folder: &str| common::json(&place.path(folder).join(&table));
    assert_eq!(json("after"), json("out"));
    let text = place.of_member(ARCHIVE, "LAYOUT.CSV", ".csv");
    let expected = String::from_utf8(read("out", &text)).unwrap();
    let expected = expected
        .replace("SHADE,200", "SHADE,9")
        .replace("T,IDS_NAME,10,20", "T,IDS_OTHER,10,24");
    assert_eq!(String::from_utf8(read("after", &text)).unwrap(), expected);
    place.assert_undone(&[script, table.clone()]);

    // Not both at once.
    place.edit(&text, |bytes| [&bytes, &b"more\r\n"[..]].concat());
    fs::remove_dir_all(place.path("mod")).unwrap();
    let refused = refusals(&place);
    assert!(
        refused
            .iter()
            .all(|reported| reported.contains("file itself")),
        "{refused:?}"
    );
}

fn pack_members(place: &Place) -> Packed {
    let request = PackRequest {
        add: true,
        remove: true,
        ..place.request()
    };
    pack(&request).unwrap()
}

#[test]
fn members_come_and_go() {
    let place = Place::of(Game::Cs);
    let beside = |path: &str, name: &str| {
        let (folder, _) = path.rsplit_once('/').unwrap();
        format!("{folder}/{name}")
    };
    let script = place.of_member(ARCHIVE, "AIRFRAME.SCRIPT", "");
    let png = place.of_member(ARCHIVE, "HANGAR.PNG", "");
    let sound = place.of_member(ARCHIVE, "CLICK.WAV", ".wav");
    let new = [
        (beside(&script, "Extra.SCRIPT"), script.clone()),
        (beside(&png, "Other.png"), png.clone()),
        (beside(&sound, "Clack.wav"), sound.clone()),
    ];
    for (path, like) in &new {
        fs::copy(place.path("out").join(like), place.path("out").join(path)).unwrap();
    }
    // A livery goes with all that was made of it.
    let gone = place.outputs(|output| {
        is_resource(output)
            && output
                .member
                .as_deref()
                .is_some_and(|own| own.ends_with("BLCKSWAN/FUR_WING.BM"))
    });
    assert!(gone.len() > 3);
    for output in &gone[1..] {
        fs::remove_file(place.path("out").join(&output.path)).unwrap();
    }
    let packed = pack_members(&place);
    assert!(packed.refused.len() == gone.len() - 1 && packed.files.is_empty());
    fs::remove_file(place.path("out").join(&gone[0].path)).unwrap();
    let packed = pack_members(&place);
    assert_eq!(packed.refused, []);
    let added = packed
        .edits
        .iter()
        .filter(|edit| edit.change == Change::Added);
    let names: Vec<_> = added.filter_map(|edit| edit.member.as_deref()).collect();
    for name in ["EXTRA.SCRIPT", "OTHER.PNG", "CLACK.WAV"] {
        assert!(
            names.iter().any(|own| own.ends_with(&format!("/{name}"))),
            "{names:?}"
        );
    }
    place.convert_packed();
    let after = files(&place.path("after"));
    assert!(gone.iter().all(|output| !after.contains(&output.path)));
    for (path, like) in &new {
        let made = after.iter().find(|own| own.eq_ignore_ascii_case(path));
        let made = made.unwrap_or_else(|| panic!("{path}: {after:?}"));
        let made = fs::read(place.path("after").join(made)).unwrap();
        assert!(
            made == fs::read(place.path("out").join(like)).unwrap(),
            "{path}"
        );
    }
    let outputs = place.outputs(|output| {
        output.member.is_some() && !gone.iter().any(|gone| gone.path == output.path)
    });
    for output in outputs
        .iter()
        .filter(|output| !output.path.starts_with("models/"))
    {
        let read = |folder: &str| fs::read(place.path(folder).join(&output.path)).unwrap();
        assert!(read("after") == read("out"), "{}", output.path);
    }
    // What came goes again: of what was converted with it, the archive without it is the first but for the livery.
    for (path, _) in &new {
        let made = after
            .iter()
            .find(|own| own.eq_ignore_ascii_case(path))
            .unwrap();
        fs::remove_file(place.path("after").join(made)).unwrap();
    }
    let request = PackRequest {
        remove: true,
        ..PackRequest::new(
            &place.path("after"),
            &place.path("modded"),
            &place.path("less"),
        )
    };
    let packed = pack(&request).unwrap();
    assert_eq!(packed.refused, []);
    let archive = packed.files[0].0.clone();
    let read = |folder: &str| fs::read(place.path(folder).join(&archive)).unwrap();
    let (before, less) = (read("install"), read("less"));
    let mut expected = relicast::formats::zipper::rof::decode(&before)
        .unwrap()
        .value;
    let all = 0..expected.entries.len();
    let mut livery = all.filter(|&at| {
        expected
            .path(at)
            .join("/")
            .ends_with("BLCKSWAN/FUR_WING.BM")
    });
    let livery = livery.next().unwrap();
    expected.remove(livery).unwrap();
    assert!(less == relicast::formats::zipper::rof::encode(&expected).unwrap());
}
