//! Output stage: encodes assets, hashes them, and writes them through `folder`.
//!
//! - `encoding` — the bytes of outputs; `serializer` — serialized documents; `stream` — streamed files.
//! - `destination` — destination of outputs; `folder` writes temporary files and renames them; [`atomic`] —
//!   atomic writes.
//! - `hash` — hashes of large files; [`links`] — references between outputs.
//! - [`written_list`] — lists of files written next to the outputs: gallery, project.
//! - `originals` — protection of source files.

pub mod atomic;
pub(in crate::pipeline) mod destination;
mod encoding;
pub(crate) mod folder;
pub(crate) mod hash;
pub mod links;
pub(in crate::pipeline) mod originals;
mod serializer;
mod stream;
pub mod written_list;

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use crate::config::Config;
use crate::pipeline::plan::planned::{PlannedFile, PlannedItem};
use crate::pipeline::progress::ItemProgress;
use crate::pipeline::reuse::edited::Aside;
use crate::pipeline::run::collector::Collector;
use crate::pipeline::run::stage_clock::StageClock;
use crate::pipeline::run::video::{Facts, Videos};
use destination::Destination;
use encoding::{ItemEncoder, SceneFiles};
use relicast_convert::{ConvertError, ItemIndex, OutputRole, Sink};
use relicast_emit::gltf::GltfFiles;
use relicast_emit::{self as emit, EmitError, Options};
use relicast_limits as limits;
use relicast_limits::spending::{self, Stage};
use relicast_scene::model::Scene;
use relicast_scene::{Asset, Document, Pictures, Recording, Video};
use relicast_source::bytes::FileBytes;
use serializer::{OutputSerializer, Serialized, Streamed, write_error};
use stream::stream;

/// Copies up to this size are written at once, larger ones are streamed.
const WRITTEN_AT_ONCE: usize = 256 << 10;

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    /// Path below the output folder.
    pub path: String,
    /// BLAKE3 of its bytes.
    pub blake3: String,
    /// Size in bytes.
    pub size: u64,
    /// True if its bytes are a copy of the source.
    pub copied: bool,
}

/// Context for the conversion of a video.
#[derive(Debug, Clone, Copy)]
pub(super) struct VideoContext<'a> {
    /// State shared by all videos.
    pub videos: &'a Videos<'a>,
    /// File of the item, if the item is a whole file.
    pub location: Option<&'a Path>,
    /// Progress of the item.
    pub progress: &'a ItemProgress<'a>,
}

/// Receives the assets of one item.
#[derive(Debug)]
pub(super) struct ItemSink<'a> {
    planned: &'a PlannedItem,
    /// All items of the file.
    items: &'a [PlannedItem],
    options: Options,
    /// Path of the file below the input.
    path: &'a str,
    source: &'a FileBytes,
    destination: Option<&'a Destination<'a>>,
    clock: &'a StageClock,
    video: VideoContext<'a>,
    /// Receives outputs in a dry run.
    pub collector: Option<&'a Collector>,
    /// Nanoseconds spent in this sink.
    pub nanoseconds: u64,
    /// Files that were written.
    pub written: Vec<Written>,
    /// Lines for the report.
    pub notes: Vec<String>,
    /// Indices of the notes about something missing.
    pub missing: Vec<usize>,
    /// Counts that the item reported.
    pub checks: Option<serde_json::Value>,
}

impl<'a> ItemSink<'a> {
    /// A sink for the outputs of `planned`, an item of `file`, whose bytes are `source`.
    pub fn new(
        planned: &'a PlannedItem,
        file: &'a PlannedFile,
        source: &'a FileBytes,
        config: &Config,
        destination: Option<&'a Destination<'a>>,
        clock: &'a StageClock,
        video: VideoContext<'a>,
    ) -> Self {
        Self {
            planned,
            items: file.items(),
            options: Options {
                effort: config.textures.effort,
                style: config.documents.style,
                schemas: config.documents.schemas,
                gpu_instancing: config.scenes.gpu_instancing,
                first_variant_only: !config.scenes.variants,
                clean_sounds: config.sounds.clean,
                quantize: config.scenes.quantize,
                webp: config.scenes.webp,
                godot_extras: config.scenes.godot_extras,
            },
            path: &file.source.path,
            source,
            destination,
            clock,
            video,
            collector: None,
            nanoseconds: 0,
            written: Vec::new(),
            notes: Vec::new(),
            missing: Vec::new(),
            checks: None,
        }
    }
}

impl Sink for ItemSink<'_> {
    fn wants(&self, role: OutputRole) -> bool {
        let mut outputs = self.planned.outputs.iter();
        outputs.any(|output| output.wanted.role == role)
    }

    fn path_of(&self, item: ItemIndex) -> Option<&str> {
        let output = self.items.get(item.0)?.outputs.first()?;
        Some(&output.path)
    }

    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    fn note_missing(&mut self, text: String) {
        self.missing.push(self.notes.len());
        self.notes.push(text);
    }

    fn check(&mut self, checks: serde_json::Value) {
        self.checks = Some(checks);
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let entered = Instant::now();
        match asset {
            Asset::Scene(scene, pictures) => {
                if let Some(scene) = self.encoder(&[]).scene(role, scene, pictures)? {
                    self.write_scene(&scene)?;
                }
            }
            Asset::Recording(recording) => self.take_recording(role, &recording)?,
            Asset::Video(video) => self.take_video(role, &video)?,
            Asset::Source => self.take_source(role)?,
            asset => self.take_single(role, &asset)?,
        }
        self.add_time(entered);
        Ok(())
    }

    fn take_with_document<'d>(
        &mut self,
        scene_role: OutputRole,
        scene: &Scene,
        pictures: &dyn Pictures,
        role: OutputRole,
        document: &(dyn Fn() -> Document<'d> + Sync),
    ) -> Result<(), ConvertError> {
        let entered = Instant::now();
        // Only sounds have tags.
        let encoder = self.encoder(&[]);
        let serializer = self.serializer();
        let (scene, documents) = limits::join(
            || encoder.scene(scene_role, scene, pictures),
            || {
                let document = Asset::Document(document());
                let outputs = encoder.outputs(role);
                let made =
                    outputs.map(|(path, encoding)| serializer.make(&document, encoding, path));
                made.collect::<Result<Vec<_>, ConvertError>>()
            },
        );
        let written = scene.and_then(|scene| {
            scene.map_or(Ok(()), |scene| self.write_scene(&scene))?;
            let mut documents = documents?.into_iter();
            documents.try_for_each(|made| self.keep(made))
        });
        self.add_time(entered);
        written
    }
}

impl<'a> ItemSink<'a> {
    fn add_time(&mut self, entered: Instant) {
        let spent = u64::try_from(entered.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds = self.nanoseconds.saturating_add(spent);
    }

    /// Tags of a sound.
    fn tags(&self) -> Vec<(String, String)> {
        let title = self.planned.item.stem.as_deref();
        [("TITLE", title.unwrap_or(self.path)), ("ALBUM", self.path)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    /// Encoder for the files of the item; sounds get these tags.
    fn encoder<'t>(&self, tags: &'t [(String, String)]) -> ItemEncoder<'t>
    where
        'a: 't,
    {
        ItemEncoder {
            planned: self.planned,
            options: self.options,
            tags,
            clock: self.clock,
        }
    }

    /// Serializer for the documents of the item.
    fn serializer(&self) -> OutputSerializer<'a> {
        let has_store = |to: &Destination<'_>| to.store.is_some();
        let wants_all = self.collector.is_some() || self.options.schemas;
        OutputSerializer {
            encoder: self.encoder(&[]),
            folder: self.destination.map(|to| &to.folder),
            is_whole: wants_all || self.destination.is_some_and(has_store),
        }
    }

    /// Adds a document to the outputs.
    fn keep(&mut self, serialized: Serialized<'_>) -> Result<(), ConvertError> {
        let Streamed {
            path,
            file,
            blake3,
            size,
        } = match serialized {
            Serialized::Whole(path, bytes) => return self.write(path, &bytes),
            Serialized::Streamed(streamed) => streamed,
        };
        let blake3 = blake3.to_hex().to_string();
        let start = Instant::now();
        if let (Some(destination), Some(file)) = (self.destination, file) {
            destination
                .finish(file, path, &blake3, size)
                .map_err(|error| write_error(path, error))?;
        }
        self.written.push(Written {
            path: path.to_owned(),
            blake3,
            size,
            copied: false,
        });
        StageClock::add(&self.clock.write, start);
        Ok(())
    }

    fn take_single(&mut self, role: OutputRole, asset: &Asset<'_>) -> Result<(), ConvertError> {
        let planned = self.planned;
        let tags = match asset {
            Asset::Sound(_) => self.tags(),
            _ => Vec::new(),
        };
        for output in planned
            .outputs
            .iter()
            .filter(|output| output.wanted.role == role)
        {
            let encoding = output.wanted.encoding;
            let encoder = self.encoder(&tags);
            if matches!(asset, Asset::Document(_)) {
                let made = self.serializer().make(asset, encoding, &output.path)?;
                self.keep(made)?;
                continue;
            }
            match encoder.single(asset, encoding, &output.path)? {
                Cow::Borrowed(bytes) => self.copy(&output.path, bytes)?,
                Cow::Owned(bytes) => self.write(&output.path, &bytes)?,
            }
        }
        Ok(())
    }

    /// Copies the source file.
    fn take_source(&mut self, role: OutputRole) -> Result<(), ConvertError> {
        let (planned, source) = (self.planned, self.source);
        let outputs = planned.outputs.iter();
        for output in outputs.filter(|output| output.wanted.role == role) {
            if source.size() <= WRITTEN_AT_ONCE as u64 || self.collector.is_some() {
                self.copy(&output.path, source)?;
                continue;
            }
            let region = spending::enter(Stage::Write, "");
            region.note(source.size(), source.size());
            let start = Instant::now();
            self.stream(&output.path, true, |out| {
                Ok(source.pass(|window| out.write_all(window))?)
            })?;
            StageClock::add(&self.clock.write, start);
        }
        Ok(())
    }

    /// Writes a recording while reading it.
    fn take_recording(
        &mut self,
        role: OutputRole,
        recording: &Recording<'_>,
    ) -> Result<(), ConvertError> {
        let planned = self.planned;
        for output in planned
            .outputs
            .iter()
            .filter(|output| output.wanted.role == role)
        {
            let region = spending::enter(Stage::Emit, "");
            let start = Instant::now();
            self.stream(&output.path, false, |out| {
                emit::recording::write(recording, output.wanted.encoding, out)
            })?;
            let size = self.written.last().map_or(0, |written| written.size);
            region.note(0, size);
            // Already hashed and written by the stream.
            spending::enter(Stage::Write, "").note(size, size);
            StageClock::add(&self.clock.emit, start);
        }
        Ok(())
    }

    /// Writes a scene as one file, or as two.
    fn write_scene(&mut self, scene: &SceneFiles<'_>) -> Result<(), ConvertError> {
        match &scene.files {
            GltfFiles::Glb(bytes) => self.write(scene.file, bytes),
            GltfFiles::Gltf { json, bin } => {
                if let (Some(buffer), false) = (scene.buffer, bin.is_empty()) {
                    self.write(buffer, bin)?;
                }
                self.write(scene.file, json)
            }
        }
    }

    /// Writes a video as a movie, its facts and an optional poster.
    fn take_video(&mut self, role: OutputRole, video: &Video<'_>) -> Result<(), ConvertError> {
        let _region = spending::enter(Stage::Emit, "");
        let start = Instant::now();
        let planned = self.planned;
        let output = planned
            .outputs
            .iter()
            .find(|output| output.wanted.role == role);
        let Some(output) = output else {
            return Ok(());
        };
        let target = self
            .destination
            .map(|destination| (&destination.folder, &*output.path));
        let VideoContext {
            videos,
            location,
            progress,
        } = self.video;
        let advance = |share| progress.reach(share);
        let wants_poster = self.wants(OutputRole::Poster);
        let aside = self.make_way(&output.path)?;
        let made = videos.make(video, location, target, wants_poster, &advance);
        let file = made.as_ref().ok().and_then(|made| made.file.as_ref());
        self.finish_move(aside, file.map(|file| &*file.blake3));
        if let (Some(destination), Some(file)) = (self.destination, file) {
            destination.share(&output.path, &file.blake3, file.size);
        }
        let made = made?;
        StageClock::add(&self.clock.emit, start);
        if let Some(file) = made.file {
            self.written.push(Written {
                path: output.path.clone(),
                blake3: file.blake3,
                size: file.size,
                copied: false,
            });
        }
        let complaints = made.complaints.iter();
        self.notes
            .extend(complaints.map(|line| format!("ffmpeg: {line}")));
        if let Some(stated) = video.frames
            && made.decoded.frames.len() != stated as usize
        {
            let found = made.decoded.frames.len();
            self.notes.push(format!(
                "{found} of {stated} stored frames could be decoded"
            ));
        }
        let facts = Facts {
            source: (video.facts.to_value())
                .map_err(|error| ConvertError::Emit(error.to_string()))?,
            decoded: &made.decoded,
        };
        self.take_single(OutputRole::Facts, &Asset::Document(Document::new(facts)))?;
        match made.poster {
            Some(poster) => self.take_single(OutputRole::Poster, &Asset::Image(poster)),
            None => {
                if wants_poster {
                    self.notes
                        .push("no poster: the video is too short".to_owned());
                }
                Ok(())
            }
        }
    }

    /// Copies bytes of the source.
    fn copy(&mut self, path: &str, bytes: &[u8]) -> Result<(), ConvertError> {
        let region = spending::enter(Stage::Write, "");
        region.note(bytes.len() as u64, bytes.len() as u64);
        let start = Instant::now();
        if bytes.len() <= WRITTEN_AT_ONCE {
            let blake3 = blake3::hash(bytes).to_hex().to_string();
            self.write_hashed(path, bytes, blake3, true)?;
        } else {
            if let Some(collector) = self.collector {
                collector.offer(path, bytes);
            }
            self.stream(path, true, |out| Ok(out.write_all(bytes)?))?;
        }
        StageClock::add(&self.clock.write, start);
        Ok(())
    }

    /// Streams the output of `make` to a file.
    fn stream(
        &mut self,
        path: &str,
        copied: bool,
        make: impl FnOnce(&mut dyn Write) -> Result<(), EmitError>,
    ) -> Result<(), ConvertError> {
        let target = self.destination.map(|to| (&to.folder, path));
        let aside = self.make_way(path)?;
        let streamed = stream(target, make).map_err(|error| match error {
            EmitError::Stream(error) => ConvertError::Write {
                path: path.to_owned(),
                error,
            },
            error => ConvertError::Emit(error.to_string()),
        });
        let streamed = streamed.map(|(size, hash)| (size, hash.to_hex().to_string()));
        self.finish_move(aside, streamed.as_ref().ok().map(|(_, blake3)| &**blake3));
        let (size, blake3) = streamed?;
        if let Some(destination) = self.destination {
            destination.share(path, &blake3, size);
        }
        self.written.push(Written {
            path: path.to_owned(),
            blake3,
            size,
            copied,
        });
        Ok(())
    }

    /// Hashes and writes an output.
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), ConvertError> {
        let region = spending::enter(Stage::Write, "");
        region.note(bytes.len() as u64, bytes.len() as u64);
        let start = Instant::now();
        let blake3 = blake3::hash(bytes);
        self.write_hashed(path, bytes, blake3.to_hex().to_string(), false)?;
        StageClock::add(&self.clock.write, start);
        Ok(())
    }

    /// Writes an output whose BLAKE3 is `blake3`.
    fn write_hashed(
        &mut self,
        path: &str,
        bytes: &[u8],
        blake3: String,
        copied: bool,
    ) -> Result<(), ConvertError> {
        if let Some(collector) = self.collector {
            collector.offer(path, bytes);
        }
        if let Some(destination) = self.destination {
            destination
                .write(path, bytes, &blake3)
                .map_err(|error| write_error(path, error))?;
        }
        self.written.push(Written {
            path: path.to_owned(),
            blake3,
            size: bytes.len() as u64,
            copied,
        });
        Ok(())
    }

    fn make_way(&self, path: &str) -> Result<Option<Aside>, ConvertError> {
        let aside = self.destination.map_or(Ok(None), |to| to.make_way(path));
        aside.map_err(|error| write_error(path, error))
    }

    /// Completes [`make_way`](Self::make_way) with the BLAKE3 of the written output.
    fn finish_move(&self, aside: Option<Aside>, blake3: Option<&str>) {
        if let Some(destination) = self.destination {
            destination.keeper.finish_move(aside, blake3);
        }
    }
}
