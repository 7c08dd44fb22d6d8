//! Experiments that cannot be made, and where their file says so.

use parallel::stealing::TableKind;
use toml::Spanned;

use super::file::{File, Mistake, Options, Text, Variant};
use super::names::{EngineKind, FabricKind, Named};
use crate::combinations::{refused_algorithm, refused_exchange, refused_option, refused_tables};

/// More runs of one position than this are a slip of the pen.
const SETUPS_MAX: usize = 100_000;

pub(super) fn check(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    list(text, "engines", Some(&file.engines), |engine| engine.name)?;
    list(text, "processors", Some(&file.processors), |count| count.get())?;
    not_empty(text, "games", &file.games)?;
    list(text, "seeds", file.seeds.as_ref(), |seed| seed.get())?;
    list(text, "networks", file.networks.as_ref(), |network| network.name)?;
    list(text, "topologies", file.topologies.as_ref(), |topology| topology.name)?;
    list(text, "tables", file.tables.as_ref(), |kind| kind.name)?;
    variants(file, text)?;
    size(file, text)?;
    kinds(file, text)?;
    combinations(file, text)?;
    super::effects::check(file, text)?;
    match &file.fabric {
        Some(fabric) if fabric.get_ref().value == FabricKind::Threads => threads(file, fabric, text),
        _ => simulation(file, text),
    }
}

fn not_empty<T>(text: &Text<'_>, name: &str, list: &Spanned<Vec<T>>) -> Result<(), Mistake> {
    if list.get_ref().is_empty() {
        return Err(text.mistake(list, format!("`{name}` is empty: nothing would be measured")));
    }
    Ok(())
}

/// A list names something, and nothing twice: the same run would count as two that agree, with an error of 0.
fn list<T, N: PartialEq + std::fmt::Display>(
    text: &Text<'_>,
    name: &str,
    list: Option<&Spanned<Vec<T>>>,
    value: impl Fn(&T) -> N,
) -> Result<(), Mistake> {
    let Some(list) = list else { return Ok(()) };
    not_empty(text, name, list)?;
    let all: Vec<N> = list.get_ref().iter().map(value).collect();
    match (1..all.len()).find(|&index| all[..index].contains(&all[index])) {
        Some(twice) => Err(text.mistake(list, format!("`{name}` has {} twice: leave one out", all[twice]))),
        None => Ok(()),
    }
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

/// Engines, and what they cannot have: each with what a variant says, and what the file says where the variant does
/// not.
fn combinations(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    let plain: Vec<Option<&Variant>> = vec![None];
    let variants = if file.variants.is_empty() { plain } else { file.variants.iter().map(Some).collect() };
    for named in file.engines.get_ref() {
        for variant in &variants {
            let Some(reason) = refused(file, named, *variant) else { continue };
            return Err(match variant {
                // What is wrong without the variant is not its fault.
                Some(variant) if refused(file, named, None).is_none() => {
                    let message = format!("variant `{}`: {reason}", variant.name.get_ref());
                    text.mistake(&variant.name, message)
                }
                _ => text.mistake(&file.engines, reason),
            });
        }
    }
    Ok(())
}

/// Why an engine cannot be measured in this way, if it cannot.
fn refused(file: &File, named: &Named<EngineKind>, variant: Option<&Variant>) -> Option<String> {
    let is_virtual = file.fabric.as_ref().is_none_or(|fabric| fabric.get_ref().value == FabricKind::Virtual);
    let of_file = file.tables.as_ref().map_or(&[][..], |tables| tables.get_ref().as_slice());
    let of_variant = variant.and_then(|variant| variant.tables);
    let engine = variant.and_then(|variant| variant.engine).unwrap_or(*named);
    let none = Options::default();
    let options = variant.map_or(&none, |variant| &variant.options).or(&file.options);
    let EngineKind::Game(policy) = engine.value else {
        return refused_of_puzzle(file, engine.name, variant, &options);
    };
    of_variant
        .as_ref()
        .map_or(of_file, std::slice::from_ref)
        .iter()
        .find_map(|kind| refused_tables(engine.name, &policy, kind.value))
        .filter(|_| is_virtual)
        .or_else(|| {
            let option = about_brothers(&options)?;
            refused_option(engine.name, &policy, option)
        })
        .or_else(|| {
            let algorithm = options.algorithm?.value.0;
            refused_algorithm(engine.name, &policy, algorithm, "`algorithm`")
        })
        .or_else(|| {
            options.exchange?;
            refused_exchange(engine.name, &policy, is_virtual, "`exchange`")
        })
}

/// Why a puzzle cannot be measured in this way, if it cannot.
fn refused_of_puzzle(
    file: &File,
    engine: &str,
    variant: Option<&Variant>,
    options: &Options,
) -> Option<String> {
    let said = [
        ("`tables`", file.tables.is_some() || variant.is_some_and(|variant| variant.tables.is_some())),
        ("`baseline`", file.baseline.is_some()),
        ("`selective`", file.selective),
        ("`algorithm`", options.algorithm.is_some()),
        ("`least_depth`", options.least_depth.is_some()),
        ("`table_depth`", options.table_depth.is_some()),
        ("`prefetch`", options.prefetch.is_some()),
        ("`combine`", options.combine.is_some()),
        ("`ahead`", options.ahead.is_some()),
        ("`off`", options.off.is_some()),
    ];
    let option = said.into_iter().find(|(_, is_said)| *is_said).map(|(option, _)| option);
    let exchange = options.exchange.map(|_| "`exchange`");
    let option = option.or_else(|| about_brothers(options)).or(exchange)?;
    Some(format!("{option} is for games for two: `{engine}` shares out puzzles, leave it out"))
}

/// The first option that says how brothers are shared out.
fn about_brothers(options: &Options) -> Option<&'static str> {
    let said = [
        ("`ask`", options.ask.is_some()),
        ("`ambition`", options.ambition.is_some()),
        ("`return_asks`", options.return_asks.is_some()),
        ("`keeps_requests`", options.keeps_requests.is_some()),
        ("`helps`", options.helps.is_some()),
        ("`slow_start`", options.slow_start.is_some()),
        ("`narrows`", options.narrows.is_some()),
        ("`kills`", options.kills.is_some()),
    ];
    said.into_iter().find(|(_, is_said)| *is_said).map(|(option, _)| option)
}

/// A file is about puzzles or about games for two: engines, and what is said of positions.
fn kinds(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    let named =
        file.engines.get_ref().iter().chain(file.variants.iter().filter_map(|one| one.engine.as_ref()));
    let puzzles = named.map(|engine| engine.value.puzzle().is_some());
    let (mut some, mut all) = (false, true);
    puzzles.for_each(|is_puzzle| (some, all) = (some || is_puzzle, all && is_puzzle));
    if some && !all {
        let message = "some engines are for puzzles and some for games for two: make two experiments of them";
        return Err(text.mistake(&file.engines, message));
    }
    for entry in file.games.get_ref() {
        let Some(seed) = &entry.position_seed else { continue };
        if !all || entry.suite.is_some() {
            let message = "`position_seed` draws positions of puzzles that have no `suite`: leave it out";
            return Err(text.mistake(seed, message));
        }
    }
    Ok(())
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
fn threads(file: &File, fabric: &Spanned<Named<FabricKind>>, text: &Text<'_>) -> Result<(), Mistake> {
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
    if file.node_cost_ns.is_some() {
        return Err(text.mistake(fabric, format!("`node_cost_ns` {virtual_only}")));
    }
    let all = file.variants.iter().map(|variant| &variant.options).chain([&file.options]);
    for options in all {
        let said = [
            ("`table_depth`", options.table_depth.is_some()),
            ("`prefetch`", options.prefetch.is_some()),
            ("`combine`", options.combine.is_some()),
            ("`ahead`", options.ahead.is_some()),
            ("`faults`", options.faults.is_some()),
        ];
        if let Some((name, _)) = said.into_iter().find(|(_, is_said)| *is_said) {
            return Err(text.mistake(fabric, format!("{name} {virtual_only}")));
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
