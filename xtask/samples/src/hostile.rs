//! An install whose names try to break programs that show them: markup, script addresses, paths out of a
//! folder, reversed text direction, names of maximal length.

use relicast::formats::everquest::pfs::{self, Footer};

use crate::data::reader;
use crate::everquest;
use crate::pack::Pack;
use crate::tone::{Coding, Tone};
use crate::{Outcome, SampleFile};

/// Names without an extension.
pub const NAMES: [&str; 10] = [
    "<img src=x onerror=alert(1)>",
    "\"><script>alert(1)</script>",
    "javascript:alert(1)",
    "' onmouseover='alert(1)",
    "../../../escape",
    "..\\..\\escape",
    "%2e%2e%2fescape",
    "a&b#c?d=e%00",
    "__proto__",
    "</title></style><svg onload=alert(1)>",
];

/// A name that a definition gives to its object.
pub const DISPLAY_NAME: &str = "<img src=x onerror=alert(2)>";

/// A file name with reversed text direction, which pretends another extension.
pub const TURNED: &str = "read\u{202E}gpj.me.txt";

/// The files of the install.
///
/// # Errors
/// A value does not fit its format (a fault of this program).
pub fn files() -> Outcome<Vec<SampleFile>> {
    let tone = Tone {
        coding: Coding::Pcm8,
        channels: 1,
        rate: 11_025,
        notes: &[220, 330],
        note_length: 50,
    };
    let sound = tone.file(Vec::new())?;
    let picture = everquest::picture()?;
    let long = "x".repeat(251);
    let mut members: Vec<(String, &[u8])> = Vec::new();
    for name in NAMES.into_iter().chain([&*long]) {
        members.push((format!("{name}.wav"), &sound));
        members.push((format!("{name}.bmp"), &picture));
    }
    let members: Vec<(&str, &[u8])> = (members.iter())
        .map(|(name, bytes)| (name.as_str(), *bytes))
        .collect();
    let archive = pfs::pack(&members, Some(Footer::new(920_246_400)), 6)?;
    let mut pack = Pack::new("reader");
    let definition = format!("( CHASSIS ( NAME \"{DISPLAY_NAME}\" ) )");
    pack.add("<svg onload=alert(3)>.zrd", reader(&definition)?)?;
    let file = |path: &str, bytes: Vec<u8>| SampleFile {
        path: path.to_owned(),
        bytes,
    };
    Ok(vec![
        file("hostile.s3d", pfs::encode(&archive)?),
        file("reader.zbd", pack.finish()?),
        file(
            TURNED,
            b"A sample. Nothing here is from a game.\r\n".to_vec(),
        ),
    ])
}
