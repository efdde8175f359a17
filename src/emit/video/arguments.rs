//! The arguments of ffmpeg.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::Job;
use crate::config::{self, AUTO, VideoAudio, VideoProfile};
use crate::scene::Container;

/// Kinds of input that ffmpeg may take a source for. A source is untrusted: it must not be a playlist
/// that leads to other files or machines.
const FORMATS: &str = "avi,mpeg,mpegvideo,mpegts";

/// Rounds to sizes that are even, which most players ask for, by adding a row or column.
const EVEN: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2";

/// Whole numbers all the way, whatever the processor.
const SCALER: &str = "bicubic+accurate_rnd+full_chroma_int+bitexact";

/// The arguments of a run.
pub(super) fn all(job: &Job<'_>) -> Vec<OsString> {
    let mut list = List::default();
    list.words(&["-y", "-stats", "-filter_threads", "1"]);
    list.words(&["-threads", "1", "-flags", "+bitexact"]);
    list.words(&["-protocol_whitelist", "file,pipe"]);
    list.words(&["-format_whitelist", FORMATS, "-i"]);
    list.file(job.input);
    if let Some(output) = job.output {
        movie(&mut list, job.settings, output);
    }
    let frame_rule = if job.tool.is_at_least(5, 1) {
        "-fps_mode"
    } else {
        "-vsync"
    };
    list.words(&["-map", "0:v:0", "-map", "0:a?", frame_rule, "passthrough"]);
    list.words(&["-c:v", "rawvideo", "-c:a", "copy", "-fflags", "+bitexact"]);
    list.words(&["-f", "framemd5", "pipe:1"]);
    if let Some(poster) = job.poster {
        let at = job.settings.poster_at.max(0.0);
        let at = job.duration.map_or(at, |duration| at.min(duration / 2.0));
        list.words(&["-map", "0:v:0", "-sws_flags", SCALER, "-vf"]);
        list.word(format!("select='gte(t,{at:.6})'"));
        list.words(&["-frames:v", "1", "-pix_fmt", "rgb24", "-c:v", "ppm"]);
        list.words(&["-f", "image2pipe"]);
        list.file(poster);
    }
    list.0
}

/// Encoders of a profile, with their preset and quality.
struct Choice<'a> {
    codec: &'a str,
    preset: Option<&'a str>,
    crf: Option<i32>,
    audio: VideoAudio,
}

impl<'a> Choice<'a> {
    fn new(settings: &'a config::Video) -> Self {
        let mut choice = match settings.profile {
            VideoProfile::Mp4 => Self {
                codec: "libx264",
                preset: Some("medium"),
                crf: Some(20),
                audio: VideoAudio::Aac,
            },
            VideoProfile::Mkv => Self {
                codec: "libx264",
                preset: Some("medium"),
                crf: Some(18),
                audio: VideoAudio::Flac,
            },
            VideoProfile::Av1Opus => Self {
                codec: "libsvtav1",
                preset: Some("6"),
                crf: Some(30),
                audio: VideoAudio::Opus,
            },
            VideoProfile::Lossless => Self {
                codec: "ffv1",
                preset: None,
                crf: None,
                audio: VideoAudio::Copy,
            },
        };
        if settings.codec != AUTO {
            // Presets and qualities of one encoder mean nothing to another.
            choice.codec = &settings.codec;
            (choice.preset, choice.crf) = (None, None);
        }
        if settings.preset != AUTO {
            choice.preset = Some(&settings.preset);
        }
        if settings.crf >= 0 {
            choice.crf = Some(settings.crf);
        }
        if settings.audio != VideoAudio::Auto {
            choice.audio = settings.audio;
        }
        choice
    }
}

/// The new file.
fn movie(list: &mut List, settings: &config::Video, output: &Path) {
    let choice = Choice::new(settings);
    list.words(&["-map", "0:v:0"]);
    if choice.audio != VideoAudio::None {
        list.words(&["-map", "0:a?"]);
    }
    pictures(list, settings, &choice);
    sound(list, settings, choice.audio);
    list.words(&["-threads", "1", "-fflags", "+bitexact"]);
    list.words(&["-flags:v", "+bitexact", "-flags:a", "+bitexact"]);
    let container = settings.container();
    if matches!(container, Container::Mp4 | Container::Mov) {
        list.words(&["-movflags", "+faststart"]);
    }
    for argument in &settings.arguments {
        list.word(argument);
    }
    list.words(&[
        "-f",
        match container {
            Container::Mp4 => "mp4",
            Container::Mov => "mov",
            Container::Mkv => "matroska",
            Container::Webm => "webm",
        },
    ]);
    list.file(output);
}

fn pictures(list: &mut List, settings: &config::Video, choice: &Choice<'_>) {
    list.words(&["-c:v", choice.codec]);
    if choice.codec == "copy" {
        return;
    }
    let keeps_all = choice.codec == "ffv1";
    let mut filters = Vec::new();
    if settings.deinterlace {
        filters.push("yadif".to_owned());
    }
    if !settings.scale.is_empty() {
        filters.push(format!("scale={}", settings.scale.replace('x', ":")));
    }
    if !keeps_all {
        filters.push(EVEN.to_owned());
    }
    if !filters.is_empty() {
        list.words(&["-vf", &filters.join(",")]);
    }
    list.words(&["-sws_flags", SCALER]);
    match choice.codec {
        "ffv1" => list.words(&["-level", "3", "-g", "1", "-slicecrc", "1"]),
        "libsvtav1" => list.words(&["-pix_fmt", "yuv420p", "-svtav1-params", "lp=1"]),
        _ => list.words(&["-pix_fmt", "yuv420p"]),
    }
    if let Some(preset) = choice.preset {
        list.words(&["-preset", preset]);
    }
    if let Some(crf) = choice.crf {
        list.words(&["-crf"]);
        list.word(crf.to_string());
    }
}

fn sound(list: &mut List, settings: &config::Video, audio: VideoAudio) {
    let (codec, is_lossy) = match audio {
        VideoAudio::Auto | VideoAudio::Aac => ("aac", true),
        VideoAudio::Opus => ("libopus", true),
        VideoAudio::Flac => ("flac", false),
        VideoAudio::Copy => ("copy", false),
        VideoAudio::None => return,
    };
    list.words(&["-c:a", codec]);
    if is_lossy {
        list.word("-b:a");
        list.word(format!("{}k", settings.audio_bitrate));
    }
}

/// Arguments in the making.
#[derive(Default)]
struct List(Vec<OsString>);

impl List {
    fn word(&mut self, word: impl AsRef<OsStr>) {
        self.0.push(word.as_ref().to_owned());
    }

    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// The name of a file, which must not be taken for an option or an address.
    fn file(&mut self, path: &Path) {
        let mut name = OsString::from("file:");
        name.push(path);
        self.0.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tool;
    use super::*;

    fn line(settings: &config::Video, duration: Option<f64>) -> String {
        let tool = Tool {
            program: "ffmpeg".into(),
            version: String::new(),
        };
        let poster = settings.poster.then(|| Path::new("p.ppm"));
        let words = all(&Job {
            tool: &tool,
            settings,
            input: Path::new("-in.avi"),
            output: Some(Path::new("out.mp4.part")),
            poster,
            duration,
        });
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn profiles_choose_and_keys_overrule() {
        let mut settings = config::Video::default();
        let plain = line(&settings, None);
        for part in [
            "-i file:-in.avi",
            "-c:v libx264",
            "-pix_fmt yuv420p -preset medium -crf 20",
            "-c:a aac -b:a 128k",
            "+faststart -f mp4 file:out.mp4.part",
            "-f framemd5 pipe:1",
        ] {
            assert!(plain.contains(part), "{part}: {plain}");
        }
        settings.preset = "veryslow".to_owned();
        settings.crf = 28;
        settings.audio = VideoAudio::None;
        settings.arguments = vec!["-tune".to_owned(), "film".to_owned()];
        let own = line(&settings, None);
        assert!(own.contains("-preset veryslow -crf 28"), "{own}");
        assert!(own.contains("-tune film -f mp4"), "{own}");
        assert!(!own.contains("-c:a aac"), "{own}");

        settings = config::Video {
            profile: VideoProfile::Av1Opus,
            ..config::Video::default()
        };
        assert!(line(&settings, None).contains("-c:v libsvtav1"));
        assert!(line(&settings, None).contains("-f webm"));
        settings.codec = "libaom-av1".to_owned();
        let other = line(&settings, None);
        assert!(other.contains("libaom-av1") && !other.contains("-preset"));
    }

    #[test]
    fn nothing_is_scaled_or_padded_without_loss() {
        let settings = config::Video {
            profile: VideoProfile::Lossless,
            ..config::Video::default()
        };
        let line = line(&settings, None);
        assert!(line.contains("-c:v ffv1") && line.contains("-c:a copy"));
        assert!(!line.contains("pad=") && !line.contains("pix_fmt"));
    }

    #[test]
    fn posters_come_from_within_the_video() {
        let settings = config::Video {
            poster: true,
            poster_at: 5.0,
            ..config::Video::default()
        };
        assert!(line(&settings, Some(2.0)).contains("gte(t,1.000000)"));
        assert!(line(&settings, None).contains("gte(t,5.000000)"));
    }
}
