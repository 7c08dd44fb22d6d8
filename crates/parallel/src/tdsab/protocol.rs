//! What processors say to each other; see the head of this module.

use game::Move;
use search::{Depth, Score, Window};
use table::Bound;

use crate::wire::{Reader, Writer};

/// Who asks: the number of a job of the asking processor, and which of its moves it is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Asker {
    pub(super) job: u64,
    pub(super) index: u32,
}

/// Which processors are dead, as the sender knows: homes depend on it. The number of the dead, and a sum that tells
/// their sets apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Epoch {
    pub(super) dead: u32,
    pub(super) sum: u64,
}

/// A message.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Message {
    /// What is the position behind these moves worth in this window, searched so deep?
    Ask { epoch: Epoch, asker: Asker, depth: u32, window: Window, cuts: bool, line: Vec<Move> },
    /// It is worth so much, or at least, or at most; of the root, the move that is.
    Answer { epoch: Epoch, asker: Asker, score: Score, bound: Bound, best: Option<Move> },
    /// The answer is not wanted any more.
    Drop { epoch: Epoch, asker: Asker },
    /// The rules went wrong.
    Fault,
    /// It is over.
    End,
    /// An iteration is complete.
    Iteration { depth: Depth },
}

fn write_name(writer: &mut Writer, epoch: Epoch, asker: Asker) {
    writer.count(epoch.dead as usize);
    writer.word(epoch.sum);
    writer.word(asker.job);
    writer.count(asker.index as usize);
}

fn read_name(reader: &mut Reader<'_>) -> Option<(Epoch, Asker)> {
    let epoch = Epoch { dead: u32::try_from(reader.count()?).ok()?, sum: reader.word()? };
    Some((epoch, Asker { job: reader.word()?, index: u32::try_from(reader.count()?).ok()? }))
}

const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

fn code(bound: Bound) -> u8 {
    BOUNDS.iter().position(|known| *known == bound).unwrap_or_default() as u8
}

fn bound(code: u8) -> Option<Bound> {
    BOUNDS.get(usize::from(code)).copied()
}

impl Message {
    /// As what they are counted among the messages of all algorithms: work, return, cutoff, declined, end, iteration.
    pub(super) fn kind(&self) -> usize {
        match self {
            Message::Ask { .. } => 2,
            Message::Answer { .. } => 4,
            Message::Drop { .. } => 6,
            Message::Fault => 3,
            Message::End => 9,
            Message::Iteration { .. } => 7,
        }
    }

    pub(super) fn epoch(&self) -> Option<Epoch> {
        match self {
            Message::Ask { epoch, .. } | Message::Answer { epoch, .. } | Message::Drop { epoch, .. } => {
                Some(*epoch)
            }
            Message::Fault | Message::End | Message::Iteration { .. } => None,
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(self.kind() as u8);
        match self {
            Message::Ask { epoch, asker, depth, window, cuts, line } => {
                write_name(&mut writer, *epoch, *asker);
                writer.count(*depth as usize);
                writer.number(window.alpha.value());
                writer.number(window.beta.value());
                writer.flag(*cuts);
                writer.list(line, Writer::played);
            }
            Message::Answer { epoch, asker, score, bound, best } => {
                write_name(&mut writer, *epoch, *asker);
                writer.number(score.value());
                writer.byte(code(*bound));
                writer.option(best.as_ref(), Writer::played);
            }
            Message::Drop { epoch, asker } => write_name(&mut writer, *epoch, *asker),
            Message::Fault | Message::End => {}
            Message::Iteration { depth } => writer.number(depth.0),
        }
        writer.0
    }

    /// The message that travelled; `None` if it is none of ours.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Message> {
        let mut reader = Reader(bytes);
        let reader = &mut reader;
        Some(match reader.byte()? {
            2 => {
                let (epoch, asker) = read_name(reader)?;
                let depth = reader.count()? as u32;
                let [alpha, beta] = [reader.number()?, reader.number()?].map(Score::from_value);
                let (cuts, line) = (reader.flag()?, reader.list(Reader::played)?);
                Message::Ask { epoch, asker, depth, window: Window { alpha, beta }, cuts, line }
            }
            4 => {
                let (epoch, asker) = read_name(reader)?;
                let (score, bound) = (Score::from_value(reader.number()?), bound(reader.byte()?)?);
                Message::Answer { epoch, asker, score, bound, best: reader.option(Reader::played)? }
            }
            6 => {
                let (epoch, asker) = read_name(reader)?;
                Message::Drop { epoch, asker }
            }
            3 => Message::Fault,
            9 => Message::End,
            7 => Message::Iteration { depth: Depth(reader.number()?) },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use game::Signature;
    use game::moves::MoveHead;

    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let (asker, epoch) = (Asker { job: 1 << 40, index: 7 }, Epoch { dead: 2, sum: 77 });
        let played = Move::new(MoveHead::new(Signature(5)), Vec::new());
        let (window, line) = (Window::above(Score::win_in(3)), vec![played.clone(), played.clone()]);
        let messages = [
            Message::Ask { epoch, asker, depth: 9, window, cuts: true, line },
            Message::Answer {
                epoch,
                asker,
                score: Score::estimate(-8),
                bound: Bound::Upper,
                best: Some(played),
            },
            Message::Drop { epoch, asker },
            Message::Fault,
            Message::End,
            Message::Iteration { depth: Depth(6) },
        ];
        for message in messages {
            assert_eq!(Message::from_bytes(&message.to_bytes()).as_ref(), Some(&message));
        }
        assert_eq!(Message::from_bytes(&[]), None);
        assert_eq!(Message::from_bytes(&[2, 2]), None);
        assert_eq!((code(Bound::Lower), bound(1), bound(3)), (1, Some(Bound::Lower), None));
    }
}
