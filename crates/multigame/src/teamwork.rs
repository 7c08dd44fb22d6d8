//! How several processors have shared a search, as `--statistics` tells it.

use std::io::{self, Write};
use std::time::Duration;

use parallel::stealing::{Everybody, Policy};
use parallel::{Measures, Teamwork};
use serde_json::{Map, Value, json};

use crate::numbers::grouped;

/// A part of the time of all processors in words, and the name of its field.
type Part = (&'static str, &'static str, Duration);

/// What processors did with their time.
fn parts(sum: &Measures) -> [Part; 4] {
    [
        ("searching", "load", sum.search),
        ("waiting for slaves", "waiting_for_slaves", sum.wait_for_slaves),
        ("synchronising", "synchronisation", sum.synchronise),
        ("no work", "no_work", sum.look_for_work),
    ]
}

/// What is counted besides messages.
fn counts(sum: &Measures) -> [(&'static str, &'static str, u64); 4] {
    [
        ("moves searched for others", "jobs", sum.jobs),
        ("moves left for later", "left_for_later", sum.left_for_later),
        ("nodes that a peer knew", "known_by_peers", sum.known_by_peers),
        ("searches ended by a peer", "ended_by_peers", sum.ended_by_peers),
    ]
}

/// Whether it is known what processors did with their time.
fn has_parts(sum: &Measures) -> bool {
    !(sum.search + sum.idle()).is_zero()
}

/// What has not been counted: the beginning and the end of a search.
fn rest(teamwork: &Teamwork, sum: &Measures) -> f64 {
    (1.0 - teamwork.part(sum.search + sum.idle())).max(0.0)
}

/// As an object of JSON.
pub(crate) fn as_json(teamwork: &Teamwork) -> Value {
    let sum = teamwork.sum();
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("method", json!(teamwork.method));
    put("processors", json!(teamwork.processors.len()));
    put("lost", json!(teamwork.processors.iter().filter(|one| one.is_none()).count()));
    let nodes = teamwork.processors.iter().map(|one| one.as_ref().map(|one| one.nodes));
    put("nodes", json!(nodes.collect::<Vec<_>>()));
    if let Some(Policy { depth_min, told_depth, batch, .. }) = &teamwork.policy {
        put("least_depth", json!(depth_min));
        put("table_depth", json!(told_depth));
        put("batch", json!(batch));
    }
    if has_parts(&sum) {
        for (_, name, time) in parts(&sum) {
            put(name, json!(teamwork.part(time)));
        }
        put("other", json!(rest(teamwork, &sum)));
        put("table_share", json!(teamwork.part(sum.table)));
    }
    for (_, name, count) in counts(&sum) {
        put(name, json!(count));
    }
    let sent = Measures::MESSAGES.iter().zip(&sum.messages).filter(|(_, (count, _))| *count > 0);
    let of_kind = |(name, (count, bytes)): (&&str, &(u64, u64))| {
        ((*name).to_owned(), json!({ "count": count, "bytes": bytes }))
    };
    put("messages", Value::Object(sent.map(of_kind).collect()));
    Value::Object(object)
}

/// In words, as a table.
pub(crate) fn in_words(teamwork: &Teamwork, out: &mut dyn Write) -> io::Result<()> {
    let sum = teamwork.sum();
    write!(out, "{} processors, {}", teamwork.processors.len(), teamwork.method)?;
    match &teamwork.policy {
        Some(Policy { everybody: Everybody::Defers, depth_min, .. }) => {
            writeln!(out, ": they tell each other of nodes of {depth_min} plies and more")?;
        }
        Some(Policy { depth_min, .. }) => writeln!(out, ": nodes of {depth_min} plies and more are shared")?,
        None => writeln!(out)?,
    }
    let row = |out: &mut dyn Write, name: &str, value: String| writeln!(out, "  {name:<32} {value:>14}");
    if has_parts(&sum) {
        for (name, _, time) in parts(&sum) {
            row(out, name, format!("{:.1} %", 100.0 * teamwork.part(time)))?;
        }
        row(out, "beginning and ending", format!("{:.1} %", 100.0 * rest(teamwork, &sum)))?;
        if !sum.table.is_zero() {
            let share = format!("{:.1} %", 100.0 * teamwork.part(sum.table));
            row(out, "of searching: tables elsewhere", share)?;
        }
    }
    for (name, _, count) in counts(&sum).into_iter().filter(|(.., count)| *count > 0) {
        row(out, name, grouped(count))?;
    }
    for (number, one) in teamwork.processors.iter().enumerate() {
        let nodes = one.as_ref().map_or("lost".to_owned(), |one| grouped(one.nodes));
        row(out, &format!("nodes of processor {number}"), nodes)?;
    }
    let sent = Measures::MESSAGES.iter().zip(&sum.messages).filter(|(_, (count, _))| *count > 0);
    for (name, (count, bytes)) in sent {
        let name = format!("messages: {name}");
        writeln!(out, "  {name:<32} {:>14} {:>14} bytes", grouped(*count), grouped(*bytes))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn teamwork() -> Teamwork {
        let mut one = Measures {
            nodes: 1234,
            search: Duration::from_secs(3),
            wait_for_slaves: Duration::from_secs(1),
            jobs: 5,
            ..Measures::default()
        };
        one.messages[2] = (5, 500);
        let (policy, time) = (Some(Policy::YBWC), Duration::from_secs(4));
        Teamwork { method: "ybwc", policy, time, processors: vec![Some(one), None] }
    }

    #[test]
    fn a_table_has_what_there_is() {
        let mut told = Vec::new();
        in_words(&teamwork(), &mut told).unwrap();
        let told = String::from_utf8(told).unwrap();
        for (name, value) in [
            ("searching", "37.5 %"),
            ("waiting for slaves", "12.5 %"),
            ("beginning and ending", "50.0 %"),
            ("moves searched for others", "5"),
            ("nodes of processor 0", "1,234"),
            ("nodes of processor 1", "lost"),
        ] {
            let line = told.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
            assert!(line.ends_with(value), "{told}");
        }
        assert!(told.contains("messages: work") && told.contains("500 bytes"), "{told}");
        assert!(!told.contains("left for later") && !told.contains("messages: return"), "{told}");
    }

    #[test]
    fn an_object_has_all_fields() {
        let told = as_json(&teamwork());
        assert_eq!(
            (&told["method"], &told["processors"], &told["lost"]),
            (&json!("ybwc"), &json!(2), &json!(1))
        );
        assert_eq!((&told["nodes"], &told["load"]), (&json!([1234, null]), &json!(0.375)));
        assert_eq!(told["messages"], json!({ "work": { "count": 5, "bytes": 500 } }));
        let unknown = Teamwork { policy: None, processors: vec![Some(Measures::default()); 2], ..teamwork() };
        let told = as_json(&unknown);
        assert!(told["load"].is_null() && told["least_depth"].is_null() && told["jobs"] == 0, "{told}");
    }
}
