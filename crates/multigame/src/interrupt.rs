//! Ctrl-C, and `kill`, which says the same. Long work asks [`requested`] now and then, stops, and prints what it
//! knows. Someone who waits for the keyboard cannot ask, so it leaves a farewell that is printed in its place.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Written by the signal handler and by [`clear`], read by threads that work. Nothing else depends on its value,
/// so relaxed ordering suffices.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Called by the signal handler; set while something runs that has a way of its own to be stopped.
static STOPPER: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);
/// Set by who waits for lines and has nothing to save, read when the program is told to end.
static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(false);
static FAREWELL: Mutex<Option<String>> = Mutex::new(None);

/// Listens for Ctrl-C and `kill` from now on. Without a listener (none can be had) they end the program as usual.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(stop);
    // Not by a feature of `ctrlc`: that one would listen for the end of the terminal too, whatever `nohup` says.
    #[cfg(unix)]
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([signal_hook::consts::SIGTERM]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                if ENDS_AT_ONCE.load(Ordering::Relaxed) {
                    std::process::exit(143);
                }
                stop();
            }
        });
    }
}

/// Says that `kill` may end the program at once, as it does by custom: nothing would be lost.
pub(crate) fn end_at_once() {
    ENDS_AT_ONCE.store(true, Ordering::Relaxed);
}

/// Lets running work come to an end.
fn stop() {
    let farewell = FAREWELL.lock().ok().and_then(|mut farewell| farewell.take());
    if let Some(farewell) = farewell {
        let _ = write!(anstream::stdout(), "{farewell}");
        std::process::exit(130);
    }
    if REQUESTED.swap(true, Ordering::Relaxed) {
        // Asked twice: the work does not listen.
        std::process::exit(130);
    }
    if let Ok(stopper) = STOPPER.lock()
        && let Some(stop) = &*stopper
    {
        stop();
    }
}

/// Forgets what [`on_request`] was told when it is dropped.
pub(crate) struct Stopper(());

impl Drop for Stopper {
    fn drop(&mut self) {
        if let Ok(mut stopper) = STOPPER.lock() {
            *stopper = None;
        }
    }
}

/// Says how to stop what runs while the result lives.
pub(crate) fn on_request(stop: impl Fn() + Send + 'static) -> Stopper {
    if let Ok(mut stopper) = STOPPER.lock() {
        // It may have been asked for before there was a listener.
        if requested() {
            stop();
        }
        *stopper = Some(Box::new(stop));
    }
    Stopper(())
}

/// Whether work should stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Whether a command failed for no other reason than that it was asked to stop before it had anything to say.
pub(crate) fn is_cause_of(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let fault = match cause.downcast_ref::<protocol::SessionError>() {
            Some(protocol::SessionError::Fault(fault)) => Some(&**fault),
            _ => cause.downcast_ref::<game::RuleFault>(),
        };
        fault.is_some_and(game::RuleFault::is_stopped)
    })
}

/// Does some work that ends early on Ctrl-C, with [`game::RuleFault::stopped`] where it generates moves.
pub(crate) fn stoppable<T>(work: impl FnOnce() -> T) -> T {
    game::stopping::unless(std::sync::Arc::new(requested), work)
}

/// Forgets a request that has been answered.
pub(crate) fn clear() {
    REQUESTED.store(false, Ordering::Relaxed);
}

/// Waits for something that cannot be stopped, such as the keyboard; Ctrl-C meanwhile prints the farewell.
pub(crate) fn while_waiting<T>(farewell: String, wait: impl FnOnce() -> T) -> T {
    let set = |text| {
        if let Ok(mut farewell) = FAREWELL.lock() {
            *farewell = text;
        }
    };
    set(Some(farewell));
    let result = wait();
    set(None);
    result
}
