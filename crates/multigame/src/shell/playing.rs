//! Commands that change or show the game: moves of people, of the computer and of chance.

use std::io::Write;

use anyhow::{Result, bail};
use game::notation::{self, Names};
use game::record::Standing;
use game::{Colour, Game, Move, Outcome};
use protocol::{chance, pgn, san};

use super::setting::number;
use super::{Computer, Shell};
use crate::cli::{FAINT, STRONG};
use crate::numbers::grouped;
use crate::{interrupt, lines, listing};

/// Lists of moves have so many in a row.
const ROW: usize = 10;

impl<G: Game> Shell<'_, G> {
    pub(super) fn board(&self, out: &mut dyn Write) -> Result<()> {
        let last = self.session.record().moves().last().map(Move::view);
        write!(out, "{}", self.drawing.draw(&self.session.position(), last))?;
        self.say_standing(out)
    }

    /// Who is to move, or how the game ended.
    fn say_standing(&self, out: &mut dyn Write) -> Result<()> {
        match self.result() {
            Some(result) => writeln!(out, "{}{result}{}", STRONG.render(), STRONG.render_reset())?,
            None if self.session.info().players == 2 => {
                writeln!(out, "{} to move", self.session.position().mover())?;
            }
            None => {}
        }
        Ok(())
    }

    /// How the game ended, in words.
    pub(super) fn result(&self) -> Option<String> {
        let Standing::Finished(outcome, viewer) = self.session.record().standing() else { return None };
        let by = match outcome {
            Outcome::Score(score) => format!(" by {}", score.abs()),
            _ => String::new(),
        };
        Some(match (self.session.info().players, outcome.winner(viewer)) {
            (2, Some(winner)) => format!("{winner} wins{by}"),
            (2, None) => "the game is drawn".to_owned(),
            (_, Some(Colour::White)) => format!("solved{by}"),
            _ => "finished: there is no way on".to_owned(),
        })
    }

    pub(super) fn legal(&self, given: &str, out: &mut dyn Write) -> Result<()> {
        let (legal, position) = (self.session.record().legal(), self.session.position());
        let names = Names::new(self.session.info(), &position, legal);
        match given {
            "" if self.interactive => write!(out, "{}", listing::shortened(names.short()))?,
            "" => {
                for row in names.short().chunks(ROW) {
                    writeln!(out, "{}", row.join("  "))?;
                }
            }
            "long" => {
                for (name, long) in names.short().iter().zip(names.long()) {
                    writeln!(out, "{name}: {long}")?;
                }
            }
            _ => bail!("`legal` takes nothing, or `long`"),
        }
        if legal.is_empty() {
            self.say_standing(out)?;
        }
        Ok(())
    }

    /// The legal move that a text means.
    pub(super) fn find_move(&self, text: &str) -> Result<Move> {
        let legal = self.session.record().legal();
        if legal.is_empty() {
            bail!("the game is over ({}): `undo` takes moves back", self.result().unwrap_or_default());
        }
        let index = san::find(self.session.info(), &self.session.position(), legal, text.trim())?;
        Ok(legal.get(index).to_move())
    }

    pub(super) fn make_move(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        if given.is_empty() {
            return self.computer_moves(out);
        }
        let played = self.find_move(given)?;
        self.play(&played, "", out)
    }

    /// Plays a move and says so.
    pub(super) fn play(&mut self, played: &Move, remark: &str, out: &mut dyn Write) -> Result<()> {
        let (mover, name) = (self.session.position().mover(), self.recorded_name(played));
        let who = if self.session.info().players == 2 { format!("{mover}: ") } else { String::new() };
        self.session.play(played)?;
        let (strong, plain) = (STRONG.render(), STRONG.render_reset());
        let remark = match remark {
            "" => String::new(),
            remark => format!(" {}({remark}){}", FAINT.render(), FAINT.render_reset()),
        };
        writeln!(out, "{who}{strong}{name}{plain}{remark}")?;
        if self.interactive {
            self.board(out)?;
        } else if self.result().is_some() {
            self.say_standing(out)?;
        }
        Ok(())
    }

    /// The same as the history has it.
    pub(super) fn recorded_name(&self, wanted: &Move) -> String {
        let names = lines::recorded_names(&self.session, std::slice::from_ref(wanted));
        names.into_iter().next().unwrap_or_else(|| self.name_of(wanted))
    }

    /// The short form of a legal move.
    fn name_of(&self, wanted: &Move) -> String {
        let (info, legal) = (self.session.info(), self.session.record().legal());
        let index = legal.iter().position(|legal| legal.same_as(wanted.view()));
        let mut forms = notation::short_forms(info, &self.session.position(), legal);
        index.map_or_else(|| notation::long_form(info, wanted.view()), |index| forms.swap_remove(index))
    }

    /// The computer plays a move for the side to move.
    pub(super) fn computer_moves(&mut self, out: &mut dyn Write) -> Result<()> {
        if let Some(result) = self.result() {
            bail!("the game is over ({result}): `undo` takes moves back");
        }
        if let Some(book) = self.book.as_ref().filter(|_| self.book_on)
            && let Some(known) = book.choose(self.session.record(), self.seed)
        {
            return self.play(&known, "from the book", out);
        }
        let choice = self.choose(out)?;
        let remark =
            format!("{}, depth {}, {} nodes", choice.expectation, choice.depth, grouped(choice.nodes));
        self.play(&choice.best, &remark, out)
    }

    /// Plays as long as the computer is to move.
    pub(super) fn answer(&mut self, out: &mut dyn Write) -> Result<()> {
        while self.session.record().standing() == Standing::Open && !interrupt::requested() {
            let turn = match self.computer {
                Computer::Off => false,
                Computer::One(colour) => self.session.position().mover() == colour,
                Computer::Both => true,
            };
            if !turn {
                return Ok(());
            }
            self.computer_moves(out)?;
            out.flush()?;
        }
        if self.computer == Computer::Both {
            // The game is over, or the user has seen enough.
            self.computer = Computer::Off;
        }
        Ok(())
    }

    pub(super) fn self_play(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let most = if given.is_empty() { u32::MAX } else { number(given, 1, u32::MAX)? };
        for _ in 0..most {
            if self.session.record().standing() != Standing::Open {
                break;
            }
            if self.session.info().players != 2 {
                let choice = self.choose(out)?;
                if !choice.is_found {
                    // Without a plan it would wander about for ever.
                    bail!("{}: give it more `time` or `depth`", choice.expectation);
                }
            }
            self.computer_moves(out)?;
            out.flush()?;
            if interrupt::requested() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn random_moves(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let count = if given.is_empty() { 1 } else { number(given, 1, 1_000_000)? };
        for done in 0..count {
            let legal = self.session.record().legal();
            if legal.is_empty() {
                if done == 0 {
                    bail!(
                        "the game is over ({}): `undo` takes moves back",
                        self.result().unwrap_or_default()
                    );
                }
                break;
            }
            self.random = chance::next(self.random);
            let played = legal.get(chance::choose(legal, self.random)).to_move();
            self.play(&played, "by chance", out)?;
            if interrupt::requested() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn undo(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let count = if given.is_empty() { 1 } else { number(given, 1, u32::MAX)? };
        let mut done = 0;
        while done < count && self.session.take_back()? {
            done += 1;
        }
        if done == 0 {
            bail!("this is where the game began");
        }
        // Back to where a person is to move: otherwise the computer would play on at once.
        if let (Computer::One(colour), true) = (self.computer, given.is_empty())
            && self.session.position().mover() == colour
            && self.session.take_back()?
        {
            done += 1;
        }
        writeln!(out, "{} taken back", crate::numbers::counted(u64::from(done), "move", "moves"))?;
        if self.interactive {
            self.board(out)?;
        }
        Ok(())
    }

    /// Looks at the board from the other side.
    pub(super) fn flip(&mut self, out: &mut dyn Write) -> Result<()> {
        self.drawing.flip();
        self.board(out)
    }

    pub(super) fn reset(&mut self, out: &mut dyn Write) -> Result<()> {
        self.session.begin(self.start.clone())?;
        self.session.clear_memory();
        self.random = self.seed;
        self.last = None;
        if self.interactive {
            self.board(out)?;
        }
        Ok(())
    }

    pub(super) fn history(&self, out: &mut dyn Write) -> Result<()> {
        let names = pgn::names(self.session.record(), self.session.knowledge())?;
        for (row, names) in names.chunks(ROW).enumerate() {
            let named = names.iter().enumerate().map(|(index, name)| match row * ROW + index {
                ply if ply % 2 == 0 => format!("{}. {name}", ply / 2 + 1),
                _ => name.clone(),
            });
            writeln!(out, "{}", named.collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}
