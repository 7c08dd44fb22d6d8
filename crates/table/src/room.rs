//! Memory for tables. A search looks at a table in places that have nothing to do with each other, so with the usual
//! pages of 4 KiB nearly every look misses the processor's memory of pages as well as its caches. Pages of 2 MiB do
//! not.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicI16, AtomicI32, AtomicU64};

/// So many values of nothing, in large pages where the system has them.
#[must_use]
pub fn fresh<T: Default>(count: usize) -> Box<[T]> {
    let mut room = Vec::with_capacity(count);
    ask_for_large_pages(room.spare_capacity_mut());
    room.resize_with(count, T::default);
    room.into_boxed_slice()
}

macro_rules! zeros {
    ($name:ident, $atomic:ty, $plain:ty, $what:literal) => {
        #[doc = concat!("So many ", $what, " that are 0. The system gives out zeros page by page when they are first ")]
        #[doc = "used: a caller that needs few of them does not pay for all."]
        #[must_use]
        #[allow(unsafe_code)]
        pub fn $name(count: usize) -> Box<[$atomic]> {
            let zeros: Box<[$plain]> = vec![0; count].into();
            const { assert!(align_of::<$atomic>() == align_of::<$plain>()) };
            // SAFETY: an atomic number lies in memory like a plain one and has the same alignment, as was just
            // checked; the box is given up before it is taken over.
            unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [$atomic]) }
        }
    };
}

zeros!(words, AtomicU64, u64, "words");
zeros!(small_numbers, AtomicI16, i16, "small numbers");
zeros!(numbers, AtomicI32, i32, "numbers");

/// Asks the machine to have something at hand soon.
#[inline]
#[allow(unsafe_code)]
pub fn fetch<T>(one: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint about something that is there; it changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(one).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = one;
}

/// Before the memory is used for the first time, or it has small pages already.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_large_pages<T>(room: &mut [MaybeUninit<T>]) {
    use rustix::mm::{Advice, madvise};
    let page = rustix::param::page_size();
    let bytes = size_of_val(room);
    let start = room.as_mut_ptr().cast::<u8>();
    let to_page = start.align_offset(page);
    if to_page >= bytes {
        return;
    }
    let whole_pages = (bytes - to_page) / page * page;
    // SAFETY: the advice is about whole pages within memory that is borrowed here; it changes how the memory is kept
    // and nothing of what it holds. A system without large pages refuses, and then the pages are the usual ones.
    let _ = unsafe { madvise(start.add(to_page).cast(), whole_pages, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn any_size_will_do() {
        for count in [0, 1, 500, 4096, 1 << 20] {
            let room: Box<[u64]> = fresh(count);
            assert_eq!((room.len(), room.iter().sum::<u64>()), (count, 0));
            let words = words(count);
            assert_eq!(words.iter().filter(|word| word.load(Ordering::Relaxed) == 0).count(), count);
        }
    }
}
