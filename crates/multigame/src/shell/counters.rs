//! What searches counted, by the module that counted it.

use search::Statistics;

use crate::numbers::grouped;

/// The modules and their counters. A counter that is named nowhere belongs to the last one.
const MODULES: [(&str, &[&str]); 9] = [
    (
        "search",
        &[
            "nodes",
            "quiescence_nodes",
            "evaluations",
            "looks",
            "generations",
            "partial_generations",
            "cutoffs",
            "cutoffs_first",
            "cutoffs_alone",
            "repetitions",
        ],
    ),
    (
        "table",
        &[
            "table_cutoffs",
            "transposition_cutoffs",
            "table_probes",
            "table_exact",
            "table_lower",
            "table_upper",
            "table_fresh",
            "table_updated",
            "table_replaced",
            "table_dropped",
        ],
    ),
    ("null-move", &["null_moves", "null_move_cutoffs", "null_move_refuted"]),
    (
        "reductions",
        &[
            "fail_high_reductions",
            "late_move_reductions",
            "late_move_researches",
            "internal_iterative_reductions",
        ],
    ),
    (
        "pruning",
        &["futile_moves", "reverse_futility_cutoffs", "small_gains", "losing_exchanges", "probable_cutoffs"],
    ),
    ("extensions", &["forced_extensions", "threat_extensions", "singular_extensions"]),
    ("windows", &["scout_researches", "aspiration_failed_low", "aspiration_failed_high", "passes"]),
    ("monte-carlo", &["playouts", "playout_plies", "proven_nodes"]),
    ("others", &["path_dependent_results"]),
];

/// The names of the modules.
pub(super) fn module_names() -> impl Iterator<Item = &'static str> {
    MODULES.into_iter().map(|(name, _)| name)
}

/// The counters of the modules or counters with these names, all that are not zero if there is no name.
pub(super) fn page(statistics: &Statistics, wanted: &[String]) -> Result<String, String> {
    let rows = statistics.rows();
    let plain = |name: &str| name.to_lowercase().replace('_', "-");
    let named = |module: &str, counter: &str| {
        wanted.iter().any(|name| plain(name) == module || plain(name) == plain(counter))
    };
    for name in wanted {
        let known = rows.iter().any(|(counter, _)| plain(counter) == plain(name));
        if !known && !module_names().any(|module| module == plain(name)) {
            let modules: Vec<&str> = module_names().collect();
            return Err(format!("nothing counts `{name}`: there are {}", modules.join(", ")));
        }
    }
    let mut text = String::new();
    for (module, _) in MODULES {
        let own = rows.iter().filter(|(counter, _)| module_of(counter) == module);
        let shown: Vec<_> = own
            .filter(|(counter, count)| if wanted.is_empty() { *count > 0 } else { named(module, counter) })
            .collect();
        if !shown.is_empty() {
            text.push_str(&format!("{module}\n"));
        }
        for (counter, count) in shown {
            text.push_str(&format!("  {:<32} {:>16}\n", counter.replace('_', " "), grouped(*count)));
        }
    }
    Ok(text)
}

fn module_of(counter: &str) -> &'static str {
    let found = MODULES.iter().find(|(_, counters)| counters.contains(&counter));
    found.map_or("others", |(module, _)| module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_a_module() {
        let rows = Statistics::default().rows();
        for (counter, _) in &rows {
            assert!(MODULES.iter().any(|(_, counters)| counters.contains(counter)), "{counter}");
        }
        let named: usize = MODULES.iter().map(|(_, counters)| counters.len()).sum();
        assert_eq!(named, rows.len());
    }

    #[test]
    fn modules_and_counters_can_be_asked_for() {
        let statistics = Statistics { nodes: 1234, null_moves: 7, ..Statistics::default() };
        let all = page(&statistics, &[]).unwrap();
        assert!(all.contains("1,234") && all.contains("null-move") && !all.contains("table"), "{all}");
        let some = page(&statistics, &["table".to_owned(), "null_moves".to_owned()]).unwrap();
        assert!(some.contains("table probes") && some.contains('7') && !some.contains("1,234"), "{some}");
        assert!(page(&statistics, &["bananas".to_owned()]).is_err());
    }
}
