//! Command line of ffmpeg.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::job::Job;
use super::options::{AudioEncoder, VideoOptions};
use relicast_scene::Container;

/// Input formats that ffmpeg may detect. A source is untrusted: it must not be a playlist
/// that leads to other files or machines.
const FORMATS: &str = "avi,mpeg,mpegvideo,mpegts";

/// Pads sizes to even numbers, which most players require, by adding a row or column.
const EVEN: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2";

/// Theora's best quality, on its scale from 0.
const THEORA_BEST: i32 = 10;

/// Integer arithmetic everywhere, for the same result on every processor.
const SCALER: &str = "bicubic+accurate_rnd+full_chroma_int+bitexact";

/// Arguments of a run.
pub(super) fn all(job: &Job<'_>) -> Vec<OsString> {
    let mut list = List::default();
    list.words(&["-y", "-stats", "-filter_threads", "1"]);
    list.words(&["-threads", "1", "-flags", "+bitexact"]);
    list.words(&["-protocol_whitelist", "file,pipe"]);
    list.words(&["-format_whitelist", FORMATS, "-i"]);
    list.file(job.input);
    if let Some(output) = job.output {
        movie(&mut list, job.options, output);
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
        let at = job.options.poster_at.max(0.0);
        let at = job.duration.map_or(at, |duration| at.min(duration / 2.0));
        list.words(&["-map", "0:v:0", "-sws_flags", SCALER, "-vf"]);
        list.word(format!("select='gte(t,{at:.6})'"));
        list.words(&["-frames:v", "1", "-pix_fmt", "rgb24", "-c:v", "ppm"]);
        list.words(&["-f", "image2pipe"]);
        list.file(poster);
    }
    list.0
}

/// Arguments of the new file.
fn movie(list: &mut List, options: &VideoOptions, output: &Path) {
    list.words(&["-map", "0:v:0"]);
    if options.audio != AudioEncoder::Omit {
        list.words(&["-map", "0:a?"]);
    }
    pictures(list, options);
    sound(list, options);
    list.words(&["-threads", "1", "-fflags", "+bitexact"]);
    list.words(&["-flags:v", "+bitexact", "-flags:a", "+bitexact"]);
    let container = options.container;
    if matches!(container, Container::Mp4 | Container::Mov) {
        list.words(&["-movflags", "+faststart"]);
    }
    for argument in &options.arguments {
        list.word(argument);
    }
    list.words(&[
        "-f",
        match container {
            Container::Mp4 => "mp4",
            Container::Mov => "mov",
            Container::Mkv => "matroska",
            Container::Webm => "webm",
            Container::Ogv => "ogg",
        },
    ]);
    list.file(output);
}

fn pictures(list: &mut List, options: &VideoOptions) {
    list.words(&["-c:v", &*options.codec]);
    if &*options.codec == "copy" {
        return;
    }
    let keeps_all = &*options.codec == "ffv1";
    let mut filters = Vec::new();
    if options.deinterlace {
        filters.push("yadif".to_owned());
    }
    if !options.scale.is_empty() {
        filters.push(format!("scale={}", options.scale.replace('x', ":")));
    }
    if !keeps_all {
        filters.push(EVEN.to_owned());
    }
    if !filters.is_empty() {
        list.words(&["-vf", &filters.join(",")]);
    }
    list.words(&["-sws_flags", SCALER]);
    match &*options.codec {
        "ffv1" => list.words(&["-level", "3", "-g", "1", "-slicecrc", "1"]),
        "libsvtav1" => list.words(&["-pix_fmt", "yuv420p", "-svtav1-params", "lp=1"]),
        _ => list.words(&["-pix_fmt", "yuv420p"]),
    }
    if let Some(preset) = &options.preset {
        list.words(&["-preset", preset]);
    }
    match options.crf {
        // This encoder's scale is reversed.
        Some(crf) if &*options.codec == "libtheora" => {
            list.word("-q:v");
            list.word(THEORA_BEST.saturating_sub(crf).max(0).to_string());
        }
        Some(crf) => {
            list.word("-crf");
            list.word(crf.to_string());
        }
        None => {}
    }
}

fn sound(list: &mut List, options: &VideoOptions) {
    let (codec, is_lossy) = match options.audio {
        AudioEncoder::Aac => ("aac", true),
        AudioEncoder::Opus => ("libopus", true),
        AudioEncoder::Vorbis => ("libvorbis", false),
        AudioEncoder::Flac => ("flac", false),
        AudioEncoder::Copy => ("copy", false),
        AudioEncoder::Omit => return,
    };
    list.words(&["-c:a", codec]);
    if options.audio == AudioEncoder::Vorbis {
        list.word("-q:a");
        list.word(vorbis_quality(options.audio_bitrate).to_string());
    }
    if is_lossy {
        list.word("-b:a");
        list.word(format!("{}k", options.audio_bitrate));
    }
}

/// Vorbis quality that gives so many kbit/s for stereo at 44,100 Hz. The rates themselves are refused for
/// sounds of few samples per second, which need far less.
fn vorbis_quality(rate: u32) -> usize {
    const RATES: [u32; 10] = [80, 96, 112, 128, 160, 192, 224, 256, 320, 500];
    RATES.iter().filter(|&&least| rate >= least).count()
}

/// Builder of arguments.
#[derive(Default)]
struct List(Vec<OsString>);

impl List {
    fn word(&mut self, word: impl AsRef<OsStr>) {
        self.0.push(word.as_ref().to_owned());
    }

    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    /// Adds the name of a file, protected from being read as an option or an address.
    fn file(&mut self, path: &Path) {
        let mut name = OsString::from("file:");
        name.push(path);
        self.0.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool::Tool;
    use super::*;

    fn line(options: &VideoOptions, duration: Option<f64>) -> String {
        line_with(options, duration, None)
    }

    fn line_with(options: &VideoOptions, duration: Option<f64>, poster: Option<&Path>) -> String {
        let tool = Tool {
            program: "ffmpeg".into(),
            version: String::new(),
        };
        let words = all(&Job {
            tool: &tool,
            options,
            input: Path::new("-in.avi"),
            output: Some(Path::new("out.mp4.part")),
            poster,
            duration,
        });
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn options_become_arguments() {
        let mut options = VideoOptions {
            preset: Some("medium".to_owned()),
            crf: Some(20),
            ..VideoOptions::default()
        };
        let plain = line(&options, None);
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
        options.audio = AudioEncoder::Omit;
        options.arguments = vec!["-tune".to_owned(), "film".to_owned()];
        let own = line(&options, None);
        assert!(own.contains("-tune film -f mp4"), "{own}");
        assert!(!own.contains("-c:a aac"), "{own}");
        options.codec = "libaom-av1".to_owned();
        (options.preset, options.crf) = (None, None);
        let other = line(&options, None);
        assert!(other.contains("libaom-av1") && !other.contains("-preset"));
    }

    #[test]
    fn nothing_is_scaled_or_padded_without_loss() {
        let options = VideoOptions {
            container: Container::Mkv,
            codec: "ffv1".to_owned(),
            audio: AudioEncoder::Copy,
            ..VideoOptions::default()
        };
        let line = line(&options, None);
        assert!(line.contains("-c:v ffv1") && line.contains("-c:a copy"));
        assert!(!line.contains("pad=") && !line.contains("pix_fmt"));
    }

    #[test]
    fn the_qualities_of_theora_are_turned_round() {
        let options = VideoOptions {
            container: Container::Ogv,
            codec: "libtheora".to_owned(),
            crf: Some(3),
            audio: AudioEncoder::Vorbis,
            ..VideoOptions::default()
        };
        let line = line(&options, None);
        assert!(line.contains("-q:v 7 -c:a libvorbis -q:a 4"), "{line}");
        assert!(line.contains("-f ogg ") && !line.contains("-crf"), "{line}");
    }

    #[test]
    fn posters_come_from_within_the_video() {
        let options = VideoOptions {
            poster_at: 5.0,
            ..VideoOptions::default()
        };
        let poster = Some(Path::new("p.ppm"));
        assert!(line_with(&options, Some(2.0), poster).contains("gte(t,1.000000)"));
        assert!(line_with(&options, None, poster).contains("gte(t,5.000000)"));
    }
}
