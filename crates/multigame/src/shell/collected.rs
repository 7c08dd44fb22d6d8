//! The collection of games: what others have played here, games to look at, games to add.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use game::Game;

use super::Shell;
use crate::numbers::counted;
use crate::{collections, files};

impl<G: Game> Shell<'_, G> {
    pub(super) fn collection(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let collection = collections::open(self.collection.as_deref())?;
        let rules = collections::key(&self.choice)?;
        match given.split_once(' ').unwrap_or((given, "")) {
            ("", _) => self.say_collected(&collection, &rules, out),
            ("add", file) if !file.trim().is_empty() => {
                let text = files::read_text(Path::new(file.trim()))?;
                let added = collections::add(&collection, &rules, self.session.game(), &text)
                    .with_context(|| format!("`{}`", file.trim()))?;
                writeln!(out, "{}", collections::told(added))?;
                Ok(())
            }
            (number, "") if number.parse::<i64>().is_ok() => {
                let id = number.parse().unwrap_or_default();
                let Some(game) = collection.game(&rules, id)? else {
                    bail!("the collection has no game {id} of {}", self.session.info().name);
                };
                let record = game.replay(self.session.game())?;
                self.session.begin(record.start().clone())?;
                record.moves().iter().try_for_each(|played| self.session.play(played))?;
                writeln!(out, "a game of {}", counted(record.moves().len() as u64, "move", "moves"))?;
                if self.interactive { self.board(out) } else { Ok(()) }
            }
            _ => bail!("say `collection`, `collection add FILE` or `collection NUMBER`"),
        }
    }

    fn say_collected(
        &self,
        collection: &collection::Collection,
        rules: &str,
        out: &mut dyn Write,
    ) -> Result<()> {
        let position = self.session.record().position();
        let found = collection.look_up(rules, self.session.game().signature(position).0)?;
        writeln!(out, "collection: {}", counted(found.all.unsigned_abs(), "game", "games"))?;
        if found.moves.is_empty() {
            writeln!(out, "no game of the collection has been here")?;
        }
        for played in &found.moves {
            let (name, games) = (&played.name, counted(played.games.unsigned_abs(), "game", "games"));
            writeln!(
                out,
                "  {name:<8} {games}: white won {}, black {}, drawn {}",
                played.white, played.black, played.draws
            )?;
        }
        for game in &found.games {
            let words: Vec<&str> = [&game.event, &game.date]
                .into_iter()
                .map(String::as_str)
                .filter(|word| !word.is_empty())
                .collect();
            let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
            let players = format!("{} - {}", name(&game.white), name(&game.black));
            writeln!(out, "  {:>6}  {players}  {}  {}", game.id, game.result, words.join(", "))?;
        }
        Ok(())
    }
}
