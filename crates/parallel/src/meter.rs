//! What a processor did with its time, and what it sent.

use std::time::Duration;

use fabric::{Processor, ProcessorId};
use table::Table;

use crate::measures::{Activity, Measures};
use crate::stealing::Message;
use crate::timeline::Recorder;

pub(crate) struct Meter<'run> {
    here: &'run dyn Processor,
    activity: Activity,
    since: Duration,
    /// Where activities are written down, if they are wanted.
    recorder: Option<Recorder<'run>>,
    pub(crate) measures: Measures,
}

impl<'run> Meter<'run> {
    pub(crate) fn new(
        here: &'run dyn Processor,
        activity: Activity,
        recorder: Option<Recorder<'run>>,
    ) -> Meter<'run> {
        let since = here.now();
        if let Some(recorder) = &recorder {
            recorder.turn(since, activity);
        }
        Meter { here, activity, since, recorder, measures: Measures::default() }
    }

    /// From now on the processor does something else.
    pub(crate) fn turn_to(&mut self, activity: Activity) {
        let now = self.here.now();
        self.measures.spend(self.activity, now.saturating_sub(self.since));
        (self.activity, self.since) = (activity, now);
        if let Some(recorder) = &self.recorder {
            recorder.turn(now, activity);
        }
    }

    pub(crate) fn send(&mut self, to: ProcessorId, message: &Message) {
        self.send_as(message.kind(), to, message.to_bytes());
    }

    /// Sends a message that is counted as one of this kind.
    pub(crate) fn send_as(&mut self, kind: usize, to: ProcessorId, bytes: Vec<u8>) {
        let counts = &mut self.measures.messages[kind];
        *counts = (counts.0 + 1, counts.1 + bytes.len() as u64);
        self.here.send(to, bytes);
    }

    /// What the processor did; it is done.
    pub(crate) fn finish(&mut self, node_time: Duration, table: &dyn Table) -> Measures {
        self.turn_to(self.activity);
        if let Some(recorder) = &self.recorder {
            recorder.end(self.since);
        }
        let nodes = u32::try_from(self.measures.nodes).unwrap_or(u32::MAX);
        self.measures.expansion = node_time * nodes;
        self.measures.ask_of(table);
        self.measures.clone()
    }
}
