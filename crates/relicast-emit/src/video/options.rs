//! Options of videos.

use std::time::Duration;

use relicast_scene::Container;

/// Options of a video.
#[derive(Debug, Clone, PartialEq)]
pub struct VideoOptions {
    /// Kind of file.
    pub container: Container,
    /// Name of ffmpeg's video encoder; `copy` passes the stored pictures through.
    pub codec: String,
    /// Preset of the encoder; `None` for its default.
    pub preset: Option<String>,
    /// Constant quality of the encoder; `None` for its default.
    pub crf: Option<i32>,
    /// Treatment of sound.
    pub audio: AudioEncoder,
    /// Rate of lossy sound in kbit/s.
    pub audio_bitrate: u32,
    /// Deinterlaces pictures.
    pub deinterlace: bool,
    /// Size of the pictures as `WIDTHxHEIGHT`; -1 preserves the aspect ratio, empty the size.
    pub scale: String,
    /// More arguments for ffmpeg, before the output.
    pub arguments: Vec<String>,
    /// Time of the poster, in seconds; the middle of shorter videos.
    pub poster_at: f64,
    /// Time without progress after which ffmpeg is stopped.
    pub stall: Duration,
}

impl Default for VideoOptions {
    /// H.264 and AAC in MP4, with the encoders' defaults.
    fn default() -> Self {
        Self {
            container: Container::Mp4,
            codec: "libx264".to_owned(),
            preset: None,
            crf: None,
            audio: AudioEncoder::Aac,
            audio_bitrate: 128,
            deinterlace: false,
            scale: String::new(),
            arguments: Vec::new(),
            poster_at: 1.0,
            stall: Duration::from_secs(60),
        }
    }
}

/// Treatment of the sound of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AudioEncoder {
    /// The stored bytes are copied to the new file.
    Copy,
    /// AAC.
    Aac,
    /// FLAC.
    Flac,
    /// Opus.
    Opus,
    /// Vorbis.
    Vorbis,
    /// It is left out.
    Omit,
}
