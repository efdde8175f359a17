//! Builder of a scene: its surfaces and textures, each made once, and counts.

use std::collections::HashMap;

use crate::options::{Hidden, SceneFilter, Shading};
use crate::{ConvertError, OutputRole, Sink};
use relicast_formats::everquest::wld::{self, Body, FragmentRef, MaterialFlags, Surface};
use relicast_scene::Asset;
use relicast_scene::extras::{Float, ObjectExtras, everquest};
use relicast_scene::model::{
    AlphaMode, Filter, Material, MaterialId, Node, NodeId, Sampler, Scene, Texture, TextureId,
    TextureRef,
};
use relicast_scene::space::linear_from_srgb;

use super::archive::{SceneFile, TextureProvider};
use super::baking::Baking;
use super::checks::Checks;
use super::cycles::{self, Cycle};
use super::render_method::TextureChain;
use super::{corrections, render_method, solids, space};

/// Display-referred gray, 0 to 255, of surfaces whose texture is missing.
pub(super) const MISSING_GRAY: f32 = 128.0;

/// Minimum alpha of the drawn texels of masked surfaces.
pub(super) const CUTOFF: f32 = 0.5;

/// A scene file, and the archive that its pictures are searched in first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    /// The scene file.
    pub file: &'s SceneFile,
    /// Index of its archive in the library.
    pub opened: usize,
}

/// The material of a surface in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResolvedMaterial {
    /// The material.
    pub material: MaterialId,
    /// True if it is drawn.
    pub visible: bool,
    /// True if the file has the material; otherwise it is a placeholder.
    pub known: bool,
    /// True if its picture is missing. Texture coordinates stay, for a picture that the user may add.
    pub lacks_picture: bool,
}

/// Builder of a scene.
#[derive(Debug)]
pub(super) struct SceneBuilder<'s, 'a> {
    /// The scene.
    pub scene: Scene,
    /// Counts for the report.
    pub checks: Checks,
    view: TextureProvider<'s, 'a>,
    textures: HashMap<String, TextureId>,
    /// By archive, scene file and fragment.
    materials: HashMap<(usize, usize, usize), ResolvedMaterial>,
    /// Surfaces that show several pictures in turn.
    cycles: Vec<Cycle>,
    unknown: Option<MaterialId>,
    /// The root node, parent of all others.
    anchor: Option<NodeId>,
}

impl<'s, 'a> SceneBuilder<'s, 'a> {
    pub(super) fn new(name: &str, view: TextureProvider<'s, 'a>) -> Self {
        let facts = everquest::Scene {
            game: Some("eq".to_owned()),
            space: Some(space::facts(view.options.everquest.scale)),
            forward: Some("+Z".to_owned()),
            ..everquest::Scene::default()
        };
        Self {
            scene: Scene {
                name: name.to_owned(),
                extras: facts.extras(),
                ..Scene::default()
            },
            checks: Checks::default(),
            view,
            textures: HashMap::new(),
            materials: HashMap::new(),
            cycles: Vec::new(),
            unknown: None,
            anchor: None,
        }
    }

    /// Adds the root node, parent of all others.
    pub(super) fn root(&mut self, node: Node) -> NodeId {
        let root = self.scene.add_node(node);
        self.scene.roots.push(root);
        self.anchor.get_or_insert(root);
        root
    }

    /// Adds a node below the first root, or as a root.
    pub(super) fn attach(&mut self, node: Node) -> NodeId {
        let node = self.scene.add_node(node);
        match self.anchor {
            Some(above) => self.scene.add_child(above, node),
            None => self.scene.roots.push(node),
        }
        node
    }

    /// The library and the settings.
    pub(super) fn view(&self) -> TextureProvider<'s, 'a> {
        self.view
    }

    /// Adds to the extras of the scene.
    pub(super) fn note(&mut self, facts: &everquest::Scene) {
        facts.put_below(&mut self.scene.extras);
    }

    /// The surface at an index of a palette.
    pub(super) fn resolve_material(
        &mut self,
        source: Source<'_>,
        palette: FragmentRef,
        slot: Option<u16>,
    ) -> ResolvedMaterial {
        let wld = source.file.wld();
        let material = slot.and_then(|slot| {
            let Body::MaterialPalette(palette) = &wld.get(palette)?.body else {
                return None;
            };
            let index = palette.materials.get(usize::from(slot))?.index()?;
            matches!(wld.fragments.get(index)?.body, Body::Material(_)).then_some(index)
        });
        match material {
            Some(index) => self.material(source, index),
            None => {
                let scene = &mut self.scene;
                let material = *self.unknown.get_or_insert_with(|| {
                    scene.add_material(Material {
                        name: "unknown".to_owned(),
                        ..Material::default()
                    })
                });
                ResolvedMaterial {
                    material,
                    visible: true,
                    known: false,
                    lacks_picture: false,
                }
            }
        }
    }

    /// The surface of the material fragment at `index`.
    pub(super) fn material(&mut self, source: Source<'_>, index: usize) -> ResolvedMaterial {
        let key = (source.opened, source.file.member, index);
        if let Some(&known) = self.materials.get(&key) {
            return known;
        }
        let fragment = source.file.wld().fragments.get(index);
        let resolved = match fragment.map(|fragment| (fragment.name(), &fragment.body)) {
            Some((name, Body::Material(stored))) => self.material_of_sprite(source, name, stored),
            _ => ResolvedMaterial {
                material: self.scene.add_material(Material::default()),
                visible: true,
                known: true,
                lacks_picture: false,
            },
        };
        self.materials.insert(key, resolved);
        resolved
    }

    /// The surface of a sprite, given as a material of the file's kind.
    pub(super) fn material_of_sprite(
        &mut self,
        source: Source<'_>,
        name: &str,
        stored: &wld::Material,
    ) -> ResolvedMaterial {
        let chain = render_method::texture(source.file.wld(), stored);
        let (material, frames) = self.surface_of(source, name, stored, &chain);
        let lacks_picture = material.base_texture.is_none() && chain.names_picture();
        let material = self.scene.add_material(material);
        if frames.len() > 1 {
            self.cycle(material, &frames, chain.sleep.unwrap_or_default());
        }
        ResolvedMaterial {
            material,
            // Corrections never hide or show a surface.
            visible: render_method::is_visible(stored.surface()),
            known: true,
            lacks_picture,
        }
    }

    fn surface_of(
        &mut self,
        source: Source<'_>,
        name: &str,
        stored: &wld::Material,
        chain: &TextureChain,
    ) -> (Material, Vec<Option<(String, String)>>) {
        let options = self.view.options;
        let surface = self.surface(source, name, stored);
        let mut facts = self.surface_facts(name, stored, surface);
        let (alpha, opacity) = alpha_of(surface);
        let by_game = matches!(
            surface,
            Surface::AdditiveUnlit
                | Surface::SkyDiffuse
                | Surface::SkyTransparent
                | Surface::SkyAdditive
        );
        let mut material = Material {
            name: name.to_owned(),
            base_color: [1.0, 1.0, 1.0, opacity],
            alpha,
            double_sided: stored.flags.contains(MaterialFlags::TWO_SIDED),
            unlit: match options.scenes.shading {
                Shading::Auto => by_game,
                Shading::Lit => false,
                Shading::Unlit => true,
            },
            ..Material::default()
        };
        let mut frames = Vec::new();
        let mut found = Vec::new();
        for (place, files) in chain.frames.iter().enumerate() {
            let Some(file) = files.first() else { continue };
            let key = self.picture(source, file, name, surface);
            if place == 0 {
                match &key {
                    Some((name, key)) => {
                        let texture = self.texture(name, key);
                        material.base_texture = Some(TextureRef::new(texture));
                    }
                    None => {
                        let gray = linear_from_srgb(MISSING_GRAY);
                        material.base_color = [gray, gray, gray, opacity];
                        facts.missing_texture = Some(file.clone());
                    }
                }
                if let [_, layers @ ..] = &**files
                    && !layers.is_empty()
                {
                    facts.layers = Some(self.layers(source, layers));
                }
            }
            if chain.frames.len() > 1 {
                let image = key.as_ref().map(|(_, key)| self.view.file_of(key));
                frames.push(everquest::Frame {
                    file: file.clone(),
                    image: image.map(Into::into),
                });
            }
            found.push(key);
        }
        if frames.len() > 1 {
            facts.texture_animation = Some(everquest::TextureFrames {
                frames: Some(frames),
                sleep_ms: Some(chain.sleep.unwrap_or_default()),
            });
        }
        material.extras = facts.extras();
        (material, found)
    }

    /// Extras of a material about its rendering in the game.
    fn surface_facts(
        &self,
        name: &str,
        stored: &wld::Material,
        surface: Surface,
    ) -> everquest::Material {
        let corrected = self.checks.corrected.get(name);
        let corrected = corrected.filter(|_| surface != stored.surface());
        let is_additive = render_method::is_additive(surface);
        everquest::Material {
            render_method: Some(format!("{:#010x}", stored.render_method.0)),
            surface: serde_json::to_value(surface)
                .ok()
                .and_then(|label| Some(label.as_str()?.to_owned())),
            corrected: corrected.map(|&(from, why)| everquest::Corrected {
                stored: serde_json::to_value(from).ok(),
                source: serde_json::to_value(why).ok(),
            }),
            brightness: Some(Float(stored.brightness.get())),
            scaled_ambient: Some(Float(stored.scaled_ambient.get())),
            eq_blend: is_additive.then(|| "additive".to_owned()),
            ..everquest::Material::default()
        }
    }

    /// Stores the pictures that a surface shows in turn, as settings want. Missing pictures are
    /// named by the surface.
    pub(super) fn cycle(
        &mut self,
        material: MaterialId,
        frames: &[Option<(String, String)>],
        sleep: u32,
    ) {
        let options = &self.view.options.scenes;
        if options.embed_cycles {
            for (name, key) in frames.iter().flatten() {
                let texture = self.texture(name, key);
                if !self.scene.kept_textures.contains(&texture) {
                    self.scene.kept_textures.push(texture);
                }
            }
        }
        let all: Option<Vec<(String, String)>> = frames.iter().cloned().collect();
        match all {
            Some(frames) => self.cycles.push(Cycle {
                material,
                frames,
                sleep,
                sampler: self.sampler(),
            }),
            None => self.checks.still_cycles += usize::from(options.cycle_atlas),
        }
    }

    /// Adds parts that need the whole scene.
    fn finish(&mut self) {
        let cycles = std::mem::take(&mut self.cycles);
        self.checks.still_cycles += cycles::finish(&mut self.scene, &cycles, self.view);
    }

    /// Surface of a material. A correction is reported.
    fn surface(&mut self, source: Source<'_>, name: &str, stored: &wld::Material) -> Surface {
        let from = stored.surface();
        let opened = self.view.archive_set.get(source.opened);
        let archive = opened.filter(|_| self.view.options.everquest.corrections);
        let correction = archive.and_then(|archive| corrections::of(&archive.stem(), name, from));
        let Some(correction) = correction else {
            return from;
        };
        let noted = (from, correction.source);
        self.checks.corrected.insert(name.to_owned(), noted);
        correction.surface
    }

    /// Further textures of a surface, in scenes of later years: names and pictures.
    fn layers(&self, source: Source<'_>, layers: &[String]) -> Vec<everquest::Frame> {
        let layers = layers.iter().map(|file| {
            let found = self.view.archive_set.find(file, source.opened);
            everquest::Frame {
                file: file.clone(),
                image: found.map(|found| found.key.to_owned()),
            }
        });
        layers.collect()
    }

    /// Name and key of the picture of a surface. A missing picture is reported, and so is one from another archive.
    fn picture(
        &mut self,
        source: Source<'_>,
        file: &str,
        material: &str,
        surface: Surface,
    ) -> Option<(String, String)> {
        let Some(found) = self.view.archive_set.find(file, source.opened) else {
            let missing = self.checks.missing_textures.entry(file.to_lowercase());
            missing.or_insert_with(|| material.to_owned());
            return None;
        };
        if !found.own {
            let path = found.source.to_owned();
            self.checks
                .borrowed_textures
                .insert(found.name.clone(), path);
        }
        // A picture with brightness as alpha that its own archive does not make is stored inside the scene.
        let key = if render_method::is_additive(surface) {
            found.additive_key()
        } else {
            found.key.to_owned()
        };
        Some((found.name, key))
    }

    /// Sampler of the pictures.
    fn sampler(&self) -> Sampler {
        Sampler {
            filter: match self.view.options.scenes.filter {
                SceneFilter::Trilinear => Filter::Trilinear,
                SceneFilter::Bilinear => Filter::Bilinear,
                SceneFilter::Nearest => Filter::Nearest,
            },
            ..Sampler::default()
        }
    }

    /// The texture of a picture.
    pub(super) fn texture(&mut self, name: &str, key: &str) -> TextureId {
        let sampler = self.sampler();
        let scene = &mut self.scene;
        *self.textures.entry(key.to_owned()).or_insert_with(|| {
            scene.add_texture(Texture {
                name: name.to_owned(),
                key: key.to_owned(),
                sampler,
                extras: relicast_scene::model::Extras::new(),
            })
        })
    }
}

/// The drawn and undrawn scenes of a model or zone.
#[derive(Debug)]
pub(super) struct Layers<'s, 'a> {
    /// Drawn surfaces, and the undrawn ones if the settings keep them there.
    pub main: SceneBuilder<'s, 'a>,
    /// Surfaces that are never drawn, such as boundaries.
    hidden: SceneBuilder<'s, 'a>,
    keep: bool,
    /// True if the scene stops movement: zones and objects do, creatures do not.
    pub is_ground: bool,
    /// Ambient light of the whole scene: red, green, blue.
    pub ambient: [u8; 3],
}

impl<'s, 'a> Layers<'s, 'a> {
    pub(super) fn new(name: &str, view: TextureProvider<'s, 'a>) -> Self {
        Self {
            main: SceneBuilder::new(name, view),
            hidden: SceneBuilder::new(name, view),
            keep: view.options.scenes.hidden == Hidden::Keep,
            is_ground: false,
            ambient: [0; 3],
        }
    }

    /// Adds the root nodes of the main scene and of the hidden scene, which is written even if it stays
    /// empty.
    pub(super) fn root(&mut self, node: Node) -> NodeId {
        if !self.keep {
            self.hidden.root(Node {
                name: node.name.clone(),
                ..Node::default()
            });
        }
        self.main.root(node)
    }

    /// The scene of undrawn surfaces.
    pub(super) fn hidden(&mut self) -> &mut SceneBuilder<'s, 'a> {
        if self.keep {
            &mut self.main
        } else {
            &mut self.hidden
        }
    }

    /// Conversion of baked light to vertex colors.
    pub(super) fn baking(&self) -> Baking<'s> {
        Baking {
            options: &self.main.view.options.everquest,
            ambient: self.ambient,
        }
    }

    /// True if one scene holds both.
    pub(super) fn is_single_scene(&self) -> bool {
        self.keep
    }

    /// Passes the scenes that have an output to the sink, in the unit of the settings.
    pub(super) fn take(&mut self, sink: &mut dyn Sink) -> Result<(), ConvertError> {
        for builder in [&mut self.main, &mut self.hidden] {
            builder.finish();
            let unit = builder.view.options.everquest.scale;
            builder.scene.scale_lengths(unit.factor());
            if self.is_ground && builder.view.options.scenes.godot_suffix {
                solids::name(&mut builder.scene);
            }
        }
        for (role, builder) in [
            (OutputRole::Main, &self.main),
            (OutputRole::Hidden, &self.hidden),
        ] {
            if sink.wants(role) {
                sink.take(role, Asset::Scene(&builder.scene, &builder.view))?;
            }
        }
        Ok(())
    }
}

/// Alpha mode of a surface, and its own opacity.
fn alpha_of(surface: Surface) -> (AlphaMode, f32) {
    match surface {
        Surface::Transparent25 => (AlphaMode::Blend, 0.25),
        Surface::Transparent50 | Surface::SkyTransparent => (AlphaMode::Blend, 0.5),
        Surface::Transparent75 => (AlphaMode::Blend, 0.75),
        Surface::Additive | Surface::AdditiveUnlit | Surface::SkyAdditive => {
            (AlphaMode::Blend, 1.0)
        }
        Surface::Masked => (AlphaMode::Mask { cutoff: CUTOFF }, 1.0),
        Surface::Boundary | Surface::Invisible | Surface::Diffuse | Surface::SkyDiffuse => {
            (AlphaMode::Opaque, 1.0)
        }
    }
}
