//! Any bytes as a rules file: read, check, explain, format. Formatting must settle at once and keep what the
//! reader says. Run with `scripts/fuzz rules 60`; the tests `bad_input` and `format` of `lang` are the
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
    // Where a text ends too soon, the last messages depend on whether it ends with a blank.
    let said = |source: &Source| -> Vec<_> {
        let diagnostics = parse(source).diagnostics.into_iter();
        let inside = diagnostics.filter(|diagnostic| !diagnostic.message.contains("the end of the text"));
        inside.map(|diagnostic| (diagnostic.code, diagnostic.message)).collect()
    };
    assert_eq!(said(&once), said(&source), "formatting changes what is said");
});
