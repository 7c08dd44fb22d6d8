//! What processors say to each other; see the head of this module.

use search::Score;

use crate::wire::{Reader, Writer};

/// Who asks: the number of a job of the asking processor, and which of its moves it is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Asker {
    pub(super) job: u64,
    pub(super) index: u32,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Message<'bytes> {
    /// Is this position, searched so deep, worth at least so much?
    Ask { asker: Asker, depth: u32, least: Score, cuts: bool, position: &'bytes [u8] },
    /// It is worth at least, or at most, so much.
    Answer { asker: Asker, score: Score, is_least: bool },
    /// Nobody wants to know any more.
    Drop { asker: Asker },
    /// The rules went wrong.
    Fault,
    /// It is over.
    End,
}

impl<'bytes> Message<'bytes> {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let name = |writer: &mut Writer, asker: &Asker| {
            writer.word(asker.job);
            writer.count(asker.index as usize);
        };
        match self {
            Message::Ask { asker, depth, least, cuts, position } => {
                writer.byte(0);
                name(&mut writer, asker);
                writer.count(*depth as usize);
                writer.number(least.value());
                writer.flag(*cuts);
                writer.0.extend_from_slice(position);
            }
            Message::Answer { asker, score, is_least } => {
                writer.byte(1);
                name(&mut writer, asker);
                writer.number(score.value());
                writer.flag(*is_least);
            }
            Message::Drop { asker } => {
                writer.byte(2);
                name(&mut writer, asker);
            }
            Message::Fault => writer.byte(3),
            Message::End => writer.byte(4),
        }
        writer.0
    }

    /// The message that travelled; `None` if it is none of ours.
    pub(super) fn from_bytes(bytes: &'bytes [u8]) -> Option<Message<'bytes>> {
        let mut reader = Reader(bytes);
        let reader = &mut reader;
        let name = |reader: &mut Reader<'_>| {
            Some(Asker { job: reader.word()?, index: u32::try_from(reader.count()?).ok()? })
        };
        Some(match reader.byte()? {
            0 => {
                let (asker, depth) = (name(reader)?, reader.count()? as u32);
                let (least, cuts) = (Score::from_value(reader.number()?), reader.flag()?);
                Message::Ask { asker, depth, least, cuts, position: reader.0 }
            }
            1 => {
                let (asker, score) = (name(reader)?, Score::from_value(reader.number()?));
                Message::Answer { asker, score, is_least: reader.flag()? }
            }
            2 => Message::Drop { asker: name(reader)? },
            3 => Message::Fault,
            4 => Message::End,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let asker = Asker { job: 1 << 40, index: 7 };
        let messages = [
            Message::Ask { asker, depth: 9, least: Score::win_in(3), cuts: true, position: &[1, 2] },
            Message::Answer { asker, score: Score::estimate(-8), is_least: false },
            Message::Drop { asker },
            Message::Fault,
            Message::End,
        ];
        for message in messages {
            assert_eq!(Message::from_bytes(&message.to_bytes()).as_ref(), Some(&message));
        }
        assert_eq!(Message::from_bytes(&[]), None);
        assert_eq!(Message::from_bytes(&[1, 2]), None);
    }
}
