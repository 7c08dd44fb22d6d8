//! Reading text from files and standard input, with a bound on its size, and writing files whole.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// No rules and no position come near this size.
const BYTES_MAX: u64 = 64 << 20;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let name = path.display();
    if path == Path::new("-") {
        return read_all(&mut io::stdin().lock()).context("cannot read standard input");
    }
    if path.is_dir() {
        bail!("`{name}` is a folder: give a file");
    }
    let mut file = File::open(path).with_context(|| format!("cannot open `{name}`"))?;
    read_all(&mut file).with_context(|| format!("cannot read `{name}`"))
}

/// The text of a file. Bytes that are no UTF-8 become `\u{fffd}`, so that messages can point at them.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

fn read_all(reader: &mut dyn Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        bail!("it is larger than {} MB", BYTES_MAX >> 20);
    }
    Ok(bytes)
}

/// Whether a path names a device or a pipe, which is written to and never replaced.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes a file beside its place and moves it there: it is whole, or as it was before. Who may read it does not
/// change, and a link stays one. A device or a pipe is written to.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if is_stream(path) {
        return std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()));
    }
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut beside = place.clone().into_os_string();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let write = || {
        std::fs::write(&beside, text)?;
        if let Ok(old) = place.metadata() {
            std::fs::set_permissions(&beside, old.permissions())?;
        }
        std::fs::rename(&beside, &place)
    };
    write().with_context(|| {
        let _ = std::fs::remove_file(&beside);
        format!("cannot write `{}`", path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write(Path::new("/dev/null"), "some text").expect("it takes everything");
        assert!(is_stream(Path::new("/dev/null")));
        let error = write(Path::new("/dev/full"), "some text").expect_err("there is no room");
        assert!(crate::in_words(&error).contains("No space left"), "{error:?}");
        assert!(is_stream(Path::new("/dev/full")));
    }
}
