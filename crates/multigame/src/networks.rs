//! Where networks come from: a file that is named, the user's data, or the program itself. A network belongs to rules by
//! their fingerprint, so that rules that have changed have none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use include_dir::{Dir, include_dir};
use network::{FileError, Inputs, Network};
use rules::Program;

/// Networks that come with the program.
static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../networks");

/// How the files of networks end.
pub(crate) const ENDING: &str = "mgn";

/// What a network is told of a game.
pub(crate) fn inputs(program: &Program) -> Arc<Inputs> {
    Arc::new(Inputs::new(&program.info, rules::players_are_alike(program)))
}

/// The fingerprint of rules.
pub(crate) fn fingerprint(program: &Program) -> u64 {
    lang::fingerprint(&program.source.text)
}

/// The fingerprint of the plain evaluation of rules: the one that they state, or the one that is derived from them.
pub(crate) fn evaluation_fingerprint(program: &Program) -> u64 {
    if program.features.is_empty() {
        return u64::from(estimate::VERSION);
    }
    lang::evaluation_fingerprint(&program.source.text)
}

/// Where the user's networks are: beside the derived evaluations.
pub(crate) fn user_folder() -> Option<PathBuf> {
    let estimates = estimate::cache::user_folder(|name| std::env::var_os(name))?;
    Some(estimates.parent()?.join("networks"))
}

/// The file of the user's network for rules.
pub(crate) fn user_file(program: &Program) -> Option<PathBuf> {
    Some(user_folder()?.join(format!("{:016x}.{ENDING}", fingerprint(program))))
}

/// The network for these rules: the user's own, or the one that comes with the program.
pub(crate) fn find(program: &Program) -> Result<Option<Arc<Network>>> {
    if let Some(file) = user_file(program).filter(|file| file.exists()) {
        return of_file(program, &file).map(Some);
    }
    let inputs = inputs(program);
    // What comes with the program is named by its game, and others may have the same rules under another name.
    let mut shipped =
        SHIPPED.files().filter(|file| file.path().extension().is_some_and(|ending| ending == ENDING));
    let read = |bytes: &[u8]| read(program, bytes, &inputs).ok();
    Ok(shipped.find_map(|file| read(file.contents())).map(Arc::new))
}

/// The network of a file.
pub(crate) fn of_file(program: &Program, file: &Path) -> Result<Arc<Network>> {
    let bytes = crate::files::read(file)?;
    let network = read(program, &bytes, &inputs(program)).with_context(|| format!("`{}`", file.display()))?;
    Ok(Arc::new(network))
}

fn read(program: &Program, bytes: &[u8], inputs: &Arc<Inputs>) -> Result<Network, FileError> {
    let fingerprints = (fingerprint(program), evaluation_fingerprint(program));
    Network::read(bytes, &program.info.name, fingerprints, Arc::clone(inputs))
}

/// Writes beside the place and moves there, so that no reader sees half a file.
pub(crate) fn store(path: &Path, bytes: &[u8]) -> Result<()> {
    let told = || format!("cannot write `{}`", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(told)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    std::fs::write(&beside, bytes).with_context(told)?;
    std::fs::rename(&beside, path).with_context(told)
}
