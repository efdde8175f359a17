//! Names of a member: texts that its fields refer to by offset.

use crate::pack::edited::Refusal;
use relicast_formats::everquest::eqg::creature::Creature;
use relicast_formats::everquest::eqg::mesh::Mesh;
use relicast_formats::everquest::eqg::parts::{Bone, Material, PropertyKind, Strings};
use relicast_formats::everquest::eqg::zone::Zone;

/// A field that refers to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// The name of a placement.
    Placement(usize),
    /// The shader of a material.
    Shader(usize),
    /// The value of a property of a material.
    Value(usize, usize),
    /// Another one.
    Other,
}

/// The texts of a member, and the fields that refer to them.
#[derive(Debug)]
pub(super) struct Names<'f> {
    strings: &'f mut Strings,
    fields: Fields<'f>,
}

/// The fields of a member that refer to texts.
type Fields<'f> = Vec<(Field, &'f mut u32)>;

/// The texts of a zone, and the fields that refer to them.
pub(super) fn of_zone(zone: &mut Zone) -> Names<'_> {
    let models = zone.models.iter_mut().map(|name| (Field::Other, name));
    let placements = zone.placements.iter_mut().enumerate();
    let placements = placements.map(|(number, one)| (Field::Placement(number), &mut one.name));
    let regions = zone.regions.iter_mut();
    let regions = regions.map(|one| (Field::Other, &mut one.name));
    let lights = zone.lights.iter_mut();
    let lights = lights.map(|one| (Field::Other, &mut one.name));
    let all = models.chain(placements).chain(regions).chain(lights);
    Names {
        strings: &mut zone.strings,
        fields: all.collect(),
    }
}

fn of_materials<'f>(materials: &'f mut [Material], all: &mut Fields<'f>) {
    for (number, material) in materials.iter_mut().enumerate() {
        all.push((Field::Other, &mut material.name));
        all.push((Field::Shader(number), &mut material.shader));
        for (at, property) in material.properties.iter_mut().enumerate() {
            all.push((Field::Other, &mut property.name));
            if property.kind == PropertyKind::Text {
                all.push((Field::Value(number, at), &mut property.value));
            }
        }
    }
}

fn of_bones<'f>(bones: &'f mut [Bone], all: &mut Fields<'f>) {
    all.extend(bones.iter_mut().map(|bone| (Field::Other, &mut bone.name)));
}

/// The texts of terrain or a model, and the fields that refer to them.
pub(super) fn of_mesh(mesh: &mut Mesh) -> Names<'_> {
    let mut all = Fields::new();
    of_materials(&mut mesh.materials, &mut all);
    of_bones(&mut mesh.tail.bones, &mut all);
    Names {
        strings: &mut mesh.strings,
        fields: all,
    }
}

/// The texts of a creature, and the fields that refer to them.
pub(super) fn of_creature(creature: &mut Creature) -> Names<'_> {
    let mut all = Fields::new();
    of_materials(&mut creature.materials, &mut all);
    of_bones(&mut creature.bones, &mut all);
    let pieces = creature.pieces.iter_mut();
    all.extend(pieces.map(|piece| (Field::Other, &mut piece.name)));
    Names {
        strings: &mut creature.strings,
        fields: all,
    }
}

impl Names<'_> {
    /// Makes a field refer to another text. The text replaces the old one if no other field refers to that, so that the
    /// edit can be undone; else an existing text is used, or a new one is appended.
    ///
    /// # Errors
    /// The text cannot be encoded, or there is no such field.
    pub(super) fn set(self, field: Field, text: &str) -> Result<(), Refusal> {
        let Self {
            strings,
            mut fields,
        } = self;
        let own = fields.iter().position(|(known, _)| *known == field);
        let own = own.ok_or_else(|| refusal!("the file cannot store its name"))?;
        let offset = fields.get(own).map_or(0, |(_, offset)| **offset);
        if strings.text(offset) == text {
            return Ok(());
        }
        let range = strings.range(offset);
        let users = fields.iter().filter(|(_, other)| {
            let range = range.as_ref();
            range.is_some_and(|range| (range.start..=range.end).contains(other))
        });
        let is_alone = users.count() == 1;
        let way = match is_alone {
            true => strings.replace(offset, text),
            false => None,
        };
        if let Some(way) = way {
            for (_, other) in &mut fields {
                let is_behind = **other > offset && **other != u32::MAX;
                if is_behind && let Ok(moved) = u32::try_from(i64::from(**other) + way) {
                    **other = moved;
                }
            }
            return Ok(());
        }
        let found = strings.find(text).unwrap_or_else(|| strings.add(text));
        if strings.text(found) != text {
            refuse!("{text} has characters that Windows-1252 does not have");
        }
        if let Some((_, own)) = fields.get_mut(own) {
            **own = found;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::everquest::eqg::zone::Placement;

    #[test]
    fn names_that_are_set_back_leave_the_file_as_it_was() {
        let mut zone = Zone::default();
        zone.models.push(zone.strings.add("tree.mod"));
        for name in ["TREE01", "TREE02"] {
            let name = zone.strings.add(name);
            zone.placements.push(Placement {
                name,
                ..Placement::default()
            });
        }
        let before = zone.clone();
        of_zone(&mut zone)
            .set(Field::Placement(0), "A_LONGER_NAME")
            .unwrap();
        let text = |zone: &Zone, at: usize| zone.strings.text(zone.placements[at].name);
        assert_eq!(text(&zone, 0), "A_LONGER_NAME");
        assert_eq!(text(&zone, 1), "TREE02");
        of_zone(&mut zone)
            .set(Field::Placement(0), "TREE01")
            .unwrap();
        assert_eq!(zone, before);
        // If another placement has the name too, that one keeps it.
        zone.placements[1].name = zone.placements[0].name;
        of_zone(&mut zone).set(Field::Placement(0), "NEW").unwrap();
        assert_eq!(
            (text(&zone, 0), text(&zone, 1)),
            ("NEW".into(), "TREE01".into())
        );
        assert!(
            of_zone(&mut zone)
                .set(Field::Placement(1), "\u{4e00}")
                .is_err()
        );
        assert!(of_zone(&mut zone).set(Field::Placement(2), "x").is_err());
    }
}
