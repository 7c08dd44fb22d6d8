//! The calls of MPI that move bytes between processes, and the only `unsafe` code on their way. Invariants:
//!
//! 1. *MPI is there*: a wire borrows the [`Cluster`](super::Cluster), which finalises MPI when it is dropped.
//! 2. *One call at a time*: every method takes `&mut self`, there is one wire at a time, and while it lives nothing
//!    else calls MPI ([`Cluster`](super::Cluster) stays in the thread that waits for the run). So
//!    `MPI_THREAD_SERIALIZED` is enough.
//! 3. *Bytes stay*: a buffer that MPI reads belongs to the wire until its request is complete; a `Vec` that moves
//!    leaves its bytes where they are, and nothing changes them. Should a wire be dropped earlier, those buffers are
//!    leaked.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};

use mpi::ffi::{self, MPI_Comm, MPI_Request};
use mpi::raw::AsRaw;
use mpi::topology::SimpleCommunicator;

/// All parcels of a run carry this tag.
const TAG: c_int = 0;
/// A receiving buffer that grew beyond this for one parcel is given back.
const BUFFER_BYTES_KEPT: usize = 1 << 20;

/// What is under way to other processes, and what comes from them.
pub(super) struct Wire<'cluster> {
    communicator: MPI_Comm,
    /// One request for each buffer that is under way, at the same index.
    requests: Vec<MPI_Request>,
    under_way: Vec<UnderWay>,
    completed: Vec<c_int>,
    incoming: Vec<u8>,
    cluster: PhantomData<&'cluster SimpleCommunicator>,
}

/// A parcel that its receiver has not begun to receive.
pub(super) struct UnderWay {
    pub(super) to: usize,
    pub(super) parcel: Vec<u8>,
}

// SAFETY: handles of MPI are valid in every thread of the process, and invariant 2 keeps calls apart.
unsafe impl Send for Wire<'_> {}

impl<'cluster> Wire<'cluster> {
    pub(super) fn new(communicator: &'cluster SimpleCommunicator) -> Self {
        Self {
            communicator: communicator.as_raw(),
            requests: Vec::new(),
            under_way: Vec::new(),
            completed: Vec::new(),
            incoming: Vec::new(),
            cluster: PhantomData,
        }
    }

    /// Whether no parcel is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.requests.is_empty()
    }

    /// Sends a parcel off. Synchronous mode: it is complete only when the receiver has begun to receive it, so what
    /// is under way is bounded, and at the end nothing is left in the network.
    pub(super) fn send(&mut self, to: usize, parcel: Vec<u8>) {
        let mut request = MaybeUninit::<MPI_Request>::uninit();
        let bytes = parcel.as_ptr().cast::<c_void>();
        let count = c_int::try_from(parcel.len()).expect("a parcel is one message and a little more");
        // SAFETY: invariants 1 to 3; the buffer has `count` bytes; MPI writes the request.
        let request = unsafe {
            ffi::MPI_Issend(
                bytes,
                count,
                ffi::RSMPI_UINT8_T,
                to as c_int,
                TAG,
                self.communicator,
                request.as_mut_ptr(),
            );
            request.assume_init()
        };
        self.requests.push(request);
        self.under_way.push(UnderWay { to, parcel });
    }

    /// Hands over the parcels that have come to their end.
    pub(super) fn complete(&mut self, mut done: impl FnMut(UnderWay)) {
        if self.requests.is_empty() {
            return;
        }
        self.completed.resize(self.requests.len(), 0);
        let mut count: c_int = 0;
        // SAFETY: invariants 1 and 2; both arrays have as many places as there are requests, none of which is null.
        unsafe {
            ffi::MPI_Testsome(
                self.requests.len() as c_int,
                self.requests.as_mut_ptr(),
                &mut count,
                self.completed.as_mut_ptr(),
                ffi::RSMPI_STATUSES_IGNORE,
            );
        }
        let completed = &mut self.completed[..usize::try_from(count).unwrap_or(0)];
        // From the last to the first, so that what takes a removed one's place is not one of them.
        completed.sort_unstable_by_key(|&index| std::cmp::Reverse(index));
        for &index in completed.iter() {
            self.requests.swap_remove(index as usize);
            done(self.under_way.swap_remove(index as usize));
        }
    }

    /// The next parcel that has arrived, and who sent it.
    pub(super) fn receive(&mut self) -> Option<(usize, &[u8])> {
        let mut arrived: c_int = 0;
        let mut message = MaybeUninit::<ffi::MPI_Message>::uninit();
        let mut status = MaybeUninit::<ffi::MPI_Status>::uninit();
        // SAFETY: invariants 1 and 2; MPI writes message and status if something has arrived.
        unsafe {
            let any = ffi::RSMPI_ANY_SOURCE;
            let (message, status) = (message.as_mut_ptr(), status.as_mut_ptr());
            ffi::MPI_Improbe(any, TAG, self.communicator, &mut arrived, message, status);
        }
        if arrived == 0 {
            return None;
        }
        // SAFETY: something has arrived, so both are written.
        let (mut message, status) = unsafe { (message.assume_init(), status.assume_init()) };
        let mut count: c_int = 0;
        // SAFETY: invariants 1 and 2; the status is that of a message of bytes.
        unsafe { ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut count) };
        let length = usize::try_from(count).expect("a parcel has a length");
        if length > self.incoming.len() || self.incoming.len() > BUFFER_BYTES_KEPT {
            self.incoming = vec![0; length.next_power_of_two()];
        }
        // SAFETY: invariants 1 and 2; the buffer has room for `count` bytes, and the call returns when they are
        // there.
        unsafe {
            let into = self.incoming.as_mut_ptr().cast::<c_void>();
            ffi::MPI_Mrecv(into, count, ffi::RSMPI_UINT8_T, &mut message, ffi::RSMPI_STATUS_IGNORE);
        }
        Some((status.MPI_SOURCE as usize, &self.incoming[..length]))
    }

    /// Says that this process has nothing more to send. The answer is for [`Wire::everybody_has_ended`].
    pub(super) fn end(&mut self) -> Ending {
        let mut request = MaybeUninit::<MPI_Request>::uninit();
        // SAFETY: invariants 1 and 2; MPI writes the request.
        unsafe {
            ffi::MPI_Ibarrier(self.communicator, request.as_mut_ptr());
            Ending(request.assume_init())
        }
    }

    /// Whether all processes have said so.
    pub(super) fn everybody_has_ended(&mut self, ending: &mut Ending) -> bool {
        let mut all: c_int = 0;
        // SAFETY: invariants 1 and 2; the request came from `end`, and is null once it is complete.
        unsafe { ffi::MPI_Test(&mut ending.0, &mut all, ffi::RSMPI_STATUS_IGNORE) };
        all != 0
    }
}

/// A barrier that has been entered.
pub(super) struct Ending(MPI_Request);

impl Drop for Wire<'_> {
    fn drop(&mut self) {
        // Invariant 3: MPI may still read them.
        mem::forget(mem::take(&mut self.under_way));
    }
}
