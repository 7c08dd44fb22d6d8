//! How long work is stopped from outside. A position may have a million moves, and the thread that waits for them
//! cannot look at a clock meanwhile: so generators ask now and then whether their work is still wanted, and leave with
//! a fault if not ([`crate::RuleFault::stopped`]). The question belongs to the thread that works: nothing has to be
//! passed down to the places that ask it, and other threads have questions of their own.

use std::cell::RefCell;
use std::sync::Arc;

/// Whether work is to be stopped.
pub type Question = Arc<dyn Fn() -> bool + Send + Sync>;

thread_local! {
    static QUESTION: RefCell<Option<Question>> = const { RefCell::new(None) };
}

/// Puts the earlier question back, also when the work panics.
struct Restore(Option<Question>);

impl Drop for Restore {
    fn drop(&mut self) {
        let earlier = self.0.take();
        QUESTION.with(|question| *question.borrow_mut() = earlier);
    }
}

fn with_question<T>(new: Option<Question>, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(QUESTION.with(|question| question.replace(new)));
    work()
}

/// Does some work on this thread that ends early when the question is answered with yes.
pub fn unless<T>(question: Question, work: impl FnOnce() -> T) -> T {
    with_question(Some(question), work)
}

/// Does some work on this thread that is not stopped: its result is needed whatever it takes.
pub fn never<T>(work: impl FnOnce() -> T) -> T {
    with_question(None, work)
}

/// The question of this thread, for another thread that does a part of its work.
#[must_use]
pub fn current() -> Option<Question> {
    QUESTION.with(|question| question.borrow().clone())
}

/// Whether the work of this thread is to end. Costs some ten nanoseconds: ask it once in a thousand steps.
#[must_use]
pub fn is_requested() -> bool {
    QUESTION.with(|question| question.borrow().as_ref().is_some_and(|stop| stop()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_nested_and_forgotten() {
        assert!(!is_requested());
        unless(Arc::new(|| true), || {
            assert!(is_requested());
            never(|| assert!(!is_requested() && current().is_none()));
            unless(Arc::new(|| false), || assert!(!is_requested()));
            assert!(is_requested());
        });
        assert!(!is_requested());
        let _ = std::panic::catch_unwind(|| unless(Arc::new(|| true), || panic!("on purpose")));
        assert!(!is_requested(), "a panic leaves nothing behind");
    }
}
