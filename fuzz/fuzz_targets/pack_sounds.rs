#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| relicast_fuzz::edits::sounds(bytes));
