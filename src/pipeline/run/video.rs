//! Videos in a run: ffmpeg is searched once, when the first video needs it; its output files are renamed when
//! complete.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tempfile::TempDir;
use tracing::info;

use super::log_target::FOR_SCRIPTS;
use super::video_options::video_options;
use crate::config;
use crate::pipeline::output::folder::{Durability, OutputFolder, Unfinished};
use crate::pipeline::output::hash::{Hashed, hash_reader};
use relicast_convert::ConvertError;
use relicast_emit::video::{self, Control, Decoded, Job, Tool, VideoError, VideoOptions};
use relicast_scene::{Image, Video};

/// State shared by all videos of a run.
#[derive(Debug)]
pub(in crate::pipeline) struct Videos<'a> {
    /// Path of ffmpeg from the settings; empty to search for it.
    program: PathBuf,
    options: VideoOptions,
    cancel: &'a AtomicBool,
    tool: OnceLock<Result<Tool, String>>,
}

/// JSON document next to a video.
#[derive(Debug, Serialize)]
pub(in crate::pipeline) struct Facts<'a> {
    /// Headers of the source.
    pub source: serde_json::Value,
    /// Result of decoding it.
    pub decoded: &'a Decoded,
}

/// A video that was converted.
#[derive(Debug)]
pub(in crate::pipeline) struct ConvertedVideo {
    /// The new file, if requested.
    pub file: Option<Hashed>,
    pub decoded: Decoded,
    pub poster: Option<Image<'static>>,
    pub complaints: Vec<String>,
}

impl<'a> Videos<'a> {
    pub(in crate::pipeline) fn new(settings: &config::Video, cancel: &'a AtomicBool) -> Self {
        Self {
            program: settings.ffmpeg.clone(),
            options: video_options(settings),
            cancel,
            tool: OnceLock::new(),
        }
    }

    /// The ffmpeg that was used, if any video needed one.
    pub(in crate::pipeline) fn used(&self) -> Option<&Tool> {
        self.tool.get()?.as_ref().ok()
    }

    /// The ffmpeg that a video would use now.
    pub(in crate::pipeline) fn available(&self) -> Option<&Tool> {
        self.tool().ok()
    }

    fn tool(&self) -> Result<&Tool, ConvertError> {
        let found = self.tool.get_or_init(|| {
            let found = video::find(&self.program, self.cancel);
            if let Ok(tool) = &found {
                info!(target: FOR_SCRIPTS, event = "tool", version = tool.version, "{tool}");
            }
            found
        });
        let missing = |why: &String| {
            if self.cancel.load(Ordering::Relaxed) {
                ConvertError::Cancelled
            } else {
                ConvertError::NoFfmpeg(why.clone())
            }
        };
        found.as_ref().map_err(missing)
    }

    /// Converts a video to `output`, a path in an output folder, or only decodes it. `location` is its file on
    /// disk; without one, ffmpeg reads a copy.
    ///
    /// # Errors
    /// There is no ffmpeg, it fails, a file cannot be written, or the run is cancelled.
    pub(in crate::pipeline) fn make(
        &self,
        video: &Video<'_>,
        location: Option<&Path>,
        output: Option<(&OutputFolder, &str)>,
        wants_poster: bool,
        advance: &dyn Fn(f64),
    ) -> Result<ConvertedVideo, ConvertError> {
        let tool = self.tool()?;
        let failed = |path: &str, error: io::Error| ConvertError::Write {
            path: path.to_owned(),
            error,
        };
        // Decoding alone also needs a folder for its files.
        let label = "a temporary folder";
        let temporary = match output {
            Some(_) => None,
            None => Some(temporary_folder().map_err(|fault| failed(label, fault))?),
        };
        let (folder, path) = match (output, &temporary) {
            (Some(output), _) => output,
            (None, Some((own, _))) => (own, "video"),
            (None, None) => return Err(failed(label, io::ErrorKind::NotFound.into())),
        };
        // Each is created empty under a temporary name, for ffmpeg to fill.
        let begin = || -> Result<Unfinished<'_>, ConvertError> {
            let mut file = folder.begin(path).map_err(|fault| failed(path, fault))?;
            file.close();
            Ok(file)
        };
        let copied = match location {
            Some(_) => None,
            None => Some(copy_of(video, folder, path).map_err(|fault| failed(path, fault))?),
        };
        let input = location.or_else(|| Some(copied.as_ref()?.path()));
        // An absolute path, because ffmpeg would misread a name with a leading dash or a colon.
        let input = std::path::absolute(input.unwrap_or(Path::new("")))
            .map_err(|fault| failed(path, fault))?;
        let part = output.map(|_| begin()).transpose()?;
        let poster = wants_poster.then(begin).transpose()?;
        let encoded = video::encode(
            &Job {
                tool,
                options: &self.options,
                input: &input,
                output: part.as_ref().map(Unfinished::path),
                poster: poster.as_ref().map(Unfinished::path),
                duration: video.duration,
            },
            &Control {
                cancel: self.cancel,
                advance,
            },
        )
        .map_err(|error| match error {
            VideoError::Cancelled => ConvertError::Cancelled,
            error => ConvertError::Emit(error.to_string()),
        })?;
        let file = part.map(|part| {
            let hashed = hash_reader(part.read()?)?;
            part.finish()?;
            Ok(hashed)
        });
        Ok(ConvertedVideo {
            file: file.transpose().map_err(|fault| failed(path, fault))?,
            decoded: encoded.decoded,
            poster: encoded.poster,
            complaints: encoded.complaints,
        })
    }
}

/// Temporary folder, deleted on drop. It is closed before it is removed.
fn temporary_folder() -> io::Result<(OutputFolder, TempDir)> {
    let folder = tempfile::Builder::new().prefix("relicast-").tempdir()?;
    let opened = OutputFolder::open(folder.path(), Durability::System)?;
    Ok((opened, folder))
}

/// Copy of a video for ffmpeg to read, deleted on drop.
fn copy_of<'f>(
    video: &Video<'_>,
    folder: &'f OutputFolder,
    path: &str,
) -> io::Result<Unfinished<'f>> {
    let mut copy = folder.begin(path)?;
    copy.write_all(video.bytes)?;
    copy.close();
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_formats::riff::avi::write::{Movie, write};
    use relicast_scene::Document;

    #[test]
    fn a_video_without_a_file_of_its_own_is_read_from_a_copy_that_goes() {
        let settings = config::Video::default();
        let cancel = AtomicBool::new(false);
        if let Err(why) = video::find(&settings.ffmpeg, &cancel) {
            eprintln!("SKIPPED: {why}");
            return;
        }
        let bytes = write(&Movie {
            width: 16,
            height: 16,
            rate: 5,
            frames: vec![vec![99; 768]; 4],
            ..Movie::default()
        })
        .unwrap();
        let source = Video {
            bytes: &bytes,
            facts: Document::new("facts"),
            frames: Some(4),
            duration: Some(0.8),
        };
        let folder = tempfile::tempdir().unwrap();
        let out = OutputFolder::open(folder.path(), Durability::System).unwrap();
        let videos = Videos::new(&settings, &cancel);
        for output in [Some((&out, "out.mp4")), None] {
            let converted = videos.make(&source, None, output, true, &|_| {});
            let converted = converted.unwrap();
            assert_eq!(converted.decoded.frames.len(), 4);
            assert_eq!(converted.file.is_some(), output.is_some());
            assert_eq!(converted.poster.map(|image| image.width), Some(16));
        }
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "the movie and nothing else");
    }
}
