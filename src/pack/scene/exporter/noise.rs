//! Changes that a program made by itself.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use relicast_codec::quantity::counted;

/// A kind of change that a program makes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// A node of its own, such as an armature object.
    Node,
    /// Another name of a node, because names are unique or short.
    Name,
    /// Rounded transform.
    Transform,
    /// A bone with another pose at rest.
    RestPose,
    /// Lost extras.
    Extras,
    /// A second material instead of one.
    Material,
    /// A face with repeated vertices, or one that two faces share.
    Face,
    /// A normal that it computes anew.
    Normal,
    /// Curves with other keys and the same values.
    Curve,
    /// A clip that it did not write.
    Clip,
    /// A camera or light that it did not write.
    CameraOrLight,
    /// A picture that it did not write.
    Picture,
}

/// Changes that a program made by itself, which are no edits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Noise {
    /// The program.
    program: &'static str,
    counts: BTreeMap<Change, usize>,
    /// Edits that no game file has a place for, in words.
    unstored: Vec<String>,
}

impl Noise {
    pub(super) fn new(program: &'static str) -> Self {
        Self {
            program,
            ..Self::default()
        }
    }

    /// Adds an edit that no game file has a place for.
    pub(super) fn put_unstored(&mut self, edit: String) {
        self.unstored.push(edit);
    }

    /// Edits that no game file has a place for; `None` if there are none.
    pub(in crate::pack) fn unstored(&self) -> Option<String> {
        const MOST: usize = 6;
        let named = self.unstored.len().min(MOST);
        let list = self.unstored.get(..named).filter(|list| !list.is_empty())?;
        let list = list.join(", ");
        Some(match self.unstored.len() - named {
            0 => format!("not stored by the game: {list}"),
            others => format!("not stored by the game: {list}, and {others} more"),
        })
    }

    /// Counts changes of a kind.
    pub(super) fn add(&mut self, change: Change, count: usize) {
        if count > 0 {
            *self.counts.entry(change).or_default() += count;
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

impl Change {
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Node => ["node of its own", "nodes of its own"],
            Self::Name => ["name", "names"],
            Self::Transform => ["rounded transform", "rounded transforms"],
            Self::RestPose => ["rest pose of a bone", "rest poses of bones"],
            Self::Extras => [
                "lost set of custom properties",
                "lost sets of custom properties",
            ],
            Self::Material => ["copy of a material", "copies of materials"],
            Self::Face => ["face without area", "faces without area"],
            Self::Normal => ["recomputed normal", "recomputed normals"],
            Self::Curve => ["resampled curve", "resampled curves"],
            Self::Clip => ["clip left out", "clips left out"],
            Self::CameraOrLight => ["camera or light left out", "cameras or lights left out"],
            Self::Picture => ["picture left out", "pictures left out"],
        }
    }
}

impl Display for Noise {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "changed by {} itself: ", self.program)?;
        for (number, (change, count)) in self.counts.iter().enumerate() {
            let [one, many] = change.words();
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{}", counted(*count, one, many))?;
        }
        Ok(())
    }
}
