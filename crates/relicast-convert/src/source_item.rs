//! Items of a file and the outputs that they want.

use std::borrow::Cow;
use std::ops::Range;

use super::skip_reason::{SkipCode, SkipReason};
use crate::options::ConvertOptions;
use relicast_codec::FormatError;
use relicast_formats::asset::{AssetKind, Category};
use relicast_formats::kind::Kind;
use relicast_scene::Encoding;

/// Asset of an item that an output holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutputRole {
    /// The asset itself.
    Main,
    /// The alpha plane of a picture that stores it separately.
    AlphaPlane,
    /// The full typed decode of the source.
    Raw,
    /// The parts of a scene that are not shown at first.
    Hidden,
    /// A level of detail of a scene, counted from the finest, which is 0 and in the scene itself.
    Detail(u8),
    /// Tables and checks for a scene of a Zipper game, which glTF cannot hold.
    Tables,
    /// Tables and checks for a scene of EverQuest, which glTF cannot hold.
    Regions,
    /// A picture whose alpha is its brightness, for additive surfaces.
    Additive,
    /// A face of a cube map, or a smaller copy of a picture.
    Surface {
        /// Face: +X, −X, +Y, −Y, +Z, −Z; `None` for a flat picture.
        face: Option<u8>,
        /// Level, 0 for the largest.
        level: u8,
    },
    /// A normal map in the form of glTF.
    Normal,
    /// A picture of the glow of a surface, from the blue of its normal map.
    Glow,
    /// Facts about a video: headers, streams, digests of its frames.
    Facts,
    /// A picture of a video.
    Poster,
    /// The shading of a livery.
    Base,
    /// The weights of the three paints of a livery.
    Mask,
    /// Layer over the paint of a livery.
    Overlay,
    /// The glyphs of a bitmap font, with its picture.
    Font,
}

/// One output that an item wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputSpec {
    /// Asset that it holds.
    pub role: OutputRole,
    /// Format of the output.
    pub encoding: Encoding,
}

impl OutputSpec {
    /// A JSON document that is the asset itself.
    pub const DOCUMENT: Self = Self {
        role: OutputRole::Main,
        encoding: Encoding::Json,
    };

    /// The typed decode, if the configuration asks for it.
    pub fn raw(options: &ConvertOptions) -> Option<Self> {
        options.raw.enabled.then_some(Self {
            role: OutputRole::Raw,
            encoding: Encoding::Json,
        })
    }

    /// Text between the stem and the extension.
    pub fn infix(self) -> Cow<'static, str> {
        match self.role {
            OutputRole::Main | OutputRole::Facts => "".into(),
            OutputRole::Poster => ".poster".into(),
            OutputRole::Base => ".base".into(),
            OutputRole::Mask => ".mask".into(),
            OutputRole::Overlay => ".overlay".into(),
            OutputRole::Font => ".font".into(),
            OutputRole::AlphaPlane => ".alpha".into(),
            OutputRole::Raw => ".raw".into(),
            OutputRole::Hidden => ".hidden".into(),
            OutputRole::Detail(level) => format!(".lod{level}").into(),
            OutputRole::Tables => ".zipper".into(),
            OutputRole::Regions => ".everquest".into(),
            OutputRole::Additive => ".additive".into(),
            OutputRole::Normal => ".normal".into(),
            OutputRole::Glow => ".glow".into(),
            OutputRole::Surface { face, level } => {
                let face = match face {
                    Some(0) => "_px",
                    Some(1) => "_nx",
                    Some(2) => "_py",
                    Some(3) => "_ny",
                    Some(4) => "_pz",
                    Some(_) => "_nz",
                    None => "",
                };
                match level {
                    0 => face.into(),
                    level => format!("{face}.mip{level}").into(),
                }
            }
        }
    }
}

/// Conversion status of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum Disposition {
    /// The item is converted.
    Convert,
    /// The item is skipped, for the given reason.
    Skip(SkipReason),
    /// The item cannot be converted: its entry in the container is damaged.
    Fail(FormatError),
}

impl Disposition {
    /// True if the item is skipped for a reason of this kind.
    pub fn skips_for(&self, code: SkipCode) -> bool {
        matches!(self, Self::Skip(reason) if reason.code == code)
    }
}

/// One item of a file: a member of a container, or the whole file.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceItem {
    /// Stored name of the member; `None` for the file as a whole.
    pub member: Option<String>,
    /// Kind of the source.
    pub kind: Kind,
    /// Kind of asset that it becomes.
    pub asset: AssetKind,
    /// Folder of its outputs.
    pub category: Category,
    /// Its byte range in the file.
    pub range: Range<u64>,
    /// Stem of its outputs below the file's own output folder; `None` for the stem of the file.
    pub stem: Option<String>,
    /// Text between the file's stem and the extension, as the language of a message file.
    pub suffix: Option<String>,
    /// Folders between the file's own output folder and the stem.
    pub folders: Vec<String>,
    /// Its outputs.
    pub wanted: Vec<OutputSpec>,
    /// Planned conversion status.
    pub verdict: Disposition,
}

impl SourceItem {
    /// A whole file of `kind` that becomes the asset of that kind.
    pub fn whole(kind: Kind, range: Range<u64>, wanted: Vec<OutputSpec>) -> Self {
        let (asset, category) = kind.asset();
        Self {
            member: None,
            kind,
            asset,
            category,
            range,
            stem: None,
            suffix: None,
            folders: Vec::new(),
            wanted,
            verdict: Disposition::Convert,
        }
    }

    /// The table of contents of a container of `kind`, whose members mostly go to `category`.
    pub fn table(
        kind: Kind,
        category: Category,
        range: Range<u64>,
        options: &ConvertOptions,
    ) -> Self {
        let mut wanted = vec![OutputSpec::DOCUMENT];
        wanted.extend(OutputSpec::raw(options));
        Self {
            asset: AssetKind::Archives,
            category,
            ..Self::whole(kind, range, wanted)
        }
    }

    /// The item as a member of a container, with the member's stored name and the stem of its outputs.
    #[must_use]
    pub fn of_member(self, name: String, stem: String) -> Self {
        Self {
            member: Some(name),
            stem: Some(stem),
            ..self
        }
    }
}
