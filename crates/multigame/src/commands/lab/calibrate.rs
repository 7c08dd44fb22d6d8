//! `multigame lab calibrate`: what a node costs on this machine.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use lab::Subject;
use serde_json::json;

use super::{Opening, stoppable};
use crate::Exit;
use crate::cli::Global;
use crate::cli::lab::Calibrate;
use crate::interrupt;
use crate::numbers::grouped;

pub(super) fn run(options: &Calibrate, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let Calibrate { choice, judged, .. } = options;
    let opening = Opening {
        choice,
        evaluation: judged.evaluation,
        suite: None,
        first: None,
        only: None,
        of_puzzles: "states of puzzles cost what they cost the original Multigame; \
                     `lab speedup GAME --engine tds --node-cost NS` takes another cost",
    };
    opening.with(&mut |subject| measure(subject, options, global, out))
}

fn measure(subject: &dyn Subject, options: &Calibrate, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    let (control, _stopper) = stoppable();
    let (time, nodes) = subject.calibrate(Duration::from_secs_f64(options.time), &control)?;
    let cost = time.as_nanos() as f64 / nodes.max(1) as f64;
    let constant = lab::cost::node_cost(subject.game()).as_nanos() as u64;
    let game = subject.game();
    if global.json {
        writeln!(
            out,
            "{}",
            json!({ "game": game, "node_ns": cost, "constant_ns": constant, "nodes": nodes })
        )?;
    } else {
        writeln!(
            out,
            "{game}: {cost:.0} ns a node on this machine ({} nodes); experiments use {constant} ns, or --node-cost",
            grouped(nodes)
        )?;
    }
    Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
}
