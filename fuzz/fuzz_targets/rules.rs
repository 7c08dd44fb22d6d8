//! Any bytes as a rules file: read, check, explain, format. Formatting must settle at once and keep what the
//! reader says. Run with `cargo +nightly fuzz run rules`; the tests `bad_input` and `format` of `lang` are the
//! bounded form.

#![no_main]

use lang::{Source, check, format, parse, render};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let source = Source::new("fuzz.mg", String::from_utf8_lossy(data));
    let parsed = parse(&source);
    for diagnostic in parsed.diagnostics.iter().chain(&check(&parsed.tree)) {
        let _ = render(&source, diagnostic);
    }
    let once = Source::new("fuzz.mg", format(&source));
    assert_eq!(format(&once), once.text, "formatting again changes something");
    let said = |source: &Source| -> Vec<_> {
        parse(source).diagnostics.into_iter().map(|diagnostic| (diagnostic.code, diagnostic.message)).collect()
    };
    assert_eq!(said(&once), said(&source), "formatting changes what is said");
});
