//! Video options from the settings: profiles set defaults, single keys override them.

use std::time::Duration;

use crate::config::{self, AUTO, VideoAudio, VideoProfile};
use relicast_emit::video::{AudioEncoder, VideoOptions};

/// Options for writing videos.
pub(super) fn video_options(settings: &config::Video) -> VideoOptions {
    let (codec, preset, crf, audio) = match settings.profile {
        VideoProfile::Mp4 => ("libx264", Some("medium"), Some(20), AudioEncoder::Aac),
        VideoProfile::Mkv => ("libx264", Some("medium"), Some(18), AudioEncoder::Flac),
        VideoProfile::Av1Opus => ("libsvtav1", Some("6"), Some(30), AudioEncoder::Opus),
        VideoProfile::Theora => ("libtheora", None, Some(3), AudioEncoder::Vorbis),
        VideoProfile::Lossless => ("ffv1", None, None, AudioEncoder::Copy),
    };
    // Presets and qualities are specific to an encoder.
    let (codec, preset, crf) = match &*settings.codec {
        AUTO => (codec, preset, crf),
        other => (other, None, None),
    };
    VideoOptions {
        container: settings.container(),
        codec: codec.to_owned(),
        preset: match &*settings.preset {
            AUTO => preset.map(str::to_owned),
            own => Some(own.to_owned()),
        },
        crf: match settings.crf {
            own @ 0.. => Some(own),
            _ => crf,
        },
        audio: match settings.audio {
            VideoAudio::Auto => audio,
            VideoAudio::Copy => AudioEncoder::Copy,
            VideoAudio::Aac => AudioEncoder::Aac,
            VideoAudio::Flac => AudioEncoder::Flac,
            VideoAudio::Opus => AudioEncoder::Opus,
            VideoAudio::Vorbis => AudioEncoder::Vorbis,
            VideoAudio::None => AudioEncoder::Omit,
        },
        audio_bitrate: settings.audio_bitrate,
        deinterlace: settings.deinterlace,
        scale: settings.scale.clone(),
        arguments: settings.arguments.clone(),
        poster_at: settings.poster_at,
        stall: Duration::from_secs(u64::from(settings.stall_seconds.max(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relicast_scene::Container;

    #[test]
    fn profiles_choose_and_keys_overrule() {
        let mut settings = config::Video::default();
        let plain = video_options(&settings);
        assert_eq!(plain.container, Container::Mp4);
        assert_eq!((&*plain.codec, plain.crf), ("libx264", Some(20)));
        assert_eq!(plain.preset.as_deref(), Some("medium"));
        assert_eq!(plain.audio, AudioEncoder::Aac);
        settings.preset = "veryslow".to_owned();
        settings.crf = 28;
        settings.audio = VideoAudio::None;
        let own = video_options(&settings);
        assert_eq!(own.preset.as_deref(), Some("veryslow"));
        assert_eq!((own.crf, own.audio), (Some(28), AudioEncoder::Omit));

        settings = config::Video {
            profile: VideoProfile::Av1Opus,
            ..config::Video::default()
        };
        let free = video_options(&settings);
        assert_eq!(free.container, Container::Webm);
        assert_eq!(free.codec, "libsvtav1");
        settings.codec = "libaom-av1".to_owned();
        let other = video_options(&settings);
        assert_eq!(other.codec, "libaom-av1");
        assert_eq!((other.preset, other.crf), (None, None));
    }

    #[test]
    fn the_lossless_profile_loses_nothing() {
        let options = video_options(&config::Video {
            profile: VideoProfile::Lossless,
            ..config::Video::default()
        });
        assert_eq!(options.codec, "ffv1");
        assert_eq!(options.audio, AudioEncoder::Copy);
        assert_eq!((options.preset, options.crf), (None, None));
    }
}
