//! `multigame fmt`: rules laid out in the usual way.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use lang::Source;
use lang::diagnostic::any_error;
use serde_json::json;

use crate::Exit;
use crate::cli::{Fmt, Global};
use crate::{files, library, terminal};

/// The file that is meant: `multigame new mygame` wrote `mygame.mg`, and its name alone is enough.
fn file_of(given: &Path) -> PathBuf {
    let name = given.display().to_string();
    let rules = PathBuf::from(format!("{name}.mg"));
    let is_bare = given.extension().is_none() && !given.exists() && library::source(&name).is_none();
    if is_bare && rules.is_file() { rules } else { given.to_owned() }
}

pub(super) fn run(options: &Fmt, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let mut exit = Exit::Success;
    for given in &options.files {
        let path = &file_of(given);
        let name = path.display().to_string();
        // Rules of the library are part of the program: they are printed, as those from standard input.
        let own = if path.exists() { None } else { library::source(&name) };
        let is_printed = path == Path::new("-") || own.is_some();
        let source = match own {
            Some(source) => source,
            None => match String::from_utf8(files::read(path)?) {
                Ok(text) => Source::new(name.clone(), text),
                Err(_) => bail!("`{name}` is no UTF-8 text: nothing was changed"),
            },
        };
        let parsed = lang::parse(&source);
        if any_error(&parsed.diagnostics) {
            let columns = terminal::message_columns();
            for diagnostic in &parsed.diagnostics {
                write!(anstream::stderr(), "{}", super::render(&source, diagnostic, columns))?;
            }
            bail!("`{name}` cannot be read as rules: correct it first, nothing was changed");
        }
        let formatted = lang::format(&source);
        if formatted.trim().is_empty() && !source.text.trim().is_empty() {
            bail!("`{name}` would lose its text: nothing was changed; please report it with the rules");
        }
        let changed = formatted != source.text;
        if global.json {
            writeln!(out, "{}", json!({ "file": name, "changed": changed }))?;
        } else if options.check && changed {
            writeln!(out, "{name}: `multigame fmt` would change it")?;
        } else if is_printed && !options.check {
            out.write_all(formatted.as_bytes())?;
        }
        if options.check {
            exit = if changed { Exit::BadInput } else { exit };
        } else if changed && !is_printed {
            files::write(path, &formatted)?;
        }
    }
    Ok(exit)
}
