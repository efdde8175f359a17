//! Regions: the leaves of a zone, with the mesh in each and the regions it sees.

use serde::Serialize;

use super::encoded_text::EncodedText;
use super::fields::{count16, counted, optional, optional_part};
use super::material::RenderMethod;
use super::reference::FragmentRef;
use super::shading::Shading;
use super::visibility;
use crate::formats::codec::{Blob, Decoded, Deviations, F32, Result, Stream, Vec3, Walk};

bitflags::bitflags! {
    /// Which optional fields a region has.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct RegionFlags: u32 {
        /// A bounding sphere.
        const SPHERE = 1 << 0;
        /// Volume of the echo.
        const REVERB_VOLUME = 1 << 1;
        /// Offset of the echo.
        const REVERB_OFFSET = 1 << 2;
        /// An older mesh.
        const LEGACY_MESH = 1 << 6;
        /// Visibility lists are run-length codes.
        const CODED_LISTS = 1 << 7;
        /// A mesh.
        const MESH = 1 << 8;
        const _ = !0;
    }
}
crate::plain_flags!(RegionFlags: u32);

crate::record! {
    /// A vertex near another; meaning unknown.
    pub struct Proximal[8]: FixedSize {
        /// Its index.
        vertex: u32,
        /// Its distance.
        distance: F32,
    }
}

crate::record! {
    /// A node of the partition inside a region.
    pub struct VisibilityNode[28]: FixedSize {
        /// Normal of the plane.
        normal: Vec3,
        /// Distance of the plane.
        distance: F32,
        /// Number of the visibility list.
        list: u32,
        /// Node in front.
        front: u32,
        /// Node behind.
        back: u32,
    }
}

/// The drawn part of a [`Wall`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WallFace {
    /// How it is drawn.
    pub render_method: RenderMethod,
    /// How it is shaded.
    pub shading: Shading,
    /// Normal and distance of its plane.
    pub plane: [F32; 4],
}

/// A wall of a region (by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Wall {
    /// Bit 1: a face follows.
    pub flags: u32,
    /// Indices of its vertices.
    pub vertices: Vec<u32>,
    /// How it looks.
    pub face: Option<WallFace>,
}

impl<'a> Walk<'a> for Wall {
    const SMALLEST: usize = 8;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        counted(stream, "vertices", &mut self.vertices)?;
        let present = self.flags & 2 != 0;
        optional_part(stream, present, "face", &mut self.face, |stream, face| {
            stream.value("render_method", &mut face.render_method)?;
            stream.nested("shading", &mut face.shading)?;
            stream.value("plane", &mut face.plane)
        })
    }
}

/// Something that stops movement in a region (by a reference implementation).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Obstacle {
    /// Bit 2: user data follow.
    pub flags: u32,
    /// The region behind it.
    pub next_region: i32,
    /// 8 to 13 vertices, edges and planes; 14 and -15 polygons; 18 the edge of a wall.
    pub kind: i32,
    /// Polygons: indices of the vertices.
    pub vertices: Option<Vec<u32>>,
    /// Kind -15: normal and distance of the plane.
    pub plane: Option<[F32; 4]>,
    /// Kind 18: the wall.
    pub wall: Option<u32>,
    /// Text of the tools.
    pub user_data: Option<EncodedText>,
}

impl<'a> Walk<'a> for Obstacle {
    const SMALLEST: usize = 12;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("next_region", &mut self.next_region)?;
        stream.value("kind", &mut self.kind)?;
        let polygon = matches!(self.kind, 14 | -15);
        optional_part(
            stream,
            polygon,
            "vertices",
            &mut self.vertices,
            |stream, vertices| counted(stream, "vertices", vertices),
        )?;
        optional(stream, self.kind == -15, "plane", &mut self.plane)?;
        optional(stream, self.kind == 18, "wall", &mut self.wall)?;
        let present = self.flags & 4 != 0;
        optional_part(
            stream,
            present,
            "user_data",
            &mut self.user_data,
            |stream, text| text.walk32(stream, "user_data"),
        )
    }
}

/// The regions that can be seen, in one of two forms.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VisibilityList<'a> {
    /// A run-length code.
    Coded(Blob<'a>),
    /// Numbers, counted from 0 (a guess; every file seen has codes).
    Plain(Vec<u16>),
}

impl Default for VisibilityList<'_> {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

impl<'a> VisibilityList<'a> {
    /// The regions, counted from 0. Those from `region_count` on are left out and reported.
    pub fn regions(&self, region_count: u32) -> Decoded<Vec<u32>> {
        let numbers = match self {
            Self::Coded(code) => return visibility::regions(code, region_count),
            Self::Plain(numbers) => numbers,
        };
        let (inside, outside): (Vec<u32>, Vec<u32>) = numbers
            .iter()
            .map(|&number| u32::from(number))
            .partition(|&number| number < region_count);
        let mut deviations = Deviations::default();
        if let Some(first) = outside.first() {
            deviations.push(
                "list",
                0,
                format_args!("regions below {region_count}"),
                first,
            );
        }
        Decoded {
            value: inside,
            deviations,
        }
    }

    /// The same as runs: the first number of each and how many there are, in the order of the list.
    pub fn runs(&self, region_count: u32) -> Decoded<Vec<[u32; 2]>> {
        if let Self::Coded(code) = self {
            return visibility::runs(code, region_count);
        }
        let Decoded { value, deviations } = self.regions(region_count);
        let mut runs: Vec<[u32; 2]> = Vec::new();
        for number in value {
            match runs.last_mut() {
                Some([first, count]) if first.checked_add(*count) == Some(number) => {
                    *count = count.saturating_add(1);
                }
                _ => runs.push([number, 1]),
            }
        }
        Decoded {
            value: runs,
            deviations,
        }
    }

    fn into_owned(self) -> VisibilityList<'static> {
        match self {
            Self::Coded(code) => VisibilityList::Coded(code.into_owned()),
            Self::Plain(numbers) => VisibilityList::Plain(numbers),
        }
    }

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        match self {
            Self::Coded(code) => {
                let count = count16(stream, "length", code.len())?;
                stream.bytes("code", &mut code.0, count)
            }
            Self::Plain(numbers) => {
                let count = count16(stream, "length", numbers.len())?;
                stream.values("regions", numbers, count)
            }
        }
    }
}

/// A region (kind 0x22).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Region<'a> {
    /// Which optional fields follow.
    pub flags: RegionFlags,
    /// The ambient light; 0 in every file seen.
    pub ambient_light: FragmentRef,
    /// Corners; none in the files seen, as with the next six lists.
    pub vertices: Vec<Vec3>,
    /// Vertices near others.
    pub proximals: Vec<Proximal>,
    /// Corners of what is drawn.
    pub render_vertices: Vec<Vec3>,
    /// Walls.
    pub walls: Vec<Wall>,
    /// Obstacles.
    pub obstacles: Vec<Obstacle>,
    /// Number of the obstacles that cut; they have no data of their own.
    pub cutting_obstacles: u32,
    /// Partition inside the region: one node in the files seen.
    pub nodes: Vec<VisibilityNode>,
    /// What can be seen: one list in the files seen. Their form must agree with the flags.
    pub visible: Vec<VisibilityList<'a>>,
    /// Bounding sphere: centre and radius.
    pub sphere: Option<[F32; 4]>,
    /// Volume of the echo.
    pub reverb_volume: Option<F32>,
    /// Offset of the echo.
    pub reverb_offset: Option<i32>,
    /// Text of the tools.
    pub user_data: EncodedText,
    /// The mesh.
    pub mesh: Option<FragmentRef>,
}

impl Region<'_> {
    /// The same without bytes of the file.
    pub(super) fn into_owned(self) -> Region<'static> {
        let visible = self.visible.into_iter();
        Region {
            flags: self.flags,
            ambient_light: self.ambient_light,
            vertices: self.vertices,
            proximals: self.proximals,
            render_vertices: self.render_vertices,
            walls: self.walls,
            obstacles: self.obstacles,
            cutting_obstacles: self.cutting_obstacles,
            nodes: self.nodes,
            visible: visible.map(VisibilityList::into_owned).collect(),
            sphere: self.sphere,
            reverb_volume: self.reverb_volume,
            reverb_offset: self.reverb_offset,
            user_data: self.user_data,
            mesh: self.mesh,
        }
    }
}

impl<'a> Walk<'a> for Region<'a> {
    const SMALLEST: usize = 44;

    fn walk<S: Stream<'a>>(&mut self, stream: &mut S) -> Result<()> {
        stream.value("flags", &mut self.flags)?;
        stream.value("ambient_light", &mut self.ambient_light)?;
        let vertices = stream.count("vertex_count", self.vertices.len())?;
        let proximals = stream.count("proximal_count", self.proximals.len())?;
        let render_vertices = stream.count("render_vertex_count", self.render_vertices.len())?;
        let walls = stream.count("wall_count", self.walls.len())?;
        let obstacles = stream.count("obstacle_count", self.obstacles.len())?;
        stream.value("cutting_obstacles", &mut self.cutting_obstacles)?;
        let nodes = stream.count("node_count", self.nodes.len())?;
        let lists = stream.count("list_count", self.visible.len())?;
        stream.values("vertices", &mut self.vertices, vertices)?;
        stream.values("proximals", &mut self.proximals, proximals)?;
        stream.values(
            "render_vertices",
            &mut self.render_vertices,
            render_vertices,
        )?;
        stream.records("walls", &mut self.walls, walls)?;
        stream.records("obstacles", &mut self.obstacles, obstacles)?;
        stream.values("nodes", &mut self.nodes, nodes)?;
        let flags = self.flags;
        let has = |flag| flags.contains(flag);
        let coded = has(RegionFlags::CODED_LISTS);
        stream.list("visible", &mut self.visible, lists, 2, |stream, list| {
            if S::READING && coded {
                *list = VisibilityList::Coded(Blob::default());
            }
            if coded != matches!(list, VisibilityList::Coded(_)) {
                return Err(crate::formats::codec::FormatError::unencodable(
                    "list",
                    stream.position(),
                    "the form that the flags tell",
                    "the other",
                ));
            }
            list.walk(stream)
        })?;
        optional(stream, has(RegionFlags::SPHERE), "sphere", &mut self.sphere)?;
        optional(
            stream,
            has(RegionFlags::REVERB_VOLUME),
            "reverb_volume",
            &mut self.reverb_volume,
        )?;
        optional(
            stream,
            has(RegionFlags::REVERB_OFFSET),
            "reverb_offset",
            &mut self.reverb_offset,
        )?;
        self.user_data.walk32(stream, "user_data")?;
        let meshes = RegionFlags::MESH | RegionFlags::LEGACY_MESH;
        optional(stream, flags.intersects(meshes), "mesh", &mut self.mesh)
    }
}
