//! What processors say to each other; see the head of this module.

/// The number of a piece that was given away, never used twice by one processor.
pub(super) type Ticket = u64;

/// A message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Message<'bytes> {
    Request,
    Nothing,
    Work { ticket: Ticket, piece: &'bytes [u8] },
    Return { ticket: Ticket, outcome: &'bytes [u8] },
    Cancel { ticket: Ticket },
    Best { outcome: &'bytes [u8] },
    End,
}

impl<'bytes> Message<'bytes> {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let (kind, ticket, rest): (u8, Option<Ticket>, &[u8]) = match self {
            Message::Request => (0, None, &[]),
            Message::Nothing => (1, None, &[]),
            Message::Work { ticket, piece } => (2, Some(ticket), piece),
            Message::Return { ticket, outcome } => (3, Some(ticket), outcome),
            Message::Cancel { ticket } => (4, Some(ticket), &[]),
            Message::Best { outcome } => (5, None, outcome),
            Message::End => (6, None, &[]),
        };
        let mut bytes = vec![kind];
        bytes.extend(ticket.into_iter().flat_map(Ticket::to_le_bytes));
        bytes.extend_from_slice(rest);
        bytes
    }

    /// The message that travelled; `None` if it is none of ours.
    pub(super) fn from_bytes(bytes: &'bytes [u8]) -> Option<Message<'bytes>> {
        let (kind, rest) = bytes.split_first()?;
        let numbered = || {
            let (ticket, rest) = rest.split_first_chunk()?;
            Some((Ticket::from_le_bytes(*ticket), rest))
        };
        Some(match kind {
            0 => Message::Request,
            1 => Message::Nothing,
            2 => numbered().map(|(ticket, piece)| Message::Work { ticket, piece })?,
            3 => numbered().map(|(ticket, outcome)| Message::Return { ticket, outcome })?,
            4 => numbered().map(|(ticket, _)| Message::Cancel { ticket })?,
            5 => Message::Best { outcome: rest },
            6 => Message::End,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let messages = [
            Message::Request,
            Message::Nothing,
            Message::Work { ticket: 7, piece: &[1, 2] },
            Message::Return { ticket: u64::MAX, outcome: &[] },
            Message::Cancel { ticket: 3 },
            Message::Best { outcome: &[9] },
            Message::End,
        ];
        for message in messages {
            assert_eq!(Message::from_bytes(&message.to_bytes()), Some(message));
        }
        for broken in [&[][..], &[99], &[2, 1, 2, 3]] {
            assert_eq!(Message::from_bytes(broken), None);
        }
    }
}
