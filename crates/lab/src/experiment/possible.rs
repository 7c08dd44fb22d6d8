//! Experiments that cannot be made, and where their file says so.

use parallel::stealing::{Policy, TableKind};
use toml::Spanned;

use super::file::{File, Mistake, Options, Text};
use super::names::{FabricKind, Named};
use crate::combinations::{refused_option, refused_tables};

/// More runs of one position than this are a slip of the pen.
const SETUPS_MAX: usize = 100_000;

pub(super) fn check(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    not_empty(text, "engines", &file.engines)?;
    not_empty(text, "processors", &file.processors)?;
    not_empty(text, "games", &file.games)?;
    {
        let (name, list) = ("seeds", file.seeds.as_ref());
        list.map_or(Ok(()), |list| not_empty(text, name, list))?;
    }
    file.networks.as_ref().map_or(Ok(()), |list| not_empty(text, "networks", list))?;
    file.topologies.as_ref().map_or(Ok(()), |list| not_empty(text, "topologies", list))?;
    file.tables.as_ref().map_or(Ok(()), |list| not_empty(text, "tables", list))?;
    variants(file, text)?;
    size(file, text)?;
    combinations(file, text)?;
    match &file.fabric {
        Some(fabric) if fabric.get_ref().value == FabricKind::Threads => threads(file, text),
        _ => simulation(file, text),
    }
}

fn not_empty<T>(text: &Text<'_>, name: &str, list: &Spanned<Vec<T>>) -> Result<(), Mistake> {
    if list.get_ref().is_empty() {
        return Err(text.mistake(list, format!("`{name}` is empty: nothing would be measured")));
    }
    Ok(())
}

fn variants(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    for (index, variant) in file.variants.iter().enumerate() {
        if file.variants[..index].iter().any(|other| other.name.get_ref() == variant.name.get_ref()) {
            let message = format!("there is a variant `{}` already", variant.name.get_ref());
            return Err(text.mistake(&variant.name, message));
        }
    }
    Ok(())
}

/// Engines, and what they cannot have.
fn combinations(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    let is_virtual = file.fabric.as_ref().is_none_or(|fabric| fabric.get_ref().value == FabricKind::Virtual);
    let tables = file.tables.as_ref().map_or(&[][..], |tables| tables.get_ref().as_slice());
    for engine in file.engines.get_ref() {
        let refused = tables
            .iter()
            .find_map(|kind| refused_tables(engine.name, &engine.value, kind.value))
            .filter(|_| is_virtual)
            .or_else(|| refused_by(engine, &file.options));
        if let Some(reason) = refused {
            return Err(text.mistake(&file.engines, reason));
        }
        for variant in &file.variants {
            let engine = variant.engine.as_ref().unwrap_or(engine);
            let refused = variant
                .tables
                .and_then(|kind| refused_tables(engine.name, &engine.value, kind.value))
                .filter(|_| is_virtual)
                .or_else(|| refused_by(engine, &variant.options));
            if let Some(reason) = refused {
                let message = format!("variant `{}`: {reason}", variant.name.get_ref());
                return Err(text.mistake(&variant.name, message));
            }
        }
    }
    Ok(())
}

fn refused_by(engine: &Named<Policy>, options: &Options) -> Option<String> {
    let said = [
        ("`ask`", options.ask.is_some()),
        ("`ambition`", options.ambition.is_some()),
        ("`return_asks`", options.return_asks.is_some()),
        ("`keeps_requests`", options.keeps_requests.is_some()),
        ("`helps`", options.helps.is_some()),
        ("`slow_start`", options.slow_start.is_some()),
        ("`exchange`", options.exchange.is_some()),
        ("`narrows`", options.narrows.is_some()),
        ("`kills`", options.kills.is_some()),
    ];
    let option = said.into_iter().find(|(_, is_said)| *is_said)?.0;
    refused_option(engine.name, &engine.value, option)
}

fn size(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    let or_one = |length: Option<usize>| length.unwrap_or(1).max(1);
    let lengths = [
        file.engines.get_ref().len(),
        file.processors.get_ref().len(),
        file.games.get_ref().len(),
        or_one(file.networks.as_ref().map(|list| list.get_ref().len())),
        or_one(file.topologies.as_ref().map(|list| list.get_ref().len())),
        or_one(file.tables.as_ref().map(|list| list.get_ref().len())),
        or_one(file.seeds.as_ref().map(|list| list.get_ref().len())),
        or_one(Some(file.variants.len())),
    ];
    let runs = lengths.into_iter().fold(1_usize, usize::saturating_mul);
    if runs > SETUPS_MAX {
        let message =
            format!("the lists of this file multiply to {runs} runs of each position: at most {SETUPS_MAX}");
        return Err(text.mistake(&file.engines, message));
    }
    Ok(())
}

/// Threads share one table, and have no network.
fn threads(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    let virtual_only = "is for virtual processors, and `fabric` is \"threads\"";
    if let Some(networks) = &file.networks {
        return Err(text.mistake(networks, format!("`networks` {virtual_only}")));
    }
    if let Some(topologies) = &file.topologies {
        return Err(text.mistake(topologies, format!("`topologies` {virtual_only}")));
    }
    if let Some(tables) = &file.tables
        && tables.get_ref().iter().any(|kind| kind.value != TableKind::Shared)
    {
        return Err(text.mistake(tables, "threads have one table: `tables` may only be [\"shared\"]"));
    }
    for variant in &file.variants {
        let other = variant.tables.is_some_and(|kind| kind.value != TableKind::Shared);
        if other || variant.topology.is_some() {
            let message =
                format!("variant `{}`: tables and topologies {virtual_only}", variant.name.get_ref());
            return Err(text.mistake(&variant.name, message));
        }
    }
    if file.processors.get_ref().iter().any(|count| count.get() > 256) {
        return Err(text.mistake(&file.processors, "at most 256 threads: more processors are \"virtual\""));
    }
    Ok(())
}

fn simulation(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    if let Some(repetitions) = &file.repetitions
        && repetitions.get_ref().get() > 1
    {
        let message = "a virtual run that is repeated gives the same figures: list several `seeds`";
        return Err(text.mistake(repetitions, message));
    }
    Ok(())
}
