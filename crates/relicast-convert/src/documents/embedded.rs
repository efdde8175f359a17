//! JSON Schemas that are part of the program. `cargo xtask docs` writes this file and the schemas.

/// Names of kinds of documents with their schemas, in the order of names.
pub(super) const SCHEMAS: &[(&str, &str)] = &[
    (
        "animation",
        include_str!("../../schemas/animation.schema.json"),
    ),
    (
        "animations",
        include_str!("../../schemas/animations.schema.json"),
    ),
    ("archive", include_str!("../../schemas/archive.schema.json")),
    (
        "baked-light",
        include_str!("../../schemas/baked-light.schema.json"),
    ),
    ("cabinet", include_str!("../../schemas/cabinet.schema.json")),
    (
        "controls",
        include_str!("../../schemas/controls.schema.json"),
    ),
    (
        "creature",
        include_str!("../../schemas/creature.schema.json"),
    ),
    ("disc", include_str!("../../schemas/disc.schema.json")),
    (
        "emitters",
        include_str!("../../schemas/emitters.schema.json"),
    ),
    (
        "eqg-regions",
        include_str!("../../schemas/eqg-regions.schema.json"),
    ),
    (
        "everquest-archive",
        include_str!("../../schemas/everquest-archive.schema.json"),
    ),
    (
        "everquest-scene",
        include_str!("../../schemas/everquest-scene.schema.json"),
    ),
    ("font", include_str!("../../schemas/font.schema.json")),
    ("grass", include_str!("../../schemas/grass.schema.json")),
    (
        "interface-table",
        include_str!("../../schemas/interface-table.schema.json"),
    ),
    (
        "later-animation",
        include_str!("../../schemas/later-animation.schema.json"),
    ),
    (
        "later-mesh",
        include_str!("../../schemas/later-mesh.schema.json"),
    ),
    (
        "later-text",
        include_str!("../../schemas/later-text.schema.json"),
    ),
    (
        "later-zone",
        include_str!("../../schemas/later-zone.schema.json"),
    ),
    ("layers", include_str!("../../schemas/layers.schema.json")),
    (
        "library-format",
        include_str!("../../schemas/library-format.schema.json"),
    ),
    (
        "library-materials",
        include_str!("../../schemas/library-materials.schema.json"),
    ),
    ("lines", include_str!("../../schemas/lines.schema.json")),
    ("livery", include_str!("../../schemas/livery.schema.json")),
    ("map", include_str!("../../schemas/map.schema.json")),
    ("mech", include_str!("../../schemas/mech.schema.json")),
    (
        "messages",
        include_str!("../../schemas/messages.schema.json"),
    ),
    ("motion", include_str!("../../schemas/motion.schema.json")),
    ("music", include_str!("../../schemas/music.schema.json")),
    (
        "particles",
        include_str!("../../schemas/particles.schema.json"),
    ),
    ("plane", include_str!("../../schemas/plane.schema.json")),
    ("points", include_str!("../../schemas/points.schema.json")),
    (
        "raw-anim",
        include_str!("../../schemas/raw-anim.schema.json"),
    ),
    (
        "raw-archive",
        include_str!("../../schemas/raw-archive.schema.json"),
    ),
    ("raw-avi", include_str!("../../schemas/raw-avi.schema.json")),
    (
        "raw-binary-reader",
        include_str!("../../schemas/raw-binary-reader.schema.json"),
    ),
    (
        "raw-bitmap",
        include_str!("../../schemas/raw-bitmap.schema.json"),
    ),
    ("raw-dds", include_str!("../../schemas/raw-dds.schema.json")),
    (
        "raw-decoded",
        include_str!("../../schemas/raw-decoded.schema.json"),
    ),
    (
        "raw-emitter-definitions",
        include_str!("../../schemas/raw-emitter-definitions.schema.json"),
    ),
    (
        "raw-emitter-text",
        include_str!("../../schemas/raw-emitter-text.schema.json"),
    ),
    (
        "raw-emitters",
        include_str!("../../schemas/raw-emitters.schema.json"),
    ),
    (
        "raw-environment-emitters",
        include_str!("../../schemas/raw-environment-emitters.schema.json"),
    ),
    (
        "raw-eqg-animation",
        include_str!("../../schemas/raw-eqg-animation.schema.json"),
    ),
    (
        "raw-eqg-creature",
        include_str!("../../schemas/raw-eqg-creature.schema.json"),
    ),
    (
        "raw-eqg-layers",
        include_str!("../../schemas/raw-eqg-layers.schema.json"),
    ),
    (
        "raw-eqg-light",
        include_str!("../../schemas/raw-eqg-light.schema.json"),
    ),
    (
        "raw-eqg-model",
        include_str!("../../schemas/raw-eqg-model.schema.json"),
    ),
    (
        "raw-eqg-particles",
        include_str!("../../schemas/raw-eqg-particles.schema.json"),
    ),
    (
        "raw-eqg-points",
        include_str!("../../schemas/raw-eqg-points.schema.json"),
    ),
    (
        "raw-eqg-terrain",
        include_str!("../../schemas/raw-eqg-terrain.schema.json"),
    ),
    (
        "raw-eqg-text",
        include_str!("../../schemas/raw-eqg-text.schema.json"),
    ),
    (
        "raw-eqg-tiles",
        include_str!("../../schemas/raw-eqg-tiles.schema.json"),
    ),
    (
        "raw-eqg-walls",
        include_str!("../../schemas/raw-eqg-walls.schema.json"),
    ),
    (
        "raw-eqg-zone-text",
        include_str!("../../schemas/raw-eqg-zone-text.schema.json"),
    ),
    (
        "raw-eqg-zone",
        include_str!("../../schemas/raw-eqg-zone.schema.json"),
    ),
    (
        "raw-game-z",
        include_str!("../../schemas/raw-game-z.schema.json"),
    ),
    (
        "raw-grass-cards",
        include_str!("../../schemas/raw-grass-cards.schema.json"),
    ),
    (
        "raw-interp",
        include_str!("../../schemas/raw-interp.schema.json"),
    ),
    (
        "raw-livery",
        include_str!("../../schemas/raw-livery.schema.json"),
    ),
    (
        "raw-mech",
        include_str!("../../schemas/raw-mech.schema.json"),
    ),
    (
        "raw-mechlib-member",
        include_str!("../../schemas/raw-mechlib-member.schema.json"),
    ),
    (
        "raw-message-dll",
        include_str!("../../schemas/raw-message-dll.schema.json"),
    ),
    (
        "raw-motion",
        include_str!("../../schemas/raw-motion.schema.json"),
    ),
    ("raw-pfs", include_str!("../../schemas/raw-pfs.schema.json")),
    (
        "raw-plane",
        include_str!("../../schemas/raw-plane.schema.json"),
    ),
    ("raw-ply", include_str!("../../schemas/raw-ply.schema.json")),
    ("raw-rof", include_str!("../../schemas/raw-rof.schema.json")),
    (
        "raw-save-member",
        include_str!("../../schemas/raw-save-member.schema.json"),
    ),
    (
        "raw-sound-bank",
        include_str!("../../schemas/raw-sound-bank.schema.json"),
    ),
    (
        "raw-spell-sprites",
        include_str!("../../schemas/raw-spell-sprites.schema.json"),
    ),
    (
        "raw-spell-stages",
        include_str!("../../schemas/raw-spell-stages.schema.json"),
    ),
    (
        "raw-spell-table",
        include_str!("../../schemas/raw-spell-table.schema.json"),
    ),
    (
        "raw-text-list",
        include_str!("../../schemas/raw-text-list.schema.json"),
    ),
    (
        "raw-text-reader",
        include_str!("../../schemas/raw-text-reader.schema.json"),
    ),
    (
        "raw-texture-directory",
        include_str!("../../schemas/raw-texture-directory.schema.json"),
    ),
    (
        "raw-texture",
        include_str!("../../schemas/raw-texture.schema.json"),
    ),
    (
        "raw-textures",
        include_str!("../../schemas/raw-textures.schema.json"),
    ),
    (
        "raw-wave",
        include_str!("../../schemas/raw-wave.schema.json"),
    ),
    ("raw-wld", include_str!("../../schemas/raw-wld.schema.json")),
    (
        "raw-world-settings",
        include_str!("../../schemas/raw-world-settings.schema.json"),
    ),
    (
        "raw-xmidi",
        include_str!("../../schemas/raw-xmidi.schema.json"),
    ),
    (
        "raw-zmap",
        include_str!("../../schemas/raw-zmap.schema.json"),
    ),
    (
        "raw-zone-map",
        include_str!("../../schemas/raw-zone-map.schema.json"),
    ),
    ("reader", include_str!("../../schemas/reader.schema.json")),
    ("readers", include_str!("../../schemas/readers.schema.json")),
    ("regions", include_str!("../../schemas/regions.schema.json")),
    (
        "resources",
        include_str!("../../schemas/resources.schema.json"),
    ),
    (
        "save-section",
        include_str!("../../schemas/save-section.schema.json"),
    ),
    ("save", include_str!("../../schemas/save.schema.json")),
    ("scripts", include_str!("../../schemas/scripts.schema.json")),
    (
        "sound-emitters-text",
        include_str!("../../schemas/sound-emitters-text.schema.json"),
    ),
    (
        "sound-emitters",
        include_str!("../../schemas/sound-emitters.schema.json"),
    ),
    (
        "sound-names",
        include_str!("../../schemas/sound-names.schema.json"),
    ),
    (
        "spell-effects",
        include_str!("../../schemas/spell-effects.schema.json"),
    ),
    ("spells", include_str!("../../schemas/spells.schema.json")),
    (
        "surroundings",
        include_str!("../../schemas/surroundings.schema.json"),
    ),
    (
        "text-list",
        include_str!("../../schemas/text-list.schema.json"),
    ),
    (
        "texture-package",
        include_str!("../../schemas/texture-package.schema.json"),
    ),
    ("tiles", include_str!("../../schemas/tiles.schema.json")),
    ("values", include_str!("../../schemas/values.schema.json")),
    ("walls", include_str!("../../schemas/walls.schema.json")),
    (
        "world-settings",
        include_str!("../../schemas/world-settings.schema.json"),
    ),
    ("world", include_str!("../../schemas/world.schema.json")),
    (
        "zone-map",
        include_str!("../../schemas/zone-map.schema.json"),
    ),
];
