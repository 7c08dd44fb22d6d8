//! Engines and options that do not go together.

use parallel::stealing::{Driver, Policy, TableKind};

/// Why an engine cannot have such tables on virtual processors, if it cannot.
#[must_use]
pub fn refused_tables(engine: &str, policy: &Policy, tables: TableKind) -> Option<String> {
    (policy.driver == Driver::Homes && tables != TableKind::Partitioned).then(|| {
        format!(
            "`{engine}` keeps what it knows of a position at the position's home: its tables are partitioned"
        )
    })
}

/// Why an option is of no meaning for an engine, if it is of none. Options that say how brothers are shared out are for engines
/// that do that.
#[must_use]
pub fn refused_option(engine: &str, policy: &Policy, option: &str) -> Option<String> {
    (policy.driver != Driver::Brothers)
        .then(|| format!("`{engine}` does not share out brothers: {option} has no meaning for it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_together_is_not_refused() {
        assert_eq!(refused_option("ybwc", &Policy::YBWC, "ask"), None);
        assert!(refused_option("er", &Policy::ER, "ask").is_some_and(|reason| reason.contains("`er`")));
        assert_eq!(refused_tables("er", &Policy::ER, TableKind::Local), None);
        assert_eq!(refused_tables("tdsab", &Policy::TDSAB, TableKind::Partitioned), None);
        assert!(refused_tables("tdsab", &Policy::TDSAB, TableKind::Local).is_some());
    }
}
