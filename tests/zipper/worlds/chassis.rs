//! Facts of 'mechs from readers and messages: motions, skins, facts; and the settings for models.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::messages::write::{Flavor, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message};
use relicast::formats::zipper::texture::package::{
    self, Directory, Header, Image, ImageFlags, ImageHeader, Package,
};
use relicast::formats::zipper::zrd::{Value, binary, text};

use relicast_samples::motion;

use super::common::{self, convert, json};
use super::output::{Loaded, load};
use super::posed::{assert_same_triangles, triangles};
use super::{Install, on_every_install};

/// The bytes of a binary reader.
pub fn reader(source_text: &str) -> Vec<u8> {
    let values = text::decode(source_text.as_bytes())
        .unwrap()
        .value
        .values()
        .unwrap();
    binary::encode(&Value::List(values)).unwrap()
}

/// The bytes of an archive.
pub fn pack(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries = members.iter().map(|(name, data)| Entry {
        row: Row {
            name: PaddedText::new(name).unwrap(),
            ..Row::default()
        },
        data: data.clone().into(),
        ..Entry::default()
    });
    let archive = Archive {
        entries: entries.collect(),
        ..Archive::default()
    };
    archive::encode(&archive).unwrap()
}

/// A package of small pictures, each of one color.
fn pictures(names: &[&str]) -> Vec<u8> {
    let mut package = Package {
        directory: Directory {
            header: Header {
                version: 1,
                ..Header::default()
            },
            ..Directory::default()
        },
        ..Package::default()
    };
    for (name, word) in names.iter().zip(1000_u16..) {
        package.directory.rows.push(package::Row {
            name: PaddedText::new(name).unwrap(),
            start: 0,
            palette_index: -1,
        });
        package.images.push(Image {
            header: ImageHeader {
                flags: ImageFlags::TWO_BYTES | ImageFlags::OPAQUE,
                width: 4,
                height: 4,
                ..ImageHeader::default()
            },
            texels: word.to_le_bytes().repeat(16).into(),
            ..Image::default()
        });
    }
    package::encode(&package).unwrap()
}

/// A message library.
fn messages(entries: &[(&str, &str)]) -> Vec<u8> {
    let entries = entries.iter().zip(1..).map(|((key, value), id)| Message {
        key: Some((*key).to_owned()),
        id,
        value: Some((*value).to_owned()),
        raw: None,
    });
    write(&MessageImage {
        flavor: Flavor::MessageTable,
        lead: Lead::Short,
        export_name: Some("ZLocGetID".to_owned()),
        language: Language {
            language_id: 1033,
            code_page: 1252,
            entries: entries.collect(),
        },
    })
    .unwrap()
}

/// The bytes of a library with a table of strings.
pub fn strings(texts: &[(u32, &str)]) -> Vec<u8> {
    let entries = texts.iter().map(|(id, text)| Message {
        id: *id,
        key: None,
        value: Some((*text).to_owned()),
        raw: None,
    });
    write(&MessageImage {
        flavor: Flavor::StringTable,
        lead: Lead::Short,
        export_name: None,
        language: Language {
            language_id: 1033,
            code_page: 1252,
            entries: entries.collect(),
        },
    })
    .unwrap()
}

/// Two 'mechs of a library, and the textures that a test names.
#[derive(Debug, Clone, Copy)]
pub struct Mechs {
    /// The first 'mech, which is called as its member is.
    pub mech: &'static str,
    /// Another one.
    pub other: &'static str,
    /// Member and output of the other one.
    pub other_member: &'static str,
    /// A texture of the first one.
    pub texture: &'static str,
    /// A further texture of it.
    pub unlisted: &'static str,
}

impl Install {
    pub fn mechs(self) -> Mechs {
        match self {
            Self::Made => Mechs {
                mech: "wanderer",
                other: "strider_01",
                other_member: "mech_strider_01",
                texture: "ground",
                unlisted: "flame",
            },
            Self::Fixture => Mechs {
                mech: "bushwhacker",
                other: "madcat",
                other_member: "madcat",
                texture: "metal1",
                unlisted: "roof1",
            },
        }
    }

    /// The library of 'mechs and their motions.
    pub fn mech_files(self) -> [(&'static str, Vec<u8>); 2] {
        match self {
            Self::Made => {
                let parts = [&motion::PARTS[..], &["tail"]].concat();
                let motions = [
                    "wanderer_run",
                    "wanderer_walk",
                    "strider_01_run",
                    "strider_01_walk",
                ];
                let motions = motions.map(|name| (name, motion::file(name, 16, &parts).unwrap()));
                let library = relicast_samples::world::mechs(ZipperGame::MechWarrior3);
                [
                    ("zbd/mechlib.zbd", library.unwrap()),
                    ("zbd/motion.zbd", pack(&motions)),
                ]
            }
            Self::Fixture => {
                let root = common::fixtures("zipper").join("mw");
                ["zbd/mechlib.zbd", "zbd/motion.zbd"]
                    .map(|name| (name, fs::read(root.join(name)).unwrap()))
            }
        }
    }
}

impl Mechs {
    /// A text about the 'mechs and textures of the fixtures, changed to name these.
    fn in_place(self, text: &str) -> String {
        [
            ("bushwhacker", self.mech),
            ("madcat", self.other),
            ("metal1", self.texture),
            ("roof1", self.unlisted),
        ]
        .iter()
        .fold(text.to_owned(), |text, (name, other)| {
            text.replace(name, other)
        })
    }

    fn other_path(self) -> String {
        format!("models/zbd/mechlib/{}.gltf", self.other_member)
    }

    fn mech_path(self) -> String {
        format!("models/zbd/mechlib/{}.gltf", self.mech)
    }

    fn pictures(self, names: &[&str]) -> Vec<u8> {
        let names: Vec<String> = names.iter().map(|name| self.in_place(name)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        pictures(&names)
    }
}

/// An install with 'mechs and their motions, and other files.
fn install(from: Install, folder: &Path, others: &[(&str, Vec<u8>)]) -> PathBuf {
    let input = folder.join("in");
    for (name, bytes) in from.mech_files() {
        let to = input.join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    for (name, bytes) in others {
        fs::write(input.join(name), bytes).unwrap();
    }
    input
}

on_every_install! {
    definitions_have_motions_skins_and_facts,
    without_definitions_skins_are_siblings_in_the_package_of_the_texture,
    damaged_definitions_leave_everything_else,
    a_skin_moves_as_the_rigid_meshes_do,
    models_turn_and_take_hints_when_asked_to,
}

fn run(input: &Path, out: &Path, settings: &str) {
    let file = out.with_extension("toml");
    fs::write(&file, settings).unwrap();
    let mut command = convert(input, out, &["-q"]);
    command.arg("--config").arg(&file).assert().success();
}

/// Picture of each look of each primitive that has looks, by the name of the look; the usual picture
/// under no name.
fn looks(file: &Loaded) -> Vec<BTreeMap<String, String>> {
    let names: Vec<String> = file.document.variants().map_or_else(Vec::new, |variants| {
        variants.map(|variant| variant.name().to_owned()).collect()
    });
    let picture = |material: &gltf::Material<'_>| {
        let texture = material.pbr_metallic_roughness().base_color_texture();
        let name = texture.map(|texture| texture.texture().source().name().unwrap().to_owned());
        name.unwrap_or_default()
    };
    let mut all = Vec::new();
    for part in file
        .document
        .meshes()
        .flat_map(|mesh| mesh.primitives().collect::<Vec<_>>())
    {
        let mut looks = BTreeMap::from([(String::new(), picture(&part.material()))]);
        for mapping in part.mappings() {
            for &variant in mapping.variants() {
                let name = names[variant as usize].clone();
                looks.insert(name, picture(&mapping.material()));
            }
        }
        all.push(looks);
    }
    all.sort();
    all.dedup();
    all
}

fn facts(extras: &gltf::json::Extras) -> serde_json::Value {
    let all: serde_json::Value = serde_json::from_str(extras.as_ref().unwrap().get()).unwrap();
    all["zipper"].clone()
}

fn notes(out: &Path, member: &str) -> Vec<String> {
    let report = json(&out.join("report.json"));
    let sources = report["sources"].as_array().unwrap();
    let parts = sources
        .iter()
        .filter_map(|source| source["parts"].as_array())
        .flatten();
    let part = parts.clone().find(|part| part["member"] == member).unwrap();
    let notes = part["notes"].as_array().cloned().unwrap_or_default();
    notes
        .iter()
        .map(|note| note.as_str().unwrap().to_owned())
        .collect()
}

const DEFINITION: &str = "(CHASSIS (
    motion (
        walk (madcat_walk trans (1.0 2.5))
        stand (bushwhacker_stand trans (0.0 1.0))
    )
    skins (
        MSG_SKIN_PRIMARY (metal1 panel1)
        MSG_SKIN_VARIANTB (metal1_b panel1_b)
        damage (metal1_hole)
    )
    crouch_height 3.5
    chicken
))";

const PICTURES: [&str; 7] = [
    "metal1",
    "metal1_b",
    "metal1_d",
    "metal1_hole",
    "panel1",
    "roof1",
    "roof1_b",
];

fn definitions_have_motions_skins_and_facts(from: Install) {
    let mechs = from.mechs();
    let folder = tempfile::tempdir().unwrap();
    let definition_name = mechs.in_place("bushwhacker_def.zrd");
    let definition = (&*definition_name, reader(&mechs.in_place(DEFINITION)));
    let texts = [
        ("MSG_SKIN_PRIMARY", "Plain"),
        ("MSG_SKIN_VARIANTB", "Blue\r\nsteel"),
    ];
    let others = [
        ("zbd/reader.zbd", pack(&[definition])),
        ("zbd/rmechtex.zbd", mechs.pictures(&PICTURES)),
        ("Mech3Msg.dll", messages(&texts)),
    ];
    let input = install(from, folder.path(), &others);
    for container in ["gltf", "glb"] {
        let out = folder.path().join(container);
        run(
            &input,
            &out,
            &format!("[scenes]\ncontainer = \"{container}\"\n"),
        );
        let path = format!("models/zbd/mechlib/{}.{container}", mechs.mech);
        let file = load(&out.join(path));
        let names: Vec<String> = file
            .document
            .variants()
            .unwrap()
            .map(|variant| variant.name().to_owned())
            .collect();
        assert_eq!(names, ["Plain", "Blue steel", "variant d"]);
        let found = looks(&file);
        let shown = |looks: &BTreeMap<String, String>| -> BTreeSet<String> {
            looks.values().cloned().collect()
        };
        let changing = found.iter().filter(|looks| shown(looks).len() > 1);
        let changing: Vec<_> = changing.collect();
        let expected = [
            ("", "metal1"),
            ("Plain", "metal1"),
            ("Blue steel", "metal1_b"),
            ("variant d", "metal1_d"),
        ];
        let expected = expected.map(|(name, picture)| (name.to_owned(), mechs.in_place(picture)));
        assert_eq!(changing, [&BTreeMap::from(expected)]);
        // The definition does not list this texture.
        assert!(
            found
                .iter()
                .any(|looks| shown(looks) == BTreeSet::from([mechs.unlisted.to_owned()]))
        );

        let scene = file.document.default_scene().unwrap();
        let facts_of_scene = facts(scene.extras());
        let chassis = &facts_of_scene["chassis"];
        assert_eq!(chassis["crouchHeight"], 3.5);
        assert_eq!(chassis["chicken"], true);
        assert_eq!(chassis["skins"]["damage"][0], mechs.in_place("metal1_hole"));
        let source = mechs.in_place("zbd/reader.zbd/bushwhacker_def.zrd");
        assert_eq!(chassis["source"], source);
        assert_eq!(
            facts_of_scene["skins"][1]["textures"][mechs.texture],
            mechs.in_place("metal1_b")
        );
        assert_eq!(facts_of_scene["forward"], "-Z");
        let named: Vec<(String, serde_json::Value)> = file
            .document
            .animations()
            .map(|clip| {
                let facts = facts(clip.extras());
                (
                    facts["source"].as_str().unwrap().to_owned(),
                    facts["named"].clone(),
                )
            })
            .collect();
        let named: BTreeMap<String, serde_json::Value> = named.into_iter().collect();
        let expected = ["bushwhacker_run", "bushwhacker_walk", "madcat_walk"];
        let expected = expected.map(|name| format!("zbd/motion.zbd/{}", mechs.in_place(name)));
        assert_eq!(
            named.keys().cloned().collect::<BTreeSet<_>>(),
            expected.clone().into()
        );
        assert_eq!(
            named[&expected[2]][0]["trans"],
            serde_json::json!([1.0, 2.5])
        );
        let notes = notes(&out, &format!("{}.flt", mechs.mech)).join("\n");
        for part in [
            "3 skins with 2 replaced textures",
            "the motion bushwhacker_stand, but no archive has it",
            "the texture panel1_b of a skin",
            " unbound",
        ] {
            let part = mechs.in_place(part);
            assert!(notes.contains(&part), "{part} in {notes}");
        }
    }
}

fn without_definitions_skins_are_siblings_in_the_package_of_the_texture(from: Install) {
    let mechs = from.mechs();
    let folder = tempfile::tempdir().unwrap();
    let others = [
        (
            "zbd/rmechtex.zbd",
            mechs.pictures(&["metal1", "metal1_c", "roof1"]),
        ),
        (
            "zbd/rmechtexs.zbd",
            mechs.pictures(&["metal1_b", "roof1_b"]),
        ),
    ];
    let input = install(from, folder.path(), &others);
    let out = folder.path().join("out");
    run(&input, &out, "");
    let file = load(&out.join(mechs.mech_path()));
    let names: Vec<String> = file
        .document
        .variants()
        .unwrap()
        .map(|variant| variant.name().to_owned())
        .collect();
    assert_eq!(names, ["primary", "variant c"]);
}

fn damaged_definitions_leave_everything_else(from: Install) {
    let mechs = from.mechs();
    let folder = tempfile::tempdir().unwrap();
    let mut cut = reader(&mechs.in_place(DEFINITION));
    cut.truncate(cut.len() / 2);
    let odd = reader("(motion 5 skins (((()))) firepoints (1 2) torso_limits)");
    let names = ["bushwhacker_def.zrd", "madcat_def.zrd"].map(|name| mechs.in_place(name));
    let others = [(
        "zbd/reader.zbd",
        pack(&[(&*names[0], cut), (&*names[1], odd)]),
    )];
    let input = install(from, folder.path(), &others);
    let out = folder.path().join("out");
    let mut command = convert(&input, &out, &["-q"]);
    command.assert().code(2);
    for path in [mechs.mech_path(), mechs.other_path()] {
        let file = load(&out.join(path));
        let clips: Vec<&str> = file
            .document
            .animations()
            .filter_map(|animation| animation.name())
            .collect();
        assert_eq!(clips, ["run", "walk"]);
        assert!(file.document.variants().is_none());
    }
}

fn a_skin_moves_as_the_rigid_meshes_do(from: Install) {
    let mechs = from.mechs();
    let folder = tempfile::tempdir().unwrap();
    let input = install(from, folder.path(), &[]);
    let (rigid, skinned) = (folder.path().join("rigid"), folder.path().join("skinned"));
    run(&input, &rigid, "");
    run(&input, &skinned, "[models]\nskin = true\n");
    for path in [mechs.mech_path(), mechs.other_path()] {
        let (rigid, skinned) = (load(&rigid.join(&path)), load(&skinned.join(&path)));
        assert_eq!(skinned.document.skins().count(), 1);
        assert_eq!(skinned.document.meshes().count(), 1);
        let still = triangles(&rigid, None);
        assert_same_triangles(&triangles(&skinned, None), &still);
        let mut moved = 0;
        for time in [0.1, 0.35, 0.7] {
            let at = Some(("walk", time));
            let posed = triangles(&rigid, at);
            assert_same_triangles(&triangles(&skinned, at), &posed);
            moved += usize::from(posed != still);
        }
        assert_eq!(moved, 3);
    }
}

fn models_turn_and_take_hints_when_asked_to(from: Install) {
    let mechs = from.mechs();
    let folder = tempfile::tempdir().unwrap();
    let input = install(from, folder.path(), &[]);
    let (plain, turned) = (folder.path().join("plain"), folder.path().join("turned"));
    run(&input, &plain, "");
    let settings = "[scenes]\nface_forward = true\ngodot_loop = true\n[models]\nskin = true\n";
    run(&input, &turned, settings);
    let path = mechs.other_path();
    let (plain, turned) = (load(&plain.join(&path)), load(&turned.join(&path)));
    for (clip, looped) in [("walk", "walk-loop"), ("run", "run-loop")] {
        let mut expected = triangles(&plain, Some((clip, 0.3)));
        for [x, _, z] in expected.iter_mut().flatten() {
            (*x, *z) = (-*x, -*z);
        }
        assert_same_triangles(&triangles(&turned, Some((looped, 0.3))), &expected);
    }
    let scene = turned.document.default_scene().unwrap();
    let facts = facts(scene.extras());
    assert_eq!(
        (&facts["forward"], &facts["faceForward"]),
        (&"-Z".into(), &true.into())
    );
    let document = plain.document.default_scene().unwrap();
    assert!(
        !document
            .extras()
            .as_ref()
            .unwrap()
            .get()
            .contains("faceForward")
    );
}
