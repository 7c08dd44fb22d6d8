//! `multigame explore`: different positions by distance from the start, breadth-first.

use std::io::Write;
use std::ops::Range;

use anyhow::{Context, Result, bail};
use game::{Game, MoveList, Position, Stage};
use search::one_player::external::External;
use search::one_player::packing::Packing;
use search::one_player::visited::Visited;
use serde_json::json;

use crate::Exit;
use crate::cli::{Explore, FAINT, Global};
use crate::generator::{Work, with_game};
use crate::interrupt;
use crate::numbers::grouped;
use crate::progress::Progress;

pub(super) fn run(options: &Explore, global: &Global, out: &mut dyn Write) -> Result<Exit> {
    with_game(&options.choice, Walk { options, global, out })
}

struct Walk<'run> {
    options: &'run Explore,
    global: &'run Global,
    out: &'run mut dyn Write,
}

impl Work for Walk<'_> {
    type Result = Exit;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<Exit> {
        let Walk { options, global, out } = self;
        let mut space = Space::Memory(Levels::new(game, &start, (options.memory as usize) << 20)?);
        let mut depth = 0;
        loop {
            let positions = space.newest();
            if global.json {
                let row = json!({
                    "game": game.info().name,
                    "depth": depth,
                    "positions": positions,
                    "total": space.total(),
                });
                writeln!(out, "{row}")?;
            } else {
                writeln!(out, "{depth:>5}  {:>16}", grouped(positions))?;
            }
            out.flush()?;
            if options.depth.is_some_and(|last| depth >= last) {
                break;
            }
            space = match space.advance(game, depth)? {
                Some(space) => space,
                None => {
                    let note = "stopped: the distances above are complete";
                    writeln!(anstream::stderr(), "{}{note}{}", FAINT.render(), FAINT.render_reset())?;
                    return Ok(Exit::Interrupted);
                }
            };
            if space.is_exhausted() {
                break;
            }
            depth += 1;
        }
        if !global.json {
            writeln!(out, "total  {:>16}", grouped(space.total()))?;
        }
        Ok(Exit::Success)
    }
}

/// All positions found so far, wherever there is room for them.
enum Space<'game, G> {
    Memory(Levels<'game, G>),
    Disk(External, Packing),
}

impl<'game, G: Game> Space<'game, G> {
    fn newest(&self) -> u64 {
        match self {
            Space::Memory(levels) => levels.newest.len() as u64,
            Space::Disk(external, _) => external.newest(),
        }
    }

    fn total(&self) -> u64 {
        match self {
            Space::Memory(levels) => levels.visited.len() as u64,
            Space::Disk(external, _) => external.total(),
        }
    }

    fn is_exhausted(&self) -> bool {
        match self {
            Space::Memory(levels) => levels.exhausted(),
            Space::Disk(external, _) => external.newest() == 0,
        }
    }

    /// The positions one move further away; `None` when it was interrupted.
    fn advance(self, game: &'game G, depth: u32) -> Result<Option<Space<'game, G>>> {
        let mut space = self;
        if let Space::Memory(mut levels) = space {
            match levels.advance(depth)? {
                Advanced::Done => return Ok(Some(Space::Memory(levels))),
                Advanced::Interrupted => return Ok(None),
                Advanced::Full => space = levels.onto_disk()?,
            }
        }
        let Space::Disk(mut external, packing) = space else { return Ok(None) };
        let (mut moves, mut record) = (MoveList::new(), vec![0; packing.bytes()]);
        let mut count = 0_u64;
        let mut progress = Progress::new();
        let positions = external.newest();
        let followed = external.advance(|before, found| -> Result<()> {
            if interrupt::requested() {
                bail!("interrupted");
            }
            count += 1;
            progress.show(count, positions, || {
                format!("distance {}: {count} of {positions}, on disk", depth + 1)
            });
            let position = game.pack(&packing.unpack(game.info(), before));
            if game.generate(&position, Stage::All, &mut moves)?.is_none() {
                for played in moves.iter() {
                    packing.after(before, played, &mut record);
                    found.extend_from_slice(&record);
                }
            }
            Ok(())
        });
        match followed {
            Err(_) if interrupt::requested() => Ok(None),
            Err(error) => Err(error),
            Ok(()) => Ok(Some(Space::Disk(external, packing))),
        }
    }
}

/// How a level went.
enum Advanced {
    Done,
    Interrupted,
    /// There is no room for it; what was known before is known.
    Full,
}

/// All positions found so far. Positions of one distance lie together, in the order in which they were found,
/// so the newest level needs no memory of its own.
struct Levels<'game, G> {
    game: &'game G,
    packing: Packing,
    visited: Visited,
    newest: Range<usize>,
    /// Positions that have only been reached by moves that end the game: nothing follows them.
    ended: Vec<bool>,
    /// Those of them that have now been reached by a move that does not: they are followed with the next level.
    revived: Vec<usize>,
    /// Bytes that positions may take.
    room: usize,
}

impl<'game, G: Game> Levels<'game, G> {
    fn new(game: &'game G, start: &Position, room: usize) -> Result<Levels<'game, G>> {
        let packing = Packing::new(game.info());
        let mut visited = Visited::new(packing.bytes());
        let mut record = vec![0; packing.bytes()];
        packing.pack(start, &mut record);
        visited.insert(&record).context("no room for the first position")?;
        let is_over = start.outcome().is_some() || game.verdict(start)?.is_some();
        let ended = vec![is_over && game.info().players == 2];
        Ok(Levels { game, packing, visited, newest: 0..1, ended, revived: Vec::new(), room })
    }

    /// Whether there is nothing left to follow.
    fn exhausted(&self) -> bool {
        self.newest.is_empty() && self.revived.is_empty()
    }

    /// Finds the positions one move further away.
    fn advance(&mut self, depth: u32) -> Result<Advanced> {
        let mut progress = Progress::new();
        let mut scratch = Scratch { moves: MoveList::new(), record: vec![0; self.packing.bytes()] };
        let level = self.newest.clone();
        let first_new = self.visited.len();
        for index in std::mem::take(&mut self.revived) {
            if std::mem::take(&mut self.ended[index]) {
                self.expand(index, first_new, &mut scratch)?;
            }
        }
        for index in level.clone() {
            if interrupt::requested() {
                return Ok(Advanced::Interrupted);
            }
            // What ends a game for two, and for whom, is not written into files.
            if self.visited.memory() > self.room && self.game.info().players != 2 {
                return Ok(Advanced::Full);
            }
            progress.show((index - level.start) as u64, level.len() as u64, || {
                format!("distance {}: {} of {}", depth + 1, index - level.start, level.len())
            });
            if !self.ended[index] {
                self.expand(index, first_new, &mut scratch)?;
            }
        }
        self.newest = first_new..self.visited.len();
        Ok(Advanced::Done)
    }

    /// All levels but the one that is being found, in files.
    fn onto_disk(self) -> Result<Space<'game, G>> {
        let folder = std::env::temp_dir().join(format!("multigame-explore-{}", std::process::id()));
        writeln!(
            anstream::stderr(),
            "{}memory is full: going on with files in {}{}",
            FAINT.render(),
            folder.display(),
            FAINT.render_reset()
        )?;
        let known = (0..self.newest.end).map(|index| self.visited.record(index));
        let external = External::new(folder, self.packing.bytes(), self.room, known, self.newest.len())?;
        Ok(Space::Disk(external, self.packing))
    }

    /// Adds the positions behind this one.
    fn expand(&mut self, index: usize, first_new: usize, scratch: &mut Scratch) -> Result<()> {
        let (game, info) = (self.game, self.game.info());
        let position = game.pack(&self.packing.unpack(info, self.visited.record(index)));
        if game.generate(&position, Stage::All, &mut scratch.moves)?.is_some() {
            return Ok(());
        }
        for played in scratch.moves.iter() {
            self.packing.after(self.visited.record(index), played, &mut scratch.record);
            let ends = played.head.outcome().is_some() && info.players == 2;
            let (found, is_new) = self
                .visited
                .insert(&scratch.record)
                .context("there are more positions than can be numbered: give a smaller --depth")?;
            if is_new {
                self.ended.push(ends);
            } else if !ends && self.ended[found] {
                match found < first_new {
                    true => self.revived.push(found),
                    false => self.ended[found] = false,
                }
            }
        }
        Ok(())
    }
}

/// Buffers that are used again and again.
struct Scratch {
    moves: MoveList,
    record: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::text;

    #[test]
    fn positions_come_back_but_for_what_is_silent() {
        let source = crate::library::source("chess").unwrap();
        let (program, _) = rules::compile(&source, None).unwrap();
        let info = &program.info;
        let packing = Packing::new(info);
        let mut record = vec![0; packing.bytes()];
        for (fen, expected) in [
            ("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1", "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 79 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 80 1", "4k3/8/8/8/8/8/8/4K3 w - - 80 1"),
        ] {
            packing.pack(&text::read(info, fen).unwrap(), &mut record);
            assert_eq!(packing.unpack(info, &record), text::read(info, expected).unwrap());
        }
        assert!(packing.bytes() <= 36);
    }
}
