//! Where networks come from: a file that is named, the user's data, or the program itself. A network belongs to rules
//! by their fingerprint, so that rules that have changed have none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use game::symmetry::BoardMap;
use game::{Game, MoveList, Position, Stage, Symmetry};
use include_dir::{Dir, include_dir};
use network::{FileError, Inputs, Network};
use protocol::chance;
use rules::Program;

/// Networks that come with the program.
pub(crate) static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../networks");

/// How the files of networks end.
pub(crate) const ENDING: &str = "mgn";

/// Random games that symmetries are looked for in, and their plies.
const GAMES: u64 = 4;
const PLIES: usize = 60;
/// Every so many plies are looked at.
const EVERY: usize = 6;

/// What a network is told of a game, with patterns.
pub(crate) fn inputs(program: &Program) -> Arc<Inputs> {
    let alike = rules::players_are_alike(program);
    let symmetries = likely_symmetries(program);
    Arc::new(Inputs::new(&program.info, alike).with_patterns(&program.info, alike, &symmetries))
}

/// Symmetries that the rules prove; if there are none, those that random games do not refute. Weights that are shared
/// by mistake make a network weaker, but nothing wrong.
fn likely_symmetries(program: &Program) -> Vec<Symmetry> {
    let proven = rules::symmetries(program);
    let Some(start) = program.info.start.as_ref().filter(|_| proven.is_empty()) else { return proven };
    let game = rules::Interpreter::new(program.clone());
    let info = game.info();
    let maps = BoardMap::all(&info.geometry);
    let mut likely: Vec<Symmetry> = maps.iter().skip(1).map(|map| Symmetry::new(info, map)).collect();
    let mut moves = MoveList::new();
    for number in 0..GAMES {
        let (mut position, mut seed) = (start.clone(), chance::mix(number));
        for ply in 0..PLIES {
            if likely.is_empty() || !matches!(game.generate(&position, Stage::All, &mut moves), Ok(None)) {
                break;
            }
            seed = chance::mix(seed);
            let chosen = moves.get(seed as usize % moves.len());
            if chosen.head.outcome().is_some() {
                break;
            }
            let mut next = position.clone();
            game.play(&mut next, chosen);
            if ply % EVERY == EVERY / 2 {
                let children = children(&game, &position);
                likely.retain(|symmetry| {
                    let images = children.iter().map(|child| symmetry.position(info, child));
                    sorted(images) == sorted(self::children(&game, &symmetry.position(info, &position)))
                });
            }
            position = next;
        }
    }
    likely
}

/// The positions after all moves; none where rules go wrong.
fn children(game: &rules::Interpreter, position: &Position) -> Vec<Position> {
    let mut moves = MoveList::new();
    if !matches!(game.generate(position, Stage::All, &mut moves), Ok(None)) {
        return Vec::new();
    }
    let child = |played| {
        let mut child = position.clone();
        game.play(&mut child, played);
        child
    };
    moves.iter().map(child).collect()
}

fn sorted(positions: impl IntoIterator<Item = Position>) -> Vec<u64> {
    let mut signatures: Vec<u64> = positions.into_iter().map(|position| position.signature().0).collect();
    signatures.sort_unstable();
    signatures
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
    // What comes with the program is named by its game, and others may have the same rules under another name.
    let mut shipped =
        SHIPPED.files().filter(|file| file.path().extension().is_some_and(|ending| ending == ENDING));
    let inputs = plain_inputs(program);
    let read = |bytes: &[u8]| read(program, bytes, &inputs).ok();
    Ok(shipped.find_map(|file| read(file.contents())).map(Arc::new))
}

/// The network of a file.
pub(crate) fn of_file(program: &Program, file: &Path) -> Result<Arc<Network>> {
    let bytes = crate::files::read(file)?;
    let network =
        read(program, &bytes, &plain_inputs(program)).with_context(|| format!("`{}`", file.display()))?;
    Ok(Arc::new(network))
}

/// What a network without patterns is told of a game.
fn plain_inputs(program: &Program) -> Arc<Inputs> {
    Arc::new(Inputs::new(&program.info, rules::players_are_alike(program)))
}

fn read(program: &Program, bytes: &[u8], plain: &Arc<Inputs>) -> Result<Network, FileError> {
    let fingerprints = (fingerprint(program), evaluation_fingerprint(program));
    match Network::read(bytes, &program.info.name, fingerprints, Arc::clone(plain)) {
        // To find the patterns of a game takes longer than all else: only networks that have some need them.
        Err(FileError::Patterns { .. }) => {
            Network::read(bytes, &program.info.name, fingerprints, inputs(program))
        }
        read => read,
    }
}

/// Writes beside the place and moves there, so that no reader sees half a file. A device or a pipe is written to.
pub(crate) fn store(path: &Path, bytes: &[u8]) -> Result<()> {
    let told = || format!("cannot write `{}`", path.display());
    if crate::files::is_stream(path) {
        return std::fs::write(path, bytes).with_context(told);
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(told)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    std::fs::write(&beside, bytes).with_context(told)?;
    std::fs::rename(&beside, path).with_context(told)
}
