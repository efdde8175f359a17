//! Two edits packed one after the other give what they give when they are packed at once.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;

use relicast::asset::Game;
use relicast::pack::{Destination, Only, Packed, Request as PackRequest, pack, restore};
use serde_json::{Value, json};

use crate::common::{contents, json as read_json};
use crate::place::Place;
use crate::scenes::new_materials::{give, png};
use crate::scenes::scene::Scene;
use crate::scenes::triangles::candidates;

/// An edit of an output, or of the table of its archive.
#[derive(Clone, Copy)]
enum Edit {
    /// Another content, by the kind of the output.
    Of(&'static str),
    /// Another value of a document, at a pointer.
    Value(&'static str, &'static str, &'static str),
    /// A new file, copied from another one.
    New(&'static str, &'static str),
    /// The output is deleted.
    Deleted(&'static str),
    /// A scene gets a material with a picture beside it.
    Material(&'static str),
}

impl Edit {
    fn path(self) -> &'static str {
        match self {
            Self::Of(path)
            | Self::Value(path, ..)
            | Self::New(path, _)
            | Self::Deleted(path)
            | Self::Material(path) => path,
        }
    }

    /// Edits the output; `again` is for another edit than the first.
    fn make(self, place: &Place, again: bool) {
        let path = place.path("out").join(self.path());
        match self {
            Self::Deleted(_) => fs::remove_file(path).unwrap_or_default(),
            Self::New(_, like) => {
                fs::copy(place.path("out").join(like), path).unwrap();
            }
            Self::Material(_) => {
                let color = if again {
                    [16, 160, 240, 255]
                } else {
                    [200, 96, 32, 255]
                };
                fs::write(path.with_file_name("rust.png"), png(color)).unwrap();
                if !again {
                    let mut scene = Scene::open(&path);
                    let has_uvs = |mesh: &usize| scene.attribute(*mesh, 0, "TEXCOORD_0").is_some();
                    let mesh = candidates(&scene).into_iter().find(has_uvs).unwrap();
                    give(
                        &mut scene,
                        mesh,
                        &json!({"name": "rust"}),
                        &json!({"uri": "rust.png"}),
                    );
                    scene.save();
                }
            }
            Self::Value(_, pointer, value) => {
                let mut document = read_json(&path);
                let mut value: Value = serde_json::from_str(value).unwrap();
                if again {
                    value = value
                        .as_u64()
                        .map_or(json!(false), |number| json!(number + 1));
                }
                let old = document.pointer_mut(pointer).unwrap();
                assert_ne!(*old, value);
                *old = value;
                fs::write(path, document.to_string()).unwrap();
            }
            Self::Of(name) if name.ends_with(".gltf") => {
                let mut scene = Scene::open(&path);
                let is_shown = |node: &usize| scene.json["nodes"][*node]["mesh"].is_u64();
                let node = scene.shown().into_iter().find(is_shown).unwrap();
                let mesh = scene.nodes()[node]["mesh"].as_u64().unwrap() as usize;
                let positions = scene.attribute(mesh, 0, "POSITION").unwrap();
                let mut rows = scene.floats::<3>(positions);
                rows[0][1] += if again { 0.5 } else { 0.25 };
                scene.put_floats(positions, &rows);
                scene.save();
            }
            Self::Of(name) if name.ends_with(".png") => {
                let mut picture = image::open(&path).unwrap().into_rgba8();
                let to = if again {
                    [0, 0, 255, 255]
                } else {
                    [255, 0, 0, 255]
                };
                picture.put_pixel(1, 1, image::Rgba(to));
                picture.save(&path).unwrap();
            }
            Self::Of(_) => {
                let mut bytes = fs::read(&path).unwrap();
                let end = bytes.len();
                bytes[end - 8..].fill(if again { 4 } else { 9 });
                fs::write(path, bytes).unwrap();
            }
        }
    }
}

const SOUND: Edit = Edit::Of("sounds/zbd/soundsh/blast01.wav");
const PICTURE: Edit = Edit::Of("textures/zbd/rmechtex/ground.png");
const READER: Edit = Edit::Value("config/zbd/reader/_con.json", "/0/1", "7");
const TABLE: Edit = Edit::Value("config/zbd/reader.json", "/entries/0/flags", "6");

/// Kinds of pairs.
const PAIRS: [(&str, Game, Edit, Edit); 14] = [
    (
        "a removed member and the table",
        Game::Mw,
        Edit::Deleted("config/zbd/reader/extremes.json"),
        TABLE,
    ),
    (
        "two members",
        Game::Mw,
        SOUND,
        Edit::Of("sounds/zbd/soundsh/blast02.wav"),
    ),
    ("two game files", Game::Mw, SOUND, PICTURE),
    (
        "two pictures of a package",
        Game::Mw,
        PICTURE,
        Edit::Of("textures/zbd/rmechtex/fence.png"),
    ),
    ("a member and the table", Game::Mw, READER, TABLE),
    (
        "a picture and the table of its package",
        Game::Mw,
        PICTURE,
        Edit::Value(
            "textures/zbd/rmechtex.json",
            "/texture_infos/0/image_loaded",
            "true",
        ),
    ),
    (
        "a new member and an edited one",
        Game::Mw,
        Edit::New(
            "sounds/zbd/soundsh/new.wav",
            "sounds/zbd/soundsh/blast03.wav",
        ),
        SOUND,
    ),
    (
        "a new member and the table",
        Game::Mw,
        Edit::New("config/zbd/reader/new.json", "config/zbd/reader/empty.json"),
        TABLE,
    ),
    (
        "a removed member and an edited one",
        Game::Mw,
        Edit::Deleted("sounds/zbd/soundsh/blast04.wav"),
        SOUND,
    ),
    (
        "two models of a library",
        Game::Mw,
        Edit::Of("models/zbd/mechlib/vulture.gltf"),
        Edit::Of("models/zbd/mechlib/wanderer.gltf"),
    ),
    (
        "two models of an archive",
        Game::Eq,
        Edit::Of("models/dell_obj/elm.gltf"),
        Edit::Of("models/dell_obj/mill.gltf"),
    ),
    (
        "a model and a picture of its archive",
        Game::Eq,
        Edit::Of("models/dell_obj/elm.gltf"),
        Edit::Of("textures/dell_obj/bark.png"),
    ),
    (
        "a model and the table of its archive",
        Game::Mw,
        Edit::Of("models/zbd/mechlib/vulture.gltf"),
        Edit::Value("models/zbd/mechlib.json", "/entries/0/flags", "6"),
    ),
    (
        "a new material and a picture of its package",
        Game::Rc,
        Edit::Material("worlds/zbd/m1/gamez.gltf"),
        Edit::Of("textures/zbd/m1/rtexture4/ground.png"),
    ),
];

/// Events between the two packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    Nothing,
    /// `convert` moves the first edit aside.
    Converted,
    /// The first output is restored.
    Undone,
    /// The first output is edited further.
    EditedAgain,
}

fn packed(place: &Place, to: &Destination, only: &str) -> Packed {
    let request = PackRequest {
        to: to.clone(),
        only: (!only.is_empty()).then(|| Only::new([only]).unwrap()),
        add: true,
        remove: true,
        ..place.request()
    };
    let packed = pack(&request).unwrap();
    assert_eq!(packed.refused, []);
    packed
}

/// Game files below a folder.
fn game_files(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = place.path(folder);
    fs::create_dir_all(&folder).unwrap();
    let mut files = contents(&folder);
    files.retain(|path, _| !path.contains("relicast"));
    files
}

/// An install with its outputs, which are restored before each sequence.
struct Sequences {
    place: Place,
    name: &'static str,
    outputs: BTreeMap<String, Vec<u8>>,
}

impl Sequences {
    fn reset(&self) {
        self.reset_outputs();
        fs::remove_dir_all(self.place.path("mod")).unwrap_or_default();
    }

    fn reset_outputs(&self) {
        let out = self.place.path("out");
        for path in contents(&out).keys() {
            if !self.outputs.contains_key(path) {
                fs::remove_file(out.join(path)).unwrap();
            }
        }
        for (path, bytes) in &self.outputs {
            if !fs::read(out.join(path)).is_ok_and(|now| now == *bytes) {
                fs::write(out.join(path), bytes).unwrap();
            }
        }
    }

    fn at_once(&self, edits: [Edit; 2]) -> BTreeMap<String, Vec<u8>> {
        self.reset();
        for edit in edits {
            edit.make(&self.place, false);
        }
        packed(
            &self.place,
            &Destination::Folder(self.place.path("mod")),
            "",
        );
        game_files(&self.place, "mod")
    }

    /// Packs one edit after the other; the result is `expected`.
    fn check(
        &self,
        [first, second]: [Edit; 2],
        between: Between,
        in_place: bool,
        expected: &BTreeMap<String, Vec<u8>>,
    ) {
        let case = format!("{}: {}, {between:?}, {in_place}", self.name, first.path());
        self.reset();
        let (to, folder) = match in_place {
            true => (Destination::InPlace, "install"),
            false => (Destination::Folder(self.place.path("mod")), "mod"),
        };
        let before = game_files(&self.place, folder);
        first.make(&self.place, false);
        packed(&self.place, &to, &globset::escape(first.path()));
        let out = self.place.path("out");
        match between {
            Between::Nothing => {}
            Between::Converted => self.place.convert("install", "out"),
            Between::Undone => self.reset_outputs(),
            Between::EditedAgain => first.make(&self.place, true),
        }
        second.make(&self.place, false);
        let both = packed(&self.place, &to, &globset::escape(second.path()));
        let now = game_files(&self.place, folder);
        let mut wanted = if in_place {
            before.clone()
        } else {
            BTreeMap::new()
        };
        wanted.extend(expected.clone());
        assert!(now.keys().eq(wanted.keys()), "{case}: {:?}", now.keys());
        for (path, bytes) in &wanted {
            assert!(now[path] == *bytes, "{case}: {path}");
        }
        assert_eq!((both.undone, both.removed), (vec![], vec![]), "{case}");
        let is_output = !matches!(first, Edit::New(..) | Edit::Deleted(_));
        if between == Between::Converted && is_output {
            let path = match first {
                // Moved vertices are in the buffer of a scene.
                Edit::Of(path) => path.replace(".gltf", ".bin"),
                other => other.path().to_owned(),
            };
            let aside = format!("{path}.edited-1");
            assert!(out.join(&aside).exists(), "{case}: convert moved nothing");
            // Without a selection, it is reported that the edit is taken out, and where it is.
            let undone = packed(&self.place, &to, "").undone;
            let is_reported = undone.iter().any(|undone| {
                undone.output.as_ref() == Some(&path) && undone.moved_to.as_ref() == Some(&aside)
            });
            assert!(is_reported, "{case}: {undone:?}");
        }
        if in_place {
            restore(&self.place.path("install"), false).unwrap();
            assert!(game_files(&self.place, folder) == before, "{case}");
            assert!(
                !self.place.path("install/.relicast-edits").exists(),
                "{case}"
            );
        }
    }
}

#[test]
fn edits_packed_one_after_the_other_equal_edits_packed_at_once() {
    for (number, (name, game, one, other)) in PAIRS.into_iter().enumerate() {
        let place = Place::of(game);
        let outputs = contents(&place.path("out"));
        let sequences = Sequences {
            place,
            name,
            outputs,
        };
        let expected = sequences.at_once([one, other]);
        assert!(!expected.is_empty(), "{name}");
        let (first, turned) = ([one, other], [other, one]);
        // A changed install is converted to another folder only.
        let cases = [
            (first, Between::Nothing, false),
            (turned, Between::Nothing, true),
            (first, Between::Converted, false),
            (turned, Between::Undone, false),
            (first, Between::Undone, true),
            (turned, Between::Converted, false),
            (first, Between::EditedAgain, true),
            (turned, Between::EditedAgain, false),
            (first, Between::Nothing, true),
            (turned, Between::Nothing, false),
        ];
        // All cases of each pair take a minute.
        let step = relicast_testing::rounds(3, 1);
        for (edits, between, in_place) in cases.into_iter().skip(number % step).step_by(step) {
            sequences.check(edits, between, in_place, &expected);
        }
    }
}
