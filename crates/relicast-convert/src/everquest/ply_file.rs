//! PLY meshes, which some installs have under names of pictures.

use crate::options::ConvertOptions;
use crate::shared::scene_outputs::scene_outputs;
use crate::{ConvertError, Converter, OutputRole, OutputSpec, Sink, SourceItem};
use relicast_codec::{Decoded, Deviations, F32};
use relicast_formats::everquest::ply::{self, PlyMesh};
use relicast_formats::kind::Kind;
use relicast_scene::extras::{ObjectExtras, everquest};
use relicast_scene::model::{Corner, Layout, Mesh, Node, PrimitiveBuilder, Scene};
use relicast_scene::space::vertex_color;
use relicast_scene::{Asset, Document, Image, Pictures};

use super::space;

/// A mesh that is a file of its own.
#[derive(Debug)]
pub(crate) struct PlyFile<'a> {
    name: &'a str,
    bytes: &'a [u8],
    deviations: Deviations,
}

impl<'a> PlyFile<'a> {
    pub(crate) fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name,
            bytes,
            deviations: Deviations::default(),
        }
    }
}

impl Converter for PlyFile<'_> {
    fn items(&self, options: &ConvertOptions) -> Vec<SourceItem> {
        let mut wanted: Vec<OutputSpec> = scene_outputs(OutputRole::Main, options).collect();
        wanted.extend(OutputSpec::raw(options));
        let range = 0..self.bytes.len() as u64;
        vec![SourceItem::whole(Kind::Ply, range, wanted)]
    }

    fn deviations(&self) -> &Deviations {
        &self.deviations
    }

    fn convert(
        &self,
        _index: usize,
        options: &ConvertOptions,
        sink: &mut dyn Sink,
    ) -> Result<Deviations, ConvertError> {
        convert(self.name, self.bytes, options, sink)
    }
}

/// Texture provider without pictures.
#[derive(Debug)]
struct Bare;

impl Pictures for Bare {
    fn picture(&self, _key: &str) -> Option<Image<'_>> {
        None
    }

    fn is_inside(&self, _key: &str) -> bool {
        false
    }
}

/// Converts a mesh.
pub(super) fn convert(
    name: &str,
    bytes: &[u8],
    options: &ConvertOptions,
    sink: &mut dyn Sink,
) -> Result<Deviations, ConvertError> {
    let Decoded {
        value,
        mut deviations,
    } = ply::decode(bytes)?;
    let stored = value.mesh()?;
    let mut builder = PrimitiveBuilder::new(Layout {
        normals: true,
        uv_sets: usize::from(!stored.uvs.is_empty()),
        colors: !stored.colors.is_empty(),
        ..Layout::default()
    });
    let mut lost = 0_usize;
    for face in &stored.faces {
        // Polygons are fans around their first corners.
        let [first, rest @ ..] = &**face else {
            continue;
        };
        for pair in rest.windows(2) {
            let [second, third] = pair else { continue };
            let corners = [*first, *second, *third].map(|corner| corner as usize);
            if corners
                .iter()
                .any(|&corner| corner >= stored.positions.len())
            {
                lost += 1;
                continue;
            }
            add(&mut builder, &stored, corners);
        }
    }
    if lost > 0 {
        let found = format_args!("{lost} invalid");
        deviations.push("faces", 0, "existing vertices", found);
    }
    let mut primitive = builder.finish();
    primitive.keep_unused_uvs = true;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let facts = everquest::Scene {
        game: Some("eq".to_owned()),
        space: Some(space::facts(options.everquest.scale)),
        ..everquest::Scene::default()
    };
    let mut scene = Scene {
        name: stem.to_owned(),
        extras: facts.extras(),
        ..Scene::default()
    };
    let mesh = scene.add_mesh(Mesh {
        name: stem.to_owned(),
        primitives: vec![primitive],
        ..Mesh::default()
    });
    let node = scene.add_node(Node {
        name: stem.to_owned(),
        mesh: Some(mesh),
        ..Node::default()
    });
    scene.roots.push(node);
    scene.scale_lengths(options.everquest.scale.factor());
    sink.take(OutputRole::Main, Asset::Scene(&scene, &Bare))?;
    if sink.wants(OutputRole::Raw) {
        sink.take(OutputRole::Raw, Asset::Document(Document::new(&value)))?;
    }
    Ok(deviations)
}

fn add(builder: &mut PrimitiveBuilder, mesh: &PlyMesh, corners: [usize; 3]) {
    let uvs = corners.map(|at| {
        let uv = mesh.uvs.get(at).copied().unwrap_or_default();
        let [u, v] = uv.map(F32::get);
        [[u, 1.0 - v]]
    });
    let numbers = [0, 1, 2];
    let made = numbers.map(|number: usize| {
        let at = corners[number];
        let normal = mesh.normals.get(at);
        let color = mesh.colors.get(at);
        Corner {
            position: space::vector(mesh.positions[at].map(F32::get)),
            normal: normal.map(|normal| space::vector(normal.map(F32::get))),
            uvs: if mesh.uvs.is_empty() {
                &[]
            } else {
                &uvs[number]
            },
            color: color.map(|color| vertex_color(color.map(f32::from), 1.0)),
            ..Corner::default()
        }
    });
    let [first, second, third] = &made;
    builder.triangle([first, second, third]);
}
