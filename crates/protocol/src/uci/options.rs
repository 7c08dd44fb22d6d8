//! The options that can be set over UCI.

use std::time::Duration;

use parallel::THREADS_MAX;
use search::{Engine, Heuristics};

use crate::session::EngineOptions;
use crate::strength::Level;

const MULTI_PV_MAX: u64 = 500;
const OVERHEAD_MAX: u64 = 5000;
const SKILL_MAX: u64 = 20;

/// Which games there are to switch to, and which one is played.
#[derive(Clone, Debug)]
pub struct Variants {
    /// The names that `UCI_Variant` offers.
    pub names: Vec<String>,
    /// The present one.
    pub current: String,
}

/// The game that `UCI_Chess960` switches on, and the one that it switches back to.
const CHESS960: [&str; 2] = ["chess960", "chess"];

impl Variants {
    /// Whether chess can be played from other arrangements of the pieces.
    fn offers_chess960(&self) -> bool {
        CHESS960.contains(&self.current.as_str())
            && CHESS960.iter().all(|name| self.names.iter().any(|known| known == name))
    }
}

/// What an option asks for beyond a number that changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The options are as they shall be.
    Set,
    /// Forget what earlier searches found out.
    ClearHash,
    /// Play another game.
    Variant(String),
    /// Take another opening book; none if the name is empty.
    BookFile(String),
    /// Use the opening book, or do not.
    OwnBook(bool),
    /// Play as well as a player with this rating, when strength is limited.
    Elo(i32),
    /// Limit the strength, or do not.
    LimitStrength(bool),
}

/// The lines that say which options there are.
#[must_use]
pub fn declare(variants: &Variants, hash_mib_max: usize) -> Vec<String> {
    let usual = EngineOptions::default();
    let combo = |name: &str, value: &str, values: &[String]| {
        let values: String = values.iter().map(|value| format!(" var {value}")).collect();
        format!("option name {name} type combo default {value}{values}")
    };
    let ((elo_min, elo_max), elo_default) = (Level::elo_range(), default_elo());
    let engines = Engine::ALL.map(|engine| engine.name().to_owned());
    let mut lines = vec![
        format!("option name Hash type spin default {} min 1 max {hash_mib_max}", usual.hash_mib),
        "option name Clear Hash type button".to_owned(),
        format!("option name Threads type spin default 1 min 1 max {THREADS_MAX}"),
        format!("option name MultiPV type spin default 1 min 1 max {MULTI_PV_MAX}"),
        "option name Ponder type check default false".to_owned(),
        format!(
            "option name Move Overhead type spin default {} min 0 max {OVERHEAD_MAX}",
            usual.move_overhead.as_millis()
        ),
        "option name UCI_LimitStrength type check default false".to_owned(),
        format!("option name UCI_Elo type spin default {elo_default} min {elo_min} max {elo_max}"),
        format!("option name Skill Level type spin default {SKILL_MAX} min 0 max {SKILL_MAX}"),
        "option name OwnBook type check default false".to_owned(),
        "option name BookFile type string default <empty>".to_owned(),
        combo("Engine", usual.settings.engine.name(), &engines),
    ];
    let heuristics = Heuristics::NAMES.iter().map(|name| {
        let on = usual.settings.heuristics.get(name).unwrap_or_default();
        format!("option name {name} type check default {on}")
    });
    lines.extend(heuristics);
    if variants.names.len() > 1 {
        lines.push(combo("UCI_Variant", &variants.current, &variants.names));
    }
    if variants.offers_chess960() {
        lines
            .push(format!("option name UCI_Chess960 type check default {}", variants.current == CHESS960[0]));
    }
    lines
}

/// The rating that is taken where strength is limited and no rating is given.
#[must_use]
pub fn default_elo() -> i32 {
    let (low, high) = Level::elo_range();
    i32::midpoint(low, high)
}

/// Sets an option.
///
/// # Errors
/// When there is no such option, or the value is none of its values.
pub fn set(
    options: &mut EngineOptions,
    variants: &Variants,
    hash_mib_max: usize,
    name: &str,
    value: Option<&str>,
) -> Result<Effect, String> {
    let number = |low: u64, high: u64| {
        let given = value.unwrap_or_default().trim();
        given.parse::<u64>().ok().filter(|number| (low..=high).contains(number)).ok_or_else(|| {
            let given: String = given.chars().take(40).collect();
            format!("option {name} takes a number from {low} to {high}, not `{given}`")
        })
    };
    match name.to_lowercase().as_str() {
        "hash" => options.hash_mib = number(1, hash_mib_max as u64)? as usize,
        "clear hash" => return Ok(Effect::ClearHash),
        "threads" => options.threads = number(1, THREADS_MAX as u64)? as usize,
        "multipv" => options.multi_pv = number(1, MULTI_PV_MAX)? as usize,
        "ponder" => {}
        "move overhead" => options.move_overhead = Duration::from_millis(number(0, OVERHEAD_MAX)?),
        "skill level" => options.level = Level::new(number(0, SKILL_MAX)? as f32),
        "uci_elo" => {
            let (low, high) = Level::elo_range();
            return Ok(Effect::Elo(number(low as u64, high as u64)? as i32));
        }
        "uci_limitstrength" => match value.map(str::trim) {
            Some("true") => return Ok(Effect::LimitStrength(true)),
            Some("false") => return Ok(Effect::LimitStrength(false)),
            _ => return Err("option UCI_LimitStrength is true or false".to_owned()),
        },
        "ownbook" => match value.map(str::trim) {
            Some("true") => return Ok(Effect::OwnBook(true)),
            Some("false") => return Ok(Effect::OwnBook(false)),
            _ => return Err("option OwnBook is true or false".to_owned()),
        },
        "bookfile" => {
            let file = value.unwrap_or_default().trim();
            return Ok(Effect::BookFile(if file == "<empty>" { String::new() } else { file.to_owned() }));
        }
        "engine" => {
            let engine = Engine::from_name(value.unwrap_or_default());
            options.settings.engine = engine.ok_or_else(|| {
                format!("option Engine is one of {}", Engine::ALL.map(Engine::name).join(", "))
            })?;
        }
        "uci_chess960" => {
            let game = match value.map(str::trim) {
                Some("true") => CHESS960[0],
                Some("false") if variants.current == CHESS960[0] => CHESS960[1],
                Some("false") => return Ok(Effect::Set),
                _ => return Err("option UCI_Chess960 is true or false".to_owned()),
            };
            if !variants.offers_chess960() {
                return Err(format!("option UCI_Chess960 is for chess, not for `{}`", variants.current));
            }
            return Ok(Effect::Variant(game.to_owned()));
        }
        "uci_variant" => {
            let wanted = value.unwrap_or_default();
            return match variants.names.iter().find(|name| name.eq_ignore_ascii_case(wanted)) {
                Some(name) => Ok(Effect::Variant(name.clone())),
                None => {
                    let wanted: String = wanted.chars().take(40).collect();
                    Err(format!("there is no variant `{wanted}`: there are {}", variants.names.join(", ")))
                }
            };
        }
        switch if Heuristics::NAMES.contains(&switch) => {
            let on = match value.map(str::trim) {
                Some("true") => true,
                Some("false") => false,
                _ => return Err(format!("option {switch} is true or false")),
            };
            options.settings.heuristics.set(switch, on);
        }
        _ => return Err(format!("there is no option `{}`", name.chars().take(40).collect::<String>())),
    }
    Ok(Effect::Set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_bounds() {
        let variants =
            Variants { names: vec!["chess".to_owned(), "3check".to_owned()], current: "chess".to_owned() };
        let mut options = EngineOptions::default();
        let mut set = |name: &str, value: &str| set(&mut options, &variants, 1000, name, Some(value));
        assert_eq!(set("Hash", "1000"), Ok(Effect::Set));
        assert_eq!(set("hash", "32"), Ok(Effect::Set));
        assert_eq!(set("Threads", "4"), Ok(Effect::Set));
        assert_eq!(set("null_move", "true"), Ok(Effect::Set));
        assert_eq!(set("UCI_Variant", "3Check"), Ok(Effect::Variant("3check".to_owned())));
        assert_eq!(set("BookFile", "<empty>"), Ok(Effect::BookFile(String::new())));
        assert_eq!(set("OwnBook", "true"), Ok(Effect::OwnBook(true)));
        assert_eq!(set("Skill Level", "20"), Ok(Effect::Set));
        assert_eq!(set("UCI_Elo", "1500"), Ok(Effect::Elo(1500)));
        assert_eq!(set("UCI_LimitStrength", "true"), Ok(Effect::LimitStrength(true)));
        for (name, value) in [
            ("OwnBook", "maybe"),
            ("Hash", "0"),
            ("Hash", "1001"),
            ("Hash", "-1"),
            ("Hash", ""),
            ("MultiPV", "x"),
            ("Move Overhead", "99999999999999999999999"),
            ("Engine", "stockfish"),
            ("UCI_Variant", "go"),
            ("null_move", "perhaps"),
            ("Threads", "0"),
            ("Threads", "513"),
            ("Skill Level", "21"),
            ("UCI_Elo", "50000"),
            ("UCI_LimitStrength", "a little"),
            ("UCI_Chess960", "true"),
            ("Nonsense", "1"),
        ] {
            assert!(set(name, value).is_err(), "{name} {value}");
        }
        assert!(options.hash_mib == 32 && options.threads == 4 && options.settings.heuristics.null_move);
        assert_eq!(declare(&variants, 1000).len(), 13 + Heuristics::NAMES.len());
    }
}
