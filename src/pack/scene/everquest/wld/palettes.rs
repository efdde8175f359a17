//! Lists of materials that grow: by other materials of the file, and by new ones, which are modeled on a material of
//! the file with a picture. New fragments are inserted before the list, so that all references point backwards.

use std::collections::BTreeMap;

use super::materials::{Numbered, bitmap_of, method_of_new, shows};
use super::members::Members;
use super::placements::Added;
use super::probe::vertex_at;
use crate::pack::edited::{Refusal, Refusals, unless_refused};
use crate::pack::scene::driver::job::Job;
use crate::pack::scene::everquest::edits::Place;
use crate::pack::scene::everquest::new_materials::{self, Names, NewMaterial};
use crate::pack::scene::everquest::recut::{MaterialAssignment, Recut};
use crate::pack::scene::everquest::scene::Scene;
use crate::pack::scene::file::SceneFile;
use relicast_formats::everquest::wld::{
    BitmapInfo, Body, EncodedText, Fragment, FragmentKind, FragmentRef, Instance, Material,
    MaterialFlags, Name, RenderMethod, SimpleSprite, Wld,
};

/// A material that a list gets.
#[derive(Debug)]
enum Entry {
    /// The material of a fragment.
    Known(usize),
    /// A new one, by the path of its scene and its number there.
    New(String, usize),
}

/// A new material.
#[derive(Debug)]
struct Wanted {
    name: String,
    picture: String,
    method: RenderMethod,
    is_two_sided: bool,
}

/// A list that grows.
#[derive(Debug, Default)]
struct List {
    /// The path of a scene that asks for it.
    path: String,
    entries: Vec<Entry>,
    /// Places in the list, by scene and number of the material there.
    slots: BTreeMap<(String, usize), u16>,
}

/// Lists of materials that grow.
#[derive(Debug, Default)]
pub(super) struct Palettes {
    lists: BTreeMap<Place, List>,
    wanted: BTreeMap<(String, usize), Wanted>,
    /// Names of the new materials by scene.
    names: BTreeMap<String, Names>,
    /// Inserted fragments: before which original one, and how many.
    inserted: BTreeMap<Place, usize>,
    /// Values that the game has instead of those of the edit, by scene.
    pub roundings: BTreeMap<String, Vec<String>>,
}

impl Palettes {
    /// Collects the materials that meshes of a scene get.
    ///
    /// # Errors
    /// A new material cannot be stored.
    pub(super) fn take(
        &mut self,
        job: &Job<'_>,
        scene: &Scene<'_>,
        numbered: &Numbered<'_>,
        codes: &SceneFile,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        new_materials::check_use(scene)?;
        for new in new_materials::all(scene) {
            let (wanted, rounding) = Wanted::new(job, scene, new)?;
            let path = &scene.output.path;
            let roundings = self.roundings.entry(path.clone()).or_default();
            roundings.extend(rounding.map(|it| format!("material {}: {it}", new.name())));
            self.wanted.insert((path.clone(), new.number), wanted);
        }
        for recut in &scene.recut {
            self.take_mesh(scene, recut, numbered, codes, members)?;
        }
        Ok(())
    }

    fn take_mesh(
        &mut self,
        scene: &Scene<'_>,
        recut: &Recut,
        numbered: &Numbered<'_>,
        codes: &SceneFile,
        members: &Members<'_>,
    ) -> Result<(), Refusal> {
        let mesh = codes.nodes.get(recut.node).and_then(|node| node.mesh);
        let base = scene.base.meshes.get(recut.base);
        let (Some(base), Some(mesh)) = (base, mesh.and_then(|mesh| codes.meshes.get(mesh))) else {
            return Ok(());
        };
        let mut meshes: Vec<Place> = Vec::new();
        for (before, part) in base.primitives.iter().zip(&mesh.primitives) {
            let corners = before.positions.iter().zip(&part.positions);
            let coded = corners.filter(|(before, coded)| before != coded);
            meshes.extend(coded.filter_map(|(_, &coded)| Some(vertex_at(coded, members)?.mesh)));
        }
        meshes.sort_unstable();
        meshes.dedup();
        let had: Vec<Option<usize>> = base.primitives.iter().map(|part| part.material).collect();
        for part in &recut.mesh.primitives {
            let material = MaterialAssignment::new(&scene.base, &scene.edited, part)?.material;
            let Some(number) = material.filter(|_| !had.contains(&material)) else {
                continue;
            };
            for &mesh in &meshes {
                self.put_slot(scene, mesh, number, numbered, members);
            }
        }
        Ok(())
    }

    /// Finds or makes the place of a material in the list of a mesh.
    fn put_slot(
        &mut self,
        scene: &Scene<'_>,
        mesh: Place,
        number: usize,
        numbered: &Numbered<'_>,
        members: &Members<'_>,
    ) {
        let Some(palette) = palette_of(members, mesh) else {
            return;
        };
        let Some(Body::MaterialPalette(stored)) = members.body(palette) else {
            return;
        };
        let path = &scene.output.path;
        let key = (path.clone(), number);
        let list = self.lists.entry(palette).or_default();
        if list.slots.contains_key(&key) {
            return;
        }
        let count = stored.materials.len();
        let (entry, slot) = match self.wanted.contains_key(&key) {
            true => (Some(Entry::New(path.clone(), number)), None),
            false => {
                let place = numbered.place(number);
                let place = place.filter(|place| place.member == palette.member);
                let Some(place) = place.filter(|place| place.index < palette.index) else {
                    return;
                };
                let is_own = |it: &FragmentRef| it.index() == Some(place.index);
                let known = stored.materials.iter().position(is_own);
                let is_taken =
                    |entry: &Entry| matches!(entry, Entry::Known(it) if *it == place.index);
                let taken = list.entries.iter().position(is_taken);
                let slot = known.or(taken.map(|taken| count + taken));
                (slot.is_none().then_some(Entry::Known(place.index)), slot)
            }
        };
        let slot = slot.unwrap_or(count + list.entries.len());
        if let Ok(slot) = u16::try_from(slot) {
            list.slots.insert(key, slot);
            list.path.clone_from(path);
            list.entries.extend(entry);
        }
    }

    /// The place of a material of a scene in the list of a mesh, if the mesh did not have it before.
    pub(super) fn slot(
        &self,
        members: &Members<'_>,
        mesh: Place,
        path: &str,
        material: usize,
    ) -> Option<u16> {
        let list = self.lists.get(&palette_of(members, mesh)?)?;
        list.slots.get(&(path.to_owned(), material)).copied()
    }

    /// Names of the new materials of a scene.
    pub(super) fn names(&self, path: &str) -> Names {
        self.names.get(path).cloned().unwrap_or_default()
    }

    /// Extends the lists, and gives materials the pictures for which they need a texture of their own. All places are
    /// those of the original file. `textures` has the wanted pictures with their scenes, by material.
    ///
    /// # Errors
    /// By scene, materials that the format cannot hold.
    pub(super) fn put(
        &mut self,
        members: &mut Members<'_>,
        textures: &BTreeMap<Place, (String, String)>,
        added: &mut [Added],
    ) -> Result<(), Refusals> {
        let mut refusals = Refusals::new();
        let mut places: Vec<Place> = self.lists.keys().chain(textures.keys()).copied().collect();
        places.sort_unstable();
        for place in places {
            let list = self
                .lists
                .get(&place)
                .filter(|list| !list.entries.is_empty());
            let path = list.map(|list| &list.path);
            let path = path.or(textures.get(&place).map(|(path, _)| path)).cloned();
            let Some(file) = members.edit(place.member).filter(|_| path.is_some()) else {
                continue;
            };
            let at = place.index + self.inserted_before(place);
            let put = match textures.get(&place) {
                Some((_, picture)) => put_texture(&mut file.body, at, picture),
                None => self.put_list(&mut file.body, at, place),
            };
            match put {
                Ok(count) => drop(self.inserted.insert(place, count)),
                Err(refusal) => {
                    let reason = refusal!("materials of {}: {refusal}", file.name);
                    refusals.push((path.unwrap_or_default(), reason));
                }
            }
        }
        for added in added {
            let member = members.find(&added.file);
            let index = added.index;
            let place = member.map(|member| Place { member, index });
            added.index += place.map_or(0, |place| self.inserted_before(place));
        }
        unless_refused((), refusals)
    }

    /// The original index of a packed fragment.
    pub(super) fn original(&self, member: usize, index: usize) -> usize {
        let own = self.inserted.iter().filter(|(at, _)| at.member == member);
        own.fold(index, |index, (at, count)| {
            match index >= at.index + count {
                true => index - count,
                false => index,
            }
        })
    }

    /// Number of fragments that were inserted before an original one.
    pub(super) fn inserted_before(&self, place: Place) -> usize {
        let own = self.inserted.iter();
        let own = own.filter(|(at, _)| at.member == place.member && at.index <= place.index);
        own.map(|(_, count)| *count).sum()
    }

    /// Extends the list `at` a place, which is `place` in the original file. Returns the number of new fragments.
    fn put_list(
        &mut self,
        wld: &mut Wld<'static>,
        at: usize,
        place: Place,
    ) -> Result<usize, Refusal> {
        let Some(list) = self.lists.get(&place) else {
            return Ok(0);
        };
        let mut insertion = Insertion::new(wld, at);
        let mut references = Vec::with_capacity(list.entries.len());
        for entry in &list.entries {
            let reference = match entry {
                &Entry::Known(index) => {
                    let member = place.member;
                    FragmentRef::to(index + self.inserted_before(Place { member, index }))
                }
                Entry::New(path, number) => {
                    let key = (path.clone(), *number);
                    let names = self.names.entry(path.clone()).or_default();
                    let known = names.get(number);
                    let known =
                        known.and_then(|name| insertion.wld.find(FragmentKind::Material, name));
                    match (known, self.wanted.get(&key)) {
                        (Some(known), _) => FragmentRef::to(known),
                        (None, Some(wanted)) => {
                            let (reference, name) = insertion.material(wanted)?;
                            names.insert(*number, name);
                            Some(reference)
                        }
                        (None, None) => None,
                    }
                }
            };
            references.push(reference.ok_or_else(|| refusal!("it has too many fragments"))?);
        }
        let count = insertion.finish()?;
        if let Some(Body::MaterialPalette(list)) = body_mut(wld, at + count) {
            list.materials.extend(references);
        }
        Ok(count)
    }
}

/// Gives a material a texture of its own. Returns the number of new fragments.
fn put_texture(wld: &mut Wld<'static>, at: usize, picture: &str) -> Result<usize, Refusal> {
    let mut insertion = Insertion::new(wld, at);
    let texture = insertion.texture(at, picture)?;
    let count = insertion.finish()?;
    if let Some(Body::Material(material)) = body_mut(wld, at + count) {
        material.texture = texture;
    }
    Ok(count)
}

fn body_mut<'w>(wld: &'w mut Wld<'static>, index: usize) -> Option<&'w mut Body<'static>> {
    Some(&mut wld.fragments.get_mut(index)?.body)
}

/// The list of materials of a mesh.
fn palette_of(members: &Members<'_>, mesh: Place) -> Option<Place> {
    let palette = match members.body(mesh)? {
        Body::Mesh(stored) => stored.palette,
        Body::LegacyMesh(stored) => stored.palette,
        _ => return None,
    };
    let (member, index) = (mesh.member, palette.index()?);
    Some(Place { member, index })
}

impl Wanted {
    /// Reads a new material. Returns the value that the game has instead of that of the edit too.
    fn new(
        job: &Job<'_>,
        scene: &Scene<'_>,
        new: NewMaterial<'_>,
    ) -> Result<(Self, Option<String>), Refusal> {
        let picture = new.picture(job, scene)?;
        let method = method_of_new(new.json);
        let (method, rounding) =
            method.map_err(|refusal| refusal!("material {}: {refusal}", new.name()))?;
        let wanted = Self {
            name: new.name().to_owned(),
            picture,
            method,
            is_two_sided: new.json["doubleSided"].as_bool().unwrap_or_default(),
        };
        Ok((wanted, rounding))
    }
}

/// New fragments of a file, before they are inserted.
struct Insertion<'w> {
    wld: &'w mut Wld<'static>,
    /// Place of the first one.
    at: usize,
    new: Vec<Fragment<'static>>,
    /// New textures by picture.
    textures: BTreeMap<String, FragmentRef>,
    /// Number of new names.
    names: u32,
}

impl<'w> Insertion<'w> {
    fn new(wld: &'w mut Wld<'static>, at: usize) -> Self {
        Self {
            wld,
            at,
            new: Vec::new(),
            textures: BTreeMap::new(),
            names: 0,
        }
    }

    fn push(&mut self, name: Name, body: Body<'static>) -> Result<FragmentRef, Refusal> {
        let reference = FragmentRef::to(self.at + self.new.len());
        self.new.push(Fragment::new(name, body));
        reference.ok_or_else(|| refusal!("it has too many fragments"))
    }

    /// A name for a fragment that is modeled on another; that has one if the other has.
    fn name(&mut self, like: &Name, text: &str) -> Result<Name, Refusal> {
        if like.as_str().is_empty() {
            return Ok(Name::default());
        }
        self.names += 1;
        self.wld.strings.add(text).map_err(Refusal::new)
    }

    /// A material with exactly one picture that can be the model for a new one, preferably with its surface.
    fn model(&self, wanted: &Wanted) -> Option<(usize, Material)> {
        let own = match &self.wld.fragments.get(self.at)?.body {
            Body::MaterialPalette(list) => list.materials.iter().filter_map(|it| it.index()),
            _ => return None,
        };
        let surface = wanted.method.surface(true);
        let all =
            own.chain(0..self.at)
                .filter_map(|index| match &self.wld.fragments.get(index)?.body {
                    Body::Material(material) => {
                        bitmap_of(self.wld, material.texture)?;
                        Some((index, material.clone()))
                    }
                    _ => None,
                });
        let mut all = all.collect::<Vec<_>>().into_iter();
        let first = all.clone().next();
        all.find(|(_, material)| material.surface() == surface)
            .or(first)
    }

    /// Adds a material, and its texture if none shows its picture. Returns the name that it gets.
    fn material(&mut self, wanted: &Wanted) -> Result<(FragmentRef, String), Refusal> {
        let (model, mut material) = self.model(wanted).ok_or_else(|| {
            refusal!(
                "no material of the file shows one picture and could be the model for {}",
                wanted.name
            )
        })?;
        material.texture = self.texture(model, &wanted.picture)?;
        material.render_method = wanted.method;
        material
            .flags
            .set(MaterialFlags::TWO_SIDED, wanted.is_two_sided);
        let name = self.free_name(&wanted.name);
        self.names += 1;
        let stored = self.wld.strings.add(&name).map_err(|_| {
            refusal!(
                "material {}: the game has no such names; use short ones of Latin letters",
                wanted.name
            )
        })?;
        Ok((self.push(stored, Body::Material(material))?, name))
    }

    /// A name for a new material that no other one has.
    fn free_name(&self, wanted: &str) -> String {
        let plain = wanted
            .trim()
            .replace(char::is_whitespace, "_")
            .to_uppercase();
        let plain = plain.strip_suffix("_MDF").unwrap_or(&plain);
        let plain = if plain.is_empty() { "NEW" } else { plain };
        let is_taken = |name: &str| {
            let mut all = self.wld.fragments.iter().chain(&self.new);
            all.any(|it| {
                it.kind() == FragmentKind::Material && it.name().eq_ignore_ascii_case(name)
            })
        };
        let mut name = format!("{plain}_MDF");
        let mut number = 2_usize;
        while is_taken(&name) {
            name = format!("{plain}{number}_MDF");
            number += 1;
        }
        name
    }

    /// A texture that shows a picture alone: a stored one, or a new one like that of a material.
    fn texture(&mut self, model: usize, picture: &str) -> Result<FragmentRef, Refusal> {
        let key = picture.to_ascii_lowercase();
        if let Some(&known) = self.textures.get(&key) {
            return Ok(known);
        }
        let stored = (0..self.at).filter_map(FragmentRef::to);
        if let Some(stored) = { stored }.find(|&it| shows(self.wld, it, picture)) {
            return Ok(stored);
        }
        let lost = || refusal!("it does not show exactly one picture");
        let Some(Body::Material(material)) = self.wld.fragments.get(model).map(|it| &it.body)
        else {
            return Err(lost());
        };
        let chain = chain_of(self.wld, material.texture).ok_or_else(lost)?;
        let [bitmap, definition, instance] = chain.map(|fragment| fragment.clone());
        let (Body::BitmapInfo(info), Body::SimpleSpriteDefinition(sprite), Body::SimpleSprite(own)) =
            (&bitmap.body, &definition.body, &instance.body)
        else {
            return Err(lost());
        };
        let like = info
            .files
            .first()
            .map(EncodedText::text)
            .unwrap_or_default();
        let file = match like.chars().any(char::is_lowercase) {
            true => picture.to_owned(),
            false => picture.to_uppercase(),
        };
        let file = EncodedText::new(&file)
            .ok_or_else(|| refusal!("the name {picture} cannot be stored"))?;
        let stem = picture
            .rsplit_once('.')
            .map_or(picture, |(stem, _)| stem)
            .to_uppercase();
        let named = |fragment: &Fragment<'_>| fragment.name.clone().unwrap_or_default();
        let name = self.name(&named(&bitmap), &stem)?;
        let bitmap = self.push(name, Body::BitmapInfo(BitmapInfo { files: vec![file] }))?;
        let name = self.name(&named(&definition), &format!("{stem}_SPRITE"))?;
        let sprite = SimpleSprite {
            frames: vec![bitmap],
            ..sprite.clone()
        };
        let definition = self.push(name, Body::SimpleSpriteDefinition(sprite))?;
        let body = Body::SimpleSprite(Instance {
            definition,
            ..own.clone()
        });
        let texture = self.push(Name::default(), body)?;
        self.textures.insert(key, texture);
        Ok(texture)
    }

    /// Inserts the fragments. Returns their number.
    fn finish(self) -> Result<usize, Refusal> {
        let is_raw = |fragment: &Fragment<'_>| matches!(fragment.body, Body::Raw(_));
        let count = self.new.len();
        if count > 0 && self.wld.fragments.iter().any(is_raw) {
            refuse!("it has fragments of an unknown kind, so that none can be inserted");
        }
        self.wld.insert(self.at, self.new).map_err(Refusal::new)?;
        let header = &mut self.wld.header;
        header.string_count = header.string_count.saturating_add(self.names);
        Ok(count)
    }
}

/// The bitmap, the definition and the instance of a texture of one picture.
fn chain_of<'w>(wld: &'w Wld<'static>, texture: FragmentRef) -> Option<[&'w Fragment<'static>; 3]> {
    let instance = wld.get(texture)?;
    let Body::SimpleSprite(own) = &instance.body else {
        return None;
    };
    let bitmap = wld.fragments.get(bitmap_of(wld, texture)?)?;
    Some([bitmap, wld.get(own.definition)?, instance])
}
