//! Messages of several threads travel to a process as one: each is a frame with a head of eight bytes. All processes
//! run the same program, on machines of one kind, so a parcel that cannot be read is a broken promise and not bad
//! input.

/// Bytes before the message itself: to which thread, from which thread, how long.
const HEAD_BYTES: usize = 8;
/// Stands for the thread to which a frame goes if it says that its sender is gone.
const EVERYBODY: u16 = u16::MAX;
/// Threads that a frame can name.
pub(super) const THREADS_MAX: usize = EVERYBODY as usize;
/// The longest message: MPI counts bytes in 32 bits with a sign.
const MESSAGE_BYTES_MAX: usize = 1 << 30;

/// What one thread says to another process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frame<'parcel> {
    /// A message to one thread.
    Message { to: usize, from: usize, bytes: &'parcel [u8] },
    /// The sender is gone.
    Died { from: usize },
}

impl Frame<'_> {
    /// The bytes that it takes.
    pub(super) fn size(self) -> usize {
        match self {
            Frame::Message { bytes, .. } => HEAD_BYTES + bytes.len(),
            Frame::Died { .. } => HEAD_BYTES,
        }
    }

    /// Appends it to a parcel.
    ///
    /// # Panics
    /// If a message is longer than 1 GiB, which MPI cannot carry in one piece.
    pub(super) fn write(self, parcel: &mut Vec<u8>) {
        let (to, from, bytes): (u16, usize, &[u8]) = match self {
            Frame::Message { to, from, bytes } => (to as u16, from, bytes),
            Frame::Died { from } => (EVERYBODY, from, &[]),
        };
        assert!(bytes.len() <= MESSAGE_BYTES_MAX, "a message of {} bytes is too long for MPI", bytes.len());
        parcel.extend(to.to_le_bytes());
        parcel.extend((from as u16).to_le_bytes());
        parcel.extend((bytes.len() as u32).to_le_bytes());
        parcel.extend(bytes);
    }
}

/// The frames of a parcel, in their order.
pub(super) fn frames(mut parcel: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    std::iter::from_fn(move || {
        if parcel.is_empty() {
            return None;
        }
        let (head, rest) = parcel.split_first_chunk::<HEAD_BYTES>().expect("a frame has a whole head");
        let [to_low, to_high, from_low, from_high, length @ ..] = *head;
        let from = usize::from(u16::from_le_bytes([from_low, from_high]));
        let (bytes, rest) = rest.split_at(u32::from_le_bytes(length) as usize);
        parcel = rest;
        Some(match u16::from_le_bytes([to_low, to_high]) {
            EVERYBODY => Frame::Died { from },
            to => Frame::Message { to: usize::from(to), from, bytes },
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_in_its_order() {
        let long = vec![7; 70_000];
        let written = [
            Frame::Message { to: 0, from: 3, bytes: b"" },
            Frame::Message { to: THREADS_MAX - 1, from: THREADS_MAX - 1, bytes: &long },
            Frame::Died { from: 3 },
            Frame::Message { to: 300, from: 2, bytes: b"last" },
        ];
        let mut parcel = Vec::new();
        for frame in written {
            frame.write(&mut parcel);
        }
        assert_eq!(parcel.len(), written.iter().map(|frame| frame.size()).sum::<usize>());
        assert_eq!(frames(&parcel).collect::<Vec<_>>(), written);
    }
}
