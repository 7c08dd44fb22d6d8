//! Options that would change nothing in any run for which a file gives them: its figures would be taken for figures
//! with them. What changes something in some of the runs is good enough: the others are there to be compared.

use parallel::stealing::TableKind;

use super::file::{File, Mistake, Options, Text, Variant};
use super::names::{EngineKind, FabricKind, Named};
use crate::combinations::{
    refused_faults, refused_least_depth, refused_of_parts, refused_prefetch, refused_table_depth,
};

/// An engine with tables.
struct Case {
    engine: Named<EngineKind>,
    tables: Named<TableKind>,
}

/// An option, whether it is given, and why it is of no meaning in a case.
struct Rule {
    is_given: fn(&Options) -> bool,
    refuse: fn(&Case) -> Option<String>,
}

const OF_ENGINES: Rule = Rule {
    is_given: |options| options.least_depth.is_some(),
    refuse: |case| match case.engine.value {
        EngineKind::Game(policy) => refused_least_depth(case.engine.name, &policy, "`least_depth`"),
        EngineKind::Puzzle(_) => None,
    },
};

const OF_TABLES: [Rule; 4] = [
    Rule {
        is_given: |options| options.table_depth.is_some(),
        refuse: |case| refused_table_depth(case.tables, "`table_depth`"),
    },
    Rule {
        is_given: |options| options.prefetch.is_some(),
        refuse: |case| refused_prefetch(case.tables, "`prefetch`"),
    },
    Rule {
        is_given: |options| options.combine.is_some(),
        refuse: |case| refused_of_parts(case.tables, "`combine`"),
    },
    Rule {
        is_given: |options| options.ahead.is_some(),
        refuse: |case| refused_of_parts(case.tables, "`ahead`"),
    },
];

pub(super) fn check(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    faults(file, text)?;
    rule(file, text, &OF_ENGINES)?;
    // What threads have instead is said elsewhere.
    let are_threads =
        file.fabric.as_ref().is_some_and(|fabric| fabric.get_ref().value == FabricKind::Threads);
    if are_threads { Ok(()) } else { OF_TABLES.iter().try_for_each(|one| rule(file, text, one)) }
}

fn rule(file: &File, text: &Text<'_>, rule: &Rule) -> Result<(), Mistake> {
    let refused = |cases: Vec<Case>| -> Option<String> {
        let reasons: Vec<Option<String>> = cases.iter().map(rule.refuse).collect();
        reasons.into_iter().collect::<Option<Vec<String>>>()?.into_iter().next()
    };
    for variant in file.variants.iter().filter(|variant| (rule.is_given)(&variant.options)) {
        if let Some(reason) = refused(cases(file, Some(variant))) {
            let message = format!("variant `{}`: {reason}", variant.name.get_ref());
            return Err(text.mistake(&variant.name, message));
        }
    }
    if !(rule.is_given)(&file.options) {
        return Ok(());
    }
    let follow = file.variants.iter().filter(|variant| !(rule.is_given)(&variant.options));
    let all: Vec<Case> = match file.variants.is_empty() {
        true => cases(file, None),
        false => follow.flat_map(|variant| cases(file, Some(variant))).collect(),
    };
    refused(all).map_or(Ok(()), |reason| Err(text.mistake(&file.engines, reason)))
}

/// All engines of a variant with all its tables.
fn cases(file: &File, variant: Option<&Variant>) -> Vec<Case> {
    let engines = match variant.and_then(|variant| variant.engine) {
        Some(engine) => vec![engine],
        None => file.engines.get_ref().clone(),
    };
    let usual = || Named::of(TableKind::Partitioned).into_iter().collect();
    let tables: Vec<Named<TableKind>> = match (variant.and_then(|variant| variant.tables), &file.tables) {
        (Some(tables), _) => vec![tables],
        (None, Some(list)) => list.get_ref().clone(),
        (None, None) => usual(),
    };
    engines.iter().flat_map(|&engine| tables.iter().map(move |&tables| Case { engine, tables })).collect()
}

/// More goes wrong than can.
fn faults(file: &File, text: &Text<'_>) -> Result<(), Mistake> {
    let counts: Vec<usize> = file.processors.get_ref().iter().map(|count| count.get() as usize).collect();
    let refused =
        |options: &Options| refused_faults(options.faults.unwrap_or_default().0, &counts, "`faults`");
    if let Some(reason) = refused(&file.options) {
        return Err(text.mistake(&file.processors, reason));
    }
    for variant in &file.variants {
        if let Some(reason) = refused(&variant.options) {
            let message = format!("variant `{}`: {reason}", variant.name.get_ref());
            return Err(text.mistake(&variant.name, message));
        }
    }
    Ok(())
}
