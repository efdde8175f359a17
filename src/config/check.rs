//! Validation of setting values beyond their types.

use globset::GlobBuilder;

use super::{AUTO, Config, Video, VideoAudio, VideoProfile};
use relicast_scene::Container;

/// Invalid values: the key of each, and advice.
pub(super) fn faults(config: &Config) -> Vec<(String, String)> {
    let mut faults = Faults(Vec::new());
    let run = &config.run;
    faults.globs("run.include", &run.include);
    faults.globs("run.exclude", &run.exclude);
    let scenes = &config.scenes;
    let threshold = f64::from(scenes.alpha_threshold);
    faults.number("scenes.alpha_threshold", threshold, 0.0, 1.0);
    let offset = f64::from(scenes.decal_offset);
    faults.number("scenes.decal_offset", offset, 0.0, 10.0);
    let scale = f64::from(scenes.light_scale);
    faults.number("scenes.light_scale", scale, 0.0, 1e6);
    let angle = f64::from(scenes.smooth_angle);
    faults.number("scenes.smooth_angle", angle, 0.0, 180.0);
    let daylight = f64::from(config.everquest.daylight);
    faults.number("everquest.daylight", daylight, 0.0, 1.0);
    let trim = f64::from(config.music.trim);
    faults.number("music.trim", trim, 0.0, 86_400.0);
    faults.extensions("loose.copy", &config.loose.copy);
    for (paint, what) in config.liveries.faults() {
        faults.add("liveries.paints", format!("{paint:?} {what}"));
    }
    if let Err(fault) = config.everquest.placements.read() {
        faults.add("everquest.placements", fault);
    }
    faults.video(&config.video);
    faults.0
}

struct Faults(Vec<(String, String)>);

impl Faults {
    fn add(&mut self, key: &str, what: String) {
        self.0.push((key.to_owned(), what));
    }

    fn number(&mut self, key: &str, value: f64, least: f64, most: f64) {
        if !(least..=most).contains(&value) {
            self.add(key, format!("{value} is not between {least} and {most}"));
        }
    }

    fn globs(&mut self, key: &str, globs: &[String]) {
        for glob in globs {
            let built = GlobBuilder::new(&glob.replace('\\', "/")).build();
            if let Err(error) = built {
                self.add(
                    key,
                    format!("{glob:?} is not a valid glob: {}", error.kind()),
                );
            }
        }
    }

    fn extensions(&mut self, key: &str, extensions: &[String]) {
        for extension in extensions {
            let bare = extension.trim_start_matches(['*', '.']);
            let is_bare = !bare.is_empty() && bare.chars().all(char::is_alphanumeric);
            let dotted = extension.trim_start_matches('.') == bare;
            if !is_bare {
                let text = "is not an extension; expected letters and digits, such as \"txt\"";
                self.add(key, format!("{extension:?} {text}"));
            } else if !dotted {
                let text = format!("{extension:?} is not an extension; did you mean {bare:?}?");
                self.add(key, text);
            }
        }
    }

    fn video(&mut self, video: &Video) {
        let encoder = encoder(video);
        if let Some((name, most)) = encoder
            && !(-1..=most).contains(&video.crf)
        {
            let crf = video.crf;
            let text = format!(
                "{crf} is not between 0 and {most}, the range of {name} (-1: the value of the profile)"
            );
            self.add("video.crf", text);
        }
        for (key, value) in [
            ("video.codec", &video.codec),
            ("video.preset", &video.preset),
        ] {
            if value.is_empty() || value.starts_with('-') || value.contains(char::is_whitespace) {
                self.add(
                    key,
                    format!("{value:?} is not a name of ffmpeg; expected one word that does not begin with \"-\", or {AUTO:?} for the value of the profile"),
                );
            }
        }
        let rate = f64::from(video.audio_bitrate);
        self.number("video.audio_bitrate", rate, 6.0, 512.0);
        self.number("video.poster_at", video.poster_at, 0.0, 1e6);
        let patience = f64::from(video.stall_seconds);
        self.number("video.stall_seconds", patience, 1.0, 86_400.0);
        if !video.scale.is_empty() && !is_scale(&video.scale) {
            let text = "is not a size; expected WIDTHxHEIGHT, where -1 keeps the proportions, as in \"1280x-1\"";
            self.add("video.scale", format!("{:?} {text}", video.scale));
        }
        self.webm(video);
        self.ogv(video);
    }

    /// Ogg supports only Theora and its own audio formats.
    fn ogv(&mut self, video: &Video) {
        if video.container() != Container::Ogv {
            return;
        }
        let is_theora = video.profile == VideoProfile::Theora;
        let fits = match video.audio {
            VideoAudio::Auto => is_theora,
            VideoAudio::Vorbis | VideoAudio::Opus | VideoAudio::Flac => true,
            VideoAudio::None | VideoAudio::Copy => true,
            VideoAudio::Aac => false,
        };
        if !fits {
            let text =
                "Ogg supports the sound \"vorbis\", \"opus\", \"flac\", \"copy\" or \"none\"";
            self.add("video.audio", text.to_owned());
        }
        if video.codec == AUTO && !is_theora {
            let text =
                "Ogg does not support H.264, AV1 or FFV1; set the profile \"theora\" or a codec";
            self.add("video.container", text.to_owned());
        }
    }

    /// WebM supports few codecs; ffmpeg would fail at every video.
    fn webm(&mut self, video: &Video) {
        if video.container() != Container::Webm {
            return;
        }
        let is_opus = video.profile == VideoProfile::Av1Opus;
        let fits = match video.audio {
            VideoAudio::Auto => is_opus,
            VideoAudio::Opus | VideoAudio::None | VideoAudio::Copy => true,
            VideoAudio::Vorbis => true,
            VideoAudio::Aac | VideoAudio::Flac => false,
        };
        if !fits {
            let key = match video.audio {
                VideoAudio::Auto => "video.container",
                _ => "video.audio",
            };
            self.add(
                key,
                "WebM supports the sound \"opus\", \"vorbis\", \"copy\" or \"none\"".to_owned(),
            );
        }
        if video.codec == AUTO && !is_opus {
            let text =
                "WebM does not support H.264 or FFV1; set the profile \"av1-opus\" or a codec";
            self.add("video.container", text.to_owned());
        }
    }
}

/// Encoder that a quality applies to, and its worst quality; `None` if it has none.
fn encoder(video: &Video) -> Option<(&str, i32)> {
    let name = match (&*video.codec, video.profile) {
        (AUTO, VideoProfile::Mp4 | VideoProfile::Mkv) => "libx264",
        (AUTO, VideoProfile::Av1Opus) => "libsvtav1",
        (AUTO, VideoProfile::Theora) => "libtheora",
        (AUTO, VideoProfile::Lossless) => return None,
        (codec, _) => codec,
    };
    let most = if name.contains("264") || name.contains("265") || name.contains("hevc") {
        51
    } else if name == "libtheora" {
        10
    } else {
        63
    };
    Some((name, most))
}

/// Maximum width or height for encoders.
const MAX_SIDE: i64 = 16_384;

fn is_scale(scale: &str) -> bool {
    let Some((width, height)) = scale.split_once('x') else {
        return false;
    };
    let side = |text: &str| {
        let side = text.parse::<i64>().ok()?;
        (matches!(side, -2 | -1) || (1..=MAX_SIDE).contains(&side)).then_some(side)
    };
    match (side(width), side(height)) {
        (Some(width), Some(height)) => width > 0 || height > 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(change: impl FnOnce(&mut Config)) -> Vec<String> {
        let mut config = Config::default();
        change(&mut config);
        let faults = faults(&config);
        faults.into_iter().map(|(key, _)| key).collect()
    }

    #[test]
    fn defaults_and_profiles_can_be_used() {
        assert!(keys(|_| {}).is_empty());
        for profile in [
            VideoProfile::Mkv,
            VideoProfile::Av1Opus,
            VideoProfile::Theora,
            VideoProfile::Lossless,
        ] {
            assert!(keys(|config| config.video.profile = profile).is_empty());
        }
    }

    #[test]
    fn values_out_of_range_are_reported() {
        assert_eq!(
            keys(|it| it.scenes.alpha_threshold = f32::NAN),
            ["scenes.alpha_threshold"]
        );
        assert_eq!(
            keys(|it| it.scenes.smooth_angle = 181.0),
            ["scenes.smooth_angle"]
        );
        assert_eq!(
            keys(|it| it.scenes.light_scale = -1.0),
            ["scenes.light_scale"]
        );
        assert_eq!(
            keys(|it| it.scenes.decal_offset = f32::INFINITY),
            ["scenes.decal_offset"]
        );
        assert_eq!(
            keys(|it| it.everquest.daylight = 1.5),
            ["everquest.daylight"]
        );
        assert_eq!(
            keys(|it| it.video.audio_bitrate = 0),
            ["video.audio_bitrate"]
        );
        assert_eq!(keys(|it| it.video.poster_at = -1.0), ["video.poster_at"]);
        assert_eq!(
            keys(|it| it.video.stall_seconds = 0),
            ["video.stall_seconds"]
        );
        assert_eq!(
            keys(|it| it.video.preset = "-y".to_owned()),
            ["video.preset"]
        );
        assert_eq!(
            keys(|it| it.run.exclude = vec!["a[".to_owned()]),
            ["run.exclude"]
        );
        assert_eq!(
            keys(|it| it.loose.copy = vec!["*.txt".to_owned()]),
            ["loose.copy"]
        );
        assert!(keys(|it| it.loose.copy = vec![".txt".to_owned()]).is_empty());
    }

    #[test]
    fn qualities_have_the_range_of_their_encoder() {
        assert_eq!(keys(|it| it.video.crf = 52), ["video.crf"]);
        assert_eq!(keys(|it| it.video.crf = -2), ["video.crf"]);
        let av1 = |crf| {
            keys(|it| {
                it.video.profile = VideoProfile::Av1Opus;
                it.video.crf = crf;
            })
        };
        assert!(av1(60).is_empty());
        assert_eq!(av1(64), ["video.crf"]);
    }

    #[test]
    fn sizes_are_sizes() {
        for good in ["1280x720", "1280x-1", "-2x480"] {
            assert!(is_scale(good), "{good}");
        }
        for bad in [
            "1280",
            "x",
            "-1x-1",
            "0x4",
            "1280:720",
            "axb",
            "99999x1",
            "1280x720,hflip",
        ] {
            assert!(!is_scale(bad), "{bad}");
        }
    }

    #[test]
    fn webm_takes_what_webm_takes() {
        let webm = |profile, audio| {
            keys(|it| {
                it.video.container = Some(Container::Webm);
                it.video.profile = profile;
                it.video.audio = audio;
            })
        };
        assert!(webm(VideoProfile::Av1Opus, VideoAudio::Auto).is_empty());
        assert_eq!(
            webm(VideoProfile::Av1Opus, VideoAudio::Aac),
            ["video.audio"]
        );
        assert!(!webm(VideoProfile::Mp4, VideoAudio::Auto).is_empty());
    }

    #[test]
    fn ogg_takes_theora_and_vorbis() {
        let ogv = |profile, audio| {
            keys(|it| {
                it.video.container = Some(Container::Ogv);
                it.video.profile = profile;
                it.video.audio = audio;
            })
        };
        assert!(ogv(VideoProfile::Theora, VideoAudio::Auto).is_empty());
        assert!(ogv(VideoProfile::Theora, VideoAudio::None).is_empty());
        assert_eq!(ogv(VideoProfile::Theora, VideoAudio::Aac), ["video.audio"]);
        assert_eq!(
            ogv(VideoProfile::Mp4, VideoAudio::Vorbis),
            ["video.container"]
        );
    }
}
