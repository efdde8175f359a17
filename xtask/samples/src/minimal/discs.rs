//! Cue sheets and file systems of discs.

use relicast::source::disc::sector::USER;
use relicast::source::disc::write::{NewFile, iso9660 as new_image};

/// Cue sheets, one with unusual but valid syntax.
pub fn sheets() -> Vec<Vec<u8>> {
    let sheets = [
        "REM GENRE Soundtrack\r\nCATALOG 5125162227618\r\nTITLE \"A B\"\r\nFILE \"A B.BIN\" BINARY\r\n  TRACK 01 MODE1/2352\r\n    INDEX 01 00:00:00\r\n  TRACK 02 AUDIO\r\n    FLAGS DCP\r\n    ISRC ZZABC9905233\r\n    INDEX 00 00:01:00\r\n    INDEX 01 00:03:00\r\n",
        "\u{FEFF}file a.bin binary\n\ttrack 1 mode2/2352\n\t\tindex 1 0:0:0\nFILE \"b.wav\" WAVE\nTRACK 02 AUDIO\nPREGAP 00:02:00\nINDEX 01 00:00:00\nPOSTGAP 00:01:00\nTRACK 03 AUDIO\nINDEX 00 00:00:40\nFILE c.bin MOTOROLA\nINDEX 01 00:00:00\n",
    ];
    sheets.map(|sheet| sheet.as_bytes().to_vec()).into()
}

/// File systems with and without Joliet, without the 16 sectors in front of them.
pub fn images() -> Vec<Vec<u8>> {
    let files = [
        NewFile {
            path: "Read me first.txt",
            bytes: b"one",
        },
        NewFile {
            path: "zbd/c1/gamez.zbd",
            bytes: &[7; 3000],
        },
        NewFile {
            path: "zbd/empty",
            bytes: b"",
        },
    ];
    let mut whole = new_image("SAMPLE", &files);
    let with_joliet = whole.split_off(16 * USER);
    let mut without = with_joliet.clone();
    without[USER] = 3;
    vec![with_joliet, without]
}
