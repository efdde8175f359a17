//! Small files made by our own encoder, with every event type.

use relicast::formats::zipper::anim::{
    self, CountedText, Definition, Event, EventBody, EventStart,
};
use relicast_samples::minimal::animations::files;
use relicast_testing::test;

#[test]
fn every_event_type_survives_writing_and_reading() {
    for file in files() {
        let bytes = anim::encode(&file).unwrap();
        let decoded = anim::decode(&bytes).unwrap().value;
        assert_eq!(anim::encode(&decoded).unwrap(), bytes);
        assert_eq!(decoded.definitions.len(), 2);
        for (written, read) in file.definitions.iter().zip(&decoded.definitions) {
            assert_eq!(written.tables, read.tables);
            for (written, read) in written.sequences.iter().zip(&read.sequences) {
                assert_eq!(written.events, read.events);
            }
            assert_eq!(read.odd_reset_copy, None);
            let order = |definition: &Definition| {
                definition
                    .damage_state
                    .as_ref()
                    .map(|damage| damage.position)
            };
            assert_eq!(order(written), order(read));
        }
        for (written, read) in file.scripts.iter().zip(&decoded.scripts) {
            assert_eq!(written.frames, read.frames);
            assert_eq!(written.script_name, read.script_name);
        }
    }
}

#[test]
fn a_reset_copy_that_is_none_is_kept() {
    let mut file = files().remove(1);
    file.definitions[0].odd_reset_copy = Some(relicast::formats::codec::Bytes([7; 64]));
    let bytes = anim::encode(&file).unwrap();
    let decoded = anim::decode(&bytes).unwrap();
    assert_eq!(
        decoded.value.definitions[0].odd_reset_copy.unwrap().0,
        [7; 64]
    );
    assert_eq!(decoded.value.definitions[1].odd_reset_copy, None);
    assert_eq!(anim::encode(&decoded.value).unwrap(), bytes);
    let fields: Vec<&str> = decoded
        .deviations
        .described()
        .iter()
        .map(|deviation| deviation.field.as_str())
        .collect();
    assert!(fields.contains(&"definitions[0].reset_copy"), "{fields:?}");
}

#[test]
fn sequences_that_end_in_no_event_keep_their_bytes() {
    let mut file = files().remove(3);
    file.definitions[0].sequences[1].rest = vec![9; 20].into();
    let bytes = anim::encode(&file).unwrap();
    let decoded = anim::decode(&bytes).unwrap();
    assert_eq!(&*decoded.value.definitions[0].sequences[1].rest, [9; 20]);
    assert_eq!(anim::encode(&decoded.value).unwrap(), bytes);
}

#[test]
fn scripts_with_other_data_are_kept() {
    let mut file = files().remove(2);
    let bytes = anim::encode(&file).unwrap();
    // The flags of the last frame: its header and one block of 76 bytes end the file.
    let mut damaged = bytes.clone();
    let flags = bytes.len() - 88;
    assert_eq!(damaged[flags], 2);
    damaged[flags] = 0x40;
    let decoded = anim::decode(&damaged).unwrap();
    let script = &decoded.value.scripts[1];
    assert_eq!(script.broken.as_ref().unwrap().count, 3);
    assert_eq!(anim::encode(&decoded.value).unwrap(), damaged);
    assert!(
        decoded
            .deviations
            .described()
            .iter()
            .any(|found| found.field.contains("frames"))
    );

    file.scripts[0].script_name = CountedText(vec![b'x'; 300]);
    assert!(anim::encode(&file).is_err());
}

#[test]
fn start_times_distinguish_stamped_events_from_others() {
    let mut event = Event::new(EventBody::Else(Default::default()));
    assert!(event.is_unstamped());
    event.start = EventStart::Event;
    assert!(!event.is_unstamped());
}
