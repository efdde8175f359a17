use relicast::formats::zipper::gamez;
#[test]
fn probe() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/fixtures/zipper/");
    for f in [
        "rc/zbd/m1/gamez.zbd",
        "mw/zbd/c1/gamez.zbd",
        "pm/zbd/c1/gamez.zbd",
        "cs/ZBD/C1/gamez.zbd",
        "cs/ZBD/planes.zbd",
    ] {
        let bytes = std::fs::read(format!("{root}{f}")).unwrap();
        let d = match gamez::decode(&bytes) {
            Ok(d) => d,
            Err(e) => {
                println!("{f}: ERROR {e}");
                continue;
            }
        };
        println!("{f}: {} deviations", d.deviations.total());
        for x in d.deviations.described().iter() {
            println!("   {x}");
        }
        match gamez::encode(&d.value) {
            Ok(e) => println!("   same: {}", e == bytes),
            Err(e) => println!("   ENC {e}"),
        }
    }
}
#[test]
fn probe2() {
    use relicast::formats::zipper::{archive, mechlib};
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/fixtures/zipper/");
    for f in ["mw/zbd/mechlib.zbd", "pm/zbd/mechlib.zbd"] {
        let bytes = std::fs::read(format!("{root}{f}")).unwrap();
        let a = archive::decode(&bytes).unwrap().value;
        assert!(mechlib::is_mechlib(&a));
        let get = |n: &str| &*a.entries.iter().find(|e| e.name() == n).unwrap().data;
        let version = mechlib::decode_version(get("version")).unwrap().value;
        mechlib::decode_format(get("format")).unwrap();
        for e in &a.entries {
            let name = e.name();
            match &*name {
                "format" | "version" => {}
                "materials" => {
                    let d = mechlib::decode_materials(&e.data, version).unwrap();
                    println!(
                        "{f} {name} {} same {}",
                        d.value.len(),
                        mechlib::encode_materials(&d.value, version).unwrap() == *e.data
                    );
                    for x in d.deviations.described().iter() {
                        println!("   {x}");
                    }
                }
                _ => {
                    let d = mechlib::decode_model(&e.data, version).unwrap();
                    println!(
                        "{f} {name} {} same {}",
                        d.value.nodes.len(),
                        mechlib::encode_model(&d.value, version).unwrap() == *e.data
                    );
                    for x in d.deviations.described().iter().take(10) {
                        println!("   {x}");
                    }
                }
            }
        }
    }
}
