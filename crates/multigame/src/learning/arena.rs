//! Many games at once, heard of in the order of their numbers: what comes out does not depend on threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::Result;

use crate::interrupt;

/// How often to ask whether to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// Which games are played, and by how many threads.
pub(crate) struct Numbers {
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) threads: usize,
}

/// Plays games. `prepare` is called once by each thread, `play` for each game, `heard` for each result in order; it
/// says whether to go on, and also hears of pauses (`None`).
pub(super) fn play<S, T: Send>(
    numbers: &Numbers,
    prepare: impl Fn() -> Result<S> + Sync,
    play: impl Fn(&mut S, u64) -> Result<T> + Sync,
    heard: &mut dyn FnMut(Option<(u64, T)>) -> Result<bool>,
) -> Result<()> {
    // Nothing is published through these, so relaxed order suffices.
    let (next, stop) = (AtomicU64::new(numbers.first), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..numbers.threads.max(1) {
            let (sender, next, stop, play) = (sender.clone(), &next, &stop, &play);
            let prepare = &prepare;
            let worker = move || {
                let mut state = match prepare() {
                    Ok(state) => state,
                    Err(error) => return drop(sender.send((0, Err(error)))),
                };
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || sender.send((number, play(&mut state, number))).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().stack_size(search::STACK_BYTES).spawn_scoped(scope, worker)?;
        }
        drop(sender);
        let (mut waiting, mut expected, mut verdict) = (BTreeMap::new(), numbers.first, Ok(()));
        let mut trouble = Ok(());
        let mut going = true;
        // Whatever goes wrong, the others must hear of it before their end is waited for.
        let mut hear = |news| {
            heard(news).unwrap_or_else(|error| {
                trouble = Err(error);
                false
            })
        };
        loop {
            let news = match results.recv_timeout(INTERVAL) {
                Ok((number, Ok(result))) => Some((number, result)),
                Ok((_, Err(error))) => {
                    verdict = verdict.and(Err(error));
                    going = false;
                    None
                }
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match news {
                Some((number, result)) => drop(waiting.insert(number, result)),
                None => going = going && hear(None),
            }
            while going && let Some(result) = waiting.remove(&expected) {
                going = hear(Some((expected, result)));
                expected += 1;
            }
            if interrupt::requested() || !going {
                stop.store(true, Ordering::Relaxed);
            }
        }
        verdict.and(trouble)
    })
}
