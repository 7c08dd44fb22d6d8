//! The folder in which designers keep their rules. Nothing outside of it is read or written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::message::{RULES_BYTES_MAX, Refusal};
use crate::store::write_whole;

/// A folder of files of rules.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// The file of a name, if the name is one: letters, digits, `-` and `_`, with the ending `.mg`.
    fn file(&self, name: &str) -> Result<PathBuf, Refusal> {
        let stem = name.strip_suffix(".mg").unwrap_or(name);
        let good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if stem.is_empty() || stem.len() > 60 || !stem.bytes().all(good) {
            return Err(Refusal::no(
                "a file of rules has a name of letters, digits, `-` and `_`, such as `breakfast.mg`",
            ));
        }
        let path = self.path.join(format!("{stem}.mg"));
        // A link could lead out of the folder.
        if fs::symlink_metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(Refusal::no(format!("`{stem}.mg` is not a plain file")));
        }
        Ok(path)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.path) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| name.ends_with(".mg") && self.file(name).is_ok()).take(500).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn read(&self, name: &str) -> Result<String, Refusal> {
        let path = self.file(name)?;
        let length = fs::metadata(&path).map_err(|error| Refusal::no(format!("`{name}`: {error}")))?.len();
        if length > RULES_BYTES_MAX as u64 {
            return Err(Refusal::no(format!("`{name}` is too long to be rules")));
        }
        fs::read_to_string(&path).map_err(|error| Refusal::no(format!("`{name}`: {error}")))
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<String, Refusal> {
        let path = self.file(name)?;
        let failed = |error: std::io::Error| Refusal::no(format!("`{name}` cannot be written: {error}"));
        fs::create_dir_all(&self.path).map_err(failed)?;
        write_whole(&path, text.as_bytes()).map_err(failed)?;
        Ok(path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_read_or_written() {
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret.mg"), "secret").unwrap();
        let inner = outer.path().join("rules");
        fs::create_dir(&inner).unwrap();
        let folder = Folder::new(&inner);
        for name in [
            "../secret",
            "../secret.mg",
            "/etc/passwd",
            "..",
            "",
            "a/b",
            "a\\b",
            ".hidden",
            "a.mg.txt",
            "a\0b",
        ] {
            assert!(folder.read(name).is_err() && folder.write(name, "x").is_err(), "{name:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret.mg"), inner.join("way-out.mg")).unwrap();
            assert!(folder.read("way-out").is_err() && folder.write("way-out", "x").is_err());
            assert!(folder.names().is_empty());
        }
        folder.write("mine", "players = 1").unwrap();
        assert_eq!(
            (folder.read("mine.mg").unwrap().as_str(), folder.names()),
            ("players = 1", vec!["mine.mg".to_owned()])
        );
        assert_eq!(fs::read_to_string(outer.path().join("secret.mg")).unwrap(), "secret");
    }
}
