//! Videos in a run: ffmpeg is looked for once, when the first video asks for it; files that it writes
//! appear under their names only when they are whole.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::Serialize;
use tracing::info;

use super::output::{Hashed, hash_file, unfinished};
use super::progress::Progress;
use crate::config;
use crate::convert::ConvertError;
use crate::emit::video::{self, Control, Decoded, Job, Tool, VideoError};
use crate::scene::{Document, Image, Video};
use crate::source::bytes::FileBytes;

/// How skips for want of ffmpeg start.
pub const NO_FFMPEG: &str = "no ffmpeg: ";

/// What all videos of a run share.
#[derive(Debug)]
pub(super) struct Videos<'a> {
    settings: &'a config::Video,
    cancel: &'a AtomicBool,
    progress: &'a Progress,
    tool: OnceLock<Result<Tool, String>>,
    /// Videos that were decoded without an output, whose name would tell them apart.
    unnamed: AtomicU64,
}

/// The facts of a video, as they are written beside it.
#[derive(Debug, Serialize)]
pub(super) struct Facts<'a> {
    /// What the headers of the source tell.
    pub source: &'a Document<'a>,
    /// What a decoder found in it.
    pub decoded: &'a Decoded,
}

/// A video that was converted.
#[derive(Debug)]
pub(super) struct Made {
    /// The new file, when one was asked for.
    pub file: Option<Hashed>,
    pub decoded: Decoded,
    pub poster: Option<Image<'static>>,
    pub complaints: Vec<String>,
}

/// Files on their way, deleted unless they were taken.
struct Scratch(Vec<PathBuf>);

impl Drop for Scratch {
    fn drop(&mut self) {
        for path in &self.0 {
            // Most of them were never made, or have been renamed.
            let _ = fs::remove_file(path);
        }
    }
}

impl Scratch {
    /// A name beside `path` for something on its way.
    fn name(&mut self, path: &Path, what: &str) -> PathBuf {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(what);
        let scratch = unfinished(&path.with_file_name(name));
        self.0.push(scratch.clone());
        scratch
    }
}

impl<'a> Videos<'a> {
    pub(super) fn new(
        settings: &'a config::Video,
        cancel: &'a AtomicBool,
        progress: &'a Progress,
    ) -> Self {
        Self {
            settings,
            cancel,
            progress,
            tool: OnceLock::new(),
            unnamed: AtomicU64::new(0),
        }
    }

    /// The ffmpeg that was used, if any video asked for one.
    pub(super) fn used(&self) -> Option<&Tool> {
        self.tool.get()?.as_ref().ok()
    }

    fn tool(&self) -> Result<&Tool, ConvertError> {
        let found = self.tool.get_or_init(|| {
            let consent = |question: &str| self.progress.ask(question, self.cancel);
            let found = video::tool::find(self.settings, self.cancel, &consent);
            if let Ok(tool) = &found {
                info!(event = "tool", version = tool.version, "{tool}");
            }
            found
        });
        let missing = |why: &String| ConvertError::Unavailable(format!("{NO_FFMPEG}{why}"));
        found.as_ref().map_err(missing)
    }

    /// Converts a video to `output`, or only decodes it. `location` is the file of its own that it lies
    /// in, if there is one; ffmpeg reads others from a copy. The video's bytes are those of `source`.
    ///
    /// # Errors
    /// There is no ffmpeg, it fails, a file cannot be written, or the run is cancelled.
    pub(super) fn make(
        &self,
        video: &Video<'_>,
        source: &FileBytes,
        location: Option<&Path>,
        output: Option<&Path>,
        wants_poster: bool,
        advance: &dyn Fn(f64),
    ) -> Result<Made, ConvertError> {
        let tool = self.tool()?;
        let mut scratch = Scratch(Vec::new());
        let place = match output {
            Some(output) => output.to_owned(),
            None => {
                let number = self.unnamed.fetch_add(1, Ordering::Relaxed);
                let name = format!("relicast-{}-{number}", std::process::id());
                std::env::temp_dir().join(name)
            }
        };
        let failed = |path: &Path, error: io::Error| ConvertError::Write {
            path: path.display().to_string(),
            error,
        };
        let copied;
        let input = match location {
            Some(location) => location,
            None => {
                copied = scratch.name(&place, ".source");
                let copy = fs::File::create(&copied);
                copy.and_then(|mut copy| source.pass(video.bytes, |part| copy.write_all(part)))
                    .map_err(|fault| failed(&copied, fault))?;
                &copied
            }
        };
        // What starts with a dash or holds a colon is a file all the same, told by its whole path.
        let input = std::path::absolute(input).map_err(|fault| failed(input, fault))?;
        let part = output.map(|output| scratch.name(output, ""));
        let poster = wants_poster.then(|| scratch.name(&place, ".poster"));
        let encoded = video::encode(
            &Job {
                tool,
                settings: self.settings,
                input: &input,
                output: part.as_deref(),
                poster: poster.as_deref(),
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
        let file = match (&part, output) {
            (Some(part), Some(output)) => {
                let hashed = hash_file(part).map_err(|fault| failed(part, fault))?;
                fs::rename(part, output).map_err(|fault| failed(output, fault))?;
                Some(hashed)
            }
            _ => None,
        };
        Ok(Made {
            file,
            decoded: encoded.decoded,
            poster: encoded.poster,
            complaints: encoded.complaints,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::riff::avi::write::{Movie, write};

    #[test]
    fn a_video_without_a_file_of_its_own_is_read_from_a_copy_that_goes() {
        let settings = config::Video {
            download: config::Download::Never,
            ..config::Video::default()
        };
        let cancel = AtomicBool::new(false);
        if let Err(why) = video::tool::find(&settings, &cancel, &|_| false) {
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
        let output = folder.path().join("out.mp4");
        let progress = Progress::new(crate::pipeline::progress::Mode::Silent);
        let videos = Videos::new(&settings, &cancel, &progress);
        let held = FileBytes::Owned(bytes.clone());
        for output in [Some(&*output), None] {
            let made = videos.make(&source, &held, None, output, true, &|_| {});
            let made = made.unwrap();
            assert_eq!(made.decoded.frames.len(), 4);
            assert_eq!(made.file.is_some(), output.is_some());
            assert_eq!(made.poster.map(|image| image.width), Some(16));
        }
        let names = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "the movie and nothing else");
    }
}
