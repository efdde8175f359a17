use super::*;

fn sources<'a>(files: &[(&'a str, DependencyKind)]) -> Vec<DependencySource<'a>> {
    let source = |&(path, content)| DependencySource {
        path,
        content,
        listed: &[],
    };
    files.iter().map(source).collect()
}

fn needed_by<'a>(wanted: &str, files: &[(&'a str, DependencyKind)]) -> Vec<&'a str> {
    let facts = sources(files);
    let place = files.iter().position(|(path, _)| *path == wanted).unwrap();
    needed_with(&ConvertOptions::default(), place, &facts)
}

fn needed_with<'a>(
    options: &ConvertOptions,
    place: usize,
    facts: &[DependencySource<'a>],
) -> Vec<&'a str> {
    let needed = dependencies(facts, options).swap_remove(place);
    needed.into_iter().map(|index| facts[index].path).collect()
}

#[test]
fn worlds_take_the_animations_of_their_missions_where_clips_go_into_them() {
    let facts = sources(&[
        ("zbd/c1/m02/mis_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/m01/mis_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/cam_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/gamez.zbd", DependencyKind::World),
        ("zbd/c1/night/gamez.zbd", DependencyKind::World),
        ("zbd/c1/night/mis_anim.zbd", DependencyKind::Animations),
        ("zbd/c10/cam_anim.zbd", DependencyKind::Animations),
    ]);
    let mut options = ConvertOptions::default();
    options.worlds.state = WorldState::Stored;
    assert_eq!(needed_with(&options, 3, &facts), [""; 0]);
    options.animations.clips = Clips::World;
    let missions = [
        "zbd/c1/cam_anim.zbd",
        "zbd/c1/m01/mis_anim.zbd",
        "zbd/c1/m02/mis_anim.zbd",
    ];
    assert_eq!(needed_with(&options, 3, &facts), missions);
    assert_eq!(
        needed_with(&options, 4, &facts),
        ["zbd/c1/night/mis_anim.zbd"]
    );
}

#[test]
fn worlds_take_what_their_missions_place() {
    let mut options = ConvertOptions::default();
    options.worlds.placements = true;
    let needed = |files: &[(&'static str, DependencyKind)]| {
        let facts = sources(files);
        needed_with(&options, 0, &facts)
    };
    let skies = [
        ("ZBD/C1/gamez.zbd", DependencyKind::World),
        ("ZBD/planes.zbd", DependencyKind::World),
        ("ZBD/zrdr.zbd", DependencyKind::Readers),
        ("ZBD/rimage.zbd", DependencyKind::Textures),
        ("ZBD/C1/zrdr.zbd", DependencyKind::Readers),
        ("ZBD/C1/M01/zrdr.zbd", DependencyKind::Readers),
        ("ZBD/C2/M01/zrdr.zbd", DependencyKind::Readers),
        ("ZBD/C1/rtexture4.zbd", DependencyKind::Textures),
    ];
    assert_eq!(
        needed(&skies),
        [
            "ZBD/C1/rtexture4.zbd",
            "ZBD/rimage.zbd",
            "ZBD/C1/M01/zrdr.zbd",
            "ZBD/C1/zrdr.zbd",
            "ZBD/planes.zbd",
            "ZBD/zrdr.zbd",
        ]
    );
    let recoil = [
        ("zbd/m1/gamez.zbd", DependencyKind::World),
        ("zbd/m1/zrdr.zbd", DependencyKind::Readers),
        ("zbd/m2/zrdr.zbd", DependencyKind::Readers),
        ("zbd/zrdr.zbd", DependencyKind::Readers),
        ("zbd/image.zbd", DependencyKind::Textures),
    ];
    assert_eq!(needed(&recoil), ["zbd/m1/zrdr.zbd", "zbd/zrdr.zbd"]);
}

#[test]
fn worlds_search_their_folder_by_quality_then_the_skins_above() {
    let files = [
        ("zbd/c1/gamez.zbd", DependencyKind::World),
        ("zbd/c1/texture2.zbd", DependencyKind::Textures),
        ("zbd/c1/rtexture2.zbd", DependencyKind::Textures),
        ("zbd/c1/RTEXTURE3.ZBD", DependencyKind::Textures),
        ("zbd/c1/texture.zbd", DependencyKind::Textures),
        ("zbd/c1/rtexture.zbd", DependencyKind::Textures),
        ("zbd/c2/rtexture.zbd", DependencyKind::Textures),
        ("zbd/rimage.zbd", DependencyKind::Textures),
        ("zbd/rmechtexs.zbd", DependencyKind::Textures),
        ("zbd/rmechtex.zbd", DependencyKind::Textures),
    ];
    assert_eq!(
        needed_by("zbd/c1/gamez.zbd", &files),
        [
            "zbd/c1/rtexture.zbd",
            "zbd/c1/RTEXTURE3.ZBD",
            "zbd/c1/rtexture2.zbd",
            "zbd/c1/texture.zbd",
            "zbd/c1/texture2.zbd",
            "zbd/rmechtex.zbd",
            "zbd/rmechtexs.zbd",
        ]
    );
}

#[test]
fn the_number_counts_and_not_its_letters() {
    let files = [
        ("gamez.zbd", DependencyKind::World),
        ("rtexture4.zbd", DependencyKind::Textures),
        ("rtexture12.zbd", DependencyKind::Textures),
        ("texture1.zbd", DependencyKind::Textures),
        ("texturemax.zbd", DependencyKind::Textures),
        ("rtexture_old.zbd", DependencyKind::Textures),
    ];
    assert_eq!(
        needed_by("gamez.zbd", &files),
        [
            "rtexture12.zbd",
            "rtexture4.zbd",
            "texturemax.zbd",
            "texture1.zbd"
        ]
    );
}

#[test]
fn models_take_skins_motions_and_the_packages_below() {
    let files = [
        ("a/zbd/mechlib.zbd", DependencyKind::Models),
        ("a/zbd/motion.zbd", DependencyKind::Motions),
        ("b/zbd/motion.zbd", DependencyKind::Motions),
        ("a/zbd/rmechtex.zbd", DependencyKind::Textures),
        ("a/zbd/c1/texture.zbd", DependencyKind::Textures),
        ("a/zbdx/texture.zbd", DependencyKind::Textures),
        ("a/zbd/planes.zbd", DependencyKind::World),
        ("a/zbd/reader.zbd", DependencyKind::Readers),
        ("a/zbd/c1/reader.zbd", DependencyKind::Readers),
        ("a/Mech3Msg.dll", DependencyKind::Messages),
        ("b/Mech3Msg.dll", DependencyKind::Messages),
    ];
    assert_eq!(
        needed_by("a/zbd/mechlib.zbd", &files),
        [
            "a/zbd/rmechtex.zbd",
            "a/zbd/c1/texture.zbd",
            "a/zbd/motion.zbd",
            "a/zbd/reader.zbd",
            "a/Mech3Msg.dll"
        ]
    );
    assert_eq!(
        needed_by("a/zbd/planes.zbd", &files),
        [
            "a/zbd/rmechtex.zbd",
            "a/zbd/c1/texture.zbd",
            "a/zbd/reader.zbd"
        ]
    );
}

#[test]
fn animations_look_around_and_upwards() {
    let files = [
        ("zbd/c1/cam_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/gamez.zbd", DependencyKind::World),
        ("zbd/c1/m01/mis_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/m01/zrdr.zbd", DependencyKind::Readers),
        ("zbd/c1/m02/mis_anim.zbd", DependencyKind::Animations),
        ("zbd/c2/gamez.zbd", DependencyKind::World),
        ("zbd/c2/cam_anim.zbd", DependencyKind::Animations),
        ("zbd/planes.zbd", DependencyKind::World),
        ("zbd/soundsh.zbd", DependencyKind::Sounds),
        ("zbd/soundsl.zbd", DependencyKind::Sounds),
    ];
    assert_eq!(
        needed_by("zbd/c1/m01/mis_anim.zbd", &files),
        [
            "zbd/c1/gamez.zbd",
            "zbd/planes.zbd",
            "zbd/soundsh.zbd",
            "zbd/soundsl.zbd",
            "zbd/c1/m01/zrdr.zbd",
            "zbd/c1/cam_anim.zbd",
        ]
    );
    assert!(needed_by("zbd/c1/cam_anim.zbd", &files).contains(&"zbd/c1/m02/mis_anim.zbd"));
    assert!(!needed_by("zbd/c2/cam_anim.zbd", &files).contains(&"zbd/c1/gamez.zbd"));
}

#[test]
fn worlds_take_what_missions_begin_with() {
    let files = [
        ("zbd/c1/gamez.zbd", DependencyKind::World),
        ("zbd/c1/cam_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/m01/mis_anim.zbd", DependencyKind::Animations),
        ("zbd/c1/m01/zrdr.zbd", DependencyKind::Readers),
        ("zbd/c1/zrdr.zbd", DependencyKind::Readers),
        ("zbd/zrdr.zbd", DependencyKind::Readers),
        ("zbd/interp.zbd", DependencyKind::Scripts),
        ("interp.zbd", DependencyKind::Scripts),
    ];
    let wanted = [
        "zbd/c1/cam_anim.zbd",
        "zbd/c1/m01/mis_anim.zbd",
        "zbd/c1/m01/zrdr.zbd",
        "zbd/c1/zrdr.zbd",
        "zbd/interp.zbd",
    ];
    assert_eq!(needed_by("zbd/c1/gamez.zbd", &files), wanted);
    // The flip books of the whole game are next to the aircraft of Crimson Skies.
    let with_aircraft = [&files[..], &[("zbd/planes.zbd", DependencyKind::World)]].concat();
    let needed = needed_by("zbd/c1/gamez.zbd", &with_aircraft);
    assert_eq!(
        needed,
        [
            "zbd/c1/cam_anim.zbd",
            "zbd/c1/m01/mis_anim.zbd",
            "zbd/c1/m01/zrdr.zbd",
            "zbd/c1/zrdr.zbd",
            "zbd/zrdr.zbd",
            "zbd/interp.zbd",
        ]
    );
}
