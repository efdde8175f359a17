use super::{RANGE, SoundList};
use crate::zipper::reader_text::values;
use relicast_scene::{Samples, Sound};

fn list(source: &str) -> SoundList {
    let mut list = SoundList::default();
    list.add(&values(source));
    list
}

#[test]
fn sounds_are_detected_by_position() {
    let list = list(
        "( SYNTAX 1 SOUND_PATH ( zbd ) SPEED_OF_SOUND 340 SETS ( M1 ( ( hum hum.wav 0.5 TRUE TRUE FALSE ( 10 90 ) ) \
         ( click click.wav ) ) M2 ( ( hum other.wav ) ) ) CD_TRACKS ( ( menu 2 ) ( war 4 ) ) )",
    );
    let hum = list.of_file("HUM.WAV").unwrap();
    assert_eq!((hum.volume, hum.is_looped, hum.is_3d), (0.5, true, true));
    assert_eq!(hum.range, Some([10.0, 90.0]));
    let click = list.of_file("click.wav").unwrap();
    assert_eq!(
        (click.volume, click.is_looped, click.range),
        (1.0, false, None)
    );
    assert_eq!(list.of_file("other.wav").unwrap().name, "hum");
    assert_eq!(list.speed_of_sound, Some(340.0));
    assert_eq!(list.tracks[1].track, 4);
}

#[test]
fn sounds_are_detected_by_keys() {
    let list = list(
        "( SYNTAX 2 SETS ( FMV ( hum ( LOOPED VOLUME 0.25 RANGE ( 5 60 ) HIGH hum_h.wav LOW ( 11025 8 1 ) ) \
         wind ( 3D VOICE HIGH ( wind.wav ) ) ) ) SOUND_GROUPS ( steps ( REPEAT -1 ( WEIGHT 2 left ) ( right ) ) ) )",
    );
    let hum = list.of_file("hum_h.wav").unwrap();
    assert!(hum.is_looped && hum.is_3d);
    assert_eq!((hum.volume, hum.range), (0.25, Some([5.0, 60.0])));
    assert_eq!(hum.keys["low"], serde_json::json!([11025, 8, 1]));
    let wind = list.of_file("wind.wav").unwrap();
    assert_eq!((wind.is_looped, wind.range), (false, Some(RANGE)));
    let steps = &list.groups[0];
    assert_eq!(steps.keys["repeat"], -1);
    assert_eq!(steps.variants[0].plays, ["left"]);
    assert_eq!(steps.variants[0].keys["weight"], 2);
    assert_eq!(steps.variants[1].plays, ["right"]);
}

#[test]
fn sounds_of_mechwarrior_have_their_file_and_then_keys() {
    // Any stated syntax, or none.
    for syntax in ["", "SYNTAX 1", "SYNTAX 2"] {
        let list = list(&format!(
            "( {syntax} SETS ( M1 ( ( hum hum.wav LOOPED VOLUME 0.25 RANGE ( 5 60 ) ) ( ) ( SUB_SET ( weapons talk ) ) \
             ( wep_ams_fire ams.wav PURGEABLE 3D ( 30 700 ) ) ( plain plain.wav ) \
             ( order order.wav VOICE_QUEUE QUEUE SUBTITLE MSG_ORDER_1 ) ) ) \
             SOUND_GROUPS ( ( talk PLAY_SOLO EXTRA ( MINDELAY 2.5 ) ( WEIGHT 2 hum ) ) ) )"
        ));
        let hum = list.of_file("hum.wav").unwrap();
        assert!(hum.is_looped && hum.is_3d, "{syntax}");
        assert_eq!((hum.volume, hum.range), (0.25, Some([5.0, 60.0])));
        assert_eq!(hum.files, ["hum.wav"]);
        let ams = list.of_file("ams.wav").unwrap();
        assert_eq!((ams.is_3d, ams.range), (true, Some([30.0, 700.0])));
        assert_eq!(ams.keys["purgeable"], true);
        let plain = list.of_file("plain.wav").unwrap();
        assert_eq!((plain.volume, plain.is_3d), (1.0, false));
        let order = list.of_file("order.wav").unwrap();
        assert_eq!(order.subtitle.as_deref(), Some("MSG_ORDER_1"));
        assert!(order.keys.contains_key("queue") && order.keys.contains_key("voice_queue"));
        assert_eq!(list.sets[0].sub_sets, ["weapons", "talk"]);
        assert!(list.others.is_empty(), "{syntax}: {:?}", list.others);
        let talk = &list.groups[0];
        assert_eq!(talk.keys["extra"], serde_json::json!({"mindelay": 2.5}));
        assert_eq!(talk.variants[0].plays, ["hum"]);
    }
}

#[test]
fn sounds_of_crimson_skies_queue_and_say_what_they_are_for() {
    let list = list(
        "( SYNTAX 2 SETS ( radio ( hello ( QUEUE 7.5 QPRIORITY 3 OPTIONAL HIGH hello.wav ) \
         theme ( MUSIC LOOPED HIGH theme.wav ) bang ( SFX 3D RANGE ( 20 600 ) HIGH bang.wav ) ) ) )",
    );
    let hello = list.of_file("hello.wav").unwrap();
    assert_eq!(hello.files, ["hello.wav"]);
    assert_eq!(hello.keys["queue"], 7.5);
    assert_eq!(hello.keys["qpriority"], 3);
    assert_eq!(hello.keys["optional"], true);
    let theme = list.of_file("theme.wav").unwrap();
    assert!(theme.is_looped && theme.keys["music"] == true);
    let bang = list.of_file("bang.wav").unwrap();
    assert_eq!(
        (bang.range, &bang.keys["sfx"]),
        (Some([20.0, 600.0]), &serde_json::json!(true))
    );
}

#[test]
fn looped_sounds_repeat_whole_and_others_keep_their_file() {
    let list = list("( SYNTAX 1 SETS ( M1 ( ( hum hum.wav TRUE ) ( click click.wav ) ) ) )");
    let samples = [0_u8; 8];
    let make = || {
        let mut sound = Sound::new(
            std::num::NonZeroU16::MIN,
            8000,
            Samples::I16Le(samples[..].into()),
        );
        sound.source = Some(samples[..].into());
        sound
    };
    let mut hum = make();
    list.of_file("hum.wav").unwrap().repeat(&mut hum);
    assert_eq!((hum.loops[0].start, hum.loops[0].end), (0, 3));
    assert!(hum.source.is_none());
    let mut click = make();
    list.of_file("click.wav").unwrap().repeat(&mut click);
    assert!(click.loops.is_empty() && click.source.is_some());
}

#[test]
fn odd_lists_are_preserved_and_do_no_harm() {
    let list =
        list("( SYNTAX 2 SETS ( M1 ( 7 ( ) ( 5 6 ) lonely ) 8 ) SOUND_GROUPS 5 CD_TRACKS ( x ) )");
    assert!(!list.others.is_empty());
    assert!(list.of_file("x").is_none());
}
