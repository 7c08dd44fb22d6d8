//! Any bytes as a message of a front end: understood or refused, never a crash. Run with `scripts/fuzz messages 60`; the test `load` of `web` is the bounded form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use web::message::Envelope;

fuzz_target!(|data: &[u8]| {
    if let Ok(envelope) = serde_json::from_slice::<Envelope>(data) {
        let _ = format!("{envelope:?}");
    }
});
