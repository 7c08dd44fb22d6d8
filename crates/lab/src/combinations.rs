//! Engines and options that do not go together.

use parallel::stealing::{Driver, Everybody, Policy, TableKind};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
