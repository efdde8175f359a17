//! The kinds of fragments and their numbers.

relicast_codec::open_enum! {
    /// Kind of a fragment. Names are the field's: a definition holds data, an instance refers to it.
    #[derive(PartialOrd, Ord)]
    pub enum FragmentKind: u32 {
        /// Name of a palette file.
        DefaultPaletteFile = 0x01,
        /// Data of the tools; rare.
        UserData = 0x02,
        /// Names of bitmap files.
        BitmapInfo = 0x03,
        /// A still or animated texture.
        SimpleSpriteDefinition = 0x04,
        /// Instance of a texture.
        SimpleSprite = 0x05,
        /// A picture that faces the camera.
        FlatSpriteDefinition = 0x06,
        /// Instance of such a picture.
        FlatSprite = 0x07,
        /// A solid made of polygons; the camera of zones.
        CameraSpriteDefinition = 0x08,
        /// Instance of such a solid.
        CameraSprite = 0x09,
        /// Sprites shown one after the other.
        SpriteSequenceDefinition = 0x0A,
        /// Instance of such a sequence.
        SpriteSequence = 0x0B,
        /// Colored points.
        ParticleSpriteDefinition = 0x0C,
        /// Instance of colored points.
        ParticleSprite = 0x0D,
        /// Never seen.
        CompositeSpriteDefinition = 0x0E,
        /// Never seen.
        CompositeSprite = 0x0F,
        /// Bones and skins.
        SkeletonDefinition = 0x10,
        /// Instance of a skeleton.
        Skeleton = 0x11,
        /// Track of one bone.
        TrackDefinition = 0x12,
        /// Instance of a track.
        Track = 0x13,
        /// A model that can be placed.
        ActorDefinition = 0x14,
        /// A placed model.
        Actor = 0x15,
        /// A sphere that bounds something.
        Sphere = 0x16,
        /// A collision volume.
        PolyhedronDefinition = 0x17,
        /// Instance of a collision volume.
        Polyhedron = 0x18,
        /// Spheres that bound something.
        SphereListDefinition = 0x19,
        /// Instance of such a list.
        SphereList = 0x1A,
        /// Color and level of a light.
        LightDefinition = 0x1B,
        /// Instance of a light.
        Light = 0x1C,
        /// The binary space partition of a zone.
        BspTree = 0x21,
        /// One leaf of the partition.
        Region = 0x22,
        /// A picture used by particles and icons.
        BlitSpriteDefinition = 0x26,
        /// Instance of such a picture.
        BlitSprite = 0x27,
        /// A light at a place.
        PointLight = 0x28,
        /// Type of some regions: water, lava, a way to another zone.
        Zone = 0x29,
        /// A light of whole regions.
        AmbientLight = 0x2A,
        /// A light from a direction.
        DirectionalLight = 0x2B,
        /// An older mesh, all floats.
        LegacyMesh = 0x2C,
        /// Instance of a mesh.
        MeshInstance = 0x2D,
        /// Vertex animation of an older mesh.
        LegacyMeshAnimation = 0x2E,
        /// Instance of a vertex animation.
        MeshAnimationInstance = 0x2F,
        /// A material.
        Material = 0x30,
        /// The materials of a mesh.
        MaterialPalette = 0x31,
        /// Baked light of a placed model.
        VertexColors = 0x32,
        /// Instance of baked light.
        VertexColorsInstance = 0x33,
        /// A source of particles.
        ParticleCloud = 0x34,
        /// Ambient color of a zone; the only common kind without a name.
        GlobalAmbientLight = 0x35,
        /// A mesh.
        Mesh = 0x36,
        /// Vertex animation of a mesh.
        MeshAnimation = 0x37,
    }
}

impl FragmentKind {
    /// True if the body starts with a name.
    pub const fn has_name(self) -> bool {
        !matches!(
            self,
            Self::DefaultPaletteFile | Self::UserData | Self::GlobalAmbientLight
        )
    }
}
