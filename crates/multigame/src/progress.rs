//! A progress bar for long work: on a terminal only, on standard error, and only after a moment.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that is done sooner needs no bar.
const DELAY: Duration = Duration::from_millis(700);
/// How often it is drawn.
const INTERVAL: Duration = Duration::from_millis(100);

/// How far some work has come.
pub(crate) struct Progress {
    wanted: bool,
    started: Instant,
    drawn: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Work that begins now.
    pub(crate) fn new() -> Progress {
        let now = Instant::now();
        Progress { wanted: std::io::stderr().is_terminal(), started: now, drawn: now, bar: None }
    }

    /// Says that `done` of `total` parts are done; the message is asked for only when it is shown.
    pub(crate) fn show(&mut self, done: u64, total: u64, message: impl FnOnce() -> String) {
        if !self.wanted {
            return;
        }
        let now = Instant::now();
        if now - self.started < DELAY || now - self.drawn < INTERVAL {
            return;
        }
        self.drawn = now;
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {msg}");
            ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(total);
        bar.set_position(done);
        bar.set_message(message());
    }

    /// Removes the bar, so that something can be printed.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
