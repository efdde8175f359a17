//! Developer commands of relicast.

fn main() {}
