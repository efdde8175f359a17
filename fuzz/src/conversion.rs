//! Conversion of a file without the program's input and output: kind, items, assets, bytes.

use std::sync::OnceLock;

use relicast::convert::options::{
    AlphaPlane, ConvertOptions, Hidden, Lods, Palette, SceneContainer, SoundFormat,
};
use relicast::convert::{
    ConvertError, Dependency, Disposition, Encoding, OpenContext, OutputRole, Sink, SourceItem,
    open,
};
use relicast::emit::gltf::GltfFiles;
use relicast::emit::{EmitError, Options, encode, encode_scene};
use relicast::formats::decoded_file;
use relicast::formats::everquest::pfs;
use relicast::formats::everquest::sound::{eff as emitters, emt as lines};
use relicast::formats::everquest::xmidi;
use relicast::formats::kind::{ArchiveContext, Kind, sniff};
use relicast::formats::sound_font::dls;
use relicast::scene::document::Style;
use relicast::scene::model::Scene;
use relicast::scene::{Asset, Pictures};

use relicast::formats::everquest::wld::Version;
use relicast_samples::minimal::scene::scene;
use relicast_samples::minimal::{containers, textures};

use super::{check_deviations, round_trip};

/// Names that decide the kind of bytes without a signature.
pub const NAMES: [&str; 11] = [
    "sounds.zbd",
    "rtexture.zbd",
    "interp.zbd",
    "messages.dll",
    "a.wav",
    "m1.zmap",
    "control.zrd",
    "game.mw3",
    "motion.zbd",
    "unknown",
    "intro.avi",
];

/// Encodes every wanted output and discards it.
struct Discard<'p> {
    part: &'p SourceItem,
    written: usize,
}

impl Sink for Discard<'_> {
    fn wants(&self, role: OutputRole) -> bool {
        self.part.wanted.iter().any(|wanted| wanted.role == role)
    }

    fn take(&mut self, role: OutputRole, asset: Asset<'_>) -> Result<(), ConvertError> {
        let options = Options {
            style: Style::Compact,
            ..Options::default()
        };
        match asset {
            Asset::Scene(scene, pictures) => {
                self.take_scene(role, scene, pictures, options);
                return Ok(());
            }
            // The bytes are copied unchanged.
            Asset::Source => return Ok(()),
            _ => {}
        }
        // Pictures and sound need an external program; only the facts are checked here.
        let (role, asset) = match asset {
            Asset::Video(video) => (OutputRole::Facts, Asset::Document(video.facts)),
            asset => (role, asset),
        };
        for wanted in self.part.wanted.iter().filter(|wanted| wanted.role == role) {
            let tags = [("TITLE".to_owned(), "title".to_owned())];
            match encode(&asset, wanted.encoding, &tags, options) {
                Ok(bytes) => self.written += bytes.len(),
                Err(error @ (EmitError::Mismatch(_) | EmitError::Json(_) | EmitError::Png(_))) => {
                    panic!("{error}")
                }
                Err(error) => return Err(ConvertError::Emit(error.to_string())),
            }
        }
        Ok(())
    }
}

impl Discard<'_> {
    /// Checks that a converter's scene is valid glTF, for any file content.
    fn take_scene(
        &mut self,
        role: OutputRole,
        scene: &Scene,
        pictures: &dyn Pictures,
        options: Options,
    ) {
        let wants = |encoding| {
            let mut wanted = self.part.wanted.iter();
            wanted.any(|wanted| wanted.role == role && wanted.encoding == encoding)
        };
        let buffer = wants(Encoding::Bin).then_some("scenes/scene.bin");
        if buffer.is_none() && !wants(Encoding::Glb) {
            return;
        }
        let file = if buffer.is_some() {
            "scenes/scene.gltf"
        } else {
            "scenes/scene.glb"
        };
        match encode_scene(scene, pictures, file, buffer, options) {
            Ok(GltfFiles::Gltf { json, bin }) => self.written += json.len() + bin.len(),
            Ok(GltfFiles::Glb(bytes)) => self.written += bytes.len(),
            Err(error) => panic!("{error}"),
        }
    }
}

/// A companion's path, kind, bytes, and the paths of its outputs.
type Companion = (&'static str, Kind, Vec<u8>, Vec<Option<String>>);

/// Neighbors of every file: pictures and motions for worlds and 'mechs.
fn companions() -> &'static [Companion] {
    static COMPANIONS: OnceLock<[Companion; 2]> = OnceLock::new();
    COMPANIONS.get_or_init(|| {
        let (pictures, names) = textures::surfaces();
        let outputs = names
            .iter()
            .map(|name| Some(format!("textures/{name}.png")));
        let pictures_outputs = std::iter::once(None).chain(outputs).collect();
        [
            ("rtexture.zbd", Kind::Textures, pictures, pictures_outputs),
            ("motion.zbd", Kind::Archive, containers::moves(), Vec::new()),
        ]
    })
}

/// Settings by the bits of a byte.
fn settings(choice: u8) -> ConvertOptions {
    let mut options = ConvertOptions::default();
    options.raw.enabled = choice & 0x20 != 0;
    if choice & 0x40 != 0 {
        options.sounds.format = SoundFormat::Both;
        options.textures.palette = Palette::Expand;
        options.scenes.container = SceneContainer::Glb;
        options.scenes.hidden = Hidden::Keep;
    }
    if choice & 0x80 != 0 {
        options.textures.alpha_plane = AlphaPlane::Separate;
        options.scenes.lods = Lods::All;
        options.models.show_head = true;
        options.everquest.corrections = true;
        options.everquest.volumes = true;
    }
    options
}

/// A whole file. The first byte selects its name and the settings, the rest is the file.
pub fn convert(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let name = NAMES[usize::from(choice & 0x1F) % NAMES.len()];
    let options = settings(choice);
    let kind = sniff(bytes, name);
    if kind == Kind::Pfs {
        // The archive is inflated; the target `everquest` checks its scenes.
        return;
    }
    let dependencies: Vec<Dependency<'_>> = companions()
        .iter()
        .map(|(path, kind, bytes, outputs)| Dependency {
            path,
            kind: *kind,
            bytes,
            digest: None,
            outputs,
        })
        .collect();
    let written = run(kind, name, bytes, &dependencies, &options);
    // Each byte may become some text of a document or scene, and the separate pictures are in each
    // `.glb`; no other expansion is allowed.
    assert!(
        written <= 256 * bytes.len() + 16_384,
        "{written} bytes of output"
    );
}

/// A scene of EverQuest in an archive with a picture. The first byte selects the settings and the name
/// of the scene, the rest is the scene.
pub fn everquest(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let options = settings(choice);
    let names = ["dell.wld", "objects.wld", "lights.wld", "sky.wld"];
    let name = names[usize::from(choice & 3)];
    let pictures = [("leaf.bmp", &b"BM"[..]), ("sign.bmp", b"DDS ")];
    let members: Vec<(&str, &[u8])> = pictures.into_iter().chain([(name, bytes)]).collect();
    let packed = pfs::pack(&members, None, 0).expect("the names are plain");
    let archive = pfs::encode(&packed).expect("it fits");
    let outputs: Vec<Option<String>> = (0..4)
        .map(|part| (part > 0).then(|| format!("textures/dell/{part}.png")))
        .collect();
    let own = Dependency {
        path: "dell.s3d",
        kind: Kind::Pfs,
        bytes: &archive,
        digest: None,
        outputs: &outputs,
    };
    let written = run(Kind::Pfs, "dell.s3d", &archive, &[own], &options);
    // Models may share meshes, and each model writes them.
    assert!(
        written <= 4096 * bytes.len() + 65_536,
        "{written} bytes of output"
    );
}

/// A scene of EverQuest with creatures, next to one whose tracks they may use. The first byte selects the
/// settings, the rest is the scene.
pub fn actors(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let pack = |name: &str, scene: &[u8]| {
        let packed = pfs::pack(&[(name, scene)], None, 0).expect("the name is plain");
        pfs::encode(&packed).expect("it fits")
    };
    static SHARED: OnceLock<Vec<u8>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| pack("global_chr.wld", &scene(Version::Old)));
    let own = pack("dell_chr.wld", bytes);
    let outputs: Vec<Option<String>> = vec![None; 2];
    let dependencies = [("dell_chr.s3d", &own), ("global_chr.s3d", shared)];
    let dependencies = dependencies.map(|(path, bytes)| Dependency {
        path,
        kind: Kind::Pfs,
        bytes,
        digest: None,
        outputs: &outputs,
    });
    let written = run(
        Kind::Pfs,
        "dell_chr.s3d",
        &own,
        &dependencies,
        &settings(choice),
    );
    // Models may share meshes and tracks, and each model writes them.
    assert!(
        written <= 4096 * (bytes.len() + shared.len()) + 65_536,
        "{written} bytes of output"
    );
}

/// A list of emitters. The first byte selects the settings.
pub fn eff(bytes: &[u8]) {
    list(Kind::Emitters, "dell_sounds.eff", bytes);
    let content = bytes.get(1..).unwrap_or_default();
    round_trip(content, emitters::decode(content), emitters::encode);
}

/// A list of emitters as text. The first byte selects the settings.
pub fn emt(bytes: &[u8]) {
    list(Kind::EmitterText, "dell.emt", bytes);
    let content = bytes.get(1..).unwrap_or_default();
    round_trip(content, lines::decode(content), |list| lines::encode(list));
}

fn list(kind: Kind, name: &str, bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let written = run(kind, name, bytes, &[], &settings(choice));
    // A record of 84 bytes becomes a document of seventeen named numbers.
    assert!(written <= 256 * bytes.len() + 4096, "{written} bytes");
}

/// A picture in an archive. The first byte selects the settings, the rest is the picture.
pub fn dds(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    let packed = pfs::pack(&[("a.dds", bytes)], None, 0).expect("the name is plain");
    let archive = pfs::encode(&packed).expect("it fits");
    let written = run(Kind::Pfs, "dell.s3d", &archive, &[], &settings(choice));
    assert!(written <= 256 * bytes.len() + 16_384, "{written} bytes");
}

/// Converts all items of a file and returns the size of the output.
pub(super) fn run(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    dependencies: &[Dependency<'_>],
    options: &ConvertOptions,
) -> usize {
    let opened = match open(OpenContext::new(kind, name, bytes).with_dependencies(dependencies)) {
        Ok(opened) => opened,
        Err(error) => {
            assert!(error.offset() <= bytes.len() as u64, "{error}");
            return 0;
        }
    };
    check_deviations(bytes, opened.deviations());
    let parts = opened.items(options);
    assert!(parts.len() <= bytes.len() + 1);
    let mut written = 0;
    for (index, part) in parts.iter().enumerate() {
        if part.verdict != Disposition::Convert {
            continue;
        }
        let mut sink = Discard { part, written: 0 };
        match opened.convert(index, options, &mut sink) {
            Ok(deviations) => check_deviations(bytes, &deviations),
            Err(ConvertError::Format(error)) => {
                assert!(error.offset() <= bytes.len() as u64, "{error}");
            }
            Err(ConvertError::Emit(_)) => {}
            Err(other) => panic!("{other}"),
        }
        written += sink.written;
    }
    written
}

/// Songs: the chunks, the events of each sequence, and the output files. The first byte selects the
/// settings.
pub fn xmidi(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else {
        return;
    };
    run(Kind::Xmidi, "dell.xmi", bytes, &[], &settings(choice));
    let Some(file) = round_trip(bytes, xmidi::decode(bytes), xmidi::encode) else {
        return;
    };
    for form in file.sequences() {
        let Ok((_, events)) = form.events() else {
            continue;
        };
        if let Ok(decoded) = xmidi::events::decode(events) {
            check_deviations(events, &decoded.deviations);
            let (again, _) = xmidi::events::encode(&decoded.value).expect("ticks go forth");
            let again = xmidi::events::decode(&again).expect("it was encoded").value;
            assert_eq!(again.end, decoded.value.end);
        }
    }
}

/// Instrument collections: the result is in proportion to the input, or refused.
pub fn dls(bytes: &[u8]) {
    if let Ok(decoded) = dls::decode(bytes) {
        check_deviations(bytes, &decoded.deviations);
        let _ = decoded.value.encode();
    }
}

/// Tables of EverQuest. The first byte selects the table, the second the settings.
pub fn tables(bytes: &[u8]) {
    let Some((&[choice, chosen], bytes)) = bytes.split_first_chunk() else {
        return;
    };
    let all = [
        (Kind::SpellTable, "spdat.eff"),
        (Kind::SpellSprites, "spells.eff"),
        (Kind::SpellStages, "spellsnew.eff"),
        (Kind::TextList, "dbstr_us.txt"),
        (Kind::TextList, "spells_us.txt"),
        (Kind::ZoneMap, "dell.txt"),
        (Kind::WorldSettings, "sky.ini"),
    ];
    let (kind, name) = all[usize::from(choice) % all.len()];
    run(kind, name, bytes, &[], &settings(chosen));
    let context = ArchiveContext::default();
    let decoded = decoded_file::decode(kind, name, bytes, &context).expect("it has a codec");
    round_trip(bytes, decoded, |value| {
        value.encode().expect("it has an encoder")
    });
}
