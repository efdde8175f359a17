//! Finds the stored item behind each node, corner, color and key of a scene.
//!
//! It converts the archive once more, with numbers in place of positions, colors and properties. So this module needs
//! no knowledge of how the converter orders vertices, drops faces or chooses light.

use super::members::{Body, Member, Members};
use crate::config::ByteOrder;
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::colors::level_at;
use crate::pack::scene::everquest::corners::{VertexId, to_file};
use crate::pack::scene::everquest::edits::Place;
use relicast_codec::Vec3;
use relicast_formats::everquest::eqg::parts::{Material, Property, PropertyKind, Strings};
use relicast_formats::everquest::wld::Bgra;

/// The stored item that a position of the numbered scene identifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Code {
    /// A placement of a zone.
    Placement(Place),
    /// A light of a zone.
    Lamp(Place),
    /// A vertex.
    Vertex(VertexId),
    /// A key of a track, by its number.
    Key(Place, usize),
}

/// A list of baked light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    /// The colors of the vertices of a piece.
    Own(Place),
    /// A member that is baked light.
    Light(usize),
    /// The light of a placement.
    Placement(Place),
}

impl List {
    /// The member that stores it.
    pub(super) fn member(self) -> usize {
        match self {
            Self::Light(member) => member,
            Self::Own(place) | Self::Placement(place) => place.member,
        }
    }
}

/// Ranges of numbers for each kind, on the third axis; larger than the coordinates of any zone.
const PLACEMENTS: f32 = 2_000_003.0;
const LAMPS: f32 = 2_000_017.0;
const PIECES: f32 = 3_000_000.0;
const TRACKS: f32 = 4_000_000.0;

/// Numbers that each kind may use.
const MAX_VALUE: f32 = 1_000_000.0;

/// Whole numbers that single precision holds exactly.
const WHOLE: f32 = 16_777_216.0;

/// The property that holds the number of a material.
pub(super) const NUMBER: &str = "relicast_number";

fn position(number: usize, member: usize, third: f32) -> Result<Vec3, Refusal> {
    let parts = [number as f32, member as f32, third];
    match parts[0] < WHOLE && parts[1] < WHOLE {
        true => Ok(Vec3::from(parts)),
        false => Err(refusal!("its archive has too many vertices")),
    }
}

/// A number of this kind on the third axis.
fn third(start: f32, number: usize) -> Result<f32, Refusal> {
    let number = number as f32;
    match number < MAX_VALUE {
        true => Ok(start + number),
        false => Err(refusal!("its archive has too many parts")),
    }
}

fn is_place(stored: Vec3) -> bool {
    stored.to_array().iter().all(|part| part.abs() <= 1e15)
}

/// All lists of baked light, in the order of their numbers.
pub(super) fn lists(members: &Members<'_>) -> Vec<List> {
    let mut all = Vec::new();
    for (member, file) in members.files.iter().enumerate() {
        match &file.body {
            Body::Light(_) => all.push(List::Light(member)),
            Body::Zone(zone) => {
                let placements = zone.placements.iter().enumerate();
                let lit = placements.filter(|(_, placement)| placement.colors.is_some());
                all.extend(lit.map(|(index, _)| List::Placement(Place { member, index })));
            }
            Body::Mesh(_) | Body::Creature(_) => {
                let pieces = (0..file.pieces()).filter(|&piece| {
                    let piece = file.piece(piece);
                    piece.is_some_and(|piece| piece.is_colored)
                });
                all.extend(pieces.map(|index| List::Own(Place { member, index })));
            }
            Body::Animation(_) => {}
        }
    }
    all
}

/// The colors of a list.
pub(super) fn colors_mut<'m>(members: &'m mut Members<'_>, list: List) -> Vec<&'m mut [u8; 4]> {
    let member = list.member();
    let Some(file) = members.edit(member) else {
        return Vec::new();
    };
    if let List::Own(place) = list {
        let vertices = file.vertices_mut(place.index).into_iter().flatten();
        return vertices.map(|vertex| &mut vertex.color).collect();
    }
    match (list, &mut file.body) {
        (List::Light(_), Body::Light(light)) => light.colors.iter_mut().collect(),
        (List::Placement(place), Body::Zone(zone)) => {
            let placement = zone.placements.get_mut(place.index);
            let colors = placement.and_then(|placement| placement.colors.as_mut());
            colors.into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// A color of a list, and the number of colors.
pub(super) fn color_of(
    members: &Members<'_>,
    list: List,
    number: usize,
) -> Option<([u8; 4], usize)> {
    match list {
        List::Light(member) => match &members.files.get(member)?.body {
            Body::Light(light) => Some((*light.colors.get(number)?, light.colors.len())),
            _ => None,
        },
        List::Placement(Place { member, index }) => {
            let zone = members.files.get(member)?.zone()?;
            let colors = zone.placements.get(index)?.colors.as_ref()?;
            Some((*colors.get(number)?, colors.len()))
        }
        List::Own(place) => {
            let piece = members.piece(place)?;
            let vertex = piece.vertices.get(number)?;
            Some((vertex.color, piece.vertices.len()))
        }
    }
}

/// Converts baked light to or from the byte order of the settings: the same change both ways.
pub(super) fn ordered([first, green, third, alpha]: [u8; 4], order: ByteOrder) -> [u8; 4] {
    match order {
        ByteOrder::Rgba => [first, green, third, alpha],
        ByteOrder::Bgra => [third, green, first, alpha],
    }
}

/// Baked light in the format of the older files.
pub(super) fn light_of(stored: [u8; 4], order: ByteOrder) -> Bgra {
    let [red, green, blue, alpha] = ordered(stored, order);
    Bgra {
        blue,
        green,
        red,
        alpha,
    }
}

/// Replaces positions, colors and keys by numbers, and gives each material its number.
///
/// # Errors
/// There are more of them than numbers.
pub(super) fn number(members: &mut Members<'_>, order: ByteOrder) -> Result<(), Refusal> {
    for (number, list) in lists(members).into_iter().enumerate() {
        let [low, middle, high, ..] = number.to_le_bytes();
        for color in colors_mut(members, list) {
            *color = ordered([low, middle, high, 0], order);
        }
    }
    let mut material = 0_i32;
    for member in 0..members.files.len() {
        let Some(file) = members.edit(member) else {
            continue;
        };
        number_member(file, member)?;
        match &mut file.body {
            Body::Mesh(mesh) => {
                number_materials(&mut mesh.materials, &mut mesh.strings, &mut material);
            }
            Body::Creature(creature) => {
                number_materials(
                    &mut creature.materials,
                    &mut creature.strings,
                    &mut material,
                );
            }
            _ => {}
        }
    }
    Ok(())
}

fn number_member(file: &mut Member, member: usize) -> Result<(), Refusal> {
    for piece in 0..file.pieces() {
        let third = third(PIECES, piece)?;
        let vertices = file.vertices_mut(piece).into_iter().flatten();
        for (number, vertex) in vertices.enumerate() {
            // Faces with a position that is not finite are dropped.
            if is_place(vertex.position) {
                vertex.position = position(number, member, third)?;
            }
        }
    }
    match &mut file.body {
        Body::Zone(zone) => {
            for (number, placement) in zone.placements.iter_mut().enumerate() {
                if is_place(placement.position) {
                    placement.position = position(number, member, PLACEMENTS)?;
                }
            }
            for (number, light) in zone.lights.iter_mut().enumerate() {
                if is_place(light.position) {
                    let [x, y, z] = position(number, member, LAMPS)?.to_array();
                    light.position = Vec3::from(lamp_axes([x, y, z]));
                }
            }
        }
        Body::Animation(animation) => {
            for (number, track) in animation.tracks.iter_mut().enumerate() {
                let third = third(TRACKS, number)?;
                for (key, stored) in track.keys.iter_mut().enumerate() {
                    if is_place(stored.translation) {
                        stored.translation = position(key, member, third)?;
                    }
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn number_materials(materials: &mut [Material], strings: &mut Strings, next: &mut i32) {
    let name = strings.add(NUMBER);
    for material in materials {
        material.properties.push(Property {
            name,
            kind: PropertyKind::Integer,
            value: next.cast_unsigned(),
        });
        *next = next.saturating_add(1);
    }
}

/// Converts a position from general axes to the axes of lights: −y, x and z.
pub(super) fn lamp_axes([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-y, x, z]
}

/// Converts a position from the axes of lights to general axes.
pub(super) fn from_lamp_axes([first, second, third]: [f32; 3]) -> [f32; 3] {
    [second, -first, third]
}

/// The materials of the models of an archive, in the order of their numbers.
pub(super) fn materials(members: &Members<'_>) -> Vec<Place> {
    let files = members.files.iter().enumerate();
    let places = files.flat_map(|(member, file)| {
        let count = file.materials().map_or(0, |(materials, _)| materials.len());
        (0..count).map(move |index| Place { member, index })
    });
    places.collect()
}

/// Decodes a position of the numbered scene; `None` if it is from another archive.
pub(super) fn code_at(place: [f32; 3]) -> Option<Code> {
    let [number, member, third] = to_file(place);
    let whole = |part: f32| {
        let fits = part.fract() == 0.0 && (0.0..WHOLE).contains(&part);
        fits.then_some(part as usize)
    };
    let (index, member) = (whole(number)?, whole(member)?);
    let in_list = |start: f32| whole(third - start).filter(|&at| (at as f32) < MAX_VALUE);
    if third == PLACEMENTS {
        return Some(Code::Placement(Place { member, index }));
    }
    if third == LAMPS {
        return Some(Code::Lamp(Place { member, index }));
    }
    if let Some(track) = in_list(TRACKS) {
        let (frame, index) = (index, track);
        return Some(Code::Key(Place { member, index }, frame));
    }
    Some(Code::Vertex(VertexId {
        mesh: Place {
            member,
            index: in_list(PIECES)?,
        },
        vertex: index,
    }))
}

/// The number of the list that the color of a corner of the numbered scene is from.
pub(super) fn list_at(color: [f32; 3]) -> Option<usize> {
    let [low, middle, high] = color.map(level_at);
    Some(low? | (middle? << 8) | (high? << 16))
}
