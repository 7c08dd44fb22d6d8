//! The parts of a parallel search that can be switched off or replaced, one by one, for experiments that show what
//! each is worth.

use parallel::stealing::{Policy, TableKind};

use crate::experiment::names::Choice;
use crate::experiment::values::Ask;

/// A part with something else in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What is changed, in words.
    pub name: String,
    /// Keys of a variant in an experiment file.
    pub keys: String,
}

fn part(name: &str, keys: impl Into<String>) -> Part {
    Part { name: name.to_owned(), keys: keys.into() }
}

fn option(name: &str, setting: impl std::fmt::Display) -> Part {
    part(name, format!("options = {{ {setting} }}"))
}

/// What can be changed about an engine with these tables, least depth and way to ask.
#[must_use]
pub fn of(policy: &Policy, least_depth: i32, ask: Ask, tables: TableKind) -> Vec<Part> {
    let mut parts = vec![part("as it is", "")];
    let flip = |name: &str, key: &str, on: bool| {
        let name = format!("{} {name}", if on { "without" } else { "with" });
        option(&name, format!("{key} = {}", !on))
    };
    parts.push(flip("results that ask for work (N3)", "return_asks", policy.return_asks));
    parts.push(flip("requests that are kept", "keeps_requests", policy.keeps_requests));
    parts.push(flip("help while waiting", "helps", policy.helps));
    parts.push(flip("window narrowing", "narrows", policy.narrows));
    parts.push(flip("kills", "kills", policy.kills));
    parts.push(flip("exchange of records", "exchange", policy.exchanges));
    parts.push(flip("slow start", "slow_start", policy.slow_start));
    let ambition = if policy.ambition > 0 { ("without ambition", 0) } else { ("with ambition", 1) };
    parts.push(option(ambition.0, format!("ambition = {}", ambition.1)));
    for other in Ask::ALL.into_iter().filter(|other| *other != ask) {
        parts.push(option(&format!("asks {other}"), format!("ask = \"{other}\"")));
    }
    for depth in [1, 2, 3, 4] {
        if depth != least_depth {
            parts.push(option(&format!("least depth {depth}"), format!("least_depth = {depth}")));
        }
    }
    for (name, _) in TableKind::all().into_iter().filter(|(_, other)| *other != tables) {
        parts.push(part(&format!("{name} tables"), format!("tables = \"{name}\"")));
    }
    parts.push(option("all memory of one processor", "equal_memory = true"));
    parts.push(option("plain alpha-beta", "algorithm = \"alphabeta\""));
    for heuristic in ["history", "killers"] {
        if search::Heuristics::exact_names().contains(&heuristic) {
            parts.push(option(&format!("without {heuristic}"), format!("off = [\"{heuristic}\"]")));
        }
    }
    parts
}
