//! What readers and messages say of 'mechs: motions, skins, facts; and the settings for models.

use relicast_testing::test;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use relicast::formats::codec::PaddedText;
use relicast::formats::zipper::archive::{self, Archive, Entry, Row};
use relicast::formats::zipper::messages::write::{Flavour, Lead, MessageImage, write};
use relicast::formats::zipper::messages::{Language, Message};
use relicast::formats::zipper::texture::package::{
    self, Directory, Header, Image, ImageFlags, ImageHeader, Package,
};
use relicast::formats::zipper::zrd::{Value, binary, text};

use super::common::{self, convert, json};
use super::output::{Loaded, load};
use super::posed::{assert_same_triangles, triangles};

/// The bytes of a binary reader.
pub fn reader(spelling: &str) -> Vec<u8> {
    let values = text::decode(spelling.as_bytes())
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

/// A package of small pictures, each of one colour.
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
        flavour: Flavour::MessageTable,
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

/// An install with the 'mechs and motions of the fixtures, and other files.
fn install(folder: &Path, others: &[(&str, Vec<u8>)]) -> PathBuf {
    let root = common::fixtures("zipper");
    let input = folder.join("in");
    for name in ["zbd/mechlib.zbd", "zbd/motion.zbd"] {
        let to = input.join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root.join("mw").join(name), to).unwrap();
    }
    for (name, bytes) in others {
        fs::write(input.join(name), bytes).unwrap();
    }
    input
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

#[test]
fn definitions_tell_motions_skins_and_facts() {
    let folder = tempfile::tempdir().unwrap();
    let definition = ("bushwhacker_def.zrd", reader(DEFINITION));
    let texts = [
        ("MSG_SKIN_PRIMARY", "Plain"),
        ("MSG_SKIN_VARIANTB", "Blue\r\nsteel"),
    ];
    let others = [
        ("zbd/reader.zbd", pack(&[definition])),
        ("zbd/rmechtex.zbd", pictures(&PICTURES)),
        ("Mech3Msg.dll", messages(&texts)),
    ];
    let input = install(folder.path(), &others);
    for container in ["gltf", "glb"] {
        let out = folder.path().join(container);
        run(
            &input,
            &out,
            &format!("[scenes]\ncontainer = \"{container}\"\n"),
        );
        let path = format!("models/zbd/mechlib/bushwhacker.{container}");
        let file = load(&out.join(path));
        let names: Vec<String> = file
            .document
            .variants()
            .unwrap()
            .map(|variant| variant.name().to_owned())
            .collect();
        assert_eq!(names, ["Plain", "Blue steel", "variant d"]);
        let found = looks(&file);
        let changing: Vec<_> = found.iter().filter(|looks| looks.len() > 1).collect();
        let expected = [
            ("", "metal1"),
            ("Plain", "metal1"),
            ("Blue steel", "metal1_b"),
            ("variant d", "metal1_d"),
        ];
        let expected = expected.map(|(name, picture)| (name.to_owned(), picture.to_owned()));
        assert_eq!(changing, [&BTreeMap::from(expected)]);
        // The definition does not list this texture.
        assert!(
            found
                .iter()
                .any(|looks| looks.len() == 1 && looks[""] == "roof1")
        );

        let scene = file.document.default_scene().unwrap();
        let facts_of_scene = facts(scene.extras());
        let chassis = &facts_of_scene["chassis"];
        assert_eq!(chassis["crouchHeight"], 3.5);
        assert_eq!(chassis["chicken"], true);
        assert_eq!(chassis["skins"]["damage"][0], "metal1_hole");
        assert_eq!(chassis["source"], "zbd/reader.zbd/bushwhacker_def.zrd");
        assert_eq!(facts_of_scene["skins"][1]["textures"]["metal1"], "metal1_b");
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
        let sources: Vec<&str> = named.iter().map(|(source, _)| &**source).collect();
        assert_eq!(
            sources,
            [
                "zbd/motion.zbd/bushwhacker_run",
                "zbd/motion.zbd/bushwhacker_walk",
                "zbd/motion.zbd/madcat_walk"
            ]
        );
        assert_eq!(named[2].1[0]["trans"], serde_json::json!([1.0, 2.5]));
        let notes = notes(&out, "bushwhacker.flt").join("\n");
        for part in [
            "3 skins, which replace 2 textures",
            "the motion bushwhacker_stand, which no archive has",
            "the texture panel1_b of a skin",
            " unbound",
        ] {
            assert!(notes.contains(part), "{part} in {notes}");
        }
    }
}

#[test]
fn without_definitions_skins_are_siblings_in_the_package_of_the_texture() {
    let folder = tempfile::tempdir().unwrap();
    let others = [
        (
            "zbd/rmechtex.zbd",
            pictures(&["metal1", "metal1_c", "roof1"]),
        ),
        ("zbd/rmechtexs.zbd", pictures(&["metal1_b", "roof1_b"])),
    ];
    let input = install(folder.path(), &others);
    let out = folder.path().join("out");
    run(&input, &out, "");
    let file = load(&out.join("models/zbd/mechlib/bushwhacker.gltf"));
    let names: Vec<String> = file
        .document
        .variants()
        .unwrap()
        .map(|variant| variant.name().to_owned())
        .collect();
    assert_eq!(names, ["primary", "variant c"]);
}

#[test]
fn damaged_definitions_leave_everything_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut cut = reader(DEFINITION);
    cut.truncate(cut.len() / 2);
    let odd = reader("(motion 5 skins (((()))) firepoints (1 2) torso_limits)");
    let others = [(
        "zbd/reader.zbd",
        pack(&[("bushwhacker_def.zrd", cut), ("madcat_def.zrd", odd)]),
    )];
    let input = install(folder.path(), &others);
    let out = folder.path().join("out");
    let mut command = convert(&input, &out, &["-q"]);
    command.assert().code(2);
    for mech in ["bushwhacker", "madcat"] {
        let file = load(&out.join(format!("models/zbd/mechlib/{mech}.gltf")));
        let clips: Vec<&str> = file
            .document
            .animations()
            .filter_map(|animation| animation.name())
            .collect();
        assert_eq!(clips, ["run", "walk"]);
        assert!(file.document.variants().is_none());
    }
}

#[test]
fn a_skin_moves_as_the_rigid_meshes_do() {
    let folder = tempfile::tempdir().unwrap();
    let input = install(folder.path(), &[]);
    let (rigid, skinned) = (folder.path().join("rigid"), folder.path().join("skinned"));
    run(&input, &rigid, "");
    run(&input, &skinned, "[models]\nskin = true\n");
    for mech in ["bushwhacker", "madcat"] {
        let path = format!("models/zbd/mechlib/{mech}.gltf");
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

#[test]
fn models_turn_and_take_hints_when_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let input = install(folder.path(), &[]);
    let (plain, turned) = (folder.path().join("plain"), folder.path().join("turned"));
    run(&input, &plain, "");
    let settings = "[scenes]\nface_forward = true\ngodot_loop = true\n[models]\nskin = true\n";
    run(&input, &turned, settings);
    let path = "models/zbd/mechlib/madcat.gltf";
    let (plain, turned) = (load(&plain.join(path)), load(&turned.join(path)));
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
