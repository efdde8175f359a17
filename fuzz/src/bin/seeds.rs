//! Writes seed corpora for all targets with the program's own encoders: `corpus/<target>/<name>`.

use std::fs;
use std::io;
use std::path::Path;

use relicast_fuzz::seeds::all;

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut written = 0_usize;
    for (target, seeds) in all() {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        for (index, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{index:02}")), seed)?;
            written += 1;
        }
    }
    println!("{written} seeds in {}", corpus.display());
    Ok(())
}
