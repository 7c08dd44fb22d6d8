//! Where policies come from: a file that is named, the user's data, or the program itself. Like networks they belong
//! to rules by their fingerprint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use network::policy::{MovePolicy, PolicyError};
use rules::Program;

use crate::networks;

/// How the files of policies end.
pub(crate) const ENDING: &str = "mgp";

/// Which policy leads Monte Carlo search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Wanted {
    /// The one for these rules, if there is one.
    #[default]
    Automatic,
    /// None: games are played out at random.
    None,
    /// That of a file.
    File(&'static str),
}

impl Wanted {
    /// Reads what `--policy` says.
    pub(crate) fn read(text: &str) -> Result<Wanted, String> {
        match text {
            "automatic" => Ok(Wanted::Automatic),
            "none" => Ok(Wanted::None),
            "" => Err("a policy is automatic, none or the name of a file".to_owned()),
            // A command line is read once, and what it says is needed to the end.
            file => Ok(Wanted::File(Box::leak(file.to_owned().into_boxed_str()))),
        }
    }
}

/// The file of the user's policy for rules.
pub(crate) fn user_file(program: &Program) -> Option<PathBuf> {
    Some(networks::user_folder()?.join(format!("{:016x}.{ENDING}", networks::fingerprint(program))))
}

/// The policy that is asked for.
pub(crate) fn appoint(program: &Program, wanted: Wanted) -> Result<Option<Arc<MovePolicy>>> {
    match wanted {
        Wanted::None => Ok(None),
        Wanted::File(file) => of_file(program, Path::new(file)).map(Some),
        Wanted::Automatic if program.info.players != 2 => Ok(None),
        Wanted::Automatic => match user_file(program).filter(|file| file.exists()) {
            Some(file) => of_file(program, &file).map(Some),
            None => Ok(shipped(program)),
        },
    }
}

/// The policy that comes with the program.
fn shipped(program: &Program) -> Option<Arc<MovePolicy>> {
    let files = networks::SHIPPED.files();
    let mut own = files.filter(|file| file.path().extension().is_some_and(|ending| ending == ENDING));
    own.find_map(|file| read(program, file.contents()).ok()).map(Arc::new)
}

/// The policy of a file.
pub(crate) fn of_file(program: &Program, file: &Path) -> Result<Arc<MovePolicy>> {
    let bytes = crate::files::read(file)?;
    let policy = read(program, &bytes).with_context(|| format!("`{}`", file.display()))?;
    Ok(Arc::new(policy))
}

fn read(program: &Program, bytes: &[u8]) -> Result<MovePolicy, PolicyError> {
    MovePolicy::read(bytes, &program.info, networks::fingerprint(program))
}
