//! Does work within a budget of memory: `cargo run --package relicast-limits --example budget`.

use relicast_limits::{Exceeded, Limits, try_reserve, with_budget};

fn main() {
    let limits = Limits {
        memory_mib: 128,
        ..Limits::default()
    };
    for mebibytes in [1, 1024] {
        let work = || {
            try_reserve(mebibytes << 20)?;
            Ok::<_, Exceeded>(vec![0_u8; mebibytes << 20].len())
        };
        let done = limits.scope(|| with_budget(work));
        println!("{mebibytes} MiB: {done:?}");
    }
}
