//! Moves as text. *A text that is listed means the move that it is listed for*: the names of a position's moves
//! differ, and each read back gives that move.
//!
//! The short form is the name that the rules give to a move (`name` in the rule language), otherwise the shortest of
//! a few natural forms that no other legal move shares: `e2e4`, `e7e8q`, `b2`. The long form lists what a move
//! changes: `e1 -> c1; a1 -> d1`, `a3 -> c5; empty field -> b4`, `white mark -> b2`. Both are understood wherever a
//! move is read; after them other natural forms, and any part of a long form, if they fit just one legal move.

mod deed;
pub mod distinct;
pub mod explosion;
mod forms;
mod given;

use crate::info::GameInfo;
use crate::moves::MoveList;
use crate::position::Position;

use distinct::{Meanings, distinct};

pub use forms::long_form;
pub use given::{GivenNames, Namer};

/// A move that changes nothing that can be seen.
const PASS: &str = "pass";
/// So many moves are shown as examples.
const EXAMPLES: usize = 8;

/// Why a text is no legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Nothing legal fits.
    #[error("`{text}` is no legal move here{}", listed(examples))]
    NotLegal {
        /// What was given.
        text: String,
        /// Some legal moves.
        examples: String,
    },
    /// More than one legal move fits.
    #[error("`{text}` could be {choices}: say which")]
    Ambiguous {
        /// What was given.
        text: String,
        /// The moves that fit.
        choices: String,
    },
}

/// The legal moves, if there are any.
fn listed(examples: &str) -> String {
    match examples {
        "" => ": no move is possible, the game is over".to_owned(),
        _ => format!("; legal are {examples}"),
    }
}

/// The names of a position's legal moves, and what texts mean there.
pub struct Names<'list> {
    info: &'list GameInfo,
    position: &'list Position,
    moves: &'list MoveList,
    /// What the rules call each move.
    given: Vec<Vec<String>>,
    short: Vec<String>,
}

impl<'list> Names<'list> {
    /// Names all legal moves of a position. Takes about a microsecond for each, and the interpreter's time where
    /// the rules give names.
    #[must_use]
    pub fn new(info: &'list GameInfo, position: &'list Position, moves: &'list MoveList) -> Names<'list> {
        let given = info.given_names.of(position, moves);
        let meanings = unique(given.iter().map(|names| names.first()));
        let best = |index: usize| match given[index].first() {
            Some(name) => name.clone(),
            None => forms::best(info, position, moves.get(index)),
        };
        let others = |index: usize| {
            let derived = given[index].first().map(|_| forms::best(info, position, moves.get(index)));
            derived.into_iter().chain(forms::others(info, position, moves.get(index))).collect()
        };
        let short = distinct(moves.len(), &meanings, best, others);
        Names { info, position, moves, given, short }
    }

    /// The short form of every move, in the order of the list.
    #[must_use]
    pub fn short(&self) -> &[String] {
        &self.short
    }

    /// The long form of every move. What a form leaves out is added where another move would have the same.
    #[must_use]
    pub fn long(&self) -> Vec<String> {
        let view = |index: usize| self.moves.get(index);
        let complete = |index: usize| vec![forms::complete_form(self.info, view(index))];
        distinct(self.moves.len(), &self.meanings(), |index| long_form(self.info, view(index)), complete)
    }

    /// What the short forms mean.
    #[must_use]
    pub fn meanings(&self) -> Meanings {
        self.short.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect()
    }

    /// Whether the rules have given this move its name.
    #[must_use]
    pub fn is_given(&self, index: usize) -> bool {
        self.given[index].first() == Some(&self.short[index])
    }

    /// The move with exactly this name: its short form, another name that the rules give it alone, or its long form.
    #[must_use]
    pub fn exact(&self, text: &str) -> Option<usize> {
        let short = self.short.iter().position(|name| name == text);
        let is_given = |index: &usize| self.given[*index].iter().any(|name| name == text);
        short
            .or_else(|| {
                let mut users = (0..self.given.len()).filter(is_given);
                users.next().filter(|_| users.next().is_none())
            })
            .or_else(|| {
                let long = (is_list_of_changes(text) || text == PASS).then(|| self.long())?;
                long.iter().position(|form| form == text)
            })
    }

    /// The index of the legal move that a text means.
    ///
    /// # Errors
    /// When no legal move fits, or several that differ.
    pub fn find(&self, text: &str) -> Result<usize, MoveError> {
        let text = text.trim();
        if let Some(index) = self.exact(text) {
            return Ok(index);
        }
        let all = 0..self.moves.len();
        let mut fitting: Vec<usize> = all.clone().filter(|&index| self.is_called(index, text)).collect();
        if fitting.is_empty() && is_list_of_changes(text) {
            fitting = all.filter(|&index| forms::is_true(self.info, self.moves.get(index), text)).collect();
        }
        self.only(&fitting, text)
    }

    /// The one that is meant where these fit: the only one, or the first of several that lead to the same position.
    ///
    /// # Errors
    /// When there is none, or several that differ.
    pub fn only(&self, fitting: &[usize], text: &str) -> Result<usize, MoveError> {
        let text = text.chars().take(60).collect();
        let Some(&first) = fitting.first() else {
            let more = if self.short.len() > EXAMPLES { ", …" } else { "" };
            let examples = self.short.iter().take(EXAMPLES).cloned().collect::<Vec<_>>().join(", ") + more;
            return Err(MoveError::NotLegal { text, examples });
        };
        if fitting.iter().all(|&other| self.same_result(first, other)) {
            return Ok(first);
        }
        let more = if fitting.len() > EXAMPLES { ", …" } else { "" };
        let choices = fitting.iter().take(EXAMPLES).map(|&index| self.short[index].as_str());
        Err(MoveError::Ambiguous { text, choices: choices.collect::<Vec<_>>().join(", ") + more })
    }

    /// Whether two moves lead to the same position, with the same outcome.
    fn same_result(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.moves.get(one), self.moves.get(other));
        let stored = self.info.stored_slots();
        let kept = |changes: &'list [crate::moves::Change]| {
            changes.iter().filter(move |change| change.slot() < stored)
        };
        one.head.outcome() == other.head.outcome() && kept(one.changes).eq(kept(other.changes))
    }

    /// Whether a text is one of the natural forms of a move, give or take the signs that people put in between.
    #[must_use]
    pub fn is_called(&self, index: usize, text: &str) -> bool {
        let wanted = plain(text);
        let is_meant = |form: &str| {
            let own = plain(form);
            own == wanted || own.strip_suffix('+').is_some_and(|own| own == wanted)
        };
        if wanted.is_empty() {
            return false;
        }
        let played = self.moves.get(index);
        forms::is_numbered(self.info, played, text)
            || is_meant(&self.short[index])
            || self.given[index].iter().any(|name| is_meant(name))
            || is_meant(&forms::best(self.info, self.position, played))
            || forms::others(self.info, self.position, played).iter().any(|form| is_meant(form))
    }
}

/// Whether a text can be a long form, or a part of one.
fn is_list_of_changes(text: &str) -> bool {
    text.contains("->") || text.contains(" = ")
}

/// The texts that only one move has.
fn unique<'text>(texts: impl Iterator<Item = Option<&'text String>>) -> Meanings {
    let mut meanings = Meanings::default();
    let mut shared = Vec::new();
    for (index, text) in texts.enumerate() {
        if let Some(text) = text
            && meanings.insert(text.clone(), index).is_some()
        {
            shared.push(text.clone());
        }
    }
    shared.iter().for_each(|text| {
        meanings.remove(text);
    });
    meanings
}

/// A form without the signs that people put between fields, and without regard to capitals: `E2-E4` is `e2e4`.
fn plain(form: &str) -> String {
    let signs = |character: &char| !matches!(character, '-' | 'x' | ':' | ' ' | '/' | '_');
    form.to_lowercase().chars().filter(signs).collect()
}

/// The short form of every move of a position, in the order of the list. No two are the same.
#[must_use]
pub fn short_forms(info: &GameInfo, position: &Position, moves: &MoveList) -> Vec<String> {
    Names::new(info, position, moves).short
}

/// The long form of every move of a position, in the order of the list. No two are the same.
#[must_use]
pub fn long_forms(info: &GameInfo, position: &Position, moves: &MoveList) -> Vec<String> {
    Names::new(info, position, moves).long()
}

/// Finds the legal move that a text means; returns its index in the list.
///
/// # Errors
/// When no legal move fits, or several that differ.
pub fn find(info: &GameInfo, position: &Position, moves: &MoveList, text: &str) -> Result<usize, MoveError> {
    Names::new(info, position, moves).find(text)
}
