//! Golden tests of diagnostics: each file in `tests/mistakes` is named after the code that it must bring, and
//! its snapshot shows everything that is said about it. A new code needs a file here.
//!
//! After a change on purpose: `INSTA_UPDATE=always cargo test -p lang --test mistakes`, then read the diff.

#![allow(clippy::unwrap_used)] // tests are free to

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lang::Source;

/// Every code there is; each must be shown by a file.
const CODES: [&str; 56] = [
    "E001", "E002", "E003", "E004", "E005", "E010", "E011", "E012", "E013", "E020", "E021", "E022", "E023",
    "E024", "E025", "E026", "E027", "E028", "E029", "E030", "E031", "E032", "E033", "E034", "E035", "E036",
    "E037", "E038", "E039", "E040", "E041", "E042", "E044", "E045", "E046", "E047", "W001", "W002", "W003",
    "W004", "W005", "W006", "W011", "W012", "W013", "W014", "W015", "W021", "W022", "W023", "W024", "W025",
    "W026", "W027", "W028", "W029",
];

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_mistake_is_explained() {
    let mut shown = BTreeSet::new();
    for path in files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let source = Source::new(format!("{name}.mg"), std::fs::read_to_string(&path).unwrap());
        let parsed = lang::parse(&source);
        let mut diagnostics = parsed.diagnostics;
        diagnostics.extend(lang::check(&parsed.tree));
        let code = &name[..4];
        assert!(diagnostics.iter().any(|diagnostic| diagnostic.code == code), "{name} does not bring {code}");
        let text: Vec<String> =
            diagnostics.iter().map(|diagnostic| lang::render(&source, diagnostic)).collect();
        shown.extend(diagnostics.iter().map(|diagnostic| diagnostic.code));
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, text.join("\n"));
        });
    }
    for code in CODES {
        assert!(shown.contains(code), "no file shows {code}");
    }
}
