//! Finds the vertex and fragment behind each corner of a scene.
//!
//! It converts the archive once more, with numbers of the vertices in place of their positions and colors. So this
//! module needs no knowledge of how the converter orders vertices, merges meshes or drops faces.

use super::members::Members;
use crate::pack::edited::Refusal;
use crate::pack::scene::everquest::colors::level_at;
use crate::pack::scene::everquest::corners::VertexId;
use crate::pack::scene::everquest::edits::Place;
use relicast_codec::{F32, QuatWxyz, Vec3};
use relicast_formats::everquest::wld::{
    Bgra, Body, FloatFrame, Frames, LegacyMesh, Mesh, PackedFrame,
};

/// Storage place of a corner's color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColorId {
    /// With the vertices of its mesh.
    Own(usize),
    /// In a list of baked light of a placement.
    List(usize),
}

/// Red of colors of meshes.
const OWN: u8 = 0x5A;

/// Red of colors of lists.
const LIST: u8 = 0xA5;

/// Bits of the fragment number in the second coordinate.
const LOW: usize = 15;

/// Bits of its rest in the third coordinate; higher bits are for the file.
const HIGH: usize = 9;

/// Replaces positions and colors by numbers. Bones do not move, and there is no ambient light.
///
/// # Errors
/// There are more files or fragments than numbers.
pub(super) fn number(members: &mut Members<'_>) -> Result<(), Refusal> {
    for member in 0..members.files.len() {
        let file = members.edit(member).into_iter();
        let fragments = file.flat_map(|file| &mut file.body.fragments);
        for (index, fragment) in fragments.enumerate() {
            let place = Place { member, index };
            match &mut fragment.body {
                Body::Mesh(mesh) => number_mesh(mesh, place)?,
                Body::LegacyMesh(mesh) => number_legacy(mesh, place)?,
                Body::VertexColors(list) => number_colors(list.colors.to_mut(), LIST),
                Body::GlobalAmbientLight(light) => light.color = Bgra::default(),
                Body::TrackDefinition(track) => still(&mut track.frames),
                _ => {}
            }
        }
    }
    Ok(())
}

fn number_mesh(mesh: &mut Mesh, place: Place) -> Result<(), Refusal> {
    mesh.center = Vec3::default();
    mesh.scale_exponent = 0;
    for (vertex, position) in mesh.positions.to_mut().iter_mut().enumerate() {
        *position = coded(VertexId {
            mesh: place,
            vertex,
        })?;
    }
    number_colors(mesh.colors.to_mut(), OWN);
    Ok(())
}

fn number_legacy(mesh: &mut LegacyMesh, place: Place) -> Result<(), Refusal> {
    mesh.center = Vec3::default();
    for (vertex, position) in mesh.positions.iter_mut().enumerate() {
        // Faces with values that are not numbers are dropped.
        if position.to_array().iter().all(|part| part.is_finite()) {
            let code = coded(VertexId {
                mesh: place,
                vertex,
            })?;
            *position = Vec3::from(code.map(f32::from));
        }
    }
    if let Some(colors) = &mut mesh.colors {
        number_colors(colors, OWN);
    }
    Ok(())
}

fn number_colors(colors: &mut [Bgra], red: u8) {
    for (number, color) in colors.iter_mut().enumerate() {
        let [blue, green, ..] = number.to_le_bytes();
        *color = Bgra {
            blue,
            green,
            red,
            alpha: 0,
        };
    }
}

fn still(frames: &mut Frames<'_>) {
    match frames {
        Frames::Packed(frames) => frames.to_mut().fill(PackedFrame {
            rotation: [16384, 0, 0, 0],
            translation: [0; 3],
            scale: 256,
        }),
        Frames::Float(frames) => frames.to_mut().fill(FloatFrame {
            scale: F32(1.0),
            translation: Vec3::default(),
            rotation: QuatWxyz {
                w: F32(1.0),
                ..QuatWxyz::default()
            },
        }),
    }
}

/// A vertex as a position.
fn coded(id: VertexId) -> Result<[i16; 3], Refusal> {
    let Place { member, index } = id.mesh;
    let low = index & ((1 << LOW) - 1);
    let high = (index >> LOW) | (member << HIGH);
    let fits = u16::try_from(id.vertex).ok().zip(i16::try_from(low).ok());
    match fits.zip(i16::try_from(high).ok()) {
        Some(((vertex, low), high)) if index >> LOW < 1 << HIGH => {
            Ok([vertex.cast_signed(), low, high])
        }
        _ => Err(refusal!("its archive has too many fragments")),
    }
}

/// The vertex of a corner in the numbered scene; `None` if its mesh is in another archive.
pub(super) fn vertex_at(position: [f32; 3], members: &Members<'_>) -> Option<VertexId> {
    let whole = |part: f32| -> Option<i16> {
        let fits = part.fract() == 0.0 && (-32768.0..=32767.0).contains(&part);
        fits.then_some(part as i16)
    };
    // Scene axes are y, z and x of the file.
    let [low, high, vertex] = position;
    let vertex = usize::from(whole(vertex)?.cast_unsigned());
    let (low, high) = (
        usize::try_from(whole(low)?).ok()?,
        usize::try_from(whole(high)?).ok()?,
    );
    let member = high >> HIGH;
    let index = ((high & ((1 << HIGH) - 1)) << LOW) | low;
    let mesh = Place { member, index };
    let vertices = match members.body(mesh)? {
        Body::Mesh(mesh) => mesh.positions.len(),
        Body::LegacyMesh(mesh) => mesh.positions.len(),
        _ => return None,
    };
    (vertex < vertices).then_some(VertexId { mesh, vertex })
}

/// Storage place of a corner's color of the numbered scene; `None` if it is in another archive.
pub(super) fn color_at(color: [f32; 3]) -> Option<ColorId> {
    let [red, green, blue] = color.map(level_at);
    let number = blue? | (green? << 8);
    match u8::try_from(red?).ok()? {
        OWN => Some(ColorId::Own(number)),
        LIST => Some(ColorId::List(number)),
        _ => None,
    }
}
