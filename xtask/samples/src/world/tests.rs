//! Tests that the samples have all features of their formats.

use relicast::formats::zipper::ZipperGame;
use relicast::formats::zipper::gamez::{
    self, GameZ, MaterialFlags, Model, ModelType, NodeData, NodeFlags, Object3dFlags, Polygon,
    PolygonFlags,
};
use relicast::formats::zipper::{archive, mechlib};

use super::*;

fn decoded(version: ZipperGame) -> GameZ {
    gamez::decode(&world(version).unwrap()).unwrap().value
}

#[test]
fn worlds_use_every_feature_of_their_game() {
    for version in ZipperGame::ALL {
        let gamez = decoded(version);
        let model = |holds: fn(&Model) -> bool| gamez.models.iter().any(|(_, it)| holds(it));
        for kind in [ModelType::Default, ModelType::Facade, ModelType::Points] {
            let mut models = gamez.models.iter();
            assert!(models.any(|(_, model)| model.record.model_type == kind));
        }
        assert!(model(|model| !model.morphs.is_empty()));
        assert!(model(|model| model.record.tex_scroll_u.0 != 0.0));
        assert!(model(|model| model.record.parent_count > 1));
        assert!(model(
            |model| model.flags().is_empty() || !model.polygons.is_empty()
        ));
        let face = |holds: fn(&Polygon) -> bool| {
            let mut models = gamez.models.iter();
            models.any(|(_, model)| model.polygons.iter().any(holds))
        };
        assert!(face(|face| face.corners() == 3) && face(|face| face.corners() > 5));
        assert!(face(|face| face.normal_indices.is_empty()));
        assert!(face(|face| !face.normal_indices.is_empty()));
        assert!(face(|face| face.uvs.is_empty()));
        assert!(face(|face| face.record.priority > 0) && face(|face| face.record.priority < 0));
        assert!(face(|face| face.record.zone_set.zones().count() == 3));
        assert!(face(|face| face
            .flags()
            .contains(PolygonFlags::SHOW_BACKFACE)));
        let strips = face(|face| face.flags().contains(PolygonFlags::TRI_STRIP));
        assert_eq!(strips, version != ZipperGame::Recoil);
        assert_eq!(
            face(|face| face.colors.len() > 3),
            version != ZipperGame::Recoil
        );
        assert_eq!(face(|face| face.materials.len() == 3), is_late(version));

        let nodes = &gamez.nodes.used;
        let node = |holds: fn(&NodeData) -> bool| nodes.iter().any(|node| holds(&node.data));
        assert!(node(|data| matches!(data, NodeData::Camera(_))));
        assert!(node(|data| matches!(data, NodeData::Light(_))));
        let object = |flag| {
            nodes.iter().any(|node| match &node.data {
                NodeData::Object3d(object) => object.flags.contains(flag),
                _ => false,
            })
        };
        assert!(object(Object3dFlags::OPACITY) && object(Object3dFlags::USE_MATRIX));
        let levels = nodes
            .iter()
            .filter(|node| matches!(node.data, NodeData::Lod(_)));
        assert_eq!(levels.count(), 2);
        let hidden = nodes.iter().any(|node| {
            matches!(node.data, NodeData::Object3d(_)) && !node.flags().contains(NodeFlags::ACTIVE)
        });
        assert!(hidden);
        let shared = nodes.iter().any(|node| node.parents.len() == 2);
        assert_eq!(shared, version == ZipperGame::Recoil);
        let cycles = gamez.materials.used.iter().filter(|it| it.cycle.is_some());
        assert_eq!(cycles.count(), 2);
        let kinds = [MaterialFlags::TEXTURED, MaterialFlags::TAKES_DECALS];
        for kind in kinds {
            let mut materials = gamez.materials.used.iter();
            assert!(materials.any(|material| material.record.flags.contains(kind)));
        }
    }
}

#[test]
fn aircraft_are_two_trees_without_a_world() {
    let gamez = gamez::decode(&aircraft().unwrap()).unwrap().value;
    assert!(gamez.nodes.world().is_none());
    let roots = gamez
        .nodes
        .used
        .iter()
        .filter(|node| node.parents.is_empty());
    let names: Vec<String> = roots.map(|root| root.name()).collect();
    assert_eq!(names, ["player_finch", "heron"]);
}

#[test]
fn mechs_have_the_parts_that_their_motions_move() {
    for version in [ZipperGame::MechWarrior3, ZipperGame::PiratesMoon] {
        let bytes = mechs(version).unwrap();
        let library = archive::decode(&bytes).unwrap().value;
        assert_eq!(mechlib::version_of(&library).unwrap(), version);
        let mut low = 0;
        for entry in &library.entries[3..] {
            let mech = mechlib::decode_model(&entry.data, version).unwrap().value;
            let count = |part: &str| {
                let nodes = mech.nodes.iter();
                nodes.filter(|node| node.node.name() == part).count()
            };
            for part in super::super::motion::PARTS {
                assert_eq!(count(part), 1, "{part} of {}", entry.name());
            }
            let levels = mech.nodes.iter();
            let levels = levels.filter(|node| matches!(node.node.data, NodeData::Lod(_)));
            assert_eq!(levels.count() == 2, version == ZipperGame::PiratesMoon);
            low += usize::from(entry.name().contains("_1."));
        }
        assert_eq!(low == 1, version == ZipperGame::MechWarrior3);
    }
}
