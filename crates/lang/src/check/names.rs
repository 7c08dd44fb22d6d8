//! Which names a program declares, and whether it may.

use std::collections::{HashMap, HashSet};

use super::report::Report;
use crate::diagnostic::{Diagnostic, nearest, quoted};
use crate::parser::words::RESERVED;
use crate::source::Span;
use crate::syntax::{Name, Piece, PieceOwner, Program, Property, PropertyKind};

/// What an expression can ask besides properties.
pub(super) const BUILTINS: [&str; 4] = ["row", "column", "direction", "place"];

/// Statements of one word that a rule may take the name of.
pub(super) const WORDS: [&str; 2] = ["quiet", "forcing"];

/// The names of a program; of several things with one name, the first counts.
pub(super) struct Names<'tree> {
    pub(super) tree: &'tree Program,
    functions: HashMap<&'tree str, usize>,
    pieces: HashMap<&'tree str, usize>,
    properties: HashMap<&'tree str, usize>,
    tables: HashSet<&'tree str>,
    characters: HashSet<char>,
}

fn index<'tree>(
    names: impl DoubleEndedIterator<Item = &'tree Name>,
    count: usize,
) -> HashMap<&'tree str, usize> {
    // Backwards, so that the first one stays.
    names.rev().enumerate().map(|(index, name)| (name.value.as_str(), count - 1 - index)).collect()
}

impl<'tree> Names<'tree> {
    pub(super) fn of(tree: &'tree Program) -> Names<'tree> {
        Names {
            tree,
            functions: index(tree.functions.iter().map(|function| &function.name), tree.functions.len()),
            pieces: index(tree.pieces.iter().map(|piece| &piece.name), tree.pieces.len()),
            properties: index(tree.properties.iter().map(|property| &property.name), tree.properties.len()),
            tables: tree.tables.iter().map(|table| table.name.value.as_str()).collect(),
            characters: tree
                .pieces
                .iter()
                .flat_map(|piece| &piece.characters)
                .map(|known| known.value)
                .collect(),
        }
    }

    /// The index of a rule.
    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.functions.get(name).copied()
    }

    /// The index of a piece.
    pub(super) fn piece_index(&self, name: &str) -> Option<usize> {
        self.pieces.get(name).copied()
    }

    /// The index of a property.
    pub(super) fn property_index(&self, name: &str) -> Option<usize> {
        self.properties.get(name).copied()
    }

    pub(super) fn piece(&self, name: &str) -> Option<&'tree Piece> {
        self.piece_index(name).map(|index| &self.tree.pieces[index])
    }

    pub(super) fn property(&self, name: &str) -> Option<&'tree Property> {
        self.property_index(name).map(|index| &self.tree.properties[index])
    }

    /// Whether a character stands for a piece.
    pub(super) fn is_piece(&self, character: char) -> bool {
        self.characters.contains(&character)
    }

    pub(super) fn is_table(&self, name: &str) -> bool {
        self.tables.contains(name)
    }

    /// Whether a word of an expression is one of [`BUILTINS`].
    pub(super) fn is_builtin(&self, name: &str) -> bool {
        BUILTINS.contains(&name) && !self.properties.contains_key(name)
    }

    /// Whether a name may be declared in a part that could not be read.
    pub(super) fn may_exist(&self, name: &str) -> bool {
        self.tree.unread.contains(name)
    }

    /// Whether there are no pieces, or not all could be read: which of them are missing need not be said one by one.
    pub(super) fn lacks_pieces(&self) -> bool {
        let counters = self.tree.properties.iter().any(|property| property.kind == PropertyKind::Field);
        self.may_exist("pieces") || (self.tree.pieces.is_empty() && !counters)
    }

    pub(super) fn rule_names(&self) -> impl Iterator<Item = &'tree str> {
        self.tree.functions.iter().map(|function| function.name.value.as_str())
    }

    pub(super) fn piece_names(&self) -> impl Iterator<Item = &'tree str> {
        self.tree.pieces.iter().map(|piece| piece.name.value.as_str())
    }

    pub(super) fn property_names(&self) -> impl Iterator<Item = &'tree str> {
        self.tree.properties.iter().map(|property| property.name.value.as_str())
    }

    pub(super) fn table_names(&self) -> impl Iterator<Item = &'tree str> {
        self.tree.tables.iter().map(|table| table.name.value.as_str())
    }

    /// Columns and rows, if they make a board.
    pub(super) fn board(&self) -> Option<(i64, i64)> {
        let (columns, rows) = self.tree.dimensions.as_ref()?;
        super::board::fits(columns.value, rows.value).then_some((columns.value, rows.value))
    }

    /// Whether there is only one player.
    pub(super) fn is_alone(&self) -> bool {
        self.tree.player_count() < 2
    }
}

/// A program has a `main`, and no name is reserved or given twice.
pub(super) fn check(names: &Names<'_>, report: &mut Report) {
    let tree = names.tree;
    if names.function("main").is_none() && !names.may_exist("main") {
        report.error(|| {
            let near = nearest("main", names.rule_names());
            let hint = match near {
                Some(near) => format!("is `{near}` meant to be `main`?"),
                None => "write `main = … .`: it yields every position that one move can reach".to_owned(),
            };
            let meant = near.and_then(|near| names.function(near));
            let span = meant.map_or(tree.end, |index| tree.functions[index].name.span);
            Diagnostic::error("E020", span, "there is no rule `main`").hint(hint)
        });
    }
    let functions = tree.functions.iter().map(|function| &function.name);
    let pieces = tree.pieces.iter().map(|piece| &piece.name);
    let properties = tree.properties.iter().map(|property| &property.name);
    let values = properties.clone().chain(tree.tables.iter().map(|table| &table.name));
    once("rule", functions.clone(), report);
    once("piece", pieces.clone(), report);
    of_two_lines(&tree.pieces, report);
    once("property or table", values.clone(), report);
    once("feature", tree.features.iter().map(|feature| &feature.name), report);
    once("setup", tree.setups.iter().filter_map(|setup| setup.name.as_ref()), report);
    for name in functions.chain(pieces.clone()).chain(values.clone()) {
        if RESERVED.contains(&name.value.as_str()) {
            report.error(|| {
                let message = format!("`{}` is a word of the language and cannot be a name", name.value);
                Diagnostic::error("E035", name.span, message)
                    .hint(format!("choose another, such as `my_{}`", plain(name)))
            });
        }
    }
    for name in values.filter(|name| matches!(name.value.as_str(), "place" | "direction")) {
        report.error(|| {
            let what = match name.value.as_str() {
                "place" => "the finger's field",
                _ => "where the next step leads",
            };
            let message =
                format!("`{}` is a word for {what} in expressions and cannot be a name here", name.value);
            Diagnostic::error("E035", name.span, message)
                .hint(format!("choose another, such as `my_{}`", name.value))
        });
    }
    for name in pieces.filter(|name| name.value == "piece") {
        report.error(|| {
            Diagnostic::error("E035", name.span, "`piece` means any piece and cannot be the name of one")
        });
    }
    if tree.setups.iter().filter(|setup| setup.name.is_none()).count() > 1 {
        let second = tree.setups.iter().filter(|setup| setup.name.is_none()).nth(1);
        let span = second.map_or(tree.end, |setup| {
            let (text, span) = (&setup.text.value, setup.text.span);
            Span::new(span.start + text.len() - text.trim_start().len(), span.end)
        });
        report.error(|| {
            Diagnostic::error("E024", span, "there are two `setup` sections without a name")
                .hint("name the others: `setup endgame { … }`")
        });
    }
}

/// `white stone 'O'` and `black stone 'X'`, which have been told of as two pieces.
fn of_two_lines(pieces: &[Piece], report: &mut Report) {
    for pair in pieces.windows(2) {
        let (white, black) = match (pair[0].owner, pair[1].owner) {
            (PieceOwner::White, PieceOwner::Black) => (&pair[0], &pair[1]),
            (PieceOwner::Black, PieceOwner::White) => (&pair[1], &pair[0]),
            _ => continue,
        };
        let name = &pair[1].name;
        if let ([first], [second]) = (&white.characters[..], &black.characters[..])
            && pair[0].name.value == name.value
        {
            let hint = format!(
                "a piece of both is one line, white's character first: `{} '{}' '{}'`",
                name.value, first.value, second.value
            );
            report.amend(name.span, hint);
        }
    }
}

fn plain(name: &Name) -> &str {
    name.value.split('\'').next().unwrap_or_default()
}

fn once<'tree>(what: &str, names: impl Iterator<Item = &'tree Name>, report: &mut Report) {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name.value.as_str()) {
            report.error(|| {
                let message =
                    format!("there are two of the name {}: each {what} needs its own", quoted(&name.value));
                Diagnostic::error("E024", name.span, message).hint("rename or remove one of them")
            });
        }
    }
}
