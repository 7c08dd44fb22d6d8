//! What conversations with other programs have in common: lines that come in on a thread of their own, searches that
//! run on another, one queue of events for both, and lines that go out.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::Instant;

use game::Game;
use search::Progress;

use crate::task::{Task, Thought};

/// All that can happen.
pub(crate) enum Event {
    /// The other program said something, at this moment.
    Line(String, Instant),
    /// No line will come any more.
    End,
    /// A search has something to tell.
    News(String),
    /// A search came to its end, or failed.
    Finished(Box<Result<Thought, String>>),
}

/// The two ends of a conversation: what has happened, and where answers go.
pub(crate) struct Exchange<'out> {
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// What came in while a search had to be waited for.
    waiting: VecDeque<Event>,
    out: &'out mut dyn Write,
}

impl<'out> Exchange<'out> {
    /// Listens to the input on a thread of its own from now on; it ends with the input.
    pub(crate) fn new(input: impl BufRead + Send + 'static, out: &'out mut dyn Write) -> Exchange<'out> {
        let (sender, events) = channel();
        let lines = sender.clone();
        thread::spawn(move || {
            listen(input, |line| {
                lines.send(line.map_or(Event::End, |(line, at)| Event::Line(line, at))).is_ok()
            });
        });
        Exchange { events, sender, waiting: VecDeque::new(), out }
    }

    /// The next event; waits for one.
    pub(crate) fn next(&mut self) -> Event {
        self.waiting.pop_front().unwrap_or_else(|| self.events.recv().unwrap_or(Event::End))
    }

    /// Keeps what came in too early, behind all that waits already.
    pub(crate) fn keep(&mut self, said: VecDeque<Event>) {
        self.waiting.extend(said);
    }

    /// Keeps what came in too early, before all that waits already.
    pub(crate) fn keep_first(&mut self, mut said: VecDeque<Event>) {
        said.append(&mut self.waiting);
        self.waiting = said;
    }

    /// Writes a line, now.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Lets a search run on a thread of its own; `tell` puts its news into words.
    pub(crate) fn start<'scope, 'env, 'game: 'scope, G: Game>(
        &self,
        scope: &'scope Scope<'scope, 'env>,
        task: Task<'game, G>,
        tell: impl Fn(usize, &Progress<'_>) -> String + Send + 'scope,
    ) -> io::Result<()> {
        let sender = self.sender.clone();
        let search = move || {
            let result = catch_unwind(AssertUnwindSafe(|| {
                task.run(&mut |rank, progress| {
                    // A reader that has gone is no reason to stop: `End` comes on its own.
                    let _ = sender.send(Event::News(tell(rank, progress)));
                })
            }));
            let result = match result {
                Ok(Ok(thought)) => Ok(thought),
                Ok(Err(fault)) => Err(fault.to_string()),
                Err(_) => Err("the search failed; this is a mistake of the program".to_owned()),
            };
            let _ = sender.send(Event::Finished(Box::new(result)));
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(search::STACK_BYTES);
        thread.spawn_scoped(scope, search)?;
        Ok(())
    }
}

/// Reads lines to the end of the input and hands each one over with the moment at which it came; `None` at the end.
/// Stops when they are not taken any more.
fn listen(mut input: impl BufRead, hand_over: impl Fn(Option<(String, Instant)>) -> bool) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(count) if count > 0 => {
                let line = String::from_utf8_lossy(&bytes).into_owned();
                if !hand_over(Some((line, Instant::now()))) {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => {
                hand_over(None);
                return;
            }
        }
    }
}

/// A message of several lines as one.
pub(crate) fn in_one_line(message: &impl ToString) -> String {
    let text = message.to_string();
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ")
}
