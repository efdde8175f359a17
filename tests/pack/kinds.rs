//! Edits are packed by kind: an edited file converts to the edit, everything else stays as it was, and edits
//! that cannot be packed are refused before anything is written.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;

use image::RgbaImage;
use relicast::asset::{AssetKind, Game};
use relicast::pack::{Destination, Only, PackError, Packed, Request as PackRequest, pack};
use relicast::pipeline::report::manifest::ManifestOutput;
use relicast_samples::{GAMES, SampleFile};
use serde_json::Value as Json;

use crate::common::{files, json};
use crate::place::{Place, picture};

fn as_png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

fn only(pattern: &str) -> Option<Only> {
    Some(Only::new([pattern]).unwrap())
}

/// Largest difference of two pictures in a channel, at pixels that are visible in one of them.
fn difference(one: &RgbaImage, other: &RgbaImage) -> u8 {
    assert_eq!(one.dimensions(), other.dimensions());
    let pairs = one.pixels().zip(other.pixels());
    let seen = pairs.filter(|(one, other)| one.0[3] != 0 || other.0[3] != 0);
    let channels = seen.flat_map(|(one, other)| one.0.into_iter().zip(other.0));
    channels
        .map(|(one, other)| one.abs_diff(other))
        .max()
        .unwrap()
}

/// Files of the target folder, without the stored edits.
fn packed_files(place: &Place) -> Vec<String> {
    let mut packed = files(&place.path("mod"));
    packed.retain(|path| !path.starts_with(".relicast-edits/"));
    packed
}

fn is_picture(output: &ManifestOutput) -> bool {
    let is_packed = output
        .member
        .as_deref()
        .is_some_and(|member| !member.ends_with(".dds"));
    output.kind == AssetKind::Textures
        && output.path.ends_with(".png")
        && is_packed
        && !is_resource(output)
}

/// True if it is in a resource archive: pictures there have tests of their own.
fn is_resource(output: &ManifestOutput) -> bool {
    output.source.to_lowercase().ends_with(".rof")
}

#[test]
fn repainted_pictures_are_packed_in_every_game() {
    for game in GAMES {
        let place = Place::of(game);
        let mut edited = place.outputs(is_picture);
        // Pixels that distinguish a picture of letters from others are painted in it.
        edited.retain(|output| {
            !place
                .path("out")
                .join(output.path.replace(".png", ".font.json"))
                .exists()
        });
        let mut wanted = BTreeMap::new();
        for output in &edited {
            let mut picture = picture(&place.path("out").join(&output.path));
            let (width, height) = picture.dimensions();
            // A stroke of a color that the format holds exactly, and one pixel that is as it was.
            for x in 0..width.min(5) {
                picture.put_pixel(x, height / 2, image::Rgba([255, 0, 132, 255]));
            }
            place.edit(&output.path, |_| as_png(&picture));
            wanted.insert(output.path.clone(), picture);
        }
        // Pictures in blocks are not written, under any name, and neither are files made from pictures.
        place.convert("install", "first");
        for (path, refusal) in pack(&place.request()).unwrap().refused {
            let refusal = refusal.to_string();
            let is_beside = path.ends_with(".additive.png") && refusal.contains("secondary output");
            assert!(is_beside || refusal.contains("DDS"), "{path}: {refusal}");
            fs::copy(
                place.path("first").join(&path),
                place.path("out").join(&path),
            )
            .unwrap();
            edited.retain(|output| output.path != path);
        }
        let packed = place.pack();
        assert_eq!(packed.edits.len(), edited.len(), "{game:?}");
        place.convert_packed();
        for edit in &packed.edits {
            let after = picture(&place.path("after").join(&edit.output));
            let by = difference(&wanted[&edit.output], &after);
            match &edit.rounding {
                None => assert_eq!(by, 0, "{}", edit.output),
                // Pictures of palettes that other pictures share.
                Some(reported) => assert!(
                    reported.contains(&format!("by at most {by} of 255")),
                    "{}: {reported}, {by}",
                    edit.output
                ),
            }
        }
        let exact = packed
            .edits
            .iter()
            .filter(|edit| edit.rounding.is_none())
            .count();
        assert!(
            exact * 2 > edited.len(),
            "{game:?}: most are exact: {:?}",
            packed.edits
        );
        place.assert_others_unchanged(&edited);
    }
}

#[test]
fn a_picture_of_another_size_is_packed_into_a_package() {
    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.path.ends_with("rtexture4/ground.png"));
    let larger = RgbaImage::from_fn(96, 40, |x, y| {
        image::Rgba([(x * 8 / 3 / 8 * 8) as u8, 0, (y * 6) as u8, 255])
    });
    place.edit(&edited[0].path, |_| as_png(&larger));
    let packed = place.pack();
    place.convert_packed();
    let after = picture(&place.path("after").join(&edited[0].path));
    let by = difference(&larger, &after);
    assert!(by <= 4, "5 bits per channel: {by}");
    assert!(
        packed.edits[0]
            .rounding
            .as_ref()
            .unwrap()
            .contains(&format!("by at most {by} of"))
    );
}

#[test]
fn pictures_of_everquest_get_other_sizes() {
    let place = Place::of(Game::Eq);
    let mut kinds = BTreeMap::new();
    let pictures = place.outputs(|output| {
        output.kind == AssetKind::Textures
            && output.path.ends_with(".png")
            && output.path.matches('.').count() == 1
    });
    let mut edited = Vec::new();
    for output in pictures {
        let member = output
            .member
            .clone()
            .unwrap_or_else(|| output.source.to_string());
        let member = member.to_lowercase();
        let ending = member.rsplit('.').next().unwrap().to_owned();
        let archive = output.source.rsplit('.').next().unwrap().to_lowercase();
        let count = kinds.entry((ending, archive)).or_insert(0);
        if *count > 1 || !(member.ends_with(".bmp") || member.ends_with(".dds")) {
            continue;
        }
        *count += 1;
        let old = picture(&place.path("out").join(&output.path));
        // Rows differ from top to bottom, and few colors fit any palette.
        let (width, height) = (old.width() * 2 + 4, old.height() * 2 + 12);
        let larger = RgbaImage::from_fn(width, height, |x, y| {
            match (y * 3 / height, x * 2 / width) {
                (0, _) => image::Rgba([200, 40, 40, 255]),
                (_, 0) => image::Rgba([40, 200, 40, 255]),
                _ => image::Rgba([40, 40, 200, 255]),
            }
        });
        place.edit(&output.path, |_| as_png(&larger));
        edited.push((output, larger));
    }
    assert!(
        kinds.len() > 2 && kinds.keys().any(|(ending, _)| ending == "dds"),
        "{kinds:?}"
    );
    let packed = place.pack();
    place.convert_packed();
    let mut exact = 0;
    for (output, larger) in &edited {
        let after = picture(&place.path("after").join(&output.path));
        assert_eq!(after.dimensions(), larger.dimensions(), "{}", output.path);
        let by = difference(larger, &after);
        // Some palettes are shorter than the colors of the edit.
        let edit = packed.edits.iter().find(|edit| edit.output == output.path);
        let reported = edit.unwrap().rounding.clone().unwrap_or_default();
        let is_reported = reported.contains(&format!("by at most {by} of"));
        assert!(by == 0 || is_reported, "{}: {by}, {reported}", output.path);
        exact += usize::from(by <= 8);
    }
    assert!(exact + 1 >= edited.len(), "{exact} of {}", edited.len());
}

#[test]
fn sounds_are_packed_in_the_coding_that_they_had() {
    let mut compressed = 0;
    for game in [Game::Rc, Game::Mw, Game::Pm, Game::Cs, Game::Eq] {
        let place = Place::of(game);
        let edited = place
            .outputs(|output| output.kind == AssetKind::Sounds && output.path.ends_with(".wav"));
        for output in &edited {
            place.edit(&output.path, |bytes| {
                let mut reader = hound::WavReader::new(&*bytes).unwrap();
                let spec = reader.spec();
                let mut out = std::io::Cursor::new(Vec::new());
                let mut writer = hound::WavWriter::new(&mut out, spec).unwrap();
                for sample in reader.samples::<i32>() {
                    writer.write_sample(sample.unwrap() / 2).unwrap();
                }
                writer.finalize().unwrap();
                out.into_inner()
            });
        }
        let packed = place.pack();
        assert_eq!(packed.edits.len(), edited.len());
        place.convert_packed();
        let mut reported = packed
            .edits
            .iter()
            .filter_map(|edit| edit.rounding.as_ref());
        compressed += usize::from(reported.any(|reported| reported.contains("compressed")));
        for edit in &packed.edits {
            let samples = |folder: &str| -> Vec<i32> {
                let bytes = fs::read(place.path(folder).join(&edit.output)).unwrap();
                hound::WavReader::new(&*bytes)
                    .unwrap()
                    .into_samples::<i32>()
                    .map(Result::unwrap)
                    .collect()
            };
            let (wanted, after) = (samples("out"), samples("after"));
            match &edit.rounding {
                None => assert_eq!(after, wanted, "{}", edit.output),
                Some(reported) => {
                    let pairs = wanted.iter().zip(&after);
                    let by = pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
                    assert!(
                        reported.contains("compressed") && by < 4096,
                        "{}: {reported}, {by}",
                        edit.output
                    );
                }
            }
        }
        place.assert_others_unchanged(&edited);
    }
    assert!(compressed > 0, "some sample has sounds in ADPCM");
}

/// Changes every number of a reader, and the last text.
fn change(value: &mut Json) {
    match value {
        Json::Number(number) if number.is_f64() => {
            *value = Json::from(number.as_f64().unwrap().trunc() % 1e6 + 0.5)
        }
        Json::Number(number) => *value = Json::from(number.as_i64().unwrap() ^ 1),
        Json::Array(items) => items.iter_mut().for_each(change),
        _ => {}
    }
}

#[test]
fn readers_are_packed_in_both_notations() {
    for game in [Game::Rc, Game::Mw, Game::Pm, Game::Cs] {
        let place = Place::of(game);
        let is_reader = |output: &ManifestOutput| {
            output.kind == AssetKind::Readers
                && json(&place.path("out").join(&output.path)).is_array()
        };
        let edited = place.outputs(is_reader);
        for output in &edited {
            place.edit(&output.path, |bytes| {
                let mut document: Json = serde_json::from_slice(&bytes).unwrap();
                change(&mut document);
                document
                    .as_array_mut()
                    .unwrap()
                    .push(Json::from("one more"));
                serde_json::to_vec_pretty(&document).unwrap()
            });
        }
        let packed = place.pack();
        assert!(packed.edits.iter().all(|edit| edit.rounding.is_none()));
        place.convert_packed();
        for output in &edited {
            let wanted = json(&place.path("out").join(&output.path));
            assert_eq!(
                json(&place.path("after").join(&output.path)),
                wanted,
                "{}",
                output.path
            );
        }
        // The inverse edit gives the bytes of the install.
        let back = PackRequest::new(
            &place.path("after"),
            &place.path("modded"),
            &place.path("back"),
        );
        let before = place.path("before");
        place.convert("install", "before");
        for output in &edited {
            fs::copy(
                before.join(&output.path),
                place.path("after").join(&output.path),
            )
            .unwrap();
        }
        let packed = pack(&back).unwrap();
        assert_eq!(packed.refused, []);
        for (path, _) in &packed.files {
            let restored = fs::read(place.path("back").join(path)).unwrap();
            let original = fs::read(place.path("install").join(path)).unwrap();
            // A text reader with a word more was laid out anew, and so it is again.
            if path.ends_with(".zbd") {
                assert!(restored == original, "{game:?}: {path}");
            }
        }
    }
}

#[test]
fn text_readers_keep_comments_and_layout() {
    let text = "( DETAIL\t3 ; three\r\n  ( NAME old ) 0.50 )\r\n";
    let place = Place::new(&[SampleFile {
        path: "detail.zrd".to_owned(),
        bytes: text.into(),
    }]);
    let edited = place.outputs(|output| output.path.ends_with("detail.json"));
    place.edit(&edited[0].path, |bytes| {
        String::from_utf8(bytes)
            .unwrap()
            .replace('3', "4")
            .replace("old", "a new")
            .into()
    });
    place.pack();
    let packed = fs::read_to_string(place.path("mod/detail.zrd")).unwrap();
    assert_eq!(
        packed,
        text.replace("\t3", "\t4").replace("old", "\"a new\"")
    );
}

#[test]
fn lines_of_scripts_are_packed() {
    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.kind == AssetKind::Scripts);
    place.edit(&edited[0].path, |bytes| {
        let mut scripts: Json = serde_json::from_slice(&bytes).unwrap();
        let lines = scripts[0]["lines"].as_array_mut().unwrap();
        lines[0] = "SET title Another".into();
        lines.push(serde_json::json!(["MSG", "with a space"]));
        serde_json::to_vec(&scripts).unwrap()
    });
    place.pack();
    place.convert_packed();
    let path = &edited[0].path;
    assert_eq!(
        json(&place.path("after").join(path)),
        json(&place.path("out").join(path))
    );
    place.assert_others_unchanged(&edited);
}

#[test]
fn what_follows_from_other_values_is_refused_with_its_place() {
    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.kind == AssetKind::Scripts);
    place.edit(&edited[0].path, |bytes| {
        let mut scripts: Json = serde_json::from_slice(&bytes).unwrap();
        scripts[0]["datetime"] = "2026-01-01T00:00:00Z".into();
        serde_json::to_vec(&scripts).unwrap()
    });
    let packed = pack(&place.request()).unwrap();
    let [(path, refusal)] = &*packed.refused else {
        panic!("{packed:?}");
    };
    assert_eq!(*path, edited[0].path);
    assert!(
        refusal.to_string().starts_with("$[0].datetime is derived"),
        "{refusal}"
    );
    assert!(!place.path("mod").exists());
}

#[test]
fn broken_documents_are_reported_with_line_and_column() {
    let place = Place::of(Game::Rc);
    let edited = place.outputs(|output| output.path.ends_with("zrdr/ai.json"));
    place.edit(&edited[0].path, |_| b"[\n  [1, 2,\n  }\n".to_vec());
    let packed = pack(&place.request()).unwrap();
    assert!(
        packed.refused[0]
            .1
            .to_string()
            .starts_with("line 3, column 3"),
        "{:?}",
        packed.refused
    );
    assert!(!place.path("mod").exists());
}

#[test]
fn nothing_is_written_while_something_cannot_be_packed() {
    let place = Place::of(Game::Rc);
    place.edit("worlds/zbd/m1/gamez.gltf", |_| b"no scene".to_vec());
    let picture_path = "textures/zbd/m1/rtexture4/sky.png";
    let mut sky = picture(&place.path("out").join(picture_path));
    sky.put_pixel(0, 0, image::Rgba([255, 255, 255, 255]));
    place.edit(picture_path, |_| as_png(&sky));
    let packed = pack(&place.request()).unwrap();
    assert_eq!(packed.refused[0].0, "worlds/zbd/m1/gamez.gltf");
    assert_eq!(packed.files, []);
    assert!(!place.path("mod").exists());
    // The others alone.
    let request = PackRequest {
        only: only("textures/**"),
        ..place.request()
    };
    let checked = pack(&PackRequest {
        check: true,
        ..request.clone()
    })
    .unwrap();
    assert_eq!(checked.files.len(), 1);
    assert!(!place.path("mod").exists());
    assert_eq!(pack(&request).unwrap().files, checked.files);
    assert_eq!(
        packed_files(&place),
        ["relicast-pack.json", "zbd/m1/rtexture4.zbd"]
    );
}

#[test]
fn an_unedited_output_packs_to_nothing() {
    let place = Place::of(Game::Cs);
    assert_eq!(place.pack(), Packed::default());
    assert!(!place.path("mod").exists());
}

#[test]
fn another_install_is_refused() {
    let place = Place::of(Game::Rc);
    let path = "config/zbd/m1/zrdr/movers.json";
    place.edit(path, |_| b"[1]".to_vec());
    let archive = place.path("install/zbd/m1/zrdr.zbd");
    let mut bytes = fs::read(&archive).unwrap();
    bytes[3] ^= 1;
    fs::write(&archive, bytes).unwrap();
    let refused = pack(&place.request()).unwrap_err();
    assert!(
        matches!(refused, PackError::OtherInstall { .. }),
        "{refused}"
    );
    fs::remove_file(&archive).unwrap();
    let refused = pack(&place.request()).unwrap_err();
    assert!(matches!(refused, PackError::NotThere(_)), "{refused}");
    assert!(!place.path("mod").exists());
}

#[test]
fn only_what_was_packed_is_replaced_or_deleted() {
    let place = Place::of(Game::Rc);
    let path = "config/zbd/m1/zrdr/movers.json";
    let before = fs::read(place.path("out").join(path)).unwrap();
    place.edit(path, |_| b"[1]".to_vec());
    place.pack();
    let packed = place.path("mod/zbd/m1/zrdr.zbd");
    let first = fs::read(&packed).unwrap();
    // Again, with another edit.
    place.edit(path, |_| b"[2]".to_vec());
    place.pack();
    assert!(fs::read(&packed).unwrap() != first);
    // Somebody changed it.
    fs::write(&packed, "mine").unwrap();
    let refused = pack(&place.request()).unwrap_err();
    assert!(matches!(refused, PackError::Foreign(_)), "{refused}");
    assert_eq!(fs::read(&packed).unwrap(), b"mine");
    fs::remove_file(&packed).unwrap();
    place.pack();
    // The edit is undone, and a file of another is beside it.
    fs::write(place.path("mod/zbd/notes.txt"), "mine").unwrap();
    fs::write(place.path("out").join(path), before).unwrap();
    assert_eq!(place.pack().removed, ["zbd/m1/zrdr.zbd"]);
    assert_eq!(
        packed_files(&place),
        ["relicast-pack.json", "zbd/notes.txt"]
    );
}

#[test]
fn the_install_and_the_outputs_are_no_places_for_packed_files() {
    let place = Place::of(Game::Rc);
    place.edit("config/zbd/m1/zrdr/movers.json", |_| b"[1]".to_vec());
    for to in ["install", "install/mod", "out/mod", "."] {
        let request = PackRequest {
            to: Destination::Folder(place.path(to)),
            ..place.request()
        };
        let refused = pack(&request).unwrap_err();
        assert!(matches!(refused, PackError::Inside(_)), "{to}: {refused}");
    }
}
