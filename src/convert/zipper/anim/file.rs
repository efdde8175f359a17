//! The parts of an animation container and what each becomes.

use std::ops::Range;

use crate::config::Config;
use crate::convert::archive::unique_stems;
use crate::convert::{
    AssetKind, Category, Companion, ConvertError, Opened, Part, Role, Sink, Verdict, Wanted,
};
use crate::formats::codec::{Decoded, Deviations, FormatError};
use crate::formats::kind::Kind;
use crate::formats::zipper::anim::{self, Definition};
use crate::scene::{Asset, Document};

use super::index::Index;
use super::related::Related;

/// An animation container.
#[derive(Debug)]
pub(in crate::convert) struct AnimFile<'a> {
    container: anim::AnimFile,
    /// Where each definition lies.
    ranges: Vec<Range<usize>>,
    /// Names of the definitions' documents.
    stems: Vec<String>,
    related: Related<'a>,
    deviations: Deviations,
    length: u64,
}

/// What a part of a container is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// The container as a whole.
    Index,
    /// One definition, by its place in the container without the reserved one.
    Definition(usize),
}

impl<'a> AnimFile<'a> {
    pub(in crate::convert) fn open(
        bytes: &'a [u8],
        companions: &[Companion<'a>],
    ) -> Result<Self, FormatError> {
        let Decoded { value, deviations } = anim::decode(bytes)?;
        let names: Vec<String> = value.definitions.iter().map(label).collect();
        Ok(Self {
            ranges: value.ranges(),
            stems: unique_stems(&names),
            container: value,
            related: Related::new(companions),
            deviations,
            length: bytes.len() as u64,
        })
    }

    /// What the parts are made from, in their order.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let definitions = 0..self.container.definitions.len();
        std::iter::once(Piece::Index)
            .chain(definitions.map(Piece::Definition))
            .collect()
    }

    fn part_of(&self, piece: Piece, config: &Config) -> Part {
        let (range, name) = match piece {
            Piece::Index => (0..self.length, None),
            Piece::Definition(index) => {
                let range = &self.ranges[index];
                let range = range.start as u64..range.end as u64;
                (range, Some(self.stems[index].clone()))
            }
        };
        let mut wanted = vec![Wanted::DOCUMENT];
        wanted.extend(Wanted::raw(config).filter(|_| piece == Piece::Index));
        Part {
            member: name.clone(),
            kind: Kind::Anim,
            asset: AssetKind::Animations,
            category: Category::Animations,
            range,
            stem: name,
            suffix: None,
            wanted,
            verdict: Verdict::Convert,
        }
    }

    fn convert_piece(
        &self,
        piece: Piece,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        match piece {
            Piece::Index => {
                let index = Index::new(&self.container, &self.related, config);
                let index = Document::new(&index);
                sink.take(Role::Main, Asset::Document(index))?;
                if sink.wants(Role::Raw) {
                    sink.take(Role::Raw, Asset::Document(Document::new(&self.container)))?;
                }
            }
            Piece::Definition(index) => {
                let definition = &self.container.definitions[index];
                sink.take(Role::Main, Asset::Document(Document::new(definition)))?;
            }
        }
        Ok(Deviations::default())
    }
}

/// What the document of a definition is called: the node that it belongs to, the animation, and the
/// node that it is bound to where that is another one; endings `.flt` left out. The reference names
/// its files like this.
fn label(definition: &Definition) -> String {
    let head = &definition.head;
    let plain = |name: String| {
        name.strip_suffix(".flt")
            .map_or(name.clone(), str::to_owned)
    };
    let [name, animation, root] =
        [&head.name, &head.anim_name, &head.anim_root_name].map(|field| plain(field.text()));
    if root == name {
        format!("{name}-{animation}")
    } else {
        format!("{name}-{animation}-{root}")
    }
}

impl Opened for AnimFile<'_> {
    fn parts(&self, config: &Config) -> Vec<Part> {
        let pieces = self.pieces().into_iter();
        pieces.map(|piece| self.part_of(piece, config)).collect()
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        index: usize,
        config: &Config,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        match self.pieces().get(index) {
            Some(&piece) => self.convert_piece(piece, config, sink),
            None => Ok(Deviations::default()),
        }
    }
}
