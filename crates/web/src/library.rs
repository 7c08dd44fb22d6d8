//! The catalogue as front ends get it: every game with its look and its start position.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::host::Host;
use crate::look::Look;

/// The catalogue, made when it is first asked for.
#[derive(Default)]
pub(crate) struct Library(OnceLock<Value>);

impl Library {
    pub(crate) fn told<H: Host>(&self, host: &H) -> Value {
        self.0.get_or_init(|| catalogue(host)).clone()
    }
}

fn catalogue<H: Host>(host: &H) -> Value {
    let one = |entry: crate::host::Listing| {
        let rules = host.source(&entry.name)?;
        let checked = host.check(&rules).ok()?;
        let named = checked.setups.iter().map(|(name, _)| name).filter(|name| !name.is_empty());
        let setups: Vec<&String> = named.collect();
        Some(json!({
            "name": entry.name,
            "title": entry.title,
            "family": entry.family,
            "summary": entry.summary,
            "origin": entry.origin,
            "players": checked.info.players,
            "setups": setups,
            "look": Look::of(&checked.info, &rules),
            "start": checked.info.start.as_ref().map(|start| start.slots().to_vec()),
        }))
    };
    host.library().into_iter().filter_map(one).collect()
}
