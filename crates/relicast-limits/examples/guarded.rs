//! Holds work to a limit of memory: `cargo run --package relicast-limits --example guarded`.

use relicast_limits::{Exceeded, Limits, guarded, room, set};

fn main() {
    set(Limits {
        memory_mib: 16,
        ..Limits::default()
    });
    for mebibytes in [1, 1024] {
        let work = guarded(|| {
            room(mebibytes << 20)?;
            Ok::<_, Exceeded>(vec![0_u8; mebibytes << 20].len())
        });
        println!("{mebibytes} MiB: {work:?}");
    }
}
