//! Keeps what was learned in a file, so that it is learned once. The file's name is a hash of the rules; a file that is
//! broken, cut off or of another version is as good as none, and is written anew.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use game::{Game, GameInfo, PieceCode, Position, RuleFault};

use crate::derived::{Derived, VERSION};

/// Where a user's data is, by the variables of the environment: `$XDG_DATA_HOME/multigame/estimates`, or the same under
/// `$HOME/.local/share`, or under `%LOCALAPPDATA%` of Windows.
#[must_use]
pub fn user_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || Some(set("HOME")?.join(".local/share"));
    let data = set("XDG_DATA_HOME").or_else(home).or_else(|| set("LOCALAPPDATA"))?;
    Some(data.join("multigame").join("estimates"))
}

/// The file of an evaluation in a folder, if there is a folder.
fn path(folder: Option<&Path>, rules: &str, start: &Position, seed: u64) -> Option<PathBuf> {
    let key = hash(format!("{VERSION} {seed} {:?}\n{rules}", start.fields()).as_bytes());
    Some(folder?.join(format!("{key:016x}.txt")))
}

/// The evaluation of a game from its file in the folder, if it is there and whole.
#[must_use]
pub fn load(
    folder: Option<&Path>,
    rules: &str,
    info: &GameInfo,
    start: &Position,
    seed: u64,
) -> Option<Derived> {
    let text = fs::read_to_string(path(folder, rules, start, seed)?).ok()?;
    read(&text, (info.geometry.fields(), info.stored_slots()))
}

/// Writes an evaluation to its file in the folder. That it cannot be written is no mistake: it is learned again next
/// time.
pub fn keep(folder: Option<&Path>, rules: &str, start: &Position, seed: u64, derived: &Derived) {
    if let Some(path) = path(folder, rules, start, seed) {
        let _ = store(&path, &write(derived));
    }
}

/// The evaluation of a game: from its file in the folder, or learned now and written there.
///
/// # Errors
/// When the rules go wrong.
pub fn load_or_learn<G: Game>(
    folder: Option<&Path>,
    rules: &str,
    game: &G,
    start: &Position,
    seed: u64,
) -> Result<Derived, RuleFault> {
    if let Some(derived) = load(folder, rules, game.info(), start, seed) {
        return Ok(derived);
    }
    let derived = Derived::learn(game, start, seed)?;
    keep(folder, rules, start, seed, &derived);
    Ok(derived)
}

/// Writes beside the place and moves there, so that no reader finds half a file.
fn store(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

/// One line for the properties, one for each piece code in use, and a hash of it all.
fn write(derived: &Derived) -> String {
    let mut text = format!("multigame estimates {VERSION}\nproperties");
    let add = |text: &mut String, values: &[i32]| {
        values.iter().for_each(|value| write!(text, " {value}").expect("memory does not fail"));
        text.push('\n');
    };
    add(&mut text, &derived.properties);
    for (code, values) in derived.pieces.chunks(derived.fields).enumerate() {
        if values.iter().any(|&value| value != 0) {
            write!(text, "piece {code}").expect("memory does not fail");
            add(&mut text, values);
        }
    }
    let sum = hash(text.as_bytes());
    text + &format!("end {sum:016x}\n")
}

fn read(text: &str, (fields, slots): (usize, usize)) -> Option<Derived> {
    let end = text.rfind("end ")?;
    let (body, tail) = text.split_at(end);
    if u64::from_str_radix(tail.strip_prefix("end ")?.trim_end(), 16).ok()? != hash(body.as_bytes()) {
        return None;
    }
    let mut lines = body.lines();
    if lines.next()? != format!("multigame estimates {VERSION}") {
        return None;
    }
    let numbers =
        |text: &str| text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<i32>>>();
    let properties = numbers(lines.next()?.strip_prefix("properties")?)?;
    let mut pieces = vec![0; PieceCode::COUNT_MAX * fields];
    for line in lines {
        let values = numbers(line.strip_prefix("piece ")?)?;
        let (&code, values) = values.split_first()?;
        let code = usize::try_from(code).ok().filter(|&code| code < PieceCode::COUNT_MAX)?;
        if values.len() != fields {
            return None;
        }
        pieces[code * fields..][..fields].copy_from_slice(values);
    }
    (properties.len() == slots - fields).then_some(Derived { pieces, properties, fields })
}

/// Fowler, Noll and Vo's hash, with a last stir.
fn hash(bytes: &[u8]) -> u64 {
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (sum ^ (sum >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
