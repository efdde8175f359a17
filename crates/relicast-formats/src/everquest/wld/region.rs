//! Regions: the leaves of a zone, with the mesh in each and the regions it sees.

use std::borrow::Cow;

use serde::Serialize;

use super::encoded_text::EncodedText;
use super::material::RenderMethod;
use super::reference::FragmentRef;
use super::shading::Shading;
use super::visibility;
use relicast_codec::{Blob, Decoded, Deviations, F32, FormatError, Result, Stream, Vec3, owned};

bitflags::bitflags! {
    /// Optional fields of a region.
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
relicast_codec::plain_flags!(RegionFlags: u32);

relicast_codec::record! {
    /// A vertex near another; meaning unknown.
    pub struct Proximal[8]: FixedSize {
        /// Its index.
        vertex: u32,
        /// Its distance.
        distance: F32,
    }
}

relicast_codec::record! {
    /// A node of the partition inside a region.
    pub struct VisibilityNode[28]: FixedSize + InPlace {
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

relicast_codec::record! {
    /// The drawn part of a [`Wall`].
    pub struct WallFace[24..] {
        /// Render method.
        render_method: RenderMethod,
        /// Shading.
        shading: Shading [nested],
        /// Normal and distance of its plane.
        plane: [F32; 4],
    }
}

relicast_codec::record! {
    /// A wall of a region (by a reference implementation).
    pub struct Wall[8..] {
        /// Bit 1: a face follows.
        flags: u32 [bind],
        /// Indices of its vertices.
        vertices: Vec<u32> [counted],
        /// Appearance.
        face: Option<WallFace> [if flags & 2 != 0] [by |face, stream| face.walk(stream)],
    }
}

relicast_codec::record! {
    /// Something that stops movement in a region (by a reference implementation).
    pub struct Obstacle[12..] {
        /// Bit 2: user data follow.
        flags: u32 [bind],
        /// The region behind it.
        next_region: i32,
        /// 8 to 13 vertices, edges and planes; 14 and -15 polygons; 18 the edge of a wall.
        kind: i32 [bind],
        /// Polygons: indices of the vertices.
        vertices: Option<Vec<u32>> [if matches!(kind, 14 | -15)] [counted],
        /// Kind -15: normal and distance of the plane.
        plane: Option<[F32; 4]> [if kind == -15],
        /// Kind 18: the wall.
        wall: Option<u32> [if kind == 18],
        /// Text of the tools.
        user_data: Option<EncodedText> [if flags & 4 != 0] [by |text, stream| text.walk32(stream, "user_data")],
    }
}

/// The regions that can be seen, in one of two forms.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The regions, counted from 0. Numbers from `region_count` on are left out and reported.
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

    /// Passes the regions as runs, the first number and the length of each, in the order of the list. Returns
    /// the deviations of the list.
    pub fn each_run(&self, region_count: u32, mut take: impl FnMut(u32, u32)) -> Deviations {
        if let Self::Coded(code) = self {
            return visibility::each_run(code, region_count, take);
        }
        let Decoded { value, deviations } = self.regions(region_count);
        let in_a_row = |one: &u32, next: &u32| one.checked_add(1) == Some(*next);
        for run in value.chunk_by(in_a_row) {
            let count = u32::try_from(run.len()).unwrap_or(u32::MAX);
            run.first()
                .into_iter()
                .for_each(|&first| take(first, count));
        }
        deviations
    }

    /// Replaces the regions, counted from 0 and ascending, in the same form.
    ///
    /// # Errors
    /// The form cannot hold a number.
    pub fn set_regions(&mut self, regions: &[u32]) -> Result<()> {
        match self {
            Self::Coded(code) => *code = Blob(visibility::encode(regions).into()),
            Self::Plain(numbers) => {
                let number = |&region: &u32| {
                    u16::try_from(region).map_err(|_| {
                        FormatError::unencodable("list", 0, "regions below 65536", region)
                    })
                };
                *numbers = regions.iter().map(number).collect::<Result<_>>()?;
            }
        }
        Ok(())
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
                let count = stream.count16("length", code.len())?;
                stream.bytes("code", &mut code.0, count)
            }
            Self::Plain(numbers) => {
                let count = stream.count16("length", numbers.len())?;
                stream.values("regions", numbers, count)
            }
        }
    }
}

/// The visibility lists of a region, whose form is in `flags`.
fn walk_lists<'a, S: Stream<'a>>(
    lists: &mut Vec<VisibilityList<'a>>,
    stream: &mut S,
    count: usize,
    flags: RegionFlags,
) -> Result<()> {
    let coded = flags.contains(RegionFlags::CODED_LISTS);
    stream.list("visible", lists, count, 2, |stream, list| {
        if S::READING && coded {
            *list = VisibilityList::Coded(Blob::default());
        }
        if coded != matches!(list, VisibilityList::Coded(_)) {
            return Err(FormatError::unencodable(
                "list",
                stream.position(),
                "the form that the flags give",
                "the other form",
            ));
        }
        list.walk(stream)
    })
}

relicast_codec::record! {
    /// A region (kind 0x22).
    pub struct Region<'a>[44..] {
        /// Flags of the optional fields that follow.
        flags: RegionFlags [bind],
        /// The ambient light; 0 in every file seen.
        ambient_light: FragmentRef,
        /// Number of vertices.
        vertex_count: u32 [counts vertices],
        /// Number of proximals.
        proximal_count: u32 [counts proximals],
        /// Number of render vertices.
        render_vertex_count: u32 [counts render_vertices],
        /// Number of walls.
        wall_count: u32 [counts walls],
        /// Number of obstacles.
        obstacle_count: u32 [counts obstacles],
        /// Stored here.
        cutting_obstacles: u32 [early],
        /// Number of nodes.
        node_count: u32 [counts nodes],
        /// Number of visibility lists.
        list_count: u32 [counts visible],
        /// Corners; none in the files seen, as with the next six lists.
        vertices: Vec<Vec3> [count vertex_count],
        /// Vertices near others.
        proximals: Vec<Proximal> [count proximal_count],
        /// Corners of drawn surfaces.
        render_vertices: Vec<Vec3> [count render_vertex_count],
        /// Walls.
        walls: Vec<Wall> [records wall_count],
        /// Obstacles.
        obstacles: Vec<Obstacle> [records obstacle_count],
        /// Number of the obstacles that cut; they have no data of their own.
        cutting_obstacles: u32 [visited],
        /// Partition inside the region: one node in the files seen.
        nodes: Cow<'a, [VisibilityNode]> [count node_count],
        /// Regions that can be seen: one list in the files seen. Their form must agree with the flags.
        visible: Vec<VisibilityList<'a>> [by |lists, stream| walk_lists(lists, stream, list_count, flags)],
        /// Bounding sphere: center and radius.
        sphere: Option<[F32; 4]> [if flags.contains(RegionFlags::SPHERE)],
        /// Volume of the echo.
        reverb_volume: Option<F32> [if flags.contains(RegionFlags::REVERB_VOLUME)],
        /// Offset of the echo.
        reverb_offset: Option<i32> [if flags.contains(RegionFlags::REVERB_OFFSET)],
        /// Text of the tools.
        user_data: EncodedText [by |text, stream| text.walk32(stream, "user_data")],
        /// The mesh.
        mesh: Option<FragmentRef> [if flags.intersects(RegionFlags::MESH | RegionFlags::LEGACY_MESH)],
    }
}

impl Region<'_> {
    /// This region with owned bytes, so that it outlives the file.
    pub(super) fn into_owned(self: Box<Self>) -> Box<Region<'static>> {
        let region = *self;
        let visible = region.visible.into_iter();
        Box::new(Region {
            flags: region.flags,
            ambient_light: region.ambient_light,
            vertices: region.vertices,
            proximals: region.proximals,
            render_vertices: region.render_vertices,
            walls: region.walls,
            obstacles: region.obstacles,
            cutting_obstacles: region.cutting_obstacles,
            nodes: owned(region.nodes),
            visible: visible.map(VisibilityList::into_owned).collect(),
            sphere: region.sphere,
            reverb_volume: region.reverb_volume,
            reverb_offset: region.reverb_offset,
            user_data: region.user_data,
            mesh: region.mesh,
        })
    }
}
