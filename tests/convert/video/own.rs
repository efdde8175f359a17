//! Settings, on generated videos.

use relicast_testing::test;
use std::fs;

use crate::common::{convert, files, json};
use crate::video::support::{decode, folder, has_encoder, movie, needs_ffmpeg, probe, settings};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    needs_ffmpeg();
    let input = folder(&["a.avi", "b.avi", "c.avi"]);
    let run = |jobs: &str| {
        let out = tempfile::tempdir().unwrap();
        convert(input.path(), out.path(), &["--jobs", jobs])
            .assert()
            .code(0);
        let names = files(&out.path().join("video"));
        assert_eq!(names.len(), 6);
        let read = |name: &String| fs::read(out.path().join("video").join(name)).unwrap();
        names.iter().map(read).collect::<Vec<_>>()
    };
    let one = run("1");
    assert_eq!(one, run("1"));
    assert_eq!(one, run("4"));
}

#[test]
fn a_second_run_converts_nothing() {
    needs_ffmpeg();
    let input = folder(&["a.avi"]);
    let out = tempfile::tempdir().unwrap();
    convert(input.path(), out.path(), &[]).assert().code(0);
    let again = convert(input.path(), out.path(), &[]).assert().code(0);
    let said = String::from_utf8_lossy(&again.get_output().stdout).into_owned();
    assert!(said.contains("nothing to do"), "{said}");
    // Without ffmpeg nothing is lost, and nothing is done again either.
    let gone = settings(input.path(), "[video]\nffmpeg = \"/missing\"\n");
    convert(
        &input.path().join("a.avi"),
        out.path(),
        &["--config", &gone],
    )
    .env("PATH", "")
    .assert()
    .code(0);
    assert!(out.path().join("video/a.mp4").is_file());
}

#[test]
fn a_check_decodes_and_writes_nothing() {
    needs_ffmpeg();
    let input = folder(&["a.avi", "b.avi"]);
    let check = settings(input.path(), "[stages]\nemit = false\n");
    let out = tempfile::tempdir().unwrap();
    convert(input.path(), out.path(), &["--config", &check])
        .assert()
        .code(0);
    assert!(files(out.path()).is_empty());
}

#[test]
fn posters_are_frames_of_the_video() {
    needs_ffmpeg();
    let input = folder(&["a.avi"]);
    let poster = settings(input.path(), "[video]\nposter = true\n");
    let out = tempfile::tempdir().unwrap();
    convert(
        input.path(),
        out.path(),
        &["--config", &poster, "--only", "*.avi"],
    )
    .assert()
    .code(0);
    let file = fs::File::open(out.path().join("video/a.poster.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // Half of 10 frames: the bar of the fifth is at columns 20 to 23, and the picture is not turned.
    let pixel = |x: usize| &pixels[x * 3..x * 3 + 3];
    assert_eq!(pixel(21), [255, 255, 255]);
    assert_eq!(pixel(2), [220, 30, 30]);
    assert_eq!(pixel(45), [30, 30, 220]);
}

#[test]
fn lossless_movies_hold_the_very_frames() {
    needs_ffmpeg();
    let input = folder(&["a.avi"]);
    let lossless = settings(input.path(), "[video]\nprofile = \"lossless\"\n");
    let out = tempfile::tempdir().unwrap();
    convert(
        input.path(),
        out.path(),
        &["--config", &lossless, "--only", "*.avi"],
    )
    .assert()
    .code(0);
    let raw = ["-f", "rawvideo", "-pix_fmt", "bgr24"];
    let movie = out.path().join("video/a.mkv");
    assert_eq!(
        decode(&movie, &raw),
        decode(&input.path().join("a.avi"), &raw)
    );
    let streams = probe(&movie);
    assert_eq!(streams[0]["codec_name"], "ffv1");
    assert_eq!(streams[1]["codec_name"], "pcm_u8");
}

#[test]
fn profiles_and_keys_choose_codecs() {
    needs_ffmpeg();
    let input = folder(&["a.avi"]);
    let make = |text: &str, name: &str| {
        let config = settings(input.path(), text);
        let out = tempfile::tempdir().unwrap();
        convert(
            input.path(),
            out.path(),
            &["--config", &config, "--only", "*.avi"],
        )
        .assert()
        .code(0);
        probe(&out.path().join("video").join(name))
    };
    let mkv = make("[video]\nprofile = \"mkv\"\nscale = \"96x-1\"\n", "a.mkv");
    assert_eq!(
        (&mkv[0]["codec_name"], &mkv[1]["codec_name"]),
        (&"h264".into(), &"flac".into())
    );
    assert_eq!(
        (&mkv[0]["width"], &mkv[0]["height"]),
        (&96.into(), &64.into())
    );
    let silent = make("[video]\naudio = \"none\"\ndeinterlace = true\n", "a.mp4");
    assert_eq!(silent.len(), 1);
    if has_encoder("libtheora") && has_encoder("libvorbis") {
        let open = make("[video]\nprofile = \"theora\"\n", "a.ogv");
        assert_eq!(
            (&open[0]["codec_name"], &open[1]["codec_name"]),
            (&"theora".into(), &"vorbis".into())
        );
    }
    if has_encoder("libsvtav1") && has_encoder("libopus") {
        let open = make(
            "[video]\nprofile = \"av1-opus\"\nscale = \"96x64\"\n",
            "a.webm",
        );
        assert_eq!(
            (&open[0]["codec_name"], &open[1]["codec_name"]),
            (&"av1".into(), &"opus".into())
        );
    }
}

#[test]
fn odd_sizes_become_even_and_names_are_no_options() {
    needs_ffmpeg();
    let input = tempfile::tempdir().unwrap();
    fs::write(input.path().join("-odd: 100%d.avi"), movie(33, 21, 10)).unwrap();
    let out = tempfile::tempdir().unwrap();
    convert(input.path(), out.path(), &[]).assert().code(0);
    let names = files(&out.path().join("video"));
    let name = names.iter().find(|name| name.ends_with(".mp4")).unwrap();
    let streams = probe(&out.path().join("video").join(name));
    assert_eq!(
        (&streams[0]["width"], &streams[0]["height"]),
        (&34.into(), &22.into())
    );
}

#[test]
fn codecs_of_the_time_are_converted() {
    needs_ffmpeg();
    let input = tempfile::tempdir().unwrap();
    let source = input.path().join("source.avi");
    fs::write(&source, movie(64, 48, 10)).unwrap();
    for (name, codecs) in [
        ("cinepak.avi", ["cinepak", "pcm_s16le"]),
        ("video1.avi", ["msvideo1", "pcm_u8"]),
        ("mpeg.mpg", ["mpeg1video", "mp2"]),
    ] {
        let mut command = std::process::Command::new("ffmpeg");
        command.args(["-v", "error", "-i"]).arg(&source);
        command.args([
            "-r", "25", "-ar", "22050", "-c:v", codecs[0], "-c:a", codecs[1],
        ]);
        assert!(
            command
                .arg(input.path().join(name))
                .status()
                .unwrap()
                .success(),
            "{name}"
        );
    }
    let out = tempfile::tempdir().unwrap();
    convert(input.path(), out.path(), &[]).assert().code(0);
    for name in ["cinepak", "video1", "mpeg"] {
        let movie = out.path().join(format!("video/{name}.mp4"));
        let streams = probe(&movie);
        assert_eq!(
            (&streams[0]["codec_name"], &streams[1]["codec_name"]),
            (&"h264".into(), &"aac".into())
        );
        assert_eq!(streams[0]["avg_frame_rate"], "25/1", "{name}");
    }
    let facts = json(&out.path().join("video/source.json"));
    assert_eq!(facts["source"]["tags"][0]["text"], "relicast's tests");
    assert_eq!(
        facts["source"]["streams"][1]["name"],
        "Sound Forge 4.0 Audio"
    );
    let mpeg = json(&out.path().join("video/mpeg.json"));
    assert_eq!(mpeg["decoded"]["streams"][0]["codec"], "mpeg1video");
}
