//! What processors say to each other. See README.md in this folder.

use fabric::ProcessorId;
use game::{Game, Signature};
use search::line::{Assignment, Finding, NodeKind};
use search::node::Arrival;
use search::path::Step;
use search::{Depth, Score, Window};

use crate::wire::{Reader, Writer};

/// Names a hand-over: who gave it, and the how manieth of that processor it is. No two have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket(pub(crate) u64);

/// A message. `Work` is carried as bytes, so that what is not of this game is found where it is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    /// A processor has nothing to do, and wants to search a node at least so deep. Passed on to others while `hops` are
    /// left.
    Request { origin: ProcessorId, hops: u8, depth: u8 },
    /// There is nothing to give.
    Refusal,
    /// A move to be searched; whether that was begun before its eldest brother was done with.
    Work { ticket: Ticket, is_early: bool, bytes: Vec<u8> },
    /// The work came too late, or could not be done: another one has to do it.
    Declined { ticket: Ticket },
    /// What was found out about a move; if the sender has nothing to do now, how deep the next node should be at least.
    Return { ticket: Ticket, finding: Finding, asks: Option<u8> },
    /// The father of a move has a narrower window now.
    Narrowing { ticket: Ticket, window: Window },
    /// The work is of no use any more.
    Cutoff { ticket: Ticket },
    /// An iteration is complete: who has to lead if the leader dies begins behind it.
    Iteration { depth: Depth },
    /// Entries for tables that all processors keep: signature, two words.
    Entries(Vec<[u64; 3]>),
    /// How records of moves have changed since the last round, for the sender and those below it.
    ChangesBelow { round: i32, changes: Changes },
    /// The same for all.
    ChangesOfAll { round: i32, changes: Changes },
    /// The search is over.
    End,
    /// The eldest brother of a move is done with; the window of their father.
    Release { ticket: Ticket, window: Window },
    /// What do you know of the positions with these signatures?
    Questions(Vec<u64>),
    /// What is known of them: signature, and the two words of an entry if there is one.
    Answers(Vec<(u64, Option<[u64; 2]>)>),
}

/// Changes of records, by their places.
pub(crate) type Changes = Vec<(u16, i16)>;

impl Message {
    /// How many kinds there are.
    pub(crate) const KINDS: usize = 15;
    /// Their names.
    pub(crate) const NAMES: [&'static str; Message::KINDS] = [
        "request",
        "refusal",
        "work",
        "declined",
        "return",
        "narrowing",
        "cutoff",
        "iteration",
        "entries",
        "end",
        "changes below",
        "changes of all",
        "release",
        "questions",
        "answers",
    ];

    /// The kinds that tables count, too, which reach into the memory of others without a message of ours.
    pub(crate) const ENTRIES: usize = 8;
    pub(crate) const QUESTIONS: usize = 13;
    pub(crate) const ANSWERS: usize = 14;

    pub(crate) fn kind(&self) -> usize {
        match self {
            Message::Request { .. } => 0,
            Message::Refusal => 1,
            Message::Work { .. } => 2,
            Message::Declined { .. } => 3,
            Message::Return { .. } => 4,
            Message::Narrowing { .. } => 5,
            Message::Cutoff { .. } => 6,
            Message::Iteration { .. } => 7,
            Message::Entries(_) => 8,
            Message::End => 9,
            Message::ChangesBelow { .. } => 10,
            Message::ChangesOfAll { .. } => 11,
            Message::Release { .. } => 12,
            Message::Questions(_) => 13,
            Message::Answers(_) => 14,
        }
    }

    /// Whether tables exchange this, and not searches.
    pub(crate) fn is_about_tables(bytes: &[u8]) -> bool {
        matches!(bytes.first(), Some(13 | 14))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(self.kind() as u8);
        match self {
            Message::Request { origin, hops, depth } => {
                writer.count(origin.index());
                writer.byte(*hops);
                writer.byte(*depth);
            }
            Message::Refusal | Message::End => {}
            Message::Work { ticket, is_early, bytes } => {
                writer.word(ticket.0);
                writer.flag(*is_early);
                writer.0.extend_from_slice(bytes);
            }
            Message::Declined { ticket } | Message::Cutoff { ticket } => writer.word(ticket.0),
            Message::Return { ticket, finding, asks } => {
                writer.word(ticket.0);
                writer.number(finding.score.value());
                writer.flag(finding.only_tested);
                writer.flag(finding.skipped);
                writer.list(&finding.variation, Writer::played);
                writer.option(*asks, Writer::byte);
            }
            Message::Narrowing { ticket, window } | Message::Release { ticket, window } => {
                writer.word(ticket.0);
                write_window(&mut writer, *window);
            }
            Message::Iteration { depth } => writer.number(depth.0),
            Message::ChangesBelow { round, changes } | Message::ChangesOfAll { round, changes } => {
                writer.number(*round);
                writer.list(changes, |writer, &(place, change)| {
                    writer.half(place);
                    writer.half(change as u16);
                });
            }
            Message::Entries(entries) => writer.list(entries, |writer, entry| {
                entry.iter().for_each(|&word| writer.word(word));
            }),
            Message::Questions(signatures) => {
                writer.list(signatures, |writer, &signature| writer.word(signature));
            }
            Message::Answers(answers) => writer.list(answers, |writer, (signature, entry)| {
                writer.word(*signature);
                writer.option(*entry, |writer, entry| entry.iter().for_each(|&word| writer.word(word)));
            }),
        }
        writer.0
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Message> {
        let mut reader = Reader(bytes);
        let reader = &mut reader;
        Some(match reader.byte()? {
            0 => Message::Request {
                origin: ProcessorId(reader.count()? as u32),
                hops: reader.byte()?,
                depth: reader.byte()?,
            },
            1 => Message::Refusal,
            2 => Message::Work {
                ticket: Ticket(reader.word()?),
                is_early: reader.flag()?,
                bytes: reader.0.to_vec(),
            },
            3 => Message::Declined { ticket: Ticket(reader.word()?) },
            4 => {
                let ticket = Ticket(reader.word()?);
                let score = Score::from_value(reader.number()?);
                let (only_tested, skipped) = (reader.flag()?, reader.flag()?);
                let variation = reader.list(Reader::played)?;
                Message::Return {
                    ticket,
                    finding: Finding { score, only_tested, skipped, variation },
                    asks: reader.option(Reader::byte)?,
                }
            }
            5 => Message::Narrowing { ticket: Ticket(reader.word()?), window: read_window(reader)? },
            6 => Message::Cutoff { ticket: Ticket(reader.word()?) },
            7 => Message::Iteration { depth: Depth(reader.number()?) },
            8 => Message::Entries(
                reader.list(|reader| Some([reader.word()?, reader.word()?, reader.word()?]))?,
            ),
            9 => Message::End,
            10 => Message::ChangesBelow { round: reader.number()?, changes: read_changes(reader)? },
            11 => Message::ChangesOfAll { round: reader.number()?, changes: read_changes(reader)? },
            12 => Message::Release { ticket: Ticket(reader.word()?), window: read_window(reader)? },
            13 => Message::Questions(reader.list(Reader::word)?),
            14 => Message::Answers(reader.list(|reader| {
                let signature = reader.word()?;
                Some((signature, reader.option(|reader| Some([reader.word()?, reader.word()?]))?))
            })?),
            _ => return None,
        })
    }
}

fn read_changes(reader: &mut Reader<'_>) -> Option<Changes> {
    reader.list(|reader| Some((reader.half()?, reader.half()? as i16)))
}

fn write_window(writer: &mut Writer, window: Window) {
    writer.number(window.alpha.value());
    writer.number(window.beta.value());
}

fn read_window(reader: &mut Reader<'_>) -> Option<Window> {
    Some(Window { alpha: Score::from_value(reader.number()?), beta: Score::from_value(reader.number()?) })
}

fn write_score(writer: &mut Writer, score: Score) {
    writer.number(score.value());
}

fn read_score(reader: &mut Reader<'_>) -> Option<Score> {
    reader.number().map(Score::from_value)
}

const KINDS: [NodeKind; 3] = [NodeKind::Principal, NodeKind::Cut, NodeKind::All];

/// Work as it travels.
pub(crate) fn write_work<G: Game>(game: &G, work: &Assignment<G::Position>) -> Vec<u8> {
    let mut writer = Writer::default();
    let writer = &mut writer;
    writer.bytes(|into| game.write(&work.position, into));
    writer.list(&work.steps, |writer, step| {
        writer.word(step.signature.0);
        writer.word(step.recurring.0);
        writer.word(step.earlier);
        writer.number(step.repeats_within);
        writer.flag(step.irreversible);
    });
    write_window(writer, work.window);
    writer.number(work.depth.0);
    write_arrival(writer, &work.arrival);
    for score in [work.estimate, work.standing[0], work.standing[1]] {
        writer.option(score, write_score);
    }
    writer.number(work.extension);
    writer.played(&work.played);
    writer.count(work.tried);
    writer.option(work.loss, Writer::number);
    writer.number(work.root_depth);
    writer.flag(work.only_test);
    std::mem::take(&mut writer.0)
}

fn write_arrival(writer: &mut Writer, arrival: &Arrival) {
    writer.word(arrival.previous.0);
    for flag in [arrival.principal, arrival.may_pass, arrival.threatened] {
        writer.flag(flag);
    }
    writer.byte(arrival.forced_plies);
    writer.byte(arrival.widest);
    // Nodes where a move is left out are not shared.
    let kind = KINDS.iter().position(|kind| *kind == arrival.kind).unwrap_or(0);
    writer.byte(kind as u8);
}

fn read_arrival(reader: &mut Reader<'_>) -> Option<Arrival> {
    Some(Arrival {
        previous: Signature(reader.word()?),
        principal: reader.flag()?,
        may_pass: reader.flag()?,
        threatened: reader.flag()?,
        forced_plies: reader.byte()?,
        widest: reader.byte()?,
        kind: *KINDS.get(usize::from(reader.byte()?))?,
        excluded: None,
    })
}

/// The work that travelled; `None` if it is not of this game.
pub(crate) fn read_work<G: Game>(game: &G, bytes: &[u8]) -> Option<Assignment<G::Position>> {
    let mut reader = Reader(bytes);
    let reader = &mut reader;
    let position = game.read(reader.bytes()?)?;
    let steps = reader.list(|reader| {
        Some(Step {
            signature: Signature(reader.word()?),
            recurring: Signature(reader.word()?),
            earlier: reader.word()?,
            repeats_within: reader.number()?,
            irreversible: reader.flag()?,
        })
    })?;
    let window = read_window(reader)?;
    let depth = Depth(reader.number()?);
    let arrival = read_arrival(reader)?;
    let estimate = reader.option(read_score)?;
    let standing = [reader.option(read_score)?, reader.option(read_score)?];
    Some(Assignment {
        position,
        steps,
        window,
        depth,
        arrival,
        estimate,
        standing,
        extension: reader.number()?,
        played: reader.played()?,
        tried: reader.count()?,
        loss: reader.option(Reader::number)?,
        root_depth: reader.number()?,
        only_test: reader.flag()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let ticket = Ticket(77);
        let finding =
            Finding { score: Score::win_in(5), only_tested: true, skipped: false, variation: Vec::new() };
        let window = Window { alpha: Score::estimate(-3), beta: Score::INFINITE };
        let messages = [
            Message::Request { origin: ProcessorId(1023), hops: 8, depth: 3 },
            Message::Refusal,
            Message::Work { ticket, is_early: true, bytes: vec![1, 2, 3] },
            Message::Declined { ticket },
            Message::Return { ticket, finding, asks: Some(4) },
            Message::Narrowing { ticket, window },
            Message::Cutoff { ticket },
            Message::Iteration { depth: Depth(9) },
            Message::Entries(vec![[1, 2, 3], [4, 5, 6]]),
            Message::End,
            Message::ChangesBelow { round: 7, changes: vec![(0, -300), (16_383, 12)] },
            Message::ChangesOfAll { round: 8, changes: Vec::new() },
            Message::Release { ticket, window },
            Message::Questions(vec![1, u64::MAX]),
            Message::Answers(vec![(7, None), (8, Some([9, 10]))]),
        ];
        assert_eq!(messages.len(), Message::KINDS);
        for (kind, message) in messages.iter().enumerate() {
            assert_eq!(message.kind(), kind);
            assert_eq!(Message::is_about_tables(&message.to_bytes()), kind >= 13);
            assert_eq!(Message::from_bytes(&message.to_bytes()).as_ref(), Some(message));
        }
        assert_eq!(Message::from_bytes(&[]), None);
        assert_eq!(Message::from_bytes(&[200]), None);
        assert_eq!(Message::from_bytes(&[4, 1, 2]), None);
    }
}
