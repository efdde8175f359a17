//! Parts that several EQG files share: strings, materials, vertices, triangles, bones.
//!
//! ```
//! use relicast_formats::everquest::eqg::parts::{Bone, Strings, parents};
//!
//! let mut strings = Strings::default();
//! let hilt = strings.add("hilt");
//! assert_eq!(strings.text(hilt), "hilt");
//!
//! // A bone and its only child.
//! let bone = Bone { next: -1, child: -1, ..Bone::default() };
//! let (parents, _) = parents(&[Bone { children: 1, child: 1, ..bone }, bone]);
//! assert_eq!(parents, [None, Some(0)]);
//! ```

use relicast_codec::quantity::counted;
use serde::{Serialize, Serializer};

use crate::everquest::plain;
use relicast_codec::{
    Blob, Deviations, F32, Field, FixedSize, FormatError, Result, Stream, Vec2, Vec3, shown,
};

/// Offset that marks a missing string.
pub const NO_STRING: u32 = u32::MAX;

/// The names of a file: texts of Windows-1252 bytes, each ended by a NUL. References are byte offsets. The
/// bytes are stored unchanged, so that offsets stay valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strings(Vec<u8>);

impl Strings {
    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is no byte.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text at a byte offset; `None` after the last byte. A text without a NUL ends with the table.
    pub fn get(&self, offset: u32) -> Option<String> {
        let rest = self
            .0
            .get(offset as usize..)
            .filter(|rest| !rest.is_empty())?;
        let text = rest.split(|&byte| byte == 0).next().unwrap_or_default();
        Some(plain::text(text))
    }

    /// The text at a byte offset; empty if there is none.
    pub fn text(&self, offset: u32) -> String {
        self.get(offset).unwrap_or_default()
    }

    /// Appends a text and returns its offset. Like the packers of the games, it shares no texts. Characters that
    /// Windows-1252 lacks become `?`.
    pub fn add(&mut self, text: &str) -> u32 {
        let offset = u32::try_from(self.0.len()).unwrap_or(NO_STRING);
        let bytes = plain::text_bytes(text).unwrap_or_else(|| {
            let plain = |letter: char| if letter.is_ascii() { letter } else { '?' };
            text.chars().map(plain).collect::<String>().into_bytes()
        });
        self.0.extend(bytes.into_iter().filter(|&byte| byte != 0));
        self.0.push(0);
        offset
    }

    /// The text that contains an offset, as the range of bytes from its start to its NUL.
    pub fn range(&self, offset: u32) -> Option<std::ops::Range<u32>> {
        let at = offset as usize;
        let rest = self.0.get(at..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|&byte| byte == 0);
        let end = end.map_or(self.0.len(), |length| at.saturating_add(length));
        let before = self.0.get(..at)?.iter().rposition(|&byte| byte == 0);
        let start = before.map_or(0, |nul| nul.saturating_add(1));
        Some(u32::try_from(start).ok()?..u32::try_from(end).ok()?)
    }

    /// Replaces the text that starts at an offset. The bytes after it move by the number of bytes
    /// that is returned; `None` if nothing changed: there is no such text, or Windows-1252 cannot encode the new one.
    pub fn replace(&mut self, offset: u32, text: &str) -> Option<i64> {
        let range = self.range(offset).filter(|range| range.start == offset)?;
        let bytes = plain::text_bytes(text).filter(|bytes| !bytes.contains(&0))?;
        let way = bytes.len() as i64 - i64::from(range.end - range.start);
        self.0
            .splice(range.start as usize..range.end as usize, bytes);
        Some(way)
    }

    /// The offset of an existing text.
    pub fn find(&self, text: &str) -> Option<u32> {
        let bytes = plain::text_bytes(text)?;
        let mut offset = 0_usize;
        for known in self.0.split(|&byte| byte == 0) {
            if known == bytes && offset < self.0.len() {
                return u32::try_from(offset).ok();
            }
            offset = offset.saturating_add(known.len()).saturating_add(1);
        }
        None
    }

    pub(super) fn visit<'a, S: Stream<'a>>(&mut self, stream: &mut S, length: usize) -> Result<()> {
        let offset = stream.position();
        stream.values("strings", &mut self.0, length)?;
        if S::READING && self.0.last().is_some_and(|&last| last != 0) {
            stream.deviate("strings", offset, "a NUL at the end", "none");
        }
        Ok(())
    }

    /// Reports a reference to a missing string.
    pub(super) fn check(&self, deviations: &mut Deviations, field: &str, offset: u32) {
        if offset as usize >= self.0.len() {
            let expected = format_args!("an offset below {}", self.0.len());
            deviations.push(field, 0, expected, offset);
        }
    }
}

relicast_codec::json_form_of!(Strings => Vec<String>);

impl Serialize for Strings {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let bytes = self.0.strip_suffix(&[0]).unwrap_or(&self.0);
        let texts = bytes.split(|&byte| byte == 0).map(plain::text);
        serializer.collect_seq(texts.filter(|_| !self.0.is_empty()))
    }
}

/// A text that ends in a NUL.
pub(super) fn terminated<'a, S: Stream<'a>>(
    field: &'static str,
    text: &mut String,
    stream: &mut S,
) -> Result<()> {
    let start = stream.position();
    if S::READING {
        let mut bytes = Vec::new();
        loop {
            let mut byte = 0_u8;
            stream.value(field, &mut byte)?;
            if byte == 0 {
                break;
            }
            bytes.push(byte);
        }
        *text = plain::text(&bytes);
        return Ok(());
    }
    let bytes = plain::text_bytes(text).filter(|bytes| !bytes.contains(&0));
    let mut bytes = bytes.ok_or_else(|| {
        FormatError::unencodable(field, start, "text in Windows-1252 without a NUL", &*text)
    })?;
    bytes.push(0);
    let length = bytes.len();
    stream.values(field, &mut bytes, length)
}

/// Reads or writes the bytes after the last field: by rule none, so bytes there are preserved and reported. Some
/// tools leave four zeros.
pub(super) fn trailing<'a, S: Stream<'a>>(bytes: &mut Blob<'static>, stream: &mut S) -> Result<()> {
    let offset = stream.position();
    let mut list = bytes.to_vec();
    let length = match S::READING {
        true => stream.remaining(),
        false => list.len(),
    };
    stream.values("trailing", &mut list, length)?;
    if S::READING && length > 0 {
        let found = counted(length, "more byte", "more bytes");
        stream.deviate("trailing", offset, "end of data", found);
    }
    *bytes = Blob::from(list);
    Ok(())
}

/// Error for an unknown version.
pub(super) fn unknown_version(known: &str, found: u32) -> FormatError {
    FormatError::unsupported("version", 4, format_args!("version {known}"), found)
}

/// Version of a file with vertices, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeshVersion {
    /// 1.
    One,
    /// 2.
    Two,
    /// 3: vertices have colors and second texture coordinates.
    Three,
}

impl MeshVersion {
    /// The version with a number.
    ///
    /// # Errors
    /// The version is unknown.
    pub fn new(number: u32) -> Result<Self> {
        match number {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            3 => Ok(Self::Three),
            other => Err(unknown_version("1, 2 or 3", other)),
        }
    }
}

relicast_codec::open_enum! {
    /// Type of a property's value.
    pub enum PropertyKind: u32 {
        /// A float.
        Float = 0,
        /// An integer, which the client ignores.
        Integer = 1,
        /// Offset of a string, mostly the name of a picture.
        Text = 2,
        /// A color: blue, green, red and alpha, a byte each.
        Color = 3,
    }
}

relicast_codec::record! {
    /// A property of a material, 12 bytes.
    pub struct Property[12]: FixedSize {
        /// Offset 0: its name.
        name: u32,
        /// Offset 4: type of the value.
        kind: PropertyKind,
        /// Offset 8: the value, as its bits.
        value: u32,
    }
}

/// The value of a [`Property`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PropertyValue {
    /// A float.
    Float(F32),
    /// An integer.
    Integer(i32),
    /// A text.
    Text(String),
    /// Red, green, blue, alpha.
    Color([u8; 4]),
    /// The bits of a value of unknown kind.
    Unknown(u32),
}

impl Property {
    /// The value, with texts looked up.
    pub fn value(&self, strings: &Strings) -> PropertyValue {
        match self.kind {
            PropertyKind::Float => PropertyValue::Float(F32(f32::from_bits(self.value))),
            PropertyKind::Integer => PropertyValue::Integer(self.value.cast_signed()),
            PropertyKind::Text => PropertyValue::Text(strings.text(self.value)),
            PropertyKind::Color => {
                let [blue, green, red, alpha] = self.value.to_le_bytes();
                PropertyValue::Color([red, green, blue, alpha])
            }
            _ => PropertyValue::Unknown(self.value),
        }
    }
}

relicast_codec::record! {
    /// A material: a shader and its properties.
    pub struct Material[16..] {
        /// Offset 0: a number. Triangles count materials in the order of the list instead.
        number: u32,
        /// Offset 4: name. The client uses the first material with a name.
        name: u32,
        /// Offset 8: name of the shader.
        shader: u32,
        /// Offset 12: number of properties.
        property_count: u32 [counts properties],
        /// The properties, in any order.
        properties: Vec<Property> [count property_count],
    }
}

impl Material {
    /// Reports missing names, and properties of unknown kinds.
    pub(super) fn check(&self, strings: &Strings, deviations: &mut Deviations) {
        strings.check(deviations, "materials.name", self.name);
        strings.check(deviations, "materials.shader", self.shader);
        for property in &self.properties {
            strings.check(deviations, "materials.properties.name", property.name);
            match property.kind {
                PropertyKind::Text => {
                    strings.check(deviations, "materials.properties.value", property.value);
                }
                PropertyKind::Float | PropertyKind::Integer | PropertyKind::Color => {}
                kind => {
                    let field = "materials.properties.kind";
                    deviations.push(field, 0, "0 to 3", shown(&kind));
                }
            }
        }
    }
}

relicast_codec::record! {
    /// A vertex: 32 bytes, 44 from version 3 on. In file axes.
    pub struct Vertex[32, 32, 44, 44] in MeshVersion {
        /// Offset 0: position.
        position: Vec3,
        /// Offset 12: its normal.
        normal: Vec3,
        /// Offset 24, version 3: baked light, red, green and blue (or blue first: references and data differ),
        /// and the share of daylight that reaches it.
        color: [u8; 4] [since Three],
        /// Offset 24, version 3: 28: texture coordinates.
        uv: Vec2,
        /// Offset 36, version 3: second texture coordinates.
        uv2: Vec2 [since Three],
    }
}

/// Visits vertices of a version.
pub(super) fn vertices<'a, S: Stream<'a>>(
    list: &mut Vec<Vertex>,
    stream: &mut S,
    count: usize,
    version: u32,
) -> Result<()> {
    let version = MeshVersion::new(version)?;
    let size = Vertex::size(version);
    stream.list("vertices", list, count, size, |stream, vertex| {
        vertex.visit("vertex", stream, version)
    })
}

bitflags::bitflags! {
    /// Special properties of a triangle.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct TriangleFlags: u32 {
        /// True if it does not stop movement.
        const PASSABLE = 1 << 0;
        /// True if it is not drawn.
        const TRANSPARENT = 1 << 1;
        /// Collision is required (a name of one tool).
        const COLLISION = 1 << 2;
        /// Culled (a name of one tool).
        const CULLED = 1 << 3;
        /// Degenerate (a name of one tool).
        const DEGENERATE = 1 << 4;
        const _ = !0;
    }
}
relicast_codec::plain_flags!(TriangleFlags: u32);

/// Ordinal of the material of a triangle that is not drawn.
pub const NO_MATERIAL: i32 = -1;

relicast_codec::record! {
    /// A triangle, 20 bytes; its corners run counter-clockwise seen from the front.
    pub struct Triangle[20]: FixedSize {
        /// Offset 0: its vertices.
        vertices: [u32; 3],
        /// Offset 12: its material by the index in the list, −1 for none: it is not drawn, but solid.
        material: i32,
        /// Offset 16: flags; the upper half are smoothing groups.
        flags: TriangleFlags,
    }
}

relicast_codec::record! {
    /// A bone, 56 bytes: its transform in its parent.
    pub struct Bone[56]: FixedSize {
        /// Offset 0: name.
        name: u32,
        /// Offset 4: the next bone of the same parent, −1 for none.
        next: i32,
        /// Offset 8: number of children.
        children: u32,
        /// Offset 12: its first child, −1 for none.
        child: i32,
        /// Offset 16: pivot.
        pivot: Vec3,
        /// Offset 28: the inverse of its rotation: x, y, z, w.
        rotation: [F32; 4],
        /// Offset 44: scale.
        scale: Vec3,
    }
}

/// Parent of each bone. Invalid links, links to a bone that has a parent already, and links that close
/// a cycle are skipped; the second value is their number.
pub fn parents(bones: &[Bone]) -> (Vec<Option<usize>>, usize) {
    let mut parents: Vec<Option<usize>> = vec![None; bones.len()];
    let mut linked = vec![false; bones.len()];
    let mut broken = 0_usize;
    for (above, bone) in bones.iter().enumerate() {
        let mut next = bone.child;
        // A chain of siblings is at most as long as the list.
        for _ in 0..bones.len() {
            if next == -1 {
                break;
            }
            let index = usize::try_from(next).ok();
            let found = index.and_then(|index| Some((index, bones.get(index)?)));
            let Some((index, child)) = found else {
                broken = broken.saturating_add(1);
                break;
            };
            let slot = linked.get_mut(index).filter(|taken| !**taken);
            match (slot, parents.get_mut(index)) {
                (Some(taken), Some(parent)) if index != above => {
                    *taken = true;
                    *parent = Some(above);
                }
                _ => {
                    broken = broken.saturating_add(1);
                    break;
                }
            }
            next = child.next;
        }
    }
    // A cycle is cut at its first bone.
    let mut state = vec![0_u8; bones.len()];
    for start in 0..bones.len() {
        let mut way = Vec::new();
        let mut at = start;
        loop {
            match state.get_mut(at) {
                Some(seen @ 0) => *seen = 1,
                Some(1) => {
                    if let Some(parent) = parents.get_mut(at) {
                        *parent = None;
                    }
                    broken = broken.saturating_add(1);
                    break;
                }
                _ => break,
            }
            way.push(at);
            match parents.get(at).copied().flatten() {
                Some(above) => at = above,
                None => break,
            }
        }
        for bone in way {
            if let Some(seen) = state.get_mut(bone) {
                *seen = 2;
            }
        }
    }
    (parents, broken)
}

relicast_codec::record! {
    /// Weight of a bone for a vertex, 8 bytes.
    pub struct Influence[8]: FixedSize {
        /// Offset 0: the bone.
        bone: i32,
        /// Offset 4: its weight.
        weight: F32,
    }
}

relicast_codec::record! {
    /// The bones of a vertex, 36 bytes.
    pub struct VertexWeights[36]: FixedSize {
        /// Offset 0: number of influences, 0 to 4.
        count: u32,
        /// Offset 4: the influences; those beyond the count are arbitrary.
        influences: [Influence; 4],
    }
}

impl VertexWeights {
    /// The influences up to the count.
    pub fn influences(&self) -> &[Influence] {
        let count = (self.count as usize).min(self.influences.len());
        self.influences.get(..count).unwrap_or_default()
    }
}

/// Size of the weights of a vertex.
pub(super) const WEIGHTS_SIZE: usize = <VertexWeights as FixedSize>::SIZE;
/// Size of a bone.
pub(super) const BONE_SIZE: usize = <Bone as FixedSize>::SIZE;

/// Reports indices of a mesh that are out of range.
pub(super) fn check_mesh(
    vertices: usize,
    triangles: &[Triangle],
    materials: usize,
    weights: &[VertexWeights],
    bones: usize,
    deviations: &mut Deviations,
) {
    let is_odd = |triangle: &&Triangle| {
        let mut corners = triangle.vertices.iter();
        corners.any(|&corner| corner as usize >= vertices)
    };
    let odd = triangles.iter().filter(is_odd).count();
    if odd > 0 {
        let found = format_args!("{odd} invalid");
        deviations.push("triangles.vertices", 0, "existing vertices", found);
    }
    let is_odd = |triangle: &&Triangle| {
        let material = usize::try_from(triangle.material);
        triangle.material != NO_MATERIAL
            && material.is_ok_and(|index| index >= materials)
            && materials > 0
            || triangle.material < NO_MATERIAL
    };
    let odd = triangles.iter().filter(is_odd).count();
    if odd > 0 {
        let found = format_args!("{odd} invalid");
        deviations.push("triangles.material", 0, "existing materials", found);
    }
    let is_odd = |weights: &&VertexWeights| {
        let exists =
            |influence: &Influence| usize::try_from(influence.bone).is_ok_and(|bone| bone < bones);
        weights.count > 4 || !weights.influences().iter().all(exists)
    };
    let odd = weights.iter().filter(is_odd).count();
    if odd > 0 {
        let found = format_args!("{odd} invalid");
        deviations.push("weights", 0, "up to 4 existing bones", found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(child: i32, next: i32) -> Bone {
        Bone {
            child,
            next,
            ..Bone::default()
        }
    }

    #[test]
    fn bones_hang_below_others_once_and_in_no_circle() {
        let chain = [bone(1, -1), bone(3, 2), bone(-1, -1), bone(-1, -1)];
        assert_eq!(parents(&chain), (vec![None, Some(0), Some(0), Some(1)], 0));
        let circle = [bone(1, -1), bone(2, -1), bone(0, -1)];
        let (found, broken) = parents(&circle);
        assert_eq!(broken, 1);
        assert_eq!(found.iter().filter(|parent| parent.is_none()).count(), 1);
        let own = [bone(0, -1), bone(7, -1)];
        assert_eq!(parents(&own), (vec![None, None], 2));
        let brothers = [bone(1, -1), bone(-1, 1)];
        assert_eq!(parents(&brothers), (vec![None, Some(0)], 1));
    }

    #[test]
    fn strings_are_found_by_their_offsets() {
        let mut strings = Strings::default();
        assert_eq!(strings.add("one"), 0);
        assert_eq!(strings.add("two"), 4);
        assert_eq!(strings.text(4), "two");
        assert_eq!(strings.text(1), "ne");
        assert_eq!(strings.get(8), None);
        assert_eq!(serde_json::to_string(&strings).unwrap(), r#"["one","two"]"#);
    }

    #[test]
    fn texts_are_replaced_where_they_are() {
        let mut strings = Strings::default();
        let [one, two] = ["one", "two"].map(|text| strings.add(text));
        assert_eq!(strings.range(5), Some(4..7));
        assert_eq!(strings.replace(one, "three"), Some(2));
        assert_eq!(strings.text(two + 2), "two");
        assert_eq!(strings.find("two"), Some(6));
        assert_eq!(strings.find("wo"), None);
        assert_eq!(strings.replace(7, "x"), None);
        assert_eq!(strings.replace(one, "\u{4e00}"), None);
        assert_eq!(strings.replace(one, "one"), Some(-2));
        assert_eq!(strings.find(""), None);
    }
}
