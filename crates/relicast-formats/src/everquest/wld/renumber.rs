//! Insertion and removal of fragments: all references to later ones move.

use std::cmp::Ordering;

use super::body::Body;
use super::file::{Fragment, Wld};
use super::reference::FragmentRef;
use super::shading::Shading;
use relicast_codec::{FormatError, Result};

/// Changes a reference.
type Change<'c> = &'c mut dyn FnMut(&mut FragmentRef);

fn each<'r>(references: impl IntoIterator<Item = &'r mut FragmentRef>, change: Change<'_>) {
    references.into_iter().for_each(change);
}

fn of_shading(shading: &mut Shading, change: Change<'_>) {
    each(&mut shading.texture, change);
}

impl Body<'_> {
    /// Changes every reference to another fragment: those that [`references`](Self::references) visits.
    fn change_references(&mut self, change: Change<'_>) {
        match self {
            Self::SimpleSpriteDefinition(sprite) => each(&mut sprite.frames, change),
            Self::SimpleSprite(instance)
            | Self::FlatSprite(instance)
            | Self::CameraSprite(instance)
            | Self::SpriteSequence(instance)
            | Self::ParticleSprite(instance)
            | Self::Skeleton(instance)
            | Self::SphereList(instance)
            | Self::Light(instance)
            | Self::BlitSprite(instance)
            | Self::MeshInstance(instance)
            | Self::MeshAnimationInstance(instance)
            | Self::VertexColorsInstance(instance) => change(&mut instance.definition),
            Self::Mesh(mesh) => {
                let own = [&mut mesh.palette, &mut mesh.animation, &mut mesh.collision];
                each(own, change);
            }
            Self::LegacyMesh(mesh) => {
                let own = [&mut mesh.palette, &mut mesh.animation, &mut mesh.collision];
                each(own, change);
            }
            Self::Track(track) => change(&mut track.definition),
            Self::Polyhedron(polyhedron) => change(&mut polyhedron.definition),
            Self::BlitSpriteDefinition(sprite) => change(&mut sprite.texture),
            Self::PointLight(light) => change(&mut light.light),
            Self::AmbientLight(light) => change(&mut light.light),
            Self::DirectionalLight(light) => change(&mut light.light),
            Self::Material(material) => change(&mut material.texture),
            Self::MaterialPalette(palette) => each(&mut palette.materials, change),
            Self::ParticleCloud(cloud) => each(&mut cloud.sprite, change),
            _ => self.change_references_of_parts(change),
        }
    }

    /// Changes the references of kinds that have parts.
    fn change_references_of_parts(&mut self, change: Change<'_>) {
        match self {
            Self::FlatSpriteDefinition(sprite) => {
                for heading in sprite.pitches.iter_mut().flat_map(|it| &mut it.headings) {
                    each(&mut heading.frames, change);
                }
                of_shading(&mut sprite.shading, change);
            }
            Self::CameraSpriteDefinition(sprite) => {
                change(&mut sprite.bounds);
                for node in &mut sprite.nodes {
                    of_shading(&mut node.shading, change);
                }
            }
            Self::SpriteSequenceDefinition(sequence) => {
                change(&mut sequence.bounds);
                each(sequence.sprites.iter_mut().flatten(), change);
            }
            Self::ParticleSpriteDefinition(sprite) => of_shading(&mut sprite.shading, change),
            Self::SkeletonDefinition(skeleton) => {
                change(&mut skeleton.bounds);
                for bone in &mut skeleton.bones {
                    change(&mut bone.track);
                    change(&mut bone.attachment);
                }
                for skin in skeleton.skins.iter_mut().flatten() {
                    change(&mut skin.mesh);
                }
            }
            Self::ActorDefinition(actor) => {
                change(&mut actor.bounds);
                each(&mut actor.sprites, change);
            }
            Self::Actor(actor) => {
                // Negative numbers are names.
                let mut model = FragmentRef(actor.model.reference.max(0));
                change(&mut model);
                if actor.model.reference > 0 {
                    actor.model.reference = model.0;
                }
                change(&mut actor.bounds);
                each(&mut actor.colors, change);
            }
            Self::Region(region) => {
                change(&mut region.ambient_light);
                each(&mut region.mesh, change);
                for face in region
                    .walls
                    .iter_mut()
                    .filter_map(|wall| wall.face.as_mut())
                {
                    of_shading(&mut face.shading, change);
                }
            }
            _ => {}
        }
    }
}

impl<'a> Wld<'a> {
    /// Inserts fragments before the one at `index`. References to that one and to all after it move; those of the new
    /// fragments stay as they are.
    ///
    /// # Errors
    /// There would be too many fragments.
    pub fn insert(&mut self, index: usize, new: Vec<Fragment<'a>>) -> Result<()> {
        let total = self.fragments.len().saturating_add(new.len());
        let count = i32::try_from(new.len()).ok();
        let count = count.filter(|_| i32::try_from(total).is_ok());
        let count = count
            .ok_or_else(|| FormatError::unencodable("fragments", 0, "at most 2^31 - 1", total))?;
        let index = index.min(self.fragments.len());
        for fragment in &mut self.fragments {
            fragment.body.change_references(&mut |reference| {
                if reference.index().is_some_and(|target| target >= index) {
                    reference.0 = reference.0.saturating_add(count);
                }
            });
        }
        self.fragments.splice(index..index, new);
        Ok(())
    }

    /// Removes the fragment at `index`. References to it become empty, and those to later ones move.
    pub fn remove(&mut self, index: usize) {
        if index >= self.fragments.len() {
            return;
        }
        self.fragments.remove(index);
        for fragment in &mut self.fragments {
            fragment
                .body
                .change_references(&mut |reference| match reference
                    .index()
                    .map(|target| target.cmp(&index))
                {
                    Some(Ordering::Greater) => reference.0 = reference.0.saturating_sub(1),
                    Some(Ordering::Equal) => *reference = FragmentRef::default(),
                    _ => {}
                });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::everquest::wld::{Actor, FragmentKind, Instance, Name};

    /// All references of a file.
    fn all(wld: &Wld<'_>) -> Vec<(&'static str, i32)> {
        let mut found = Vec::new();
        for fragment in &wld.fragments {
            let add = &mut |field, reference: FragmentRef, _: &[FragmentKind]| {
                found.push((field, reference.0));
            };
            fragment.body.references(add);
        }
        found
    }

    #[test]
    fn references_to_later_fragments_move() {
        let instance = |number| {
            let definition = FragmentRef(number);
            let body = Body::Light(Instance {
                definition,
                flags: 0,
            });
            Fragment::new(Name::default(), body)
        };
        let actor = |reference| {
            let model = Name {
                reference,
                text: None,
            };
            let body = Body::Actor(Box::new(Actor {
                model,
                ..Actor::default()
            }));
            Fragment::new(Name::default(), body)
        };
        let fragments = vec![instance(1), instance(2), instance(-3), actor(3), actor(-7)];
        let mut wld = Wld {
            fragments,
            ..Wld::default()
        };
        let before = wld.clone();
        wld.insert(1, vec![instance(1), instance(2)]).unwrap();
        let numbers: Vec<i32> = all(&wld).iter().map(|&(_, number)| number).collect();
        assert_eq!(numbers[..5], [1, 1, 2, 4, -3]);
        let names = wld
            .fragments
            .iter()
            .filter_map(|fragment| match &fragment.body {
                Body::Actor(actor) => Some(actor.model.reference),
                _ => None,
            });
        assert_eq!(names.collect::<Vec<_>>(), [5, -7]);
        wld.remove(2);
        wld.remove(1);
        assert_eq!(all(&wld), all(&before));
    }
}
