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
