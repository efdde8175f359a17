//! Liveries as variants of an aircraft: each pattern with skins for its textures, in the paints of the pattern and
//! in all paints of the game's data and saved planes.

use std::collections::{BTreeMap, BTreeSet};

use crate::Dependency;
use crate::options::ConvertOptions;
use crate::zipper::scene::texture_library::{Skin, Skins, TextureLibrary, key_of};
use crate::zipper::scene::variants::{MaterialVariant, MaterialVariants};
use relicast_formats::kind::Kind;
use relicast_formats::zipper::livery::{self, Paints};
use relicast_formats::zipper::paint::{Pattern, decal_places, replaced_texture};
use relicast_formats::zipper::rof::{self, Rof};

use super::livery_file::painted;
use super::paint_jobs::{self, PaintJob};
use super::resource_document::is_patch;
use super::resources::{listed, pattern_of};

/// Location of a livery.
#[derive(Debug, Clone, Copy)]
enum Place<'a> {
    /// In an archive: its number, and that of the entry.
    Archived(usize, usize),
    /// A separate file.
    Loose(&'a [u8]),
}

/// A livery of a pattern.
#[derive(Debug, Clone)]
struct PatternLivery<'a> {
    /// Name of its file.
    name: String,
    /// Path of its source file.
    source: &'a str,
    place: Place<'a>,
    /// Path of its picture in the paints of its pattern.
    output: Option<&'a str>,
}

/// Liveries of a pattern, by the texture that each replaces.
type PatternLiveries<'a> = BTreeMap<String, PatternLivery<'a>>;

/// All available liveries, and the paint jobs.
#[derive(Debug, Default)]
pub(crate) struct Liveries<'a> {
    archives: Vec<Rof<'a>>,
    /// By the name of the pattern in upper case.
    patterns: BTreeMap<String, PatternLiveries<'a>>,
    jobs: Vec<PaintJob>,
}

/// Material variants of an aircraft.
#[derive(Debug, Default)]
pub(crate) struct LiveryVariants<'a> {
    /// The variants.
    pub variants: MaterialVariants,
    /// The skins that they name.
    pub skins: Skins<'a>,
    /// Unusual findings about them.
    pub notes: BTreeSet<String>,
}

impl<'a> Liveries<'a> {
    /// The liveries among the dependencies of a library of aircraft.
    pub(crate) fn new(dependencies: &[Dependency<'a>]) -> Self {
        let mut liveries = Self::default();
        for dependency in dependencies {
            if dependency.kind == Kind::Livery {
                liveries.add_loose(dependency);
            }
        }
        let mut archives: Vec<&Dependency<'a>> = dependencies
            .iter()
            .filter(|dependency| dependency.kind == Kind::Rof)
            .collect();
        // Later ones have precedence: archives over loose files, the patch over all.
        archives.sort_by_key(|dependency| is_patch(dependency.path));
        for archive in archives {
            liveries.add_archive(archive);
        }
        if !liveries.patterns.is_empty() {
            liveries.jobs = paint_jobs::of_readers(dependencies);
            liveries.jobs.extend(paint_jobs::of_saves(dependencies));
        }
        liveries
    }

    fn add_loose(&mut self, file: &Dependency<'a>) {
        let mut parts = file.path.rsplit('/');
        let (Some(name), Some(folder)) = (parts.next(), parts.next()) else {
            return;
        };
        let pattern_livery = PatternLivery {
            name: name.to_owned(),
            source: file.path,
            place: Place::Loose(file.bytes),
            output: None,
        };
        let of_pattern = self.patterns.entry(folder.to_uppercase()).or_default();
        of_pattern.insert(replaced_texture(name), pattern_livery);
    }

    fn add_archive(&mut self, file: &Dependency<'a>) {
        let Ok(decoded) = rof::decode(file.bytes) else {
            return;
        };
        let archive = decoded.value;
        let number = self.archives.len();
        for (part, index) in listed(&archive).into_iter().enumerate() {
            let Some(entry) = archive.entries.get(index) else {
                continue;
            };
            let is_livery = entry.fault.is_none() && entry.name.to_lowercase().ends_with(".bm");
            let Some(folder) = pattern_of(&archive, index).filter(|_| is_livery) else {
                continue;
            };
            let pattern_livery = PatternLivery {
                name: entry.name.clone(),
                source: file.path,
                place: Place::Archived(number, index),
                // The archive itself is its first item.
                output: file.outputs.get(part + 1).and_then(Option::as_deref),
            };
            let of_pattern = self.patterns.entry(folder.to_uppercase()).or_default();
            of_pattern.insert(replaced_texture(&entry.name), pattern_livery);
        }
        self.archives.push(archive);
    }

    /// True if there are no liveries.
    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Variants for an aircraft with the textures `used`: names in lower case up to the first period.
    pub(crate) fn livery_variants(
        &self,
        used: &BTreeSet<String>,
        library: &TextureLibrary<'a>,
        options: &ConvertOptions,
    ) -> LiveryVariants<'a> {
        let mut livery_variants = LiveryVariants::default();
        for (pattern, liveries) in &self.patterns {
            let fitting: Vec<(&String, &PatternLivery<'a>)> = liveries
                .iter()
                .filter(|(texture, _)| used.contains(*texture))
                .collect();
            if fitting.is_empty() {
                continue;
            }
            for job in self.jobs_of(pattern, &fitting, options) {
                self.add_job(&job, &fitting, used, library, options, &mut livery_variants);
            }
        }
        if !livery_variants.variants.variants.is_empty() {
            let bare = MaterialVariant {
                name: "unpainted".to_owned(),
                textures: BTreeMap::new(),
            };
            livery_variants.variants.variants.insert(0, bare);
        }
        livery_variants
    }

    /// The paint jobs of a pattern, its own first, each once.
    fn jobs_of(
        &self,
        pattern: &str,
        fitting: &[(&String, &PatternLivery<'a>)],
        options: &ConvertOptions,
    ) -> Vec<Job> {
        let own = options.liveries.paints_of(pattern);
        let applies = |job: &&PaintJob| {
            let named = Pattern::named(&job.pattern).map_or(&*job.pattern, |known| known.folder);
            let fits = job.airframe.is_none_or(|prefix| {
                let start = format!("{}_", prefix.to_lowercase());
                fitting
                    .iter()
                    .any(|(texture, _)| texture.starts_with(&start))
            });
            named.eq_ignore_ascii_case(pattern) && fits
        };
        let applicable: Vec<&PaintJob> = self.jobs.iter().filter(applies).collect();
        let mut jobs: Vec<Job> = Vec::new();
        let base = pattern.to_lowercase();
        if let Some(paints) = own {
            let generic = applicable.iter().find(|job| job.airframe.is_none());
            jobs.push(Job {
                name: base.clone(),
                paints,
                decals: generic.map_or([None; 3], |job| job.decals),
                is_own: true,
            });
        }
        for job in applicable {
            let Some(paints) = job.paints.or(own) else {
                continue;
            };
            let name = match &job.name {
                Some(name) => format!("{base} {name}"),
                None => format!("{base} {}", hexadecimal(paints)),
            };
            let is_new = match job.name {
                Some(_) => jobs.iter().all(|known| known.name != name),
                None => jobs.iter().all(|known| known.paints != paints),
            };
            if is_new {
                jobs.push(Job {
                    name,
                    paints,
                    decals: job.decals,
                    is_own: Some(paints) == own,
                });
            }
        }
        jobs
    }

    /// Adds the variant of a job.
    fn add_job(
        &self,
        job: &Job,
        fitting: &[(&String, &PatternLivery<'a>)],
        used: &BTreeSet<String>,
        library: &TextureLibrary<'a>,
        options: &ConvertOptions,
        livery_variants: &mut LiveryVariants<'a>,
    ) {
        let mut textures = BTreeMap::new();
        for (texture, pattern_livery) in fitting {
            let Some((picture, fault)) = self.picture(pattern_livery, job.paints, library, options)
            else {
                let lost = format!("{} cannot be read", pattern_livery.name);
                livery_variants.notes.insert(lost);
                continue;
            };
            livery_variants.notes.extend(fault);
            let name = format!("{}/{texture}", job.name.replace('.', "_"));
            let output = pattern_livery.output.filter(|_| job.is_own);
            let skin = Skin {
                name: name.clone(),
                key: output.map_or_else(|| format!("painted: {name}"), str::to_owned),
                inside: output.is_none(),
                source: pattern_livery.source,
                replaces: (*texture).clone(),
                picture,
            };
            livery_variants.skins.insert(key_of(&name), skin);
            textures.insert((*texture).clone(), name);
        }
        if textures.is_empty() {
            return;
        }
        let prefixes: BTreeSet<&str> = fitting
            .iter()
            .filter_map(|(texture, _)| texture.split_once('_'))
            .map(|(prefix, _)| prefix)
            .collect();
        for prefix in prefixes {
            for (place, decal) in decal_places(prefix).into_iter().zip(job.decals) {
                let Some(decal) = decal.filter(|_| used.contains(&place)) else {
                    continue;
                };
                match library.numbered(&format!("{decal:02}")) {
                    Some(picture) => {
                        textures.insert(place, picture);
                    }
                    None => livery_variants
                        .variants
                        .lost
                        .push(format!("decal {decal:02}")),
                }
            }
        }
        livery_variants.variants.variants.push(MaterialVariant {
            name: job.name.clone(),
            textures,
        });
    }

    /// The picture of a livery in some paints, and unusual findings about it; `None` for a damaged one.
    fn picture(
        &self,
        pattern_livery: &PatternLivery<'a>,
        paints: Paints,
        library: &TextureLibrary<'a>,
        options: &ConvertOptions,
    ) -> Option<(relicast_scene::Image<'static>, Option<String>)> {
        let draw = |bytes: &[u8]| {
            let livery = livery::decode(bytes).ok()?.value;
            Some(painted(
                &livery,
                &pattern_livery.name,
                paints,
                library,
                options,
            ))
        };
        match pattern_livery.place {
            Place::Loose(bytes) => draw(bytes),
            Place::Archived(archive, index) => {
                let entry = self.archives.get(archive)?.entries.get(index)?;
                draw(&entry.extract().ok()?.value)
            }
        }
    }
}

/// A variant under construction.
struct Job {
    name: String,
    paints: Paints,
    decals: [Option<u32>; 3],
    /// True if the paints are those of the pattern, whose pictures are separate files.
    is_own: bool,
}

fn hexadecimal(paints: Paints) -> String {
    let words = paints.map(|[r, g, b]| format!("{r:02x}{g:02x}{b:02x}"));
    words.join("-")
}
