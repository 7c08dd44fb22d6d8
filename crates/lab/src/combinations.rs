//! Engines and options that do not go together.

use fabric::simulation::Disturbances;
use parallel::central::Direction;
use parallel::stealing::{Driver, Everybody, Policy, TableKind};

use crate::experiment::names::Named;

/// Why an engine cannot have such tables on virtual processors, if it cannot.
#[must_use]
pub fn refused_tables(engine: &str, policy: &Policy, tables: TableKind) -> Option<String> {
    (policy.driver == Driver::Homes && tables != TableKind::Partitioned).then(|| {
        format!(
            "`{engine}` keeps what it knows of a position at the position's home: its tables are partitioned"
        )
    })
}

/// Why an option is of no meaning for an engine, if it is of none. Options that say how brothers are shared out are
/// for engines that do that.
#[must_use]
pub fn refused_option(engine: &str, policy: &Policy, option: &str) -> Option<String> {
    let why = match (policy.driver, policy.everybody) {
        (Driver::Brothers, Everybody::No) => return None,
        (Driver::Brothers, _) => "has all processors search the root",
        (Driver::Leader(_) | Driver::Homes, _) => "does not share out brothers",
    };
    Some(format!("`{engine}` {why}: {option} has no meaning for it"))
}

/// Why records of moves are not exchanged, if they are not. Virtual processors that all search the root tell each
/// other too; threads side by side have one record for all.
#[must_use]
pub fn refused_exchange(engine: &str, policy: &Policy, is_virtual: bool, option: &str) -> Option<String> {
    match (policy.driver, policy.everybody) {
        (Driver::Brothers, Everybody::Meets) => None,
        (Driver::Brothers, Everybody::Defers) if is_virtual => None,
        (Driver::Brothers, Everybody::Defers) => Some(format!(
            "threads with `{engine}` have one record of moves: {option} has no meaning for them"
        )),
        _ => refused_option(engine, policy, option),
    }
}

/// Why a least depth is of no meaning for an engine, if it is of none.
#[must_use]
pub fn refused_least_depth(engine: &str, policy: &Policy, option: &str) -> Option<String> {
    let why = match (policy.driver, policy.everybody) {
        (Driver::Leader(_), _) => "has a leader that gives out whole searches",
        (Driver::Brothers, Everybody::Meets) => "gives nothing away",
        (Driver::Brothers | Driver::Homes, _) => return None,
    };
    Some(format!("`{engine}` {why}: {option} has no meaning for it, leave it out"))
}

/// Why an engine does not follow an algorithm, if it does not. A leader chooses the windows itself: what is left of
/// the algorithm is whether its processors test moves in null windows.
#[must_use]
pub fn refused_algorithm(
    engine: &str,
    policy: &Policy,
    algorithm: search::Engine,
    option: &str,
) -> Option<String> {
    let Driver::Leader(direction) = policy.driver else { return None };
    let name = algorithm.name();
    match (direction, algorithm) {
        (_, search::Engine::NegaScout) => None,
        (Direction::Sss, _) => Some(format!(
            "`{engine}` asks in null windows alone: {option} {name} has no meaning for it, leave it out"
        )),
        (_, search::Engine::Mtdf) => Some(format!(
            "`{engine}` has a leader that chooses the windows: {option} {name} has no meaning for it, leave it out"
        )),
        _ => None,
    }
}

/// Why a threshold for tables of others is of no meaning, if it is of none.
#[must_use]
pub fn refused_table_depth(tables: Named<TableKind>, option: &str) -> Option<String> {
    let is_silent = matches!(tables.value, TableKind::Shared | TableKind::Local);
    let name = tables.name;
    is_silent.then(|| {
        format!(
            "{name} tables neither ask nor tell others: {option} is for partitioned, replicated and asked ones, leave \
             it out"
        )
    })
}

/// Why it makes no difference whether tables are asked before the answer is needed, if it makes none.
#[must_use]
pub fn refused_prefetch(tables: Named<TableKind>, option: &str) -> Option<String> {
    let why = match tables.value {
        TableKind::Partitioned => return None,
        TableKind::Asked => "always ask early",
        TableKind::Shared | TableKind::Replicated | TableKind::Local => "ask no others",
    };
    Some(format!("{} tables {why}: {option} is for partitioned ones, leave it out", tables.name))
}

/// Why it cannot be said when owners of a part of the table are asked and told, if it cannot.
#[must_use]
pub fn refused_of_parts(tables: Named<TableKind>, option: &str) -> Option<String> {
    let why = match tables.value {
        TableKind::Partitioned => return None,
        TableKind::Asked | TableKind::Replicated => "always combine what they say",
        TableKind::Shared | TableKind::Local => "tell no others",
    };
    Some(format!("{} tables {why}: {option} is for partitioned ones, leave it out", tables.name))
}

/// Why so much cannot go wrong with these numbers of processors, if it cannot. The one that all are compared with has
/// no faults.
#[must_use]
pub fn refused_faults(faults: Disturbances, counts: &[usize], option: &str) -> Option<String> {
    if faults.is_none() {
        return None;
    }
    if counts.iter().all(|&count| count <= 1) {
        return Some(format!("{option} is for several processors: one has no faults"));
    }
    let several = counts.iter().copied().filter(|&count| count > 1);
    let least = several.min().unwrap_or(1);
    let most = least as u32 - 1;
    let (what, key) = match faults {
        Disturbances { deaths, .. } if deaths > most => ("die", "dies"),
        Disturbances { slow, .. } if slow > most => ("be slow", "slow"),
        _ => return None,
    };
    Some(format!(
        "{option}: of {least} processors at most {most} can {what}: give {key}={most} or less, or leave {least} out of \
         the numbers of processors"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::values::Trouble;

    #[test]
    fn what_goes_together_is_not_refused() {
        assert_eq!(refused_option("ybwc", &Policy::YBWC, "ask"), None);
        for (engine, policy) in
            [("er", Policy::ER), ("abdada", Policy::ABDADA), ("lazysmp", Policy::LAZY_SMP)]
        {
            let refused = refused_option(engine, &policy, "ask");
            assert!(refused.is_some_and(|reason| reason.contains(&format!("`{engine}`"))));
        }
        assert_eq!(refused_exchange("abdada", &Policy::ABDADA, true, "exchange"), None);
        assert!(refused_exchange("abdada", &Policy::ABDADA, false, "exchange").is_some());
        assert!(refused_exchange("er", &Policy::ER, true, "exchange").is_some());
        assert_eq!(refused_tables("er", &Policy::ER, TableKind::Local), None);
        assert_eq!(refused_tables("tdsab", &Policy::TDSAB, TableKind::Partitioned), None);
        assert!(refused_tables("tdsab", &Policy::TDSAB, TableKind::Local).is_some());
    }

    fn tables(name: &str) -> Named<TableKind> {
        Named::find(name).unwrap()
    }

    #[test]
    fn options_about_tables_are_for_tables_that_speak() {
        let follows = |name| {
            let rules = [refused_table_depth, refused_prefetch, refused_of_parts];
            let [depth, prefetch, of_parts] = rules.map(|refused| {
                let reason = refused(tables(name), "`option`");
                assert!(reason.iter().all(|reason| reason.contains(name) && reason.contains("`option`")));
                reason.is_none()
            });
            assert_eq!(prefetch, of_parts, "both are for tables in parts");
            (depth, prefetch)
        };
        assert_eq!(follows("partitioned"), (true, true));
        assert_eq!(["replicated", "asked"].map(follows), [(true, false); 2]);
        assert_eq!(["shared", "local"].map(follows), [(false, false); 2]);
    }

    #[test]
    fn who_gives_out_whole_searches_follows_no_least_depth() {
        let refused = |policy| refused_least_depth("engine", policy, "least_depth").is_some();
        assert!([Policy::ER, Policy::SSS, Policy::UIDPABS, Policy::LAZY_SMP].iter().all(refused));
        assert!(![Policy::YBWC, Policy::ABDADA, Policy::TDSAB, Policy::TREE_SPLIT].iter().any(refused));
    }

    #[test]
    fn a_leader_chooses_windows() {
        use search::Engine::{AlphaBeta, Mtdf, NegaScout};
        let refused = |policy| {
            [NegaScout, AlphaBeta, Mtdf]
                .map(|algorithm| refused_algorithm("engine", &policy, algorithm, "algorithm").is_some())
        };
        assert_eq!([Policy::YBWC, Policy::TDSAB, Policy::LAZY_SMP].map(refused), [[false; 3]; 3]);
        assert_eq!([Policy::ER, Policy::ASPIRATION].map(refused), [[false, false, true]; 2]);
        assert_eq!(refused(Policy::SSS), [false, true, true]);
    }

    #[test]
    fn one_processor_stays_alive() {
        let refused = |text: &str, counts: &[usize]| {
            refused_faults(text.parse::<Trouble>().unwrap().0, counts, "`faults`").unwrap_or_default()
        };
        assert_eq!(refused("dies=3", &[1, 4, 8]), "");
        assert!(refused("dies=4", &[1, 4, 8]).contains("of 4 processors at most 3 can die: give dies=3"));
        assert!(refused("delays,slow=8,dies=1", &[8]).contains("at most 7 can be slow"));
        assert!(refused("delays", &[1]).contains("several processors"));
        assert_eq!(refused("none", &[1]), "");
    }
}
