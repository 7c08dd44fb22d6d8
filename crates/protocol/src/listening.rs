//! Lines from another program, read on a thread of their own so that whoever serves them can wait for other things too.

use std::io::{self, BufRead};
use std::time::Instant;

/// Reads lines to the end of the input and hands each one over with the moment at which it came; `None` at the end. Stops
/// when nobody takes them any more.
pub(crate) fn listen(mut input: impl BufRead, hand_over: impl Fn(Option<(String, Instant)>) -> bool) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(count) if count > 0 => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                if !hand_over(Some((line, Instant::now()))) {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => {
                hand_over(None);
                return;
            }
        }
    }
}
