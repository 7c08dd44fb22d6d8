//! Memory that the processes of a host share: each brings a segment of words, and all read and write the words of all
//! as atomics, without a message and without the owner taking notice. Invariants:
//!
//! 1. *The memory stays*: segments lie in an MPI window, which is freed when [`Shared`] or the [`Cluster`] is dropped
//!    that has it; slices borrow from it.
//! 2. *Atomics only*: there is no other access to a window's memory, in this process or another, once it is made.
//! 3. *One call at a time*: MPI is called when the window is made and when it is dropped, in the thread of the
//!    [`Cluster`], which [`Shared`] does not leave (it is not `Send`).

use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, size_of};
use std::ptr;
use std::rc::Rc;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use mpi::collective::SystemOperation;
use mpi::ffi::{self, MPI_Aint, MPI_Win};
use mpi::raw::AsRaw;
use mpi::traits::CommunicatorCollectives;

use super::Cluster;

/// Where the memory that processes share is kept, as a file.
const FOLDER: &str = "/dev/shm";
/// Room that is left for what MPI adds.
const MARGIN_BYTES: u64 = 1 << 20;
/// More than any host has, and little enough that sums do not overflow.
const BYTES_MAX: u64 = 1 << 50;

/// Why there is no shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShareError {
    /// It would not fit, on this host or on another.
    #[error(
        "{words} words of memory for each process cannot be shared: {FOLDER} of some host has too little room"
    )]
    NoRoom {
        /// As many as this process asked for.
        words: usize,
    },
}

/// Words that the processes of a host share.
///
/// Dropping it waits for the other processes of the host to drop theirs.
pub struct Shared {
    window: Window,
    /// Keeps it in its thread (invariant 3), and MPI alive.
    cluster: Rc<Cluster>,
}

impl Shared {
    /// Makes a segment of so many words, all 0, in this process. All processes call this together; each says how many
    /// words it brings.
    pub(super) fn new(cluster: &Rc<Cluster>, words: usize) -> Result<Self, ShareError> {
        Ok(Self { window: Window::new(cluster, words)?, cluster: Rc::clone(cluster) })
    }

    /// Sets all words to 0. Called together.
    pub fn clear(&self) {
        self.window.clear(&self.cluster);
    }

    /// The segment of each process, in the order of processes; `None` for those of other hosts.
    #[must_use]
    pub fn segments(&self) -> &[Option<&[AtomicU64]>] {
        self.window.segments()
    }
}

/// The same without its cluster: its holder keeps MPI alive (invariants 1 and 3).
pub(super) struct Window {
    /// By process; those of other hosts are not within reach. No longer than this: see [`Window::segments`].
    segments: Vec<Option<&'static [AtomicU64]>>,
    raw: MPI_Win,
}

impl Window {
    /// As [`Shared::new`].
    pub(super) fn new(cluster: &Cluster, words: usize) -> Result<Self, ShareError> {
        let error = ShareError::NoRoom { words };
        if !cluster.agree(fits(cluster, words)) {
            return Err(error);
        }
        let raw = allocate(cluster, words);
        if !cluster.agree(raw.is_some()) {
            // A window that only some have cannot be freed, which takes all of them.
            return Err(error);
        }
        let raw = raw.ok_or(error)?;
        let mut segments = vec![None; cluster.processes()];
        let neighbours = (0..cluster.processes()).filter(|&process| cluster.shares_host(process));
        for (place, process) in neighbours.enumerate() {
            // SAFETY: the window is whole, the neighbour has this place in it, and no caller is given a slice that
            // outlives the window.
            segments[process] = Some(unsafe { segment(raw, place) });
        }
        let window = Self { segments, raw };
        window.clear(cluster);
        Ok(window)
    }

    fn clear(&self, cluster: &Cluster) {
        for word in self.segments[cluster.process()].iter().flat_map(|own| own.iter()) {
            word.store(0, Ordering::Relaxed);
        }
        // SAFETY: the window is whole and locked by this process.
        unsafe { ffi::MPI_Win_sync(self.raw) };
        // No process writes before all have cleared theirs.
        let _ = cluster.agree(true);
    }

    /// The segment of each process.
    pub(super) fn segments(&self) -> &[Option<&[AtomicU64]>] {
        &self.segments
    }
}

/// Whether there is room for the segments of all processes of this host. Open MPI finds that out in one process only,
/// and the others wait for it for ever.
fn fits(cluster: &Cluster, words: usize) -> bool {
    let bytes = (words as u64).saturating_mul(size_of::<u64>() as u64).min(BYTES_MAX);
    let mut asked = 0_u64;
    cluster.host.all_reduce_into(&bytes, &mut asked, SystemOperation::sum());
    // Where the folder cannot be asked, MPI keeps shared memory somewhere else.
    rustix::fs::statvfs(FOLDER)
        .map_or(true, |found| asked + MARGIN_BYTES <= found.f_bavail.saturating_mul(found.f_frsize))
}

/// The window of this host, with access to all of it; `None` if MPI cannot make it.
fn allocate(cluster: &Cluster, words: usize) -> Option<MPI_Win> {
    let bytes = MPI_Aint::try_from(words.checked_mul(size_of::<u64>())?).ok()?;
    let mut base = ptr::null_mut::<c_void>();
    let mut window = MaybeUninit::<MPI_Win>::uninit();
    // SAFETY: the communicator is alive and MPI writes both results. An error is returned, not fatal, on this
    // communicator.
    unsafe {
        let host = cluster.host.as_raw();
        ffi::MPI_Comm_set_errhandler(host, ffi::RSMPI_ERRORS_RETURN);
        let base = (&raw mut base).cast::<c_void>();
        let unit = size_of::<u64>() as c_int;
        let code =
            ffi::MPI_Win_allocate_shared(bytes, unit, ffi::RSMPI_INFO_NULL, host, base, window.as_mut_ptr());
        if code != ffi::MPI_SUCCESS as c_int {
            return None;
        }
        let window = window.assume_init();
        ffi::MPI_Win_lock_all(0, window);
        Some(window)
    }
}

/// The words of the process that has this place in the window.
///
/// # Safety
/// The window is whole and outlives the slice (invariant 1).
unsafe fn segment<'window>(window: MPI_Win, place: usize) -> &'window [AtomicU64] {
    let (mut bytes, mut unit): (MPI_Aint, c_int) = (0, 0);
    let mut base = ptr::null_mut::<AtomicU64>();
    // SAFETY: the window is whole, and MPI writes the three results.
    unsafe {
        let base = (&raw mut base).cast::<c_void>();
        ffi::MPI_Win_shared_query(window, place as c_int, &mut bytes, &mut unit, base);
    }
    let words = usize::try_from(bytes).unwrap_or(0) / size_of::<u64>();
    if words == 0 || base.is_null() {
        return &[];
    }
    assert!(base.is_aligned(), "MPI puts segments of words where words can be");
    // SAFETY: MPI says that so many bytes lie there; invariants 1 and 2.
    unsafe { slice::from_raw_parts(base, words) }
}

impl Drop for Window {
    fn drop(&mut self) {
        // Others are not waited for when this process breaks off: its end ends them all.
        if !thread::panicking() {
            // SAFETY: the window is whole, this process holds its lock, and no slice of it is left.
            unsafe {
                ffi::MPI_Win_unlock_all(self.raw);
                ffi::MPI_Win_free(&mut self.raw);
            }
        }
    }
}
