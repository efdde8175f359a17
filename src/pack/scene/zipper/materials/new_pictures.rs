//! Pictures of new materials: textures of the install, or pictures that a texture package gets.

use std::collections::BTreeMap;

use super::new_material::{NewMaterial, NewPicture};
use super::painted::Paint;
use super::texture_lookup;
use crate::pack::edited::Refusal;
use crate::pack::picture::{Pixels, package as pictures};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::driver::outputs::Opened;
use crate::pack::scene::file::SceneFile;
use crate::pack::scene::file::surface::Picture;
use crate::pipeline::output::links::join;
use crate::pipeline::report::manifest::ManifestOutput;
use relicast_formats::zipper::texture::{key_of, package};

/// Longest name of a texture of a world.
const MAX_NAME: usize = 19;

/// The picture of a material of an edit.
#[derive(Clone, Copy)]
pub(super) struct EditedPicture<'p> {
    pub job: &'p Job<'p>,
    /// The scene.
    pub output: &'p ManifestOutput,
    pub edit: &'p Opened,
    /// The material.
    pub material: usize,
    pub picture: &'p Picture,
}

impl EditedPicture<'_> {
    /// The name of its file, or of the picture inside the scene.
    fn file(&self) -> &str {
        let file = self
            .picture
            .path
            .as_deref()
            .and_then(|path| path.rsplit('/').next());
        file.unwrap_or(&self.picture.name)
    }

    /// The name of the texture of the install that it is: its output, or one of its name and with its texels.
    pub(super) fn texture(&self) -> Option<String> {
        let output = self.picture.path.as_deref().and_then(|_| {
            let found = texture_lookup::name(self.job, self.output, self.picture);
            found.filter(|name| !name.is_empty())
        });
        if output.is_some() {
            return output;
        }
        let png = self.png().ok()?;
        let key = key_of(self.file());
        let mut named = texture_lookup::named(self.job, self.output, &key);
        let same = named.find(|texture| {
            let path = self.job.out.join(&texture.path);
            let stored = relicast_source::bytes::read_document(path);
            stored.is_ok_and(|stored| is_one_picture(&stored, &png))
        });
        same?.member.clone()
    }

    /// The name of the texture that it becomes: that of its file.
    ///
    /// # Errors
    /// No texture can have it.
    pub(super) fn new_name(&self) -> Result<String, Refusal> {
        let file = self.file();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let name = stem.to_lowercase();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(is_plain) {
            refuse!(
                "its picture {file} cannot become a texture: name it with 1 to {MAX_NAME} letters, digits, _ and -"
            );
        }
        Ok(name)
    }

    /// The bytes of its file.
    fn png(&self) -> Result<Vec<u8>, Refusal> {
        let Some(path) = self.picture.path.as_deref() else {
            let embedded = self.edit.document.embedded_picture(self.material);
            return embedded.ok_or_else(|| refusal!("its picture is missing; add the PNG"));
        };
        let path = join(&self.output.path, path).ok_or_else(|| {
            refusal!("its picture {path} is outside the output folder; put it beside the scene")
        })?;
        relicast_source::bytes::read_document(self.job.out.join(&path)).map_err(|error| {
            refusal!("its picture {path} cannot be read: {error}; put the PNG there")
        })
    }

    /// The picture as a new one of the package that most pictures of the original scene come from.
    ///
    /// # Errors
    /// It cannot be packed, or the package is unknown.
    pub(super) fn packed(&self, base: &SceneFile, name: &str) -> Result<NewPicture, Refusal> {
        self.packed_as(base, name, self.png()?)
    }

    /// A picture for this one with paint, and its name; `None` if the paint changes no texel.
    ///
    /// # Errors
    /// It cannot be read or packed, or the package is unknown.
    pub(super) fn painted(
        &self,
        base: &SceneFile,
        paint: Paint,
        others: &[NewMaterial],
    ) -> Result<Option<(String, NewPicture)>, Refusal> {
        let Some(png) = paint.apply(&self.png()?)? else {
            return Ok(None);
        };
        let stem = match self.texture() {
            Some(name) => name.to_lowercase(),
            None => self.new_name()?,
        };
        let is_taken = |name: &str| {
            let mut others = others.iter().filter(|other| other.name == name);
            let is_other = |other: &NewMaterial| {
                let picture = other.picture.as_ref();
                picture.is_none_or(|picture| picture.png != png)
            };
            texture_lookup::is_known(self.job, name) || others.any(is_other)
        };
        let mut number = 1_usize;
        let name = loop {
            let ending = match number {
                1 => paint.ending(),
                _ => format!("{}{number}", paint.ending()),
            };
            let length = MAX_NAME.saturating_sub(ending.len());
            let start: String = stem.chars().take(length).collect();
            let name = format!("{start}{ending}");
            if !is_taken(&name) {
                break name;
            }
            number += 1;
        };
        let picture = self.packed_as(base, &name, png)?;
        Ok(Some((name, picture)))
    }

    fn packed_as(&self, base: &SceneFile, name: &str, png: Vec<u8>) -> Result<NewPicture, Refusal> {
        let package = self.package(base).ok_or_else(|| {
            refusal!(
                "its picture {name} is new, and the scene has no other picture whose texture package could get it; put the PNG into the folder of a package, pack it with --add, convert again, and use it then"
            )
        })?;
        let original = self.job.originals.read(&package).map_err(Refusal::new)?;
        let mut decoded = package::decode(&original).map_err(Refusal::new)?.value;
        let rounding = pictures::add(&mut decoded, name, &png)
            .map_err(|refusal| refusal!("its picture {name}: {refusal}"))?;
        Ok(NewPicture {
            package,
            png,
            rounding,
        })
    }

    /// The texture package that most pictures of a scene come from, as a path below the install.
    fn package(&self, base: &SceneFile) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let pictures = base.surfaces.iter();
        for picture in pictures.filter_map(|surface| surface.picture.as_ref()) {
            if let Some(found) = texture_lookup::output(self.job, self.output, picture) {
                *counts.entry(&*found.source).or_default() += 1;
            }
        }
        let most = counts.values().max().copied()?;
        let (source, _) = counts.into_iter().find(|(_, count)| *count == most)?;
        let prefix = self.job.place.strip_suffix(&*self.output.source)?;
        Some(format!("{prefix}{source}"))
    }
}

/// True if two files are the same picture.
fn is_one_picture(one: &[u8], other: &[u8]) -> bool {
    let texels = |bytes: &[u8]| {
        let pixels = Pixels::new(bytes).ok()?;
        Some((pixels.width, pixels.height, pixels.texels))
    };
    one == other || texels(one).is_some_and(|one| Some(one) == texels(other))
}
