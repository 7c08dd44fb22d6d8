//! Any bytes for the reader `xboard`; see ../readers.rs. Run with `scripts/fuzz xboard 60`.

#![no_main]

#[path = "../readers.rs"]
mod readers;

use libfuzzer_sys::fuzz_target;

thread_local! {
    static READERS: readers::Readers = readers::Readers::new();
}

fuzz_target!(|data: &[u8]| READERS.with(|readers| readers.read("xboard", &String::from_utf8_lossy(data))));
